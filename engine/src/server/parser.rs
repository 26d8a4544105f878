//! Reads long texts as JSON, in one thread for all clients. That takes many times the length of a
//! text, in many small pieces, of which an allocator may keep a part for every thread that ever did.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use parking_lot::Mutex;

use crate::threads;

type Work = Box<dyn FnOnce() + Send>;

/// The thread ends with the last of those that share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Parser {
    /// There is none before it is needed.
    thread: Arc<Mutex<Option<Sender<Work>>>>,
}

impl Parser {
    /// Does something there, and waits for it. Where no thread can be made it is done here.
    pub(super) fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let (done, result) = channel();
        let work = move || {
            // Whoever asked waits for it.
            let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
        };
        if let Some(work) = self.give(Box::new(work)) {
            work();
        }
        let gone = |_| Err(Box::new("nobody reads any more") as Box<dyn Any + Send>);
        result.recv().unwrap_or_else(gone).unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Gives back what nobody can do.
    fn give(&self, work: Work) -> Option<Work> {
        let mut thread = self.thread.lock();
        if thread.is_none() {
            let (sender, works) = channel::<Work>();
            match threads::spawn(move || works.into_iter().for_each(|work| work())) {
                Ok(_) => *thread = Some(sender),
                Err(error) => tracing::warn!("long lines are read where they come: {error}"),
            }
        }
        match &*thread {
            Some(sender) => sender.send(work).err().map(|unsent| unsent.0),
            None => Some(work),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::threads::supply;

    #[test]
    fn all_is_done_in_one_thread_or_here_if_there_is_none() {
        let parser = Parser::default();
        let here = thread::current().id();
        let who = || thread::current().id();
        assert_eq!(supply::of(0, || parser.run(who)), here);
        let there = parser.run(who);
        assert_ne!(there, here);
        let again = parser.clone();
        assert_eq!(thread::spawn(move || again.run(who)).join().expect("no panic"), there);
    }

    #[test]
    fn a_panic_is_the_one_of_whom_it_was_done_for() {
        let parser = Parser::default();
        assert!(catch_unwind(AssertUnwindSafe(|| parser.run(|| panic!("on purpose")))).is_err());
        assert_eq!(parser.run(|| 7), 7);
    }
}
