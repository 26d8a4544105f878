//! Random games.

use std::sync::atomic::{AtomicBool, Ordering};

use tabuleiro_protocol::Seat;
use tabuleiro_protocol::method::Playouts;

use crate::game::{Game, Outcome};
use crate::random::Random;

/// Plays uniformly random actions to the end of the game. Gives the outcome and the number of
/// actions, or `None` for the outcome if `most` actions did not end it.
pub fn playout<G: Game>(
    game: &mut G,
    random: &mut Random,
    most: usize,
    scratch: &mut Vec<G::Action>,
) -> (Option<Outcome>, usize) {
    for played in 0..most {
        match game.random_action(random, scratch) {
            Some(action) => drop(game.play(action)),
            None => return (game.outcome(), played),
        }
    }
    (game.outcome(), most)
}

/// A game that takes more actions than this is called a draw: where nothing limits its length it
/// may go on for ever.
const LONGEST: usize = 100_000;

/// So many actions go by between looks at the flag.
const LOOK_EVERY: usize = 1_000;

/// Plays random games from a position and counts how they went for a seat. `None` if it was
/// stopped.
pub fn playouts<G: Game>(
    start: &G,
    seat: Seat,
    count: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Playouts> {
    let mut random = Random::new(seed);
    let mut scratch = Vec::new();
    let mut game = start.clone();
    let mut tally = Playouts::default();
    let mut actions = 0;
    for _ in 0..count {
        game.clone_from(start);
        let mut length = 0;
        let outcome = loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let (outcome, more) = playout(&mut game, &mut random, LOOK_EVERY, &mut scratch);
            length += more;
            if outcome.is_some() || length >= LONGEST {
                break outcome;
            }
        };
        match outcome.and_then(|outcome| outcome.winner) {
            None => tally.draws += 1,
            Some(winner) if winner == seat => tally.wins += 1,
            Some(_) => tally.losses += 1,
        }
        actions += length as u64;
    }
    tally.mean_length = actions as f64 / count.max(1) as f64;
    Some(tally)
}
