//! What happens on a board when an action is played.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Cell, Seat, Target};

/// One thing that happened on a board.
///
/// `what` is for the eye: who went where, along which cells. `set` is for the book: the tokens that
/// `rows` holds afterwards, for every cell whose token changed. Someone who applies `set` of every
/// event in turn has the rows of the new state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    #[serde(flatten)]
    pub what: Happening,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
}

impl Event {
    /// An event that changes these cells to these tokens.
    pub fn new<C: ToString, T: ToString>(what: Happening, set: impl IntoIterator<Item = (C, T)>) -> Event {
        let set = set.into_iter().map(|(cell, token)| (cell.to_string(), token.to_string())).collect();
        Event { what, set }
    }

    /// What it leaves to be seen.
    pub fn traces(&self) -> Vec<Trace> {
        let cell = |text: &str| text.parse::<Cell>().ok();
        let way = |from: Option<Target>, to: Option<Cell>| Some(Trace::Way(from?, Target::Cell(to?)));
        let along = |path: &[String]| {
            let from = path.first().and_then(|text| cell(text)).map(Target::Cell);
            way(from, path.last().and_then(|text| cell(text)))
        };
        let between = |from: &str, to: &str| way(cell(from).map(Target::Cell), cell(to));
        match &self.what {
            Happening::Entered { edge, path, .. } => {
                let first = path.first().and_then(|text| cell(text));
                let from = edge.parse().ok().zip(first).map(|(edge, first)| Target::Edge(edge, first));
                way(from, path.last().and_then(|text| cell(text))).into_iter().collect()
            }
            Happening::Pushed { path, .. }
            | Happening::Moved { path, .. }
            | Happening::Drifted { path, .. } => along(path).into_iter().collect(),
            Happening::Split { from, parts, .. } | Happening::Absorbed { from, parts, .. } => {
                parts.iter().filter_map(|part| between(from, &part.cell)).collect()
            }
            Happening::Merged { cell: to, parts, .. } => {
                parts.iter().filter_map(|part| between(&part.cell, to)).collect()
            }
            Happening::Swapped { cells: [one, other], .. } => {
                [between(one, other), between(other, one)].into_iter().flatten().collect()
            }
            _ => self.set.keys().filter_map(|text| cell(text)).map(Trace::Place).collect(),
        }
    }
}

/// What is left to be seen of something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    Way(Target, Target),
    Place(Cell),
}

/// An event that changes no cell.
impl From<Happening> for Event {
    fn from(what: Happening) -> Event {
        Event { what, set: BTreeMap::new() }
    }
}

/// A cell, and the piece or pile that is there afterwards. `count` says how many pieces came to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub cell: String,
    pub piece: String,
    pub count: u8,
}

/// The ways in which a board changes. Every `path` begins where the piece was and ends where it
/// comes to rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Happening {
    /// A piece was put on a cell from above.
    Placed { piece: String, cell: String },
    /// A piece came in over an edge (`north`, `east`, `south` or `west`) and slid along `path` to
    /// its last cell.
    Entered { piece: String, edge: String, path: Vec<String> },
    /// A piece was pushed by another one.
    Pushed { piece: String, path: Vec<String> },
    /// A piece went from cell to cell.
    Moved { piece: String, path: Vec<String> },
    /// A pile left its cell and its pieces went to others.
    Split { piece: String, from: String, parts: Vec<Part> },
    /// Piles came together on one cell. `piece` is the pile they made; `parts` are the piles as
    /// they were, the one on `cell` left out.
    Merged { piece: String, cell: String, parts: Vec<Part> },
    /// A pile was absorbed: its pieces turned over and joined the piles in `parts`.
    Absorbed { piece: String, from: String, parts: Vec<Part> },
    /// Two pieces changed places.
    Swapped { cells: [String; 2], pieces: [String; 2] },
    /// A piece sank and is gone.
    Sunk { piece: String, cell: String },
    /// A piece was taken off the board.
    Taken { piece: String, cell: String },
    /// What is on a cell became `piece`: it was turned over, or promoted.
    Turned { piece: String, cell: String },
    /// A piece floated along `path`, with all that stands on it.
    Drifted { piece: String, path: Vec<String> },
    /// Someone said something that has no place on the board: a side, who goes first, a pass.
    Said { seat: Seat, word: String, text: String },
    /// A seat has these cells in an unbroken line.
    Line { seat: Seat, cells: Vec<String> },
    /// A seat has all of a kind (`name`) together on these cells.
    Island { seat: Seat, name: String, cells: Vec<String> },
    /// It is this seat's turn now.
    Turn { seat: Seat },
    /// The game is over.
    Over { winner: Option<Seat>, reason: String },
    /// A kind that this version does not know. What it changed is in `set`.
    #[serde(other)]
    #[schemars(skip)]
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_of_an_unknown_kind_still_says_what_changed() {
        let line = r#"{"kind":"exploded","cell":"c3","set":{"c3":"."}}"#;
        let event: Event = serde_json::from_str(line).expect("an event");
        assert_eq!(event, Event::new(Happening::Other, [("c3", ".")]));
    }
}
