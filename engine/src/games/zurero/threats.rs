//! Slides that win, slides that threaten to, and wins by one such threat after another.

use std::collections::HashMap;

use tabuleiro_protocol::Seat;

use super::stones::{MAX, Windows, cell_on, first_cells, lines_through, places, window};
use super::{Action, Change, Edge, Slide, Zurero};
use crate::cell::Cell;
use crate::game::Game;

/// A slide that would complete a five, and the five.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threat {
    edge: Edge,
    entry: u8,
    /// The line that the five is on, and its places there.
    line: usize,
    five: u32,
}

impl Threat {
    pub(super) fn slide(self) -> Action {
        Action::Slide(self.edge, self.entry)
    }

    /// Whether what happens on a cell might stop this. Elsewhere nothing can: the slide and the five stay as they are.
    fn depends_on(self, cell: Cell) -> bool {
        let entry = if self.edge.along_row() { cell.row } else { cell.column };
        entry == self.entry
            || lines_through(cell).into_iter().any(|(line, bit)| line == self.line && bit & self.five != 0)
    }
}

impl Zurero {
    /// A slide by which a seat would win if it were to move now. The game must not be over.
    #[inline]
    pub(super) fn threat_of(&self, seat: Seat) -> Option<Threat> {
        let stones = &self.stones[seat.index()];
        for line in stones.lines_with_threes() {
            let own = stones.line(line);
            for first in places(Windows::of(own).four_or_more & first_cells(self.size, line)) {
                let five = window(first);
                let missing = cell_on(line, (five & !own).trailing_zeros());
                if let Some((edge, entry)) = self.way_to_gain(seat, missing) {
                    return Some(Threat { edge, entry, line, five });
                }
            }
        }
        None
    }

    /// How a seat would get a stone onto a cell by one slide.
    #[inline]
    fn way_to_gain(&self, seat: Seat, cell: Cell) -> Option<(Edge, u8)> {
        let ways = Edge::ALL.map(|edge| (edge, if edge.along_row() { cell.row } else { cell.column }));
        ways.into_iter().find(|&(edge, entry)| {
            self.may_enter(edge, entry) && self.change_by(seat, Action::Slide(edge, entry)).gained == cell
        })
    }

    /// The cells that each seat would get a stone onto by one slide, row by row.
    pub(super) fn within_reach(&self) -> [[u32; MAX]; 2] {
        let mut within_reach = [[0; MAX]; 2];
        let mut add =
            |seat: Seat, cell: Cell| within_reach[seat.index()][cell.row as usize] |= 1 << cell.column;
        for edge in Edge::ALL {
            for entry in places(self.open[edge as usize]) {
                let Slide { stop, pushed_to } = self.slide(edge, entry as u8);
                match pushed_to {
                    None => Seat::BOTH.into_iter().for_each(|seat| add(seat, stop)),
                    Some(to) => {
                        let owner = if self.stones[0].has(stop) { Seat::One } else { Seat::Two };
                        add(owner, to);
                        add(!owner, stop);
                    }
                }
            }
        }
        within_reach
    }

    /// Adds every slide of the seat to move's after which the enemy, who threatens this, cannot win at once. The seat to move must not be
    /// able to win at once itself.
    pub(super) fn add_defences(&mut self, threat: Threat, defences: &mut Vec<Action>) {
        let enemy = !self.to_move;
        for edge in Edge::ALL {
            for entry in places(self.open[edge as usize]) {
                let action = Action::Slide(edge, entry as u8);
                let Change { gained, enemy_to } = self.change(action);
                if !threat.depends_on(gained) && !enemy_to.is_some_and(|to| threat.depends_on(to)) {
                    continue;
                }
                let undo = self.play(action);
                let holds = match self.outcome {
                    Some(outcome) => outcome.winner != Some(enemy),
                    None => self.threat_of(enemy).is_none(),
                };
                self.undo(action, undo);
                if holds {
                    defences.push(action);
                }
            }
        }
    }

    /// The cells that would make a third stone of five a fourth, row by row.
    fn fourth_cells(&self, seat: Seat) -> Fourths {
        let stones = &self.stones[seat.index()];
        let mut fourths = Fourths { cells: [0; MAX], is_there_a_four: false };
        for line in stones.lines_with_threes() {
            let own = stones.line(line);
            let windows = Windows::of(own);
            let first_cells = first_cells(self.size, line);
            fourths.is_there_a_four |= windows.four_or_more & first_cells != 0;
            for first in places(windows.three_or_more & first_cells) {
                for place in places(window(first) & !own) {
                    let cell = cell_on(line, place);
                    fourths.cells[cell.row as usize] |= 1 << cell.column;
                }
            }
        }
        fourths
    }

