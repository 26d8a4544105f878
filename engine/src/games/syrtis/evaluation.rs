use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::board::{Board, Side};
use super::cells::{Cells, islands};
use super::{Phase, Syrtis};
use crate::game::{Evaluate, shipped_weights};

/// What things count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    // So many tiles sunk in a row: the fourth wins.
    sunk_one: i32,
    sunk_two: i32,
    sunk_three: i32,
    /// To win whenever neither gets further.
    initiative: i32,
    /// What an island too many costs.
    island: i32,
    /// What a tile outside the largest island costs.
    outsider: i32,
    good: i32,
}

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| shipped_weights(include_str!("../../../../assets/weights/syrtis.json")));

impl Evaluate for Syrtis {
    type Weights = Weights;
    type Searched = Syrtis;

    fn searched(&self) -> Syrtis {
        self.clone()
    }

    fn spelt_out(action: Self::Action) -> Vec<Self::Action> {
        vec![action]
    }

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn good(weights: &Weights) -> i32 {
        weights.good
    }

    fn evaluate(&self, seat: Seat, weights: &Weights) -> i32 {
        let towards = |side| towards_islands(self.board(), side, weights);
        let lead = towards(Side::Light) - towards(Side::Dark);
        if self.position.phase != Phase::Play {
            // Seat 2 will take the better side.
            return if seat == Seat::Two { lead.abs() } else { -lead.abs() };
        }
        let lead = if self.side(seat) == Side::Light { lead } else { -lead };
        let worth = [0, weights.sunk_one, weights.sunk_two, weights.sunk_three];
        let sunk = |seat: Seat| worth[usize::from(self.position.sinks[seat.index()])];
        let initiative = if self.initiative() == seat { weights.initiative } else { -weights.initiative };
        lead + sunk(seat) - sunk(!seat) + initiative
    }
}

/// How close a side is to all of its colour or of its shape together: 0 is there. The closer of the two counts most.
fn towards_islands(board: &Board, side: Side, weights: &Weights) -> i32 {
    let [colour, shape] = side.families().map(|family| -distance(board.family(family), weights));
    (3 * colour.max(shape) + colour.min(shape)) / 4
}

fn distance(cells: Cells, weights: &Weights) -> i32 {
    let (mut count, mut largest) = (0, 0);
    for island in islands(cells) {
        count += 1;
        largest = largest.max(island.count_ones());
    }
    weights.island * (count - 1).max(0) + weights.outsider * (cells.count_ones() - largest) as i32
}
