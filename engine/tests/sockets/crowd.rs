//! Many clients at once, and such as do not behave.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::visitor::Engine;

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
