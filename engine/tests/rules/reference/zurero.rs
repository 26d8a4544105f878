//! A second, plain and slow statement of Zurero's rules.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value};
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Options, Outcome, Seat, Start};

use super::board::{Board, Cell, name};
use super::{Reference, Whim, drawn, integer, won};

const TOKENS: [&str; 3] = [".", "b", "w"];

#[derive(Clone)]
pub(crate) struct Zurero {
    size: usize,
    board: Board,
    to_move: Seat,
    outcome: Option<Outcome>,
    every_action: Rc<BTreeMap<String, Action>>,
}

#[derive(Clone)]
pub(crate) enum Action {
    /// `@j10`
    Put(Cell),
    /// `w10`: the cells of the line, seen from where the stone comes in.
    Slide(Vec<Cell>),
}

/// What a slide does.
struct Slide {
    stop: Cell,
    pushed: Option<(Cell, Cell)>,
}

fn colour(seat: Seat) -> &'static str {
    match seat {
        Seat::One => "b",
        Seat::Two => "w",
    }
}

impl Zurero {
    /// Rule 3.
    fn slide(&self, line: &[Cell]) -> Option<Slide> {
        // No stone on the line: illegal.
        let k = line.iter().position(|&cell| !self.board.is_empty(cell))?;
        match line.get(k + 1) {
            Some(&behind) if self.board.is_empty(behind) => {
                Some(Slide { stop: line[k], pushed: Some((line[k], behind)) })
            }
            _ if k == 0 => None,
            _ => Some(Slide { stop: line[k - 1], pushed: None }),
        }
    }

    /// Rules 4 and 5, after a turn of this seat's.
    fn end(&self, mover: Seat) -> Option<Outcome> {
        if self.board.has_line(colour(mover), 5) {
            won(mover, "five")
        } else if self.board.has_line(colour(!mover), 5) {
            won(!mover, "five")
        } else if !self.every_action.values().any(|action| self.allowed(action)) {
            drawn("no_moves")
        } else {
            None
        }
    }

    fn is_opening(&self) -> bool {
        self.board.cells().into_iter().all(|cell| self.board.is_empty(cell))
    }
}

/// The middle of the board in one direction: one line, or two on an even size.
fn middle(size: usize) -> Vec<usize> {
    if size % 2 == 1 { vec![size / 2] } else { vec![size / 2 - 1, size / 2] }
}

fn every_action(size: usize) -> BTreeMap<String, Action> {
    let mut all = BTreeMap::new();
    for cell in Board::empty(size, size).cells() {
        all.insert(format!("@{}", name(cell)), Action::Put(cell));
    }
    for number in 0..size {
        let letter = char::from(b'a' + number as u8);
        let eastward: Vec<Cell> = (0..size).map(|column| (column, number)).collect();
        let southward: Vec<Cell> = (0..size).map(|row| (number, row)).collect();
        let westward: Vec<Cell> = eastward.iter().rev().copied().collect();
        let northward: Vec<Cell> = southward.iter().rev().copied().collect();
        all.insert(format!("w{}", number + 1), Action::Slide(eastward));
        all.insert(format!("e{}", number + 1), Action::Slide(westward));
        all.insert(format!("n{letter}"), Action::Slide(southward));
        all.insert(format!("s{letter}"), Action::Slide(northward));
    }
    all
}

impl Reference for Zurero {
    type Action = Action;

    const REASONS: &'static [&'static str] = &["five", "no_moves"];

    fn beginning(options: &Options, _: &mut Random) -> Start {
        let size = integer(options, "size", 19) as usize;
        Start { rows: Board::empty(size, size).rows(), ..Start::default() }
    }

    /// Stones anywhere, from few to nearly all.
    fn odd_position(options: &Options, random: &mut Random) -> Start {
        let size = integer(options, "size", 19) as usize;
        let mut board = Board::empty(size, size);
        let percent = 15 + random.below(86);
        for cell in board.cells() {
            // Fewer of one colour in a line when the colours alternate in pairs: else a crowded
            // board has always been won.
            let pattern = (cell.0 + 2 * cell.1) % 4 < 2;
            let black = if random.below(100) < 70 { pattern } else { random.below(2) == 0 };
            if random.below(100) < percent {
                board.put(cell, if black { "b" } else { "w" });
            }
        }
        let to_move = random.pick(&Seat::BOTH);
        Start { rows: board.rows(), to_move, ..Start::default() }
    }

    fn set_up(options: &Options, start: &Start) -> Zurero {
        let size = integer(options, "size", 19) as usize;
        let board = Board::read(&start.rows, &TOKENS);
        let mut game = Zurero {
            size,
            board,
            to_move: Seat::One,
            outcome: None,
            every_action: Rc::new(every_action(size)),
        };
        if !game.is_opening() {
            game.to_move = start.to_move.expect("a seat to move");
            game.outcome = game.end(!game.to_move);
        }
        game
    }

    fn to_move(&self) -> Option<Seat> {
        self.outcome.is_none().then_some(self.to_move)
    }

    fn phase(&self) -> &'static str {
        if self.outcome.is_some() {
            "over"
        } else if self.is_opening() {
            "opening"
        } else {
            "play"
        }
    }

    fn sides(&self) -> [Option<&'static str>; 2] {
        [Some("black"), Some("white")]
    }

    fn rows(&self) -> Vec<String> {
        self.board.rows()
    }

    fn counters(&self) -> Map<String, Value> {
        Map::new()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn every_action(&self) -> &BTreeMap<String, Action> {
        &self.every_action
    }

    fn allowed(&self, action: &Action) -> bool {
        match action {
            Action::Put((column, row)) => {
                let middle = middle(self.size);
                middle.contains(column) && middle.contains(row) && self.is_opening()
            }
            Action::Slide(line) => self.slide(line).is_some(),
        }
    }

    fn act(&mut self, action: &Action) {
        let stone = colour(self.to_move);
        match action {
            Action::Put(cell) => self.board.put(*cell, stone),
            Action::Slide(line) => {
                let slide = self.slide(line).expect("a legal slide");
                if let Some((from, to)) = slide.pushed {
                    self.board.put(to, self.board.at(from));
                }
                self.board.put(slide.stop, stone);
            }
        }
        self.outcome = self.end(self.to_move);
        self.to_move = !self.to_move;
    }

    fn as_start(&self) -> Option<Start> {
        Some(Start { rows: self.rows(), to_move: Some(self.to_move), ..Start::default() })
    }

    fn whims() -> Vec<Whim<Zurero>> {
        // Slides that keep to the first lines and columns fill the edge and leave the middle alone.
        let low = |_: &Zurero, text: &str| text.starts_with('n') || text.starts_with('w');
        vec![Whim::None, Whim::Likes(low)]
    }
}
