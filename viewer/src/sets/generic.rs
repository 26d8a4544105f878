//! Any other game: an inlaid board in a frame of dark wood, and a plain piece for every token.
//!
//! What a token looks like is what the engine's hints say, or else what its spelling suggests.

use std::f32::consts::PI;

use egui_macroquad::egui::{self, Align2, FontId, Painter, Rect, Stroke};
use macroquad::math::{Vec2, Vec3, vec2, vec3};
use tabuleiro_protocol::{Form, GameInfo, PieceSide, TokenLook};

use super::flat::Sides;
use super::{BoardLayout, Build, GameSet, Part, bare, flat, frame};
use crate::board::EMPTY;
use crate::scene::{Label, Shape};
use crate::stage::paint::Surface;
use crate::stage::ray::Body;
use crate::stage::solid::{Paint, Solid};
use crate::stage::theme::{Colour, Theme};

#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Colours {
    pub frame: Colour,
    pub frame_grain: Colour,
    pub label: Colour,
    pub field: Colour,
    pub inlay: Colour,
    pub line: Colour,
    pub dark: Colour,
    pub dark_mark: Colour,
    pub light: Colour,
    pub light_mark: Colour,
    pub neutral: Colour,
    pub neutral_mark: Colour,
}

const LAYOUT: BoardLayout = BoardLayout {
    // Wide enough for letters beside what waits before the edges.
    margin: 0.95,
    label_distance: 0.72,
    label_height: FRAME_TOP,
    // Only where something may come in over an edge, and that is known by then.
    doorsteps: false,
    ..BoardLayout::PLAIN
};

const FRAME_TOP: f32 = 0.05;
/// From the outer cells to the frame.
const FIELD_MARGIN: f32 = 0.1;
/// No stack is drawn higher: beyond it only its number tells.
const HIGHEST_STACK: f32 = 1.6;

const FORMS: [Form; 6] = [Form::Stone, Form::Disc, Form::Tower, Form::Cube, Form::Tile, Form::Pawn];
const SIDES: [PieceSide; 3] = [PieceSide::Dark, PieceSide::Light, PieceSide::Neutral];

/// A kind of piece, taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kind {
    form: Form,
    side: PieceSide,
}

impl Kind {
    fn number(self) -> u8 {
        let form = FORMS.iter().position(|form| *form == self.form).unwrap_or(1);
        let side = SIDES.iter().position(|side| *side == self.side).unwrap_or(2);
        (form * SIDES.len() + side) as u8
    }

    fn of(number: u8) -> Kind {
        let number = usize::from(number);
        Kind { form: FORMS[number / SIDES.len() % FORMS.len()], side: SIDES[number % SIDES.len()] }
    }
}

#[derive(Debug)]
pub(super) struct Generic {
    game: String,
    pitch: String,
    look: Vec<TokenLook>,
}

impl Generic {
    pub(super) fn new(game: &str, info: Option<&GameInfo>) -> Generic {
        Generic {
            game: game.into(),
            pitch: info.and_then(|info| info.pitch.clone()).unwrap_or_default(),
            look: info.map(|info| info.look.clone()).unwrap_or_default(),
        }
    }

    /// What the hints say about a token, or the default look.
    fn looks(&self, token: &str) -> Vec<TokenLook> {
        let hinted: Vec<TokenLook> = self.look.iter().filter_map(|look| matching(look, token)).collect();
        if hinted.is_empty() { vec![default_look(token)] } else { hinted }
    }
}

/// The look of this very token, if the hint speaks of it.
fn matching(look: &TokenLook, token: &str) -> Option<TokenLook> {
    if look.token == token {
        return Some(look.clone());
    }
    let stem = look.token.strip_suffix('#').filter(|stem| !stem.is_empty())?;
    let number = token.strip_prefix(stem)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| TokenLook {
        token: token.into(),
        height: look.height.or(Some(number.parse().unwrap_or(u8::MAX))),
        ..look.clone()
    })
}

