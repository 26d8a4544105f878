//! Syrtis: a basin of shallow water, tiles of sand and basalt in it, and towers.

use std::f32::consts::TAU;

use egui_macroquad::egui::{self, Painter, Rect, Stroke, StrokeKind};
use macroquad::math::{Mat3, Vec3, vec2, vec3};

use super::{BoardLayout, Build, GameSet, Part, bare, flat, frame};
use crate::scene::Shape;
use crate::sound::Material;
use crate::stage::paint::Surface;
use crate::stage::ray::Body;
use crate::stage::solid::{Paint, Solid};
use crate::stage::theme::{Colour, Theme};

#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Colours {
    pub rim: Colour,
    pub rim_grain: Colour,
    pub label: Colour,
    pub bed: Colour,
    pub shallow: Colour,
    pub deep: Colour,
    pub foam: Colour,
    pub sand: Colour,
    pub sand_emblem: Colour,
    pub basalt: Colour,
    pub basalt_emblem: Colour,
    pub light: Colour,
    pub light_crown: Colour,
    pub dark: Colour,
    pub dark_crown: Colour,
}

const LAYOUT: BoardLayout = BoardLayout {
    margin: 0.95,
    label_distance: 0.68,
    label_height: RIM_TOP,
    thickness: 0.75,
    headroom: 0.3,
    shadow_level: -0.35,
    has_water: true,
    ..BoardLayout::PLAIN
};

const RIM_TOP: f32 = 0.12;
const RIM_WIDTH: f32 = 0.5;
const BED: f32 = -0.55;
/// How far the top of a tile is above the water.
const TILE_HEIGHT: f32 = 0.16;
/// How far a tile reaches below the water.
const ROOT: f32 = 0.45;

const TILE_HALF: f32 = 0.47;
const TILE: Body = Body::Square { half: TILE_HALF, height: TILE_HEIGHT };
const ROUND: Body = Body::Round { radius: 0.21, height: 0.78 };
const SQUARE: Body = Body::Square { half: 0.2, height: 0.78 };

// The kinds of shapes.
const LIGHT_CIRCLE: u8 = 0;
const LIGHT_SQUARE: u8 = 1;
const DARK_CIRCLE: u8 = 2;
const DARK_SQUARE: u8 = 3;
const LIGHT_TOWER: u8 = 4;
const DARK_TOWER: u8 = 5;

#[derive(Debug)]
pub(super) struct Syrtis;

impl GameSet for Syrtis {
    fn id(&self) -> &str {
        "syrtis"
    }

    fn pitch(&self) -> &str {
        "Tiles sink and drift in quicksand. Join yours into one island."
    }

    fn effort(&self) -> &str {
        "The deepest, 30 minutes"
    }

    fn seats(&self) -> [&str; 2] {
        ["Sets up the towers", "Chooses light or dark"]
    }

    /// Circles and squares are on the tiles: strokes this way and that are not.
    fn aid_forms(&self) -> &[u8] {
        &[3, 4]
    }

