//! JSON-RPC 2.0: requests, responses, notifications and errors.

use std::fmt;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::line::{LONGEST_LINE, Line};
use crate::schema::TWO_TO_64;
use crate::shape::{self, Unknown, WrongShape, shown, whole_of};

/// What a request is called, so that its response can be told from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Id {
    Number(i64),
    /// Beyond what the other numbers can be.
    Large(u64),
    Text(String),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Number(number) => write!(f, "{number}"),
            Id::Large(number) => write!(f, "{number}"),
            Id::Text(text) => write!(f, "{text:?}"),
        }
    }
}

// By hand, so that 1.0 is 1 for every reader.
impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Id;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a whole number of 64 bits")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Id, E> {
                Ok(Id::Number(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Id, E> {
                Ok(i64::try_from(number).map_or(Id::Large(number), Id::Number))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Id, E> {
                let whole = whole_of(number, &self)?;
                match (i64::try_from(whole), u64::try_from(whole)) {
                    (Ok(number), _) => Ok(Id::Number(number)),
                    (_, Ok(number)) => Ok(Id::Large(number)),
                    _ => Err(E::invalid_value(Unexpected::Float(number), &self)),
                }
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Id, E> {
                Ok(Id::Text(text.into()))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Id, E> {
                Ok(Id::Text(text))
            }
        }

        deserializer.deserialize_any(Name)
    }
}

impl JsonSchema for Id {
    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What a request is called, so that its response can be told from others.",
            "anyOf": [
                {"type": "string"},
                {"type": "integer", "minimum": i64::MIN, "exclusiveMaximum": TWO_TO_64},
            ],
        })
    }
}

/// A line from a client. Without an `id` nobody waits for a response.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub id: Option<Id>,
    pub method: String,
    /// An object, if it is what it should be.
    pub params: Value,
    /// A member that requests do not have.
    pub unknown: Option<String>,
}

/// The members of a request.
pub const REQUEST_MEMBERS: &[&str] = &["jsonrpc", "id", "method", "params"];

/// What a line from a client was wrong about, and the `id` of the response that says so.
#[derive(Clone, Debug, PartialEq)]
pub struct BadRequest {
    pub id: Option<Id>,
    pub error: Box<ErrorObject>,
    /// It answers something that nobody asked. An answer to an answer could go on for ever, so it
    /// gets none.
    pub is_response: bool,
}

impl Request {
    pub fn read(line: &Line) -> Result<Request, BadRequest> {
        let error = match line {
            Line::Text(text) | Line::Unfinished(text) => return Request::parse(text),
            Line::TooLong => {
                let message = format!("a line may have {LONGEST_LINE} bytes, and this one has more");
                ErrorObject::new(ErrorCode::InvalidRequest, message)
            }
            Line::NotUtf8 => ErrorObject::new(ErrorCode::Parse, "this line is not UTF-8"),
        };
        Err(BadRequest { id: None, error: Box::new(error), is_response: false })
    }

    pub fn parse(line: &str) -> Result<Request, BadRequest> {
        let bad = |id: &Option<Id>, error| {
            Err(BadRequest { id: id.clone(), error: Box::new(error), is_response: false })
        };
        let value: Value = match serde_json::from_str(line) {
            Ok(value) => value,
            Err(error) => {
                let message = format!("this is not JSON: {error}");
                return bad(&None, ErrorObject::new(ErrorCode::Parse, message));
            }
        };
        let mut object = match value {
            Value::Object(object) => object,
            Value::Array(_) => {
                let message = "batches are not taken: send one object a line";
                return bad(&None, ErrorObject::new(ErrorCode::InvalidRequest, message));
            }
            _ => {
                let message = "a request is an object with \"id\", \"method\" and \"params\"";
                return bad(&None, ErrorObject::new(ErrorCode::InvalidRequest, message));
            }
        };
        if !object.contains_key("method") && (object.contains_key("result") || object.contains_key("error")) {
            let error = ErrorObject::new(ErrorCode::InvalidRequest, "a response that nobody asked for");
            return Err(BadRequest { id: None, error: Box::new(error), is_response: true });
        }
        let id = match object.remove("id") {
            None => None,
            Some(id) => match shape::read(id, Unknown::Ignored) {
                Ok(id) => Some(id),
                Err(wrong) => return bad(&None, ErrorObject::request("id", &wrong.reason)),
            },
        };
        if let Some(version) = object.remove("jsonrpc").filter(|version| version != VERSION) {
            let reason = format!("must be \"{VERSION}\" or be left out, not {}", shown(&version));
            return bad(&id, ErrorObject::request("jsonrpc", &reason));
        }
        let method = match object.remove("method") {
            Some(Value::String(method)) => method,
            Some(other) => {
                let reason = format!("must be a string, not {}", shown(&other));
                return bad(&id, ErrorObject::request("method", &reason));
            }
            None => {
                let message = "a request needs a \"method\"";
                let error = ErrorObject::new(ErrorCode::InvalidRequest, message);
                return bad(&id, error.with("field", "method"));
            }
        };
        let params = match object.remove("params") {
            None | Some(Value::Null) => Value::Object(Map::new()),
            Some(params) => params,
        };
        let unknown = object.into_iter().map(|(name, _)| name).next();
        Ok(Request { id, method, params, unknown })
    }
}

