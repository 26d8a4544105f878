//! A file that several programs change: each adds to what the others have written meanwhile.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use crate::{Links, ReadError, WriteError, attempt, error, read, write};

/// A file that was not changed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum UpdateError {
    /// What is there and cannot be read must not be written over.
    Read(#[from] ReadError),
    Write(#[from] WriteError),
}

/// What becomes of a file.
#[derive(Debug)]
pub struct Update {
    pub contents: String,
    /// Whether it could not be read whole, so that a copy of what it was has to be kept.
    pub was_damaged: bool,
}

/// Reads a file, which need not be there, and replaces it. Whoever else wants to update it waits
/// until that is done.
pub fn update(path: &Path, change: impl FnOnce(Option<&[u8]>) -> Update) -> Result<(), UpdateError> {
    let _lock = lock(path)?;
    let before = match read(path, Links::Refused) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.is_not_found() => None,
        Err(error) => return Err(error.into()),
    };
    let Update { contents, was_damaged } = change(before.as_deref());
    if let Some(before) = before.filter(|_| was_damaged) {
        set_aside(path, &before)?;
    }
    Ok(write(path, contents)?)
}

/// The lock is a file of its own beside it, for the file itself is replaced. It stays: if it were
/// taken away, somebody who waits for it would get one that nobody else sees.
fn lock(path: &Path) -> Result<File, WriteError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let place = path.with_file_name(format!(".{name}.lock"));
    // What is no file might be waited for without end.
    if fs::metadata(&place).is_ok_and(|there| !there.is_file()) {
        return Err(error(&place, io::Error::other("this is not a file")));
    }
    let opened = attempt(|| File::options().create(true).append(true).open(&place));
    let file = opened.map_err(|reason| error(&place, reason))?;
    let began = Instant::now();
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if began.elapsed() > LONGEST_WAIT {
            return Err(error(path, io::Error::other("another program does not stop writing to it")));
        }
        thread::sleep(Duration::from_millis(5));
    }
    // Some file systems know no locks. There it is as if nobody else were there.
    Ok(file)
}

/// Others take some milliseconds. One that was stopped in the middle must not stop everybody.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Keeps a copy of a file that could not be read whole, under a name that nothing else has, and gives
/// its place: `progress.damaged.json`, or with a number behind it.
pub fn set_aside(path: &Path, contents: &[u8]) -> Result<PathBuf, WriteError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    for number in 1..MOST_COPIES {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        let copy = path.with_file_name(format!("{stem}.damaged{number}.{ending}"));
        match fs::symlink_metadata(&copy) {
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => {
                write(&copy, contents)?;
                return Ok(copy);
            }
            // It was set aside before, and nothing was written since.
            _ if read(&copy, Links::Refused).is_ok_and(|there| there == contents) => return Ok(copy),
            _ => {}
        }
    }
    Err(error(path, io::Error::other("there are too many damaged copies of it already")))
}

const MOST_COPIES: u32 = 1_000;

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn nothing_is_lost_where_many_add_to_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lines.txt");
        let add = |line: &str| {
            let update = update(&path, |before| {
                let before = String::from_utf8_lossy(before.unwrap_or_default());
                Update { contents: format!("{before}{line}\n"), was_damaged: false }
            });
            update.expect("it is written");
        };
        thread::scope(|scope| {
            for writer in 0..4 {
                scope.spawn(move || (0..25).for_each(|number| add(&format!("{writer} {number}"))));
            }
        });
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(text.lines().count(), 100);
    }

    #[test]
    fn what_could_not_be_read_whole_is_set_aside_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("progress.json");
        for (contents, copy) in [
            ("one", "progress.damaged.json"),
            ("two", "progress.damaged-2.json"),
            ("one", "progress.damaged.json"),
        ] {
            fs::write(&path, contents).expect("a file");
            update(&path, |_| Update { contents: "new".into(), was_damaged: true }).expect("it is written");
            assert_eq!(fs::read_to_string(&path).expect("a file"), "new");
            assert_eq!(fs::read_to_string(folder.path().join(copy)).expect("a copy"), contents);
        }
        assert!(!folder.path().join("progress.damaged-3.json").exists());
    }

    #[test]
    fn what_cannot_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("progress.json");
        fs::create_dir(&path).expect("a folder");
        let refusal = update(&path, |_| unreachable!("there is nothing to change"));
        let refusal = refusal.expect_err("a folder").to_string();
        assert_eq!(refusal, format!("{}: this is a folder, not a file", path.display()));
    }
}
