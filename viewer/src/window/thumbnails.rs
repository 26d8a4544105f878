//! The small boards on the cards of the home screen, and the bare table behind them.

use egui_macroquad::egui;
use macroquad::color::{Color, WHITE};
use macroquad::math::{Rect, vec2};
use macroquad::shapes::draw_rectangle;
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};
use macroquad::window::screen_dpi_scale;

use super::screen_size;
use crate::app::App;
use crate::board::Tokens;
use crate::panel::Thumbnail;
use crate::scene::Figure;
use crate::sets::{self, GameSet};
use crate::settings::Settings;
use crate::stage::camera::Camera;
use crate::stage::theme::Theme;
use crate::stage::{Quality, Stage, View};

/// Where a picture will be.
const GROUND: Color = Color::new(0.11, 0.10, 0.09, 1.0);

/// How far from the board the bare table is.
const ASIDE: f32 = 14.0;

#[derive(Debug, Default)]
pub(super) struct Thumbnails {
    made: Vec<(Subject, Texture2D)>,
}

/// What a thumbnail shows.
#[derive(Clone, Debug, PartialEq)]
struct Subject {
    game: String,
    theme: String,
    size: egui::Vec2,
}

impl Thumbnails {
    /// Draws the boards of games where the panels have left room for them.
    pub(super) fn draw(&mut self, stage: &mut Stage, app: &App, theme: &'static Theme, wanted: &[Thumbnail]) {
        draw_bare_table(stage, theme);
        let mut has_made = false;
        for Thumbnail { game, place, seen } in wanted {
            let Some(board) = app.sample_of(game) else { continue };
            let subject = Subject { game: game.clone(), theme: theme.name.clone(), size: place.size() };
            let is_made = self.made.iter().any(|(made, _)| *made == subject);
            // One in a frame: the window is there sooner, and they come in one by one.
            if !is_made && !has_made && seen.is_positive() {
                has_made = true;
                let texture = thumbnail(stage, &*app.set_of(game), &board, theme, *place);
                self.made.retain(|(made, _)| made.game != *game);
                self.made.push((subject, texture));
            }
            // One of another size is there until its turn has come, and a plain ground at first: a card
            // would have a hole.
            match self.made.iter().find(|(made, _)| made.game == *game) {
                Some((made, texture)) => draw(texture, within(made.size, *place), *seen),
                None => draw_ground(place.intersect(*seen)),
            }
        }
    }

    /// Whether some are still to be made.
    pub(super) fn are_made(&self, theme: &Theme, wanted: &[Thumbnail]) -> bool {
        wanted.iter().filter(|thumbnail| thumbnail.seen.is_positive()).all(
            |Thumbnail { game, place, .. }| {
                let wanted = (game, &theme.name, place.size());
                self.made.iter().any(|(made, _)| (&made.game, &made.theme, made.size) == wanted)
            },
        )
    }
}

/// Where a picture of this size has room without becoming wider or higher than it was meant.
fn within(size: egui::Vec2, place: egui::Rect) -> egui::Rect {
    let scale = (place.size() / size).min_elem();
    egui::Rect::from_center_size(place.center(), size * scale)
}

/// Draws the part of a picture that is to be seen: what is scrolled away is behind something else.
fn draw(texture: &Texture2D, place: egui::Rect, seen: egui::Rect) {
    let shown = place.intersect(seen);
    if !shown.is_positive() {
        return;
    }
    let scale = vec2(texture.width() / place.width(), texture.height() / place.height());
    let from = (shown.min - place.min) * egui::vec2(scale.x, scale.y);
    let size = shown.size() * egui::vec2(scale.x, scale.y);
    let params = DrawTextureParams {
        dest_size: Some(vec2(shown.width(), shown.height())),
        source: Some(Rect::new(from.x, from.y, size.x, size.y)),
        ..Default::default()
    };
    draw_texture_ex(texture, shown.left(), shown.top(), WHITE, params);
}

fn draw_ground(place: egui::Rect) {
    if place.is_positive() {
        draw_rectangle(place.left(), place.top(), place.width(), place.height(), GROUND);
    }
}

/// The table beside any board.
fn draw_bare_table(stage: &mut Stage, theme: &Theme) {
    let screen = screen_size();
    let set = sets::find("", None);
    let whole = Rect::new(0.0, 0.0, 1.0, 1.0);
    let mut camera = Camera::top(set.layout(), 9, 9, 2, screen.x / screen.y.max(1.0), whole);
    // Across the shorter side the window shows little more than the board: so far away nothing of it
    // is seen.
    match screen.x > screen.y {
        true => camera.focus.z += ASIDE,
        false => camera.focus.x += ASIDE,
    }
    stage.draw(&View { columns: 9, rows: 9, ..still_life(&*set, &Tokens::default(), &[], &camera, theme) });
}

fn thumbnail(
    stage: &mut Stage,
    set: &dyn GameSet,
    tokens: &Tokens,
    theme: &Theme,
    rect: egui::Rect,
) -> Texture2D {
    let whole = Rect::new(0.0, 0.0, 1.0, 1.0);
    let camera = Camera::seat(set.layout(), tokens.columns(), tokens.rows(), 1, rect.aspect_ratio(), whole);
    let figures = set.at_rest(tokens);
    let view = still_life(set, tokens, &figures, &camera, theme);
    let pixels = rect.size() * screen_dpi_scale();
    stage.thumbnail(&view, pixels.x as u32, pixels.y as u32)
}

/// A board that nobody plays at.
pub(crate) fn still_life<'a>(
    set: &'a dyn GameSet,
    tokens: &Tokens,
    figures: &'a [Figure],
    camera: &'a Camera,
    theme: &'a Theme,
) -> View<'a> {
    View {
        set,
        columns: tokens.columns(),
        rows: tokens.rows(),
        figures,
        marks: &[],
        ripples: &[],
        camera,
        theme,
        marks_in: Settings::default().mark_palette(),
        quality: Quality::Full,
        time: 0.0,
        coordinates: false,
        counts: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_keeps_its_proportions_in_a_place_of_another_size() {
        let place = egui::Rect::from_min_size(egui::pos2(10.0, 20.0), egui::vec2(300.0, 100.0));
        assert_eq!(within(place.size(), place), place);
        let narrow = within(egui::vec2(200.0, 200.0), place);
        assert_eq!((narrow.size(), narrow.center()), (egui::vec2(100.0, 100.0), place.center()));
    }
}
