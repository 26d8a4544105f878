//! The tables at an engine that others use as well.

use egui_macroquad::egui::{
    Align, Label, Layout, Margin, Response, RichText, ScrollArea, TextStyle, Ui, vec2,
};
use tabuleiro_protocol::Seat;
use tabuleiro_protocol::method::TableInfo;

use super::home::game_name;
use super::look::{self, ACCENT, DIM, GRID, TEXT, ask, ask_first, note};
use super::seat::player_name;
use crate::app::App;
use crate::command::Command;
use crate::state::is_free;

/// So many are to be seen at once where there is room.
const MOST_ROWS: usize = 4;

pub(super) fn show(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) -> Option<Response> {
    app.socket.as_ref()?;
    let room = row_height(ui) * rows_in(ui) as f32 + GRID * (rows_in(ui) - 1) as f32;
    let shown = look::surface().inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        look::line(
            ui,
            |ui| drop(ui.label(RichText::new("Shared tables").color(ACCENT))),
            |ui| drop(look::asked(look::small_button(ui, "Look again"), Command::ListTables, commands)),
        );
        if app.tables.is_empty() {
            note(ui, "No table is open. Start a game and leave a seat to anyone who joins.");
        }
        let list = ScrollArea::vertical().id_salt("tables").max_height(room).auto_shrink([false, true]);
        list.show_rows(ui, row_height(ui), app.tables.len(), |ui, shown| {
            for table in &app.tables[shown] {
                ui.push_id(&table.table, |ui| row(ui, app, table, commands));
            }
        });
    });
    Some(shown.response)
}

/// Low windows need their room for the games.
fn rows_in(ui: &Ui) -> usize {
    if ui.ctx().screen_rect().height() < 720.0 { 2 } else { MOST_ROWS }
}

fn row_height(ui: &Ui) -> f32 {
    let text = ui.text_style_height(&TextStyle::Body) + ui.text_style_height(&TextStyle::Small) + 2.0;
    text.max(ui.spacing().interact_size.y)
}

fn row(ui: &mut Ui, app: &App, table: &TableInfo, commands: &mut Vec<Command>) {
    let size = vec2(ui.available_width(), row_height(ui));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        buttons(ui, app, table, commands);
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            look::dense(ui);
            let name = RichText::new(game_name(app, &table.game)).color(TEXT);
            ui.add(Label::new(name).truncate().selectable(false));
            let about = RichText::new(about(app, table)).small().color(DIM);
            ui.add(Label::new(about).truncate().selectable(false));
        });
    });
}

/// From right to left: what people most likely want is at the edge.
fn buttons(ui: &mut Ui, app: &App, table: &TableInfo, commands: &mut Vec<Command>) {
    let is_over = table.outcome.is_some();
    if app.table.as_ref().is_some_and(|ours| ours.state.table == table.table) {
        // A game that is over is among the last ones.
        if !is_over {
            ask_first(ui, "Continue", Command::ContinueGame, commands);
        }
        return;
    }
    for seat in Seat::BOTH.into_iter().rev().filter(|&seat| is_free(&table.seats[seat]) && !is_over) {
        let take = Command::TakeSeat(table.table.clone(), seat);
        ask_first(ui, &format!("Take seat {seat}"), take, commands);
    }
    ask(ui, "Watch", Command::Watch(table.table.clone()), commands);
}

/// Who plays there and how far they are.
fn about(app: &App, table: &TableInfo) -> String {
    let [one, two] = Seat::BOTH.map(|seat| player_name(&table.seats[seat], app.hello.as_ref()));
    let course = match (&table.outcome, table.ply) {
        (Some(ending), _) => format!("over: {}", ending.text),
        (None, 0) => "not begun".into(),
        (None, 1) => "1 action played".into(),
        (None, actions) => format!("{actions} actions played"),
    };
    format!("{} · {one} – {two} · {course}", table.table)
}
