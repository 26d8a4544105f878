//! A game in a document: all that is needed to load it again.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use tabuleiro_protocol::document;
use tabuleiro_protocol::method::Damage;
use tabuleiro_protocol::shape::{self, Unknown, WrongShape};
use tabuleiro_protocol::{Outcome, PerSeat, Record as Document, RecordedNote, RecordedVariation};

use super::{LONGEST_GAME, Table, check_players, text, unclaimed};
use crate::catalog::{Catalog, OpenError};
use crate::session::{LAST_NAME, LONGEST_COMMENT, NotPlaced, NotPlayed, ROOT, Session};

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
    pub(super) fn at(place: impl Into<String>, reason: impl ToString) -> Error {
        Error { place: place.into(), reason: reason.to_string(), shape: None }
    }
}

impl From<WrongShape> for Error {
    fn from(wrong: WrongShape) -> Error {
        let place = if wrong.field.is_empty() { "the top" } else { &wrong.field };
        Error { shape: Some(wrong.clone()), ..Error::at(place, wrong.reason) }
    }
}

impl From<Damage> for Error {
    fn from(Damage { place, reason }: Damage) -> Error {
        Error::at(place, reason)
    }
}

impl From<Error> for Damage {
    fn from(error: Error) -> Damage {
        Damage { place: error.place, reason: error.reason }
    }
}

impl Record {
    /// Version 1 if that says it all, so that older readers can read it.
    pub fn of(table: &Table) -> Record {
        let history = table.session().history();
        let Record(mut document) = Record::plain(table);
        document.nodes = history.recorded_names();
        document.variations = history.recorded_variations();
        document.notes = history.recorded_notes();
        if !(document.nodes.is_empty() && document.variations.is_empty() && document.notes.is_empty()) {
            document.version = Document::VERSION;
        }
        Record(document)
    }

