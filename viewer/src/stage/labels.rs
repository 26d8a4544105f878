//! Letters and numbers in the scene: a sheet of all that a board may need.

use std::collections::BTreeMap;
use std::f32::consts::FRAC_PI_2;

use egui_macroquad::egui::FontDefinitions;
use macroquad::camera::{Camera2D, set_camera, set_default_camera};
use macroquad::color::{BLACK, WHITE};
use macroquad::math::{Rect, Vec2, Vec3, vec2, vec3};
use macroquad::text::{TextParams, draw_text_ex, load_ttf_font_from_bytes, measure_text};
use macroquad::texture::{RenderTarget, Texture2D, render_target};
use macroquad::window::clear_background;

use super::solid::{Batch, QuadLook};
use super::view::View;
use super::{StageError, marks};
use crate::scene::{Figure, MarkKind, place};

const FONT: &str = "Ubuntu-Light";
/// Labels in a row of the sheet, and its rows.
const ACROSS: usize = 13;
const DOWN: usize = 9;
/// The side of a label's square, in pixels.
const SQUARE: f32 = 64.0;
const FONT_SIZE: u16 = 44;

#[derive(Debug)]
pub(super) struct Labels {
    sheet: RenderTarget,
}

impl Labels {
    pub(super) fn new() -> Result<Labels, StageError> {
        let fonts = FontDefinitions::default();
        let data =
            fonts.font_data.get(FONT).ok_or_else(|| StageError::Font(format!("there is no {FONT}")))?;
        let font =
            load_ttf_font_from_bytes(&data.font).map_err(|error| StageError::Font(error.to_string()))?;
        let characters: Vec<char> = (FIRST_CHARACTER..=LAST_CHARACTER).collect();
        font.populate_font_cache(&characters, FONT_SIZE);

        let (width, height) = (ACROSS as f32 * SQUARE, DOWN as f32 * SQUARE);
        let sheet = render_target(width as u32, height as u32);
        let mut camera = Camera2D::from_display_rect(Rect::new(0.0, 0.0, width, height));
        camera.render_target = Some(sheet.clone());
        set_camera(&camera);
        clear_background(BLACK);
        for (index, text) in texts().enumerate() {
            let params =
                TextParams { font: Some(&font), font_size: FONT_SIZE, color: WHITE, ..Default::default() };
            let size = measure_text(&text, Some(&font), FONT_SIZE, 1.0);
            let middle = (corner(index) + 0.5) * SQUARE;
            // All on one base line, which suits digits and looks right for letters.
            draw_text_ex(&text, middle.x - size.width / 2.0, middle.y + SQUARE * 0.24, params);
        }
        set_default_camera();
        Ok(Labels { sheet })
    }

    pub(super) fn texture(&self) -> Texture2D {
        self.sheet.texture.clone()
    }

    /// The corners of a letter's square on the sheet.
    pub(super) fn letter(column: u8) -> [Vec2; 2] {
        square(usize::from(column.min(25)))
    }

    /// The corners of the square of any character; what there is none for is a question mark.
    fn character(character: char) -> [Vec2; 2] {
        match character {
            'a'..='z' => Labels::letter(character as u8 - b'a'),
            '1'..='9' => Labels::number(character as u8 - b'0'),
            other => {
                let place = |wanted: char| others().position(|known| known == wanted);
                square(52 + place(other).or_else(|| place('?')).unwrap_or(0))
            }
        }
    }

    /// The corners of the square of a number from 1 to 26.
    pub(super) fn number(number: u8) -> [Vec2; 2] {
        square(26 + usize::from(number.clamp(1, 26)) - 1)
    }
}

/// The characters that there are squares for: all that can be seen of ASCII.
const FIRST_CHARACTER: char = '!';
const LAST_CHARACTER: char = '~';

/// Letters and numbers for the edges of boards first, then what else may be written on a piece.
fn texts() -> impl Iterator<Item = String> {
    let coordinates = ('a'..='z').map(String::from).chain((1..=26).map(|number| number.to_string()));
    coordinates.chain(others().map(String::from))
}

fn others() -> impl Iterator<Item = char> {
    (FIRST_CHARACTER..=LAST_CHARACTER)
        .filter(|character| !character.is_ascii_lowercase() && !('1'..='9').contains(character))
}

/// Where a label's square begins, in squares.
fn corner(index: usize) -> Vec2 {
    vec2((index % ACROSS) as f32, (index / ACROSS) as f32)
}

/// The sheet is drawn from its upper edge down, and textures begin at their lower edge.
fn square(index: usize) -> [Vec2; 2] {
    [corner(index), corner(index) + 1.0]
        .map(|corner| vec2(corner.x / ACROSS as f32, 1.0 - corner.y / DOWN as f32))
}

