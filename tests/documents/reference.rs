//! PROTOCOL.md says what is so: every example in it is tried, and nothing is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::Duration;

use boon::{Compiler, Schemas};
use serde_json::{Value, json};
use tabuleiro_protocol::ErrorCode;
use tabuleiro_protocol::client::Conversation;
use tabuleiro_protocol::method::METHODS;
use tabuleiro_protocol::notice::NOTICES;

use crate::engine_process::{EngineProcess, PATIENCE, engine};

/// So long it is waited for what should not come.
const MOMENT: Duration = Duration::from_millis(100);

/// Kinds of events that none of our games has, so that there can be no example.
const OF_OTHER_GAMES: [&str; 2] = ["taken", "turned"];

/// What the document writes for anything that it leaves out.
const ANYTHING: &str = "…";

fn document() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../PROTOCOL.md");
    fs::read_to_string(path).expect("PROTOCOL.md is at the root of the repository")
}

#[derive(Clone, Copy)]
enum Said<'a> {
    /// How the engine was started.
    Start(&'a str),
    /// By a client, if there are several.
    ToEngine(Option<char>, &'a str),
    FromEngine(Option<char>, &'a str),
    /// Nobody says anything for a while.
    Nothing,
}

/// The fenced blocks in which there is talk, each line with its number in the document.
fn conversations(document: &str) -> Vec<Vec<(usize, Said<'_>)>> {
    let mut found = Vec::new();
    let mut lines = (1..).zip(document.lines());
    while let Some((_, line)) = lines.next() {
        if !line.starts_with("```") {
            continue;
        }
        let block: Vec<_> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
        if block.iter().any(|(_, line)| from_engine(line).is_some()) {
            found.push(block.into_iter().map(|(number, line)| (number, said(number, line))).collect());
        }
    }
    found
}

fn said(number: usize, line: &str) -> Said<'_> {
    match line.split_once(' ') {
        Some(("$", command)) => Said::Start(command),
        Some((mark, request)) if mark.ends_with('>') && mark.len() <= 2 => {
            Said::ToEngine(mark.strip_suffix('>').and_then(|client| client.chars().next()), request)
        }
        Some((mark, message)) if from_engine(line).is_some() => {
            Said::FromEngine(mark.strip_suffix('<').and_then(|client| client.chars().next()), message)
        }
        None if line == ANYTHING => Said::Nothing,
        _ => panic!("line {number} of PROTOCOL.md: who says this? {line}"),
    }
}

/// What the engine says in a line, if it says something there.
fn from_engine(line: &str) -> Option<&str> {
    line.split_once(' ')
        .filter(|(mark, _)| mark.ends_with('<') && mark.len() <= 2)
        .map(|(_, message)| message)
}

/// Makes JSON of a shortened message: what is left out between members and items becomes one that
/// says so.
fn pattern(shortened: &str) -> Result<Value, serde_json::Error> {
    let mut text = String::new();
    let mut open = Vec::new();
    let (mut in_string, mut escaped, mut wants_key) = (false, false, false);
    for sign in shortened.chars() {
        if in_string {
            in_string = sign != '"' || escaped;
            escaped = sign == '\\' && !escaped;
        } else {
            match sign {
                '"' => in_string = true,
                '{' | '[' => open.push(sign),
                '}' | ']' => drop(open.pop()),
                '…' => {
                    text += if wants_key { "\"…\":\"…\"" } else { "\"…\"" };
                    continue;
                }
                _ => {}
            }
            wants_key = matches!(sign, '{' | ',') && open.last() == Some(&'{');
        }
        text.push(sign);
    }
    serde_json::from_str(&text)
}

/// Says where a message is not as the document has it.
fn difference(pattern: &Value, real: &Value, place: &str) -> Option<String> {
    match (pattern, real) {
        (Value::String(text), _) if text == ANYTHING => None,
        (Value::String(text), Value::String(real)) if text.contains(ANYTHING) => {
            (!fits(text, real)).then(|| format!("{place}: {text:?} and really {real:?}"))
        }
        (Value::Object(members), Value::Object(real)) => {
            let more = members.contains_key(ANYTHING);
            if let Some(name) = real.keys().find(|&name| !more && !members.contains_key(name)) {
                return Some(format!("{place}: {name:?} is left out"));
            }
            members.iter().filter(|(name, _)| *name != ANYTHING).find_map(|(name, member)| {
                let place = format!("{place}.{name}");
                match real.get(name) {
                    None => Some(format!("{place} is not there")),
                    // No two runs take the same time.
                    Some(real) if name == "time_ms" && member.is_number() && real.is_number() => None,
                    Some(real) => difference(member, real, &place),
                }
            })
        }
        (Value::Array(items), Value::Array(real)) => difference_of_items(items, real, place),
        _ if rounds_to(real, pattern) => None,
        _ => (pattern != real).then(|| format!("{place}: {pattern} and really {real}")),
    }
}

/// Whether a number is the other one, which has two digits or more behind the point, if it is
/// rounded to as many.
fn rounds_to(real: &Value, rounded: &Value) -> bool {
    let text = rounded.to_string();
    match (real.as_f64(), text.split_once('.')) {
        (Some(real), Some((_, digits))) if digits.len() >= 2 => format!("{real:.*}", digits.len()) == text,
        _ => false,
    }
}

fn difference_of_items(items: &[Value], real: &[Value], place: &str) -> Option<String> {
    match items {
        [] if real.is_empty() => None,
        [] => Some(format!("{place} has more: {}", json!(real))),
        [Value::String(text), rest @ ..] if text == ANYTHING => {
            let mut differences =
                (0..=real.len()).map(|skipped| difference_of_items(rest, &real[skipped..], place));
            let first = differences.next()?;
            if differences.any(|difference| difference.is_none()) { None } else { first }
        }
        [item, rest @ ..] => match real {
            [] => Some(format!("{place} has no {item}")),
            [first, others @ ..] => difference(item, first, &format!("{place}[]"))
                .or_else(|| difference_of_items(rest, others, place)),
        },
    }
}

/// Whether a text is what is written around the gaps of another.
fn fits(shortened: &str, real: &str) -> bool {
    let mut pieces = shortened.split(ANYTHING);
    let Some(mut rest) = pieces.next().and_then(|first| real.strip_prefix(first)) else { return false };
    let mut last = None;
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
        last = Some(piece);
    }
    last.is_none_or(|last| real.ends_with(last))
}

