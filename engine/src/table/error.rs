//! What can go wrong at a table.

use std::fmt;

use tabuleiro_protocol::{Player, Seat};

use crate::session::{IllegalAction, NotPlayed, PlayError};

/// Why something cannot be done at a table, which is left as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Something that was asked for is not what it should be.
    #[error("{field}: {reason}")]
    BadField { field: String, reason: String },
    /// One of a list of actions.
    #[error("{illegal}")]
    Illegal { index: usize, illegal: IllegalAction },
    #[error("the game is over")]
    GameOver {
        /// Which of a list of actions cannot be played any more.
        index: Option<usize>,
    },
    #[error("{now} actions have been played by now, not {expected}")]
    Stale { now: usize, expected: usize },
    #[error("the game is too long to go on: its record would not fit into a line any more")]
    TooLong,
    #[error(transparent)]
    NotYourSeat(#[from] NotYourSeat),
    #[error(transparent)]
    TooFar(#[from] TooFar),
}

impl Error {
    pub(crate) fn field(field: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::BadField { field: field.into(), reason: reason.into() }
    }

    /// Which of a list of actions it was about.
    pub fn index(&self) -> Option<usize> {
        match self {
            Error::Illegal { index, .. } => Some(*index),
            Error::GameOver { index } | Error::NotYourSeat(NotYourSeat { index, .. }) => *index,
            Error::BadField { .. } | Error::Stale { .. } | Error::TooLong | Error::TooFar(_) => None,
        }
    }

    /// That a list of actions cannot be played; `occupant` says who plays a seat.
    pub(super) fn not_played(error: PlayError, occupant: impl FnOnce(Seat) -> Occupant) -> Error {
        let PlayError { index, why } = error;
        match why {
            NotPlayed::GameOver => Error::GameOver { index: Some(index) },
            NotPlayed::TurnOf(seat) => {
                NotYourSeat { seat, occupant: occupant(seat), index: Some(index) }.into()
            }
            NotPlayed::Illegal(illegal) => Error::Illegal { index, illegal },
        }
    }
}

/// Only the one who plays a seat may do this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seat {seat} is {occupant}")]
pub struct NotYourSeat {
    pub seat: Seat,
    pub occupant: Occupant,
    /// Which of a list of actions it was.
    pub index: Option<usize>,
}

/// Who has a seat, as far as others are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// Nobody has claimed it yet.
    Nobody,
    AnotherClient,
    Level(String),
    Bot(String),
}

impl From<&Player> for Occupant {
    fn from(player: &Player) -> Occupant {
        match player {
            Player::Client { open: true, claimed: false } => Occupant::Nobody,
            Player::Client { .. } => Occupant::AnotherClient,
            Player::Ai { level, .. } => Occupant::Level(level.clone()),
            Player::Bot { name, .. } => Occupant::Bot(name.clone()),
        }
    }
}

impl fmt::Display for Occupant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Occupant::Nobody => write!(f, "open: claim it first"),
            Occupant::AnotherClient => write!(f, "played by somebody else"),
            Occupant::Level(level) => write!(f, "played by the computer ({level})"),
            Occupant::Bot(name) => write!(f, "played by the bot {name}"),
        }
    }
}

/// There is not so much to take back, or to play again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooFar {
    #[error("nothing has been played yet")]
    NothingPlayed,
    #[error("only {played} actions have been played, not {wanted}")]
    ActionsBack { played: usize, wanted: usize },
    #[error("fewer than {wanted} turns have been played")]
    TurnsBack { wanted: usize },
    #[error("there is nothing to play again")]
    NothingUndone,
    #[error("only {undone} actions can be played again, not {wanted}")]
    ActionsAgain { undone: usize, wanted: usize },
    #[error("only {undone} turns can be played again, not {wanted}")]
    TurnsAgain { undone: usize, wanted: usize },
    #[error("nothing that was deleted can come back")]
    NothingDeleted,
}
