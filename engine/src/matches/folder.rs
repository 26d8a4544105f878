use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::game::seats;
use super::{GameResult, Settings, seat_of_a};
use crate::record::{self, Record};
use crate::table::Table;
use crate::whole_file;

const FORMAT: &str = "tabuleiro-match";
const VERSION: u32 = 1;

/// Where the games of a match are written down: its settings in `match.json`, game 7 in `7.json`.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    settings: Settings,
}

/// A game's document: a record that every engine can load, and what the match wants to know besides.
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
    pub fn open(path: &Path, settings: &Settings, resume: bool) -> Result<Folder, String> {
        let folder = Folder { path: path.to_owned(), settings: settings.clone() };
        let shown = path.display();
        fs::create_dir_all(path).map_err(|error| format!("{shown}: {error}"))?;
        let file = path.join("match.json");
        match fs::read_to_string(&file) {
            Ok(_) if !resume => {
                return Err(format!("{shown} holds a match already: --resume goes on with it"));
            }
            Ok(text) => folder.check_settings(&text).map_err(|reason| format!("{shown}: {reason}"))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mut entries = fs::read_dir(path).map_err(|error| format!("{shown}: {error}"))?;
                if entries.next().is_some() {
                    return Err(format!("{shown} holds files, but no match: choose an empty folder"));
                }
                write_json(&file, &folder.head())?;
            }
            Err(error) => return Err(format!("{}: {error}", file.display())),
        }
        Ok(folder)
    }

    fn head(&self) -> Value {
        let mut head = json!({"format": FORMAT, "version": VERSION});
        if let (Value::Object(head), Value::Object(settings)) = (&mut head, json!(self.settings)) {
            head.extend(settings);
        }
        head
    }

    /// Says what differs, if it is another match.
    fn check_settings(&self, text: &str) -> Result<(), String> {
        let there: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| format!("match.json is damaged: {error}"))?;
        let here = self.head();
        let differences: Vec<String> = here
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| {
                let found = there.get(name).unwrap_or(&Value::Null);
                (found != value).then(|| format!("{name} was {found} there and is {value} here"))
            })
            .collect();
        if differences.is_empty() {
            Ok(())
        } else {
            Err(format!("this is another match: {}", differences.join("; ")))
        }
    }

    fn file_of(&self, number: u32) -> PathBuf {
        self.path.join(format!("{number}.json"))
    }

    /// The games up to this number that are there already.
    pub fn results(&self, games: u32) -> Result<BTreeMap<u32, GameResult>, String> {
        let mut results = BTreeMap::new();
        for number in 1..=games {
            let file = self.file_of(number);
            let result = match fs::read_to_string(&file) {
                Ok(text) => self.read(number, &text),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => Err(error.to_string()),
            };
            results.insert(number, result.map_err(|reason| format!("{}: {reason}", file.display()))?);
        }
        Ok(results)
    }

    fn read(&self, number: u32, text: &str) -> Result<GameResult, String> {
        let table = record::load_text(String::new(), text).map_err(|error| error.message)?;
        let MatchMember { r#match: result } =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Settings { game, options, .. } = &self.settings;
        let opening = table.opening();
        let is_of_this_match = result.number == number
            && result.seat_of_a == seat_of_a(number)
            && opening.kind.id == game
            && json!(opening.options.values()) == json!(options)
            && opening.seed == self.settings.seed_of_game(number)
            && *table.seats() == seats(&self.settings, result.seat_of_a)
            && table.outcome().is_none_or(|outcome| outcome == result.outcome);
        if is_of_this_match { Ok(result) } else { Err(format!("this is not game {number} of the match")) }
    }

    pub(super) fn write(&self, table: &Table, result: &GameResult) -> Result<(), String> {
        let document = Document { record: Record::of(table), r#match: result };
        write_json(&self.file_of(result.number), &document)
    }
}

fn write_json(file: &Path, document: &impl Serialize) -> Result<(), String> {
    let text = serde_json::to_string_pretty(document).map_err(|error| error.to_string())?;
    whole_file::write(file, &format!("{text}\n")).map_err(|error| format!("{}: {error}", file.display()))
}
