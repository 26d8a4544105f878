//! Where there is no display.

use std::process::{Command, Output};

use crate::display::tabuleiro;

/// A display that nobody has: numbers are given from 0 on.
const NOBODYS_DISPLAY: &str = ":59999";

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn is_told_in_words(output: &Output, why: &str) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(why), "{said}");
    assert!(said.contains("can be played in the terminal"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn without_a_display_the_terminal_is_named() {
    let data = tempfile::tempdir().unwrap();
    let output = tabuleiro(data.path()).env_remove("DISPLAY").output().unwrap();
    is_told_in_words(&output, "there is no display");
}

#[test]
fn so_it_is_with_a_display_that_nobody_listens_on() {
    let data = tempfile::tempdir().unwrap();
    let output = tabuleiro(data.path()).env("DISPLAY", NOBODYS_DISPLAY).output().unwrap();
    is_told_in_words(&output, "the display cannot be used");
}

/// As the README says: no window and no display is needed for what is done in the terminal.
#[test]
fn the_terminal_plays_teaches_and_gives_puzzles() {
    for (words, heard) in [
        (["play", "zurero"], "Who plays"),
        (["learn", "zurero"], "The first stone"),
        (["puzzles", "play"], "puzzles."),
    ] {
        let data = tempfile::tempdir().unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_tabuleiro"));
        program.args(words).env("HOME", data.path()).env_remove("DISPLAY");
        program.env_remove("XDG_DATA_HOME").stdin(std::process::Stdio::null());
        let output = program.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(heard), "{words:?}: {text}{}", said(&output));
    }
}
