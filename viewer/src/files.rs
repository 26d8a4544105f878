//! Settings and games on disk. Every file is written whole or not at all.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabuleiro_files::Links;
use tabuleiro_protocol::progress::{Note, Progress};
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleFile};

use crate::keeper::{Keeper, Unsaved};
use crate::settings::Settings;

/// A game as it is kept: the engine's record, and what a list of games shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameFile {
    pub game: String,
    /// In words: who plays and how far they are.
    pub title: String,
    pub finished: bool,
    /// What the person calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The board, for a small picture.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
    /// How a person did against a level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    pub record: Value,
}

/// A finished game of a person against a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    pub level: String,
    /// Whether the person won; `None` is a draw.
    pub won: Option<bool>,
}

/// The same without the record, which a list has no use for.
#[derive(Deserialize)]
struct GameHead {
    game: String,
    title: String,
    finished: bool,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    rows: Vec<String>,
    #[serde(default)]
    result: Option<GameResult>,
    #[serde(default)]
    record: RecordHead,
}

/// What a list has a use for in a record.
#[derive(Default, Deserialize)]
struct RecordHead {
    #[serde(default)]
    seats: Value,
    #[serde(default)]
    played: Vec<IgnoredAny>,
    #[serde(default)]
    undone: Vec<IgnoredAny>,
}

impl RecordHead {
    /// Whether nobody but computers plays.
    fn is_watched(&self) -> bool {
        let is_computer = |seat: &Value| seat["kind"].as_str().is_some_and(|kind| kind != "client");
        is_computer(&self.seats["1"]) && is_computer(&self.seats["2"])
    }

    fn is_begun(&self) -> bool {
        !self.played.is_empty() || !self.undone.is_empty()
    }
}

/// A game that is kept, as a list of them shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    pub path: PathBuf,
    /// The game's id.
    pub game: String,
    pub title: String,
    pub finished: bool,
    /// What the person calls it.
    pub name: Option<String>,
    /// The board, for a small picture.
    pub rows: Vec<String>,
    pub result: Option<GameResult>,
    /// Whether nobody but computers plays.
    pub is_watched: bool,
    /// Whether anything was played.
    pub is_begun: bool,
    pub changed: SystemTime,
}

/// The games of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameList {
    /// The last first.
    pub games: Vec<SavedGame>,
    /// What is called like a game and is none, with the reason.
    pub left_out: Vec<String>,
}

/// The folder of settings and games.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    /// Where new games are kept.
    games_folder: PathBuf,
    keeper: Keeper,
    /// Locked as long as this program runs; it says which game is open. Without one nothing is
    /// offered after a crash.
    marker: Option<(PathBuf, File)>,
}

impl Files {
    /// Uses a folder, and makes it if it is not there. Also gives the game that was open when a
    /// program ended without meaning to.
    pub fn open(folder: &Path) -> io::Result<(Files, Option<PathBuf>)> {
        let (games_folder, markers) = (folder.join("games"), folder.join("open"));
        fs::create_dir_all(&games_folder)?;
        fs::create_dir_all(&markers)?;
        tabuleiro_files::remove_abandoned(folder);
        tabuleiro_files::remove_abandoned(&games_folder);
        forget_deleted(&games_folder);
        let interrupted = take_interrupted(&markers)?;
        // On a full disk one can still play.
        let marker = new_marker(&markers).ok();
        let files = Files { folder: folder.to_path_buf(), games_folder, keeper: Keeper::start(), marker };
        Ok((files, interrupted))
    }

    /// The settings as they were kept, and what is wrong with the file. What cannot be read is as
    /// usual.
    pub fn settings(&self) -> (Settings, Vec<String>) {
        let path = self.settings_file();
        let (settings, complaints) = match tabuleiro_files::read_text(&path, Links::Refused) {
            Ok(text) => Settings::read(&text),
            Err(error) if error.is_not_found() => return Default::default(),
            Err(error) => return (Settings::default(), vec![error.to_string()]),
        };
        let named = complaints.into_iter().map(|complaint| format!("{}: {complaint}", path.display()));
        (settings, named.collect())
    }

    pub fn keep_settings(&self, settings: &Settings) {
        self.write(self.settings_file(), settings, None);
    }