    fn sample(&self) -> Option<&'static str> {
        Some(include_str!("../../../assets/samples/syrtis.txt"))
    }

    fn shapes(&self, token: &str) -> Vec<Shape> {
        let (tile, tower) = match token.as_bytes() {
            [b'l', b'c', tower @ ..] => (Some(LIGHT_CIRCLE), tower),
            [b'l', b's', tower @ ..] => (Some(LIGHT_SQUARE), tower),
            [b'd', b'c', tower @ ..] => (Some(DARK_CIRCLE), tower),
            [b'd', b's', tower @ ..] => (Some(DARK_SQUARE), tower),
            tower => (None, tower),
        };
        let tower = match tower {
            b"L" => Some(LIGHT_TOWER),
            b"D" => Some(DARK_TOWER),
            _ => None,
        };
        tile.into_iter().chain(tower).map(Shape::plain).collect()
    }

    fn kinds(&self) -> u8 {
        6
    }

    fn build(&self, kind: u8) -> Build {
        let (body, is_ground) = match kind {
            LIGHT_TOWER => (ROUND, false),
            DARK_TOWER => (SQUARE, false),
            _ => (TILE, true),
        };
        let rise = if is_ground { TILE_HEIGHT } else { 0.0 };
        Build { rise, is_ground, darkens: false, ..Build::single(body, 0.0) }
    }

    fn material(&self, _kind: u8) -> Material {
        Material::Stone
    }

    fn layout(&self) -> BoardLayout {
        LAYOUT
    }

    fn board(&self, columns: u8, rows: u8, theme: &Theme) -> Vec<Part> {
        let colours = &theme.syrtis;
        let rim =
            frame(LAYOUT.extent(columns, rows), inside(columns, rows), (-LAYOUT.thickness, RIM_TOP), 0.05);
        vec![
            Part {
                surface: Surface::Rim,
                colours: [colours.rim, colours.rim_grain, colours.rim_grain],
                solid: rim,
            },
            Part {
                surface: Surface::Bed,
                colours: [colours.bed, colours.deep, colours.shallow],
                solid: level(columns, rows, BED),
            },
        ]
    }

    fn water(&self, columns: u8, rows: u8, theme: &Theme) -> Option<Part> {
        let colours = [theme.syrtis.shallow, theme.syrtis.deep, theme.syrtis.foam];
        Some(Part { surface: Surface::Water, colours, solid: level(columns, rows, 0.0) })
    }

    fn piece(&self, kind: u8, theme: &Theme, segments: u16) -> Solid {
        let colours = &theme.syrtis;
        let is_circle = matches!(kind, LIGHT_CIRCLE | DARK_CIRCLE);
        match kind {
            LIGHT_TOWER => round_tower(colours, segments),
            DARK_TOWER => square_tower(colours),
            LIGHT_CIRCLE | LIGHT_SQUARE => {
                let raised = Paint::new(colours.sand_emblem, 0.1, 0.3);
                tile(Paint::new(colours.sand, 0.05, 0.5), raised, is_circle, segments)
            }
            _ => {
                let raised = Paint::new(colours.basalt_emblem, 0.15, 0.3);
                tile(Paint::new(colours.basalt, 0.12, 0.5), raised, is_circle, segments)
            }
        }
    }

    fn label_colour(&self, theme: &Theme) -> Colour {
        theme.syrtis.label
    }

    fn paint_cell(&self, painter: &Painter, place: Rect) {
        painter.rect_filled(place, 0.0, flat::paint(flat::theme(painter).syrtis.deep));
    }

    fn paint_token(&self, painter: &Painter, token: &str, place: Rect) {
        for shape in self.shapes(token) {
            paint_shape(painter, shape.kind, place);
        }
    }

    fn paint_emblem(&self, painter: &Painter, place: Rect, is_dark: bool) {
        let (middle, radius) = (place.center(), flat::radius(place));
        let Colours { dark, light, .. } = flat::theme(painter).syrtis;
        match is_dark {
            true => flat::square(painter, middle, radius, flat::paint(dark)),
            false => flat::disc(painter, middle, radius, flat::paint(light)),
        }
    }
}

fn paint_shape(painter: &Painter, kind: u8, place: Rect) {
    let (middle, cell) = (place.center(), place.width());
    let square = |size: f32| Rect::from_center_size(middle, egui::Vec2::splat(size));
    // On a small board an outline of the usual width would be all that is seen.
    let width = (cell * 0.09).clamp(1.0, 2.0);
    match kind {
        LIGHT_TOWER => {
            painter.circle(middle, cell * 0.22, flat::SHELL, Stroke::new(width, flat::SHADE));
        }
        DARK_TOWER => {
            let outline = Stroke::new(width, flat::SHELL);
            painter.rect(square(cell * 0.36), 0.0, flat::SHADE, outline, StrokeKind::Middle);
        }
        tile => {
            let is_light = matches!(tile, LIGHT_CIRCLE | LIGHT_SQUARE);
            let theme = &flat::theme(painter).syrtis;
            let (sand, basalt) = (flat::paint(theme.sand), flat::paint(theme.basalt));
            let (ground, sign) = if is_light { (sand, basalt) } else { (basalt, sand) };
            painter.rect_filled(place.shrink(1.5), 3.0, ground);
            let stroke = Stroke::new(width.min(1.4), sign.gamma_multiply(0.75));
            let size = cell * 0.56;
            if matches!(tile, LIGHT_CIRCLE | DARK_CIRCLE) {
                painter.circle_stroke(middle, size * 0.5, stroke);
            } else {
                painter.rect_stroke(square(size * 0.92), 0.0, stroke, StrokeKind::Middle);
            }
        }
    }
}

/// The corners of what the rim holds.
fn inside(columns: u8, rows: u8) -> (Vec3, Vec3) {
    let (low, high) = LAYOUT.extent(columns, rows);
    let inset = vec3(1.0, 0.0, 1.0) * RIM_WIDTH;
    (low + inset, high - inset)
}

/// A level face from rim to rim.
fn level(columns: u8, rows: u8, height: f32) -> Solid {
    let (low, high) = inside(columns, rows);
    let (low, high) = (vec2(low.x, low.z), vec2(high.x, high.z));
    Solid::default().sheet(low - 0.03, high + 0.03, height, bare())
}

