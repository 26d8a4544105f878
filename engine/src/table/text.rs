//! A game as one line of text: its name, its options, its start where that is not the usual one, and
//! what was played, with variations in brackets.
//!
//! `fabrik goal=4 rules=official size=5 : w@b2 ( w@c3 ) w@d4 white @c3`

use std::collections::HashSet;
use std::iter::repeat_n;

use serde_json::{Map, Value, json};
use tabuleiro_protocol::shape::{self, Unknown};
use tabuleiro_protocol::{PerSeat, Seat, Start};

use super::record::Error;
use super::{LONGEST_GAME, Table, options_of};
use crate::catalog::{Catalog, GameKind, OpenError};
use crate::session::{History, NotPlayed, ROOT, Session};

/// What stands before the actions.
const COLON: &str = ":";
/// What stands around a variation. It is another way to go than the action before it.
const OPEN: &str = "(";
const CLOSE: &str = ")";

/// The line of a table's game: how it came to where it stands.
pub fn of_game(catalog: &Catalog, table: &Table) -> String {
    let mut words = game_head(catalog, table);
    let played = table.session().history().played();
    if !played.is_empty() {
        words.push(COLON.into());
        words.extend(played);
    }
    words.join(" ")
}

/// The same with everything that is in the tree but its notes.
pub fn of_tree(catalog: &Catalog, table: &Table) -> String {
    let mut words = game_head(catalog, table);
    let mut actions = Vec::new();
    let length = tree_words(table.session().history(), &mut actions);
    if table.ply() < length {
        words.push(format!("ply={}", table.ply()));
    }
    if !actions.is_empty() {
        words.push(COLON.into());
        words.append(&mut actions);
    }
    words.join(" ")
}

/// The game, its options, its start where it is not the usual one, and who has resigned.
fn game_head(catalog: &Catalog, table: &Table) -> Vec<String> {
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
    words
}

/// A step in telling a tree. What is told next is on top of a stack, for trees may be deep.
enum Telling {
    Word(&'static str),
    /// Another continuation than the next one, and what comes after it.
    Node(u32),
    /// What comes after a node.
    After(u32),
}

/// The actions of a tree with their variations; how long the line is that is not one.
fn tree_words(history: &History, words: &mut Vec<String>) -> usize {
    let is_in_line: HashSet<u32> = (0..).map_while(|ply| history.node_at(ply)).collect();
    let (mut length, mut depth) = (0, 0);
    let mut ahead = vec![Telling::After(ROOT)];
    while let Some(step) = ahead.pop() {
        match step {
            Telling::Word(word) => {
                depth = if word == OPEN { depth + 1 } else { depth - 1 };
                words.push(word.into());
            }
            Telling::Node(name) => {
                words.extend(history.describe(name).and_then(|node| node.action));
                ahead.push(Telling::After(name));
            }
            Telling::After(name) => {
                let children = history.describe(name).map(|node| node.children).unwrap_or_default();
                let next = children.iter().find(|child| is_in_line.contains(child)).or(children.first());
                let Some(&next) = next else { continue };
                words.extend(history.describe(next).and_then(|node| node.action));
                length += usize::from(depth == 0);
                ahead.push(Telling::After(next));
                for other in children.into_iter().rev().filter(|&child| child != next) {
                    ahead.extend([Telling::Word(CLOSE), Telling::Node(other), Telling::Word(OPEN)]);
                }
            }
        }
    }
    length
}

/// The line of the position in which a table stands, and the same as a start; `None` in the middle
/// of a turn, and where the game cannot be begun from it.
pub fn of_position(catalog: &Catalog, table: &Table) -> Option<(String, Start)> {
    let setup = table.session().setup();
    let start = table.position_as_start()?;
    let session = catalog.open(setup.game, Some(&options_of(table)), setup.seed, Some(start.clone())).ok()?;
    let (here, there) = (table.position().snapshot(), session.position().snapshot());
    let is_same = (here.rows, here.counters, here.phase) == (there.rows, there.counters, there.phase);
    is_same.then(|| ([head(table), start_words(&start)].concat().join(" "), start))
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
                Ok(empty) => tokens.extend(repeat_n(".".to_string(), empty)),
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
    Reader { stops: true, damage: Vec::new() }.table(catalog, id, text)
}

/// As much of it as can be read, and what is wrong with the rest. An error if there is no game at
/// all.
pub fn load_readable(catalog: &Catalog, id: String, text: &str) -> Result<(Table, Vec<Error>), Error> {
    let mut reader = Reader { stops: false, damage: Vec::new() };
    let table = reader.table(catalog, id, text)?;
    Ok((table, reader.damage))
}

/// The place of a word.
fn place(index: usize, word: &str) -> String {
    let shown: String = word.chars().take(40).collect();
    format!("word {} ({shown})", index + 1)
}

/// A word without the brackets that people write close to it. Those that belong to an action are
/// closed in it.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let inner = word.trim_start_matches(OPEN);
    let bare = inner.trim_end_matches(CLOSE);
    let count = |bracket| inner.matches(bracket).count();
    let closed = (inner.len() - bare.len()).min(count(CLOSE).saturating_sub(count(OPEN)));
    let action = &inner[..inner.len() - closed];
    repeat_n(OPEN, word.len() - inner.len())
        .chain((!action.is_empty()).then_some(action))
        .chain(repeat_n(CLOSE, closed))
}

