//! Breakthrough: the rules. Pieces go one step forward; whoever reaches the furthest row wins.

mod evaluation;
mod words;

use tabuleiro_engine::game::{Game, GameOptions, Outcome, SetupError, required_to_move, tokens};
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Cell, Seat, Start};

/// A position. White (seat 1) goes up the board, Black (seat 2) goes down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakthrough {
    size: u8,
    /// By seat, a bit for each cell.
    pieces: [u64; 2],
    to_move: Seat,
}

/// What a player does in a turn: one step of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: Cell,
    to: Cell,
}

/// Why a step is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the game is over")]
    Over,
    #[error("write from where to where a piece goes, such as {example}")]
    Spelling { example: String },
    #[error("there is no piece of yours on {0}")]
    NotYours(Cell),
    #[error("{to} is not one step ahead of {from}")]
    NotAhead { from: Cell, to: Cell },
    #[error("your own piece stands on {0}")]
    OwnPiece(Cell),
    #[error("{0} is taken, and pieces capture diagonally")]
    Blocked(Cell),
}

fn bit(cell: Cell) -> u64 {
    1 << (cell.row * 8 + cell.column)
}

impl Breakthrough {
    fn empty(options: &GameOptions) -> Breakthrough {
        let size = options.integer("size") as u8;
        Breakthrough { size, pieces: [0; 2], to_move: Seat::One }
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..size * size).map(move |index| Cell::new(index % size, index / size))
    }

    fn has(&self, seat: Seat, cell: Cell) -> bool {
        self.pieces[seat.index()] & bit(cell) != 0
    }

    /// How many rows a cell is away from a seat's own edge of the board.
    fn row_of(&self, seat: Seat, cell: Cell) -> u8 {
        if seat == Seat::One { self.size - 1 - cell.row } else { cell.row }
    }

    /// Why the seat to move cannot make this step.
    fn refusal(&self, Step { from, to }: Step) -> Option<Refusal> {
        let (us, them) = (self.to_move, !self.to_move);
        let sideways = from.column.abs_diff(to.column);
        let is_ahead = self.row_of(us, to) == self.row_of(us, from) + 1 && sideways <= 1;
        match () {
            _ if !self.has(us, from) => Some(Refusal::NotYours(from)),
            _ if !is_ahead => Some(Refusal::NotAhead { from, to }),
            _ if self.has(us, to) => Some(Refusal::OwnPiece(to)),
            _ if self.has(them, to) && sideways == 0 => Some(Refusal::Blocked(to)),
            _ => None,
        }
    }
}

impl Game for Breakthrough {
    type Action = Step;
    /// The position before.
    type Undo = Breakthrough;

    fn start(options: &GameOptions, _seed: u64) -> Breakthrough {
        let mut game = Breakthrough::empty(options);
        for cell in game.cells() {
            for seat in Seat::BOTH {
                if game.row_of(seat, cell) < 2 {
                    game.pieces[seat.index()] |= bit(cell);
                }
            }
        }
        game
    }

    fn set_up(options: &GameOptions, start: &Start) -> Result<Breakthrough, SetupError> {
        let mut game = Breakthrough::empty(options);
        let rows = tokens(start, game.size.into(), game.size.into())?;
        for (cell, token) in game.cells().zip(rows.concat()) {
            match token {
                "." => {}
                "w" => game.pieces[0] |= bit(cell),
                "b" => game.pieces[1] |= bit(cell),
                _ => return Err(SetupError::at(cell, format!("a cell is w, b or ., not {token}"))),
            }
        }
        if game.pieces == [0; 2] {
            return Err(SetupError::position("there is no piece on the board"));
        }
        game.to_move = required_to_move(start)?;
        Ok(game)
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        let furthest = [0xff, 0xff << (8 * (self.size - 1))];
        // Whoever moved last has won, if anybody has.
        [!self.to_move, self.to_move].into_iter().find_map(|seat| match self.pieces {
            pieces if pieces[seat.index()] & furthest[seat.index()] != 0 => {
                Some(Outcome::won(seat, "breakthrough"))
            }
            pieces => (pieces[(!seat).index()] == 0).then_some(Outcome::won(seat, "no_pieces")),
        })
    }

    fn actions(&self, actions: &mut Vec<Step>) {
        if self.outcome().is_some() {
            return;
        }
        let forward = if self.to_move == Seat::One { -1 } else { 1 };
        for from in self.cells().filter(|&cell| self.has(self.to_move, cell)) {
            let to = |sideways| from.offset(sideways, forward, self.size, self.size);
            let steps = [-1, 0, 1].into_iter().filter_map(to).map(|to| Step { from, to });
            actions.extend(steps.filter(|&step| self.refusal(step).is_none()));
        }
    }

    fn play(&mut self, Step { from, to }: Step) -> Breakthrough {
        let before = self.clone();
        self.pieces[self.to_move.index()] ^= bit(from) | bit(to);
        self.pieces[(!self.to_move).index()] &= !bit(to);
        self.to_move = !self.to_move;
        before
    }

    fn undo(&mut self, _step: Step, before: Breakthrough) {
        *self = before;
    }

    fn hash(&self) -> u64 {
        let mix = |number| Random::new(number).next_u64();
        mix(mix(mix(self.pieces[0]) ^ self.pieces[1]) ^ self.to_move.index() as u64)
    }
}
