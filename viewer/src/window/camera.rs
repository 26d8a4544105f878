//! The window's camera: where it belongs, where the person has steered it, and its way between the
//! two.

use std::f32::consts::PI;

use macroquad::math::{Rect, Vec2};

use super::flight::Flight;
use crate::board::Target;
use crate::command::{CameraCommand, Viewpoint};
use crate::scene::place;
use crate::sets::{self, BoardLayout};
use crate::stage::camera::Camera;

/// What decides where the camera belongs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Framing {
    pub(super) screen: Vec2,
    /// The part of the window that is left to the board, from 0 to 1.
    pub(super) free: Rect,
    pub(super) game: String,
    pub(super) layout: BoardLayout,
    pub(super) columns: u8,
    pub(super) rows: u8,
    /// How often the person has sat down so far.
    pub(super) visits: u32,
}

impl Framing {
    fn aspect(&self) -> f32 {
        self.screen.x / self.screen.y.max(1.0)
    }

    fn has_same_board(&self, other: &Framing) -> bool {
        (&self.game, self.columns, self.rows) == (&other.game, other.columns, other.rows)
    }
}

#[derive(Debug)]
pub(super) struct CameraRig {
    flight: Flight,
    framing: Framing,
    /// Where the person sits.
    seat: u8,
    /// Whether the person has moved the camera since it was last put in its place.
    is_steered: bool,
}

impl Default for CameraRig {
    fn default() -> CameraRig {
        let whole = Rect::new(0.0, 0.0, 1.0, 1.0);
        let framing = Framing {
            screen: Vec2::ZERO,
            free: Rect::default(),
            game: String::new(),
            layout: sets::find("", None).layout(),
            columns: 0,
            rows: 0,
            visits: 0,
        };
        let camera = Camera::seat(framing.layout, 9, 9, 1, 1.6, whole);
        CameraRig { flight: Flight::at(camera), framing, seat: 1, is_steered: false }
    }
}

impl CameraRig {
    pub(super) fn camera(&self) -> Camera {
        self.flight.camera()
    }

    /// Where something on the board is seen in the window.
    pub(super) fn project(&self, target: Target) -> Vec2 {
        self.camera().project(place(target), self.framing.screen)
    }

    pub(super) fn is_still(&self) -> bool {
        self.flight.is_over()
    }

    pub(super) fn advance(&mut self, seconds: f32) {
        self.flight.advance(seconds);
    }

    /// Puts the camera where a player sits whenever the window, the panels or the table have
    /// changed, unless the person has chosen another place.
    pub(super) fn place(&mut self, framing: Framing, seat: u8) {
        self.seat = seat;
        if framing == self.framing {
            return;
        }
        let before = std::mem::replace(&mut self.framing, framing);
        let is_same_board = self.framing.has_same_board(&before);
        self.is_steered &= is_same_board && self.framing.visits == before.visits;
        if self.is_steered {
        } else if is_same_board && self.framing.screen == before.screen {
            self.flight.go(self.home());
        } else {
            self.flight.jump(self.home());
        }
    }

    /// From now on the camera goes where it belongs again.
    pub(super) fn let_go(&mut self) {
        self.is_steered = false;
    }

    pub(super) fn apply(&mut self, command: CameraCommand) {
        self.is_steered = command != CameraCommand::View(Viewpoint::Reset);
        match command {
            CameraCommand::View(Viewpoint::Seat(seat)) => self.flight.go(self.seated_at(seat.number())),
            CameraCommand::View(Viewpoint::Top) => {
                let Framing { layout, columns, rows, free, .. } = self.framing;
                let aspect = self.framing.aspect();
                self.flight.go(Camera::top(layout, columns, rows, self.seat, aspect, free));
            }
            CameraCommand::View(Viewpoint::Flipped) => {
                let mut camera = self.camera();
                camera.yaw += PI;
                self.flight.go(camera);
            }
            CameraCommand::View(Viewpoint::Reset) => self.flight.go(self.home()),
            CameraCommand::Orbit { yaw, pitch } => self.flight.orbit(yaw, pitch),
            CameraCommand::Pan { x, y } => self.flight.pan(x, y),
            CameraCommand::Zoom(by) => self.flight.zoom(by),
        }
    }

    fn home(&self) -> Camera {
        self.seated_at(self.seat)
    }

    fn seated_at(&self, seat: u8) -> Camera {
        let Framing { layout, columns, rows, free, .. } = self.framing;
        Camera::seat(layout, columns, rows, seat, self.framing.aspect(), free)
    }
}

#[cfg(test)]
mod tests {
    use macroquad::math::vec2;

    use super::*;

    fn framing() -> Framing {
        Framing {
            screen: vec2(1280.0, 800.0),
            free: Rect::new(0.0, 0.0, 0.8, 1.0),
            game: "zurero".into(),
            layout: sets::find("zurero", None).layout(),
            columns: 9,
            rows: 9,
            visits: 1,
        }
    }

    fn settled(rig: &mut CameraRig) -> Camera {
        rig.advance(10.0);
        rig.camera()
    }

    #[test]
    fn the_camera_stays_where_the_person_has_steered_it_until_another_table_comes() {
        let mut rig = CameraRig::default();
        rig.place(framing(), 1);
        assert!(rig.is_still(), "another board is not flown to");
        let home = rig.camera();
        rig.apply(CameraCommand::Orbit { yaw: 0.3, pitch: 0.0 });
        let steered = rig.camera();
        assert_ne!(steered, home);
        let narrow = Framing { free: Rect::new(0.0, 0.0, 0.5, 1.0), ..framing() };
        rig.place(narrow, 1);
        assert_eq!(settled(&mut rig), steered, "panels that come and go leave it alone");
        rig.place(framing(), 1);
        rig.place(Framing { visits: 2, ..framing() }, 1);
        assert!(!rig.is_still());
        assert_eq!(settled(&mut rig), home);
    }

    #[test]
    fn a_reset_gives_the_camera_back() {
        let mut rig = CameraRig::default();
        rig.place(framing(), 1);
        let home = rig.camera();
        rig.apply(CameraCommand::View(Viewpoint::Top));
        assert_ne!(settled(&mut rig), home);
        rig.apply(CameraCommand::View(Viewpoint::Reset));
        assert_eq!(settled(&mut rig), home);
        let small = Framing { screen: vec2(640.0, 800.0), ..framing() };
        rig.place(small, 1);
        assert!(rig.is_still());
        assert_ne!(rig.camera(), home, "it follows the window again");
    }
}
