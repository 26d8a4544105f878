//! The boards in three dimensions: how they look, from where they are seen, and what is pointed at.
//!
//! A [`View`] says what is to be seen. [`Stage::draw`] gets out the game's [set](crate::sets)
//! (board and pieces, made of `solid`s), puts everything that stands on the board into few
//! `batches`, casts `light` (what the lamp sees, what falls on the ground, where the water's shore
//! is) and paints the scene on a `canvas`, each surface with its own shader (`paint`). The picture
//! is kept, refined while nothing changes, and drawn anew only when the view shows something else.
//! `camera` and `aim` are arithmetic and need no window.

pub mod aim;
mod batches;
pub mod camera;
mod canvas;
mod ground;
mod labels;
mod lens;
mod light;
mod marks;
mod models;
pub mod paint;
pub mod ray;
mod shadows;
mod shore;
pub mod solid;
pub mod theme;
mod view;

pub use ray::Ray;
pub use view::{Quality, View};

use std::collections::HashMap;

use macroquad::camera::{set_camera, set_default_camera};
use macroquad::color::{BLACK, Color, WHITE};
use macroquad::conf::Conf;
use macroquad::material::gl_use_default_material;
use macroquad::math::{Mat4, Vec2, vec2, vec4};
use macroquad::texture::{DrawTextureParams, Image, Texture2D, draw_texture_ex};
use macroquad::window::{clear_background, screen_dpi_scale, screen_height, screen_width};

use self::batches::Batches;
use self::canvas::Canvas;
use self::labels::Labels;
use self::lens::Lens;
use self::light::LightMaps;
use self::models::{Model, Models};
use self::paint::{Paints, SceneUniforms, Surface};
use self::shadows::Shadows;
use self::solid::Batch;
use self::theme::{Colour, Theme};
use self::view::Seen;

#[derive(Debug, thiserror::Error)]
pub enum StageError {
    #[error("the graphics driver refuses the shader of {surface}: {why}")]
    Shader { surface: String, why: String },
    #[error("the font for labels cannot be used: {0}")]
    Font(String),
}

/// Makes room in the window's settings for the meshes that a stage draws: without it, pieces are
/// cut off.
pub fn configure(conf: &mut Conf) {
    conf.draw_call_vertex_capacity = solid::MESH_VERTICES;
    conf.draw_call_index_capacity = solid::MESH_INDICES;
}

/// Draws boards. There is one, for all games.
#[derive(Debug)]
pub struct Stage {
    paints: Paints,
    labels: Labels,
    light: LightMaps,
    models: Option<(ModelsKey, Models)>,
    picture: Option<Picture>,
    /// A canvas of another size that is needed again soon.
    spare: Option<Canvas>,
    batches: Batches,
}

#[derive(Debug, PartialEq)]
struct ModelsKey {
    set: String,
    size: (u8, u8),
    theme: Theme,
    segments: u16,
}

/// A finished picture and what it shows.
#[derive(Debug)]
struct Picture {
    canvas: Canvas,
    seen: Seen,
}

impl Picture {
    fn fits(&self, whole: Vec2, rough: Vec2, quality: Quality) -> bool {
        self.canvas.fits(whole, false, quality) || self.canvas.fits(rough, rough != whole, quality)
    }
}

/// In low quality, what moves is drawn this much smaller than the window. What people read is not.
const ROUGH: f32 = 0.62;

impl Stage {
    /// The window has to be open.
    pub fn new() -> Result<Stage, StageError> {
        Ok(Stage {
            paints: Paints::new()?,
            labels: Labels::new()?,
            light: LightMaps::default(),
            models: None,
            picture: None,
            spare: None,
            batches: Batches::default(),
        })
    }

