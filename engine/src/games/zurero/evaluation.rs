use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::stones::{MAX, Windows, cell_on, first_cells, places, window};
use super::{Action, Zurero};
use crate::cell::Cell;
use crate::game::{Evaluate, Game, shipped_weights};

/// What five neighbouring cells of a line count for the side that has stones on some of them. A missing cell is within reach if one slide of that
/// side's would put a stone there; else it is open if it is empty, and lost if the enemy holds it. All of it counts differently for
/// the seat to move and for the one that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    /// Two stones and no enemy.
    two_to_move: i32,
    two_waiting: i32,
    /// Three stones, both missing cells within reach.
    three_to_move: i32,
    three_waiting: i32,
    /// Three stones, one missing cell within reach and one open.
    half_three_to_move: i32,
    half_three_waiting: i32,
    /// Three stones, both missing cells open.
    far_three_to_move: i32,
    far_three_waiting: i32,
    /// Three stones, a missing cell lost.
    lost_three_to_move: i32,
    lost_three_waiting: i32,
    /// Four stones, the missing cell within reach: the seat to move wins with it, the other one threatens to.
    four_to_move: i32,
    four_waiting: i32,
    /// Four stones, the missing cell open.
    far_four_to_move: i32,
    far_four_waiting: i32,
    /// Four stones, the missing cell lost.
    lost_four_to_move: i32,
    lost_four_waiting: i32,
    /// Of the cells of threes and fours, each one that the enemy could get a stone onto by one slide: by filling it or by pushing a stone off it.
    exposed_to_move: i32,
    exposed_waiting: i32,
    /// It being one's turn.
    turn: i32,
    good: i32,
}

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| shipped_weights(include_str!("../../../../assets/weights/zurero.json")));

impl Evaluate for Zurero {
    type Weights = Weights;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn good(weights: &Weights) -> i32 {
        weights.good
    }

    fn evaluate(&self, seat: Seat, weights: &Weights) -> i32 {
        if self.is_opening() {
            return 0;
        }
        let mover = self.to_move;
        let within_reach = self.within_reach();
        let ahead = self.worth(&within_reach, mover, &weights.of_mover())
            - self.worth(&within_reach, !mover, &weights.of_other())
            + weights.turn;
        if seat == mover { ahead } else { -ahead }
    }

    fn promise(&self, action: Action) -> i32 {
        self.promise_of(action)
    }

    fn wins_at_once(&self) -> bool {
        self.threat_of(self.to_move).is_some()
    }

    fn forced_win(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
        self.win_by_threats(go_on).map(|action| vec![action])
    }

    const EFFORT_AT_LEAVES: u32 = 8;

    /// The slides that stop a threat: what comes of it is decided by them, not by what stands on the board.
    fn beyond_horizon(&self, actions: &mut Vec<Action>) {
        if let Some(threat) = self.threat_of(!self.to_move) {
            self.clone().add_defences(threat, actions);
            if actions.is_empty() {
                // All is lost, and any slide shows it.
                self.actions(actions);
                actions.truncate(1);
            }
        }
    }
}

/// What counts for one side.
struct SideWeights {
    two: i32,
    /// By how many of the missing cells are within reach, where none is lost.
    three: [i32; 3],
    lost_three: i32,
    four: [i32; 2],
    lost_four: i32,
    exposed: i32,
}

impl Weights {
    fn of_mover(&self) -> SideWeights {
        SideWeights {
            two: self.two_to_move,
            three: [self.far_three_to_move, self.half_three_to_move, self.three_to_move],
            lost_three: self.lost_three_to_move,
            four: [self.far_four_to_move, self.four_to_move],
            lost_four: self.lost_four_to_move,
            exposed: self.exposed_to_move,
        }
    }

    fn of_other(&self) -> SideWeights {
        SideWeights {
            two: self.two_waiting,
            three: [self.far_three_waiting, self.half_three_waiting, self.three_waiting],
            lost_three: self.lost_three_waiting,
            four: [self.far_four_waiting, self.four_waiting],
            lost_four: self.lost_four_waiting,
            exposed: self.exposed_waiting,
        }
    }
}

impl Zurero {
    fn worth(&self, within_reach: &[[u32; MAX]; 2], seat: Seat, weights: &SideWeights) -> i32 {
        let [stones, enemy] = [seat, !seat].map(|seat| &self.stones[seat.index()]);
        let [own_reach, enemy_reach] = [seat, !seat].map(|seat| &within_reach[seat.index()]);
        let is_in = |reach: &[u32; MAX], cell: Cell| reach[cell.row as usize] >> cell.column & 1;
        let mut worth = 0;
        for line in stones.lines_with_twos() {
            let own = stones.line(line);
            let taken = enemy.line(line);
            let windows = Windows::of(own);
            let first_cells = first_cells(self.size, line);
            let twos = windows.two_or_more & !windows.three_or_more & !reaching(taken) & first_cells;
            worth += weights.two * twos.count_ones() as i32;
            for first in places(windows.three_or_more & first_cells) {
                let five = window(first);
                let missing = five & !own;
                let (mut reached, mut lost) = (0, 0);
                for place in places(missing) {
                    let is_within_reach = is_in(own_reach, cell_on(line, place));
                    reached += is_within_reach;
                    lost |= !is_within_reach & taken >> place & 1;
                }
                let is_four = windows.four_or_more >> first & 1 != 0;
                worth += match (is_four, lost != 0) {
                    (false, false) => weights.three[reached as usize],
                    (false, true) => weights.lost_three,
                    (true, false) => weights.four[reached as usize],
                    (true, true) => weights.lost_four,
                };
                for place in places(five) {
                    worth += weights.exposed * is_in(enemy_reach, cell_on(line, place)) as i32;
                }
            }
        }
        worth
    }
}

/// The places from which five neighbouring cells come upon one of these.
fn reaching(line: u32) -> u32 {
    let two = line | line >> 1;
    two | two >> 2 | line >> 4
}
