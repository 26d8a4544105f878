//! What the Tabuleiro engine and its clients say to each other: one JSON object a line.
//!
//! This crate knows messages and lines. It knows no game: cells, pieces and actions are text here,
//! and only the engine can tell what they mean.

mod catalog;
mod choice;
pub mod client;
mod event;
pub mod line;
pub mod message;
pub mod method;
pub mod notice;
mod seat;
pub mod socket;
mod state;

pub use catalog::{GameInfo, Hello, LevelInfo, OptionKind, OptionSpec, OptionValue, Options};
pub use choice::{Choice, Clock, Info, Limits, Line, Proof, Score, Stopped};
pub use event::{Event, Happening, Part};
pub use message::{ErrorCode, ErrorObject, Id};
pub use seat::{PerSeat, Seat};
pub use state::{Detail, Ending, LastTurn, Outcome, Overlay, Player, Start, State, Turn};

/// The version of the protocol that this crate speaks.
pub const PROTOCOL_VERSION: u32 = 1;
