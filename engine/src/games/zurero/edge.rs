//! How stones slide in over an edge of the board.

use tabuleiro_protocol::{Cell, Edge};

/// What the rules want to know of an edge that stones slide in over.
pub(super) trait Entry: Copy {
    /// Whether stones from here slide along a row; from the others, along a column.
    fn along_row(self) -> bool;

    /// Whether stones from here slide towards lower numbers or letters.
    fn backwards(self) -> bool;

    /// The row or column that a stone from here enters to get to a cell, and the cell's place on
    /// it.
    fn entry_and_place(self, cell: Cell) -> (u8, u8);

    /// How actions that enter from here begin.
    fn letter(self) -> char;
}

impl Entry for Edge {
    #[inline]
    fn along_row(self) -> bool {
        matches!(self, Edge::East | Edge::West)
    }

    #[inline]
    fn backwards(self) -> bool {
        matches!(self, Edge::East | Edge::South)
    }

    #[inline]
    fn entry_and_place(self, cell: Cell) -> (u8, u8) {
        if self.along_row() { (cell.row, cell.column) } else { (cell.column, cell.row) }
    }

    fn letter(self) -> char {
        match self {
            Edge::North => 'n',
            Edge::East => 'e',
            Edge::South => 's',
            Edge::West => 'w',
        }
    }
}
