use tabuleiro_protocol::Seat;

use super::board::{Piles, around, squares};
use super::{Absorption, Phase};
use crate::game::Evaluate;

/// What a piece is worth.
const PIECE: i32 = 100;

/// What a piece is worth to the seat to move that it can absorb as things stand. It would change sides, which is worth two; but while
/// the moves last there is still a better use for them.
const PREY: i32 = 150;

/// What a piece loses that stands where the enemy outnumbers its pile, for each piece that the enemy has too many.
const EXPOSED: i32 = 6;

impl Evaluate for Absorption {
    const GOOD: f64 = 250.0;

    fn evaluate(&self, seat: Seat) -> i32 {
        let [one, two] = self.now.piles;
        let boards = worth(one, two) - worth(two, one);
        let prey = if self.now.seat == Seat::One { self.prey() } else { -self.prey() };
        if seat == Seat::One { boards + prey } else { -boards - prey }
    }
}

impl Absorption {
    /// What the seat to move can absorb in this turn, once it has split or merged.
    fn prey(&self) -> i32 {
        if self.now.phase == Phase::Main {
            return 0;
        }
        let enemy = self.now.enemy();
        let pieces: i32 =
            self.now.victims(self.rules.captors).map(|square| i32::from(enemy.height(square))).sum();
        PREY * pieces
    }
}

/// What piles are worth with these enemies about.
fn worth(own: Piles, enemy: Piles) -> i32 {
    let mut worth = PIECE * own.pieces() as i32;
    // A large one is next to safe: it takes three piles to absorb it.
    for square in squares(own.small() | own.medium()) {
        let near = around(around(square.bit()));
        let height = i32::from(own.height(square));
        let excess = enemy.pieces_in(near) as i32 - height;
        worth -= EXPOSED * height * excess.clamp(0, 3);
    }
    worth
}