/// Letters along the columns and numbers along the rows, turned so that they stand upright for who
/// looks. A side of which some are hidden behind what stands before them has none: the other side
/// has the same.
pub(super) fn put_coordinates(batch: &mut Batch, view: &View) {
    let layout = view.set.layout();
    let [red, green, blue] = view.set.label_colour(view.theme).0;
    let quarter = (view.camera.yaw / FRAC_PI_2).round() * FRAC_PI_2;
    let right = vec3(quarter.cos(), 0.0, -quarter.sin()) * HALF;
    let down = vec3(quarter.sin(), 0.0, quarter.cos()) * HALF;
    let sides = sides(view);
    let hidden = sides.each_ref().map(|side| is_hidden(view, side));
    // From some places both sides may be hidden.
    let is_left_out = |side: usize| hidden[side] && !hidden[side ^ 1];
    for (_, side) in sides.iter().enumerate().filter(|(side, _)| !is_left_out(*side)) {
        for &(place, uv) in side {
            let look = QuadLook { uv, colour: [red, green, blue, 255], extra: marks::GLYPH };
            batch.quad(place.with_y(layout.label_height + 0.02), right, down, look);
        }
    }
}

/// Half the side of a label at the edge.
const HALF: f32 = 0.3;

type Side = Vec<(Vec3, [Vec2; 2])>;

/// Where labels are and what they show: north and south, west and east.
fn sides(view: &View) -> [Side; 4] {
    let layout = view.set.layout();
    let out = 0.5 + layout.label_distance;
    let (columns, rows) = (f32::from(view.columns), f32::from(view.rows));
    let at = |x: f32, z: f32| vec3(x, layout.label_height, z);
    let letters =
        |z: f32| (0..view.columns).map(|column| (at(f32::from(column), z), Labels::letter(column))).collect();
    let numbers =
        |x: f32| (0..view.rows).map(|row| (at(x, f32::from(row)), Labels::number(row + 1))).collect();
    [letters(-out), letters(rows - 1.0 + out), numbers(-out), numbers(columns - 1.0 + out)]
}

/// Whether something broad that stands on the board hides more than the edge of a label.
fn is_hidden(view: &View, side: &Side) -> bool {
    let eye = view.camera.eye();
    side.iter().any(|(place, _)| {
        let seen = [Vec3::ZERO, Vec3::X, -Vec3::X, Vec3::Z, -Vec3::Z].map(|off| *place + off * HALF * 0.4);
        let is_near = |figure: &&Figure| {
            let off = (figure.at - *place).abs();
            off.x.max(off.z) < NEIGHBOURHOOD
        };
        view.figures.iter().filter(is_near).any(|figure| {
            let is_at_rest =
                figure.presence >= 1.0 && (figure.at - figure.at.round()).with_y(0.0).length() < 0.1;
            let body = &view.set.build(figure.shape.kind).body;
            is_at_rest
                && body.reach() > marks::SLENDER
                && seen.iter().any(|&point| hides(figure.at, body.reach(), body.height(), eye, point))
        })
    })
}

/// Farther away nothing is so high that it would hide a label.
const NEIGHBOURHOOD: f32 = 2.0;

/// Whether an upright cylinder stands between the eye and a point.
fn hides(foot: Vec3, reach: f32, height: f32, eye: Vec3, point: Vec3) -> bool {
    // A few steps from the point towards the eye, as long as they are not over its head.
    let towards = (eye - point).normalize_or_zero();
    (1..=24).map(|step| point + towards * (step as f32 * 0.08)).any(|at| {
        let off = (at - foot).with_y(0.0);
        off.length() < reach && at.y > foot.y && at.y < foot.y + height
    })
}

/// What is written on pieces, turned so that it stands upright for who looks.
pub(super) fn put_on_pieces(batch: &mut Batch, view: &View) {
    let quarter = (view.camera.yaw / FRAC_PI_2).round() * FRAC_PI_2;
    let level = (vec3(quarter.cos(), 0.0, -quarter.sin()), vec3(quarter.sin(), 0.0, quarter.cos()));
    let upright = (view.camera.right(), -view.camera.up());
    let written = |figure: &&Figure| !figure.shape.label.is_empty() && figure.roll.abs() < FRAC_PI_2;
    for figure in view.figures.iter().filter(written) {
        let build = view.set.build(figure.shape.kind);
        let [red, green, blue] = view.set.ink(figure.shape.kind, view.theme).0;
        let colour = [red, green, blue, (figure.presence * 255.0) as u8];
        let (height, reach) = (build.body.height(), build.body.reach());
        let ((right, down), at, size) = match build.is_slender {
            // On its head, towards whoever looks.
            true => {
                let head = figure.at + vec3(0.0, height * 0.8, 0.0);
                (upright, head - view.camera.forward() * reach, 0.14)
            }
            false => (level, figure.at + vec3(0.0, height + LIFT, 0.0), reach * 0.72),
        };
        let count = figure.shape.label.characters().count() as f32;
        let size = if count > 1.0 { size * 0.8 } else { size };
        for (index, character) in figure.shape.label.characters().enumerate() {
            let along = (index as f32 - (count - 1.0) / 2.0) * size * SPACING;
            let look = QuadLook { uv: Labels::character(character), colour, extra: marks::GLYPH };
            batch.quad(at + right * along, right * size, down * size, look);
        }
    }
}

