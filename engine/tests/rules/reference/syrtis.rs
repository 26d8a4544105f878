//! A second, plain and slow statement of Syrtis's rules.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value, json};
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Options, Outcome, Seat, Start};

use super::board::{Board, Cell, ORTHOGONAL, name};
use super::{Reference, Whim, choice, integer, won};

const TOKENS: [&str; 11] = [".", "lc", "ls", "dc", "ds", "lcL", "lsL", "dcL", "lsD", "dcD", "dsD"];

const MAJOR: [[usize; 7]; 7] = [
    [0, 0, 31, 33, 35, 0, 0],
    [0, 29, 27, 25, 23, 21, 0],
    [7, 9, 11, 13, 15, 17, 19],
    [5, 3, 1, 0, 2, 4, 6],
    [20, 18, 16, 14, 12, 10, 8],
    [0, 22, 24, 26, 28, 30, 0],
    [0, 0, 36, 34, 32, 0, 0],
];

const MINOR: [[usize; 5]; 5] =
    [[0, 0, 15, 13, 0], [5, 7, 9, 11, 0], [3, 1, 0, 2, 4], [0, 12, 10, 8, 6], [0, 14, 16, 0, 0]];

#[derive(Clone)]
pub(crate) struct Syrtis {
    passes_option: i64,
    turn_limit: i64,
    /// The cell of every number.
    numbers: BTreeMap<usize, Cell>,
    board: Board,
    to_move: Seat,
    /// Without `over`.
    phase: &'static str,
    /// The seat that plays light, once someone does.
    light: Option<Seat>,
    sinks: [i64; 2],
    passes: [i64; 2],
    streak: i64,
    last_sinker: Option<Seat>,
    turns: i64,
    /// The rows and the seat to move at the start of play and after every turn.
    positions: Vec<(Vec<String>, Seat)>,
    outcome: Option<Outcome>,
    every_action: Rc<BTreeMap<String, Action>>,
}

#[derive(Clone)]
pub(crate) enum Action {
    /// `11<>12`: the odd number.
    Swap(usize),
    /// `L@c3`
    Tower(char, Cell),
    /// `light` or `dark`
    TakeLight(bool),
    /// `c3-e2`
    Move(Cell, Cell),
    /// `xe1`
    Sink(Cell),
    /// `b4~d4`
    Slide(Cell, Cell),
    /// `pass`
    Pass,
}

/// The cell of every number of a layout, and the board's width.
fn layout(options: &Options) -> (BTreeMap<usize, Cell>, usize) {
    let rows: Vec<Vec<usize>> = match choice(options, "layout", "major").as_str() {
        "major" => MAJOR.iter().map(|row| row.to_vec()).collect(),
        _ => MINOR.iter().map(|row| row.to_vec()).collect(),
    };
    let mut numbers = BTreeMap::new();
    for (row, line) in rows.iter().enumerate() {
        for (column, &number) in line.iter().enumerate() {
            if number > 0 {
                numbers.insert(number, (column, row));
            }
        }
    }
    (numbers, rows.len())
}

/// Whether a tile with this token is `l`ight, `d`ark, a `c`ircle or a `s`quare.
fn is(token: &str, kind: char) -> bool {
    token.chars().take(2).any(|sign| sign == kind)
}

fn tower(token: &str) -> Option<char> {
    token.chars().nth(2)
}

/// The colour and the shape that a side owns: light's are marked `L`, dark's `D`.
fn owned(side: char) -> [char; 2] {
    if side == 'L' { ['l', 'c'] } else { ['d', 's'] }
}

fn bears(token: &str, side: char) -> bool {
    owned(side).iter().any(|&kind| is(token, kind))
}

fn without_tower(token: &str) -> &'static str {
    TOKENS.iter().find(|&&known| known == &token[..2]).expect("a tile")
}

fn with_tower(token: &str, side: char) -> &'static str {
    let wanted = format!("{}{side}", without_tower(token));
    TOKENS.iter().find(|&&known| known == wanted).expect("a tile of the tower's own")
}

fn opposite(tile: &str) -> &'static str {
    match tile {
        "lc" => "ds",
        "ds" => "lc",
        "ls" => "dc",
        _ => "ls",
    }
}

