//! A workbench of oak in a frame of brushed steel, machined pucks, and workers with helmets.

use std::f32::consts::FRAC_PI_2;

use macroquad::math::{Mat3, Vec2, vec2, vec3};

use super::{Layout, Surface, bare, slab};
use crate::scene::{Shape, Side};
use crate::stage::ray::Body;
use crate::stage::solid::{Paint, Solid};
use crate::stage::theme::Fabrik;

pub(super) const LAYOUT: Layout = Layout {
    margin: 0.85,
    label_distance: 0.48,
    label_height: FRAME_TOP,
    thickness: 0.7,
    headroom: 0.4,
    crown: 1.0,
    shadow_level: 0.0,
    doorsteps: false,
    first_in_the_north: false,
};

const FRAME_TOP: f32 = 0.05;
/// From the outer cells to the frame.
const FIELD_MARGIN: f32 = 0.12;

const RADIUS: f32 = 0.37;
const HEIGHT: f32 = 0.21;
pub(super) const STONE: Body = Body::Round { radius: RADIUS, height: HEIGHT };
pub(super) const WORKER: Body = Body::Round { radius: 0.27, height: 0.92 };

pub(super) fn board(columns: u8, rows: u8) -> Vec<(Surface, Solid)> {
    let (low, high) = LAYOUT.extent(columns, rows);
    let inset = vec3(1.0, 0.0, 1.0) * (LAYOUT.margin - FIELD_MARGIN);
    let (inner_low, inner_high) = (low + inset, high - inset);
    let field = Solid::default().sheet(
        vec2(inner_low.x, inner_low.z) - 0.02,
        vec2(inner_high.x, inner_high.z) + 0.02,
        0.0,
        bare(),
    );
    let (bottom, top) = (-LAYOUT.thickness, FRAME_TOP);
    let bars = [
        (vec3(low.x, bottom, low.z), vec3(high.x, top, inner_low.z)),
        (vec3(low.x, bottom, inner_high.z), vec3(high.x, top, high.z)),
        (vec3(low.x, bottom, inner_low.z), vec3(inner_low.x, top, inner_high.z)),
        (vec3(inner_high.x, bottom, inner_low.z), vec3(high.x, top, inner_high.z)),
    ];
    let frame =
        bars.into_iter().fold(Solid::default(), |frame, (low, high)| frame.joined(&slab(low, high, 0.03)));
    vec![(Surface::Steel, frame), (Surface::Oak, field)]
}

pub(super) fn piece(shape: Shape, theme: &Fabrik, segments: u16) -> Solid {
    match shape {
        Shape::Worker => worker(theme, segments),
        Shape::Stone(Side::Light) => {
            let ivory = Paint::new(theme.light, 0.35, 0.05);
            let dot = Paint::new(theme.dot, 0.3, 0.0);
            Solid::default()
                .turned(&puck_side(), ivory, segments)
                .turned(
                    &[vec2(0.3, HEIGHT), vec2(0.27, HEIGHT - 0.012), vec2(0.115, HEIGHT - 0.012)],
                    ivory,
                    segments,
                )
                .turned(
                    &[vec2(0.115, HEIGHT - 0.012), vec2(0.1, HEIGHT - 0.03), vec2(0.0, HEIGHT - 0.03)],
                    dot,
                    segments,
                )
                .grounded(HEIGHT, 0.45)
        }
        _ => {
            let black = Paint::new(theme.dark, 0.45, 0.1);
            let notch = Paint::new(theme.notch, 0.6, 0.0);
            Solid::default()
                .turned(&puck_side(), black, segments)
                .turned(&[vec2(0.3, HEIGHT), vec2(0.262, HEIGHT)], black, segments)
                .turned(
                    &[
                        vec2(0.262, HEIGHT),
                        vec2(0.252, HEIGHT - 0.03),
                        vec2(0.208, HEIGHT - 0.03),
                        vec2(0.198, HEIGHT),
                    ],
                    notch,
                    segments,
                )
                .turned(&[vec2(0.198, HEIGHT), vec2(0.0, HEIGHT)], black, segments)
                .grounded(HEIGHT, 0.45)
        }
    }
}

fn puck_side() -> [Vec2; 7] {
    [
        vec2(0.0, 0.0),
        vec2(RADIUS - 0.03, 0.0),
        vec2(RADIUS, 0.03),
        vec2(RADIUS, HEIGHT - 0.045),
        vec2(RADIUS - 0.014, HEIGHT - 0.014),
        vec2(RADIUS - 0.045, HEIGHT),
        vec2(0.3, HEIGHT),
    ]
}

fn worker(theme: &Fabrik, segments: u16) -> Solid {
    let overall = Paint::new(theme.overall, 0.15, 0.1);
    let skin = Paint::new(theme.skin, 0.2, 0.05);
    let helmet = Paint::new(theme.helmet, 0.6, 0.0);
    let body = [
        vec2(0.0, 0.0),
        vec2(0.26, 0.0),
        vec2(0.27, 0.03),
        vec2(0.265, 0.07),
        vec2(0.225, 0.11),
        vec2(0.19, 0.2),
        vec2(0.17, 0.3),
        vec2(0.172, 0.4),
        vec2(0.17, 0.47),
        vec2(0.135, 0.53),
        vec2(0.08, 0.555),
    ];
    let head: Vec<Vec2> = (0..=8)
        .map(|step| {
            let (sin, cos) = (0.35 + 1.5 * step as f32 / 8.0_f32).sin_cos();
            vec2(sin * 0.148, 0.67 - cos * 0.148)
        })
        .collect();
    let brim = [vec2(0.14, 0.69), vec2(0.2, 0.685), vec2(0.212, 0.697), vec2(0.2, 0.712), vec2(0.172, 0.722)];
    let dome: Vec<Vec2> = (0..=8)
        .map(|step| {
            let (sin, cos) = (FRAC_PI_2 * step as f32 / 8.0).sin_cos();
            vec2(cos * 0.172, 0.722 + sin * 0.165)
        })
        .collect();
    Solid::default()
        .turned(&body, overall, segments)
        .turned(&head, skin, segments)
        .turned(&brim, helmet, segments)
        .turned(&dome, helmet, segments)
        .joined(&crest(helmet, segments))
        .grounded(0.3, 0.45)
}

/// The ridge over a helmet, from its front to its back.
fn crest(paint: Paint, segments: u16) -> Solid {
    let wheel = [
        vec2(0.14, -0.024),
        vec2(0.172, -0.024),
        vec2(0.186, -0.014),
        vec2(0.186, 0.014),
        vec2(0.172, 0.024),
        vec2(0.14, 0.024),
    ];
    Solid::default()
        .turned(&wheel, paint, segments)
        .set(Mat3::from_rotation_z(FRAC_PI_2), vec3(0.0, 0.717, 0.0))
        .cut_below(0.715)
}
