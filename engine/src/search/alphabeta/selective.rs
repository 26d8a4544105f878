//! The root of a space that does not list all moves: what is checked there because a search may
//! overlook it. See [`crate::search::generation`].

use super::root::{RootMove, RootSearch};
use super::search::{FORCED_WIN, MAX_STATIC_EVALUATION, NodeSearch, PROVED, WON};
use crate::search::answer::BestSoFar;
use crate::search::generation::{Forced, MoveGeneration};
use crate::search::space::SearchSpace;

impl<S: SearchSpace> RootSearch<'_, S> {
    /// A move that wins at once, whether or not it is listed.
    pub(super) fn overlooked_win(&mut self) -> Option<S::Move> {
        let NodeSearch { space, budget, .. } = &mut self.nodes;
        S::Generation::overlooked_win(space, &mut || budget.has_time())
    }

    /// The value of a first move, or the worst estimate there is if the enemy then wins at once in
    /// a way that a search may overlook. Asked only of what would come in front. `None` if there is
    /// no time to find out.
    pub(super) fn unless_refuted(&mut self, index: usize, value: i32, to_beat: i32) -> Option<i32> {
        if S::Generation::EXHAUSTIVE || value <= to_beat.max(-MAX_STATIC_EVALUATION) || value > PROVED {
            return Some(value);
        }
        Some(if self.is_refuted(index)? { -MAX_STATIC_EVALUATION } else { value })
    }

    /// The value of a first move; if it wins against every reply that is listed, what comes of the
    /// others.
    pub(super) fn made_certain(&mut self, index: usize, value: i32, depth: i32) -> Option<i32> {
        if S::Generation::EXHAUSTIVE || value != MAX_STATIC_EVALUATION {
            return Some(value);
        }
        let RootMove { played, saved_by, .. } = self.roots[index];
        let reply = match saved_by {
            Some(reply) => reply,
            None => match self.is_forced(played) {
                Forced::Won => return Some(FORCED_WIN),
                Forced::SavedBy(reply) => reply,
                // Let others that look as good have their turn.
                Forced::Unknown => return Some(MAX_STATIC_EVALUATION - 1),
            },
        };
        self.roots[index].saved_by = Some(reply);
        self.nodes.try_move_and_reply(played, reply, depth)
    }

    /// Whether a move wins for certain, looked into with as much effort as for forced wins.
    fn is_forced(&mut self, played: S::Move) -> Forced<S::Move> {
        let mut left = self.effort();
        let NodeSearch { space, budget, .. } = &mut self.nodes;
        S::Generation::is_forced(space, played, &mut || {
            left = left.saturating_sub(1);
            left > 0 && budget.spend()
        })
    }

    /// Whether the enemy wins at once after a first move. `None` if there is no time to find out.
    fn is_refuted(&mut self, index: usize) -> Option<bool> {
        let RootMove { played, refuted, .. } = self.roots[index];
        let refuted = match refuted {
            Some(refuted) => refuted,
            None => {
                let NodeSearch { space, budget, .. } = &mut self.nodes;
                let lets = S::Generation::lets_the_enemy_win(space, played, &mut || budget.has_time());
                budget.has_time().then_some(lets)?
            }
        };
        self.roots[index].refuted = Some(refuted);
        Some(refuted)
    }

    /// If everything that was searched loses at once, looks for something that does not. `false` if
    /// the budget was spent before that was searched.
    pub(super) fn search_rescue(
        &mut self,
        depth: i32,
        report: &mut dyn FnMut(BestSoFar<'_, S::Move>),
    ) -> bool {
        let is_lost =
            |best: &RootMove<_>| best.value <= -MAX_STATIC_EVALUATION && best.refuted != Some(false);
        if S::Generation::EXHAUSTIVE || self.looked_for_rescue || !self.roots.first().is_some_and(is_lost) {
            return true;
        }
        self.looked_for_rescue = true;
        let Some(played) = self.rescue() else { return true };
        self.put_in_front(RootMove {
            value: 1 - MAX_STATIC_EVALUATION,
            refuted: Some(false),
            ..RootMove::new(played)
        });
        self.search_roots(depth, report)
    }

    /// A move after which the enemy does not win at once: one that is listed, or else any.
    fn rescue(&mut self) -> Option<S::Move> {
        for index in 0..self.roots.len() {
            if !self.is_refuted(index)? {
                return Some(self.roots[index].played);
            }
        }
        let NodeSearch { space, budget, .. } = &mut self.nodes;
        S::Generation::overlooked_rescue(space, &mut || budget.has_time())
    }
}

impl<S: SearchSpace> NodeSearch<'_, S> {
    /// What a first move is worth to the seat that plays it if the enemy gives this reply. `None`
    /// if the search has to end.
    fn try_move_and_reply(&mut self, played: S::Move, reply: S::Move, depth: i32) -> Option<i32> {
        let undo = self.space.play(played);
        let value = self.try_move(reply, depth - 2, (-WON, WON), 1);
        self.space.undo(played, undo);
        if value.is_some() {
            self.extend_pv(reply, 1);
        }
        value.map(|value| -value)
    }
}
