//! The small boards on the cards of the home screen, and the bare table behind them.

use egui_macroquad::egui;
use macroquad::color::WHITE;
use macroquad::math::{Rect, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};
use macroquad::window::screen_dpi_scale;

use super::screen_size;
use crate::app::App;
use crate::board::Tokens;
use crate::scene::Figure;
use crate::sets::{self, GameSet};
use crate::settings::Settings;
use crate::stage::camera::Camera;
use crate::stage::theme::Theme;
use crate::stage::{Quality, Stage, View};

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
    pub(super) fn draw(
        &mut self,
        stage: &mut Stage,
        app: &App,
        theme: &'static Theme,
        wanted: Vec<(String, egui::Rect)>,
    ) {
        draw_bare_table(stage, theme);
        for (game, rect) in wanted {
            let Some(board) = app.sample_of(&game) else { continue };
            let subject = Subject { game, theme: theme.name.clone(), size: rect.size() };
            let Some((_, texture)) = self.made.iter().find(|(made, _)| *made == subject) else {
                // One in a frame: the window is there sooner, and they come in one by one.
                let texture = thumbnail(stage, &*app.set_of(&subject.game), &board, theme, rect);
                self.made.retain(|(made, _)| made.game != subject.game);
                self.made.push((subject, texture));
                return;
            };
            let params = DrawTextureParams {
                dest_size: Some(vec2(rect.width(), rect.height())),
                ..Default::default()
            };
            draw_texture_ex(texture, rect.left(), rect.top(), WHITE, params);
        }
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
