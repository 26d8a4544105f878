//! Locking.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, whether or not somebody has panicked meanwhile: what a panic leaves locked is still whole
/// here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
