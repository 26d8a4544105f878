//! The game in words and signs.

use serde_json::{Map, Value};
use tabuleiro_protocol::{Detail, Event, Happening, OptionSpec, Overlay, Piece, Seat};

use super::{Action, Fabrik, LINE, Refusal, Rules, Spot, Stage, notation};
use crate::game::{Describe, Drawing, Encode, Game, Outcome, capitalized};
use tabuleiro_protocol::Cell;

const WORKER: &str = "*";

fn stone(seat: Seat) -> &'static str {
    match seat {
        Seat::One => "b",
        Seat::Two => "w",
    }
}

fn colour(seat: Seat) -> &'static str {
    match seat {
        Seat::One => "black",
        Seat::Two => "white",
    }
}

impl Describe for Fabrik {
    const ID: &'static str = "fabrik";
    const NAME: &'static str = "Fabrik";
    const RULES: &'static str = include_str!("../../../../assets/rules/fabrik.md");
    const LESSON: Option<&'static str> = Some(include_str!("../../../../assets/lessons/fabrik.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../../../../assets/puzzles/fabrik.json"));
    const SYMMETRIC: bool = true;

    type Refusal = Refusal;

    fn pieces() -> Vec<Piece> {
        vec![Piece::new("b", "a black stone"), Piece::new("w", "a white stone"), Piece::new("*", "a worker")]
    }

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::integer("size", 11, 5, 15, "Rows and columns of the board."),
            OptionSpec::integer("goal", 5, 3, 6, "How many stones in an unbroken line win."),
            OptionSpec::choice(
                "rules",
                &["official", "report"],
                "Official: a stone goes where both workers look, and if you cannot place one you lose. First version \
                 (report): one worker is enough, black begins, and a turn with nothing in sight is a draw.",
            ),
        ]
    }

    fn phase(&self) -> &'static str {
        match self.now.stage {
            Stage::FirstWorker | Stage::SecondWorker => "workers",
            Stage::Choice => "choose",
            Stage::FirstStone | Stage::Turn => "play",
            Stage::AfterMove => "place",
            Stage::Over(_) => "over",
        }
    }

    fn prompt(&self) -> String {
        let seen = match self.rules {
            Rules::Official => "both workers see",
            Rules::Report => "a worker sees",
        };
        match self.now.stage {
            Stage::FirstWorker => "Put a worker on any cell.".into(),
            Stage::SecondWorker => "Put the other worker on an empty cell.".into(),
            Stage::Choice => "Say who goes first: black or white.".into(),
            Stage::FirstStone => format!("Place the first stone on a cell {seen}."),
            Stage::Turn if self.placements().is_empty() => {
                "No cell is seen by both workers: move one of them first.".into()
            }
            Stage::Turn => format!("Place a stone on a cell {seen}, or move a worker first."),
            Stage::AfterMove => format!("Place a stone on a cell {seen}."),
            Stage::Over(_) => String::new(),
        }
    }

    fn sides(&self) -> [Option<&'static str>; 2] {
        Seat::BOTH.map(|seat| Some(colour(seat)))
    }

    fn rows(&self) -> Vec<String> {
        let size = usize::from(self.size);
        (0..size)
            .map(|row| {
                let tokens: Vec<&str> = (0..size).map(|column| self.token(Spot::new(column, row))).collect();
                tokens.join(" ")
            })
            .collect()
    }

    fn counters(&self) -> Map<String, Value> {
        Map::new()
    }

    fn write(&self, action: Action) -> String {
        notation::write(action)
    }

    fn read(&self, text: &str) -> Result<Action, Refusal> {
        self.read_action(text)
    }

    fn detail(&self, action: Action) -> Detail {
        let label = match action {
            Action::First(seat) => Some(format!("{} goes first", capitalized(colour(seat)))),
            _ => None,
        };
        let (kind, spots, text) = match action {
            Action::Worker(spot) => ("worker", vec![spot], format!("Put a worker on {}.", spot.cell())),
            Action::First(seat) => {
                ("first", vec![], format!("Say that {} goes first and places the first stone.", colour(seat)))
            }
            Action::Move(from, to) => {
                let text =
                    format!("Take the worker from {} to {}; then place a stone.", from.cell(), to.cell());
                ("move", vec![from, to], text)
            }
            Action::Stone(spot) => ("stone", vec![spot], self.stone_text(spot)),
        };
        Detail {
            action: notation::write(action),
            kind: kind.into(),
            cells: spots.into_iter().map(|spot| spot.cell().to_string()).collect(),
            edge: None,
            label,
            drag: None,
            text,
        }
    }

    fn things(token: &str) -> String {
        match token {
            WORKER => "Workers".into(),
            "b" => "Black stones".into(),
            _ => "White stones".into(),
        }
    }

    fn ending(&self, Outcome { winner, reason }: Outcome) -> String {
        match winner {
            None => "A draw: neither worker sees an empty cell.".into(),
            Some(winner) if reason == LINE => {
                format!(
                    "{} wins with {} in a row.",
                    capitalized(colour(winner)),
                    in_words(usize::from(self.goal))
                )
            }
            Some(winner) => {
                format!("{} wins: {} cannot place a stone.", capitalized(colour(winner)), colour(!winner))
            }
        }
    }

    fn overlays(&self) -> Vec<Overlay> {
        self.sights()
    }

    fn next_step(&self, _: &[Cell]) -> Option<String> {
        let in_turn = self.now.stage == Stage::Turn;
        in_turn.then(|| "The worker is in your hand: put it on an empty cell. A stone follows.".into())
    }

    fn explain(&self, cells: &[Cell], _edge: Option<&str>) -> String {
        self.why_not(cells)
    }

    fn events(&self, action: Action, after: &Fabrik) -> Vec<Event> {
        let seat = self.to_move();
        match action {
            Action::Worker(spot) => vec![placed(WORKER, spot)],
            Action::First(first) => {
                let word = colour(first).to_string();
                let text = format!("Seat {seat} says that {word} goes first.");
                vec![Happening::Said { seat, word, text }.into()]
            }
            Action::Move(from, to) => {
                let path = [from, to].map(|spot| spot.cell().to_string()).to_vec();
                let what = Happening::Moved { piece: WORKER.into(), path };
                vec![Event::new(what, [(from.cell(), "."), (to.cell(), WORKER)])]
            }
            Action::Stone(spot) => {
                let mut events = vec![placed(stone(seat), spot)];
                if after.outcome().is_some_and(|outcome| outcome.reason == LINE) {
                    for line in after.stones[seat.index()].runs_through(spot, self.goal) {
                        let cells = line.into_iter().map(|spot| spot.cell().to_string()).collect();
                        events.push(Happening::Line { seat, cells }.into());
                    }
                }
                events
            }
        }
    }

    fn encoding(&self) -> Option<&dyn Encode<Action>> {
        Some(self)
    }

    fn render(&self, drawing: Drawing) -> String {
        self.board_text(drawing)
    }
}

