//! Bots as real processes, honest ones and those with bad habits.
#![cfg(target_os = "linux")]

mod check;
mod library;
mod matches;
mod naughty;
mod tables;
mod terminal;