/// A line to an engine or a bot, without its end.
pub fn request(id: &Id, method: &str, params: impl Serialize) -> String {
    #[derive(Serialize)]
    struct RequestLine<'a, P> {
        jsonrpc: &'static str,
        id: &'a Id,
        method: &'a str,
        params: P,
    }
    text(&RequestLine { jsonrpc: VERSION, id, method, params })
}

/// A line to a client, without its end: the answer to a request.
pub fn response(id: Option<&Id>, answer: Result<impl Serialize, ErrorObject>) -> String {
    #[derive(Serialize)]
    struct Granted<'a, R> {
        jsonrpc: &'static str,
        id: Option<&'a Id>,
        result: R,
    }
    #[derive(Serialize)]
    struct Refused<'a> {
        jsonrpc: &'static str,
        id: Option<&'a Id>,
        error: ErrorObject,
    }
    match answer {
        Ok(result) => text(&Granted { jsonrpc: VERSION, id, result }),
        Err(error) => text(&Refused { jsonrpc: VERSION, id, error }),
    }
}

/// A line to a client that it did not ask for, without its end.
pub fn notification(method: &str, params: impl Serialize) -> String {
    #[derive(Serialize)]
    struct Notification<'a, P> {
        jsonrpc: &'static str,
        method: &'a str,
        params: P,
    }
    text(&Notification { jsonrpc: VERSION, method, params })
}

/// A line from an engine or a bot.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    Response { id: Option<Id>, answer: Result<Value, ErrorObject> },
    Notice { method: String, params: Value },
}

