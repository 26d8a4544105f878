//! The boards in three dimensions: how they look, from where they are seen, and what is pointed at.

pub mod aim;
pub mod camera;
mod canvas;
mod ground;
mod labels;
mod lens;
mod marks;
mod paint;
mod ray;
mod sets;
mod shadows;
mod shore;
mod solid;
pub mod theme;

pub use ray::Ray;

use std::collections::BTreeMap;
use std::f32::consts::FRAC_PI_2;

use macroquad::camera::{set_camera, set_default_camera};
use macroquad::color::{Color, WHITE};
use macroquad::conf::Conf;
use macroquad::material::gl_use_default_material;
use macroquad::math::{Mat3, Mat4, Vec2, Vec3, vec2, vec3, vec4};
use macroquad::texture::{DrawTextureParams, RenderTarget, Texture2D, draw_texture_ex};
use macroquad::window::{clear_background, screen_height, screen_width};

use self::camera::Camera;
use self::canvas::Canvas;
use self::ground::Ground;
use self::labels::Labels;
use self::lens::Lens;
use self::paint::{Paints, Scene, Surface};
use self::sets::{Layout, Set};
use self::shadows::Shadows;
use self::shore::Shore;
use self::solid::{Batch, QuadLook, Solid};
use self::theme::{Colour, Theme};
use crate::pieces::DISC_HEIGHT;
use crate::scene::{Figure, Mark, Ripple, Shape};

/// How much trouble is taken over a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    Low,
    Medium,
    #[default]
    Full,
}

#[derive(Debug, thiserror::Error)]
pub enum StageError {
    #[error("the graphics driver refuses the shader of {surface}: {why}")]
    Shader { surface: String, why: String },
    #[error("the font for labels cannot be used: {0}")]
    Font(String),
}

/// What is to be seen, and how.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub game: &'a str,
    pub columns: u8,
    pub rows: u8,
    pub figures: &'a [Figure],
    pub marks: &'a [Mark],
    pub ripples: &'a [Ripple],
    pub camera: &'a Camera,
    pub theme: &'a Theme,
    pub mark_colour: Colour,
    pub quality: Quality,
    /// In seconds; it moves the water. While it stays the same the water is at rest.
    pub time: f32,
    /// Letters and numbers around the board.
    pub coordinates: bool,
    /// Numbers over piles.
    pub counts: bool,
}

/// What a view showed, to see whether another shows the same.
#[derive(Debug)]
struct Seen {
    game: String,
    size: (u8, u8),
    figures: Vec<Figure>,
    marks: Vec<Mark>,
    ripples: Vec<Ripple>,
    camera: Camera,
    theme: Theme,
    mark_colour: Colour,
    quality: Quality,
    time: f32,
    coordinates: bool,
    counts: bool,
}

impl Seen {
    fn new(view: &View) -> Seen {
        Seen {
            game: view.game.to_string(),
            size: (view.columns, view.rows),
            figures: view.figures.to_vec(),
            marks: view.marks.to_vec(),
            ripples: view.ripples.to_vec(),
            camera: *view.camera,
            theme: view.theme.clone(),
            mark_colour: view.mark_colour,
            quality: view.quality,
            time: view.time,
            coordinates: view.coordinates,
            counts: view.counts,
        }
    }

    fn shows(&self, view: &View) -> bool {
        self.game == view.game
            && self.size == (view.columns, view.rows)
            && self.figures == view.figures
            && self.marks == view.marks
            && self.ripples == view.ripples
            && self.camera == *view.camera
            && self.theme == *view.theme
            && self.mark_colour == view.mark_colour
            && self.quality == view.quality
            && (self.time == view.time || !has_water(view.game))
            && self.coordinates == view.coordinates
            && self.counts == view.counts
    }
}

fn has_water(game: &str) -> bool {
    game == "syrtis"
}

/// Makes room in the window's settings for the meshes that a stage draws: without it, pieces are cut off.
pub fn configure(conf: &mut Conf) {
    conf.draw_call_vertex_capacity = solid::MESH_VERTICES;
    conf.draw_call_index_capacity = solid::MESH_INDICES;
}

