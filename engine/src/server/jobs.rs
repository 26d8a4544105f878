//! Requests that take long: each can be cancelled from when it is read until it is answered.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Condvar, Mutex};
use serde::Serialize;
use tabuleiro_protocol::{ErrorObject, Id};

use super::client::Client;
use super::wire_error;

/// How many searches of one client may wait or go on at once.
const MAX_JOBS: usize = 64;

/// The jobs of one client, by the id of the request.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    running: Mutex<Running>,
    done: Condvar,
}

#[derive(Debug, Default)]
struct Running {
    stops: HashMap<Id, Arc<AtomicBool>>,
    /// Jobs that still hold on, be it only to write their answer.
    unanswered: usize,
    /// Everything is cancelled as it begins.
    ending: bool,
}

/// A request that takes long. It is under way until it is dropped.
#[derive(Debug)]
pub(super) struct Job {
    client: Arc<Client>,
    id: Id,
    pub(super) stop: Arc<AtomicBool>,
}

impl Job {
    pub(super) fn begin(client: &Arc<Client>, id: &Id) -> Result<Job, ErrorObject> {
        let mut running = client.jobs.running.lock();
        if running.stops.contains_key(id) {
            return Err(wire_error::id_in_use(id));
        }
        if running.stops.len() >= MAX_JOBS {
            let message = format!("{MAX_JOBS} searches are under way already: wait or cancel one");
            return Err(wire_error::limit(message));
        }
        let stop = Arc::new(AtomicBool::new(running.ending));
        running.stops.insert(id.clone(), Arc::clone(&stop));
        running.unanswered += 1;
        Ok(Job { client: Arc::clone(client), id: id.clone(), stop })
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn id(&self) -> &Id {
        &self.id
    }

    /// Answers the request, whose id is free again from then on.
    pub(super) fn answer(self, answer: Result<impl Serialize, ErrorObject>) {
        self.forget();
        self.client.answer(Some(&self.id), answer);
    }

    fn forget(&self) {
        self.client.jobs.running.lock().stops.remove(&self.id);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.forget();
        self.client.jobs.running.lock().unanswered -= 1;
        self.client.jobs.done.notify_all();
    }
}

impl Jobs {
    /// Tells a job to stop. `false` if there is none.
    pub(super) fn cancel(&self, id: &Id) -> bool {
        let running = self.running.lock();
        running.stops.get(id).inspect(|stop| stop.store(true, Ordering::Relaxed)).is_some()
    }

    /// Tells all jobs to stop, those to come included.
    pub(super) fn cancel_all(&self) {
        let mut running = self.running.lock();
        running.ending = true;
        running.stops.values().for_each(|stop| stop.store(true, Ordering::Relaxed));
    }

    pub(super) fn wait_until_answered(&self) {
        self.done.wait_while(&mut self.running.lock(), |running| running.unanswered > 0);
    }
}
