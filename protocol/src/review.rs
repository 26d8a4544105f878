//! A game that was looked through: what every turn was worth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Limits, PerSeat, Score, Seat, Variation};

/// What became of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// Those that were judged, in their order.
    pub turns: Vec<ReviewedTurn>,
    pub summary: PerSeat<ReviewSummary>,
    /// How many turns there are.
    pub total: usize,
    /// How many were judged. Fewer than `total` only if it was cancelled.
    pub done: usize,
    pub level: String,
    /// Of the search of every position.
    pub limits: Limits,
    pub seed: u64,
    pub time_ms: u64,
}

/// What a turn was worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedTurn {
    /// Its number, from 1.
    pub turn: usize,
    pub seat: Seat,
    /// The node at which the turn began.
    pub node: u32,
    /// The node to which it led.
    pub end: u32,
    pub actions: Vec<String>,
    /// What the position was worth to the seat.
    pub before: Score,
    /// What it was worth to the same seat once this was played.
    pub after: Score,
    /// The chance that the turn gave away: 0 to 1.
    pub cost: f64,
    pub verdict: Verdict,
    /// The best turns, best first, with what may follow.
    pub best: Vec<Variation>,
}

/// What to think of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// There was no other turn.
    Only,
    /// The best one, and every other would have been a blunder.
    Forced,
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
    /// A proved win was there, and is no longer.
    MissedWin,
}

impl Verdict {
    pub const ALL: [Verdict; 8] = [
        Verdict::Only,
        Verdict::Forced,
        Verdict::Best,
        Verdict::Good,
        Verdict::Inaccuracy,
        Verdict::Mistake,
        Verdict::Blunder,
        Verdict::MissedWin,
    ];

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Only => "only turn",
            Verdict::Forced => "forced",
            Verdict::Best => "best",
            Verdict::Good => "good",
            Verdict::Inaccuracy => "inaccuracy",
            Verdict::Mistake => "mistake",
            Verdict::Blunder => "blunder",
            Verdict::MissedWin => "missed win",
        }
    }

    /// Whether there was something clearly better.
    pub fn is_bad(self) -> bool {
        self >= Verdict::Mistake
    }
}

/// How a seat has played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewSummary {
    /// Turns that were judged.
    pub turns: usize,
    /// What a turn cost on average; turns without a choice do not count.
    pub mean_cost: f64,
    pub only: usize,
    pub forced: usize,
    pub best: usize,
    pub good: usize,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
    pub missed_wins: usize,
}