/// Draws boards. There is one, for all games.
#[derive(Debug)]
pub struct Stage {
    paints: Paints,
    labels: Labels,
    shadows: Shadows,
    ground: Ground,
    shore: Shore,
    lit: Option<Lit>,
    set: Option<(SetKey, Set)>,
    picture: Option<Picture>,
    batches: Batches,
}

/// What the maps of light are of.
#[derive(Debug)]
struct Lit {
    game: String,
    size: (u8, u8),
    figures: Vec<Figure>,
    ripples: Vec<Ripple>,
}

impl Lit {
    fn is_of(&self, view: &View) -> bool {
        self.game == view.game
            && self.size == (view.columns, view.rows)
            && self.figures == view.figures
            && self.ripples == view.ripples
    }
}

#[derive(Debug, PartialEq)]
struct SetKey {
    game: String,
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

#[derive(Debug, Default)]
struct Batches {
    figures: Batch,
    ghosts: Batch,
    casts: Batch,
    decals: Batch,
}

impl Stage {
    /// The window has to be open.
    pub fn new() -> Result<Stage, StageError> {
        Ok(Stage {
            paints: Paints::new(Quality::default())?,
            labels: Labels::new()?,
            shadows: Shadows::default(),
            ground: Ground::default(),
            shore: Shore::default(),
            lit: None,
            set: None,
            picture: None,
            batches: Batches::default(),
        })
    }

    /// Draws to the whole window. What has been drawn already is not drawn again.
    pub fn draw(&mut self, view: &View) {
        let (width, height) = (screen_width(), screen_height());
        let scale = if view.quality == Quality::Low { 0.7 } else { 1.0 };
        let size = vec2((width * scale).max(1.0).round(), (height * scale).max(1.0).round());
        let picture = match self.picture.take() {
            Some(picture) if picture.canvas.fits(size, view.quality) && picture.seen.shows(view) => picture,
            old => {
                let reusable = old.map(|old| old.canvas).filter(|canvas| canvas.fits(size, view.quality));
                let canvas = reusable.unwrap_or_else(|| Canvas::new(size, view.quality));
                self.paint(view, &canvas, size);
                Picture { canvas, seen: Seen::new(view) }
            }
        };
        let params = DrawTextureParams { dest_size: Some(vec2(width, height)), ..Default::default() };
        draw_texture_ex(&picture.canvas.finished().texture, 0.0, 0.0, WHITE, params);
        self.picture = Some(picture);
    }

    /// A picture of its own, for where a board is shown small.
    pub fn thumbnail(&mut self, view: &View, width: u32, height: u32) -> RenderTarget {
        let size = vec2(width.max(1) as f32, height.max(1) as f32);
        let canvas = Canvas::new(size, view.quality);
        self.paint(view, &canvas, size);
        canvas.finished().clone()
    }

