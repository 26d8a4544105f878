//! Whatever a client sends, to a server inside this process.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use serde_json::{Map, Value, json};
use tabuleiro_engine::bots::Bots;
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::server::Server;
use tabuleiro_protocol::line::Lines;
use tabuleiro_protocol::message::{BadRequest, Incoming, Request, request};
use tabuleiro_protocol::method::METHODS;
use tabuleiro_protocol::{ErrorCode, ErrorObject, Id};

use crate::bytes::Decisions;
use crate::damage::damage;

/// Every request with an `id` gets one answer, every other line none or, where nobody can know what
/// was meant, one with `id` null. No request ends in an internal error, and one that is refused
/// leaves its table as it was.
///
/// Bytes that begin with a control character decide about requests that are nearly right. Others are
/// the lines themselves.
pub fn line_gets_one_answer(bytes: &[u8]) {
    let lines = match bytes.split_first() {
        Some((first, rest)) if *first < b' ' && !first.is_ascii_whitespace() => nearly_right(rest),
        _ => bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect(),
    };
    let lines: Vec<Vec<u8>> = lines.into_iter().map(with_little_work).collect();
    let input = with_looks(&lines);
    let asked = Asked::of(&input);
    let answers = Answers::of(&output_for(&input, asked.all()));
    answers.hold_against(&asked);
    answers.refusals_change_nothing(&lines);
}

/// How long an answer may take on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many answers each `id` must get, and how many more there may be to nobody in particular.
#[derive(Default)]
struct Asked {
    answers: HashMap<Option<Id>, usize>,
    perhaps: usize,
}

impl Asked {
    fn of(input: &[u8]) -> Asked {
        let mut asked = Asked::default();
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next_line().expect("memory can be read") {
            match Request::read(&line) {
                Ok(Request { id: Some(id), .. }) => *asked.answers.entry(Some(id)).or_default() += 1,
                // Whether it is answered depends on whether the client is strict by then.
                Ok(Request { id: None, unknown, .. }) => asked.perhaps += usize::from(unknown.is_some()),
                Err(BadRequest { is_response: true, .. }) => {}
                Err(BadRequest { id, .. }) => *asked.answers.entry(id).or_default() += 1,
            }
        }
        asked
    }

    fn all(&self) -> usize {
        self.answers.values().sum()
    }
}

type Answer = Result<Value, ErrorObject>;

#[derive(Default)]
struct Answers {
    by_id: HashMap<Option<Id>, Vec<Answer>>,
}

impl Answers {
    fn of(output: &[u8]) -> Answers {
        let output = str::from_utf8(output).expect("answers are UTF-8");
        let mut answers = Answers::default();
        for line in output.lines() {
            match Incoming::parse(line).unwrap_or_else(|garbage| panic!("{garbage}: {line}")) {
                Incoming::Notice { .. } => {}
                Incoming::Response { id, answer } => {
                    if let Err(error) = &answer {
                        assert_ne!(error.code, ErrorCode::Internal.number(), "{line}");
                        assert!(!error.message.is_empty(), "{line}");
                    }
                    answers.by_id.entry(id).or_default().push(answer);
                }
            }
        }
        answers
    }

    fn hold_against(&self, asked: &Asked) {
        for (id, answers) in &self.by_id {
            let least = asked.answers.get(id).copied().unwrap_or_default();
            let most = if id.is_none() { least + asked.perhaps } else { least };
            let count = answers.len();
            assert!((least..=most).contains(&count), "{count} answers to {id:?}, not {least}: {answers:?}");
        }
        let unanswered = asked.answers.keys().find(|id| !self.by_id.contains_key(*id));
        assert_eq!(unanswered, None, "no answer at all");
    }

    /// The table is the same before and after a line that was refused, unless somebody plays at it who
    /// waits for no line.
    fn refusals_change_nothing(&self, lines: &[Vec<u8>]) {
        for (number, line) in lines.iter().enumerate() {
            let Some(Ok(Request { id: Some(id), .. })) = str::from_utf8(line).ok().map(Request::parse) else {
                continue;
            };
            let [before, after] = [look(number), look(number + 1)].map(|id| self.one(&id));
            let (Some(before), Some(after), Some(Err(refused))) = (before, after, self.one(&id)) else {
                continue;
            };
            if [before, after].iter().all(|record| is_played_by_people(record)) {
                assert_eq!(
                    without_evaluations(before),
                    without_evaluations(after),
                    "{refused} has changed the table: {}",
                    String::from_utf8_lossy(line)
                );
            }
        }
    }

