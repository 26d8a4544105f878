//! Settings and games on disk. Every file is written whole or not at all.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::settings::Settings;

/// A game as it is kept: the engine's record, and what a list of games shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameFile {
    pub game: String,
    /// In words: who plays and how far they are.
    pub title: String,
    pub finished: bool,
    pub record: Value,
}

/// A game that is kept, as a list of them shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    pub path: PathBuf,
    /// The game's id.
    pub game: String,
    pub title: String,
    pub finished: bool,
    pub changed: SystemTime,
}

/// The folder of settings and games, and the thread that writes there, so that no frame waits for a
/// disk.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    orders: Option<Sender<Order>>,
    writer: Option<JoinHandle<()>>,
    /// Locked as long as this program runs; it says which game is open.
    marker: Option<(PathBuf, File)>,
}

#[derive(Debug)]
struct Order {
    path: PathBuf,
    text: String,
}

impl Files {
    /// Uses a folder, and makes it if it is not there. Also gives the game that was open when a
    /// program ended without meaning to.
    pub fn open(folder: &Path) -> io::Result<(Files, Option<PathBuf>)> {
        fs::create_dir_all(folder.join("games"))?;
        fs::create_dir_all(folder.join("open"))?;
        let interrupted = take_interrupted(&folder.join("open"))?;
        let (marker_path, marker) = new_marker(&folder.join("open"))?;
        let (orders, received) = channel::<Order>();
        let writer = thread::spawn(move || {
            for order in received {
                if let Err(error) = tabuleiro_files::write(&order.path, &order.text) {
                    eprintln!("not saved: {error}");
                }
            }
        });
        let files = Files {
            folder: folder.to_path_buf(),
            orders: Some(orders),
            writer: Some(writer),
            marker: Some((marker_path, marker)),
        };
        Ok((files, interrupted))
    }

    /// The settings as they were kept; the usual ones if there are none or they cannot be read.
    pub fn settings(&self) -> Settings {
        fs::read_to_string(self.folder.join("settings.json"))
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    pub fn keep_settings(&self, settings: &Settings) {
        self.write(self.folder.join("settings.json"), settings);
    }

    /// Where a new game will be kept.
    pub fn place_for(&self, game: &str) -> PathBuf {
        self.folder.join("games").join(format!("{}-{game}.json", milliseconds()))
    }

    pub fn keep_game(&self, path: &Path, file: &GameFile) {
        self.write(path.to_path_buf(), file);
    }

    /// Says which game is open, for the case that this program does not come to its end.
    pub fn mark_open(&mut self, path: Option<&Path>) {
        let Some((_, marker)) = &mut self.marker else { return };
        let name = path
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        // A marker that cannot be written only means that nothing is offered after a crash.
        let _ = io::Seek::rewind(marker)
            .and_then(|()| marker.set_len(0))
            .and_then(|()| marker.write_all(name.as_bytes()));
    }

    pub fn read_game(&self, path: &Path) -> Result<GameFile, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        serde_json::from_str(&text)
            .map_err(|error| format!("{} is not a game that was kept: {error}", path.display()))
    }

    /// All games that are kept, the last first. Files that are something else are left out.
    pub fn games(&self) -> Vec<SavedGame> {
        let Ok(entries) = fs::read_dir(self.folder.join("games")) else { return Vec::new() };
        let mut games: Vec<SavedGame> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let path = entry.path();
                if path.extension()? != "json" {
                    return None;
                }
                let GameFile { game, title, finished, .. } = self.read_game(&path).ok()?;
                Some(SavedGame {
                    changed: entry.metadata().ok()?.modified().ok()?,
                    path,
                    game,
                    title,
                    finished,
                })
            })
            .collect();
        games.sort_by_key(|game| std::cmp::Reverse(game.changed));
        games
    }

    pub fn pictures(&self) -> PathBuf {
        self.folder.join("pictures").join(format!("{}.png", milliseconds()))
    }

    fn write(&self, path: PathBuf, content: &impl Serialize) {
        if let (Ok(text), Some(orders)) = (serde_json::to_string_pretty(content), &self.orders) {
            let _ = orders.send(Order { path, text });
        }
    }
}

/// Waits until everything is on disk.
impl Drop for Files {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
        if let Some((path, _)) = self.marker.take() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Markers that nobody holds belong to programs that did not come to their end. The newest one that
/// names a game counts; all of them go.
fn take_interrupted(folder: &Path) -> io::Result<Option<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut interrupted = None;
    for path in paths {
        let marker = File::open(&path)?;
        if let Err(TryLockError::WouldBlock) = marker.try_lock() {
            continue;
        }
        let name = fs::read_to_string(&path).unwrap_or_default();
        if !name.is_empty() {
            interrupted = folder.parent().map(|folder| folder.join("games").join(name));
        }
        fs::remove_file(&path)?;
    }
    Ok(interrupted)
}

/// A marker of its own for this program, and locked.
fn new_marker(folder: &Path) -> io::Result<(PathBuf, File)> {
    let began = milliseconds();
    for number in 0.. {
        let path = folder.join(format!("{began}-{number}"));
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            marker => {
                let marker = marker?;
                marker.lock()?;
                return Ok((path, marker));
            }
        }
    }
    Err(io::Error::other("there are too many of these programs"))
}

fn milliseconds() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(title: &str) -> GameFile {
        GameFile {
            game: "zurero".into(),
            title: title.into(),
            finished: false,
            record: serde_json::json!({"played": []}),
        }
    }

    #[test]
    fn what_is_kept_is_there_the_next_time() {
        let folder = tempfile::tempdir().unwrap();
        let path;
        {
            let (mut files, interrupted) = Files::open(folder.path()).unwrap();
            assert_eq!(interrupted, None);
            assert_eq!(files.settings(), Settings::default());
            files.keep_settings(&Settings { theme: "night".into(), ..Settings::default() });
            path = files.place_for("zurero");
            files.mark_open(Some(&path));
            files.keep_game(&path, &game("first"));
            files.keep_game(&path, &game("second"));
        }
        fs::write(folder.path().join("games/notes.txt"), "not a game").unwrap();
        fs::write(folder.path().join("games/broken.json"), "{").unwrap();
        let (files, interrupted) = Files::open(folder.path()).unwrap();
        assert_eq!(interrupted, None, "the program came to its end");
        assert_eq!(files.settings().theme, "night");
        assert_eq!(files.games().len(), 1);
        assert_eq!(files.games()[0].title, "second");
        assert_eq!(files.read_game(&path), Ok(game("second")));
        assert!(files.read_game(&folder.path().join("games/broken.json")).is_err());
    }

    #[test]
    fn a_game_that_was_open_in_a_crash_is_named_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("open")).unwrap();
        fs::write(folder.path().join("open/1-1"), "5-fabrik.json").unwrap();
        let (mut first, interrupted) = Files::open(folder.path()).unwrap();
        assert_eq!(interrupted, Some(folder.path().join("games/5-fabrik.json")));
        first.mark_open(Some(Path::new("6-syrtis.json")));
        let (_second, interrupted) = Files::open(folder.path()).unwrap();
        assert_eq!(interrupted, None, "another window that is open is no crash");
    }

    #[test]
    fn damaged_settings_are_the_usual_ones() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("settings.json"), "{\"theme\":7}").unwrap();
        let (files, _) = Files::open(folder.path()).unwrap();
        assert_eq!(files.settings(), Settings::default());
    }
}
