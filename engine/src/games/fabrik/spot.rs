//! Cells as small numbers, and sets of them.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use tabuleiro_protocol::Cell;

/// From a cell to the one below it. Boards have 15 columns at most, so the last column of every row
/// is off the board and nothing that is shifted along a row or a diagonal comes in again on the
/// other side.
pub(super) const ROW: usize = 16;

/// How many cells a set has bits for, those off the board included.
pub(super) const SPOTS: usize = 256;

/// A cell, as the index of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot(pub(super) u8);

impl Spot {
    /// Off every board.
    pub(super) const NOWHERE: Spot = Spot(u8::MAX);

    pub(super) const fn new(column: usize, row: usize) -> Spot {
        Spot((row * ROW + column) as u8)
    }

    /// `None` if the cell is not on a board of this size.
    pub(super) fn on_board(cell: Cell, size: u8) -> Option<Spot> {
        (cell.column < size && cell.row < size).then(|| Spot::new(cell.column.into(), cell.row.into()))
    }

    pub(super) const fn column(self) -> usize {
        self.0 as usize % ROW
    }

    pub(super) const fn row(self) -> usize {
        self.0 as usize / ROW
    }

    /// Whether two different cells touch.
    #[inline]
    pub(super) fn is_next_to(self, other: Spot) -> bool {
        self.distance(other) <= 1
    }

    /// Steps from one cell to the other in 8 directions.
    #[inline]
    pub(super) fn distance(self, other: Spot) -> usize {
        self.column().abs_diff(other.column()).max(self.row().abs_diff(other.row()))
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cells that lie between this one and another in line with it. None if they are not in
    /// line.
    pub(super) fn between(self, other: Spot) -> Spots {
        let (columns, rows) =
            (other.column() as isize - self.column() as isize, other.row() as isize - self.row() as isize);
        let mut cells = Spots::NONE;
        if columns == 0 || rows == 0 || columns.abs() == rows.abs() {
            let step = rows.signum() * ROW as isize + columns.signum();
            for place in 1..columns.abs().max(rows.abs()) {
                cells = cells.with(Spot((self.index() as isize + place * step) as u8));
            }
        }
        cells
    }

    pub(super) fn cell(self) -> Cell {
        Cell::new(self.column() as u8, self.row() as u8)
    }
}

/// A set of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spots(pub(super) [u64; 4]);

impl Spots {
    pub(super) const NONE: Spots = Spots([0; 4]);

    pub(super) const fn with(mut self, spot: Spot) -> Spots {
        self.0[spot.index() / 64] |= 1 << (spot.index() % 64);
        self
    }

    #[inline]
    pub(super) const fn without(mut self, spot: Spot) -> Spots {
        self.0[spot.index() / 64] &= !(1 << (spot.index() % 64));
        self
    }

    /// All cells of the columns with a bit in `columns`.
    #[inline]
    pub(super) fn columns(columns: u64) -> Spots {
        Spots([columns * 0x0001_0001_0001_0001; 4])
    }

    #[inline]
    pub(super) fn contains(self, spot: Spot) -> bool {
        self.0[spot.index() / 64] >> (spot.index() % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    #[inline]
    pub(super) fn count(self) -> u32 {
        let [a, b, c, d] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// The cell that has this many others of the set before it.
    #[inline]
    pub(super) fn nth(self, mut number: u32) -> Option<Spot> {
        for (index, mut word) in self.0.into_iter().enumerate() {
            let count = word.count_ones();
            if number < count {
                for _ in 0..number {
                    word &= word - 1;
                }
                return Some(Spot((index * 64) as u8 + word.trailing_zeros() as u8));
            }
            number -= count;
        }
        None
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Spot> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(Spot((index * 64) as u8 + bit as u8))
            })
        })
    }

    /// Every cell moved on by so many bits.
    #[inline(always)]
    pub(super) fn up(self, by: usize) -> Spots {
        let (words, bits) = (by / 64, by % 64);
        let word = |index: usize| {
            let whole = if index >= words { self.0[index - words] << bits } else { 0 };
            let carried =
                if bits > 0 && index > words { self.0[index - words - 1] >> (64 - bits) } else { 0 };
            whole | carried
        };
        Spots([word(0), word(1), word(2), word(3)])
    }

