//! A thick board of pale wood, and lens-shaped stones of slate and shell.

use macroquad::math::{Vec2, vec2};

use super::{Layout, Surface, slab};
use crate::scene::{Shape, Side};
use crate::stage::ray::Body;
use crate::stage::solid::{Paint, Solid};
use crate::stage::theme::Zurero;

pub(super) const LAYOUT: Layout = Layout {
    margin: 1.5,
    label_distance: 1.18,
    label_height: 0.0,
    thickness: 1.1,
    headroom: 0.2,
    crown: 0.8,
    shadow_level: 0.0,
    doorsteps: true,
    first_in_the_north: false,
};

const RADIUS: f32 = 0.465;
const HEIGHT: f32 = 0.38;
pub(super) const STONE: Body = Body::Round { radius: RADIUS, height: HEIGHT };

pub(super) fn board(columns: u8, rows: u8) -> Vec<(Surface, Solid)> {
    let (low, high) = LAYOUT.extent(columns, rows);
    vec![(Surface::Kaya, slab(low.with_y(-LAYOUT.thickness), high, 0.06))]
}

pub(super) fn piece(shape: Shape, theme: &Zurero, segments: u16) -> Solid {
    let lens = |from: f32, to: f32| -> Vec<Vec2> {
        let steps = ((to - from) * f32::from(segments) * 0.6).ceil() as u16;
        (0..=steps).map(|step| lens_point(from + (to - from) * f32::from(step) / f32::from(steps))).collect()
    };
    let stone = match shape {
        Shape::Stone(Side::Light) => {
            // The fine ring on both faces tells white from black where colours cannot.
            let shell = Paint::new(theme.light, 0.55, 0.15);
            let ring = Paint::new(theme.ring, 0.3, 0.0);
            Solid::default()
                .turned(&lens(0.0, 0.215), shell, segments)
                .turned(&lens(0.215, 0.25), ring, segments)
                .turned(&lens(0.25, 0.75), shell, segments)
                .turned(&lens(0.75, 0.785), ring, segments)
                .turned(&lens(0.785, 1.0), shell, segments)
        }
        _ => Solid::default().turned(&lens(0.0, 0.5), Paint::new(theme.dark, 0.3, 0.3), segments).turned(
            &lens(0.5, 1.0),
            Paint::new(theme.dark, 0.3, 0.3),
            segments,
        ),
    };
    stone.grounded(HEIGHT * 0.5, 0.35)
}

/// A point of the outline: 0 is the middle of the underside, 1 is the middle of the top.
fn lens_point(part: f32) -> Vec2 {
    let (sin, cos) = (part * std::f32::consts::PI).sin_cos();
    // A little fuller than an ellipse: stones have a blunt edge.
    let full = |value: f32| value.signum() * value.abs().powf(0.86);
    vec2(full(sin) * RADIUS, (1.0 - full(cos)) * HEIGHT / 2.0)
}
