//! The document at the head of records, which says what they are records of.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tabuleiro_files::Links;

use super::lock::Lock;
use crate::bots;
use crate::matches::{Schedule, Shard};
use crate::statistics::Sprt;

const VERSION: u32 = 1;

/// What records can be of. In a folder the document at their head is a file of its own.
#[derive(Debug)]
pub(super) struct Kind {
    file: &'static str,
    pub(super) format: &'static str,
    noun: &'static str,
}

pub(super) const MATCH: Kind = Kind { file: "match.json", format: "tabuleiro-match", noun: "match" };
pub(super) const TOURNAMENT: Kind =
    Kind { file: "tournament.json", format: "tabuleiro-tournament", noun: "tournament" };

/// The document, whatever it says.
pub(super) type Document = Map<String, Value>;

/// A document that could be read.
#[derive(Debug)]
pub(super) struct Head<S> {
    /// The folder or file that it stands at the head of.
    path: PathBuf,
    document: Document,
    pub(super) contents: Contents<S>,
}

/// What the document says. Members that came later may be missing in an old one.
#[derive(Debug, Deserialize)]
pub(super) struct Contents<S> {
    #[serde(flatten)]
    pub(super) settings: S,
    pub(super) games: Option<u32>,
    pub(super) shard: Option<Shard>,
    pub(super) sprt: Option<Sprt>,
}

/// The document's members that may change when a match is resumed.
const CHANGEABLE: [&str; 2] = ["games", "sprt"];
/// Those in which the parts of one match may differ.
const OF_ONE_PART: [&str; 2] = ["games", "shard"];

/// What it is in a document that does not say it yet.
static USUAL_MARGIN: LazyLock<Value> = LazyLock::new(|| json!(bots::MARGIN.as_millis() as u64));

/// The lock of a folder.
const LOCK: &str = ".lock";