    /// What was learnt and played so far, as it was kept, and what is wrong with the file. What cannot
    /// be read of it is set aside in a copy, so that nothing is lost when it is written again.
    pub fn progress(&self) -> (Progress, Vec<String>) {
        let path = self.folder.join(Progress::FILE);
        let bytes = match tabuleiro_files::read(&path, Links::Refused) {
            Ok(bytes) => bytes,
            Err(error) if error.is_not_found() => return Default::default(),
            Err(error) => return (Progress::default(), vec![error.to_string()]),
        };
        let (progress, spoilt) = Progress::read(&String::from_utf8_lossy(&bytes));
        let mut complaints: Vec<String> =
            spoilt.iter().map(|spoilt| format!("{}: {spoilt}", path.display())).collect();
        if !spoilt.is_empty() {
            complaints.push(told_set_aside(&path, &bytes));
        }
        (progress, complaints)
    }

    /// Adds to what is kept of what was learnt and played, be it by this program or another one.
    pub fn keep_progress(&self, note: Note) {
        self.keeper.note(self.folder.join(Progress::FILE), note);
    }

    /// What was learnt and played so far, if something was added to it since this was last called.
    pub fn take_progress(&self) -> Option<Progress> {
        self.keeper.take_progress()
    }

    /// Puzzles from mistakes in games that were played here, and what is wrong with their file. A file
    /// that cannot be read whole is left as it is, and copied before it is written again.
    pub fn own_puzzles(&self) -> (Vec<Puzzle>, Vec<String>) {
        let path = self.own_puzzles_file();
        let text = match tabuleiro_files::read_text(&path, Links::Refused) {
            Ok(text) => text,
            Err(error) if error.is_not_found() => return Default::default(),
            Err(error) => return (Vec::new(), vec![error.to_string()]),
        };
        let (file, spoilt) = PuzzleFile::read(&text);
        let mut complaints: Vec<String> =
            spoilt.iter().map(|spoilt| format!("{}: {spoilt}", path.display())).collect();
        if !spoilt.is_empty() {
            complaints.push(told_set_aside(&path, text.as_bytes()));
        }
        (file.puzzles, complaints)
    }

    pub fn keep_own_puzzles(&self, puzzles: &[Puzzle]) {
        self.keeper.add_puzzles(self.own_puzzles_file(), puzzles);
    }

    fn own_puzzles_file(&self) -> PathBuf {
        self.folder.join(PuzzleFile::OWN)
    }

    /// Writes what was learnt and played where other programs can take it, and says where that is.
    pub fn export_progress(&self, progress: &Progress) -> Result<PathBuf, String> {
        let folder = self.folder.join("exported");
        let to = folder.join(Progress::FILE);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        tabuleiro_files::write(&to, progress.write()).map_err(|error| error.to_string())?;
        Ok(to)
    }

    /// Where new games are kept.
    pub fn games_folder(&self) -> &Path {
        &self.games_folder
    }

    /// Keeps games in another folder from now on, or in the usual one; also those that could not be
    /// written so far.
    pub fn keep_games_in(&mut self, folder: Option<&Path>) {
        self.games_folder = folder.map_or_else(|| self.usual_games_folder(), Path::to_path_buf);
        self.keeper.move_games(&self.games_folder);
    }

    pub fn usual_games_folder(&self) -> PathBuf {
        self.folder.join("games")
    }

    /// Where a new game will be kept.
    pub fn place_for(&self, game: &str) -> PathBuf {
        self.games_folder.join(format!("{}-{game}.json", milliseconds()))
    }

    pub fn keep_game(&self, path: &Path, file: &GameFile) {
        self.keep_game_of(path, file, SystemTime::now());
    }

    /// The same for a game that nothing was played in since then: it stays where it is in the list.
    pub fn keep_game_of(&self, path: &Path, file: &GameFile, changed: SystemTime) {
        let GameFile { game, title, finished, name, rows, result, .. } = file.clone();
        let record = RecordHead::deserialize(&file.record).unwrap_or_default();
        let (is_watched, is_begun) = (record.is_watched(), record.is_begun());
        let saved = SavedGame {
            path: path.into(),
            game,
            title,
            finished,
            name,
            rows,
            result,
            is_watched,
            is_begun,
            changed,
        };
        self.write(path.to_path_buf(), file, Some(saved));
    }

