//! Cells and boards as the engine spells them.

pub use tabuleiro_protocol::{Cell, Edge, Target};

/// The tokens of a board, cell by cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    columns: u8,
    rows: u8,
    tokens: Vec<String>,
}

/// The token of a cell where there is nothing.
pub const EMPTY: &str = ".";

impl Tokens {
    /// From the rows of a state. What is missing is empty.
    pub fn read(rows: &[String]) -> Tokens {
        let split: Vec<Vec<&str>> = rows.iter().map(|row| row.split_whitespace().collect()).collect();
        let columns = split.iter().map(Vec::len).max().unwrap_or(0);
        let tokens = split
            .iter()
            .flat_map(|row| (0..columns).map(|column| row.get(column).copied().unwrap_or(EMPTY).to_string()));
        Tokens { columns: columns.min(26) as u8, rows: rows.len().min(99) as u8, tokens: tokens.collect() }
    }

    /// The rows as the engine spells them.
    pub fn to_rows(&self) -> Vec<String> {
        let rows = self.tokens.chunks(usize::from(self.columns.max(1)));
        rows.map(|row| row.join(" ")).collect()
    }

    pub fn columns(&self) -> u8 {
        self.columns
    }

    pub fn rows(&self) -> u8 {
        self.rows
    }

    pub fn has(&self, cell: Cell) -> bool {
        cell.column < self.columns && cell.row < self.rows
    }

    /// What is on a cell; outside the board there is nothing.
    pub fn get(&self, cell: Cell) -> &str {
        match self.has(cell) {
            true => &self.tokens[self.index(cell)],
            false => EMPTY,
        }
    }

    pub fn set(&mut self, cell: Cell, token: &str) {
        if self.has(cell) {
            let index = self.index(cell);
            self.tokens[index] = token.to_string();
        }
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| Cell { column, row }))
    }

    fn index(&self, cell: Cell) -> usize {
        cell.row as usize * self.columns as usize + cell.column as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_tokens() {
        let rows = ["x3 . o1".to_string(), ". o2".to_string()];
        let mut tokens = Tokens::read(&rows);
        assert_eq!((tokens.columns(), tokens.rows()), (3, 2));
        assert_eq!(tokens.get("c1".parse().unwrap()), "o1");
        assert_eq!(tokens.get("c2".parse().unwrap()), EMPTY);
        assert_eq!(tokens.get("d9".parse().unwrap()), EMPTY);
        tokens.set("a2".parse().unwrap(), "o3");
        assert_eq!(tokens.get("a2".parse().unwrap()), "o3");
        assert_eq!(tokens.cells().count(), 6);
    }
}
