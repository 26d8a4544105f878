//! Fabrik: a workbench of oak in a frame of brushed steel, machined pucks, and workers with
//! helmets.

use std::f32::consts::FRAC_PI_2;

use egui_macroquad::egui::{self, Painter, Rect, Stroke};
use macroquad::math::{Mat3, Vec2, vec2, vec3};

use super::flat::Sides;
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
    pub oak: Colour,
    pub grain: Colour,
    pub line: Colour,
    pub steel: Colour,
    pub engraving: Colour,
    pub dark: Colour,
    pub notch: Colour,
    pub light: Colour,
    pub dot: Colour,
    pub overall: Colour,
    pub skin: Colour,
    pub helmet: Colour,
}

const LAYOUT: BoardLayout = BoardLayout {
    margin: 0.85,
    label_distance: 0.48,
    label_height: FRAME_TOP,
    thickness: 0.7,
    ..BoardLayout::PLAIN
};

const FRAME_TOP: f32 = 0.05;
/// From the outer cells to the frame.
const FIELD_MARGIN: f32 = 0.12;

const RADIUS: f32 = 0.37;
const HEIGHT: f32 = 0.21;
const PUCK: Body = Body::Round { radius: RADIUS, height: HEIGHT };
const FIGURE: Body = Body::Round { radius: 0.27, height: 0.92 };

// The kinds of shapes.
const DARK: u8 = 0;
const LIGHT: u8 = 1;
const WORKER: u8 = 2;

#[derive(Debug)]
pub(super) struct Fabrik;

impl GameSet for Fabrik {
    fn id(&self) -> &str {
        "fabrik"
    }

    fn pitch(&self) -> &str {
        "You share two workers: build five in a row where they look."
    }

    fn effort(&self) -> &str {
        "One more rule, 15 minutes"
    }

    fn seats(&self) -> [&str; 2] {
        ["Black, places the first worker", "White"]
    }

    fn word(&self, name: &str) -> Option<&str> {
        (name == "report").then_some("First version")
    }

    fn sample(&self) -> Option<&'static str> {
        Some(include_str!("../../../assets/samples/fabrik.txt"))
    }

    fn shapes(&self, token: &str) -> Vec<Shape> {
        match token {
            "b" => vec![Shape::plain(DARK)],
            "w" => vec![Shape::plain(LIGHT)],
            "*" => vec![Shape::plain(WORKER)],
            _ => Vec::new(),
        }
    }

    fn kinds(&self) -> u8 {
        3
    }

    fn build(&self, kind: u8) -> Build {
        match kind {
            WORKER => Build::single(FIGURE, 0.0),
            _ => Build::single(PUCK, 0.025),
        }
    }

    fn material(&self, kind: u8) -> Material {
        if kind == WORKER { Material::Wood } else { Material::Steel }
    }

    fn layout(&self) -> BoardLayout {
        LAYOUT
    }

    fn board(&self, columns: u8, rows: u8, theme: &Theme) -> Vec<Part> {
        let colours = &theme.fabrik;
        let (low, high) = LAYOUT.extent(columns, rows);
        let inset = vec3(1.0, 0.0, 1.0) * (LAYOUT.margin - FIELD_MARGIN);
        let inner = (low + inset, high - inset);
        let field = Solid::default().sheet(
            vec2(inner.0.x, inner.0.z) - 0.02,
            vec2(inner.1.x, inner.1.z) + 0.02,
            0.0,
            bare(),
        );
        vec![
            Part {
                surface: Surface::Steel,
                colours: [colours.steel, colours.steel, colours.engraving],
                solid: frame((low, high), inner, (-LAYOUT.thickness, FRAME_TOP), 0.03),
            },
            Part { surface: Surface::Oak, colours: [colours.oak, colours.grain, colours.line], solid: field },
        ]
    }

    fn piece(&self, kind: u8, theme: &Theme, segments: u16) -> Solid {
        match kind {
            WORKER => worker(&theme.fabrik, segments),
            _ => puck(kind, &theme.fabrik, segments),
        }
    }

    fn label_colour(&self, theme: &Theme) -> Colour {
        theme.fabrik.engraving
    }

    fn paint_cell(&self, painter: &Painter, place: Rect) {
        flat::cell(painter, place, flat::theme(painter).fabrik.oak);
    }

    fn paint_token(&self, painter: &Painter, token: &str, place: Rect) {
        for shape in self.shapes(token) {
            match shape.kind {
                WORKER => paint_worker(painter, place),
                kind => self.paint_emblem(painter, flat::in_cell(place), kind == DARK),
            }
        }
    }

    fn paint_emblem(&self, painter: &Painter, place: Rect, is_dark: bool) {
        let Colours { dark, notch, light, dot, .. } = flat::theme(painter).fabrik;
        flat::stone(painter, place, is_dark, Sides { dark, on_dark: notch, light, on_light: dot });
    }
}

fn paint_worker(painter: &Painter, place: Rect) {
    let (middle, cell) = (place.center(), place.width());
    let (outline, helmet) = (Stroke::new(1.0, flat::SHADE), flat::paint(flat::theme(painter).fabrik.helmet));
    let foot = [(-0.26, 0.36), (0.26, 0.36), (0.1, -0.08), (-0.1, -0.08)];
    let foot = foot.map(|(x, y)| middle + egui::vec2(x, y) * cell).to_vec();
    painter.add(egui::Shape::convex_polygon(foot, helmet, outline));
    painter.circle(middle - egui::vec2(0.0, cell * 0.18), cell * 0.16, helmet, outline);
}

fn puck(kind: u8, theme: &Colours, segments: u16) -> Solid {
    match kind {
        LIGHT => {
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

fn worker(theme: &Colours, segments: u16) -> Solid {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_taller_than_stones() {
        assert_eq!(Fabrik.shapes("*"), [Shape::plain(WORKER)]);
        assert_eq!(Fabrik.shapes("w"), [Shape::plain(LIGHT)]);
        assert!(Fabrik.build(WORKER).body.height() > Fabrik.build(LIGHT).body.height());
    }
}
