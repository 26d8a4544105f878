//! What becomes of what is to be kept: that it is on disk, that it cannot be written, that it goes to
//! another folder.

use std::path::{Path, PathBuf};

use directories::UserDirs;
use tabuleiro_protocol::progress::Note;

use super::Director;
use crate::command::Panel;
use crate::files::{Files, GameList};
use crate::settings::Settings;

/// So many complaints are shown at once; all of them go to standard error.
const MOST_COMPLAINTS: usize = 3;

impl Director {
    /// Says what was wrong with files that were read at the start.
    pub(super) fn complain(&mut self, complaints: &[String]) {
        complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
        if complaints.is_empty() {
            return;
        }
        let mut told = complaints[..complaints.len().min(MOST_COMPLAINTS)].join("\n");
        if let Some(more) = complaints.len().checked_sub(MOST_COMPLAINTS).filter(|&more| more > 0) {
            told += &format!("\nand {more} more, in the list of saved games");
        }
        self.problem(told);
    }

    /// Takes in what has come to the disk and what could not.
    pub(super) fn note_saving(&mut self) {
        for kept in self.files.take_kept() {
            self.app.saved.retain(|saved| saved.path.file_name() != kept.path.file_name());
            self.app.saved.insert(0, kept);
            self.app.saved.sort_by_key(|game| std::cmp::Reverse(game.changed));
        }
        if let Some(progress) = self.files.take_progress() {
            self.app.progress = progress;
        }
        let unsaved = self.files.unsaved();
        for failed in unsaved.iter().filter(|failed| !self.app.unsaved.contains(failed)) {
            eprintln!("not saved so far: {}", failed.reason);
        }
        if unsaved.is_empty() && !self.app.unsaved.is_empty() {
            self.hide_panel(Panel::ConfirmQuit);
            self.tell("Everything is saved now.");
        }
        self.app.unsaved = unsaved;
    }

    /// Whether something is still on its way to the disk.
    pub fn is_saving(&self) -> bool {
        self.files.is_writing()
    }

    /// Notes something that was learnt or played, and keeps it.
    pub(super) fn note_progress(&mut self, note: Note) {
        if self.app.progress.note(&note) {
            self.files.keep_progress(note);
        }
    }

    pub(super) fn save_again(&mut self) {
        match self.app.unsaved.is_empty() {
            true => self.tell("Everything is saved. That happens automatically."),
            false => self.files.save_again(),
        }
    }

    pub(super) fn keep_games_in(&mut self, typed: &str) {
        let games_folder = match folder_of(typed.trim()) {
            Some(folder) if folder == self.files.usual_games_folder() => None,
            Some(folder) if folder.is_absolute() => Some(folder),
            Some(folder) => {
                return self.problem(format!(
                    "Write the folder out, from the root on: \"{}\" could be anywhere.",
                    folder.display()
                ));
            }
            None => None,
        };
        self.change_settings(Settings { games_folder, ..self.app.settings.clone() });
        self.hide_panel(Panel::Folder);
    }

    pub(super) fn change_settings(&mut self, settings: Settings) {
        let has_moved = settings.games_folder != self.app.settings.games_folder;
        let has_other_aids = settings.reach != self.app.settings.reach;
        self.app.settings = settings;
        if has_other_aids {
            self.ask_for_aids();
        }
        if has_moved {
            self.move_games();
        }
        self.files.keep_settings(&self.app.settings);
        self.ask_for_chances();
    }

    /// From now on games are kept where the settings say; the one that is open, too.
    fn move_games(&mut self) {
        self.files.keep_games_in(self.app.settings.games_folder.as_deref());
        self.app.games_folder = self.files.games_folder().into();
        GameList { games: self.app.saved, left_out: self.app.left_out } = self.files.games();
        let name = self.file.as_deref().and_then(Path::file_name);
        if let Some(file) = name.map(|name| self.files.games_folder().join(name)) {
            self.files.mark_open(Some(&file));
            self.file = Some(file);
        }
        if let Some(record) = self.record.clone() {
            self.keep(record);
        }
        self.tell(format!("Games are kept in {} from now on.", self.app.games_folder.display()));
    }
}

/// Places that games could be kept in as well.
pub(super) fn other_folders(files: &Files) -> Vec<PathBuf> {
    let mut folders = vec![files.usual_games_folder()];
    if let Some(person) = UserDirs::new() {
        folders.extend(person.document_dir().map(|folder| folder.join("Tabuleiro")));
        folders.push(person.home_dir().join("Tabuleiro"));
    }
    folders.push(std::env::temp_dir().join("tabuleiro"));
    folders
}

/// A folder as people write it; `None` if nothing was.
fn folder_of(typed: &str) -> Option<PathBuf> {
    if typed.is_empty() {
        return None;
    }
    let at_home = typed.strip_prefix("~/").or((typed == "~").then_some(""));
    let home = at_home.and_then(|rest| Some(UserDirs::new()?.home_dir().join(rest)));
    Some(home.unwrap_or_else(|| typed.into()))
}
