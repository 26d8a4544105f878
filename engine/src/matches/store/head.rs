//! The document at the head of a folder, which says what the folder holds.

use std::path::Path;
use std::{fs, io};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::matches::Schedule;
use crate::statistics::Sprt;

const VERSION: u32 = 1;

/// What a folder of records holds is said by a document at its head.
#[derive(Debug)]
pub(super) struct Head {
    file: &'static str,
    format: &'static str,
    noun: &'static str,
}

pub(super) const MATCH: Head = Head { file: "match.json", format: "tabuleiro-match", noun: "match" };
pub(super) const TOURNAMENT: Head =
    Head { file: "tournament.json", format: "tabuleiro-tournament", noun: "tournament" };

/// What the document says. Members that came later may be missing in an old one.
#[derive(Debug, Deserialize)]
pub(super) struct Contents<S> {
    #[serde(flatten)]
    pub(super) settings: S,
    pub(super) games: Option<u32>,
    pub(super) sprt: Option<Sprt>,
}

/// The document's members that may change when a match is resumed.
const CHANGEABLE: [&str; 2] = ["games", "sprt"];
/// Those in which the parts of one match may differ.
const OF_ONE_PART: [&str; 2] = ["games", "shard"];

impl Head {
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        folder.join(self.file).exists()
    }

    /// Begins a folder that is new or empty; or, to go on with it, checks that it holds this very
    /// match.
    pub(super) fn open(
        &self,
        folder: &Path,
        settings: &impl Serialize,
        schedule: &Schedule,
        resume: bool,
    ) -> Result<(), String> {
        let noun = self.noun;
        let shown = folder.display();
        fs::create_dir_all(folder).map_err(|error| format!("{shown}: {error}"))?;
        let mut here = self.document(settings, schedule);
        let Some(there) = self.read_document(folder)? else {
            let mut entries = fs::read_dir(folder).map_err(|error| format!("{shown}: {error}"))?;
            if entries.next().is_some() {
                return Err(format!("{shown} holds files, but no {noun}: choose an empty folder"));
            }
            return self.write(folder, &here);
        };
        if !resume {
            return Err(format!("{shown} holds a {noun} already: --resume goes on with it"));
        }
        let differences: Vec<String> = differing(&there, &here, &CHANGEABLE)
            .map(|(name, there, here)| format!("{name} was {there} there and is {here} here"))
            .collect();
        if !differences.is_empty() {
            return Err(format!("{shown}: this is another {noun}: {}", differences.join("; ")));
        }
        // Whoever looks at fewer games than there are has not made the match shorter.
        let games = there.get("games").and_then(Value::as_u64).unwrap_or(0);
        here["games"] = games.max(schedule.games.into()).into();
        if here == there { Ok(()) } else { self.write(folder, &here) }
    }

    fn write(&self, folder: &Path, document: &Map<String, Value>) -> Result<(), String> {
        let text = as_text(document)?;
        tabuleiro_files::write(&folder.join(self.file), text).map_err(|error| error.to_string())
    }

    fn document(&self, settings: &impl Serialize, schedule: &Schedule) -> Map<String, Value> {
        let parts = [json!({"format": self.format, "version": VERSION}), json!(settings), json!(schedule)];
        parts.iter().filter_map(Value::as_object).flatten().map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    fn read_document(&self, folder: &Path) -> Result<Option<Map<String, Value>>, String> {
        let text = match fs::read_to_string(folder.join(self.file)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", folder.join(self.file).display())),
        };
        serde_json::from_str(&text).map(Some).map_err(|error| self.damage(folder, &error))
    }

    /// What a folder holds of which nothing is known yet.
    pub(super) fn read<S: DeserializeOwned>(&self, folder: &Path) -> Result<Contents<S>, String> {
        let Head { file, format, noun } = self;
        let document = self
            .read_document(folder)?
            .ok_or_else(|| format!("{} holds no {noun}: there is no {file}", folder.display()))?;
        for (name, wanted) in [("format", json!(format)), ("version", json!(VERSION))] {
            let found = document.get(name).unwrap_or(&Value::Null);
            if *found != wanted {
                return Err(self.damage(folder, &format!("{name} is {found} and should be {wanted}")));
            }
        }
        let contents: Contents<S> =
            serde_json::from_value(document.into()).map_err(|error| self.damage(folder, &error))?;
        match contents.games {
            Some(games) if games > Schedule::MOST_GAMES => {
                let most = Schedule::MOST_GAMES;
                Err(self.damage(folder, &format!("games is {games} and may be {most} at most")))
            }
            _ => Ok(contents),
        }
    }

    /// Refuses another folder that holds something else than the first.
    pub(super) fn check_same(&self, first: &Path, other: &Path) -> Result<(), String> {
        let (Some(one), Some(another)) = (self.read_document(first)?, self.read_document(other)?) else {
            return Ok(());
        };
        let differences: Vec<String> = differing(&one, &another, &OF_ONE_PART)
            .map(|(name, one, another)| format!("{name} is {another} and not {one}"))
            .collect();
        if differences.is_empty() {
            return Ok(());
        }
        let (first, other, noun) = (first.display(), other.display(), self.noun);
        Err(format!("{other} holds another {noun} than {first}: {}", differences.join("; ")))
    }

    fn damage(&self, folder: &Path, reason: &impl ToString) -> String {
        format!("{} is damaged: {}", folder.join(self.file).display(), reason.to_string())
    }
}

/// The members that differ in two documents, but for those that may.
fn differing<'a>(
    one: &'a Map<String, Value>,
    other: &'a Map<String, Value>,
    may: &'a [&str],
) -> impl Iterator<Item = (&'a str, &'a Value, &'a Value)> {
    other.iter().filter_map(|(name, value)| {
        let found = one.get(name).unwrap_or(&Value::Null);
        let differs = found != value && !may.contains(&name.as_str());
        differs.then_some((name.as_str(), found, value))
    })
}

/// A document as it is kept: JSON that people can read.
pub(super) fn as_text(document: &impl Serialize) -> Result<String, String> {
    serde_json::to_string_pretty(document).map(|text| text + "\n").map_err(|error| error.to_string())
}
