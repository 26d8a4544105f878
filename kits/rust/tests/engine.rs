//! The engine with one game more: every command knows it as it knows the others.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const ENGINE: &str = env!("CARGO_BIN_EXE_breakthrough-engine");

fn run(arguments: &[&str], input: &str) -> Output {
    let mut engine = Command::new(ENGINE)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut stdin = engine.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    engine.wait_with_output().expect("it ends")
}

/// What a command says that ends well.
fn said(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{arguments:?}: {stdout}{}", String::from_utf8_lossy(&output.stderr));
    stdout
}

#[test]
fn it_serves_five_games() {
    let requests = r#"{"id":1,"method":"hello"}
{"id":2,"method":"new","params":{"game":"breakthrough","options":{"size":5}}}
{"id":3,"method":"play","params":{"table":"t1","actions":["b4-b3"]}}
{"id":4,"method":"play","params":{"table":"t1","actions":["c2xb3"]}}
{"id":5,"method":"record","params":{"table":"t1"}}
{"id":6,"method":"explain","params":{"table":"t1","cells":["d5"]}}
{"id":7,"method":"space","params":{"game":"breakthrough"}}
{"id":8,"method":"actions","params":{"table":"t1","codes":true}}
"#;
    let lines = said(&[], requests);
    let answers: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|message| message.get("id").is_some())
        .collect();
    let games = answers[0]["result"]["games"].as_array().expect("games");
    let ids: Vec<&Value> = games.iter().map(|game| &game["id"]).collect();
    assert_eq!(ids, ["zurero", "fabrik", "absorption", "syrtis", "breakthrough"]);
    assert_eq!(games[4]["look"].as_array().map(Vec::len), Some(2));
    assert_eq!(answers[3]["result"]["state"]["rows"][2], ". b . . .", "{}", answers[3]);
    assert_eq!(answers[4]["result"]["record"]["played"].as_array().map(Vec::len), Some(2));
    assert_eq!(answers[5]["result"]["text"], "all that is ahead of d5 is taken", "{}", answers[5]);
    assert_eq!(answers[6]["error"]["message"], "game: breakthrough has no codes and no planes");
    assert_eq!(answers[7]["error"]["message"], "table: breakthrough has no codes and no planes");
}

#[test]
fn every_command_knows_the_game() {
    let board = said(&["play", "breakthrough", "--one", "person", "--two", "random"], "a7-a6\nquit\n");
    assert!(board.contains(" 6 w . . . . . . .\n") && board.contains("White is to move"), "{board}");
    assert_eq!(said(&["perft", "breakthrough", "3"], ""), "11132\n");
    let speed = said(&["bench", "--game", "breakthrough", "--seconds", "0.1", "--json"], "");
    assert!(speed.contains("search_nodes_per_s"), "{speed}");
    let weights = said(&["tune", "breakthrough", "--games", "4", "--match-games", "2", "--nodes", "50"], "");
    assert!(weights.contains("\"advance\""), "{weights}");
    let chances = said(&["calibrate", "breakthrough", "--games", "4", "--nodes", "50"], "");
    assert!(chances.contains("would come closest"), "{chances}");
    assert!(said(&["--help"], "").contains("Absorption, Syrtis and Breakthrough"));
    let unknown = run(&["perft", "chess", "1"], "");
    let refusal = String::from_utf8_lossy(&unknown.stderr);
    assert!(refusal.contains("there is zurero, fabrik, absorption, syrtis, breakthrough"), "{refusal}");
}

#[test]
fn the_stronger_level_wins_clearly() {
    let levels = ["--a", "novice@nodes=500", "--b", "greedy", "--options", r#"{"size":6}"#];
    let game = ["match", "--game", "breakthrough", "--games", "20", "--seed", "1", "--json"];
    let report = said(&[&game[..], &levels].concat(), "");
    let last: Value = serde_json::from_str(report.lines().last().unwrap_or_default()).expect("JSON");
    assert!(last["wins"].as_u64() >= Some(15), "{report}");
}

/// Bots are started through a second process of the same program.
#[test]
fn a_bot_plays_it() {
    let report = said(&["check-bot", ENGINE, "--game", "breakthrough"], "");
    assert!(
        report.contains("breakthrough: a whole game") && report.contains("Failed: 0 of what"),
        "{report}"
    );
}
