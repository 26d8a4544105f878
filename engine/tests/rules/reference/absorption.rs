//! A second, plain and slow statement of Absorption's rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Options, Outcome, Seat, Start};

use super::board::{ALL_EIGHT, Board, Cell, ORTHOGONAL, list, name};
use super::{Reference, Whim, drawn, integer, won};

const TOKENS: [&str; 7] = [".", "x1", "x2", "x3", "o1", "o2", "o3"];

#[derive(Clone)]
pub(crate) struct Absorption {
    captors: usize,
    turn_limit: i64,
    board: Board,
    to_move: Seat,
    /// Without `over`.
    phase: &'static str,
    /// The cell that was split in this turn, if one was.
    split: Option<Cell>,
    /// The smalls made by this turn's split that have not run yet.
    runners: Vec<Cell>,
    /// The piles that had a part in this turn's split or merge, where they are now.
    had_a_part: Vec<Cell>,
    turns: i64,
    /// The rows, and who was to begin, of every turn so far.
    turn_starts: Vec<(Vec<String>, Seat)>,
    outcome: Option<Outcome>,
}

#[derive(Clone)]
pub(crate) enum Action {
    /// `c1/b2,b2,d2`: where from, and where every piece goes.
    Split(Cell, Vec<Cell>),
    /// `c3+d3,e4`: where to, and the other piles.
    Merge(Cell, Vec<Cell>),
    /// `b2-b4`
    Move(Cell, Cell),
    /// `.`
    Enough,
    /// `c3*b3,d3`: the enemy pile, and where every piece of it goes.
    Absorb(Cell, Vec<Cell>),
}

fn pile(seat: Seat, height: usize) -> &'static str {
    match seat {
        Seat::One => ["x1", "x2", "x3"][height - 1],
        Seat::Two => ["o1", "o2", "o3"][height - 1],
    }
}

fn distinct(cells: &[Cell]) -> usize {
    cells.iter().collect::<BTreeSet<_>>().len()
}

fn how_often(cell: Cell, cells: &[Cell]) -> usize {
    cells.iter().filter(|&&other| other == cell).count()
}

impl Absorption {
    fn owner(&self, cell: Cell) -> Option<Seat> {
        match self.board.at(cell).chars().next() {
            Some('x') => Some(Seat::One),
            Some('o') => Some(Seat::Two),
            _ => None,
        }
    }

    fn is_own(&self, cell: Cell) -> bool {
        self.owner(cell) == Some(self.to_move)
    }

    fn height(&self, cell: Cell) -> usize {
        match self.board.at(cell) {
            "." => 0,
            "x1" | "o1" => 1,
            "x2" | "o2" => 2,
            _ => 3,
        }
    }

    fn points(&self, seat: Seat) -> usize {
        let own = self.board.cells().into_iter().filter(|&cell| self.owner(cell) == Some(seat));
        own.map(|cell| self.height(cell)).sum()
    }

    fn may_split(&self, from: Cell, to: &[Cell]) -> bool {
        if !self.is_own(from) || to.len() != self.height(from) {
            return false;
        }
        // 1+1+1, 2+1 or 1+1: every piece goes somewhere, and they do not all go to the same cell.
        let neighbours = self.board.neighbours(from, &ALL_EIGHT);
        distinct(to) >= 2 && to.iter().all(|&cell| neighbours.contains(&cell) && self.board.is_empty(cell))
    }

    fn may_merge(&self, onto: Cell, others: &[Cell]) -> bool {
        if !self.is_own(onto) {
            return false;
        }
        let mut piles = vec![onto];
        piles.extend(others);
        (piles.len() == 2 || piles.len() == 3)
            && distinct(&piles) == piles.len()
            && piles.iter().all(|&cell| self.is_own(cell))
            && piles.iter().map(|&cell| self.height(cell)).sum::<usize>() <= 3
            && self.board.group(onto, &ALL_EIGHT, |cell| piles.contains(&cell)).len() == piles.len()
    }

    /// The cells that a straight move goes through, the last one included; `None` if it is none.
    fn way(&self, from: Cell, to: Cell, most: usize) -> Option<Vec<Cell>> {
        for direction in ALL_EIGHT {
            let mut way = Vec::new();
            let mut next = self.board.next(from, direction);
            while let Some(cell) = next.filter(|&cell| self.board.is_empty(cell) && way.len() < most) {
                way.push(cell);
                if cell == to {
                    return Some(way);
                }
                next = self.board.next(cell, direction);
            }
        }
        None
    }

    fn may_move(&self, from: Cell, to: Cell) -> bool {
        if !self.is_own(from) {
            return false;
        }
        let most = match self.height(from) {
            1 => 2,
            2 => 1,
            _ => 0,
        };
        let Some(way) = self.way(from, to, most) else { return false };
        if self.runners.contains(&from) {
            way.iter().all(|&cell| Some(cell) != self.split)
        } else {
            !self.had_a_part.contains(&from)
        }
    }