/// What stands before the actions.
#[derive(Default)]
struct Head {
    options: Map<String, Value>,
    start: Map<String, Value>,
    resigned: Option<Seat>,
    ply: Option<usize>,
}

/// Reads a line, and either stops at what is wrong or passes over it.
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

    fn table(&mut self, catalog: &Catalog, id: String, text: &str) -> Result<Table, Error> {
        let mut words = text.split_whitespace().enumerate();
        let Some((_, game)) = words.next() else { return Err(Error::at("the text", "it is empty")) };
        let kind = catalog.game(&game.to_lowercase()).map_err(|error| {
            let known = error.known.join(", ");
            Error::at(place(0, game), format!("a game as text begins with its name, which is one of {known}"))
        })?;
        let Head { options, start, resigned, ply } = self.head(kind, &mut words)?;
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
        self.actions(&mut session, words)?;
        let length = session.history().ply();
        match ply {
            Some(ply) if ply > length => {
                self.wrong("ply", format!("it is {ply}, and there are only {length} actions"))?;
            }
            Some(ply) => session.undo(length - ply),
            None => {}
        }
        let mut table =
            Table::new(id, session, PerSeat::default()).map_err(|error| Error::at("the text", error))?;
        if let Some(Err(error)) = resigned.map(|seat| table.resign(seat)) {
            self.wrong("resigned", error)?;
        }
        Ok(table)
    }

    /// Reads up to the colon.
    fn head<'a>(
        &mut self,
        kind: GameKind,
        words: &mut impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<Head, Error> {
        let mut head = Head::default();
        for (index, word) in words.take_while(|(_, word)| *word != COLON) {
            let here = || place(index, word);
            let Some((name, value)) = word.split_once('=') else {
                self.wrong(here(), "before the actions, which follow a colon, stands name=value")?;
                continue;
            };
            let json =
                || serde_json::from_str::<Value>(value).unwrap_or_else(|_| Value::String(value.into()));
            match name.split_once('.') {
                None if name == "start" => {
                    let rows =
                        rows_of_word(value).ok_or_else(|| Error::at(here(), "a row has 26 cells at most"))?;
                    head.start.insert("rows".into(), json!(rows));
                }
                None if name == "resigned" => match value {
                    "1" => head.resigned = Some(Seat::One),
                    "2" => head.resigned = Some(Seat::Two),
                    _ => self.wrong(here(), "a seat is 1 or 2")?,
                },
                None if name == "ply" => match value.parse() {
                    Ok(ply) => head.ply = Some(ply),
                    Err(_) => self.wrong(here(), "it is the number of actions that have been played")?,
                },
                Some(("start", member)) => drop(head.start.insert(member.into(), json())),
                _ => {
                    let one = Map::from_iter([(name.to_string(), json())]);
                    kind.check_options(&one).map_err(|error| Error::at(here(), error))?;
                    head.options.extend(one);
                }
            }
        }
        Ok(head)
    }

    /// Plays the actions and the variations among them. The game stands at the end of its line then.
    fn actions<'a>(
        &mut self,
        session: &mut Session,
        words: impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<(), Error> {
        // Where each variation that is open leaves, with its word.
        let mut left: Vec<(u32, usize)> = Vec::new();
        // Whether nothing is read: how many brackets are open there, and whether it goes on as soon as
        // none is.
        let mut skipped: Option<(usize, bool)> = None;
        let mut is_begun = false;
        for (index, word) in words.flat_map(|(index, word)| pieces(word).map(move |piece| (index, piece))) {
            let here = || place(index, word);
            match (word, skipped) {
                (OPEN, Some((depth, goes_on))) => skipped = Some((depth + 1, goes_on)),
                (CLOSE, Some((1, true))) => skipped = None,
                (CLOSE, Some((depth, goes_on))) if depth > 0 => skipped = Some((depth - 1, goes_on)),
                (CLOSE, Some(_)) if left.is_empty() => {}
                (_, Some(_)) if word != CLOSE => {}
                (OPEN, None) => {
                    let node = session.history().describe(session.history().current());
                    let parent = node.as_ref().and_then(|node| node.parent);
                    match (node, parent.filter(|_| is_begun)) {
                        (Some(node), Some(parent)) => {
                            left.push((node.node, index));
                            session.pass_by(parent);
                            is_begun = false;
                        }
                        _ => {
                            self.wrong(here(), "a variation follows the action that it is another way than")?;
                            skipped = Some((1, true));
                        }
                    }
                }
                (CLOSE, _) => match left.pop() {
                    Some((node, _)) => {
                        session.pass_by(node);
                        (is_begun, skipped) = (true, None);
                    }
                    None => self.wrong(here(), "there is no variation to be ended here")?,
                },
                (action, _) => {
                    if let Err(error) = session.play_unseen(action) {
                        let reason = match error {
                            NotPlayed::Illegal(illegal) => illegal.reason,
                            other => other.to_string(),
                        };
                        self.wrong(here(), reason)?;
                        skipped = Some((0, false));
                    }
                    is_begun = true;
                }
            }
        }
        if let Some(&(node, index)) = left.first() {
            self.wrong(place(index, OPEN), "this variation is not ended")?;
            session.pass_by(node);
        }
        session.end_line();
        if session.history().record_bytes() > LONGEST_GAME {
            return Err(Error::at("the text", "the game and its variations are too long"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::record::Record;

    fn table(text: &str) -> Table {
        load(&Catalog::standard(), "t1".into(), text).expect(text)
    }

    #[test]
    fn a_position_as_a_start_keeps_the_sides() {
        for (side, light) in [("light", Seat::Two), ("dark", Seat::One)] {
            let session = Catalog::standard().open("syrtis", None, 1, None).expect("a game");
            let mut table = Table::new("t1".into(), session, PerSeat::default()).expect("a table");
            while !table.position().actions().iter().any(|action| action == side) {
                let action = table.position().actions().remove(0);
                table.session.play(&action).expect("a legal action");
            }
            for action in [side, "pass"] {
                table.session.play(action).expect("a legal action");
            }
            let start = table.position_as_start().expect("a turn begins");
            assert_eq!(start.light, Some(light), "{side}");
        }
    }

    #[test]
    fn a_tree_is_written_and_read_again() {
        let catalog = Catalog::standard();
        for text in [
            "zurero size=5",
            "zurero size=5 : @c3 w3 ( nc w3 ( w4 ) e4 ) ( sc ) nc",
            "zurero size=5 ply=1 : @c3 w3 ( nc ) e3",
            "zurero size=5 ply=2 : @c3 w3 ( nc ) e3",
            "zurero size=5 ply=0 : @c3",
            "fabrik goal=4 rules=official size=5 : w@b2 ( w@c3 w@d4 ( w@a1 ) ) w@d4 white @c3",
        ] {
            let table = table(text);
            assert_eq!(of_tree(&catalog, &table), text);
            let again = super::super::record::load(
                &catalog,
                "t1".into(),
                Record::of(&table).to_json(),
                Unknown::Ignored,
            );
            assert_eq!(of_tree(&catalog, &again.expect("a record")), text, "as a record");
        }
        let short = of_game(&catalog, &table("zurero size=5 ply=1 : @c3 w3 ( nc ) e3"));
        assert_eq!(short, "zurero size=5 : @c3");
    }

    #[test]
    fn brackets_may_stand_close_to_actions() {
        let close = table("zurero size=5 : @c3 w3 (nc w3 (w4) e4) (sc) nc");
        let apart = "zurero size=5 : @c3 w3 ( nc w3 ( w4 ) e4 ) ( sc ) nc";
        assert_eq!(of_tree(&Catalog::standard(), &close), apart);
        let parts = |word| pieces(word).collect::<Vec<&str>>();
        assert_eq!(parts("((a)b)"), ["(", "(", "a)b", ")"], "only at the ends");
        assert_eq!(parts("f(x)"), ["f(x)"], "an action with brackets of its own");
        assert_eq!(
            (parts("(f(x))"), parts("))"), parts("(")),
            (vec!["(", "f(x)", ")"], vec![")", ")"], vec!["("])
        );
    }

    #[test]
    fn what_is_wrong_is_named_and_the_rest_is_read() {
        let catalog = Catalog::standard();
        for (text, place, readable) in [
            ("zurero size=5 : @c3 w1 e3", "word 5 (w1)", "zurero size=5 : @c3"),
            ("zurero size=5 : @c3 w3 ( w1 e3 ) nc", "word 7 (w1)", "zurero size=5 : @c3 w3 nc"),
            ("zurero size=5 : @c3 w3 ( nc z9 ( e3 ) ) nc", "word 8 (z9)", "zurero size=5 : @c3 w3 ( nc ) nc"),
            ("zurero size=5 : @c3 w3 ( z9 ( e3 ) nc ) e3", "word 7 (z9)", "zurero size=5 : @c3 w3 e3"),
            ("zurero size=5 : @c3 z9 ( e3 ( nc ) w3 ) e3", "word 5 (z9)", "zurero size=5 : @c3"),
            ("zurero size=5 : @c3 z9 ) e3", "word 5 (z9)", "zurero size=5 : @c3"),
            ("zurero size=5 : @c3 w3 ( nc", "word 6 (()", "zurero size=5 : @c3 w3 ( nc )"),
            ("zurero size=5 : ( @c3 ) @c3", "word 4 (()", "zurero size=5 : @c3"),
            ("zurero size=5 : @c3 ) w3", "word 5 ())", "zurero size=5 : @c3 w3"),
            ("zurero size=5 ply=9 : @c3", "ply", "zurero size=5 : @c3"),
            ("zurero size=5 ply=x : @c3", "word 3 (ply=x)", "zurero size=5 : @c3"),
            ("zurero size=5 resigned=3 : @c3", "word 3 (resigned=3)", "zurero size=5 : @c3"),
            ("zurero size=5 hello : @c3", "word 3 (hello)", "zurero size=5 : @c3"),
        ] {
            let error = load(&catalog, String::new(), text).expect_err(text);
            assert_eq!(error.place, place, "{text}");
            let (table, damage) = load_readable(&catalog, String::new(), text).expect(text);
            assert_eq!(of_tree(&catalog, &table), readable, "{text}");
            let places: Vec<&str> = damage.iter().map(|error| &*error.place).collect();
            assert_eq!(places, [place], "{text}: what is behind it is not wrong as well");
        }
        for text in ["", "chess : e4", "zurero size=4", "zurero start=zz"] {
            assert!(load_readable(&catalog, String::new(), text).is_err(), "{text}: there is no game");
        }
    }

    #[test]
    fn a_ply_may_be_the_last_one() {
        assert_eq!(table("zurero size=5 ply=1 : @c3").ply(), 1);
    }

    #[test]
    fn empty_cells_are_counted_in_a_row() {
        let rows = ["b . . w .", ". . . . .", "b w b w b"].map(String::from);
        assert_eq!(rows_as_word(&rows), "b,2,w,1/5/b,w,b,w,b");
        assert_eq!(rows_of_word("b,2,w,1/5/b,w,b,w,b"), Some(rows.to_vec()));
        let with_numbers = ["1 . 2".to_string()];
        assert_eq!(rows_as_word(&with_numbers), "1,.,2", "where a token looks like a count");
        assert!(rows_of_word("26").is_some(), "as wide as a board can be");
        assert_eq!(rows_of_word("27"), None);
    }
}
