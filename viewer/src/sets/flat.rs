//! Boards and pieces as panels draw them: flat, in the colours of the theme.

use egui_macroquad::egui::{Color32, Context, Id, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2};

use crate::stage::theme::{Colour, Theme, themes};

const LIGHT: Color32 = Color32::from_rgb(240, 234, 222);
pub(super) const SHADE: Color32 = Color32::from_rgb(30, 26, 22);
pub(super) const SHELL: Color32 = Color32::from_rgb(242, 236, 224);

/// A smaller piece has no sign: outline and sign would be all that is seen of it.
pub const LEAST_WITH_SIGN: f32 = 12.0;

/// What two sides and the signs on their pieces are painted in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub(super) dark: Colour,
    pub(super) on_dark: Colour,
    pub(super) light: Colour,
    pub(super) on_light: Colour,
}

/// From now on everything flat has the colours of this theme.
pub fn use_theme(ctx: &Context, name: &str) {
    let index = themes().iter().position(|theme| theme.name == name).unwrap_or(0);
    ctx.data_mut(|data| data.insert_temp(Id::new("theme of what is flat"), index));
}

pub(super) fn theme(painter: &Painter) -> &'static Theme {
    let index = painter.ctx().data(|data| data.get_temp::<usize>(Id::new("theme of what is flat")));
    &themes()[index.unwrap_or(0)]
}

pub(super) fn paint(Colour([red, green, blue]): Colour) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// Where a piece is drawn in its cell.
pub(super) fn in_cell(place: Rect) -> Rect {
    Rect::from_center_size(place.center(), Vec2::splat(place.width() * 0.8))
}

/// The radius of a round sign that fills its place.
pub(super) fn radius(place: Rect) -> f32 {
    place.width() * 0.5 - 1.0
}

pub(super) fn cell(painter: &Painter, place: Rect, ground: Colour) {
    painter.rect_filled(place, 0.0, paint(ground));
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

/// Whether a piece in a place of this size shows no sign.
pub(super) fn is_small(place: Rect) -> bool {
    place.width() < LEAST_WITH_SIGN
}

/// A piece so small that only its colour is seen: a light one has a thin dark edge.
pub(super) fn small_disc(painter: &Painter, place: Rect, is_dark: bool, colour: Color32) {
    let edge = if is_dark { Stroke::NONE } else { Stroke::new(0.8, SHADE.gamma_multiply(0.7)) };
    painter.circle(place.center(), place.width() * 0.52, colour, edge);
}

/// A dark stone has a ring, a light one a dot.
pub(super) fn stone(painter: &Painter, place: Rect, is_dark: bool, sides: Sides) {
    let (middle, radius) = (place.center(), radius(place));
    let colour = paint(if is_dark { sides.dark } else { sides.light });
    if is_small(place) {
        return small_disc(painter, place, is_dark, colour);
    }
    disc(painter, middle, radius, colour);
    match is_dark {
        true => painter.circle_stroke(middle, radius * 0.55, Stroke::new(1.2, paint(sides.on_dark))),
        false => painter.circle_filled(middle, radius * 0.22, paint(sides.on_light)),
    };
}
