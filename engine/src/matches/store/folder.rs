//! The games of a match in a folder: what is played in `match.json`, game 7 in `7.json`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tabuleiro_files::Links;

use super::game::Document;
use super::head::{Head, MATCH, as_text};
use super::lock::Lock;
use super::records::{Storage, Written};
use crate::matches::{Schedule, Settings};

/// As many names are tried for what is set aside.
const MOST_ASIDE: u32 = 1000;

/// A folder of games.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A folder that is new or empty; or, to go on with it, one that holds this very match.
    pub(super) fn open(
        path: &Path,
        settings: &Settings,
        schedule: &Schedule,
        resume: bool,
    ) -> Result<(Folder, Lock), String> {
        let lock = MATCH.open(path, settings, schedule, resume)?;
        Ok((Folder { path: path.to_owned() }, lock))
    }

    /// A folder of any match.
    pub(super) fn read(path: &Path) -> Result<(Folder, Head<Settings>), String> {
        let head = MATCH.read(path)?;
        Ok((Folder { path: path.to_owned() }, head))
    }

    fn file_of(&self, number: impl Into<u64>) -> PathBuf {
        self.path.join(format!("{}.json", number.into()))
    }
}

impl Storage for Folder {
    fn path(&self) -> &Path {
        &self.path
    }

    fn numbers(&self) -> Result<Vec<u32>, String> {
        let entries = fs::read_dir(&self.path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let files = entries.map_err(|error| format!("{}: {error}", self.path.display()))?;
        let number = |name: &OsStr| name.to_str()?.strip_suffix(".json")?.parse().ok();
        let numbers = files.iter().filter_map(|file| number(&file.file_name()));
        Ok(numbers.filter(|number| (1..=Schedule::MOST_GAMES).contains(number)).collect())
    }

    fn copies(&self, number: u32) -> Result<Vec<Written>, String> {
        let file = self.file_of(number);
        match tabuleiro_files::read(&file, Links::Refused) {
            // All that is left of a game that had not been synced when the machine crashed.
            Ok(text) if text.is_empty() => Ok(Vec::new()),
            Err(error) if error.is_not_found() => Ok(Vec::new()),
            text => {
                let text = text.map_err(|error| io::Error::from(error).to_string());
                Ok(vec![Written { place: number.into(), text }])
            }
        }
    }

    fn shown(&self, place: u64) -> String {
        self.file_of(place).display().to_string()
    }

    /// What was set aside before makes way, unless a file would take the place of a folder or the
    /// other way round.
    fn set_aside(&self, places: &[u64]) -> Result<Vec<PathBuf>, String> {
        let set_aside = |&place: &u64| {
            let file = self.file_of(place);
            let mut aside = file.with_extension("json.damaged");
            for number in 2.. {
                match fs::rename(&file, &aside) {
                    Ok(()) => break,
                    Err(_) if number <= MOST_ASIDE && aside.symlink_metadata().is_ok() => {
                        aside = file.with_extension(format!("json.damaged-{number}"));
                    }
                    Err(error) => return Err(format!("{}: {error}", file.display())),
                }
            }
            Ok(aside)
        };
        places.iter().map(set_aside).collect()
    }

    fn write(&self, game: &Document<'_>) -> Result<(), String> {
        let file = self.file_of(game.number());
        tabuleiro_files::write_unsynced(&file, as_text(game)?).map_err(|error| error.to_string())
    }

    fn sync(&self, numbers: &[u32]) -> Result<(), String> {
        let files: Vec<PathBuf> = numbers.iter().map(|&number| self.file_of(number)).collect();
        tabuleiro_files::sync(&self.path, &files).map_err(|error| error.to_string())
    }
}
