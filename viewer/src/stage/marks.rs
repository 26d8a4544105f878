//! Marks on cells: each kind has a form of its own, so that none is told by colour alone.

use macroquad::math::{Vec3, vec2, vec3};

use super::solid::{Batch, QuadLook};
use super::theme::Colour;
use crate::board::Target;
use crate::scene::{Figure, Mark, MarkKind, place};
use crate::sets::GameSet;

/// Half the side of the square that a mark is drawn in; rings are a little smaller.
const HALF: f32 = 0.62;
/// The form of a letter or number, and that of a plate for one to stand on.
pub(super) const GLYPH: Vec3 = vec3(20.0, 0.0, 1.0);
pub(super) const PLATE: Vec3 = vec3(21.0, 0.0, 1.0);
/// Added to the form of a mark of which only the glow is seen.
const GLOW: f32 = 40.0;
/// Figures that reach no farther to the side leave a mark on their cell visible.
const SLENDER: f32 = 0.3;
/// Figures that are no higher hide little of what is around them.
const LOW: f32 = 0.45;
/// How far above a surface a mark lies.
const LIFT: f32 = 0.012;

/// Puts the marks on the board. Where a broad figure hides the cell, the mark lies on top of it and
/// only its glow on the board.
pub(super) fn put(batch: &mut Batch, set: &dyn GameSet, colour: Colour, marks: &[Mark], figures: &[Figure]) {
    let [red, green, blue] = colour.0;
    for mark in marks {
        let middle = place(mark.target);
        let here = figures.iter().filter(|figure| {
            let off = (figure.at - middle).abs();
            figure.presence >= 1.0 && off.x < 0.5 && off.z < 0.5
        });
        // Before the edges a mark lies where letters do, on the frame if there is one.
        let mut ground = match mark.target {
            Target::Cell(_) => 0.0_f32,
            Target::Edge(..) => set.layout().label_height,
        };
        let mut top: Option<(f32, f32)> = None;
        let mut is_written_on = false;
        for figure in here {
            let build = set.build(figure.shape.kind);
            let height = figure.at.y + build.body.height();
            if build.is_ground {
                ground = ground.max(height + 0.03);
            } else if top.is_none_or(|(highest, _)| height > highest) {
                top = Some((height, build.body.reach()));
                is_written_on = !figure.shape.label.is_empty();
            }
        }
        let mut lay = |middle: Vec3, height: f32, half: f32, form: f32| {
            let look = QuadLook {
                uv: [vec2(-1.0, -1.0), vec2(1.0, 1.0)],
                colour: [red, green, blue, 255],
                extra: vec3(form, half, 1.0),
            };
            batch.quad(middle.with_y(height + LIFT), Vec3::X * half, Vec3::Z * half, look);
        };
        let form = form(mark.kind);
        match top {
            Some((height, reach)) if reach > SLENDER => {
                // The corners of a cell are seen around whatever is round and low.
                let is_around = mark.kind == MarkKind::Last && height - ground < LOW;
                lay(middle, ground, HALF, if is_around { form } else { GLOW + form });
                // A dot in the middle would hide what is written there.
                let beside = if is_written_on && mark.kind == MarkKind::Open { 0.8 * reach } else { 0.0 };
                let top = middle + vec3(beside, 0.0, 0.0);
                lay(top, height, reach * 1.05 * set.layout().crown, form);
            }
            _ => lay(middle, ground, HALF, form),
        }
    }
}

fn form(kind: MarkKind) -> f32 {
    match kind {
        MarkKind::Open => 0.0,
        MarkKind::Pointed => 1.0,
        MarkKind::Chosen => 2.0,
        MarkKind::Last => 3.0,
        MarkKind::Hint => 4.0,
        MarkKind::Won => 5.0,
        MarkKind::Overlay(number) => 6.0 + f32::from(number % 4),
    }
}
