use crate::cell::Cell;

/// A side of the board that stones slide in from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edge {
    North,
    East,
    South,
    West,
}

impl Edge {
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];

    /// Whether stones from here slide along a row; from the others, along a column.
    #[inline]
    pub(super) fn along_row(self) -> bool {
        matches!(self, Edge::East | Edge::West)
    }

    /// Whether stones from here slide towards lower numbers or letters.
    #[inline]
    pub(super) fn backwards(self) -> bool {
        matches!(self, Edge::East | Edge::South)
    }

    /// The row or column that a stone from here enters to get to a cell, and the cell's place on it.
    #[inline]
    pub(super) fn entry_and_place(self, cell: Cell) -> (u8, u8) {
        if self.along_row() { (cell.row, cell.column) } else { (cell.column, cell.row) }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Edge::North => "north",
            Edge::East => "east",
            Edge::South => "south",
            Edge::West => "west",
        }
    }

    /// How actions that enter from here begin.
    pub(super) fn letter(self) -> char {
        match self {
            Edge::North => 'n',
            Edge::East => 'e',
            Edge::South => 's',
            Edge::West => 'w',
        }
    }
}
