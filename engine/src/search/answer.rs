//! What a player finds, in the moves of whatever it searched.

use tabuleiro_protocol::Stopped;

use super::value::Value;

/// What a player found: the best turns, best first, and at least one.
pub(super) struct SearchAnswer<M> {
    pub(super) turns: Vec<RankedTurn<M>>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) stopped: Stopped,
}

/// A whole turn and what it is worth to the one who makes it.
pub(super) struct RankedTurn<M> {
    pub(super) moves: Vec<M>,
    /// The principal variation, beginning with the turn.
    pub(super) pv: Vec<M>,
    pub(super) value: Value,
}

impl<M: Clone> RankedTurn<M> {
    /// A turn of which nobody knows what follows.
    pub(super) fn alone(moves: Vec<M>, value: Value) -> RankedTurn<M> {
        RankedTurn { pv: moves.clone(), moves, value }
    }

    /// The same in the actions that the moves stand for.
    pub(super) fn in_actions<A>(&self, actions: impl Fn(&[M]) -> Vec<A>) -> RankedTurn<A> {
        RankedTurn { moves: actions(&self.moves), pv: actions(&self.pv), value: self.value }
    }
}

impl<M: Copy> SearchAnswer<M> {
    /// The same in the actions that the moves stand for.
    pub(super) fn in_actions<A>(self, actions: impl Fn(&[M]) -> Vec<A>) -> SearchAnswer<A> {
        let turns = self.turns.iter().map(|turn| turn.in_actions(&actions)).collect();
        SearchAnswer { turns, depth: self.depth, nodes: self.nodes, stopped: self.stopped }
    }
}

/// The best turn that a search has found so far.
pub(super) struct BestSoFar<'a, M> {
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) value: Value,
    /// The principal variation.
    pub(super) pv: &'a [M],
    /// Whether everything was searched so deep, and not only some first moves deeper.
    pub(super) finished: bool,
    /// The best turns, if several are wanted.
    pub(super) lines: Vec<RankedTurn<M>>,
}
