//! What games are played with: one module a game, and `generic` for every other.
//!
//! A [`GameSet`] holds all that the viewer knows of one game: what its tokens stand for, its board
//! and pieces, and how it is drawn in panels. [`find`] is the one place that knows which sets there
//! are.

mod absorption;
mod fabrik;
pub mod flat;
mod generic;
mod syrtis;
mod zurero;

use std::f32::consts::PI;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock};

use egui_macroquad::egui::{Painter, Rect};
use macroquad::math::{Vec3, vec3};
use tabuleiro_protocol::GameInfo;

use crate::board::{Cell, Tokens};
use crate::scene::{Figure, Shape, middle};
use crate::sound::Material;
use crate::stage::paint::Surface;
use crate::stage::ray::Body;
use crate::stage::solid::{Paint, Solid};
use crate::stage::theme::{Colour, Theme};

/// The colours that each set has in a theme.
pub mod colours {
    pub use super::absorption::Colours as Absorption;
    pub use super::fabrik::Colours as Fabrik;
    pub use super::generic::Colours as Generic;
    pub use super::syrtis::Colours as Syrtis;
    pub use super::zurero::Colours as Zurero;
}

/// The set of a game, shared by all who show it.
pub type Set = Arc<dyn GameSet>;

static SETS: LazyLock<[Set; 4]> = LazyLock::new(|| {
    [
        Arc::new(zurero::Zurero),
        Arc::new(fabrik::Fabrik),
        Arc::new(absorption::Absorption),
        Arc::new(syrtis::Syrtis),
    ]
});

/// The sets that were made for one game.
pub fn made() -> &'static [Set] {
    &*SETS
}

/// The set of a game. What the engine said about the game is for those that have none of their own.
pub fn find(game: &str, info: Option<&GameInfo>) -> Set {
    let known = SETS.iter().find(|set| set.id() == game);
    known.cloned().unwrap_or_else(|| Arc::new(generic::Generic::new(game, info)))
}

/// Everything that the viewer knows of one game.
pub trait GameSet: Debug + Send + Sync {
    fn id(&self) -> &str;

    /// One line about the game, for someone who does not know it.
    fn pitch(&self) -> &str;

    /// How hard it is and how long it takes, for someone who wants to choose.
    fn effort(&self) -> &str {
        ""
    }

    /// What is asked for by `reach`, in a few words, if the game says anything then.
    fn reach(&self) -> Option<&str> {
        None
    }

    /// What each seat is, for someone who wants to sit down.
    fn seats(&self) -> [&str; 2] {
        ["Seat 1, moves first", "Seat 2"]
    }

    /// What an option or one of its values is called, where its name alone says little.
    fn word(&self, _name: &str) -> Option<&str> {
        None
    }

    /// The forms of aids on its board, of those that there are: pieces or tiles may have some of them.
    fn aid_forms(&self) -> &[u8] {
        &[0, 1, 2, 3]
    }

    /// The rows of a board in the middle of a game, for small pictures.
    fn sample(&self) -> Option<&'static str> {
        None
    }

    // ── Tokens ──

    /// What a token stands for, lowest first. A token that the game does not have is nothing.
    fn shapes(&self, token: &str) -> Vec<Shape>;

    /// Kinds of shapes are numbers below this one.
    fn kinds(&self) -> u8;

    fn build(&self, kind: u8) -> Build;

    /// What a kind of shape sounds like when it is put down.
    fn material(&self, _kind: u8) -> Material {
        Material::Wood
    }

    /// Whether a word of the rules is a token.
    fn is_token(&self, word: &str) -> bool {
        !self.shapes(word).is_empty()
    }

    // ── On the table ──

    fn layout(&self) -> BoardLayout;

    fn board(&self, columns: u8, rows: u8, theme: &Theme) -> Vec<Part>;

    /// The water over the board, where there is any.
    fn water(&self, _columns: u8, _rows: u8, _theme: &Theme) -> Option<Part> {
        None
    }

    /// `segments` is how many corners a round piece has.
    fn piece(&self, kind: u8, theme: &Theme, segments: u16) -> Solid;

    /// The colour in which letters and numbers stand around the board.
    fn label_colour(&self, theme: &Theme) -> Colour;

    /// The colour of what is written on a piece.
    fn ink(&self, _kind: u8, theme: &Theme) -> Colour {
        self.label_colour(theme)
    }

    // ── In panels ──

    /// A cell of a board in the rules.
    fn paint_cell(&self, painter: &Painter, place: Rect);

    /// What a token stands for, on a board in the rules.
    fn paint_token(&self, painter: &Painter, token: &str, place: Rect);

    /// The sign of one of the two sides.
    fn paint_emblem(&self, painter: &Painter, place: Rect, is_dark: bool);
}

