//! Pockets: small regions without stones, in which the rest of a game is known exactly.
//!
//! A stone goes where both workers see, so the worker that stays decides where the game goes on:
//! the other one has to come into its region, the cells without a stone that hang together with its
//! own in 8 directions, and no later turn leaves that region. Stones cut regions in two. Whoever
//! begins a turn with a worker in a small region may therefore go on there and nowhere else until
//! somebody can place no stone. Where no line can be completed it makes no difference whose the
//! stones are, and who is stranded follows from the form of the region and the cells of the
//! workers.

use std::cell::RefCell;

use tabuleiro_protocol::Seat;

use super::spot::{ROW, Spot, Spots};
use super::{Fabrik, Rules, Stage};

/// No larger region is looked at: what comes of it takes too long to find out.
const MOST_CELLS: u32 = 12;

impl Fabrik {
    /// Whether the seat to move, which begins a turn, wins or loses because a worker stands in a
    /// pocket. `None` if that does not follow from pockets.
    pub(super) fn decided_by_pockets(&self) -> Option<bool> {
        if self.rules != Rules::Official || self.now.stage != Stage::Turn {
            return None;
        }
        let [first, second] = self.now.workers;
        let pockets = [0, 1].map(|worker| self.pocket_of(worker));
        let own = self.now.to_move;
        match pockets {
            [None, None] => None,
            [Some(cells), _] if cells.contains(second) => {
                let wins = Pocket::new(cells)?.wins(first, second);
                self.is_certain(wins, cells).then_some(wins)
            }
            pockets => {
                let mut loses = true;
                for (pocket, worker) in pockets.into_iter().zip([first, second]) {
                    let Some(cells) = pocket else {
                        loses = false;
                        continue;
                    };
                    match Pocket::new(cells).map(|pocket| pocket.wins_by_entering(worker)) {
                        Some(true) if self.is_certain(true, cells) => return Some(true),
                        Some(false) => loses &= !self.has_lines_within(own, cells),
                        _ => loses = false,
                    }
                }
                loses.then_some(false)
            }
        }
    }

    /// The region of a worker if it is a small one.
    fn pocket_of(&self, worker: usize) -> Option<Spots> {
        let [first, second] = self.now.workers;
        let mut cells = self.now.seen[worker].with(self.now.workers[worker]);
        if cells.count() > MOST_CELLS {
            return None;
        }
        let ground = self.empty_spots().with(first).with(second);
        loop {
            let more = cells | cells.neighbours() & ground;
            if more.count() > MOST_CELLS {
                return None;
            }
            if more == cells {
                return Some(cells);
            }
            cells = more;
        }
    }

    /// Whether no line can come in the way of whoever loses if the seat to move wins, or does not,
    /// in this pocket.
    fn is_certain(&self, wins: bool, cells: Spots) -> bool {
        let loser = if wins { !self.now.to_move } else { self.now.to_move };
        !self.has_lines_within(loser, cells)
    }

    /// Whether a seat could complete a line with the stones that it places in a pocket.
    fn has_lines_within(&self, seat: Seat, cells: Spots) -> bool {
        // Two cells are left to the workers, and half of the others to the enemy.
        let stones = (cells.count() as usize).saturating_sub(2).div_ceil(2);
        cells.iter().any(|cell| self.may_complete_line(seat, cell, cells, stones))
    }
}

/// A pocket on a small board of its own: rows of eight, of which the last one stays free so that
/// nothing that is shifted comes in again on the other side.
#[derive(Clone, Copy)]
struct Pocket {
    cells: u64,
    /// The cell of the real board that is the first one here.
    corner: Spot,
}

/// From a cell to the next one on each of the lines through it.
const STEPS: [u32; 4] = [1, 7, 8, 9];

impl Pocket {
    /// `None` if the region is too long.
    fn new(region: Spots) -> Option<Pocket> {
        let row = |row: usize| region.0[row / 4] >> (16 * (row % 4)) & 0xFFFF;
        let top = (0..ROW).find(|&at| row(at) != 0)?;
        let columns = (top..ROW).fold(0, |columns, at| columns | row(at));
        let left = columns.trailing_zeros() as usize;
        let is_long = (top + 8..ROW).any(|at| row(at) != 0) || columns >> left >= 1 << 7;
        if is_long {
            return None;
        }
        let cells = (top..ROW.min(top + 8)).fold(0, |cells, at| cells | row(at) >> left << (8 * (at - top)));
        Some(Pocket { cells, corner: Spot::new(left, top) })
    }

    fn bit(self, spot: Spot) -> u64 {
        1 << (8 * (spot.row() - self.corner.row()) + spot.column() - self.corner.column())
    }

    /// Whether the seat to move wins with both workers in the pocket.
    fn wins(self, first: Spot, second: Spot) -> bool {
        KNOWN.with_borrow_mut(|known| wins(self.cells, self.bit(first), self.bit(second), known))
    }

    /// Whether it wins by taking the other worker, which is elsewhere, into the pocket of this one.
    fn wins_by_entering(self, worker: Spot) -> bool {
        KNOWN.with_borrow_mut(|known| wins_beside(self.cells, self.bit(worker), 0, known))
    }
}