impl Syrtis {
    fn tiles(&self) -> Vec<Cell> {
        self.board.cells_with(|token| token != ".")
    }

    fn towers(&self, side: char) -> Vec<Cell> {
        self.board.cells_with(|token| tower(token) == Some(side))
    }

    /// The side of a seat in play.
    fn side(&self, seat: Seat) -> char {
        if self.light == Some(seat) { 'L' } else { 'D' }
    }

    fn has_own_tower(&self, cell: Cell) -> bool {
        tower(self.board.at(cell)) == Some(self.side(self.to_move))
    }

    /// The island of a colour or shape on which this tile lies.
    fn island(&self, cell: Cell, kind: char) -> BTreeSet<Cell> {
        self.board.group(cell, &ORTHOGONAL, |other| is(self.board.at(other), kind))
    }

    fn is_complete(&self, kind: char) -> bool {
        let tiles = self.board.cells_with(|token| is(token, kind));
        !tiles.is_empty() && self.island(tiles[0], kind).len() == tiles.len()
    }

    fn any_complete(&self, side: char) -> bool {
        owned(side).iter().any(|&kind| self.is_complete(kind))
    }

    fn may_move(&self, from: Cell, to: Cell) -> bool {
        let tile = self.board.at(from);
        let goal = self.board.at(to);
        self.has_own_tower(from)
            && goal != "."
            && tower(goal).is_none()
            && owned(self.side(self.to_move))
                .iter()
                .any(|&kind| is(tile, kind) && self.island(from, kind).contains(&to))
    }

    fn may_sink(&self, cell: Cell) -> bool {
        let token = self.board.at(cell);
        if token == "." || tower(token).is_some() {
            return false;
        }
        let next_to_own_tower =
            self.board.neighbours(cell, &ORTHOGONAL).into_iter().any(|other| self.has_own_tower(other));
        let open = ORTHOGONAL.iter().any(|&direction| match self.board.next(cell, direction) {
            None => true,
            Some(other) => self.board.is_empty(other),
        });
        let mut after = self.board.clone();
        after.put(cell, ".");
        next_to_own_tower && open && is_connected(&after)
    }

    fn may_slide(&self, from: Cell, to: Cell) -> bool {
        if !self.has_own_tower(from) || !self.board.is_empty(to) {
            return false;
        }
        // Inside the smallest rectangle there is a tile no farther out on each of the four sides.
        let tiles = self.tiles();
        let in_rectangle = |(column, row): Cell| {
            tiles.iter().any(|tile| tile.0 <= column)
                && tiles.iter().any(|tile| tile.0 >= column)
                && tiles.iter().any(|tile| tile.1 <= row)
                && tiles.iter().any(|tile| tile.1 >= row)
        };
        let space = |cell: Cell| self.board.is_empty(cell) && in_rectangle(cell);
        let mut after = self.board.clone();
        after.put(to, self.board.at(from));
        after.put(from, ".");
        self.board.group(from, &ORTHOGONAL, space).contains(&to) && is_connected(&after)
    }

    /// What comes before the play: rules 3 and 4.
    fn go_on_with_setting_up(&mut self) {
        self.to_move = Seat::One;
        if self.towers('L').len() + self.towers('D').len() == 4 {
            self.phase = "choose";
            self.to_move = Seat::Two;
        } else if self.phase == "swap" && ['l', 'd', 'c', 's'].iter().any(|&kind| self.is_complete(kind)) {
            self.phase = "swap";
        } else {
            self.phase = "towers";
        }
    }

    fn begin_play(&mut self, to_move: Seat) {
        self.phase = "play";
        self.to_move = to_move;
        self.positions.push((self.board.rows(), to_move));
    }

    fn initiative(&self) -> Seat {
        self.last_sinker.or(self.light).expect("somebody plays light")
    }

    fn end_by_islands(&self) -> Option<Outcome> {
        let light = self.light.expect("somebody plays light");
        match (self.any_complete('L'), self.any_complete('D')) {
            (true, true) => won(self.initiative(), "initiative"),
            (true, false) => won(light, "island"),
            (false, true) => won(!light, "island"),
            (false, false) => None,
        }
    }