    /// Draws to the whole window. What has been drawn already is not drawn again.
    pub fn draw(&mut self, view: &View) {
        let (width, height) = (screen_width(), screen_height());
        let whole = window_pixels();
        let scale = if view.quality == Quality::Low { ROUGH } else { 1.0 };
        let rough = (whole * scale).max(Vec2::ONE).round();
        let picture = match self.picture.take() {
            Some(mut picture) if picture.fits(whole, rough, view.quality) && picture.seen.shows(view) => {
                if picture.canvas.is_rough() {
                    // It rests: everything is drawn as sharp as the window is.
                    let mut canvas = self.canvas(whole, false, view.quality);
                    self.paint(view, &canvas, Vec2::ZERO);
                    canvas.begin(&self.paints);
                    self.spare = Some(std::mem::replace(&mut picture.canvas, canvas));
                } else if !picture.canvas.is_finished() {
                    self.paint(view, &picture.canvas, picture.canvas.glance());
                    picture.canvas.refine(&self.paints);
                }
                picture
            }
            old => {
                let is_rough = rough != whole;
                let mut canvas = match old.map(|old| old.canvas) {
                    Some(canvas) if canvas.fits(rough, is_rough, view.quality) => canvas,
                    other => {
                        let canvas = self.canvas(rough, is_rough, view.quality);
                        self.spare = other.or(self.spare.take());
                        canvas
                    }
                };
                self.paint(view, &canvas, Vec2::ZERO);
                canvas.begin(&self.paints);
                Picture { canvas, seen: Seen::new(view) }
            }
        };
        set_default_camera();
        gl_use_default_material();
        if picture.canvas.is_rough() {
            // What is written over it asks how far away pieces are.
            clear_background(BLACK);
        }
        let params = DrawTextureParams { dest_size: Some(vec2(width, height)), ..Default::default() };
        draw_texture_ex(picture.canvas.texture(), 0.0, 0.0, WHITE, params);
        if picture.canvas.is_rough() {
            self.write_over(view, whole);
        }
        self.picture = Some(picture);
    }

    /// A canvas of this size, the one that was laid aside if it fits.
    fn canvas(&mut self, size: Vec2, is_rough: bool, quality: Quality) -> Canvas {
        match self.spare.take() {
            Some(canvas) if canvas.fits(size, is_rough, quality) => canvas,
            other => {
                self.spare = other;
                Canvas::new(size, is_rough, quality)
            }
        }
    }

    /// A picture of its own, for where a board is shown small.
    pub fn thumbnail(&mut self, view: &View, width: u32, height: u32) -> Texture2D {
        let size = vec2(width.max(1) as f32, height.max(1) as f32);
        let mut canvas = Canvas::new(size, false, view.quality);
        self.paint(view, &canvas, Vec2::ZERO);
        canvas.begin(&self.paints);
        while !canvas.is_finished() {
            self.paint(view, &canvas, canvas.glance());
            canvas.refine(&self.paints);
        }
        set_default_camera();
        gl_use_default_material();
        // A copy: macroquad deletes a target's texture together with the target.
        Texture2D::from_image(&canvas.texture().get_texture_data())
    }

    /// The pixels of a picture that is not shown, row by row from the top. It is drawn only once, for
    /// those who need many.
    pub fn pixels(&mut self, view: &View, width: u32, height: u32) -> Image {
        let size = vec2(width.max(1) as f32, height.max(1) as f32);
        let mut canvas = self.canvas(size, false, view.quality);
        self.paint(view, &canvas, Vec2::ZERO);
        canvas.begin(&self.paints);
        set_default_camera();
        gl_use_default_material();
        let image = canvas.texture().get_texture_data();
        self.spare = Some(canvas);
        image
    }

    /// Whether the picture in the window is as good as it gets: until the view changes, drawing
    /// costs next to nothing.
    pub fn is_settled(&self) -> bool {
        let whole = window_pixels();
        self.picture
            .as_ref()
            .is_some_and(|picture| picture.canvas.is_finished() && picture.canvas.size() == whole)
    }

    /// Works out everything that is going to be drawn, in a picture that is shown so high.
    pub(crate) fn prepare(&mut self, view: &View, height: f32) {
        self.lay_out(view);
        if let Some((_, models)) = &self.models {
            self.batches.fill(view, models, view.camera.pixel(height));
        }
    }

