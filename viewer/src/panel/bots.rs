//! Programs of other people's: what they write, and what to do when one fails.

use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{Context, Label, ScrollArea, TextStyle};
use tabuleiro_protocol::notice::{BotFailed, BotFailure};
use tabuleiro_protocol::{Hello, Player};

use super::dialog::dialog;
use super::look::{self, GRID, TEXT, note, one_of};
use super::seat::usual_level;
use crate::app::{App, Screen};
use crate::command::{Command, Panel};

const WIDTH: f32 = 680.0;

/// What bots have written.
#[derive(Debug, Default)]
pub(super) struct Log {
    chosen: String,
}

impl Log {
    pub(super) fn show(&mut self, ctx: &Context, app: &App) -> bool {
        let bots: &[String] = app.hello.as_ref().map_or(&[], |hello| &hello.bots);
        if !bots.contains(&self.chosen) {
            self.chosen = bots.first().cloned().unwrap_or_default();
        }
        look::sheet(ctx, "What bots have written", WIDTH, app.screen == Screen::Board, |ui| {
            if bots.is_empty() {
                note(
                    ui,
                    "The engine knows no bots. They are named when it is started: tabuleiro --bot NAME=COMMAND.",
                );
                return;
            }
            let names: Vec<(String, &str)> = bots.iter().map(|bot| (bot.clone(), bot.as_str())).collect();
            if let Some(chosen) = one_of(ui, &self.chosen, &names) {
                self.chosen = chosen;
            }
            let lines = app.bot_logs.get(&self.chosen).map_or(&[][..], Vec::as_slice);
            if lines.is_empty() {
                note(ui, "Nothing yet. What a bot writes to its standard error is shown here.");
            }
            ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true).show(ui, |ui| {
                look::scroll_by_keys(ui);
                ui.spacing_mut().item_spacing.y = GRID * 0.5;
                for line in lines {
                    let font = TextStyle::Monospace.resolve(ui.style());
                    let mut text = LayoutJob::simple(line.clone(), font, TEXT, ui.available_width());
                    text.wrap.break_anywhere = true;
                    ui.add(Label::new(text).wrap());
                }
            });
        })
    }
}

/// What happened to a bot, in a sentence.
pub(super) fn failure_in_words(failed: &BotFailed) -> String {
    let name = &failed.name;
    match failed.why {
        BotFailure::Crashed => format!("{name} has ended, or could not be started."),
        BotFailure::Timeout => format!("{name} did not answer in time."),
        BotFailure::Illegal => format!("{name} wanted to play what the rules do not allow."),
        BotFailure::Garbage => format!("{name} said something that is no answer."),
    }
}

/// Asks who plays on after a bot has failed.
pub(super) fn ask_who_plays_on(
    ctx: &Context,
    failed: &BotFailed,
    hello: Option<&Hello>,
    commands: &mut Vec<Command>,
) {
    let words = format!("{}\nThe game is as it was before, and waits.", failed.detail.trim());
    dialog(ctx, &failure_in_words(failed), &words, |ui| {
        let mut answer = |command: Command| commands.extend([Command::Hide(Panel::BotFailed), command]);
        let again = ui.add(look::first("Let it try again"));
        look::take_keyboard(&again);
        if again.clicked() {
            answer(Command::Resume);
        }
        let level = hello.and_then(usual_level);
        if let Some(level) = level.filter(|_| ui.button("Computer takes the seat").clicked()) {
            answer(Command::SetSeat(failed.seat, level));
        }
        if ui.button("I take it").clicked() {
            answer(Command::SetSeat(failed.seat, Player::default()));
        }
        if ui.button("What it has written").clicked() {
            answer(Command::Show(Panel::BotLog));
        }
        if ui.button("Later").clicked() {
            commands.push(Command::Hide(Panel::BotFailed));
        }
    });
}