/// Which action of a turn a trail belongs to, or which line, where it begins: in the colour of the
/// mark, so that nobody takes it for the height of a pile.
pub(super) fn put_trail_numbers(batch: &mut Batch, view: &View, pixel: f32) {
    let (right, up) = (view.camera.right(), view.camera.up());
    let mut taken: Vec<Vec3> = piles(view).iter().map(|pile| pile.plate(right, up)).collect();
    let is_covered = |one: Vec3, other: Vec3| {
        let off = one - other;
        off.dot(right).hypot(off.dot(up)) < 2.0 * half_plate(view, one, TRAIL_PLATE, pixel)
    };
    for mark in view.marks {
        let (to, number, colour) = match mark.kind {
            MarkKind::Line { to, number: Some(number), .. } => (to, number, view.marks_in.hint),
            kind => match marks::way(kind) {
                Some((to, Some(number))) => (Some(to), number, marks::colour(view.marks_in, kind)),
                _ => continue,
            },
        };
        let corner = || place(mark.target) - right * 0.3 + up * 0.3;
        let begin = to.map_or_else(corner, |to| marks::trail_begin(mark.target, to));
        // Above whatever stands there.
        let is_there = |figure: &&Figure| {
            let off = (figure.at - begin).abs();
            off.x < 0.5 && off.z < 0.5
        };
        let tops = view.figures.iter().filter(is_there);
        let tops = tops.map(|figure| figure.at.y + view.set.build(figure.shape.kind).body.height());
        let over = marks::trails_over(view.set, view.marks, begin, view.figures);
        let top = tops.chain(over).fold(0.0, f32::max);
        let mut at = begin + vec3(0.0, top + 0.12, 0.0);
        // Several may begin in one place, and piles have their own: each keeps to its way.
        let along = to.map(|to| (place(to) - place(mark.target)).with_y(0.0).normalize_or_zero());
        let aside = along.filter(|along| *along != Vec3::ZERO).unwrap_or(-right);
        // Whoever looks along a way sees no step on it: then it stays there.
        let half = half_plate(view, at, TRAIL_PLATE, pixel);
        for _ in 0..4 {
            if taken.iter().any(|other| is_covered(*other, at)) {
                at += aside * 1.1 * half;
            }
        }
        taken.push(at);
        let whole = [vec2(-1.0, -1.0), vec2(1.0, 1.0)];
        let [red, green, blue] = colour.0;
        let plate = QuadLook { uv: whole, colour: [red, green, blue, 240], extra: marks::PLATE };
        batch.quad(at, right * half, -up * half, plate);
        let digit = QuadLook { uv: Labels::number(number), colour: [16, 14, 12, 255], extra: marks::GLYPH };
        batch.quad(at - view.camera.forward() * 0.02, right * half * DIGIT, -up * half * DIGIT, digit);
    }
}

/// Half of the plates under the number of a trail and under that of a pile.
const TRAIL_PLATE: f32 = 0.14;
const COUNT_PLATE: f32 = 0.15;
/// They are no smaller than this, in pixels, unless they would be larger than a piece.
const LEAST_PLATE: f32 = 8.0;
const LARGEST_PLATE: f32 = 0.3;
/// How large the square of a number is on its plate.
const DIGIT: f32 = 1.15;
/// How far above a piece its label lies.
const LIFT: f32 = 0.012;
/// From one character to the next, in halves of their squares.
const SPACING: f32 = 0.86;

/// Pieces on one cell.
struct Pile {
    count: u8,
    top: Vec3,
    /// Of the topmost piece.
    height: f32,
}

impl Pile {
    /// Where its number stands.
    fn plate(&self, right: Vec3, up: Vec3) -> Vec3 {
        self.top + right * 0.3 + up * 0.2 + vec3(0.0, self.height, 0.0)
    }
}

