//! The cells of a board as rows, columns and diagonals: what a worker sees and what makes a line
//! are questions about single lines.

use super::spot::{ROW, Spot, Spots};

const COLUMNS: usize = 16;
const DIAGONALS: usize = 32;
const ANTIDIAGONALS: usize = 64;
const COUNT: usize = 96;

/// From a cell to the next one on each of the lines through it.
pub(super) const STEPS: [usize; 4] = [1, ROW, ROW + 1, ROW - 1];

/// A set of cells, written four times: line by line as rows, columns, diagonals (down to the right)
/// and antidiagonals (down to the left). The bits of a row are its columns, those of the other
/// lines are the rows they cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines([u16; COUNT]);

/// The lines through a cell, each with the bit that is the cell. The row comes first.
#[inline(always)]
pub(super) const fn through(spot: Spot) -> [(usize, usize); 4] {
    let (column, row) = (spot.column(), spot.row());
    [
        (row, column),
        (COLUMNS + column, row),
        (DIAGONALS + 15 + column - row, row),
        (ANTIDIAGONALS + column + row, row),
    ]
}

impl Lines {
    pub(super) const NONE: Lines = Lines([0; COUNT]);
    pub(super) const ALL: Lines = Lines([u16::MAX; COUNT]);

    #[inline]
    pub(super) fn insert(&mut self, spot: Spot) {
        for (line, bit) in through(spot) {
            self.0[line] |= 1 << bit;
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, spot: Spot) {
        for (line, bit) in through(spot) {
            self.0[line] &= !(1 << bit);
        }
    }

    #[inline]
    pub(super) fn contains(&self, spot: Spot) -> bool {
        self.0[spot.row()] >> spot.column() & 1 != 0
    }

    /// One line, by its number in [`through`].
    #[inline(always)]
    pub(super) fn line(&self, line: usize) -> u16 {
        self.0[line]
    }

    #[inline]
    pub(super) fn with(mut self, spot: Spot) -> Lines {
        self.insert(spot);
        self
    }

    #[inline]
    pub(super) fn without(mut self, spot: Spot) -> Lines {
        self.remove(spot);
        self
    }

    #[inline]
    pub(super) fn spots(&self) -> Spots {
        let word = |first: usize| {
            let row = |row: usize| u64::from(self.0[first + row]) << (16 * row);
            row(0) | row(1) | row(2) | row(3)
        };
        Spots([word(0), word(4), word(8), word(12)])
    }

    /// The cells around `from` in the 8 directions, up to and without the first one of the set. All
    /// cells off the board must be in it.
    #[inline]
    pub(super) fn sight(&self, from: Spot) -> Spots {
        let [(row, column), others @ ..] = through(from);
        let (first, end) = gap(self.0[row], column);
        let mut seen = CELLS[row] & Spots::columns((1 << end) - (1 << first));
        for (line, bit) in others {
            let (first, end) = gap(self.0[line], bit);
            seen |= CELLS[line] & ROWS_BEFORE[end] & !ROWS_BEFORE[first];
        }
        seen.without(from)
    }

    /// Whether so many cells in a row, one of them this one, are in the set.
    #[inline]
    pub(super) fn has_run_through(&self, spot: Spot, length: u8) -> bool {
        through(spot).into_iter().any(|(line, _)| has_run(self.0[line], length))
    }

    /// Whether so many cells in a row are in the set.
    pub(super) fn has_run(&self, length: u8) -> bool {
        self.0.iter().any(|&line| has_run(line, length))
    }

    /// The unbroken lines of at least this length that a cell is part of.
    pub(super) fn runs_through(&self, spot: Spot, length: u8) -> Vec<Vec<Spot>> {
        let mut runs = Vec::new();
        for ((line, bit), step) in through(spot).into_iter().zip(STEPS) {
            let (first, end) = gap(!self.0[line], bit);
            if end - first >= usize::from(length) {
                let start = spot.index() - (bit - first) * step;
                runs.push((0..end - first).map(|place| Spot((start + place * step) as u8)).collect());
            }
        }
        runs
    }
}

/// All cells in line with a cell, and itself.
#[inline]
pub(super) fn star(spot: Spot) -> Spots {
    let [(row, _), (column, _), (diagonal, _), (antidiagonal, _)] = through(spot);
    CELLS[row] | CELLS[column] | CELLS[diagonal] | CELLS[antidiagonal]
}

/// The first bit of the gap around a bit of a line, and the one after its last. The last bit of a
/// line is off every board.
#[inline(always)]
fn gap(line: u16, bit: usize) -> (usize, usize) {
    let line = u32::from(line);
    let before = line & ((1 << bit) - 1);
    let after = line & !((2 << bit) - 1);
    ((before << 1 | 1).ilog2() as usize, (after | 1 << 15).trailing_zeros() as usize)
}

fn has_run(line: u16, length: u8) -> bool {
    let mut starts = line;
    for _ in 1..length {
        starts &= starts >> 1;
    }
    starts != 0
}

/// The cells of every line.
static CELLS: [Spots; COUNT] = {
    let mut cells = [Spots::NONE; COUNT];
    let mut index = 0;
    while index < 15 * ROW {
        let spot = Spot(index as u8);
        let lines = through(spot);
        let mut direction = 0;
        while direction < 4 {
            let (line, _) = lines[direction];
            cells[line] = cells[line].with(spot);
            direction += 1;
        }
        index += 1;
    }
    cells
};

/// The cells of the first so many rows.
static ROWS_BEFORE: [Spots; ROW + 1] = {
    let mut rows = [Spots::NONE; ROW + 1];
    let mut index = 0;
    while index < 16 * ROW {
        let spot = Spot(index as u8);
        let mut end = spot.row() + 1;
        while end <= ROW {
            rows[end] = rows[end].with(spot);
            end += 1;
        }
        index += 1;
    }
    rows
};
