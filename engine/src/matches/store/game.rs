//! A game of a match as a document.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::catalog::Catalog;
use crate::matches::game_result::{MOST_TURNS, OUT_OF_TIME, TOO_LONG};
use crate::matches::plan::seat_of_a;
use crate::matches::{GameResult, Settings};
use crate::table::Table;
use crate::table::record::{self, Record};

/// A record that every engine can load, and what the match wants to know besides.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    #[serde(flatten)]
    record: Record,
    r#match: &'a GameResult,
}

#[derive(Deserialize)]
struct MatchMember {
    r#match: GameResult,
}

impl Document<'_> {
    pub(super) fn of<'a>(table: &Table, result: &'a GameResult) -> Document<'a> {
        Document { record: Record::of(table), r#match: result }
    }

    pub(super) fn number(&self) -> u32 {
        self.r#match.number
    }
}

/// The result of a game that should be this one of the match. What it claims is checked.
pub(super) fn read(
    catalog: &Catalog,
    settings: &Settings,
    number: u32,
    text: &[u8],
) -> Result<GameResult, String> {
    let text = std::str::from_utf8(text).map_err(|error| format!("this is not text: {error}"))?;
    let table = record::load_text(catalog, String::new(), text).map_err(|error| error.to_string())?;
    let MatchMember { r#match: result } = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let setup = table.session().setup();
    let is_of_this_match = result.number == number
        && result.seat_of_a == seat_of_a(number)
        && setup.game == settings.game
        && json!(setup.options.values()) == json!(settings.options)
        && setup.seed == settings.seed_of_game(number)
        && *table.seats() == settings.seats(result.seat_of_a);
    if !is_of_this_match {
        return Err(format!("this is not game {number} of the match"));
    }
    if !is_borne_out(&table, &result) {
        let (claim, turns) = (json!(result.outcome), result.turns);
        return Err(format!("its moves do not lead to the result {claim} after {turns} turns"));
    }
    Ok(result)
}

/// Whether the moves of a game lead to its result.
fn is_borne_out(table: &Table, result: &GameResult) -> bool {
    let reason = result.outcome.reason.as_str();
    let ends_so = match (table.outcome(), result.outcome.winner) {
        (Some(outcome), _) => outcome == result.outcome,
        // It was broken off: by the player to move, by its clock or because of its length.
        (None, Some(_)) if reason == OUT_OF_TIME => true,
        (None, Some(winner)) => result.failed().is_some() && table.to_move() == Some(!winner),
        (None, None) => reason == TOO_LONG && result.turns >= MOST_TURNS,
    };
    ends_so && result.turns == table.session().turn()
}

/// Whether two documents tell the same game: all of it but how long the players took.
pub(super) fn agree(one: &[u8], other: &[u8]) -> bool {
    let without_times = |text: &[u8]| -> Option<Value> {
        let mut game: Value = serde_json::from_slice(text).ok()?;
        for time in ["/match/effort/a/time_us", "/match/effort/b/time_us"] {
            game.pointer_mut(time).map(Value::take);
        }
        Some(game)
    };
    matches!((without_times(one), without_times(other)), (Some(one), Some(other)) if one == other)
}