    /// The answer to a request with this `id`, if there was one such request alone.
    fn one(&self, id: &Id) -> Option<&Answer> {
        self.by_id.get(&Some(id.clone())).filter(|answers| answers.len() == 1)?.first()
    }
}

/// A record without what a review has found, which waits for no line.
fn without_evaluations(record: &Answer) -> Answer {
    let mut record = record.clone()?;
    if let Some(members) = record["record"].as_object_mut() {
        let mut notes = members.remove("notes").unwrap_or_default();
        for note in notes.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            note.remove("evaluation");
        }
        if let Some(notes) = notes.as_array_mut() {
            notes.retain(|note| note.as_object().is_some_and(|note| note.len() > 1));
            members.insert("notes".into(), json!(notes));
        }
        // With nothing but evaluations it is 2 as well.
        members.remove("version");
        members.entry("notes").or_insert_with(|| json!([]));
    }
    Ok(record)
}

fn is_played_by_people(record: &Answer) -> bool {
    let Ok(record) = record else { return true };
    ["1", "2"].iter().all(|seat| record["record"]["seats"][seat]["kind"] == "client")
}

/// The `id` of a look at the table before line so and so.
fn look(number: usize) -> Id {
    Id::Text(format!("the table before line {number}"))
}

/// The lines, and a look at the first table before each of them and behind the last. Each has its
/// end, because what comes with the end of the input is answered only if there is time.
fn with_looks(lines: &[Vec<u8>]) -> Vec<u8> {
    let mut input = Vec::new();
    for number in 0..=lines.len() {
        input.extend(request(&look(number), "record", json!({"table": "t1"})).bytes());
        input.push(b'\n');
        if let Some(line) = lines.get(number) {
            input.extend(line);
            input.push(b'\n');
        }
    }
    input
}

/// What a server has to say. The input ends when there have been so many answers, because a server
/// gives those who have gone away only a moment more.
fn output_for(input: &[u8], answers: usize) -> Vec<u8> {
    let server = Server::new(Catalog::standard(), Arc::new(Bots::default()), None);
    let output = Output::default();
    server.serve(Input { bytes: input, answers, output: output.clone() }, output.clone(), || {});
    std::mem::take(&mut output.0.text.lock().bytes)
}

/// What a client says, and what it waits for before it leaves.
struct Input<'a> {
    bytes: &'a [u8],
    answers: usize,
    output: Output,
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.bytes.is_empty() {
            self.output.wait_for_answers(self.answers);
        }
        Ok(self.bytes)
    }

    fn consume(&mut self, count: usize) {
        self.bytes = &self.bytes[count..];
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

/// What a server has written.
#[derive(Clone, Default)]
struct Output(Arc<Written>);

#[derive(Default)]
struct Written {
    text: Mutex<Text>,
    more: Condvar,
}

#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    /// Where the first line begins that was not looked at.
    looked: usize,
    /// How many answers there are before.
    answers: usize,
}

