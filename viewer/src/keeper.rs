//! The thread that writes files, so that no frame waits for a disk. What cannot be written stays in
//! memory and is tried again: after a pause, whenever something else is to be written, and when
//! somebody asks for it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tabuleiro_files::Update;
use tabuleiro_protocol::progress::{Note, Progress};
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleFile};

use crate::files::SavedGame;

/// The pause before a file is tried again; it doubles every time, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(crate) struct Keeper {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// A file that could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaved {
    pub path: PathBuf,
    /// The game that it holds, if it is one.
    pub game: Option<SavedGame>,
    /// What the disk said, with the file or the folder that it is about.
    pub reason: String,
}

#[derive(Debug, Default)]
struct Shared {
    desk: Mutex<Desk>,
    changed: Condvar,
}

/// What is to be written and what was.
#[derive(Debug, Default)]
struct Desk {
    documents: BTreeMap<PathBuf, Document>,
    kept: Vec<SavedGame>,
    /// What is on disk of a person's progress, with what others have added, if nobody has heard of it.
    progress: Option<Progress>,
    is_ending: bool,
}

#[derive(Clone, Debug)]
struct Document {
    content: Content,
    game: Option<SavedGame>,
    /// Whether it is to be written now, and not only after a pause.
    is_due: bool,
    failure: Option<String>,
}

#[derive(Clone, Debug)]
enum Content {
    /// The whole file.
    Text(Arc<str>),
    /// What is to be added to a person's progress, which other programs write as well.
    Notes(Vec<Note>),
    /// What is to be added to the puzzles of one's own, likewise.
    Puzzles(Arc<[Puzzle]>),
}

impl Content {
    fn notes(&self) -> &[Note] {
        match self {
            Content::Notes(notes) => notes,
            Content::Text(_) | Content::Puzzles(_) => &[],
        }
    }

    /// Whether this is still the same, or the same with more behind it.
    fn begins_with(&self, other: &Content) -> bool {
        match (self, other) {
            (Content::Text(this), Content::Text(that)) => Arc::ptr_eq(this, that),
            (Content::Puzzles(this), Content::Puzzles(that)) => Arc::ptr_eq(this, that),
            (Content::Notes(_), Content::Notes(_)) => true,
            _ => false,
        }
    }
}

impl Keeper {
    pub(crate) fn start() -> Keeper {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new().name("keeper".into()).spawn(move || of_thread.write_all());
        if let Err(error) = &thread {
            eprintln!("files are written only at the end: {error}");
        }
        Keeper { shared, thread: thread.ok() }
    }

    /// Writes a file, in place of what was to be written there before.
    pub(crate) fn keep(&self, path: PathBuf, text: String, game: Option<SavedGame>) {
        self.keep_content(path, Content::Text(text.into()), game);
    }

    /// Adds puzzles to a file, in place of what was to be added before.
    pub(crate) fn add_puzzles(&self, path: PathBuf, puzzles: &[Puzzle]) {
        self.keep_content(path, Content::Puzzles(puzzles.into()), None);
    }

    fn keep_content(&self, path: PathBuf, content: Content, game: Option<SavedGame>) {
        let mut desk = self.shared.lock();
        let failure = desk.documents.get(&path).and_then(|document| document.failure.clone());
        desk.documents.insert(path, Document { content, game, is_due: true, failure });
        // A disk that takes this one may take the others, too.
        self.shared.try_all(desk);
    }

    /// Adds something to the file of a person's progress.
    pub(crate) fn note(&self, path: PathBuf, note: Note) {
        let mut desk = self.shared.lock();
        let document = desk.documents.entry(path).or_insert_with(|| Document {
            content: Content::Notes(Vec::new()),
            game: None,
            is_due: true,
            failure: None,
        });
        if let Content::Notes(notes) = &mut document.content {
            notes.push(note);
        }
        self.shared.try_all(desk);
    }

    /// The progress as it is now that it was written, with what others have added, and with what is
    /// still on its way; if it was written since this was last called.
    pub(crate) fn take_progress(&self) -> Option<Progress> {
        let mut desk = self.shared.lock();
        let mut progress = desk.progress.take()?;
        let on_the_way = desk.documents.values().flat_map(|document| document.content.notes());
        on_the_way.for_each(|note| {
            progress.note(note);
        });
        Some(progress)
    }

    /// Tries again what could not be written.
    pub(crate) fn try_again(&self) {
        self.shared.try_all(self.shared.lock());
    }

