//! What computer players want to know of a position.

use tabuleiro_protocol::Seat;

use super::spot::{ROW, Spots};
use super::{Fabrik, Rules, Stage};
use crate::game::{Evaluate, Game};

/// What a stretch of `goal` cells without an enemy stone is worth, by the number of stones that it still lacks.
const WORTH: [i32; 7] = [0, 60, 16, 4, 1, 0, 0];
/// A line can be completed in the turn that is being made.
const WINS_NOW: i32 = 2000;
/// Each cell where the seat not to move will complete a line if nothing is done about it.
const THREAT: i32 = 60;

/// How the stones of one seat stand.
struct Prospects {
    worth: i32,
    /// Cells without a stone where one would complete a line.
    winning: Spots,
}

impl Evaluate for Fabrik {
    const GOOD: f64 = 400.0;

    fn evaluate(&self, seat: Seat) -> i32 {
        let mover = self.to_move();
        let (own, enemy) = (self.prospects(mover), self.prospects(!mover));
        let now = if self.now.stage == Stage::Turn { self.within_a_turn() } else { self.placements() };
        let mut value = own.worth - enemy.worth;
        if !(own.winning & now).is_empty() {
            value += WINS_NOW;
        } else {
            value -= THREAT * self.threats(enemy.winning) as i32;
        }
        if seat == mover { value } else { -value }
    }
}

impl Fabrik {
    fn prospects(&self, seat: Seat) -> Prospects {
        let own = self.stones[seat.index()].spots();
        let mut open = own | self.empty_spots();
        for worker in self.workers() {
            open = open.with(worker);
        }
        let along = [
            self.prospects_along::<1>(own, open),
            self.prospects_along::<ROW>(own, open),
            self.prospects_along::<{ ROW + 1 }>(own, open),
            self.prospects_along::<{ ROW - 1 }>(own, open),
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
    fn prospects_along<const STEP: usize>(&self, own: Spots, open: Spots) -> Prospects {
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
        for (lacking, &each) in WORTH.iter().enumerate().take(goal).filter(|&(_, &each)| each > 0) {
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