    /// Rule 6.
    fn end_turn(&mut self, passed: bool) {
        let mover = self.to_move;
        if passed {
            self.passes[mover.index()] += 1;
            self.streak += 1;
        } else {
            self.passes[mover.index()] = 0;
            self.streak = 0;
        }
        self.turns += 1;
        self.to_move = !mover;
        let now = (self.board.rows(), self.to_move);
        self.positions.push(now.clone());
        self.outcome = if self.sinks[mover.index()] >= 4 {
            won(mover, "quicksand")
        } else if let Some(outcome) = self.end_by_islands() {
            Some(outcome)
        } else if self.streak >= 2 * self.passes_option || self.passes[mover.index()] >= 4 {
            won(self.initiative(), "initiative")
        } else if self.positions.iter().filter(|&position| *position == now).count() >= 3 {
            won(self.initiative(), "repetition")
        } else if self.turn_limit > 0 && self.turns >= self.turn_limit {
            won(self.initiative(), "turn_limit")
        } else {
            None
        };
    }
}

fn is_connected(board: &Board) -> bool {
    let tiles = board.cells_with(|token| token != ".");
    board.group(tiles[0], &ORTHOGONAL, |cell| !board.is_empty(cell)).len() == tiles.len()
}

fn every_action(width: usize, tiles: usize) -> BTreeMap<String, Action> {
    let mut all = BTreeMap::new();
    all.insert("pass".into(), Action::Pass);
    all.insert("light".into(), Action::TakeLight(true));
    all.insert("dark".into(), Action::TakeLight(false));
    for odd in (1..tiles).step_by(2) {
        all.insert(format!("{odd}<>{}", odd + 1), Action::Swap(odd));
    }
    let cells = Board::empty(width, width).cells();
    for &cell in &cells {
        all.insert(format!("L@{}", name(cell)), Action::Tower('L', cell));
        all.insert(format!("D@{}", name(cell)), Action::Tower('D', cell));
        all.insert(format!("x{}", name(cell)), Action::Sink(cell));
        for &to in &cells {
            all.insert(format!("{}-{}", name(cell), name(to)), Action::Move(cell, to));
            all.insert(format!("{}~{}", name(cell), name(to)), Action::Slide(cell, to));
        }
    }
    all
}

/// What a loaded position says of both seats, or the start's value.
fn pair(given: Option<[u8; 2]>) -> [i64; 2] {
    given.unwrap_or_default().map(i64::from)
}

impl Reference for Syrtis {
    type Action = Action;

