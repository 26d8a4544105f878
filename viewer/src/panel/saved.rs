//! Games that can be continued or looked at.

use egui_macroquad::egui::{Align, Color32, Context, Label, Layout, RichText, ScrollArea, Ui};

use super::home::game_name;
use super::look::{self, ACCENT, DIM, PROBLEM, TEXT, ask, note, section};
use crate::app::{App, Screen};
use crate::command::Command;
use crate::files::SavedGame;

const WIDTH: f32 = 600.0;

pub(super) fn show(ctx: &Context, app: &App, commands: &mut Vec<Command>) -> bool {
    look::sheet(ctx, "Saved games", WIDTH, app.screen == Screen::Board, |ui| {
        if app.saved.is_empty() && app.unsaved.is_empty() {
            note(ui, "There are none yet. Every game is saved by itself while it is played.");
        }
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            look::scroll_by_keys(ui);
            for game in app.unsaved.iter().filter_map(|unsaved| unsaved.game.as_ref()) {
                row(ui, app, game, ("not saved, only in memory", PROBLEM), commands);
            }
            let is_older = |game: &SavedGame| app.unsaved.iter().any(|unsaved| unsaved.path == game.path);
            for game in app.saved.iter().filter(|game| !is_older(game)) {
                let mark = if game.finished { ("finished", DIM) } else { ("can be continued", ACCENT) };
                row(ui, app, game, mark, commands);
            }
            if !app.left_out.is_empty() {
                section(ui, "Files beside them that are no games");
            }
            for complaint in &app.left_out {
                ui.add(Label::new(RichText::new(complaint).small().color(DIM)).wrap());
            }
        });
    })
}

fn row(ui: &mut Ui, app: &App, game: &SavedGame, mark: (&str, Color32), commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.vertical(|ui| {
            ui.set_width((ui.available_width() - 120.0).max(0.0));
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.horizontal(|ui| {
                ui.label(RichText::new(game_name(app, &game.game)).color(TEXT));
                ui.label(RichText::new(mark.0).small().color(mark.1));
            });
            ui.add(Label::new(RichText::new(&game.title).small().color(DIM)).truncate());
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let words = if game.finished { "Look at it" } else { "Go on" };
            ask(ui, words, Command::LoadGame(game.path.clone()), commands);
        });
    });
    look::rule(ui);
}
