//! A place for records is one match's for as long as that is played.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::Path;

use tracing::warn;

/// Held while a match is played. The system lets go of it when the process is gone, however that
/// came about; the empty file stays.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Refuses a place into which another match is being played. `file` is a file of its own,
    /// because what it guards is replaced as a whole from time to time, and a lock is not.
    pub(super) fn take(file: &Path, place: &Path) -> Result<Lock, String> {
        let place = place.display();
        // What is no file might be waited for without end.
        if fs::metadata(file).is_ok_and(|there| !there.is_file()) {
            return Err(format!("{}: this is not a file", file.display()));
        }
        let opened = OpenOptions::new().create(true).append(true).open(file);
        let opened = opened.map_err(|error| format!("{}: {error}", file.display()))?;
        match opened.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!(
                    "{place} is in use: another match is being played into it; \
                     wait until that has ended, or choose another place"
                ));
            }
            // Some file systems of clusters know no locks.
            Err(TryLockError::Error(error)) => {
                warn!("{place} cannot be locked ({error}): see to it that nobody else plays into it")
            }
        }
        Ok(Lock { _file: opened })
    }
}