/// What has to be known of a kind of shape besides how it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// The room that it takes up.
    pub body: Body,
    /// How far above its own underside the next one of the same cell stands.
    pub rise: f32,
    /// How far from the middle of a cell hands leave it.
    pub careless: f32,
    /// Whether it is ground for others: marks lie on it, and around it is the shore.
    pub is_ground: bool,
    /// Whether it is one of a pile that people may want to have counted.
    pub is_counted: bool,
    /// Whether the board is darker where it stands.
    pub darkens: bool,
    /// Whether it is too slender for a label to lie on top of it.
    pub is_slender: bool,
}

impl Build {
    /// A piece that stands on the board, and nothing on it.
    pub const fn single(body: Body, careless: f32) -> Build {
        Build {
            body,
            rise: 0.0,
            careless,
            is_ground: false,
            is_counted: false,
            darkens: true,
            is_slender: false,
        }
    }
}

/// How a game's board lies on the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardLayout {
    /// From the outer cells to the edge of the board.
    pub margin: f32,
    /// From the outer cells to the middle of the labels.
    pub label_distance: f32,
    pub label_height: f32,
    /// From the surface down to the table.
    pub thickness: f32,
    /// How high pieces usually get: the room that the camera leaves for them.
    pub headroom: f32,
    /// How broad the top of a piece is, compared with the piece.
    pub crown: f32,
    /// The height of what shadows mostly fall on.
    pub shadow_level: f32,
    /// Whether there are always places before the edges.
    pub doorsteps: bool,
    pub has_water: bool,
    /// Whether the first seat's pieces begin on the side of row 1.
    pub first_in_the_north: bool,
}

impl BoardLayout {
    /// A dry, flat board that nothing waits around.
    const PLAIN: BoardLayout = BoardLayout {
        margin: 0.8,
        label_distance: 0.4,
        label_height: 0.0,
        thickness: 0.45,
        headroom: 0.4,
        crown: 1.0,
        shadow_level: 0.0,
        doorsteps: false,
        has_water: false,
        first_in_the_north: false,
    };

    /// The corners of the box around the board and what stands on it.
    pub fn bounds(&self, columns: u8, rows: u8) -> (Vec3, Vec3) {
        let (low, high) = self.extent(columns, rows);
        (low.with_y(-self.thickness), high.with_y(self.headroom))
    }

    /// The corners of the board's surface.
    pub fn extent(&self, columns: u8, rows: u8) -> (Vec3, Vec3) {
        let out = 0.5 + self.margin;
        let last = |count: u8| f32::from(count.max(1)) - 1.0;
        (vec3(-out, 0.0, -out), vec3(last(columns) + out, 0.0, last(rows) + out))
    }

    /// From where a seat looks at the board.
    pub fn seat_yaw(&self, seat: u8) -> f32 {
        let north = if self.first_in_the_north { 1 } else { 2 };
        if seat == north { PI } else { 0.0 }
    }
}

/// A part of a board, and the colours that the shader of its surface asks for.
#[derive(Clone, Debug)]
pub struct Part {
    pub surface: Surface,
    pub colours: [Colour; 3],
    pub solid: Solid,
}

