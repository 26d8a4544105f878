//! What helps people at the board: things to see on it, and why they cannot do something.

use tabuleiro_protocol::{Fact, Overlay, Seat};

use super::board::{Family, Side};
use super::cells::{Cells, each, islands};
use super::{Phase, QUICKSAND, Syrtis};
use crate::game::{Describe, capitalized};
use tabuleiro_protocol::Cell;

impl Syrtis {
    /// The islands, those of the side to move first.
    pub(super) fn sights(&self) -> Vec<Overlay> {
        let sides = match self.position.phase {
            Phase::Play => {
                let side = self.side(self.position.to_move);
                [side, side.other()]
            }
            _ => Side::BOTH,
        };
        let families = sides.into_iter().flat_map(Side::families);
        families.flat_map(|family| self.islands_of(family)).collect()
    }

    /// The islands of every colour and shape, and what decides when nobody has one.
    pub(super) fn standing(&self) -> Vec<Fact> {
        let now = &self.position;
        let in_play = now.phase == Phase::Play;
        let mut facts = Vec::new();
        for family in Side::BOTH.into_iter().flat_map(Side::families) {
            let all = self.board().family(family);
            let (count, largest) =
                (islands(all).count(), islands(all).map(Cells::count_ones).max().unwrap_or(0));
            let plural = if count == 1 { "" } else { "s" };
            facts.push(Fact {
                // Short enough for a line beside the board.
                name: capitalized(family.tiles().trim_end_matches(" tiles")),
                text: format!("{count} island{plural}, largest {largest} of {}", all.count_ones()),
                seat: in_play.then(|| self.seat(family.owner())),
            });
        }
        if !in_play {
            return facts;
        }
        for seat in Seat::BOTH {
            let fact = |name: &str, text| Fact { name: name.into(), text, seat: Some(seat) };
            facts.push(fact("Sunk in a row", format!("{} of {QUICKSAND}", now.sinks[seat.index()])));
            facts.extend(
                (now.passes[seat.index()] > 0)
                    .then(|| fact("Passes in a row", now.passes[seat.index()].to_string())),
            );
        }
        let last = now.last_sinker.map_or("none yet".into(), |seat| capitalized(self.side(seat).name()));
        facts.push(Fact { name: "Last sink".into(), text: last, seat: None });
        facts
    }

    fn islands_of(&self, family: Family) -> Vec<Overlay> {
        let all = self.board().family(family);
        let (tiles, count) = (family.tiles(), islands(all).count());
        let seat = (self.position.phase == Phase::Play).then(|| self.seat(family.owner()));
        let overlay = |island: Cells| Overlay {
            name: "island".into(),
            text: match count {
                1 => format!("All {} {tiles} are connected, which wins.", all.count_ones()),
                _ => format!(
                    "{} of the {} {tiles}: one of {count} islands that must become one to win.",
                    island.count_ones(),
                    all.count_ones()
                ),
            },
            seat,
            cells: each(island).map(|cell| cell.to_string()).collect(),
        };
        islands(all).map(overlay).collect()
    }

    pub(super) fn why_not(&self, cells: &[Cell]) -> String {
        let cell = cells[0];
        match self.position.phase {
            Phase::Swap => self.why_no_swap(cell),
            Phase::Towers if self.may_be_either(cell) => {
                format!("say whether the tower on {cell} is light or dark")
            }
            Phase::Towers => {
                let side = Side::BOTH.into_iter().find(|&side| self.towers_left(side) > 0);
                let side = side.unwrap_or(Side::Light);
                self.comment(&format!("{}@{cell}", side.tower()))
            }
            Phase::Choose => self.comment(""),
            Phase::Play => self.why_no_turn(cell, cells.get(1).copied()),
        }
    }

    fn why_no_swap(&self, cell: Cell) -> String {
        let layout = self.rules.layout;
        let Some(number) = layout.number(cell) else { return format!("there is no tile on {cell}") };
        let [odd, even] = layout.pair((number - 1) / 2);
        if cell == odd {
            format!("the tile on {odd} is swapped with its opposite on {even}")
        } else {
            format!("the tile on {even} is swapped with its opposite on {odd}: point at that one first")
        }
    }

    fn why_no_turn(&self, cell: Cell, to: Option<Cell>) -> String {
        let board = self.board();
        match (board.tower(cell), to) {
            (None, _) => self.comment(&format!("x{cell}")),
            (Some(_), Some(to)) if board.kind(to).is_some() => self.comment(&format!("{cell}-{to}")),
            (Some(_), Some(to)) => self.comment(&format!("{cell}~{to}")),
            (Some(side), None) if side == self.side(self.position.to_move) => {
                format!("the tower on {cell} can neither move to another tile nor take its own one elsewhere")
            }
            (Some(_), None) => self.comment(&format!("{cell}-{cell}")),
        }
    }
}
