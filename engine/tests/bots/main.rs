//! Bots as real processes, honest ones and those with bad habits.
#![cfg(target_os = "linux")]

#[macro_use]
#[path = "../../../tests/support/every_game.rs"]
mod every_game;

mod check;
mod library;
mod matches;
mod naughty;
mod tables;
mod terminal;
