//! The stones of one colour, kept by line.

use tabuleiro_protocol::Cell;

/// The largest board has this many rows and columns.
pub(super) const MAX: usize = 19;

const DIAGONALS: usize = 2 * MAX - 1;

/// All lines of the largest board: rows, columns, diagonals going down to the left and diagonals
/// going down to the right. Smaller boards use some of them.
pub(super) const LINES: usize = 2 * MAX + 2 * DIAGONALS;

/// The stones of one colour, kept once along every line they stand on: what happens on a line is
/// then a matter of shifts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stones {
    lines: [u32; LINES],
    /// The lines with two stones or more within five neighbouring cells: the others need no looking
    /// at.
    with_twos: Lines,
    /// The lines with three or more.
    with_threes: Lines,
}

impl Stones {
    pub(super) const NONE: Stones =
        Stones { lines: [0; LINES], with_twos: Lines::NONE, with_threes: Lines::NONE };

    /// Puts a stone on a cell, or takes it away.
    #[inline]
    pub(super) fn toggle(&mut self, cell: Cell) {
        for (line, bit) in lines_through(cell) {
            self.lines[line] ^= bit;
            let windows = Windows::of(self.lines[line]);
            self.with_twos.set(line, windows.with_at_least_two() != 0);
            self.with_threes.set(line, windows.with_at_least_three() != 0);
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

    #[inline]
    pub(super) fn line(&self, line: usize) -> u32 {
        self.lines[line]
    }

    /// The lines with two stones or more within five neighbouring cells.
    #[inline]
    pub(super) fn lines_with_twos(&self) -> impl Iterator<Item = usize> + use<> {
        self.with_twos.members()
    }

    /// The lines with three stones or more within five neighbouring cells.
    #[inline]
    pub(super) fn lines_with_threes(&self) -> impl Iterator<Item = usize> + use<> {
        self.with_threes.members()
    }

    /// Whether there is a five on one of the lines through a cell.
    #[inline]
    pub(super) fn five_near(&self, cell: Cell) -> bool {
        // Without a way out at the first one: nearly always there is none.
        let mut five = false;
        for (line, _) in lines_through(cell) {
            five |= has_five(self.lines[line]);
        }
        five
    }

    pub(super) fn five_anywhere(&self) -> bool {
        self.lines.iter().any(|&line| has_five(line))
    }
}

/// How many stones there are in every five neighbouring cells of a line, each five known by the
/// place of its first cell: a number in the dual system, its digits kept apart.
#[derive(Clone, Copy)]
pub(super) struct Windows {
    ones: u32,
    twos: u32,
    fours: u32,
}

impl Windows {
    #[inline]
    pub(super) fn of(line: u32) -> Windows {
        // Five numbers of one digit are added up, for all places at once.
        let [first, second, third, fourth, fifth] = [line, line >> 1, line >> 2, line >> 3, line >> 4];
        let sum = first ^ second ^ third;
        let carry = first & second | (first ^ second) & third;
        let other_carry = sum & fourth | (sum ^ fourth) & fifth;
        Windows { ones: sum ^ fourth ^ fifth, twos: carry ^ other_carry, fours: carry & other_carry }
    }

    #[inline]
    pub(super) fn with_at_least_two(self) -> u32 {
        self.twos | self.fours
    }

    #[inline]
    pub(super) fn with_at_least_three(self) -> u32 {
        self.twos & self.ones | self.fours
    }

    #[inline]
    pub(super) fn with_two(self) -> u32 {
        self.twos & !self.ones
    }

    #[inline]
    pub(super) fn with_three(self) -> u32 {
        self.twos & self.ones
    }

    #[inline]
    pub(super) fn with_four(self) -> u32 {
        self.fours & !self.ones
    }

    #[inline]
    pub(super) fn with_five(self) -> u32 {
        self.fours & self.ones
    }
}

/// The five neighbouring cells of a line that begin at a place, as bits of the line.
pub(super) const fn window(first: u32) -> u32 {
    0b11111 << first
}

/// The places on the lines of a board of each size.
static CELLS: [[u32; LINES]; MAX + 1] = cells_of_lines();

const fn cells_of_lines() -> [[u32; LINES]; MAX + 1] {
    let mut cells = [[0; LINES]; MAX + 1];
    let mut size = 0;
    while size <= MAX {
        let mut cell = 0;
        while cell < size * size {
            let lines = lines_through(Cell { column: (cell % size) as u8, row: (cell / size) as u8 });
            let mut direction = 0;
            while direction < lines.len() {
                let (line, bit) = lines[direction];
                cells[size][line] |= bit;
                direction += 1;
            }
            cell += 1;
        }
        size += 1;
    }
    cells
}

/// The places of a line that are cells of the board.
#[inline]
pub(super) fn cells_of(size: u8, line: usize) -> u32 {
    CELLS[size as usize][line]
}

/// The places where five neighbouring cells of the board begin on a line.
#[inline]
pub(super) fn first_cells(size: u8, line: usize) -> u32 {
    let cells = cells_of(size, line);
    cells & cells >> 4
}

/// The cell at a place of a line.
#[inline]
pub(super) fn cell_on(line: usize, place: u32) -> Cell {
    let place = place as usize;
    let (column, row) = if line < MAX {
        (place, line)
    } else if line < 2 * MAX {
        (line - MAX, place)
    } else if line < 2 * MAX + DIAGONALS {
        (place, line - 2 * MAX - place)
    } else {
        (place, line - 2 * MAX - DIAGONALS + place - (MAX - 1))
    };
    Cell::new(column as u8, row as u8)
}

/// The places of the bits that are set, lowest first.
#[inline]
pub(super) fn places(mut bits: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        let some = bits != 0;
        bits &= bits.wrapping_sub(1);
        some.then_some(place)
    })
}

/// A set of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lines([u64; 2]);

impl Lines {
    const NONE: Lines = Lines([0; 2]);

    #[inline]
    fn set(&mut self, line: usize, is_member: bool) {
        let word = &mut self.0[line / 64];
        *word = *word & !(1 << (line % 64)) | u64::from(is_member) << (line % 64);
    }

    #[inline]
    fn members(self) -> impl Iterator<Item = usize> {
        let Lines([mut low, mut high]) = self;
        std::iter::from_fn(move || {
            if low != 0 {
                let line = low.trailing_zeros();
                low &= low - 1;
                Some(line as usize)
            } else if high != 0 {
                let line = 64 + high.trailing_zeros();
                high &= high - 1;
                Some(line as usize)
            } else {
                None
            }
        })
    }
}

/// The four lines through a cell, and the cell's bit on each.
#[inline]
pub(super) const fn lines_through(cell: Cell) -> [(usize, u32); 4] {
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
