//! The 8x8 board as sets of squares, and one seat's piles on it.

use std::fmt;

use tabuleiro_protocol::Cell;

/// Cells in a row, and rows.
pub(super) const SIZE: u8 = 8;

/// A set of squares, one bit for each.
pub(super) type Set = u64;

/// A cell of the board by number, column after column: so the order of the numbers is that of the
/// cells' names as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    pub(super) fn at(cell: Cell) -> Option<Square> {
        (cell.column < SIZE && cell.row < SIZE).then(|| Square(cell.column * SIZE + cell.row))
    }

    pub(super) fn cell(self) -> Cell {
        Cell::new(self.0 / SIZE, self.0 % SIZE)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        // The mask never changes anything; it spares the check of every table's bounds.
        usize::from(self.0 & 63)
    }

    #[inline]
    pub(super) fn bit(self) -> Set {
        1 << self.index()
    }

    pub(super) fn is_in(self, set: Set) -> bool {
        self.bit() & set != 0
    }

    /// The square halfway to one that lies two steps away in a straight line.
    #[inline]
    pub(super) fn halfway(self, other: Square) -> Square {
        Square((self.0 + other.0) / 2)
    }

    /// Where a step of one or two cells (`run` is 0 to 15: two for each direction, the shorter one
    /// first) leads.
    #[inline]
    pub(super) fn run(self, run: usize) -> Option<Square> {
        let to = RUNS[self.index()][run & 15];
        (to != NOWHERE).then_some(Square(to))
    }

    /// The 8 neighbours.
    #[inline]
    pub(super) fn neighbours(self) -> Set {
        NEIGHBOURS[self.index()]
    }

    /// The 4 orthogonal neighbours.
    #[inline]
    pub(super) fn sides(self) -> Set {
        SIDES[self.index()]
    }

    /// The squares two steps away in a straight line.
    #[inline]
    pub(super) fn two_steps(self) -> Set {
        TWO_STEPS[self.index()]
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cell().fmt(f)
    }
}

/// The squares of a set, in order.
#[inline]
pub(super) fn squares(mut set: Set) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = first(set)?;
        set &= set - 1;
        Some(square)
    })
}

#[inline]
pub(super) fn first(set: Set) -> Option<Square> {
    (set != 0).then(|| Square(set.trailing_zeros() as u8))
}

/// The square of a set that `n` others come before. There must be as many.
#[inline]
pub(super) fn nth(mut set: Set, n: u32) -> Square {
    for _ in 0..n {
        set &= set - 1;
    }
    Square(set.trailing_zeros() as u8)
}

const TOP: Set = 0x0101_0101_0101_0101;
const BOTTOM: Set = TOP << (SIZE - 1);

const fn up_and_down(set: Set) -> Set {
    (set & !TOP) >> 1 | (set & !BOTTOM) << 1
}

/// All that is orthogonally next to something of the set.
#[inline]
pub(super) const fn beside(set: Set) -> Set {
    up_and_down(set) | set << SIZE | set >> SIZE
}

/// By side: the squares that have something of the set on that side.
#[inline]
pub(super) const fn from_each_side(set: Set) -> [Set; 4] {
    [(set & !TOP) >> 1, (set & !BOTTOM) << 1, set << SIZE, set >> SIZE]
}

/// All that is next to something of the set, also diagonally.
#[inline]
pub(super) const fn around(set: Set) -> Set {
    let vertical = up_and_down(set);
    let tall = set | vertical;
    vertical | tall << SIZE | tall >> SIZE
}

const NOWHERE: u8 = 64;
const DIRECTIONS: [(i8, i8); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

static NEIGHBOURS: [Set; 64] = neighbours();
static SIDES: [Set; 64] = sides();
static TWO_STEPS: [Set; 64] = two_steps();
static RUNS: [[u8; 16]; 64] = runs();

const fn neighbours() -> [Set; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = around(1 << square);
        square += 1;
    }
    table
}

const fn sides() -> [Set; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = beside(1 << square);
        square += 1;
    }
    table
}

const fn two_steps() -> [Set; 64] {
    let runs = runs();
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut run = 1;
        while run < 16 {
            if runs[square][run] != NOWHERE {
                table[square] |= 1 << runs[square][run];
            }
            run += 2;
        }
        square += 1;
    }
    table
}

const fn runs() -> [[u8; 16]; 64] {
    let size = SIZE as i8;
    let mut table = [[NOWHERE; 16]; 64];
    let mut square = 0;
    while square < 64 {
        let mut run = 0;
        while run < 16 {
            let (columns, rows) = DIRECTIONS[run / 2];
            let steps = 1 + (run % 2) as i8;
            let column = square as i8 / size + steps * columns;
            let row = square as i8 % size + steps * rows;
            if 0 <= column && column < size && 0 <= row && row < size {
                table[square][run] = (column * size + row) as u8;
            }
            run += 1;
        }
        square += 1;
    }
    table
}

