//! Threads. When the system gives no more of them, that is an error to be dealt with, and no
//! panic.

use std::io;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

pub(crate) use std::thread::sleep;

/// As [`std::thread::spawn`], but it gives an error instead of a panic.
pub(crate) fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    #[cfg(test)]
    supply::take()?;
    Builder::new().spawn(work)
}

/// As [`Scope::spawn`], but it gives an error instead of a panic.
pub(crate) fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    #[cfg(test)]
    supply::take()?;
    Builder::new().spawn_scoped(scope, work)
}

/// Lets tests run out of threads.
#[cfg(test)]
pub(crate) mod supply {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Does something in which this thread can make only so many others.
    pub(crate) fn of<T>(threads: usize, work: impl FnOnce() -> T) -> T {
        LEFT.set(threads);
        let done = work();
        LEFT.set(usize::MAX);
        done
    }

    pub(super) fn take() -> io::Result<()> {
        let left = LEFT.get().checked_sub(1).ok_or(io::ErrorKind::WouldBlock)?;
        LEFT.set(left);
        Ok(())
    }
}
