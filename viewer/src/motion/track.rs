//! The way of one figure, and where it is on it.

use std::f32::consts::PI;

use macroquad::math::{Vec3, vec3};

use crate::scene::Figure;

/// The way of one figure.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) begins: Figure,
    pub(super) ends: Figure,
    /// Where it goes through, from beginning to end.
    pub(super) way: Vec<Vec3>,
    /// Seconds after the beginning of the movement.
    pub(super) delay: f32,
    pub(super) seconds: f32,
    /// The part of the time that passes before it begins to move, because something else has to
    /// reach it first.
    pub(super) waits: f32,
    /// How high it is lifted in the middle of its way.
    pub(super) lift: f32,
    /// How high it hops from cell to cell.
    pub(super) hop: f32,
}

impl Track {
    pub(super) fn straight(begins: Figure, ends: Figure, seconds: f32) -> Track {
        Track {
            begins,
            ends,
            way: vec![begins.at, ends.at],
            delay: 0.0,
            seconds,
            waits: 0.0,
            lift: 0.0,
            hop: 0.0,
        }
    }

    /// A figure is lifted off the board and is gone.
    pub(super) fn away(begins: Figure) -> Track {
        let ends = Figure { at: begins.at + vec3(0.0, 0.7, 0.0), presence: 0.0, ..begins };
        Track::straight(begins, ends, 0.5)
    }

    /// A figure comes to lie where another was, turning over.
    pub(super) fn turned_up(ends: Figure) -> Track {
        let begins = Figure { presence: 0.0, roll: PI, ..ends };
        Track { lift: 0.4, ..Track::straight(begins, ends, 0.5) }
    }

    /// The figure so many seconds after the beginning of the movement.
    pub(super) fn at(&self, clock: f32) -> Figure {
        let passed = ((clock - self.delay) / self.seconds).clamp(0.0, 1.0);
        let eased = passed * passed * (3.0 - 2.0 * passed);
        let way = ((eased - self.waits) / (1.0 - self.waits)).max(0.0);
        let between = |from: f32, to: f32| from + (to - from) * way;
        let mut at = self.point(way);
        at.y +=
            self.lift * (PI * way).sin() + self.hop * (PI * way * (self.way.len() - 1) as f32).sin().abs();
        // What comes is there soon; what goes stays long.
        let presence = match self.begins.presence < self.ends.presence {
            true => {
                self.begins.presence + (self.ends.presence - self.begins.presence) * (passed * 4.0).min(1.0)
            }
            false => {
                self.begins.presence
                    + (self.ends.presence - self.begins.presence) * ((passed - 0.6) / 0.4).max(0.0)
            }
        };
        Figure {
            shape: self.ends.shape,
            at,
            yaw: between(self.begins.yaw, self.ends.yaw),
            roll: between(self.begins.roll, self.ends.roll),
            presence,
        }
    }

    /// When it begins to move because something has reached it, in seconds after the beginning.
    pub(super) fn hit_after(&self) -> f32 {
        // Where the eased time has come so far: it only rises.
        let (mut low, mut high) = (0.0_f32, 1.0_f32);
        for _ in 0..12 {
            let middle = (low + high) / 2.0;
            match middle * middle * (3.0 - 2.0 * middle) < self.waits {
                true => low = middle,
                false => high = middle,
            }
        }
        self.delay + self.seconds * high
    }

    /// The point after this part of the way, from 0 to 1, every leg as long as the others.
    fn point(&self, part: f32) -> Vec3 {
        let legs = (self.way.len() - 1) as f32;
        let leg = ((part * legs).floor() as usize).min(self.way.len() - 2);
        self.way[leg].lerp(self.way[leg + 1], part * legs - leg as f32)
    }
}
