use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use tabuleiro_protocol::{ErrorCode, ErrorObject, Id};

use super::lock;

/// How many searches of one client may go on at once.
const MOST_JOBS: usize = 64;

/// What takes long and can be cancelled, by the request that asked for it.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    running: Mutex<Running>,
    done: Condvar,
}

#[derive(Debug, Default)]
struct Running {
    stops: HashMap<Id, Arc<AtomicBool>>,
    /// Everything is cancelled as it begins.
    ending: bool,
}

impl Jobs {
    /// Registers a job and gives the flag that will tell it to stop.
    pub(super) fn begin(&self, id: &Id) -> Result<Arc<AtomicBool>, ErrorObject> {
        let mut running = lock(&self.running);
        if running.stops.contains_key(id) {
            let message = format!("the request {id} is still being answered: use another id");
            return Err(ErrorObject::new(ErrorCode::InvalidRequest, message));
        }
        if running.stops.len() >= MOST_JOBS {
            let message = format!("{MOST_JOBS} searches are under way already: wait or cancel one");
            return Err(ErrorObject::new(ErrorCode::Limit, message));
        }
        let stop = Arc::new(AtomicBool::new(running.ending));
        running.stops.insert(id.clone(), Arc::clone(&stop));
        Ok(stop)
    }

    pub(super) fn end(&self, id: &Id) {
        lock(&self.running).stops.remove(id);
        self.done.notify_all();
    }

    /// Tells a job to stop. `false` if there is none.
    pub(super) fn cancel(&self, id: &Id) -> bool {
        match lock(&self.running).stops.get(id) {
            None => false,
            Some(stop) => {
                stop.store(true, Ordering::Relaxed);
                true
            }
        }
    }

    /// Tells all jobs to stop, those to come included.
    pub(super) fn cancel_all(&self) {
        let mut running = lock(&self.running);
        running.ending = true;
        running.stops.values().for_each(|stop| stop.store(true, Ordering::Relaxed));
    }

    pub(super) fn wait_until_done(&self) {
        let running = lock(&self.running);
        let waited = self.done.wait_while(running, |running| !running.stops.is_empty());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}