/// One seat's piles. A pile has one piece if it is in `low`, and two (more) if it is in `high`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Piles {
    low: Set,
    high: Set,
}

impl Piles {
    #[inline]
    pub(super) fn all(self) -> Set {
        self.low | self.high
    }

    /// The piles of one or three.
    #[inline]
    pub(super) fn low(self) -> Set {
        self.low
    }

    /// The piles of two or three.
    #[inline]
    pub(super) fn high(self) -> Set {
        self.high
    }

    #[inline]
    pub(super) fn small(self) -> Set {
        self.low & !self.high
    }

    #[inline]
    pub(super) fn medium(self) -> Set {
        self.high & !self.low
    }

    #[inline]
    pub(super) fn large(self) -> Set {
        self.low & self.high
    }

    /// The pieces on a square, 0 to 3.
    #[inline]
    pub(super) fn height(self, square: Square) -> u8 {
        ((self.low >> square.index() & 1) + 2 * (self.high >> square.index() & 1)) as u8
    }

    #[inline]
    pub(super) fn set_height(&mut self, square: Square, height: u8) {
        self.low = self.low & !square.bit() | Set::from(height & 1) << square.index();
        self.high = self.high & !square.bit() | Set::from(height >> 1) << square.index();
    }

    /// These, and smalls and mediums on some empty squares.
    #[inline]
    pub(super) fn with(self, smalls: Set, mediums: Set) -> Piles {
        Piles { low: self.low | smalls, high: self.high | mediums }
    }

    pub(super) fn pieces(self) -> u32 {
        self.pieces_in(Set::MAX)
    }

    /// How many more pieces the piles on these squares could take in.
    #[inline]
    pub(super) fn room_in(self, set: Set) -> u32 {
        2 * (self.small() & set).count_ones() + (self.medium() & set).count_ones()
    }

    #[inline]
    pub(super) fn pieces_in(self, set: Set) -> u32 {
        (self.low & set).count_ones() + 2 * (self.high & set).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse::<Cell>().ok().and_then(Square::at).unwrap()
    }

    fn names(set: Set) -> Vec<String> {
        squares(set).map(|square| square.to_string()).collect()
    }

    #[test]
    fn squares_come_in_the_order_of_their_names() {
        let names = names(Set::MAX);
        assert_eq!(names.len(), 64);
        assert!(names.is_sorted());
    }

    #[test]
    fn nothing_wraps_around_an_edge() {
        assert_eq!(names(square("a1").neighbours()), ["a2", "b1", "b2"]);
        assert_eq!(names(square("h8").neighbours()), ["g7", "g8", "h7"]);
        assert_eq!(names(square("c8").sides()), ["b8", "c7", "d8"]);
        assert_eq!(names(square("c1").sides()), ["b1", "c2", "d1"]);
        assert_eq!(names(square("b7").two_steps()), ["b5", "d5", "d7"]);
        assert_eq!(names(square("d4").two_steps()), ["b2", "b4", "b6", "d2", "d6", "f2", "f4", "f6"]);
    }

    #[test]
    fn runs_lead_to_the_neighbours_and_two_steps_away() {
        for from in squares(Set::MAX) {
            let reached = (0..16).filter_map(|run| from.run(run)).fold(0, |set, to| set | to.bit());
            assert_eq!(reached, from.neighbours() | from.two_steps(), "{from}");
        }
        assert_eq!(square("b2").halfway(square("d4")), square("c3"));
        assert_eq!(square("d2").halfway(square("b4")), square("c3"));
    }

    #[test]
    fn a_pile_has_the_height_it_was_given() {
        let mut piles = Piles::default();
        for height in [3, 1, 2, 0, 2] {
            piles.set_height(square("e5"), height);
            assert_eq!(piles.height(square("e5")), height);
            assert_eq!(piles.pieces(), u32::from(height));
        }
    }

    #[test]
    fn pieces_and_room_are_those_of_the_squares_asked_for() {
        let mut piles = Piles::default();
        for (place, height) in [("a1", 1), ("b2", 2), ("c3", 3), ("h8", 1), ("g7", 2)] {
            piles.set_height(square(place), height);
        }
        let some = [("a1", 2, 1), ("b2", 1, 2), ("c3", 0, 3), ("d4", 0, 0)];
        for (place, room, pieces) in some {
            let set = square(place).bit();
            assert_eq!((piles.room_in(set), piles.pieces_in(set)), (room, pieces), "{place}");
        }
        let set = some.iter().fold(0, |set, (place, ..)| set | square(place).bit());
        assert_eq!((piles.room_in(set), piles.pieces_in(set)), (3, 6));
        assert_eq!((piles.room_in(Set::MAX), piles.pieces()), (6, 9));
    }
}
