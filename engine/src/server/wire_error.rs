//! Errors as clients are told them: the one place where an error becomes a code, a message and
//! data.

use std::io;

use tabuleiro_protocol::method::METHODS;
use tabuleiro_protocol::{ErrorCode, ErrorObject, Id};

use super::account::Full;
use super::shared_table::Denied;
use crate::catalog::{OpenError, UnknownGame};
use crate::game::{BadOption, SetupError};
use crate::puzzles;
use crate::session::{IllegalAction, NoCode, NoNumbers, NotPlayed, PlayError};
use crate::table::{self, NotYourSeat, TooFar, record};

impl From<table::Error> for ErrorObject {
    fn from(error: table::Error) -> ErrorObject {
        match error {
            table::Error::BadField { field, reason } => ErrorObject::params(&field, &reason),
            table::Error::Illegal { index, illegal } => illegal_action(illegal, index),
            table::Error::GameOver { index } => with_index(ErrorCode::GameOver, &error, index),
            table::Error::Stale { now, .. } => coded(ErrorCode::Stale, &error).with("ply", now),
            table::Error::TooLong => coded(ErrorCode::Limit, &error),
            table::Error::NotYourSeat(error) => error.into(),
            table::Error::TooFar(error) => error.into(),
        }
    }
}

impl From<OpenError> for ErrorObject {
    fn from(error: OpenError) -> ErrorObject {
        match error {
            OpenError::UnknownGame(error) => error.into(),
            OpenError::BadOption(error) => error.into(),
            OpenError::BadStart(error) => error.into(),
        }
    }
}

impl From<UnknownGame> for ErrorObject {
    fn from(error: UnknownGame) -> ErrorObject {
        coded(ErrorCode::UnknownGame, &error)
    }
}

impl From<BadOption> for ErrorObject {
    fn from(error: BadOption) -> ErrorObject {
        coded(ErrorCode::BadOption, &error).with("option", error.option).with("reason", error.reason)
    }
}

impl From<SetupError> for ErrorObject {
    fn from(error: SetupError) -> ErrorObject {
        let coded = coded(ErrorCode::BadPosition, &error);
        match error {
            SetupError::BadField { field, reason } => ErrorObject::params(&field, &reason),
            SetupError::BadPosition { cell: None, reason } => coded.with("reason", reason),
            SetupError::BadPosition { cell: Some(cell), reason } => {
                coded.with("reason", reason).with("cell", cell)
            }
        }
    }
}

impl From<NoNumbers> for ErrorObject {
    fn from(error: NoNumbers) -> ErrorObject {
        ErrorObject::params("game", &error.to_string())
    }
}

impl From<PlayError> for ErrorObject {
    fn from(error: PlayError) -> ErrorObject {
        let PlayError { index, why } = error;
        match why {
            NotPlayed::GameOver => with_index(ErrorCode::GameOver, &why, Some(index)),
            NotPlayed::TurnOf(seat) => {
                with_index(ErrorCode::NotYourSeat, &why, Some(index)).with("seat", seat.number())
            }
            NotPlayed::Illegal(illegal) => illegal_action(illegal, index),
        }
    }
}

impl From<puzzles::Error> for ErrorObject {
    fn from(error: puzzles::Error) -> ErrorObject {
        match error {
            puzzles::Error::NoPosition(error) => error.into(),
            puzzles::Error::NotPlayed(error) => error.into(),
            puzzles::Error::Over => coded(ErrorCode::GameOver, &error),
            puzzles::Error::Turns(_) => ErrorObject::params("puzzle.turns", "must be 2 to 5"),
        }
    }
}

impl From<NotYourSeat> for ErrorObject {
    fn from(error: NotYourSeat) -> ErrorObject {
        let object = coded(ErrorCode::NotYourSeat, &error).with("seat", error.seat.number());
        match error.index {
            None => object,
            Some(index) => object.with("index", index),
        }
    }
}

impl From<TooFar> for ErrorObject {
    fn from(error: TooFar) -> ErrorObject {
        coded(ErrorCode::NothingToUndo, &error)
    }
}

impl From<record::Error> for ErrorObject {
    fn from(error: record::Error) -> ErrorObject {
        let coded = coded(ErrorCode::BadRecord, &error);
        let coded = coded.with("place", error.place).with("reason", error.reason);
        match error.shape.map(|wrong| wrong.inside("record")) {
            None => coded,
            Some(wrong) if wrong.is_unknown => wrong.into(),
            Some(wrong) => coded.with("field", wrong.field),
        }
    }
}

