//! The ways to turn and to mirror a square board.

use tabuleiro_protocol::Cell;

/// One of the eight ways to lay a square board down, or the only one of another board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Symmetry {
    swaps: bool,
    mirrors_columns: bool,
    mirrors_rows: bool,
    /// The last column and the last row.
    last: u8,
}

const EDGES: [(&str, (i8, i8)); 4] =
    [("north", (0, -1)), ("east", (1, 0)), ("south", (0, 1)), ("west", (-1, 0))];

impl Symmetry {
    /// All that there are for a board: one unless it is square and its game is symmetric.
    pub(super) fn all(rows: &[Vec<&str>], symmetric: bool) -> Vec<Symmetry> {
        let is_square = rows.iter().all(|row| row.len() == rows.len());
        let count = if symmetric && is_square { 8 } else { 1 };
        let symmetry = |number: u8| Symmetry {
            swaps: number & 4 != 0,
            mirrors_columns: number & 1 != 0,
            mirrors_rows: number & 2 != 0,
            last: rows.len().saturating_sub(1) as u8,
        };
        (0..count).map(symmetry).collect()
    }

    fn place(self, column: u8, row: u8) -> (u8, u8) {
        let (column, row) = if self.swaps { (row, column) } else { (column, row) };
        let mirrored = |place: u8, mirrors: bool| if mirrors { self.last - place } else { place };
        (mirrored(column, self.mirrors_columns), mirrored(row, self.mirrors_rows))
    }

    /// A board, laid down so.
    pub(super) fn turned<'r>(self, rows: &[Vec<&'r str>]) -> Vec<Vec<&'r str>> {
        let mut turned: Vec<Vec<&str>> = rows.to_vec();
        for (row, tokens) in rows.iter().enumerate() {
            for (column, token) in tokens.iter().enumerate() {
                let (to_column, to_row) = self.place(column as u8, row as u8);
                turned[usize::from(to_row)][usize::from(to_column)] = token;
            }
        }
        turned
    }

    /// Where a cell is then. `None` if it is none of the board.
    pub(super) fn cell(self, cell: &str) -> Option<String> {
        let Cell { column, row } = cell.parse().ok()?;
        let is_mirrored = self.mirrors_columns || self.mirrors_rows;
        if is_mirrored && (column > self.last || row > self.last) {
            return None;
        }
        let (column, row) = self.place(column, row);
        Some(Cell::new(column, row).to_string())
    }

    /// Which edge an edge is then.
    pub(super) fn edge(self, edge: &str) -> &'static str {
        let way = EDGES.iter().find(|(name, _)| *name == edge).map_or((0, 0), |(_, way)| *way);
        let (x, y) = if self.swaps { (way.1, way.0) } else { way };
        let turned = (if self.mirrors_columns { -x } else { x }, if self.mirrors_rows { -y } else { y });
        EDGES.iter().find(|(_, way)| *way == turned).map_or("", |(name, _)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_laid_down_in_eight_ways() {
        let rows = vec![vec!["a", "b"], vec!["c", "d"]];
        let mut boards: Vec<_> =
            Symmetry::all(&rows, true).iter().map(|symmetry| symmetry.turned(&rows)).collect();
        boards.sort();
        boards.dedup();
        assert_eq!(boards.len(), 8);
        assert_eq!(Symmetry::all(&rows, false).len(), 1);
        let oblong = vec![vec!["a", "b", "c"]];
        let only = Symmetry::all(&oblong, true);
        assert_eq!((only.len(), only[0].turned(&oblong)), (1, oblong));
    }

    #[test]
    fn cells_and_edges_go_with_the_board() {
        let rows = vec![vec!["."; 5]; 5];
        for symmetry in Symmetry::all(&rows, true) {
            let mut marked = rows.clone();
            marked[0][2] = "x";
            // A cell at the middle of the north edge is at the middle of the edge that north
            // becomes.
            let turned = symmetry.turned(&marked);
            let cell: Cell = symmetry.cell("c1").expect("a cell").parse().expect("a cell");
            assert_eq!(turned[usize::from(cell.row)][usize::from(cell.column)], "x");
            let expected = match symmetry.edge("north") {
                "north" => "c1",
                "south" => "c5",
                "west" => "a3",
                _ => "e3",
            };
            assert_eq!(cell.to_string(), expected);
        }
    }
}