    /// The line alone: what was played, and what could be played again.
    pub fn plain(table: &Table) -> Record {
        let session = table.session();
        let setup = session.setup();
        Record(Document {
            format: Document::FORMAT.into(),
            version: Document::PLAIN,
            game: setup.game.into(),
            options: setup.options.values().clone(),
            seed: setup.seed,
            start: setup.start.clone(),
            seats: PerSeat { one: unclaimed(&table.seats().one), two: unclaimed(&table.seats().two) },
            played: session.history().played(),
            undone: session.history().undone(),
            nodes: Vec::new(),
            variations: Vec::new(),
            notes: Vec::new(),
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
    if let Value::String(text) = &document {
        return load_text(catalog, id, text);
    }
    check_head(&document)?;
    let body: Document = shape::read(document, unknown)?;
    Reader { stops: true, damage: Vec::new() }.table(catalog, id, body)
}

/// As much of the game as can be read, and what is wrong with the rest. An error if there is no game
/// at all.
pub fn load_readable(
    catalog: &Catalog,
    id: String,
    mut document: Value,
    unknown: Unknown,
) -> Result<(Table, Vec<Error>), Error> {
    if let Value::String(text) = &document {
        return match is_json(text) {
            true => load_readable(catalog, id, read_json(text)?, unknown),
            false => text::load_readable(catalog, id, text),
        };
    }
    check_head(&document)?;
    let mut reader = Reader { stops: false, damage: Vec::new() };
    let body: Document = loop {
        match shape::read(document.clone(), unknown) {
            Ok(body) => break body,
            Err(wrong) if reader.damage.len() < MOST_CUTS && cut_off(&mut document, &wrong.field) => {
                reader.damage.push(wrong.into());
            }
            Err(wrong) => return Err(wrong.into()),
        }
    };
    let table = reader.table(catalog, id, body)?;
    Ok((table, reader.damage))
}

/// So many things of a wrong shape are passed over in a document.
const MOST_CUTS: usize = 100;

/// Removes what stands at a place; if nothing does, that in which it should stand. Of a list of
/// actions all behind it goes too. `false` if that would be the whole document.
fn cut_off(document: &mut Value, place: &str) -> bool {
    let path = place.replace('[', ".").replace(']', "");
    let mut steps: Vec<&str> = path.split('.').collect();
    while let Some(last) = steps.pop() {
        let inside = steps.iter().try_fold(&mut *document, |value, step| match value {
            Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
            Value::Object(members) => members.get_mut(*step),
            _ => None,
        });
        let index = last.parse::<usize>().ok();
        let is_removed = match (inside, index) {
            (Some(Value::Object(members)), _) => members.remove(last).is_some(),
            (Some(Value::Array(items)), Some(index)) if index < items.len() => {
                if items[index].is_object() {
                    items.remove(index);
                } else {
                    items.truncate(index);
                }
                true
            }
            _ => false,
        };
        if is_removed {
            return true;
        }
    }
    false
}

/// Reads a document, and either stops at what is wrong or passes over it.
struct Reader {
    stops: bool,
    damage: Vec<Error>,
}

impl Reader {
    fn wrong(&mut self, place: impl Into<String>, reason: impl ToString) -> Result<(), Error> {
        let error = Error::at(place, reason);
        if self.stops {
            return Err(error);
        }
        self.damage.push(error);
        Ok(())
    }

    fn table(&mut self, catalog: &Catalog, id: String, body: Document) -> Result<Table, Error> {
        let options: Map<String, Value> =
            body.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let mut session = catalog
            .open(&body.game, Some(&options), body.seed, Some(body.start.clone()))
            .map_err(|error| Error::at(place_of(&error), error))?;
        let mut names = Names::default();
        let line = self.line(&mut session, &mut names, &body)?;
        if !body.variations.is_empty() {
            self.variations(&mut session, &mut names, &line, &body.variations)?;
        }
        session.pass_by(line.last().copied().unwrap_or(ROOT));
        session.end_line();
        session.undo(line.len().saturating_sub(body.played.len()));
        self.notes(&mut session, &body)?;

        let is_tree = !body.variations.is_empty() || !body.notes.is_empty();
        if is_tree && session.history().record_bytes() > LONGEST_GAME {
            return Err(Error::at("variations", "they are too long, together with the notes"));
        }
        let seats = match check_players(&body.seats) {
            Ok(()) => body.seats,
            Err(error) => {
                self.wrong("seats", error)?;
                PerSeat::default()
            }
        };
        let mut table = Table::new(id, session, seats).map_err(|error| Error::at("seats", error))?;
        table.held = body.held;
        if let Some(seat) = body.resigned {
            if table.position().outcome().is_some() {
                self.wrong("resigned", "the game was over before that")?;
            } else {
                table.set_resigned(Some(seat));
            }
        }
        if table.outcome() != body.outcome {
            let shown = |outcome: &Option<Outcome>| serde_json::to_string(outcome).unwrap_or_default();
            let (found, told) = (shown(&table.outcome()), shown(&body.outcome));
            self.wrong("outcome", format!("the moves lead to {found}, not to {told}"))?;
        }
        Ok(table)
    }

    /// Plays the line. Gives the names of its nodes, as far as it can be played.
    fn line(&mut self, session: &mut Session, names: &mut Names, body: &Document) -> Result<Vec<u32>, Error> {
        let all = body.played.iter().enumerate().map(|(index, action)| ("played", index, action));
        let all = all.chain(body.undone.iter().enumerate().map(|(index, action)| ("undone", index, action)));
        let count = body.played.len() + body.undone.len();
        let mut line = names.take(&body.nodes, count).or_else(|reason| {
            self.wrong("nodes", reason)?;
            names.take(&[], count).map_err(|reason| Error::at("nodes", reason))
        })?;
        for (ply, (member, index, action)) in all.enumerate() {
            if let Err(error) = session.play_as_node(action, line[ply], None) {
                self.wrong(format!("{member}[{index}]"), reason_of(error))?;
                line.truncate(ply);
                break;
            }
        }
        Ok(line)
    }

    /// Plays the variations. Those that hang on one another are played together, so that the way
    /// from one to the next is short.
    fn variations(
        &mut self,
        session: &mut Session,
        names: &mut Names,
        line: &[u32],
        variations: &[RecordedVariation],
    ) -> Result<(), Error> {
        let mut nodes = Vec::new();
        let mut by_parent: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, variation) in variations.iter().enumerate() {
            match names.take(&variation.nodes, variation.actions.len()) {
                Ok(taken) => {
                    nodes.push(taken);
                    by_parent.entry(variation.after).or_default().push(index);
                }
                Err(reason) => {
                    nodes.push(Vec::new());
                    self.wrong(format!("variations[{index}].nodes"), reason)?;
                }
            }
        }
        let mut ahead: Vec<u32> = std::iter::once(ROOT).chain(line.iter().copied()).collect();
        while let Some(parent) = ahead.pop() {
            for index in by_parent.remove(&parent).unwrap_or_default() {
                session.pass_by(parent);
                for (number, action) in variations[index].actions.iter().enumerate() {
                    let place = variations[index].place.filter(|_| number == 0);
                    if let Err(error) = session.play_as_node(action, nodes[index][number], place) {
                        self.wrong(format!("variations[{index}].actions[{number}]"), reason_of(error))?;
                        break;
                    }
                    ahead.push(nodes[index][number]);
                }
            }
        }
        let mut lost: Vec<usize> = by_parent.into_values().flatten().collect();
        lost.sort_unstable();
        for index in lost {
            let reason = format!("there is no node {}", variations[index].after);
            self.wrong(format!("variations[{index}].after"), reason)?;
        }
        Ok(())
    }

    fn notes(&mut self, session: &mut Session, body: &Document) -> Result<(), Error> {
        for (index, note) in body.notes.iter().enumerate() {
            let place = |member| format!("notes[{index}].{member}");
            let RecordedNote { node, comment, mark, resigned, evaluation } = note;
            if !session.history().contains(*node) {
                self.wrong(place("node"), format!("there is no node {node}"))?;
                continue;
            }
            if comment.as_ref().is_some_and(|comment| comment.len() > LONGEST_COMMENT) {
                self.wrong(place("comment"), format!("must have at most {LONGEST_COMMENT} bytes"))?;
                continue;
            }
            let is_over = resigned.is_some() && {
                let mut there = session.clone();
                there.pass_by(*node) && there.position().outcome().is_some()
            };
            if is_over {
                self.wrong(place("resigned"), "the game was over before that")?;
            }
            session.annotate(*node, |noted| {
                noted.comment = comment.clone().filter(|comment| !comment.is_empty());
                noted.mark = *mark;
                noted.resigned = resigned.filter(|_| !is_over);
                noted.evaluation = evaluation.as_deref().cloned();
            });
        }
        Ok(())
    }
}

/// The names that a document gives to nodes.
struct Names {
    /// From the first to the last; none has a name of another.
    taken: BTreeMap<u32, u32>,
    next: u32,
}

impl Default for Names {
    fn default() -> Names {
        Names { taken: BTreeMap::new(), next: ROOT + 1 }
    }
}

impl Names {
    /// The names of so many nodes: those given, or the next ones that nobody has.
    fn take(&mut self, ranges: &[[u32; 2]], count: usize) -> Result<Vec<u32>, String> {
        let next = [self.next, (self.next - 1).saturating_add(u32::try_from(count).unwrap_or(u32::MAX))];
        let ranges = if ranges.is_empty() && count > 0 { &[next] } else { ranges };
        let mut left = count;
        for &[first, last] in ranges {
            if first == ROOT || first > last || last > LAST_NAME {
                return Err(format!(
                    "names go from 1 to {LAST_NAME}, the smaller one first: not {first} to {last}"
                ));
            }
            let length = (last - first) as usize + 1;
            left = left.checked_sub(length).ok_or(TOO_MANY)?;
        }
        if left > 0 {
            return Err("there are fewer names than actions".into());
        }
        let mut names = Vec::with_capacity(count);
        for (index, &[first, last]) in ranges.iter().enumerate() {
            let other = self.taken.range(..=last).next_back().map(|(_, &end)| end);
            if let Some(end) = other.filter(|&end| end >= first) {
                for [first, _] in &ranges[..index] {
                    self.taken.remove(first);
                }
                return Err(format!("{} is the name of another node", end.min(last)));
            }
            self.taken.insert(first, last);
            names.extend(first..=last);
        }
        self.next = self.next.max(names.iter().max().map_or(0, |&last| last + 1));
        Ok(names)
    }
}

const TOO_MANY: &str = "there are more names than actions";

fn reason_of(error: NotPlaced) -> String {
    match error {
        NotPlaced::NotPlayed(NotPlayed::Illegal(illegal)) => illegal.reason,
        other => other.to_string(),
    }
}

/// [`load`] from text: a document, or a game as one line.
pub fn load_text(catalog: &Catalog, id: String, text: &str) -> Result<Table, Error> {
    match is_json(text) {
        true => load(catalog, id, read_json(text)?, Unknown::Ignored),
        false => text::load(catalog, id, text),
    }
}

/// Whether a text is a document, whole or damaged, and not a line of words.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        || text.contains(|character: char| character.is_control() && !character.is_whitespace())
        || serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn read_json(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        Error::at(place, format!("this is not JSON: {error}"))
    })
}