impl From<Denied> for ErrorObject {
    fn from(error: Denied) -> ErrorObject {
        let object = coded(ErrorCode::NotYourSeat, &error);
        match error {
            Denied::NotYourSeat(error) => error.into(),
            Denied::NotClaimed { seat } | Denied::OthersTurn { seat, .. } => {
                object.with("seat", seat.number())
            }
            Denied::OnlyWatches { .. } | Denied::NotItsMaker { .. } => object,
        }
    }
}

fn illegal_action(illegal: IllegalAction, index: usize) -> ErrorObject {
    coded(ErrorCode::IllegalAction, &illegal)
        .with("action", illegal.action)
        .with("index", index)
        .with("reason", illegal.reason)
}

fn with_index(code: ErrorCode, error: &impl ToString, index: Option<usize>) -> ErrorObject {
    let object = coded(code, error);
    match index {
        None => object,
        Some(index) => object.with("index", index),
    }
}

fn coded(code: ErrorCode, error: &impl ToString) -> ErrorObject {
    ErrorObject::new(code, error.to_string())
}

pub(super) fn unknown_method(method: &str) -> ErrorObject {
    let message = format!("there is no method {method:?}; there is {}", METHODS.join(", "));
    ErrorObject::new(ErrorCode::UnknownMethod, message).with("method", method)
}

pub(super) fn unknown_table(table: &str) -> ErrorObject {
    ErrorObject::new(ErrorCode::UnknownTable, format!("there is no table {table:?}")).with("table", table)
}

/// An item of a list that is no action, or no code of one.
pub(super) fn wrong_code(list: &str, index: usize, error: &NoCode) -> ErrorObject {
    ErrorObject::params(&format!("{list}[{index}]"), &error.to_string())
}

/// `message` says which bots there are.
pub(super) fn unknown_bot(name: &str, message: String) -> ErrorObject {
    ErrorObject::new(ErrorCode::UnknownBot, message).with("name", name)
}

pub(super) fn id_in_use(id: &Id) -> ErrorObject {
    let message = format!("the request {id} is still being answered: use another id");
    ErrorObject::new(ErrorCode::InvalidRequest, message)
}

/// There is too much of something.
pub(super) fn limit(message: impl Into<String>) -> ErrorObject {
    ErrorObject::new(ErrorCode::Limit, message)
}

/// Nobody can serve another client now.
pub(super) fn no_thread(error: &io::Error) -> ErrorObject {
    limit(format!("no thread can be made for another client: {error}; come again later"))
}

/// The system has no thread left for a search.
pub(super) fn no_thread_to_think(error: &io::Error) -> ErrorObject {
    limit(format!("no thread can be made to think: {error}"))
}

/// One client or all have asked for too many batches at once.
pub(super) fn batches_too_large(full: Full) -> ErrorObject {
    let Full { most, is_of_all } = full;
    let whose = if is_of_all { "of all clients" } else { "of this client" };
    limit(format!("batches {whose} that are not answered yet have {} MiB: wait for one", most >> 20))
}

/// One client or all have too many tables.
pub(super) fn too_many_tables(full: Full) -> ErrorObject {
    let Full { most, is_of_all } = full;
    let whose = if is_of_all { "tables are open" } else { "tables of this client are open" };
    limit(format!("{most} {whose} already: close one first"))
}

/// The tables of one client or of all take too much memory.
pub(super) fn tables_too_large(full: Full) -> ErrorObject {
    let Full { most, is_of_all } = full;
    let whose = if is_of_all { "all games together" } else { "the games of one client" };
    limit(format!("{whose} may take {} MiB, which they do already: close a table first", most >> 20))
}

/// Somebody has come to the socket of another user's engine.
pub(super) fn other_user() -> ErrorObject {
    let message = "this engine was started by another user, and serves only programs of that user";
    ErrorObject::new(ErrorCode::OtherUser, message)
}

