//! What a game is worth: the one trait a game needs, beside its rules, to be played by computers.

use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tabuleiro_protocol::Seat;

use super::net::{FeatureSet, Inputs, Net, ShippedNet, Sums};
use super::space::SearchSpace;
use crate::game::Game;

/// The static evaluation of a game, and the space that it is searched in.
///
/// A game that is searched action by action, as most are, needs no more than this:
///
/// ```
/// # use std::sync::Arc;
/// # use serde::{Deserialize, Serialize};
/// # use tabuleiro_engine::game::{Game, GameOptions, Outcome, SetupError};
/// # use tabuleiro_protocol::{Seat, Start};
/// use tabuleiro_engine::search::{ByAction, Evaluate, Hints};
/// # #[derive(Clone, Debug, PartialEq)]
/// # struct Nim(u8, Seat);
/// # impl Game for Nim {
/// #     type Action = u8;
/// #     type Undo = ();
/// #     fn start(_: &GameOptions, _: u64) -> Nim { Nim(9, Seat::One) }
/// #     fn set_up(_: &GameOptions, _: &Start) -> Result<Nim, SetupError> { Ok(Nim(9, Seat::One)) }
/// #     fn to_move(&self) -> Seat { self.1 }
/// #     fn outcome(&self) -> Option<Outcome> { (self.0 == 0).then(|| Outcome::won(!self.1, "last")) }
/// #     fn actions(&self, actions: &mut Vec<u8>) { actions.extend(1..=self.0.min(3)) }
/// #     fn play(&mut self, taken: u8) { *self = Nim(self.0 - taken, !self.1) }
/// #     fn undo(&mut self, taken: u8, (): ()) { *self = Nim(self.0 + taken, !self.1) }
/// #     fn hash(&self) -> u64 { u64::from(self.0) << 1 | self.1.index() as u64 }
/// #     fn hash_from_scratch(&self) -> u64 { self.hash() }
/// # }
///
/// #[derive(Clone, Debug, Serialize, Deserialize)]
/// struct Weights {
///     odd: i32,
///     scale: i32,
/// }
///
/// impl Evaluate for Nim {
///     type Weights = Weights;
///     type Space = ByAction<Nim>;
///
///     fn shipped_weights(&self) -> Arc<Weights> {
///         Arc::new(Weights { odd: 10, scale: 100 })
///     }
///
///     fn scale(weights: &Weights) -> i32 {
///         weights.scale
///     }
///
///     fn evaluate(&self, seat: Seat, weights: &Weights) -> i32 {
///         let value = weights.odd * i32::from(self.0 % 2);
///         if seat == self.to_move() { value } else { -value }
///     }
/// }
///
/// // Nothing that would make the search faster or deeper is known of this game.
/// impl Hints for Nim {}
/// ```
pub trait Evaluate: Game {
    /// For proofs: whether no turn but [`Evaluate::likely_turns`] can leave the enemy little choice.
    const LIKELY_TURNS_FORCE: bool = false;

    /// What each thing counts that the evaluation looks at: named whole numbers, and the
    /// [`scale`](Evaluate::scale) under the name `scale`, so that they can be fitted.
    type Weights: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The space that a search walks: [`ByAction`](super::ByAction) unless turns are too many to go
    /// through them action by action.
    type Space: SearchSpace<Game = Self>;

    /// The weights that the game comes with, for the options that it is played with.
    ///
    /// Only whoever begins a search asks for them. From there on the search carries its weights
    /// along, so that others can be tried.
    fn shipped_weights(&self) -> Arc<Self::Weights>;

    /// The evaluation at which a seat wins about three games in four.
    fn scale(weights: &Self::Weights) -> i32;

    /// The static evaluation: how good the position is for a seat. 0 is even, and what is good for
    /// one is as bad for the other. The game must not be over.
    fn evaluate(&self, seat: Seat, weights: &Self::Weights) -> i32;

    /// The same as [`Evaluate::evaluate`], sooner where a net can go on from the position that was
    /// evaluated last with these weights and these sums.
    #[inline]
    fn evaluate_next(&self, seat: Seat, weights: &Self::Weights, _sums: &mut Sums) -> i32 {
        self.evaluate(seat, weights)
    }

