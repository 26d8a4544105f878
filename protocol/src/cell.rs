//! Where things are on a board: cells and edges, spelt as everybody spells them.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A cell of a board: `a1` is in the north-west corner, letters go east and numbers go south.
///
/// ```
/// use tabuleiro_protocol::Cell;
///
/// assert_eq!("C7".parse(), Ok(Cell::new(2, 6)));
/// assert_eq!(Cell::new(2, 6).to_string(), "c7");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub column: u8,
    pub row: u8,
}

impl Cell {
    #[inline]
    pub const fn new(column: u8, row: u8) -> Cell {
        Cell { column, row }
    }

    /// What its column is called at the edge of the board.
    pub fn letter(self) -> char {
        (b'a' + self.column) as char
    }

    /// The cell some columns to the east and some rows to the south, if it is on a board of this
    /// width and height.
    #[inline]
    pub fn offset(self, columns: i8, rows: i8, width: u8, height: u8) -> Option<Cell> {
        let column = self.column.checked_add_signed(columns).filter(|&column| column < width)?;
        let row = self.row.checked_add_signed(rows).filter(|&row| row < height)?;
        Some(Cell { column, row })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter(), u16::from(self.row) + 1)
    }
}

/// A text that should have been a cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no cell: write a letter and a number, as c5")]
pub struct NotACell(String);

impl FromStr for Cell {
    type Err = NotACell;

    /// Reads `a1`, or `A1`: a letter and a number from 1 without leading zeros. Knows no board: the
    /// cell may lie outside of it.
    fn from_str(text: &str) -> Result<Cell, NotACell> {
        let read = || {
            let mut characters = text.chars();
            let letter = characters.next().filter(char::is_ascii_alphabetic)?;
            let number = characters.as_str();
            if number.starts_with(['0', '+']) {
                return None;
            }
            let row: u8 = number.parse().ok()?;
            Some(Cell { column: letter.to_ascii_lowercase() as u8 - b'a', row: row - 1 })
        };
        read().ok_or_else(|| NotACell(text.into()))
    }
}

/// One of the four edges of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    North,
    East,
    South,
    West,
}

impl Edge {
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];

    pub fn name(self) -> &'static str {
        match self {
            Edge::North => "north",
            Edge::East => "east",
            Edge::South => "south",
            Edge::West => "west",
        }
    }

    /// The step that leads off the board over this edge, in columns and rows.
    pub fn outward(self) -> (i32, i32) {
        match self {
            Edge::North => (0, -1),
            Edge::East => (1, 0),
            Edge::South => (0, 1),
            Edge::West => (-1, 0),
        }
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that should have been an edge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no edge: write north, east, south or west")]
pub struct NotAnEdge(String);

impl FromStr for Edge {
    type Err = NotAnEdge;

    fn from_str(text: &str) -> Result<Edge, NotAnEdge> {
        let found = Edge::ALL.into_iter().find(|edge| edge.name() == text);
        found.ok_or_else(|| NotAnEdge(text.into()))
    }
}

/// Something that can be pointed at: a cell, or the place outside the board before a cell of its
/// edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    Cell(Cell),
    Edge(Edge, Cell),
}

impl Target {
    /// The cell itself, or the one that the place outside the board lies before.
    pub fn cell(self) -> Cell {
        match self {
            Target::Cell(cell) | Target::Edge(_, cell) => cell,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_as_they_are_read() {
        for text in ["a1", "i9", "s19", "z255"] {
            assert_eq!(text.parse::<Cell>().unwrap().to_string(), text);
        }
        assert_eq!("C7".parse(), Ok(Cell::new(2, 6)));
    }

    #[test]
    fn what_is_no_cell_is_not_read() {
        for text in ["", "a", "1", "a0", "a01", "a256", "a1 ", " a1", "aa1", "a-1", "a+1", "é1", "a1b", "5a"]
        {
            assert!(text.parse::<Cell>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn edges_are_written_as_they_are_read() {
        for edge in Edge::ALL {
            assert_eq!(edge.to_string().parse(), Ok(edge));
        }
        assert!("up".parse::<Edge>().is_err());
    }
}
