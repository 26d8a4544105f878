//! Questions that are asked before something is done.

use egui_macroquad::egui::{Align2, Area, Context, Order, Ui, vec2};

use super::look::{self, GRID, ask, note};
use crate::command::{Command, Panel};
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

/// A question with its answers.
pub(super) fn dialog(ctx: &Context, question: &str, words: &str, buttons: impl FnOnce(&mut Ui)) {
    let area = Area::new(question.to_owned().into()).order(Order::Foreground);
    area.anchor(Align2::CENTER_CENTER, vec2(0.0, -GRID * 4.0)).show(ctx, |ui| {
        look::surface().fill(look::SHEET).inner_margin(24).shadow(ctx.style().visuals.window_shadow).show(
            ui,
            |ui| {
                ui.set_max_width((ctx.screen_rect().width() - GRID * 12.0).min(GRID * 84.0));
                look::title(ui, question);
                note(ui, words);
                ui.add_space(GRID);
                ui.horizontal_wrapped(buttons);
            },
        );
    });
}
