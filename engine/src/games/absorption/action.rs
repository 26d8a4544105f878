//! What a player does in Absorption.

use super::board::{Set, Square};

/// The smallest choice a player makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The pile on `from` goes to pieces, one to every square of `to`: a square that is named twice
    /// gets two.
    Split {
        from: Square,
        to: Trio,
    },
    /// The piles on `others` join the one on `onto`.
    Merge {
        onto: Square,
        others: Trio,
    },
    Move {
        from: Square,
        to: Square,
    },
    /// No more moves this turn.
    End,
    /// The pile on `from` joins the piles on `into`, one piece for every time that a square is
    /// named.
    Absorb {
        from: Square,
        into: Trio,
    },
}

impl Action {
    /// The square that it is done on: that of the pile which splits or moves or is absorbed, or of
    /// the one that others join.
    pub(super) fn place(self) -> usize {
        match self {
            Action::Split { from: square, .. }
            | Action::Merge { onto: square, .. }
            | Action::Move { from: square, .. }
            | Action::Absorb { from: square, .. } => square.index(),
            Action::End => 0,
        }
    }
}

/// One to three squares in order, perhaps with repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trio {
    squares: [Square; 3],
    len: u8,
}

impl Trio {
    /// The squares must be in order.
    #[inline]
    pub(super) fn one(square: Square) -> Trio {
        Trio { squares: [square, Square::default(), Square::default()], len: 1 }
    }

    /// The squares must be in order.
    #[inline]
    pub(super) fn two(first: Square, second: Square) -> Trio {
        debug_assert!(first <= second);
        Trio { squares: [first, second, Square::default()], len: 2 }
    }

    /// The squares must be in order.
    #[inline]
    pub(super) fn three(first: Square, second: Square, third: Square) -> Trio {
        debug_assert!(first <= second && second <= third);
        Trio { squares: [first, second, third], len: 3 }
    }

    /// Two pieces to one square and a third to another.
    #[inline]
    pub(super) fn two_and_one(double: Square, single: Square) -> Trio {
        if double < single {
            Trio::three(double, double, single)
        } else {
            Trio::three(single, double, double)
        }
    }

    /// `None` unless there are one to three squares.
    pub(super) fn sorted(squares: &[Square]) -> Option<Trio> {
        let mut squares = squares.to_vec();
        squares.sort_unstable();
        match *squares {
            [one] => Some(Trio::one(one)),
            [first, second] => Some(Trio::two(first, second)),
            [first, second, third] => Some(Trio::three(first, second, third)),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn squares(&self) -> &[Square] {
        &self.squares[..usize::from(self.len.min(3))]
    }

    #[inline]
    pub(super) fn set(&self) -> Set {
        self.squares().iter().fold(0, |set, square| set | square.bit())
    }

    /// How often a square is named.
    pub(super) fn count(&self, square: Square) -> u8 {
        self.squares().iter().filter(|&&other| other == square).count() as u8
    }
}
