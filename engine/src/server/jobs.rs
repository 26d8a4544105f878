use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use serde::Serialize;
use tabuleiro_protocol::{ErrorCode, ErrorObject, Id};

use super::client::Client;
use super::lock;

/// How many searches of one client may wait or go on at once.
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
    /// Jobs that still hold on, be it only to write their answer.
    unanswered: usize,
    /// Everything is cancelled as it begins.
    ending: bool,
}

/// A request that takes long, from when it is read until it is answered.
#[derive(Debug)]
pub(super) struct Job {
    client: Arc<Client>,
    id: Id,
    pub(super) stop: Arc<AtomicBool>,
}

impl Job {
    pub(super) fn begin(client: &Arc<Client>, id: &Id) -> Result<Job, ErrorObject> {
        let mut running = lock(&client.jobs.running);
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
        lock(&self.client.jobs.running).stops.remove(&self.id);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.forget();
        lock(&self.client.jobs.running).unanswered -= 1;
        self.client.jobs.done.notify_all();
    }
}

impl Jobs {
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

    pub(super) fn wait_until_answered(&self) {
        let running = lock(&self.running);
        let waited = self.done.wait_while(running, |running| running.unanswered > 0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}
