//! Marks on cells: each kind has a form of its own, so that none is told by colour alone.

use macroquad::math::{Vec3, vec2, vec3};

use super::sets;
use super::solid::{Batch, QuadLook};
use crate::scene::{Figure, Mark, MarkKind, Shape, place};

/// Half the side of the square that a mark is drawn in; rings are a little smaller.
const HALF: f32 = 0.62;
/// How far above a surface a mark lies.
const LIFT: f32 = 0.012;

/// Puts the marks where they lie on the board, and once more on top of the figures that stand there.
pub(super) fn put(batch: &mut Batch, game: &str, marks: &[Mark], figures: &[Figure]) {
    for mark in marks {
        let middle = place(mark.target);
        let here = figures.iter().filter(|figure| {
            let off = (figure.at - middle).abs();
            figure.presence >= 1.0 && off.x < 0.5 && off.z < 0.5
        });
        let mut ground = 0.0_f32;
        let mut top: Option<(f32, f32)> = None;
        for figure in here {
            let body = sets::body(game, figure.shape);
            let height = figure.at.y + body.height();
            match figure.shape {
                Shape::Tile(..) => ground = ground.max(height + 0.03),
                _ if top.is_none_or(|(highest, _)| height > highest) => top = Some((height, body.reach())),
                _ => {}
            }
        }
        let look = |half: f32, strength: f32| QuadLook {
            uv: [vec2(-1.0, -1.0), vec2(1.0, 1.0)],
            colour: [255; 4],
            extra: vec3(form(mark.kind), half, strength),
        };
        let mut lay = |height: f32, half: f32, strength: f32| {
            let at = middle.with_y(height + LIFT);
            batch.quad(at, Vec3::X * half, Vec3::Z * half, look(half, strength));
        };
        lay(ground, HALF, 1.0);
        if let Some((height, reach)) = top {
            lay(height, (reach * 1.05).min(HALF), 0.9);
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
