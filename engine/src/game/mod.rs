//! What a game is, to everything that plays it.
//!
//! A game is a plain value: no input or output, no clock, no hidden chance. Its rules are [`Game`],
//! the words and signs for them [`Describe`], and what computer players want to know of it
//! [`Evaluate`](crate::search::Evaluate). Nothing else has to be implemented; [`Encode`] gives it
//! numbers, for programs that learn.

mod book;
mod describe;
mod encode;
mod options;
mod outcome;
mod setup;

use std::fmt::Debug;
use std::hash::Hash;

use tabuleiro_protocol::{Seat, Start};

pub use self::book::{Book, BookHead, BookTurn, NoBook, ShippedBook};
pub(crate) use self::describe::capitalized;
pub use self::describe::{Charset, Describe, Drawing};
pub(crate) use self::encode::space;
pub use self::encode::{Encode, PlaneStack, ranges};
pub use self::options::{BadOption, GameOptions};
pub use self::outcome::Outcome;
pub use self::setup::{SetupError, required_to_move, tokens};
use crate::random::Random;

/// The rules of a game, as a position in it.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The smallest choice a player makes. A turn may take several.
    type Action: Copy + Eq + Hash + Debug + Send + Sync;
    /// What [`Game::undo`] needs to take an action back.
    type Undo: Clone + Debug + Send + Sync;

    /// What [`Game::set_up`] reads in [`Start::extra`]. Whatever else stands there is dropped, so that
    /// nobody can make an engine keep it.
    const START_MEMBERS: &'static [&'static str] = &[];

    /// The position at the start of a game. `seed` decides whatever is drawn by lot.
    fn start(options: &GameOptions, seed: u64) -> Self;

    /// A position given from outside, or why there is no such position.
    fn set_up(options: &GameOptions, start: &Start) -> Result<Self, SetupError>;

    /// The seat that acts next. Once the game is over it means nothing.
    fn to_move(&self) -> Seat;

    fn outcome(&self) -> Option<Outcome>;

    /// Adds every legal action, in an order that depends on nothing but the position. None once the
    /// game is over.
    fn actions(&self, actions: &mut Vec<Self::Action>);

    /// One of the legal actions, every one equally likely; `None` once the game is over.
    /// `scratch` is room to work in, so that nothing need be allocated.
    fn random_action(&self, random: &mut Random, scratch: &mut Vec<Self::Action>) -> Option<Self::Action> {
        scratch.clear();
        self.actions(scratch);
        random.pick(scratch)
    }

    /// Plays an action, which must be a legal one.
    fn play(&mut self, action: Self::Action) -> Self::Undo;

    /// Takes back the action that was played last.
    fn undo(&mut self, action: Self::Action, undo: Self::Undo);

    /// A number that is the same for positions with the same future (but for what depends on
    /// repetition). Kept up to date by `play` and `undo`.
    fn hash(&self) -> u64;

    /// [`Game::hash`], worked out anew from the position. For games that do so anyway there is
    /// nothing to write.
    fn hash_from_scratch(&self) -> u64 {
        self.hash()
    }

    /// Whether the turn of a seat, which was to move, has ended.
    #[inline]
    fn turn_is_over(&self, seat: Seat) -> bool {
        self.outcome().is_some() || self.to_move() != seat
    }
}
