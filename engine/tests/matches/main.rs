//! Matches and tournaments, played by the real process.

#[macro_use]
#[path = "../../../tests/support/every_game.rs"]
mod every_game;

#[path = "../../../tests/support/match_reports.rs"]
mod match_reports;
mod one_file;
mod one_match;
mod process;
mod shards;
mod tournaments;
