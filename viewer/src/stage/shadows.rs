//! What the lamp sees: how far the nearest thing is in each direction.

use macroquad::camera::set_camera;
use macroquad::color::WHITE;
use macroquad::math::{Mat4, Vec3, vec3};
use macroquad::texture::{FilterMode, RenderTarget, RenderTargetParams, Texture2D, render_target_ex};
use macroquad::window::clear_background;

use super::lens::Lens;
use super::light::sun;
use super::paint::{Paints, Surface};
use super::solid::Batch;

/// How many points of the map there are to a board unit: few make soft edges.
const POINTS_PER_CELL: f32 = 44.0;
/// The highest that something which throws a shadow can reach.
const HIGHEST: f32 = 1.6;

#[derive(Debug, Default)]
pub(super) struct Shadows {
    map: Option<RenderTarget>,
}

impl Shadows {
    /// From board units to what the lamp sees, and how many points wide the map is.
    pub(super) fn frame(low: Vec3, high: Vec3) -> (Mat4, u32) {
        let high = high.with_y(HIGHEST);
        let up = Vec3::Z;
        let view = Mat4::look_to_rh((low + high) / 2.0, -sun(), up);
        let reach = (high - low).length() / 2.0;
        let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for corner in 0..8 {
            let pick = |bit: u8, low: f32, high: f32| if corner >> bit & 1 == 0 { low } else { high };
            let point = vec3(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z));
            let seen = view.transform_point3(point);
            (least, most) = (least.min(seen), most.max(seen));
        }
        let width = (most - least).truncate().max_element();
        let lens = Mat4::orthographic_rh_gl(
            least.x,
            least.x + width,
            least.y,
            least.y + width,
            -reach - 0.5,
            reach + 0.5,
        );
        (lens * view, ((width * POINTS_PER_CELL) as u32).clamp(256, 1536))
    }

    pub(super) fn draw(&mut self, frame: (Mat4, u32), paints: &Paints, figures: &Batch) {
        let (matrix, size) = frame;
        let wrong_size = |map: &RenderTarget| map.texture.width() as u32 != size;
        if self.map.as_ref().is_none_or(wrong_size) {
            let map = render_target_ex(size, size, RenderTargetParams { sample_count: 1, depth: true });
            map.texture.set_filter(FilterMode::Nearest);
            self.map = Some(map);
        }
        if let Some(map) = &self.map {
            set_camera(&Lens::new(matrix, map));
            clear_background(WHITE);
            paints.draw_plain(Surface::Shadow, figures);
        }
    }

    pub(super) fn texture(&self) -> Texture2D {
        self.map.as_ref().map_or_else(Texture2D::empty, |map| map.texture.clone())
    }
}