    /// Games that could not be written so far go to another folder.
    pub(crate) fn move_games(&self, to: &Path) {
        let mut desk = self.shared.lock();
        for (path, mut document) in std::mem::take(&mut desk.documents) {
            let path = match path.file_name() {
                Some(name) if document.game.is_some() => to.join(name),
                _ => path,
            };
            if let Some(game) = &mut document.game {
                game.path = path.clone();
            }
            desk.documents.insert(path, document);
        }
        self.shared.try_all(desk);
    }

    /// What is to be written to a file, if it is not there yet.
    pub(crate) fn text_of(&self, path: &Path) -> Option<Arc<str>> {
        match &self.shared.lock().documents.get(path)?.content {
            Content::Text(text) => Some(Arc::clone(text)),
            Content::Notes(_) | Content::Puzzles(_) => None,
        }
    }

    /// What could not be written.
    pub(crate) fn unsaved(&self) -> Vec<Unsaved> {
        let desk = self.shared.lock();
        let failed = desk.documents.iter().filter_map(|(path, document)| {
            let reason = document.failure.clone()?;
            Some(Unsaved { path: path.clone(), game: document.game.clone(), reason })
        });
        failed.collect()
    }

    /// Games that were written since this was last called.
    pub(crate) fn take_kept(&self) -> Vec<SavedGame> {
        std::mem::take(&mut self.shared.lock().kept)
    }

    /// Whether something is on its way to the disk, or was written and nobody has heard of it.
    pub(crate) fn is_busy(&self) -> bool {
        let desk = self.shared.lock();
        !desk.kept.is_empty()
            || desk.progress.is_some()
            || desk.documents.values().any(|document| document.is_due)
    }
}

