//! Fabrik (Dieter Stein, 2017): stones go where two workers, shared by both players, can see.

mod describe;
mod encode;
mod evaluation;
mod features;
mod guide;
mod keys;
mod lines;
mod notation;
mod pocket;
mod prospects;
mod render;
mod setup;
mod spot;
mod tactics;

use std::hash::{Hash, Hasher};

use tabuleiro_protocol::{Seat, Start};

use crate::game::{Game, GameOptions, Outcome, SetupError};
use crate::random::Random;
use lines::Lines;
pub use notation::Refusal;
use prospects::Prospects;
pub use spot::Spot;
use spot::{ROW, Spots};

/// A position.
#[derive(Clone, Debug, PartialEq)]
pub struct Fabrik {
    size: u8,
    goal: u8,
    rules: Rules,
    /// The stones of each seat.
    stones: [Lines; 2],
    /// Stones, workers and everything off the board.
    blocked: Lines,
    now: Now,
}

/// Which statement of the rules is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    Official,
    Report,
}

/// What there is to a position beside the board.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Now {
    to_move: Seat,
    stage: Stage,
    /// In ascending order; those not on the board yet are [`Spot::NOWHERE`].
    workers: [Spot; 2],
    /// What each worker sees. Only kept while there are two, and the game goes on.
    seen: [Spots; 2],
    prospects: [Prospects; 2],
    hash: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    FirstWorker,
    SecondWorker,
    /// Seat 1 says who goes first.
    Choice,
    /// The first stone, which no worker move may precede.
    FirstStone,
    /// The start of a turn.
    Turn,
    /// A worker was moved; the stone is still to be placed.
    AfterMove,
    Over(Outcome),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Put a worker on a cell.
    Worker(Spot),
    /// Say who goes first.
    First(Seat),
    /// Take the worker on the first cell to the second.
    Move(Spot, Spot),
    /// Place a stone of one's own.
    Stone(Spot),
}

/// As one number: a search asks for it with every move that it tries.
impl Hash for Action {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(match *self {
            Action::Move(from, to) => (from.index() << 8 | to.index()) as u32,
            Action::Stone(spot) => 1 << 16 | spot.index() as u32,
            Action::Worker(spot) => 2 << 16 | spot.index() as u32,
            Action::First(seat) => 3 << 16 | seat.index() as u32,
        });
    }
}

#[derive(Clone, Debug)]
pub struct Undo(Now);

impl Game for Fabrik {
    type Action = Action;
    type Undo = Undo;

    fn start(options: &GameOptions, _seed: u64) -> Fabrik {
        Fabrik::empty(options)
    }

    fn set_up(options: &GameOptions, start: &Start) -> Result<Fabrik, SetupError> {
        Fabrik::loaded(options, start)
    }

