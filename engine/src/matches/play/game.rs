use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::notice::BotFailure;
use tabuleiro_protocol::{Choice, Clock, ErrorObject, Outcome, PerSeat, Seat};
use tracing::error;

use super::opening::balanced;
use super::{PerSide, Settings, Side, pair_of, seat_of_a};
use crate::bots::{Bots, Failed, Turn};
use crate::catalog::Catalog;
use crate::search::SearchRequest;
use crate::session::Session;
use crate::table::Table;

/// Some options allow games that never end.
const MOST_TURNS: usize = 2000;
const TOO_LONG: &str = "too_long";

/// It answered after its clock had run down. Like the failures of bots, which levels may share, this loses the game.
const OUT_OF_TIME: &str = "time";

/// How a level is asked for the rest of its turn.
pub(super) type Ask<'a> = &'a (dyn Fn(&dyn Session, &SearchRequest) -> Choice + Sync);

/// What a match wants to know of a game that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    pub number: u32,
    pub seat_of_a: Seat,
    pub outcome: Outcome,
    /// Of both, those of the opening included.
    pub turns: usize,
    pub effort: PerSide<Effort>,
}

/// What a side's own turns took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    pub turns: u64,
    pub nodes: u64,
    pub time_us: u64,
}

impl Effort {
    pub fn add(&mut self, other: &Effort) {
        self.turns += other.turns;
        self.nodes += other.nodes;
        self.time_us += other.time_us;
    }

    /// Milliseconds a turn.
    pub fn time_ms(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.time_us as f64 / 1000.0 / self.turns as f64)
    }

    pub fn nodes_per_s(&self) -> Option<f64> {
        (self.time_us > 0).then(|| self.nodes as f64 / (self.time_us as f64 / 1e6))
    }
}

impl GameResult {
    pub fn winner(&self) -> Option<Side> {
        self.outcome.winner.map(|seat| side_of(seat, self.seat_of_a))
    }

    /// What a gets for it, in halves of a point.
    pub fn half_points(&self) -> u32 {
        match self.winner() {
            Some(Side::A) => 2,
            None => 1,
            Some(Side::B) => 0,
        }
    }

    /// The side that broke down, if one did.
    pub fn failed(&self) -> Option<Side> {
        let reason = self.outcome.reason.as_str();
        let broke_down = reason == OUT_OF_TIME || BotFailure::ALL.iter().any(|why| why.word() == reason);
        self.outcome.winner.filter(|_| broke_down).map(|winner| side_of(!winner, self.seat_of_a))
    }
}

fn side_of(seat: Seat, seat_of_a: Seat) -> Side {
    if seat == seat_of_a { Side::A } else { Side::B }
}

/// Plays a game of a match from its opening to its end.
pub(super) fn play(
    catalog: &Catalog,
    settings: &Settings,
    number: u32,
    bots: &Bots,
    ask: Ask<'_>,
) -> Result<(Table, GameResult), ErrorObject> {
    play_at_most(catalog, MOST_TURNS, settings, number, bots, ask)
}

