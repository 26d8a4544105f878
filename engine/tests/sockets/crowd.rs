//! Many clients at once, and such as do not behave.

use std::io::{BufRead, BufReader, Write};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tabuleiro_protocol::socket::Socket;

use crate::visitor::{Engine, Visitor, free_name, wait_for};

/// Comes, asks for a table and hears the one line that answers it. A client that is refused hears why.
fn come_and_ask(name: &str, method: &str, params: Value) -> (Socket, Value) {
    let mut socket = Socket::connect(name).expect("somebody listens");
    // One that is refused may not be read any more.
    let _ = writeln!(socket, "{}", json!({"id": 1, "method": method, "params": params}));
    let mut line = String::new();
    BufReader::new(socket.clone()).read_line(&mut line).expect("a line");
    (socket, serde_json::from_str(&line).expect("JSON"))
}

#[test]
fn files_run_out_and_come_back() {
    let name = free_name();
    // The standard streams, the listener and a few others of its own leave room for some clients.
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"ulimit -n 24 && exec "$@""#, "sh"]);
    let _engine = Engine::start_by(shell, &name);
    for _ in 0..3 {
        let mut guests = Vec::new();
        let mut refused = 0;
        for _ in 0..40 {
            let (socket, answer) = come_and_ask(&name, "new", json!({"game": "zurero"}));
            match &answer["error"] {
                Value::Null => assert!(answer["result"]["table"].is_string(), "{answer}"),
                error => {
                    assert_eq!((&answer["id"], &error["code"]), (&Value::Null, &json!(9)), "{answer}");
                    refused += 1;
                }
            }
            guests.push(socket);
        }
        assert!((10..40).contains(&refused), "{refused} were refused");
        guests.iter().for_each(Socket::hang_up);
        // The engine notices one after the other that they have gone.
        wait_for("a client to be served", || come_and_ask(&name, "tables", json!({})).1["error"].is_null());
    }
    // Those who ask may be refused as well, as long as not all of the others have been missed.
    wait_for("all tables to be gone", || {
        let tables = come_and_ask(&name, "tables", json!({})).1["result"]["tables"].take();
        tables.as_array().is_some_and(Vec::is_empty)
    });
}

/// Plays random games at tables of its own, each watched by a second connection, and checks that
/// nothing is lost, doubled or out of order.
fn play_and_watch(engine: &Engine, number: u64, tables: u64) {
    let (mut player, mut watcher) = (engine.visitor(), engine.visitor());
    let tables: Vec<String> = (0..tables)
        .map(|table| {
            let params = json!({"game": "zurero", "options": {"size": 9}, "seed": number * 100 + table});
            player.get("new", params)["table"].as_str().expect("a table").to_string()
        })
        .collect();
    for table in &tables {
        watcher.get("attach", json!({"table": table}));
    }
    let mut expected: Vec<Value> = Vec::new();
    for (step, table) in (0..12).flat_map(|step| tables.iter().map(move |table| (step, table))) {
        let legal = player.get("actions", json!({"table": table}));
        let legal = legal["actions"].as_array().expect("actions");
        if legal.is_empty() {
            continue;
        }
        let action = &legal[(number as usize * 7 + step * 13) % legal.len()];
        let played = player.get("play", json!({"table": table, "actions": [action], "ply": step}));
        expected.push(played["state"].clone());
    }
    player.has_heard_nothing();
    for state in expected {
        assert_eq!(watcher.changed()["state"], state);
    }
    watcher.has_heard_nothing();
}

#[test]
fn nothing_is_lost_or_doubled_however_many_play() {
    let engine = Engine::start();
    thread::scope(|scope| {
        for number in 0..16 {
            let engine = &engine;
            scope.spawn(move || play_and_watch(engine, number, 8));
        }
    });
}

