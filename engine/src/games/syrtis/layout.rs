//! Where the tiles lie at the start.

use tabuleiro_protocol::Cell;

/// Where the tiles lie at the start, by number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Cells in a row, and rows.
    pub(super) size: u8,
    /// How many tiles there are of each kind.
    pub(super) of_a_kind: u8,
    /// The number of each cell, 0 where no tile belongs.
    numbers: [[u8; 7]; 7],
}

pub(super) static MAJOR: Layout = Layout {
    size: 7,
    of_a_kind: 9,
    numbers: [
        [0, 0, 31, 33, 35, 0, 0],
        [0, 29, 27, 25, 23, 21, 0],
        [7, 9, 11, 13, 15, 17, 19],
        [5, 3, 1, 0, 2, 4, 6],
        [20, 18, 16, 14, 12, 10, 8],
        [0, 22, 24, 26, 28, 30, 0],
        [0, 0, 36, 34, 32, 0, 0],
    ],
};

pub(super) static MINOR: Layout = Layout {
    size: 5,
    of_a_kind: 4,
    numbers: [
        [0, 0, 15, 13, 0, 0, 0],
        [5, 7, 9, 11, 0, 0, 0],
        [3, 1, 0, 2, 4, 0, 0],
        [0, 12, 10, 8, 6, 0, 0],
        [0, 14, 16, 0, 0, 0, 0],
        [0; 7],
        [0; 7],
    ],
};

impl Layout {
    /// How many tiles there are.
    pub(super) fn tiles(&self) -> u8 {
        4 * self.of_a_kind
    }

    pub(super) fn pairs(&self) -> u8 {
        self.tiles() / 2
    }

    /// The two cells of a pair, that of the odd number first. Pairs count from 0: the first are
    /// tiles 1 and 2.
    pub(super) fn pair(&self, pair: u8) -> [Cell; 2] {
        [2 * pair + 1, 2 * pair + 2].map(|number| self.cell(number))
    }

    fn cell(&self, number: u8) -> Cell {
        self.cells().find(|&cell| self.number(cell) == Some(number)).expect("a number of the layout")
    }

    pub(super) fn number(&self, cell: Cell) -> Option<u8> {
        let number = self.numbers[cell.row as usize][cell.column as usize];
        (number != 0).then_some(number)
    }

    /// Every cell of the board, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| Cell::new(column, row)))
    }

    pub(super) fn has(&self, cell: Cell) -> bool {
        cell.column < self.size && cell.row < self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_there_once_and_pairs_face_each_other_through_the_centre() {
        for layout in [&MAJOR, &MINOR] {
            let mut numbers: Vec<u8> = layout.cells().filter_map(|cell| layout.number(cell)).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(1..=layout.tiles()));
            for [one, other] in (0..layout.pairs()).map(|pair| layout.pair(pair)) {
                assert_eq!(one.column + other.column, layout.size - 1);
                assert_eq!(one.row + other.row, layout.size - 1);
            }
        }
    }
}