impl dyn GameSet + '_ {
    /// The form on the board of an aid of this number.
    pub fn aid_form(&self, number: u8) -> u8 {
        let forms = self.aid_forms();
        forms.get(usize::from(number) % forms.len().max(1)).copied().unwrap_or_default()
    }

    /// The board of [`GameSet::sample`].
    pub fn sample_board(&self) -> Option<Tokens> {
        let rows: Vec<String> = self.sample()?.lines().map(str::to_string).collect();
        Some(Tokens::read(&rows))
    }

    /// The figures of all cells, at rest.
    pub fn at_rest(&self, tokens: &Tokens) -> Vec<Figure> {
        tokens.cells().flat_map(|cell| self.on_cell(tokens.get(cell), cell)).collect()
    }

    /// The figures that a token stands for, lowest first, as they rest on a cell.
    pub fn on_cell(&self, token: &str, cell: Cell) -> Vec<Figure> {
        let mut height = 0.0;
        let mut figures = Vec::new();
        for (level, shape) in self.shapes(token).into_iter().enumerate() {
            let build = self.build(shape.kind);
            let (offset, yaw) = as_hands_leave_it(build.careless, cell, level);
            let at = middle(cell) + offset + vec3(0.0, height, 0.0);
            figures.push(Figure { shape, at, yaw, roll: 0.0, presence: 1.0 });
            height += build.rise;
        }
        figures
    }
}

/// Nobody puts pieces down exactly: a little to the side and a little turned, always the same for
/// the same place.
fn as_hands_leave_it(careless: f32, cell: Cell, level: usize) -> (Vec3, f32) {
    let chance = |salt: u32| {
        let mut bits = u32::from(cell.column) * 7919
            + u32::from(cell.row) * 104_729
            + level as u32 * 1_299_709
            + salt * 15_485_863;
        bits ^= bits >> 15;
        bits = bits.wrapping_mul(0x2c1b_3c6d);
        bits ^= bits >> 12;
        bits = bits.wrapping_mul(0x297a_2d39);
        bits ^= bits >> 15;
        bits as f32 / u32::MAX as f32 * 2.0 - 1.0
    };
    let yaw = if careless > 0.0 { chance(3) * 0.6 } else { 0.0 };
    (vec3(chance(1), 0.0, chance(2)) * careless, yaw)
}

/// The paint of parts whose shader knows their colours.
fn bare() -> Paint {
    Paint::new(Colour([255, 255, 255]), 0.0, 0.0)
}

/// A block from one corner to the other.
fn slab(low: Vec3, high: Vec3, bevel: f32) -> Solid {
    Solid::default().block((low + high) / 2.0, (high - low) / 2.0, bevel, 1.0, bare())
}

/// Four bars around a field, from the outer corners to the inner ones, as high as these are.
fn frame(outer: (Vec3, Vec3), inner: (Vec3, Vec3), heights: (f32, f32), bevel: f32) -> Solid {
    let ((low, high), (inner_low, inner_high), (bottom, top)) = (outer, inner, heights);
    let bars = [
        (vec3(low.x, bottom, low.z), vec3(high.x, top, inner_low.z)),
        (vec3(low.x, bottom, inner_high.z), vec3(high.x, top, high.z)),
        (vec3(low.x, bottom, inner_low.z), vec3(inner_low.x, top, inner_high.z)),
        (vec3(inner_high.x, bottom, inner_low.z), vec3(high.x, top, inner_high.z)),
    ];
    bars.into_iter().fold(Solid::default(), |frame, (low, high)| frame.joined(&slab(low, high, bevel)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_one_set_and_others_the_generic_one() {
        for set in made() {
            assert_eq!(find(set.id(), None).id(), set.id());
            assert!(!set.pitch().is_empty());
        }
        let unknown = find("chess", None);
        assert_eq!(unknown.id(), "chess");
        assert!(unknown.sample().is_none());
    }

    #[test]
    fn every_sample_is_a_board_of_its_game() {
        for set in made() {
            let tokens = set.sample_board().expect("a board");
            assert!(tokens.cells().count() > 8, "{}", set.id());
            for cell in tokens.cells() {
                let token = tokens.get(cell);
                assert_eq!(token == ".", set.shapes(token).is_empty(), "{} has no {token}", set.id());
            }
        }
    }

    #[test]
    fn tokens_that_a_game_does_not_have_are_nothing() {
        for set in made() {
            for token in [".", "é?", "", "zz"] {
                assert_eq!(set.shapes(token), [], "{}", set.id());
            }
        }
    }

    #[test]
    fn figures_lie_on_each_other_and_always_in_the_same_place() {
        let set = find("chess", None);
        let cell = Cell { column: 2, row: 3 };
        let pile = set.on_cell("x3", cell);
        assert_eq!(pile.len(), 3);
        assert!(pile.windows(2).all(|pair| pair[0].at.y < pair[1].at.y));
        assert_eq!(pile, set.on_cell("x3", cell));
    }
}
