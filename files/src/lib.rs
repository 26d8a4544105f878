//! Files that are written whole or not at all: settings, saved games, records of matches, weights.
//!
//! [`write`] is what nearly everybody wants. It writes a temporary file in the same folder, waits
//! until that is on disk, puts it in the place of the old one and waits until the folder is on disk
//! too. So whatever happens, be it a crash of the program or of the machine, the file is the old
//! one or the new one, and once `write` has returned it is the new one.
//!
//! Waiting for a disk takes about a millisecond, often more. Who writes hundreds of files a second
//! uses [`write_unsynced`], which does all but wait, and [`sync`] for many of them at once.
//!
//! [`GrowingFile`] is for what grows line by line, [`update`] for what several programs change.
//!
//! [`read`] is how documents are read, whoever put them there: see [`reading`].

#[cfg(test)]
mod faults;
mod growing;
pub mod reading;
mod shared;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

pub use growing::GrowingFile;
pub use reading::{Links, ReadError, open, read, read_text};
pub use shared::{Update, UpdateError, set_aside, update};

/// A file that was not written; the old one, if there was one, is as it was.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", .path.display())]
pub struct WriteError {
    /// The file, or its folder where that is to blame.
    path: PathBuf,
    #[source]
    reason: io::Error,
}

/// Replaces or makes a file. Its folder must be there.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), WriteError> {
    write_with(path, |file| file.write_all(contents.as_ref()))
}

/// As [`write`], for contents that are better not in memory all at once.
pub fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), WriteError> {
    let file = write_beside(path, fill)?;
    attempt(|| file.as_file().sync_all()).map_err(|reason| error(path, reason))?;
    persist(file, path)?;
    sync_folder(folder_of(path))
}

/// As [`write`], but the file is on disk only some time later, or when [`sync`] has been called. A
/// crash of the program does it no harm. After a crash of the machine it may be the old one, the
/// new one or empty.
pub fn write_unsynced(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), WriteError> {
    persist(write_beside(path, |file| file.write_all(contents.as_ref()))?, path)
}

/// Waits until files of one folder that [`write_unsynced`] wrote are on disk.
///
/// Every file costs a wait of its own. Where there are many, Linux is told to write the whole file
/// system instead: that is one wait, if also for what others have written.
pub fn sync(folder: &Path, files: &[PathBuf]) -> Result<(), WriteError> {
    #[cfg(target_os = "linux")]
    if files.len() > MANY {
        let synced = attempt(|| Ok(nix::unistd::syncfs(File::open(folder)?)?));
        return synced.map_err(|reason| error(folder, reason));
    }
    for path in files {
        let synced = attempt(|| File::open(path)?.sync_all());
        synced.map_err(|reason| error(path, reason))?;
    }
    sync_folder(folder)
}

/// From more files than this on, one wait for the whole file system is shorter.
#[cfg(target_os = "linux")]
const MANY: usize = 8;

/// How the name of a file ends that was not written to its end, and that a crash may leave behind.
pub const UNFINISHED: &str = ".part";

