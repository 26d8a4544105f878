//! The schema and the engine take the same requests, and a refusal is in words for people.
//!
//! Requests are made from the schema itself, so that a new method is tried without a word here. The
//! games and tables that they name do not exist: what is refused is refused for its shape.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Lines, PipeReader, PipeWriter, Write, pipe};
use std::sync::{Arc, LazyLock};
use std::thread;

use boon::{Compiler, SchemaIndex, Schemas};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::search::Level;
use tabuleiro_engine::server::Server;
use tabuleiro_protocol::method::{METHODS, Method, SayHello};

static SCHEMA: LazyLock<Value> = LazyLock::new(tabuleiro_protocol::schema);

/// What nobody who speaks JSON and not Rust should have to read.
const INSIDES: &[&str] = &[
    "struct",
    "tuple",
    "enum",
    "variant",
    "untagged",
    "expected",
    "invalid",
    "field `",
    "a map",
    "sequence",
    "identifier",
    "at line",
    "serde",
    "Some(",
    "None",
    "Option",
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
    "i64",
    "f64",
];

/// What may stand in the place of anything.
fn others() -> Vec<Value> {
    let numbers = [json!(0), json!(1), json!(1.0), json!(2.0), json!(-1), json!(0.5), json!(3), json!(101)];
    let large = [json!(1.8e19), json!(2e19), json!(-1e19), json!(1e300)];
    let texts = [json!(""), json!("word"), json!("north"), json!("ai")];
    let more =
        [json!(null), json!(true), json!([]), json!([null, 7]), json!(["word"]), json!({}), json!({"1": {}})];
    numbers.into_iter().chain(large).chain(texts).chain(more).collect()
}

fn one_of_each_kind() -> [Value; 8] {
    [json!(null), json!(true), json!(-1), json!(0.5), json!("word"), json!([null, 7]), json!([]), json!({})]
}

/// A schema with its references followed.
fn resolved(schema: &'static Value) -> &'static Value {
    match schema.get("$ref").and_then(Value::as_str) {
        None => schema,
        Some(path) => resolved(SCHEMA.pointer(&path[1..]).expect("a reference leads somewhere")),
    }
}

/// What something may be, one or the other. Beside properties they only say which of those there
/// must be.
fn alternatives(schema: &'static Value) -> Option<&'static Vec<Value>> {
    if schema.get("properties").is_some() {
        return None;
    }
    schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array)
}

/// Things that fit a schema: one with all there can be, first, and then one for everything that can
/// be otherwise.
fn examples(schema: &'static Value) -> Vec<Value> {
    let schema = resolved(schema);
    if let Some(alternatives) = alternatives(schema) {
        return alternatives.iter().flat_map(examples).collect();
    }
    if let Some(only) = schema.get("const") {
        return vec![only.clone()];
    }
    if let Some(Value::Array(values)) = schema.get("enum") {
        return values.clone();
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.and_then(Value::as_str).into_iter().collect(),
    };
    if kinds.is_empty() {
        return vec![json!({"any": [1]})];
    }
    kinds.into_iter().flat_map(|kind| examples_of(kind, schema)).collect()
}

fn examples_of(kind: &str, schema: &'static Value) -> Vec<Value> {
    match kind {
        "null" => vec![Value::Null],
        "boolean" => vec![json!(false), json!(true)],
        "integer" => vec![json!(1), schema.get("maximum").cloned().unwrap_or(json!(2))],
        "number" => vec![json!(0.5)],
        // Where not every word will do, the schema has some that do.
        "string" => match schema.get("examples").and_then(Value::as_array) {
            Some(words) => words.clone(),
            None => vec![json!("nothing"), json!("")],
        },
        "array" => {
            let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).max(1) as usize;
            let items = examples(schema.get("items").unwrap_or(&Value::Bool(true)));
            items.into_iter().map(|item| Value::Array(vec![item; count])).collect()
        }
        "object" => {
            let none = Map::new();
            let properties = schema.get("properties").and_then(Value::as_object);
            let Some(properties) = properties else { return vec![json!(none), json!({"size": 9})] };
            let parts: Vec<(&String, Vec<Value>)> =
                properties.iter().map(|(name, part)| (name, examples(part))).collect();
            let whole: Map<String, Value> =
                parts.iter().map(|(name, parts)| ((*name).clone(), parts[0].clone())).collect();
            let required = schema.get("required").and_then(Value::as_array);
            let is_required = |name: &str| required.is_some_and(|names| names.contains(&json!(name)));
            let mut all = vec![Value::Object(whole.clone())];
            for (name, parts) in parts {
                let mut without = whole.clone();
                without.remove(name);
                all.extend(parts.into_iter().skip(1).map(|part| {
                    let mut other = without.clone();
                    other.insert(name.clone(), part);
                    Value::Object(other)
                }));
                if !is_required(name) {
                    all.push(Value::Object(without));
                }
            }
            all
        }
        other => panic!("what is a {other}?"),
    }
}

