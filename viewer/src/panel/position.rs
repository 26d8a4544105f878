//! The position as text, for whoever reads rather than looks, or wants to copy it.

use egui_macroquad::egui::{Context, FontId, Label, RichText, ScrollArea, TextStyle, Ui};

use super::look::{self, GRID, TEXT, note};
use crate::app::{App, PositionText, Screen};

const WIDTH: f32 = 640.0;
/// How small the signs of a wide board may become, compared with text of its usual size.
const SMALLEST: f32 = 0.6;
/// By how much they become smaller until there is room for them.
const STEP: f32 = 0.5;

pub(super) fn show(ctx: &Context, app: &App) -> bool {
    look::sheet(ctx, "Position", WIDTH, app.screen == Screen::Board, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            match &app.position_text {
                Some(PositionText { drawing, words }) => {
                    draw(ui, drawing);
                    ui.add(Label::new(RichText::new(words).color(TEXT)).wrap().selectable(true));
                    ui.add_space(GRID);
                    if ui.button("Copy").clicked() {
                        ui.ctx().copy_text(format!("{drawing}\n{words}\n"));
                    }
                }
                None => drop(note(ui, "There is no game on the table.")),
            }
            look::scroll_by_keys(ui);
        });
    })
}

/// The board in signs, as large as there is room for.
fn draw(ui: &mut Ui, drawing: &str) {
    let mut font = TextStyle::Monospace.resolve(ui.style());
    let smallest = font.size * SMALLEST / look::text_size(ui.ctx()).max(1.0);
    let width =
        |font: &FontId| ui.fonts(|fonts| fonts.layout_no_wrap(drawing.into(), font.clone(), TEXT).size().x);
    // Letters stand on whole pixels: those that are a little smaller may be no narrower.
    while width(&font) > ui.available_width() && font.size > smallest {
        font.size -= STEP;
    }
    let words = RichText::new(drawing).font(font).color(TEXT);
    ScrollArea::horizontal().id_salt("drawing").show(ui, |ui| {
        ui.add(Label::new(words).extend().selectable(true));
    });
}
