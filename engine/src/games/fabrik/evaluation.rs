//! What computer players want to know of a position.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::spot::{ROW, Spots};
use super::{Action, Fabrik, Rules, Stage};
use crate::game::{Evaluate, Game, shipped_weights};

/// What things count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    // A stretch of `goal` cells without an enemy stone, by the number of stones that it still lacks.
    lacking_one: i32,
    lacking_two: i32,
    lacking_three: i32,
    lacking_four: i32,
    /// A line can be completed in the turn that is being made.
    wins_now: i32,
    /// Each cell where the seat not to move will complete a line if nothing is done about it.
    threat: i32,
    good: i32,
}

impl Weights {
    /// By the number of stones that are lacking.
    fn stretches(&self) -> [i32; 5] {
        [0, self.lacking_one, self.lacking_two, self.lacking_three, self.lacking_four]
    }
}

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| shipped_weights(include_str!("../../../../assets/weights/fabrik.json")));

/// How the stones of one seat stand.
struct Prospects {
    worth: i32,
    /// Cells without a stone where one would complete a line.
    winning: Spots,
}

impl Evaluate for Fabrik {
    type Weights = Weights;
    type Searched = Fabrik;

    fn searched(&self) -> Fabrik {
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
        let mover = self.to_move();
        let (own, enemy) = (self.prospects(mover, weights), self.prospects(!mover, weights));
        let now = if self.now.stage == Stage::Turn { self.within_a_turn() } else { self.placements() };
        let mut value = own.worth - enemy.worth;
        if !(own.winning & now).is_empty() {
            value += weights.wins_now;
        } else {
            value -= weights.threat * self.threats(enemy.winning) as i32;
        }
        if seat == mover { value } else { -value }
    }

    fn beyond_horizon(&self, actions: &mut Vec<Action>) {
        if self.now.stage == Stage::AfterMove {
            self.actions(actions);
        }
    }
}

impl Fabrik {
    fn prospects(&self, seat: Seat, weights: &Weights) -> Prospects {
        let own = self.stones[seat.index()].spots();
        let mut open = own | self.empty_spots();
        for worker in self.workers() {
            open = open.with(worker);
        }
        let along = [
            self.prospects_along::<1>(own, open, weights),
            self.prospects_along::<ROW>(own, open, weights),
            self.prospects_along::<{ ROW + 1 }>(own, open, weights),
            self.prospects_along::<{ ROW - 1 }>(own, open, weights),
        ];
        let mut all = Prospects { worth: 0, winning: Spots::NONE };
        for prospects in along {
            all.worth += prospects.worth;
            all.winning |= prospects.winning;
        }
        all
    }

    /// Looks at all stretches in one direction at once, each standing at its first cell.
    #[inline]
    fn prospects_along<const STEP: usize>(&self, own: Spots, open: Spots, weights: &Weights) -> Prospects {
        let goal = usize::from(self.goal);
        let mut stretches = open;
        // The number of stones on each stretch, as a binary number with one set of cells for each digit.
        let mut digits = [own, Spots::NONE, Spots::NONE];
        let mut shifted = own;
        let mut shifted_open = open;
        for _ in 1..goal {
            shifted = shifted.down(STEP);
            shifted_open = shifted_open.down(STEP);
            stretches &= shifted_open;
            let mut carry = shifted;
            for digit in &mut digits {
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        }
        let with_stones = |stones: usize| {
            let mut those = stretches;
            for (place, &digit) in digits.iter().enumerate() {
                those &= if stones >> place & 1 != 0 { digit } else { !digit };
            }
            those
        };
        let mut worth = 0;
        for (lacking, each) in weights.stretches().into_iter().enumerate().take(goal).skip(1) {
            worth += each * with_stones(goal - lacking).count() as i32;
        }
        let mut one_short = with_stones(goal - 1);
        let mut winning = one_short;
        for _ in 1..goal {
            one_short = one_short.up(STEP);
            winning |= one_short;
        }
        Prospects { worth, winning: winning & open & !own }
    }

    /// How many of the cells where a stone would win the seat not to move can count on.
    fn threats(&self, winning: Spots) -> u32 {
        let [first, second] = self.now.seen.map(|seen| (winning & seen).count());
        match self.rules {
            // Its enemy will take one of the workers away, and then only what the other one sees can be reached.
            Rules::Official => first.min(second),
            Rules::Report => (winning & self.empty_spots()).count(),
        }
    }

    /// Roughly where a stone can be placed in a turn from here, a worker move included.
    fn within_a_turn(&self) -> Spots {
        match self.rules {
            // The worker that does not see the cell yet can nearly always go where it does.
            Rules::Official => self.now.seen[0] | self.now.seen[1],
            Rules::Report => self.empty_spots(),
        }
    }
}