    fn paint(&mut self, view: &View, canvas: &Canvas, size: Vec2) {
        self.paints.suit(view.quality);
        self.lay_out(view);

        self.fill_batches(view);

        let layout = Layout::of(view.game);
        let (low, high) = layout.extent(view.columns, view.rows);
        let frame = Shadows::frame(low.with_y(-0.6), high);
        let light = &view.theme.light;
        let scene = Scene {
            eye: view.camera.eye(),
            pixel: view.camera.pixel(size.y),
            sun: shadows::sun(),
            key: light.key.light() * light.key_strength,
            sky: light.sky.light() * light.sky_strength,
            bounce: light.bounce.light() * light.sky_strength,
            lamp: frame.0,
            shadow_size: frame.1 as f32,
            board: vec4(low.x, low.z, high.x, high.z),
            cells: vec2(f32::from(view.columns), f32::from(view.rows)),
            time: view.time,
        };

        self.cast_light(view, frame);

        let maps = [
            ("Shadows", self.shadows.texture()),
            ("Ground", self.ground.texture()),
            ("Shore", self.shore.texture()),
            ("Labels", self.labels.texture()),
        ];
        let map = |name: &str| {
            let found = maps.iter().find(|(map, _)| *map == name);
            found.map_or_else(Texture2D::empty, |(_, texture)| texture.clone())
        };
        let Some((_, set)) = &self.set else { return };
        let mut surfaces: Vec<Surface> = set.board.iter().map(|(surface, _)| *surface).collect();
        surfaces.extend([Surface::Table, Surface::Piece, Surface::Decal]);

        set_camera(&Lens::upright(view.camera.matrix(size.x / size.y), &canvas.scene));
        clear_background(film(view.theme.table.far));
        self.paints.tell(&surfaces, &scene, map);
        let draw_batch = |surface, batch: &Batch| {
            self.paints.draw(surface, sets::surface_colours(surface, view.theme), batch);
        };
        let draw = |surface, solid: &Solid| {
            let mut batch = Batch::default();
            batch.put(solid, Mat3::IDENTITY, Vec3::ZERO, 1.0);
            draw_batch(surface, &batch);
        };
        let reach = (high - low).length() * 5.0;
        let middle = (low + high) / 2.0;
        let table = Solid::default().sheet(
            vec2(middle.x - reach, middle.z - reach),
            vec2(middle.x + reach, middle.z + reach),
            -layout.thickness,
            solid::Paint::new(view.theme.table.top, 0.0, 0.0),
        );
        // The nearest first: what is hidden then costs no light. What is seen through comes after what is not.
        draw_batch(Surface::Piece, &self.batches.figures);
        let is_water = |part: &&(Surface, Solid)| part.0 == Surface::Water;
        for (surface, solid) in set.board.iter().filter(|part| !is_water(part)) {
            draw(*surface, solid);
        }
        draw(Surface::Table, &table);
        for (surface, solid) in set.board.iter().filter(is_water) {
            draw(*surface, solid);
        }
        draw_batch(Surface::Piece, &self.batches.ghosts);
        draw_batch(Surface::Decal, &self.batches.decals);
        if let Some(smooth) = &canvas.smooth {
            set_camera(&Lens { matrix: Mat4::IDENTITY, target: smooth });
            self.paints.look_at(Surface::Smooth, &canvas.scene.texture, size);
            self.paints.draw_plain(Surface::Smooth, &ground::whole());
        }
        set_default_camera();
        gl_use_default_material();
    }

    /// Draws the maps that light is looked up in, unless they are what they have to be.
    fn cast_light(&mut self, view: &View, frame: (Mat4, u32)) {
        if self.lit.as_ref().is_some_and(|lit| lit.is_of(view)) {
            return;
        }
        let layout = Layout::of(view.game);
        let extent = layout.extent(view.columns, view.rows);
        self.shadows.draw(frame, &self.paints, &self.batches.casts);
        let casts = &self.batches.casts;
        self.ground.draw(&self.paints, extent, layout.shadow_level, view.game, view.figures, casts);
        if has_water(view.game) {
            self.shore.draw(&self.paints, extent.0, extent.1, view.figures, view.ripples);
        }
        self.lit = Some(Lit {
            game: view.game.to_string(),
            size: (view.columns, view.rows),
            figures: view.figures.to_vec(),
            ripples: view.ripples.to_vec(),
        });
    }

    /// Gets the board and the pieces out, if they are not on the table already.
    fn lay_out(&mut self, view: &View) {
        let segments = match (view.quality, view.figures.len()) {
            (Quality::Low, _) | (_, 200..) => 16,
            (Quality::Medium, _) | (_, 90..) => 22,
            _ => 30,
        };
        let key = SetKey {
            game: view.game.to_string(),
            size: (view.columns, view.rows),
            theme: view.theme.clone(),
            segments,
        };
        if self.set.as_ref().is_none_or(|(laid_out, _)| *laid_out != key) {
            let set = Set::new(view.game, view.columns, view.rows, view.theme, segments);
            self.set = Some((key, set));
        }
    }

