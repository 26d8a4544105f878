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
