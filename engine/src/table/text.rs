//! A game as one line of text: its name, its options, its start where that is not the usual one, and
//! what was played.
//!
//! `fabrik goal=4 rules=official size=5 : w@b2 w@d4 white @c3`

use serde_json::{Map, Value, json};
use tabuleiro_protocol::shape::{self, Unknown};
use tabuleiro_protocol::{PerSeat, Seat, Start};

use super::record::Error;
use super::{Table, options_of};
use crate::catalog::{Catalog, OpenError};
use crate::session::NotPlayed;

/// What stands before the actions.
const COLON: &str = ":";

/// The line of a table's game: how it came to where it stands.
pub fn of_game(catalog: &Catalog, table: &Table) -> String {
    let setup = table.session().setup();
    let mut words = head(table);
    // What is drawn by lot is drawn again by whoever reads the line, and not by the same seed.
    let options = options_of(table);
    let is_usual = [0, 1].into_iter().all(|seed| {
        let session = catalog.open(setup.game, Some(&options), seed, None);
        session.is_ok_and(|session| session.setup().start == setup.start)
    });
    if !is_usual {
        words.extend(start_words(&setup.start));
    }
    if let Some(seat) = table.resigned() {
        words.push(format!("resigned={seat}"));
    }
    let played = table.session().history().played();
    if !played.is_empty() {
        words.push(COLON.into());
        words.extend(played);
    }
    words.join(" ")
}

/// The line of the position in which a table stands; `None` in the middle of a turn, and where the
/// game cannot be begun from it.
pub fn of_position(catalog: &Catalog, table: &Table) -> Option<String> {
    let setup = table.session().setup();
    let start = table.position_as_start()?;
    let session = catalog.open(setup.game, Some(&options_of(table)), setup.seed, Some(start.clone())).ok()?;
    let (here, there) = (table.position().snapshot(), session.position().snapshot());
    let is_same = (here.rows, here.counters, here.phase) == (there.rows, there.counters, there.phase);
    is_same.then(|| [head(table), start_words(&start)].concat().join(" "))
}

/// The game and its options.
fn head(table: &Table) -> Vec<String> {
    let setup = table.session().setup();
    let options = setup.options.values().iter().map(|(name, value)| format!("{name}={value}"));
    std::iter::once(setup.game.to_string()).chain(options).collect()
}

fn start_words(start: &Start) -> Vec<String> {
    let mut words = vec![format!("start={}", rows_as_word(&start.rows))];
    if let Value::Object(members) = json!(start) {
        let others = members.into_iter().filter(|(name, _)| name != "rows");
        // Blanks can only be inside of strings, where they may be written so.
        words.extend(
            others.map(|(name, value)| format!("start.{name}={}", value.to_string().replace(' ', "\\u0020"))),
        );
    }
    words
}

/// Rows with slashes between them; in each the tokens with commas, and numbers for empty cells.
fn rows_as_word(rows: &[String]) -> String {
    let is_number = |token: &&str| token.parse::<usize>().is_ok();
    let has_numbers = rows.iter().flat_map(|row| row.split(' ')).any(|token| is_number(&token));
    let row = |row: &String| {
        let mut items: Vec<String> = Vec::new();
        let mut empty = 0;
        for token in row.split(' ').map(Some).chain([None]) {
            if token == Some(".") && !has_numbers {
                empty += 1;
                continue;
            }
            if empty > 0 {
                items.push(empty.to_string());
                empty = 0;
            }
            items.extend(token.map(String::from));
        }
        items.join(",")
    };
    rows.iter().map(row).collect::<Vec<String>>().join("/")
}

fn rows_of_word(word: &str) -> Option<Vec<String>> {
    let row = |row: &str| {
        let mut tokens: Vec<String> = Vec::new();
        for item in row.split(',') {
            match item.parse::<usize>() {
                // No board is wider.
                Ok(empty) if empty > 26 => return None,
                Ok(empty) => tokens.extend(std::iter::repeat_n(".".to_string(), empty)),
                Err(_) => tokens.push(item.into()),
            }
        }
        Some(tokens.join(" "))
    };
    word.split('/').map(row).collect()
}

/// Whether somebody may have meant such a line: it begins with the name of a game.
pub fn is_text(catalog: &Catalog, text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    catalog.game(&first.to_lowercase()).is_ok()
}

/// The game that a line tells.
pub fn load(catalog: &Catalog, id: String, text: &str) -> Result<Table, Error> {
    let mut words = text.split_whitespace().enumerate();
    let place = |index: usize, word: &str| {
        let shown: String = word.chars().take(40).collect();
        format!("word {} ({shown})", index + 1)
    };
    let Some((_, game)) = words.next() else { return Err(Error::at("the text", "it is empty")) };
    let kind = catalog.game(&game.to_lowercase()).map_err(|error| Error::at(place(0, game), error))?;
    let (mut options, mut start, mut resigned) = (Map::new(), Map::new(), None);
    let mut played = Vec::new();
    for (index, word) in words.by_ref() {
        if word == COLON {
            break;
        }
        let here = || place(index, word);
        let Some((name, value)) = word.split_once('=') else {
            let reason = "before the actions, which follow a colon, stands name=value";
            return Err(Error::at(here(), reason));
        };
        let json = || serde_json::from_str::<Value>(value).unwrap_or_else(|_| Value::String(value.into()));
        match name.split_once('.') {
            None if name == "start" => {
                let rows =
                    rows_of_word(value).ok_or_else(|| Error::at(here(), "a row has 26 cells at most"))?;
                start.insert("rows".into(), json!(rows));
            }
            None if name == "resigned" => {
                let seat = match value {
                    "1" => Seat::One,
                    "2" => Seat::Two,
                    _ => return Err(Error::at(here(), "a seat is 1 or 2")),
                };
                resigned = Some(seat);
            }
            Some(("start", member)) => drop(start.insert(member.into(), json())),
            _ => {
                let one = Map::from_iter([(name.to_string(), json())]);
                kind.check_options(&one).map_err(|error| Error::at(here(), error))?;
                options.extend(one);
            }
        }
    }
    played.extend(words);
    let start: Option<Start> = if start.is_empty() {
        None
    } else {
        let read = shape::read(Value::Object(start), Unknown::Ignored);
        Some(read.map_err(|wrong| Error::at("start", wrong))?)
    };
    let mut session = catalog.open(kind.id, Some(&options), 0, start).map_err(|error| {
        let place = if let OpenError::BadStart(_) = &error { "start" } else { "options" };
        Error::at(place, error)
    })?;
    for (index, action) in played {
        session.play_unseen(action).map_err(|error| {
            let reason = match error {
                NotPlayed::Illegal(illegal) => illegal.reason,
                other => other.to_string(),
            };
            Error::at(place(index, action), reason)
        })?;
    }
    let mut table =
        Table::new(id, session, PerSeat::default()).map_err(|error| Error::at("the text", error))?;
    if let Some(seat) = resigned {
        table.resign(seat).map_err(|error| Error::at("resigned", error))?;
    }
    Ok(table)
}
