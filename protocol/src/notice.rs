//! What the engine tells a client unasked.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::method::BatchResult;
use crate::{Event, Id, Info, ReviewedTurn, Seat, State, TreeNode};

/// A notification by the type of its params.
pub trait Notice: Serialize {
    const NAME: &'static str;
}

macro_rules! notices {
    ($($name:literal $params:ident;)*) => {
        $(impl Notice for $params {
            const NAME: &'static str = $name;
        })*

        /// The names of all notifications.
        pub const NOTICES: &[&str] = &[$($name),*];

        /// The schemas of the params of every notification.
        pub(crate) fn schemas(generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
            vec![$(($name, generator.subschema_for::<$params>())),*]
        }
    };
}

notices! {
    "info" SearchInfo;
    "result" StreamedResult;
    "reviewed" TurnReviewed;
    "changed" Changed;
    "thinking" Thinking;
    "waiting" Waiting;
    "tree_changed" TreeChanged;
    "closed" TableClosed;
    "bot_failed" BotFailed;
}

/// How a search that was asked for is getting on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SearchInfo {
    pub request: Id,
    #[serde(flatten)]
    pub info: Info,
}

/// A result of a batch that is streamed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StreamedResult {
    pub request: Id,
    /// Its place among all results of the batch, from 0. They come in this order.
    pub index: usize,
    pub result: BatchResult,
}

/// A turn of a review was judged.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TurnReviewed {
    pub request: Id,
    /// How many turns the review has in all.
    pub total: usize,
    pub turn: ReviewedTurn,
}

/// A table is not as it was.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    pub table: String,
    pub ply: usize,
    /// The seat that did it.
    pub by: Option<Seat>,
    pub actions: Vec<String>,
    pub events: Vec<Event>,
    pub state: State,
}

/// The tree of a game is not as it was. Told to those who follow it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TreeChanged {
    pub table: String,
    /// The node at which the table stands.
    pub current: u32,
    /// The last node of the line: where `redo` would lead in the end.
    pub end: u32,
    /// How many deletions `restore` could take back.
    pub deleted: usize,
    /// Nodes that are new or not as they were, each as it is now.
    pub nodes: Vec<TreeNode>,
    /// Nodes that are gone.
    pub removed: Vec<u32>,
}

/// The engine is thinking for a seat: at the start without, later with `info`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Thinking {
    pub table: String,
    pub seat: Seat,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<Info>,
}

/// A request or a computer player at a table waits in line until it may think.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    /// What was asked; else it is a player at a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Id>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// From 1: the next one.
    pub place: usize,
}

/// A table is no longer there.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TableClosed {
    pub table: String,
}

/// A bot did not play its turn. The game is as it was before, and waits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BotFailed {
    pub table: String,
    pub seat: Seat,
    pub name: String,
    pub why: BotFailure,
    /// For people.
    pub detail: String,
}

/// The four ways in which a bot can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
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
