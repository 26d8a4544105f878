//! Games that a script plays: every click goes through the camera, the board and the engine.

use std::process::Output;

use crate::display::{Display, run_script};

fn run(name: &str) -> Output {
    let data = tempfile::tempdir().unwrap();
    run_script(&Display::new(), data.path(), name)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn holds(name: &str) {
    let output = run(name);
    assert!(output.status.success(), "{name}: {}, {}", output.status, said(&output));
}

fn fails(name: &str, expected: &[&str]) {
    let output = run(name);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for words in expected {
        assert!(said.contains(words), "\"{words}\" is missing in: {said}");
    }
}

fn is_played_to_its_end(game: &str) {
    holds(&format!("{game}.script"));
}

test_every_game!(is_played_to_its_end);

#[test]
fn computers_play_each_other_to_the_end() {
    holds("computers.script");
}

#[test]
fn a_claim_that_does_not_hold_is_named_with_its_line() {
    fails("wrong.script", &["line 4", "ply should be 7 and is 0"]);
}

#[test]
fn a_script_that_cannot_be_read_is_refused_with_the_line() {
    fails("unreadable.script", &["unreadable.script", "line 3", "\"z\" is no cell"]);
}
