//! Games that are started, kept in files and continued.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;
use tabuleiro_protocol::method::New;
use tabuleiro_protocol::progress::{LevelResult, Note};
use tabuleiro_protocol::{OptionValue, PerSeat, Player, Seat};

use super::Director;
use crate::app::{Screen, Unfinished};
use crate::command::{NewGame, Panel};
use crate::files::{GameFile, GameResult, SavedGame};
use crate::settings::Choices;

impl Director {
    pub(super) fn start_game(&mut self, game: NewGame) {
        let is_person = |player: &Player| matches!(player, Player::Client { .. });
        let computers_only = !is_person(&game.seats.one) && !is_person(&game.seats.two);
        // Who only watches has chosen nothing for a game of their own, nor seen the lesson's offer.
        if !computers_only {
            self.remember_choices(&game);
            self.decline_lesson(&game.game);
        }
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
            // Computers that play each other begin when the board is laid out.
            held: computers_only,
            seats: Some(seats),
        };
        self.open_table(&new, file);
    }

    pub(super) fn rematch(&mut self, seats_changed: bool) {
        let Some(table) = self.app.table.as_ref().filter(|table| table.state.outcome.is_some()) else {
            return self.tell("You can have a rematch when the game is over.");
        };
        let player = |seat: Seat| match &table.state.seats[seat] {
            Player::Client { open, .. } => Player::Client { open: *open, claimed: false },
            computer => computer.clone(),
        };
        let mut seats = PerSeat { one: player(Seat::One), two: player(Seat::Two) };
        if seats_changed {
            std::mem::swap(&mut seats.one, &mut seats.two);
        }
        let (game, options) = (table.state.game.clone(), table.state.options.clone());
        self.start_game(NewGame { game, options, seats, seed: None });
    }

    /// The next game of this kind begins with the same choices.
    fn remember_choices(&mut self, game: &NewGame) {
        let choices = Choices { seats: game.seats.clone(), options: game.options.clone() };
        let known = &mut self.app.settings.new_games;
        if known.get(&game.game) != Some(&choices) {
            known.insert(game.game.clone(), choices);
            self.files.keep_settings(&self.app.settings);
        }
    }

    pub(super) fn continue_game(&mut self) {
        match self.app.unfinished() {
            Some(Unfinished::OnTheTable(_)) => self.app.screen = Screen::Board,
            // It is coming. Another one would come after the first moves and take them away.
            _ if self.is_under_way(self.pending.opening) => {}
            Some(Unfinished::Saved(game)) => self.load_game(game.path.clone()),
            None if self.app.table.is_some() => self.app.screen = Screen::Board,
            None => self.tell("There is no unfinished game."),
        }
    }

    pub(super) fn load_game(&mut self, path: PathBuf) {
        self.hide_panel(Panel::SavedGames);
        match self.files.read_game(&path) {
            // The table that is there is left when the other one is.
            Ok(game) => self.load_instead(game.record, path),
            Err(problem) => {
                self.is_to_review = false;
                // Nobody is offered it again.
                self.app.saved.retain(|saved| saved.path != path);
                self.app.interrupted.take_if(|game| game.path == path);
                self.problem(problem);
            }
        }
    }

    pub(super) fn rename_game(&mut self, path: &Path, name: &str) {
        match self.files.read_game(path) {
            Ok(mut game) => {
                game.name = (!name.is_empty()).then(|| name.into());
                let listed = self.app.saved.iter().find(|saved| saved.path == path);
                let changed = listed.map_or_else(SystemTime::now, |saved| saved.changed);
                self.files.keep_game_of(path, &game, changed);
            }
            Err(problem) => self.problem(problem),
        }
    }

    pub(super) fn delete_game(&mut self, path: &Path) {
        if self.file.as_deref() == Some(path) {
            return self.tell("This game is open. Begin or load another one first.");
        }
        match self.files.delete_game(path) {
            Ok(()) => {
                let (deleted, kept) = self.app.saved.drain(..).partition(|saved| saved.path == path);
                self.app.saved = kept;
                let deleted: Vec<SavedGame> = deleted;
                self.app.deleted = deleted.into_iter().next();
                self.app.interrupted.take_if(|game| game.path == path);
            }
            Err(problem) => self.problem(problem),
        }
    }

    pub(super) fn restore_game(&mut self) {
        let Some(game) = self.app.deleted.take() else { return self.tell("No game was deleted.") };
        match self.files.restore_game(&game.path) {
            Ok(()) => {
                self.app.saved.push(game);
                self.app.saved.sort_by_key(|game| std::cmp::Reverse(game.changed));
            }
            Err(problem) => self.problem(problem),
        }
    }

    /// How a person did against a level in the game on the table, once it is over.
    fn result(&self) -> Option<GameResult> {
        let table = self.app.table.as_ref()?;
        let ending = table.state.outcome.as_ref()?;
        let (person, level) = Seat::BOTH.into_iter().find_map(|seat| match &table.state.seats[!seat] {
            Player::Ai { level, .. } if table.is_ours(seat) => Some((seat, level.clone())),
            _ => None,
        })?;
        Some(GameResult { level, won: ending.winner.map(|winner| winner == person) })
    }

    /// From now on the game is kept here, or not at all.
    pub(super) fn keep_in(&mut self, file: Option<PathBuf>) {
        self.files.mark_open(file.as_deref());
        self.file = file;
        self.record = None;
        self.is_to_count = false;
        self.is_to_branch = false;
    }

    /// Writes the game as it stands now to its file.
    pub(super) fn keep(&mut self, record: Value) {
        if self.is_another_game(&record) {
            let Some(table) = &self.app.table else { return };
            let file = self.files.place_for(&table.state.game);
            self.keep_in(Some(file));
            self.tell("The game as it was stays among the saved ones. This is another one from here.");
        }
        let (Some(table), Some(path)) = (&self.app.table, &self.file) else { return };
        let known = self.app.saved.iter().find(|saved| saved.path == *path);
        let file = GameFile {
            game: table.state.game.clone(),
            title: table.title(),
            finished: table.state.outcome.is_some(),
            name: known.and_then(|saved| saved.name.clone()),
            rows: table.state.rows.clone(),
            // Whoever plays on from an earlier position has won or lost all the same.
            result: known.and_then(|saved| saved.result.clone()).or_else(|| self.result()),
            record: record.clone(),
        };
        self.files.keep_game(path, &file);
        // A game that is only looked at is not counted again. Of a turn of the computer's the record
        // tells the end before the last piece lies still and the result is known here.
        self.is_to_count |= record["outcome"].is_null() && file.result.is_none();
        if let Some(GameResult { level, won }) = file.result.filter(|_| self.is_to_count) {
            self.is_to_count = false;
            let result = match won {
                Some(true) => LevelResult::Won,
                Some(false) => LevelResult::Lost,
                None => LevelResult::Drawn,
            };
            self.note_progress(Note::Game { game: file.game, level, result, day: self.app.today });
        }
        self.record = Some(record);
    }

    /// Whether this record would take the place of something in the file that it does not hold: a
    /// resignation that was taken back; and from an engine that knows no trees, a game that was
    /// finished, or one that was looked back at and then left for another way.
    fn is_another_game(&mut self, record: &Value) -> bool {
        let Some(before) = &self.record else { return false };
        if self.app.table.as_ref().is_some_and(|table| table.tree.is_some()) {
            return resignations(record) < resignations(before);
        }
        let played = |record: &Value| record["played"].as_array().map_or(0, Vec::len);
        let is_left = self.is_to_branch && played(record) < played(before);
        self.is_to_branch &= !is_left;
        is_left || (!before["outcome"].is_null() && record["outcome"].is_null())
    }
}

/// How many times somebody has resigned in a game, variations included.
fn resignations(record: &Value) -> usize {
    let notes = record["notes"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    let noted = notes.iter().filter(|note| note.get("resigned").is_some_and(|seat| !seat.is_null())).count();
    noted.max(usize::from(!record["resigned"].is_null()))
}
