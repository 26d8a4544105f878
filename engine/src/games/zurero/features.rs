//! What a net sees of a position of Zurero: how many fives are on their way, and how many slides do
//! two things at once.

use super::Zurero;
use super::evaluation::{Forks, Survey};
use crate::search::{FeatureList, Inputs};

/// A side has so many pairs of counts. What both of a pair are is one feature: there are half as
/// many to add up, and the net need not find out what goes together.
const PAIRS: usize = 7;
/// Every count is one of so many steps.
const STEPS: usize = 12;
/// Stones are counted by fours, up to so many fours.
const FOURS: usize = 32;
const STONES: usize = 2 * PAIRS * STEPS * STEPS;

pub(super) const INPUTS: Inputs =
    Inputs { name: "zurero-2", side: 0, row: 0, boards: 0, others: STONES + FOURS };

impl Zurero {
    /// `surveys` and `forks` are of the seat to move and of the other one.
    #[inline]
    pub(super) fn list_features(
        &self,
        surveys: &[Survey; 2],
        forks: &[Forks; 2],
        features: &mut impl FeatureList,
    ) {
        for (side, (survey, forks)) in surveys.iter().zip(forks).enumerate() {
            let Survey { two, three, four } = survey;
            let pairs: [(i32, i32); PAIRS] = [
                (two[0], two[1]),
                (two[2], two[3]),
                (three[0], three[1]),
                (three[2], forks.four.into()),
                (four[0], forks.fours.into()),
                (four[1], forks.four_and_three.into()),
                (forks.three.into(), forks.threes.into()),
            ];
            for (pair, (first, second)) in pairs.into_iter().enumerate() {
                let number = ((side * PAIRS + pair) * STEPS + step(first)) * STEPS + step(second);
                features.add(INPUTS.other(number));
            }
        }
        let stones = (0..self.size).map(|row| self.taken(true, row).count_ones()).sum::<u32>() as usize;
        features.add(INPUTS.other(STONES + (stones / 4).min(FOURS - 1)));
    }
}

/// Small counts make a difference each, larger ones two by two.
#[inline]
fn step(count: i32) -> usize {
    let count = count as usize;
    (if count <= 6 { count } else { 3 + count / 2 }).min(STEPS - 1)
}
