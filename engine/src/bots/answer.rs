//! What bots say: responses, and the choices in them.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tabuleiro_protocol::message::Incoming;
use tabuleiro_protocol::notice::BotFailure;
use tabuleiro_protocol::shape::{self, Unknown};
use tabuleiro_protocol::{Id, Score, Stopped};

use super::Failed;
use super::plain_text::plain_text;

/// How much of what a bot said is shown to people.
const SHOWN: usize = 200;

/// A line from a bot that is not garbage.
#[derive(Debug, PartialEq)]
pub(super) enum Said {
    /// The result of what was asked.
    Result(Value),
    /// Something that nobody asked for; nobody minds.
    Notice,
}

/// Reads a line from a bot that was asked the request with this id.
pub(super) fn read_line(line: &str, id: &Id) -> Result<Said, Failed> {
    let incoming = Incoming::parse(line).map_err(|what| garbage(format!("{what}: {}", shown(line))))?;
    match incoming {
        Incoming::Notice { .. } => Ok(Said::Notice),
        Incoming::Response { answer: Err(error), .. } => {
            Err(garbage(format!("it answered with an error: {}", shown(&error.message))))
        }
        Incoming::Response { id: Some(given), answer: Ok(result) } if given == *id => {
            Ok(Said::Result(result))
        }
        Incoming::Response { id: Some(given), .. } => {
            let given = shown(&given.to_string());
            Err(garbage(format!("it answered request {given}, and was asked request {id}")))
        }
        Incoming::Response { id: None, .. } => {
            Err(garbage(format!("it answered without the id of request {id}: {}", shown(line))))
        }
    }
}

/// The result of a `choose`. Only the actions must be there.
#[derive(Debug, PartialEq)]
pub(super) struct BotAnswer {
    pub(super) actions: Vec<String>,
    pub(super) score: Option<Score>,
    pub(super) pv: Option<Vec<String>>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) stopped: Option<Stopped>,
}

impl BotAnswer {
    pub(super) fn read(result: Value) -> Result<BotAnswer, Failed> {
        let Value::Object(mut members) = result else {
            return Err(garbage(format!("its result is no object: {}", shown(&result.to_string()))));
        };
        let actions = match members.remove("actions") {
            Some(actions) => actions,
            None => return Err(garbage("its result has no actions")),
        };
        let actions = serde_json::from_value(actions.clone()).map_err(|_| {
            garbage(format!("its actions are not a list of strings: {}", shown(&actions.to_string())))
        })?;
        let score = member(&mut members, "score").filter(|score: &Score| (0.0..=1.0).contains(&score.win));
        Ok(BotAnswer {
            actions,
            score,
            pv: member(&mut members, "pv"),
            depth: member(&mut members, "depth").unwrap_or(0),
            nodes: member(&mut members, "nodes").unwrap_or(0),
            stopped: member(&mut members, "stopped"),
        })
    }
}

/// A member that may be left out, and does no harm if it is not what it should be.
fn member<T: DeserializeOwned>(members: &mut Map<String, Value>, name: &str) -> Option<T> {
    members.remove(name).and_then(|value| shape::read(value, Unknown::Ignored).ok())
}

pub(super) fn garbage(detail: impl Into<String>) -> Failed {
    Failed::new(BotFailure::Garbage, detail)
}

/// The beginning of what may be long, fit to be shown.
pub(super) fn shown(text: &str) -> String {
    let text = plain_text(text);
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_response_is_told_from_what_is_none() {
        assert_eq!(
            read_line(r#"{"id":7,"result":{"a":1}}"#, &Id::Number(7)),
            Ok(Said::Result(json!({"a": 1})))
        );
        assert_eq!(read_line(r#"{"id":7.0,"result":1}"#, &Id::Number(7)), Ok(Said::Result(json!(1))));
        assert_eq!(
            read_line(r#"{"id":7,"result":1,"error":null}"#, &Id::Number(7)),
            Ok(Said::Result(json!(1)))
        );
        assert_eq!(read_line(r#"{"method":"info","params":{}}"#, &Id::Number(7)), Ok(Said::Notice));
        for (line, detail) in [
            ("hello", "it said something that is not JSON"),
            ("[1]", "it said something that is no response: [1]"),
            (r#"{"id":8,"result":1}"#, "it answered request 8, and was asked request 7"),
            (r#"{"id":"7","result":1}"#, "it answered request \"7\", and was asked request 7"),
            (r#"{"id":7.5,"result":1}"#, "it answered without the id of request 7: "),
            (r#"{"result":1}"#, "it answered without the id of request 7: "),
            (r#"{"id":7}"#, "its response has no result"),
            (r#"{"id":7,"error":{"code":1,"message":"no idea"}}"#, "it answered with an error: no idea"),
            (r#"{"id":null,"error":{"message":"what?"}}"#, "it answered with an error: what?"),
            (r#"{"id":7,"method":"hello"}"#, "it asked something instead of answering"),
        ] {
            let failed = read_line(line, &Id::Number(7)).expect_err(line);
            assert_eq!(failed.why, BotFailure::Garbage);
            assert!(failed.detail.starts_with(detail), "{line}: {}", failed.detail);
        }
    }

    #[test]
    fn actions_are_all_that_an_answer_needs() {
        let plain =
            BotAnswer::read(json!({"actions": ["w1"], "score": "good", "nodes": -1})).expect("an answer");
        let nothing_else = BotAnswer {
            actions: vec!["w1".into()],
            score: None,
            pv: None,
            depth: 0,
            nodes: 0,
            stopped: None,
        };
        assert_eq!(plain, nothing_else);
        let full = json!({"actions": ["w1"], "score": {"win": 0.25}, "pv": ["w1", "e2"], "depth": 3, "nodes": 9, "stopped": "time"});
        let full = BotAnswer::read(full).expect("an answer");
        assert_eq!((full.score.map(|score| score.win), full.depth, full.nodes), (Some(0.25), 3, 9));
        for (result, detail) in [
            (json!(["w1"]), "its result is no object"),
            (json!({"action": "w1"}), "its result has no actions"),
            (json!({"actions": "w1"}), "its actions are not a list of strings: \"w1\""),
            (json!({"actions": ["w1", 2]}), "its actions are not a list of strings"),
        ] {
            assert!(BotAnswer::read(result).expect_err(detail).detail.starts_with(detail));
        }
    }
}
