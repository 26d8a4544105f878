//! A line of play that might follow, as ghosts on the board: turn by turn, without anything being
//! played.

use tabuleiro_protocol::{Event, Happening, Trace};

use crate::board::{Cell, Tokens};

/// How long each turn of a line is shown before the next one joins it.
const TURN_SECONDS: f32 = 0.9;
/// How long the whole line is shown before it begins again.
const END_SECONDS: f32 = 2.0;

/// What every turn of a line of play does on the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    pub turns: Vec<LineTurn>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LineTurn {
    /// What goes where, and what comes or goes.
    pub traces: Vec<Trace>,
    /// The board after the turn.
    pub tokens: Tokens,
}

impl Line {
    /// From the board before it, and from what the engine says would happen.
    pub fn read(before: &Tokens, events: &[Event]) -> Line {
        let (mut turns, mut tokens, mut traces) = (Vec::new(), before.clone(), Vec::new());
        let mut is_begun = false;
        for event in events {
            if let Happening::Turn { .. } = event.what {
                turns.push(LineTurn { traces: std::mem::take(&mut traces), tokens: tokens.clone() });
                is_begun = false;
                continue;
            }
            is_begun = true;
            traces.extend(event.traces());
            for (cell, token) in &event.set {
                if let Ok(cell) = cell.parse::<Cell>() {
                    tokens.set(cell, token);
                }
            }
        }
        // The turn that ends a game is followed by none.
        if is_begun {
            turns.push(LineTurn { traces, tokens });
        }
        Line { turns }
    }
}

/// A line that is played as ghosts, over and over.
#[derive(Clone, Debug, PartialEq)]
pub struct GhostLine {
    pub line: Line,
    /// Since it began.
    pub seconds: f32,
}

impl GhostLine {
    pub fn new(line: Line) -> GhostLine {
        GhostLine { line, seconds: 0.0 }
    }

    /// Lets time pass. At the end it begins again.
    pub fn advance(&mut self, seconds: f32) {
        let whole = self.line.turns.len() as f32 * TURN_SECONDS + END_SECONDS;
        self.seconds = (self.seconds + seconds) % whole;
    }

    /// Shows all of it, for those who want nothing to move.
    pub fn show_all(&mut self) {
        self.seconds = self.line.turns.len() as f32 * TURN_SECONDS;
    }

    /// The turns that are to be seen by now: the first one at once.
    pub fn shown(&self) -> &[LineTurn] {
        let count = 1 + (self.seconds / TURN_SECONDS) as usize;
        &self.line.turns[..count.min(self.line.turns.len())]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::board::Target;

    #[test]
    fn a_line_is_its_turns_one_after_the_other() {
        let events = json!([
            {"kind": "placed", "piece": "b", "cell": "a1", "set": {"a1": "b"}},
            {"kind": "turn", "seat": 2},
            {"kind": "moved", "piece": "b", "path": ["a1", "b1"], "set": {"a1": ".", "b1": "b"}},
            {"kind": "over", "winner": 2, "reason": "line"},
        ]);
        let events: Vec<Event> = serde_json::from_value(events).expect("events");
        let line = Line::read(&Tokens::read(&[". .".to_string()]), &events);
        let (a1, b1): (Cell, Cell) = ("a1".parse().unwrap(), "b1".parse().unwrap());
        assert_eq!(line.turns.len(), 2);
        assert_eq!((line.turns[0].tokens.get(a1), line.turns[1].tokens.get(b1)), ("b", "b"));
        assert_eq!(line.turns[1].traces, [Trace::Way(Target::Cell(a1), Target::Cell(b1))]);

        let mut ghosts = GhostLine::new(line);
        assert_eq!(ghosts.shown().len(), 1);
        ghosts.advance(TURN_SECONDS * 1.5);
        assert_eq!(ghosts.shown().len(), 2);
        ghosts.advance(TURN_SECONDS + END_SECONDS);
        assert_eq!(ghosts.shown().len(), 1, "it begins again");
        ghosts.show_all();
        assert_eq!(ghosts.shown().len(), 2);
    }
}
