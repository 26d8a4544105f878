//! A second, plain and slow statement of Fabrik's rules.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value};
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Options, Outcome, Seat, Start};

use super::board::{ALL_EIGHT, Board, Cell, name};
use super::{Reference, Whim, choice, drawn, integer, won};

const TOKENS: [&str; 4] = [".", "b", "w", "*"];

#[derive(Clone)]
pub(crate) struct Fabrik {
    goal: usize,
    rules: String,
    board: Board,
    to_move: Seat,
    /// Without `over`.
    phase: &'static str,
    outcome: Option<Outcome>,
    every_action: Rc<BTreeMap<String, Action>>,
}

#[derive(Clone)]
pub(crate) enum Action {
    /// `w@d3`
    PutWorker(Cell),
    /// `black` or `white`
    GoesFirst(Seat),
    /// `d3-h7`
    MoveWorker(Cell, Cell),
    /// `@e5`
    Place(Cell),
}

fn colour(seat: Seat) -> &'static str {
    match seat {
        Seat::One => "b",
        Seat::Two => "w",
    }
}

/// The cells a worker sees.
fn seen_by(board: &Board, worker: Cell) -> BTreeSet<Cell> {
    let mut seen = BTreeSet::new();
    for direction in ALL_EIGHT {
        let mut next = board.next(worker, direction);
        while let Some(cell) = next.filter(|&cell| board.is_empty(cell)) {
            seen.insert(cell);
            next = board.next(cell, direction);
        }
    }
    seen
}

impl Fabrik {
    fn official(&self) -> bool {
        self.rules == "official"
    }

    /// Where a stone may be placed on this board.
    fn places(&self, board: &Board) -> BTreeSet<Cell> {
        let workers = board.cells_with(|token| token == "*");
        let one = seen_by(board, workers[0]);
        let other = seen_by(board, workers[1]);
        if self.official() { &one & &other } else { &one | &other }
    }

    fn no_stone_yet(&self) -> bool {
        self.board.cells_with(|token| token == "b" || token == "w").is_empty()
    }

    fn begin_turn(&mut self, seat: Seat) {
        self.to_move = seat;
        self.phase = "play";
        if self.official() {
            if !self.every_action.values().any(|action| self.allowed(action)) {
                self.outcome = won(!seat, "no_moves");
            }
        } else if self.places(&self.board).is_empty() {
            self.outcome = drawn("no_moves");
        }
    }
}

fn every_action(size: usize) -> BTreeMap<String, Action> {
    let mut all = BTreeMap::new();
    let cells = Board::empty(size, size).cells();
    for &cell in &cells {
        all.insert(format!("w@{}", name(cell)), Action::PutWorker(cell));
        all.insert(format!("@{}", name(cell)), Action::Place(cell));
        for &to in &cells {
            all.insert(format!("{}-{}", name(cell), name(to)), Action::MoveWorker(cell, to));
        }
    }
    all.insert("black".into(), Action::GoesFirst(Seat::One));
    all.insert("white".into(), Action::GoesFirst(Seat::Two));
    all
}

impl Reference for Fabrik {
    type Action = Action;

    const REASONS: &'static [&'static str] = &["line", "no_moves"];

    fn beginning(options: &Options, _: &mut Random) -> Start {
        let size = integer(options, "size", 11) as usize;
        Start { rows: Board::empty(size, size).rows(), ..Start::default() }
    }

    /// Two workers and any number of stones; one time in eight the set-up, half way.
    fn odd_position(options: &Options, random: &mut Random) -> Start {
        let size = integer(options, "size", 11) as usize;
        let mut board = Board::empty(size, size);
        let mut cells = board.cells();
        random.shuffle(&mut cells);
        board.put(cells[0], "*");
        let to_move = random.pick(&Seat::BOTH);
        if random.below(8) > 0 {
            board.put(cells[1], "*");
            let stones = random.below(size as u32 * size as u32 - 1) as usize;
            for &(column, row) in &cells[2..2 + stones] {
                // Colours in pairs, mostly: else a crowded board has always been won.
                let pattern = (column + 2 * row) % 4 < 2;
                let black = if random.below(100) < 80 { pattern } else { random.below(2) == 0 };
                board.put((column, row), if black { "b" } else { "w" });
            }
        }
        Start { rows: board.rows(), to_move, ..Start::default() }
    }

    fn set_up(options: &Options, start: &Start) -> Fabrik {
        let size = integer(options, "size", 11) as usize;
        let mut game = Fabrik {
            goal: integer(options, "goal", 5) as usize,
            rules: choice(options, "rules", "official"),
            board: Board::read(&start.rows, &TOKENS),
            to_move: Seat::One,
            phase: "workers",
            outcome: None,
            every_action: Rc::new(every_action(size)),
        };
        match game.board.cells_with(|token| token == "*").len() {
            0 => game.to_move = Seat::One,
            1 => game.to_move = Seat::Two,
            _ => {
                let seat = start.to_move.expect("a seat to move");
                game.begin_turn(seat);
                // A line was there before the turn: it ends the game first, and the other seat's
                // was the last to be made.
                for with_line in [seat, !seat] {
                    if game.board.has_line(colour(with_line), game.goal) {
                        game.outcome = won(with_line, "line");
                    }
                }
            }
        }
        game
    }

    fn to_move(&self) -> Option<Seat> {
        self.outcome.is_none().then_some(self.to_move)
    }

    fn phase(&self) -> &'static str {
        if self.outcome.is_some() { "over" } else { self.phase }
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
        match *action {
            Action::PutWorker(cell) => self.phase == "workers" && self.board.is_empty(cell),
            Action::GoesFirst(_) => self.phase == "choose",
            Action::Place(cell) => {
                (self.phase == "play" || self.phase == "place") && self.places(&self.board).contains(&cell)
            }
            Action::MoveWorker(from, to) => {
                if self.phase != "play" || self.board.at(from) != "*" || !self.board.is_empty(to) {
                    return false;
                }
                if self.official() && self.no_stone_yet() {
                    return false;
                }
                let mut after = self.board.clone();
                after.put(from, ".");
                after.put(to, "*");
                !self.places(&after).is_empty()
            }
        }
    }

    fn act(&mut self, action: &Action) {
        match *action {
            Action::PutWorker(cell) => {
                self.board.put(cell, "*");
                if self.to_move == Seat::One {
                    self.to_move = Seat::Two;
                } else if self.official() {
                    self.to_move = Seat::One;
                    self.phase = "choose";
                } else {
                    self.begin_turn(Seat::One);
                }
            }
            Action::GoesFirst(seat) => self.begin_turn(seat),
            Action::MoveWorker(from, to) => {
                self.board.put(from, ".");
                self.board.put(to, "*");
                self.phase = "place";
            }
            Action::Place(cell) => {
                let mover = self.to_move;
                self.board.put(cell, colour(mover));
                if self.board.has_line(colour(mover), self.goal) {
                    self.outcome = won(mover, "line");
                } else {
                    self.begin_turn(!mover);
                }
            }
        }
    }

    fn as_start(&self) -> Option<Start> {
        let start = Start { rows: self.rows(), to_move: Some(self.to_move), ..Start::default() };
        (self.phase == "workers" || self.phase == "play").then_some(start)
    }

    fn whims() -> Vec<Whim<Fabrik>> {
        // Chosen alike, nearly all actions are worker moves, and games on big boards take long.
        let place = |_: &Fabrik, text: &str| text.starts_with('@');
        vec![Whim::None, Whim::Likes(place)]
    }
}
