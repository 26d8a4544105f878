//! The processes of one bot, lent to whoever wants a turn of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::log::Log;
use super::process::{LONGEST_END, Process, Unanswered};
use super::{MOST_PROCESSES, Spec, Supervisor};
use crate::threads;

/// How often somebody who waits for a process looks whether to go on.
const LOOK: Duration = Duration::from_millis(50);

/// The processes of one bot.
#[derive(Debug)]
pub(super) struct Pool {
    spec: Spec,
    supervisor: Supervisor,
    /// How much longer than its time it may take.
    margin: Duration,
    log: Arc<Log>,
    processes: Mutex<Processes>,
    given_back: Condvar,
    /// Nobody is asked any more.
    closed: AtomicBool,
    supervisors: Arc<WaitGroup>,
}

#[derive(Debug, Default)]
struct Processes {
    idle: Vec<Process>,
    /// Those that are lent, or just being started.
    busy: usize,
}

impl Pool {
    pub(super) fn new(spec: Spec, supervisor: Supervisor, margin: Duration) -> Pool {
        Pool {
            spec,
            supervisor,
            margin,
            log: Arc::default(),
            processes: Mutex::default(),
            given_back: Condvar::new(),
            closed: AtomicBool::new(false),
            supervisors: Arc::default(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.spec.name
    }

    pub(super) fn margin(&self) -> Duration {
        self.margin
    }

    pub(super) fn log(&self) -> &Log {
        &self.log
    }

    /// A process that is idle, or a new one; waits if there are too many already.
    pub(super) fn borrow(self: &Arc<Pool>, stop: &AtomicBool) -> Result<Loan, Unanswered> {
        let mut processes = self.processes.lock();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Unanswered::Stopped);
            }
            if processes.busy < MOST_PROCESSES {
                break;
            }
            self.given_back.wait_for(&mut processes, LOOK);
        }
        processes.busy += 1;
        let mut loan = Loan { pool: Arc::clone(self), process: None };
        // One that has died while nobody asked it anything does no harm.
        while let Some(process) = processes.idle.pop() {
            if process.is_alive() {
                loan.process = Some(process);
                return Ok(loan);
            }
        }
        drop(processes);
        loan.process =
            Some(Process::start(&self.spec, &self.supervisor, &self.log, &self.supervisors, stop)?);
        Ok(loan)
    }

    /// Ends all processes that are idle, and those that are busy as soon as they are given back.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.processes.lock().idle.clear();
    }

    pub(super) fn wait_until_gone(&self) {
        self.supervisors.wait();
    }
}

/// A process for as long as it is asked. When this is dropped the process is ended, unless it was
/// given back.
#[derive(Debug)]
pub(super) struct Loan {
    pool: Arc<Pool>,
    process: Option<Process>,
}

impl Loan {
    pub(super) fn process(&mut self) -> Option<&mut Process> {
        self.process.as_mut()
    }

    /// Others may ask it now.
    pub(super) fn give_back(mut self) {
        if !self.pool.closed.load(Ordering::Relaxed) {
            self.pool.processes.lock().idle.extend(self.process.take());
        }
    }

    /// Gives the process back once it has said what nobody wants to know any more. It is ended if
    /// nobody can wait for that.
    pub(super) fn give_back_later(mut self, deadline: Instant) {
        let waiting = threads::spawn(move || {
            let pool = Arc::clone(&self.pool);
            let answered = self.process.as_mut().map(|process| process.answer(deadline, &pool.closed));
            if let Some(Ok(_)) = answered {
                self.give_back();
            }
        });
        if let Err(error) = waiting {
            tracing::warn!("a bot is ended, for nobody can wait for it: {error}");
        }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.process = None;
        self.pool.processes.lock().busy -= 1;
        self.pool.given_back.notify_one();
    }
}

/// Waits until all supervisors have ended.
#[derive(Debug, Default)]
pub(super) struct WaitGroup {
    count: Mutex<usize>,
    fewer: Condvar,
}

impl WaitGroup {
    /// One more to wait for, until what this gives is dropped.
    pub(super) fn add(group: &Arc<WaitGroup>) -> WaitGroupMember {
        *group.count.lock() += 1;
        WaitGroupMember(Arc::clone(group))
    }

    /// Waits for all of them, but not for ever.
    pub(super) fn wait(&self) {
        let mut count = self.count.lock();
        self.fewer.wait_while_for(&mut count, |count| *count > 0, LONGEST_END);
    }
}

#[derive(Debug)]
pub(super) struct WaitGroupMember(Arc<WaitGroup>);

impl Drop for WaitGroupMember {
    fn drop(&mut self) {
        *self.0.count.lock() -= 1;
        self.0.fewer.notify_all();
    }
}
