//! Where drawing goes and from where: what macroquad asks of a camera.

use macroquad::camera::Camera;
use macroquad::math::{Mat4, vec3};
use macroquad::texture::{RenderPass, RenderTarget};

#[derive(Debug)]
pub(super) struct Lens<'a> {
    pub(super) matrix: Mat4,
    pub(super) target: &'a RenderTarget,
}

impl Lens<'_> {
    /// Turned upside down, so that the texture is upright where it is used.
    pub(super) fn upright(matrix: Mat4, target: &RenderTarget) -> Lens<'_> {
        Lens { matrix: Mat4::from_scale(vec3(1.0, -1.0, 1.0)) * matrix, target }
    }
}

impl Camera for Lens<'_> {
    fn matrix(&self) -> Mat4 {
        self.matrix
    }

    fn depth_enabled(&self) -> bool {
        true
    }

    fn render_pass(&self) -> Option<RenderPass> {
        Some(self.target.render_pass.clone())
    }

    fn viewport(&self) -> Option<(i32, i32, i32, i32)> {
        None
    }
}
