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

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn of_those_in_one_line_one_at_a_time_has_its_turn() {
        let crowd = Crowd::new(2);
        let [mut one, mut other] = [1, 2].map(|client| crowd.turns_of(client));
        one.take_if(true);
        other.take_if(true);
        assert!(one.turn.is_some() && other.turn.is_some(), "they are in different lines");
        let began = Instant::now();
        thread::scope(|scope| {
            let waits = scope.spawn(|| {
                let mut third = crowd.turns_of(3);
                // On a busy machine it may lose patience.
                while third.turn.is_none() {
                    third.take_if(true);
                }
                began.elapsed()
            });
            thread::sleep(20 * TURN);
            one.take_if(false);
            assert!(one.turn.is_none());
            let waited = waits.join().expect("no panic");
            assert!(waited >= 20 * TURN, "{waited:?}");
        });
    }

    #[test]
    fn a_turn_is_given_up_when_it_was_long_enough_and_nobody_waits_for_ever() {
        let crowd = Crowd::new(0);
        assert_eq!(crowd.lines.len(), 1, "there is always one");
        let mut one = crowd.turns_of(7);
        one.take_if(true);
        let began = one.turn.as_ref().expect("a turn").1;
        one.take_if(true);
        assert!(one.turn.as_ref().expect("a turn").1 == began || began.elapsed() > TURN);
        thread::sleep(2 * TURN);
        one.take_if(true);
        assert!(one.turn.as_ref().expect("another turn").1 > began);
        let mut other = crowd.turns_of(8);
        let asked = Instant::now();
        other.take_if(true);
        assert!(other.turn.is_none() && asked.elapsed() >= PATIENCE, "it goes on without a turn");
    }
}
