//! The start of Absorption, and positions given from outside.

use tabuleiro_protocol::{Seat, Start};

use super::board::{Piles, SIZE, Square};
use super::notation::shortened;
use super::{Absorption, MOST_IN_A_PILE, Phase, Rules, Situation};
use crate::game::{GameOptions, Outcome, SetupError, required_to_move, tokens};
use tabuleiro_protocol::Cell;

/// Pieces of both seats together at the start; there are no others.
pub(super) const PIECES: u32 = 36;

/// The columns on which both seats begin with a large pile.
const FIRST_COLUMNS: [u8; 6] = [0, 1, 2, 5, 6, 7];

pub(super) fn start(options: &GameOptions) -> Absorption {
    let mut piles = [Piles::default(); 2];
    for (piles, row) in piles.iter_mut().zip([0, SIZE - 1]) {
        for square in FIRST_COLUMNS.iter().filter_map(|&column| Square::at(Cell::new(column, row))) {
            piles.set_height(square, MOST_IN_A_PILE);
        }
    }
    begin(options, piles, Seat::One)
}

pub(super) fn set_up(options: &GameOptions, start: &Start) -> Result<Absorption, SetupError> {
    let mut piles = [Piles::default(); 2];
    for (row, tokens) in (0..).zip(tokens(start, SIZE.into(), SIZE.into())?) {
        for (column, token) in (0..).zip(tokens) {
            let cell = Cell::new(column, row);
            let pile = read_token(token).map_err(|reason| SetupError::at(cell, reason))?;
            if let (Some((seat, height)), Some(square)) = (pile, Square::at(cell)) {
                piles[seat.index()].set_height(square, height);
            }
        }
    }
    let to_move = required_to_move(start)?;
    let pieces = piles[0].pieces() + piles[1].pieces();
    if pieces > PIECES {
        return Err(SetupError::position(format!("there are {PIECES} pieces in all, not {pieces}")));
    }
    Ok(begin(options, piles, to_move))
}

/// The pile that is written so, if it is one at all.
fn read_token(token: &str) -> Result<Option<(Seat, u8)>, String> {
    if token == "." {
        return Ok(None);
    }
    let seat = match token.chars().next() {
        Some('x') => Some(Seat::One),
        Some('o') => Some(Seat::Two),
        _ => None,
    };
    match (seat, token.get(1..).unwrap_or_default()) {
        (Some(seat), "1") => Ok(Some((seat, 1))),
        (Some(seat), "2") => Ok(Some((seat, 2))),
        (Some(seat), "3") => Ok(Some((seat, 3))),
        (Some(_), height) if is_number(height) => {
            Err(format!("“{}” is no pile: a pile has one to three pieces", shortened(token)))
        }
        _ => Err(format!(
            "“{}” is no pile: write x1 to x3, o1 to o3, or . for an empty cell",
            shortened(token)
        )),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The game from these piles on, with this seat to begin a turn.
pub(super) fn begin(options: &GameOptions, piles: [Piles; 2], seat: Seat) -> Absorption {
    let rules = Rules {
        captors: options.integer("captors") as u32,
        turn_limit: options.integer("turn_limit") as u32,
    };
    let mut now = Situation {
        piles,
        seat,
        phase: Phase::Main,
        runners: 0,
        spent: 0,
        origin: 0,
        turns: 0,
        outcome: None,
        key: 0,
    };
    now.key = now.key_from_scratch();
    let mut game = Absorption { rules, now, begun: Vec::new() };
    game.now.outcome = game.outcome_at_the_start_of_a_turn();
    // During a game only the seat whose turn begins can have lost its pieces; here it may be the
    // other one.
    if !now.has_too_few_pieces(seat) && now.has_too_few_pieces(!seat) {
        game.now.outcome = Some(Outcome::won(seat, "points"));
    }
    game.begun.push(now.key);
    game
}
