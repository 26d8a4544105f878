//! Zurero in words and signs.

use tabuleiro_protocol::{Detail, Event, Happening, OptionSpec, Overlay, Piece, Seat};

use super::notation::line_name;
use super::stones::MAX;
use super::{Action, Edge, Refusal, Slide, Zurero};
use crate::game::{Describe, Drawing, Encode, Outcome};
use tabuleiro_protocol::Cell;

impl Describe for Zurero {
    const ID: &'static str = "zurero";
    const NAME: &'static str = "Zurero";
    const RULES: &'static str = include_str!("../../../../assets/rules/zurero.md");
    const LESSON: Option<&'static str> = Some(include_str!("../../../../assets/lessons/zurero.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../../../../assets/puzzles/zurero.json"));
    const SYMMETRIC: bool = true;

    type Refusal = Refusal;

    fn pieces() -> Vec<Piece> {
        vec![Piece::new("b", "a black stone"), Piece::new("w", "a white stone")]
    }

    fn options() -> Vec<OptionSpec> {
        let help = "How many rows and columns the board has.";
        vec![OptionSpec::integer("size", MAX as i64, 5, MAX as i64, help)]
    }

    fn phase(&self) -> &'static str {
        match self.outcome {
            Some(_) => "over",
            None if self.is_opening() => "opening",
            None => "play",
        }
    }

    fn prompt(&self) -> String {
        match (self.phase(), self.size % 2) {
            ("over", _) => "",
            ("opening", 0) => "Place the first stone on one of the four central cells.",
            ("opening", _) => "Place the first stone on the centre.",
            _ => "Slide a stone in from an edge, along a row or column with a stone to stop at.",
        }
        .into()
    }

    fn sides(&self) -> [Option<&'static str>; 2] {
        [Some("black"), Some("white")]
    }

    fn rows(&self) -> Vec<String> {
        let token = |cell| self.seat_on(cell).map_or(".", token);
        (0..self.size)
            .map(|row| {
                (0..self.size).map(|column| token(Cell::new(column, row))).collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    fn write(&self, action: Action) -> String {
        self.spelling(action)
    }

    fn read(&self, text: &str) -> Result<Action, Refusal> {
        self.legal_action(text)
    }

    fn detail(&self, action: Action) -> Detail {
        let edge = match action {
            Action::Place(_) => None,
            Action::Slide(edge, _) => Some(edge.name()),
        };
        let (kind, cells, text) = match action {
            Action::Place(cell) => ("place", vec![cell], format!("Place the first stone on {cell}.")),
            Action::Slide(edge, line) => {
                let slide = self.slide(edge, line);
                let mut cells = vec![self.cell_from(edge, line, 0), slide.stop];
                cells.extend(slide.pushed_to);
                cells.dedup();
                ("slide", cells, slide_text(edge, line, slide))
            }
        };
        Detail {
            action: self.spelling(action),
            kind: kind.into(),
            cells: spell(&cells),
            edge: edge.map(String::from),
            // The cell at a corner of the board is the first one of a row and of a column.
            label: edge.map(|edge| format!("From the {edge}")),
            drag: None,
            text,
        }
    }

    fn things(token: &str) -> String {
        if token == "b" { "Black stones".into() } else { "White stones".into() }
    }

    fn ending(&self, outcome: Outcome) -> String {
        match outcome.winner {
            Some(Seat::One) => "Black wins with five in a row.",
            Some(Seat::Two) => "White wins with five in a row.",
            None => "A draw: no stone can be slid in.",
        }
        .into()
    }

    fn overlays(&self) -> Vec<Overlay> {
        self.sights()
    }

    fn explain(&self, cells: &[Cell], edge: Option<&str>) -> String {
        self.why_not(cells, edge)
    }

    fn events(&self, action: Action, after: &Zurero) -> Vec<Event> {
        let mover = token(self.to_move);
        let mut events = Vec::new();
        match action {
            Action::Place(cell) => {
                let what = Happening::Placed { piece: mover.into(), cell: cell.to_string() };
                events.push(Event::new(what, [(cell, mover)]));
            }
            Action::Slide(edge, line) => {
                let Slide { stop, pushed_to } = self.slide(edge, line);
                if let (Some(to), Some(seat)) = (pushed_to, self.seat_on(stop)) {
                    let path = spell(&[stop, to]);
                    let what = Happening::Pushed { piece: token(seat).into(), path };
                    events.push(Event::new(what, [(stop, "."), (to, token(seat))]));
                }
                let path = self.path(edge, line, stop).map(|cell| cell.to_string()).collect();
                let what = Happening::Entered { piece: mover.into(), edge: edge.name().into(), path };
                events.push(Event::new(what, [(stop, mover)]));
            }
        }
        if let Some(seat) = after.outcome.and_then(|outcome| outcome.winner) {
            let lines = after.lines(seat, IN_A_ROW).into_iter();
            events.extend(lines.map(|cells| Happening::Line { seat, cells: spell(&cells) }.into()));
        }
        events
    }

    fn encoding(&self) -> Option<&dyn Encode<Action>> {
        Some(self)
    }

    fn render(&self, drawing: Drawing) -> String {
        self.text_board(drawing)
    }
}

impl Zurero {
    /// The cells from an edge to the one where a stone stops.
    fn path(&self, edge: Edge, line: u8, stop: Cell) -> impl Iterator<Item = Cell> {
        let mut arrived = false;
        (0..self.size).map(move |steps| self.cell_from(edge, line, steps)).take_while(move |&cell| {
            let goes_on = !arrived;
            arrived = cell == stop;
            goes_on
        })
    }

    /// A seat's unbroken lines of so many stones or more, each as long as it is.
    pub(super) fn lines(&self, seat: Seat, shortest: usize) -> Vec<Vec<Cell>> {
        let has = |cell: &Cell| self.stones[seat.index()].has(*cell);
        let mut lines = Vec::new();
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let next = |cell: &Cell| cell.offset(right, down, self.size, self.size).filter(has);
            let previous = |cell: &Cell| cell.offset(-right, -down, self.size, self.size).filter(has);
            for row in 0..self.size {
                for cell in (0..self.size).map(|column| Cell::new(column, row)).filter(has) {
                    if previous(&cell).is_none() {
                        let line: Vec<Cell> = std::iter::successors(Some(cell), next).collect();
                        if line.len() >= shortest {
                            lines.push(line);
                        }
                    }
                }
            }
        }
        lines
    }
}

/// So many of one colour win.
const IN_A_ROW: usize = 5;

/// What `rows` calls a stone.
fn token(seat: Seat) -> &'static str {
    match seat {
        Seat::One => "b",
        Seat::Two => "w",
    }
}

fn slide_text(edge: Edge, line: u8, Slide { stop, pushed_to }: Slide) -> String {
    let slide = format!("Slide a stone in from the {} along {}", edge.name(), line_name(edge, line));
    match pushed_to {
        Some(to) => format!("{slide}; it pushes the stone on {stop} to {to}."),
        None => format!("{slide}; it stops on {stop}."),
    }
}

pub(super) fn spell(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}
