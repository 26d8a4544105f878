//! What a net sees of a position of Syrtis in play: tiles and towers, what can be sunk, how far
//! each family is from being one island, and how sinks and passes stand.

use super::cells::Cells;
use super::evaluation::{Prospect, Terrain};
use super::{Phase, Syrtis};
use crate::search::{FeatureList, FeatureSet, Inputs};

/// Tiles by whose their colour and their shape are (both own, colour own, shape own, none); then by
/// side: towers, what can be sunk, where towers can get.
const BOARDS: usize = 4 + 2 * 3;
/// By side: sinks, passes, whether the initiative is the side's, and of both families the turns of
/// work left and the outsiders.
const SINKS: usize = 4;
const PASSES: usize = 4;
const INITIATIVE: usize = 2;
const WORK: usize = 16;
const OUTSIDERS: usize = 16;
const OF_A_SIDE: usize = SINKS + PASSES + INITIATIVE + 2 * (WORK + OUTSIDERS);

pub(super) const fn inputs(size: u8) -> Inputs {
    Inputs { name: "syrtis-2", side: size as usize, row: 8, boards: BOARDS, others: 2 * OF_A_SIDE }
}

impl Syrtis {
    /// `prospects` are by side.
    #[inline]
    pub(super) fn list_features(
        &self,
        terrain: &Terrain<'_>,
        prospects: &[[Prospect; 2]; 2],
        features: &mut FeatureSet,
    ) {
        let now = &self.position;
        if now.phase != Phase::Play {
            return;
        }
        let inputs = inputs(self.rules.layout.size);
        let board = self.board();
        let [own, enemy] = [now.to_move, !now.to_move].map(|seat| self.side(seat));
        let [colour, shape] = own.families().map(|family| board.family(family));
        let mut add = |number: usize, cells: Cells| features.add_word(inputs.cell(number, 0, 0), cells);
        for (number, cells) in
            [colour & shape, colour & !shape, shape & !colour, board.tiles & !(colour | shape)]
                .into_iter()
                .enumerate()
        {
            add(number, cells);
        }
        for (index, side) in [own, enemy].into_iter().enumerate() {
            add(4 + 3 * index, board.towers(side));
            add(5 + 3 * index, terrain.sinkable[side as usize]);
            add(6 + 3 * index, terrain.reach[side as usize]);
        }
        for (index, seat) in [now.to_move, !now.to_move].into_iter().enumerate() {
            let side = self.side(seat);
            let mut first = index * OF_A_SIDE;
            let mut count = |count: usize, kinds: usize| {
                features.add(inputs.other(first + count.min(kinds - 1)));
                first += kinds;
            };
            count(now.sinks[seat.index()].into(), SINKS);
            count(now.passes[seat.index()].into(), PASSES);
            count(usize::from(self.initiative() == seat), INITIATIVE);
            for Prospect { work, outsiders, .. } in &prospects[side as usize] {
                count(*work as usize, WORK);
                count(*outsiders as usize, OUTSIDERS);
            }
        }
    }
}
