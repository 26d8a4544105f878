//! A game as a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Options, Outcome, PerSeat, Player, RecordedNote, RecordedVariation, Seat, Start};

/// A game as a document: all that is needed to load it again. Its members are in the order in
/// which a person would read them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    #[schemars(extend("const" = Record::FORMAT))]
    pub format: String,
    /// 2 if there is anything that version 1 does not have: names, variations or notes.
    #[schemars(extend("enum" = [Record::PLAIN, Record::VERSION]))]
    pub version: u32,
    pub game: String,
    /// Those left out have their default.
    pub options: Options,
    pub seed: u64,
    pub start: Start,
    pub seats: PerSeat<Player>,
    /// Every action played.
    pub played: Vec<String>,
    /// What could be played again, the next one first.
    #[serde(default)]
    pub undone: Vec<String>,
    /// The names of the nodes of `played` and `undone`, from the first number to the last of each
    /// pair; 1, 2, 3 and so on if it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<[u32; 2]>,
    /// What else was played. Each begins at a node of the line or of another one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<RecordedVariation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<RecordedNote>,
    #[serde(default)]
    pub resigned: Option<Seat>,
    /// Whether the engine's own players were waiting.
    #[serde(default)]
    pub held: bool,
    /// What the rest leads to.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// What a match notes of its game. It takes no part in loading it.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub of_match: Option<Map<String, Value>>,
}

impl Record {
    pub const FORMAT: &str = "tabuleiro-record";
    /// The version of a game that is one line, without notes.
    pub const PLAIN: u32 = 1;
    /// The newest version.
    pub const VERSION: u32 = 2;
}
