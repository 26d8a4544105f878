//! A game in a document: all that is needed to load it again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tabuleiro_protocol::{Options, Outcome, PerSeat, Player, Seat, Start};

use super::{Table, unclaimed};
use crate::catalog::{Catalog, OpenError};
use crate::plain_error::plainly;

const FORMAT: &str = "tabuleiro-record";
const VERSION: u32 = 1;

/// The document. Its members are in the order in which a person would read them.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    format: &'static str,
    version: u32,
    game: &'static str,
    options: Options,
    seed: u64,
    start: Start,
    seats: PerSeat<Player>,
    played: Vec<String>,
    undone: Vec<String>,
    resigned: Option<Seat>,
    held: bool,
    outcome: Option<Outcome>,
}

/// What has to stand in any version before the rest can be read.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Head {
    format: String,
    version: u32,
}

#[derive(Deserialize)]
struct Body {
    game: String,
    options: Map<String, Value>,
    seed: u64,
    start: Start,
    seats: PerSeat<Player>,
    played: Vec<String>,
    #[serde(default)]
    undone: Vec<String>,
    #[serde(default)]
    resigned: Option<Seat>,
    #[serde(default)]
    held: bool,
    outcome: Option<Outcome>,
}

/// Why a document is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record is damaged at {place}: {reason}")]
pub struct Error {
    /// Where in the document, as `played[3]`.
    pub place: String,
    pub reason: String,
}

impl Error {
    fn at(place: impl Into<String>, reason: impl ToString) -> Error {
        Error { place: place.into(), reason: reason.to_string() }
    }
}

impl Record {
    pub fn of(table: &Table) -> Record {
        let session = table.session();
        let setup = session.setup();
        Record {
            format: FORMAT,
            version: VERSION,
            game: setup.game,
            options: setup.options.values().clone(),
            seed: setup.seed,
            start: setup.start.clone(),
            seats: PerSeat { one: unclaimed(&table.seats().one), two: unclaimed(&table.seats().two) },
            played: session.history().played(),
            undone: session.history().undone(),
            resigned: table.resigned(),
            held: table.is_held(),
            outcome: table.outcome(),
        }
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
pub fn load(catalog: &Catalog, id: String, document: Value) -> Result<Table, Error> {
    let head: Head = read(document.clone())?;
    if head.format != FORMAT {
        return Err(Error::at("format", format!("a record says {FORMAT:?} here, not {:?}", head.format)));
    }
    if head.version != VERSION {
        let reason = format!("this engine reads version {VERSION}, not {}", head.version);
        return Err(Error::at("version", reason));
    }
    let body: Body = read(document)?;
    let mut session = catalog
        .open(&body.game, Some(&body.options), body.seed, Some(body.start))
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
    load(catalog, id, document)
}

fn read<T: for<'a> Deserialize<'a>>(document: Value) -> Result<T, Error> {
    serde_path_to_error::deserialize(document).map_err(|error| {
        let path = error.path().to_string();
        Error::at(if path == "." { "the top" } else { &path }, plainly(&error.into_inner()))
    })
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
    use serde_json::json;

    use super::*;

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
        let table = load(&Catalog::standard(), "t2".into(), document.clone()).expect("a record");
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
            let error = load(&Catalog::standard(), String::new(), damaged).expect_err(place);
            assert_eq!(error.place, place);
            assert!(error.reason.contains(reason), "{place}: {}", error.reason);
            assert_eq!(error.to_string(), format!("the record is damaged at {place}: {}", error.reason));
        }
        let error =
            load_text(&Catalog::standard(), String::new(), "{\n  nonsense").expect_err("this is not JSON");
        assert_eq!(error.place, "line 2, column 3");
    }
}
