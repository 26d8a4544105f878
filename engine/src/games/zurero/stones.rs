use crate::cell::Cell;

/// The largest board has this many rows and columns.
pub(super) const MAX: usize = 19;

const DIAGONALS: usize = 2 * MAX - 1;

/// All lines of the largest board: rows, columns, diagonals going down to the left and diagonals going down to the right.
/// Smaller boards use some of them.
const LINES: usize = 2 * MAX + 2 * DIAGONALS;

/// The stones of one colour, kept once along every line they stand on: what happens on a line is then a matter of shifts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stones {
    lines: [u32; LINES],
}

impl Stones {
    pub(super) const NONE: Stones = Stones { lines: [0; LINES] };

    /// Puts a stone on a cell, or takes it away.
    #[inline]
    pub(super) fn toggle(&mut self, cell: Cell) {
        for (line, bit) in lines_through(cell) {
            self.lines[line] ^= bit;
        }
    }

    #[inline]
    pub(super) fn has(&self, cell: Cell) -> bool {
        self.row(cell.row) >> cell.column & 1 != 0
    }

    #[inline]
    pub(super) fn row(&self, row: u8) -> u32 {
        self.lines[row as usize]
    }

    #[inline]
    pub(super) fn column(&self, column: u8) -> u32 {
        self.lines[MAX + column as usize]
    }

    pub(super) fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// Whether there is a five on one of the lines through a cell.
    #[inline]
    pub(super) fn five_near(&self, cell: Cell) -> bool {
        lines_through(cell).into_iter().any(|(line, _)| has_five(self.lines[line]))
    }

    pub(super) fn five_anywhere(&self) -> bool {
        self.lines.iter().any(|&line| has_five(line))
    }
}

/// The four lines through a cell, and the cell's bit on each.
#[inline]
fn lines_through(cell: Cell) -> [(usize, u32); 4] {
    let (column, row) = (cell.column as usize, cell.row as usize);
    [
        (row, 1 << column),
        (MAX + column, 1 << row),
        (2 * MAX + row + column, 1 << column),
        (2 * MAX + DIAGONALS + row + (MAX - 1) - column, 1 << column),
    ]
}

#[inline]
fn has_five(line: u32) -> bool {
    let twos = line & line >> 1;
    let fours = twos & twos >> 2;
    fours & line >> 4 != 0
}
