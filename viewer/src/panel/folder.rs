//! Where games are kept, and where else they could be.

use egui_macroquad::egui::{Context, Key, Label, Margin, RichText, ScrollArea, TextEdit, Ui};

use super::look::{self, GRID, PROBLEM, TEXT, ask_first, note, section};
use crate::app::{App, Screen};
use crate::command::Command;

const WIDTH: f32 = 600.0;

/// `typed` is what has been typed so far.
pub(super) fn show(
    ctx: &Context,
    app: &App,
    typed: &mut String,
    just_opened: bool,
    commands: &mut Vec<Command>,
) -> bool {
    if just_opened {
        *typed = app.games_folder.display().to_string();
    }
    look::sheet(ctx, "Where games are kept", WIDTH, app.screen == Screen::Board, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for unsaved in &app.unsaved {
                ui.add(
                    Label::new(RichText::new(format!("Not saved: {}", unsaved.reason)).color(PROBLEM)).wrap(),
                );
            }
            note(ui, "Type a folder; it is created if need be. Games saved elsewhere stay where they are.");
            let field = TextEdit::singleline(typed)
                .margin(Margin::symmetric(10, 6))
                .text_color(TEXT)
                .desired_width(ui.available_width() - GRID * 3.0);
            let response = ui.add(field);
            let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if just_opened {
                response.request_focus();
            }
            let chosen = ask_first(ui, "Keep games here", Command::KeepGamesIn(typed.clone()), commands);
            if entered && !chosen.clicked() {
                commands.push(Command::KeepGamesIn(typed.clone()));
            }
            section(ui, "Or one of these");
            for folder in app.other_folders.iter().filter(|folder| **folder != app.games_folder) {
                choice(ui, &folder.display().to_string(), commands);
            }
            look::scroll_by_keys(ui);
        });
    })
}

fn choice(ui: &mut Ui, folder: &str, commands: &mut Vec<Command>) {
    look::ask(ui, folder, Command::KeepGamesIn(folder.into()), commands);
}
