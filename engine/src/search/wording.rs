//! Turns, values and lines in the words of the protocol.

use std::time::Duration;

use tabuleiro_protocol::{Choice, Info, Variation};

use super::answer::{BestSoFar, RankedTurn, SearchAnswer};
use crate::game::Describe;

/// Writes what was found from a position.
pub(super) struct Wording<'a, G> {
    pub(super) game: &'a G,
    /// See [`Evaluate::scale`](super::Evaluate::scale).
    pub(super) scale: i32,
}

impl<G: Describe> Wording<'_, G> {
    /// What has been found so far, but for what it took.
    pub(super) fn info(&self, best: &BestSoFar<'_, G::Action>) -> Info {
        let lines = best.lines.iter().map(|turn| self.variation(turn)).collect();
        let (score, pv) = (best.value.score(self.scale), self.texts(best.pv));
        Info { depth: best.depth, nodes: 0, time_ms: 0, score, pv, lines }
    }

    /// An answer with its lines, of which there are none if only the best turn was asked for.
    pub(super) fn choice(&self, answer: &SearchAnswer<G::Action>, multi_pv: usize, took: Duration) -> Choice {
        let mut lines: Vec<Variation> = answer.turns.iter().map(|turn| self.variation(turn)).collect();
        let Variation { actions, score, pv, .. } = lines[0].clone();
        if multi_pv < 2 {
            lines.clear();
        }
        let SearchAnswer { depth, nodes, stopped, .. } = *answer;
        Choice { actions, score, pv, depth, nodes, time_ms: took.as_millis() as u64, stopped, lines }
    }

    fn variation(&self, turn: &RankedTurn<G::Action>) -> Variation {
        let pv = self.texts(&turn.pv);
        let actions = pv[..turn.moves.len()].to_vec();
        Variation { actions, pv, score: turn.value.score(self.scale), turns: self.turns(&turn.pv) }
    }

    /// How many actions each whole turn has.
    fn turns(&self, actions: &[G::Action]) -> Vec<usize> {
        let mut game = self.game.clone();
        let (mut turns, mut begun) = (Vec::new(), 0);
        for &action in actions {
            let seat = game.to_move();
            game.play(action);
            begun += 1;
            if game.turn_is_over(seat) {
                turns.push(std::mem::take(&mut begun));
            }
        }
        turns
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
