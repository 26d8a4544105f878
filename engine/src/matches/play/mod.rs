//! The games of a match, played one by one or several at a time.

mod game;
mod opening;
mod runner;
mod tournament;

use crate::catalog::OpenError;
use crate::session::PlayError;
use crate::table;

pub use self::runner::Match;

/// Why a game cannot be played at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum CannotPlay {
    #[error(transparent)]
    Game(#[from] OpenError),
    #[error("the opening: {0}")]
    Opening(#[from] PlayError),
    #[error(transparent)]
    Table(#[from] table::Error),
}
