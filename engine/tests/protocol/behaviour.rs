//! How the process behaves, whatever is asked.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::engine_process::EngineProcess;

/// What should happen at once happens within this time even on a machine that has much else to do.
const SOON: Duration = Duration::from_secs(30);

#[test]
fn hello_lists_games_options_and_levels() {
    let mut engine = EngineProcess::start();
    let hello = engine.get("hello", json!({"client": "a test", "protocol": 1, "more": [1]}));
    assert_eq!(hello["protocol"], 1);
    assert_eq!(hello["bots"], json!([]));
    let games: Vec<&str> =
        hello["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(games, every_game!());
    let size = &hello["games"][0]["options"][0];
    assert_eq!((&size["name"], &size["type"]), (&json!("size"), &json!("integer")));
    assert_eq!((&size["default"], &size["min"], &size["max"]), (&json!(19), &json!(5), &json!(19)));
    let levels = hello["levels"].as_array().unwrap();
    assert!(
        levels.iter().any(|level| level["id"] == "random")
            && levels.iter().any(|level| level["id"] == "greedy")
    );
    assert!(levels.iter().all(|level| level["help"].as_str().unwrap().ends_with('.')));
}

#[test]
fn carriage_returns_and_blank_lines_are_accepted() {
    let mut engine = EngineProcess::start();
    engine.send_bytes(b"\r\n\n   \n{\"id\":\"one\",\"method\":\"tables\"}\r\n");
    assert_eq!(engine.receive(), json!({"jsonrpc": "2.0", "id": "one", "result": {"tables": []}}));
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let mut engine = EngineProcess::start();
    engine.send_bytes(b"\xef\xbb\xbf{\"id\":1,\"method\":\"tables\"}\n");
    assert_eq!(engine.receive(), json!({"jsonrpc": "2.0", "id": 1, "result": {"tables": []}}));
}

#[test]
fn a_response_is_not_answered() {
    let mut engine = EngineProcess::start();
    engine.send(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
    engine.send(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#);
    engine.send(r#"{"id":8,"method":"tables"}"#);
    assert_eq!(engine.receive()["id"], 8);
}

#[test]
fn a_request_without_an_id_is_carried_out_in_silence() {
    let mut engine = EngineProcess::start();
    engine.send(r#"{"method":"new","params":{"game":"zurero"}}"#);
    engine.send(r#"{"method":"fly"}"#);
    engine.send(r#"{"method":"search","params":{"table":"t1"}}"#);
    assert_eq!(engine.get("tables", json!({}))["tables"].as_array().unwrap().len(), 1);
    assert!(engine.is_silent());
}

#[test]
fn a_line_over_a_mebibyte_is_refused_and_the_next_one_answered() {
    let mut engine = EngineProcess::start();
    engine.send(&format!(r#"{{"id":1,"method":"hello","params":{{"client":"{}"}}}}"#, "x".repeat(1 << 20)));
    let answer = engine.receive();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)));
    engine
        .send(&format!(r#"{{"id":2,"method":"tables","params":{{"x":"{}"}}}}"#, "x".repeat((1 << 20) - 100)));
    assert_eq!(engine.receive()["id"], 2);
}

#[test]
fn what_is_not_utf8_is_refused() {
    let mut engine = EngineProcess::start();
    engine.send_bytes(b"\xff\xfe\n");
    assert_eq!(engine.receive()["error"]["code"], -32700);
}

#[test]
fn the_end_of_input_ends_the_process_at_once() {
    let (status, rest, took) = EngineProcess::start().finish();
    assert!(status.success() && rest.is_empty());
    assert!(took < SOON, "{took:?}");
}

#[test]
fn the_end_of_input_leaves_no_request_unanswered() {
    let mut engine = EngineProcess::start();
    engine.ask("choose", json!({"game": "absorption", "played": []}));
    engine.ask("tables", json!({}));
    let (status, rest, _) = engine.finish();
    assert!(status.success());
    let mut ids: Vec<i64> = rest.iter().map(|message| message["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
}

/// Far more than anybody can count.
fn endless_count() -> Value {
    json!({"game": "zurero", "depth": 40})
}

#[test]
fn the_end_of_input_ends_what_takes_for_ever() {
    let mut engine = EngineProcess::start();
    engine.ask("perft", endless_count());
    let (status, rest, took) = engine.finish();
    assert!(status.success());
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0]["error"]["data"]["kind"], "limit");
    assert!(took < SOON, "{took:?}");
}

#[test]
fn a_count_can_be_cancelled_while_it_goes_on() {
    let mut engine = EngineProcess::start();
    let count = engine.ask("perft", endless_count());
    // The count has to have begun; it would go on for years.
    assert!(engine.is_silent());
    let cancel = engine.ask("cancel", json!({"request": count}));
    assert_eq!(engine.response(count).unwrap_err()["code"], 9);
    assert_eq!(engine.response(cancel).unwrap(), json!({"cancelled": true}));
    assert_eq!(engine.get("cancel", json!({"request": count})), json!({"cancelled": false}));
    // In silence as well.
    let count = engine.ask("perft", endless_count());
    assert!(engine.is_silent());
    engine.send(&json!({"method": "cancel", "params": {"request": count}}).to_string());
    assert_eq!(engine.response(count).unwrap_err()["code"], 9);
}

#[test]
fn a_count_can_be_cancelled_before_it_begins() {
    let mut engine = EngineProcess::start();
    let counts = [(); 2].map(|()| engine.ask("perft", endless_count()));
    let cancels = counts.map(|count| engine.ask("cancel", json!({"request": count})));
    for count in counts {
        assert_eq!(engine.response(count).unwrap_err()["code"], 9);
    }
    for cancel in cancels {
        assert_eq!(engine.response(cancel).unwrap(), json!({"cancelled": true}));
    }
}

#[test]
fn reading_goes_on_whatever_waits() {
    let mut engine = EngineProcess::start();
    engine.ask("perft", endless_count());
    for _ in 0..1500 {
        engine.ask("tables", json!({}));
    }
    let (status, rest, took) = engine.finish();
    assert!(status.success());
    assert_eq!(rest.len(), 1501);
    assert!(took < SOON, "{took:?}");
}

#[test]
fn an_id_is_free_again_once_it_was_answered() {
    let mut engine = EngineProcess::start();
    let choose = r#"{"id":7,"method":"choose","params":{"game":"zurero","played":[],"level":"random"}}"#;
    engine.skip_ids(7);
    for _ in 0..200 {
        engine.send(choose);
        assert!(engine.response(7).is_ok());
        assert_eq!(engine.get("cancel", json!({"request": 7})), json!({"cancelled": false}));
    }
}

#[test]
fn an_id_that_was_not_answered_yet_is_refused() {
    let mut engine = EngineProcess::start();
    let choose = json!({"id": 7, "method": "choose", "params": {
        "game": "zurero", "played": ["@j10"], "level": "uct", "limits": {"time_ms": 3_600_000}
    }});
    engine.skip_ids(7);
    engine.send(&choose.to_string());
    engine.send(&choose.to_string());
    let refused = engine.response(7).expect_err("it is under way");
    assert_eq!(refused["code"], -32600, "{refused}");
    // The one that is under way is the first one.
    engine.ask("cancel", json!({"request": 7}));
    let mut answers = [engine.receive(), engine.receive()];
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!((&answers[0]["id"], &answers[0]["result"]["stopped"]), (&json!(7), &json!("cancelled")));
    assert_eq!(answers[1]["result"], json!({"cancelled": true}));
}

#[test]
fn a_client_that_reads_nothing_cannot_keep_the_engine_alive() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = child.stdin.take().expect("its input is a pipe");
    // Far more answers than a pipe holds.
    let requests = "{\"id\":1,\"method\":\"hello\"}\n".repeat(500);
    input.write_all(requests.as_bytes()).expect("it reads");
    drop(input);
    let began = Instant::now();
    while child.try_wait().expect("its state").is_none() {
        assert!(began.elapsed() < SOON, "it is still there");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn large_ids_and_params_of_notifications_are_taken_as_they_come() {
    let mut engine = EngineProcess::start();
    engine.send(r#"{"id":18446744073709551615,"method":"tables"}"#);
    assert_eq!(engine.receive()["id"], json!(u64::MAX));
    engine.send(r#"{"method":"tables","params":[1]}"#);
    assert!(engine.is_silent());
    engine.send(r#"{"id":1,"method":"tables","params":[1]}"#);
    assert_eq!(engine.receive()["error"]["data"]["field"], "params");
}

#[test]
fn a_thousand_tables_keep_their_games_apart() {
    let mut engine = EngineProcess::start();
    for number in 1..=1000 {
        let size = 5 + 2 * (number % 8);
        let opened = engine.get("new", json!({"game": "zurero", "options": {"size": size}}));
        assert_eq!(opened["table"], format!("t{number}"));
    }
    engine.get("close", json!({"table": "t500"}));
    assert_eq!(engine.refused("state", json!({"table": "t500"})).0, 1);
    let state = engine.get("state", json!({"table": "t1000"}));
    assert_eq!(state["options"]["size"], 5);
    assert_eq!(engine.get("tables", json!({}))["tables"].as_array().unwrap().len(), 999);
}

#[test]
#[cfg(target_os = "linux")]
fn an_idle_engine_needs_less_than_fifteen_mebibytes() {
    let mut engine = EngineProcess::start();
    engine.get("hello", json!({}));
    let status = fs::read_to_string(format!("/proc/{}/status", engine.pid())).expect("its status");
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its size");
    let kibibytes: u64 = resident.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kibibytes < 15 * 1024, "{kibibytes} KiB");
}
