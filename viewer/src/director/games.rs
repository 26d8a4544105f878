//! Games that are started, kept in files and continued.

use std::path::PathBuf;

use serde_json::Value;
use tabuleiro_protocol::method::New;
use tabuleiro_protocol::{OptionValue, PerSeat};

use super::Director;
use crate::app::Screen;
use crate::command::{NewGame, Panel};
use crate::files::GameFile;

impl Director {
    pub(super) fn start_game(&mut self, game: NewGame) {
        self.leave_table();
        let options = game.options.into_iter().map(|(name, value)| {
            let value = match value {
                OptionValue::Integer(number) => number.into(),
                OptionValue::Choice(word) => word.into(),
            };
            (name, value)
        });
        let seats = PerSeat { one: Some(game.seats.one), two: Some(game.seats.two) };
        let file = self.files.place_for(&game.game);
        let new = New {
            game: game.game,
            options: Some(options.collect()),
            seed: game.seed,
            start: None,
            seats: Some(seats),
        };
        self.open_table(&new, file);
    }

    pub(super) fn continue_game(&mut self) {
        if self.app.table.is_some() {
            self.app.screen = Screen::Board;
        } else if self.is_under_way(self.pending.opening) {
            // It is coming. Another one would come after the first moves and take them away.
        } else if let Some(game) = self.app.saved.iter().find(|game| !game.finished) {
            self.load_game(game.path.clone());
        } else {
            self.tell("There is no game to go on with.");
        }
    }

    pub(super) fn load_game(&mut self, path: PathBuf) {
        self.hide_panel(Panel::SavedGames);
        match self.files.read_game(&path) {
            Ok(game) => {
                self.leave_table();
                self.load_table(game.record, path);
            }
            Err(problem) => {
                // Nobody is offered it again.
                self.app.saved.retain(|saved| saved.path != path);
                self.app.interrupted.take_if(|game| game.path == path);
                self.problem(problem);
            }
        }
    }

    /// From now on the game is kept here, or not at all.
    pub(super) fn keep_in(&mut self, file: Option<PathBuf>) {
        self.files.mark_open(file.as_deref());
        self.file = file;
        self.record = None;
    }

    /// Writes the game as it stands now to its file.
    pub(super) fn keep(&mut self, record: Value) {
        let (Some(table), Some(path)) = (&self.app.table, &self.file) else { return };
        let file = GameFile {
            game: table.state.game.clone(),
            title: table.title(),
            finished: table.state.outcome.is_some(),
            record: record.clone(),
        };
        self.files.keep_game(path, &file);
        self.record = Some(record);
    }
}
