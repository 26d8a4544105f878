use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::board::{Piles, around, squares};
use super::{Absorption, Action, Phase};
use crate::game::{Evaluate, Game, shipped_weights};

/// What things count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    piece: i32,
    /// A piece that the seat to move can absorb as things stand. It would change sides, which is worth two; but while the moves last there is
    /// still a better use for them.
    prey: i32,
    /// What a piece loses that stands where the enemy outnumbers its pile, for each piece that the enemy has too many.
    exposed: i32,
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
        let boards = worth(one, two, weights) - worth(two, one, weights);
        let prey = weights.prey * if self.now.seat == Seat::One { self.prey() } else { -self.prey() };
        if seat == Seat::One { boards + prey } else { -boards - prey }
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
fn worth(own: Piles, enemy: Piles, weights: &Weights) -> i32 {
    let mut worth = weights.piece * own.pieces() as i32;
    // A large one is next to safe: it takes three piles to absorb it.
    for square in squares(own.small() | own.medium()) {
        let near = around(around(square.bit()));
        let height = i32::from(own.height(square));
        let excess = enemy.pieces_in(near) as i32 - height;
        worth -= weights.exposed * height * excess.clamp(0, 3);
    }
    worth
}
