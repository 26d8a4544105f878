//! Actions as text, and why a text is none.

use tabuleiro_protocol::Seat;

use super::{Action, Fabrik, Rules, Spot, Stage};
use tabuleiro_protocol::Cell;

/// Why an action is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the game is over")]
    Over,
    #[error("the workers come first: put one on an empty cell, such as w@d3")]
    WorkersFirst,
    #[error("before anything else black says who goes first: black or white")]
    ChoiceFirst,
    #[error(
        "both workers are on the board: place a stone, such as @e5, or take a worker elsewhere, such as d3-h7"
    )]
    WorkersAreThere,
    #[error("who goes first is settled already")]
    ChoiceIsMade,
    #[error("under these rules black always goes first, and nobody says so")]
    NoChoice,
    #[error("the very first stone is placed without a worker move: place it, such as @e5")]
    FirstStoneWithoutMove,
    #[error("a worker was moved in this turn already: now place a stone, such as @e5")]
    MovedAlready,
    #[error("there is no cell {cell} here: the board goes from a1 to {last}")]
    OffBoard { cell: Cell, last: Cell },
    #[error("{cell} is taken by {by}")]
    Taken { cell: Cell, by: &'static str },
    #[error("there is no worker on {cell}: they are on {} and {}", .workers[0], .workers[1])]
    NoWorker { cell: Cell, workers: [Cell; 2] },
    #[error("the worker is on {0} already: it goes to another cell, or stays and you place a stone")]
    GoesNowhere(Cell),
    #[error("after {from}-{to} no stone could be placed: there would be no empty cell that both workers see")]
    NothingInCommon { from: Cell, to: Cell },
    #[error("after {from}-{to} no stone could be placed: neither worker would see an empty cell")]
    NothingSeen { from: Cell, to: Cell },
    #[error("{cell} must be seen by both workers: the one on {worker} does not see it")]
    UnseenByOne { cell: Cell, worker: Cell },
    #[error("{0} must be seen by both workers, and neither sees it")]
    UnseenByBoth(Cell),
    #[error("{0} must be seen by at least one worker, and neither sees it")]
    UnseenByAny(Cell),
    #[error("write {0}")]
    Spelling(String),
    #[error("put a worker on an empty cell, such as w@d3")]
    NotAWorker,
    #[error("say who goes first: black or white")]
    NotAChoice,
    #[error("place a stone, such as @e5, or first take a worker elsewhere, such as d3-h7")]
    NotATurn,
    #[error("place a stone, such as @e5")]
    NotAStone,
}

/// An action as it is written, on no board in particular.
#[derive(Clone, Copy)]
enum Written {
    Worker(Cell),
    First(Seat),
    Move(Cell, Cell),
    Stone(Cell),
}

impl Written {
    /// Lower case only.
    fn parse(text: &str) -> Option<Written> {
        match text {
            "black" => return Some(Written::First(Seat::One)),
            "white" => return Some(Written::First(Seat::Two)),
            _ => {}
        }
        if let Some(cell) = text.strip_prefix("w@") {
            cell.parse::<Cell>().ok().map(Written::Worker)
        } else if let Some(cell) = text.strip_prefix('@') {
            cell.parse::<Cell>().ok().map(Written::Stone)
        } else {
            let (from, to) = text.split_once('-')?;
            Some(Written::Move(from.parse::<Cell>().ok()?, to.parse::<Cell>().ok()?))
        }
    }
}

pub(super) fn write(action: Action) -> String {
    match action {
        Action::Worker(spot) => format!("w@{}", spot.cell()),
        Action::First(Seat::One) => "black".into(),
        Action::First(Seat::Two) => "white".into(),
        Action::Move(from, to) => format!("{}-{}", from.cell(), to.cell()),
        Action::Stone(spot) => format!("@{}", spot.cell()),
    }
}

/// The action that a text spells on a board of this size, legal or not.
pub(super) fn spelt(text: &str, size: u8) -> Option<Action> {
    let spot = |cell| Spot::on_board(cell, size);
    Some(match Written::parse(text)? {
        Written::Worker(cell) => Action::Worker(spot(cell)?),
        Written::First(seat) => Action::First(seat),
        Written::Move(from, to) => Action::Move(spot(from)?, spot(to)?),
        Written::Stone(cell) => Action::Stone(spot(cell)?),
    })
}

impl Fabrik {
    pub(super) fn read_action(&self, text: &str) -> Result<Action, Refusal> {
        let text = text.to_ascii_lowercase();
        match Written::parse(&text) {
            Some(written) => self.check(written),
            None => Err(self.unreadable(&text)),
        }
    }

