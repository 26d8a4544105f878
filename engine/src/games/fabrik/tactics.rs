//! Wins that can be proved without looking at everything: those of one turn, and those by turns
//! that each leave the enemy little choice.
//!
//! Under the official rules a cell can be reached if one worker sees it while the other one, which
//! will be moved, is out of the way. The enemy can take only one worker away before that. So what
//! counts is what each worker sees alone.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::ControlFlow;

use super::lines::{Lines, star};
use super::spot::{Spot, Spots};
use super::{Action, Fabrik, Rules, Stage};
use crate::game::Game;

/// A whole turn once the first stone was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MoveAndStone {
    worker: Option<(Spot, Spot)>,
    stone: Spot,
}

impl MoveAndStone {
    /// The turn in which the worker on `from` is on `to` when the stone is placed.
    fn new(from: Spot, to: Spot, stone: Spot) -> MoveAndStone {
        MoveAndStone { worker: (from != to).then_some((from, to)), stone }
    }

    fn actions(self) -> Vec<Action> {
        let worker = self.worker.map(|(from, to)| Action::Move(from, to));
        worker.into_iter().chain([Action::Stone(self.stone)]).collect()
    }
}

/// Wins of one turn.
impl Fabrik {
    /// Whether the seat to move can complete a line in what is left of its turn.
    #[inline]
    pub(super) fn can_complete_line(&self) -> bool {
        let winning = self.now.prospects[self.now.to_move.index()].winning;
        if winning.is_empty() {
            return false;
        }
        let at_once = !(winning & self.placements()).is_empty();
        at_once || self.now.stage == Stage::Turn && self.can_reach_any(winning)
    }

    /// Whether a stone can be placed on one of these cells after a worker move.
    fn can_reach_any(&self, cells: Spots) -> bool {
        (0..2).any(|mover| {
            let (from, other) = (self.now.workers[mover], self.now.workers[1 - mover]);
            let lifted = self.blocked.without(from);
            let seen = lifted.sight(other);
            match self.rules {
                Rules::Official => (cells & seen)
                    .iter()
                    .any(|cell| !(lifted.sight(cell) & !other.between(cell)).without(from).is_empty()),
                Rules::Report => (cells & !lifted.spots()).iter().any(|cell| {
                    let elsewhere = (!lifted.spots() & !other.between(cell)).without(cell).without(from);
                    let seen_by_other = seen.contains(cell) && !elsewhere.is_empty();
                    seen_by_other || !lifted.sight(cell).without(from).is_empty()
                }),
            }
        })
    }

    /// Whether the seat to move can, in what is left of its turn, leave the enemy without a turn.
    #[inline]
    pub(super) fn can_strand_enemy(&self) -> bool {
        let tight = [0, 1].map(|worker| self.open_directions(worker) <= 1);
        match (self.rules, self.now.stage) {
            (Rules::Official, Stage::AfterMove) => {
                tight == [true, true] && self.placements().iter().any(|stone| self.strands(0, 1, stone))
            }
            (Rules::Official, Stage::Turn) => {
                (0..2).any(|keeper| tight[keeper] && self.strands_keeping(keeper))
            }
            _ => false,
        }
    }

    /// In how many directions a worker sees more than the next cell, the other one being out of the
    /// way. A stone closes one of them at most, and in an open one there is always a turn: the
    /// other worker goes to the second cell, the stone to the first.
    #[inline]
    pub(super) fn open_directions(&self, worker: usize) -> u32 {
        let from = self.now.workers[worker];
        let around = (self.now.seen[worker] & SECOND_CELLS[from.index()]).count();
        if around > 1 { around } else { (self.reach(worker) & SECOND_CELLS[from.index()]).count() }
    }

    /// What a worker sees when the other one is out of the way.
    #[inline]
    pub(super) fn reach(&self, worker: usize) -> Spots {
        let (own, other) = (self.now.workers[worker], self.now.workers[1 - worker]);
        if star(own).contains(other) { self.blocked.without(other).sight(own) } else { self.now.seen[worker] }
    }

    #[cold]
    fn strands_keeping(&self, keeper: usize) -> bool {
        let (other, from) = (self.now.workers[keeper], self.now.workers[1 - keeper]);
        let lifted = self.blocked.without(from);
        lifted.sight(other).iter().any(|stone| {
            let after = lifted.with(stone);
            let places = || lifted.sight(stone) & !other.between(stone);
            sees_nothing_to_share(&after, other)
                && places().iter().any(|to| sees_nothing_to_share(&after.without(other).with(to), to))
        })
    }

    #[cold]
    fn strands(&self, first: usize, second: usize, stone: Spot) -> bool {
        let after = self.blocked.with(stone);
        let [first, second] = [first, second].map(|worker| self.now.workers[worker]);
        sees_nothing_to_share(&after.without(second), first)
            && sees_nothing_to_share(&after.without(first), second)
    }

