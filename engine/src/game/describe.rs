//! A game in words and signs, for everybody who looks at it.

use std::fmt::Display;

use serde_json::{Map, Value};
use tabuleiro_protocol::{
    Cell, Detail, Event, Fact, OptionSpec, Overlay, Piece, Start, StartMember, TokenLook,
};

use super::{Encode, Game, GameOptions, Outcome, ShippedBook};
use crate::random::Random;

/// A game in words and signs.
pub trait Describe: Game {
    const ID: &'static str;
    const NAME: &'static str;
    /// The rules for people, in Markdown.
    const RULES: &'static str;
    /// A lesson for people who do not know the game yet: see docs/write-a-lesson.md.
    const LESSON: Option<&'static str> = None;
    /// A file of puzzles: see docs/puzzles.md.
    const PUZZLES: Option<&'static str> = None;

    /// Whether the game is played alike on a board that is turned or mirrored.
    const SYMMETRIC: bool = false;

    /// Why an action is not legal, in a sentence for people.
    type Refusal: Display;

    fn options() -> Vec<OptionSpec>;

    /// A position with few turns, drawn by lot, of a game whose usual positions have too many for
    /// proofs.
    fn endgame(_options: &GameOptions, _random: &mut Random) -> Option<Start> {
        None
    }

    /// What to play in its first turns, with the options that it is played with: see docs/books.md.
    fn book(&self) -> Option<&'static ShippedBook> {
        None
    }

    /// One line about the game for someone who does not know it, where a client has none of its
    /// own.
    fn pitch() -> Option<&'static str> {
        None
    }

    /// What the tokens of [`Describe::rows`] look like, for a window that has no pieces for this
    /// game.
    fn look() -> Vec<TokenLook> {
        Vec::new()
    }

    /// What they look like on a page, where no window draws them: the same, unless a game is told
    /// apart better.
    fn drawn() -> Vec<TokenLook> {
        Self::look()
    }

    /// What a cell of a position may hold, in words, for whoever sets one up; the token `.` is an
    /// empty cell and not among it. A game that says nothing is looked at: what comes up in random
    /// games is what there is.
    fn pieces() -> Vec<Piece> {
        Vec::new()
    }

    /// What a position given from outside has besides its rows.
    fn start_members() -> Vec<StartMember> {
        vec![StartMember::to_move()]
    }

    /// The part of the turn or the game, in one of the protocol's words.
    fn phase(&self) -> &'static str {
        if self.outcome().is_some() { "over" } else { "play" }
    }

    /// What the seat to move is expected to do now, in one sentence. Once the game is over:
    /// nothing.
    fn prompt(&self) -> String;

    /// What each seat plays, where it has been settled.
    fn sides(&self) -> [Option<&'static str>; 2] {
        [None, None]
    }

    /// The board, one string a row.
    fn rows(&self) -> Vec<String>;

    /// What counts beside the board.
    fn counters(&self) -> Map<String, Value> {
        Map::new()
    }

    /// The one spelling of an action.
    fn write(&self, action: Self::Action) -> String;

    /// The legal action that is spelt so, or why there is none. Upper and lower case are one.
    fn read(&self, text: &str) -> Result<Self::Action, Self::Refusal>;

    fn detail(&self, action: Self::Action) -> Detail;

    /// How a game ended that has come to this position with this outcome, in one sentence for
    /// people.
    fn ending(&self, outcome: Outcome) -> String;

    /// What pieces with this token of `rows` are called, before a list of their cells: "Black stones".
    fn things(token: &str) -> String {
        token.into()
    }

    /// What counts beside the board, in words, where the names of [`Describe::counters`] do not say
    /// enough.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// What helps people to read the board.
    fn overlays(&self) -> Vec<Overlay> {
        Vec::new()
    }

    /// What could happen on the board within a turn. To find that out may take a while, so only who
    /// asks for it is told.
    fn reach(&self) -> Vec<Overlay> {
        Vec::new()
    }

    /// What is to be pointed at next, in one sentence, when these cells, at least one, were pointed at
    /// and a legal action begins so.
    fn next_step(&self, _cells: &[Cell]) -> Option<String> {
        None
    }

    /// Why no legal action begins by pointing at these cells of the board, at least one, in the
    /// order of a [`Detail`]'s; in the style of a refusal. `edge` is where something would come in
    /// at the first of them. Only asked when none does and the game goes on.
    fn explain(&self, cells: &[Cell], _edge: Option<&str>) -> String {
        let cells: Vec<String> = cells.iter().map(Cell::to_string).collect();
        format!("nothing can be done with {} now", cells.join(" and "))
    }

    /// What is to be said about an action as people would write it: why it is not legal, or else
    /// that more was pointed at than it takes.
    fn comment(&self, text: &str) -> String {
        match self.read(text) {
            Ok(_) => "that is a whole action: there is nothing more to point at".into(),
            Err(refusal) => refusal.to_string(),
        }
    }

    /// What happens on the board when a legal action is played here, which leads to `after`. Turns
    /// that pass on and the end of the game are added by others.
    fn events(&self, action: Self::Action, after: &Self) -> Vec<Event>;

    /// Its actions and its board as numbers, for programs that learn it. A game may do without.
    fn encoding(&self) -> Option<&dyn Encode<Self::Action>> {
        None
    }

    /// The board for people, in plain text, with a legend where signs need one. The last line says
    /// who is to move or has won, and nothing else.
    fn render(&self, drawing: Drawing) -> String {
        plain_board(self, drawing)
    }
}

/// How [`Describe::render`] draws a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    pub charset: Charset,
    /// As it is seen from the side of row 1: the last row on top, the last column on the left.
    pub turned: bool,
}

/// The signs that a drawing may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    Ascii,
    Unicode,
}

impl Drawing {
    /// So many rows or columns, in the order in which they are drawn.
    pub fn order(self, count: u8) -> impl Iterator<Item = u8> {
        (0..count).map(move |index| if self.turned { count - 1 - index } else { index })
    }
}

impl From<Charset> for Drawing {
    fn from(charset: Charset) -> Drawing {
        Drawing { charset, turned: false }
    }
}

/// The rows with letters above and numbers beside them, and whose turn it is.
fn plain_board<G: Describe>(game: &G, drawing: Drawing) -> String {
    let rows = game.rows();
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.split(' ').collect()).collect();
    let width = cells.iter().flatten().map(|cell| cell.len()).max().unwrap_or(1);
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0) as u8;
    let letters: String =
        drawing.order(columns).map(|column| format!(" {:<width$}", Cell::new(column, 0).letter())).collect();
    let mut board = format!("  {}\n", letters.trim_end());
    for row in drawing.order(cells.len() as u8) {
        let sign = |column: u8| cells[usize::from(row)].get(usize::from(column)).copied().unwrap_or_default();
        let signs: String =
            drawing.order(columns).map(|column| format!(" {:<width$}", sign(column))).collect();
        board.push_str(&format!("{:2}{}\n", row + 1, signs.trim_end()));
    }
    let state = match (game.outcome(), game.sides()[game.to_move().index()]) {
        (Some(outcome), _) => game.ending(outcome),
        (None, Some(side)) => format!("{} is to move.", capitalized(side)),
        (None, None) => format!("Seat {} is to move.", game.to_move()),
    };
    format!("{board}\n{state}\n")
}

/// A text with a capital at its beginning.
pub(crate) fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}