/// Why a line from an engine or a bot is none that it may say.
#[derive(Debug, thiserror::Error)]
pub enum Garbage {
    #[error("it said something that is not JSON ({0})")]
    NotJson(#[from] serde_json::Error),
    #[error("it said something that is no response")]
    NoObject,
    #[error("it asked something instead of answering")]
    Request,
    #[error("its response has no result")]
    NoResult,
    #[error("its response has both a result and an error")]
    Both,
}

impl Incoming {
    pub fn parse(line: &str) -> Result<Incoming, Garbage> {
        let Value::Object(mut members) = serde_json::from_str(line)? else { return Err(Garbage::NoObject) };
        if let Some(method) = members.remove("method") {
            return match (method, members.contains_key("id")) {
                (Value::String(method), false) => {
                    Ok(Incoming::Notice { method, params: members.remove("params").unwrap_or_default() })
                }
                _ => Err(Garbage::Request),
            };
        }
        let id = members.remove("id").and_then(|id| serde_json::from_value(id).ok());
        let error = members.remove("error").filter(|error| !error.is_null());
        let answer = match (members.remove("result"), error) {
            (Some(result), None) => Ok(result),
            (None, Some(error)) => Err(ErrorObject::read(error)),
            (None, None) => return Err(Garbage::NoResult),
            (Some(_), Some(_)) => return Err(Garbage::Both),
        };
        Ok(Incoming::Response { id, answer })
    }
}

/// The version of JSON-RPC.
const VERSION: &str = "2.0";

/// A message, or a part of one, as it is written.
pub fn text(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages have text for keys and nothing that cannot be written")
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorObject {
    pub code: i64,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> ErrorObject {
        ErrorObject { code: code.number(), message: message.into(), data: None }.with("kind", code.kind())
    }

    /// What somebody gave as an error, however it looks.
    fn read(error: Value) -> ErrorObject {
        serde_json::from_value(error.clone()).unwrap_or_else(|_| {
            let message = error.get("message").and_then(Value::as_str).map(String::from);
            let code = error.get("code").and_then(Value::as_i64).unwrap_or(ErrorCode::Internal.number());
            ErrorObject { code, message: message.unwrap_or_else(|| error.to_string()), data: None }
        })
    }

    /// A member of a request that is not what it should be.
    fn request(field: &str, reason: &str) -> ErrorObject {
        ErrorObject::new(ErrorCode::InvalidRequest, format!("{field}: {reason}")).with("field", field)
    }

    /// A param that is missing or of a wrong type.
    pub fn params(field: &str, reason: &str) -> ErrorObject {
        ErrorObject::new(ErrorCode::InvalidParams, format!("{field}: {reason}")).with("field", field)
    }

    /// Adds a member to `data`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> ErrorObject {
        let data = self.data.get_or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(members) = data {
            members.insert(name.into(), value.into());
        }
        self
    }
}

/// Of params.
impl From<WrongShape> for ErrorObject {
    fn from(wrong: WrongShape) -> ErrorObject {
        let field = if wrong.field.is_empty() { "params" } else { &wrong.field };
        let error = ErrorObject::params(field, &wrong.reason);
        match wrong.nearest {
            None => error,
            Some(nearest) => error.with("nearest", nearest),
        }
    }
}

impl fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (error {})", self.message, self.code)
    }
}

impl std::error::Error for ErrorObject {}

/// Everything that can go wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    Parse,
    InvalidRequest,
    UnknownMethod,
    InvalidParams,
    Internal,
    UnknownTable,
    IllegalAction,
    BadPosition,
    NotYourSeat,
    GameOver,
    Stale,
    UnknownGame,
    BadOption,
    Limit,
    BadRecord,
    UnknownBot,
    NothingToUndo,
    OtherUser,
}

impl ErrorCode {
    /// `error.code`.
    pub fn number(self) -> i64 {
        self.names().0
    }