    /// A turn that wins at once, if there is one.
    pub(super) fn winning_turn(&self) -> Option<Vec<Action>> {
        let seat = self.now.to_move;
        let mut actions = Vec::new();
        self.actions(&mut actions);
        actions.into_iter().find_map(|action| {
            let mut after = self.clone();
            after.play(action);
            match after.now.stage {
                Stage::Over(outcome) => (outcome.winner == Some(seat)).then(|| vec![action]),
                Stage::AfterMove => {
                    let rest = after.winning_turn()?;
                    Some([vec![action], rest].concat())
                }
                _ => None,
            }
        })
    }
}

/// Whether a worker sees no cell that the other one, wherever it went, could see as well.
fn sees_nothing_to_share(blocked: &Lines, worker: Spot) -> bool {
    blocked.sight(worker).iter().all(|cell| blocked.sight(cell).is_empty())
}

/// Whether a worker with this view sees more than the next cell in one direction at most.
fn is_shut_in(worker: Spot, view: Spots) -> bool {
    (view & SECOND_CELLS[worker.index()]).count() <= 1
}

/// The cells two steps from a cell in the 8 directions.
static SECOND_CELLS: [Spots; 256] = {
    let mut second_cells = [Spots::NONE; 256];
    let mut index = 0;
    while index < 256 {
        let (column, row) = (index % 16, index / 16);
        let mut direction = 0;
        while direction < 9 {
            let (to_column, to_row) = (column + direction % 3 * 2, row + direction / 3 * 2);
            let on_grid = 2 <= to_column && to_column < 18 && 2 <= to_row && to_row < 18;
            if direction != 4 && on_grid {
                second_cells[index] = second_cells[index].with(Spot::new(to_column - 2, to_row - 2));
            }
            direction += 1;
        }
        index += 1;
    }
    second_cells
};

/// Threats and what can be done about them, under the official rules.
impl Fabrik {
    /// Turns that leave the enemy little choice, the strongest first. Either each worker sees a
    /// cell where the seat to move would complete a line with its next turn: the enemy, who can
    /// take only one worker away, has to use its stone. Or both workers are shut in, and the enemy
    /// has few turns at all.
    fn forcing_turns(&self) -> Vec<MoveAndStone> {
        let seat = self.now.to_move;
        let before = self.now.prospects[seat.index()];
        let mut turns = Vec::new();
        for keeper in 0..2 {
            let (other, from) = (self.now.workers[keeper], self.now.workers[1 - keeper]);
            let lifted = self.blocked.without(from);
            let seen = lifted.sight(other) & !before.winning;
            let is_nearly_shut_in = (seen & SECOND_CELLS[other.index()]).count() <= 2;
            let stones =
                if before.winning.is_empty() && !is_nearly_shut_in { seen & before.building } else { seen };
            for stone in stones.iter() {
                let winning = before.winning | self.newly_winning(seat, stone);
                let after = lifted.with(stone);
                let view = after.sight(other);
                let kept = (view & winning).count();
                let shut_in = is_shut_in(other, view);
                if kept == 0 && !shut_in {
                    continue;
                }
                let bare = after.without(other);
                let places = lifted.sight(stone) & !other.between(stone);
                for to in places.iter().filter(|&to| keeper == 0 || to != from) {
                    let view_of_moved = bare.sight(to);
                    let moved = (view_of_moved & winning).count();
                    let threats = kept.min(moved);
                    if threats > 0 || shut_in && is_shut_in(to, view_of_moved) {
                        let choice = view.count() + view_of_moved.count();
                        turns.push((
                            (Reverse(threats), Reverse(kept + moved), choice),
                            MoveAndStone::new(from, to, stone),
                        ));
                    }
                }
            }
        }
        turns.sort_by_key(|&(strength, _)| strength);
        turns.into_iter().map(|(_, turn)| turn).collect()
    }

