//! What the engine says in names and numbers, for people.

use serde_json::Value;
use tabuleiro_protocol::{Proof, Score};

use crate::text::{self, capitalised};

/// `turn_limit` as "Turn limit".
pub(super) fn name_in_words(name: &str) -> String {
    capitalised(&name.replace('_', " "))
}

/// A counter: one value for both, or one for each seat.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Count {
    Shared(String),
    PerSeat([String; 2]),
}

impl Count {
    pub(super) fn read(value: &Value) -> Count {
        match value.as_array().map(Vec::as_slice) {
            Some([one, two]) => Count::PerSeat([one, two].map(plain)),
            _ => Count::Shared(plain(value)),
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// How a search sees it for this side, in words.
pub(super) fn score_in_words(score: &Score, side: &str) -> String {
    match score.proved {
        Some(Proof::Win) => format!("{side} wins for sure"),
        Some(Proof::Loss) => format!("{side} loses for sure"),
        Some(Proof::Draw) => "a draw for sure".into(),
        None => format!("{side} {}", per_cent(score.win)),
    }
}

pub(super) fn per_cent(chance: f64) -> String {
    format!("{:.0} %", chance.clamp(0.0, 1.0) * 100.0)
}

/// `1234567` as "1.2 million".
pub(super) fn large_number(number: u64) -> String {
    match number {
        0..=9_999 => number.to_string(),
        10_000..=999_999 => format!("{} thousand", number / 1_000),
        _ => format!("{:.1} million", number as f64 / 1e6),
    }
}

/// The actions of a turn, in the game's notation.
pub(super) fn turn_in_signs(actions: &[String]) -> String {
    text::turn(actions.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(name_in_words("turn_limit"), "Turn limit");
        assert_eq!(name_in_words(""), "");
    }

    #[test]
    fn counters_become_words() {
        assert_eq!(Count::read(&json!([18, 17])), Count::PerSeat(["18".into(), "17".into()]));
        assert_eq!(Count::read(&json!(3)), Count::Shared("3".into()));
        assert_eq!(Count::read(&Value::Null), Count::Shared("–".into()));
        assert_eq!(Count::read(&json!([1, 2, 3])), Count::Shared("[1,2,3]".into()));
        assert_eq!(Count::read(&json!(true)), Count::Shared("yes".into()));
    }

    #[test]
    fn scores_become_words() {
        let score = Score { win: 0.634, proved: None };
        assert_eq!(score_in_words(&score, "Black"), "Black 63 %");
        let proved = Score { win: 1.0, proved: Some(Proof::Win) };
        assert_eq!(score_in_words(&proved, "White"), "White wins for sure");
    }

    #[test]
    fn large_numbers_are_rounded() {
        assert_eq!(large_number(950), "950");
        assert_eq!(large_number(20_400), "20 thousand");
        assert_eq!(large_number(1_234_567), "1.2 million");
    }
}