/// The look of a token without hints, from its spelling as PROTOCOL.md says.
fn default_look(token: &str) -> TokenLook {
    let first = token.chars().next().unwrap_or('?');
    let side = match first.to_ascii_lowercase() {
        'b' | 'x' | 'd' => PieceSide::Dark,
        'w' | 'o' | 'l' => PieceSide::Light,
        _ if first.is_uppercase() => PieceSide::Light,
        _ if first.is_lowercase() => PieceSide::Dark,
        _ => PieceSide::Neutral,
    };
    let look = TokenLook::new(token, Form::Disc, side);
    let rest = &token[first.len_utf8().min(token.len())..];
    let names_a_side = matches!(first, 'b' | 'x' | 'd' | 'w' | 'o' | 'l');
    match rest.parse::<u8>() {
        Ok(height) if first.is_alphabetic() => TokenLook { height: Some(height), ..look },
        _ if rest.is_empty() && names_a_side => look,
        _ => look.labelled(token),
    }
}

impl GameSet for Generic {
    fn id(&self) -> &str {
        &self.game
    }

    fn pitch(&self) -> &str {
        &self.pitch
    }

    fn shapes(&self, token: &str) -> Vec<Shape> {
        if token == EMPTY || token.is_empty() {
            return Vec::new();
        }
        let mut shapes = Vec::new();
        for look in self.looks(token) {
            let height = usize::from(look.height.unwrap_or(1));
            let most = (HIGHEST_STACK / body(look.form).height()) as usize;
            let number = height.to_string();
            let label = match &look.label {
                Some(label) => Label::new(label),
                None if height > 1 => Label::new(&number),
                None => Label::NONE,
            };
            let kind = Kind { form: look.form, side: look.side }.number();
            // Only the topmost one of a stack is written on.
            for _ in 1..height.min(most) {
                shapes.push(Shape::plain(kind));
            }
            if height > 0 {
                shapes.push(Shape { kind, label });
            }
        }
        shapes
    }

    fn kinds(&self) -> u8 {
        (FORMS.len() * SIDES.len()) as u8
    }

    fn build(&self, kind: u8) -> Build {
        let form = Kind::of(kind).form;
        let body = body(form);
        let careless = if matches!(form, Form::Stone | Form::Disc) { 0.02 } else { 0.0 };
        Build {
            // Lenses sink into each other a little.
            rise: body.height() * if form == Form::Stone { 0.82 } else { 1.0 },
            is_ground: form == Form::Tile,
            is_slender: form == Form::Pawn,
            ..Build::single(body, careless)
        }
    }

    fn is_token(&self, word: &str) -> bool {
        match self.look.is_empty() {
            // Nothing tells what its tokens are; words are longer.
            true => word != EMPTY && word.chars().count() <= 2,
            false => self.look.iter().any(|look| matching(look, word).is_some()),
        }
    }

    fn layout(&self) -> BoardLayout {
        LAYOUT
    }

    fn board(&self, columns: u8, rows: u8, theme: &Theme) -> Vec<Part> {
        let colours = &theme.generic;
        let (low, high) = LAYOUT.extent(columns, rows);
        let inset = vec3(1.0, 0.0, 1.0) * (LAYOUT.margin - FIELD_MARGIN);
        let inner = (low + inset, high - inset);
        let flat = |corner: Vec3| vec2(corner.x, corner.z);
        vec![
            Part {
                surface: Surface::Rim,
                colours: [colours.frame, colours.frame_grain, colours.frame_grain],
                solid: frame((low, high), inner, (-LAYOUT.thickness, FRAME_TOP), 0.035),
            },
            Part {
                surface: Surface::Inlay,
                colours: [colours.field, colours.inlay, colours.line],
                solid: Solid::default().sheet(flat(inner.0) - 0.02, flat(inner.1) + 0.02, 0.0, bare()),
            },
        ]
    }

    fn piece(&self, kind: u8, theme: &Theme, segments: u16) -> Solid {
        piece(Kind::of(kind), &theme.generic, segments)
    }

    fn label_colour(&self, theme: &Theme) -> Colour {
        theme.generic.label
    }

    fn ink(&self, kind: u8, theme: &Theme) -> Colour {
        paints(Kind::of(kind).side, &theme.generic).1.colour
    }

    fn paint_cell(&self, painter: &Painter, place: Rect) {
        flat::cell(painter, place, flat::theme(painter).generic.field);
    }

    fn paint_token(&self, painter: &Painter, token: &str, place: Rect) {
        let cell = place.width();
        let mut rise = 0.0;
        for shape in self.shapes(token) {
            let kind = Kind::of(shape.kind);
            let place = place.translate(egui::vec2(0.0, -rise * cell));
            paint_piece(painter, kind, flat::in_cell(place));
            let text: String = shape.label.characters().collect();
            let ink = if kind.side == PieceSide::Dark { flat::SHELL } else { flat::SHADE };
            let font = FontId::proportional(cell * if text.len() > 1 { 0.36 } else { 0.46 });
            painter.text(place.center(), Align2::CENTER_CENTER, text, font, ink);
            rise = (rise + 0.06_f32).min(0.3);
        }
    }

