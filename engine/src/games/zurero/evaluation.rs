//! What a position of Zurero is worth, and what helps to search it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::{Cell, Seat};

use super::features;
use super::stones::{LINES, MAX, Windows, first_cells, lines_through, places};
use super::{Action, Edge, Slide, Zurero};
use crate::game::Game;
use crate::search::{
    ByAction, Evaluate, FeatureSet, Hints, Inputs, Net, NodesOfLevels, ShippedNet, ShippedWeights, Tuning,
};

/// What every five neighbouring cells of a line count for the side that has some stones on them. A
/// missing cell is within reach if one slide of that side's would put a stone there. Fives with an
/// enemy's stone on a cell that is not within reach count nothing. All of it counts differently for
/// the seat to move and for the one that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    /// Two stones, no missing cell within reach.
    two_0_to_move: i32,
    two_0_waiting: i32,
    /// Two stones, one missing cell within reach.
    two_1_to_move: i32,
    two_1_waiting: i32,
    /// Two stones, two missing cells within reach.
    two_2_to_move: i32,
    two_2_waiting: i32,
    /// Two stones, all three missing cells within reach.
    two_3_to_move: i32,
    two_3_waiting: i32,
    /// Three stones, no missing cell within reach.
    three_0_to_move: i32,
    three_0_waiting: i32,
    /// Three stones, one missing cell within reach.
    three_1_to_move: i32,
    three_1_waiting: i32,
    /// Three stones, both missing cells within reach.
    three_2_to_move: i32,
    three_2_waiting: i32,
    /// Four stones, the missing cell not within reach.
    four_0_to_move: i32,
    four_0_waiting: i32,
    /// Four stones, the missing cell within reach: the seat to move wins with it, the other one
    /// threatens to.
    four_1_to_move: i32,
    four_1_waiting: i32,
    /// It being one's turn.
    turn: i32,
    scale: i32,
    #[serde(skip)]
    net: Option<Arc<Net>>,
}

static WEIGHTS: ShippedWeights<Weights> = ShippedWeights::with_net(
    include_str!("../../../../assets/weights/zurero.json"),
    ShippedNet { json: include_str!("../../../../assets/nets/zurero.json"), inputs: features::INPUTS },
    Zurero::with_net,
);

/// Few nodes see most of what there is, and more of them bring little.
const LEVELS: NodesOfLevels = NodesOfLevels { gentle: 500, novice: 900, club: 4_500, expert: 32_000 };

impl Evaluate for Zurero {
    type Weights = Weights;
    type Space = ByAction<Zurero>;

    const LIKELY_TURNS_FORCE: bool = true;

    fn shipped_weights(&self) -> Arc<Weights> {
        WEIGHTS.get()
    }

    fn nodes_of_levels(&self) -> NodesOfLevels {
        LEVELS
    }

    fn scale(weights: &Weights) -> i32 {
        weights.net.as_ref().map_or(weights.scale, |net| net.scale)
    }

    fn evaluate(&self, seat: Seat, weights: &Weights) -> i32 {
        if self.is_opening() {
            return 0;
        }
        let ahead = match &weights.net {
            None => weights.lead(&self.surveys(|_, _, _, _| {})),
            Some(net) => {
                let (surveys, forks) = self.surveys_and_forks();
                let hand_made = weights.lead(&surveys);
                net.judge_few(hand_made, |features| self.list_features(&surveys, &forks, features))
            }
        };
        if seat == self.to_move { ahead } else { -ahead }
    }

    fn inputs(&self) -> Option<Inputs> {
        Some(features::INPUTS)
    }

    fn features(&self, features: &mut FeatureSet) {
        if !self.is_opening() {
            let (surveys, forks) = self.surveys_and_forks();
            self.list_features(&surveys, &forks, features);
        }
    }

    fn with_net(weights: &Weights, net: Arc<Net>) -> Option<Weights> {
        Some(Weights { net: Some(net), ..weights.clone() })
    }

    fn wins_this_turn(
        &self,
        _answers: &mut Vec<Vec<Action>>,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        Some(self.threat_of(self.to_move).is_some())
    }

