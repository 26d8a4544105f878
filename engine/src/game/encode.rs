//! A game in numbers, for programs that learn it.

use tabuleiro_protocol::{Cell, NumberRange, PlaneSpace, Planes, Seat, Space};

/// The actions and the board of a game as numbers. A game that has them says so in
/// [`Describe::encoding`](super::Describe::encoding).
///
/// Numbers are kept by people in files of trained nets: once given they never change. They depend
/// on the options, and never on the position. So does the spelling of actions, in a game that has
/// numbers.
pub trait Encode<Action> {
    /// What the numbers mean that codes are made of: from 0 on, all there are.
    fn numbers(&self) -> Vec<NumberRange>;

    /// How many numbers the longest code has.
    fn longest(&self) -> usize {
        1
    }

    /// The code of an action. No code of a legal action begins with the code of another one.
    fn code(&self, action: Action) -> Vec<u32>;

    /// The action that has a code, if there is one that is legal in some position.
    fn decode(&self, code: &[u32]) -> Option<Action>;

    /// The action that a text in lower case spells, if it spells any, legal or not. Others see to
    /// it that it is spelt as it should be.
    fn spelt(&self, text: &str) -> Option<Action>;

    /// The board and all that counts beside it, as a seat sees it.
    fn planes(&self, seat: Seat) -> PlaneStack;
}

/// Ranges of numbers that follow each other.
pub fn ranges<'a>(parts: impl IntoIterator<Item = (u32, &'a str)>) -> Vec<NumberRange> {
    let mut from = 0;
    let range = |(count, meaning): (u32, &str)| {
        let range = NumberRange { from, count, meaning: meaning.into() };
        from += count;
        range
    };
    parts.into_iter().map(range).collect()
}

/// All that is to be known of a game's numbers.
pub(crate) fn space<Action>(encoding: &dyn Encode<Action>) -> Space {
    let numbers = encoding.numbers();
    let longest = encoding.longest();
    Space {
        size: numbers.iter().map(|range| range.count).sum(),
        one_step: longest == 1,
        longest,
        numbers,
        planes: encoding.planes(Seat::One).space(),
    }
}

/// Planes with their names, one number for each cell of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaneStack {
    width: u8,
    height: u8,
    names: Vec<&'static str>,
    high: Vec<u16>,
    data: Vec<u16>,
}

impl PlaneStack {
    /// No planes yet, for a board of so many columns and rows.
    pub fn new(width: u8, height: u8) -> PlaneStack {
        PlaneStack { width, height, names: Vec::new(), high: Vec::new(), data: Vec::new() }
    }

    /// A plane with a number for each cell, none larger than `high`.
    pub fn cells(mut self, name: &'static str, high: u16, number: impl Fn(Cell) -> u16) -> PlaneStack {
        self.names.push(name);
        self.high.push(high);
        for row in 0..self.height {
            self.data.extend((0..self.width).map(|column| number(Cell::new(column, row))));
        }
        self
    }

    /// A plane with 1 on some cells and 0 on the others.
    pub fn marks(self, name: &'static str, is_marked: impl Fn(Cell) -> bool) -> PlaneStack {
        self.cells(name, 1, |cell| is_marked(cell).into())
    }

    /// A plane with the same number everywhere, never larger than `high`.
    pub fn everywhere(self, name: &'static str, high: u16, number: u16) -> PlaneStack {
        self.cells(name, high, |_| number)
    }

    /// A plane with 1 everywhere, or 0.
    pub fn whether(self, name: &'static str, is_so: bool) -> PlaneStack {
        self.everywhere(name, 1, is_so.into())
    }

    fn shape(&self) -> [usize; 3] {
        [self.names.len(), self.height.into(), self.width.into()]
    }

    pub fn space(&self) -> PlaneSpace {
        let names = self.names.iter().map(|name| name.to_string()).collect();
        PlaneSpace { shape: self.shape(), names, high: self.high.clone() }
    }
}

impl From<PlaneStack> for Planes {
    fn from(stack: PlaneStack) -> Planes {
        Planes { shape: stack.shape(), data: stack.data }
    }
}
