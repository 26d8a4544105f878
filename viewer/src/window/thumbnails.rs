//! The small boards on the cards of the home screen, and the bare table behind them.

use egui_macroquad::egui;
use macroquad::color::WHITE;
use macroquad::math::{Rect, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};

use super::screen_size;
use crate::board::Tokens;
use crate::pieces;
use crate::samples;
use crate::scene::Figure;
use crate::stage::camera::Camera;
use crate::stage::theme::{Theme, mark_colours};
use crate::stage::{Quality, Stage, View};

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
        theme: &'static Theme,
        wanted: Vec<(String, egui::Rect)>,
    ) {
        draw_bare_table(stage, theme);
        for (game, rect) in wanted {
            let subject = Subject { game, theme: theme.name.clone(), size: rect.size() };
            let Some((_, texture)) = self.made.iter().find(|(made, _)| *made == subject) else {
                // One in a frame: the window is there sooner, and they come in one by one.
                if let Some(texture) = thumbnail(stage, &subject.game, theme, rect) {
                    self.made.retain(|(made, _)| made.game != subject.game);
                    self.made.push((subject, texture));
                }
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
    let mut camera = Camera::top("", 9, 9, 1, screen.x / screen.y.max(1.0), Rect::new(0.0, 0.0, 1.0, 1.0));
    camera.focus.x += 17.0;
    stage.draw(&View { columns: 9, rows: 9, ..still_life("", &Tokens::default(), &[], &camera, theme) });
}

fn thumbnail(stage: &mut Stage, game: &str, theme: &Theme, rect: egui::Rect) -> Option<Texture2D> {
    let tokens = Tokens::read(&samples::rows(game)?);
    let whole = Rect::new(0.0, 0.0, 1.0, 1.0);
    let camera = Camera::seat(game, tokens.columns(), tokens.rows(), 1, rect.aspect_ratio(), whole);
    let figures = pieces::at_rest(game, &tokens);
    let view = still_life(game, &tokens, &figures, &camera, theme);
    Some(stage.thumbnail(&view, rect.width() as u32, rect.height() as u32))
}

/// A board that nobody plays at.
pub(crate) fn still_life<'a>(
    game: &'a str,
    tokens: &Tokens,
    figures: &'a [Figure],
    camera: &'a Camera,
    theme: &'a Theme,
) -> View<'a> {
    View {
        game,
        columns: tokens.columns(),
        rows: tokens.rows(),
        figures,
        marks: &[],
        ripples: &[],
        camera,
        theme,
        mark_colour: mark_colours()[0].colour,
        quality: Quality::Full,
        time: 0.0,
        coordinates: false,
        counts: false,
    }
}
