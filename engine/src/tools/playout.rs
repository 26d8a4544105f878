//! Random games.

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
