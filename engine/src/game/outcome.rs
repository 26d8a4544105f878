//! How games end.

use tabuleiro_protocol::Seat;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `None` is a draw.
    pub winner: Option<Seat>,
    pub reason: &'static str,
}

impl Outcome {
    pub const fn won(winner: Seat, reason: &'static str) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    pub const fn drawn(reason: &'static str) -> Outcome {
        Outcome { winner: None, reason }
    }
}

impl From<Outcome> for tabuleiro_protocol::Outcome {
    fn from(outcome: Outcome) -> Self {
        Self { winner: outcome.winner, reason: outcome.reason.into() }
    }
}