impl Kind {
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        folder.join(self.file).exists()
    }

    /// Begins a folder that is new or empty; or, to go on with it, checks that it holds this very
    /// match. It is ours as long as the lock is.
    pub(super) fn open(
        &self,
        folder: &Path,
        settings: &impl Serialize,
        schedule: &Schedule,
        resume: bool,
    ) -> Result<Lock, String> {
        let shown = folder.display();
        let not_opened = |error: io::Error| format!("{shown}: {error}");
        fs::create_dir_all(folder).map_err(not_opened)?;
        let lock = Lock::take(&folder.join(LOCK), folder)?;
        let here = self.document(settings, schedule);
        let Some(there) = self.read_document(folder)? else {
            let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
            let mut names = entries.map_err(not_opened)?.into_iter().map(|entry| entry.file_name());
            if names
                .any(|name| name != LOCK && !name.to_string_lossy().ends_with(tabuleiro_files::UNFINISHED))
            {
                return Err(format!("{shown} holds files, but no {}: choose an empty folder", self.noun));
            }
            return self.write(folder, &here).map(|()| lock);
        };
        let document = self.gone_on_with(folder, &there, here, resume)?;
        if document != there {
            self.write(folder, &document)?;
        }
        Ok(lock)
    }

    /// What stands at the head of records from now on, if this very match is gone on with.
    pub(super) fn gone_on_with(
        &self,
        path: &Path,
        there: &Document,
        mut here: Document,
        resume: bool,
    ) -> Result<Document, String> {
        let (noun, path) = (self.noun, path.display());
        if !resume {
            return Err(format!("{path} holds a {noun} already: --resume goes on with it"));
        }
        let differences: Vec<String> = differing(there, &here, &CHANGEABLE)
            .map(|(name, there, here)| format!("{name} was {there} there and is {here} here"))
            .collect();
        if !differences.is_empty() {
            return Err(format!("{path}: this is another {noun}: {}", differences.join("; ")));
        }
        // Whoever looks at fewer games than there are has not made the match shorter.
        let games = |document: &Document| document.get("games").and_then(Value::as_u64).unwrap_or(0);
        here["games"] = games(there).max(games(&here)).into();
        Ok(here)
    }

    fn write(&self, folder: &Path, document: &Document) -> Result<(), String> {
        let text = as_text(document)?;
        tabuleiro_files::write(&folder.join(self.file), text).map_err(|error| error.to_string())
    }

    pub(super) fn document(&self, settings: &impl Serialize, schedule: &Schedule) -> Document {
        let parts = [json!({"format": self.format, "version": VERSION}), json!(settings), json!(schedule)];
        parts.iter().filter_map(Value::as_object).flatten().map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    fn read_document(&self, folder: &Path) -> Result<Option<Document>, String> {
        let file = folder.join(self.file);
        let text = match tabuleiro_files::read(&file, Links::Followed) {
            Ok(text) => text,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        serde_json::from_slice(&text).map(Some).map_err(|error| damage(&file, &error))
    }

    /// What a folder holds of which nothing is known yet.
    pub(super) fn read<S: DeserializeOwned>(&self, folder: &Path) -> Result<Head<S>, String> {
        let Kind { file, noun, .. } = self;
        let document = self
            .read_document(folder)?
            .ok_or_else(|| format!("{} holds no {noun}: there is no {file}", folder.display()))?;
        self.head(folder, &folder.join(file), document)
    }

    /// Checks a document that stands in this file at the head of this folder, which may be the same.
    pub(super) fn head<S: DeserializeOwned>(
        &self,
        path: &Path,
        file: &Path,
        document: Document,
    ) -> Result<Head<S>, String> {
        for (name, wanted) in [("format", json!(self.format)), ("version", json!(VERSION))] {
            let found = document.get(name).unwrap_or(&Value::Null);
            if *found != wanted {
                return Err(damage(file, &format!("{name} is {found} and should be {wanted}")));
            }
        }
        let contents: Contents<S> =
            serde_json::from_value(document.clone().into()).map_err(|error| damage(file, &error))?;
        match contents.games {
            Some(games) if games > Schedule::MOST_GAMES => {
                let most = Schedule::MOST_GAMES;
                Err(damage(file, &format!("games is {games} and may be {most} at most")))
            }
            _ => Ok(Head { path: path.to_owned(), document, contents }),
        }
    }

    /// Refuses other records of something else than the first.
    pub(super) fn check_same<S>(&self, first: &Head<S>, other: &Head<S>) -> Result<(), String> {
        let differences: Vec<String> = differing(&first.document, &other.document, &OF_ONE_PART)
            .map(|(name, one, another)| format!("{name} is {another} and not {one}"))
            .collect();
        if differences.is_empty() {
            return Ok(());
        }
        let (first, other, noun) = (first.path.display(), other.path.display(), self.noun);
        Err(format!("{other} holds another {noun} than {first}: {}", differences.join("; ")))
    }
}

fn damage(file: &Path, reason: &impl ToString) -> String {
    format!("{} is damaged: {}", file.display(), reason.to_string())
}

/// The members that differ in two documents, but for those that may.
fn differing<'a>(
    one: &'a Document,
    other: &'a Document,
    may: &'a [&str],
) -> impl Iterator<Item = (&'a str, &'a Value, &'a Value)> {
    other.iter().filter_map(|(name, value)| {
        let missing = if name == "bot_margin_ms" { &*USUAL_MARGIN } else { &Value::Null };
        let found = one.get(name).unwrap_or(missing);
        let differs = found != value && !may.contains(&name.as_str());
        differs.then_some((name.as_str(), found, value))
    })
}

/// A document as a file of its own: JSON that people can read.
pub(super) fn as_text(document: &impl Serialize) -> Result<String, String> {
    serde_json::to_string_pretty(document).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// A document as a line.
pub(super) fn as_line(document: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(document).map(|text| text + "\n").map_err(|error| error.to_string())
}