    fn likely_turns(&self, _go_on: &mut dyn FnMut() -> bool) -> Vec<Vec<Action>> {
        self.attacking_slides().into_iter().map(|slide| vec![slide]).collect()
    }

    /// Every slide adds a stone.
    fn never_repeats(&self) -> bool {
        true
    }
}

impl Hints for Zurero {
    const TUNING: Tuning =
        Tuning { reverse_futility_depth: 4, move_count_depth: 4, move_count_base: 6, ..Tuning::CAUTIOUS };

    #[inline]
    fn move_score(&self, action: Action) -> i32 {
        self.score_of_slide(action)
    }

    fn wins_at_once(&self) -> bool {
        self.threat_of(self.to_move).is_some()
    }

    fn forced_win(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
        self.win_by_threats(go_on).map(|action| vec![action])
    }

    /// What comes of a threat is decided by the slides that stop it, not by what stands on the
    /// board.
    fn quiescence_actions(&self, actions: &mut Vec<Action>) {
        self.forced_replies(actions);
    }

    fn is_quiet(&self) -> bool {
        self.threat_of(!self.to_move).is_none()
    }

    fn forced_replies(&self, actions: &mut Vec<Action>) {
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
    /// By how many of the missing cells are within reach.
    two: [i32; 4],
    three: [i32; 3],
    four: [i32; 2],
}

impl Weights {
    /// How far the seat to move is ahead. The surveys are of it and of the other one.
    #[inline]
    fn lead(&self, [own, enemy]: &[Survey; 2]) -> i32 {
        self.of_mover().worth(own) - self.of_other().worth(enemy) + self.turn
    }

    fn of_mover(&self) -> SideWeights {
        SideWeights {
            two: [self.two_0_to_move, self.two_1_to_move, self.two_2_to_move, self.two_3_to_move],
            three: [self.three_0_to_move, self.three_1_to_move, self.three_2_to_move],
            four: [self.four_0_to_move, self.four_1_to_move],
        }
    }

    fn of_other(&self) -> SideWeights {
        SideWeights {
            two: [self.two_0_waiting, self.two_1_waiting, self.two_2_waiting, self.two_3_waiting],
            three: [self.three_0_waiting, self.three_1_waiting, self.three_2_waiting],
            four: [self.four_0_waiting, self.four_1_waiting],
        }
    }
}

/// The cells that a seat would get a stone onto by one slide, along every line.
type Reach = [u32; LINES];

impl Zurero {
    /// By seat.
    fn reach(&self) -> [Reach; 2] {
        let mut reach = [[0; LINES]; 2];
        // One by one, so that each is compiled for its edge: every leaf of a search comes by here.
        self.add_reach(Edge::North, &mut reach);
        self.add_reach(Edge::East, &mut reach);
        self.add_reach(Edge::South, &mut reach);
        self.add_reach(Edge::West, &mut reach);
        reach
    }

    /// Adds what slides from an edge get to.
    #[inline(always)]
    fn add_reach(&self, edge: Edge, reach: &mut [Reach; 2]) {
        let mut add = |seat: Seat, cell: Cell| {
            for (line, bit) in lines_through(cell) {
                reach[seat.index()][line] |= bit;
            }
        };
        for entry in places(self.open[edge as usize]) {
            match self.slide(edge, entry as u8) {
                Slide { stop, pushed_to: None } => Seat::BOTH.into_iter().for_each(|seat| add(seat, stop)),
                Slide { stop, pushed_to: Some(to) } => {
                    let owner = if self.stones[0].has(stop) { Seat::One } else { Seat::Two };
                    add(owner, to);
                    add(!owner, stop);
                }
            }
        }
    }

    /// Of the seat to move and of the other one. `note` hears, by side and line, of the places on
    /// which one more stone, within reach of a slide, makes a four or a three.
    #[inline]
    fn surveys(&self, mut note: impl FnMut(usize, usize, u32, u32)) -> [Survey; 2] {
        let reach = self.reach();
        [0, 1].map(|side| {
            let seat = if side == 0 { self.to_move } else { !self.to_move };
            self.survey(seat, &reach[seat.index()], |line, fours, threes| note(side, line, fours, threes))
        })
    }

