//! A game in a document: all that is needed to load it again.

use serde::Serialize;
use serde_json::{Map, Value, json};
use tabuleiro_protocol::shape::{self, Unknown, WrongShape};
use tabuleiro_protocol::{Outcome, PerSeat, Record as Document};

use super::{Table, unclaimed};
use crate::catalog::{Catalog, OpenError};

/// The document of a table.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Record(Document);

/// Why a document is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record is damaged at {place}: {reason}")]
pub struct Error {
    /// Where in the document, as `played[3]`.
    pub place: String,
    pub reason: String,
    /// The same, if it can be seen without knowing games.
    pub shape: Option<WrongShape>,
}

impl Error {
    fn at(place: impl Into<String>, reason: impl ToString) -> Error {
        Error { place: place.into(), reason: reason.to_string(), shape: None }
    }
}

impl From<WrongShape> for Error {
    fn from(wrong: WrongShape) -> Error {
        let place = if wrong.field.is_empty() { "the top" } else { &wrong.field };
        Error { shape: Some(wrong.clone()), ..Error::at(place, wrong.reason) }
    }
}

impl Record {
    pub fn of(table: &Table) -> Record {
        let session = table.session();
        let setup = session.setup();
        Record(Document {
            format: Document::FORMAT.into(),
            version: Document::VERSION,
            game: setup.game.into(),
            options: setup.options.values().clone(),
            seed: setup.seed,
            start: setup.start.clone(),
            seats: PerSeat { one: unclaimed(&table.seats().one), two: unclaimed(&table.seats().two) },
            played: session.history().played(),
            undone: session.history().undone(),
            resigned: table.resigned(),
            held: table.is_held(),
            outcome: table.outcome(),
            of_match: None,
        })
    }

    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("a record has text for keys and nothing that cannot be written")
    }

    /// The document as text.
    pub fn to_text(&self) -> String {
        format!("{:#}\n", self.to_json())
    }
}

/// The game that a document tells, history included.
pub fn load(catalog: &Catalog, id: String, document: Value, unknown: Unknown) -> Result<Table, Error> {
    check_head(&document)?;
    let body: Document = shape::read(document, unknown)?;
    let options: Map<String, Value> =
        body.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let mut session = catalog
        .open(&body.game, Some(&options), body.seed, Some(body.start))
        .map_err(|error| Error::at(place_of(&error), error))?;
    let all = body.played.iter().map(|action| ("played", action));
    let all = all.chain(body.undone.iter().map(|action| ("undone", action)));
    for (index, (member, action)) in all.enumerate() {
        let index = if member == "played" { index } else { index - body.played.len() };
        session.play(action).map_err(|illegal| Error::at(format!("{member}[{index}]"), illegal.reason))?;
    }
    session.undo(body.undone.len());
    let mut table = Table::new(id, session, body.seats).map_err(|error| Error::at("seats", error))?;
    table.resigned = body.resigned;
    table.held = body.held;
    if table.resigned.is_some() && table.position().outcome().is_some() {
        return Err(Error::at("resigned", "the game was over before that"));
    }
    if table.outcome() != body.outcome {
        let shown = |outcome: &Option<Outcome>| serde_json::to_string(outcome).unwrap_or_default();
        let reason =
            format!("the moves lead to {}, not to {}", shown(&table.outcome()), shown(&body.outcome));
        return Err(Error::at("outcome", reason));
    }
    Ok(table)
}

/// [`load`] from text.
pub fn load_text(catalog: &Catalog, id: String, text: &str) -> Result<Table, Error> {
    let document = serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        Error::at(place, format!("this is not JSON: {error}"))
    })?;
    load(catalog, id, document, Unknown::Ignored)
}

/// What has to stand in any version before the rest can be read.
fn check_head(document: &Value) -> Result<(), WrongShape> {
    let wrong =
        |field: &str, reason| Err(WrongShape { field: field.into(), reason, ..WrongShape::default() });
    let (format, version) = (Document::FORMAT, Document::VERSION);
    match (document.get("format"), document.get("version").and_then(Value::as_f64)) {
        (Some(Value::String(other)), _) if other != format => {
            wrong("format", format!("a record says {format:?} here, not {other:?}"))
        }
        (_, Some(other)) if other != f64::from(version) => {
            wrong("version", format!("this engine reads version {version}, not {other}"))
        }
        _ => Ok(()),
    }
}

