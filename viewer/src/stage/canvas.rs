//! What pictures are painted on.

use macroquad::camera::set_camera;
use macroquad::color::BLACK;
use macroquad::math::{Vec2, Vec3, vec2};
use macroquad::texture::{FilterMode, RenderTarget, RenderTargetParams, Texture2D, render_target_ex};
use macroquad::window::clear_background;

use super::Quality;
use super::lens::Lens;
use super::paint::{Paints, Surface};
use super::solid::{Batch, QuadLook};

/// Where in a pixel the scene is looked at, once for each time that it is drawn for a fine picture:
/// eight points that share no row and no column.
const GLANCES: [Vec2; 8] = [
    vec2(1.0, -3.0),
    vec2(-1.0, 3.0),
    vec2(5.0, 1.0),
    vec2(-3.0, -5.0),
    vec2(-5.0, 5.0),
    vec2(-7.0, -1.0),
    vec2(3.0, 7.0),
    vec2(7.0, -7.0),
];

/// A picture in the making. While things move it is drawn once and its edges are smoothed; what
/// stays as it is gets drawn again and again from within each pixel, until the mean of all is finer
/// than any one of them.
#[derive(Debug)]
pub(super) struct Canvas {
    /// What the scene is drawn on.
    scene: RenderTarget,
    /// The same with smoothed edges.
    smooth: RenderTarget,
    /// Whether it is smaller than it is shown.
    is_rough: bool,
    /// The mean of several.
    mean: Option<RenderTarget>,
    /// How many went into the mean.
    glances: usize,
    quality: Quality,
}

impl Canvas {
    /// A rough one is smaller than it is shown: what people read is drawn over it then, as sharp as
    /// the window is.
    pub(super) fn new(size: Vec2, is_rough: bool, quality: Quality) -> Canvas {
        let target = |depth, filter| {
            let params = RenderTargetParams { sample_count: 1, depth };
            let target = render_target_ex(size.x as u32, size.y as u32, params);
            target.texture.set_filter(filter);
            target
        };
        // What is shown as large as it is needs no filter, and without one the same picture again
        // costs less.
        let plain = FilterMode::Nearest;
        Canvas {
            scene: target(true, FilterMode::Linear),
            smooth: target(false, if is_rough { FilterMode::Linear } else { plain }),
            is_rough,
            mean: (quality == Quality::Full && !is_rough).then(|| target(false, plain)),
            glances: 0,
            quality,
        }
    }

    pub(super) fn fits(&self, size: Vec2, is_rough: bool, quality: Quality) -> bool {
        self.size() == size && self.is_rough == is_rough && self.quality == quality
    }

    pub(super) fn is_rough(&self) -> bool {
        self.is_rough
    }

    pub(super) fn size(&self) -> Vec2 {
        self.scene.texture.size()
    }

    /// Where the scene is to be drawn.
    pub(super) fn scene(&self) -> &RenderTarget {
        &self.scene
    }

    /// Whether the picture will not get any better.
    pub(super) fn is_finished(&self) -> bool {
        self.mean.is_none() || self.glances == GLANCES.len()
    }

    /// By how much the scene has to be moved for the next glance, in half windows.
    pub(super) fn glance(&self) -> Vec2 {
        GLANCES.get(self.glances).map_or(Vec2::ZERO, |point| *point / 8.0 / self.size())
    }

    /// The scene has just been drawn and is not what it was before.
    pub(super) fn begin(&mut self, paints: &Paints) {
        self.glances = 0;
        set_camera(&Lens::flat(&self.smooth));
        paints.look_at(Surface::Smooth, &self.scene.texture, self.size());
        paints.draw_plain(Surface::Smooth, &sheet(1.0));
    }

    /// The scene has just been drawn for one more glance.
    pub(super) fn refine(&mut self, paints: &Paints) {
        if let Some(mean) = &self.mean {
            set_camera(&Lens::flat(mean));
            if self.glances == 0 {
                clear_background(BLACK);
            }
            self.glances += 1;
            paints.look_at(Surface::Blend, &self.scene.texture, self.size());
            paints.draw_plain(Surface::Blend, &sheet(1.0 / self.glances as f32));
        }
    }

    /// The best picture that there is.
    pub(super) fn texture(&self) -> &Texture2D {
        &self.mean.as_ref().filter(|_| self.is_finished()).unwrap_or(&self.smooth).texture
    }
}

/// Covers all of a target.
pub(super) fn sheet(opacity: f32) -> Batch {
    let colour = [255, 255, 255, (opacity * 255.0).round() as u8];
    let look = QuadLook { uv: [Vec2::ZERO, Vec2::ONE], colour, extra: Vec3::Y };
    let mut sheet = Batch::default();
    sheet.quad(Vec3::ZERO, Vec3::X, Vec3::Y, look);
    sheet
}
