//! The position as text, for whoever reads rather than looks, or wants to copy it.

use egui_macroquad::egui::{Context, Label, RichText, ScrollArea};

use super::look::{self, TEXT, note};
use crate::app::{App, Screen};

const WIDTH: f32 = 640.0;

pub(super) fn show(ctx: &Context, app: &App) -> bool {
    look::sheet(ctx, "Position", WIDTH, app.screen == Screen::Board, |ui| {
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            match &app.position_text {
                Some(text) => {
                    let words = RichText::new(text).monospace().color(TEXT);
                    ui.add(Label::new(words).extend().selectable(true));
                    if ui.button("Copy").clicked() {
                        ui.ctx().copy_text(text.clone());
                    }
                }
                None => drop(note(ui, "There is no game on the table.")),
            }
            look::scroll_by_keys(ui);
        });
    })
}
