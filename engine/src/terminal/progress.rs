//! What a person has done so far, on disk: the file that the window uses as well, perhaps at the same
//! time.

use std::fs;
use std::path::{Path, PathBuf};

use tabuleiro_files::{Links, Update};
use tabuleiro_protocol::progress::{Note, Progress};

/// Keeps the progress of a person in a folder.
#[derive(Debug)]
pub struct ProgressKeeper {
    folder: PathBuf,
    progress: Progress,
    complaints: Vec<String>,
    /// What is not on disk yet.
    unsaved: Vec<Note>,
}

impl ProgressKeeper {
    /// Reads what there is.
    pub fn open(folder: &Path) -> ProgressKeeper {
        let path = folder.join(Progress::FILE);
        let (progress, complaints) = match tabuleiro_files::read(&path, Links::Refused) {
            Ok(bytes) => {
                let (progress, spoilt) = Progress::read(&String::from_utf8_lossy(&bytes));
                let complaints = spoilt.iter().map(|spoilt| format!("{}: {spoilt}", path.display()));
                (progress, complaints.collect())
            }
            Err(error) if error.is_not_found() => Default::default(),
            Err(error) => (Progress::default(), vec![error.to_string()]),
        };
        ProgressKeeper { folder: folder.into(), progress, complaints, unsaved: Vec::new() }
    }

    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// What could not be read.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Notes something, which [`keep`](ProgressKeeper::keep) writes. `false` if it changes nothing.
    pub fn note(&mut self, note: Note) -> bool {
        let is_new = self.progress.note(&note);
        self.unsaved.extend(is_new.then_some(note));
        is_new
    }

    /// Adds what was noted to what is on disk, of which a copy is kept if it cannot be read whole.
    pub fn keep(&mut self) -> Result<(), String> {
        fs::create_dir_all(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        let mut progress = Progress::default();
        let added = tabuleiro_files::update(&self.folder.join(Progress::FILE), |before| {
            let spoilt;
            (progress, spoilt) = Progress::after(before, &self.unsaved);
            Update { contents: progress.write(), was_damaged: !spoilt.is_empty() }
        });
        added.map_err(|error| error.to_string())?;
        self.progress = progress;
        self.unsaved.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::Day;

    use super::*;

    #[test]
    fn what_could_not_be_read_is_kept_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(Progress::FILE);
        for (damage, copy) in [("[]", "progress.damaged.json"), ("7", "progress.damaged-2.json")] {
            let text = format!("{{\"format\":\"tabuleiro-progress\",\"version\":1,\"streak\":{damage}}}");
            fs::write(&path, &text).expect("a file");
            let mut keeper = ProgressKeeper::open(folder.path());
            assert!(keeper.complaints()[0].contains("streak"), "{:?}", keeper.complaints());
            keeper.keep().expect("it is written");
            assert_eq!(fs::read_to_string(folder.path().join(copy)).expect("a copy"), text);
            assert!(ProgressKeeper::open(folder.path()).complaints().is_empty());
        }
    }

    #[test]
    fn two_at_once_lose_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut keepers = [ProgressKeeper::open(folder.path()), ProgressKeeper::open(folder.path())];
        let day: Day = "2026-11-17".parse().expect("a day");
        for step in 0..6 {
            let keeper = &mut keepers[step % 2];
            assert!(keeper.note(Note::Step { game: "zurero".into(), step, of: 6, day }));
            keeper.keep().expect("it is written");
        }
        let kept = ProgressKeeper::open(folder.path()).progress;
        assert_eq!(kept.steps_done("zurero", 6), 6);
        assert_eq!((kept.lessons["zurero"].finished, kept.days[&day].steps), (Some(day), 6));
        assert_eq!(keepers[1].progress(), &kept, "each knows what the other has done");
    }
}
