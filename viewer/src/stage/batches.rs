//! Everything on the board, in few pieces of work for the graphics driver.

use macroquad::math::{Mat3, Vec3, vec3};

use super::models::Models;
use super::solid::Batch;
use super::view::View;
use super::{labels, marks};
use crate::scene::Figure;
use crate::sets::GameSet;

#[derive(Debug, Default)]
pub(super) struct Batches {
    pub(super) figures: Batch,
    pub(super) ghosts: Batch,
    /// Ghosts that the water covers.
    pub(super) sunken: Batch,
    /// What throws shadows.
    pub(super) casts: Batch,
    pub(super) decals: Batch,
}

impl Batches {
    /// `pixel` is how wide a pixel of the picture is at distance 1.
    pub(super) fn fill(&mut self, view: &View, models: &Models, pixel: f32) {
        let Batches { figures, ghosts, sunken, casts, decals } = self;
        for batch in [&mut *figures, ghosts, sunken, casts, decals] {
            batch.clear();
        }

        let eye = view.camera.eye();
        let mut seen: Vec<&Figure> = view.figures.iter().filter(|figure| figure.presence > 0.0).collect();
        // The nearest first, but the farthest first of what is seen through.
        let order = |figure: &Figure| {
            let distance = figure.at.distance_squared(eye);
            if figure.presence < 1.0 { -distance } else { distance }
        };
        seen.sort_by(|a, b| order(a).total_cmp(&order(b)));
        for figure in seen {
            let (turn, by) = pose(view.set, figure);
            let batch = match figure.presence < 1.0 {
                true if figure.at.y < 0.0 => &mut *sunken,
                true => &mut *ghosts,
                false => &mut *figures,
            };
            let kind = figure.shape.kind;
            if let (Some(piece), Some(cast)) = (models.piece(kind), models.cast(kind)) {
                batch.put(piece, turn, by, figure.presence);
                casts.put(cast, turn, by, figure.presence);
            }
        }
        marks::put(decals, view.set, view.marks_in, view.marks, view.figures);
        labels::put_trail_numbers(decals, view, pixel);
        labels::put_on_pieces(decals, view);
        if view.coordinates {
            labels::put_coordinates(decals, view);
        }
        if view.counts {
            labels::put_counts(decals, view, pixel);
        }
    }
}

/// How a figure is turned, and where the middle of its underside would be if it were not.
fn pose(set: &dyn GameSet, figure: &Figure) -> (Mat3, Vec3) {
    let turn = Mat3::from_rotation_y(figure.yaw) * Mat3::from_rotation_x(figure.roll);
    let middle = vec3(0.0, set.build(figure.shape.kind).body.height() / 2.0, 0.0);
    (turn, figure.at + middle - turn * middle)
}
