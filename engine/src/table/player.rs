//! Who may sit down at a table.

use tabuleiro_protocol::{PerSeat, Player, Seat};

use super::Error;
use crate::search::Level;

/// Whether there is such a player; `field` is where it stood. Whether there is a bot of that name
/// is for those to say who know the bots.
pub(super) fn check_player(player: &Player, field: &str) -> Result<(), Error> {
    match player {
        Player::Client { .. } | Player::Bot { .. } => Ok(()),
        Player::Ai { level, .. } => level_by_id(level, &format!("{field}.level")).map(drop),
    }
}

/// Whether there are such players at both seats.
pub(super) fn check_players(seats: &PerSeat<Player>) -> Result<(), Error> {
    Seat::BOTH.into_iter().try_for_each(|seat| check_player(&seats[seat], &format!("seats.{seat}")))
}

/// A level by its name; `field` is where the name stood.
pub fn level_by_id(id: &str, field: &str) -> Result<Level, Error> {
    Level::by_id(id).ok_or_else(|| {
        let known: Vec<&str> = Level::ALL.iter().map(|level| level.id()).collect();
        Error::field(field, format!("there is no level {id:?}; there is {}", known.join(", ")))
    })
}

/// A player as others may name it: only the engine knows who has claimed a seat.
pub(super) fn unclaimed(player: &Player) -> Player {
    match player {
        &Player::Client { open, .. } => Player::Client { open, claimed: false },
        other => other.clone(),
    }
}