    fn paint_emblem(&self, painter: &Painter, place: Rect, is_dark: bool) {
        let Colours { dark, dark_mark, light, light_mark, .. } = flat::theme(painter).generic;
        let sides = Sides { dark, on_dark: dark_mark, light, on_light: light_mark };
        flat::stone(painter, place, is_dark, sides);
    }
}

fn paint_piece(painter: &Painter, kind: Kind, place: Rect) {
    let (middle, radius) = (place.center(), flat::radius(place));
    let theme = &flat::theme(painter).generic;
    let colour = match kind.side {
        PieceSide::Dark => theme.dark,
        PieceSide::Light => theme.light,
        PieceSide::Neutral => theme.neutral,
    };
    let colour = flat::paint(colour);
    match kind.form {
        Form::Cube | Form::Tile => flat::square(painter, middle, radius, colour),
        Form::Pawn => {
            let outline = Stroke::new(1.2, flat::SHELL.gamma_multiply(0.8));
            let foot = [(-0.75, 1.0), (0.75, 1.0), (0.25, -0.2), (-0.25, -0.2)];
            let foot = foot.map(|(x, y)| middle + egui::vec2(x, y) * radius).to_vec();
            painter.add(egui::Shape::convex_polygon(foot, colour, outline));
            painter.circle(middle - egui::vec2(0.0, radius * 0.45), radius * 0.45, colour, outline);
        }
        Form::Tower => flat::disc(painter, middle, radius * 0.7, colour),
        Form::Stone | Form::Disc => flat::disc(painter, middle, radius, colour),
    }
}

// ── The pieces ──

const DISC_RADIUS: f32 = 0.385;
const DISC_HEIGHT: f32 = 0.18;
const STONE_RADIUS: f32 = 0.43;
const STONE_HEIGHT: f32 = 0.32;
const TOWER_RADIUS: f32 = 0.27;
const TOWER_HEIGHT: f32 = 0.62;
const CUBE_HALF: f32 = 0.29;
const TILE_HALF: f32 = 0.455;
const TILE_HEIGHT: f32 = 0.12;
const PAWN_RADIUS: f32 = 0.29;
const PAWN_HEIGHT: f32 = 0.82;

/// The room that a piece of this form takes up.
fn body(form: Form) -> Body {
    match form {
        Form::Stone => Body::Round { radius: STONE_RADIUS, height: STONE_HEIGHT },
        Form::Disc => Body::Round { radius: DISC_RADIUS, height: DISC_HEIGHT },
        Form::Tower => Body::Round { radius: TOWER_RADIUS, height: TOWER_HEIGHT },
        Form::Cube => Body::Square { half: CUBE_HALF, height: CUBE_HALF * 2.0 },
        Form::Tile => Body::Square { half: TILE_HALF, height: TILE_HEIGHT },
        Form::Pawn => Body::Round { radius: PAWN_RADIUS, height: PAWN_HEIGHT },
    }
}

/// What a side's pieces are made of, and what is let into them.
fn paints(side: PieceSide, colours: &Colours) -> (Paint, Paint) {
    let (body, mark) = match side {
        PieceSide::Dark => (colours.dark, colours.dark_mark),
        PieceSide::Light => (colours.light, colours.light_mark),
        PieceSide::Neutral => (colours.neutral, colours.neutral_mark),
    };
    (Paint::new(body, 0.32, 0.14), Paint::new(mark, 0.5, 0.0))
}

