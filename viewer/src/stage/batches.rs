//! Everything on the board, in few pieces of work for the graphics driver.

use macroquad::math::{Mat3, Vec3, vec3};

use super::sets::{self, Set};
use super::solid::Batch;
use super::view::View;
use super::{labels, marks};
use crate::scene::Figure;

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
    pub(super) fn fill(&mut self, view: &View, set: &Set) {
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
            let (turn, by) = pose(view.game, figure);
            let batch = match figure.presence < 1.0 {
                true if figure.at.y < 0.0 => &mut *sunken,
                true => &mut *ghosts,
                false => &mut *figures,
            };
            batch.put(set.piece(figure.shape), turn, by, figure.presence);
            casts.put(set.cast(figure.shape), turn, by, figure.presence);
        }
        marks::put(decals, view.game, view.mark_colour, view.marks, view.figures);
        if view.coordinates {
            labels::put_coordinates(decals, view);
        }
        if view.counts {
            labels::put_counts(decals, view);
        }
    }
}

/// How a figure is turned, and where the middle of its underside would be if it were not.
fn pose(game: &str, figure: &Figure) -> (Mat3, Vec3) {
    let turn = Mat3::from_rotation_y(figure.yaw) * Mat3::from_rotation_x(figure.roll);
    let middle = vec3(0.0, sets::body(game, figure.shape).height() / 2.0, 0.0);
    (turn, figure.at + middle - turn * middle)
}