/// A game as people keep it: a record, a game that a window has saved, a match's file, of which it is
/// the first game, or one line of text.
pub fn load_saved(catalog: &Catalog, id: String, text: &str) -> Result<Table, Error> {
    let document::Document { record, damage, .. } = document::Document::read(text)?;
    match damage {
        Some(damage) => Err(damage.into()),
        None => load(catalog, id, record, Unknown::Ignored),
    }
}

/// As much of it as can be read, and what is wrong with the rest. An error if there is no game at
/// all.
pub fn load_saved_readable(catalog: &Catalog, id: String, text: &str) -> Result<(Table, Vec<Error>), Error> {
    let document::Document { record, damage, .. } = document::Document::read(text)?;
    let (table, others) = load_readable(catalog, id, record, Unknown::Ignored)?;
    Ok((table, damage.map(Error::from).into_iter().chain(others).collect()))
}

/// What has to stand in any version before the rest can be read.
fn check_head(document: &Value) -> Result<(), WrongShape> {
    let wrong =
        |field: &str, reason| Err(WrongShape { field: field.into(), reason, ..WrongShape::default() });
    let (format, newest) = (Document::FORMAT, Document::VERSION);
    match (document.get("format"), document.get("version").and_then(Value::as_f64)) {
        (Some(Value::String(other)), _) if other != format => {
            wrong("format", format!("a record says {format:?} here, not {other:?}"))
        }
        (_, Some(other)) if ![Document::PLAIN, newest].map(f64::from).contains(&other) => {
            wrong("version", format!("this engine reads versions 1 to {newest}, not {other}"))
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
    use crate::table::{self, Steps};

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
            (|document| document["version"] = json!(3), "version", "reads versions 1 to 2, not 3"),
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
    fn a_game_that_a_window_has_saved_is_loaded_as_its_record() {
        let saved =
            |record: Value| json!({"game": "zurero", "title": "A game", "record": record}).to_string();
        let load = |text: &str| load_saved(&Catalog::standard(), String::new(), text);
        for text in [document().to_string(), saved(document())] {
            assert_eq!(Record::of(&load(&text).expect("a game")).to_json(), document());
        }
        assert!(load("zurero size=5 : @c3 w3").is_ok());
        let mut damaged = document();
        damaged["played"][1] = json!("z9");
        let damages = [
            (saved(damaged), "played[1]"),
            (saved(json!(7)), "format"),
            ("Call me Ishmael.".into(), "word 1 (Call)"),
            ("{\n  nonsense".into(), "line 2, column 3"),
        ];
        for (text, place) in damages {
            assert_eq!(load(&text).expect_err(place).place, place);
        }
        // Of a file that was cut off there is something left.
        let whole = format!("{:#}", document());
        let cut = &whole[..whole.find("\"w3\"").expect("the second action") + 2];
        let place = load(cut).expect_err("cut off").place;
        assert!(place.starts_with("line "), "{place}");
        let (table, damage) = load_saved_readable(&Catalog::standard(), String::new(), cut).expect("a game");
        assert_eq!(table.session().history().played(), ["@c3"]);
        assert_eq!(damage[0].place, place);
    }

    #[test]
    fn no_game_becomes_too_long_for_the_line_that_loads_it() {
        let mut table =
            load(&Catalog::standard(), "t1".into(), document(), Unknown::Ignored).expect("a record");
        let counted = |table: &Table| table.session().history().record_bytes();
        // With brackets, and without the comma behind the last one.
        let written = |table: &Table| {
            let history = table.session().history();
            let line: Vec<String> = history.played().into_iter().chain(history.undone()).collect();
            json!(line).to_string().len() - 1
        };
        assert_eq!(counted(&table), written(&table));
        table.redo(Steps::Actions(1)).expect("one was taken back");
        assert_eq!(counted(&table), written(&table));
        table.undo(Steps::Actions(2)).expect("three were played");
        table.play(&["ec".into()], None, PerSeat { one: true, two: true }).expect_err("no such edge");
        assert_eq!(counted(&table), written(&table));

        // A variation and a note take more than their texts, and so they are counted.
        let plain = Record::of(&table).to_json().to_string().len();
        let before = counted(&table);
        table.play(&["nc".into()], None, PerSeat { one: true, two: true }).expect("a legal action");
        table.annotate(None, &[], Some("\u{1}\u{1}\"why\"\n"), Some("!?")).expect("there is room");
        let more = Record::of(&table).to_json().to_string().len() - plain;
        assert!(counted(&table) - before >= more, "{} is less than {more}", counted(&table) - before);

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

    #[test]
    fn a_game_that_is_too_long_forgets_what_nobody_has_noted() {
        let everyone = PerSeat { one: true, two: true };
        let options = json!({"size": 9});
        let session = Catalog::standard().open("fabrik", options.as_object(), 1, None).expect("a game");
        let mut table = Table::new("t1".into(), session, PerSeat::default()).expect("a table");
        let length = |table: &Table| table.session().history().record_bytes();
        let nodes = |table: &Table| table.session().history().nodes();
        let actions = table.actions();
        // Plays another pair of actions each time, as somebody does who takes back what was played.
        let play = |table: &mut Table, round: usize| {
            table.go_to(0).expect("the start");
            table.play(&actions[round % 81..][..1], None, everyone).expect("a legal action");
            let answers = table.actions();
            table.play(&answers[round / 81 % answers.len()..][..1], None, everyone).expect("room is made");
        };
        let comment = "x".repeat(LONGEST_COMMENT);
        let mut round = 0;
        let refused = loop {
            play(&mut table, round);
            round += 1;
            if let Err(error) = table.annotate(None, &[], Some(&comment), None) {
                break error;
            }
        };
        assert_eq!(refused, table::Error::TooLong);
        assert!(round > 100, "{round}");
        assert!(Record::of(&table).to_json().to_string().len() < LONGEST_LINE);
        // What is not noted makes room, the oldest first.
        let mut most = 0;
        while nodes(&table) >= most {
            most = nodes(&table);
            play(&mut table, round);
            round += 1;
            assert!(length(&table) <= LONGEST_GAME);
        }
        assert!(table.session().history().note(2).is_some());
    }

    #[test]
    fn names_are_those_given_or_the_next_ones() {
        let mut names = Names::default();
        assert_eq!(names.take(&[], 2), Ok(vec![1, 2]));
        assert_eq!(names.take(&[[5, 6], [9, 9]], 3), Ok(vec![5, 6, 9]));
        assert_eq!(names.take(&[], 2), Ok(vec![10, 11]), "behind the last one");
        assert_eq!(names.take(&[[3, 4]], 2), Ok(vec![3, 4]), "a gap");
        assert_eq!(names.take(&[], 1), Ok(vec![12]));
        assert_eq!(names.take(&[[LAST_NAME, LAST_NAME]], 1), Ok(vec![LAST_NAME]));
        for (ranges, count, reason) in [
            (&[[0, 1]][..], 2, "names go from 1"),
            (&[[21, 20]], 2, "names go from 1"),
            (&[[LAST_NAME, LAST_NAME + 1]], 2, "names go from 1"),
            (&[[20, 22]], 2, "more names than actions"),
            (&[[20, 21]], 3, "fewer names than actions"),
            (&[[20, 21], [6, 7]], 4, "6 is the name of another node"),
        ] {
            let error = names.take(ranges, count).expect_err(reason);
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!(names.take(&[[20, 21]], 2), Ok(vec![20, 21]), "those refused took no names");
    }

    #[test]
    fn what_stands_at_a_place_is_cut_off() {
        let whole =
            json!({"seed": 1, "notes": [{"node": 1}, {"node": 2}], "nodes": [[1, 2], [3, 4], [5, 6]]});
        for (place, left) in [
            ("seed", json!({"notes": whole["notes"], "nodes": whole["nodes"]})),
            ("notes[0]", json!({"seed": 1, "notes": [{"node": 2}], "nodes": whole["nodes"]})),
            ("notes[1].node", json!({"seed": 1, "notes": [{"node": 1}, {}], "nodes": whole["nodes"]})),
            ("notes[1].mark", json!({"seed": 1, "notes": [{"node": 1}], "nodes": whole["nodes"]})),
            ("nodes[1]", json!({"seed": 1, "notes": whole["notes"], "nodes": [[1, 2]]})),
            ("nodes[1][0]", json!({"seed": 1, "notes": whole["notes"], "nodes": [[1, 2], [], [5, 6]]})),
            ("nodes[3]", json!({"seed": 1, "notes": whole["notes"]})),
        ] {
            let mut document = whole.clone();
            assert!(cut_off(&mut document, place), "{place}");
            assert_eq!(document, left, "{place}");
        }
        assert!(!cut_off(&mut whole.clone(), "start"), "nothing stands there");
    }

    #[test]
    fn so_many_things_of_a_wrong_shape_are_passed_over() {
        let catalog = Catalog::standard();
        let with = |wrong: usize| {
            let mut document = document();
            document["notes"] = vec![json!({"node": 1, "mark": 7}); wrong].into();
            load_readable(&catalog, "t1".into(), document, Unknown::Ignored)
        };
        let (table, damage) = with(MOST_CUTS).expect("a game with damage");
        assert_eq!((table.ply(), damage.len()), (2, MOST_CUTS));
        assert!(with(MOST_CUTS + 1).is_err());
    }

    #[test]
    fn a_comment_may_be_as_long_as_it_says() {
        let with = |bytes: usize| {
            let mut document = document();
            document["notes"] = json!([{"node": 1, "comment": "a".repeat(bytes)}]);
            load(&Catalog::standard(), "t1".into(), document, Unknown::Ignored)
        };
        assert!(with(LONGEST_COMMENT).is_ok());
        assert_eq!(with(LONGEST_COMMENT + 1).expect_err("too long").place, "notes[0].comment");
    }

    #[test]
    fn notes_that_are_too_long_together_are_refused() {
        let catalog = Catalog::standard();
        let mut session = catalog.open("absorption", None, 1, None).expect("a game");
        while session.history().ply() < 200 {
            let actions = session.position().actions();
            session.play(&actions[session.history().ply() % actions.len()]).expect("a legal action");
        }
        let table = Table::new("t1".into(), session, PerSeat::default()).expect("a table");
        let mut document = Record::of(&table).to_json();
        document["version"] = json!(2);
        let fits = (LONGEST_GAME - table.session().history().record_bytes()) / (LONGEST_COMMENT + 100);
        let with = |notes: usize| {
            let mut document = document.clone();
            let comment = "x".repeat(LONGEST_COMMENT);
            document["notes"] = (1..=notes).map(|node| json!({"node": node, "comment": comment})).collect();
            load(&catalog, "t1".into(), document, Unknown::Refused)
        };
        assert!(with(fits).is_ok(), "{fits}");
        assert_eq!(with(fits + 2).expect_err("too long").place, "variations");
    }

    #[test]
    fn a_text_is_a_document_or_a_line_of_words() {
        for text in ["{", " [1", "1", "null", "zurero\u{1} : @c3", "\0"] {
            assert!(is_json(text), "{text:?}");
        }
        for text in ["zurero size=5\n: @c3\t", "zurero", ""] {
            assert!(!is_json(text), "{text:?}");
        }
    }
}
