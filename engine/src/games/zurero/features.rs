//! What a net sees of a position of Zurero: the stones, where three or more could become five, and
//! how many fives are on their way.

use tabuleiro_protocol::Cell;

use super::Zurero;
use super::evaluation::Survey;
use super::stones::{cell_on, direction_of, places};
use crate::search::{FeatureList, Inputs};

/// More than this of a kind count as so many.
const MOST: usize = 7;
/// Kinds of fives on their way, by side.
const KINDS: usize = 9;
/// Stones are counted by fours, up to so many fours.
const FOURS: usize = 32;
const STONES: usize = 2 * KINDS * (MOST + 1);

pub(super) const fn inputs(size: u8) -> Inputs {
    Inputs { name: "zurero-1", side: size as usize, boards: 2, directed: 2, others: STONES + FOURS }
}

impl Zurero {
    /// `surveys` are of the seat to move and of the other one.
    #[inline]
    pub(super) fn list_features(&self, surveys: &[Survey; 2], features: &mut impl FeatureList) {
        let inputs = inputs(self.size);
        let mut stones = 0;
        for (side, survey) in surveys.iter().enumerate() {
            let seat = if side == 0 { self.to_move } else { !self.to_move };
            for row in 0..self.size {
                for column in places(self.stones[seat.index()].row(row)) {
                    features.add(inputs.cell(side, column as usize, row.into()));
                    stones += 1;
                }
            }
            for &(line, windows) in survey.threes() {
                for first in places(windows) {
                    let Cell { column, row } = cell_on(line.into(), first + 2);
                    features.add(inputs.directed(side, direction_of(line.into()), column.into(), row.into()));
                }
            }
            let counts = survey.two.iter().chain(&survey.three).chain(&survey.four);
            for (kind, &count) in counts.enumerate() {
                let count = (count as usize).min(MOST);
                features.add(inputs.other((side * KINDS + kind) * (MOST + 1) + count));
            }
        }
        features.add(inputs.other(STONES + (stones / 4).min(FOURS - 1)));
    }
}