    /// Every cell moved back by so many bits.
    #[inline(always)]
    pub(super) fn down(self, by: usize) -> Spots {
        let (words, bits) = (by / 64, by % 64);
        let word = |index: usize| {
            let from = index + words;
            let whole = if from < 4 { self.0[from] >> bits } else { 0 };
            let carried = if bits > 0 && from + 1 < 4 { self.0[from + 1] << (64 - bits) } else { 0 };
            whole | carried
        };
        Spots([word(0), word(1), word(2), word(3)])
    }

    /// The cells next to any of these, in all 8 directions. A cell of the set is among them only if
    /// another one is next to it. May include cells off the board.
    pub(super) fn neighbours(self) -> Spots {
        let beside = self.up(1) | self.down(1);
        let three = beside | self;
        beside | three.up(ROW) | three.down(ROW)
    }

    /// The `open` cells among these, and those that can be reached from one of these in a straight
    /// line over open cells.
    #[inline]
    pub(super) fn seen_over(self, open: Spots) -> Spots {
        let mut seen = (self.swept::<ROW>(open) | self.swept::<1>(open)) & open;
        // Where there are few stones nothing is left to be seen along diagonals.
        if seen != open {
            seen |= (self.swept::<{ ROW + 1 }>(open) | self.swept::<{ ROW - 1 }>(open)) & open;
        }
        seen
    }

    /// Like [`Spots::seen_over`], in one direction and the opposite one. Doubles the reach with
    /// every step, up to 15 cells.
    #[inline(always)]
    fn swept<const STEP: usize>(self, open: Spots) -> Spots {
        let (mut up, mut open_up) = (self, open);
        let (mut down, mut open_down) = (self, open);
        for reach in [1, 2, 4, 8] {
            up |= open_up & up.up(STEP * reach);
            open_up &= open_up.up(STEP * reach);
            down |= open_down & down.down(STEP * reach);
            open_down &= open_down.down(STEP * reach);
        }
        up | down
    }
}

impl BitAnd for Spots {
    type Output = Spots;

    #[inline(always)]
    fn bitand(self, other: Spots) -> Spots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Spots([a & e, b & f, c & g, d & h])
    }
}

impl BitAndAssign for Spots {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Spots) {
        *self = *self & other;
    }
}

impl BitOr for Spots {
    type Output = Spots;

    #[inline(always)]
    fn bitor(self, other: Spots) -> Spots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Spots([a | e, b | f, c | g, d | h])
    }
}

impl BitOrAssign for Spots {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Spots) {
        *self = *self | other;
    }
}

impl BitXor for Spots {
    type Output = Spots;

    #[inline(always)]
    fn bitxor(self, other: Spots) -> Spots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Spots([a ^ e, b ^ f, c ^ g, d ^ h])
    }
}

impl Not for Spots {
    type Output = Spots;

    #[inline(always)]
    fn not(self) -> Spots {
        let [a, b, c, d] = self.0;
        Spots([!a, !b, !c, !d])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::random::Random;

    /// A set once more, as plainly as can be.
    fn plain(set: Spots) -> BTreeSet<u8> {
        set.iter().map(|spot| spot.0).collect()
    }

    #[test]
    fn sets_are_joined_cut_and_turned_around_in_every_part() {
        let mut random = Random::new(1);
        let mut some = || Spots([0; 4].map(|_| random.next_u64() & random.next_u64()));
        for _ in 0..100 {
            let (one, other) = (some(), some());
            let (a, b) = (plain(one), plain(other));
            assert_eq!(plain(one | other), &a | &b);
            assert_eq!(plain(one & other), &a & &b);
            assert_eq!(plain(one ^ other), &a ^ &b);
            assert_eq!(plain(!one), (0..=u8::MAX).filter(|spot| !a.contains(spot)).collect());
        }
    }

    #[test]
    fn neighbours_touch_one_of_the_cells() {
        let mut random = Random::new(2);
        for count in 1..40 {
            let mut set = Spots::NONE;
            for _ in 0..count {
                set = set.with(Spot::new(1 + random.below(13) as usize, 1 + random.below(13) as usize));
            }
            let near: BTreeSet<u8> = (0..=u8::MAX)
                .filter(|&spot| set.iter().any(|other| other.0 != spot && other.is_next_to(Spot(spot))))
                .collect();
            assert_eq!(plain(set.neighbours()), near);
        }
    }
}
