//! Those who ask before they were answered: they work by turns, so that however many they are, there
//! is time left for those who wait for their answers.

use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

/// How long a turn is.
const TURN: Duration = Duration::from_millis(1);

/// Nobody waits longer than this for a turn: somebody may be at something that takes long.
const PATIENCE: Duration = Duration::from_millis(250);

/// All who ask before they were answered.
#[derive(Debug)]
pub(super) struct Crowd {
    /// In each of them one at a time has its turn.
    lines: Box<[Mutex<()>]>,
}

impl Crowd {
    pub(super) fn new(at_once: usize) -> Crowd {
        Crowd { lines: (0..at_once.max(1)).map(|_| Mutex::default()).collect() }
    }

    pub(super) fn turns_of(&self, client: u64) -> Turns<'_> {
        let line = client as usize % self.lines.len();
        Turns { line: &self.lines[line], turn: None }
    }
}

/// The turns of one thread.
#[derive(Debug)]
pub(super) struct Turns<'a> {
    line: &'a Mutex<()>,
    turn: Option<(MutexGuard<'a, ()>, Instant)>,
}

impl Turns<'_> {
    /// Begins a turn or goes on with it, if one is needed; else it ends.
    pub(super) fn take_if(&mut self, is_needed: bool) {
        if !is_needed || self.turn.as_ref().is_some_and(|(_, began)| began.elapsed() > TURN) {
            self.end();
        }
        if is_needed && self.turn.is_none() {
            self.turn = self.line.try_lock_for(PATIENCE).map(|turn| (turn, Instant::now()));
        }
    }

    /// The next is whoever has waited longest.
    pub(super) fn end(&mut self) {
        if let Some((turn, _)) = self.turn.take() {
            MutexGuard::unlock_fair(turn);
        }
    }
}
