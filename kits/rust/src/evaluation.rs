//! What a position of Breakthrough is worth, for the levels of the computer.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabuleiro_engine::search::{ByAction, Evaluate, Hints, ShippedWeights};
use tabuleiro_protocol::Seat;

use super::{Breakthrough, Step};

/// What each thing counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    piece: i32,
    /// Times the square of the rows that a piece has gone.
    advance: i32,
    scale: i32,
}

static WEIGHTS: ShippedWeights<Weights> = ShippedWeights::new(include_str!("../weights.json"));

impl Evaluate for Breakthrough {
    type Weights = Weights;
    type Space = ByAction<Breakthrough>;

    fn shipped_weights(&self) -> Arc<Weights> {
        WEIGHTS.get()
    }

    fn scale(weights: &Weights) -> i32 {
        weights.scale
    }

    fn evaluate(&self, seat: Seat, weights: &Weights) -> i32 {
        let worth = |seat| -> i32 {
            let pieces = self.cells().filter(|&cell| self.has(seat, cell));
            let rows = pieces.map(|cell| i32::from(self.row_of(seat, cell)));
            rows.map(|row| weights.piece + weights.advance * row * row).sum()
        };
        worth(seat) - worth(!seat)
    }
}

impl Hints for Breakthrough {
    /// Captures first, and pieces far ahead before others.
    fn move_score(&self, Step { to, .. }: Step) -> i32 {
        let row = i32::from(self.row_of(self.to_move, to));
        if self.has(!self.to_move, to) { row + 8 } else { row }
    }
}
