//! A game in a document: all that is needed to load it again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tabuleiro_protocol::{ErrorCode, ErrorObject, Options, Outcome, PerSeat, Player, Seat, Start};

use crate::catalog::Catalog;
use crate::plain_error::plainly;
use crate::table::{Opening, Table, unclaimed};

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

impl Record {
    pub fn of(table: &Table) -> Record {
        let opening = table.opening();
        Record {
            format: FORMAT,
            version: VERSION,
            game: opening.kind.id,
            options: opening.options.values().clone(),
            seed: opening.seed,
            start: opening.start.clone(),
            seats: PerSeat { one: unclaimed(&table.seats().one), two: unclaimed(&table.seats().two) },
            played: table.game().played(),
            undone: table.game().undone(),
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
pub fn load(catalog: &Catalog, id: String, document: Value) -> Result<Table, ErrorObject> {
    let head: Head = read(document.clone())?;
    if head.format != FORMAT {
        return Err(bad("format", format!("a record says {FORMAT:?} here, not {:?}", head.format)));
    }
    if head.version != VERSION {
        let reason = format!("this engine reads version {VERSION}, not {}", head.version);
        return Err(bad("version", reason));
    }
    let body: Body = read(document)?;
    let mut opening = Opening::new(catalog, &body.game, Some(&body.options), body.seed, Some(body.start))
        .map_err(|error| at(place_of(&error), &error))?;
    for (index, action) in body.played.iter().enumerate() {
        opening.game.play(action).map_err(|reason| bad(&format!("played[{index}]"), reason))?;
    }
    let mut table = Table::new(id, opening, body.seats).map_err(|error| at("seats", &error))?;
    table
        .restore(&body.undone, body.resigned)
        .map_err(|(index, reason)| bad(&format!("undone[{index}]"), reason))?;
    table.set_held(body.held);
    if table.resigned().is_some() && table.game().outcome().is_some() {
        return Err(bad("resigned", "the game was over before that".into()));
    }
    if table.outcome() != body.outcome {
        let shown = |outcome: &Option<Outcome>| serde_json::to_string(outcome).unwrap_or_default();
        let reason =
            format!("the moves lead to {}, not to {}", shown(&table.outcome()), shown(&body.outcome));
        return Err(bad("outcome", reason));
    }
    Ok(table)
}

/// [`load`] from text.
pub fn load_text(catalog: &Catalog, id: String, text: &str) -> Result<Table, ErrorObject> {
    let document = serde_json::from_str(text).map_err(|error| {
        bad(
            &format!("line {}, column {}", error.line(), error.column()),
            format!("this is not JSON: {error}"),
        )
    })?;
    load(catalog, id, document)
}

fn read<T: for<'a> Deserialize<'a>>(document: Value) -> Result<T, ErrorObject> {
    serde_path_to_error::deserialize(document).map_err(|error| {
        let path = error.path().to_string();
        bad(if path == "." { "the top" } else { &path }, plainly(&error.into_inner()))
    })
}

/// Where in a record the cause of such an error stands.
fn place_of(error: &ErrorObject) -> &'static str {
    match error.data.as_ref().and_then(|data| data["kind"].as_str()) {
        Some("unknown_game") => "game",
        Some("bad_option") => "options",
        _ => "start",
    }
}

fn at(place: &str, error: &ErrorObject) -> ErrorObject {
    bad(place, error.message.clone())
}

fn bad(place: &str, reason: String) -> ErrorObject {
    ErrorObject::new(ErrorCode::BadRecord, format!("the record is damaged at {place}: {reason}"))
        .with("place", place)
        .with("reason", reason)
}
