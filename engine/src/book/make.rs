//! Makes a book by self-play: every position in the first turns of a game is searched for long, the
//! rest of the game is played with less.
//!
//! Every game depends on the seed, its number and the book so far, so that whoever goes on where
//! somebody stopped makes the same book.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};
use tabuleiro_protocol::{Choice, Limits};

use super::{Place, is_for, options_of};
use crate::catalog::{GameKind, OpenError};
use crate::game::{Book, BookHead, BookTurn};
use crate::random::Random;
use crate::search::{Control, Level, SearchRequest};
use crate::session::Session;

/// How a book is made.
#[derive(Clone, Debug)]
pub struct Plan {
    pub game: GameKind,
    pub options: Map<String, Value>,
    pub seed: u64,
    /// How many nodes every position is searched with, and for how many turns at once.
    pub nodes: u64,
    pub lines: usize,
    /// In how many turns of a game positions are added.
    pub turns: usize,
    /// How many nodes every later turn has.
    pub play_nodes: u64,
    /// A turn is played if it is worth no less than the best by so many thousandths.
    pub margin: i32,
    /// A turn is looked into further if it is worth no less than the best by so many.
    pub wide: i32,
    /// No position is added to a book whose file has so many bytes.
    pub most_bytes: usize,
}

/// Games that take longer are given up.
const LONGEST_GAME: usize = 400;

/// A book without positions.
pub fn begin(plan: &Plan) -> Result<Book, OpenError> {
    let session = plan.game.open(Some(&plan.options), plan.seed, None)?;
    Ok(Book::new(BookHead {
        format: BookHead::FORMAT.into(),
        version: BookHead::VERSION,
        game: plan.game.id.into(),
        options: options_of(&session),
        engine: env!("CARGO_PKG_VERSION").into(),
        seed: plan.seed,
        games: 0,
        nodes: plan.nodes,
        lines: plan.lines,
        turns: plan.turns,
        play_nodes: plan.play_nodes,
        margin: plan.margin,
    }))
}

/// Why a book cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CannotGoOn {
    #[error(transparent)]
    NotOpened(#[from] OpenError),
    #[error("the book is for another game or for other options")]
    AnotherGame,
    #[error("the book was made with another seed, or with other nodes, lines or turns")]
    AnotherPlan,
}

/// A turn of the book that a game has come by: the words for the position, and which it is.
type Step = (String, Vec<String>);

/// Plays one game more and adds what it finds to a book; `keep` is called whenever there is
/// something new. `false` if it was told to stop.
pub fn go_on(
    plan: &Plan,
    book: &mut Book,
    stop: &AtomicBool,
    keep: &mut dyn FnMut(&Book),
) -> Result<bool, CannotGoOn> {
    let number = book.head.games;
    let mut random = Random::new(plan.seed.wrapping_mul(1_000_003).wrapping_add(number));
    let mut session = plan.game.open(Some(&plan.options), plan.seed, None)?;
    if !is_for(book, &session) {
        return Err(CannotGoOn::AnotherGame);
    }
    let Plan { seed, nodes, lines, turns, play_nodes, margin, .. } = *plan;
    let head = BookHead { seed, nodes, lines, turns, play_nodes, margin, ..book.head.clone() };
    if head != book.head {
        return Err(CannotGoOn::AnotherPlan);
    }
    let mut steps: Vec<(Step, usize)> = Vec::new();
    for turn in 0..LONGEST_GAME {
        let Some(seat) = session.position().to_move() else { break };
        let Some(place) = Place::of(session.position()).filter(|_| turn < turns) else {
            let choice = search(&session, play_nodes, 1, random.next_seed(), stop);
            if stop.load(Ordering::Relaxed) || session.play_all(&choice.actions).is_err() {
                return Ok(false);
            }
            continue;
        };
        if !book.positions.contains_key(&place.at) {
            if book.write().len() >= plan.most_bytes {
                break;
            }
            let found = look_into(plan, &session, &place, stop);
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            book.positions.insert(place.at.clone(), found);
            keep(book);
        }
        // The best half of the time, and otherwise any that is good enough to be looked into.
        let wide = book.within(&place.at, plan.wide);
        let is_best = random.below(2) == 0;
        let chosen = if is_best { wide.first().copied() } else { random.pick(&wide) };
        let Some(chosen) = chosen else { break };
        let step = (place.at.clone(), chosen.turn.clone());
        let Some(actions) = place.actions(&session, &chosen.turn) else { break };
        if session.play_all(&actions).is_err() {
            break;
        }
        steps.push((step, seat.index()));
    }
    learn(book, &steps, &session);
    book.head.games += 1;
    keep(book);
    Ok(true)
}

/// The best turns of a position, by a long search.
fn look_into(plan: &Plan, session: &Session, place: &Place, stop: &AtomicBool) -> Vec<BookTurn> {
    let choice = search(session, plan.nodes, plan.lines, plan.seed, stop);
    let mut turns: Vec<BookTurn> = Vec::new();
    let mut ends: Vec<String> = Vec::new();
    let mut add = |actions: &[String], win: f64| {
        let Some(turn) = place.turn(session, actions) else { return };
        let mut after = session.alone();
        if after.play_all(actions).is_err() {
            return;
        }
        // Of turns that come to the same one is enough.
        let end = Place::of(after.position()).map(|place| place.at);
        if end.as_ref().is_none_or(|end| !ends.contains(end)) {
            ends.extend(end);
            turns.push(BookTurn { turn, win: (win * 1000.0).round() as i32, games: 0, half_points: 0 });
        }
    };
    add(&choice.actions, choice.score.win);
    for line in &choice.lines {
        add(&line.actions, line.score.win);
    }
    turns
}