/// An engine and those who talk to it.
enum Engine {
    OfOne(EngineProcess),
    OfMany { process: Child, name: String, clients: BTreeMap<char, Conversation> },
}

impl Engine {
    /// Starts the engine as the document says.
    fn start(command: &str) -> Engine {
        let words = shlex::split(command).expect("a command");
        let [program, arguments @ ..] = words.as_slice() else { panic!("{command}: no program") };
        assert_eq!(program, "tabuleiro-engine");
        let mut command = engine();
        match arguments {
            [flag, name, more @ ..] if flag == "--socket" => {
                let name = format!("{name}-{}", std::process::id());
                command.args([flag, &name]).args(more);
                let mut process = command.stderr(Stdio::piped()).spawn().expect("the engine starts");
                let stderr = process.stderr.as_mut().expect("a pipe");
                BufReader::new(stderr).read_line(&mut String::new()).expect("it is ready");
                Engine::OfMany { process, name, clients: BTreeMap::new() }
            }
            _ => Engine::OfOne(EngineProcess::start_as(command.args(arguments))),
        }
    }

    fn send(&mut self, client: Option<char>, line: &str) {
        match self {
            Engine::OfOne(engine) => engine.send(line),
            Engine::OfMany { name, clients, .. } => {
                let client = client.expect("one of several clients is named");
                let conversation = clients
                    .entry(client)
                    .or_insert_with(|| Conversation::connect(name).expect("the engine listens"));
                conversation.send_line(line.into()).expect("the engine is there");
            }
        }
    }

    fn receive(&self, client: Option<char>) -> Value {
        match self {
            Engine::OfOne(engine) => engine.receive(),
            Engine::OfMany { clients, .. } => {
                let client = client.expect("one of several clients is named");
                let heard = clients[&client].hear(PATIENCE).expect("the engine is there");
                serde_json::from_str(&heard.expect("the engine says something").line).expect("JSON")
            }
        }
    }