    /// What a net sees of positions with the options that the game is played with, if one can be
    /// taught.
    fn inputs(&self) -> Option<Inputs> {
        None
    }

    /// Lists the features of the position for a net, as the seat to move sees it. None where the
    /// hand-made evaluation stands alone.
    fn features(&self, _features: &mut FeatureSet) {}

    /// The weights of a hand-made evaluation, and a net that corrects it.
    fn with_net(_weights: &Self::Weights, _net: Arc<Net>) -> Option<Self::Weights> {
        None
    }

    /// How many nodes a turn make the levels what they are called, with the options that the game
    /// is played with.
    fn nodes_of_levels(&self) -> NodesOfLevels {
        NodesOfLevels::USUAL
    }

    /// For proofs: whether the seat to move, which begins a turn, can win in it. `None` if that can
    /// only be found out by trying every turn, or if `go_on`, which is asked for every position that
    /// has to be looked at, says no. Otherwise it must be certain, whatever the answer. `answers` are
    /// for the game's own use: turns that won in positions like this one.
    fn wins_this_turn(
        &self,
        _answers: &mut Vec<Vec<Self::Action>>,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        None
    }

    /// For proofs: whole turns of the seat to move that are worth trying before all others.
    fn likely_turns(&self, _go_on: &mut dyn FnMut() -> bool) -> Vec<Vec<Self::Action>> {
        Vec::new()
    }

    /// For proofs: whether no position can come again, so that what was found out about one holds
    /// however it came about.
    fn never_repeats(&self) -> bool {
        false
    }

    /// Of a hundred moves of the enemy, how many `gentle` overlooks.
    fn overlooked(&self) -> u32 {
        15
    }
}

/// How many nodes a turn the levels have that are bounded by nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodesOfLevels {
    pub gentle: u64,
    pub novice: u64,
    pub club: u64,
    pub expert: u64,
}

impl NodesOfLevels {
    pub const USUAL: NodesOfLevels =
        NodesOfLevels { gentle: 2_000, novice: 3_000, club: 20_000, expert: 150_000 };
}

/// Weights in a JSON file that a game is built with, read when they are first asked for.
#[derive(Debug)]
pub struct ShippedWeights<W> {
    json: &'static str,
    net: Option<(ShippedNet, WithNet<W>)>,
    read: OnceLock<Arc<W>>,
}

type WithNet<W> = fn(&W, Arc<Net>) -> Option<W>;

impl<W: DeserializeOwned> ShippedWeights<W> {
    pub const fn new(json: &'static str) -> ShippedWeights<W> {
        ShippedWeights { json, net: None, read: OnceLock::new() }
    }

    /// Weights and a net; `with_net` is that of [`Evaluate`].
    pub const fn with_net(json: &'static str, net: ShippedNet, with_net: WithNet<W>) -> ShippedWeights<W> {
        ShippedWeights { json, net: Some((net, with_net)), read: OnceLock::new() }
    }

    pub fn get(&self) -> Arc<W> {
        #[cfg(test)]
        lookups::count();
        let read = || {
            let weights = serde_json::from_str(self.json).expect("the weights that a game is built with");
            let learned = |(net, with_net): &(ShippedNet, WithNet<W>)| with_net(&weights, net.read());
            self.net.as_ref().and_then(learned).unwrap_or(weights)
        };
        Arc::clone(self.read.get_or_init(|| Arc::new(read())))
    }
}

/// Counts how often shipped weights are asked for, so that a test can tell that a search which was
/// given others never does.
#[cfg(test)]
pub(super) mod lookups {
    use std::cell::Cell;

    thread_local! {
        static LOOKUPS: Cell<u32> = const { Cell::new(0) };
    }

    pub(super) fn count() {
        LOOKUPS.set(LOOKUPS.get() + 1);
    }

    /// By this thread so far.
    pub(in crate::search) fn so_far() -> u32 {
        LOOKUPS.get()
    }
}