/// The schema as a validator has it.
struct Validator {
    compiled: Schemas,
    request: SchemaIndex,
}

impl Validator {
    fn new() -> Validator {
        let mut compiler = Compiler::new();
        compiler.add_resource("file:///schema.json", SCHEMA.clone()).expect("a schema");
        let mut compiled = Schemas::new();
        let request =
            compiler.compile("file:///schema.json#/$defs/Request", &mut compiled).expect("a schema");
        Validator { compiled, request }
    }

    fn takes(&self, request: &Value) -> bool {
        self.compiled.validate(request, self.request).is_ok()
    }
}

/// Requests of every method that fit the schema, some for each.
fn proper_requests(validator: &Validator) -> Vec<(&'static str, Vec<Value>)> {
    let of_method = |&method: &&'static str| {
        let params = examples(&SCHEMA["$defs"][format!("{method}.params")]);
        let requests = params.into_iter().map(|params| json!({"id": 0, "method": method, "params": params}));
        // Not both `turns` and `actions`; and nobody is strict who has not been asked to.
        let proper = |request: &Value| validator.takes(request) && request["params"]["strict"] != true;
        let requests: Vec<Value> = requests.filter(proper).collect();
        assert!(!requests.is_empty(), "{method} has no example");
        (method, requests)
    };
    METHODS.iter().map(of_method).collect()
}

/// An engine of our own process, and one who talks to it.
struct Engine {
    requests: PipeWriter,
    answers: Lines<BufReader<PipeReader>>,
}