    fn to_move(&self) -> Seat {
        self.now.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.now.stage {
            Stage::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn actions(&self, actions: &mut Vec<Action>) {
        match self.now.stage {
            Stage::FirstWorker | Stage::SecondWorker => {
                actions.extend(self.empty_spots().iter().map(Action::Worker));
            }
            Stage::Choice => actions.extend(Seat::BOTH.map(Action::First)),
            Stage::FirstStone | Stage::AfterMove => {
                actions.extend(self.placements().iter().map(Action::Stone))
            }
            Stage::Turn => {
                actions.reserve(3 * ROW * usize::from(self.size));
                actions.extend(self.placements().iter().map(Action::Stone));
                for mover in 0..2 {
                    let from = self.now.workers[mover];
                    actions.extend(self.destinations(mover).iter().map(|to| Action::Move(from, to)));
                }
            }
            Stage::Over(_) => {}
        }
    }

    fn random_action(&self, random: &mut Random, scratch: &mut Vec<Action>) -> Option<Action> {
        match self.now.stage {
            Stage::Turn => {
                if let Some(action) = self.try_random_turn(random) {
                    return Some(action);
                }
            }
            Stage::FirstStone | Stage::AfterMove => {
                let placements = self.placements();
                return placements.nth(random.below(placements.count())).map(Action::Stone);
            }
            _ => {}
        }
        scratch.clear();
        self.actions(scratch);
        random.pick(scratch)
    }

    fn play(&mut self, action: Action) -> Undo {
        let before = self.now;
        let mover = before.to_move;
        self.now.hash ^= keys::turn(mover, before.stage);
        match action {
            Action::Worker(spot) => {
                self.put_worker(spot);
                match (before.stage, self.rules) {
                    (Stage::FirstWorker, _) => {
                        (self.now.to_move, self.now.stage) = (Seat::Two, Stage::SecondWorker)
                    }
                    (_, Rules::Official) => (self.now.to_move, self.now.stage) = (Seat::One, Stage::Choice),
                    (_, Rules::Report) => self.begin_turn(Seat::One),
                }
            }
            Action::First(seat) => self.begin_turn(seat),
            Action::Move(from, to) => {
                self.move_worker(from, to);
                self.now.stage = Stage::AfterMove;
            }
            Action::Stone(spot) => {
                self.put_stone(mover, spot);
                if self.stones[mover.index()].has_run_through(spot, self.goal) {
                    self.now.stage = Stage::Over(Outcome::won(mover, LINE));
                } else {
                    self.begin_turn(!mover);
                }
            }
        }
        self.now.hash ^= keys::turn(self.now.to_move, self.now.stage);
        Undo(before)
    }

    fn undo(&mut self, action: Action, Undo(before): Undo) {
        self.now = before;
        match action {
            Action::Worker(spot) => self.blocked.remove(spot),
            Action::First(_) => {}
            Action::Move(from, to) => {
                self.blocked.remove(to);
                self.blocked.insert(from);
            }
            Action::Stone(spot) => {
                self.blocked.remove(spot);
                self.stones[before.to_move.index()].remove(spot);
            }
        }
    }

    fn hash(&self) -> u64 {
        self.now.hash
    }

    fn hash_from_scratch(&self) -> u64 {
        let mut hash = keys::turn(self.now.to_move, self.now.stage);
        for seat in Seat::BOTH {
            for spot in self.stones[seat.index()].spots().iter() {
                hash ^= keys::stone(seat, spot);
            }
        }
        for spot in self.workers() {
            hash ^= keys::worker(spot);
        }
        hash
    }
}

const LINE: &str = "line";
const NO_MOVES: &str = "no_moves";

impl Fabrik {
    fn empty_spots(&self) -> Spots {
        !self.blocked.spots()
    }

    /// The workers on the board.
    fn workers(&self) -> impl Iterator<Item = Spot> {
        self.now.workers.into_iter().filter(|&worker| worker != Spot::NOWHERE)
    }

    fn put_worker(&mut self, spot: Spot) {
        self.blocked.insert(spot);
        self.now.hash ^= keys::worker(spot);
        // The one on the board comes before the one that is nowhere yet.
        self.now.workers[1] = spot;
        self.now.workers.sort();
        self.look_around();
    }

    fn move_worker(&mut self, from: Spot, to: Spot) {
        self.blocked.remove(from);
        self.blocked.insert(to);
        self.now.hash ^= keys::worker(from) ^ keys::worker(to);
        let [first, second] = self.now.workers;
        let other = if from == first { second } else { first };
        self.now.workers = [to.min(other), to.max(other)];
        self.look_around();
    }

    fn put_stone(&mut self, seat: Seat, spot: Spot) {
        self.foresee_stone(seat, spot);
        self.blocked.insert(spot);
        self.stones[seat.index()].insert(spot);
        self.forget_cut_off(!seat, spot);
        self.now.hash ^= keys::stone(seat, spot);
        self.look_around();
    }

    #[inline]
    fn look_around(&mut self) {
        if self.now.workers[1] != Spot::NOWHERE {
            let [first, second] = self.now.workers;
            self.now.seen = [self.blocked.sight(first), self.blocked.sight(second)];
        }
    }

    /// A seat begins a turn, or it cannot and the game is over.
    #[inline]
    fn begin_turn(&mut self, seat: Seat) {
        self.now.to_move = seat;
        self.now.stage = match self.rules {
            Rules::Official if self.now.stage == Stage::Choice => Stage::FirstStone,
            _ => Stage::Turn,
        };
        if self.placements().is_empty() {
            self.begin_turn_without_placement();
        }
    }

    #[cold]
    fn begin_turn_without_placement(&mut self) {
        let can_move = self.now.stage == Stage::Turn && (0..2).any(|mover| self.has_destination(mover));
        match self.rules {
            Rules::Report => self.now.stage = Stage::Over(Outcome::drawn(NO_MOVES)),
            Rules::Official if can_move => {}
            Rules::Official => self.now.stage = Stage::Over(Outcome::won(!self.now.to_move, NO_MOVES)),
        }
    }

    fn has_destination(&self, mover: usize) -> bool {
        let other = self.now.workers[1 - mover];
        // Seeing two cells in one direction is enough: a worker on the further one shares the
        // nearer one.
        let sees_far = !(self.now.seen[1 - mover] & !Spots::NONE.with(other).neighbours()).is_empty();
        sees_far || !self.destinations(mover).is_empty()
    }

    /// Where a stone may be placed with the workers as they stand.
    #[inline]
    fn placements(&self) -> Spots {
        let [first, second] = self.now.seen;
        match self.rules {
            Rules::Official => first & second,
            Rules::Report => first | second,
        }
    }

    /// Where one of the workers may go so that a stone can be placed afterwards.
    fn destinations(&self, mover: usize) -> Spots {
        let (from, other) = (self.now.workers[mover], self.now.workers[1 - mover]);
        let empty = self.empty_spots();
        let open = empty.with(from);
        let around_other = Spots::NONE.with(other).neighbours() & open;
        match self.rules {
            Rules::Official => {
                let mut lifted = self.blocked;
                lifted.remove(from);
                let seen = lifted.sight(other);
                // Out of the other one's sight a cell will do if it sees something that the other
                // one sees. In its sight the cells in between are common to both, unless there are
                // none.
                let next_to_it = around_other & empty;
                let mut destinations = (seen.seen_over(open) & empty) & !next_to_it;
                for to in next_to_it.iter() {
                    if self.shares_a_cell_after(mover, to) {
                        destinations = destinations.with(to);
                    }
                }
                destinations
            }
            Rules::Report => {
                let sees_something = empty & open.neighbours();
                match around_other.count() {
                    0 => sees_something,
                    1 => sees_something | (empty & !around_other),
                    _ => empty,
                }
            }
        }
    }

    /// Whether a stone could be placed after one of the workers went to an empty cell.
    #[inline]
    fn leaves_a_placement(&self, mover: usize, to: Spot) -> bool {
        match self.rules {
            Rules::Official => {
                let (other, seen) = (self.now.workers[1 - mover], self.now.seen[1 - mover]);
                let quick = if seen.contains(to) {
                    // The cells in between are seen from both sides.
                    !to.is_next_to(other)
                } else {
                    // What both see while the worker is still in its place they see when it has
                    // left it.
                    !(self.blocked.sight(to) & seen).is_empty()
                };
                quick || self.shares_a_cell_after(mover, to)
            }
            Rules::Report => self.destinations(mover).contains(to),
        }
    }

    /// Whether both workers see a cell after one of them went to an empty cell.
    fn shares_a_cell_after(&self, mover: usize, to: Spot) -> bool {
        let mut blocked = self.blocked;
        blocked.remove(self.now.workers[mover]);
        blocked.insert(to);
        !(blocked.sight(to) & blocked.sight(self.now.workers[1 - mover])).is_empty()
    }

    /// One of the legal actions at the start of a turn, all equally likely: draws from more than
    /// these until one is legal. `None`, whatever there is, if that takes too long.
    #[inline]
    fn try_random_turn(&self, random: &mut Random) -> Option<Action> {
        const TRIES: usize = 30;
        let placements = self.placements();
        let stones = placements.count();
        let spots = ROW as u32 * u32::from(self.size);
        for _ in 0..TRIES {
            let Some(number) = random.below(stones + 2 * spots).checked_sub(stones) else {
                return placements.nth(random.below(stones)).map(Action::Stone);
            };
            let (mover, number) = if number < spots { (0, number) } else { (1, number - spots) };
            let to = Spot(number as u8);
            if !self.blocked.contains(to) && self.leaves_a_placement(mover, to) {
                return Some(Action::Move(self.now.workers[mover], to));
            }
        }
        None
    }
}