    /// The action that was written, if it is legal.
    fn check(&self, written: Written) -> Result<Action, Refusal> {
        match (self.now.stage, written) {
            (Stage::Over(_), _) => Err(Refusal::Over),
            (Stage::FirstWorker | Stage::SecondWorker, Written::Worker(cell)) => {
                self.empty_spot(cell).map(Action::Worker)
            }
            (Stage::FirstWorker | Stage::SecondWorker, _) => Err(Refusal::WorkersFirst),
            (Stage::Choice, Written::First(seat)) => Ok(Action::First(seat)),
            (Stage::Choice, _) => Err(Refusal::ChoiceFirst),
            (_, Written::Worker(_)) => Err(Refusal::WorkersAreThere),
            (_, Written::First(_)) => Err(match self.rules {
                Rules::Official => Refusal::ChoiceIsMade,
                Rules::Report => Refusal::NoChoice,
            }),
            (_, Written::Stone(cell)) => self.check_stone(cell),
            (Stage::FirstStone, Written::Move(..)) => Err(Refusal::FirstStoneWithoutMove),
            (Stage::AfterMove, Written::Move(..)) => Err(Refusal::MovedAlready),
            (Stage::Turn, Written::Move(from, to)) => self.check_move(from, to),
        }
    }

    fn check_stone(&self, cell: Cell) -> Result<Action, Refusal> {
        let spot = self.empty_spot(cell)?;
        let [first, second] = self.now.workers.map(Spot::cell);
        let sees = self.now.seen.map(|seen| seen.contains(spot));
        match (self.rules, sees) {
            (Rules::Official, [true, true]) | (Rules::Report, [true, _] | [_, true]) => {
                Ok(Action::Stone(spot))
            }
            (Rules::Official, [true, false]) => Err(Refusal::UnseenByOne { cell, worker: second }),
            (Rules::Official, [false, true]) => Err(Refusal::UnseenByOne { cell, worker: first }),
            (Rules::Official, [false, false]) => Err(Refusal::UnseenByBoth(cell)),
            (Rules::Report, [false, false]) => Err(Refusal::UnseenByAny(cell)),
        }
    }

    fn check_move(&self, from: Cell, to: Cell) -> Result<Action, Refusal> {
        let start = self.spot(from)?;
        let Some(mover) = self.now.workers.iter().position(|&worker| worker == start) else {
            return Err(Refusal::NoWorker { cell: from, workers: self.now.workers.map(Spot::cell) });
        };
        if from == to {
            return Err(Refusal::GoesNowhere(from));
        }
        let end = self.empty_spot(to)?;
        if self.leaves_a_placement(mover, end) {
            Ok(Action::Move(start, end))
        } else {
            Err(match self.rules {
                Rules::Official => Refusal::NothingInCommon { from, to },
                Rules::Report => Refusal::NothingSeen { from, to },
            })
        }
    }

    fn spot(&self, cell: Cell) -> Result<Spot, Refusal> {
        let last = Cell::new(self.size - 1, self.size - 1);
        Spot::on_board(cell, self.size).ok_or(Refusal::OffBoard { cell, last })
    }

    fn empty_spot(&self, cell: Cell) -> Result<Spot, Refusal> {
        let spot = self.spot(cell)?;
        let by = match self.token(spot) {
            "b" => "a black stone",
            "w" => "a white stone",
            "*" => "a worker",
            _ => return Ok(spot),
        };
        Err(Refusal::Taken { cell, by })
    }

    /// What to say of a text that is no action: the right spelling where it is clear what was
    /// meant, or what an action looks like now.
    fn unreadable(&self, text: &str) -> Refusal {
        let plain: String = text.chars().filter(|character| !character.is_whitespace()).collect();
        let guesses = [plain.clone(), format!("@{plain}"), format!("w@{plain}")];
        let meant =
            guesses.iter().filter_map(|guess| Written::parse(guess)).find_map(|it| self.check(it).ok());
        match (self.now.stage, meant) {
            (Stage::Over(_), _) => Refusal::Over,
            (_, Some(action)) => Refusal::Spelling(write(action)),
            (Stage::FirstWorker | Stage::SecondWorker, None) => Refusal::NotAWorker,
            (Stage::Choice, None) => Refusal::NotAChoice,
            (Stage::FirstStone | Stage::AfterMove, None) => Refusal::NotAStone,
            (Stage::Turn, None) => Refusal::NotATurn,
        }
    }
}
