//! How much light gets to the board, as a map of it from above: the shadows that pieces throw, and
//! the darkness where they stand.
//!
//! The board is level and takes up most of a picture. Throwing shadows on it once and looking them
//! up costs much less than asking the lamp's own map for every pixel, and they can be softened at
//! leisure.

use macroquad::camera::set_camera;
use macroquad::color::WHITE;
use macroquad::math::{Mat4, Vec2, Vec3, Vec4, vec2, vec4};
use macroquad::texture::{FilterMode, RenderTarget, RenderTargetParams, Texture2D, render_target_ex};
use macroquad::window::clear_background;

use super::canvas::sheet;
use super::lens::Lens;
use super::light::sun;
use super::paint::{Paints, Surface};
use super::solid::{Batch, QuadLook};
use crate::scene::Figure;
use crate::sets::GameSet;

/// How many points of the map there are to a board unit.
const POINTS_PER_CELL: f32 = 24.0;

#[derive(Debug, Default)]
pub(super) struct Ground {
    cast: Option<RenderTarget>,
    soft: Option<RenderTarget>,
    contacts: Batch,
}

impl Ground {
    /// `level` is the height of what the shadows fall on.
    pub(super) fn draw(
        &mut self,
        paints: &Paints,
        (low, high): (Vec3, Vec3),
        level: f32,
        set: &dyn GameSet,
        figures: &[Figure],
        casts: &Batch,
    ) {
        let size = high - low;
        let points = vec2(size.x, size.z) * POINTS_PER_CELL;
        let points = points.round().clamp(Vec2::splat(128.0), Vec2::splat(900.0));
        for target in [&mut self.cast, &mut self.soft] {
            if target.as_ref().is_none_or(|target| target.texture.size() != points) {
                let params = RenderTargetParams { sample_count: 1, depth: false };
                let fresh = render_target_ex(points.x as u32, points.y as u32, params);
                fresh.texture.set_filter(FilterMode::Linear);
                *target = Some(fresh);
            }
        }
        let (Some(cast), Some(soft)) = (&self.cast, &self.soft) else { return };

        self.contacts.clear();
        for figure in figures {
            put_contact(&mut self.contacts, set, figure);
        }
        set_camera(&Lens::new(from_above(low, high) * thrown_to(level), cast));
        clear_background(WHITE);
        paints.draw_plain(Surface::Cast, casts);
        set_camera(&Lens::new(from_above(low, high), cast));
        paints.draw_plain(Surface::Contact, &self.contacts);

        set_camera(&Lens::flat(soft));
        paints.look_at(Surface::Soften, &cast.texture, points);
        paints.draw_plain(Surface::Soften, &sheet(1.0));
    }

    pub(super) fn texture(&self) -> Texture2D {
        self.soft.as_ref().map_or_else(Texture2D::empty, |map| map.texture.clone())
    }
}

/// The board from above, as large as a map: west is left, north is at the map's beginning.
pub(super) fn from_above(low: Vec3, high: Vec3) -> Mat4 {
    let size = high - low;
    let (x, z) = (2.0 / size.x, 2.0 / size.z);
    Mat4::from_cols(
        vec4(x, 0.0, 0.0, 0.0),
        Vec4::ZERO,
        vec4(0.0, z, 0.0, 0.0),
        vec4(-1.0 - low.x * x, -1.0 - low.z * z, 0.0, 1.0),
    )
}

/// Takes every point to where its shadow falls on a level plane.
fn thrown_to(level: f32) -> Mat4 {
    let slant = -sun() / sun().y;
    Mat4::from_cols(
        Vec4::X,
        vec4(slant.x, 0.0, slant.z, 0.0),
        Vec4::Z,
        vec4(-slant.x * level, level, -slant.z * level, 1.0),
    )
}

fn put_contact(batch: &mut Batch, set: &dyn GameSet, figure: &Figure) {
    let strength = (1.0 - figure.at.y.max(0.0) / 0.6).max(0.0) * figure.presence;
    let build = set.build(figure.shape.kind);
    if strength <= 0.0 || !build.darkens {
        return;
    }
    let reach = build.body.reach() * 1.55;
    let look = QuadLook {
        uv: [vec2(-1.0, -1.0), vec2(1.0, 1.0)],
        colour: [255, 255, 255, (strength * 255.0) as u8],
        extra: Vec3::Y,
    };
    batch.quad(figure.at.with_y(0.0), Vec3::X * reach, Vec3::Z * reach, look);
}

#[cfg(test)]
mod tests {
    use macroquad::math::vec3;

    use super::*;

    #[test]
    fn a_map_reaches_from_corner_to_corner() {
        let (low, high) = (vec3(-2.0, 0.0, -1.0), vec3(8.0, 0.0, 4.0));
        let seen = |point: Vec3| from_above(low, high).project_point3(point).truncate();
        assert!(seen(low).distance(vec2(-1.0, -1.0)) < 1e-5);
        assert!(seen(high).distance(vec2(1.0, 1.0)) < 1e-5);
        assert!(seen(vec3(8.0, 0.3, -1.0)).distance(vec2(1.0, -1.0)) < 1e-5);
    }

    #[test]
    fn shadows_fall_away_from_the_lamp() {
        let point = vec3(3.0, 1.0, 2.0);
        let shadow = thrown_to(-0.5).transform_point3(point);
        assert!((shadow.y - -0.5).abs() < 1e-5);
        assert!((point - shadow).normalize().distance(sun()) < 1e-5, "{shadow}");
        let there = vec3(3.0, -0.5, 2.0);
        assert!(thrown_to(-0.5).transform_point3(there).distance(there) < 1e-5);
    }
}