    fn surveys_and_forks(&self) -> ([Survey; 2], [Forks; 2]) {
        let mut makers = [Makers::NONE; 2];
        let surveys = self.surveys(|side, line, fours, threes| makers[side].note(line, fours, threes));
        (surveys, [makers[0].forks(), makers[1].forks()])
    }

    #[inline]
    fn survey(&self, seat: Seat, reach: &Reach, mut note: impl FnMut(usize, u32, u32)) -> Survey {
        let [stones, enemy] = [seat, !seat].map(|seat| &self.stones[seat.index()]);
        let (mut of_two, mut of_three, mut of_four) = (0, 0, 0);
        for line in stones.lines_with_twos() {
            let own = stones.line(line);
            let now = Windows::of(own);
            let begun = now.with_at_least_two() & first_cells(self.size, line);
            if begun == 0 {
                continue;
            }
            let within = reach[line] & !own;
            let alive = begun & !fives_with(enemy.line(line) & !within);
            if alive == 0 {
                continue;
            }
            let soon = Windows::of(own | within);
            let twos = now.with_two() & alive;
            let threes = now.with_three() & alive;
            note(line, cells_of_fives(threes) & within, cells_of_fives(twos) & within);
            if twos != 0 {
                of_two += counts([
                    twos & soon.with_two(),
                    twos & soon.with_three(),
                    twos & soon.with_four(),
                    twos & soon.with_five(),
                ]);
            }
            if now.with_at_least_three() & alive != 0 {
                of_three += counts([
                    threes & soon.with_three(),
                    threes & soon.with_four(),
                    threes & soon.with_five(),
                    0,
                ]);
                let fours = now.with_four() & alive;
                of_four += counts([fours & soon.with_four(), fours & soon.with_five(), 0, 0]);
            }
        }
        let count = |of: u64, number: u32| (of >> (16 * number) & 0xFFFF) as i32;
        Survey {
            two: [0, 1, 2, 3].map(|number| count(of_two, number)),
            three: [0, 1, 2].map(|number| count(of_three, number)),
            four: [0, 1].map(|number| count(of_four, number)),
        }
    }
}

impl SideWeights {
    fn worth(&self, survey: &Survey) -> i32 {
        let sum = |weights: &[i32], counts: &[i32]| -> i32 {
            weights.iter().zip(counts).map(|(weight, count)| weight * count).sum()
        };
        sum(&self.two, &survey.two) + sum(&self.three, &survey.three) + sum(&self.four, &survey.four)
    }
}

/// How many fives of one side are on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// By how many of the missing cells are within reach.
    pub(super) two: [i32; 4],
    pub(super) three: [i32; 3],
    pub(super) four: [i32; 2],
}

/// The first lines on which a slide of one side would make a four or a three.
#[derive(Clone, Debug)]
struct Makers {
    lines: [MakersOfLine; MOST_MAKERS],
    noted: usize,
}

/// The places of a line on which one more stone, within reach of a slide, makes a four or a three.
#[derive(Clone, Copy, Debug)]
struct MakersOfLine {
    line: u8,
    of_four: u32,
    of_three: u32,
}

/// More lines than this are not noted: there are hardly ever so many.
const MOST_MAKERS: usize = 32;
/// Nor are more cells.
const MOST_CELLS: usize = 96;

/// Where the cells of each line are among all cells, row by row: the one at place 0, which need not
/// be on the board, and the way to the next.
static LINE_CELLS: [(i16, i16); LINES] = cells_of_lines();

const fn cells_of_lines() -> [(i16, i16); LINES] {
    let mut cells = [(0, 0); LINES];
    let mut cell = 0;
    while cell < MAX * MAX {
        let steps = [1, MAX as i16, 1 - MAX as i16, 1 + MAX as i16];
        let lines = lines_through(Cell { column: (cell % MAX) as u8, row: (cell / MAX) as u8 });
        let mut direction = 0;
        while direction < lines.len() {
            let (line, bit) = lines[direction];
            let step = steps[direction];
            cells[line] = (cell as i16 - step * bit.trailing_zeros() as i16, step);
            direction += 1;
        }
        cell += 1;
    }
    cells
}

