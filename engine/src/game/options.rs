//! A game's options and their values.

use serde_json::{Map, Value};
use tabuleiro_protocol::{OptionSpec, OptionValue, Options};

/// A game's options, each with a value that has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOptions(Options);

/// An option that does not exist, or a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option {option}: {reason}")]
pub struct BadOption {
    pub option: String,
    pub reason: String,
}

impl GameOptions {
    /// Checks what was given against a game's options and fills in the rest.
    pub fn check(specs: &[OptionSpec], given: &Map<String, Value>) -> Result<GameOptions, BadOption> {
        for name in given.keys() {
            if !specs.iter().any(|spec| spec.name == *name) {
                let known: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
                let reason = format!("there is no such option here; there is {}", known.join(", "));
                return Err(BadOption { option: name.clone(), reason });
            }
        }
        let mut options = Options::new();
        for spec in specs {
            let value = match given.get(&spec.name) {
                None => spec.default_value(),
                Some(value) => check_option(spec, value)
                    .map_err(|reason| BadOption { option: spec.name.clone(), reason })?,
            };
            options.insert(spec.name.clone(), value);
        }
        Ok(GameOptions(options))
    }

    /// Every option at its default.
    pub fn default_of(specs: &[OptionSpec]) -> GameOptions {
        GameOptions(specs.iter().map(|spec| (spec.name.clone(), spec.default_value())).collect())
    }

    pub fn values(&self) -> &Options {
        &self.0
    }

    /// The value of a whole-number option of the game's.
    pub fn integer(&self, name: &str) -> i64 {
        match self.0.get(name) {
            Some(OptionValue::Integer(number)) => *number,
            other => unreachable!("{name} was checked to be a whole number: {other:?}"),
        }
    }

    /// The value of a choice option of the game's.
    pub fn choice(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(OptionValue::Choice(word)) => word,
            other => unreachable!("{name} was checked to be a choice: {other:?}"),
        }
    }
}

fn check_option(spec: &OptionSpec, value: &Value) -> Result<OptionValue, String> {
    use tabuleiro_protocol::OptionKind::{Choice, Integer};
    match &spec.kind {
        Integer { min, max, .. } => match value.as_i64() {
            Some(number) if (*min..=*max).contains(&number) => Ok(OptionValue::Integer(number)),
            _ => Err(format!("must be a whole number from {min} to {max}, not {value}")),
        },
        Choice { choices, .. } => match value.as_str() {
            Some(word) if choices.iter().any(|choice| choice == word) => Ok(OptionValue::Choice(word.into())),
            _ => Err(format!("must be one of {}, not {value}", choices.join(", "))),
        },
    }
}