    /// A slide that begins a win by threats, each of which leaves the enemy no time for anything else.
    pub(super) fn win_by_threats(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Action> {
        if let Some(threat) = self.threat_of(self.to_move) {
            return Some(threat.slide());
        }
        if !self.stones[self.to_move.index()].has_threes() {
            return None;
        }
        let mut search = ThreatSearch {
            game: self.clone(),
            attacker: self.to_move,
            failures: HashMap::new(),
            is_cut: false,
            go_on,
        };
        for threats in 1..=MOST_THREATS {
            search.is_cut = false;
            match search.attack(threats) {
                Ok(None) if search.is_cut => {}
                Ok(found) => return found,
                Err(GivenUp) => return None,
            }
        }
        None
    }
}

/// What an attacker may build on.
struct Fourths {
    cells: [u32; MAX],
    /// A four that lacks a slide to its fifth cell, which any slide might make.
    is_there_a_four: bool,
}

/// No win takes more threats than this, or nobody looks.
const MOST_THREATS: u8 = 30;

const HOWEVER_MANY: u8 = u8::MAX;

/// The one who was asked did not want to go on.
struct GivenUp;

struct ThreatSearch<'a> {
    game: Zurero,
    attacker: Seat,
    /// The positions that so many threats do not win, or [`HOWEVER_MANY`], by their hashes.
    failures: HashMap<u64, u8>,
    /// Whether more threats might win where these did not.
    is_cut: bool,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl ThreatSearch<'_> {
    /// The first of at most so many threats that win. The attacker is to move and cannot win at once.
    fn attack(&mut self, threats: u8) -> Result<Option<Action>, GivenUp> {
        if !(self.go_on)() {
            return Err(GivenUp);
        }
        let hash = self.game.hash;
        if let Some(&failed) = self.failures.get(&hash)
            && failed >= threats
        {
            self.is_cut |= failed != HOWEVER_MANY;
            return Ok(None);
        }
        let was_cut = std::mem::replace(&mut self.is_cut, false);
        let mut attacks = Vec::new();
        let fourths = self.game.fourth_cells(self.attacker);
        for edge in Edge::ALL {
            for entry in places(self.game.open[edge as usize]) {
                let action = Action::Slide(edge, entry as u8);
                let gained = self.game.change(action).gained;
                if !fourths.is_there_a_four && fourths.cells[gained.row as usize] >> gained.column & 1 == 0 {
                    continue;
                }
                let undo = self.game.play(action);
                let defences = self.defences();
                self.game.undo(action, undo);
                match defences? {
                    Some(defences) if defences.is_empty() => return Ok(Some(action)),
                    Some(defences) => attacks.push((action, defences)),
                    None => {}
                }
            }
        }
        if threats == 1 {
            self.is_cut |= !attacks.is_empty();
        } else {
            attacks.sort_by_key(|(_, defences)| defences.len());
            for (action, defences) in &attacks {
                let undo = self.game.play(*action);
                let wins = self.beats_all(defences, threats - 1);
                self.game.undo(*action, undo);
                if wins? {
                    return Ok(Some(*action));
                }
            }
        }
        if !attacks.is_empty() {
            self.failures.insert(hash, if self.is_cut { threats } else { HOWEVER_MANY });
        }
        self.is_cut |= was_cut;
        Ok(None)
    }

    /// What the enemy has to choose from after a slide of the attacker's. `None` if it is not forced to do anything.
    fn defences(&mut self) -> Result<Option<Vec<Action>>, GivenUp> {
        if self.game.outcome.is_some() {
            return Ok(None);
        }
        let Some(threat) = self.game.threat_of(self.attacker) else { return Ok(None) };
        if self.game.threat_of(!self.attacker).is_some() {
            return Ok(None);
        }
        if !(self.go_on)() {
            return Err(GivenUp);
        }
        let mut defences = Vec::new();
        self.game.add_defences(threat, &mut defences);
        Ok(Some(defences))
    }

    fn beats_all(&mut self, defences: &[Action], threats: u8) -> Result<bool, GivenUp> {
        for &defence in defences {
            let undo = self.game.play(defence);
            let wins = match self.game.outcome {
                Some(_) => Ok(None),
                None => self.attack(threats),
            };
            self.game.undo(defence, undo);
            if wins?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
