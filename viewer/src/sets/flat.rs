//! Pieces as panels draw them: flat.

use egui_macroquad::egui::{Color32, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2};

pub const DARK: Color32 = Color32::from_rgb(38, 36, 36);
pub const LIGHT: Color32 = Color32::from_rgb(240, 234, 222);
pub(super) const SHADE: Color32 = Color32::from_rgb(30, 26, 22);
pub(super) const SHELL: Color32 = Color32::from_rgb(242, 236, 224);

/// A smaller piece has neither outline nor sign.
const LEAST_WITH_SIGN: f32 = 6.0;

/// Where a piece is drawn in its cell.
pub(super) fn in_cell(place: Rect) -> Rect {
    Rect::from_center_size(place.center(), Vec2::splat(place.width() * 0.8))
}

/// The radius of a round sign that fills its place.
pub(super) fn radius(place: Rect) -> f32 {
    place.width() * 0.5 - 1.0
}

pub(super) fn cell(painter: &Painter, place: Rect, ground: Color32) {
    painter.rect_filled(place, 0.0, ground);
    painter.rect_stroke(place, 0.0, Stroke::new(1.0, SHADE.gamma_multiply(0.5)), StrokeKind::Middle);
}

pub(super) fn disc(painter: &Painter, middle: Pos2, radius: f32, colour: Color32) {
    painter.circle(middle, radius, colour, Stroke::new(1.2, LIGHT.gamma_multiply(0.8)));
}

pub(super) fn square(painter: &Painter, middle: Pos2, radius: f32, colour: Color32) {
    let rect = Rect::from_center_size(middle, Vec2::splat(radius * 1.8));
    painter.rect(rect, 2.0, colour, Stroke::new(1.2, LIGHT.gamma_multiply(0.8)), StrokeKind::Inside);
}

pub(super) fn cross(painter: &Painter, middle: Pos2, arm: f32, colour: Color32) {
    let stroke = Stroke::new(1.6, colour);
    for slope in [1.0, -1.0] {
        let ends = [-arm, arm].map(|x| pos2(middle.x + x, middle.y + x * slope));
        painter.line_segment(ends, stroke);
    }
}

/// A dark stone has a ring, a light one a dot.
pub(super) fn stone(painter: &Painter, place: Rect, is_dark: bool) {
    let (middle, radius) = (place.center(), radius(place));
    // So small, an outline would be all that is seen of a stone.
    if place.width() < LEAST_WITH_SIGN {
        painter.circle_filled(middle, place.width() * 0.55, if is_dark { DARK } else { LIGHT });
    } else if is_dark {
        disc(painter, middle, radius, DARK);
        painter.circle_stroke(middle, radius * 0.55, Stroke::new(1.2, LIGHT.gamma_multiply(0.7)));
    } else {
        disc(painter, middle, radius, LIGHT);
        painter.circle_filled(middle, radius * 0.22, DARK);
    }
}
