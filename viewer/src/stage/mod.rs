//! The boards in three dimensions: how they look, from where they are seen, and what is pointed at.

pub mod aim;
pub mod camera;
mod canvas;
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
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};
use macroquad::window::{clear_background, screen_height, screen_width};

use self::camera::Camera;
use self::canvas::Canvas;
use self::labels::Labels;
use self::lens::Lens;
use self::paint::{Paints, Scene, Surface};
use self::sets::{Layout, Set};
use self::shadows::Shadows;
use self::shore::Shore;
use self::solid::{Batch, QuadLook, Solid};
use self::theme::{Colour, Theme};
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
    paints_for: Quality,
    labels: Labels,
    shadows: Shadows,
    shore: Shore,
    set: Option<(SetKey, Set)>,
    picture: Option<Picture>,
    batches: Batches,
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
    contacts: Batch,
    figures: Batch,
    ghosts: Batch,
    marks: Batch,
    labels: Batch,
    counts: Batch,
}

impl Stage {
    /// The window has to be open.
    pub fn new() -> Result<Stage, StageError> {
        let quality = Quality::default();
        Ok(Stage {
            paints: Paints::new(quality)?,
            paints_for: quality,
            labels: Labels::new()?,
            shadows: Shadows::default(),
            shore: Shore::default(),
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
        draw_texture_ex(picture.canvas.texture(), 0.0, 0.0, WHITE, params);
        self.picture = Some(picture);
    }

    /// A picture of its own, for where a board is shown small.
    pub fn thumbnail(&mut self, view: &View, width: u32, height: u32) -> Texture2D {
        let size = vec2(width.max(1) as f32, height.max(1) as f32);
        let canvas = Canvas::new(size, view.quality);
        self.paint(view, &canvas, size);
        canvas.texture().clone()
    }

    fn paint(&mut self, view: &View, canvas: &Canvas, size: Vec2) {
        if self.paints_for != view.quality {
            // Shaders that were accepted once are; if not, the old ones draw as well.
            if let Ok(paints) = Paints::new(view.quality) {
                self.paints = paints;
            }
            self.paints_for = view.quality;
        }
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
            mark: view.mark_colour.light(),
            screen: size,
        };
        self.shadows.draw(frame, &self.paints, &self.batches.figures);

        if has_water(view.game) {
            self.shore.draw(&self.paints, low, high, view.figures, view.ripples);
        }
        let (shadows, shore, labels) = (self.shadows.texture(), self.shore.texture(), self.labels.texture());
        let texture = |name: &str| match name {
            "Shadows" => shadows.clone(),
            "Shore" => shore.clone(),
            "Labels" => labels.clone(),
            _ => Texture2D::empty(),
        };
        let Some((_, set)) = &self.set else { return };
        let mut surfaces: Vec<Surface> = set.board.iter().map(|(surface, _)| *surface).collect();
        surfaces.extend([Surface::Table, Surface::Piece, Surface::Contact, Surface::Mark, Surface::Label]);

        set_camera(&Lens::upright(view.camera.matrix(size.x / size.y), &canvas.scene));
        clear_background(film(view.theme.table.far));
        self.paints.tell(&surfaces, &scene, texture);
        let take = |surface| self.paints.take(surface, sets::surface_colours(surface, view.theme));

        let reach = (high - low).length() * 5.0;
        let middle = (low + high) / 2.0;
        let table = Solid::default().sheet(
            vec2(middle.x - reach, middle.z - reach),
            vec2(middle.x + reach, middle.z + reach),
            -layout.thickness,
            solid::Paint::new(view.theme.table.top, 0.0, 0.0),
        );
        let draw = |surface, solid: &Solid| {
            let mut batch = Batch::default();
            batch.put(solid, Mat3::IDENTITY, Vec3::ZERO, 1.0);
            take(surface);
            batch.draw();
        };
        let draw_batch = |surface, batch: &Batch| {
            if !batch.is_empty() {
                take(surface);
                batch.draw();
            }
        };
        draw(Surface::Table, &table);
        let is_water = |part: &&(Surface, Solid)| part.0 == Surface::Water;
        for (surface, solid) in set.board.iter().filter(|part| !is_water(part)) {
            draw(*surface, solid);
        }
        draw_batch(Surface::Contact, &self.batches.contacts);
        draw_batch(Surface::Label, &self.batches.labels);
        draw_batch(Surface::Piece, &self.batches.figures);
        for (surface, solid) in set.board.iter().filter(is_water) {
            draw(*surface, solid);
        }
        draw_batch(Surface::Piece, &self.batches.ghosts);
        draw_batch(Surface::Mark, &self.batches.marks);
        draw_batch(Surface::Label, &self.batches.counts);
        if let Some(smooth) = &canvas.smooth {
            set_camera(&Lens { matrix: Mat4::IDENTITY, target: smooth });
            self.paints.tell(&[Surface::Smooth], &scene, |_| canvas.scene.texture.clone());
            take(Surface::Smooth);
            let look = QuadLook { uv: [Vec2::ZERO, Vec2::ONE], colour: [255; 4], extra: Vec3::Y };
            let mut sheet = Batch::default();
            sheet.quad(Vec3::ZERO, Vec3::X, Vec3::Y, look);
            sheet.draw();
        }
        set_default_camera();
        gl_use_default_material();
    }

    /// Gets the board and the pieces out, if they are not on the table already.
    fn lay_out(&mut self, view: &View) {
        let segments = match (view.quality, view.figures.len()) {
            (Quality::Low, _) | (_, 200..) => 20,
            (Quality::Medium, _) | (_, 90..) => 28,
            _ => 40,
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
        let Batches { contacts, figures, ghosts, marks, labels, counts } = &mut self.batches;
        for batch in [&mut *contacts, figures, ghosts, marks, labels, counts] {
            batch.clear();
        }
        let Some((_, set)) = &self.set else { return };

        let mut seen_through = Vec::new();
        for figure in view.figures {
            let solid = set.piece(figure.shape);
            if figure.presence >= 1.0 {
                let (turn, by) = pose(view.game, figure);
                figures.put(solid, turn, by, 1.0);
            } else if figure.presence > 0.0 {
                seen_through.push(figure);
            }
            put_contact(contacts, view.game, figure);
        }
        let eye = view.camera.eye();
        seen_through.sort_by(|a, b| b.at.distance(eye).total_cmp(&a.at.distance(eye)));
        for figure in seen_through {
            let (turn, by) = pose(view.game, figure);
            ghosts.put(set.piece(figure.shape), turn, by, figure.presence);
        }
        marks::put(marks, view.game, view.marks, view.figures);
        if view.coordinates {
            put_coordinates(labels, view);
        }
        if view.counts {
            put_counts(counts, view);
        }
    }
}

/// How a figure is turned, and where the middle of its underside would be if it were not.
fn pose(game: &str, figure: &Figure) -> (Mat3, Vec3) {
    let turn = Mat3::from_rotation_y(figure.yaw) * Mat3::from_rotation_x(figure.roll);
    let middle = vec3(0.0, sets::body(game, figure.shape).height() / 2.0, 0.0);
    (turn, figure.at + middle - turn * middle)
}

fn put_contact(batch: &mut Batch, game: &str, figure: &Figure) {
    if matches!(figure.shape, Shape::Tile(..) | Shape::Tower(_)) {
        return;
    }
    let strength = (1.0 - figure.at.y.max(0.0) / 0.5).max(0.0) * figure.presence;
    if strength <= 0.0 {
        return;
    }
    let reach = sets::body(game, figure.shape).reach() * 1.4;
    let look = QuadLook {
        uv: [vec2(-1.0, -1.0), vec2(1.0, 1.0)],
        colour: [255, 255, 255, (strength * 200.0) as u8],
        extra: Vec3::Y,
    };
    batch.quad(figure.at.with_y(0.008), Vec3::X * reach, Vec3::Z * reach, look);
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
        let look = QuadLook { uv, colour: [red, green, blue, 230], extra: Vec3::Y };
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
    let (right, down) = (view.camera.right() * 0.2, -view.camera.up() * 0.2);
    for (count, top) in piles.into_values() {
        let look = QuadLook { uv: Labels::number(count), colour: [255; 4], extra: Vec3::Y };
        batch.quad(top + vec3(0.0, 0.45, 0.0), right, down, look);
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
