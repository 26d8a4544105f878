//! What a net sees of a position of Absorption at the start of a turn: piles by height, how many
//! there are, and what can be absorbed.

use super::attack::Prospects;
use super::{Phase, Situation};
use crate::search::{FeatureList, FeatureSet, Inputs};

/// By side: small, medium and large piles; those of them that can be absorbed; and where pieces can
/// get.
const BOARDS: usize = 2 * (3 + 3 + 1);
/// By side: pieces, piles, piles that can split or merge; what can be absorbed, of the highest pile
/// and in all.
const PIECES: usize = 37;
const PILES: usize = 19;
const ABLE: usize = 9;
const HIGHEST: usize = 4;
const ALL: usize = 16;
const OF_A_SIDE: usize = PIECES + PILES + ABLE + HIGHEST + ALL;

pub(super) const INPUTS: Inputs =
    Inputs { name: "absorption-3", side: 8, row: 8, boards: BOARDS, others: 2 * OF_A_SIDE };

impl Situation {
    /// `able` and `prospects` are of the seat to move and of the other one.
    #[inline]
    pub(super) fn list_features(&self, able: [i32; 2], prospects: [Prospects; 2], features: &mut FeatureSet) {
        if self.phase != Phase::Main {
            return;
        }
        for (side, piles) in [self.own(), self.enemy()].into_iter().enumerate() {
            let (first_board, enemies) = (7 * side, prospects[1 - side].prey);
            for (height, set) in [piles.small(), piles.medium(), piles.large()].into_iter().enumerate() {
                features.add_word(INPUTS.cell(first_board + height, 0, 0), set);
                features.add_word(INPUTS.cell(first_board + 3 + height, 0, 0), set & enemies);
            }
            features.add_word(INPUTS.cell(first_board + 6, 0, 0), prospects[side].reach);
            let mut first = side * OF_A_SIDE;
            let mut count = |count: usize, kinds: usize| {
                features.add(INPUTS.other(first + count.min(kinds - 1)));
                first += kinds;
            };
            count(piles.pieces() as usize, PIECES);
            count(piles.all().count_ones() as usize, PILES);
            count(able[side] as usize, ABLE);
            count(prospects[side].highest as usize, HIGHEST);
            count(prospects[side].all as usize, ALL);
        }
    }
}
