//! Games that can be continued or looked at, renamed, deleted and exported.

use std::ops::Range;
use std::path::PathBuf;
use std::time::SystemTime;

use egui_macroquad::egui::{
    Color32, Context, Key, Label, Margin, Rect, RichText, ScrollArea, Sense, TextEdit, Ui, vec2,
};

use tabuleiro_protocol::{Cell, Seat};

use super::home::game_name;
use super::look::{self, ACCENT, DIM, GRID, PROBLEM, TEXT, ask, note, section};
use crate::app::{App, Screen};
use crate::board::{EMPTY, Tokens};
use crate::command::Command;
use crate::files::{GameResult, SavedGame};

const WIDTH: f32 = 640.0;
/// The side of a small board.
const PICTURE: f32 = 84.0;
/// At least so many of its columns and rows are shown.
const LEAST_CELLS: u8 = 9;

/// The list, and the name that is being typed for one of its games.
#[derive(Debug, Default)]
pub(super) struct SavedList {
    renaming: Option<(PathBuf, String)>,
}

impl SavedList {
    pub(super) fn show(&mut self, ctx: &Context, app: &App, commands: &mut Vec<Command>) -> bool {
        look::sheet(ctx, "Saved games", WIDTH, app.screen == Screen::Board, |ui| {
            if let Some(deleted) = &app.deleted {
                ui.horizontal_wrapped(|ui| {
                    note(ui, format!("Deleted: {}", name_of(app, deleted)));
                    ask(ui, "Put it back", Command::RestoreGame, commands);
                });
            }
            if app.saved.is_empty() && app.unsaved.is_empty() {
                note(ui, "None yet. Games are saved automatically while you play.");
            }
            ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                for game in app.unsaved.iter().filter_map(|unsaved| unsaved.game.as_ref()) {
                    self.row(ui, app, game, ("not saved, only in memory", PROBLEM), commands);
                }
                let is_older = |game: &SavedGame| app.unsaved.iter().any(|unsaved| unsaved.path == game.path);
                for game in app.saved.iter().filter(|game| !is_older(game)) {
                    self.row(ui, app, game, state_of(game), commands);
                }
                if !app.left_out.is_empty() {
                    section(ui, "Other files in this folder");
                }
                for complaint in &app.left_out {
                    ui.add(Label::new(RichText::new(complaint).small().color(DIM)).wrap());
                }
                look::scroll_by_keys(ui);
            });
        })
    }

    fn row(
        &mut self,
        ui: &mut Ui,
        app: &App,
        game: &SavedGame,
        mark: (&str, Color32),
        commands: &mut Vec<Command>,
    ) {
        ui.push_id(&game.path, |ui| {
            ui.horizontal_top(|ui| {
                picture(ui, app, game);
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = GRID * 0.5;
                    ui.horizontal_wrapped(|ui| {
                        look::dense(ui);
                        ui.label(RichText::new(name_of(app, game)).color(TEXT));
                        ui.label(RichText::new(mark.0).small().color(mark.1));
                        note(ui, ago(game.changed));
                    });
                    ui.add(Label::new(RichText::new(&game.title).small().color(DIM)).wrap());
                    self.buttons(ui, game, commands);
                });
            });
        });
        look::rule(ui);
    }

    fn buttons(&mut self, ui: &mut Ui, game: &SavedGame, commands: &mut Vec<Command>) {
        let path = &game.path;
        if let Some((_, name)) = self.renaming.as_mut().filter(|(renamed, _)| renamed == path) {
            let field =
                TextEdit::singleline(name).hint_text(look::hint("A name")).margin(Margin::symmetric(10, 6));
            let response = ui.add(field.desired_width(GRID * 30.0));
            if response.lost_focus() {
                if ui.input(|input| input.key_pressed(Key::Enter)) {
                    commands.push(Command::RenameGame(path.clone(), name.clone()));
                }
                self.renaming = None;
            } else {
                response.request_focus();
            }
            return;
        }
        ui.horizontal_wrapped(|ui| {
            let words = if game.finished { "Look at it" } else { "Continue" };
            ask(ui, words, Command::LoadGame(path.clone()), commands);
            look::asked(look::small_button(ui, "Review"), Command::ReviewGame(path.clone()), commands);
            if look::small_button(ui, "Rename").clicked() {
                self.renaming = Some((path.clone(), game.name.clone().unwrap_or_default()));
            }
            look::asked(look::small_button(ui, "Export"), Command::ExportGame(path.clone()), commands);
            look::asked(look::small_button(ui, "Delete"), Command::DeleteGame(path.clone()), commands);
        });
    }
}

/// What the person calls a game, or else its kind.
pub(super) fn name_of(app: &App, game: &SavedGame) -> String {
    let kind = game_name(app, &game.game);
    game.name.as_ref().map_or(kind.into(), |name| format!("{name} ({kind})"))
}

