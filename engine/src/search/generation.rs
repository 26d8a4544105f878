//! What makes up at the root for a space that does not list all moves.
//!
//! Where only the moves that look best are listed, a search may overlook a win, let the enemy win,
//! take itself for lost, or take for won what a move saves that was not listed. All of that would
//! be seen by whoever plays against it, so it is checked for the moves of the root.

use super::space::SearchSpace;

/// How complete the moves of a space are. [`Exhaustive`], unless a space has one of its own.
pub trait MoveGeneration<S: SearchSpace> {
    /// Whether [`SearchSpace::moves`] are all the moves there are. If not, a position is not lost
    /// because all of them lose.
    const EXHAUSTIVE: bool = false;

    /// A move that wins this turn, where the moves listed might leave it out. This and the next two
    /// ask `go_on` for every position, and give up when it says no.
    fn overlooked_win(space: &S, go_on: &mut dyn FnMut() -> bool) -> Option<S::Move>;

    /// Whether the enemy can win in its next turn once this move is played, where a search might
    /// overlook it.
    fn lets_the_enemy_win(space: &S, played: S::Move, go_on: &mut dyn FnMut() -> bool) -> bool;

    /// A move after which the enemy cannot win in its next turn, where the moves listed might leave
    /// it out.
    fn overlooked_rescue(space: &S, go_on: &mut dyn FnMut() -> bool) -> Option<S::Move>;

    /// Whether a move wins for certain, where the moves listed might leave out what saves the
    /// enemy. Asks `go_on` like [`SearchSpace::forced_win`].
    fn is_forced(space: &S, played: S::Move, go_on: &mut dyn FnMut() -> bool) -> Forced<S::Move>;
}

/// What comes of a move that looks like a win.
#[derive(Clone, Copy, Debug)]
pub enum Forced<M> {
    Won,
    /// The enemy has this reply.
    SavedBy(M),
    Unknown,
}

/// Every move is listed, so that there is nothing to make up for.
#[derive(Clone, Copy, Debug)]
pub struct Exhaustive;

impl<S: SearchSpace> MoveGeneration<S> for Exhaustive {
    const EXHAUSTIVE: bool = true;

    fn overlooked_win(_: &S, _: &mut dyn FnMut() -> bool) -> Option<S::Move> {
        None
    }

    fn lets_the_enemy_win(_: &S, _: S::Move, _: &mut dyn FnMut() -> bool) -> bool {
        false
    }

    fn overlooked_rescue(_: &S, _: &mut dyn FnMut() -> bool) -> Option<S::Move> {
        None
    }

    fn is_forced(_: &S, _: S::Move, _: &mut dyn FnMut() -> bool) -> Forced<S::Move> {
        Forced::Unknown
    }
}
