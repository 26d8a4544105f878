use std::fmt;

/// A cell of a board: `a1` is top left, letters go right and numbers go down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub column: u8,
    pub row: u8,
}

impl Cell {
    pub const fn new(column: u8, row: u8) -> Cell {
        Cell { column, row }
    }

    /// Reads `a1`, or `A1`: a letter and a number from 1 without leading zeros. Knows no board: the cell may lie outside of it.
    pub fn read(text: &str) -> Option<Cell> {
        let mut characters = text.chars();
        let letter = characters.next().filter(char::is_ascii_alphabetic)?;
        let number = characters.as_str();
        if number.is_empty() || number.starts_with('0') || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let row: u8 = number.parse().ok()?;
        Some(Cell { column: letter.to_ascii_lowercase() as u8 - b'a', row: row - 1 })
    }

    pub fn letter(self) -> char {
        (b'a' + self.column) as char
    }

    /// The cell some columns to the right and some rows down, if it is on a board of this width and height.
    pub fn offset(self, columns: i8, rows: i8, width: u8, height: u8) -> Option<Cell> {
        let column = self.column.checked_add_signed(columns).filter(|&column| column < width)?;
        let row = self.row.checked_add_signed(rows).filter(|&row| row < height)?;
        Some(Cell { column, row })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter(), self.row + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_as_they_are_read() {
        for text in ["a1", "i9", "s19", "z255"] {
            assert_eq!(Cell::read(text).unwrap().to_string(), text);
        }
        assert_eq!(Cell::read("C7"), Some(Cell::new(2, 6)));
    }

    #[test]
    fn what_is_no_cell_is_not_read() {
        for text in ["", "a", "1", "a0", "a01", "a256", "a1 ", " a1", "aa1", "a-1", "a+1", "é1", "a1b"] {
            assert_eq!(Cell::read(text), None, "{text:?}");
        }
    }
}
