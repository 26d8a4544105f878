//! Threads. When the system gives no more of them, that is an error to be dealt with, and no
//! panic.

use std::io;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, scope};

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

/// How much work that nobody waits for gives way to other work, as `nice` counts it.
#[cfg(target_os = "linux")]
const GIVES_WAY: i32 = 10;

/// Does something that takes long and that nobody waits for, so that a window which is drawn, or
/// somebody who plays, goes first where there are not cores enough. Threads that are made in it do so
/// as well.
pub(crate) fn in_background(work: impl FnOnce() + Send) {
    // A thread cannot become more important again, so that this one stays as it is.
    let kept = parking_lot::Mutex::new(Some(work));
    let take = || kept.lock().take();
    let is_begun = scope(|scope| {
        let background = || {
            give_way();
            take().into_iter().for_each(|work| work());
        };
        spawn_scoped(scope, background).is_ok()
    });
    if !is_begun {
        take().into_iter().for_each(|work| work());
    }
}

/// Lets other threads go first. If the system does not allow it, they wait longer, and nothing else
/// is wrong.
#[cfg(target_os = "linux")]
fn give_way() {
    use rustix::process::{getpriority_process, setpriority_process};
    let this = Some(rustix::thread::gettid());
    let lowered = getpriority_process(this).and_then(|own| setpriority_process(this, own + GIVES_WAY));
    if let Err(error) = lowered {
        tracing::warn!("other work may have to wait: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn give_way() {}

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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::atomic::{AtomicI32, Ordering};

    use super::*;

    #[test]
    fn what_nobody_waits_for_gives_way_and_nothing_else_does() {
        let niceness = || {
            let this = Some(rustix::thread::gettid());
            rustix::process::getpriority_process(this).expect("it can be asked for")
        };
        let before = niceness();
        let there = AtomicI32::new(i32::MIN);
        in_background(|| there.store(niceness(), Ordering::Relaxed));
        // Nothing is less important than 19.
        assert_eq!((there.into_inner(), niceness()), ((before + GIVES_WAY).min(19), before));
        let there = AtomicI32::new(i32::MIN);
        supply::of(0, || in_background(|| there.store(niceness(), Ordering::Relaxed)));
        assert_eq!(there.into_inner(), before, "without another thread it is done here");
    }
}
