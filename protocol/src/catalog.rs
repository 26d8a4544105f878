use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer to `hello`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    pub engine: String,
    pub version: String,
    pub protocol: u32,
    pub games: Vec<GameInfo>,
    pub levels: Vec<LevelInfo>,
    pub bots: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameInfo {
    pub id: String,
    pub name: String,
    pub options: Vec<OptionSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelInfo {
    pub id: String,
    pub name: String,
    pub help: String,
}

/// One option of a game: what it may be, and what it is when nobody says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OptionSpec {
    pub name: String,
    #[serde(flatten)]
    pub kind: OptionKind,
    pub help: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OptionKind {
    Integer { default: i64, min: i64, max: i64 },
    Choice { default: String, choices: Vec<String> },
}

impl OptionSpec {
    pub fn integer(name: &str, default: i64, min: i64, max: i64, help: &str) -> OptionSpec {
        let kind = OptionKind::Integer { default, min, max };
        OptionSpec { name: name.into(), kind, help: help.into() }
    }

    /// The first of the choices is the default.
    pub fn choice(name: &str, choices: &[&str], help: &str) -> OptionSpec {
        let choices: Vec<String> = choices.iter().map(|&choice| choice.into()).collect();
        let kind = OptionKind::Choice { default: choices[0].clone(), choices };
        OptionSpec { name: name.into(), kind, help: help.into() }
    }

    pub fn default_value(&self) -> OptionValue {
        match &self.kind {
            OptionKind::Integer { default, .. } => OptionValue::Integer(*default),
            OptionKind::Choice { default, .. } => OptionValue::Choice(default.clone()),
        }
    }
}

/// The options of a game by name.
pub type Options = BTreeMap<String, OptionValue>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OptionValue {
    Integer(i64),
    Choice(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Integer(number) => write!(f, "{number}"),
            OptionValue::Choice(word) => write!(f, "{word}"),
        }
    }
}