#[test]
fn one_that_does_not_read_is_hung_up_on_and_disturbs_nobody() {
    let engine = Engine::start();
    let mut player = engine.visitor();
    let table = player.get("new", json!({"game": "zurero", "seed": 1}))["table"].clone();
    let mut deaf = engine.visitor_that_does_not_read();
    let attach = json!({"id": 1, "method": "attach", "params": {"table": table}});
    writeln!(deaf, "{attach}").expect("the engine reads");
    let asking = thread::spawn(move || {
        // More than fits on the way; it waits, and fails when the engine hangs up.
        let ask = json!({"id": 2, "method": "hello", "params": {"client": "x".repeat(1 << 19)}}).to_string();
        (0..5000).try_for_each(|_| writeln!(deaf, "{ask}")).is_err()
    });
    player.get("play", json!({"table": table, "actions": ["@j10"]}));
    // Each is told to those who watch with the whole state: some 1.5 kilobytes.
    let mut rounds = 0;
    while !asking.is_finished() {
        player.get("play", json!({"table": table, "actions": ["w10"]}));
        player.get("undo", json!({"table": table}));
        rounds += 1;
        assert!(rounds < 200_000, "it is never hung up on");
    }
    assert!(asking.join().expect("no panic"), "the engine has hung up");
    player.get("state", json!({"table": table}));
}

#[test]
fn one_that_floods_and_never_reads_is_read_no_further() {
    for nonsense in [&b"x\n"[..], b"\xff\n", b"{\"id\":1,\"method\":\"hello\"}\n"] {
        let engine = Engine::start();
        let mut deaf = engine.visitor_that_does_not_read();
        let written = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&written);
        let piece = nonsense.repeat(4096 / nonsense.len());
        // It ends when the engine does.
        let flooding = thread::spawn(move || {
            while deaf.write_all(&piece).is_ok() {
                count.fetch_add(piece.len(), Ordering::Relaxed);
            }
        });
        let mut player = engine.visitor();
        let mut before = usize::MAX;
        while before != written.load(Ordering::Relaxed) {
            before = written.load(Ordering::Relaxed);
            assert!(before < 32 << 20, "the engine reads on and on");
            thread::sleep(Duration::from_millis(500));
            player.get("hello", json!({}));
        }
        drop(engine);
        flooding.join().expect("no panic");
    }
}

/// Read, a batch takes many times the length of its line.
#[cfg(target_os = "linux")]
#[test]
fn batches_that_wait_take_little_more_than_their_lines() {
    let engine = Engine::start();
    let (mut first, mut watcher) = (engine.visitor(), engine.visitor());
    // They hold all places.
    let searches = watcher.get("status", json!({}))["limits"]["searches"].as_u64().expect("a number");
    for _ in 0..searches {
        let endless = json!({"game": "fabrik", "played": [], "limits": {"time_ms": 600_000, "threads": 1}});
        first.ask("choose", endless);
    }
    wait_for("all places to be taken", || {
        watcher.get("status", json!({}))["load"]["searches"].as_u64() == Some(searches)
    });
    let resident = |watcher: &mut Visitor| {
        watcher.get("status", json!({}))["memory"]["resident"].as_u64().expect("Linux tells it") >> 20
    };
    let before = resident(&mut watcher);
    let batches: Vec<Visitor> = (0..2)
        .map(|_| {
            let mut client = engine.visitor();
            for _ in 0..3 {
                let positions = vec![json!({}); 100_000];
                client
                    .ask("batch", json!({"game": "zurero", "positions": positions, "ask": {"legal": true}}));
            }
            client
        })
        .collect();
    wait_for("all batches to be in line", || {
        watcher.get("status", json!({}))["load"]["waiting"].as_u64() == Some(6)
    });
    let more = resident(&mut watcher) - before;
    assert!(more < 128, "{more} MiB");
    drop(batches);
}

#[test]
fn a_log_that_nobody_reads_holds_up_nobody() {
    let engine = Engine::start();
    let mut visitor = engine.visitor();
    // Each is worth a line in the log, and all of them are more than fit into a pipe.
    for _ in 0..3000 {
        visitor.send(r#"{"id":1,"result":"nobody asked for this"}"#);
    }
    visitor.get("hello", json!({}));
    engine.visitor().get("hello", json!({}));
}

#[test]
fn one_that_only_asks_and_never_reads_holds_up_nobody() {
    let engine = Engine::start();
    let mut deaf = engine.visitor_that_does_not_read();
    for id in 0..3000 {
        let line = json!({"id": id, "method": "hello"}).to_string();
        writeln!(deaf, "{line}").expect("the engine reads on");
    }
    let mut player = engine.visitor();
    let table = player.get("new", json!({"game": "syrtis"}))["table"].clone();
    player.get("actions", json!({"table": table}));
}
