//! What a position would be if it were the other seat's turn.

use tabuleiro_protocol::PerSeat;

use super::{Error, Table, options_of};
use crate::catalog::{Catalog, OpenError};
use crate::game::SetupError;

/// A table at which the position is the same and the other seat begins a turn; or why the rules do
/// not allow that.
pub fn of(catalog: &Catalog, table: &Table) -> Result<Table, OpenError> {
    let impossible = |reason: String| OpenError::from(SetupError::position(reason));
    let Some(to_move) = table.position().to_move() else {
        return Err(impossible("the game is over, so that nobody has a turn".into()));
    };
    let Some(mut start) = table.position_as_start() else {
        let reason =
            format!("seat {to_move} is in the middle of its turn, and no other can begin before it ends");
        return Err(impossible(reason));
    };
    let other = !to_move;
    start.to_move = Some(other);
    let setup = table.session().setup();
    let session = catalog.open(setup.game, Some(&options_of(table)), setup.seed, Some(start));
    let session = session.map_err(|error| match error {
        OpenError::BadStart(SetupError::BadPosition { cell, reason }) => {
            let reason = format!("it cannot be the turn of seat {other} here: {reason}");
            SetupError::BadPosition { cell, reason }.into()
        }
        error => error,
    })?;
    match session.position().to_move() {
        Some(seat) if seat == other => {}
        Some(seat) => return Err(impossible(format!("only seat {seat} can have the turn here"))),
        None => {
            return Err(impossible(format!("the game would be over if it were the turn of seat {other}")));
        }
    }
    let table = Table::new(String::new(), session, PerSeat::default());
    table.map_err(|error: Error| impossible(error.to_string()))
}