fn piece(kind: Kind, colours: &Colours, segments: u16) -> Solid {
    let (body, mark) = paints(kind.side, colours);
    match kind.form {
        Form::Disc => {
            let side = [
                vec2(0.0, 0.0),
                vec2(DISC_RADIUS - 0.03, 0.0),
                vec2(DISC_RADIUS, 0.03),
                vec2(DISC_RADIUS, DISC_HEIGHT - 0.04),
                vec2(DISC_RADIUS - 0.012, DISC_HEIGHT - 0.012),
                vec2(DISC_RADIUS - 0.04, DISC_HEIGHT),
            ];
            let disc = Solid::default().turned(&side, body, segments);
            round_top(disc, kind, DISC_RADIUS - 0.04, DISC_HEIGHT, (body, mark), segments)
                .grounded(DISC_HEIGHT, 0.5)
        }
        Form::Stone => stone(kind, (body, mark), segments),
        Form::Tower => tower(kind, (body, mark), segments),
        Form::Cube => {
            let middle = vec3(0.0, CUBE_HALF, 0.0);
            let cube = Solid::default().block(middle, Vec3::splat(CUBE_HALF), 0.035, 1.0, body);
            square_top(cube, kind.side, CUBE_HALF, CUBE_HALF * 2.0, mark).grounded(0.3, 0.5)
        }
        Form::Tile => {
            let half = vec3(TILE_HALF, TILE_HEIGHT / 2.0, TILE_HALF);
            let tile = Solid::default().block(vec3(0.0, half.y, 0.0), half, 0.025, 1.0, body);
            square_top(tile, kind.side, TILE_HALF, TILE_HEIGHT, mark).grounded(TILE_HEIGHT, 0.55)
        }
        Form::Pawn => pawn(kind, (body, mark), segments),
    }
}

/// The marks of the sides, besides their colours: a broad ring for dark, a fine one for light, two
/// fine ones for nobody's. Each is the part of the radius where it begins and ends.
fn rings(side: PieceSide) -> &'static [(f32, f32)] {
    match side {
        PieceSide::Dark => &[(0.88, 0.74)],
        PieceSide::Light => &[(0.9, 0.86)],
        PieceSide::Neutral => &[(0.94, 0.89), (0.81, 0.76)],
    }
}

/// The upper face of a round piece, with its marks let in.
fn round_top(
    solid: Solid,
    kind: Kind,
    radius: f32,
    height: f32,
    (body, mark): (Paint, Paint),
    segments: u16,
) -> Solid {
    const DEPTH: f32 = 0.014;
    let mut at = radius;
    let mut solid = solid;
    for &(from, to) in rings(kind.side) {
        let (from, to) = (from * radius, to * radius);
        let slope = 0.004;
        solid = solid.turned(&[vec2(at, height), vec2(from, height)], body, segments);
        let ring = [
            vec2(from, height),
            vec2(from - slope, height - DEPTH),
            vec2(to + slope, height - DEPTH),
            vec2(to, height),
        ];
        solid = solid.turned(&ring, mark, segments);
        at = to;
    }
    solid.turned(&[vec2(at, height), vec2(0.0, height)], body, segments)
}

/// The upper face of a square piece: a broad outline for dark, a fine one for light, studs for
/// nobody's.
fn square_top(solid: Solid, side: PieceSide, half: f32, height: f32, mark: Paint) -> Solid {
    const THICK: f32 = 0.012;
    let bar = |solid: Solid, x: f32, z: f32, half: Vec3| {
        solid.block(vec3(x, height, z), half.with_y(THICK), 0.006, 1.0, mark)
    };
    let outline = |solid: Solid, out: f32, width: f32| {
        [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)].into_iter().fold(solid, |solid, (x, z)| {
            let along = if x == 0.0 { vec3(out + width, 0.0, width) } else { vec3(width, 0.0, out - width) };
            bar(solid, x * out, z * out, along)
        })
    };
    match side {
        PieceSide::Dark => outline(solid, half * 0.78, half * 0.065),
        PieceSide::Light => outline(solid, half * 0.82, half * 0.022),
        PieceSide::Neutral => {
            let (out, size) = (half * 0.76, half * 0.09);
            [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
                .into_iter()
                .fold(solid, |solid, (x, z)| bar(solid, x * out, z * out, vec3(size, 0.0, size)))
        }
    }
}

fn stone(kind: Kind, (body, mark): (Paint, Paint), segments: u16) -> Solid {
    // A point of the outline: 0 is the middle of the underside, 1 is the middle of the top.
    let point = |part: f32| {
        let (sin, cos) = (part * PI).sin_cos();
        let full = |value: f32| value.signum() * value.abs().powf(0.86);
        vec2(full(sin) * STONE_RADIUS, (1.0 - full(cos)) * STONE_HEIGHT / 2.0)
    };
    let lens = |solid: Solid, from: f32, to: f32, paint: Paint| {
        let steps = ((to - from) * f32::from(segments) * 0.6).ceil() as u16;
        let outline: Vec<Vec2> =
            (0..=steps).map(|step| point(from + (to - from) * f32::from(step) / f32::from(steps))).collect();
        solid.turned(&outline, paint, segments)
    };
    // From a part of the radius to a part of the outline's upper half.
    let up = |radius: f32| 1.0 - radius.min(1.0).powf(1.0 / 0.86).asin() / PI;
    let mut at = 0.5;
    let mut solid = lens(Solid::default(), 0.0, 0.5, body);
    for &(from, to) in rings(kind.side) {
        solid = lens(solid, at, up(from), body);
        solid = lens(solid, up(from), up(to), mark);
        at = up(to);
    }
    lens(solid, at, 1.0, body).grounded(STONE_HEIGHT * 0.5, 0.4)
}

