//! How an engine at a socket begins and ends, and clients that come and go.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tabuleiro_protocol::client::{Conversation, Received};
use tabuleiro_protocol::message::Incoming;
use tabuleiro_protocol::method::SayHello;

use crate::visitor::{Engine, PATIENCE, Visitor, free_name};

fn open_table(visitor: &mut Visitor, seats: Value) -> String {
    let params = json!({"game": "zurero", "options": {"size": 9}, "seed": 1, "seats": seats});
    visitor.get("new", params)["table"].as_str().expect("a table").into()
}

#[test]
fn a_client_that_goes_away_frees_its_seat() {
    let engine = Engine::start();
    let (mut maker, mut guest, mut next) = (engine.visitor(), engine.visitor(), engine.visitor());
    let table = open_table(&mut maker, json!({"2": {"kind": "client", "open": true}}));
    guest.get("claim", json!({"table": table, "seat": 2}));
    assert_eq!(maker.changed()["state"]["seats"]["2"]["claimed"], true);
    guest.leave();
    assert_eq!(maker.changed()["state"]["seats"]["2"], json!({"kind": "client", "open": true}));
    next.get("claim", json!({"table": table, "seat": 2}));
    assert_eq!(maker.changed()["state"]["seats"]["2"]["claimed"], true);
}

#[test]
fn a_table_outlives_its_maker_for_those_who_are_attached() {
    let engine = Engine::start();
    let (mut maker, mut guest) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut maker, json!({}));
    let lonely = open_table(&mut maker, json!({"1": {"kind": "ai", "level": "random"}}));
    guest.get("attach", json!({"table": table}));
    maker.get("play", json!({"table": table, "actions": ["@e5"]}));
    assert_eq!(guest.changed()["ply"], 1);
    maker.leave();
    let open = json!({"kind": "client", "open": true});
    assert_eq!(guest.changed()["state"]["seats"], json!({"1": open, "2": open}));

    assert_eq!(guest.refused("play", json!({"table": table, "actions": ["w5"]})), "not_your_seat");
    guest.get("claim", json!({"table": table, "seat": 2}));
    guest.get("play", json!({"table": table, "actions": ["w5"]}));
    guest.get("claim", json!({"table": table, "seat": 1}));
    guest.get("play", json!({"table": table, "actions": ["e5"]}));
    // Nobody is at the other one; it goes as soon as the engine comes to it.
    while guest.get("tables", json!({}))["tables"].as_array().expect("tables").len() > 1 {}
    assert_eq!(guest.refused("state", json!({"table": lonely})), "unknown_table");
    guest.get("close", json!({"table": table}));
}

#[test]
fn a_client_that_ends_its_input_still_gets_its_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("engine");
    let _engine = Engine::start_at(name.to_str().expect("a plain path"));
    let mut socket = UnixStream::connect(&name).expect("somebody listens");
    socket.write_all(br#"{"id":1,"method":"hello"}"#).expect("the engine reads");
    socket.write_all(b"\n{\"id\":2,\"method\":\"tables\"}").expect("the engine reads");
    socket.shutdown(Shutdown::Write).expect("half closed");
    let mut said = String::new();
    socket.read_to_string(&mut said).expect("all of it");
    assert_eq!(said.lines().count(), 2);
    assert!(said.ends_with("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tables\":[]}}\n"));
}

#[test]
fn bad_lines_of_one_client_are_its_own_trouble() {
    let engine = Engine::start();
    let (mut naughty, mut good) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut good, json!({}));
    naughty.send("what?");
    naughty.send("[]");
    naughty.send(&"x".repeat((1 << 20) + 2));
    let id = naughty.ask("close", json!({"table": table}));
    assert!(naughty.response(id).is_err());
    good.get("play", json!({"table": table, "actions": ["@e5"]}));
}