/// A panic in a request.
pub(super) fn internal() -> ErrorObject {
    ErrorObject::new(
        ErrorCode::Internal,
        "something in the engine is broken; the request was not carried out",
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tabuleiro_protocol::{Direction, Seat};

    use super::*;
    use crate::table::Occupant;

    fn wire(error: impl Into<ErrorObject>) -> Value {
        let error = error.into();
        json!([error.code, error.message, error.data])
    }

    fn not_your_seat(occupant: Occupant, index: Option<usize>) -> NotYourSeat {
        NotYourSeat { seat: Seat::Two, occupant, index }
    }

    #[test]
    fn every_error_of_a_table_has_its_code_and_data() {
        let illegal = IllegalAction { action: "w1".into(), reason: "row 1 is empty".into() };
        let errors: [(ErrorObject, Value); 13] = [
            (
                OpenError::from(UnknownGame { id: "chess".into(), known: vec!["go", "hex"] }).into(),
                json!([7, "there is no game \"chess\"; there is go, hex", {"kind": "unknown_game"}]),
            ),
            (
                OpenError::from(BadOption { option: "size".into(), reason: "too big".into() }).into(),
                json!([8, "option size: too big",
                    {"kind": "bad_option", "option": "size", "reason": "too big"}]),
            ),
            (
                OpenError::from(SetupError::at("a1", "taken twice")).into(),
                json!([3, "there is no such position: a1: taken twice",
                    {"kind": "bad_position", "reason": "taken twice", "cell": "a1"}]),
            ),
            (
                OpenError::from(SetupError::position("no rows")).into(),
                json!([3, "there is no such position: no rows",
                    {"kind": "bad_position", "reason": "no rows"}]),
            ),
            (
                OpenError::from(SetupError::field("to_move", "is missing")).into(),
                json!([-32602, "start.to_move: is missing",
                    {"kind": "invalid_params", "field": "start.to_move"}]),
            ),
            (
                table::Error::field("ply", "must be from 0 to 3").into(),
                json!([-32602, "ply: must be from 0 to 3", {"kind": "invalid_params", "field": "ply"}]),
            ),
            (
                table::Error::Illegal { index: 2, illegal: illegal.clone() }.into(),
                json!([2, "\"w1\" is not legal here: row 1 is empty",
                    {"kind": "illegal_action", "action": "w1", "index": 2, "reason": "row 1 is empty"}]),
            ),
            (
                table::Error::GameOver { index: None }.into(),
                json!([5, "the game is over", {"kind": "game_over"}]),
            ),
            (
                table::Error::GameOver { index: Some(0) }.into(),
                json!([5, "the game is over", {"kind": "game_over", "index": 0}]),
            ),
            (
                table::Error::Stale { now: 4, expected: 3 }.into(),
                json!([6, "4 actions have been played by now, not 3", {"kind": "stale", "ply": 4}]),
            ),
            (
                table::Error::from(not_your_seat(Occupant::Nobody, None)).into(),
                json!([4, "seat 2 is open: claim it first", {"kind": "not_your_seat", "seat": 2}]),
            ),
            (
                table::Error::from(not_your_seat(Occupant::Level("club".into()), Some(1))).into(),
                json!([4, "seat 2 is played by the computer (club)",
                    {"kind": "not_your_seat", "seat": 2, "index": 1}]),
            ),
            (
                table::Error::from(TooFar::ActionsBack { played: 1, wanted: 9 }).into(),
                json!([12, "only 1 actions have been played, not 9", {"kind": "nothing_to_undo"}]),
            ),
        ];
        for (error, expected) in errors {
            assert_eq!(wire(error), expected);
        }
        assert_eq!(
            wire(PlayError { index: 1, why: illegal.into() }),
            json!([2, "\"w1\" is not legal here: row 1 is empty",
                {"kind": "illegal_action", "action": "w1", "index": 1, "reason": "row 1 is empty"}])
        );
    }

    #[test]
    fn records_and_denials_have_their_codes_too() {
        assert_eq!(
            wire(record::Error { place: "played[3]".into(), reason: "no".into(), shape: None }),
            json!([10, "the record is damaged at played[3]: no",
                {"kind": "bad_record", "place": "played[3]", "reason": "no"}])
        );
        assert_eq!(
            wire(Denied::OnlyWatches { table: "t1".into() }),
            json!([4, "you do not play at table t1: claim a seat first", {"kind": "not_your_seat"}])
        );
        assert_eq!(
            wire(Denied::NotItsMaker { table: "t1".into() }),
            json!([4, "only the one who opened table t1 can close it", {"kind": "not_your_seat"}])
        );
        assert_eq!(
            wire(Denied::OthersTurn { seat: Seat::Two, direction: Direction::Undo }),
            json!([4, "seat 2 is played by somebody else, whose turn this would take back: \
                with \"ask\":true that one is asked", {"kind": "not_your_seat", "seat": 2}])
        );
        assert_eq!(
            wire(Denied::NotClaimed { seat: Seat::One }),
            json!([4, "you have not claimed seat 1", {"kind": "not_your_seat", "seat": 1}])
        );
        assert_eq!(
            wire(Denied::from(not_your_seat(Occupant::AnotherClient, None))),
            json!([4, "seat 2 is played by somebody else", {"kind": "not_your_seat", "seat": 2}])
        );
    }
}