/// How many stones, as one says it.
fn in_words(stones: usize) -> String {
    match stones {
        3 => "three".into(),
        4 => "four".into(),
        5 => "five".into(),
        6 => "six".into(),
        more => more.to_string(),
    }
}

fn placed(piece: &str, spot: Spot) -> Event {
    let cell = spot.cell();
    Event::new(Happening::Placed { piece: piece.into(), cell: cell.to_string() }, [(cell, piece)])
}

impl Fabrik {
    /// What is on a cell, as `rows` has it.
    pub(super) fn token(&self, spot: Spot) -> &'static str {
        match Seat::BOTH.into_iter().find(|seat| self.stones[seat.index()].contains(spot)) {
            Some(seat) => stone(seat),
            None if self.blocked.contains(spot) => WORKER,
            None => ".",
        }
    }

    fn stone_text(&self, spot: Spot) -> String {
        let seat = self.to_move();
        let mut stones = self.stones[seat.index()];
        stones.insert(spot);
        let (colour, cell) = (colour(seat), spot.cell());
        match stones.runs_through(spot, self.goal).iter().map(Vec::len).max() {
            Some(length) => {
                format!("Place a {colour} stone on {cell}: {} in a row, which wins.", in_words(length))
            }
            None => format!("Place a {colour} stone on {cell}."),
        }
    }
}