    /// `error.data.kind`.
    pub fn kind(self) -> &'static str {
        self.names().1
    }

    fn names(self) -> (i64, &'static str) {
        match self {
            ErrorCode::Parse => (-32700, "parse_error"),
            ErrorCode::InvalidRequest => (-32600, "invalid_request"),
            ErrorCode::UnknownMethod => (-32601, "unknown_method"),
            ErrorCode::InvalidParams => (-32602, "invalid_params"),
            ErrorCode::Internal => (-32603, "internal"),
            ErrorCode::UnknownTable => (1, "unknown_table"),
            ErrorCode::IllegalAction => (2, "illegal_action"),
            ErrorCode::BadPosition => (3, "bad_position"),
            ErrorCode::NotYourSeat => (4, "not_your_seat"),
            ErrorCode::GameOver => (5, "game_over"),
            ErrorCode::Stale => (6, "stale"),
            ErrorCode::UnknownGame => (7, "unknown_game"),
            ErrorCode::BadOption => (8, "bad_option"),
            ErrorCode::Limit => (9, "limit"),
            ErrorCode::BadRecord => (10, "bad_record"),
            ErrorCode::UnknownBot => (11, "unknown_bot"),
            ErrorCode::NothingToUndo => (12, "nothing_to_undo"),
            ErrorCode::OtherUser => (13, "other_user"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(line: &str) -> (Option<Id>, i64) {
        let bad = Request::parse(line).expect_err(line);
        (bad.id, bad.error.code)
    }

    #[test]
    fn a_person_can_type_a_request() {
        let request = Request::parse(r#"{"id":1,"method":"hello"}"#).unwrap();
        assert_eq!(
            request,
            Request { id: Some(Id::Number(1)), method: "hello".into(), params: json!({}), unknown: None }
        );
        let request =
            Request::parse(r#"{"jsonrpc":"2.0","id":"a","method":"x","params":{"b":1},"more":2}"#).unwrap();
        assert_eq!(request.id, Some(Id::Text("a".into())));
        assert_eq!(request.params["b"], 1);
        assert_eq!(request.unknown.as_deref(), Some("more"));
        let request = Request::parse(r#"{"id":18446744073709551615,"method":"x"}"#).unwrap();
        assert_eq!(request.id, Some(Id::Large(u64::MAX)));
        for (id, number) in [("1.0", 1), ("-2e1", -20), ("0", 0)] {
            let request = Request::parse(&format!(r#"{{"id":{id},"method":"x"}}"#)).unwrap();
            assert_eq!(request.id, Some(Id::Number(number)));
        }
    }

    #[test]
    fn bad_lines_are_told_apart() {
        assert_eq!(refused("nonsense"), (None, -32700));
        assert_eq!(refused(r#"{"id":1"#), (None, -32700));
        assert_eq!(refused("[]"), (None, -32600));
        assert_eq!(refused(r#"[{"id":1,"method":"hello"}]"#), (None, -32600));
        assert_eq!(refused("7"), (None, -32600));
        assert_eq!(refused(r#"{"id":5}"#), (Some(Id::Number(5)), -32600));
        assert_eq!(refused(r#"{"id":5,"method":7}"#), (Some(Id::Number(5)), -32600));
        assert_eq!(refused(r#"{"id":1.5,"method":"hello"}"#), (None, -32600));
        assert_eq!(refused(r#"{"id":null,"method":"hello"}"#), (None, -32600));
        assert_eq!(refused(r#"{"id":18446744073709551616,"method":"hello"}"#), (None, -32600));
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(refused(&deep), (None, -32700));
    }

    #[test]
    fn only_version_2_is_spoken() {
        for version in [r#""1.0""#, r#""2""#, "2.0", "null", "{}"] {
            let line = format!(r#"{{"jsonrpc":{version},"id":5,"method":"hello"}}"#);
            assert_eq!(refused(&line), (Some(Id::Number(5)), -32600), "{line}");
        }
    }

    #[test]
    fn a_response_is_no_request() {
        for (line, is_response) in [
            (r#"{"id":5,"result":{}}"#, true),
            (r#"{"jsonrpc":"1.0","id":1.5,"result":null}"#, true),
            (r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#, true),
            (r#"{"id":5,"method":7,"result":{}}"#, false),
            (r#"{"id":5}"#, false),
        ] {
            assert_eq!(Request::parse(line).expect_err(line).is_response, is_response, "{line}");
        }
        assert!(Request::parse(r#"{"id":5,"method":"hello","result":{}}"#).is_ok());
    }

    #[test]
    fn lines_from_an_engine_are_told_apart() {
        let parse = |line: &str| Incoming::parse(line).expect(line);
        assert_eq!(
            parse(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#),
            Incoming::Response { id: Some(Id::Number(3)), answer: Ok(json!({})) }
        );
        assert_eq!(
            parse(r#"{"method":"thinking","params":{"table":"t1"}}"#),
            Incoming::Notice { method: "thinking".into(), params: json!({"table": "t1"}) }
        );
        for (line, code, message) in [
            (r#"{"id":null,"error":{"code":-32700,"message":"no"}}"#, -32700, "no"),
            (r#"{"id":null,"error":"no"}"#, -32603, "\"no\""),
            (r#"{"id":null,"error":{"message":"no"}}"#, -32603, "no"),
        ] {
            let Incoming::Response { id: None, answer: Err(error) } = parse(line) else {
                panic!("{line} is an answer")
            };
            assert_eq!((error.code, error.message.as_str()), (code, message));
        }
        for garbage in [
            "",
            "nonsense",
            "[1]",
            "{}",
            r#"{"id":1,"result":1,"error":{"code":1,"message":""}}"#,
            r#"{"id":1,"method":"hello"}"#,
            r#"{"method":5}"#,
        ] {
            assert!(Incoming::parse(garbage).is_err(), "{garbage}");
        }
    }

    #[test]
    fn errors_carry_their_kind() {
        let error = ErrorObject::params("table", "is missing");
        assert_eq!(error.code, -32602);
        assert_eq!(error.data, Some(json!({"kind": "invalid_params", "field": "table"})));
    }
}