/// Nobody writes one file for so long.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// Takes away what programs that crashed while they wrote have left in a folder.
pub fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with('.') && name.ends_with(UNFINISHED);
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        let age = written.ok().and_then(|written| written.elapsed().ok());
        if is_ours && age.is_some_and(|age| age > ABANDONED_AFTER) {
            // If it cannot be taken away it does no harm either.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The temporary file goes when this is dropped.
fn write_beside(
    path: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<NamedTempFile, WriteError> {
    let folder = folder_of(path);
    let mut builder = Builder::new();
    builder.prefix(".").suffix(UNFINISHED);
    // As every other file that a program makes: others may read it if the user's umask lets them.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let made = attempt(|| builder.tempfile_in(folder));
    let mut file = made.map_err(|reason| error(folder, why_not_in(folder, reason)))?;
    attempt(|| fill(file.as_file_mut())).map_err(|reason| error(path, reason))?;
    Ok(file)
}

fn persist(file: NamedTempFile, path: &Path) -> Result<(), WriteError> {
    attempt(|| Ok(file.persist(path)?)).map(drop).map_err(|reason| error(path, reason))
}

/// Whatever is asked of the disk goes through here, so that tests can let it fail.
fn attempt<T>(operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(test)]
    return faults::attempt(operation);
    #[cfg(not(test))]
    operation()
}

/// A new name is on disk when its folder is. Elsewhere than on Unix folders cannot be opened, and
/// need not be.
fn sync_folder(folder: &Path) -> Result<(), WriteError> {
    #[cfg(unix)]
    attempt(|| File::open(folder)?.sync_all()).map_err(|reason| error(folder, reason))?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn error(path: &Path, reason: io::Error) -> WriteError {
    WriteError { path: path.into(), reason }
}

/// Why no file can be made in a folder, without the name of a temporary file that nobody knows.
fn why_not_in(folder: &Path, reason: io::Error) -> io::Error {
    match reason.kind() {
        kind @ io::ErrorKind::NotFound => io::Error::new(kind, "there is no such folder"),
        kind @ io::ErrorKind::NotADirectory => io::Error::new(kind, "this is not a folder"),
        _ if !folder.is_dir() => io::Error::new(reason.kind(), "this is not a folder"),
        kind => io::Error::from(kind),
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.json");
        for contents in ["a long first text", "short"] {
            write(&path, contents).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("a file"), contents);
            assert_eq!(names(folder.path()), ["game.json"]);
        }
        write_unsynced(&path, "later").expect("written");
        sync(folder.path(), std::slice::from_ref(&path)).expect("on disk");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "later");
        assert_eq!(names(folder.path()), ["game.json"]);
    }

    #[test]
    fn many_files_are_synced_at_once_and_none_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let files: Vec<_> = (1..=20).map(|number| folder.path().join(format!("{number}.json"))).collect();
        for file in &files {
            write_unsynced(file, "text").expect("written");
        }
        sync(folder.path(), &files).expect("on disk");
        sync(folder.path(), &[]).expect("nothing to do");
        let missing = sync(folder.path(), &[folder.path().join("missing")]).expect_err("no file");
        assert!(missing.to_string().contains("missing: "), "{missing}");
        assert_eq!(names(folder.path()).len(), 20);
    }

    #[test]
    fn what_cannot_be_written_leaves_everything_as_it_was_and_says_where() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("missing");
        let refusal = write(&missing.join("game.json"), "text").expect_err("no folder").to_string();
        assert_eq!(refusal, format!("{}: there is no such folder", missing.display()));
        fs::write(folder.path().join("file"), "text").expect("a file");
        let refusal = write(&folder.path().join("file/game.json"), "text").expect_err("a file").to_string();
        assert_eq!(refusal, format!("{}: this is not a folder", folder.path().join("file").display()));
        // A folder in its place cannot be replaced.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("a folder");
        fs::write(taken.join("inside"), "text").expect("a file");
        let refusal = write(&taken, "text").expect_err("a folder").to_string();
        assert!(refusal.starts_with(&format!("{}: ", taken.display())), "{refusal}");
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, ["file", "taken"]);
    }

    #[test]
    fn what_a_crash_left_is_taken_away_after_a_while() {
        let folder = tempfile::tempdir().expect("a folder");
        let long_ago = SystemTime::now() - 2 * ABANDONED_AFTER;
        for (name, age) in [(".old.part", true), (".new.part", false), ("mine.part", true), (".dot", true)] {
            let file = File::create(folder.path().join(name)).expect("a file");
            if age {
                file.set_modified(long_ago).expect("its time");
            }
        }
        remove_abandoned(folder.path());
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, [".dot", ".new.part", "mine.part"]);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_what_the_umask_lets_them() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let mode = |name: &str| {
            let metadata = fs::metadata(folder.path().join(name)).expect("a file");
            metadata.permissions().mode() & 0o777
        };
        fs::write(folder.path().join("usual"), "text").expect("written");
        write(&folder.path().join("ours"), "text").expect("written");
        assert_eq!(mode("ours"), mode("usual"));
    }

    #[test]
    fn a_name_without_a_folder_is_in_the_current_one() {
        assert_eq!(folder_of(Path::new("game.json")), Path::new("."));
        assert_eq!(folder_of(Path::new("games/game.json")), Path::new("games"));
    }
}