fn search(session: &Session, nodes: u64, lines: usize, seed: u64, stop: &AtomicBool) -> Choice {
    let limits = Limits { nodes: Some(nodes), threads: Some(1), ..Limits::default() };
    let request = SearchRequest { level: Level::Master, limits, seed, multi_pv: lines };
    session.position().choose(&request, &mut Control::until(stop))
}

/// Takes what a game has shown back to its first turn: what a turn is worth follows from what is
/// known of the position after it.
fn learn(book: &mut Book, steps: &[(Step, usize)], end: &Session) {
    let winner = end.position().outcome().map(|outcome| outcome.winner.map(|seat| seat.index()));
    let mut after: Option<(i32, usize)> = None;
    for ((at, turn), seat) in steps.iter().rev() {
        let Some(turns) = book.positions.get_mut(at) else { continue };
        if let Some(turn) = turns.iter_mut().find(|other| other.turn == *turn) {
            if let Some((win, of)) = after {
                turn.win = if of == *seat { win } else { 1000 - win };
            }
            if let Some(winner) = winner {
                turn.games += 1;
                turn.half_points += winner.map_or(1, |winner| if winner == *seat { 2 } else { 0 });
            }
        }
        turns.sort_by_key(|turn| -turn.win);
        after = turns.first().map(|best| (best.win, *seat));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::book::show;
    use crate::catalog::Catalog;

    fn plan(game: &str, options: Value) -> Plan {
        Plan {
            game: Catalog::standard().game(game).expect("a game"),
            options: options.as_object().expect("options").clone(),
            seed: 3,
            nodes: 300,
            lines: 3,
            turns: 4,
            play_nodes: 50,
            margin: 20,
            wide: 100,
            most_bytes: 1 << 20,
        }
    }

    fn make(plan: &Plan, book: &mut Book, games: u64) {
        let never = AtomicBool::new(false);
        while book.head.games < games {
            assert!(go_on(plan, book, &never, &mut |_| {}).expect("a plan for this book"));
        }
    }

    #[test]
    fn whoever_goes_on_with_a_book_makes_the_same() {
        for (game, options) in [("zurero", json!({"size": 5})), ("fabrik", json!({"size": 5}))] {
            let plan = plan(game, options);
            let mut whole = begin(&plan).expect("a book");
            make(&plan, &mut whole, 6);
            assert!(whole.positions.len() >= 4, "{game}: {}", whole.positions.len());
            let mut first = begin(&plan).expect("a book");
            make(&plan, &mut first, 2);
            let mut again = Book::read(&first.write()).expect("a book");
            make(&plan, &mut again, 6);
            assert_eq!(again, whole, "{game}");
        }
    }

    #[test]
    fn a_game_that_was_stopped_is_played_again() {
        let plan = plan("zurero", json!({"size": 5}));
        let mut whole = begin(&plan).expect("a book");
        make(&plan, &mut whole, 2);
        // Stopped as soon as there is something to keep.
        let stop = AtomicBool::new(false);
        let mut part = begin(&plan).expect("a book");
        let goes_on = go_on(&plan, &mut part, &stop, &mut |_| stop.store(true, Ordering::Relaxed));
        assert!(!goes_on.expect("a plan for this book"));
        assert_eq!((part.head.games, part.positions.len()), (0, 1));
        make(&plan, &mut part, 2);
        assert_eq!(part, whole);
    }

    #[test]
    fn a_book_is_gone_on_with_as_it_was_begun() {
        let plan = plan("zurero", json!({"size": 5}));
        let mut book = begin(&plan).expect("a book");
        let never = AtomicBool::new(false);
        let mut refused =
            |plan: Plan| go_on(&plan, &mut book, &never, &mut |_| {}).expect_err("another plan").to_string();
        let other = Plan { nodes: 7, ..plan.clone() };
        assert_eq!(
            refused(other),
            "the book was made with another seed, or with other nodes, lines or turns"
        );
        let other = Plan { options: Map::new(), ..plan };
        assert_eq!(refused(other), "the book is for another game or for other options");
    }

    #[test]
    fn a_book_is_no_larger_than_it_may_be_and_its_games_count() {
        let plan = Plan { most_bytes: 600, ..plan("zurero", json!({"size": 5})) };
        let mut book = begin(&plan).expect("a book");
        make(&plan, &mut book, 5);
        assert!(book.write().len() < 1_500, "{}", book.write().len());
        let start = plan.game.open(Some(&plan.options), 0, None).expect("a game");
        let table = show(&book, &start, 3);
        assert!(table.starts_with("zurero, {\"size\":5}: "), "{table}");
        assert!(table.contains("\n1. @c3 "), "{table}");
        assert!(table.contains("\n  2. "), "{table}");
    }
}
