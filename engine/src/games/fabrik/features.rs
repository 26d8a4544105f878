//! What a net sees of a position of Fabrik at the start of a turn.
//!
//! Three games in four end with a player who can place no stone, so much of it is about room: what
//! the workers see, and the cells where a worker would be shut in.

use super::spot::{ROW, Spots};
use super::{Fabrik, Stage};
use crate::search::{FeatureList, FeatureSet, Inputs};

/// The boards, by number.
const OWN: usize = 0;
const ENEMY: usize = 1;
const WORKER: usize = 2;
const SEEN_BY_BOTH: usize = 3;
const SEEN_BY_ONE: usize = 4;
const OWN_WINNING: usize = 5;
const ENEMY_WINNING: usize = 6;
const OWN_BUILDING: usize = 7;
const ENEMY_BUILDING: usize = 8;
/// Empty cells from which a worker would see two cells in no direction, in one and in two.
const SHUT: usize = 9;
const TIGHT: usize = 10;
const NARROW: usize = 11;
const BOARDS: usize = 12;

/// The other features: where each kind begins.
const OPEN: usize = 0;
/// By the directions in which a worker sees two cells and those in which it sees one.
const OPEN_KINDS: usize = 81;
const BOTH_OPEN: usize = OPEN + OPEN_KINDS;
const BOTH_OPEN_KINDS: usize = 81;
const EMPTY_CELLS: usize = BOTH_OPEN + BOTH_OPEN_KINDS;
const MOST_CELLS: usize = 15 * 15 + 1;
const SHUT_CELLS: usize = EMPTY_CELLS + MOST_CELLS;
const TIGHT_CELLS: usize = SHUT_CELLS + MOST_COUNTED + 1;
const PLACEMENTS: usize = TIGHT_CELLS + MOST_COUNTED + 1;
const OTHERS: usize = PLACEMENTS + MOST_COUNTED + 1;
/// More cells than this count as so many.
const MOST_COUNTED: usize = 23;

pub(super) const fn inputs(size: u8) -> Inputs {
    Inputs { name: "fabrik-2", side: size as usize, row: ROW, boards: BOARDS, others: OTHERS }
}

impl Fabrik {
    #[inline]
    pub(super) fn list_features(&self, features: &mut FeatureSet) {
        if self.now.stage != Stage::Turn {
            return;
        }
        let inputs = inputs(self.size);
        let (own, enemy) = (self.now.to_move.index(), (!self.now.to_move).index());
        let [first, second] = self.now.seen;
        let empty = self.empty_spots();
        let [shut, tight, narrow] = narrow_cells(empty);
        let prospects = &self.now.prospects;
        for (board, cells) in [
            (OWN, self.stones[own].spots()),
            (ENEMY, self.stones[enemy].spots()),
            (WORKER, Spots::NONE.with(self.now.workers[0]).with(self.now.workers[1])),
            (SEEN_BY_BOTH, first & second),
            (SEEN_BY_ONE, first ^ second),
            (OWN_WINNING, prospects[own].winning),
            (ENEMY_WINNING, prospects[enemy].winning),
            (OWN_BUILDING, prospects[own].building),
            (ENEMY_BUILDING, prospects[enemy].building),
            (SHUT, shut),
            (TIGHT, tight),
            (NARROW, narrow),
        ] {
            let first = inputs.cell(board, 0, 0);
            cells.0.iter().enumerate().for_each(|(word, &bits)| features.add_word(first + 64 * word, bits));
        }
        let mut open = [0, 1].map(|worker| {
            let (wide, all) = self.ways(worker);
            features.add(inputs.other(OPEN + 9 * wide + (all - wide)));
            wide
        });
        open.sort_unstable();
        features.add(inputs.other(BOTH_OPEN + 9 * open[0] + open[1]));
        features.add(inputs.other(EMPTY_CELLS + empty.count() as usize));
        let counted = |cells: Spots| (cells.count() as usize).min(MOST_COUNTED);
        features.add(inputs.other(SHUT_CELLS + counted(shut)));
        features.add(inputs.other(TIGHT_CELLS + counted(tight)));
        features.add(inputs.other(PLACEMENTS + counted(first & second)));
    }

    /// The directions in which a worker sees two cells or more, and those in which it sees any,
    /// the other one being out of the way.
    fn ways(&self, worker: usize) -> (usize, usize) {
        let around = self.reach(worker) & Spots::NONE.with(self.now.workers[worker]).neighbours();
        (self.open_directions(worker) as usize, around.count() as usize)
    }
}

/// The empty cells from which two empty cells in a row are seen in no direction, in one and in two.
#[inline]
fn narrow_cells(empty: Spots) -> [Spots; 3] {
    // Counted for all cells at once: the digits of a number in the dual system, kept apart, and
    // whether there are four or more.
    let (mut ones, mut twos, mut many) = (Spots::NONE, Spots::NONE, Spots::NONE);
    let mut count = |open: Spots| {
        let carry = ones & open;
        ones = ones ^ open;
        many |= twos & carry;
        twos = twos ^ carry;
    };
    for step in [1, ROW, ROW + 1, ROW - 1] {
        count(empty.up(step) & empty.up(2 * step));
        count(empty.down(step) & empty.down(2 * step));
    }
    let few = empty & !many;
    [few & !ones & !twos, few & ones & !twos, few & !ones & twos]
}
