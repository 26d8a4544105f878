//! Actions of Zurero as text, and why a text is none.

use super::edge::Entry as _;
use super::{Action, Edge, Zurero};
use crate::game::Game;
use tabuleiro_protocol::Cell;

/// Why a text is not a legal action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the game is over")]
    Over,
    #[error("the first stone goes on the centre: write {choices}")]
    NoOpening { choices: String },
    #[error("there is no stone to slide against yet: the first one goes on the centre, {choices}")]
    NothingToSlideAgainst { choices: String },
    #[error("{cell} is not in the centre, where the first stone goes: write {choices}")]
    NotCentral { cell: Cell, choices: String },
    #[error("only the first stone of the game is placed: slide one in from an edge, such as {example}")]
    PlacedTooLate { example: String },
    #[error(
        "an action is an edge and a line: w or e and a row's number, n or s and a column's letter, such as {example}"
    )]
    NoAction { example: String },
    #[error("write it as {spelling}")]
    Spelling { spelling: String },
    #[error("from the {} stones enter rows: write {} and a number from 1 to {size}", edge.name(), edge.letter())]
    EntersRows { edge: Edge, size: u8 },
    #[error("from the {} stones enter columns: write {} and a letter from a to {last}", edge.name(), edge.letter())]
    EntersColumns { edge: Edge, last: char },
    #[error("there is no such row: they go from 1 to {size}")]
    NoSuchRow { size: u8 },
    #[error("there is no column {letter}: they go from a to {last}")]
    NoSuchColumn { letter: char, last: char },
    #[error("{line} is empty: a stone needs another one to stop at")]
    EmptyLine { line: String },
    #[error("{line} has no room in the {}: {entry} is taken, and so is {behind}, where its stone would have to go", edge.name())]
    NoRoom { line: String, edge: Edge, entry: Cell, behind: Cell },
}

impl Zurero {
    pub(super) fn spelling(&self, action: Action) -> String {
        match action {
            Action::Place(cell) => format!("@{cell}"),
            Action::Slide(edge, line) => format!("{}{}", edge.letter(), line_label(edge, line)),
        }
    }

    pub(super) fn legal_action(&self, text: &str) -> Result<Action, Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::Over);
        }
        let text = text.to_ascii_lowercase();
        let tidied = tidy(&text);
        let action = if self.is_opening() { self.opening(&tidied) } else { self.entry(&tidied) }?;
        let spelling = self.spelling(action);
        if spelling == text { Ok(action) } else { Err(Refusal::Spelling { spelling }) }
    }

    /// The slide that a text spells, legal or not.
    pub(super) fn spelt_slide(&self, text: &str) -> Option<Action> {
        let (edge, line) = read_slide(text)?;
        self.line(edge, line).ok().map(|line| Action::Slide(edge, line))
    }

    fn opening(&self, text: &str) -> Result<Action, Refusal> {
        let (has_sign, cell) = match text.strip_prefix('@') {
            Some(cell) => (true, cell.parse::<Cell>().ok()),
            None => (false, text.parse::<Cell>().ok()),
        };
        if let Some(cell) = cell.filter(|cell| self.central_cells().any(|central| central == *cell)) {
            return Ok(Action::Place(cell));
        }
        let choices: Vec<String> =
            self.central_cells().map(|cell| self.spelling(Action::Place(cell))).collect();
        let choices = choices.join(" or ");
        if !has_sign && read_slide(text).is_some() {
            return Err(Refusal::NothingToSlideAgainst { choices });
        }
        match cell {
            Some(cell) if cell.column < self.size && cell.row < self.size => {
                Err(Refusal::NotCentral { cell, choices })
            }
            _ => Err(Refusal::NoOpening { choices }),
        }
    }

    fn entry(&self, text: &str) -> Result<Action, Refusal> {
        let Some((edge, line)) = read_slide(text) else {
            let mut actions = Vec::new();
            self.actions(&mut actions);
            let example = actions.first().map(|&action| self.spelling(action)).unwrap_or_default();
            return Err(match text.starts_with('@') {
                true => Refusal::PlacedTooLate { example },
                false => Refusal::NoAction { example },
            });
        };
        let line = self.line(edge, line)?;
        if self.may_enter(edge, line) {
            return Ok(Action::Slide(edge, line));
        }
        let name = line_name(edge, line);
        if self.taken(edge.along_row(), line) == 0 {
            return Err(Refusal::EmptyLine { line: name });
        }
        Err(Refusal::NoRoom {
            line: name,
            edge,
            entry: self.cell_from(edge, line, 0),
            behind: self.cell_from(edge, line, 1),
        })
    }

    /// The row or column that stones may enter from an edge.
    fn line(&self, edge: Edge, line: Line) -> Result<u8, Refusal> {
        let size = self.size;
        let last = (b'a' + size - 1) as char;
        match line {
            Line::Row(_) if !edge.along_row() => Err(Refusal::EntersColumns { edge, last }),
            Line::Column(_) if edge.along_row() => Err(Refusal::EntersRows { edge, size }),
            Line::Row(number) => number
                .filter(|number| (1..=size).contains(number))
                .map(|number| number - 1)
                .ok_or(Refusal::NoSuchRow { size }),
            Line::Column(letter) if letter > last => Err(Refusal::NoSuchColumn { letter, last }),
            Line::Column(letter) => Ok(letter as u8 - b'a'),
        }
    }

    /// The cell so many steps from an edge, along a row or column.
    pub(super) fn cell_from(&self, edge: Edge, line: u8, steps: u8) -> Cell {
        let index = if edge.backwards() { self.size - 1 - steps } else { steps };
        if edge.along_row() { Cell::new(index, line) } else { Cell::new(line, index) }
    }
}

/// A row or a column as somebody wrote it.
enum Line {
    /// `None` is a number beyond all boards.
    Row(Option<u8>),
    Column(char),
}

fn read_slide(text: &str) -> Option<(Edge, Line)> {
    let mut characters = text.chars();
    let letter = characters.next()?;
    let edge = Edge::ALL.into_iter().find(|edge| edge.letter() == letter)?;
    let line = match characters.as_str().as_bytes() {
        [] => return None,
        [letter] if letter.is_ascii_lowercase() => Line::Column(*letter as char),
        digits if digits.iter().all(u8::is_ascii_digit) => Line::Row(characters.as_str().parse().ok()),
        _ => return None,
    };
    Some((edge, line))
}

/// A text without what people may put in it though it does not belong there: spaces, and noughts
/// before numbers.
fn tidy(text: &str) -> String {
    let text: String = text.split_whitespace().collect();
    match text.find(|character: char| character.is_ascii_digit()) {
        None => text,
        Some(digits) => {
            let (before, number) = text.split_at(digits);
            match number.trim_start_matches('0') {
                "" => text,
                number => format!("{before}{number}"),
            }
        }
    }
}

/// How a line is called: `10` or `j`.
fn line_label(edge: Edge, line: u8) -> String {
    if edge.along_row() { (line + 1).to_string() } else { ((b'a' + line) as char).to_string() }
}

/// How a line is called in a sentence: `row 10` or `column j`.
pub(super) fn line_name(edge: Edge, line: u8) -> String {
    let kind = if edge.along_row() { "row" } else { "column" };
    format!("{kind} {}", line_label(edge, line))
}
