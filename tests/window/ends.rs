//! Windows that are closed, and processes that die.

use std::path::Path;

use serde_json::{Value, json};

use crate::display::{Display, run_script};
use crate::processes::{children, is_gone, kill, work};
use crate::sitting::Sitting;
use crate::wait_for;

fn people() -> Value {
    json!({"game": "zurero", "options": {"size": 7}, "seed": 1})
}

/// A game in which the computer thinks far longer than anybody waits.
fn long_thoughts() -> Value {
    let master = json!({"kind": "ai", "level": "master", "limits": {"time_ms": 3_600_000}});
    json!({"game": "fabrik", "options": {"size": 15}, "seed": 1, "seats": {"1": master, "2": {"kind": "client"}}})
}

fn wait_for_thoughts(sitting: &Sitting) {
    let before = work(sitting.engine);
    wait_for("the computer to think", || (work(sitting.engine) > before + 20).then_some(()));
}

#[test]
fn closing_the_window_ends_the_engine_while_it_thinks() {
    let sitting = Sitting::down_to(long_thoughts());
    wait_for_thoughts(&sitting);
    let engine = sitting.engine;
    sitting.hands.close_window();
    assert_eq!(sitting.exit_code(), Some(0));
    wait_for("the end of the engine", || is_gone(engine).then_some(()));
}

#[test]
fn an_engine_does_not_outlive_a_window_that_was_killed() {
    let mut sitting = Sitting::down_to(long_thoughts());
    wait_for_thoughts(&sitting);
    sitting.process.kill().unwrap();
    wait_for("the end of the engine", || is_gone(sitting.engine).then_some(()));
}

#[test]
fn the_game_goes_on_with_another_engine_when_one_dies() {
    let sitting = Sitting::down_to(people());
    sitting.play_by_keys();
    kill(sitting.engine);
    wait_for("another engine", || {
        children(sitting.process.id()).into_iter().find(|&child| child != sitting.engine && !is_gone(child))
    });
    // What was played last before may have come to the disk only now.
    for _ in 0..3 {
        sitting.play_by_keys();
    }
}

fn begins(data: &Path, script: &str) {
    let output = run_script(&Display::new(), data, script);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_game_is_offered_again_after_a_crash_and_only_then() {
    let mut sitting = Sitting::down_to(people());
    sitting.play_by_keys();
    sitting.process.kill().unwrap();
    sitting.process.wait().unwrap();
    begins(sitting.data.path(), "interrupted.script");
    begins(sitting.data.path(), "not_interrupted.script");
}
