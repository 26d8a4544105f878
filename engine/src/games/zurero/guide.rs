//! What helps people at the board: things to see on it, and why they cannot do something.

use tabuleiro_protocol::{Overlay, Seat};

use super::describe::spell;
use super::edge::Entry as _;
use super::notation::line_name;
use super::{Action, Edge, Zurero};
use crate::game::Describe;
use tabuleiro_protocol::Cell;

impl Zurero {
    /// Lines that lack one stone.
    pub(super) fn sights(&self) -> Vec<Overlay> {
        let fours = |seat: Seat| {
            let colour = self.sides()[seat.index()].unwrap_or_default();
            let four = move |cells: Vec<Cell>| Overlay {
                name: "four".into(),
                text: format!("Four {colour} stones in a row."),
                seat: Some(seat),
                cells: spell(&cells),
            };
            self.lines(seat, 4).into_iter().filter(|line| line.len() == 4).map(four)
        };
        Seat::BOTH.into_iter().flat_map(fours).collect()
    }

    pub(super) fn why_not(&self, cells: &[Cell], edge: Option<&str>) -> String {
        let cell = cells[0];
        if self.is_opening() {
            if self.read(&self.write(Action::Place(cell))).is_ok() {
                return format!("a stone is placed on {cell} and stays there: point at one cell only");
            }
            return format!("{cell} is not in the centre, where the first stone goes");
        }
        let entries = Edge::ALL.into_iter().filter(|side| edge.is_none_or(|edge| edge == side.name()));
        let mut entries = entries
            .map(|edge| (edge, edge.entry_and_place(cell).0))
            .filter(|&(edge, line)| self.cell_from(edge, line, 0) == cell);
        let Some((edge, line)) = entries.next() else {
            return "stones come in from the edge: point at the first cell of a row or column".into();
        };
        if self.may_enter(edge, line) {
            let stop = self.slide(edge, line).stop;
            let (from, name) = (edge.name(), line_name(edge, line));
            return format!("a stone that comes in from the {from} along {name} stops on {stop}");
        }
        self.comment(&self.spelling(Action::Slide(edge, line)))
    }
}