/// The emblem is a raised outline, wide enough to be seen around a tower.
fn tile(body: Paint, raised: Paint, is_circle: bool, segments: u16) -> Solid {
    let half = (TILE_HEIGHT + ROOT) / 2.0;
    let slab = Solid::default().block(
        vec3(0.0, TILE_HEIGHT - half, 0.0),
        vec3(TILE_HALF, half, TILE_HALF),
        0.035,
        1.0,
        body,
    );
    let (low, high) = (TILE_HEIGHT - 0.01, TILE_HEIGHT + 0.035);
    match is_circle {
        true => slab.turned(
            &[
                vec2(0.37, low),
                vec2(0.365, high - 0.012),
                vec2(0.352, high),
                vec2(0.298, high),
                vec2(0.285, high - 0.012),
                vec2(0.28, low),
            ],
            raised,
            segments,
        ),
        false => {
            let middle = (low + high) / 2.0;
            let thick = (high - low) / 2.0;
            let (out, width) = (0.315, 0.042);
            [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)].into_iter().fold(slab, |tile, (x, z)| {
                let length = if x == 0.0 { out + width } else { out - width };
                let along = vec3(f32::abs(z), 0.0, f32::abs(x)) * length;
                let across = vec3(f32::abs(x), 0.0, f32::abs(z)) * width;
                let at = vec3(x * out, middle, z * out);
                tile.block(at, along + across + vec3(0.0, thick, 0.0), 0.012, 1.0, raised)
            })
        }
    }
}

fn round_tower(theme: &Colours, segments: u16) -> Solid {
    let stone = Paint::new(theme.light, 0.08, 0.35);
    // Crowns are of the other kind: so a tower stands out from a tile of its own colour.
    let crown = Paint::new(theme.light_crown, 0.08, 0.35);
    let profile = [
        vec2(0.0, 0.0),
        vec2(0.215, 0.0),
        vec2(0.22, 0.02),
        vec2(0.215, 0.07),
        vec2(0.185, 0.1),
        vec2(0.165, 0.5),
        vec2(0.175, 0.53),
        vec2(0.205, 0.57),
        vec2(0.21, 0.58),
        vec2(0.21, 0.66),
        vec2(0.2, 0.668),
        vec2(0.16, 0.668),
        vec2(0.15, 0.66),
        vec2(0.148, 0.6),
        vec2(0.0, 0.6),
    ];
    let merlon = Solid::default().block(vec3(0.178, 0.7, 0.0), vec3(0.036, 0.062, 0.058), 0.012, 1.0, crown);
    (0..6)
        .fold(Solid::default().turned(&profile, stone, segments), |tower, index| {
            let turn = Mat3::from_rotation_y(TAU * index as f32 / 6.0);
            tower.joined(&merlon.clone().set(turn, Vec3::ZERO))
        })
        .grounded(0.35, 0.5)
}

fn square_tower(theme: &Colours) -> Solid {
    let stone = Paint::new(theme.dark, 0.15, 0.4);
    let crown = Paint::new(theme.dark_crown, 0.15, 0.4);
    let block = |solid: Solid, low: f32, high: f32, half: f32, taper: f32, paint: Paint| {
        let (middle, thick) = ((low + high) / 2.0, (high - low) / 2.0);
        solid.block(vec3(0.0, middle, 0.0), vec3(half, thick, half), 0.014, taper, paint)
    };
    let tower = block(Solid::default(), 0.0, 0.09, 0.205, 0.95, crown);
    let tower = block(tower, 0.07, 0.56, 0.172, 0.9, stone);
    let tower = block(tower, 0.54, 0.66, 0.195, 1.0, stone);
    let spots = [-1.0, 0.0, 1.0].into_iter().flat_map(|x| [-1.0, 0.0, 1.0].map(|z| (x, z)));
    spots
        .filter(|spot| *spot != (0.0, 0.0))
        .fold(tower, |tower, (x, z)| {
            let at = vec3(x * 0.153, 0.705, z * 0.153);
            tower.block(at, vec3(0.048, 0.06, 0.048), 0.01, 1.0, crown)
        })
        .grounded(0.35, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towers_stand_on_tiles_or_alone() {
        assert_eq!(Syrtis.shapes("dsL"), [Shape::plain(DARK_SQUARE), Shape::plain(LIGHT_TOWER)]);
        assert_eq!(Syrtis.shapes("D"), [Shape::plain(DARK_TOWER)]);
    }
}
