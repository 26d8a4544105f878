use tabuleiro_protocol::Seat;

use super::Zurero;
use super::stones::Stones;
use crate::game::Evaluate;

// The weights come from matches between players that look one turn ahead.
const TWO: u32 = 2;
const THREE: u32 = 5;
const FOUR: u32 = 20;
/// The seat to move may well complete a four before it can be broken.
const FOUR_TO_MOVE: u32 = 80;

impl Evaluate for Zurero {
    fn evaluate(&self, seat: Seat) -> i32 {
        let mover = self.to_move;
        let ahead =
            worth(&self.stones[mover.index()], FOUR_TO_MOVE) - worth(&self.stones[(!mover).index()], FOUR);
        if seat == mover { ahead } else { -ahead }
    }

    const GOOD: f64 = 35.0;
}

/// What a side's unbroken lines of two, three and four stones are worth.
fn worth(stones: &Stones, four: u32) -> i32 {
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
        worth += TWO * twos.count_ones();
        worth += (THREE - TWO) * threes.count_ones();
        worth += (four - THREE) * fours.count_ones();
    }
    worth as i32
}
