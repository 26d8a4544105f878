//! What may still become a line: kept up to date stone by stone, because a search asks for it at
//! every position.

use tabuleiro_protocol::Seat;

use super::Fabrik;
use super::lines::{self, STEPS};
use super::spot::{Spot, Spots};

/// How the lines of one seat stand. A stretch is `goal` cells in a row without an enemy stone; it
/// lacks the stones that are not there yet. A worker is not in the way: it can be taken elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prospects {
    /// How many stretches there are, by the number of stones on them, from one on.
    pub(super) stretches: [u16; 7],
    /// Cells without a stone where one would complete a line.
    pub(super) winning: Spots,
    /// Cells without a stone on a stretch that lacks at most two: the winning ones, and those where
    /// a stone makes another cell a winning one.
    pub(super) building: Spots,
}

impl Prospects {
    pub(super) const NONE: Prospects =
        Prospects { stretches: [0; 7], winning: Spots::NONE, building: Spots::NONE };
}

/// A stretch of cells as two small sets, the first cell as the lowest bit, and where it lies.
#[derive(Clone, Copy)]
struct Stretch {
    first: usize,
    step: usize,
    own: u16,
    enemy: u16,
}

impl Stretch {
    /// The cells without a stone.
    fn gaps(self, goal: u8) -> impl Iterator<Item = Spot> {
        let stones = self.own | self.enemy;
        (0..usize::from(goal))
            .filter(move |&place| stones >> place & 1 == 0)
            .map(move |place| Spot((self.first + place * self.step) as u8))
    }
}

impl Fabrik {
    /// All stretches through a cell, open or not, as a seat sees them.
    #[inline(always)]
    fn stretches_through(&self, spot: Spot, seat: Seat, mut visit: impl FnMut(Stretch)) {
        let (column, row, last) = (spot.column(), spot.row(), usize::from(self.size) - 1);
        let reach = usize::from(self.goal) - 1;
        // Cells on the board before and after this one.
        let room = [
            (column, last - column),
            (row, last - row),
            (column.min(row), (last - column).min(last - row)),
            ((last - column).min(row), column.min(last - row)),
        ];
        let mask = (1 << self.goal) - 1;
        let through = lines::through(spot);
        for direction in 0..4 {
            let ((line, bit), (before, after), step) =
                (through[direction], room[direction], STEPS[direction]);
            let own = self.stones[seat.index()].line(line);
            let enemy = self.stones[(!seat).index()].line(line);
            let farthest = before.min(reach);
            let nearest = reach - after.min(reach);
            for back in nearest..=farthest {
                let start = bit - back;
                visit(Stretch {
                    first: spot.index() - back * step,
                    step,
                    own: own >> start & mask,
                    enemy: enemy >> start & mask,
                });
            }
        }
    }

    /// Takes note of a stone that is about to be placed.
    #[inline]
    pub(super) fn foresee_stone(&mut self, seat: Seat, spot: Spot) {
        let (mut own, mut enemy) = (self.now.prospects[seat.index()], self.now.prospects[(!seat).index()]);
        let goal = usize::from(self.goal);
        self.stretches_through(spot, seat, |stretch| {
            if stretch.enemy == 0 {
                let stones = count(stretch.own);
                own.stretches[stones] -= u16::from(stones > 0);
                own.stretches[stones + 1] += 1;
                if stones + 3 >= goal {
                    for gap in stretch.gaps(self.goal) {
                        own.building = own.building.with(gap);
                        if stones + 2 == goal && gap != spot {
                            own.winning = own.winning.with(gap);
                        }
                    }
                }
            } else if stretch.own == 0 {
                enemy.stretches[count(stretch.enemy)] -= 1;
            }
        });
        for prospects in [&mut own, &mut enemy] {
            prospects.building = prospects.building.without(spot);
            prospects.winning = prospects.winning.without(spot);
        }
        self.now.prospects[seat.index()] = own;
        self.now.prospects[(!seat).index()] = enemy;
    }

    /// Forgets what a stone that was just placed has cut off from the enemy's lines.
    #[inline]
    pub(super) fn forget_cut_off(&mut self, enemy: Seat, spot: Spot) {
        let mut building = self.now.prospects[enemy.index()].building;
        for cell in (building & lines::star(spot)).iter() {
            let mut keeps = false;
            self.stretches_through(cell, enemy, |stretch| {
                keeps |= stretch.enemy == 0 && count(stretch.own) + 2 >= usize::from(self.goal);
            });
            if !keeps {
                building = building.without(cell);
            }
        }
        self.now.prospects[enemy.index()].building = building;
    }

    /// The cells that would become winning ones by a stone of the seat on an empty cell.
    pub(super) fn newly_winning(&self, seat: Seat, spot: Spot) -> Spots {
        let mut winning = Spots::NONE;
        self.stretches_through(spot, seat, |stretch| {
            if stretch.enemy == 0 && count(stretch.own) + 2 == usize::from(self.goal) {
                for gap in stretch.gaps(self.goal) {
                    winning = winning.with(gap);
                }
            }
        });
        winning.without(spot)
    }

    /// Whether so many stones on these cells could complete a line through one of them.
    pub(super) fn may_complete_line(&self, seat: Seat, cell: Spot, cells: Spots, stones: usize) -> bool {
        let mut may = false;
        self.stretches_through(cell, seat, |stretch| {
            may |= stretch.enemy == 0
                && count(stretch.own) + stones >= usize::from(self.goal)
                && stretch.gaps(self.goal).all(|gap| cells.contains(gap));
        });
        may
    }

    /// How much a stone of the seat to move on an empty cell would build or cut off, roughly.
    #[inline]
    pub(super) fn influence(&self, spot: Spot) -> i32 {
        const BUILDS: [i32; 6] = [1, 4, 16, 80, 80, 80];
        let mut worth = 0;
        self.stretches_through(spot, self.now.to_move, |stretch| {
            if stretch.enemy == 0 {
                worth += BUILDS[count(stretch.own)];
            } else if stretch.own == 0 {
                worth += BUILDS[count(stretch.enemy)] * 3 / 4;
            }
        });
        worth
    }
}

/// The number of cells in a set of six at most.
#[inline(always)]
fn count(cells: u16) -> usize {
    const COUNTS: [u8; 64] = {
        let mut counts = [0; 64];
        let mut cells = 0;
        while cells < 64 {
            counts[cells] = cells.count_ones() as u8;
            cells += 1;
        }
        counts
    };
    usize::from(COUNTS[usize::from(cells & 63)])
}
