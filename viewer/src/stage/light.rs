//! The maps that light is looked up in.

use macroquad::math::{Mat4, Vec3, vec3};
use macroquad::texture::Texture2D;

use super::ground::Ground;
use super::paint::Paints;
use super::shadows::Shadows;
use super::shore::Shore;
use super::solid::Batch;
use super::view::View;
use crate::scene::{Figure, Ripple};

/// Where the lamp is: above, to the left and a little behind the board, seen from the south.
pub(super) fn sun() -> Vec3 {
    vec3(-0.62, 1.0, -0.14).normalize()
}

#[derive(Debug, Default)]
pub(super) struct LightMaps {
    shadows: Shadows,
    ground: Ground,
    shore: Shore,
    lit: Option<Lit>,
}

/// What the maps of light are of.
#[derive(Debug)]
struct Lit {
    set: String,
    size: (u8, u8),
    figures: Vec<Figure>,
    ripples: Vec<Ripple>,
}

impl Lit {
    fn is_of(&self, view: &View) -> bool {
        self.set == view.set.id()
            && self.size == (view.columns, view.rows)
            && self.figures == view.figures
            && self.ripples == view.ripples
    }
}

impl LightMaps {
    /// Draws the maps, unless they are what they have to be.
    pub(super) fn cast(&mut self, view: &View, frame: (Mat4, u32), paints: &Paints, casts: &Batch) {
        if self.lit.as_ref().is_some_and(|lit| lit.is_of(view)) {
            return;
        }
        let layout = view.set.layout();
        let extent = layout.extent(view.columns, view.rows);
        self.shadows.draw(frame, paints, casts);
        self.ground.draw(paints, extent, layout.shadow_level, view.set, view.figures, casts);
        if layout.has_water {
            self.shore.draw(paints, extent, view.set, view.figures, view.ripples);
        }
        self.lit = Some(Lit {
            set: view.set.id().to_string(),
            size: (view.columns, view.rows),
            figures: view.figures.to_vec(),
            ripples: view.ripples.to_vec(),
        });
    }

    /// The maps, by the names that shaders have for them.
    pub(super) fn maps(&self) -> [(&'static str, Texture2D); 3] {
        [
            ("Shadows", self.shadows.texture()),
            ("Ground", self.ground.texture()),
            ("Shore", self.shore.texture()),
        ]
    }
}