/// Tries everything once more and waits for that.
impl Drop for Keeper {
    fn drop(&mut self) {
        let mut desk = self.shared.lock();
        desk.is_ending = true;
        self.shared.try_all(desk);
        match self.thread.take() {
            Some(thread) => drop(thread.join()),
            None => self.shared.write_all(),
        }
        for unsaved in self.unsaved() {
            eprintln!("not saved: {}", unsaved.reason);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_all(&self, mut desk: MutexGuard<'_, Desk>) {
        desk.documents.values_mut().for_each(|document| document.is_due = true);
        self.changed.notify_all();
    }

    fn write_all(&self) {
        let mut pause = FIRST_PAUSE;
        while let Some((path, document)) = self.next(&mut pause) {
            let written = write(&path, &document.content);
            if let (Ok(_), Some(game)) = (&written, &document.game) {
                // When it was played orders the list, whenever it was written. Without it the order
                // is another one, and nothing is lost.
                let _ =
                    File::options().write(true).open(&path).and_then(|file| file.set_modified(game.changed));
            }
            let mut desk = self.lock();
            // It may have been replaced meanwhile, or be meant for another place.
            let is_same = |now: &&mut Document| now.content.begins_with(&document.content);
            let Some(now) = desk.documents.get_mut(&path).filter(is_same) else { continue };
            match written {
                Ok(progress) => {
                    if let Content::Notes(notes) = &mut now.content {
                        // More may have been noted meanwhile.
                        notes.drain(..document.content.notes().len());
                    }
                    if now.content.notes().is_empty() {
                        desk.documents.remove(&path);
                    }
                    desk.kept.extend(document.game);
                    desk.progress = progress.or(desk.progress.take());
                    pause = FIRST_PAUSE;
                }
                Err(reason) => {
                    now.is_due = false;
                    now.failure = Some(reason);
                }
            }
        }
    }

    /// Waits for something to write; `None` at the end.
    fn next(&self, pause: &mut Duration) -> Option<(PathBuf, Document)> {
        let mut desk = self.lock();
        loop {
            if let Some((path, document)) = desk.documents.iter().find(|(_, document)| document.is_due) {
                return Some((path.clone(), document.clone()));
            }
            if desk.is_ending {
                return None;
            }
            if desk.documents.is_empty() {
                desk = self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let waited = self.changed.wait_timeout(desk, *pause).unwrap_or_else(PoisonError::into_inner);
            desk = waited.0;
            if waited.1.timed_out() {
                *pause = (*pause * 2).min(LONGEST_PAUSE);
                desk.documents.values_mut().for_each(|document| document.is_due = true);
            }
        }
    }
}

/// Writes a file, and gives the progress if it was that.
fn write(path: &Path, content: &Content) -> Result<Option<Progress>, String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    match content {
        Content::Text(text) => {
            tabuleiro_files::write(path, &**text).map_err(|error| error.to_string())?;
            Ok(None)
        }
        Content::Notes(notes) => {
            let mut progress = Progress::default();
            let added = tabuleiro_files::update(path, |before| {
                let spoilt;
                (progress, spoilt) = Progress::after(before, notes);
                Update { contents: progress.write(), was_damaged: !spoilt.is_empty() }
            });
            added.map(|()| Some(progress)).map_err(|error| error.to_string())
        }
        Content::Puzzles(puzzles) => {
            let added = tabuleiro_files::update(path, |before| {
                let (file, spoilt) = PuzzleFile::with(before, puzzles);
                Update { contents: file.write(), was_damaged: !spoilt.is_empty() }
            });
            added.map(|()| None).map_err(|error| error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Waits until there is an answer.
    fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "it never came");
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn failed(keeper: &Keeper) -> Unsaved {
        wait_for(|| keeper.unsaved().into_iter().next())
    }

    /// A folder that nothing can be written to, whoever tries: a file.
    fn block(folder: &Path) {
        fs::write(folder, "in the way").unwrap();
    }

    #[test]
    fn what_could_not_be_written_is_told_and_tried_again_without_being_asked() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games");
        block(&games);
        let keeper = Keeper::start();
        keeper.keep(games.join("1.json"), "one".into(), None);
        let unsaved = failed(&keeper);
        assert!(unsaved.reason.starts_with(&games.display().to_string()), "{}", unsaved.reason);
        assert_eq!(keeper.text_of(&games.join("1.json")).as_deref(), Some("one"));
        fs::remove_file(&games).unwrap();
        wait_for(|| keeper.unsaved().is_empty().then_some(()));
        assert_eq!(fs::read_to_string(games.join("1.json")).unwrap(), "one");
        assert_eq!(keeper.text_of(&games.join("1.json")), None);
    }

    #[test]
    fn a_newer_text_takes_the_place_of_one_that_failed_and_brings_the_others_along() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games");
        block(&games);
        let keeper = Keeper::start();
        keeper.keep(games.join("1.json"), "one".into(), None);
        keeper.keep(games.join("2.json"), "two".into(), None);
        wait_for(|| (keeper.unsaved().len() == 2).then_some(()));
        keeper.keep(games.join("1.json"), "newer".into(), None);
        assert_eq!(keeper.unsaved().len(), 2, "it is not saved before it is");
        wait_for(|| (!keeper.is_busy()).then_some(()));
        fs::remove_file(&games).unwrap();
        keeper.keep(games.join("2.json"), "newer, too".into(), None);
        wait_for(|| keeper.unsaved().is_empty().then_some(()));
        wait_for(|| (!keeper.is_busy()).then_some(()));
        assert_eq!(fs::read_to_string(games.join("1.json")).unwrap(), "newer");
        assert_eq!(fs::read_to_string(games.join("2.json")).unwrap(), "newer, too");
    }

    #[test]
    fn two_windows_lose_nothing_of_their_progress() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Progress::FILE);
        let day: tabuleiro_protocol::Day = "2026-11-17".parse().unwrap();
        let keepers = [Keeper::start(), Keeper::start()];
        for step in 0..40 {
            let note = Note::Step { game: "fabrik".into(), step, of: 40, day };
            keepers[step % 2].note(path.clone(), note);
        }
        for keeper in &keepers {
            wait_for(|| keeper.shared.lock().documents.is_empty().then_some(()));
        }
        let (kept, spoilt) = Progress::read(&fs::read_to_string(&path).unwrap());
        assert!(spoilt.is_empty());
        assert_eq!((kept.steps_done("fabrik", 40), kept.days[&day].steps), (40, 40));
        let told: Vec<_> = keepers.iter().filter_map(Keeper::take_progress).collect();
        assert!(told.contains(&kept), "whoever wrote last knows everything");
        assert!(keepers.iter().all(|keeper| !keeper.is_busy()));
    }

    #[test]
    fn everything_is_tried_once_more_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games");
        block(&games);
        let keeper = Keeper::start();
        keeper.keep(games.join("1.json"), "one".into(), None);
        failed(&keeper);
        fs::remove_file(&games).unwrap();
        drop(keeper);
        assert_eq!(fs::read_to_string(games.join("1.json")).unwrap(), "one");
    }
}
