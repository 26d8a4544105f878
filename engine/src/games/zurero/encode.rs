//! Zurero in numbers.

use tabuleiro_protocol::{Cell, Edge, NumberRange, Seat};

use super::{Action, Zurero};
use crate::game::{Encode, PlaneStack, ranges};

impl Encode<Action> for Zurero {
    fn numbers(&self) -> Vec<NumberRange> {
        let size = self.size.into();
        ranges([
            (size, "slide a stone in from the north, by column"),
            (size, "slide a stone in from the east, by row"),
            (size, "slide a stone in from the south, by column"),
            (size, "slide a stone in from the west, by row"),
            (self.central_columns() * self.central_columns(), "place the first stone, by central cell"),
        ])
    }

    fn code(&self, action: Action) -> Vec<u32> {
        let size = u32::from(self.size);
        let number = match action {
            Action::Slide(edge, line) => edge as u32 * size + u32::from(line),
            Action::Place(cell) => {
                let [column, row] =
                    [cell.column, cell.row].map(|place| u32::from(place - (self.size - 1) / 2));
                4 * size + row * self.central_columns() + column
            }
        };
        vec![number]
    }

    fn decode(&self, code: &[u32]) -> Option<Action> {
        let &[number] = code else { return None };
        let (edge, line) = (number / u32::from(self.size), number % u32::from(self.size));
        match Edge::ALL.get(edge as usize) {
            Some(&edge) => Some(Action::Slide(edge, line as u8)),
            None => self.central_cells().map(Action::Place).find(|&action| self.code(action) == code),
        }
    }

    fn spelt(&self, text: &str) -> Option<Action> {
        match text.strip_prefix('@') {
            Some(cell) => {
                let cell: Cell = cell.parse().ok()?;
                self.central_cells().find(|&central| central == cell).map(Action::Place)
            }
            None => self.spelt_slide(text),
        }
    }

    fn planes(&self, seat: Seat) -> PlaneStack {
        let [own, enemy] = [seat, !seat].map(|seat| &self.stones[seat.index()]);
        PlaneStack::new(self.size, self.size)
            .marks("own", |cell| own.has(cell))
            .marks("enemy", |cell| enemy.has(cell))
            .whether("turn", self.outcome.is_none() && self.to_move == seat)
    }
}

impl Zurero {
    /// In how many columns central cells lie, and in how many rows.
    fn central_columns(&self) -> u32 {
        2 - u32::from(self.size % 2)
    }
}
