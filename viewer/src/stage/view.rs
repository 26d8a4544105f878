//! What a picture is to show.

use super::camera::Camera;
use super::theme::{MarkPalette, Theme};
use crate::scene::{Figure, Mark, Ripple};
use crate::sets::GameSet;

/// How much trouble is taken over a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    Low,
    Medium,
    #[default]
    Full,
}

/// What is to be seen, and how.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub set: &'a dyn GameSet,
    pub columns: u8,
    pub rows: u8,
    pub figures: &'a [Figure],
    pub marks: &'a [Mark],
    pub ripples: &'a [Ripple],
    pub camera: &'a Camera,
    pub theme: &'a Theme,
    pub marks_in: MarkPalette,
    pub quality: Quality,
    /// In seconds; it moves the water. While it stays the same the water is at rest.
    pub time: f32,
    /// Letters and numbers around the board.
    pub coordinates: bool,
    /// Numbers over piles.
    pub counts: bool,
}

/// What a view showed, to see whether another shows the same.
#[derive(Debug)]
pub(super) struct Seen {
    set: String,
    size: (u8, u8),
    figures: Vec<Figure>,
    marks: Vec<Mark>,
    ripples: Vec<Ripple>,
    camera: Camera,
    theme: Theme,
    marks_in: MarkPalette,
    quality: Quality,
    time: f32,
    coordinates: bool,
    counts: bool,
}

impl Seen {
    pub(super) fn new(view: &View) -> Seen {
        Seen {
            set: view.set.id().to_string(),
            size: (view.columns, view.rows),
            figures: view.figures.to_vec(),
            marks: view.marks.to_vec(),
            ripples: view.ripples.to_vec(),
            camera: *view.camera,
            theme: view.theme.clone(),
            marks_in: view.marks_in,
            quality: view.quality,
            time: view.time,
            coordinates: view.coordinates,
            counts: view.counts,
        }
    }

    pub(super) fn shows(&self, view: &View) -> bool {
        self.set == view.set.id()
            && self.size == (view.columns, view.rows)
            && self.figures == view.figures
            && self.marks == view.marks
            && self.ripples == view.ripples
            && self.camera == *view.camera
            && self.theme == *view.theme
            && self.marks_in == view.marks_in
            && self.quality == view.quality
            && (self.time == view.time || !view.set.layout().has_water)
            && self.coordinates == view.coordinates
            && self.counts == view.counts
    }
}

#[cfg(test)]
mod tests {
    use macroquad::math::{Rect, Vec3, vec2};

    use super::*;
    use crate::board::{Cell, Target};
    use crate::scene::{MarkKind, Shape};
    use crate::sets::find;
    use crate::stage::theme::{Colour, themes};

    fn palette(colour: [u8; 3]) -> MarkPalette {
        let colour = Colour(colour);
        MarkPalette { open: colour, last: colour, hint: colour, aid: colour }
    }

    #[test]
    fn a_view_is_drawn_again_only_when_it_shows_something_else() {
        let free = Rect::new(0.0, 0.0, 1.0, 1.0);
        let (set, water) = (find("fabrik", None), find("syrtis", None));
        let camera = Camera::seat(set.layout(), 11, 11, 1, 1.6, free);
        let figure = Figure { shape: Shape::plain(0), at: Vec3::ZERO, yaw: 0.0, roll: 0.0, presence: 1.0 };
        let view = View {
            set: &*set,
            columns: 11,
            rows: 11,
            figures: &[figure],
            marks: &[],
            ripples: &[],
            camera: &camera,
            theme: &themes()[0],
            marks_in: palette([255; 3]),
            quality: Quality::Full,
            time: 0.0,
            coordinates: true,
            counts: false,
        };
        let seen = Seen::new(&view);
        assert!(seen.shows(&view));
        assert!(seen.shows(&View { time: 5.0, ..view }), "there is no water that could move");

        let mut turned = camera;
        turned.orbit(vec2(0.1, 0.0));
        let target = Target::Cell(Cell { column: 0, row: 0 });
        let others = [
            View { rows: 10, ..view },
            View { figures: &[Figure { yaw: 0.1, ..figure }], ..view },
            View { marks: &[Mark { target, kind: MarkKind::Open }], ..view },
            View { camera: &turned, ..view },
            View { theme: &themes()[1], ..view },
            View { marks_in: palette([0; 3]), ..view },
            View { quality: Quality::Low, ..view },
            View { coordinates: false, ..view },
            View { counts: true, ..view },
        ];
        for other in &others {
            assert!(!seen.shows(other), "{other:?}");
        }

        let water = View { set: &*water, ..view };
        assert!(!Seen::new(&water).shows(&View { time: 5.0, ..water }));
    }
}
