//! Absorption: piles that split, merge and run, and swallow what they outnumber.

mod action;
mod attack;
mod board;
mod describe;
mod encode;
mod endgame;
mod evaluation;
mod features;
mod generate;
mod guide;
mod hunt;
mod keys;
mod notation;
mod proof;
mod reach;
mod render;
mod setup;
mod turns;

use tabuleiro_protocol::{Seat, Start};

use crate::game::{Game, GameOptions, Outcome, SetupError};
use crate::random::Random;

pub use action::{Action, Trio};
pub use board::Square;
use board::{Piles, Set, around, beside, squares};
pub use notation::Refusal;
pub use turns::{BestTurns, ByTurns, WholeTurn};

/// A seat with no more pieces than this has lost.
const TOO_FEW_PIECES: u32 = 3;

const NO_MOVES: &str = "no_moves";
const REPETITION: &str = "repetition";

/// No pile is higher.
const MOST_IN_A_PILE: u8 = 3;

/// A position of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Absorption {
    rules: Rules,
    now: Situation,
    /// The keys of the positions in which the turns so far began, this one's included.
    begun: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rules {
    /// Piles that it takes to absorb one.
    captors: u32,
    /// Turns of both together until the game is a draw; 0 is no limit.
    turn_limit: u32,
}

/// All of a position but its past.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Situation {
    piles: [Piles; 2],
    seat: Seat,
    phase: Phase,
    /// The smalls made by this turn's split that have not run.
    runners: Set,
    /// The other piles that had a part in this turn's split or merge.
    spent: Set,
    /// The square of the pile that was split, as long as there are runners to mind it.
    origin: Set,
    /// Turns finished since the start.
    turns: u32,
    outcome: Option<Outcome>,
    /// The hash of all this, but for the turns.
    key: u64,
}

/// The parts of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Main,
    Moves,
    Absorb,
}

/// Piles orthogonally next to a square.
struct Hunt {
    number: u32,
    /// What they hold together.
    pieces: u32,
    /// What they could take in together.
    room: u32,
}

/// What was before an action.
#[derive(Clone, Debug)]
pub struct Before(Situation);

impl Situation {
    #[inline]
    fn own(&self) -> Piles {
        self.piles[self.seat.index()]
    }

    #[inline]
    fn enemy(&self) -> Piles {
        self.piles[(!self.seat).index()]
    }

    #[inline]
    fn empty(&self) -> Set {
        !(self.piles[0].all() | self.piles[1].all())
    }

    #[inline]
    fn set_pile(&mut self, seat: Seat, square: Square, height: u8) {
        let piles = &mut self.piles[seat.index()];
        self.key ^= keys::pile(seat, square, piles.height(square)) ^ keys::pile(seat, square, height);
        piles.set_height(square, height);
    }

    #[inline]
    fn add_piece(&mut self, seat: Seat, square: Square) {
        self.set_pile(seat, square, self.piles[seat.index()].height(square) + 1);
    }

    fn enter(&mut self, phase: Phase) {
        self.key ^= keys::phase(self.phase) ^ keys::phase(phase);
        self.phase = phase;
    }

    fn set_runners(&mut self, runners: Set) {
        self.key ^= keys::runners(self.runners ^ runners);
        self.runners = runners;
        if runners == 0 {
            self.set_origin(0);
        }
    }

    fn set_spent(&mut self, spent: Set) {
        self.key ^= keys::spent(self.spent ^ spent);
        self.spent = spent;
    }

    fn set_origin(&mut self, origin: Set) {
        self.key ^= keys::origin(self.origin ^ origin);
        self.origin = origin;
    }

    fn pass_the_turn(&mut self) {
        self.key ^= keys::seat(self.seat) ^ keys::seat(!self.seat);
        self.seat = !self.seat;
        self.turns += 1;
    }

    /// Where the runners may go to, or across.
    #[inline]
    fn open_to_runners(&self) -> Set {
        self.empty() & !self.origin
    }

    /// The piles of which one may move, however the split's own smalls run: those that had no part
    /// in the split or merge.
    #[inline]
    fn bystanders(&self) -> Set {
        let own = self.own();
        (own.small() | own.medium()) & !self.runners & !self.spent
    }

    fn can_move(&self) -> bool {
        around(self.runners) & self.open_to_runners() != 0 || around(self.bystanders()) & self.empty() != 0
    }

