//! Bots in the terminal.

use std::io::Write;
use std::process::Stdio;

use crate::naughty::{Naughty, engine};

fn typed(arguments: &[&str], text: &str) -> String {
    let mut terminal = engine(&[&["play"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    terminal.stdin.take().expect("an input").write_all(text.as_bytes()).expect("it reads");
    String::from_utf8(terminal.wait_with_output().expect("it ends").stdout).expect("text")
}

#[test]
fn a_bot_can_sit_at_the_terminal() {
    let bot = Naughty::new("honest");
    let shown = typed(&["zurero", "--one", "bot:x", "--two", "person", "--bot", &bot.named()], "moves\n");
    assert!(shown.contains("Black (seat 1) (bot x) is thinking"), "{shown}");
    assert!(shown.contains("Black (seat 1) (bot x) plays @j10"), "{shown}");
    assert!(shown.contains("Turn 2, White (seat 2)"), "{shown}");
    bot.wait_until_gone();
}

#[test]
fn the_seat_of_a_bot_that_fails_is_the_persons() {
    let bot = Naughty::new("exits");
    let shown = typed(&["zurero", "--one", "bot:x", "--two", "random", "--bot", &bot.named()], "@j10\n");
    assert!(shown.contains("(bot x) does not play on: crashed: it ended with exit code 4"), "{shown}");
    assert!(shown.contains("From now on you play its seat."), "{shown}");
    assert!(shown.contains("White (seat 2) (random) plays "), "{shown}");
}

#[test]
fn a_bot_that_was_not_named_cannot_sit_down() {
    let output =
        engine(&["play", "zurero", "--one", "bot:x", "--two", "person"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--one: there is no bot \"x\""));
}
