//! What helps people at the board: things to see on it, and why they cannot do something.

use tabuleiro_protocol::{Overlay, Seat};

use super::board::{Piles, Square};
use super::describe::size;
use super::{Absorption, Phase, Refusal, Situation, notation};
use crate::game::{Describe, capitalized};
use tabuleiro_protocol::Cell;

/// So many pieces, in words.
fn pieces(count: usize) -> &'static str {
    match count {
        1 => "one piece",
        2 => "two pieces",
        _ => "three pieces",
    }
}

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

    /// What the next click means, once some cells were pointed at.
    pub(super) fn next_place(&self, cells: &[Cell]) -> Option<String> {
        let (first, placed) = (Square::at(cells[0])?, cells.len() - 1);
        let height = |piles: Piles| usize::from(piles.height(first));
        let onto_a_pile =
            cells.get(1).and_then(|&cell| Square::at(cell)).is_some_and(|cell| !cell.is_in(self.now.empty()));
        let (own, enemy) = (height(self.now.own()), height(self.now.enemy()));
        Some(match self.now.phase {
            Phase::Main if placed == 0 => {
                // A small cannot split, and to a large nothing can come.
                let next = match own {
                    1 => "choose a pile of yours that comes to this one",
                    2 => "choose a cell for each piece, or a pile of yours that comes to this one",
                    _ => "choose a cell for each piece",
                };
                format!("{} in hand: {next}.", capitalized(pieces(own)))
            }
            Phase::Main if onto_a_pile => {
                "Choose one more pile that comes along, or choose the last one again: that is enough.".into()
            }
            Phase::Main => format!("{placed} of {own} placed: choose a cell for the next piece."),
            Phase::Moves => "Choose the empty cell that the pile goes to.".into(),
            Phase::Absorb if placed == 0 => {
                format!("{} to be absorbed: choose a pile of yours for each.", capitalized(pieces(enemy)))
            }
            Phase::Absorb => format!("{placed} of {enemy} absorbed: choose the pile that takes the next."),
        })
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