    fn can_split_or_merge(&self) -> bool {
        let own = self.own();
        if around(own.small()) & (own.small() | own.medium()) != 0 {
            return true;
        }
        let empty = self.empty();
        squares(own.medium() | own.large()).any(|square| (square.neighbours() & empty).count_ones() >= 2)
    }

    /// What the seat to move has around a square from which something might be absorbed.
    #[inline]
    fn hunt(&self, square: Square) -> Hunt {
        let own = self.own();
        let hunters = square.sides() & own.all();
        let (number, pieces) = (hunters.count_ones(), own.pieces_in(hunters));
        Hunt { number, pieces, room: u32::from(MOST_IN_A_PILE) * number - pieces }
    }

    /// The piles that the seat to move could absorb as things stand.
    #[inline]
    fn victims(&self, captors: u32) -> impl Iterator<Item = Square> {
        squares(self.enemy().all() & beside(self.own().all())).filter(move |&square| {
            let height = u32::from(self.enemy().height(square));
            let hunt = self.hunt(square);
            hunt.number >= captors && hunt.pieces > height && hunt.room >= height
        })
    }

    /// Whether an action is legal that is so in some other position. The game must not be over.
    fn allows(&self, action: Action, captors: u32) -> bool {
        let (own, enemy, empty) = (self.own(), self.enemy(), self.empty());
        match (self.phase, action) {
            (Phase::Main, Action::Split { from, to }) => {
                usize::from(own.height(from)) == to.squares().len()
                    && to.set() & !(from.neighbours() & empty) == 0
            }
            (Phase::Main, Action::Merge { onto, others }) => {
                let all = onto.bit() | others.set();
                all & !own.all() == 0 && own.pieces_in(all) <= u32::from(MOST_IN_A_PILE)
            }
            (Phase::Moves, Action::Move { from, to }) => {
                let runs = from.is_in(self.runners);
                let open = if runs { self.open_to_runners() } else { empty };
                let is_near = to.is_in(from.neighbours());
                (runs || from.is_in(self.bystanders()))
                    && to.is_in(open)
                    && (is_near || from.is_in(own.small()) && from.halfway(to).is_in(open))
            }
            (Phase::Moves, Action::End) => true,
            (Phase::Absorb, Action::Absorb { from, into }) => {
                usize::from(enemy.height(from)) == into.squares().len()
                    && into.set() & !own.all() == 0
                    && squares(into.set())
                        .all(|square| own.height(square) + into.count(square) <= MOST_IN_A_PILE)
                    && self.victims(captors).any(|victim| victim == from)
            }
            _ => false,
        }
    }

    fn has_too_few_pieces(&self, seat: Seat) -> bool {
        self.piles[seat.index()].pieces() <= TOO_FEW_PIECES
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = keys::seat(self.seat) ^ keys::phase(self.phase);
        for seat in Seat::BOTH {
            let piles = self.piles[seat.index()];
            for square in squares(piles.all()) {
                key ^= keys::pile(seat, square, piles.height(square));
            }
        }
        key ^ keys::runners(self.runners) ^ keys::spent(self.spent) ^ keys::origin(self.origin)
    }
}

impl Absorption {
    fn split(&mut self, from: Square, to: Trio) {
        let now = &mut self.now;
        now.set_pile(now.seat, from, 0);
        for &square in to.squares() {
            now.add_piece(now.seat, square);
        }
        let runners = to.set() & now.own().small();
        now.set_runners(runners);
        now.set_origin(from.bit());
        now.set_spent(to.set() & !runners);
        self.go_on_moving();
    }

    fn merge(&mut self, onto: Square, others: Trio) {
        let now = &mut self.now;
        let own = now.own();
        let mut height = own.height(onto);
        for &square in others.squares() {
            height += own.height(square);
            now.set_pile(now.seat, square, 0);
        }
        now.set_pile(now.seat, onto, height);
        now.set_spent(onto.bit());
        self.go_on_moving();
    }

    fn move_pile(&mut self, from: Square, to: Square) {
        let now = &mut self.now;
        let height = now.own().height(from);
        now.set_pile(now.seat, from, 0);
        now.set_pile(now.seat, to, height);
        if from.is_in(now.runners) {
            now.set_spent(now.spent | to.bit());
            now.set_runners(now.runners & !from.bit());
            self.go_on_moving();
        } else {
            self.end_moves();
        }
    }

