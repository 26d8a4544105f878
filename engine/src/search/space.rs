//! The space that a search walks: positions, the moves between them, and what helps to search them.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use tabuleiro_protocol::Seat;

use super::evaluate::Evaluate;
use super::generation::MoveGeneration;
use super::net::Sums;
use super::overlooking::number_of;
use super::tuning::Tuning;
use crate::game::{Game, Outcome};

/// A position as a search sees it. A move is an action of the game ([`ByAction`](super::ByAction)),
/// or whatever stands for several, such as a whole turn.
///
/// Whatever is left at its default costs the search nothing.
pub trait SearchSpace: Clone + Send + Sync + 'static {
    type Game: Evaluate;
    type Move: Copy + Eq + Hash + Debug + Send + Sync;
    /// What [`SearchSpace::undo`] needs to take a move back.
    type Undo;

    /// [`Exhaustive`](super::Exhaustive) if [`SearchSpace::moves`] are all the moves there are, or
    /// else what makes up at the root for those that it leaves out.
    type Generation: MoveGeneration<Self>;

    /// How many nodes more than one it is worth to list the moves of a position.
    const GENERATION_COST: u64 = 0;

    /// How the search prunes and reduces.
    const TUNING: Tuning = Tuning::CAUTIOUS;

    /// The space around a position. All evaluations in it are by these weights. If it cannot list
    /// all moves, it lists as many as the breadth says.
    fn new(game: Self::Game, weights: Arc<WeightsOf<Self>>, breadth: Breadth) -> Self;

    /// The actions that a move stands for.
    fn actions(played: Self::Move) -> Vec<ActionOf<Self>>;

    /// The seat that moves next. Once the game is over it means nothing.
    fn to_move(&self) -> Seat;

    fn outcome(&self) -> Option<Outcome>;

    /// Adds the moves to be searched, in an order that depends on nothing but the position. None
    /// once the game is over, and at least one before.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays one of the moves.
    fn play(&mut self, played: Self::Move) -> Self::Undo;

    /// Takes back the move that was played last.
    fn undo(&mut self, played: Self::Move, undo: Self::Undo);

    /// A number that is the same for positions with the same future.
    fn hash(&self) -> u64;

    /// The static evaluation for a seat. The game must not be over.
    fn evaluate(&self, seat: Seat) -> i32;

    /// The same, sooner where it can go on from the position that was evaluated last with these
    /// sums.
    #[inline]
    fn evaluate_next(&self, seat: Seat, _sums: &mut Sums) -> i32 {
        self.evaluate(seat)
    }

    /// The evaluation at which a seat wins about three games in four.
    fn scale(&self) -> i32;

    /// The ordering score of a move before it is tried: the higher, the sooner it is.
    fn move_score(&self, _move: Self::Move) -> i32 {
        0
    }

    /// Adds the ordering scores of these moves, all that are to be searched here, one by one the same
    /// as [`SearchSpace::move_score`]. Worth its own way where what moves share is worked out once.
    #[inline]
    fn move_scores(&self, moves: &[Self::Move], scores: &mut Vec<i32>) {
        scores.extend(moves.iter().map(|&played| self.move_score(played)));
    }

    /// A number for what a move is about: whoever overlooks one move overlooks all that are about
    /// the same.
    fn subject(played: Self::Move) -> u64 {
        number_of(&played)
    }

    /// Whether the seat to move can certainly win in what is left of its turn. `false` may also
    /// mean that nobody looked.
    fn wins_at_once(&self) -> bool {
        false
    }

    /// Adds the moves that a search has to look at where it would like to end, because a static
    /// evaluation would be wrong there. Nothing if it will do.
    fn quiescence_moves(&self, _moves: &mut Vec<Self::Move>) {}

    /// Whether a static evaluation will do here, without any [`SearchSpace::quiescence_moves`].
    fn is_quiet(&self) -> bool {
        let mut moves = Vec::new();
        self.quiescence_moves(&mut moves);
        moves.is_empty()
    }

    /// Whether evaluations and ordering scores mean enough for moves to be left out: hardly while a
    /// game is set up.
    fn is_in_play(&self) -> bool {
        true
    }

    /// Adds the only moves that do not lose at once, where the enemy threatens to win and the seat
    /// to move cannot win at once itself; any one if all lose. Nothing if others will do as well, or
    /// if nobody looked.
    fn forced_replies(&self, _moves: &mut Vec<Self::Move>) {}

    /// Looks for a win that leaves the enemy no choice: turns that each threaten to win at once,
    /// until one does. Gives the turn that it begins with. Asks `go_on` for every position it looks
    /// at, and gives up when that says no. The seat to move must be at the start of its turn.
    fn forced_win(&self, _go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Self::Move>> {
        None
    }

    /// The move that is best for those who look no further than it leads, or the first one found
    /// that is worth `enough`; asks `go_on` for every position that it looks at. A search uses it
    /// for its last ply where a space offers it, because it may be found far sooner than all are
    /// listed.
    fn best_at_once(&self, _enough: i32, _go_on: &mut dyn FnMut() -> bool) -> Option<Self::Move> {
        None
    }

    /// Whether the turn of a seat, which was to move, has ended.
    #[inline]
    fn turn_is_over(&self, seat: Seat) -> bool {
        self.outcome().is_some() || self.to_move() != seat
    }
}

/// The actions of the game that a space is of.
pub type ActionOf<S> = <<S as SearchSpace>::Game as Game>::Action;

/// The weights of the game that a space is of.
pub type WeightsOf<S> = <<S as SearchSpace>::Game as Evaluate>::Weights;

/// How many moves a search lists where they are too many to list them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    Usual,
    /// More of them, for those who have the time.
    Wide,
}
