//! Fabrik in numbers. Taking a worker elsewhere has two: from where, and to where.

use tabuleiro_protocol::{Cell, NumberRange, Seat};

use super::{Action, Fabrik, Spot, Stage, notation};
use crate::game::{Encode, Game, PlaneStack, ranges};

impl Encode<Action> for Fabrik {
    fn numbers(&self) -> Vec<NumberRange> {
        let cells = self.cells();
        ranges([
            (cells, "place a stone, by cell"),
            (cells, "take up the worker, by cell; the next number puts it down"),
            (cells, "put down a worker, by cell"),
            (1, "black goes first"),
            (1, "white goes first"),
        ])
    }

    fn longest(&self) -> usize {
        2
    }

    fn code(&self, action: Action) -> Vec<u32> {
        let cells = self.cells();
        let number = |spot: Spot| u32::from(self.size) * spot.row() as u32 + spot.column() as u32;
        match action {
            Action::Stone(spot) => vec![number(spot)],
            Action::Move(from, to) => vec![cells + number(from), 2 * cells + number(to)],
            Action::Worker(spot) => vec![2 * cells + number(spot)],
            Action::First(seat) => vec![3 * cells + seat.index() as u32],
        }
    }

    fn decode(&self, code: &[u32]) -> Option<Action> {
        let cells = self.cells();
        let part = |number: u32| (number / cells, self.numbered(number % cells));
        match *code {
            [number] => match part(number) {
                (0, spot) => Some(Action::Stone(spot)),
                (2, spot) => Some(Action::Worker(spot)),
                _ => Seat::BOTH.get(number.checked_sub(3 * cells)? as usize).copied().map(Action::First),
            },
            [from, to] => match (part(from), part(to)) {
                ((1, from), (2, to)) if from != to => Some(Action::Move(from, to)),
                _ => None,
            },
            _ => None,
        }
    }

    fn spelt(&self, text: &str) -> Option<Action> {
        notation::spelt(text, self.size)
    }

    fn planes(&self, seat: Seat) -> PlaneStack {
        let spot = |cell: Cell| Spot::new(cell.column.into(), cell.row.into());
        let [own, enemy] = [seat, !seat].map(|seat| &self.stones[seat.index()]);
        let now = &self.now;
        PlaneStack::new(self.size, self.size)
            .marks("own", |cell| own.contains(spot(cell)))
            .marks("enemy", |cell| enemy.contains(spot(cell)))
            .marks("worker", |cell| now.workers.contains(&spot(cell)))
            .whether("turn", self.outcome().is_none() && now.to_move == seat)
            .whether("choose", now.stage == Stage::Choice)
            .whether("first_stone", now.stage == Stage::FirstStone)
            .whether("place", now.stage == Stage::AfterMove)
    }
}

impl Fabrik {
    fn cells(&self) -> u32 {
        u32::from(self.size) * u32::from(self.size)
    }

    /// The cell with this number, counted row by row.
    fn numbered(&self, number: u32) -> Spot {
        let size = usize::from(self.size);
        Spot::new(number as usize % size, number as usize / size)
    }
}
