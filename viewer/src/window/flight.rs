//! The camera's way from one place to another.

use macroquad::math::vec2;

use crate::stage::camera::Camera;

const SECONDS: f32 = 0.6;

/// Where the camera is, and where it is going.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    from: Camera,
    to: Camera,
    /// From 0 to 1.
    part: f32,
}

impl Flight {
    pub(super) fn at(camera: Camera) -> Flight {
        Flight { from: camera, to: camera, part: 1.0 }
    }

    pub(super) fn camera(&self) -> Camera {
        let eased = self.part * self.part * (3.0 - 2.0 * self.part);
        if self.part >= 1.0 { self.to } else { Camera::between(&self.from, &self.to, eased) }
    }

    pub(super) fn is_over(&self) -> bool {
        self.part >= 1.0
    }

    pub(super) fn advance(&mut self, seconds: f32) {
        self.part = (self.part + seconds / SECONDS).min(1.0);
    }

    /// Flies to another place from wherever the camera is.
    pub(super) fn go(&mut self, to: Camera) {
        *self = Flight { from: self.camera(), to, part: 0.0 };
    }

    /// Is at another place at once.
    pub(super) fn jump(&mut self, to: Camera) {
        *self = Flight::at(to);
    }

    pub(super) fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.steer(|camera| camera.orbit(vec2(yaw, pitch)));
    }

    pub(super) fn pan(&mut self, x: f32, y: f32) {
        self.steer(|camera| camera.pan(vec2(x, y)));
    }

    pub(super) fn zoom(&mut self, by: f32) {
        self.steer(|camera| camera.zoom(by));
    }

    fn steer(&mut self, change: impl FnOnce(&mut Camera)) {
        let mut camera = self.camera();
        change(&mut camera);
        self.jump(camera);
    }
}
