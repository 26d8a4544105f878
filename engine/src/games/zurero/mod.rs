//! Zurero (Jordan Goldstein, 2009): slide stones in from the edges until five are in a row.

mod describe;
mod edge;
mod encode;
mod evaluation;
mod features;
mod guide;
mod keys;
mod move_score;
mod notation;
mod render;
mod setup;
mod stones;
mod threats;

use std::hash::{Hash, Hasher};

use tabuleiro_protocol::{Seat, Start};

use crate::game::{Game, GameOptions, Outcome, SetupError};
use crate::random::Random;
use edge::Entry;
pub use notation::Refusal;
use stones::Stones;
use tabuleiro_protocol::Cell;
pub use tabuleiro_protocol::Edge;

/// A position of Zurero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zurero {
    size: u8,
    /// By seat.
    stones: [Stones; 2],
    /// By edge: the rows or columns that a stone may enter from there.
    open: [u32; 4],
    to_move: Seat,
    hash: u64,
    outcome: Option<Outcome>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The first stone, on a central cell.
    Place(Cell),
    /// A stone comes in from an edge along this row or column.
    Slide(Edge, u8),
}

/// As one number: a search asks for it with every move that it tries.
impl Hash for Action {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u16(match *self {
            Action::Slide(edge, line) => (edge as u16) << 5 | u16::from(line),
            Action::Place(Cell { column, row }) => 1 << 10 | u16::from(row) << 5 | u16::from(column),
        });
    }
}

/// What an action changed.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The cell that the mover has a stone on now, and had none before.
    gained: Cell,
    /// Where the enemy stone went that was on that cell, if there was one.
    enemy_to: Option<Cell>,
}

/// What a slide comes upon.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    /// The place of the first stone on the row or column.
    first: i32,
    /// The way from one place to the next, as the slide goes.
    step: i32,
    /// Whether there is room behind that stone.
    can_push: bool,
}

/// Where a slide takes stones to.
#[derive(Clone, Copy, Debug)]
struct Slide {
    /// Where the new stone comes to rest.
    stop: Cell,
    /// Where the stone goes that is there before, if there is one.
    pushed_to: Option<Cell>,
}

impl Zurero {
    fn is_opening(&self) -> bool {
        self.outcome.is_none() && self.open == [0; 4]
    }

    fn seat_on(&self, cell: Cell) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.stones[seat.index()].has(cell))
    }

    fn central_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let middle = (self.size - 1) / 2..=self.size / 2;
        middle.clone().flat_map(move |column| middle.clone().map(move |row| Cell::new(column, row)))
    }

    #[inline]
    fn may_enter(&self, edge: Edge, line: u8) -> bool {
        self.open[edge as usize] >> line & 1 != 0
    }

    /// The taken cells of a row, or of a column.
    #[inline]
    fn taken(&self, is_row: bool, line: u8) -> u32 {
        let [black, white] = &self.stones;
        if is_row { black.row(line) | white.row(line) } else { black.column(line) | white.column(line) }
    }

    /// What a slide comes upon on its row or column, which must not be empty.
    #[inline]
    fn meeting(&self, edge: Edge, line: u8) -> Meeting {
        let taken = self.taken(edge.along_row(), line);
        let (first, step) = if edge.backwards() {
            (31 - taken.leading_zeros() as i32, -1)
        } else {
            (taken.trailing_zeros() as i32, 1)
        };
        let behind = first + step;
        let can_push = (0..i32::from(self.size)).contains(&behind) && taken >> behind & 1 == 0;
        Meeting { first, step, can_push }
    }

    /// What a legal slide does.
    #[inline]
    fn slide(&self, edge: Edge, line: u8) -> Slide {
        let Meeting { first, step, can_push } = self.meeting(edge, line);
        let at = |index: i32| match edge.along_row() {
            true => Cell::new(index as u8, line),
            false => Cell::new(line, index as u8),
        };
        if can_push {
            Slide { stop: at(first), pushed_to: Some(at(first + step)) }
        } else {
            Slide { stop: at(first - step), pushed_to: None }
        }
    }

    /// What an action does to the stones of each side.
    #[inline]
    fn change(&self, action: Action) -> Change {
        self.change_by(self.to_move, action)
    }

    /// What an action does to the stones of each side if it is this seat's.
    #[inline]
    fn change_by(&self, seat: Seat, action: Action) -> Change {
        match action {
            Action::Place(cell) => Change { gained: cell, enemy_to: None },
            Action::Slide(edge, line) => match self.slide(edge, line) {
                Slide { stop, pushed_to: None } => Change { gained: stop, enemy_to: None },
                // An own stone goes on by one and an own stone takes its place.
                Slide { stop, pushed_to: Some(to) } if self.stones[seat.index()].has(stop) => {
                    Change { gained: to, enemy_to: None }
                }
                Slide { stop, pushed_to } => Change { gained: stop, enemy_to: pushed_to },
            },
        }
    }

    #[inline]
    fn toggle(&mut self, seat: Seat, cell: Cell) {
        self.stones[seat.index()].toggle(cell);
        self.hash ^= keys::stone(seat, cell);
    }

    /// Makes a change of the seat to move's, or unmakes it.
    #[inline]
    fn toggle_change(&mut self, change: Change) {
        let mover = self.to_move;
        self.toggle(mover, change.gained);
        if let Some(to) = change.enemy_to {
            self.toggle(!mover, change.gained);
            self.toggle(!mover, to);
        }
        self.update_open(change.enemy_to.unwrap_or(change.gained));
    }

    /// Brings [`Zurero::open`] up to date after a cell was taken or left.
    #[inline]
    fn update_open(&mut self, cell: Cell) {
        for (near, far, line, is_row) in
            [(Edge::North, Edge::South, cell.column, false), (Edge::West, Edge::East, cell.row, true)]
        {
            let taken = self.taken(is_row, line);
            let some = taken != 0;
            self.set_open(near, line, some && taken & 0b11 != 0b11);
            self.set_open(far, line, some && taken >> (self.size - 2) != 0b11);
        }
    }

    #[inline]
    fn set_open(&mut self, edge: Edge, line: u8, open: bool) {
        let lines = &mut self.open[edge as usize];
        *lines = *lines & !(1 << line) | u32::from(open) << line;
    }

    /// How the game ends with the seat to move's change, which has been made.
    #[inline]
    fn outcome_of(&self, change: Change) -> Option<Outcome> {
        let mover = self.to_move;
        if self.stones[mover.index()].five_near(change.gained) {
            Some(Outcome::won(mover, "five"))
        } else if change.enemy_to.is_some_and(|to| self.stones[(!mover).index()].five_near(to)) {
            Some(Outcome::won(!mover, "five"))
        } else if self.open == [0; 4] {
            Some(Outcome::drawn("no_moves"))
        } else {
            None
        }
    }
}

