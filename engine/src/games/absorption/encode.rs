//! Absorption in numbers. There are too many ways to split a pile for a number each: a code is what
//! is done and where, then a number for each further cell of the action.

use tabuleiro_protocol::{Cell, NumberRange, Seat};

use super::board::{SIZE, Set, Square, around, squares};
use super::{Absorption, Action, Phase, Trio, notation, setup};
use crate::game::{Encode, PlaneStack, ranges};

const CELLS: u32 = 64;
const SPLIT: u32 = 0;
const MERGE: u32 = 1;
const MOVE: u32 = 2;
const ABSORB: u32 = 3;
const FURTHER: u32 = 4;
/// No more moves this turn.
const END: u32 = 5 * CELLS;
/// A merge has no third pile.
const NO_THIRD: u32 = END + 1;

impl Encode<Action> for Absorption {
    fn numbers(&self) -> Vec<NumberRange> {
        ranges([
            (CELLS, "split the pile, by cell; a number for each piece follows"),
            (CELLS, "merge into the pile, by cell; the one or two piles that join it follow"),
            (CELLS, "move the pile, by cell; where to follows"),
            (CELLS, "absorb the enemy pile, by cell; a number for each piece follows"),
            (CELLS, "a further cell of the action, by cell"),
            (1, "end the moves"),
            (1, "merge two piles only, after the second"),
        ])
    }

    fn longest(&self) -> usize {
        4
    }

    fn code(&self, action: Action) -> Vec<u32> {
        let (what, first, further) = match action {
            Action::Split { from, to } => (SPLIT, from, to),
            Action::Merge { onto, others } => (MERGE, onto, others),
            Action::Move { from, to } => (MOVE, from, Trio::one(to)),
            Action::Absorb { from, into } => (ABSORB, from, into),
            Action::End => return vec![END],
        };
        let number = |what: u32, square: Square| {
            let cell = square.cell();
            what * CELLS + u32::from(cell.row) * u32::from(SIZE) + u32::from(cell.column)
        };
        let mut code = vec![number(what, first)];
        code.extend(further.squares().iter().map(|&square| number(FURTHER, square)));
        if what == MERGE && code.len() == 2 {
            code.push(NO_THIRD);
        }
        code
    }

    fn decode(&self, code: &[u32]) -> Option<Action> {
        if code == [END] {
            return Some(Action::End);
        }
        let (&first, further) = code.split_first()?;
        let (what, first) = (first / CELLS, numbered(first % CELLS)?);
        let further = match further {
            [other, NO_THIRD] if what == MERGE => &[*other],
            [_] if what == MERGE => return None,
            further => further,
        };
        let further = further.iter().map(|&number| match number / CELLS {
            FURTHER => numbered(number % CELLS),
            _ => None,
        });
        let further: Vec<Square> = further.collect::<Option<_>>()?;
        let sorted = Trio::sorted(&further).filter(|_| further.is_sorted())?;
        let action = match what {
            SPLIT => Action::Split { from: first, to: sorted },
            MERGE => Action::Merge { onto: first, others: sorted },
            MOVE => Action::Move { from: first, to: further[0] },
            ABSORB => Action::Absorb { from: first, into: sorted },
            _ => return None,
        };
        (can_ever_be_legal(action) && self.code(action) == code).then_some(action)
    }

    fn spelt(&self, text: &str) -> Option<Action> {
        notation::spelt(text)
    }

    fn planes(&self, seat: Seat) -> PlaneStack {
        let now = &self.now;
        let [own, enemy] = [seat, !seat].map(|seat| now.piles[seat.index()]);
        let is_in = |set: Set| move |cell: Cell| Square::at(cell).is_some_and(|square| square.is_in(set));
        let limit = self.rules.turn_limit;
        let before = self.begun.split_last().map_or(&[][..], |(_, before)| before);
        let goes_on = now.outcome.is_none();
        PlaneStack::new(SIZE, SIZE)
            .marks("own_small", is_in(own.small()))
            .marks("own_medium", is_in(own.medium()))
            .marks("own_large", is_in(own.large()))
            .marks("enemy_small", is_in(enemy.small()))
            .marks("enemy_medium", is_in(enemy.medium()))
            .marks("enemy_large", is_in(enemy.large()))
            .everywhere("own_points", setup::PIECES as u16, own.pieces() as u16)
            .everywhere("enemy_points", setup::PIECES as u16, enemy.pieces() as u16)
            .whether("turn", goes_on && now.seat == seat)
            .whether("moves", goes_on && now.phase == Phase::Moves)
            .whether("absorb", goes_on && now.phase == Phase::Absorb)
            .marks("runner", is_in(now.runners))
            .marks("spent", is_in(now.spent))
            .marks("origin", is_in(now.origin))
            .everywhere("turns_left", limit as u16, limit.saturating_sub(now.turns) as u16)
            .everywhere("repeated", 2, self.times_begun(before) as u16)
    }
}

/// The square with this number, counted row by row.
fn numbered(number: u32) -> Option<Square> {
    let size = u32::from(SIZE);
    Square::at(Cell::new((number % size) as u8, (number / size) as u8))
}

/// Whether there are positions in which an action is legal.
fn can_ever_be_legal(action: Action) -> bool {
    match action {
        Action::Split { from, to } => {
            let set = to.set();
            to.squares().len() >= 2 && set.count_ones() >= 2 && set & !from.neighbours() == 0
        }
        Action::Merge { onto, others } => {
            let all = onto.bit() | others.set();
            let number = others.squares().len();
            number <= 2
                && all.count_ones() as usize == number + 1
                && squares(all).all(|square| around(square.bit()) & all != 0)
        }
        Action::Move { from, to } => to.is_in(from.neighbours() | from.two_steps()),
        Action::End => true,
        // A pile has one piece at least, and so takes two at most.
        Action::Absorb { from, into } => {
            into.set() & !from.sides() == 0 && into.squares().iter().all(|&square| into.count(square) <= 2)
        }
    }
}
