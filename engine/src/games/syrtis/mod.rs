//! Syrtis (David Vander Laan, 2014): tiles sink and drift in quicksand; whoever gets all tiles of a
//! colour or a shape together wins.

mod board;
mod cells;
mod choices;
mod describe;
mod encode;
mod evaluation;
mod features;
mod forced;
mod guide;
mod layout;
mod notation;
mod render;
mod setup;
mod wins;

use std::hash::{Hash, Hasher};

use tabuleiro_protocol::{Seat, Start};

pub use board::Side;
pub use notation::Refusal;

use self::board::{Board, Family, Kind, scramble};
use self::choices::Choices;
use self::layout::{Layout, MAJOR, MINOR};
use crate::game::{Game, GameOptions, Outcome, SetupError};
use crate::random::Random;
use tabuleiro_protocol::Cell;

/// So many tiles sunk since the other's last one win.
const QUICKSAND: u8 = 4;
/// So many passes of a player's own in a row end the game.
const OWN_PASSES: u8 = 4;

/// How games end.
mod reason {
    pub(super) const QUICKSAND: &str = "quicksand";
    pub(super) const ISLAND: &str = "island";
    pub(super) const INITIATIVE: &str = "initiative";
    pub(super) const REPETITION: &str = "repetition";
    pub(super) const TURN_LIMIT: &str = "turn_limit";
}

/// A game of Syrtis.
#[derive(Clone, Debug, PartialEq)]
pub struct Syrtis {
    rules: Rules,
    position: SyrtisPosition,
    /// The key of every position since play began, this one included.
    history: Vec<u64>,
}

/// What the options say.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rules {
    layout: &'static Layout,
    passes: u8,
    turn_limit: u32,
}

impl Rules {
    fn new(options: &GameOptions) -> Rules {
        Rules {
            layout: if options.choice("layout") == "major" { &MAJOR } else { &MINOR },
            passes: options.integer("passes") as u8,
            turn_limit: options.integer("turn_limit") as u32,
        }
    }

    /// So many passes in succession end the game.
    fn passes_in_succession(&self) -> u8 {
        2 * self.passes
    }
}

/// Everything that an action may change, but for the history: small enough to be copied for
/// undoing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SyrtisPosition {
    board: Board,
    phase: Phase,
    to_move: Seat,
    /// Who plays light. Means nothing before the choice.
    light: Seat,
    /// Tiles sunk since the other's last one, by seat.
    sinks: [u8; 2],
    /// Own turns in a row that were passes, by seat.
    passes: [u8; 2],
    /// Passes in succession by both.
    streak: u8,
    last_sinker: Option<Seat>,
    turns: u32,
    /// Turns since a tile was sunk: no position before that can come again.
    turns_since_sink: u32,
    outcome: Option<Outcome>,
}

/// The parts of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Swap,
    Towers,
    Choose,
    Play,
}

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Swap the two tiles of a pair, the first of which is pair 0.
    Swap {
        pair: u8,
    },
    /// Place a tower.
    Tower {
        side: Side,
        cell: Cell,
    },
    /// Take a side.
    Take(Side),
    /// Move a tower.
    Move {
        from: Cell,
        to: Cell,
    },
    /// Slide a tile with its tower.
    Slide {
        from: Cell,
        to: Cell,
    },
    /// Sink a tile.
    Sink(Cell),
    Pass,
}

/// As one number: a search asks for it with every move that it tries.
impl Hash for Action {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let place = |cell: Cell| u16::from(cell.row) << 3 | u16::from(cell.column);
        state.write_u16(match *self {
            Action::Move { from, to } => place(from) << 6 | place(to),
            Action::Slide { from, to } => 1 << 12 | place(from) << 6 | place(to),
            Action::Sink(cell) => 2 << 12 | place(cell),
            Action::Pass => 3 << 12,
            Action::Swap { pair } => 4 << 12 | u16::from(pair),
            Action::Tower { side, cell } => 5 << 12 | (side as u16) << 6 | place(cell),
            Action::Take(side) => 6 << 12 | side as u16,
        });
    }
}

impl Game for Syrtis {
    type Action = Action;
    type Undo = SyrtisPosition;