/// The piles that are counted.
fn piles(view: &View) -> Vec<Pile> {
    let mut piles: BTreeMap<(i32, i32), Pile> = BTreeMap::new();
    let is_counted = |figure: &&Figure| {
        // Not what is on its way: that belongs to no pile.
        let off = figure.at - figure.at.round();
        view.set.build(figure.shape.kind).is_counted && figure.presence >= 1.0 && off.x.hypot(off.z) < 0.1
    };
    for figure in view.figures.iter().filter(is_counted) {
        let cell = (figure.at.x.round() as i32, figure.at.z.round() as i32);
        let height = view.set.build(figure.shape.kind).body.height();
        let pile = piles.entry(cell).or_insert(Pile { count: 0, top: figure.at, height });
        pile.count += 1;
        if figure.at.y > pile.top.y {
            (pile.top, pile.height) = (figure.at, height);
        }
    }
    piles.into_values().collect()
}

/// Half of a plate whose number can be read where it stands, however small the board is.
fn half_plate(view: &View, at: Vec3, usual: f32, pixel: f32) -> f32 {
    let least = LEAST_PLATE * pixel * at.distance(view.camera.eye());
    usual.max(least.min(LARGEST_PLATE))
}

/// How many pieces a pile has, over its top.
pub(super) fn put_counts(batch: &mut Batch, view: &View, pixel: f32) {
    let (right, up) = (view.camera.right(), view.camera.up());
    for pile in piles(view) {
        let (at, count) = (pile.plate(right, up), pile.count);
        let whole = [vec2(-1.0, -1.0), vec2(1.0, 1.0)];
        let plate = QuadLook { uv: whole, colour: [12, 12, 14, 235], extra: marks::PLATE };
        let half = half_plate(view, at, COUNT_PLATE, pixel);
        batch.quad(at, right * half, -up * half, plate);
        let digit = QuadLook { uv: Labels::number(count), colour: [255; 4], extra: marks::GLYPH };
        batch.quad(at - view.camera.forward() * 0.02, right * half * DIGIT, -up * half * DIGIT, digit);
    }
}

#[cfg(test)]
mod tests {
    use macroquad::math::Rect as Part;

    use super::*;
    use crate::scene::Shape;
    use crate::sets::find;
    use crate::stage::Quality;
    use crate::stage::camera::Camera;
    use crate::stage::theme::{Colour, MarkPalette, themes};

    /// The sides that are hidden: north, south, west and east.
    fn hidden(game: &str, figures: &[Figure], yaw: f32) -> [bool; 4] {
        let set = find(game, None);
        let mut camera = Camera::seat(set.layout(), 8, 8, 1, 1.6, Part::new(0.0, 0.0, 0.8, 1.0));
        camera.yaw = yaw;
        let colour = Colour([255; 3]);
        let view = View {
            set: &*set,
            columns: 8,
            rows: 8,
            figures,
            marks: &[],
            ripples: &[],
            camera: &camera,
            theme: &themes()[0],
            marks_in: MarkPalette { open: colour, last: colour, hint: colour, aid: colour },
            quality: Quality::Full,
            time: 0.0,
            coordinates: true,
            counts: true,
        };
        sides(&view).each_ref().map(|side| is_hidden(&view, side))
    }

    fn pile(column: f32, row: f32, pieces: usize) -> Vec<Figure> {
        let set = find("absorption", None);
        let height = set.build(0).body.height();
        let piece = |level: usize| Figure {
            shape: Shape::plain(0),
            at: vec3(column, height * level as f32, row),
            yaw: 0.0,
            roll: 0.0,
            presence: 1.0,
        };
        (0..pieces).map(piece).collect()
    }

    #[test]
    fn letters_that_a_pile_hides_are_left_to_the_other_side() {
        let from_south = 0.0;
        assert_eq!(hidden("absorption", &[], from_south), [false; 4]);
        assert_eq!(hidden("absorption", &pile(3.0, 0.0, 3), from_south), [true, false, false, false]);
        assert_eq!(hidden("absorption", &pile(3.0, 7.0, 3), from_south), [false; 4], "it is before the pile");
        assert_eq!(hidden("absorption", &pile(3.0, 3.0, 3), from_south), [false; 4]);
        let from_north = std::f32::consts::PI;
        assert_eq!(hidden("absorption", &pile(3.0, 7.0, 3), from_north), [false, true, false, false]);
        let mut passing = pile(3.4, 0.0, 3);
        assert_eq!(
            hidden("absorption", &passing, from_south),
            [false; 4],
            "what passes by blinks nothing out"
        );
        passing.iter_mut().for_each(|figure| figure.at.x = 3.0);
        assert!(hidden("absorption", &passing, from_south)[0]);
    }
}
