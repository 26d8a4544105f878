//! Slides that win, slides that threaten to, and wins by one such threat after another.

use std::collections::HashMap;

use tabuleiro_protocol::Seat;

use super::edge::Entry as _;
use super::stones::{Windows, cell_on, first_cells, lines_through, places, window};
use super::{Action, Change, Edge, Meeting, Zurero};
use crate::game::Game;
use tabuleiro_protocol::Cell;

/// A slide that would complete a five, and the five.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threat {
    edge: Edge,
    entry: u8,
    /// The places on the slide's row or column that it passes or that decide how it goes, as bits.
    way: u32,
    /// The line that the five is on, and its places there.
    line: usize,
    five: u32,
}

impl Threat {
    pub(super) fn slide(self) -> Action {
        Action::Slide(self.edge, self.entry)
    }

    /// Whether what happens on a cell might stop this. Elsewhere nothing can: the slide and the
    /// five stay as they are.
    #[inline]
    fn depends_on(self, cell: Cell) -> bool {
        let (entry, place) = self.edge.entry_and_place(cell);
        let mut depends = entry == self.entry && self.way >> place & 1 != 0;
        for (line, bit) in lines_through(cell) {
            depends |= line == self.line && bit & self.five != 0;
        }
        depends
    }
}

impl Zurero {
    /// A slide by which a seat would win if it were to move now. The game must not be over.
    #[inline]
    pub(super) fn threat_of(&self, seat: Seat) -> Option<Threat> {
        let stones = &self.stones[seat.index()];
        for line in stones.lines_with_threes() {
            let own = stones.line(line);
            for first in places(Windows::of(own).with_four() & first_cells(self.size, line)) {
                let five = window(first);
                let missing = cell_on(line, (five & !own).trailing_zeros());
                if let Some((edge, entry)) = self.ways_to_gain(seat, missing).next() {
                    return Some(Threat { edge, entry, way: self.way(edge, entry), line, five });
                }
            }
        }
        None
    }

    /// What a slide depends on: the places up to the first stone, and the one behind it.
    #[inline]
    fn way(&self, edge: Edge, entry: u8) -> u32 {
        let taken = self.taken(edge.along_row(), entry);
        if edge.backwards() {
            let first = 31 - taken.leading_zeros();
            !0 << first.saturating_sub(1)
        } else {
            let first = taken.trailing_zeros();
            (4 << first) - 1
        }
    }

    /// How a seat would get a stone onto a cell by one slide.
    #[inline]
    fn ways_to_gain(&self, seat: Seat, cell: Cell) -> impl Iterator<Item = (Edge, u8)> {
        Edge::ALL.into_iter().filter_map(move |edge| {
            let (entry, place) = edge.entry_and_place(cell);
            self.gains(seat, edge, entry, place).then_some((edge, entry))
        })
    }

    /// Whether a slide would get a seat's stone onto this place of its row or column.
    #[inline]
    fn gains(&self, seat: Seat, edge: Edge, entry: u8, place: u8) -> bool {
        if self.taken(edge.along_row(), entry) == 0 {
            return false;
        }
        let Meeting { first, step, can_push } = self.meeting(edge, entry);
        let stones = &self.stones[seat.index()];
        let own = if edge.along_row() { stones.row(entry) } else { stones.column(entry) };
        match (i32::from(place) - first) * step {
            -1 => !can_push,
            0 => can_push && own >> first & 1 == 0,
            1 => can_push && own >> first & 1 != 0,
            _ => false,
        }
    }