    fn start(options: &GameOptions, seed: u64) -> Syrtis {
        setup::drawn(Rules::new(options), &mut Random::new(seed))
    }

    fn set_up(options: &GameOptions, start: &Start) -> Result<Syrtis, SetupError> {
        setup::given(Rules::new(options), start)
    }

    fn to_move(&self) -> Seat {
        self.position.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome
    }

    fn actions(&self, actions: &mut Vec<Action>) {
        if self.position.outcome.is_some() {
            return;
        }
        match self.position.phase {
            Phase::Swap => actions.extend((0..self.rules.layout.pairs()).map(|pair| Action::Swap { pair })),
            Phase::Towers => {
                for side in Side::BOTH {
                    let places = self.tower_places(side);
                    actions.extend(cells::each(places).map(|cell| Action::Tower { side, cell }));
                }
            }
            Phase::Choose => actions.extend(Side::BOTH.map(Action::Take)),
            Phase::Play => self.choices().list(actions),
        }
    }

    fn random_action(&self, random: &mut Random, scratch: &mut Vec<Action>) -> Option<Action> {
        if self.position.phase == Phase::Play && self.position.outcome.is_none() {
            let choices = self.choices();
            return Some(choices.nth(random.below(choices.count())));
        }
        scratch.clear();
        self.actions(scratch);
        random.pick(scratch)
    }

    fn play(&mut self, action: Action) -> SyrtisPosition {
        let before = self.position;
        match action {
            Action::Swap { pair } => self.swap(pair),
            Action::Tower { side, cell } => self.place_tower(side, cell),
            Action::Take(side) => self.take_side(side),
            Action::Move { .. } | Action::Slide { .. } | Action::Sink(_) | Action::Pass => {
                self.take_turn(action)
            }
        }
        before
    }

    fn undo(&mut self, _: Action, before: SyrtisPosition) {
        self.position = before;
        let positions = if before.phase == Phase::Play { before.turns as usize + 1 } else { 0 };
        self.history.truncate(positions);
    }

    fn hash(&self) -> u64 {
        self.position.board.key ^ self.circumstances()
    }

    fn hash_from_scratch(&self) -> u64 {
        self.position.board.key_from_scratch() ^ self.circumstances()
    }
}

impl Syrtis {
    fn board(&self) -> &Board {
        &self.position.board
    }

    /// The side a seat plays, once that has been settled.
    #[inline]
    fn side(&self, seat: Seat) -> Side {
        if seat == self.position.light { Side::Light } else { Side::Dark }
    }

    #[inline]
    fn seat(&self, side: Side) -> Seat {
        match side {
            Side::Light => self.position.light,
            Side::Dark => !self.position.light,
        }
    }

    #[inline]
    fn choices(&self) -> Choices {
        Choices::new(self.board(), self.side(self.position.to_move))
    }

    /// How many towers of a side are still to be placed.
    fn towers_left(&self, side: Side) -> u32 {
        2 - self.board().towers(side).count_ones()
    }

    /// Where a tower of this side can be placed now.
    fn tower_places(&self, side: Side) -> cells::Cells {
        if self.towers_left(side) == 0 {
            return cells::NONE;
        }
        let board = self.board();
        let [colour, shape] = side.families().map(|family| board.family(family));
        (colour | shape) & !board.all_towers()
    }

    /// Whether towers of both sides can be placed on a cell now.
    fn may_be_either(&self, cell: Cell) -> bool {
        Side::BOTH.into_iter().all(|side| self.tower_places(side) & cells::bit(cell) != cells::NONE)
    }

    fn swap(&mut self, pair: u8) {
        let board = &mut self.position.board;
        let [one, other] = self.rules.layout.pair(pair);
        let [first, second] = [one, other].map(|cell| board.take_tile(cell));
        board.put_tile(one, second);
        board.put_tile(other, first);
        if Family::ALL.iter().all(|&family| !board.is_complete(family)) {
            self.position.phase = Phase::Towers;
        }
    }

    fn place_tower(&mut self, side: Side, cell: Cell) {
        self.position.board.put_tower(cell, side);
        if Side::BOTH.iter().all(|&side| self.towers_left(side) == 0) {
            self.position.phase = Phase::Choose;
            self.position.to_move = Seat::Two;
        }
    }