fn tower(kind: Kind, (body, mark): (Paint, Paint), segments: u16) -> Solid {
    let profile = [
        vec2(0.0, 0.0),
        vec2(TOWER_RADIUS - 0.01, 0.0),
        vec2(TOWER_RADIUS, 0.02),
        vec2(TOWER_RADIUS - 0.005, 0.075),
        vec2(TOWER_RADIUS - 0.045, 0.105),
        vec2(TOWER_RADIUS - 0.07, 0.42),
        vec2(TOWER_RADIUS - 0.055, 0.46),
        vec2(TOWER_RADIUS - 0.012, 0.5),
        vec2(TOWER_RADIUS - 0.004, 0.52),
        vec2(TOWER_RADIUS - 0.004, TOWER_HEIGHT - 0.03),
        vec2(TOWER_RADIUS - 0.014, TOWER_HEIGHT - 0.009),
        vec2(TOWER_RADIUS - 0.035, TOWER_HEIGHT),
    ];
    let shaft = Solid::default().turned(&profile, body, segments);
    let top = round_top(shaft, kind, TOWER_RADIUS - 0.035, TOWER_HEIGHT, (body, mark), segments);
    bands(top, kind, &[(0.24, TOWER_RADIUS - 0.052), (0.32, TOWER_RADIUS - 0.058)], mark, segments)
        .grounded(0.3, 0.45)
}

/// Bands around a tall piece: one for dark, none for light, two for nobody's. Each has a height and
/// a radius.
fn bands(solid: Solid, kind: Kind, places: &[(f32, f32)], mark: Paint, segments: u16) -> Solid {
    let count = match kind.side {
        PieceSide::Dark => 1,
        PieceSide::Light => 0,
        PieceSide::Neutral => 2,
    };
    places.iter().take(count).fold(solid, |solid, &(height, radius)| {
        let band = [
            vec2(radius - 0.02, height - 0.026),
            vec2(radius + 0.008, height - 0.018),
            vec2(radius + 0.008, height + 0.018),
            vec2(radius - 0.02, height + 0.026),
        ];
        solid.turned(&band, mark, segments)
    })
}

