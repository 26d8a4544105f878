//! A disk that fails when a test wants it to: at every operation, before it is done or after.

use std::cell::Cell;
use std::io;

thread_local! {
    static PLAN: Cell<Option<Fault>> = const { Cell::new(None) };
    static DONE: Cell<usize> = const { Cell::new(0) };
}

/// The operation of this number fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) operation: usize,
    pub(crate) error: i32,
    /// Whether what failed has been done all the same: a disk may say so too late.
    pub(crate) is_done: bool,
}

pub(crate) fn attempt<T>(operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let number = DONE.get();
    DONE.set(number + 1);
    match PLAN.get().filter(|fault| fault.operation == number) {
        Some(Fault { error, is_done, .. }) => {
            if is_done {
                operation()?;
            }
            Err(io::Error::from_raw_os_error(error))
        }
        None => operation(),
    }
}

/// Does something on a disk that fails so. Gives how many operations it took.
pub(crate) fn with<T>(fault: Option<Fault>, work: impl FnOnce() -> T) -> (T, usize) {
    PLAN.set(fault);
    DONE.set(0);
    let result = work();
    PLAN.set(None);
    (result, DONE.get())
}

#[cfg(unix)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write;
    use std::path::{Path, PathBuf};

    use nix::errno::Errno;

    use super::*;
    use crate::{GrowingFile, WriteError, sync, write, write_unsynced, write_with};

    /// A way to write a file.
    type Writer = fn(&Path, &str) -> Result<(), WriteError>;

    /// With every write of its own, so that each of them can fail.
    fn write_in_parts(path: &Path, text: &str) -> Result<(), WriteError> {
        write_with(path, |file: &mut File| {
            text.as_bytes().chunks(30).try_for_each(|part| attempt(|| file.write_all(part)))
        })
    }

    fn write_later(path: &Path, text: &str) -> Result<(), WriteError> {
        write_unsynced(path, text)?;
        sync(path.parent().expect("a folder"), &[path.to_owned()])
    }

    fn write_many(path: &Path, text: &str) -> Result<(), WriteError> {
        write_unsynced(path, text)?;
        let same: Vec<PathBuf> = vec![path.to_owned(); 20];
        sync(path.parent().expect("a folder"), &same)
    }

    const WRITERS: [(&str, Writer); 4] = [
        ("write", |path, text| write(path, text)),
        ("write_with", write_in_parts),
        ("write_unsynced and sync", write_later),
        ("write_unsynced and sync of many", write_many),
    ];

    #[test]
    fn whatever_fails_a_file_is_the_old_or_the_new_one_and_the_error_is_told() {
        for (name, writer) in WRITERS {
            for old in [None, Some("the old contents of this file")] {
                // One more fault than there are operations: that one never comes.
                let mut operation = 0;
                while faults_of(operation).into_iter().all(|fault| fails(name, writer, old, fault)) {
                    operation += 1;
                }
                assert!(operation >= 4, "{name} asks more than {operation} things of a disk");
            }
        }
    }

    #[test]
    fn whatever_fails_a_growing_file_has_whole_lines_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.jsonl");
        for operation in 0.. {
            for fault in faults_of(operation) {
                fs::write(&path, "one\n").expect("a file");
                let add = |line: &str| -> Result<(), WriteError> {
                    let mut file = GrowingFile::open(&path)?;
                    file.add(line)?;
                    file.sync()
                };
                let (added, operations) = with(Some(fault), || add("two\n"));
                let found = fs::read_to_string(&path).expect("a file");
                let is_whole = found == "one\n" || found == "one\ntwo\n";
                assert!(is_whole && added.is_err() == (operation < operations), "{fault:?}: {found}");
                if operation >= operations {
                    assert!(operations >= 4, "{operations}");
                    return;
                }
            }
        }
    }

    fn faults_of(operation: usize) -> Vec<Fault> {
        let faults =
            [Errno::ENOSPC, Errno::EIO].into_iter().flat_map(|error| [(error, false), (error, true)]);
        faults.map(|(error, is_done)| Fault { operation, error: error as i32, is_done }).collect()
    }

    /// Whether the fault came at all. If it did, everything is as it has to be.
    fn fails(name: &str, writer: Writer, old: Option<&str>, fault: Fault) -> bool {
        let new = "contents that are new and quite a bit longer than the old ones";
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.json");
        if let Some(old) = old {
            fs::write(&path, old).expect("a file");
        }
        let (written, operations) = with(Some(fault), || writer(&path, new));
        let found = fs::read_to_string(&path).ok();
        let about = format!("{name}, {fault:?}, {found:?}");
        if fault.operation >= operations {
            assert!(written.is_ok() && found.as_deref() == Some(new), "{about}");
            return false;
        }
        let error = written.expect_err(&about).to_string();
        assert!(error.starts_with(&folder.path().display().to_string()), "{error}");
        assert!(found.as_deref() == old || found.as_deref() == Some(new), "{about}");
        let names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().collect();
        assert!(names.iter().all(|entry| entry.file_name() == "game.json"), "{about}: {names:?}");
        true
    }
}