/// How a game stands, in a word, and its colour.
pub(super) fn state_of(game: &SavedGame) -> (&'static str, Color32) {
    match (&game.result, game.finished) {
        (_, false) => ("unfinished", ACCENT),
        (Some(GameResult { won: Some(true), .. }), _) => ("you won", TEXT),
        (Some(GameResult { won: Some(false), .. }), _) => ("you lost", DIM),
        (Some(GameResult { won: None, .. }), _) => ("a draw", DIM),
        (None, true) => ("finished", DIM),
    }
}

fn picture(ui: &mut Ui, app: &App, game: &SavedGame) {
    let (place, _) = ui.allocate_exact_size(vec2(PICTURE, PICTURE), Sense::hover());
    paint_board(ui, app, &game.game, &game.rows, place);
}

/// A board of a game with what lies on it, in a square. Of a large one only the part where something
/// lies: its pieces could not be made out else.
pub(super) fn paint_board(ui: &Ui, app: &App, game: &str, rows: &[String], place: Rect) {
    if !ui.is_rect_visible(place) {
        return;
    }
    let tokens = Tokens::read(rows);
    let (columns, rows) = worth_seeing(&tokens);
    let cells = columns.len().max(rows.len());
    if cells == 0 {
        return;
    }
    let (set, side) = (app.set_of(game), place.width() / cells as f32);
    // As the first seat sees it on the table.
    let is_turned = set.layout().seat_yaw(Seat::One.number()) != 0.0;
    for cell in tokens.cells().filter(|cell| columns.contains(&cell.column) && rows.contains(&cell.row)) {
        let (across, down) = match is_turned {
            true => (columns.end - 1 - cell.column, rows.end - 1 - cell.row),
            false => (cell.column - columns.start, cell.row - rows.start),
        };
        let corner = place.min + vec2(f32::from(across), f32::from(down)) * side;
        let square = Rect::from_min_size(corner, vec2(side, side));
        set.paint_cell(ui.painter(), square);
        if tokens.get(cell) != EMPTY {
            set.paint_token(ui.painter(), tokens.get(cell), square);
        }
    }
}

/// The columns and rows of a board in which something lies, and a few around them.
fn worth_seeing(tokens: &Tokens) -> (Range<u8>, Range<u8>) {
    let taken = || tokens.cells().filter(|cell| tokens.get(*cell) != EMPTY);
    let span = |of: fn(Cell) -> u8| Some((taken().map(of).min()?, taken().map(of).max()?));
    let spans = span(|cell| cell.column).zip(span(|cell| cell.row));
    let ((left, right), (top, bottom)) = spans.unwrap_or_default();
    let side = (right - left).max(bottom - top).saturating_add(3).max(LEAST_CELLS);
    let part = |first: u8, last: u8, all: u8| {
        let start = (first + (last - first) / 2).saturating_sub(side / 2).min(all.saturating_sub(side));
        start..all.min(start + side)
    };
    (part(left, right, tokens.columns()), part(top, bottom, tokens.rows()))
}

/// How long ago something was, in words.
pub(super) fn ago(then: SystemTime) -> String {
    let seconds = SystemTime::now().duration_since(then).map_or(0, |passed| passed.as_secs());
    let (count, unit) = match seconds {
        0..60 => return "just now".into(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        86_400..2_592_000 => (seconds / 86_400, "day"),
        2_592_000..31_536_000 => (seconds / 2_592_000, "month"),
        _ => (seconds / 31_536_000, "year"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn of_a_large_board_the_part_is_shown_where_something_lies() {
        let board = |size: usize, taken: &[(usize, usize)]| {
            let mut rows = vec![vec!["."; size]; size];
            taken.iter().for_each(|&(column, row)| rows[row][column] = "b");
            Tokens::read(&rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>())
        };
        assert_eq!(worth_seeing(&board(8, &[(0, 0)])), (0..8, 0..8), "a small one is shown whole");
        assert_eq!(worth_seeing(&board(19, &[(9, 9)])), (5..14, 5..14));
        assert_eq!(worth_seeing(&board(19, &[(0, 0), (3, 1)])), (0..9, 0..9));
        assert_eq!(worth_seeing(&board(19, &[(18, 18)])), (10..19, 10..19));
        assert_eq!(worth_seeing(&board(19, &[(0, 9), (18, 9)])), (0..19, 0..19));
        assert_eq!(worth_seeing(&board(19, &[])), (0..9, 0..9));
        assert_eq!(worth_seeing(&Tokens::read(&[])), (0..0, 0..0));
        for first in 0..19 {
            for last in first..19 {
                let (columns, rows) = worth_seeing(&board(19, &[(first, last), (last, first)]));
                for at in [first, last] {
                    assert!(columns.contains(&(at as u8)) && rows.contains(&(at as u8)), "{first}, {last}");
                }
                assert_eq!(columns.len(), rows.len());
            }
        }
    }

    #[test]
    fn times_become_words() {
        let since = |seconds| ago(SystemTime::now() - Duration::from_secs(seconds));
        assert_eq!(since(3), "just now");
        assert_eq!(since(61), "1 minute ago");
        assert_eq!(since(7300), "2 hours ago");
        assert_eq!(since(40 * 86_400), "1 month ago");
    }
}
