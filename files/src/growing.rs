//! A file that only ever grows, line by line: for those who add thousands of small things.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::{WriteError, attempt, error};

/// Where lines are added to a file.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    file: File,
    /// If not, nothing may be added before the line that is there has been ended.
    ends_with_line: bool,
}

impl GrowingFile {
    /// A file that is there.
    pub fn open(path: &Path) -> Result<GrowingFile, WriteError> {
        let opened = attempt(|| {
            let mut file = File::options().read(true).append(true).open(path)?;
            let ends_with_line = ends_with_line(&mut file)?;
            Ok(GrowingFile { path: path.into(), file, ends_with_line })
        });
        opened.map_err(|reason| error(path, reason))
    }

    /// Adds a line, which has its end: all of it, or nothing. It is on disk some time later, or when
    /// [`sync`](GrowingFile::sync) has been called. After a crash of the machine a part of it may be
    /// there.
    pub fn add(&mut self, line: &str) -> Result<(), WriteError> {
        let added = attempt(|| Ok(self.file.metadata()?.len())).and_then(|length| {
            let end = if self.ends_with_line { "" } else { "\n" };
            let written = attempt(|| self.file.write_all(format!("{end}{line}").as_bytes()));
            // What is left of a line would spoil the next one. If it cannot be taken away either,
            // it is ended then.
            self.ends_with_line = written.is_ok() || self.file.set_len(length).is_ok() && self.ends_with_line;
            written
        });
        added.map_err(|reason| error(&self.path, reason))
    }

    /// Waits until everything that was added is on disk.
    pub fn sync(&self) -> Result<(), WriteError> {
        attempt(|| self.file.sync_data()).map_err(|reason| error(&self.path, reason))
    }

    /// The same file once more, so that others can go on adding while one waits for the disk.
    pub fn try_clone(&self) -> Result<GrowingFile, WriteError> {
        let file = self.file.try_clone().map_err(|reason| error(&self.path, reason))?;
        Ok(GrowingFile { path: self.path.clone(), file, ends_with_line: self.ends_with_line })
    }
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_are_added_behind_what_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.jsonl");
        for (there, after) in [("", "1\n2\n"), ("0\n", "0\n1\n2\n"), ("half", "half\n1\n2\n")] {
            fs::write(&path, there).expect("a file");
            let mut file = GrowingFile::open(&path).expect("a file");
            file.add("1\n").expect("added");
            file.try_clone().expect("the same").sync().expect("on disk");
            file.add("2\n").expect("added");
            assert_eq!(fs::read_to_string(&path).expect("a file"), after);
        }
        assert!(GrowingFile::open(&folder.path().join("missing")).is_err());
    }
}
