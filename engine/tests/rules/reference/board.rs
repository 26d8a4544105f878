//! A plain board for the second statements of the rules.

use std::collections::BTreeSet;

/// A column and a row, both from 0.
pub(super) type Cell = (usize, usize);

/// So many columns to the right and so many rows down.
pub(super) type Direction = (i32, i32);

pub(super) const ORTHOGONAL: [Direction; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

pub(super) const ALL_EIGHT: [Direction; 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// A column letter and a row number.
pub(super) fn name((column, row): Cell) -> String {
    let letter = char::from(b'a' + column as u8);
    format!("{letter}{}", row + 1)
}

/// Cells as a list inside an action: sorted as strings, joined with commas.
pub(super) fn list(cells: &[Cell]) -> String {
    let mut names: Vec<String> = cells.iter().map(|&cell| name(cell)).collect();
    names.sort();
    names.join(",")
}

/// Rows of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    tokens: Vec<Vec<&'static str>>,
}

impl Board {
    /// Reads rows in which no other tokens than these occur.
    pub(super) fn read(rows: &[String], known: &[&'static str]) -> Board {
        let token = |text: &str| *known.iter().find(|&&token| token == text).expect("a known token");
        let tokens = rows.iter().map(|row| row.split(' ').map(token).collect()).collect();
        Board { tokens }
    }

    pub(super) fn empty(width: usize, height: usize) -> Board {
        Board { tokens: vec![vec!["."; width]; height] }
    }

    pub(super) fn rows(&self) -> Vec<String> {
        self.tokens.iter().map(|row| row.join(" ")).collect()
    }

    pub(super) fn cells(&self) -> Vec<Cell> {
        let columns = 0..self.tokens[0].len();
        let rows = 0..self.tokens.len();
        rows.flat_map(|row| columns.clone().map(move |column| (column, row))).collect()
    }

    pub(super) fn cells_with(&self, wanted: impl Fn(&str) -> bool) -> Vec<Cell> {
        self.cells().into_iter().filter(|&cell| wanted(self.at(cell))).collect()
    }

    pub(super) fn at(&self, (column, row): Cell) -> &'static str {
        self.tokens[row][column]
    }

    pub(super) fn is_empty(&self, cell: Cell) -> bool {
        self.at(cell) == "."
    }

    pub(super) fn put(&mut self, (column, row): Cell, token: &'static str) {
        self.tokens[row][column] = token;
    }

    /// The next cell in a direction, unless the board ends there.
    pub(super) fn next(&self, (column, row): Cell, (right, down): Direction) -> Option<Cell> {
        let column = column as i32 + right;
        let row = row as i32 + down;
        let inside =
            column >= 0 && row >= 0 && column < self.tokens[0].len() as i32 && row < self.tokens.len() as i32;
        inside.then_some((column as usize, row as usize))
    }

    pub(super) fn neighbours(&self, cell: Cell, directions: &[Direction]) -> Vec<Cell> {
        directions.iter().filter_map(|&direction| self.next(cell, direction)).collect()
    }

    /// The cells from which one gets here in steps from member to member, this one included.
    pub(super) fn group(
        &self,
        from: Cell,
        directions: &[Direction],
        member: impl Fn(Cell) -> bool,
    ) -> BTreeSet<Cell> {
        let mut group = BTreeSet::from([from]);
        let mut unvisited = vec![from];
        while let Some(cell) = unvisited.pop() {
            for neighbour in self.neighbours(cell, directions) {
                if member(neighbour) && group.insert(neighbour) {
                    unvisited.push(neighbour);
                }
            }
        }
        group
    }

    /// Whether so many of a token, or more, lie in an unbroken row, column or diagonal.
    pub(super) fn has_line(&self, token: &str, length: usize) -> bool {
        self.cells().into_iter().any(|first| {
            ALL_EIGHT.iter().any(|&direction| {
                let mut cell = Some(first);
                for _ in 0..length {
                    match cell {
                        Some(here) if self.at(here) == token => cell = self.next(here, direction),
                        _ => return false,
                    }
                }
                true
            })
        })
    }
}
