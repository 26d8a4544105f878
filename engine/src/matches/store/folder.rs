//! The folder of a match: its games as records that every engine can load.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::head::{Contents, MATCH, as_text};
use crate::catalog::Catalog;
use crate::matches::plan::seat_of_a;
use crate::matches::{GameResult, Schedule, Settings};
use crate::table::Table;
use crate::table::record::{self, Record};

/// Where the games of a match are written down: what is played in `match.json`, game 7 in `7.json`.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    settings: Settings,
}

/// A game's document: a record that every engine can load, and what the match wants to know
/// besides.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    record: Record,
    r#match: &'a GameResult,
}

#[derive(Deserialize)]
struct MatchMember {
    r#match: GameResult,
}

impl Folder {
    /// A folder that is new or empty; or, to go on with it, one that holds this very match.
    pub fn open(
        path: &Path,
        settings: &Settings,
        schedule: &Schedule,
        resume: bool,
    ) -> Result<Folder, String> {
        MATCH.open(path, settings, schedule, resume)?;
        Ok(Folder { path: path.to_owned(), settings: settings.clone() })
    }

    /// A folder of any match.
    pub(super) fn read(path: &Path) -> Result<(Folder, Contents<Settings>), String> {
        let contents: Contents<Settings> = MATCH.read(path)?;
        Ok((Folder { path: path.to_owned(), settings: contents.settings.clone() }, contents))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn file_of(&self, number: u32) -> PathBuf {
        self.path.join(format!("{number}.json"))
    }

    /// The numbers of all games that are there, in no order.
    pub(super) fn numbers(&self) -> Result<Vec<u32>, String> {
        let entries = fs::read_dir(&self.path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let files = entries.map_err(|error| format!("{}: {error}", self.path.display()))?;
        let number = |name: &OsStr| name.to_str()?.strip_suffix(".json")?.parse().ok();
        let numbers = files.iter().filter_map(|file| number(&file.file_name()));
        Ok(numbers.filter(|number| (1..=Schedule::MOST_GAMES).contains(number)).collect())
    }

    /// Those of the games that are there already.
    pub(in crate::matches) fn results(
        &self,
        catalog: &Catalog,
        numbers: impl IntoIterator<Item = u32>,
    ) -> Result<BTreeMap<u32, GameResult>, String> {
        let mut results = BTreeMap::new();
        for number in numbers {
            let file = self.file_of(number);
            let result = match fs::read_to_string(&file) {
                // All that is left of a game that had not been synced when the machine crashed.
                Ok(text) if text.is_empty() => continue,
                Ok(text) => self.read_game(catalog, number, &text),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => Err(error.to_string()),
            };
            results.insert(number, result.map_err(|reason| format!("{}: {reason}", file.display()))?);
        }
        Ok(results)
    }

    fn read_game(&self, catalog: &Catalog, number: u32, text: &str) -> Result<GameResult, String> {
        let table = record::load_text(catalog, String::new(), text).map_err(|error| error.to_string())?;
        let MatchMember { r#match: result } =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Settings { game, options, .. } = &self.settings;
        let setup = table.session().setup();
        let is_of_this_match = result.number == number
            && result.seat_of_a == seat_of_a(number)
            && setup.game == game
            && json!(setup.options.values()) == json!(options)
            && setup.seed == self.settings.seed_of_game(number)
            && *table.seats() == self.settings.seats(result.seat_of_a)
            && table.outcome().is_none_or(|outcome| outcome == result.outcome);
        if is_of_this_match { Ok(result) } else { Err(format!("this is not game {number} of the match")) }
    }

    /// Writes a game down. It is on disk after the next [`Folder::sync`]: players do not wait.
    pub(in crate::matches) fn write(&self, table: &Table, result: &GameResult) -> Result<(), String> {
        let text = as_text(&Document { record: Record::of(table), r#match: result })?;
        tabuleiro_files::write_unsynced(&self.file_of(result.number), text).map_err(|error| error.to_string())
    }

    /// Waits until these games are on disk.
    pub(in crate::matches) fn sync(&self, numbers: &[u32]) -> Result<(), String> {
        let files: Vec<PathBuf> = numbers.iter().map(|&number| self.file_of(number)).collect();
        tabuleiro_files::sync(&self.path, &files).map_err(|error| error.to_string())
    }

    /// Whether another folder tells the same game: all of it but how long the players took.
    pub(super) fn agrees_with(&self, other: &Folder, number: u32) -> Result<bool, String> {
        let without_times = |folder: &Folder| {
            let file = folder.file_of(number);
            let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let mut game: Value =
                serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
            for time in ["/match/effort/a/time_us", "/match/effort/b/time_us"] {
                game.pointer_mut(time).map(Value::take);
            }
            Ok::<_, String>(game)
        };
        Ok(without_times(self)? == without_times(other)?)
    }
}
