//! What a person has done so far, on disk: the file that the window uses as well.

use std::fs;
use std::path::{Path, PathBuf};

use tabuleiro_files::Links;
use tabuleiro_protocol::progress::Progress;

/// Keeps the progress of a person in a folder.
#[derive(Debug)]
pub struct ProgressKeeper {
    folder: PathBuf,
    pub progress: Progress,
    complaints: Vec<String>,
    /// The text of a file that could not be read whole. It is kept before anything is written.
    damaged: Option<Vec<u8>>,
    /// Why nothing may be written.
    blocked: Option<String>,
}

impl ProgressKeeper {
    /// Reads what there is.
    pub fn open(folder: &Path) -> ProgressKeeper {
        let mut keeper = ProgressKeeper {
            folder: folder.into(),
            progress: Progress::default(),
            complaints: Vec::new(),
            damaged: None,
            blocked: None,
        };
        let path = folder.join(Progress::FILE);
        match tabuleiro_files::read(&path, Links::Refused) {
            Ok(bytes) => {
                let (progress, spoilt) = Progress::read(&String::from_utf8_lossy(&bytes));
                keeper.progress = progress;
                keeper.complaints =
                    spoilt.iter().map(|spoilt| format!("{}: {spoilt}", path.display())).collect();
                keeper.damaged = (!spoilt.is_empty()).then_some(bytes);
            }
            Err(error) if error.is_not_found() => {}
            // What is there and cannot be read must not be written over.
            Err(error) => {
                keeper.complaints.push(error.to_string());
                keeper.blocked = Some(error.to_string());
            }
        }
        keeper
    }

    /// What could not be read.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Writes the progress, and before it a copy of what could not be read whole.
    pub fn keep(&mut self) -> Result<(), String> {
        if let Some(reason) = &self.blocked {
            return Err(reason.clone());
        }
        fs::create_dir_all(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        if let Some(bytes) = &self.damaged {
            tabuleiro_files::write(&self.place_for_damaged(), bytes).map_err(|error| error.to_string())?;
            self.damaged = None;
        }
        let path = self.folder.join(Progress::FILE);
        tabuleiro_files::write(&path, self.progress.write()).map_err(|error| error.to_string())
    }

    fn place_for_damaged(&self) -> PathBuf {
        let (stem, ending) = Progress::NAME_OF_DAMAGED.rsplit_once('.').unwrap_or(("damaged", "json"));
        let first = self.folder.join(Progress::NAME_OF_DAMAGED);
        let others = (2..).map(|number| self.folder.join(format!("{stem}-{number}.{ending}")));
        std::iter::once(first.clone()).chain(others).find(|path| !path.exists()).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_read_is_kept_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(Progress::FILE);
        for copy in ["progress.damaged.json", "progress.damaged-2.json"] {
            fs::write(&path, "{\"format\":\"tabuleiro-progress\",\"version\":1,\"streak\":[]}")
                .expect("a file");
            let mut keeper = ProgressKeeper::open(folder.path());
            assert!(keeper.complaints()[0].contains("streak"), "{:?}", keeper.complaints());
            keeper.keep().expect("it is written");
            assert!(fs::read_to_string(folder.path().join(copy)).expect("a copy").contains("streak\":[]"));
            assert!(ProgressKeeper::open(folder.path()).complaints().is_empty());
        }
    }
}
