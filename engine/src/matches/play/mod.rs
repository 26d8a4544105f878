//! The games of a match, played one by one or several at a time.

mod game;
mod opening;
mod runner;
mod tournament;

pub use self::runner::Match;
