//! What is to be played: the settings of a match or a tournament, and which of the games.

mod schedule;
mod tournament;

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tabuleiro_protocol::{PerSeat, Player, Seat};

pub use self::schedule::{Schedule, Shard};
pub use self::tournament::{Pairing, Tournament};
use crate::players::ComputerPlayer;
use crate::random::Random;

/// Everything that decides how the games of a match go, and nothing that only decides how many of
/// them there are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    pub game: String,
    /// Every option of the game, those at their default included.
    pub options: Map<String, Value>,
    pub a: ComputerPlayer,
    pub b: ComputerPlayer,
    pub seed: u64,
    /// How many random turns every game begins with.
    pub opening: usize,
    /// How much longer than its time a bot may take, if one plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot_margin_ms: Option<u32>,
}

impl Settings {
    /// In six turns openings differ enough for hundreds of them, and in every game nearly all of
    /// them leave it open: Zurero has a handful of stones, Fabrik and Syrtis are past their set-up,
    /// in Absorption piles begin to meet.
    pub const USUAL_OPENING: usize = 6;

    pub(in crate::matches) fn seed_of_opening(&self, pair: u32) -> u64 {
        self.seed_of(0, pair)
    }

    pub(in crate::matches) fn seed_of_game(&self, number: u32) -> u64 {
        self.seed_of(1, number)
    }

    /// Who sits where in a game.
    pub(in crate::matches) fn seats(&self, seat_of_a: Seat) -> PerSeat<Player> {
        let (a, b) = (self.a.player(), self.b.player());
        match seat_of_a {
            Seat::One => PerSeat { one: a, two: b },
            Seat::Two => PerSeat { one: b, two: a },
        }
    }

    fn seed_of(&self, purpose: u64, number: u32) -> u64 {
        let mut random = Random::new(self.seed);
        Random::new(random.next_u64() ^ (purpose << 32 | u64::from(number))).next_seed()
    }
}

/// One of the two that play a match, whichever seat it has in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    A,
    B,
}

impl Contender {
    pub(in crate::matches) fn of(seat: Seat, seat_of_a: Seat) -> Contender {
        if seat == seat_of_a { Contender::A } else { Contender::B }
    }
}

/// One thing for each contender.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerContender<T> {
    pub a: T,
    pub b: T,
}

impl<T> PerContender<T> {
    pub(in crate::matches) fn map<U>(&self, convert: impl Fn(&T) -> U) -> PerContender<U> {
        PerContender { a: convert(&self.a), b: convert(&self.b) }
    }
}

impl<T> Index<Contender> for PerContender<T> {
    type Output = T;

    fn index(&self, contender: Contender) -> &T {
        match contender {
            Contender::A => &self.a,
            Contender::B => &self.b,
        }
    }
}

impl<T> IndexMut<Contender> for PerContender<T> {
    fn index_mut(&mut self, contender: Contender) -> &mut T {
        match contender {
            Contender::A => &mut self.a,
            Contender::B => &mut self.b,
        }
    }
}

/// Games 1 and 2 are the first pair: one opening, and the seats exchanged.
pub(in crate::matches) fn pair_of(game: u32) -> u32 {
    game.div_ceil(2)
}

/// Where a sits in a game.
pub(in crate::matches) fn seat_of_a(game: u32) -> Seat {
    if game % 2 == 1 { Seat::One } else { Seat::Two }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_games_are_a_pair_with_the_seats_exchanged() {
        assert_eq!([1, 2, 3, 4, 5].map(pair_of), [1, 1, 2, 2, 3]);
        assert_eq!([1, 2, 3, 4].map(seat_of_a), [Seat::One, Seat::Two, Seat::One, Seat::Two]);
    }
}
