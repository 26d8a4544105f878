use tabuleiro_protocol::Seat;

use super::board::{Board, Side};
use super::cells::{Cells, islands};
use super::{Phase, Syrtis};
use crate::game::Evaluate;

/// What sinking so many tiles in a row is worth: the fourth wins.
const SUNK: [i32; 4] = [0, 8, 30, 90];
/// What it is worth to win whenever neither gets further.
const INITIATIVE: i32 = 6;
/// What an island too many costs.
const ISLAND: i32 = 12;
/// What a tile outside the largest island costs.
const OUTSIDER: i32 = 5;

impl Evaluate for Syrtis {
    const GOOD: f64 = 90.0;

    fn evaluate(&self, seat: Seat) -> i32 {
        let lead = towards_islands(self.board(), Side::Light) - towards_islands(self.board(), Side::Dark);
        if self.position.phase != Phase::Play {
            // Seat 2 will take the better side.
            return if seat == Seat::Two { lead.abs() } else { -lead.abs() };
        }
        let lead = if self.side(seat) == Side::Light { lead } else { -lead };
        let sunk = |seat: Seat| SUNK[usize::from(self.position.sinks[seat.index()])];
        let initiative = if self.initiative() == seat { INITIATIVE } else { -INITIATIVE };
        lead + sunk(seat) - sunk(!seat) + initiative
    }
}

/// How close a side is to all of its colour or of its shape together: 0 is there. The closer of the two counts most.
fn towards_islands(board: &Board, side: Side) -> i32 {
    let [colour, shape] = side.families().map(|family| -distance(board.family(family)));
    (3 * colour.max(shape) + colour.min(shape)) / 4
}

fn distance(cells: Cells) -> i32 {
    let (mut count, mut largest) = (0, 0);
    for island in islands(cells) {
        count += 1;
        largest = largest.max(island.count_ones());
    }
    ISLAND * (count - 1).max(0) + OUTSIDER * (cells.count_ones() - largest) as i32
}
