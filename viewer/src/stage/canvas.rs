//! What pictures are painted on.

use macroquad::camera::set_camera;
use macroquad::color::BLACK;
use macroquad::math::{Mat4, Vec2, Vec3, vec2};
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
    /// The same as large as it is shown, if that is larger, for what is drawn over it.
    enlarged: Option<RenderTarget>,
    /// The mean of several.
    mean: Option<RenderTarget>,
    /// How many went into the mean.
    glances: usize,
    quality: Quality,
}

impl Canvas {
    /// The scene is drawn in the first size and shown in the second one.
    pub(super) fn new(size: Vec2, shown: Vec2, quality: Quality) -> Canvas {
        let target = |size: Vec2, depth, filter| {
            let params = RenderTargetParams { sample_count: 1, depth };
            let target = render_target_ex(size.x as u32, size.y as u32, params);
            target.texture.set_filter(filter);
            target
        };
        // What is shown as large as it is needs no filter, and without one the same picture again
        // costs less.
        let plain = FilterMode::Nearest;
        let is_rough = size != shown;
        Canvas {
            scene: target(size, true, FilterMode::Linear),
            smooth: target(size, false, if is_rough { FilterMode::Linear } else { plain }),
            enlarged: is_rough.then(|| target(shown, true, plain)),
            mean: (quality == Quality::Full && !is_rough).then(|| target(size, false, plain)),
            glances: 0,
            quality,
        }
    }

    pub(super) fn fits(&self, size: Vec2, shown: Vec2, quality: Quality) -> bool {
        self.size() == size && self.shown_size() == shown && self.quality == quality
    }

    /// Whether the scene is drawn smaller than it is shown. What people read is drawn over it then,
    /// as large as it is.
    pub(super) fn is_rough(&self) -> bool {
        self.enlarged.is_some()
    }

    pub(super) fn size(&self) -> Vec2 {
        self.scene.texture.size()
    }

    pub(super) fn shown_size(&self) -> Vec2 {
        self.shown().texture.size()
    }

    /// What is shown, for what is drawn over it.
    pub(super) fn shown(&self) -> &RenderTarget {
        self.enlarged.as_ref().unwrap_or(&self.smooth)
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
        set_camera(&Lens { matrix: Mat4::IDENTITY, target: &self.smooth });
        paints.look_at(Surface::Smooth, &self.scene.texture, self.size());
        paints.draw_plain(Surface::Smooth, &sheet(1.0));
        if let Some(enlarged) = &self.enlarged {
            set_camera(&Lens { matrix: Mat4::IDENTITY, target: enlarged });
            clear_background(BLACK);
            paints.look_at(Surface::Blend, &self.smooth.texture, self.size());
            paints.draw_plain(Surface::Blend, &sheet(1.0));
        }
    }

    /// The scene has just been drawn for one more glance.
    pub(super) fn refine(&mut self, paints: &Paints) {
        if let Some(mean) = &self.mean {
            set_camera(&Lens { matrix: Mat4::IDENTITY, target: mean });
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
        &self.mean.as_ref().filter(|_| self.is_finished()).unwrap_or(self.shown()).texture
    }
}

/// Behind everything that may be drawn over a sheet; 1 would be out of sight.
const FAR: f32 = 0.9999;

/// Covers all of a target.
pub(super) fn sheet(opacity: f32) -> Batch {
    let colour = [255, 255, 255, (opacity * 255.0).round() as u8];
    let look = QuadLook { uv: [Vec2::ZERO, Vec2::ONE], colour, extra: Vec3::Y };
    let mut sheet = Batch::default();
    sheet.quad(Vec3::Z * FAR, Vec3::X, Vec3::Y, look);
    sheet
}
