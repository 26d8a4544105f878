//! What helps people at the board: things to see on it, and why they cannot do something.

use tabuleiro_protocol::{Overlay, Seat};

use super::board::Square;
use super::describe::size;
use super::{Absorption, Phase, Refusal, Situation, notation};
use crate::game::Describe;
use tabuleiro_protocol::Cell;

impl Absorption {
    /// The piles that could be absorbed if nothing moved any more.
    pub(super) fn sights(&self) -> Vec<Overlay> {
        let endangered = |seat: Seat| {
            let hunter = Situation { seat: !seat, ..self.now };
            let overlay = |square: Square| Overlay {
                name: "endangered".into(),
                text: format!(
                    "The {} pile on {square} can be absorbed by the piles next to it as they stand.",
                    size(hunter.enemy().height(square))
                ),
                seat: Some(seat),
                cells: vec![square.to_string()],
            };
            hunter.victims(self.rules.captors).map(overlay).collect::<Vec<_>>()
        };
        Seat::BOTH.into_iter().flat_map(endangered).collect()
    }

    pub(super) fn why_not(&self, cells: &[Cell]) -> String {
        let (first, others) = (cells[0], &cells[1..]);
        let others: Vec<String> = others.iter().map(Cell::to_string).collect();
        let others = others.join(",");
        match (self.now.phase, others.is_empty()) {
            (Phase::Main, true) => self.why_neither_split_nor_merge(first),
            (Phase::Main, false) => {
                let onto_a_pile = Square::at(cells[1]).is_some_and(|square| !square.is_in(self.now.empty()));
                self.comment(&format!("{first}{}{others}", if onto_a_pile { '+' } else { '/' }))
            }
            (Phase::Moves, true) => match notation::read(self, &format!("{first}-{first}")) {
                Err(Refusal::Crooked { from, .. }) => {
                    format!("the pile on {from} has no empty cell to go to")
                }
                Err(refusal) => refusal.to_string(),
                Ok(_) => self.prompt(),
            },
            (Phase::Moves, false) => self.comment(&format!("{first}-{others}")),
            // Which piles would receive the pieces does not matter as long as there are none that
            // could.
            (Phase::Absorb, true) => self.comment(&format!("{first}*{first}")),
            (Phase::Absorb, false) => self.comment(&format!("{first}*{others}")),
        }
    }

    fn why_neither_split_nor_merge(&self, cell: Cell) -> String {
        match notation::read(self, &format!("{cell}/{cell}")) {
            Err(Refusal::SmallSplit(square)) => {
                format!(
                    "the pile on {square} is small and cannot be split, and no pile next to it can merge with it"
                )
            }
            Err(Refusal::SplitTooFar { from, .. }) => match self.now.own().height(from) {
                2 => format!(
                    "the pile on {from} has no room to split, which takes two empty cells next to it, and no small pile to merge with"
                ),
                _ => format!("the pile on {from} has no room to split: it takes two empty cells next to it"),
            },
            Err(refusal) => refusal.to_string(),
            Ok(_) => self.prompt(),
        }
    }
}
