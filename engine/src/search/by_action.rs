//! The space of a game that is searched action by action.

use std::sync::Arc;

use tabuleiro_protocol::Seat;

use super::evaluate::Evaluate;
use super::generation::Exhaustive;
use super::net::Sums;
use super::space::{Breadth, SearchSpace};
use super::tuning::Tuning;
use crate::game::Outcome;

/// What may be known of a game that makes its search faster or deeper. All of it can be left out.
pub trait Hints: Evaluate<Space = ByAction<Self>> {
    /// See [`SearchSpace::TUNING`].
    const TUNING: Tuning = Tuning::CAUTIOUS;

    /// See [`SearchSpace::move_score`].
    #[inline]
    fn move_score(&self, _action: Self::Action) -> i32 {
        0
    }

    /// See [`SearchSpace::move_scores`].
    #[inline]
    fn move_scores(&self, actions: &[Self::Action], scores: &mut Vec<i32>) {
        scores.extend(actions.iter().map(|&action| self.move_score(action)));
    }

    /// See [`SearchSpace::wins_at_once`].
    #[inline]
    fn wins_at_once(&self) -> bool {
        false
    }

    /// See [`SearchSpace::quiescence_moves`].
    #[inline]
    fn quiescence_actions(&self, _actions: &mut Vec<Self::Action>) {}

    /// See [`SearchSpace::is_quiet`].
    #[inline]
    fn is_quiet(&self) -> bool {
        let mut actions = Vec::new();
        self.quiescence_actions(&mut actions);
        actions.is_empty()
    }

    /// See [`SearchSpace::is_in_play`].
    #[inline]
    fn is_in_play(&self) -> bool {
        true
    }

    /// See [`SearchSpace::forced_replies`].
    #[inline]
    fn forced_replies(&self, _actions: &mut Vec<Self::Action>) {}

    /// See [`SearchSpace::forced_win`].
    #[inline]
    fn forced_win(&self, _go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Self::Action>> {
        None
    }
}

/// A game as a space in which every action is a move, and all of them are listed.
#[derive(Clone, Debug)]
pub struct ByAction<G: Evaluate> {
    game: G,
    weights: Arc<G::Weights>,
}

impl<G: Hints> SearchSpace for ByAction<G> {
    type Game = G;
    type Move = G::Action;
    type Undo = G::Undo;
    type Generation = Exhaustive;

    const TUNING: Tuning = G::TUNING;

    fn new(game: G, weights: Arc<G::Weights>, _breadth: Breadth) -> ByAction<G> {
        ByAction { game, weights }
    }

    fn actions(action: G::Action) -> Vec<G::Action> {
        vec![action]
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.game.to_move()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    #[inline]
    fn moves(&self, actions: &mut Vec<G::Action>) {
        self.game.actions(actions);
    }

    #[inline]
    fn play(&mut self, action: G::Action) -> G::Undo {
        self.game.play(action)
    }

    #[inline]
    fn undo(&mut self, action: G::Action, undo: G::Undo) {
        self.game.undo(action, undo);
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.game.hash()
    }

    #[inline]
    fn evaluate(&self, seat: Seat) -> i32 {
        self.game.evaluate(seat, &self.weights)
    }

    #[inline]
    fn evaluate_next(&self, seat: Seat, sums: &mut Sums) -> i32 {
        self.game.evaluate_next(seat, &self.weights, sums)
    }

    #[inline]
    fn scale(&self) -> i32 {
        G::scale(&self.weights)
    }

    #[inline]
    fn move_score(&self, action: G::Action) -> i32 {
        self.game.move_score(action)
    }

    #[inline]
    fn move_scores(&self, actions: &[G::Action], scores: &mut Vec<i32>) {
        self.game.move_scores(actions, scores);
    }

    #[inline]
    fn wins_at_once(&self) -> bool {
        self.game.wins_at_once()
    }

    #[inline]
    fn quiescence_moves(&self, actions: &mut Vec<G::Action>) {
        self.game.quiescence_actions(actions);
    }

    #[inline]
    fn is_quiet(&self) -> bool {
        self.game.is_quiet()
    }

    #[inline]
    fn is_in_play(&self) -> bool {
        self.game.is_in_play()
    }

    #[inline]
    fn forced_replies(&self, actions: &mut Vec<G::Action>) {
        self.game.forced_replies(actions);
    }

    #[inline]
    fn forced_win(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<G::Action>> {
        self.game.forced_win(go_on)
    }
}
