//! What positions and turns are worth, and the chance to win that goes with it.

use tabuleiro_protocol::{Proof, Score, Seat};

use crate::game::Outcome;

/// What a position is worth to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Lost,
    Drawn,
    /// By a static evaluation, here or at the end of the principal variation.
    Estimate(i32),
    Won,
}

impl Value {
    /// What an outcome is worth to a seat or, without one, what the static evaluation says.
    pub(super) fn of(outcome: Option<Outcome>, seat: Seat, evaluate: impl FnOnce() -> i32) -> Value {
        match outcome {
            None => Value::Estimate(evaluate()),
            Some(outcome) => match outcome.winner {
                None => Value::Estimate(0),
                Some(winner) if winner == seat => Value::Won,
                Some(_) => Value::Lost,
            },
        }
    }

    /// The higher, the better.
    pub(super) fn rank(self) -> i32 {
        match self {
            Value::Lost => i32::MIN,
            Value::Drawn => 0,
            Value::Estimate(value) => value,
            Value::Won => i32::MAX,
        }
    }

    /// The estimate that stands for this chance to win.
    pub(super) fn of_chance(chance: f64, scale: i32) -> Value {
        let odds = chance.clamp(0.001, 0.999) / (1.0 - chance.clamp(0.001, 0.999));
        Value::Estimate((odds.ln() / 3f64.ln() * f64::from(scale)).round() as i32)
    }

    /// How likely the seat wins.
    pub(crate) fn chance(self, scale: i32) -> f64 {
        self.score(scale).win
    }

    pub(super) fn score(self, scale: i32) -> Score {
        match self {
            Value::Won => Score { win: 1.0, proved: Some(Proof::Win) },
            Value::Lost => Score { win: 0.0, proved: Some(Proof::Loss) },
            Value::Drawn => Score { win: 0.5, proved: Some(Proof::Draw) },
            Value::Estimate(value) => Score { win: win_chance(value, scale), proved: None },
        }
    }
}

/// How likely a seat wins with this evaluation: a logistic curve through three in four at the
/// scale.
pub(crate) fn win_chance(value: i32, scale: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / f64::from(scale) * 3f64.ln()).exp())
}
