//! The games of a match that are written down, wherever they are.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use tracing::warn;

use super::file::File;
use super::folder::Folder;
use super::game::{self, Document};
use super::head::Head;
use super::lock::Lock;
use crate::catalog::Catalog;
use crate::matches::{GameResult, Schedule, Settings};
use crate::table::Table;

/// Where the games of a match are written down: a file for each in a folder, or a line for each in
/// one file.
#[derive(Debug)]
pub struct Records {
    settings: Settings,
    storage: Box<dyn Storage>,
    /// None while they are only read.
    _lock: Option<Lock>,
}

/// What a folder of games and a file of games have in common.
pub(super) trait Storage: Debug + Send + Sync {
    fn path(&self) -> &Path;

    /// Of all games that are there, in no order.
    fn numbers(&self) -> Result<Vec<u32>, String>;

    /// A game, as often as it is there.
    fn copies(&self, number: u32) -> Result<Vec<Written>, String>;

    /// What is there and can be no game.
    fn unreadable(&self) -> Vec<Damage> {
        Vec::new()
    }

    /// The name of a place, for people.
    fn shown(&self, place: u64) -> String;

    /// Moves what is at these places out of the way. Gives where each of them is then.
    fn set_aside(&self, places: &[u64]) -> Result<Vec<PathBuf>, String>;

    /// Writes a game down. It is on disk after the next [`Storage::sync`].
    fn write(&self, game: &Document<'_>) -> Result<(), String>;

    /// Waits until these games are on disk.
    fn sync(&self, numbers: &[u32]) -> Result<(), String>;
}

/// A game that was written down.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) place: u64,
    /// What is there, or why it cannot be read.
    pub(super) text: Result<Vec<u8>, String>,
}

impl Written {
    /// Whether two are the same game.
    fn agrees(&self, other: &Written) -> bool {
        matches!((&self.text, &other.text), (Ok(one), Ok(two)) if game::agree(one, two))
    }
}

/// What should be a game of the match and is not.
#[derive(Clone, Debug)]
pub(super) struct Damage {
    /// The number of a file or of a line.
    pub(super) place: u64,
    pub(super) reason: String,
}

/// What was found of a match.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) results: BTreeMap<u32, GameResult>,
    /// How many of them are there a second time.
    pub(super) twice: usize,
    pub(super) damaged: Vec<Damage>,
}

impl Records {
    /// A place for a match, new or empty; or, to go on with it, one that holds this very match. A
    /// name that ends with `.jsonl` is that of a file.
    pub fn open(
        path: &Path,
        settings: &Settings,
        schedule: &Schedule,
        resume: bool,
    ) -> Result<Records, String> {
        let (storage, lock): (Box<dyn Storage>, Lock) = if File::is_name_of_one(path) {
            let (file, lock) = File::open(path, settings, schedule, resume)?;
            (Box::new(file), lock)
        } else {
            let (folder, lock) = Folder::open(path, settings, schedule, resume)?;
            (Box::new(folder), lock)
        };
        Ok(Records { settings: settings.clone(), storage, _lock: Some(lock) })
    }

    /// Those of any match, and what stands at their head.
    pub(super) fn read(path: &Path) -> Result<(Records, Head<Settings>), String> {
        let (storage, head): (Box<dyn Storage>, _) = if path.is_dir() {
            let (folder, head) = Folder::read(path)?;
            (Box::new(folder), head)
        } else {
            let (file, head) = File::read(path)?;
            (Box::new(file), head)
        };
        Ok((Records { settings: head.contents.settings.clone(), storage, _lock: None }, head))
    }

    pub(super) fn path(&self) -> &Path {
        self.storage.path()
    }

    /// All that is there.
    pub(super) fn find_all(&self, catalog: &Catalog) -> Result<Found, String> {
        self.find(catalog, self.storage.numbers()?)
    }

    fn find(&self, catalog: &Catalog, numbers: impl IntoIterator<Item = u32>) -> Result<Found, String> {
        let mut found = Found { damaged: self.storage.unreadable(), ..Found::default() };
        for number in numbers {
            let mut first: Option<Written> = None;
            for copy in self.storage.copies(number)? {
                let read = |text: &Vec<u8>| game::read(catalog, &self.settings, number, text);
                match (copy.text.as_ref().map_err(String::clone).and_then(read), &first) {
                    (Err(reason), _) => found.damaged.push(Damage { place: copy.place, reason }),
                    (Ok(result), None) => {
                        found.results.insert(number, result);
                        first = Some(copy);
                    }
                    (Ok(_), Some(first)) if first.agrees(&copy) => found.twice += 1,
                    (Ok(_), Some(first)) => {
                        let [first, copy] = [first.place, copy.place].map(|place| self.storage.shown(place));
                        return Err(format!(
                            "game {number} is there twice, and not the same: {first} and {copy}; remove one of them"
                        ));
                    }
                }
            }
        }
        Ok(found)
    }

    /// What is wrong at a place, for people.
    pub(super) fn describe(&self, damage: &Damage) -> String {
        format!("{}: {}", self.storage.shown(damage.place), damage.reason)
    }

    /// Those of the games that need not be played again. What is damaged is set aside, and is as if
    /// it were not there.
    pub(in crate::matches) fn there_already(
        &self,
        catalog: &Catalog,
        schedule: &Schedule,
    ) -> Result<BTreeMap<u32, GameResult>, String> {
        let found = self.find(catalog, schedule.numbers())?;
        if !found.damaged.is_empty() {
            let places: Vec<u64> = found.damaged.iter().map(|damage| damage.place).collect();
            for (damage, aside) in found.damaged.iter().zip(self.storage.set_aside(&places)?) {
                let what = self.describe(damage);
                warn!("{what}; moved to {}, and what is missing is played again", aside.display());
            }
        }
        Ok(found.results)
    }

    /// Writes a game down. It is on disk after the next [`Records::sync`]: players do not wait.
    pub(in crate::matches) fn write(&self, table: &Table, result: &GameResult) -> Result<(), String> {
        self.storage.write(&Document::of(table, result))
    }

    /// Waits until these games are on disk.
    pub(in crate::matches) fn sync(&self, numbers: &[u32]) -> Result<(), String> {
        self.storage.sync(numbers)
    }

    /// Whether a game is the same in others as here, as far as they have it.
    pub(super) fn agree(&self, other: &Records, number: u32) -> Result<bool, String> {
        let (here, there) = (self.storage.copies(number)?, other.storage.copies(number)?);
        // Within one place the copies that count are all the same: one pair that agrees is enough.
        Ok(here.iter().any(|here| there.iter().any(|there| here.agrees(there))))
    }
}
