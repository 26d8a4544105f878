//! Matches and tournaments, played by the real process.

#[path = "../../../tests/support/match_reports.rs"]
mod match_reports;
mod one_match;
mod process;
mod shards;
mod tournaments;