impl Text {
    /// How many answers there are, by the way they begin: notices have no `id`.
    fn answers(&mut self) -> usize {
        while let Some(length) = self.bytes[self.looked..].iter().position(|&byte| byte == b'\n') {
            self.answers += usize::from(self.bytes[self.looked..].starts_with(br#"{"jsonrpc":"2.0","id":"#));
            self.looked += length + 1;
        }
        self.answers
    }
}

impl Output {
    fn wait_for_answers(&self, count: usize) {
        let (mut text, last) = (self.0.text.lock(), Instant::now() + PATIENCE);
        while text.answers() < count {
            if self.0.more.wait_until(&mut text, last).timed_out() {
                break;
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.text.lock().bytes.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.more.notify_all();
        Ok(())
    }
}

/// The same line, with limits for those who would think or count for long.
fn with_little_work(line: Vec<u8>) -> Vec<u8> {
    let Ok(Value::Object(mut members)) = serde_json::from_slice(&line) else { return line };
    let method = members.get("method").and_then(Value::as_str).unwrap_or_default();
    let is_search = ["search", "choose", "review"].contains(&method);
    let thinks = is_search || ["new", "load", "seat", "batch", "perft"].contains(&method);
    let Some(Value::Object(params)) = members.get_mut("params").filter(|_| thinks) else { return line };
    if is_search {
        limit(params);
    }
    limit_inside(params);
    Value::Object(members).to_string().into_bytes()
}

fn limit_inside(members: &mut Map<String, Value>) {
    if members.get("kind").is_some_and(|kind| kind == "ai") {
        limit(members);
    }
    if let Some(Value::Object(search)) = members.get_mut("search") {
        limit(search);
    }
    for (name, most) in [("depth", 2), ("playouts", 2), ("threads", 2), ("nodes", 20)] {
        // What nobody takes for a number of these is left as it is.
        if members.get(name).and_then(Value::as_u64).is_some_and(|number| (most..=100_000).contains(&number))
        {
            members.insert(name.into(), most.into());
        }
    }
    for value in members.values_mut() {
        match value {
            Value::Object(members) => limit_inside(members),
            Value::Array(items) => items.iter_mut().filter_map(Value::as_object_mut).for_each(limit_inside),
            _ => {}
        }
    }
}

/// Gives a player or a search at least a limit of nodes.
fn limit(members: &mut Map<String, Value>) {
    let limits = members.entry("limits").or_insert_with(|| json!({}));
    if limits.is_null() {
        *limits = json!({});
    }
    if let Value::Object(limits) = limits {
        limits.entry("nodes").or_insert_with(|| json!(20));
        if limits["nodes"].is_null() || limits["nodes"].as_u64().is_some_and(|nodes| nodes > 20) {
            limits.insert("nodes".into(), json!(20));
        }
    }
}

/// A table of each game, and requests that were right before they were damaged.
fn nearly_right(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut decisions = Decisions::new(bytes);
    let options = [json!({"size": 5}), json!({"size": 9}), json!({}), json!({})];
    let games = ["zurero", "fabrik", "absorption", "syrtis"];
    let mut lines: Vec<String> = std::iter::zip(games, options)
        .map(|(game, options)| json!({"method": "new", "params": {"game": game, "options": options, "seed": 1}}))
        .map(|line| line.to_string())
        .collect();
    let mut number = 0;
    while !decisions.is_at_end() && lines.len() < 24 {
        number += 1;
        let (method, params) = decisions.pick(&EXAMPLES);
        let mut line = json!({"id": number, "method": method, "params": params});
        for _ in 0..decisions.below(3) {
            damage(&mut line, &mut decisions);
        }
        lines.push(line.to_string());
    }
    lines.into_iter().map(String::into_bytes).collect()
}

/// Made once: there are more inputs than anybody wants to wait for.
static EXAMPLES: LazyLock<Vec<(&'static str, Value)>> = LazyLock::new(|| {
    let examples = examples();
    let has_example = |method: &&&str| examples.iter().any(|(name, _)| name == *method);
    assert_eq!(METHODS.iter().find(|method| !has_example(method)), None, "a method without an example");
    examples
});

/// A request of every method, and more of those that can be made in many ways.
fn examples() -> Vec<(&'static str, Value)> {
    let at_first = json!({"table": "t1"});
    let with = |more: Value| {
        let mut params = at_first.clone();
        for (name, value) in more.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        params
    };
    let rows = json!([". . . . .", ". b . . .", ". . w . .", ". . . . .", ". . . . ."]);
    let start = json!({"rows": rows, "to_move": 1});
    let zurero = json!({"game": "zurero", "options": {"size": 5}});
    let record = json!({
        "format": "tabuleiro-record", "version": 1, "game": "zurero", "options": {"size": 5}, "seed": 1,
        "start": start, "seats": {"1": {"kind": "client"}, "2": {"kind": "ai", "level": "random"}},
        "played": ["w2"], "undone": [], "resigned": null, "held": true, "outcome": null,
    });
    let mut tree = record.clone();
    tree["version"] = json!(2);
    tree["nodes"] = json!([[2, 2]]);
    tree["variations"] = json!([{"after": 0, "place": 0, "nodes": [[4, 5]], "actions": ["nb", "w2"]}]);
    tree["notes"] = json!([{"node": 4, "comment": "why?", "mark": "!?", "resigned": 1}]);
    let puzzle = json!({
        "name": "zurero-win-00000000", "game": "zurero", "options": {"size": 5}, "start": start,
        "kind": "win", "turns": 2, "solutions": [["w2"]], "line": [["w2"]], "grade": 1,
        "solved_by": {"level": null, "nodes": 64}, "source": "nowhere",
    });
    vec![
        ("hello", json!({"client": "fuzz", "protocol": 1, "strict": true})),
        ("play", with(json!({"actions": ["@c3"]}))),
        ("play", with(json!({"actions": ["w3", "e3"], "ply": 1}))),
        ("play", json!({"table": "t2", "actions": ["@d4"]})),
        ("tree", with(json!({"node": 0, "follow": true}))),
        ("goto", with(json!({"node": 1, "ask": true}))),
        ("goto", with(json!({"node": 0}))),
        ("annotate", with(json!({"node": 1, "comment": "why?", "mark": "!?"}))),
        ("promote", with(json!({"node": 2, "main": true}))),
        ("delete", with(json!({"node": 2}))),
        ("restore", at_first.clone()),
        (
            "review",
            with(
                json!({"node": 1, "limits": {"nodes": 20}, "level": "club", "lines": 2, "seed": 1, "threads": 1}),
            ),
        ),
        ("text", with(json!({"node": 1, "position": true, "variations": false}))),
        ("check", json!({"game": "zurero", "options": {"size": 5}, "start": start})),
        ("state", with(json!({"node": 1}))),
        ("load", json!({"record": tree, "partial": true})),
        ("load", json!({"record": "zurero size=5 start=5/5/2,b,2/5/5 start.to_move=2 resigned=1 : w3"})),
        ("undo", with(json!({"actions": 1}))),
        ("undo", with(json!({"turns": 1}))),
        ("redo", with(json!({"turns": 1}))),
        ("new", json!({"game": "zurero", "start": start, "options": {"size": 5}})),
        (
            "new",
            json!({"game": "syrtis", "seats": {"1": {"kind": "ai", "level": "club"}, "2": {"kind": "client", "open": true}}}),
        ),
        ("state", with(json!({"ply": 0}))),
        ("actions", with(json!({"detail": true, "codes": true, "ply": 0}))),
        ("overlays", json!({"table": "t2"})),
        ("explain", with(json!({"cells": ["c3"], "edge": "west"}))),
        ("space", zurero.clone()),
        ("codes", json!({"game": "zurero", "options": {"size": 5}, "actions": ["@c3"]})),
        ("codes", json!({"game": "absorption", "codes": [[1, 2]]})),
        ("planes", with(json!({"seat": 1}))),
        ("history", at_first.clone()),
        ("replay", at_first.clone()),
        ("preview", with(json!({"actions": ["@c3"], "ply": 0}))),
        ("resign", with(json!({"seat": 1}))),
        ("seat", with(json!({"seat": 2, "to": {"kind": "ai", "level": "random"}}))),
        ("seat", with(json!({"seat": 2, "to": {"kind": "client", "open": true}}))),
        ("hold", at_first.clone()),
        ("resume", at_first.clone()),
        ("hurry", at_first.clone()),
        ("search", with(json!({"limits": {"nodes": 20}, "level": "club", "lines": 2, "seed": 1}))),
        ("search", with(json!({"limits": {"nodes": 20}, "endless": true, "threat": true, "keep": true}))),
        ("choose", json!({"game": "fabrik", "options": {"size": 9}, "played": [], "level": "greedy"})),
        (
            "batch",
            json!({"game": "zurero", "options": {"size": 5}, "positions": [{"played": ["@c3"], "every": true}], "ask": {"legal": true, "codes": true, "state": true, "planes": true, "evaluation": true, "playouts": 1, "search": {"level": "novice"}}, "threads": 1}),
        ),
        ("cancel", json!({"request": 1})),
        (
            "perft",
            json!({"game": "absorption", "options": {"captors": 1}, "depth": 1, "split": true, "seed": 1}),
        ),
        ("record", at_first.clone()),
        ("load", json!({"record": record})),
        ("render", with(json!({"ascii": true}))),
        ("rules", json!({"game": "syrtis"})),
        ("lesson", json!({"game": "fabrik"})),
        ("puzzles", json!({"game": "zurero", "grade": 1, "kind": "win", "day": "2026-11-17"})),
        ("puzzle", json!({"name": "zurero-win-00000000"})),
        ("judge", json!({"puzzle": puzzle, "played": ["w2"]})),
        ("hint", json!({"puzzle": puzzle, "played": [], "step": 2})),
        ("mistakes", with(json!({"nodes": [0]}))),
        ("tables", json!({})),
        ("attach", at_first.clone()),
        ("detach", at_first.clone()),
        ("claim", with(json!({"seat": 1}))),
        ("release", with(json!({"seat": 1}))),
        ("close", at_first.clone()),
        ("bot_log", json!({"name": "nobody"})),
        ("status", json!({})),
    ]
}
