//! What pictures are painted on.

use macroquad::math::Vec2;
use macroquad::texture::{FilterMode, RenderTarget, RenderTargetParams, render_target_ex};

use super::Quality;

#[derive(Debug)]
pub(super) struct Canvas {
    /// What the scene is drawn on.
    pub(super) scene: RenderTarget,
    /// The same with smooth edges, where drawing alone does not make them smooth.
    pub(super) smooth: Option<RenderTarget>,
    quality: Quality,
}

impl Canvas {
    pub(super) fn new(size: Vec2, quality: Quality) -> Canvas {
        let target = |sample_count, depth| {
            let params = RenderTargetParams { sample_count, depth };
            let target = render_target_ex(size.x as u32, size.y as u32, params);
            target.texture.set_filter(FilterMode::Linear);
            target
        };
        let sample_count = if quality == Quality::Full { 4 } else { 1 };
        Canvas {
            scene: target(sample_count, true),
            smooth: (quality == Quality::Medium).then(|| target(1, false)),
            quality,
        }
    }

    pub(super) fn fits(&self, size: Vec2, quality: Quality) -> bool {
        self.scene.texture.size() == size && self.quality == quality
    }

    /// The finished picture. Its texture ends with the target that it was drawn on.
    pub(super) fn finished(&self) -> &RenderTarget {
        self.smooth.as_ref().unwrap_or(&self.scene)
    }
}
