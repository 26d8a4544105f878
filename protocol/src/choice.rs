//! What a search is asked for and what it answers: limits, choices, scores.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shape::{at_least_one, chance};

/// When a search has to end. What is reached first ends it, and a level's own limits hold only if
/// none of `time_ms`, `nodes`, `depth` and `clock` is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub time_ms: Option<u64>,
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub nodes: Option<u64>,
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// How many threads may search; with a time limit only, else there is one in any case.
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub threads: Option<u32>,
    /// Whether a level that has an opening book plays by it. It ends nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<bool>,
}

impl Limits {
    /// Whether any of them ends a search; if none does, a level's own limits hold.
    pub fn end_a_search(&self) -> bool {
        let Limits { time_ms, nodes, depth, clock, threads: _, book: _ } = self;
        time_ms.is_some() || nodes.is_some() || depth.is_some() || clock.is_some()
    }

    /// How long a turn may take, if that is limited: the fixed time, or the share of the clock that
    /// the engine's own players take, whichever is shorter.
    pub fn time_for_turn(&self) -> Option<Duration> {
        let fixed = self.time_ms.map(Duration::from_millis);
        fixed.into_iter().chain(self.clock.map(Clock::share)).min()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    pub left_ms: u64,
    #[serde(default)]
    pub increment_ms: u64,
}

impl Clock {
    /// A share that leaves enough for the rest of a long game, and something for the way there and
    /// back.
    pub fn share(self) -> Duration {
        let left = Duration::from_millis(self.left_ms);
        (left / 30 + Duration::from_millis(self.increment_ms) / 2).min(left / 2)
    }
}

/// What a player wants to do: the rest of the turn of the seat to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    pub actions: Vec<String>,
    pub score: Score,
    pub pv: Vec<String>,
    pub depth: u32,
    pub nodes: u64,
    pub time_ms: u64,
    pub stopped: Stopped,
    /// The best turns, best first, when more than one was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Variation>,
}

/// One of the best turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Variation {
    pub actions: Vec<String>,
    pub score: Score,
    pub pv: Vec<String>,
    /// How many actions of `pv` each of its turns has, as far as they are whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<usize>,
}

impl Variation {
    /// The whole turns of the principal variation.
    pub fn whole_turns(&self) -> impl Iterator<Item = &[String]> {
        let mut rest = self.pv.as_slice();
        self.turns.iter().map_while(move |&length| {
            let (turn, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(turn)
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// How likely the seat to move is to win: 0 to 1.
    #[serde(deserialize_with = "chance")]
    #[schemars(range(min = 0, max = 1))]
    pub win: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proof>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    Win,
    Loss,
    Draw,
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    Time,
    Nodes,
    Depth,
    Cancelled,
    Proved,
    Only,
}

/// How a search is getting on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Info {
    pub depth: u32,
    pub nodes: u64,
    pub time_ms: u64,
    pub score: Score,
    pub pv: Vec<String>,
    /// The best turns as of `depth`, best first, when more than one was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Variation>,
}
