//! What each game is played with: a board and pieces.

mod absorption;
mod fabrik;
mod syrtis;
mod zurero;

use std::collections::HashMap;
use std::f32::consts::PI;

use macroquad::math::{Vec2, Vec3, vec2, vec3};

use super::paint::Surface;
use super::ray::Body;
use super::solid::{Batch, Solid};
use super::theme::{Colour, Theme};
use crate::scene::{Emblem, Shape, Side};

/// How a game's board lies on the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    /// From the outer cells to the edge of the board.
    pub(super) margin: f32,
    /// From the outer cells to the middle of the labels.
    pub(super) label_distance: f32,
    pub(super) label_height: f32,
    /// From the surface down to the table.
    pub(super) thickness: f32,
    /// How high pieces usually get: the room that the camera leaves for them.
    pub(super) headroom: f32,
    /// How broad the top of a piece is, compared with the piece.
    pub(super) crown: f32,
    /// The height of what shadows mostly fall on.
    pub(super) shadow_level: f32,
    /// Whether there are places before the edges.
    pub(super) doorsteps: bool,
    /// Whether the first seat's pieces begin on the side of row 1.
    pub(super) first_in_the_north: bool,
}

impl Layout {
    pub(super) fn of(game: &str) -> Layout {
        match game {
            "zurero" => zurero::LAYOUT,
            "fabrik" => fabrik::LAYOUT,
            "syrtis" => syrtis::LAYOUT,
            _ => absorption::LAYOUT,
        }
    }

    /// The corners of the box around the board and what stands on it.
    pub(super) fn bounds(&self, columns: u8, rows: u8) -> (Vec3, Vec3) {
        let (low, high) = self.extent(columns, rows);
        (low.with_y(-self.thickness), high.with_y(self.headroom))
    }

    /// The corners of the board's surface.
    pub(super) fn extent(&self, columns: u8, rows: u8) -> (Vec3, Vec3) {
        let out = 0.5 + self.margin;
        let last = |count: u8| f32::from(count.max(1)) - 1.0;
        (vec3(-out, 0.0, -out), vec3(last(columns) + out, 0.0, last(rows) + out))
    }

    /// From where a seat looks at the board.
    pub(super) fn seat_yaw(&self, seat: u8) -> f32 {
        let north = if self.first_in_the_north { 1 } else { 2 };
        if seat == north { PI } else { 0.0 }
    }
}

/// The room that a figure takes up.
pub(super) fn body(game: &str, shape: Shape) -> Body {
    match shape {
        Shape::Stone(_) if game == "zurero" => zurero::STONE,
        Shape::Stone(_) => fabrik::STONE,
        Shape::Worker => fabrik::WORKER,
        Shape::Disc(_) => absorption::DISC,
        Shape::Tile(..) => syrtis::TILE,
        Shape::Tower(Side::Light) => syrtis::ROUND_TOWER,
        Shape::Tower(Side::Dark) => syrtis::SQUARE_TOWER,
    }
}

/// The colour in which letters and numbers stand around the board.
pub(super) fn label_colour(game: &str, theme: &Theme) -> Colour {
    match game {
        "zurero" => theme.zurero.line,
        "fabrik" => theme.fabrik.engraving,
        "syrtis" => theme.syrtis.label,
        _ => theme.absorption.brass,
    }
}

/// The colours that the shader of a surface asks for.
pub(super) fn surface_colours(surface: Surface, theme: &Theme) -> [Colour; 3] {
    match surface {
        Surface::Kaya => [theme.zurero.wood, theme.zurero.grain, theme.zurero.line],
        Surface::Oak => [theme.fabrik.oak, theme.fabrik.grain, theme.fabrik.line],
        Surface::Steel => [theme.fabrik.steel, theme.fabrik.steel, theme.fabrik.engraving],
        Surface::Slate => [theme.absorption.slate, theme.absorption.vein, theme.absorption.brass],
        Surface::Rim => [theme.syrtis.rim, theme.syrtis.rim_grain, theme.syrtis.rim_grain],
        Surface::Bed => [theme.syrtis.bed, theme.syrtis.deep, theme.syrtis.shallow],
        Surface::Water => [theme.syrtis.shallow, theme.syrtis.deep, theme.syrtis.foam],
        _ => [theme.table.top, theme.table.far, theme.table.far],
    }
}