    /// Games that have come to the disk since this was last called.
    pub fn take_kept(&self) -> Vec<SavedGame> {
        self.keeper.take_kept()
    }

    /// What could not be written so far.
    pub fn unsaved(&self) -> Vec<Unsaved> {
        self.keeper.unsaved()
    }

    pub fn save_again(&self) {
        self.keeper.try_again();
    }

    /// Whether something is on its way to the disk.
    pub fn is_writing(&self) -> bool {
        self.keeper.is_busy()
    }

    /// Says which game is open, for the case that this program does not come to its end.
    pub fn mark_open(&mut self, path: Option<&Path>) {
        let usual = self.usual_games_folder();
        let Some((_, marker)) = &mut self.marker else { return };
        let name = path
            .map(|path| path.strip_prefix(usual).unwrap_or(path))
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        // A marker that cannot be written only means that nothing is offered after a crash.
        let _ = io::Seek::rewind(marker)
            .and_then(|()| marker.set_len(0))
            .and_then(|()| marker.write_all(name.as_bytes()));
    }

    /// A game as it is kept, if not on disk then in memory.
    pub fn read_game(&self, path: &Path) -> Result<GameFile, String> {
        let text = match self.keeper.text_of(path) {
            Some(text) => text,
            None => tabuleiro_files::read_text(path, Links::Refused)
                .map_err(|error| format!("This game cannot be read: {error}"))?
                .into(),
        };
        serde_json::from_str(&text).map_err(|error| not_a_game(path, &error))
    }

    /// Takes a game off the list. It can be put back until the program is started again.
    pub fn delete_game(&self, path: &Path) -> Result<(), String> {
        fs::rename(path, deleted(path)).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Puts a game back that was deleted.
    pub fn restore_game(&self, path: &Path) -> Result<(), String> {
        fs::rename(deleted(path), path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes the record of a game where other programs can take it, and says where that is.
    pub fn export_game(&self, path: &Path) -> Result<PathBuf, String> {
        let game = self.read_game(path)?;
        let name = path.file_name().map(ToOwned::to_owned).unwrap_or_else(|| "game.json".into());
        let folder = self.folder.join("exported");
        let to = folder.join(name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let text = serde_json::to_string_pretty(&game.record).map_err(|error| error.to_string())?;
        tabuleiro_files::write(&to, &text).map_err(|error| error.to_string())?;
        Ok(to)
    }

    /// All games that are kept, here and in the usual folder. Files that are called otherwise are
    /// somebody else's.
    pub fn games(&self) -> GameList {
        let mut list = GameList::default();
        list.add(&self.games_folder);
        if self.games_folder != self.usual_games_folder() {
            list.add(&self.usual_games_folder());
        }
        // What was changed at the same moment stays in this order.
        list.games.sort_by_key(|game| std::cmp::Reverse(game.changed));
        // A game that was continued in another folder counts as it is there.
        let mut names = HashSet::new();
        list.games.retain(|game| names.insert(game.path.file_name().map(ToOwned::to_owned)));
        list.left_out.sort();
        list
    }

    pub fn pictures(&self) -> PathBuf {
        self.folder.join("pictures").join(format!("{}.png", milliseconds()))
    }

    fn settings_file(&self) -> PathBuf {
        self.folder.join("settings.json")
    }

    fn write(&self, path: PathBuf, content: &impl Serialize, game: Option<SavedGame>) {
        if let Ok(text) = serde_json::to_string_pretty(content) {
            self.keeper.keep(path, text, game);
        }
    }
}

impl GameList {
    fn add(&mut self, folder: &Path) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.left_out.push(format!("{}: {error}", folder.display())),
        };
        let paths = entries.flatten().map(|entry| entry.path());
        for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
            match read_head(&path) {
                Ok(game) => self.games.push(game),
                Err(complaint) => self.left_out.push(complaint),
            }
        }
    }
}

fn read_head(path: &Path) -> Result<SavedGame, String> {
    let text = tabuleiro_files::read_text(path, Links::Refused).map_err(|error| error.to_string())?;
    let GameHead { game, title, finished, name, rows, result, record } =
        serde_json::from_str(&text).map_err(|error| not_a_game(path, &error))?;
    let changed = fs::metadata(path).and_then(|metadata| metadata.modified()).unwrap_or(UNIX_EPOCH);
    let (is_watched, is_begun) = (record.is_watched(), record.is_begun());
    let path = path.into();
    Ok(SavedGame { path, game, title, finished, name, rows, result, is_watched, is_begun, changed })
}

/// Keeps a copy of a file that could not be read whole, and says where.
fn told_set_aside(path: &Path, contents: &[u8]) -> String {
    match tabuleiro_files::set_aside(path, contents) {
        Ok(copy) => format!("The file as it was is kept as {}.", copy.display()),
        Err(error) => format!("It cannot be set aside: {error}"),
    }
}

/// Where a game is as long as its deletion can be undone.
fn deleted(path: &Path) -> PathBuf {
    path.with_extension("json.deleted")
}

/// Games that were deleted the last time are gone now.
fn forget_deleted(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|extension| extension == "deleted") && path.is_file() {
            let _ = fs::remove_file(path);
        }
    }
}

