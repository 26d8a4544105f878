//! A game as a tree: its nodes, and what is noted about them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Choice, Limits, Seat};

/// A node of the tree of a game: an action, and the position that it leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreeNode {
    /// Its name. The start of the game is 0; no name is used again as long as the table is there.
    pub node: u32,
    /// Not there for the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Who played the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// How many actions lead here.
    pub ply: usize,
    /// How it goes on, the main continuation first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// The seat that resigned here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Seat>,
    /// What a search has found here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Box<Evaluation>>,
}

/// What somebody thinks of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Mark {
    #[serde(rename = "!")]
    Good,
    #[serde(rename = "?")]
    Bad,
    #[serde(rename = "!!")]
    Brilliant,
    #[serde(rename = "??")]
    Blunder,
    #[serde(rename = "!?")]
    Interesting,
    #[serde(rename = "?!")]
    Dubious,
}

impl Mark {
    pub const ALL: [Mark; 6] =
        [Mark::Good, Mark::Bad, Mark::Brilliant, Mark::Blunder, Mark::Interesting, Mark::Dubious];

    pub fn sign(self) -> &'static str {
        match self {
            Mark::Good => "!",
            Mark::Bad => "?",
            Mark::Brilliant => "!!",
            Mark::Blunder => "??",
            Mark::Interesting => "!?",
            Mark::Dubious => "?!",
        }
    }

    pub fn from_sign(sign: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.sign() == sign)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sign())
    }
}

/// What a search has found at a node, and how it was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    pub level: String,
    pub limits: Limits,
    pub seed: u64,
    /// How many of the best turns were asked for.
    pub lines: usize,
    pub choice: Choice,
}

/// A continuation that is not in the line of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedVariation {
    /// The node from which it goes on.
    pub after: u32,
    /// Its place among the continuations there, from 0; the last one if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// The names of its nodes: from the first number to the last of each pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<[u32; 2]>,
    pub actions: Vec<String>,
}

/// What a record notes about a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedNote {
    pub node: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Box<Evaluation>>,
}