    /// Visits all turns of the seat to move but for some after which the enemy completes a line at
    /// once, until the visitor breaks off.
    fn defending_turns(&self, mut visit: impl FnMut(MoveAndStone) -> ControlFlow<()>) -> ControlFlow<()> {
        let enemy = self.now.prospects[(!self.now.to_move).index()];
        let [first, second] = self.now.workers;
        let bare = self.blocked.without(first).without(second);
        let threats = self.certain_threats(enemy.winning, &bare);
        for keeper in 0..2 {
            let (other, from) = (self.now.workers[keeper], self.now.workers[1 - keeper]);
            let lifted = self.blocked.without(from);
            let seen = lifted.sight(other);
            let mut stones = seen;
            for threat in (seen & threats).iter() {
                // The stone has to come between the worker that stays and what it must not see.
                stones &= other.between(threat).with(threat);
            }
            for stone in stones.iter() {
                let dangerous = seen_from_any(&bare.with(stone), threats.without(stone));
                let places = lifted.sight(stone) & !other.between(stone) & !dangerous;
                for to in places.iter().filter(|&to| keeper == 0 || to != from) {
                    visit(MoveAndStone::new(from, to, stone))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Those of the winning cells that can be reached whenever one worker sees them. Three cells
    /// without a stone around one are enough: the stone of the turn before may take one of them,
    /// and the worker that stays looks over another, or stands on it.
    fn certain_threats(&self, winning: Spots, bare: &Lines) -> Spots {
        let empty = !bare.spots();
        let mut threats = Spots::NONE;
        for cell in winning.iter() {
            if (Spots::NONE.with(cell).neighbours() & empty).count() >= 3 {
                threats = threats.with(cell);
            }
        }
        threats
    }

    fn play_turn(&self, turn: MoveAndStone) -> Fabrik {
        let mut after = self.clone();
        if let Some((from, to)) = turn.worker {
            after.play(Action::Move(from, to));
        }
        after.play(Action::Stone(turn.stone));
        after
    }
}

/// The cells that see at least one of these.
fn seen_from_any(blocked: &Lines, cells: Spots) -> Spots {
    cells.iter().fold(Spots::NONE, |seen, cell| seen | blocked.sight(cell))
}

/// A search for a win by turns that leave the enemy little choice.
struct Hunt<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
    /// Set once there is no more effort left.
    given_up: bool,
    /// Set if anything was left out because it would take more turns.
    cut_short: bool,
    /// Positions by hash from which so many own turns were tried and are not enough.
    fruitless: HashMap<u64, u32>,
}

/// With more ways out than this a turn does not force much.
const MOST_DEFENCES: usize = 40;
/// How many positions each one that a hunt looks at is counted as: between even players hunting for
/// longer wins less than searching deeper.
const PRICE: usize = 4;
/// More positions than this are not remembered, however long the hunt: they would fill the memory.
const MOST_FRUITLESS: usize = 1 << 18;
/// Own turns that a forced win takes at most.
const MOST_TURNS: u32 = 12;

impl Hunt<'_> {
    /// The first turn of a win in so many own turns, the last of which completes a line or strands
    /// the enemy. There is no win in one.
    fn attack(&mut self, game: &Fabrik, turns: u32) -> Option<MoveAndStone> {
        if self.fruitless.get(&game.hash()).is_some_and(|&tried| tried >= turns) {
            return None;
        }
        for turn in game.forcing_turns() {
            let after = game.play_turn(turn);
            if self.leaves_no_defence(&after, turns - 1) {
                return Some(turn);
            }
            if self.given_up {
                return None;
            }
        }
        if self.fruitless.len() < MOST_FRUITLESS {
            self.fruitless.insert(game.hash(), turns);
        }
        None
    }

    /// Pays for a position. `false` once there is no more effort left.
    fn spend(&mut self) -> bool {
        self.given_up = self.given_up || !(0..PRICE).all(|_| (self.go_on)());
        !self.given_up
    }

    /// Whether the seat to move loses within so many turns of its enemy whatever it does.
    fn leaves_no_defence(&mut self, game: &Fabrik, turns: u32) -> bool {
        if !self.spend() || game.outcome().is_some() || game.wins() {
            return false;
        }
        let most_defences = if turns == 1 { 0 } else { MOST_DEFENCES };
        let mut defences = Vec::new();
        let visited = game.defending_turns(|turn| {
            if !self.spend() {
                return ControlFlow::Break(());
            }
            let after = game.play_turn(turn);
            if !after.wins() {
                self.cut_short |= turns == 1;
                defences.push(after);
            }
            if defences.len() > most_defences { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if visited.is_break() {
            return false;
        }
        defences.iter().all(|after| self.attack(after, turns).is_some())
    }
}

impl Fabrik {
    /// Whether the seat to move wins with this turn.
    #[inline]
    pub(super) fn wins(&self) -> bool {
        self.can_complete_line() || self.can_strand_enemy()
    }

    /// Turns that leave the enemy little choice, the strongest first.
    pub(super) fn likely_to_force(&self) -> Vec<Vec<Action>> {
        if self.rules != Rules::Official || self.now.stage != Stage::Turn {
            return Vec::new();
        }
        self.forcing_turns().into_iter().map(MoveAndStone::actions).collect()
    }

    /// See [`crate::search::Hints::forced_win`].
    pub(super) fn hunt(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
        if self.wins() {
            return self.winning_turn();
        }
        if self.rules != Rules::Official || self.now.stage != Stage::Turn {
            return None;
        }
        let mut hunt = Hunt { go_on, given_up: false, cut_short: true, fruitless: HashMap::new() };
        for turns in 2..=MOST_TURNS {
            if !hunt.cut_short {
                break;
            }
            hunt.cut_short = false;
            if let Some(turn) = hunt.attack(self, turns) {
                return Some(turn.actions());
            }
            if hunt.given_up {
                break;
            }
        }
        None
    }
}