    fn fill_batches(&mut self, view: &View) {
        let Batches { figures, ghosts, casts, decals } = &mut self.batches;
        for batch in [&mut *figures, ghosts, casts, decals] {
            batch.clear();
        }
        let Some((_, set)) = &self.set else { return };

        let eye = view.camera.eye();
        let mut seen: Vec<&Figure> = view.figures.iter().filter(|figure| figure.presence > 0.0).collect();
        seen.sort_by(|a, b| b.at.distance_squared(eye).total_cmp(&a.at.distance_squared(eye)));
        for figure in seen {
            let (turn, by) = pose(view.game, figure);
            let batch = if figure.presence < 1.0 { &mut *ghosts } else { &mut *figures };
            batch.put(set.piece(figure.shape), turn, by, figure.presence);
            casts.put(set.cast(figure.shape), turn, by, figure.presence);
        }
        marks::put(decals, view.game, view.mark_colour, view.marks, view.figures);
        if view.coordinates {
            put_coordinates(decals, view);
        }
        if view.counts {
            put_counts(decals, view);
        }
    }
}

/// How a figure is turned, and where the middle of its underside would be if it were not.
fn pose(game: &str, figure: &Figure) -> (Mat3, Vec3) {
    let turn = Mat3::from_rotation_y(figure.yaw) * Mat3::from_rotation_x(figure.roll);
    let middle = vec3(0.0, sets::body(game, figure.shape).height() / 2.0, 0.0);
    (turn, figure.at + middle - turn * middle)
}

/// Letters along the columns and numbers along the rows, turned so that they stand upright for who looks.
fn put_coordinates(batch: &mut Batch, view: &View) {
    let layout = Layout::of(view.game);
    let [red, green, blue] = sets::label_colour(view.game, view.theme).0;
    let quarter = (view.camera.yaw / FRAC_PI_2).round() * FRAC_PI_2;
    let right = vec3(quarter.cos(), 0.0, -quarter.sin()) * 0.3;
    let down = vec3(quarter.sin(), 0.0, quarter.cos()) * 0.3;
    let out = 0.5 + layout.label_distance;
    let mut put = |x: f32, z: f32, uv| {
        let look = QuadLook { uv, colour: [red, green, blue, 230], extra: marks::GLYPH };
        batch.quad(vec3(x, layout.label_height + 0.01, z), right, down, look);
    };
    for column in 0..view.columns {
        for z in [-out, f32::from(view.rows) - 1.0 + out] {
            put(f32::from(column), z, Labels::letter(column));
        }
    }
    for row in 0..view.rows {
        for x in [-out, f32::from(view.columns) - 1.0 + out] {
            put(x, f32::from(row), Labels::number(row + 1));
        }
    }
}

/// How many discs a pile has, over its top.
fn put_counts(batch: &mut Batch, view: &View) {
    let mut piles: BTreeMap<(i32, i32), (u8, Vec3)> = BTreeMap::new();
    for figure in view.figures.iter().filter(|figure| matches!(figure.shape, Shape::Disc(_))) {
        let cell = (figure.at.x.round() as i32, figure.at.z.round() as i32);
        let (count, top) = piles.entry(cell).or_insert((0, figure.at));
        *count += 1;
        if figure.at.y > top.y {
            *top = figure.at;
        }
    }
    let (right, up) = (view.camera.right(), view.camera.up());
    for (count, top) in piles.into_values() {
        let at = top + right * 0.3 + up * 0.2 + vec3(0.0, DISC_HEIGHT, 0.0);
        let whole = [vec2(-1.0, -1.0), vec2(1.0, 1.0)];
        let plate = QuadLook { uv: whole, colour: [12, 12, 14, 215], extra: marks::PLATE };
        batch.quad(at, right * 0.15, -up * 0.15, plate);
        let digit = QuadLook { uv: Labels::number(count), colour: [255; 4], extra: marks::GLYPH };
        batch.quad(at - view.camera.forward() * 0.02, right * 0.17, -up * 0.17, digit);
    }
}

/// What the shaders make of an amount of light, for where there is no shader.
fn film(colour: Colour) -> Color {
    let shown = colour.light().to_array().map(|light| {
        let x = (light - 0.004).max(0.0);
        (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06)
    });
    Color::new(shown[0], shown[1], shown[2], 1.0)
}
