//! Positions given from outside: what can be wrong with them, and how to read their parts.

use std::fmt::Display;

use tabuleiro_protocol::{Seat, Start};

/// Why a position given from outside is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// It breaks a rule of the game, at this cell if there is one to name.
    #[error("there is no such position: {}{reason}", prefix(.cell.as_deref()))]
    BadPosition { cell: Option<String>, reason: String },
    /// A member of `start` is missing or of a wrong type.
    #[error("{field}: {reason}")]
    BadField { field: String, reason: String },
}

/// The cell that a sentence is about, before it.
fn prefix(cell: Option<&str>) -> String {
    cell.map(|cell| format!("{cell}: ")).unwrap_or_default()
}

impl SetupError {
    pub fn at(cell: impl Display, reason: impl Display) -> SetupError {
        SetupError::BadPosition { cell: Some(cell.to_string()), reason: reason.to_string() }
    }

    pub fn position(reason: impl Display) -> SetupError {
        SetupError::BadPosition { cell: None, reason: reason.to_string() }
    }

    pub fn field(field: impl Display, reason: impl Display) -> SetupError {
        SetupError::BadField { field: format!("start.{field}"), reason: reason.to_string() }
    }
}

/// `start.to_move`, for positions that need it.
pub fn required_to_move(start: &Start) -> Result<Seat, SetupError> {
    start.to_move.ok_or_else(|| SetupError::field("to_move", "say which seat is to move, 1 or 2"))
}

/// The tokens of `start.rows`, which must be this many rows of this many cells.
pub fn tokens(start: &Start, width: usize, height: usize) -> Result<Vec<Vec<&str>>, SetupError> {
    if start.rows.len() != height {
        return Err(SetupError::position(format!("the board has {height} rows, not {}", start.rows.len())));
    }
    let mut rows = Vec::with_capacity(height);
    for (index, row) in start.rows.iter().enumerate() {
        let cells: Vec<&str> = row.split(' ').collect();
        if cells.len() != width {
            let count = cells.len();
            let reason = format!("row {} has {count} cells between single spaces, not {width}", index + 1);
            return Err(SetupError::position(reason));
        }
        rows.push(cells);
    }
    Ok(rows)
}
