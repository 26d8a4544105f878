//! As the engine's module of the same name, with shuttle's threads. One in eight cannot be had.

use std::io;
use std::time::Duration;

use shuttle::rand::{Rng, thread_rng};
use shuttle::thread;

pub(crate) fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<thread::JoinHandle<T>> {
    if thread_rng().gen_ratio(1, 8) {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    Ok(thread::spawn(work))
}

/// There is no time in a schedule: whoever sleeps lets others go on.
pub(crate) fn sleep(_: Duration) {
    thread::yield_now();
}

/// For the tests inside the sources, which lints look at here too, and nobody runs.
#[cfg(test)]
pub(crate) mod supply {
    pub(crate) fn of<T>(_: usize, _: impl FnOnce() -> T) -> T {
        unreachable!("it wants real threads")
    }
}
