use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::board::{Piles, Set, Square, around, squares};
use super::{Absorption, Action, Phase};
use crate::game::{Evaluate, Game, shipped_weights};

/// What things count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    piece: i32,
    /// A piece that the seat to move can absorb as things stand. It would change sides, which is worth two pieces; but as long as the
    /// moves last it may come otherwise.
    prey: i32,
    /// What each piece of a pile loses for every piece that the enemy has too many near it.
    exposed: i32,
    /// That a pile can split or merge, for as many piles as are needed not to run out of them soon.
    able: i32,
    enough_able: i32,
    good: i32,
}

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| shipped_weights(include_str!("../../../../assets/weights/absorption.json")));

impl Evaluate for Absorption {
    type Weights = Weights;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn good(weights: &Weights) -> i32 {
        weights.good
    }

    fn evaluate(&self, seat: Seat, weights: &Weights) -> i32 {
        let [one, two] = self.now.piles;
        let empty = self.now.empty();
        let piles = worth(one, two, empty, weights) - worth(two, one, empty, weights);
        let prey = weights.prey * if self.now.seat == Seat::One { self.prey() } else { -self.prey() };
        if seat == Seat::One { piles + prey } else { -piles - prey }
    }

    fn beyond_horizon(&self, actions: &mut Vec<Action>) {
        match self.now.phase {
            Phase::Main => {}
            Phase::Moves => actions.push(Action::End),
            Phase::Absorb => self.actions(actions),
        }
    }
}

impl Absorption {
    /// How many pieces the seat to move can absorb in this turn, once it has split or merged.
    fn prey(&self) -> i32 {
        if self.now.phase == Phase::Main {
            return 0;
        }
        let enemy = self.now.enemy();
        self.now.victims(self.rules.captors).map(|square| i32::from(enemy.height(square))).sum()
    }
}

/// What piles are worth with these enemies about.
fn worth(own: Piles, enemy: Piles, empty: Set, weights: &Weights) -> i32 {
    weights.piece * own.pieces() as i32 + weights.able * able(own, empty).min(weights.enough_able)
        - weights.exposed * exposure(own, enemy)
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
