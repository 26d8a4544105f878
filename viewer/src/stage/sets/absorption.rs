//! A slab of slate inlaid with brass, and discs that are light on one face and dark on the other.

use std::f32::consts::PI;

use macroquad::math::{Mat3, Vec3, vec2, vec3};

use super::{Layout, Surface, slab};
use crate::pieces::DISC_HEIGHT;
use crate::scene::{Shape, Side};
use crate::stage::ray::Body;
use crate::stage::solid::{Paint, Solid};
use crate::stage::theme::Absorption;

pub(super) const LAYOUT: Layout = Layout {
    margin: 0.8,
    label_distance: 0.4,
    label_height: 0.0,
    thickness: 0.45,
    headroom: 0.4,
    crown: 1.0,
    shadow_level: 0.0,
    doorsteps: false,
    first_in_the_north: true,
};

const RADIUS: f32 = 0.4;
pub(super) const DISC: Body = Body::Round { radius: RADIUS, height: DISC_HEIGHT };

pub(super) fn board(columns: u8, rows: u8) -> Vec<(Surface, Solid)> {
    let (low, high) = LAYOUT.extent(columns, rows);
    vec![(Surface::Slate, slab(low.with_y(-LAYOUT.thickness), high, 0.04))]
}

pub(super) fn piece(shape: Shape, theme: &Absorption, segments: u16) -> Solid {
    let light_up = ring_face(theme, segments).joined(&turned_over(cross_face(theme, segments)));
    match shape {
        Shape::Disc(Side::Dark) => turned_over(light_up).grounded(DISC_HEIGHT, 0.6),
        _ => light_up.grounded(DISC_HEIGHT, 0.6),
    }
}

fn turned_over(solid: Solid) -> Solid {
    solid.set(Mat3::from_rotation_x(PI), vec3(0.0, DISC_HEIGHT, 0.0))
}

/// The outline of half a disc, from the seam between the halves to the face at this radius.
fn half(inner: f32) -> [macroquad::math::Vec2; 6] {
    let middle = DISC_HEIGHT / 2.0;
    [
        vec2(RADIUS - 0.012, middle),
        vec2(RADIUS, middle + 0.01),
        vec2(RADIUS, DISC_HEIGHT - 0.035),
        vec2(RADIUS - 0.01, DISC_HEIGHT - 0.011),
        vec2(RADIUS - 0.035, DISC_HEIGHT),
        vec2(inner, DISC_HEIGHT),
    ]
}

fn ring_face(theme: &Absorption, segments: u16) -> Solid {
    let body = Paint::new(theme.light, 0.3, 0.12);
    let ring = Paint::new(theme.ring, 0.5, 0.0);
    let face = DISC_HEIGHT;
    Solid::default()
        .turned(&half(0.24), body, segments)
        .turned(
            &[vec2(0.24, face), vec2(0.23, face - 0.014), vec2(0.18, face - 0.014), vec2(0.17, face)],
            ring,
            segments,
        )
        .turned(&[vec2(0.17, face), vec2(0.0, face)], body, segments)
}

fn cross_face(theme: &Absorption, segments: u16) -> Solid {
    let body = Paint::new(theme.dark, 0.3, 0.15);
    let cross = Paint::new(theme.cross, 0.5, 0.0);
    let bar = |half: Vec3| {
        Solid::default()
            .block(vec3(0.0, DISC_HEIGHT - 0.02, 0.0), half, 0.008, 1.0, cross)
            .set(Mat3::from_rotation_y(PI / 4.0), Vec3::ZERO)
    };
    Solid::default()
        .turned(&half(0.0), body, segments)
        .joined(&bar(vec3(0.24, 0.024, 0.035)))
        .joined(&bar(vec3(0.035, 0.0238, 0.24)))
}