impl Engine {
    fn start() -> Engine {
        let (heard, requests) = pipe().expect("a pipe");
        let (answers, said) = pipe().expect("a pipe");
        thread::spawn(|| {
            let server = Server::new(Catalog::standard(), Arc::default(), Some(Level::Random));
            server.serve(BufReader::new(heard), said, || {});
        });
        Engine { requests, answers: BufReader::new(answers).lines() }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.requests, "{line}").expect("the engine listens");
    }

    /// The next answer; notifications are passed over.
    fn receive(&mut self) -> Value {
        loop {
            let line = self.answers.next().expect("the engine talks").expect("UTF-8");
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The answer to something that gets one.
    fn ask(&mut self, request: &Value) -> Value {
        self.send(&request.to_string());
        self.receive()
    }

    /// The answer to something that need not get one.
    fn try_line(&mut self, line: &str) -> Option<Value> {
        self.send(line);
        self.send(r#"{"id":"end","method":"tables"}"#);
        let first = self.receive();
        if first["id"] == "end" {
            return None;
        }
        assert_eq!(self.receive()["id"], "end", "more than one answer");
        Some(first)
    }
}

/// What only the engine knows: which levels and which puzzles there are.
const NAMES: [(&str, &str); 2] = [("level", "there is no level"), ("name", "there is no puzzle")];

/// Whether it was refused for its shape, and not for what it asks for.
fn is_misshapen(answer: &Value) -> bool {
    let error = &answer["error"];
    let field = error["data"]["field"].as_str();
    match error["code"].as_i64() {
        Some(-32600 | -32601) => true,
        Some(-32602) => {
            let message = error["message"].as_str().unwrap_or_default();
            let field = field.unwrap_or_default();
            !NAMES.iter().any(|(name, words)| field.ends_with(name) && message.contains(words))
        }
        Some(10) => field.is_some(),
        _ => false,
    }
}

/// The schema and the engine are of one mind, and refusals are fit to read.
fn check(validator: &Validator, engine: &mut Engine, request: &Value) -> Result<(), TestCaseError> {
    let answer = engine.ask(request);
    let misshapen = is_misshapen(&answer);
    prop_assert_eq!(!misshapen, validator.takes(request), "{}\n{}", request, answer);
    if misshapen {
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        let shown = INSIDES.iter().find(|inside| message.contains(*inside));
        prop_assert!(shown.is_none(), "{}\n{}", request, answer);
        let data = &answer["error"]["data"];
        prop_assert!(data["field"].is_string() || data["kind"] == "unknown_method", "{}", answer);
    }
    Ok(())
}

/// The places in a message, as JSON pointers; those of its members come before its own.
fn places(message: &Value, place: &str, found: &mut Vec<String>) {
    match message {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| places(member, &format!("{place}/{name}"), found));
        }
        Value::Array(items) => {
            (0..).zip(items).for_each(|(index, item)| places(item, &format!("{place}/{index}"), found));
        }
        _ => {}
    }
    found.push(place.into());
}

fn places_in(request: &Value) -> Vec<String> {
    let mut found = Vec::new();
    places(&request["params"], "/params", &mut found);
    found.push("/method".into());
    found
}

/// Takes away what is at a place, which is not the whole.
fn remove(request: &mut Value, place: &str) {
    let (outer, name) = place.rsplit_once('/').expect("a place in something");
    match request.pointer_mut(outer) {
        Some(Value::Object(members)) => drop(members.shift_remove(name)),
        Some(Value::Array(items)) => drop(items.remove(name.parse().expect("a number"))),
        _ => {}
    }
}