    fn absorb(&mut self, from: Square, into: Trio) {
        let now = &mut self.now;
        now.set_pile(!now.seat, from, 0);
        for &square in into.squares() {
            now.add_piece(now.seat, square);
        }
        self.go_on_absorbing();
    }

    fn go_on_moving(&mut self) {
        if self.now.can_move() {
            self.now.enter(Phase::Moves);
        } else {
            self.end_moves();
        }
    }

    fn end_moves(&mut self) {
        self.now.set_runners(0);
        self.now.set_spent(0);
        self.go_on_absorbing();
    }

    fn go_on_absorbing(&mut self) {
        if self.now.victims(self.rules.captors).next().is_some() {
            self.now.enter(Phase::Absorb);
        } else {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        self.now.enter(Phase::Main);
        self.now.pass_the_turn();
        self.now.outcome = self.outcome_at_the_start_of_a_turn();
        self.begun.push(self.now.key);
    }

    /// `begun` does not have this turn yet.
    fn outcome_at_the_start_of_a_turn(&self) -> Option<Outcome> {
        let now = &self.now;
        if now.has_too_few_pieces(now.seat) {
            Some(Outcome::won(!now.seat, "points"))
        } else if !now.can_split_or_merge() {
            Some(Outcome::won(!now.seat, NO_MOVES))
        } else if self.times_begun(&self.begun) >= 2 {
            Some(Outcome::drawn(REPETITION))
        } else if self.rules.turn_limit != 0 && now.turns >= self.rules.turn_limit {
            Some(Outcome::drawn("turn_limit"))
        } else {
            None
        }
    }

    /// How many of the turns before began like this one.
    fn times_begun(&self, before: &[u64]) -> usize {
        // The same seat began every second one.
        before.iter().rev().skip(1).step_by(2).filter(|&&key| key == self.now.key).count()
    }

    fn with_turns_left(&self, key: u64) -> u64 {
        match self.rules.turn_limit.checked_sub(self.now.turns) {
            Some(left) if self.rules.turn_limit != 0 => key ^ keys::turns_left(left),
            _ => key,
        }
    }
}

impl Game for Absorption {
    type Action = Action;
    type Undo = Before;

    fn start(options: &GameOptions, _seed: u64) -> Absorption {
        setup::start(options)
    }

    fn set_up(options: &GameOptions, start: &Start) -> Result<Absorption, SetupError> {
        setup::set_up(options, start)
    }

    fn to_move(&self) -> Seat {
        self.now.seat
    }

    fn outcome(&self) -> Option<Outcome> {
        self.now.outcome
    }

    fn actions(&self, actions: &mut Vec<Action>) {
        if self.now.outcome.is_some() {
            return;
        }
        match self.now.phase {
            Phase::Main => generate::splits_and_merges(&self.now, actions),
            Phase::Moves => generate::moves(&self.now, actions),
            Phase::Absorb => generate::absorptions(&self.now, self.rules.captors, actions),
        }
    }

    fn random_action(&self, random: &mut Random, scratch: &mut Vec<Action>) -> Option<Action> {
        if self.now.outcome.is_some() {
            return None;
        }
        match self.now.phase {
            Phase::Main => Some(generate::random_split_or_merge(&self.now, random)),
            Phase::Moves => Some(generate::random_move(&self.now, random)),
            Phase::Absorb => {
                scratch.clear();
                generate::absorptions(&self.now, self.rules.captors, scratch);
                random.pick(scratch)
            }
        }
    }

    fn play(&mut self, action: Action) -> Before {
        let before = self.now;
        match action {
            Action::Split { from, to } => self.split(from, to),
            Action::Merge { onto, others } => self.merge(onto, others),
            Action::Move { from, to } => self.move_pile(from, to),
            Action::End => self.end_moves(),
            Action::Absorb { from, into } => self.absorb(from, into),
        }
        Before(before)
    }

    fn undo(&mut self, _action: Action, before: Before) {
        self.now = before.0;
        self.begun.truncate(self.now.turns as usize + 1);
    }

    fn hash(&self) -> u64 {
        self.with_turns_left(self.now.key)
    }

    fn hash_from_scratch(&self) -> u64 {
        self.with_turns_left(self.now.key_from_scratch())
    }
}
