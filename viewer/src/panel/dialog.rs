//! Questions that are asked before something is done.

use egui_macroquad::egui::{Align2, Area, Context, Order, Ui, vec2};

use super::look::{self, GRID, ask, note};
use crate::command::{Command, Panel, WindowCommand};
use crate::state::TableView;

/// Says that a seat resigns, after asking.
pub(super) fn confirm_resign(ctx: &Context, table: &TableView, commands: &mut Vec<Command>) {
    let Some(seat) = table.resigning() else { return };
    dialog(ctx, &format!("Does {} resign?", table.name(seat)), "The other side wins then.", |ui| {
        let keep = ask(ui, "Keep playing", Command::Hide(Panel::ConfirmResign), commands);
        look::take_keyboard(&keep);
        if ui.add(look::first("Resign")).clicked() {
            commands.extend([Command::Hide(Panel::ConfirmResign), Command::Resign(seat)]);
        }
    });
}

/// Leaves although something is not saved, after asking.
pub(super) fn confirm_quit(ctx: &Context, commands: &mut Vec<Command>) {
    let words = "What could not be written is lost when the window is closed.";
    dialog(ctx, "Quit without saving?", words, |ui| {
        let stay = ask(ui, "Stay", Command::Hide(Panel::ConfirmQuit), commands);
        look::take_keyboard(&stay);
        if ui.add(look::first("Save in another folder")).clicked() {
            commands.extend([Command::Hide(Panel::ConfirmQuit), Command::Show(Panel::Folder)]);
        }
        ask(ui, "Quit without saving", Command::Window(WindowCommand::QuitUnsaved), commands);
    });
}

/// A question with its answers.
pub(super) fn dialog(ctx: &Context, question: &str, words: &str, buttons: impl FnOnce(&mut Ui)) {
    let area = Area::new(question.to_owned().into()).order(Order::Foreground);
    area.anchor(Align2::CENTER_CENTER, vec2(0.0, -GRID * 4.0)).show(ctx, |ui| {
        look::surface().fill(look::SHEET).inner_margin(24).shadow(ctx.style().visuals.window_shadow).show(
            ui,
            |ui| {
                ui.set_max_width((ctx.screen_rect().width() - GRID * 12.0).clamp(0.0, GRID * 84.0));
                look::title(ui, question);
                note(ui, words);
                ui.add_space(GRID);
                ui.horizontal_wrapped(buttons);
            },
        );
    });
}
