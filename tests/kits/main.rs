//! The examples of the Rust and shell kits, with the real engine.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const ENGINE: &str = env!("CARGO_BIN_EXE_tabuleiro-engine");

/// An example of the protocol crate, which cargo puts beside the engine.
fn example(name: &str) -> PathBuf {
    let path = Path::new(ENGINE).with_file_name("examples").join(name);
    assert!(path.exists(), "build the examples first: cargo build -p tabuleiro-protocol --examples");
    path
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kits/shell").join(name)
}

/// The engine, with one for its bots to use.
fn engine(arguments: &[&str]) -> Command {
    let mut command = Command::new(ENGINE);
    command.args(arguments).env("TABULEIRO_ENGINE", ENGINE);
    command
}

fn said(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{}\n{out}\n{err}", output.status)
}

/// Tries a bot against the protocol in these games.
fn check(command: &Path, games: &[&str]) {
    let command = command.to_str().expect("a path in UTF-8");
    let mut arguments = vec!["check-bot", command];
    games.iter().for_each(|game| arguments.extend(["--game", game]));
    let mut output = engine(&arguments).output().expect("the engine starts");
    for _ in 0..2 {
        // A machine with much to do may be to blame.
        if said(&output).contains("came      timeout") {
            output = engine(&arguments).output().expect("the engine starts");
        }
    }
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("0 of what it should do"), "{}", said(&output));
}

#[test]
fn the_random_bot_does_all_that_a_bot_should() {
    check(&example("random_bot"), &[]);
}

#[test]
fn the_bot_that_looks_ahead_does_all_that_a_bot_should() {
    check(&example("look_ahead_bot"), &["zurero", "syrtis"]);
}

#[test]
fn the_bot_in_shell_does_all_that_a_bot_should() {
    // One process of its own for each question takes its time.
    check(&script("random_bot.sh"), &["zurero", "syrtis"]);
}

#[test]
fn the_bot_that_looks_ahead_beats_chance() {
    let bot = format!("mine={}", example("look_ahead_bot").display());
    let output = engine(&["match", "--bot", &bot, "--game", "zurero", "--seed", "2", "--json"])
        .args(["--a", "bot:mine@time_ms=10000", "--b", "random", "--games", "6"])
        .output()
        .expect("the engine starts");
    assert!(output.status.success(), "{}", said(&output));
    let last = String::from_utf8_lossy(&output.stdout).lines().last().map(String::from).unwrap_or_default();
    let report: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(report["failures"]["a"].as_object().map(|failures| failures.len()), Some(0), "{report}");
    assert!(report["wins"].as_u64() >= Some(5), "{report}");
}

#[test]
fn a_game_is_played_in_shell() {
    let output = Command::new(script("play_a_game.sh"))
        .env("TABULEIRO_ENGINE", ENGINE)
        .output()
        .expect("the script starts");
    assert!(output.status.success(), "{}", said(&output));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("@d4\n   a b c d e f g\n"), "{said}");
    assert!(said.contains("has won with five in a row") || said.contains("draw"), "{said}");
}

#[test]
fn a_game_is_played_at_a_socket() {
    let name = format!("tabuleiro-kits-{}", std::process::id());
    let mut listening =
        engine(&["--socket", &name]).stderr(Stdio::piped()).spawn().expect("the engine starts");
    let mut ready = String::new();
    let mut stderr = BufReader::new(listening.stderr.take().expect("a pipe"));
    stderr.read_line(&mut ready).expect("it is ready");
    let played = Command::new(example("play_by_socket")).args([&name, "syrtis"]).output();
    listening.kill().and_then(|()| listening.wait()).expect("it ends");
    let output = played.expect("the example starts");
    assert!(output.status.success(), "{ready}{}", said(&output));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("\n1: ") && said.contains("\n2: ") && said.contains("wins"), "{said}");
}
