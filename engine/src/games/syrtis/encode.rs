//! Syrtis in numbers. A seat sees the tiles as its own or not: by colour, by shape, by both. As
//! long as no sides are taken, everybody looks with light's eyes.

use tabuleiro_protocol::{Cell, NumberRange, Seat};

use super::board::{Kind, Side};
use super::cells::{NONE, bit};
use super::{Action, OWN_PASSES, Phase, QUICKSAND, Syrtis, notation};
use crate::game::{Encode, PlaneStack, ranges};

/// Actions by the range of numbers that they belong to.
const MOVE: u32 = 0;
const SLIDE: u32 = 1;

impl Encode<Action> for Syrtis {
    fn numbers(&self) -> Vec<NumberRange> {
        let cells = self.cells();
        ranges([
            (cells * cells, "move a tower, by cell from where, and among these by cell to where"),
            (
                cells * cells,
                "slide a tile with its tower, by cell from where, and among these by cell to where",
            ),
            (cells, "sink a tile, by cell"),
            (cells, "place a light tower, by cell"),
            (cells, "place a dark tower, by cell"),
            (self.rules.layout.pairs().into(), "swap the tiles of a pair, by pair"),
            (1, "take light"),
            (1, "take dark"),
            (1, "pass"),
        ])
    }

    fn code(&self, action: Action) -> Vec<u32> {
        let cells = self.cells();
        let at =
            |cell: Cell| u32::from(cell.row) * u32::from(self.rules.layout.size) + u32::from(cell.column);
        let pairs = u32::from(self.rules.layout.pairs());
        let single = 2 * cells * cells;
        let number = match action {
            Action::Move { from, to } => (MOVE * cells + at(from)) * cells + at(to),
            Action::Slide { from, to } => (SLIDE * cells + at(from)) * cells + at(to),
            Action::Sink(cell) => single + at(cell),
            Action::Tower { side, cell } => single + (1 + side as u32) * cells + at(cell),
            Action::Swap { pair } => single + 3 * cells + u32::from(pair),
            Action::Take(side) => single + 3 * cells + pairs + side as u32,
            Action::Pass => single + 3 * cells + pairs + 2,
        };
        vec![number]
    }

    fn decode(&self, code: &[u32]) -> Option<Action> {
        let &[number] = code else { return None };
        let (cells, size) = (self.cells(), u32::from(self.rules.layout.size));
        let at = |number: u32| Cell::new((number % cells % size) as u8, (number % cells / size) as u8);
        let pairs = u32::from(self.rules.layout.pairs());
        let Some(single) = number.checked_sub(2 * cells * cells) else {
            let (from, to) = (at(number / cells), at(number));
            return match number / (cells * cells) {
                _ if from == to => None,
                MOVE => Some(Action::Move { from, to }),
                _ => Some(Action::Slide { from, to }),
            };
        };
        match (single / cells, single.checked_sub(3 * cells)) {
            (0, _) => Some(Action::Sink(at(single))),
            (1, _) => Some(Action::Tower { side: Side::Light, cell: at(single) }),
            (2, _) => Some(Action::Tower { side: Side::Dark, cell: at(single) }),
            (_, Some(pair)) if pair < pairs => Some(Action::Swap { pair: pair as u8 }),
            (_, Some(word)) => match word - pairs {
                0 => Some(Action::Take(Side::Light)),
                1 => Some(Action::Take(Side::Dark)),
                2 => Some(Action::Pass),
                _ => None,
            },
            _ => None,
        }
    }

    fn spelt(&self, text: &str) -> Option<Action> {
        notation::spelt(text, self.rules.layout)
    }

    fn planes(&self, seat: Seat) -> PlaneStack {
        let (now, board) = (&self.position, self.board());
        let size = self.rules.layout.size;
        let is_settled = now.phase == Phase::Play;
        let side = if is_settled { self.side(seat) } else { Side::Light };
        let is_light = side == Side::Light;
        let is_kind = |colour: bool, shape: bool| {
            let kind = Kind { light: colour == is_light, circle: shape == is_light };
            move |cell| board.kind(cell) == Some(kind)
        };
        let has_tower = |side| move |cell| board.towers(side) & bit(cell) != NONE;
        let limit = self.rules.turn_limit;
        let (us, them) = (seat.index(), (!seat).index());
        let most_in_succession = self.rules.passes_in_succession().into();
        PlaneStack::new(size, size)
            .marks("own_both", is_kind(true, true))
            .marks("own_colour", is_kind(true, false))
            .marks("own_shape", is_kind(false, true))
            .marks("own_neither", is_kind(false, false))
            .marks("own_tower", has_tower(side))
            .marks("enemy_tower", has_tower(side.other()))
            .whether("turn", now.outcome.is_none() && now.to_move == seat)
            .whether("swap", now.phase == Phase::Swap)
            .whether("towers", now.phase == Phase::Towers)
            .whether("choose", now.phase == Phase::Choose)
            .whether("light", is_settled && is_light)
            .everywhere("own_sinks", QUICKSAND.into(), now.sinks[us].into())
            .everywhere("enemy_sinks", QUICKSAND.into(), now.sinks[them].into())
            .everywhere("own_passes", OWN_PASSES.into(), now.passes[us].into())
            .everywhere("enemy_passes", OWN_PASSES.into(), now.passes[them].into())
            .everywhere("streak", most_in_succession, now.streak.into())
            .whether("own_last_sink", now.last_sinker == Some(seat))
            .whether("enemy_last_sink", now.last_sinker == Some(!seat))
            .everywhere("turns_left", limit as u16, limit.saturating_sub(now.turns) as u16)
            .everywhere("repeated", 2, self.times_before() as u16)
    }
}

impl Syrtis {
    fn cells(&self) -> u32 {
        let size = u32::from(self.rules.layout.size);
        size * size
    }

    /// How often the position was there before, with the same seat to move.
    fn times_before(&self) -> usize {
        match self.history.split_last() {
            Some((&this, before)) => self.occurrences(before, this),
            None => 0,
        }
    }
}
