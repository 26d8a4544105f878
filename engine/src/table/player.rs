//! Who may sit down at a table.

use tabuleiro_protocol::{Limits, Player};

use super::Error;
use crate::search::Level;

/// Whether there is such a player; `field` is where it stood. Whether there is a bot of that name
/// is for those to say who know the bots.
pub(super) fn check_player(player: &Player, field: &str) -> Result<(), Error> {
    match player {
        Player::Client { .. } => Ok(()),
        Player::Ai { level, limits } => {
            check_limits(limits.as_ref(), &format!("{field}.limits"))?;
            level_by_id(level, &format!("{field}.level")).map(drop)
        }
        Player::Bot { limits, .. } => check_limits(limits.as_ref(), &format!("{field}.limits")),
    }
}

/// A level by its name; `field` is where the name stood.
pub fn level_by_id(id: &str, field: &str) -> Result<Level, Error> {
    Level::by_id(id).ok_or_else(|| {
        let known: Vec<&str> = Level::ALL.iter().map(|level| level.id()).collect();
        Error::field(field, format!("there is no level {id:?}; there is {}", known.join(", ")))
    })
}

/// Limits of nothing at all are a mistake; `field` is where they stood.
pub fn check_limits(limits: Option<&Limits>, field: &str) -> Result<(), Error> {
    let Some(limits) = limits else { return Ok(()) };
    let zero = [
        ("time_ms", limits.time_ms == Some(0)),
        ("nodes", limits.nodes == Some(0)),
        ("depth", limits.depth == Some(0)),
        ("threads", limits.threads == Some(0)),
    ];
    match zero.into_iter().find(|&(_, is_zero)| is_zero) {
        Some((name, _)) => Err(Error::field(format!("{field}.{name}"), "must be at least 1")),
        None => Ok(()),
    }
}

/// A player as others may name it: only the engine knows who has claimed a seat.
pub(super) fn unclaimed(player: &Player) -> Player {
    match player {
        &Player::Client { open, .. } => Player::Client { open, claimed: false },
        other => other.clone(),
    }
}