    fn may_absorb(&self, victim: Cell, to: &[Cell]) -> bool {
        if self.owner(victim) != Some(!self.to_move) {
            return false;
        }
        let mut captors = self.board.neighbours(victim, &ORTHOGONAL);
        captors.retain(|&cell| self.is_own(cell));
        let together: usize = captors.iter().map(|&cell| self.height(cell)).sum();
        captors.len() >= self.captors
            && together > self.height(victim)
            && to.len() == self.height(victim)
            && to.iter().all(|cell| captors.contains(cell))
            && to.iter().all(|&cell| self.height(cell) + how_often(cell, to) <= 3)
    }

    fn any_allowed(&self) -> bool {
        EVERY_ACTION.values().any(|action| self.allowed(action))
    }

    fn any_move(&self) -> bool {
        EVERY_ACTION.values().any(|action| matches!(action, Action::Move(..)) && self.allowed(action))
    }

    /// Part 2, which is skipped if there is no move.
    fn begin_or_go_on_with_moves(&mut self) {
        self.phase = "moves";
        if !self.any_move() {
            self.begin_or_go_on_with_absorption();
        }
    }

    /// Part 3, until there is nothing to absorb.
    fn begin_or_go_on_with_absorption(&mut self) {
        self.phase = "absorb";
        if !self.any_allowed() {
            self.turns += 1;
            self.begin_turn(!self.to_move);
        }
    }

    fn begin_turn(&mut self, seat: Seat) {
        self.to_move = seat;
        self.phase = "main";
        self.split = None;
        self.runners.clear();
        self.had_a_part.clear();
        let now = (self.board.rows(), seat);
        self.turn_starts.push(now.clone());
        self.outcome = if self.points(seat) <= 3 {
            won(!seat, "points")
        } else if self.points(!seat) <= 3 {
            // Only in a position that was set up.
            won(seat, "points")
        } else if !self.any_allowed() {
            won(!seat, "no_moves")
        } else if self.turn_starts.iter().filter(|&start| *start == now).count() >= 3 {
            drawn("repetition")
        } else if self.turn_limit > 0 && self.turns >= self.turn_limit {
            drawn("turn_limit")
        } else {
            None
        };
    }
}

static EVERY_ACTION: LazyLock<BTreeMap<String, Action>> = LazyLock::new(every_action);

/// All lists of so many of the cells, in their order, with repeats.
fn multisets(cells: &[Cell], length: usize) -> Vec<Vec<Cell>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &cell) in cells.iter().enumerate() {
        for mut rest in multisets(&cells[index..], length - 1) {
            rest.insert(0, cell);
            all.push(rest);
        }
    }
    all
}

/// Only among neighbours: with all other cells there would be millions.
fn every_action() -> BTreeMap<String, Action> {
    let mut all = BTreeMap::new();
    all.insert(".".into(), Action::Enough);
    let board = Board::empty(8, 8);
    for cell in board.cells() {
        let around = board.neighbours(cell, &ALL_EIGHT);
        for length in 1..=3 {
            for to in multisets(&around, length) {
                all.insert(format!("{}/{}", name(cell), list(&to)), Action::Split(cell, to));
            }
            for to in multisets(&board.neighbours(cell, &ORTHOGONAL), length) {
                all.insert(format!("{}*{}", name(cell), list(&to)), Action::Absorb(cell, to));
            }
        }
        for &one in &around {
            let mut merge = |others: Vec<Cell>| {
                all.insert(format!("{}+{}", name(cell), list(&others)), Action::Merge(cell, others));
            };
            merge(vec![one]);
            // The third hangs together with the first or with the second.
            for &other in &around {
                merge(vec![one, other]);
            }
            for other in board.neighbours(one, &ALL_EIGHT) {
                merge(vec![one, other]);
            }
        }
        for to in board.cells() {
            all.insert(format!("{}-{}", name(cell), name(to)), Action::Move(cell, to));
        }
    }
    all
}

impl Reference for Absorption {
    type Action = Action;

