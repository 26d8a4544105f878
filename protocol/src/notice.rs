//! What the engine tells a client unasked.

use serde::{Deserialize, Serialize};

use crate::{Event, Id, Info, Seat, State};

/// A notification by the type of its params.
pub trait Notice: Serialize {
    const NAME: &'static str;
}

/// How a search that was asked for is getting on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchInfo {
    pub request: Id,
    #[serde(flatten)]
    pub info: Info,
}

impl Notice for SearchInfo {
    const NAME: &'static str = "info";
}

/// A table is not as it was.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Changed {
    pub table: String,
    pub ply: usize,
    /// The seat that did it.
    pub by: Option<Seat>,
    pub actions: Vec<String>,
    pub events: Vec<Event>,
    pub state: State,
}

impl Notice for Changed {
    const NAME: &'static str = "changed";
}

/// The engine is thinking for a seat: at the start without, later with `info`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thinking {
    pub table: String,
    pub seat: Seat,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<Info>,
}

impl Notice for Thinking {
    const NAME: &'static str = "thinking";
}

/// A table is no longer there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableClosed {
    pub table: String,
}

impl Notice for TableClosed {
    const NAME: &'static str = "closed";
}

/// A bot did not play its turn. The game is as it was before, and waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BotFailed {
    pub table: String,
    pub seat: Seat,
    pub name: String,
    pub why: BotFailure,
    /// For people.
    pub detail: String,
}

impl Notice for BotFailed {
    const NAME: &'static str = "bot_failed";
}

/// The four ways in which a bot can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BotFailure {
    /// It ended, or could not be started.
    Crashed,
    /// No answer came in time.
    Timeout,
    /// It wanted to play what the rules do not allow.
    Illegal,
    /// What came was no answer to what it was asked.
    Garbage,
}

impl BotFailure {
    pub const ALL: [BotFailure; 4] =
        [BotFailure::Crashed, BotFailure::Timeout, BotFailure::Illegal, BotFailure::Garbage];

    pub fn word(self) -> &'static str {
        match self {
            BotFailure::Crashed => "crashed",
            BotFailure::Timeout => "timeout",
            BotFailure::Illegal => "illegal",
            BotFailure::Garbage => "garbage",
        }
    }
}
