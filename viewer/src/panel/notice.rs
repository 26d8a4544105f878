//! What is told once, as messages and refusals; and what is told for as long as it lasts.

use egui_macroquad::egui::{
    Align2, Area, Context, Frame, Label, Margin, Order, RichText, Stroke, TextStyle, TopBottomPanel, pos2,
    vec2,
};

use super::look::{self, ACCENT, GRID, PROBLEM, TEXT, ask, ask_first, note};
use crate::app::App;
use crate::command::{Command, Panel};
use crate::keys::keys_for;

/// Below this many seconds a message or a refusal fades away.
const FADE: f32 = 0.4;

/// Says that the engine is no longer there, for as long as it is not.
pub(super) fn show_loss(ctx: &Context, app: &App, commands: &mut Vec<Command>) {
    let Some(socket) = app.socket.as_ref().filter(|_| app.engine_has_gone) else { return };
    let is_ours = app.table.as_ref().is_some_and(|table| !table.is_watched());
    let kept = match is_ours && app.unsaved.is_empty() {
        true => "Your game is kept on this disk. ",
        false => "",
    };
    let free = ctx.available_rect();
    let area = look::area("loss").order(Order::Foreground);
    let at = pos2(free.center().x, free.top() + free.height() * 0.25);
    area.fixed_pos(at).pivot(Align2::CENTER_CENTER).show(ctx, |ui| {
        let frame = look::surface().inner_margin(Margin::symmetric(28, 20));
        frame.fill(look::SHEET).stroke(Stroke::new(1.0, PROBLEM)).show(ui, |ui| {
            ui.set_max_width((free.width() - GRID * 8.0).clamp(0.0, GRID * 60.0));
            look::title(ui, "The engine has gone");
            ui.add(
                Label::new(
                    RichText::new(format!(
                        "Nobody answers at {socket} any more. {kept}Start an engine there again, and join it."
                    ))
                    .color(TEXT),
                )
                .wrap(),
            );
            ui.add_space(GRID);
            ui.horizontal(|ui| {
                ask_first(ui, "Try again", Command::JoinAgain, commands);
                note(ui, keys_for(&Command::JoinAgain).unwrap_or_default());
                ask(ui, "Quit", Command::QUIT, commands);
            });
        });
    });
}

/// Says that something could not be written, for as long as it cannot be.
pub(super) fn show_unsaved(ctx: &Context, app: &App, commands: &mut Vec<Command>) {
    let Some(first) = app.unsaved.iter().find(|unsaved| unsaved.game.is_some()).or(app.unsaved.first())
    else {
        return;
    };
    let games = app.unsaved.iter().filter(|unsaved| unsaved.game.is_some()).count();
    let what = match games {
        0 => "Your settings are not saved".to_string(),
        1 => "Your game is not saved".to_string(),
        more => format!("{more} games are not saved"),
    };
    // Nothing else lies over it, and it lies over nothing.
    let margin = Margin { left: 12, right: 12, top: 12, bottom: 0 };
    let bar =
        TopBottomPanel::top("unsaved").show_separator_line(false).frame(Frame::new().inner_margin(margin));
    bar.show(ctx, |ui| {
        let frame = look::surface().inner_margin(Margin::symmetric(16, 10)).stroke(Stroke::new(1.0, PROBLEM));
        frame.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(format!("{what}:")).color(PROBLEM));
                ui.label(RichText::new(&first.reason).color(TEXT));
            });
            ui.horizontal_wrapped(|ui| {
                ask_first(ui, "Try again", Command::SaveAgain, commands);
                note(ui, keys_for(&Command::SaveAgain).unwrap_or_default());
                if games > 0 {
                    ask(ui, "Save in another folder", Command::Show(Panel::Folder), commands);
                    note(ui, keys_for(&Command::Show(Panel::Folder)).unwrap_or_default());
                }
                note(ui, "It stays in memory, and will be saved as soon as possible.");
            });
        });
    });
}

pub(super) fn wait(ctx: &Context, words: &str) {
    Area::new("wait".into()).anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0)).show(ctx, |ui| {
        look::surface().show(ui, |ui| note(ui, words));
    });
}

pub(super) fn show_message(ctx: &Context, app: &App, commands: &mut Vec<Command>) {
    let Some(message) = &app.message else { return };
    let area = look::area("message").order(Order::Foreground);
    let colour = if message.is_problem { PROBLEM } else { ACCENT };
    let free = ctx.available_rect();
    area.fixed_pos(pos2(free.center().x, free.bottom() - GRID)).pivot(Align2::CENTER_BOTTOM).show(
        ctx,
        |ui| {
            ui.set_opacity((message.seconds_left / FADE).clamp(0.0, 1.0));
            let frame =
                look::surface().inner_margin(Margin::symmetric(16, 10)).stroke(Stroke::new(1.0, colour));
            frame.show(ui, |ui| {
                ui.set_max_width((free.width() - GRID * 6.0).clamp(0.0, 560.0));
                ui.horizontal_wrapped(|ui| {
                    if message.is_problem {
                        ui.label(RichText::new("Not possible:").color(PROBLEM));
                    }
                    let words = look::words(ui, &message.text, TextStyle::Body, TEXT);
                    ui.label(words);
                    look::asked(look::small_button(ui, "Close"), Command::DismissMessage, commands);
                });
            });
        },
    );
}

/// The reason for a refused click, beside the place where it was made.
pub(super) fn show_refusal(ctx: &Context, app: &App) {
    let Some(refusal) = &app.refusal else { return };
    let window = ctx.screen_rect();
    let is_right = refusal.at.x > window.center().x;
    let (pivot, aside) = match is_right {
        true => (Align2::RIGHT_BOTTOM, -GRID * 1.5),
        false => (Align2::LEFT_BOTTOM, GRID * 1.5),
    };
    let at = pos2(refusal.at.x + aside, refusal.at.y - GRID);
    let area = Area::new("refusal".into()).order(Order::Tooltip).interactable(false);
    area.fixed_pos(at).pivot(pivot).constrain(true).show(ctx, |ui| {
        ui.set_opacity((refusal.seconds_left / FADE).clamp(0.0, 1.0));
        let frame = look::surface().inner_margin(Margin::symmetric(12, 8)).stroke(Stroke::new(1.0, PROBLEM));
        frame.show(ui, |ui| {
            ui.set_max_width(GRID * 40.0);
            ui.label(RichText::new(&refusal.text).color(TEXT));
        });
    });
}
