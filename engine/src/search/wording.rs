//! Turns, values and lines in the words of the protocol.

use std::time::Duration;

use tabuleiro_protocol::{Choice, Score, Variation};

use super::answer::{BestSoFar, RankedTurn, SearchAnswer};
use crate::game::Describe;

/// Writes what was found from a position.
pub(super) struct Wording<'a, G> {
    pub(super) game: &'a G,
    /// See [`Evaluate::scale`](super::Evaluate::scale).
    pub(super) scale: i32,
}

impl<G: Describe> Wording<'_, G> {
    /// The score and the principal variation.
    pub(super) fn best_so_far(&self, best: &BestSoFar<'_, G::Action>) -> (Score, Vec<String>) {
        (best.value.score(self.scale), self.texts(best.pv))
    }

    /// An answer with its lines, of which there are none if only the best turn was asked for.
    pub(super) fn choice(&self, answer: &SearchAnswer<G::Action>, multi_pv: usize, took: Duration) -> Choice {
        let mut lines: Vec<Variation> = answer.turns.iter().map(|turn| self.variation(turn)).collect();
        let Variation { actions, score, pv } = lines[0].clone();
        if multi_pv < 2 {
            lines.clear();
        }
        let SearchAnswer { depth, nodes, stopped, .. } = *answer;
        Choice { actions, score, pv, depth, nodes, time_ms: took.as_millis() as u64, stopped, lines }
    }

    fn variation(&self, turn: &RankedTurn<G::Action>) -> Variation {
        let pv = self.texts(&turn.pv);
        Variation { actions: pv[..turn.moves.len()].to_vec(), pv, score: turn.value.score(self.scale) }
    }

    /// Actions that are played one after the other.
    fn texts(&self, actions: &[G::Action]) -> Vec<String> {
        let mut game = self.game.clone();
        let write = |&action: &G::Action| {
            let text = game.write(action);
            game.play(action);
            text
        };
        actions.iter().map(write).collect()
    }
}