/// Neighbouring rows or columns.
struct Span {
    first: u32,
    length: u32,
}

/// From the first line of a set to the last.
#[inline]
fn span(lines: u32) -> Span {
    if lines == 0 {
        return Span { first: 0, length: 0 };
    }
    let first = lines.trailing_zeros();
    Span { first, length: 32 - lines.leading_zeros() - first }
}

impl Game for Zurero {
    type Action = Action;
    type Undo = Change;

    fn start(options: &GameOptions, _seed: u64) -> Zurero {
        setup::start(options)
    }

    fn set_up(options: &GameOptions, start: &Start) -> Result<Zurero, SetupError> {
        setup::set_up(options, start)
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn actions(&self, actions: &mut Vec<Action>) {
        if self.outcome.is_some() {
            return;
        }
        if self.is_opening() {
            actions.extend(self.central_cells().map(Action::Place));
        }
        for edge in Edge::ALL {
            let mut lines = self.open[edge as usize];
            while lines != 0 {
                actions.push(Action::Slide(edge, lines.trailing_zeros() as u8));
                lines &= lines - 1;
            }
        }
    }

    fn random_action(&self, random: &mut Random, scratch: &mut Vec<Action>) -> Option<Action> {
        if self.outcome.is_some() {
            return None;
        }
        if self.is_opening() {
            scratch.clear();
            self.actions(scratch);
            return random.pick(scratch);
        }
        // Nearly every line between the first open one and the last is open at both ends: drawing
        // one of these ends until it is open takes less time than counting.
        let [north, east, south, west] = self.open;
        let columns = span(north | south);
        let rows = span(east | west);
        loop {
            let drawn = random.below(2 * (columns.length + rows.length));
            let (edges, line) = match drawn.checked_sub(2 * columns.length) {
                None => ([Edge::North, Edge::South], columns.first + drawn / 2),
                Some(drawn) => ([Edge::West, Edge::East], rows.first + drawn / 2),
            };
            let (edge, line) = (edges[drawn as usize % 2], line as u8);
            if self.may_enter(edge, line) {
                return Some(Action::Slide(edge, line));
            }
        }
    }

    #[inline]
    fn play(&mut self, action: Action) -> Change {
        let change = self.change(action);
        self.toggle_change(change);
        self.outcome = self.outcome_of(change);
        self.to_move = !self.to_move;
        self.hash ^= keys::TURN;
        change
    }

    #[inline]
    fn undo(&mut self, _action: Action, change: Change) {
        self.to_move = !self.to_move;
        self.hash ^= keys::TURN;
        self.outcome = None;
        self.toggle_change(change);
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn hash_from_scratch(&self) -> u64 {
        let mut hash = keys::size(self.size);
        for row in 0..self.size {
            for cell in (0..self.size).map(|column| Cell::new(column, row)) {
                if let Some(seat) = self.seat_on(cell) {
                    hash ^= keys::stone(seat, cell);
                }
            }
        }
        match self.to_move {
            Seat::One => hash,
            Seat::Two => hash ^ keys::TURN,
        }
    }
}
