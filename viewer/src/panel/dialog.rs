//! Questions that are asked before something is done.

use egui_macroquad::egui::{Align2, Area, Context, Order, Ui, vec2};
use tabuleiro_protocol::method::Damage;

use super::focus;
use super::look::{self, GRID, ask, ask_first, note};
use crate::app::Offered;
use crate::command::{Command, Panel, WindowCommand};
use crate::state::TableView;

/// Says that a seat resigns, after asking.
pub(super) fn confirm_resign(ctx: &Context, table: &TableView, commands: &mut Vec<Command>) {
    let Some(seat) = table.resigning() else { return };
    dialog(ctx, &format!("Resign as {}?", table.name(seat)), "The other side wins.", |ui| {
        let keep = ask(ui, "Keep playing", Command::Hide(Panel::ConfirmResign), commands);
        look::take_keyboard(&keep);
        if ui.add(look::first("Resign")).clicked() {
            commands.extend([Command::Hide(Panel::ConfirmResign), Command::Resign(seat)]);
        }
    });
}

/// Leaves although something is not saved, after asking.
pub(super) fn confirm_quit(ctx: &Context, commands: &mut Vec<Command>) {
    let words = "What is not saved is lost when the window closes.";
    dialog(ctx, "Quit without saving?", words, |ui| {
        let stay = ask(ui, "Stay", Command::Hide(Panel::ConfirmQuit), commands);
        look::take_keyboard(&stay);
        if ui.add(look::first("Save in another folder")).clicked() {
            commands.extend([Command::Hide(Panel::ConfirmQuit), Command::Show(Panel::Folder)]);
        }
        ask(ui, "Quit without saving", Command::Window(WindowCommand::QuitUnsaved), commands);
    });
}

/// So many things that are wrong with a game are listed.
const MOST_DAMAGE: usize = 5;

/// Opens what can be read of a damaged game, after asking.
pub(super) fn offer_readable(ctx: &Context, offered: &Offered, commands: &mut Vec<Command>) {
    let mut words = format!("{} cannot be read as a whole:", offered.name);
    for Damage { place, reason } in offered.damage.iter().take(MOST_DAMAGE) {
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        words += &format!("\n{place}{reason}");
    }
    if let Some(more) = offered.damage.len().checked_sub(MOST_DAMAGE).filter(|&more| more > 0) {
        words += &format!("\nand {more} more");
    }
    let state = &offered.opened.state;
    let count = match state.ply + state.undone {
        1 => "1 action".to_string(),
        count => format!("{count} actions"),
    };
    words += &format!("\nWithout that it is a game of {count}. The game on the table is kept.");
    dialog(ctx, "This game is damaged", &words, |ui| {
        let leave = ask(ui, "Leave it", Command::Hide(Panel::Damaged), commands);
        look::take_keyboard(&leave);
        ask_first(ui, "Open what can be read", Command::OpenReadable, commands);
    });
}

/// Forgets what was learnt, after asking.
pub(super) fn confirm_delete_progress(ctx: &Context, commands: &mut Vec<Command>) {
    let words = "Ratings, streaks, results and what was done of lessons and puzzles would be gone. Saved \
                 games stay. Export it first if you may want it back.";
    dialog(ctx, "Delete your progress?", words, |ui| {
        let keep = ask(ui, "Keep it", Command::Hide(Panel::ConfirmDeleteProgress), commands);
        look::take_keyboard(&keep);
        if ui.add(look::first("Delete it")).clicked() {
            commands.extend([Command::Hide(Panel::ConfirmDeleteProgress), Command::DeleteProgress]);
        }
    });
}

/// A question with its answers.
pub(super) fn dialog(ctx: &Context, question: &str, words: &str, buttons: impl FnOnce(&mut Ui)) {
    let area = Area::new(question.to_owned().into()).order(Order::Foreground);
    let shown = area.anchor(Align2::CENTER_CENTER, vec2(0.0, -GRID * 4.0)).show(ctx, |ui| {
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
    focus::cover(ctx, shown.response.layer_id);
}
