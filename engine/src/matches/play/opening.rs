//! Random openings that leave a game open.

use tabuleiro_protocol::Choice;

use super::CannotPlay;
use crate::catalog::Catalog;
use crate::matches::Settings;
use crate::random::Random;
use crate::search::{Control, Level, SearchRequest};
use crate::session::{Position, Session};

/// How many openings of one length are tried before a lopsided one has to do.
const TRIES: usize = 50;

/// How far from even the chances of the seat to move may be.
const LOPSIDED: f64 = 0.25;

/// The opening of a pair of games: whole random turns, after which neither seat has as good as won.
///
/// What has as good as won is for `greedy` to say, which looks one turn ahead. Where no opening is
/// balanced the one nearest to it is taken, and where all of them are decided a shorter one.
pub(super) fn balanced(catalog: &Catalog, settings: &Settings, pair: u32) -> Result<Session, CannotPlay> {
    let mut random = Random::new(settings.seed_of_opening(pair));
    for turns in (1..=settings.opening).rev() {
        let mut nearest: Option<(f64, Session)> = None;
        for _ in 0..TRIES {
            let mut opening = at_the_start(catalog, settings, random.next_seed())?;
            play_random_turns(&mut opening, turns, &mut random)?;
            let Some(chance) = chance_of_seat_to_move(opening.position(), random.next_seed()) else {
                continue;
            };
            let off = (chance - 0.5).abs();
            if off <= LOPSIDED {
                return Ok(opening);
            }
            if nearest.as_ref().is_none_or(|(least, _)| off < *least) {
                nearest = Some((off, opening));
            }
        }
        if let Some((_, opening)) = nearest {
            return Ok(opening);
        }
    }
    at_the_start(catalog, settings, random.next_seed())
}

fn at_the_start(catalog: &Catalog, settings: &Settings, seed: u64) -> Result<Session, CannotPlay> {
    Ok(catalog.open(&settings.game, Some(&settings.options), seed, None)?)
}

fn play_random_turns(opening: &mut Session, turns: usize, random: &mut Random) -> Result<(), CannotPlay> {
    for _ in 0..turns {
        if opening.position().to_move().is_none() {
            break;
        }
        let turn = ask(opening.position(), Level::Random, random.next_seed()).actions;
        opening.play_all(&turn)?;
    }
    Ok(())
}

/// `None` if the game is over or about to be.
fn chance_of_seat_to_move(position: &dyn Position, seed: u64) -> Option<f64> {
    position.to_move()?;
    let score = ask(position, Level::Greedy, seed).score;
    score.proved.is_none().then_some(score.win)
}

fn ask(position: &dyn Position, level: Level, seed: u64) -> Choice {
    position.choose(&SearchRequest::new(level, seed), &mut Control::silent())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn settings(game: &str, options: Value, opening: usize) -> Settings {
        let options = options.as_object().expect("options").clone();
        let greedy: crate::players::ComputerPlayer = "greedy".parse().expect("a level");
        Settings {
            game: game.into(),
            options,
            a: greedy.clone(),
            b: greedy,
            seed: 5,
            opening,
            bot_margin_ms: None,
        }
    }

    #[test]
    fn openings_are_whole_turns_that_leave_the_game_open() {
        for game in Catalog::standard().games() {
            let settings = settings(game.id, json!({}), Settings::USUAL_OPENING);
            for pair in 1..=4 {
                let opening = balanced(&Catalog::standard(), &settings, pair).expect("an opening");
                assert_eq!(opening.turn(), 6, "{}", game.id);
                let last = opening.history().last_turn().map(|last| last.seat);
                assert!(opening.position().to_move() != last, "{}", game.id);
                let chance = chance_of_seat_to_move(opening.position(), 1).expect("an open game");
                assert!((0.25..=0.75).contains(&chance), "{}: {chance}", game.id);
            }
        }
    }

    #[test]
    fn a_pair_has_its_own_opening_and_always_the_same() {
        let settings = settings("syrtis", json!({"layout": "minor"}), 4);
        let position = |pair| {
            let opening = balanced(&Catalog::standard(), &settings, pair).expect("an opening");
            (opening.setup().start.rows.clone(), opening.history().played())
        };
        assert_eq!(position(1), position(1));
        assert_ne!(position(1), position(2));
    }

    #[test]
    fn an_opening_that_would_decide_the_game_is_made_shorter() {
        // Three in a row on a small board: somebody can always complete it after so many turns.
        let settings = settings("fabrik", json!({"size": 5, "goal": 3}), 40);
        let opening = balanced(&Catalog::standard(), &settings, 1).expect("an opening");
        assert!(opening.turn() < 40 && opening.position().to_move().is_some());
    }

    #[test]
    fn no_random_turns_are_the_start_of_the_game() {
        assert_eq!(
            balanced(&Catalog::standard(), &settings("fabrik", json!({}), 0), 1)
                .expect("an opening")
                .history()
                .ply(),
            0
        );
    }
}
