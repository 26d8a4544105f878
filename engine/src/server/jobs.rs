//! Requests that take long: each can be cancelled from when it is read until it is answered, and
//! waits in line while many others of its client go on.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use parking_lot::{Condvar, Mutex};
use serde::Serialize;
use tabuleiro_protocol::{ErrorObject, Id};

use super::client::Client;
use super::wire_error;

/// How many jobs of one client may wait or go on at once.
const MAX_JOBS: usize = 1024;

/// Jobs of one kind: some go on at the same time, the others wait until it is their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Searches,
    /// Each takes all cores.
    Batches,
}

impl Lane {
    /// How many of a client's go on at the same time.
    fn at_once(self) -> usize {
        match self {
            Lane::Searches => 64,
            Lane::Batches => 1,
        }
    }

    /// How many of a client's may wait. A batch that waits takes up room.
    fn in_line(self) -> usize {
        match self {
            Lane::Searches => MAX_JOBS,
            Lane::Batches => 16,
        }
    }
}

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
    searches: Line,
    batches: Line,
}

#[derive(Debug, Default)]
struct Line {
    /// How many go on.
    busy: usize,
    /// First come, first served.
    waiting: VecDeque<Work>,
}

/// What a job does once it is its turn.
struct Work {
    id: Id,
    work: Box<dyn FnOnce() + Send>,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Work").field(&self.id).finish()
    }
}

impl Running {
    fn line(&mut self, lane: Lane) -> &mut Line {
        match lane {
            Lane::Searches => &mut self.searches,
            Lane::Batches => &mut self.batches,
        }
    }
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
            let message = format!("{MAX_JOBS} searches are under way or in line already: wait or cancel one");
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

    /// Does the work in the background: at once, or when it is its turn. What was cancelled meanwhile
    /// does not wait, for it has nothing left to do but to answer.
    pub(super) fn start(
        self,
        lane: Lane,
        work: impl FnOnce(Job) + Send + 'static,
    ) -> Result<(), ErrorObject> {
        let client = Arc::clone(&self.client);
        let (id, stop) = (self.id.clone(), Arc::clone(&self.stop));
        let work = Work { id, work: Box::new(move || work(self)) };
        let mut running = client.jobs.running.lock();
        let line = running.line(lane);
        // Under the lock: who cancels it finds it in line, or the flag is seen here.
        if stop.load(Ordering::Relaxed) {
            drop(running);
            run_now(work);
            return Ok(());
        }
        if line.busy < lane.at_once() {
            line.busy += 1;
            drop(running);
            let worker = Arc::clone(&client);
            let spawned = spawn(Box::new(move || worker.jobs.work_on(lane, work)));
            if spawned.is_err() {
                client.jobs.running.lock().line(lane).busy -= 1;
            }
            return spawned;
        }
        if line.waiting.len() >= lane.in_line() {
            let count = line.waiting.len();
            // It has to let go of the lock before the job is dropped.
            drop(running);
            let message = format!("{count} requests of this kind are in line already: wait or cancel one");
            return Err(wire_error::limit(message));
        }
        line.waiting.push_back(work);
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
        if running.stops.get(&self.id).is_some_and(|stop| Arc::ptr_eq(stop, &self.stop)) {
            running.stops.remove(&self.id);
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.forget();
        self.client.jobs.running.lock().unanswered -= 1;
        self.client.jobs.done.notify_all();
    }
}

fn spawn(work: Box<dyn FnOnce() + Send>) -> Result<(), ErrorObject> {
    match thread::Builder::new().spawn(work) {
        Ok(_) => Ok(()),
        Err(error) => Err(wire_error::limit(format!("nobody is free to think: {error}"))),
    }
}

/// Lets a job answer that was cancelled before its turn: beside everything else or, with no thread
/// to be had, here.
fn run_now(work: Work) {
    let there = Arc::new(Mutex::new(Some(work)));
    let here = Arc::clone(&there);
    let run = |work: &Mutex<Option<Work>>| {
        let taken = work.lock().take();
        if let Some(Work { work, .. }) = taken {
            work();
        }
    };
    if spawn(Box::new(move || run(&there))).is_err() {
        run(&here);
    }
}

impl Jobs {
    /// Does one work after the other until none waits.
    fn work_on(&self, lane: Lane, first: Work) {
        let mut next = Some(first);
        while let Some(Work { work, .. }) = next {
            work();
            let mut running = self.running.lock();
            let line = running.line(lane);
            next = line.waiting.pop_front();
            if next.is_none() {
                line.busy -= 1;
            }
        }
    }

    /// Tells a job to stop. `false` if there is none.
    pub(super) fn cancel(&self, id: &Id) -> bool {
        let mut running = self.running.lock();
        let Some(stop) = running.stops.get(id) else { return false };
        stop.store(true, Ordering::Relaxed);
        // One that waits answers at once.
        let mut waits = None;
        for lane in [Lane::Searches, Lane::Batches] {
            let line = &mut running.line(lane).waiting;
            if let Some(place) = line.iter().position(|work| work.id == *id) {
                waits = line.remove(place);
            }
        }
        drop(running);
        waits.into_iter().for_each(run_now);
        true
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_was_answered_leaves_the_next_one_with_its_id_alone() {
        let client = Arc::new(Client::new(|| {}));
        let id = Id::Number(7);
        let answered = Job::begin(&client, &id).expect("the id is free");
        answered.forget();
        let next = Job::begin(&client, &id).expect("the id is free again");
        drop(answered);
        assert!(client.jobs.cancel(&id));
        assert!(next.stop.load(Ordering::Relaxed));
    }
}
