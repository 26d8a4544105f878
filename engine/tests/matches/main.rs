//! Matches and tournaments, played by the real process.

mod one_match;
mod process;
#[cfg(unix)]
mod scale_out;
mod shards;
mod tournaments;