    fn is_silent(&self) -> bool {
        match self {
            Engine::OfOne(engine) => engine.is_silent(),
            Engine::OfMany { clients, .. } => clients.values().all(|client| client.heard() == Ok(None)),
        }
    }

    /// Everything that is still said.
    fn finish(self) -> Vec<Value> {
        match self {
            Engine::OfOne(engine) => {
                let (status, rest, _) = engine.finish();
                assert!(status.success());
                rest
            }
            Engine::OfMany { mut process, clients, .. } => {
                let rest = clients.values().filter_map(|client| client.hear(MOMENT).ok().flatten());
                let rest = rest.map(|heard| Value::String(heard.line)).collect();
                process.kill().and_then(|()| process.wait()).expect("it ends");
                rest
            }
        }
    }
}

/// Holds a conversation with a new engine. Gives the requests that were no mistakes, and what the
/// engine said.
fn hold(conversation: &[(usize, Said<'_>)], shapes: &mut Shapes) -> (Vec<Value>, Vec<Value>) {
    let mut engine = match conversation {
        [(_, Said::Start(command)), ..] => Engine::start(command),
        _ => Engine::start("tabuleiro-engine"),
    };
    let (mut asked, mut heard) = (BTreeMap::new(), Vec::new());
    for &(number, said) in conversation {
        match said {
            Said::Start(_) => {}
            Said::ToEngine(client, request) => {
                engine.send(client, request);
                if let Ok(request) = serde_json::from_str::<Value>(request) {
                    asked.insert((client, request["id"].to_string()), request);
                }
            }
            Said::Nothing => assert!(engine.is_silent(), "line {number} of PROTOCOL.md: something was said"),
            Said::FromEngine(client, message) => {
                let pattern = pattern(message)
                    .unwrap_or_else(|error| panic!("line {number} of PROTOCOL.md is not JSON: {error}"));
                let real = engine.receive(client);
                if let Some(difference) = difference(&pattern, &real, "it") {
                    panic!("line {number} of PROTOCOL.md is wrong: {difference}\nReally: {real}");
                }
                check_shape(&real, shapes, &mut asked, client, number);
                heard.push(real);
            }
        }
    }
    let rest = engine.finish();
    let last = conversation.last().map_or(0, |&(number, _)| number);
    assert!(rest.is_empty(), "after line {last} of PROTOCOL.md there is more: {}", json!(rest));
    (asked.into_values().collect(), heard)
}

/// What the engine says is as the schema has it. Requests that it refuses need not be.
fn check_shape(
    real: &Value,
    shapes: &mut Shapes,
    asked: &mut BTreeMap<(Option<char>, String), Value>,
    client: Option<char>,
    number: usize,
) {
    let of_request = (client, real["id"].to_string());
    let shape = match (&real["method"], &real["error"]) {
        (Value::String(method), _) => format!("/$defs/{method}.params"),
        (_, Value::Null) => {
            format!("/$defs/{}.result", asked[&of_request]["method"].as_str().expect("a method"))
        }
        _ => {
            asked.remove(&of_request);
            "/$defs/ErrorObject".into()
        }
    };
    let content = ["params", "result", "error"].into_iter().find_map(|name| real.get(name));
    if let Err(reason) = shapes.check(&shape, content.expect("a message has something to say")) {
        panic!("what was said in line {number} of PROTOCOL.md does not fit the schema: {reason}");
    }
    if let Err(reason) = shapes.check("", real) {
        panic!("what was said in line {number} of PROTOCOL.md is no line of the schema: {reason}");
    }
}

/// The schema, to hold messages against.
struct Shapes {
    compiler: Compiler,
    compiled: Schemas,
}

impl Shapes {
    fn new() -> Shapes {
        let mut compiler = Compiler::new();
        compiler.add_resource("file:///schema.json", tabuleiro_protocol::schema()).expect("a schema");
        Shapes { compiler, compiled: Schemas::new() }
    }

    /// Whether something is as a part of the schema has it.
    fn check(&mut self, part: &str, thing: &Value) -> Result<(), String> {
        let shape = self.compiler.compile(&format!("file:///schema.json#{part}"), &mut self.compiled);
        let shape = shape.unwrap_or_else(|error| panic!("{part}: {error}"));
        self.compiled.validate(thing, shape).map_err(|error| format!("{error:#}"))
    }
}

/// The names of all members of a message. The members of `set` and `split` are cells and actions,
/// and seats have numbers.
fn names_in(message: &Value, names: &mut BTreeSet<String>) {
    match message {
        Value::Array(items) => items.iter().for_each(|item| names_in(item, names)),
        Value::Object(members) => {
            for (name, member) in members {
                if !["1", "2"].contains(&name.as_str()) {
                    names.insert(name.clone());
                }
                if !["set", "split"].contains(&name.as_str()) {
                    names_in(member, names);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_example_is_what_the_engine_says_and_every_member_is_explained() {
    let document = document();
    let conversations = conversations(&document);
    assert!(conversations.len() > METHODS.len());
    let (mut names, mut shapes) = (BTreeSet::new(), Shapes::new());
    for conversation in &conversations {
        let (requests, heard) = hold(conversation, &mut shapes);
        heard.iter().for_each(|message| names_in(message, &mut names));
        for request in requests {
            if let Err(reason) = shapes.check("/$defs/Request", &request) {
                panic!("{request} does not fit the schema: {reason}");
            }
        }
    }
    for name in names {
        assert!(
            document.contains(&format!("`{name}`")),
            "PROTOCOL.md says nothing about the member `{name}`"
        );
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let mut shapes = Shapes::new();
    for (part, wrong) in [
        ("/$defs/play.params", json!({"table": "t1"})),
        ("/$defs/play.params", json!({"table": 1, "actions": []})),
        ("/$defs/claim.params", json!({"table": "t1", "seat": 3})),
        ("/$defs/seat.params", json!({"table": "t1", "seat": 1, "to": {"kind": "cat"}})),
        ("/$defs/actions.result", json!({"ply": 1, "to_move": 1})),
        (
            "/$defs/bot_failed.params",
            json!({"table": "t1", "seat": 1, "name": "x", "why": "bored", "detail": ""}),
        ),
        ("/$defs/Request", json!({"id": 1, "method": "fly"})),
        ("/$defs/Request", json!({"id": 1.5, "method": "hello"})),
        ("/$defs/Response", json!({"jsonrpc": "2.0", "id": 1})),
        ("", json!([])),
    ] {
        assert!(shapes.check(part, &wrong).is_err(), "{part}: {wrong}");
    }
}

#[test]
fn every_method_has_a_section_and_an_example() {
    let document = document();
    for method in METHODS {
        assert!(document.contains(&format!("\n### `{method}`\n")), "no section about {method}");
        let asked = format!("\"method\":\"{method}\"");
        let is_asked = |line: &str| {
            line.trim_start_matches(char::is_alphabetic).starts_with("> ") && line.contains(&asked)
        };
        assert!(document.lines().any(is_asked), "no example of {method}");
    }
}

#[test]
fn every_notification_has_a_section_and_an_example() {
    let document = document();
    for name in NOTICES {
        assert!(document.contains(&format!("\n### `{name}`\n")), "no section about {name}");
        assert!(is_heard(&document, &format!("\"method\":\"{name}\"")), "no example of {name}");
    }
}

#[test]
fn every_kind_of_event_is_listed_and_has_an_example() {
    let document = document();
    let kinds = kinds_of_events();
    assert!(kinds.contains(&"placed".to_string()) && kinds.contains(&"over".to_string()), "{kinds:?}");
    for kind in kinds {
        assert!(document.contains(&format!("\n| `{kind}` |")), "the event {kind} is not listed");
        let is_ours = !OF_OTHER_GAMES.contains(&kind.as_str());
        let example = format!("{{\"kind\":\"{kind}\"");
        assert!(!is_ours || is_heard(&document, &example), "no example of the event {kind}");
    }
}

#[test]
fn every_error_is_listed_and_has_an_example() {
    let document = document();
    let mut next = Some(ErrorCode::Parse);
    while let Some(error) = next {
        let (code, kind) = (error.number(), error.kind());
        assert!(document.contains(&format!("\n| {code} | `{kind}` |")), "the error {kind} is not listed");
        let example = format!("\"error\":{{\"code\":{code},");
        // Neither an internal error nor another user can be brought about here; there is one to
        // read.
        let is_there = if matches!(error, ErrorCode::Internal | ErrorCode::OtherUser) {
            document.contains(&example)
        } else {
            is_heard(&document, &example)
        };
        assert!(is_there, "no example of the error {kind}");
        next = error_after(error);
    }
}

/// Whether some example has this in a line from the engine.
fn is_heard(document: &str, text: &str) -> bool {
    document.lines().filter_map(from_engine).any(|message| message.contains(text))
}

/// Every kind of event in the schema.
fn kinds_of_events() -> Vec<String> {
    let schema = tabuleiro_protocol::schema();
    let kinds = schema["$defs"]["Event"]["oneOf"].as_array().expect("the kinds of events");
    kinds.iter().filter_map(|kind| kind["properties"]["kind"]["const"].as_str()).map(String::from).collect()
}

/// Goes through all errors. The compiler sees to it that none is forgotten.
fn error_after(error: ErrorCode) -> Option<ErrorCode> {
    use ErrorCode::*;
    Some(match error {
        Parse => InvalidRequest,
        InvalidRequest => UnknownMethod,
        UnknownMethod => InvalidParams,
        InvalidParams => Internal,
        Internal => UnknownTable,
        UnknownTable => IllegalAction,
        IllegalAction => BadPosition,
        BadPosition => NotYourSeat,
        NotYourSeat => GameOver,
        GameOver => Stale,
        Stale => UnknownGame,
        UnknownGame => BadOption,
        BadOption => Limit,
        Limit => BadRecord,
        BadRecord => UnknownBot,
        UnknownBot => NothingToUndo,
        NothingToUndo => OtherUser,
        OtherUser => return None,
    })
}

#[test]
fn a_wrong_example_is_found_out() {
    let differs = |shortened: &str, real: Value| {
        difference(&pattern(shortened).expect("a pattern"), &real, "it").is_some()
    };
    let real = json!({"a": 1, "b": [1, 2, 3], "c": "one two three", "d": {"e": null, "time_ms": 7}});
    let probability = json!({"win": 0.98765});
    for (text, is_right) in
        [("0.99", true), ("0.9877", true), ("0.98765", true), ("0.98", false), ("1.0", false)]
    {
        assert_eq!(differs(&format!(r#"{{"win":{text}}}"#), probability.clone()), !is_right, "{text}");
    }
    for right in [
        "…",
        "{…}",
        r#"{"a":1,…}"#,
        r#"{…,"d":{"e":null,"time_ms":0}}"#,
        r#"{"a":…,"b":…,"c":"…","d":{…}}"#,
        r#"{"b":[…],…}"#,
        r#"{"b":[1,…],…}"#,
        r#"{"b":[…,2,…],…}"#,
        r#"{"b":[1,2,3,…],…}"#,
        r#"{"c":"one…",…}"#,
        r#"{"c":"one…two…three",…}"#,
        r#"{"c":"…e","a":1,…}"#,
    ] {
        assert!(!differs(right, real.clone()), "{right}");
    }
    for wrong in [
        "{}",
        "[…]",
        r#"{"a":2,…}"#,
        r#"{"a":"1",…}"#,
        r#"{"a":1,"b":[1,2,3],"c":"…"}"#,
        r#"{"z":…,…}"#,
        r#"{"b":[2,…],…}"#,
        r#"{"b":[…,2],…}"#,
        r#"{"b":[1,2,3,…,4],…}"#,
        r#"{"c":"one",…}"#,
        r#"{"c":"two…",…}"#,
        r#"{"c":"…two",…}"#,
        r#"{"c":"one two three…three",…}"#,
        r#"{"d":{"e":0,…},…}"#,
        r#"{"d":{},…}"#,
        r#"{"d":{"e":null,"time_ms":"0"},…}"#,
    ] {
        assert!(differs(wrong, real.clone()), "{wrong}");
    }
}
