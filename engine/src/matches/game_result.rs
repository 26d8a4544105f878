//! What a match wants to know of a game that was played.

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::notice::BotFailure;
use tabuleiro_protocol::{Outcome, Seat};

use super::{Contender, PerContender};

/// The reason of an outcome: it answered after its clock had run down. Like the failures of bots,
/// which levels may share, this loses the game.
pub(super) const OUT_OF_TIME: &str = "time";

/// The reason of an outcome: some options allow games that never end, and these are drawn then.
pub(super) const TOO_LONG: &str = "too_long";

/// After so many turns.
pub(super) const MOST_TURNS: usize = 2000;

/// What a match wants to know of a game that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    pub number: u32,
    pub seat_of_a: Seat,
    pub outcome: Outcome,
    /// Of both, those of the opening included.
    pub turns: usize,
    pub effort: PerContender<Effort>,
}

/// What a contender's own turns took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    pub turns: u64,
    pub nodes: u64,
    pub time_us: u64,
}

impl Effort {
    pub fn add(&mut self, other: &Effort) {
        self.turns += other.turns;
        self.nodes += other.nodes;
        self.time_us += other.time_us;
    }

    /// Milliseconds a turn.
    pub fn time_ms(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.time_us as f64 / 1000.0 / self.turns as f64)
    }

    pub fn nodes_per_s(&self) -> Option<f64> {
        (self.time_us > 0).then(|| self.nodes as f64 / (self.time_us as f64 / 1e6))
    }
}

impl GameResult {
    pub fn winner(&self) -> Option<Contender> {
        self.outcome.winner.map(|seat| Contender::of(seat, self.seat_of_a))
    }

    /// What a gets for it, in halves of a point.
    pub fn half_points(&self) -> u32 {
        match self.winner() {
            Some(Contender::A) => 2,
            None => 1,
            Some(Contender::B) => 0,
        }
    }

    /// The contender that broke down, if one did.
    pub fn failed(&self) -> Option<Contender> {
        let reason = self.outcome.reason.as_str();
        let broke_down = reason == OUT_OF_TIME || BotFailure::ALL.iter().any(|why| why.word() == reason);
        self.outcome.winner.filter(|_| broke_down).map(|winner| Contender::of(!winner, self.seat_of_a))
    }
}