/// Whether the seat to move wins with its workers on two of these cells.
fn wins(cells: u64, first: u64, second: u64, known: &mut Known) -> bool {
    let (cells, first, second) = simplified(cells, first, second);
    if let Some(wins) = known.get(cells, first | second) {
        return wins;
    }
    let both = sight(first, cells & !(first | second)) & sight(second, cells & !(first | second));
    let wins = bits(both).any(|stone| !wins(cells & !stone, first, second, known))
        || wins_beside(cells, first, second, known)
        || wins_beside(cells, second, first, known);
    known.put(cells, first | second, wins);
    wins
}

/// Whether it wins with one worker staying and the other one, perhaps from elsewhere, being moved.
fn wins_beside(cells: u64, stays: u64, from: u64, known: &mut Known) -> bool {
    let open = cells & !stays;
    bits(sight(stays, open)).any(|stone| {
        // The worker must not come between the stone and the one that stays.
        let places = sight(stone, open) & !from;
        bits(places)
            .any(|to| sight(stays, open & !to) & stone != 0 && !wins(cells & !stone, stays, to, known))
    })
}

/// The same with nothing but the regions of the workers, as far up and left as they can go.
fn simplified(cells: u64, first: u64, second: u64) -> (u64, u64, u64) {
    let mut region = first | second;
    loop {
        let beside = region | region << 1 | region >> 1;
        let more = (beside | beside << 8 | beside >> 8) & cells;
        if more == region {
            break;
        }
        region = more;
    }
    let mut columns = region;
    for by in [32, 16, 8] {
        columns |= columns >> by;
    }
    let by = region.trailing_zeros() / 8 * 8 + (columns & 0xFF).trailing_zeros();
    (region >> by, first >> by, second >> by)
}

/// What is seen from a cell over open ones.
fn sight(from: u64, open: u64) -> u64 {
    let mut seen = 0;
    for step in STEPS {
        let mut ray = from << step & open;
        while ray != 0 {
            seen |= ray;
            ray = ray << step & open;
        }
        let mut ray = from >> step & open;
        while ray != 0 {
            seen |= ray;
            ray = ray >> step & open;
        }
    }
    seen
}

fn bits(mut cells: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = cells & cells.wrapping_neg();
        cells ^= bit;
        (bit != 0).then_some(bit)
    })
}

thread_local! {
    /// A search meets the same pockets again and again.
    static KNOWN: RefCell<Known> = const { RefCell::new(Known(Vec::new())) };
}

/// What was found out about pockets: the cells, those of the workers, and whether the seat to move
/// wins.
struct Known(Vec<(u64, u64)>);

const SLOTS: usize = 1 << 14;
/// No cell: the last column stays free.
const WON: u64 = 1 << 63;

impl Known {
    fn slot(cells: u64, workers: u64) -> usize {
        let mixed = (cells ^ workers.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 50) as usize
    }

    fn get(&self, cells: u64, workers: u64) -> Option<bool> {
        let &(known, said) = self.0.get(Known::slot(cells, workers))?;
        (known == cells && said & !WON == workers).then_some(said & WON != 0)
    }

    fn put(&mut self, cells: u64, workers: u64, wins: bool) {
        if self.0.is_empty() {
            self.0 = vec![(0, 0); SLOTS];
        }
        self.0[Known::slot(cells, workers)] = (cells, workers | if wins { WON } else { 0 });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::{Map, json};

    use super::*;
    use crate::game::{Describe, Game, GameOptions};
    use crate::random::Random;

    /// Whether the seat to move wins, found out by trying everything.
    fn wins_for_certain(game: &mut Fabrik, known: &mut HashMap<u64, bool>) -> bool {
        if let Some(&wins) = known.get(&game.hash()) {
            return wins;
        }
        let seat = game.to_move();
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let wins = actions.into_iter().any(|action| {
            let undo = game.play(action);
            let wins = match game.outcome() {
                Some(outcome) => outcome.winner == Some(seat),
                None => wins_for_certain(game, known) == (game.to_move() == seat),
            };
            game.undo(action, undo);
            wins
        });
        known.insert(game.hash(), wins);
        wins
    }

    #[test]
    fn what_pockets_decide_is_what_trying_everything_finds() {
        let mut random = Random::new(14);
        let (mut won, mut lost) = (0, 0);
        for round in 0..3_000 {
            let members = [("size", json!(6)), ("goal", json!(4 + round % 2))];
            let options = Map::from_iter(members.map(|(name, value)| (name.to_string(), value)));
            let options = GameOptions::check(&Fabrik::options(), &options).expect("options");
            let mut game = Fabrik::start(&options, 0);
            while game.outcome().is_none() {
                if let Some(wins) = game.decided_by_pockets()
                    && game.empty_spots().count() <= 14
                {
                    let tried = wins_for_certain(&mut game.clone(), &mut HashMap::new());
                    assert_eq!(tried, wins, "{game:?}");
                    *(if wins { &mut won } else { &mut lost }) += 1;
                    break;
                }
                let Some(action) = game.random_action(&mut random, &mut Vec::new()) else { break };
                game.play(action);
            }
        }
        assert!(won >= 100 && lost >= 100, "{won} won and {lost} lost");
    }
}
