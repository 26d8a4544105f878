//! Requests that take long: each can be cancelled from when it is read until it is answered, and is
//! done in the pool when it is its turn.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Condvar, Mutex};
use serde::Serialize;
use tabuleiro_protocol::notice::Waiting;
use tabuleiro_protocol::{ErrorObject, Id};

use super::account::Held;
use super::client::{Client, notice_line};
use super::pool::{Owner, Place, Pool, Ticket, Turn, Work};
use super::wire_error;
use crate::search::Cost;

/// How many jobs of one client may wait or go on at once.
pub(super) const MAX_JOBS: usize = 1024;

/// How many works of all clients may wait.
pub(super) const MAX_IN_LINE: usize = 16 << 10;

/// The jobs of one client, by the id of the request.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    running: Mutex<Running>,
    done: Condvar,
}

#[derive(Debug, Default)]
struct Running {
    jobs: HashMap<Id, Cancellable>,
    /// Jobs that still hold on, be it only to write their answer.
    unanswered: usize,
    /// Everything is cancelled as it begins.
    ending: bool,
}

#[derive(Debug)]
struct Cancellable {
    stop: Arc<AtomicBool>,
    /// Its place in line, once it has one.
    ticket: Option<Ticket>,
}

/// A request that takes long. It is under way until it is dropped.
#[derive(Debug)]
pub(super) struct Job {
    client: Arc<Client>,
    id: Id,
    pub(super) stop: Arc<AtomicBool>,
    /// What it takes of what its client may have, if it takes anything.
    held: Option<Held>,
}

impl Job {
    pub(super) fn begin(client: &Arc<Client>, id: &Id) -> Result<Job, ErrorObject> {
        let mut running = client.jobs.running.lock();
        if running.jobs.contains_key(id) {
            return Err(wire_error::id_in_use(id));
        }
        if running.jobs.len() >= MAX_JOBS {
            let message = format!("{MAX_JOBS} searches are under way or in line already: wait or cancel one");
            return Err(wire_error::limit(message));
        }
        let stop = Arc::new(AtomicBool::new(running.ending));
        running.jobs.insert(id.clone(), Cancellable { stop: Arc::clone(&stop), ticket: None });
        running.unanswered += 1;
        Ok(Job { client: Arc::clone(client), id: id.clone(), stop, held: None })
    }

    /// Takes something of what the client may have, until it is answered.
    pub(super) fn holding(mut self, held: Held) -> Job {
        self.held = Some(held);
        self
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn id(&self) -> &Id {
        &self.id
    }

    /// Does the work in the pool: at once, or when it is its turn. What was cancelled meanwhile does
    /// not wait, for it has nothing left to do but to answer; it has no place in the pool.
    pub(super) fn start(
        self,
        pool: &Arc<Pool>,
        cost: Cost,
        work: impl FnOnce(Job, Option<&Place>) + Send + 'static,
    ) -> Result<(), ErrorObject> {
        if pool.load().waiting >= MAX_IN_LINE {
            let message = format!("{MAX_IN_LINE} searches of all clients are in line already: wait");
            return Err(wire_error::limit(message));
        }
        let (client, id, stop) = (Arc::clone(&self.client), self.id.clone(), Arc::clone(&self.stop));
        // Whether it goes on, or has gone on already.
        let has_begun = Arc::new(Mutex::new(false));
        let begins = Arc::clone(&has_begun);
        let run = move |turn: Turn<'_>| {
            *begins.lock() = true;
            match turn {
                Turn::Begins(place) => work(self, Some(place)),
                Turn::Left => work(self, None),
                Turn::NoThread(error) => self.answer(Err::<(), _>(wire_error::no_thread_to_think(error))),
            }
        };
        let (told, request) = (Arc::downgrade(&client), id.clone());
        let tell = move |place| {
            // Nothing is said of it once it has begun, for it may be answered by then.
            let has_begun = has_begun.lock();
            if let Some(client) = told.upgrade().filter(|_| !*has_begun) {
                let request = Some(request.clone());
                client.send_progress(&notice_line(Waiting { request, table: None, seat: None, place }));
            }
        };
        let ticket = pool.enter(Owner::Client(client.number()), cost, Work::new(run, tell));
        client.jobs.keep(&id, &stop, ticket);
        pool.go_on();
        Ok(())
    }

    /// Answers the request, whose id is free again from then on.
    pub(super) fn answer(self, answer: Result<impl Serialize, ErrorObject>) {
        self.forget();
        self.client.answer(Some(&self.id), answer);
    }

    /// Answers with a line that is written already.
    pub(super) fn answer_with(self, line: &Arc<str>) {
        self.forget();
        self.client.send(line);
    }

    /// Frees the id, which another job may have by now: that one is left alone.
    fn forget(&self) {
        let mut running = self.client.jobs.running.lock();
        if running.jobs.get(&self.id).is_some_and(|job| Arc::ptr_eq(&job.stop, &self.stop)) {
            running.jobs.remove(&self.id);
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.forget();
        self.held = None;
        self.client.jobs.running.lock().unanswered -= 1;
        self.client.jobs.done.notify_all();
    }
}

impl Jobs {
    /// Keeps the place in line of a job; who was cancelled meanwhile leaves it.
    fn keep(&self, id: &Id, stop: &Arc<AtomicBool>, ticket: Ticket) {
        let mut running = self.running.lock();
        if stop.load(Ordering::Relaxed) {
            drop(running);
            return end(&ticket);
        }
        if let Some(job) = running.jobs.get_mut(id).filter(|job| Arc::ptr_eq(&job.stop, stop)) {
            job.ticket = Some(ticket);
        }
    }

    /// Tells a job to stop. `false` if there is none.
    pub(super) fn cancel(&self, id: &Id) -> bool {
        let mut running = self.running.lock();
        let Some(job) = running.jobs.get_mut(id) else { return false };
        job.stop.store(true, Ordering::Relaxed);
        let ticket = job.ticket.take();
        drop(running);
        ticket.iter().for_each(end);
        true
    }

    /// Tells all jobs to stop, those to come included.
    pub(super) fn cancel_all(&self) {
        let mut running = self.running.lock();
        running.ending = true;
        let mut tickets = Vec::new();
        for job in running.jobs.values_mut() {
            job.stop.store(true, Ordering::Relaxed);
            tickets.extend(job.ticket.take());
        }
        drop(running);
        tickets.iter().for_each(end);
    }

    pub(super) fn wait_until_answered(&self) {
        self.done.wait_while(&mut self.running.lock(), |running| running.unanswered > 0);
    }
}

/// One that waits in line answers at once, here.
fn end(ticket: &Ticket) {
    if let Some(work) = ticket.leave() {
        work.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::testing;

    #[test]
    fn a_job_that_was_answered_leaves_the_next_one_with_its_id_alone() {
        let client = testing::client();
        let id = Id::Number(7);
        let answered = Job::begin(&client, &id).expect("the id is free");
        answered.forget();
        let next = Job::begin(&client, &id).expect("the id is free again");
        drop(answered);
        assert!(client.jobs.cancel(&id));
        assert!(next.stop.load(Ordering::Relaxed));
    }
}