/// Where in a record the cause stands.
fn place_of(error: &OpenError) -> &'static str {
    match error {
        OpenError::UnknownGame(_) => "game",
        OpenError::BadOption(_) => "options",
        OpenError::BadStart(_) => "start",
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::line::LONGEST_LINE;

    use super::*;
    use crate::table::{self, LONGEST_GAME, Steps, check_length};

    fn document() -> Value {
        let options = json!({"size": 5});
        let mut session = Catalog::standard().open("zurero", options.as_object(), 1, None).expect("a game");
        session.play_all(&["@c3".into(), "w3".into(), "e3".into()]).expect("legal actions");
        session.undo(1);
        let table = Table::new("t1".into(), session, PerSeat::default()).expect("a table");
        Record::of(&table).to_json()
    }

    #[test]
    fn a_record_is_loaded_as_it_was_written() {
        let document = document();
        let table =
            load(&Catalog::standard(), "t2".into(), document.clone(), Unknown::Ignored).expect("a record");
        assert_eq!(table.session().history().undone(), ["e3"]);
        assert_eq!(Record::of(&table).to_json(), document);
    }

    #[test]
    fn an_error_names_the_place_and_the_reason() {
        type Damage = fn(&mut Value);
        let damages: [(Damage, &str, &str); 9] = [
            (|document| document["format"] = json!("pgn"), "format", "not \"pgn\""),
            (|document| document["version"] = json!(2), "version", "reads version 1, not 2"),
            (|document| document["game"] = json!("chess"), "game", "there is no game \"chess\""),
            (|document| document["options"]["size"] = json!(2), "options", "option size: must be"),
            (|document| document["start"]["rows"][0] = json!("."), "start", "there is no such position"),
            (
                |document| document["seats"]["1"] = json!({"kind": "ai", "level": "x"}),
                "seats",
                "seats.1.level",
            ),
            (|document| document["played"][1] = json!("z9"), "played[1]", "an action is an edge"),
            (|document| document["undone"][0] = json!("z9"), "undone[0]", "an action is an edge"),
            (
                |document| document["outcome"] = json!({"winner": 1, "reason": "five"}),
                "outcome",
                "lead to null",
            ),
        ];
        for (damage, place, reason) in damages {
            let mut damaged = document();
            damage(&mut damaged);
            let error =
                load(&Catalog::standard(), String::new(), damaged, Unknown::Ignored).expect_err(place);
            assert_eq!(error.place, place);
            assert!(error.reason.contains(reason), "{place}: {}", error.reason);
            assert_eq!(error.to_string(), format!("the record is damaged at {place}: {}", error.reason));
        }
        let error =
            load_text(&Catalog::standard(), String::new(), "{\n  nonsense").expect_err("this is not JSON");
        assert_eq!(error.place, "line 2, column 3");
    }

    #[test]
    fn no_game_becomes_too_long_for_the_line_that_loads_it() {
        let mut table =
            load(&Catalog::standard(), "t1".into(), document(), Unknown::Ignored).expect("a record");
        let counted = |table: &Table| table.session().history().text_bytes();
        // With brackets, and without the comma behind the last one.
        let written = |table: &Table| json!(table.session().history().played()).to_string().len() - 1;
        assert_eq!(counted(&table), written(&table));
        table.redo(Steps::Actions(1)).expect("one was taken back");
        assert_eq!(counted(&table), written(&table));
        table.undo(Steps::Actions(2)).expect("three were played");
        table.play(&["ec".into()], None, PerSeat { one: true, two: true }).expect_err("no such edge");
        assert_eq!(counted(&table), written(&table));

        assert_eq!(check_length(LONGEST_GAME), Ok(()));
        assert_eq!(check_length(LONGEST_GAME + 1), Err(table::Error::TooLong));
        // There is room enough for all the rest of the largest board.
        for game in Catalog::standard().games() {
            let mut options = Map::new();
            if game.id == "zurero" {
                options.insert("size".into(), json!(19));
            }
            let session = Catalog::standard().open(game.id, Some(&options), u64::MAX, None).expect("a game");
            let table = Table::new("t1".into(), session, PerSeat::default()).expect("a table");
            let rest = Record::of(&table).to_json().to_string().len();
            assert!(rest < (LONGEST_LINE - LONGEST_GAME) / 4, "{}: {rest}", game.id);
        }
    }
}