fn play_at_most(
    catalog: &Catalog,
    most_turns: usize,
    settings: &Settings,
    number: u32,
    bots: &Bots,
    ask: Ask<'_>,
) -> Result<(Table, GameResult), ErrorObject> {
    let mut opening = balanced(catalog, settings, pair_of(number))?;
    // The two games of a pair share their first position, but not the luck of their players.
    opening.seed = settings.seed_of_game(number);
    let seat_of_a = seat_of_a(number);
    let mut table = Table::new(String::new(), opening, seats(settings, seat_of_a))?;
    let mut turns = table.game().turn();
    let mut effort = PerSide::<Effort>::default();
    let mut clocks = PerSide { a: settings.a.clock(), b: settings.b.clock() };
    let outcome = loop {
        if let Some(outcome) = table.outcome() {
            break outcome;
        }
        let Some(seat) = table.to_move().filter(|_| turns < most_turns) else {
            break Outcome { winner: None, reason: TOO_LONG.into() };
        };
        let side = side_of(seat, seat_of_a);
        let answer = answer(&table, clocks[side], bots, ask);
        let played = answer.and_then(|turn| {
            table.play_own(&turn.choice.actions).map_err(|refusal| illegal(refusal.message))?;
            Ok((turn.choice.nodes, turn.took))
        });
        let (nodes, time) = match played {
            Ok(played) => played,
            Err(failed) => {
                error!("game {number}: seat {seat} {failed}");
                break Outcome { winner: Some(!seat), reason: failed.why.word().into() };
            }
        };
        let turn_is_over = table.to_move() != Some(seat);
        if let Some(clock) = &mut clocks[side] {
            match clock.left_ms.checked_sub(whole_milliseconds(time)) {
                None => break Outcome { winner: Some(!seat), reason: OUT_OF_TIME.into() },
                Some(left) => {
                    clock.left_ms = left.saturating_add(if turn_is_over { clock.increment_ms } else { 0 })
                }
            }
        }
        turns += usize::from(turn_is_over);
        effort[side].add(&Effort {
            turns: u64::from(turn_is_over),
            nodes,
            time_us: whole_microseconds(time),
        });
    };
    Ok((table, GameResult { number, seat_of_a, outcome, turns, effort }))
}

pub(super) fn seats(settings: &Settings, seat_of_a: Seat) -> PerSeat<tabuleiro_protocol::Player> {
    let (a, b) = (settings.a.player(), settings.b.player());
    match seat_of_a {
        Seat::One => PerSeat { one: a, two: b },
        Seat::Two => PerSeat { one: b, two: a },
    }
}

/// What the player whose turn it is wants to play, be it a level or a bot.
fn answer(table: &Table, clock: Option<Clock>, bots: &Bots, ask: Ask<'_>) -> Result<Turn, Failed> {
    if let Some((_, mut question)) = table.bot_question() {
        question.limits.clock = clock;
        let turn = bots.take_turn(table, &question, &AtomicBool::new(false))?;
        return turn.ok_or_else(|| crashed("it was told to stop"));
    }
    let Some((_, mut question)) = table.question() else { return Err(crashed("there is nobody to ask")) };
    question.limits.clock = clock;
    let began = Instant::now();
    let choice = catch_unwind(AssertUnwindSafe(|| ask(table.game(), &question)));
    let took = began.elapsed();
    match choice {
        Ok(choice) if choice.actions.is_empty() => Err(illegal("it gave an empty list of actions".into())),
        Ok(choice) => Ok(Turn { choice, took }),
        Err(_) => Err(crashed("it broke down")),
    }
}

fn crashed(detail: &str) -> Failed {
    Failed { why: BotFailure::Crashed, detail: detail.into() }
}

fn illegal(detail: String) -> Failed {
    Failed { why: BotFailure::Illegal, detail }
}

fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn whole_microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Mutex, MutexGuard};
    use std::thread;

    use serde_json::{Map, Value, json};

    use super::*;
    use crate::search::Control;
    use crate::table::record::Record;

    fn settings(game: &str, options: Value) -> Settings {
        let options: Map<String, Value> = options.as_object().expect("options").clone();
        let random: super::super::Contestant = "random".parse().expect("a level");
        Settings { game: game.into(), options, a: random.clone(), b: random, seed: 1, opening: 4 }
    }

    fn really(game: &dyn Session, question: &SearchRequest) -> Choice {
        game.choose(question, &mut Control { stop: &AtomicBool::new(false), report: &mut |_| {} })
    }

    fn opening_of(table: &Table, plies: usize) -> Vec<String> {
        table.game().played()[..plies].to_vec()
    }

    #[test]
    fn a_pair_shares_its_opening_and_nothing_else() {
        let settings = settings("syrtis", json!({"layout": "minor"}));
        let games: Vec<_> = (1..=3)
            .map(|number| {
                play(&Catalog::standard(), &settings, number, &Bots::default(), &really).expect("a game")
            })
            .collect();
        let tiles = |index: usize| games[index].0.opening().start.rows.clone();
        assert_eq!(tiles(0), tiles(1));
        assert_ne!(tiles(0), tiles(2));
        let plies = balanced(&Catalog::standard(), &settings, 1).expect("an opening").game.ply();
        assert_eq!(opening_of(&games[0].0, plies), opening_of(&games[1].0, plies));
        assert_ne!(games[0].0.game().played(), games[1].0.game().played());
        assert_eq!((games[0].1.seat_of_a, games[1].1.seat_of_a), (Seat::One, Seat::Two));
    }

    #[test]
    fn a_game_that_goes_on_for_too_long_is_a_draw() {
        let settings = settings("zurero", json!({}));
        let (table, result) =
            play_at_most(&Catalog::standard(), 7, &settings, 1, &Bots::default(), &really).expect("a game");
        assert_eq!(result.outcome, Outcome { winner: None, reason: TOO_LONG.into() });
        assert_eq!((result.turns, table.game().turn(), result.half_points()), (7, 7, 1));
        assert!(table.outcome().is_none());
    }

    #[test]
    fn a_clock_runs_down_and_whoever_has_none_left_loses() {
        let mut settings = settings("zurero", json!({"size": 9}));
        settings.a = "random@clock=1000000+50000".parse().expect("a level");
        let clocks = Mutex::new(Vec::new());
        let watch = |game: &dyn Session, question: &SearchRequest| {
            lock(&clocks).extend(question.limits.clock);
            thread::sleep(Duration::from_millis(5));
            really(game, question)
        };
        let (_, result) =
            play_at_most(&Catalog::standard(), 10, &settings, 1, &Bots::default(), &watch).expect("a game");
        assert_eq!(result.failed(), None);
        let left: Vec<u64> = lock(&clocks).iter().map(|clock| clock.left_ms).collect();
        assert_eq!((left.len(), left[0]), (3, 1_000_000), "only a has a clock: {left:?}");
        for (turns, &left) in (0..).zip(&left).skip(1) {
            assert!(left <= 1_000_000 + turns * (50_000 - 5), "{left}");
        }

        settings.a = "random@clock=3".parse().expect("a level");
        let (table, result) =
            play(&Catalog::standard(), &settings, 1, &Bots::default(), &watch).expect("a game");
        assert_eq!((result.outcome.reason.as_str(), result.failed()), (OUT_OF_TIME, Some(Side::A)));
        assert_eq!(table.outcome(), None);
    }

    fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().expect("nobody panics")
    }

    #[test]
    fn a_player_that_breaks_down_loses_and_the_game_is_still_a_record() {
        let settings = settings("zurero", json!({"size": 9}));
        let asked = AtomicU32::new(0);
        let illegal = |game: &dyn Session, question: &SearchRequest| {
            let mut choice = really(game, question);
            if asked.fetch_add(1, Ordering::Relaxed) == 1 {
                choice.actions = vec!["nowhere".into()];
            }
            choice
        };
        // After four turns seat 1 is asked first and seat 2 second; a has seat 1 in the first game.
        let (table, result) =
            play(&Catalog::standard(), &settings, 1, &Bots::default(), &illegal).expect("a game");
        assert_eq!((result.winner(), result.failed()), (Some(Side::A), Some(Side::B)));
        assert_eq!(result.outcome.reason, BotFailure::Illegal.word());
        let text = Record::of(&table).to_text();
        assert!(crate::table::record::load_text(&Catalog::standard(), String::new(), &text).is_ok());

        let empty = |game: &dyn Session, question: &SearchRequest| Choice {
            actions: Vec::new(),
            ..really(game, question)
        };
        let (_, result) = play(&Catalog::standard(), &settings, 2, &Bots::default(), &empty).expect("a game");
        assert_eq!((result.winner(), result.failed()), (Some(Side::A), Some(Side::B)));

        let crash = |_: &dyn Session, _: &SearchRequest| panic!("a player that breaks down on purpose");
        let (_, result) = play(&Catalog::standard(), &settings, 1, &Bots::default(), &crash).expect("a game");
        assert_eq!(
            (result.failed(), result.outcome.reason.as_str()),
            (Some(Side::A), BotFailure::Crashed.word())
        );
    }
}
