//! The rules of a game, to be read beside the board.

use egui_macroquad::egui::{Context, ScrollArea};

use super::look::{self, note, one_of};
use crate::app::{App, Screen};
use crate::command::Command;

const WIDTH: f32 = 640.0;

#[derive(Debug, Default)]
pub(super) struct Reader {
    game: String,
}

impl Reader {
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        app: &App,
        just_opened: bool,
        commands: &mut Vec<Command>,
    ) -> bool {
        if just_opened && let Some(game) = game_at_hand(app) {
            commands.push(Command::ReadRules(game.clone()));
            self.game = game;
        }
        look::sheet(ctx, "Rules", WIDTH, app.screen == Screen::Board, |ui| {
            let games = app.hello.iter().flat_map(|hello| &hello.games);
            let names: Vec<(String, &str)> =
                games.map(|game| (game.id.clone(), game.name.as_str())).collect();
            if let Some(game) = one_of(ui, &self.game, &names) {
                commands.push(Command::ReadRules(game.clone()));
                self.game = game;
            }
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| match app.rules.get(&self.game) {
                Some(text) => drop(ui.label(text)),
                None => drop(note(ui, "The rules are on their way.")),
            });
        })
    }
}

/// The game that one is playing, or about to play, or that comes first.
fn game_at_hand(app: &App) -> Option<String> {
    match (&app.screen, &app.table) {
        (Screen::Prepare(game), _) => Some(game.clone()),
        (Screen::Board, Some(table)) => Some(table.state.game.clone()),
        _ => Some(app.hello.as_ref()?.games.first()?.id.clone()),
    }
}