/// A board and the pieces for it, ready to be put on the table.
#[derive(Debug)]
pub(super) struct Set {
    /// The table that it lies on is the last part of it.
    pub(super) board: Vec<(Surface, Batch)>,
    /// Empty where there is none.
    pub(super) water: Batch,
    pieces: HashMap<Shape, Solid>,
    casts: HashMap<Shape, Solid>,
}

/// How many corners a round piece has where only its shadow counts.
const CAST_SEGMENTS: u16 = 12;

impl Set {
    /// `segments` is how many corners a round piece has.
    pub(super) fn new(game: &str, columns: u8, rows: u8, theme: &Theme, segments: u16) -> Set {
        let mut board = match game {
            "zurero" => zurero::board(columns, rows),
            "fabrik" => fabrik::board(columns, rows),
            "syrtis" => syrtis::board(columns, rows),
            _ => absorption::board(columns, rows),
        };
        let pieces = |segments: u16| {
            let piece = |shape| match game {
                "zurero" => zurero::piece(shape, &theme.zurero, segments),
                "fabrik" => fabrik::piece(shape, &theme.fabrik, segments),
                "syrtis" => syrtis::piece(shape, &theme.syrtis, segments),
                _ => absorption::piece(shape, &theme.absorption, segments),
            };
            SHAPES.into_iter().map(|shape| (shape, piece(shape))).collect()
        };
        board.push((Surface::Table, table(Layout::of(game), columns, rows)));
        let water = match game {
            "syrtis" => syrtis::water(columns, rows),
            _ => Solid::default(),
        };
        Set {
            board: board.into_iter().map(|(surface, solid)| (surface, Batch::of(&solid))).collect(),
            water: Batch::of(&water),
            pieces: pieces(segments),
            casts: pieces(CAST_SEGMENTS),
        }
    }

    pub(super) fn piece(&self, shape: Shape) -> &Solid {
        &self.pieces[&shape]
    }

    /// The same, only as fine as its shadow needs it.
    pub(super) fn cast(&self, shape: Shape) -> &Solid {
        &self.casts[&shape]
    }
}

const SHAPES: [Shape; 11] = [
    Shape::Stone(Side::Dark),
    Shape::Stone(Side::Light),
    Shape::Worker,
    Shape::Disc(Side::Dark),
    Shape::Disc(Side::Light),
    Shape::Tile(Side::Dark, Emblem::Circle),
    Shape::Tile(Side::Dark, Emblem::Square),
    Shape::Tile(Side::Light, Emblem::Circle),
    Shape::Tile(Side::Light, Emblem::Square),
    Shape::Tower(Side::Dark),
    Shape::Tower(Side::Light),
];

/// As far as the table is seen.
fn table(layout: Layout, columns: u8, rows: u8) -> Solid {
    let (low, high) = layout.extent(columns, rows);
    let middle = (low + high) / 2.0;
    let reach = Vec2::splat((high - low).length() * 5.0);
    let middle = vec2(middle.x, middle.z);
    Solid::default().sheet(middle - reach, middle + reach, -layout.thickness, bare())
}

/// The paint of parts whose shader knows their colours.
fn bare() -> super::solid::Paint {
    super::solid::Paint::new(Colour([255, 255, 255]), 0.0, 0.0)
}

/// A block from one corner of the board to the other, between two heights.
fn slab(low: Vec3, high: Vec3, bevel: f32) -> Solid {
    Solid::default().block((low + high) / 2.0, (high - low) / 2.0, bevel, 1.0, bare())
}