    /// Adds every slide of the seat to move's after which the enemy, who threatens this, cannot win
    /// at once. The seat to move must not be able to win at once itself.
    pub(super) fn add_defences(&mut self, threat: Threat, defences: &mut Vec<Action>) {
        let enemy = !self.to_move;
        for action in Slides(self.open).actions() {
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

    /// The slides after which a seat might threaten to win at once. It never does after any other.
    fn attacks(&self, seat: Seat) -> Slides {
        let stones = &self.stones[seat.index()];
        let mut attacks = Slides([0; 4]);
        // Where fours lack a slide to their fifth cell, which a change in its row or column may
        // bring about.
        let (mut rows, mut columns) = (0, 0);
        for line in stones.lines_with_threes() {
            let own = stones.line(line);
            let windows = Windows::of(own);
            for first in places(windows.with_at_least_three() & first_cells(self.size, line)) {
                let missing = window(first) & !own;
                let one = cell_on(line, missing.trailing_zeros());
                if windows.with_four() >> first & 1 != 0 {
                    rows |= 1 << one.row;
                    columns |= 1 << one.column;
                    continue;
                }
                let other = cell_on(line, 31 - missing.leading_zeros());
                for (fourth, fifth) in [(one, other), (other, one)] {
                    for (edge, entry) in self.ways_to_gain(seat, fourth) {
                        let change = self.change_by(seat, Action::Slide(edge, entry));
                        if change.touches(1 << fifth.row, 1 << fifth.column)
                            || self.ways_to_gain(seat, fifth).next().is_some()
                        {
                            attacks.0[edge as usize] |= 1 << entry;
                        }
                    }
                }
            }
        }
        if rows != 0 {
            for edge in Edge::ALL {
                for entry in places(self.open[edge as usize] & !attacks.0[edge as usize]) {
                    if self.change_by(seat, Action::Slide(edge, entry as u8)).touches(rows, columns) {
                        attacks.0[edge as usize] |= 1 << entry;
                    }
                }
            }
        }
        attacks
    }

    /// The slides after which the seat to move might threaten to win at once.
    pub(super) fn attacking_slides(&self) -> Vec<Action> {
        self.attacks(self.to_move).actions().collect()
    }

    /// A slide that begins a win by threats, each of which leaves the enemy no time for anything
    /// else.
    pub(super) fn win_by_threats(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Action> {
        if let Some(threat) = self.threat_of(self.to_move) {
            return Some(threat.slide());
        }
        if self.attacks(self.to_move).0 == [0; 4] {
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

/// By edge, the rows or columns that slides enter.
struct Slides([u32; 4]);

impl Slides {
    fn actions(&self) -> impl Iterator<Item = Action> {
        Edge::ALL
            .into_iter()
            .flat_map(|edge| places(self.0[edge as usize]).map(move |entry| Action::Slide(edge, entry as u8)))
    }
}

impl Change {
    /// Whether it changes what is in one of these rows or columns.
    #[inline]
    fn touches(self, rows: u32, columns: u32) -> bool {
        let is_in = |cell: Cell| (rows >> cell.row | columns >> cell.column) & 1 != 0;
        is_in(self.gained) || self.enemy_to.is_some_and(is_in)
    }
}

/// No win takes more threats than this, or nobody looks.
const MOST_THREATS: u8 = 30;

const HOWEVER_MANY: u8 = u8::MAX;

/// More positions than this are not remembered, however long the search: they would fill the
/// memory.
const MOST_FAILURES: usize = 1 << 18;

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
    /// The first of at most so many threats that win. The attacker is to move and cannot win at
    /// once.
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
        for action in self.game.attacks(self.attacker).actions() {
            let undo = self.game.play(action);
            let defences = self.defences();
            self.game.undo(action, undo);
            match defences? {
                Some(defences) if defences.is_empty() => return Ok(Some(action)),
                Some(defences) => attacks.push((action, defences)),
                None => {}
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
        if !attacks.is_empty() && self.failures.len() < MOST_FAILURES {
            self.failures.insert(hash, if self.is_cut { threats } else { HOWEVER_MANY });
        }
        self.is_cut |= was_cut;
        Ok(None)
    }

    /// What the enemy has to choose from after a slide of the attacker's. `None` if it is not
    /// forced to do anything.
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
