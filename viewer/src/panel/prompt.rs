//! The line under the board: what is expected now, and buttons for what cannot be pointed at.

use egui_macroquad::egui::{
    Align, Button, Context, Frame, Key, Layout, Margin, RichText, TextEdit, TextStyle, TopBottomPanel, Ui,
    vec2,
};

use super::bots::failure_in_words;
use super::look::{self, ACCENT, DIM, GRID, TEXT, ask, ask_first, note};
use super::seat::mark;
use super::{Panels, is_covered};
use crate::app::App;
use crate::command::{Command, Panel};
use crate::state::{TableView, is_free};

/// With more than these the line would be longer than anyone reads.
const MOST_BUTTONS: usize = 8;

impl Panels {
    pub(super) fn show_prompt(
        &mut self,
        ctx: &Context,
        app: &App,
        table: &TableView,
        commands: &mut Vec<Command>,
    ) {
        let margin = Margin { left: 12, right: 12, top: 6, bottom: 12 };
        let bar = TopBottomPanel::bottom("prompt")
            .show_separator_line(false)
            .frame(Frame::new().inner_margin(margin));
        bar.show(ctx, |ui| {
            look::surface().inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
                ui.set_min_size(vec2(ui.available_width(), ui.spacing().interact_size.y));
                ui.horizontal_wrapped(|ui| {
                    if table.looked_at.is_some() {
                        looking_back(ui, table, commands);
                    } else {
                        expected(ui, app, table, commands);
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            self.move_entry(ui, app, table, commands);
                        });
                    }
                });
            });
        });
    }

    fn move_entry(&mut self, ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
        if !app.panels.contains(&Panel::MoveEntry) {
            if table.is_ours_to_move() {
                ask(ui, "Type a move", Command::Show(Panel::MoveEntry), commands);
            }
            return;
        }
        if self.typed_at_ply.take_if(|ply| *ply != table.state.ply).is_some() {
            self.typed_move.clear();
        }
        ask(ui, "Close", Command::Hide(Panel::MoveEntry), commands);
        let played = ui.add_enabled(table.is_ours_to_move(), Button::new("Play")).clicked();
        let hint = table.details.first().map(|detail| format!("for example {}", detail.action));
        let field = TextEdit::singleline(&mut self.typed_move)
            .hint_text(hint.unwrap_or_default())
            .margin(Margin::symmetric(10, 6))
            .desired_width(GRID * 24.0);
        let response = ui.add(field);
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if (entered || played) && !self.typed_move.trim().is_empty() {
            self.typed_at_ply = Some(table.state.ply);
            commands.push(Command::TypeMove(self.typed_move.trim().to_string()));
        }
        if !is_covered(app) {
            look::take_keyboard(&response);
        }
    }
}

fn expected(ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
    if let Some(seat) = table.state.to_move {
        let side = table.state.sides[seat].as_deref();
        mark(ui, &table.state.game, side, seat, ui.text_style_height(&TextStyle::Body) * 1.1);
    }
    ui.label(RichText::new(expectation(table)).color(TEXT));
    if let Some(wanted) = table.asked_of_us() {
        ui.label(RichText::new(table.request(wanted)).color(ACCENT));
        ask_first(ui, "Agree", Command::Agree, commands);
    } else if table.asked_by_us().is_some() {
        note(ui, "You have asked for it: the other player may agree.");
    }
    if table.is_watched() {
        for seat in table.free_seats().into_iter().filter(|_| table.state.outcome.is_none()) {
            let take = Command::TakeSeat(table.state.table.clone(), seat);
            ask_first(ui, &format!("Play {}", table.name(seat)), take, commands);
        }
        return;
    }
    if !table.is_ours_to_move() {
        if table.failed.is_some() {
            ask_first(ui, "What now?", Command::Show(Panel::BotFailed), commands);
        } else if table.thinking.is_some() {
            ask(ui, "Move now", Command::MoveNow, commands);
        } else if table.state.held && table.state.outcome.is_none() {
            ask_first(ui, "Go on", Command::Resume, commands);
        }
        return;
    }
    let is_left_open = table.state.to_move.is_some_and(|seat| is_free(&table.state.seats[seat]));
    if is_left_open && app.socket.is_some() {
        note(ui, "Nobody has come for this seat: wait, or play for it.");
    }
    let nothing_chosen = app.pick.chosen().is_empty();
    for detail in app.pick.complete().iter().take(MOST_BUTTONS) {
        let button = ask(ui, detail.words(), Command::Play(detail.action.clone()), commands);
        button.on_hover_text(format!("{} ({})", detail.text, detail.action));
    }
    if !nothing_chosen {
        ui.label(RichText::new("Escape takes it back").small().color(DIM));
    }
}

fn looking_back(ui: &mut Ui, table: &TableView, commands: &mut Vec<Command>) {
    let shown = table.shown();
    let words = format!("You are looking at the game after {} of {} actions.", shown.ply, all_actions(table));
    ui.label(RichText::new(words).color(ACCENT));
    ask_first(ui, "Back to now", Command::LookAtNow, commands);
    if shown.ply < table.state.ply && !table.is_watched() {
        ask(ui, "Play on from here", Command::PlayOnFromHere, commands)
            .on_hover_text("Takes back everything after this; redo brings it again.");
    }
}

fn all_actions(table: &TableView) -> usize {
    table.state.ply + table.state.undone
}

/// What the table waits for, in a sentence, and that we only watch it.
fn expectation(table: &TableView) -> String {
    match table.is_watched() {
        true => format!("You are watching. {}", expected_of_players(table)),
        false => expected_of_players(table),
    }
}

fn expected_of_players(table: &TableView) -> String {
    let state = &table.state;
    if let Some(outcome) = &state.outcome {
        return outcome.text.clone();
    }
    if let Some(failed) = &table.failed {
        return failure_in_words(failed);
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table(changes: serde_json::Value) -> TableView {
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
        TableView::new(serde_json::from_value(state).expect("a state"))
    }

    #[test]
    fn the_line_says_whom_the_table_waits_for() {
        assert_eq!(expectation(&table(json!({}))), "Place the first stone.");
        assert_eq!(expectation(&table(json!({"to_move": 2}))), "White is to move.");
        assert_eq!(expectation(&table(json!({"to_move": 2, "held": true}))), "White waits.");
        let mut thinking = table(json!({"to_move": 2}));
        thinking.thinking =
            Some(crate::state::Thought { seat: tabuleiro_protocol::Seat::Two, info: None, seconds: 0.5 });
        assert_eq!(expectation(&thinking), "White is thinking…");
        let over =
            json!({"to_move": null, "outcome": {"winner": 1, "reason": "five", "text": "Black has five."}});
        assert_eq!(expectation(&table(over)), "Black has five.");
    }
}
