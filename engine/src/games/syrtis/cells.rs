//! Sets of cells as bits: eight to a row, of which the eighth is never used, so that nothing gets
//! round the board's edge when a whole set is shifted by a cell.

use tabuleiro_protocol::Cell;

pub(super) type Cells = u64;

pub(super) const NONE: Cells = 0;

pub(super) const fn bit(cell: Cell) -> Cells {
    1 << (cell.row * 8 + cell.column)
}

/// The first cell of a set that has one.
#[inline]
pub(super) const fn first(cells: Cells) -> Cell {
    let index = cells.trailing_zeros() as u8;
    Cell::new(index & 7, index >> 3)
}

/// The set without its first cell.
#[inline]
pub(super) const fn rest(cells: Cells) -> Cells {
    cells & cells.wrapping_sub(1)
}

pub(super) fn each(mut cells: Cells) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        (cells != NONE).then(|| {
            let cell = first(cells);
            cells = rest(cells);
            cell
        })
    })
}

/// What is orthogonally next to the cells of a set. May stick out of the board.
#[inline]
pub(super) const fn beside(cells: Cells) -> Cells {
    cells << 8 | cells >> 8 | cells << 1 | cells >> 1
}

/// All that can be reached from `seed` without leaving `within`.
#[inline]
pub(super) const fn flood(seed: Cells, within: Cells) -> Cells {
    let mut reached = seed & within;
    loop {
        let grown = (reached | beside(reached)) & within;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

/// [`flood`] for several at once, which takes no longer than the longest of them alone.
#[inline]
pub(super) fn floods<const N: usize>(seeds: [Cells; N], within: [Cells; N]) -> [Cells; N] {
    let mut reached = seeds;
    loop {
        let mut changed = NONE;
        for (reached, within) in reached.iter_mut().zip(within) {
            let grown = (*reached | beside(*reached)) & within;
            changed |= grown ^ *reached;
            *reached = grown;
        }
        if changed == NONE {
            return reached;
        }
    }
}

/// The island that the first cell of a set belongs to.
#[inline]
pub(super) const fn first_island(cells: Cells) -> Cells {
    flood(cells & cells.wrapping_neg(), cells)
}

pub(super) fn islands(mut cells: Cells) -> impl Iterator<Item = Cells> {
    std::iter::from_fn(move || {
        (cells != NONE).then(|| {
            let island = first_island(cells);
            cells &= !island;
            island
        })
    })
}

/// Whether there is anything, and all of it hangs together.
#[inline]
pub(super) const fn is_one_island(cells: Cells) -> bool {
    // Most sets that do not hang together have a lone cell: no need to flood those.
    let lone = cells & !beside(cells);
    if lone != NONE {
        return cells == lone & lone.wrapping_neg();
    }
    cells != NONE && first_island(cells) == cells
}

/// The cells whose neighbours in `cells` hang together by way of the eight cells around: taking
/// such a cell away never parts the set.
#[inline]
pub(super) const fn removable(cells: Cells) -> Cells {
    let (north, south, west, east) = (cells << 8, cells >> 8, cells << 1, cells >> 1);
    // Going round, a group of neighbours ends where the next corner or the next side is missing.
    let after_north = north & !(cells << 7 & east);
    let after_east = east & !(cells >> 9 & south);
    let after_south = south & !(cells >> 7 & west);
    let after_west = west & !(cells << 9 & north);
    let two_ends = (after_north & after_east)
        | (after_south & after_west)
        | ((after_north | after_east) & (after_south | after_west));
    !two_ends
}

/// The smallest rectangle around a set that has a cell.
#[inline]
pub(super) const fn rectangle(cells: Cells) -> Cells {
    const ROW: Cells = 0xff;
    const COLUMN: Cells = 0x0101_0101_0101_0101;
    let top = cells.trailing_zeros() / 8;
    let bottom = 7 - cells.leading_zeros() / 8;
    let mut columns = cells | cells >> 32;
    columns |= columns >> 16;
    columns = (columns | columns >> 8) & ROW;
    let left = columns.trailing_zeros();
    let right = 63 - columns.leading_zeros();
    let across = (ROW << left) & (ROW >> (7 - right));
    let down = (Cells::MAX << (top * 8)) & (Cells::MAX >> ((7 - bottom) * 8));
    (across * COLUMN) & down
}

/// A shortest way from cell to cell that stays within a set, both ends included. There must be one.
pub(super) fn shortest_path(from: Cell, to: Cell, within: Cells) -> Vec<Cell> {
    // Waves from the goal, so that the way is walked forwards.
    let mut waves = vec![bit(to)];
    let mut reached = bit(to);
    while reached & bit(from) == NONE {
        let wave = beside(reached) & within & !reached;
        assert!(wave != NONE, "no way from {from} to {to}");
        reached |= wave;
        waves.push(wave);
    }
    let mut path = vec![from];
    let mut last = from;
    for wave in waves.iter().rev().skip(1) {
        last = first(beside(bit(last)) & wave);
        path.push(last);
    }
    path
}
