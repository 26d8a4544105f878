//! Zurero: a thick board of pale wood, and lens-shaped stones of slate and shell.

use egui_macroquad::egui::{Painter, Rect, Stroke};
use macroquad::math::{Vec2, vec2};

use super::flat::Sides;
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
    pub wood: Colour,
    pub grain: Colour,
    pub line: Colour,
    pub dark: Colour,
    pub light: Colour,
    pub ring: Colour,
}

const LAYOUT: BoardLayout = BoardLayout {
    margin: 1.5,
    label_distance: 1.18,
    thickness: 1.1,
    headroom: 0.2,
    crown: 0.8,
    doorsteps: true,
    ..BoardLayout::PLAIN
};

const RADIUS: f32 = 0.465;
const HEIGHT: f32 = 0.38;
const STONE: Body = Body::Round { radius: RADIUS, height: HEIGHT };

// The kinds of shapes.
const DARK: u8 = 0;
const LIGHT: u8 = 1;

#[derive(Debug)]
pub(super) struct Zurero;

impl GameSet for Zurero {
    fn id(&self) -> &str {
        "zurero"
    }

    fn pitch(&self) -> &str {
        "Slide stones in from the edges, push, and get five in a row first."
    }

    fn effort(&self) -> &str {
        "Easy to learn, 10 minutes"
    }

    fn seats(&self) -> [&str; 2] {
        ["Black, moves first", "White"]
    }

    fn sample(&self) -> Option<&'static str> {
        Some(include_str!("../../../assets/samples/zurero.txt"))
    }

    fn shapes(&self, token: &str) -> Vec<Shape> {
        match token {
            "b" => vec![Shape::plain(DARK)],
            "w" => vec![Shape::plain(LIGHT)],
            _ => Vec::new(),
        }
    }

    fn kinds(&self) -> u8 {
        2
    }

    fn build(&self, _kind: u8) -> Build {
        Build::single(STONE, 0.025)
    }

    fn material(&self, _kind: u8) -> Material {
        Material::Stone
    }

    fn layout(&self) -> BoardLayout {
        LAYOUT
    }

    fn board(&self, columns: u8, rows: u8, theme: &Theme) -> Vec<Part> {
        let (low, high) = LAYOUT.extent(columns, rows);
        let colours = [theme.zurero.wood, theme.zurero.grain, theme.zurero.line];
        let solid = slab(low.with_y(-LAYOUT.thickness), high, 0.06);
        vec![Part { surface: Surface::Kaya, colours, solid }]
    }

    fn piece(&self, kind: u8, theme: &Theme, segments: u16) -> Solid {
        stone(kind, &theme.zurero, segments)
    }

    fn label_colour(&self, theme: &Theme) -> Colour {
        theme.zurero.line
    }

    fn paint_cell(&self, painter: &Painter, place: Rect) {
        let theme = &flat::theme(painter).zurero;
        let thin = Stroke::new(1.0, flat::paint(theme.line).gamma_multiply(0.5));
        painter.rect_filled(place, 0.0, flat::paint(theme.wood));
        painter.hline(place.x_range(), place.center().y, thin);
        painter.vline(place.center().x, place.y_range(), thin);
    }

    fn paint_token(&self, painter: &Painter, token: &str, place: Rect) {
        for shape in self.shapes(token) {
            self.paint_emblem(painter, flat::in_cell(place), shape.kind == DARK);
        }
    }

    fn paint_emblem(&self, painter: &Painter, place: Rect, is_dark: bool) {
        let Colours { dark, light, ring, .. } = flat::theme(painter).zurero;
        flat::stone(painter, place, is_dark, Sides { dark, on_dark: light, light, on_light: ring });
    }
}

fn stone(kind: u8, theme: &Colours, segments: u16) -> Solid {
    let lens = |from: f32, to: f32| -> Vec<Vec2> {
        let steps = ((to - from) * f32::from(segments) * 0.6).ceil() as u16;
        (0..=steps).map(|step| lens_point(from + (to - from) * f32::from(step) / f32::from(steps))).collect()
    };
    let stone = match kind {
        LIGHT => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_dark_or_light() {
        assert_eq!(Zurero.shapes("b"), [Shape::plain(DARK)]);
        assert_eq!(Zurero.shapes("w"), [Shape::plain(LIGHT)]);
    }
}