#[derive(Clone, Debug)]
enum Change {
    Remove(Index),
    Replace(Index, Index),
    Add(Index, &'static str),
    IntoArray(Index),
}

fn change(request: &mut Value, change: &Change) {
    let places = places_in(request);
    let place = |at: &Index| places[at.index(places.len())].as_str();
    match change {
        Change::Remove(at) => remove(request, place(at)),
        Change::Replace(at, what) => {
            if let Some(thing) = request.pointer_mut(place(at)) {
                *thing = what.get(&others()).clone();
            }
        }
        Change::Add(at, name) => {
            if let Some(Value::Object(members)) = request.pointer_mut(place(at)) {
                members.entry(*name).or_insert(json!([1]));
            }
        }
        Change::IntoArray(at) => {
            if let Some(thing) = request.pointer_mut(place(at)) {
                *thing = match thing.take() {
                    Value::Object(members) => members.into_iter().map(|(_, member)| member).collect(),
                    other => json!([other]),
                };
            }
        }
    }
    if request["params"]["strict"] == true {
        request["params"]["strict"] = json!(false);
    }
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let name = prop::sample::select(vec!["unknown", "kind", "extra", "limits", "1", "light"]);
    let one = prop_oneof![
        any::<Index>().prop_map(Change::Remove),
        any::<(Index, Index)>().prop_map(|(at, what)| Change::Replace(at, what)),
        (any::<Index>(), name).prop_map(|(at, name)| Change::Add(at, name)),
        any::<Index>().prop_map(Change::IntoArray),
    ];
    prop::collection::vec(one, 0..4)
}

#[test]
fn the_schema_and_the_engine_take_the_same_requests() {
    let (validator, engine) = (Validator::new(), RefCell::new(Engine::start()));
    let proper = proper_requests(&validator);
    let config = ProptestConfig {
        rng_seed: RngSeed::Fixed(12),
        failure_persistence: None,
        ..ProptestConfig::with_cases(4000)
    };
    proptest!(config, |((method, example) in any::<(Index, Index)>(), changes in changes())| {
        let mut request = example.get(&method.get(&proper).1).clone();
        changes.iter().for_each(|made| change(&mut request, made));
        check(&validator, &mut engine.borrow_mut(), &request)?;
    });
}

#[test]
fn whatever_stands_in_the_place_of_anything_is_refused_in_plain_words() {
    let (validator, mut engine) = (Validator::new(), Engine::start());
    for (_, proper) in proper_requests(&validator) {
        let mut requests = proper.clone();
        // The first has all members. Who plays a seat has three forms.
        let seats = proper.iter().filter(|request| request.to_string().contains("\"bot\"")).take(1);
        for request in proper.iter().take(1).chain(seats) {
            for place in places_in(request) {
                let mut without = request.clone();
                remove(&mut without, &place);
                requests.push(without);
                requests.extend(one_of_each_kind().into_iter().map(|other| {
                    let mut with = request.clone();
                    *with.pointer_mut(&place).expect("a place") = other;
                    with
                }));
            }
        }
        requests.retain(|request| request["params"]["strict"] != true);
        for request in requests {
            check(&validator, &mut engine, &request).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn the_rest_of_a_line_is_as_the_schema_has_it_too() {
    let (validator, mut engine) = (Validator::new(), Engine::start());
    let proper = json!({"jsonrpc": "2.0", "id": 1, "method": "tables", "params": {}});
    let mut requests = vec![proper.clone(), json!(7), json!([]), json!(null), json!("tables")];
    requests.push(json!({"id": 1, "method": "play"}));
    for member in ["jsonrpc", "id", "method", "params"] {
        let mut without = proper.clone();
        remove(&mut without, &format!("/{member}"));
        requests.push(without);
        requests.extend(others().into_iter().map(|other| {
            let mut with = proper.clone();
            with[member] = other;
            with
        }));
    }
    for request in requests {
        let answer = engine.try_line(&request.to_string());
        let is_taken = answer.as_ref().is_none_or(|answer| !is_misshapen(answer));
        assert_eq!(is_taken, validator.takes(&request), "{request}\n{answer:?}");
    }
}

/// The objects in something that fits a schema which have members of their own, and not any.
fn objects(schema: &'static Value, thing: &Value, place: &str, found: &mut Vec<String>) {
    let schema = resolved(schema);
    if let Some(alternatives) = alternatives(schema) {
        let kind = |part: &&'static Value| resolved(part)["properties"]["kind"].get("const");
        let right = alternatives.iter().find(|part| match kind(part) {
            Some(kind) => *kind == thing["kind"],
            None => resolved(part)["type"] != "null" && thing.is_object(),
        });
        if let Some(right) = right {
            objects(right, thing, place, found);
        }
        return;
    }
    match thing {
        Value::Object(members) => {
            let Some(Value::Object(properties)) = schema.get("properties") else { return };
            found.push(place.into());
            for (name, member) in members {
                objects(&properties[name], member, &format!("{place}/{name}"), found);
            }
        }
        Value::Array(items) => {
            if let (Some(first), Some(part)) = (items.first(), schema.get("items")) {
                objects(part, first, &format!("{place}/0"), found);
            }
        }
        _ => {}
    }
}

/// `/params/seats/1` as errors have it.
fn as_field(place: &str) -> String {
    let names =
        place.split('/').skip(2).map(|name| if name == "0" { "[0]".into() } else { format!(".{name}") });
    names.collect::<String>().trim_start_matches('.').into()
}

#[test]
fn strict_engines_refuse_unknown_members_everywhere() {
    let validator = Validator::new();
    let (mut requests, mut fields) = (Vec::new(), Vec::new());
    for (method, proper) in proper_requests(&validator) {
        let kinds = ["\"client\"", "\"ai\"", "\"bot\""];
        let of_kind = |kind: &&str| proper.iter().find(|request| request.to_string().contains(*kind));
        for request in proper.iter().take(1).chain(kinds.iter().filter_map(of_kind)) {
            let mut request = request.clone();
            if method == SayHello::NAME {
                request["params"]["strict"] = json!(true);
            }
            let mut found = Vec::new();
            let params = &SCHEMA["$defs"][format!("{method}.params")];
            objects(params, &request["params"], "/params", &mut found);
            for place in found {
                let mut with = request.clone();
                with.pointer_mut(&place).expect("a place")["unknwon"] = json!(1);
                requests.push(with);
                fields.push(Some(as_field(&format!("{place}/unknwon"))));
            }
            let mut with = request.clone();
            with["parms"] = json!({});
            requests.push(with);
            fields.push(Some("parms".into()));
            requests.push(request);
            fields.push(None);
        }
    }
    assert!(fields.contains(&Some("seats.1.limits.clock.unknwon".into())), "{fields:?}");
    assert!(fields.contains(&Some("record.start.unknwon".into())), "{fields:?}");
    let mut engine = Engine::start();
    let hello = engine.ask(&json!({"id": 1, "method": "hello", "params": {"strict": true}}));
    assert_eq!(hello["result"]["strict"], true);
    for (request, field) in requests.iter().zip(fields) {
        let answer = engine.ask(request);
        let error = &answer["error"];
        match field {
            None => assert!(!is_misshapen(&answer), "{request}\n{answer}"),
            Some(field) => {
                let found = (&error["code"], &error["data"]["field"]);
                assert_eq!(found, (&json!(-32602), &json!(field)), "{request}\n{answer}");
            }
        }
        if error["data"]["field"] == "parms" {
            assert_eq!(error["data"]["nearest"], "params");
        }
    }
}

#[test]
fn strictness_is_asked_for_and_can_be_given_up() {
    let mut engine = Engine::start();
    let odd = json!({"id": 1, "method": "tables", "params": {"colour": "red"}});
    let hello = |params: Value| json!({"id": 2, "method": "hello", "params": params});
    assert!(engine.ask(&odd).get("result").is_some());
    assert_eq!(engine.ask(&hello(json!({"strict": true, "clinet": "me"})))["result"]["strict"], true);
    let data = engine.ask(&odd)["error"]["data"].take();
    assert_eq!(data, json!({"kind": "invalid_params", "field": "colour"}));
    assert_eq!(engine.ask(&hello(json!({})))["result"]["strict"], true);
    assert!(engine.ask(&hello(json!({"strict": false})))["result"].get("strict").is_none());
    assert!(engine.ask(&odd).get("result").is_some());
}

#[test]
fn a_cancel_that_is_refused_cancels_nothing() {
    let mut engine = Engine::start();
    engine.ask(&json!({"id": 1, "method": "hello", "params": {"strict": true}}));
    engine.send(r#"{"id":2,"method":"perft","params":{"game":"zurero","depth":40}}"#);
    engine.send(r#"{"id":3,"method":"cancel","params":{"request":2},"more":1}"#);
    engine.send(r#"{"id":4,"method":"cancel","params":{"request":2,"more":1}}"#);
    engine.send(r#"{"id":5,"method":"cancel","params":{"request":2}}"#);
    let codes: Vec<Value> = (2..5).map(|_| engine.receive()["error"]["code"].take()).collect();
    assert_eq!(codes, [9, -32602, -32602]);
    assert_eq!(engine.receive()["result"]["cancelled"], true);
}