fn not_a_game(path: &Path, error: &serde_json::Error) -> String {
    format!("{}: this is not a game that was kept: {error}", path.display())
}

/// Who has come to the end needs no marker.
impl Drop for Files {
    fn drop(&mut self) {
        if let Some((path, _)) = self.marker.take() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Markers that nobody holds belong to programs that did not come to their end. The newest one that
/// names a game counts; all of them go. What is no file is no marker.
fn take_interrupted(folder: &Path) -> io::Result<Option<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut interrupted = None;
    for path in paths {
        let Ok(marker) = tabuleiro_files::open(&path, Links::Refused) else { continue };
        if let Err(TryLockError::WouldBlock) = marker.try_lock() {
            continue;
        }
        let name = tabuleiro_files::read_text(&path, Links::Refused).unwrap_or_default();
        if !name.is_empty() {
            // Only a game in another folder is named with its folder.
            interrupted = folder.parent().map(|folder| folder.join("games").join(name));
        }
        // On a disk that cannot be written to it stays, and is found again.
        let _ = fs::remove_file(&path);
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
            name: None,
            rows: Vec::new(),
            result: None,
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
            assert_eq!(files.settings(), (Settings::default(), Vec::new()));
            files.keep_settings(&Settings { theme: "Evening lamp".into(), ..Settings::default() });
            path = files.place_for("zurero");
            files.mark_open(Some(&path));
            files.keep_game(&path, &game("first"));
            files.keep_game(&path, &game("second"));
        }
        fs::write(folder.path().join("games/notes.txt"), "not a game").unwrap();
        let (files, interrupted) = Files::open(folder.path()).unwrap();
        assert_eq!(interrupted, None, "the program came to its end");
        assert_eq!(files.settings().0.theme, "Evening lamp");
        let GameList { games, left_out } = files.games();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].title, "second");
        assert_eq!(left_out, Vec::<String>::new(), "what is called otherwise is not ours");
        assert_eq!(files.read_game(&path), Ok(game("second")));
    }

    #[test]
    fn a_game_that_only_computers_play_is_watched() {
        let folder = tempfile::tempdir().unwrap();
        let (mut files, _) = Files::open(folder.path()).unwrap();
        let kinds = [["ai", "bot"], ["client", "ai"], ["client", "client"]];
        for (at, [one, two]) in kinds.into_iter().enumerate() {
            let record = serde_json::json!({"seats": {"1": {"kind": one}, "2": {"kind": two}}});
            let path = folder.path().join(format!("games/{at}.json"));
            files.keep_game(&path, &GameFile { record, ..game(&at.to_string()) });
        }
        files.mark_open(None);
        drop(files);
        let (files, _) = Files::open(folder.path()).unwrap();
        let mut watched: Vec<(String, bool)> =
            files.games().games.into_iter().map(|game| (game.title, game.is_watched)).collect();
        watched.sort();
        assert_eq!(watched, [("0".into(), true), ("1".into(), false), ("2".into(), false)]);
    }

    #[test]
    fn a_deleted_game_can_be_put_back_and_an_exported_one_is_a_record() {
        let folder = tempfile::tempdir().unwrap();
        let (files, _) = Files::open(folder.path()).unwrap();
        let path = files.place_for("zurero");
        files.keep_game(&path, &GameFile { name: Some("Mine".into()), ..game("first") });
        drop(files);
        let (files, _) = Files::open(folder.path()).unwrap();
        assert_eq!(files.games().games[0].name.as_deref(), Some("Mine"));
        let exported = files.export_game(&path).unwrap();
        assert!(fs::read_to_string(exported).unwrap().contains("\"played\""));
        files.delete_game(&path).unwrap();
        assert_eq!(files.games().games, []);
        files.restore_game(&path).unwrap();
        assert_eq!(files.games().games.len(), 1);
        files.delete_game(&path).unwrap();
        let (files, _) = Files::open(folder.path()).unwrap();
        assert!(files.restore_game(&path).is_err(), "with the next start it is gone");
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
    fn games_in_another_folder_are_found_and_count_once() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("elsewhere/games of mine");
        let (files, _) = Files::open(folder.path()).unwrap();
        let path = files.place_for("zurero");
        files.keep_game(&path, &game("first"));
        drop(files);
        let (mut files, _) = Files::open(folder.path()).unwrap();
        files.keep_games_in(Some(&elsewhere));
        let moved = elsewhere.join(path.file_name().unwrap());
        files.mark_open(Some(&moved));
        files.keep_game(&moved, &game("second"));
        let marker = files.marker.take();
        drop(files);
        drop(marker);
        let (mut files, interrupted) = Files::open(folder.path()).unwrap();
        assert_eq!(interrupted.as_deref(), Some(moved.as_path()));
        files.keep_games_in(Some(&elsewhere));
        let titles: Vec<String> = files.games().games.into_iter().map(|game| game.title).collect();
        assert_eq!(titles, ["second"]);
        files.keep_games_in(None);
        assert_eq!(files.games().games[0].title, "first");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_game_is_left_out_with_a_word_and_nothing_is_waited_for() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let (files, _) = Files::open(folder.path()).unwrap();
        let path = files.place_for("zurero");
        files.keep_game(&path, &game("good"));
        drop(files);
        for place in ["games", "open"] {
            let at = |name: &str| folder.path().join(place).join(name);
            let pipe = std::process::Command::new("mkfifo").arg(at("pipe.json")).status().unwrap();
            assert!(pipe.success());
            fs::create_dir(at("folder.json")).unwrap();
            symlink("/dev/zero", at("zero.json")).unwrap();
            symlink(at("nowhere"), at("dangling.json")).unwrap();
            // It takes no room on the disk.
            File::create(at("huge.json")).unwrap().set_len(190_000_000).unwrap();
            fs::write(at("bytes.json"), [b'"', 0xff, b'"']).unwrap();
            fs::write(at("broken.json"), "{").unwrap();
            fs::write(at("empty.json"), "").unwrap();
            fs::write(at("other.json"), "[1,2,3]").unwrap();
        }
        let (files, interrupted) = Files::open(folder.path()).unwrap();
        // What the files beside are is of no interest.
        assert!(interrupted.is_none_or(|path| !path.exists()));
        let GameList { games, left_out } = files.games();
        assert_eq!(games.iter().map(|game| &game.path).collect::<Vec<_>>(), [&path]);
        let names = ["broken", "bytes", "dangling", "empty", "folder", "huge", "other", "pipe", "zero"];
        assert_eq!(left_out.len(), names.len(), "{left_out:?}");
        for (complaint, name) in left_out.iter().zip(names) {
            let path = folder.path().join("games").join(format!("{name}.json"));
            assert!(complaint.starts_with(&format!("{}: ", path.display())), "{complaint}");
            assert!(files.read_game(&path).is_err());
        }
    }

    #[test]
    fn damaged_settings_are_the_usual_ones_and_the_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        fs::write(&path, "{\"theme\":7,\"counts\":false}").unwrap();
        let (files, _) = Files::open(folder.path()).unwrap();
        let (settings, complaints) = files.settings();
        assert_eq!(settings, Settings { counts: false, ..Settings::default() });
        assert_eq!(complaints.len(), 1);
        assert!(complaints[0].starts_with(&format!("{}: theme ", path.display())), "{complaints:?}");
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let (settings, complaints) = files.settings();
        assert_eq!(settings, Settings::default());
        assert!(complaints[0].ends_with("this is a folder, not a file"), "{complaints:?}");
    }
}
