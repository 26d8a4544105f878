//! Positions of Zurero given from outside.

use tabuleiro_protocol::{Seat, Start};

use super::stones::Stones;
use super::{Zurero, keys};
use crate::game::{Game, GameOptions, Outcome, SetupError, required_to_move, tokens};
use tabuleiro_protocol::Cell;

pub(super) fn start(options: &GameOptions) -> Zurero {
    let size = options.integer("size") as u8;
    Zurero {
        size,
        stones: [Stones::NONE, Stones::NONE],
        open: [0; 4],
        to_move: Seat::One,
        hash: keys::size(size),
        outcome: None,
    }
}

pub(super) fn set_up(options: &GameOptions, start: &Start) -> Result<Zurero, SetupError> {
    let mut game = self::start(options);
    let rows = tokens(start, game.size.into(), game.size.into())?;
    let mut is_empty = true;
    for (row, tokens) in (0..).zip(rows) {
        for (column, token) in (0..).zip(tokens) {
            let cell = Cell::new(column, row);
            let seat = match token {
                "." => continue,
                "b" => Seat::One,
                "w" => Seat::Two,
                _ => return Err(SetupError::at(cell, format!("a cell is b, w or . and {cell} is not"))),
            };
            game.toggle(seat, cell);
            game.update_open(cell);
            is_empty = false;
        }
    }
    if is_empty {
        return Ok(game);
    }
    game.to_move = required_to_move(start)?;
    game.hash = game.hash_from_scratch();
    game.outcome = outcome(&game);
    Ok(game)
}

/// How the game is over in a position with stones. Whoever is not to move has moved last, and goes
/// first here too.
fn outcome(game: &Zurero) -> Option<Outcome> {
    for seat in [!game.to_move, game.to_move] {
        if game.stones[seat.index()].five_anywhere() {
            return Some(Outcome::won(seat, "five"));
        }
    }
    (game.open == [0; 4]).then_some(Outcome::drawn("no_moves"))
}
