//! Games that a script plays: every click goes through the camera, the board and the engine.

use std::fs;
use std::process::Output;

use crate::display::{Display, run_script, tabuleiro};

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

/// Every step of a lesson, missed and done.
fn is_taught_by_clicks(game: &str) {
    holds(&format!("lesson_{game}.script"));
}

mod lessons {
    use super::is_taught_by_clicks;

    test_every_game!(is_taught_by_clicks);
}

#[test]
fn computers_play_each_other_to_the_end() {
    holds("computers.script");
}

#[test]
fn positions_are_looked_into_left_and_looked_into_again() {
    holds("analysis.script");
}

#[test]
fn a_game_is_reviewed() {
    holds("review.script");
}

#[test]
fn a_claim_that_does_not_hold_is_named_with_its_line() {
    fails("wrong.script", &["line 4", "ply should be 7 and is 0"]);
}

#[test]
fn a_script_that_cannot_be_read_is_refused_with_the_line() {
    fails("unreadable.script", &["unreadable.script", "line 3", "\"z\" is no cell"]);
}

#[test]
fn windows_of_any_size_and_settings_out_of_all_bounds_are_borne() {
    let data = tempfile::tempdir().unwrap();
    fs::write(data.path().join("settings.json"), r#"{"text_size":60,"speed":"off","quality":7}"#).unwrap();
    let output = run_script(&Display::new(), data.path(), "sizes.script");
    let said = said(&output);
    assert!(output.status.success(), "{}, {said}", output.status);
    for words in ["settings.json: text_size cannot be 60", "settings.json: quality cannot be 7"] {
        assert!(said.contains(words), "\"{words}\" is missing in: {said}");
    }
}

#[test]
fn a_size_that_no_window_can_have_is_refused_with_the_line() {
    let data = tempfile::tempdir().unwrap();
    let script = data.path().join("sizes.script");
    for size in ["0x0", "99999x99999", "4294967295x1"] {
        fs::write(&script, format!("new zurero\nsize {size}\n")).unwrap();
        // It is not even tried: no display is needed.
        let output = tabuleiro(data.path()).arg("--script").arg(&script).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let expected = format!("line 2: no window can be {size}: each side is from 32 to 8192");
        assert!(said(&output).contains(&expected), "{}", said(&output));
    }
}