    fn take_side(&mut self, side: Side) {
        self.position.light = match side {
            Side::Light => Seat::Two,
            Side::Dark => Seat::One,
        };
        self.position.to_move = self.position.light;
        self.position.phase = Phase::Play;
        self.history.push(self.position.key());
    }

    fn take_turn(&mut self, action: Action) {
        let seat = self.position.to_move;
        let side = self.side(seat);
        let now = &mut self.position;
        now.turns += 1;
        now.turns_since_sink += 1;
        now.to_move = !seat;
        if action == Action::Pass {
            now.passes[seat.index()] += 1;
            now.streak += 1;
        } else {
            now.passes[seat.index()] = 0;
            now.streak = 0;
        }
        let displaced = now.board.act(side, action);
        if let Action::Sink(_) = action {
            now.sinks[seat.index()] += 1;
            now.sinks[(!seat).index()] = 0;
            now.last_sinker = Some(seat);
            now.turns_since_sink = 0;
        }
        let key = now.key();
        self.position.outcome = self.end_of_game(seat, displaced, key);
        self.history.push(key);
    }

    /// Whether the turn that this seat has just made ends the game. `displaced` is the tile that it
    /// sank or slid.
    fn end_of_game(&self, seat: Seat, displaced: Option<Kind>, key: u64) -> Option<Outcome> {
        let now = &self.position;
        if now.sinks[seat.index()] >= QUICKSAND {
            return Some(Outcome::won(seat, reason::QUICKSAND));
        }
        // Only the colour and the shape of that tile can have become complete: had another been,
        // the game would have been over.
        if let Some(outcome) = displaced.and_then(|kind| self.end_by_islands(&kind.families())) {
            return Some(outcome);
        }
        let reason =
            if now.streak >= self.rules.passes_in_succession() || now.passes[seat.index()] >= OWN_PASSES {
                reason::INITIATIVE
            } else if self.occurrences(&self.history, key) >= 2 {
                reason::REPETITION
            } else if self.rules.turn_limit != 0 && now.turns >= self.rules.turn_limit {
                reason::TURN_LIMIT
            } else {
                return None;
            };
        Some(Outcome::won(self.initiative(), reason))
    }

    fn end_by_islands(&self, families: &[Family]) -> Option<Outcome> {
        let mut complete = [false; 2];
        for &family in families {
            complete[family.owner() as usize] |= self.board().is_complete(family);
        }
        match complete {
            [false, false] => None,
            [true, true] => Some(Outcome::won(self.initiative(), reason::INITIATIVE)),
            [true, false] => Some(Outcome::won(self.seat(Side::Light), reason::ISLAND)),
            [false, true] => Some(Outcome::won(self.seat(Side::Dark), reason::ISLAND)),
        }
    }

    /// Who wins when neither has what it takes.
    fn initiative(&self) -> Seat {
        self.position.last_sinker.unwrap_or(self.position.light)
    }

    /// How often the position was there before this turn, with the same seat to move.
    fn occurrences(&self, before: &[u64], key: u64) -> usize {
        let comparable = self.position.turns_since_sink as usize;
        before.iter().rev().take(comparable).skip(1).step_by(2).filter(|&&earlier| earlier == key).count()
    }

    /// What the future depends on beside the board, as a number to go with the board's key.
    fn circumstances(&self) -> u64 {
        let now = &self.position;
        let mut all = if self.rules.turn_limit == 0 { 0 } else { u64::from(now.turns) };
        let last_sinker = now.last_sinker.map_or(0, Seat::number);
        let [seat, light] = [now.to_move, now.light].map(|seat| seat as u8);
        let [small @ .., phase] = [seat, light, now.streak, last_sinker, now.phase as u8];
        for number in small.into_iter().chain(now.sinks).chain(now.passes) {
            all = all << 3 | u64::from(number);
        }
        // Never a number that some tile's key was made of.
        scramble(all << 2 | u64::from(phase) | 1 << 63)
    }
}

impl SyrtisPosition {
    /// Says which tiles and towers lie where and who is to move: what must not come three times.
    #[inline]
    fn key(&self) -> u64 {
        const SEAT_TWO: u64 = scramble(1);
        self.board.key ^ if self.to_move == Seat::Two { SEAT_TWO } else { 0 }
    }
}