#[test]
fn an_engine_ends_when_it_is_told_to_and_leaves_nothing() {
    for signal in ["-TERM", "-INT"] {
        let folder = tempfile::tempdir().expect("a folder");
        let name = folder.path().join("engine").to_str().expect("a plain path").to_string();
        let mut engine = Engine::start_at(&name);
        let visitor = engine.visitor();
        assert!(Path::new(&name).exists());
        assert_eq!(engine.kill(signal), Some(0));
        assert!(!Path::new(&name).exists());
        assert_eq!(visitor.until_hung_up(), Vec::<Value>::new());
    }
}

#[test]
fn what_a_killed_engine_left_is_taken_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("engine").to_str().expect("a plain path").to_string();
    let mut engine = Engine::start_at(&name);
    engine.kill("-KILL");
    assert!(Path::new(&name).exists());
    let engine = Engine::start_at(&name);
    engine.visitor().get("hello", json!({}));
}

#[test]
fn a_name_is_for_one_engine() {
    let name = free_name();
    let engine = Engine::start_at(&name);
    let second = Engine::command(&name).output().expect("it runs");
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(said.contains(&name) && said.contains("somebody is listening there already"), "{said}");
    engine.visitor().get("hello", json!({}));
}

#[test]
fn a_place_that_cannot_be_used_is_named() {
    for name in ["", "/nowhere/at/all"] {
        let refused = Engine::command(name).output().expect("it runs");
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains(&format!("--socket {name}:")));
    }
}

#[test]
fn another_user_is_told_why_it_is_not_let_in() {
    let as_nobody = |python: &str, arguments: &[&str]| {
        Command::new("setpriv")
            .args(["--reuid=65534", "--clear-groups", python])
            .args(arguments)
            .output()
            .ok()
            .filter(|output| output.status.success())
    };
    // The first one may be in a home that only its owner may enter.
    let pythons = ["python3", "/usr/bin/python3"];
    let Some(python) = pythons.into_iter().find(|python| as_nobody(python, &["-c", ""]).is_some()) else {
        eprintln!("not tried: this user cannot become another one, or that one has no Python");
        return;
    };
    let engine = Engine::start();
    // Many times: whoever is refused must not make the owner wait. A pause of 100 ms for each would
    // take longer than the alarm allows.
    let script = "import signal, socket, sys\n\
        signal.alarm(40)\n\
        for _ in range(1000):\n    \
            s = socket.socket(socket.AF_UNIX)\n    \
            s.connect('\\0' + sys.argv[1])\n    \
            heard = s.makefile().read()\n\
        print(heard)";
    let stranger = as_nobody(python, &["-c", script, &engine.name]).expect("it hears something in time");
    let heard: Value = serde_json::from_slice(&stranger.stdout).expect("one line");
    assert_eq!((&heard["id"], &heard["error"]["code"]), (&Value::Null, &json!(13)), "{heard}");
    engine.visitor().get("hello", json!({}));
}

#[test]
fn a_conversation_in_rust_ends_when_it_is_dropped() {
    let engine = Engine::start();
    let mut watcher = engine.visitor();
    let table = {
        let mut conversation = Conversation::connect(&engine.name).expect("an engine");
        conversation.send(&SayHello::default()).expect("sent");
        let heard = conversation.hear(PATIENCE).expect("open").expect("an answer");
        assert!(matches!(heard, Received { incoming: Some(Incoming::Response { answer: Ok(_), .. }), .. }));
        let new = json!({"id": 9, "method": "new", "params": {"game": "fabrik"}});
        conversation.send_line(new.to_string()).expect("sent");
        let heard = conversation.hear(PATIENCE).expect("open").expect("an answer");
        let Some(Incoming::Response { answer: Ok(opened), .. }) = heard.incoming else { panic!("{heard:?}") };
        let table = opened["table"].as_str().expect("a table").to_string();
        watcher.get("attach", json!({"table": table}));
        table
    };
    let changed = watcher.changed();
    assert_eq!((&changed["table"], &changed["state"]["seats"]["1"]["open"]), (&json!(table), &json!(true)));
}
