//! A game that has ended, as a line for programs.

use serde::Serialize;
use tabuleiro_protocol::{PerSeat, Seat};

use crate::matches::plan::pair_of;
use crate::matches::{Contender, GameResult, Settings};

/// A game that has ended: a line that `match --jsonl` writes.
#[derive(Clone, Debug, Serialize)]
pub struct GameLine {
    /// Which one of a tournament's, counted from 1.
    pub pairing: Option<usize>,
    pub number: u32,
    /// Two games have the same one.
    pub opening: u32,
    /// Who sat where, by the names of the players.
    pub seats: PerSeat<String>,
    pub seat_of_a: Seat,
    /// Null for a draw.
    pub winner: Option<Seat>,
    pub reason: String,
    /// Turns and single actions of both, those of the opening included.
    pub turns: usize,
    pub plies: usize,
    /// What decided everything that was left to chance behind the opening.
    pub seed: u64,
    /// The seat that broke down, if one did: the reason says how.
    pub failed: Option<Seat>,
}

impl GameLine {
    pub(in crate::matches) fn new(settings: &Settings, result: &GameResult, plies: usize) -> GameLine {
        let seat_of_a = result.seat_of_a;
        let name = |seat| match Contender::of(seat, seat_of_a) {
            Contender::A => settings.a.to_string(),
            Contender::B => settings.b.to_string(),
        };
        GameLine {
            pairing: None,
            number: result.number,
            opening: pair_of(result.number),
            seats: PerSeat { one: name(Seat::One), two: name(Seat::Two) },
            seat_of_a,
            winner: result.outcome.winner,
            reason: result.outcome.reason.clone(),
            turns: result.turns,
            plies,
            seed: settings.seed_of_game(result.number),
            failed: result.failed().and(result.outcome.winner).map(|winner| !winner),
        }
    }
}
