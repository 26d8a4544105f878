//! The line under the board: what is expected now, and buttons for what cannot be pointed at.

use egui_macroquad::egui::{
    Align, Context, Frame, Key, Layout, Margin, RichText, TextEdit, TopBottomPanel, Ui,
};
use tabuleiro_protocol::Detail;

use super::Panels;
use super::look::{self, ACCENT, DIM, GRID, TEXT, ask, ask_first};
use super::seat::mark;
use crate::app::App;
use crate::command::{Command, Panel};
use crate::table::Table;

/// With more than these the line would be longer than anyone reads.
const MOST_BUTTONS: usize = 8;

impl Panels {
    pub(super) fn show_prompt(
        &mut self,
        ctx: &Context,
        app: &App,
        table: &Table,
        commands: &mut Vec<Command>,
    ) {
        let margin = Margin { left: 12, right: 12, top: 6, bottom: 12 };
        let bar = TopBottomPanel::bottom("prompt")
            .show_separator_line(false)
            .frame(Frame::new().inner_margin(margin));
        bar.show(ctx, |ui| {
            look::surface().inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
                ui.set_min_size(egui_min_size(ui));
                ui.horizontal_wrapped(|ui| {
                    if table.looked_at.is_some() {
                        looking_back(ui, table, commands);
                    } else {
                        self.expected(ui, app, table, commands);
                    }
                });
                if app.panels.contains(&Panel::MoveEntry) {
                    self.move_entry(ui, table, commands);
                }
            });
        });
    }

    fn expected(&mut self, ui: &mut Ui, app: &App, table: &Table, commands: &mut Vec<Command>) {
        if let Some(seat) = table.state.to_move {
            let side = table.state.sides[seat].as_deref();
            mark(ui, &table.state.game, side, seat, ui.text_style_height(&super::BODY) * 1.1);
        }
        ui.label(RichText::new(expectation(table)).color(TEXT));
        if !table.is_ours_to_move() {
            if table.thinking.is_some() {
                ask(ui, "Move now", Command::MoveNow, commands);
            } else if table.state.held && table.state.outcome.is_none() {
                ask_first(ui, "Go on", Command::Resume, commands);
            }
            return;
        }
        let complete = app.pick.complete();
        for detail in complete.iter().take(MOST_BUTTONS) {
            let words = words_on_button(detail, app.pick.chosen().is_empty());
            let button = ask(ui, words, Command::Play(detail.action.clone()), commands);
            button.on_hover_text(format!("{} ({})", detail.text, detail.action));
        }
        if !app.pick.chosen().is_empty() {
            ui.label(RichText::new("Escape takes it back").small().color(DIM));
        }
        if !app.panels.contains(&Panel::MoveEntry) {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ask(ui, "Type a move", Command::Show(Panel::MoveEntry), commands);
            });
        }
    }

    fn move_entry(&mut self, ui: &mut Ui, table: &Table, commands: &mut Vec<Command>) {
        if self.typed_at_ply.take_if(|ply| *ply != table.state.ply).is_some() {
            self.typed_move.clear();
        }
        ui.horizontal(|ui| {
            let hint =
                "for example ".to_string() + table.details.first().map_or("c3", |detail| &detail.action);
            let field = TextEdit::singleline(&mut self.typed_move)
                .hint_text(hint)
                .margin(Margin::symmetric(10, 6))
                .desired_width(GRID * 32.0);
            let response = ui.add(field);
            let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let played = ui.button("Play").clicked();
            if (entered || played) && !self.typed_move.trim().is_empty() {
                self.typed_at_ply = Some(table.state.ply);
                commands.push(Command::TypeMove(self.typed_move.trim().to_string()));
            }
            let nobody_has_keyboard = ui.memory(|memory| memory.focused().is_none());
            if nobody_has_keyboard {
                response.request_focus();
            }
            ask(ui, "Close", Command::Hide(Panel::MoveEntry), commands);
        });
    }
}

fn egui_min_size(ui: &Ui) -> egui_macroquad::egui::Vec2 {
    egui_macroquad::egui::vec2(ui.available_width(), ui.spacing().interact_size.y)
}

fn looking_back(ui: &mut Ui, table: &Table, commands: &mut Vec<Command>) {
    let shown = table.shown();
    let words = format!("You are looking at the game after {} of {} actions.", shown.ply, all_actions(table));
    ui.label(RichText::new(words).color(ACCENT));
    ask_first(ui, "Back to now", Command::LookAtNow, commands);
    if shown.ply < table.state.ply {
        ask(ui, "Play on from here", Command::PlayOnFromHere, commands)
            .on_hover_text("Takes back everything after this; redo brings it again.");
    }
}

fn all_actions(table: &Table) -> usize {
    table.state.ply + table.state.undone
}

/// What the table waits for, in a sentence.
fn expectation(table: &Table) -> String {
    let state = &table.state;
    if let Some(outcome) = &state.outcome {
        return outcome.text.clone();
    }
    match (&table.thinking, state.to_move) {
        (Some(thought), _) => format!("{} is thinking…", table.name(thought.seat)),
        (None, Some(seat)) if !table.is_ours_to_move() && state.held => {
            format!("{} waits.", table.name(seat))
        }
        (None, Some(seat)) if !table.is_ours_to_move() => format!("{} is to move.", table.name(seat)),
        _ => state.prompt.clone(),
    }
}

/// Without a place to point at an action has a label; several for the same places are told apart by what they say.
fn words_on_button(detail: &Detail, nothing_chosen: bool) -> &str {
    match &detail.label {
        Some(label) if nothing_chosen => label,
        _ => &detail.text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table(changes: serde_json::Value) -> Table {
        let mut state = json!({
            "table": "t1", "game": "zurero", "options": {"size": 5}, "seed": 1,
            "seats": {"1": {"kind": "client"}, "2": {"kind": "ai", "level": "club"}},
            "sides": {"1": "black", "2": "white"}, "ply": 0, "turn": 0, "to_move": 1, "phase": "opening",
            "prompt": "Place the first stone.", "rows": [], "counters": {}, "last": null, "outcome": null,
            "undone": 0, "held": false
        });
        for (name, value) in changes.as_object().expect("an object") {
            state[name] = value.clone();
        }
        Table::new(serde_json::from_value(state).expect("a state"))
    }

    #[test]
    fn the_line_says_whom_the_table_waits_for() {
        assert_eq!(expectation(&table(json!({}))), "Place the first stone.");
        assert_eq!(expectation(&table(json!({"to_move": 2}))), "White is to move.");
        assert_eq!(expectation(&table(json!({"to_move": 2, "held": true}))), "White waits.");
        let mut thinking = table(json!({"to_move": 2}));
        thinking.thinking =
            Some(crate::table::Thought { seat: tabuleiro_protocol::Seat::Two, info: None, seconds: 0.5 });
        assert_eq!(expectation(&thinking), "White is thinking…");
        let over =
            json!({"to_move": null, "outcome": {"winner": 1, "reason": "five", "text": "Black has five."}});
        assert_eq!(expectation(&table(over)), "Black has five.");
    }
}
