use tabuleiro_protocol::Seat;

use super::Zurero;
use super::stones::Stones;
use crate::game::Evaluate;

impl Evaluate for Zurero {
    fn evaluate(&self, seat: Seat) -> i32 {
        let [black, white] = &self.stones;
        let black_ahead = worth(black) - worth(white);
        match seat {
            Seat::One => black_ahead,
            Seat::Two => -black_ahead,
        }
    }

    const GOOD: f64 = 100.0;
}

fn worth(stones: &Stones) -> i32 {
    stones
        .lines()
        .iter()
        .map(|&line| {
            let twos = line & line >> 1;
            let threes = twos & line >> 2;
            let fours = threes & line >> 3;
            (twos.count_ones() + 4 * threes.count_ones() + 16 * fours.count_ones()) as i32
        })
        .sum()
}
