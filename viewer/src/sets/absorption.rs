//! Absorption: a slab of slate inlaid with brass, and discs that are light on one face and dark on
//! the other.

use std::f32::consts::PI;

use egui_macroquad::egui::{self, Align2, FontId, Painter, Rect, Stroke};
use macroquad::math::{Mat3, Vec2, Vec3, vec2, vec3};

use super::{BoardLayout, Build, GameSet, Part, flat, slab};
use crate::scene::Shape;
use crate::sound::Material;
use crate::stage::paint::Surface;
use crate::stage::ray::Body;
use crate::stage::solid::{Paint, Solid};
use crate::stage::theme::{Colour, Theme};

#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Colours {
    pub slate: Colour,
    pub vein: Colour,
    pub brass: Colour,
    pub label: Colour,
    pub dark: Colour,
    pub cross: Colour,
    pub light: Colour,
    pub ring: Colour,
}

const LAYOUT: BoardLayout = BoardLayout { first_in_the_north: true, ..BoardLayout::PLAIN };

const RADIUS: f32 = 0.4;
const DISC_HEIGHT: f32 = 0.17;
const DISC: Body = Body::Round { radius: RADIUS, height: DISC_HEIGHT };

// The kinds of shapes: discs with this side up.
const DARK: u8 = 0;
const LIGHT: u8 = 1;

#[derive(Debug)]
pub(super) struct Absorption;

impl GameSet for Absorption {
    fn id(&self) -> &str {
        "absorption"
    }

    fn pitch(&self) -> &str {
        "Split, run, merge, and swallow the piles you outnumber."
    }

    fn effort(&self) -> &str {
        "Long turns, 20 minutes"
    }

    fn reach(&self) -> Option<&str> {
        Some("What could be absorbed within a turn")
    }

    fn seats(&self) -> [&str; 2] {
        ["X (dark), moves first", "O (light)"]
    }

    fn word(&self, name: &str) -> Option<&str> {
        (name == "captors").then_some("Piles needed to absorb")
    }

    fn sample(&self) -> Option<&'static str> {
        Some(include_str!("../../../assets/samples/absorption.txt"))
    }

    fn shapes(&self, token: &str) -> Vec<Shape> {
        let kind = match token.as_bytes().first() {
            Some(b'x') => DARK,
            Some(b'o') => LIGHT,
            _ => return Vec::new(),
        };
        let height = token[1..].parse().unwrap_or(0).min(9);
        vec![Shape::plain(kind); height]
    }

    fn kinds(&self) -> u8 {
        2
    }

    fn build(&self, _kind: u8) -> Build {
        Build { rise: DISC_HEIGHT, is_counted: true, ..Build::single(DISC, 0.03) }
    }

    fn material(&self, _kind: u8) -> Material {
        Material::Slate
    }

    fn layout(&self) -> BoardLayout {
        LAYOUT
    }

    fn board(&self, columns: u8, rows: u8, theme: &Theme) -> Vec<Part> {
        let (low, high) = LAYOUT.extent(columns, rows);
        let colours = [theme.absorption.slate, theme.absorption.vein, theme.absorption.brass];
        let solid = slab(low.with_y(-LAYOUT.thickness), high, 0.04);
        vec![Part { surface: Surface::Slate, colours, solid }]
    }

    fn piece(&self, kind: u8, theme: &Theme, segments: u16) -> Solid {
        disc(kind, &theme.absorption, segments)
    }

    fn label_colour(&self, theme: &Theme) -> Colour {
        theme.absorption.label
    }

    fn paint_cell(&self, painter: &Painter, place: Rect) {
        flat::cell(painter, place, flat::theme(painter).absorption.slate);
    }

    fn paint_token(&self, painter: &Painter, token: &str, place: Rect) {
        let cell = place.width();
        let shapes = self.shapes(token);
        if let Some(shape) = shapes.first().filter(|_| flat::is_small(flat::in_cell(place))) {
            return self.paint_emblem(painter, flat::in_cell(place), shape.kind == DARK);
        }
        for (level, shape) in shapes.iter().enumerate() {
            let place = place.translate(egui::vec2(0.0, -(level as f32) * cell * 0.08));
            self.paint_emblem(painter, flat::in_cell(place), shape.kind == DARK);
        }
        let at = place.right_bottom() - egui::vec2(cell, cell) * 0.2;
        let font = FontId::proportional(cell * 0.42);
        painter.circle_filled(at, cell * 0.23, flat::SHADE);
        painter.text(at, Align2::CENTER_CENTER, shapes.len(), font, flat::SHELL);
    }

    fn paint_emblem(&self, painter: &Painter, place: Rect, is_dark: bool) {
        let (middle, radius) = (place.center(), flat::radius(place));
        let Colours { dark, cross, light, ring, .. } = flat::theme(painter).absorption;
        if flat::is_small(place) {
            return flat::small_disc(
                painter,
                place,
                is_dark,
                flat::paint(if is_dark { dark } else { light }),
            );
        }
        if is_dark {
            flat::disc(painter, middle, radius, flat::paint(dark));
            flat::cross(painter, middle, radius * 0.42, flat::paint(cross));
        } else {
            flat::disc(painter, middle, radius, flat::paint(light));
            painter.circle_stroke(middle, radius * 0.48, Stroke::new(1.4, flat::paint(ring)));
        }
    }
}

fn disc(kind: u8, theme: &Colours, segments: u16) -> Solid {
    let light_up = ring_face(theme, segments).joined(&turned_over(cross_face(theme, segments)));
    match kind {
        DARK => turned_over(light_up).grounded(DISC_HEIGHT, 0.6),
        _ => light_up.grounded(DISC_HEIGHT, 0.6),
    }
}

fn turned_over(solid: Solid) -> Solid {
    solid.set(Mat3::from_rotation_x(PI), vec3(0.0, DISC_HEIGHT, 0.0))
}

/// The outline of half a disc, from the seam between the halves to the face at this radius.
fn half(inner: f32) -> [Vec2; 6] {
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

fn ring_face(theme: &Colours, segments: u16) -> Solid {
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

fn cross_face(theme: &Colours, segments: u16) -> Solid {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;

    #[test]
    fn pieces_of_a_pile_lie_on_each_other() {
        assert_eq!(Absorption.shapes("o3"), [Shape::plain(LIGHT); 3]);
        let set: &dyn GameSet = &Absorption;
        let pile = set.on_cell("x3", Cell { column: 0, row: 0 });
        let heights: Vec<f32> = pile.iter().map(|figure| figure.at.y).collect();
        assert_eq!(heights, [0.0, DISC_HEIGHT, DISC_HEIGHT * 2.0]);
    }
}