    const REASONS: &'static [&'static str] = &["points", "no_moves", "repetition", "turn_limit"];

    fn beginning(_: &Options, _: &mut Random) -> Start {
        let mut board = Board::empty(8, 8);
        for column in [0, 1, 2, 5, 6, 7] {
            board.put((column, 0), "x3");
            board.put((column, 7), "o3");
        }
        Start { rows: board.rows(), to_move: Some(Seat::One), ..Start::default() }
    }

    /// Piles anywhere, all sorts or mostly smalls; or two mediums each, far apart, which can go to
    /// and fro for ever.
    fn odd_position(_: &Options, random: &mut Random) -> Start {
        let mut board = Board::empty(8, 8);
        let to_move = random.pick(&Seat::BOTH);
        if random.below(3) == 0 {
            for (cell, token) in [((0, 0), "x2"), ((4, 0), "x2"), ((7, 7), "o2"), ((3, 7), "o2")] {
                board.put(cell, token);
            }
            return Start { rows: board.rows(), to_move, ..Start::default() };
        }
        let only_smalls = random.below(2) == 0;
        let mut cells = board.cells();
        random.shuffle(&mut cells);
        let piles = 6 + random.below(24) as usize;
        let mut pieces = 0;
        for &cell in &cells[..piles] {
            let height = if only_smalls { 1 } else { 1 + random.below(3) as usize };
            if pieces + height <= 36 {
                pieces += height;
                board.put(cell, pile(random.pick(&Seat::BOTH).expect("one of two"), height));
            }
        }
        Start { rows: board.rows(), to_move, ..Start::default() }
    }

    fn set_up(options: &Options, start: &Start) -> Absorption {
        let mut game = Absorption {
            captors: integer(options, "captors", 1) as usize,
            turn_limit: integer(options, "turn_limit", 200),
            board: Board::read(&start.rows, &TOKENS),
            to_move: Seat::One,
            phase: "main",
            split: None,
            runners: Vec::new(),
            had_a_part: Vec::new(),
            turns: 0,
            turn_starts: Vec::new(),
            outcome: None,
        };
        game.begin_turn(start.to_move.expect("a seat to move"));
        game
    }

    fn to_move(&self) -> Option<Seat> {
        self.outcome.is_none().then_some(self.to_move)
    }

    fn phase(&self) -> &'static str {
        if self.outcome.is_some() { "over" } else { self.phase }
    }

    fn sides(&self) -> [Option<&'static str>; 2] {
        [Some("x"), Some("o")]
    }

    fn rows(&self) -> Vec<String> {
        self.board.rows()
    }

    fn counters(&self) -> Map<String, Value> {
        let points = json!(Seat::BOTH.map(|seat| self.points(seat)));
        Map::from_iter([("points".to_string(), points)])
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn every_action(&self) -> &BTreeMap<String, Action> {
        &EVERY_ACTION
    }

    fn allowed(&self, action: &Action) -> bool {
        match action {
            Action::Split(from, to) => self.phase == "main" && self.may_split(*from, to),
            Action::Merge(onto, others) => self.phase == "main" && self.may_merge(*onto, others),
            Action::Move(from, to) => self.phase == "moves" && self.may_move(*from, *to),
            Action::Enough => self.phase == "moves",
            Action::Absorb(victim, to) => self.phase == "absorb" && self.may_absorb(*victim, to),
        }
    }

    fn act(&mut self, action: &Action) {
        let mover = self.to_move;
        match action {
            Action::Split(from, to) => {
                self.board.put(*from, ".");
                for &cell in to {
                    self.board.put(cell, pile(mover, how_often(cell, to)));
                }
                self.split = Some(*from);
                self.runners = to.iter().copied().filter(|&cell| self.height(cell) == 1).collect();
                self.had_a_part.clone_from(to);
                self.begin_or_go_on_with_moves();
            }
            Action::Merge(onto, others) => {
                let others_hold: usize = others.iter().map(|&cell| self.height(cell)).sum();
                let height = self.height(*onto) + others_hold;
                for &cell in others {
                    self.board.put(cell, ".");
                }
                self.board.put(*onto, pile(mover, height));
                self.had_a_part = vec![*onto];
                self.begin_or_go_on_with_moves();
            }
            Action::Move(from, to) => {
                self.board.put(*to, self.board.at(*from));
                self.board.put(*from, ".");
                if self.runners.contains(from) {
                    self.runners.retain(|cell| cell != from);
                    self.had_a_part.retain(|cell| cell != from);
                    self.had_a_part.push(*to);
                    self.begin_or_go_on_with_moves();
                } else {
                    self.begin_or_go_on_with_absorption();
                }
            }
            Action::Enough => self.begin_or_go_on_with_absorption(),
            Action::Absorb(victim, to) => {
                self.board.put(*victim, ".");
                for &cell in to {
                    self.board.put(cell, pile(mover, self.height(cell) + 1));
                }
                self.begin_or_go_on_with_absorption();
            }
        }
    }

    fn as_start(&self) -> Option<Start> {
        let start = Start { rows: self.rows(), to_move: Some(self.to_move), ..Start::default() };
        (self.phase == "main").then_some(start)
    }

    fn whims() -> Vec<Whim<Absorption>> {
        // In many small piles, which run about, there is much to absorb.
        let running = |_: &Absorption, text: &str| {
            let targets = text.split_once('/').map_or("", |(_, targets)| targets);
            targets.split(',').collect::<BTreeSet<_>>().len() == 3 || text.contains('-')
        };
        vec![Whim::None, Whim::Likes(|_, text| TO_AND_FRO.contains(&text)), Whim::Likes(running)]
    }
}

/// With a medium on a1 and one on h8 these come back to where they began after four turns each.
const TO_AND_FRO: [&str; 9] =
    [".", "a1/a2,b1", "a2+b1", "a2/a1,b1", "a1+b1", "h8/g8,h7", "h7+g8", "h7/g8,h8", "h8+g8"];
