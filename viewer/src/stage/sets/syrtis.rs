//! A basin of shallow water, tiles of sand and basalt in it, and towers.

use std::f32::consts::TAU;

use macroquad::math::{Mat3, Vec3, vec2, vec3};

use super::{Layout, Surface, bare, slab};
use crate::pieces::TILE_HEIGHT;
use crate::scene::{Emblem, Shape, Side};
use crate::stage::ray::Body;
use crate::stage::solid::{Paint, Solid};
use crate::stage::theme::Syrtis;

pub(super) const LAYOUT: Layout = Layout {
    margin: 0.95,
    label_distance: 0.68,
    label_height: RIM_TOP,
    thickness: 0.75,
    headroom: 0.3,
    crown: 1.0,
    shadow_level: -0.35,
    doorsteps: false,
    first_in_the_north: false,
};

const RIM_TOP: f32 = 0.12;
const RIM_WIDTH: f32 = 0.5;
const BED: f32 = -0.55;
/// How far a tile reaches below the water.
const ROOT: f32 = 0.45;

const TILE_HALF: f32 = 0.47;
pub(super) const TILE: Body = Body::Square { half: TILE_HALF, height: TILE_HEIGHT };
pub(super) const ROUND_TOWER: Body = Body::Round { radius: 0.21, height: 0.78 };
pub(super) const SQUARE_TOWER: Body = Body::Square { half: 0.2, height: 0.78 };

pub(super) fn board(columns: u8, rows: u8) -> Vec<(Surface, Solid)> {
    let (low, high) = LAYOUT.extent(columns, rows);
    let (inner_low, inner_high) = inside(columns, rows);
    let (bottom, top) = (-LAYOUT.thickness, RIM_TOP);
    let bars = [
        (vec3(low.x, bottom, low.z), vec3(high.x, top, inner_low.z)),
        (vec3(low.x, bottom, inner_high.z), vec3(high.x, top, high.z)),
        (vec3(low.x, bottom, inner_low.z), vec3(inner_low.x, top, inner_high.z)),
        (vec3(inner_high.x, bottom, inner_low.z), vec3(high.x, top, inner_high.z)),
    ];
    let rim = bars.into_iter().fold(Solid::default(), |rim, (low, high)| rim.joined(&slab(low, high, 0.05)));
    vec![(Surface::Rim, rim), (Surface::Bed, level(columns, rows, BED))]
}

pub(super) fn water(columns: u8, rows: u8) -> Solid {
    level(columns, rows, 0.0)
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

pub(super) fn piece(shape: Shape, theme: &Syrtis, segments: u16) -> Solid {
    match shape {
        Shape::Tower(Side::Light) => round_tower(theme, segments),
        Shape::Tower(Side::Dark) => square_tower(theme),
        Shape::Tile(Side::Light, emblem) => {
            tile(Paint::new(theme.sand, 0.05, 0.5), Paint::new(theme.sand_emblem, 0.1, 0.3), emblem, segments)
        }
        Shape::Tile(Side::Dark, emblem) => tile(
            Paint::new(theme.basalt, 0.12, 0.5),
            Paint::new(theme.basalt_emblem, 0.15, 0.3),
            emblem,
            segments,
        ),
        _ => Solid::default(),
    }
}

/// The emblem is a raised outline, wide enough to be seen around a tower.
fn tile(body: Paint, raised: Paint, emblem: Emblem, segments: u16) -> Solid {
    let half = (TILE_HEIGHT + ROOT) / 2.0;
    let slab = Solid::default().block(
        vec3(0.0, TILE_HEIGHT - half, 0.0),
        vec3(TILE_HALF, half, TILE_HALF),
        0.035,
        1.0,
        body,
    );
    let (low, high) = (TILE_HEIGHT - 0.01, TILE_HEIGHT + 0.035);
    match emblem {
        Emblem::Circle => slab.turned(
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
        Emblem::Square => {
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

fn round_tower(theme: &Syrtis, segments: u16) -> Solid {
    let stone = Paint::new(theme.light, 0.08, 0.35);
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
    let merlon = Solid::default().block(vec3(0.178, 0.7, 0.0), vec3(0.032, 0.062, 0.052), 0.012, 1.0, stone);
    (0..6)
        .fold(Solid::default().turned(&profile, stone, segments), |tower, index| {
            let turn = Mat3::from_rotation_y(TAU * index as f32 / 6.0);
            tower.joined(&merlon.clone().set(turn, Vec3::ZERO))
        })
        .grounded(0.35, 0.5)
}

fn square_tower(theme: &Syrtis) -> Solid {
    let stone = Paint::new(theme.dark, 0.15, 0.4);
    let block = |solid: Solid, low: f32, high: f32, half: f32, taper: f32| {
        let (middle, thick) = ((low + high) / 2.0, (high - low) / 2.0);
        solid.block(vec3(0.0, middle, 0.0), vec3(half, thick, half), 0.014, taper, stone)
    };
    let tower = block(Solid::default(), 0.0, 0.09, 0.205, 0.95);
    let tower = block(tower, 0.07, 0.56, 0.172, 0.9);
    let tower = block(tower, 0.54, 0.66, 0.195, 1.0);
    let spots = [-1.0, 0.0, 1.0].into_iter().flat_map(|x| [-1.0, 0.0, 1.0].map(|z| (x, z)));
    spots
        .filter(|spot| *spot != (0.0, 0.0))
        .fold(tower, |tower, (x, z)| {
            let at = vec3(x * 0.153, 0.705, z * 0.153);
            tower.block(at, vec3(0.042, 0.06, 0.042), 0.01, 1.0, stone)
        })
        .grounded(0.35, 0.5)
}
