//! The position as text, for whoever reads rather than looks, or wants to copy it.

use egui_macroquad::egui::{Context, Label, RichText, ScrollArea, TextStyle, Ui};

use super::look::{self, GRID, TEXT, note};
use crate::app::{App, PositionText, Screen};

const WIDTH: f32 = 640.0;
/// How small the signs of a wide board may become, of their usual size.
const SMALLEST: f32 = 0.6;

pub(super) fn show(ctx: &Context, app: &App) -> bool {
    look::sheet(ctx, "Position", WIDTH, app.screen == Screen::Board, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            match &app.position_text {
                Some(PositionText { drawing, words }) => {
                    draw(ui, drawing);
                    if is_turned(app) {
                        note(ui, "Row 1 is on top here, and next to you on the board.");
                    }
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

/// Whether the person sits on the side of row 1, with which the drawing begins.
fn is_turned(app: &App) -> bool {
    let Some(table) = app.table.as_ref().filter(|_| app.screen == Screen::Board) else { return false };
    app.set_of(&table.state.game).layout().seat_yaw(table.own_seat().number()) != 0.0
}

/// The board in signs, as large as there is room for.
fn draw(ui: &mut Ui, drawing: &str) {
    let mut font = TextStyle::Monospace.resolve(ui.style());
    let width = ui.fonts(|fonts| fonts.layout_no_wrap(drawing.into(), font.clone(), TEXT).size().x);
    font.size *= (ui.available_width() / width.max(1.0)).clamp(SMALLEST, 1.0);
    let words = RichText::new(drawing).font(font).color(TEXT);
    ui.add(Label::new(words).extend().selectable(true));
}
