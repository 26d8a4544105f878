use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::Zurero;
use super::stones::Stones;
use crate::game::{Evaluate, shipped_weights};

/// What an unbroken line of so many stones counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    two: i32,
    three: i32,
    four: i32,
    /// The seat to move may well complete a four before it can be broken.
    four_to_move: i32,
    good: i32,
}

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| shipped_weights(include_str!("../../../../assets/weights/zurero.json")));

impl Evaluate for Zurero {
    type Weights = Weights;
    type Searched = Zurero;

    fn searched(&self) -> Zurero {
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
        let mover = self.to_move;
        let ahead = worth(&self.stones[mover.index()], weights, weights.four_to_move)
            - worth(&self.stones[(!mover).index()], weights, weights.four);
        if seat == mover { ahead } else { -ahead }
    }
}

/// What a side's unbroken lines of two, three and four stones are worth.
fn worth(stones: &Stones, weights: &Weights, four: i32) -> i32 {
    let mut worth = 0;
    for &line in stones.lines() {
        // The first stone of every run of at least so many.
        let twos = line & !(line << 1) & line >> 1;
        // So it is on most lines, and counting costs more than looking.
        if twos == 0 {
            continue;
        }
        let threes = twos & line >> 2;
        let fours = threes & line >> 3;
        worth += weights.two * twos.count_ones() as i32;
        worth += (weights.three - weights.two) * threes.count_ones() as i32;
        worth += (four - weights.three) * fours.count_ones() as i32;
    }
    worth
}
