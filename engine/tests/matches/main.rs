//! Matches and tournaments, played by the real process.

mod one_match;
mod process;
mod shards;
mod tournaments;
