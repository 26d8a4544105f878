//! What developers of games and players measure with: speed, fitting weights,
//! teaching nets.

pub mod bench;
pub mod train;
pub mod tune;

use std::thread;

use crate::game::GameOptions;
use crate::random::Random;
use crate::search::Evaluate;
use crate::threads;

/// A position of a game that is under way.
fn position_in_play<G: Evaluate>(options: &GameOptions) -> G {
    tune::opening(options, 0, &mut Random::new(0))
}

/// Weights without the net that may come with them.
fn hand_made<G: Evaluate>(weights: &G::Weights) -> G::Weights {
    let numbers = serde_json::to_value(weights).and_then(serde_json::from_value);
    numbers.expect("weights are named whole numbers")
}

/// Lets threads do the same work until there is nothing left of it. With fewer threads than wanted it
/// takes longer.
fn work_together(most_threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for helper in 1..most_threads {
            if let Err(error) = threads::spawn_scoped(scope, &work) {
                tracing::warn!("only {helper} threads work: {error}");
                break;
            }
        }
        work();
    });
}
