//! A map of the water from above: where tiles stand in it, and the rings that spread on it.

use macroquad::camera::set_camera;
use macroquad::color::Color;
use macroquad::math::{Vec3, vec2, vec3};
use macroquad::texture::{FilterMode, RenderTarget, Texture2D, render_target};
use macroquad::window::clear_background;

use super::ground::from_above;
use super::lens::Lens;
use super::paint::{Paints, Surface};
use super::solid::{Batch, QuadLook};
use crate::scene::{Figure, Ripple};
use crate::sets::GameSet;

const POINTS: u32 = 512;
/// Still water: no shore, and a slope of 0 both ways.
const STILL: Color = Color::new(0.0, 0.5, 0.5, 1.0);
/// How far around a tile the water knows of it.
const TILE_REACH: f32 = 0.9;
/// How many seconds rings are seen.
const RIPPLE_LIFE: f32 = 2.6;

#[derive(Debug, Default)]
pub(super) struct Shore {
    map: Option<RenderTarget>,
    batch: Batch,
}

impl Shore {
    pub(super) fn draw(
        &mut self,
        paints: &Paints,
        (low, high): (Vec3, Vec3),
        set: &dyn GameSet,
        figures: &[Figure],
        ripples: &[Ripple],
    ) {
        self.batch.clear();
        for ripple in ripples.iter().filter(|ripple| (0.0..RIPPLE_LIFE).contains(&ripple.age)) {
            let reach = 0.3 + ripple.age * 1.1;
            let fading = 1.0 - ripple.age / RIPPLE_LIFE;
            self.put(ripple.at, reach, vec3(1.0, reach, fading));
        }
        for figure in figures {
            let build = set.build(figure.shape.kind);
            if !build.is_ground {
                continue;
            }
            let above = ((figure.at.y + build.body.height()) / 0.1).clamp(0.0, 1.0) * figure.presence;
            self.put(figure.at, TILE_REACH, vec3(0.0, TILE_REACH, above));
        }
        let map = self.map.get_or_insert_with(|| {
            let map = render_target(POINTS, POINTS);
            map.texture.set_filter(FilterMode::Linear);
            map
        });
        set_camera(&Lens::new(from_above(low, high), map));
        clear_background(STILL);
        paints.draw_plain(Surface::Shore, &self.batch);
    }

    fn put(&mut self, at: Vec3, reach: f32, extra: Vec3) {
        let look = QuadLook { uv: [vec2(-1.0, -1.0), vec2(1.0, 1.0)], colour: [255; 4], extra };
        self.batch.quad(at.with_y(0.0), Vec3::X * reach, Vec3::Z * reach, look);
    }

    pub(super) fn texture(&self) -> Texture2D {
        self.map.as_ref().map_or_else(Texture2D::empty, |map| map.texture.clone())
    }
}
