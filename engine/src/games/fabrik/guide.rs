//! What helps people at the board: things to see on it, and why they cannot do something.

use tabuleiro_protocol::Overlay;

use super::notation::write;
use super::{Action, Fabrik, Rules, Spot, Spots, Stage};
use crate::game::Describe;
use tabuleiro_protocol::Cell;

impl Fabrik {
    /// What the workers see, each of them and both together.
    pub(super) fn sights(&self) -> Vec<Overlay> {
        let overlay = |name: &str, text, spots: Spots| Overlay {
            name: name.into(),
            text,
            seat: None,
            cells: spots.iter().map(|spot| spot.cell().to_string()).collect(),
        };
        let sight = |worker: Spot| {
            overlay(
                "sight",
                format!("What the worker on {} sees.", worker.cell()),
                self.blocked.sight(worker),
            )
        };
        let mut sights: Vec<Overlay> = self.workers().map(sight).collect();
        if let [first, second] = self.workers().collect::<Vec<_>>()[..] {
            let both = self.blocked.sight(first) & self.blocked.sight(second);
            sights.push(overlay("both", "What both workers see.".into(), both));
        }
        sights
    }

    pub(super) fn why_not(&self, cells: &[Cell]) -> String {
        let Some(spot) = Spot::on_board(cells[0], self.size) else { return self.prompt() };
        let is_worker = self.workers().any(|worker| worker == spot);
        match (self.now.stage, cells) {
            (Stage::FirstWorker | Stage::SecondWorker, _) => self.comment(&write(Action::Worker(spot))),
            (Stage::FirstStone, _) if is_worker => {
                "the very first stone is placed without a worker move".into()
            }
            (Stage::AfterMove, _) if is_worker => {
                "a worker was moved in this turn already: now place a stone".into()
            }
            (Stage::Turn, [from]) if is_worker => {
                let seen = match self.rules {
                    Rules::Official => "both workers",
                    Rules::Report => "a worker",
                };
                format!(
                    "wherever the worker on {from} went, there would be no empty cell that {seen} could see"
                )
            }
            (Stage::Turn, [from, to, ..]) if is_worker => self.comment(&format!("{from}-{to}")),
            (_, [only]) => self.comment(&format!("@{only}")),
            (_, [first, ..]) if self.placements().contains(spot) => {
                format!("a stone is placed on {first} and stays there: point at one cell only")
            }
            (_, [first, ..]) => self.comment(&format!("@{first}")),
            (_, []) => self.prompt(),
        }
    }
}
