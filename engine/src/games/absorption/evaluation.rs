use tabuleiro_protocol::Seat;

use super::board::{Piles, Set, Square, around, squares};
use super::{Absorption, Phase};
use crate::game::Evaluate;

/// What a piece is worth.
const PIECE: i32 = 100;

/// What a piece that can be absorbed as things stand is worth to the seat to move. It would change sides, which is worth two pieces;
/// but as long as the moves last it may come otherwise.
const PREY: i32 = 150;

/// What each piece of a pile loses for every piece that the enemy has too many near it.
const EXPOSED: i32 = 10;

/// What it is worth that a pile can split or merge, for as many piles as are needed not to run out of them soon.
const ABLE: i32 = 40;
const ENOUGH_ABLE: i32 = 4;

impl Evaluate for Absorption {
    const GOOD: f64 = 1000.0;

    fn evaluate(&self, seat: Seat) -> i32 {
        let [one, two] = self.now.piles;
        let empty = self.now.empty();
        let piles = worth(one, two, empty) - worth(two, one, empty);
        let prey = if self.now.seat == Seat::One { self.prey() } else { -self.prey() };
        if seat == Seat::One { piles + prey } else { -piles - prey }
    }
}

impl Absorption {
    /// What the seat to move can absorb in this turn, once it has split or merged.
    fn prey(&self) -> i32 {
        if self.now.phase == Phase::Main {
            return 0;
        }
        let enemy = self.now.enemy();
        let heights = self.now.victims(self.rules.captors).map(|square| i32::from(enemy.height(square)));
        PREY * heights.sum::<i32>()
    }
}

/// What piles are worth with these enemies about.
fn worth(own: Piles, enemy: Piles, empty: Set) -> i32 {
    PIECE * own.pieces() as i32 + ABLE * able(own, empty).min(ENOUGH_ABLE) - EXPOSED * exposure(own, enemy)
}

/// How many piles can split or merge.
fn able(own: Piles, empty: Set) -> i32 {
    let merge = (own.small() & around(own.small() | own.medium())).count_ones() as usize;
    let can_split = |square: &Square| (square.neighbours() & empty).count_ones() >= 2;
    let split = squares(own.medium() | own.large()).filter(can_split).count();
    (merge + split) as i32
}

/// How many pieces the enemy has too many within two cells of a pile, once for each of its pieces.
fn exposure(own: Piles, enemy: Piles) -> i32 {
    let exposure = |square: Square| {
        let near = around(around(square.bit()));
        let height = i32::from(own.height(square));
        height * (enemy.pieces_in(near) as i32 - height).clamp(0, 3)
    };
    // A large one is next to safe: it takes three piles to absorb it.
    squares(own.small() | own.medium()).map(exposure).sum()
}