    const REASONS: &'static [&'static str] =
        &["quicksand", "initiative", "island", "repetition", "turn_limit"];

    /// Rule 1.
    fn beginning(options: &Options, random: &mut Random) -> Start {
        let (numbers, width) = layout(options);
        let mut stock: Vec<&str> = Vec::new();
        for tile in ["lc", "ls", "dc", "ds"] {
            stock.extend(vec![tile; numbers.len() / 4]);
        }
        let mut board = Board::empty(width, width);
        for odd in (1..numbers.len()).step_by(2) {
            let tile = stock.remove(random.below(stock.len() as u32) as usize);
            let other = stock.iter().position(|&other| other == opposite(tile)).expect("its opposite");
            stock.remove(other);
            board.put(numbers[&odd], without_tower(tile));
            board.put(numbers[&(odd + 1)], opposite(tile));
        }
        Start { rows: board.rows(), ..Start::default() }
    }

    /// Any tiles that hang together, with towers, and any counts.
    fn odd_position(options: &Options, random: &mut Random) -> Start {
        let (numbers, width) = layout(options);
        let mut stock: Vec<&'static str> = Vec::new();
        for tile in ["lc", "ls", "dc", "ds"] {
            stock.extend(vec![tile; numbers.len() / 4]);
        }
        // Now and then none at all of a colour or a shape.
        if random.below(8) == 0 {
            let only = random.pick(&['l', 'd', 'c', 's']).expect("one of four");
            stock.retain(|tile| is(tile, only));
        }
        random.shuffle(&mut stock);
        let count = 5 + random.below(stock.len() as u32 - 7) as usize;
        let mut board = Board::empty(width, width);
        let mut cells = vec![random.pick(&board.cells()).expect("a board has cells")];
        while cells.len() < count {
            let from = random.pick(&cells).expect("there is one");
            let next = random.pick(&board.neighbours(from, &ORTHOGONAL)).expect("a cell has neighbours");
            if !cells.contains(&next) {
                cells.push(next);
            }
        }
        // Half of the time like beside like, so that islands are nearly complete.
        if random.below(2) == 0 {
            stock[..count].sort();
            cells.sort();
        }
        for (&cell, tile) in cells.iter().zip(stock) {
            board.put(cell, tile);
        }
        for side in ['L', 'L', 'D', 'D'] {
            let free = board.cells_with(|token| token.len() == 2 && bears(token, side));
            match random.pick(&free) {
                Some(cell) => board.put(cell, with_tower(board.at(cell), side)),
                None => return Syrtis::odd_position(options, random),
            }
        }
        let last_sinker = random.pick(&[None, Some(Seat::One), Some(Seat::Two)]).flatten();
        let mut sinks = [0; 2];
        if let Some(seat) = last_sinker {
            sinks[seat.index()] = 1 + random.below(3) as u8;
        }
        let to_move = random.pick(&Seat::BOTH).expect("one of two");
        let most_passes = 2 * integer(options, "passes", 2) as u8;
        let (passes, streak) = loop {
            let passes = [random.below(4) as u8, random.below(4) as u8];
            // The other's last turn, then the own one before it, and so on while they are passes.
            let mut left = passes;
            let mut seat = !to_move;
            let mut streak = 0;
            while left[seat.index()] > 0 {
                left[seat.index()] -= 1;
                seat = !seat;
                streak += 1;
            }
            if streak < most_passes {
                break (passes, streak);
            }
        };
        let mut start = Start {
            rows: board.rows(),
            to_move: Some(to_move),
            light: random.pick(&Seat::BOTH),
            sinks: Some(sinks),
            passes: Some(passes),
            streak: Some(streak),
            last_sinker,
            ..Start::default()
        };
        // What is as at the start may be left out.
        if random.below(2) == 0 {
            start.light = start.light.filter(|&light| light != Seat::One);
            start.sinks = start.sinks.filter(|&sinks| sinks != [0; 2]);
            start.passes = start.passes.filter(|&passes| passes != [0; 2]);
            start.streak = start.streak.filter(|&streak| streak != 0);
        }
        start
    }

    fn set_up(options: &Options, start: &Start) -> Syrtis {
        let (numbers, width) = layout(options);
        let tiles = numbers.len();
        let mut game = Syrtis {
            passes_option: integer(options, "passes", 2),
            turn_limit: integer(options, "turn_limit", 300),
            numbers,
            board: Board::read(&start.rows, &TOKENS),
            to_move: Seat::One,
            phase: "swap",
            light: None,
            sinks: pair(start.sinks),
            passes: pair(start.passes),
            streak: start.streak.unwrap_or(0).into(),
            last_sinker: start.last_sinker,
            turns: 0,
            positions: Vec::new(),
            outcome: None,
            every_action: Rc::new(every_action(width, tiles)),
        };
        if game.towers('L').is_empty() && game.towers('D').is_empty() {
            for odd in (1..tiles).step_by(2) {
                let [one, other] = [odd, odd + 1].map(|number| game.board.at(game.numbers[&number]));
                assert_eq!(opposite(one), other, "{odd} and {}", odd + 1);
            }
            for tile in ["lc", "ls", "dc", "ds"] {
                assert_eq!(game.board.cells_with(|token| token == tile).len(), tiles / 4, "{tile}");
            }
            game.go_on_with_setting_up();
        } else {
            game.light = Some(start.light.unwrap_or(Seat::One));
            game.begin_play(start.to_move.expect("a seat to move"));
            game.outcome = game.end_by_islands();
        }
        game
    }

    fn to_move(&self) -> Option<Seat> {
        self.outcome.is_none().then_some(self.to_move)
    }

    fn phase(&self) -> &'static str {
        if self.outcome.is_some() { "over" } else { self.phase }
    }

    fn sides(&self) -> [Option<&'static str>; 2] {
        match self.light {
            None => [None, None],
            Some(Seat::One) => [Some("light"), Some("dark")],
            Some(Seat::Two) => [Some("dark"), Some("light")],
        }
    }

    fn rows(&self) -> Vec<String> {
        self.board.rows()
    }

    fn counters(&self) -> Map<String, Value> {
        let counters = json!({
            "sinks": self.sinks,
            "passes": self.passes,
            "streak": self.streak,
            "last_sinker": self.last_sinker,
        });
        counters.as_object().expect("an object").clone()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn every_action(&self) -> &BTreeMap<String, Action> {
        &self.every_action
    }

    fn allowed(&self, action: &Action) -> bool {
        match *action {
            Action::Swap(_) => self.phase == "swap",
            Action::Tower(side, cell) => {
                let token = self.board.at(cell);
                self.phase == "towers"
                    && self.towers(side).len() < 2
                    && tower(token).is_none()
                    && bears(token, side)
            }
            Action::TakeLight(_) => self.phase == "choose",
            Action::Move(from, to) => self.phase == "play" && self.may_move(from, to),
            Action::Sink(cell) => self.phase == "play" && self.may_sink(cell),
            Action::Slide(from, to) => self.phase == "play" && self.may_slide(from, to),
            Action::Pass => self.phase == "play",
        }
    }

    fn act(&mut self, action: &Action) {
        let mover = self.to_move;
        match *action {
            Action::Swap(odd) => {
                let [one, other] = [odd, odd + 1].map(|number| self.numbers[&number]);
                let [tile, other_tile] = [one, other].map(|cell| self.board.at(cell));
                self.board.put(one, other_tile);
                self.board.put(other, tile);
                self.go_on_with_setting_up();
            }
            Action::Tower(side, cell) => {
                self.board.put(cell, with_tower(self.board.at(cell), side));
                self.go_on_with_setting_up();
            }
            Action::TakeLight(takes_light) => {
                let light = if takes_light { mover } else { !mover };
                self.light = Some(light);
                self.begin_play(light);
            }
            Action::Move(from, to) => {
                let side = self.side(mover);
                self.board.put(to, with_tower(self.board.at(to), side));
                self.board.put(from, without_tower(self.board.at(from)));
                self.end_turn(false);
            }
            Action::Sink(cell) => {
                self.board.put(cell, ".");
                self.sinks[mover.index()] += 1;
                self.sinks[(!mover).index()] = 0;
                self.last_sinker = Some(mover);
                self.end_turn(false);
            }
            Action::Slide(from, to) => {
                self.board.put(to, self.board.at(from));
                self.board.put(from, ".");
                self.end_turn(false);
            }
            Action::Pass => self.end_turn(true),
        }
    }

    fn as_start(&self) -> Option<Start> {
        let start = Start { rows: self.rows(), ..Start::default() };
        match self.phase {
            "play" => {
                let counts = |numbers: [i64; 2]| Some(numbers.map(|number| number as u8));
                Some(Start {
                    to_move: Some(self.to_move),
                    light: self.light,
                    sinks: counts(self.sinks),
                    passes: counts(self.passes),
                    streak: Some(self.streak as u8),
                    last_sinker: self.last_sinker,
                    ..start
                })
            }
            "swap" => Some(start),
            "towers" if self.towers('L').is_empty() && self.towers('D').is_empty() => Some(start),
            _ => None,
        }
    }

    fn whims() -> Vec<Whim<Syrtis>> {
        vec![
            Whim::None,
            Whim::Homesick,
            Whim::Likes(|_, text| text == "pass"),
            Whim::Likes(|_, text| text.starts_with('x')),
            // Seat 1 sinks and seat 2 does not, so that four in succession come up.
            Whim::Likes(|game, text| (game.to_move == Seat::One) == text.starts_with('x')),
            // One passes while the other plays on, so that it passes four times.
            Whim::Likes(|game, text| (game.to_move == Seat::Two) == (text == "pass")),
            Whim::Likes(|_, text| text.contains('~')),
        ]
    }
}
