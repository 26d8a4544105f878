//! A game that comes from outside as text: a saved game, a record, a line out of a match's file, or
//! a game as one line of text. What is damaged is read as far as it goes.

use serde_json::Value;

use crate::Record;
use crate::method::Damage;

/// So many places are tried at which a damaged document may be cut off.
const MOST_CUTS: usize = 64;

/// A game as the engine can be asked to load it.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// A record, or a line of text.
    pub record: Value,
    /// What is wrong with the text that it was read from.
    pub damage: Option<Damage>,
    /// How many more games there are in the same text.
    pub others: usize,
}

impl Document {
    /// Reads a text. The error says why there is no game in it.
    pub fn read(text: &str) -> Result<Document, Damage> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Err(damage("its beginning", "there is nothing in it"));
        }
        if let Some(at) = text.find(|character: char| character.is_control() && !character.is_whitespace()) {
            return Err(damage(format!("byte {at}"), "this is no text: there is a control character"));
        }
        if !text.starts_with(['{', '[']) {
            return Ok(Document { record: text.into(), damage: None, others: 0 });
        }
        let error = match serde_json::from_str::<Value>(text) {
            Ok(value) => return Ok(Document { record: record_of(value)?, damage: None, others: 0 }),
            Err(error) => error,
        };
        if let Some(lines) = read_lines(text) {
            return lines;
        }
        let damage = no_json(format!("line {}, column {}", error.line(), error.column()), &error);
        match repaired(text, &error).and_then(|value| record_of(value).ok()) {
            Some(record) => Ok(Document { record, damage: Some(damage), others: 0 }),
            None => Err(damage),
        }
    }
}

fn damage(place: impl Into<String>, reason: impl Into<String>) -> Damage {
    Damage { place: place.into(), reason: reason.into() }
}

fn no_json(place: String, error: &serde_json::Error) -> Damage {
    damage(place, format!("this is not JSON: {error}"))
}

/// The record in a JSON document: the document itself, or that of a saved game.
fn record_of(mut value: Value) -> Result<Value, Damage> {
    if value["format"] == Record::FORMAT {
        return Ok(value);
    }
    match value.get_mut("record").map(Value::take) {
        Some(record) if record["format"] == Record::FORMAT => Ok(record),
        _ => Err(damage(
            "format",
            format!("this is JSON, but no game: a record says {:?} there", Record::FORMAT),
        )),
    }
}

/// The first game of several lines with a JSON object each; `None` if the text is no such thing.
fn read_lines(text: &str) -> Option<Result<Document, Damage>> {
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    let first: Value = serde_json::from_str(lines.first().filter(|_| lines.len() > 1)?.1).ok()?;
    let mut games = Vec::from_iter(record_of(first).ok());
    let mut unreadable = None;
    for (index, line) in &lines[1..] {
        match serde_json::from_str(line) {
            Ok(value) => games.extend(record_of(value).ok()),
            Err(error) => {
                unreadable.get_or_insert(no_json(format!("line {}", index + 1), &error));
            }
        }
    }
    let others = games.len().saturating_sub(1);
    let first = games.into_iter().next();
    Some(match first {
        // What is wrong with a line behind it does no harm to the first game.
        Some(record) => Ok(Document { record, damage: None, others }),
        None => {
            let none = || damage("line 1", "there is no game in this line, nor in any other");
            Err(unreadable.unwrap_or_else(none))
        }
    })
}

/// A document that is cut off or goes wrong somewhere, without its last item and what is behind it.
fn repaired(text: &str, error: &serde_json::Error) -> Option<Value> {
    let good = &text[..offset(text, error)];
    // What is open at each comma, innermost last: there it can be cut off.
    let mut cuts: Vec<(usize, Vec<char>)> = Vec::new();
    let (mut open, mut is_in_string, mut is_escaped) = (Vec::new(), false, false);
    for (at, character) in good.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_in_string => is_escaped = true,
            '"' => is_in_string = !is_in_string,
            _ if is_in_string => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => drop(open.pop()),
            ',' => cuts.push((at, open.clone())),
            _ => {}
        }
        if cuts.len() > 2 * MOST_CUTS {
            cuts.drain(..MOST_CUTS);
        }
    }
    cuts.push((good.len(), open));
    cuts.iter().rev().take(MOST_CUTS).find_map(|(at, open)| {
        let closed: String = open.iter().rev().collect();
        serde_json::from_str(&format!("{}{closed}", &good[..*at])).ok()
    })
}

/// Where in the text an error is, in bytes.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut at = (before + error.column()).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record() -> Value {
        json!({"format": Record::FORMAT, "version": 1, "game": "zurero", "options": {"size": 5}, "played": ["@c3", "w3"]})
    }

    #[test]
    fn every_kind_of_text_is_told_apart() {
        let plain = Document { record: record(), damage: None, others: 0 };
        assert_eq!(Document::read(&record().to_string()), Ok(plain.clone()));
        let saved = json!({"game": "zurero", "title": "A game", "record": record()});
        assert_eq!(Document::read(&format!("\u{feff}{saved:#}\n")), Ok(plain.clone()));
        let head = json!({"format": "tabuleiro-match"});
        let lines = format!("{head}\n{0}\n{0}\n{{\"cut", record());
        assert_eq!(Document::read(&lines), Ok(Document { others: 1, ..plain }));
        let text = Document::read(" zurero size=5 : @c3\n").expect("a line");
        assert_eq!(text.record, json!("zurero size=5 : @c3"));
    }

    #[test]
    fn what_is_no_game_says_so() {
        for (text, why) in [
            ("", "nothing in it"),
            (" \n", "nothing in it"),
            ("PNG\u{0}\u{1}", "byte 3: this is no text"),
            ("{\"name\": \"left-pad\", \"version\": \"1.0.0\"}", "no game"),
            ("[1, 2, 3]", "no game"),
            ("{}\n{}", "no game in this line, nor in any other"),
            ("{\"a\": nonsense}", "line 1, column 8"),
            ("[", "line 1"),
        ] {
            let Damage { place, reason } = Document::read(text).expect_err(text);
            let error = format!("{place}: {reason}");
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_document_that_is_cut_off_anywhere_is_read_up_to_there_or_refused() {
        let whole = format!("{:#}", record());
        let mut readable = 0;
        for (length, _) in whole.char_indices().skip(1) {
            let Ok(document) = Document::read(&whole[..length]) else { continue };
            let damage = document.damage.expect("it is not whole");
            assert!(damage.place.starts_with("line "), "{}", damage.place);
            assert_eq!(document.record["format"], Record::FORMAT);
            readable += 1;
        }
        assert!(readable > whole.len() / 2, "{readable} of {}", whole.len());
        let cut = Document::read(&whole[..whole.len() - 12]).expect("most of it");
        assert_eq!(cut.record["game"], "zurero");
    }
}
