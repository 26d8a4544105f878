//! Says how far something long has come, now and then.

use std::time::{Duration, Instant};

/// How often something is said.
const EVERY: Duration = Duration::from_secs(10);

/// Says how far something long has come, now and then.
pub(super) struct Progress<'a> {
    began: Instant,
    last: Instant,
    say: &'a mut (dyn FnMut(&str) + Send),
}

impl<'a> Progress<'a> {
    pub(super) fn new(say: &'a mut (dyn FnMut(&str) + Send)) -> Progress<'a> {
        let now = Instant::now();
        Progress { began: now, last: now, say }
    }

    pub(super) fn say(&mut self, text: &str) {
        (self.say)(text);
    }

    /// So many of so many are done since the beginning, if it is time to say so.
    pub(super) fn done(&mut self, done: u32, of: u32, text: impl FnOnce() -> String) {
        if self.last.elapsed() < EVERY || done == 0 {
            return;
        }
        self.last = Instant::now();
        let left = self.began.elapsed().as_secs_f64() / f64::from(done) * f64::from(of.saturating_sub(done));
        (self.say)(&format!("{}, {:.0} min left", text(), left / 60.0));
    }
}
