//! What the Tabuleiro engine and its clients say to each other: one JSON object a line.
//!
//! This crate knows messages and lines. It knows no game: cells, pieces and actions are text here,
//! and only the engine can tell what they mean.
//!
//! # A bot
//!
//! [`bot::run`] makes a player of a function; this one takes the first legal action. The engine
//! asks it on its standard input; here [`bot::serve`] reads the request from memory instead.
//!
//! ```
//! use tabuleiro_protocol::bot;
//!
//! let asked = r#"{"id":1,"method":"hello"}"#;
//! let mut answers = Vec::new();
//! bot::serve("first", asked.as_bytes(), &mut answers, |request| Ok(vec![request.legal[0].clone()]))?;
//! assert!(String::from_utf8_lossy(&answers).starts_with(r#"{"jsonrpc":"2.0","id":1,"result":{"engine":"first""#));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # A client
//!
//! [`client::Conversation`] talks to an engine: one that it starts, one that listens at a local
//! socket, or, as here, anything that can be read from and written to. The type of the params says
//! which method is called and what comes back.
//!
//! ```
//! use tabuleiro_protocol::client::Conversation;
//! use tabuleiro_protocol::method::Rules;
//!
//! let said = r#"{"jsonrpc":"2.0","id":1,"result":{"text":"Zurero"}}"#;
//! let mut engine = Conversation::over(said.as_bytes(), std::io::sink())?;
//! let rules = engine.call(&Rules { game: "zurero".into() })?;
//! assert_eq!(rules.text, "Zurero");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A board that follows
//!
//! Whoever knows the rows of a board and hears the events needs no rules to know the new rows.
//!
//! ```
//! use tabuleiro_protocol::Event;
//!
//! let pushed = r#"{"kind":"pushed","piece":"b","path":["c3","d3"],"set":{"c3":".","d3":"b"}}"#;
//! let event: Event = serde_json::from_str(pushed)?;
//! assert_eq!(event.set["d3"], "b");
//! # Ok::<(), serde_json::Error>(())
//! ```

pub mod bot;
mod catalog;
mod cell;
mod choice;
pub mod client;
mod day;
pub mod document;
mod encoding;
mod event;
pub mod lesson;
pub mod line;
pub mod message;
pub mod method;
pub mod notice;
pub mod progress;
pub mod puzzle;
mod record;
mod review;
mod schema;
mod seat;
pub mod shape;
pub mod socket;
mod state;
mod status;
mod tree;

pub use catalog::{
    Form, GameInfo, Hello, LevelInfo, LevelRole, MemberKind, OptionKind, OptionSpec, OptionValue, Options,
    Piece, PieceSide, StartMember, TokenLook,
};
pub use cell::{Cell, Edge, NotACell, NotAnEdge, Target};
pub use choice::{Choice, Clock, Info, Limits, Proof, Score, Stopped, Variation};
pub use day::{Day, NotADay};
pub use encoding::{NumberRange, PlaneSpace, Planes, Space};
pub use event::{Event, Happening, Part, Trace};
pub use message::{ErrorCode, ErrorObject, Id};
pub use record::Record;
pub use review::{ReviewSummary, Reviewed, ReviewedTurn, Verdict};
pub use schema::{schema, schema_of};
pub use seat::{PerSeat, Seat};
pub use state::{
    Detail, Direction, Ending, Fact, LastTurn, Outcome, Overlay, Player, Start, State, Turn, Wanted,
};
pub use status::{EngineLimits, Load, MemoryUse, Status};
pub use tree::{Evaluation, Mark, RecordedNote, RecordedVariation, TreeNode};

/// The version of the protocol that this crate speaks.
pub const PROTOCOL_VERSION: u32 = 1;
