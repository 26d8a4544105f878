//! Games that can be continued or looked at, renamed, deleted and exported.

use std::path::PathBuf;
use std::time::SystemTime;

use egui_macroquad::egui::{
    Color32, Context, Key, Label, Margin, Rect, RichText, ScrollArea, Sense, TextEdit, Ui, vec2,
};

use super::home::game_name;
use super::look::{self, ACCENT, DIM, GRID, PROBLEM, TEXT, ask, note, section};
use crate::app::{App, Screen};
use crate::board::{EMPTY, Tokens};
use crate::command::Command;
use crate::files::{GameResult, SavedGame};

const WIDTH: f32 = 640.0;
/// The side of a small board.
const PICTURE: f32 = 84.0;

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

/// A board of a game with what lies on it, in a square.
pub(super) fn paint_board(ui: &Ui, app: &App, game: &str, rows: &[String], place: Rect) {
    if !ui.is_rect_visible(place) {
        return;
    }
    let tokens = Tokens::read(rows);
    let cells = tokens.columns().max(tokens.rows());
    if cells == 0 {
        return;
    }
    let (set, side) = (app.set_of(game), place.width() / f32::from(cells));
    for cell in tokens.cells() {
        let corner = place.min + vec2(f32::from(cell.column), f32::from(cell.row)) * side;
        let square = Rect::from_min_size(corner, vec2(side, side));
        set.paint_cell(ui.painter(), square);
        if tokens.get(cell) != EMPTY {
            set.paint_token(ui.painter(), tokens.get(cell), square);
        }
    }
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
    fn times_become_words() {
        let since = |seconds| ago(SystemTime::now() - Duration::from_secs(seconds));
        assert_eq!(since(3), "just now");
        assert_eq!(since(61), "1 minute ago");
        assert_eq!(since(7300), "2 hours ago");
        assert_eq!(since(40 * 86_400), "1 month ago");
    }
}
