//! A film of the game: which part of it, and how far it is.

use egui_macroquad::egui::{Context, DragValue, Frame, Margin, ProgressBar, RichText, TopBottomPanel, vec2};

use super::dialog::dialog;
use super::look::{self, ACCENT, GRID, TEXT, ask};
use crate::app::App;
use crate::command::{Command, Panel};
use crate::film::{FilmOrder, FilmProgress};
use crate::state::TableView;

/// Asks which part of the game the film shows. `turns` is what was chosen so far.
pub(super) fn ask_which(
    ctx: &Context,
    table: &TableView,
    turns: &mut (usize, usize),
    just_opened: bool,
    commands: &mut Vec<Command>,
) {
    let count = table.turns.len().max(1);
    if just_opened {
        *turns = (1, count);
    }
    turns.1 = turns.1.clamp(1, count);
    turns.0 = turns.0.clamp(1, turns.1);
    let words = "It is written as an animated PNG, which browsers and most viewers play.";
    dialog(ctx, "Make a film of the game", words, |ui| {
        ui.label(RichText::new("From turn").color(TEXT));
        ui.add(DragValue::new(&mut turns.0).range(1..=turns.1));
        ui.label(RichText::new("to turn").color(TEXT));
        ui.add(DragValue::new(&mut turns.1).range(turns.0..=count));
        ui.end_row();
        if ui.add(look::first("Make the film")).clicked() {
            let order = FilmOrder { turns: Some(*turns), path: None };
            commands.extend([Command::Hide(Panel::Film), Command::MakeFilm(order)]);
        }
        let leave = ask(ui, "Cancel", Command::Hide(Panel::Film), commands);
        look::take_keyboard(&leave);
    });
}

/// How far the film is, for as long as it is being made.
pub(super) fn show_progress(ctx: &Context, app: &App, commands: &mut Vec<Command>) {
    let Some(FilmProgress { done, total }) = app.film else { return };
    let margin = Margin { left: 12, right: 12, top: 12, bottom: 0 };
    let bar = TopBottomPanel::top("film").show_separator_line(false).frame(Frame::new().inner_margin(margin));
    bar.show(ctx, |ui| {
        look::surface().inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
            ui.set_min_size(vec2(ui.available_width(), ui.spacing().interact_size.y));
            ui.horizontal_wrapped(|ui| {
                let words = match total {
                    0 => "The engine tells what happened…".to_string(),
                    total => format!("The film is being made: {done} of {total} pictures."),
                };
                ui.label(RichText::new(words).color(TEXT));
                let part = done as f32 / total.max(1) as f32;
                ui.add(ProgressBar::new(part).desired_width(GRID * 20.0).fill(ACCENT));
                ask(ui, "Cancel", Command::CancelFilm, commands);
            });
        });
    });
}