fn pawn(kind: Kind, (body, mark): (Paint, Paint), segments: u16) -> Solid {
    let profile = [
        vec2(0.0, 0.0),
        vec2(PAWN_RADIUS - 0.01, 0.0),
        vec2(PAWN_RADIUS, 0.02),
        vec2(PAWN_RADIUS, 0.07),
        vec2(PAWN_RADIUS - 0.02, 0.1),
        vec2(0.215, 0.135),
        vec2(0.165, 0.2),
        vec2(0.13, 0.3),
        vec2(0.112, 0.4),
        vec2(0.11, 0.45),
        vec2(0.185, 0.475),
        vec2(0.195, 0.49),
        vec2(0.185, 0.505),
        vec2(0.11, 0.525),
    ];
    let head = 0.165;
    let ball: Vec<Vec2> = (0..=12)
        .map(|step| {
            let (sin, cos) = (0.7 + (PI - 0.7) * step as f32 / 12.0).sin_cos();
            vec2(sin.max(0.0) * head, PAWN_HEIGHT - head - cos * head)
        })
        .collect();
    let figure = Solid::default().turned(&profile, body, segments).turned(&ball, body, segments);
    bands(figure, kind, &[(0.046, PAWN_RADIUS - 0.004), (0.49, 0.186)], mark, segments).grounded(0.3, 0.45)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Tokens};
    use crate::stage::theme::themes;

    fn hinted(look: serde_json::Value) -> Generic {
        let game = serde_json::json!({"id": "mine", "name": "Mine", "options": [], "look": look});
        let info: GameInfo = serde_json::from_value(game).expect("a game");
        Generic::new("mine", Some(&info))
    }

    fn kinds(set: &Generic, token: &str) -> Vec<(Form, PieceSide, String)> {
        let shapes = set.shapes(token).into_iter();
        shapes
            .map(|shape| {
                let kind = Kind::of(shape.kind);
                (kind.form, kind.side, shape.label.characters().collect())
            })
            .collect()
    }

    #[test]
    fn every_kind_has_a_number_and_a_piece() {
        let set = Generic::new("mine", None);
        for number in 0..set.kinds() {
            assert_eq!(Kind::of(number).number(), number);
            let solid = set.piece(number, &themes()[0], 16);
            assert!(!solid.indices.is_empty());
            let top = solid.vertices.iter().map(|vertex| vertex.position.y).fold(0.0, f32::max);
            let (low, high) = (top - 0.02, top + 0.02);
            assert!((low..high).contains(&set.build(number).body.height()), "{:?} {top}", Kind::of(number));
        }
    }

    #[test]
    fn tokens_without_hints_have_a_default_look() {
        let set = Generic::new("mine", None);
        assert_eq!(kinds(&set, "b"), [(Form::Disc, PieceSide::Dark, String::new())]);
        assert_eq!(kinds(&set, "o"), [(Form::Disc, PieceSide::Light, String::new())]);
        assert_eq!(kinds(&set, "K"), [(Form::Disc, PieceSide::Light, "K".into())]);
        assert_eq!(kinds(&set, "k"), [(Form::Disc, PieceSide::Dark, "k".into())]);
        assert_eq!(kinds(&set, "wQ"), [(Form::Disc, PieceSide::Light, "wQ".into())]);
        assert_eq!(kinds(&set, "7"), [(Form::Disc, PieceSide::Neutral, "7".into())]);
        assert_eq!(kinds(&set, "é!"), [(Form::Disc, PieceSide::Dark, "é!".into())]);
        let stack = kinds(&set, "x3");
        assert_eq!(stack.len(), 3);
        assert_eq!(stack[2], (Form::Disc, PieceSide::Dark, "3".into()));
        assert!(stack[0].2.is_empty(), "only the topmost is written on");
        assert!(kinds(&set, "x200").len() < 20, "nothing reaches the ceiling");
        assert_eq!(kinds(&set, "."), []);
    }

    #[test]
    fn hints_say_what_tokens_look_like() {
        let set = hinted(serde_json::json!([
            {"token": "p", "form": "pawn", "side": "dark"},
            {"token": "K", "form": "tower", "side": "light", "label": "K"},
            {"token": "tK", "form": "tile"}, {"token": "tK", "form": "tower", "side": "light"},
            {"token": "n#", "form": "cube"},
            {"token": "e", "height": 0}
        ]));
        assert_eq!(kinds(&set, "p"), [(Form::Pawn, PieceSide::Dark, String::new())]);
        assert_eq!(kinds(&set, "K"), [(Form::Tower, PieceSide::Light, "K".into())]);
        let on_tile = kinds(&set, "tK");
        assert_eq!(on_tile.iter().map(|kind| kind.0).collect::<Vec<_>>(), [Form::Tile, Form::Tower]);
        assert_eq!(kinds(&set, "n2").len(), 2);
        assert_eq!(kinds(&set, "e"), []);
        assert_eq!(kinds(&set, "b"), [(Form::Disc, PieceSide::Dark, String::new())], "no hint: the default");
        assert!(set.is_token("n12") && !set.is_token("n") && !set.is_token("before"));
    }

    #[test]
    fn every_token_of_boards_of_any_size_gets_a_figure() {
        let set: &dyn GameSet = &Generic::new("mine", None);
        for size in [1, 3, 19, 26] {
            let row = ["x", "o", "?", "A", "zz", "w4", "*"].into_iter().cycle().take(size);
            let rows = vec![row.collect::<Vec<_>>().join(" "); size];
            let tokens = Tokens::read(&rows);
            assert_eq!((usize::from(tokens.columns()), usize::from(tokens.rows())), (size, size));
            for cell in tokens.cells() {
                assert!(!set.on_cell(tokens.get(cell), cell).is_empty());
            }
            assert!(set.at_rest(&tokens).len() >= size * size);
            let board = set.board(tokens.columns(), tokens.rows(), &themes()[0]);
            assert!(board.iter().all(|part| !part.solid.indices.is_empty()));
        }
        assert_eq!(set.on_cell(EMPTY, Cell { column: 0, row: 0 }), []);
    }
}
