//! Games that can be continued or looked at.

use egui_macroquad::egui::{Align, Context, Label, Layout, RichText, ScrollArea};

use super::home::game_name;
use super::look::{self, ACCENT, DIM, TEXT, ask, note};
use crate::app::{App, Screen};
use crate::command::Command;

const WIDTH: f32 = 600.0;

pub(super) fn show(ctx: &Context, app: &App, commands: &mut Vec<Command>) -> bool {
    look::sheet(ctx, "Saved games", WIDTH, app.screen == Screen::Board, |ui| {
        if app.saved.is_empty() {
            note(ui, "There are none yet. Every game is saved by itself while it is played.");
        }
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            look::scroll_by_keys(ui);
            for game in &app.saved {
                ui.horizontal(|ui| {
                    ui.vertical(|ui| {
                        ui.set_width(ui.available_width() - 120.0);
                        ui.spacing_mut().item_spacing.y = 2.0;
                        ui.horizontal(|ui| {
                            ui.label(RichText::new(game_name(app, &game.game)).color(TEXT));
                            let (words, colour) =
                                if game.finished { ("finished", DIM) } else { ("can be continued", ACCENT) };
                            ui.label(RichText::new(words).small().color(colour));
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
        });
    })
}
