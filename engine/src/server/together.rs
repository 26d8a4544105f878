//! Work that several threads share, as far as the pool has places for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::cores;
use super::pool::Place;
use crate::search::Crew;
use crate::threads;

/// As many threads as there are cores, or fewer if fewer are wanted.
pub(super) fn most_threads(wanted: Option<u32>) -> usize {
    let cores = cores();
    wanted.map_or(cores, |wanted| cores.min(wanted as usize))
}

/// Lets this thread take part, and others as long as they find a place beside this one's. Whoever
/// takes part asks before every piece of work whether it may go on. With fewer threads it takes
/// longer.
pub(super) fn work_together(
    place: Option<&Place>,
    most_threads: usize,
    memory: usize,
    take_part: impl Fn(&dyn Fn() -> bool) + Sync,
) {
    let helpers = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (helpers, take_part) = (&helpers, &take_part);
        let call_for_help = || {
            while helpers.load(Ordering::Relaxed) + 1 < most_threads {
                let stop = Arc::new(AtomicBool::new(false));
                let Some(joined) = place.and_then(|place| place.join(&stop, memory)) else { return };
                helpers.fetch_add(1, Ordering::Relaxed);
                let help = move || {
                    take_part(&|| !stop.load(Ordering::Relaxed));
                    helpers.fetch_sub(1, Ordering::Relaxed);
                    drop(joined);
                };
                if let Err(error) = threads::spawn_scoped(scope, help) {
                    tracing::warn!("nobody helps: {error}");
                    helpers.fetch_sub(1, Ordering::Relaxed);
                    return;
                }
            }
        };
        take_part(&|| {
            call_for_help();
            true
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_works_on_more_threads_than_there_are_cores() {
        assert_eq!(most_threads(None), cores());
        assert_eq!(most_threads(Some(1)), 1);
        assert_eq!(most_threads(Some(u32::MAX)), cores());
    }

    #[test]
    fn without_a_place_one_works_alone() {
        let parts = AtomicUsize::new(0);
        work_together(None, 4, 0, |goes_on| {
            assert!(goes_on());
            parts.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(parts.into_inner(), 1);
    }
}