/// How many cells there are on which one slide makes threes or fours, by what it makes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Forks {
    /// A three, and nothing else.
    pub(super) three: u8,
    /// Two threes or more.
    pub(super) threes: u8,
    /// A four, and nothing else.
    pub(super) four: u8,
    /// A four, and a three or more.
    pub(super) four_and_three: u8,
    /// Two fours or more.
    pub(super) fours: u8,
}

impl Makers {
    const NONE: Makers =
        Makers { lines: [MakersOfLine { line: 0, of_four: 0, of_three: 0 }; MOST_MAKERS], noted: 0 };

    #[inline]
    fn note(&mut self, line: usize, of_four: u32, of_three: u32) {
        if of_four | of_three != 0
            && let Some(place) = self.lines.get_mut(self.noted)
        {
            *place = MakersOfLine { line: line as u8, of_four, of_three };
            self.noted += 1;
        }
    }

    fn forks(&self) -> Forks {
        // By cell: fours in the upper half, threes in the lower one.
        let mut made = [0u8; MAX * MAX];
        let mut touched = [0u16; MOST_CELLS];
        let mut count = 0;
        for &MakersOfLine { line, of_four, of_three } in &self.lines[..self.noted] {
            let (first, step) = LINE_CELLS[usize::from(line)];
            for place in places(of_four | of_three) {
                let index = (i32::from(first) + i32::from(step) * place as i32) as usize;
                if made[index] == 0 {
                    let Some(free) = touched.get_mut(count) else { break };
                    *free = index as u16;
                    count += 1;
                }
                made[index] += if of_four >> place & 1 != 0 { 16 } else { 1 };
            }
        }
        let mut forks = Forks::default();
        for &index in &touched[..count] {
            *match made[usize::from(index)] {
                1 => &mut forks.three,
                2..16 => &mut forks.threes,
                16 => &mut forks.four,
                17..32 => &mut forks.four_and_three,
                _ => &mut forks.fours,
            } += 1;
        }
        forks
    }
}

/// The cells of five neighbouring ones that begin at these places.
#[inline]
fn cells_of_fives(first: u32) -> u32 {
    let two = first | first << 1;
    two | two << 2 | first << 4
}

/// The places from which five neighbouring cells come upon one of these.
#[inline]
fn fives_with(line: u32) -> u32 {
    let two = line | line >> 1;
    two | two >> 2 | line >> 4
}

/// How many places there are in each of four sets, in 16 bits for each: counted at once, because
/// not every processor counts bits by itself. A line has at most 15 places where five can begin.
#[inline]
fn counts([first, second, third, fourth]: [u32; 4]) -> u64 {
    let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 16;
    let bits = both(first, second) | both(third, fourth) << 32;
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    (bytes + (bytes >> 8)) & 0x00FF_00FF_00FF_00FF
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tabuleiro_protocol::Start;

    use super::*;
    use crate::game::{Describe, GameOptions};
    use crate::random::Random;

    #[test]
    fn a_slide_that_makes_two_fours_is_a_fork() {
        let options =
            GameOptions::check(&Zurero::options(), json!({"size": 9}).as_object().expect("options"))
                .expect("options");
        let rows = [
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". b b b . . . . .",
            "b . . . . . . . .",
            "b . . . . w . . .",
            "b . . . . . . w .",
            ". . . . . w . . .",
        ];
        let start: Start = serde_json::from_value(json!({"rows": rows, "to_move": 1})).expect("a start");
        let game = Zurero::set_up(&options, &start).expect("a position");
        let (_, [forks, of_enemy]) = game.surveys_and_forks();
        // On a5, where row and column meet; on e5 and a9, where they end.
        assert_eq!(forks.fours, 1);
        assert_eq!(forks.four + forks.four_and_three, 2);
        assert_eq!(of_enemy.fours, 0);
    }

    #[test]
    fn four_sets_are_counted_at_once() {
        let mut random = Random::new(3);
        for _ in 0..1_000 {
            let sets = [(); 4].map(|()| random.below(1 << 15));
            let counted = counts(sets);
            let apart = [0, 16, 32, 48].map(|shift| (counted >> shift & 0xFFFF) as u32);
            assert_eq!(apart, sets.map(u32::count_ones), "{sets:?}");
        }
    }
}
