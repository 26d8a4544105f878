//! Opening books: what to play in positions that were searched long before. docs/books.md says what
//! their files are like.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A book, in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    pub head: BookHead,
    /// By the words for a position: see [`crate::book`].
    pub positions: BTreeMap<String, Vec<BookTurn>>,
}

/// What a book is for and where it comes from: the first line of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookHead {
    pub format: String,
    pub version: u32,
    pub game: String,
    /// All options of the game.
    pub options: Map<String, Value>,
    /// The engine that made it.
    pub engine: String,
    pub seed: u64,
    /// How many games it was made of.
    pub games: u64,
    /// How many nodes every position was searched with, and for how many turns at once.
    pub nodes: u64,
    pub lines: usize,
    /// In how many turns of a game positions were added.
    pub turns: usize,
    /// How many nodes every later turn had.
    pub play_nodes: u64,
    /// A turn is played if it is worth no less than the best by so many thousandths.
    pub margin: i32,
}

impl BookHead {
    pub const FORMAT: &'static str = "tabuleiro-book";
    pub const VERSION: u32 = 1;
}

/// A turn that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookTurn {
    /// Its actions, as the cells that they are about.
    pub turn: Vec<String>,
    /// How likely the seat to move wins by it, in thousandths: by the search, or by what the search
    /// has found further on.
    pub win: i32,
    /// In how many games it was played, and how many half points it brought.
    #[serde(default)]
    pub games: u32,
    #[serde(default)]
    pub half_points: u32,
}

/// A line of the file behind the first one.
#[derive(Serialize, Deserialize)]
struct Line {
    at: String,
    turns: Vec<BookTurn>,
}

/// Why a text is no book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct NoBook {
    line: usize,
    reason: String,
}

impl Book {
    pub fn new(head: BookHead) -> Book {
        Book { head, positions: BTreeMap::new() }
    }

    /// The book that a text is.
    pub fn read(text: &str) -> Result<Book, NoBook> {
        let no_book = |line: usize, reason: String| NoBook { line: line + 1, reason };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (place, first) = lines.next().ok_or_else(|| no_book(0, "there is nothing".into()))?;
        let head: BookHead =
            serde_json::from_str(first).map_err(|error| no_book(place, error.to_string()))?;
        if (head.format.as_str(), head.version) != (BookHead::FORMAT, BookHead::VERSION) {
            let wanted = format!("format must be {:?}, version {}", BookHead::FORMAT, BookHead::VERSION);
            return Err(no_book(place, wanted));
        }
        let mut book = Book::new(head);
        for (place, line) in lines {
            let Line { at, turns } =
                serde_json::from_str(line).map_err(|error| no_book(place, error.to_string()))?;
            book.positions.insert(at, turns);
        }
        Ok(book)
    }

    /// As the text of a file: the head, and a line for every position.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string(&self.head).unwrap_or_default();
        text.push('\n');
        for (at, turns) in &self.positions {
            let line = Line { at: at.clone(), turns: turns.clone() };
            text.push_str(&serde_json::to_string(&line).unwrap_or_default());
            text.push('\n');
        }
        text
    }

    /// The turns of a position that are good enough to be played, the best first.
    pub fn playable(&self, at: &str) -> Vec<&BookTurn> {
        self.within(at, self.head.margin)
    }

    /// The turns of a position that are worth no less than the best by so many thousandths, the
    /// best first.
    pub fn within(&self, at: &str, margin: i32) -> Vec<&BookTurn> {
        let mut turns: Vec<&BookTurn> = self.positions.get(at).into_iter().flatten().collect();
        turns.sort_by_key(|turn| -turn.win);
        let best = turns.first().map_or(0, |turn| turn.win);
        turns.retain(|turn| turn.win >= best - margin);
        turns
    }
}

/// A book that a game is built with, read when it is first asked for.
#[derive(Debug)]
pub struct ShippedBook {
    text: &'static str,
    read: OnceLock<Book>,
}

impl ShippedBook {
    pub const fn new(text: &'static str) -> ShippedBook {
        ShippedBook { text, read: OnceLock::new() }
    }

    pub fn get(&self) -> &Book {
        self.read.get_or_init(|| Book::read(self.text).expect("the book that a game is built with"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> BookHead {
        BookHead {
            format: BookHead::FORMAT.into(),
            version: BookHead::VERSION,
            game: "zurero".into(),
            options: Map::new(),
            engine: "0.1.0".into(),
            seed: 1,
            games: 2,
            nodes: 100,
            lines: 3,
            turns: 4,
            play_nodes: 10,
            margin: 10,
        }
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
        let turn = |cells: &str, win| BookTurn { turn: vec![cells.into()], win, games: 1, half_points: 2 };
        let mut book = Book::new(head());
        book.positions.insert("1 play 5/5".into(), vec![turn("a1", 480), turn("b1", 495), turn("c1", 500)]);
        let again = Book::read(&book.write()).expect("a book");
        assert_eq!(again, book);
        let cells = |turns: Vec<&BookTurn>| -> Vec<String> {
            turns.into_iter().map(|turn| turn.turn[0].clone()).collect()
        };
        assert_eq!(cells(again.playable("1 play 5/5")), ["c1", "b1"]);
        assert_eq!(cells(again.within("1 play 5/5", 20)), ["c1", "b1", "a1"]);
        assert!(again.playable("elsewhere").is_empty());
    }

    #[test]
    fn what_is_no_book_is_refused_with_its_line() {
        let text = Book::new(head()).write();
        for (text, reason) in [
            (String::new(), "line 1: there is nothing"),
            ("{}".into(), "line 1: missing field `format`"),
            (text.replace("tabuleiro-book", "cookery-book"), "line 1: format must be \"tabuleiro-book\""),
            (format!("{text}\n\n[]"), "line 4: "),
        ] {
            let refused = Book::read(&text).expect_err("no book").to_string();
            assert!(refused.starts_with(reason), "{refused}");
        }
    }
}
