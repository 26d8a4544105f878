//! Where drawing goes and from where: what macroquad asks of a camera.

use macroquad::camera::Camera;
use macroquad::math::{Mat4, vec3};
use macroquad::texture::{RenderPass, RenderTarget};

#[derive(Debug)]
pub(super) struct Lens<'a> {
    matrix: Mat4,
    /// The window itself, if there is none.
    target: Option<&'a RenderTarget>,
}

impl Lens<'_> {
    pub(super) fn new(matrix: Mat4, target: &RenderTarget) -> Lens<'_> {
        Lens { matrix, target: Some(target) }
    }

    /// For what covers all of a target.
    pub(super) fn flat(target: &RenderTarget) -> Lens<'_> {
        Lens::new(Mat4::IDENTITY, target)
    }

    /// Turned upside down, so that the texture is upright where it is used.
    pub(super) fn upright(matrix: Mat4, target: &RenderTarget) -> Lens<'_> {
        Lens::new(Mat4::from_scale(vec3(1.0, -1.0, 1.0)) * matrix, target)
    }

    /// For what is drawn over what is in the window.
    pub(super) fn of_window(matrix: Mat4) -> Lens<'static> {
        Lens { matrix, target: None }
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
        self.target.map(|target| target.render_pass.clone())
    }

    fn viewport(&self) -> Option<(i32, i32, i32, i32)> {
        None
    }
}
