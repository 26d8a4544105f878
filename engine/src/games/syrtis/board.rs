//! Tiles and towers.

use std::fmt;

use super::Action;
use super::cells::{Cells, NONE, bit, each, is_one_island};
use tabuleiro_protocol::Cell;

/// The light player or the dark one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Light,
    Dark,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [Side::Light, Side::Dark];

    pub(super) fn other(self) -> Side {
        match self {
            Side::Light => Side::Dark,
            Side::Dark => Side::Light,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Side::Light => "light",
            Side::Dark => "dark",
        }
    }

    /// The sign of the side's towers.
    pub(super) fn tower(self) -> char {
        match self {
            Side::Light => 'L',
            Side::Dark => 'D',
        }
    }

    /// The colour and the shape that the side owns.
    pub(super) fn families(self) -> [Family; 2] {
        match self {
            Side::Light => [Family::Light, Family::Circle],
            Side::Dark => [Family::Dark, Family::Square],
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A colour or a shape: what islands are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Light,
    Circle,
    Dark,
    Square,
}

impl Family {
    pub(super) const ALL: [Family; 4] = [Family::Light, Family::Circle, Family::Dark, Family::Square];

    pub(super) fn name(self) -> &'static str {
        match self {
            Family::Light => "light",
            Family::Circle => "circle",
            Family::Dark => "dark",
            Family::Square => "square",
        }
    }

    pub(super) fn tiles(self) -> &'static str {
        match self {
            Family::Light => "light tiles",
            Family::Circle => "circles",
            Family::Dark => "dark tiles",
            Family::Square => "squares",
        }
    }

    pub(super) fn owner(self) -> Side {
        match self {
            Family::Light | Family::Circle => Side::Light,
            Family::Dark | Family::Square => Side::Dark,
        }
    }
}

/// What a tile looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) light: bool,
    pub(super) circle: bool,
}

impl Kind {
    pub(super) const ALL: [Kind; 4] = [
        Kind { light: true, circle: true },
        Kind { light: true, circle: false },
        Kind { light: false, circle: true },
        Kind { light: false, circle: false },
    ];

    /// Its place in [`Kind::ALL`].
    pub(super) const fn index(self) -> usize {
        !self.light as usize * 2 + !self.circle as usize
    }

    /// The kind of the other colour and the other shape.
    pub(super) fn opposite(self) -> Kind {
        Kind { light: !self.light, circle: !self.circle }
    }

    pub(super) fn code(self) -> &'static str {
        ["lc", "ls", "dc", "ds"][self.index()]
    }

    pub(super) fn name(self) -> &'static str {
        ["light circle", "light square", "dark circle", "dark square"][self.index()]
    }

    pub(super) fn families(self) -> [Family; 2] {
        [
            if self.light { Family::Light } else { Family::Dark },
            if self.circle { Family::Circle } else { Family::Square },
        ]
    }

    /// Whether a side's towers may stand on it.
    pub(super) fn carries(self, side: Side) -> bool {
        self.families().iter().any(|family| family.owner() == side)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The tiles and the towers on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) tiles: Cells,
    light: Cells,
    circle: Cells,
    towers: [Cells; 2],
    /// Says which tiles and towers lie where.
    pub(super) key: u64,
}

impl Board {
    pub(super) fn kind(&self, cell: Cell) -> Option<Kind> {
        (self.tiles & bit(cell) != NONE).then(|| self.kind_of_tile(cell))
    }

    /// What lies on a cell that has a tile.
    #[inline]
    pub(super) fn kind_of_tile(&self, cell: Cell) -> Kind {
        Kind { light: self.light & bit(cell) != NONE, circle: self.circle & bit(cell) != NONE }
    }

    pub(super) fn tower(&self, cell: Cell) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.towers(side) & bit(cell) != NONE)
    }

    #[inline]
    pub(super) fn towers(&self, side: Side) -> Cells {
        self.towers[side as usize]
    }

    #[inline]
    pub(super) fn all_towers(&self) -> Cells {
        self.towers[0] | self.towers[1]
    }

    /// All tiles of a colour or a shape.
    #[inline]
    pub(super) fn family(&self, family: Family) -> Cells {
        match family {
            Family::Light => self.light,
            Family::Circle => self.circle,
            Family::Dark => self.tiles & !self.light,
            Family::Square => self.tiles & !self.circle,
        }
    }

    pub(super) fn is_complete(&self, family: Family) -> bool {
        is_one_island(self.family(family))
    }

    /// The token of a cell, as `rows` have it.
    pub(super) fn token(&self, cell: Cell) -> String {
        match (self.kind(cell), self.tower(cell)) {
            (None, _) => ".".into(),
            (Some(kind), None) => kind.code().into(),
            (Some(kind), Some(side)) => format!("{}{}", kind.code(), side.tower()),
        }
    }

    #[inline]
    pub(super) fn put_tile(&mut self, cell: Cell, kind: Kind) {
        let here = bit(cell);
        self.tiles |= here;
        if kind.light {
            self.light |= here;
        }
        if kind.circle {
            self.circle |= here;
        }
        self.key ^= TILE_KEYS[kind.index()][place(cell)];
    }

    #[inline]
    pub(super) fn take_tile(&mut self, cell: Cell) -> Kind {
        let kind = self.kind_of_tile(cell);
        let elsewhere = !bit(cell);
        self.tiles &= elsewhere;
        self.light &= elsewhere;
        self.circle &= elsewhere;
        self.key ^= TILE_KEYS[kind.index()][place(cell)];
        kind
    }

    #[inline]
    pub(super) fn put_tower(&mut self, cell: Cell, side: Side) {
        self.towers[side as usize] |= bit(cell);
        self.key ^= TOWER_KEYS[side as usize][place(cell)];
    }

    #[inline]
    pub(super) fn take_tower(&mut self, cell: Cell, side: Side) {
        self.towers[side as usize] &= !bit(cell);
        self.key ^= TOWER_KEYS[side as usize][place(cell)];
    }

    /// Does what a side's turn does to tiles and towers. Gives the kind of the tile that was sunk
    /// or slid.
    #[inline]
    pub(super) fn act(&mut self, side: Side, action: Action) -> Option<Kind> {
        match action {
            Action::Move { from, to } => {
                self.take_tower(from, side);
                self.put_tower(to, side);
                None
            }
            Action::Slide { from, to } => {
                let kind = self.take_tile(from);
                self.put_tile(to, kind);
                self.take_tower(from, side);
                self.put_tower(to, side);
                Some(kind)
            }
            Action::Sink(cell) => Some(self.take_tile(cell)),
            _ => None,
        }
    }

    /// The key, worked out anew.
    pub(super) fn key_from_scratch(&self) -> u64 {
        let mut again = Board::default();
        for cell in each(self.tiles) {
            again.put_tile(cell, self.kind_of_tile(cell));
            if let Some(side) = self.tower(cell) {
                again.put_tower(cell, side);
            }
        }
        again.key
    }
}

const fn place(cell: Cell) -> usize {
    (cell.row as usize * 8 + cell.column as usize) % 64
}

static TILE_KEYS: [[u64; 64]; 4] = [keys(1), keys(2), keys(3), keys(4)];
static TOWER_KEYS: [[u64; 64]; 2] = [keys(5), keys(6)];

const fn keys(table: u64) -> [u64; 64] {
    let mut keys = [0; 64];
    let mut index = 0;
    while index < 64 {
        keys[index] = scramble(table * 64 + index as u64);
        index += 1;
    }
    keys
}

/// A number that looks like chance, and never the same for two numbers (splitmix64).
pub(super) const fn scramble(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