    /// Draws the scene, moved by a part of a pixel.
    fn paint(&mut self, view: &View, canvas: &Canvas, moved: Vec2) {
        let size = canvas.size();
        self.paints.suit(view.quality);
        self.prepare(view, if canvas.is_rough() { window_pixels().y } else { size.y });
        let Some((_, models)) = &self.models else { return };

        let frame = shadow_frame(view);
        let scene = uniforms(view, frame, size.y);
        self.light.cast(view, frame, &self.paints, &self.batches.casts);
        let mut maps = HashMap::from(self.light.maps());
        maps.insert("Labels", self.labels.texture());
        let mut surfaces: Vec<Surface> = models.board.iter().map(|part| part.surface).collect();
        surfaces.extend([Surface::Piece, Surface::Water, Surface::Decal]);

        let moved = Mat4::from_translation(moved.extend(0.0));
        set_camera(&Lens::upright(moved * view.camera.matrix(size.x / size.y), canvas.scene()));
        clear_background(film(view.theme.table.far));
        self.paints.tell(&surfaces, &scene, &maps);
        let draw_plain = |surface, batch: &Batch| self.paints.draw_plain(surface, batch);
        let draw = |part: &Model| self.paints.draw(part.surface, part.colours, &part.batch);
        // The nearest first: what is hidden then costs no light. What is seen through comes after
        // what is not.
        draw_plain(Surface::Piece, &self.batches.figures);
        models.board.iter().for_each(draw);
        draw_plain(Surface::Piece, &self.batches.sunken);
        models.water.iter().for_each(draw);
        draw_plain(Surface::Piece, &self.batches.ghosts);
        if !canvas.is_rough() {
            draw_plain(Surface::Decal, &self.batches.decals);
        }
    }

    /// Writes over a rough picture what people read, as sharp as the window is, where nothing stands
    /// before it.
    fn write_over(&self, view: &View, window: Vec2) {
        set_camera(&Lens::of_window(view.camera.matrix(window.x / window.y)));
        let scene = uniforms(view, shadow_frame(view), window.y);
        let maps = HashMap::from([("Labels", self.labels.texture())]);
        self.paints.tell(&[Surface::Depth, Surface::Decal], &scene, &maps);
        // All that can hide a mark are pieces: the board lies below.
        self.paints.draw_plain(Surface::Depth, &self.batches.casts);
        self.paints.draw_plain(Surface::Decal, &self.batches.decals);
        set_default_camera();
        gl_use_default_material();
    }

    /// Gets the board and the pieces out, if they are not on the table already.
    fn lay_out(&mut self, view: &View) {
        let segments = match (view.quality, view.figures.len()) {
            (Quality::Low, _) | (_, 200..) => 16,
            (Quality::Medium, _) | (_, 90..) => 22,
            _ => 30,
        };
        let key = ModelsKey {
            set: view.set.id().to_string(),
            size: (view.columns, view.rows),
            theme: view.theme.clone(),
            segments,
        };
        if self.models.as_ref().is_none_or(|(laid_out, _)| *laid_out != key) {
            let models = Models::new(view.set, view.columns, view.rows, view.theme, segments);
            self.models = Some((key, models));
        }
    }
}

type ShadowFrame = (Mat4, u32);

/// What the lamp's map of shadows shows.
fn shadow_frame(view: &View) -> ShadowFrame {
    let (low, high) = view.set.layout().extent(view.columns, view.rows);
    Shadows::frame(low.with_y(-0.6), high)
}

/// What shaders are told about a scene in a picture of this height.
fn uniforms(view: &View, frame: ShadowFrame, height: f32) -> SceneUniforms {
    let (low, high) = view.set.layout().extent(view.columns, view.rows);
    let light = &view.theme.light;
    SceneUniforms {
        eye: view.camera.eye(),
        pixel: view.camera.pixel(height),
        sun: light::sun(),
        key: light.key.light() * light.key_strength,
        sky: light.sky.light() * light.sky_strength,
        bounce: light.bounce.light() * light.sky_strength,
        lamp: frame.0,
        shadow_size: frame.1 as f32,
        board: vec4(low.x, low.z, high.x, high.z),
        cells: vec2(f32::from(view.columns), f32::from(view.rows)),
        time: view.time,
    }
}

/// How many pixels the window has: where a point has several, more than points.
fn window_pixels() -> Vec2 {
    (vec2(screen_width(), screen_height()) * screen_dpi_scale()).round().max(Vec2::ONE)
}

/// What the shaders make of an amount of light, for where there is no shader.
fn film(colour: Colour) -> Color {
    let shown = colour.light().to_array().map(|light| {
        let x = (light - 0.004).max(0.0);
        (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06)
    });
    Color::new(shown[0], shown[1], shown[2], 1.0)
}
