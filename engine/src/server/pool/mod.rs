//! The one pool of threads that think, for all clients and tables: as many at once as there are
//! places, the others wait in line. [`line`] decides who is next.

mod line;

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use parking_lot::Mutex;

use self::line::Line;
pub(super) use self::line::{Capacity, Owner};
use crate::search::{Cost, Crew, Membership};
use crate::threads;

/// How often those who wait are told their place, if it has changed. Nobody is told who waits for
/// less than that.
const TELL_EVERY: Duration = Duration::from_millis(500);

/// Threads that think.
#[derive(Debug)]
pub(super) struct Pool {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    line: Line<Work>,
    /// Somebody tells those who wait.
    has_herald: bool,
}

/// How a work comes to its end.
pub(super) enum Turn<'a> {
    /// It is its turn.
    Begins(&'a Place),
    /// It left the line, and has to make an end without thinking.
    Left,
    /// It is its turn, but there is no thread for it.
    NoThread(&'a io::Error),
}

/// Something to think about.
pub(super) struct Work {
    run: Box<dyn FnOnce(Turn<'_>) + Send>,
    /// Hears the place in line. It may come late: whoever is told of it looks whether it is still
    /// true.
    tell: Arc<dyn Fn(usize) + Send + Sync>,
    /// The place that was told last; `Some(0)` if only the time has begun.
    told: Option<usize>,
}

impl Work {
    pub(super) fn new(
        run: impl FnOnce(Turn<'_>) + Send + 'static,
        tell: impl Fn(usize) + Send + Sync + 'static,
    ) -> Work {
        Work { run: Box::new(run), tell: Arc::new(tell), told: None }
    }

    /// Makes an end of what has left the line.
    pub(super) fn end(self) {
        (self.run)(Turn::Left);
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("told", &self.told).finish_non_exhaustive()
    }
}

/// How much goes on in a pool.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    pub(super) running: usize,
    pub(super) helpers: usize,
    pub(super) waiting: usize,
    /// Bytes.
    pub(super) memory: usize,
}

/// A place in line.
#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pool: Arc<Pool>,
    owner: Owner,
    number: u64,
}

impl Ticket {
    /// Leaves the line. `None` if the work has begun already.
    pub(super) fn leave(&self) -> Option<Work> {
        self.pool.state.lock().line.leave(self.owner, self.number)
    }
}

impl Pool {
    pub(super) fn new(capacity: Capacity) -> Arc<Pool> {
        Arc::new(Pool { state: Mutex::new(State { line: Line::new(capacity), has_herald: false }) })
    }

    /// Puts a work in line. It begins with the next [`Pool::go_on`], which whoever holds a lock that
    /// the work needs calls later.
    pub(super) fn enter(self: &Arc<Pool>, owner: Owner, cost: Cost, work: Work) -> Ticket {
        let number = self.state.lock().line.enter(owner, cost, work);
        Ticket { pool: Arc::clone(self), owner, number }
    }

    /// Lets everything begin that may. What cannot have a thread is told so, here.
    pub(super) fn go_on(self: &Arc<Pool>) {
        loop {
            let mut state = self.state.lock();
            let Some((cost, work)) = state.line.next() else {
                self.send_herald(&mut state);
                return;
            };
            drop(state);
            let there = Arc::new(Mutex::new(Some(work)));
            let (here, pool) = (Arc::clone(&there), Arc::clone(self));
            let spawned = threads::spawn(move || {
                let work = there.lock().take();
                if let Some(work) = work {
                    pool.work_on(cost, work);
                }
            });
            if let Err(error) = spawned {
                tracing::error!("no thread can be made to think: {error}");
                let work = here.lock().take();
                if let Some(work) = work {
                    (work.run)(Turn::NoThread(&error));
                }
                let mut state = self.state.lock();
                state.line.done(cost);
                // The others wait for those that have a thread.
                if state.line.running() > 0 {
                    return;
                }
            }
        }
    }

    /// Does one work after the other until none may begin.
    fn work_on(self: &Arc<Pool>, cost: Cost, work: Work) {
        let mut next = Some((cost, work));
        while let Some((cost, work)) = next {
            let place = Place { pool: Arc::clone(self) };
            // Whatever happens, the place is free again.
            if catch_unwind(AssertUnwindSafe(|| (work.run)(Turn::Begins(&place)))).is_err() {
                tracing::error!("something that was thought about broke down");
            }
            let mut state = self.state.lock();
            state.line.done(cost);
            next = state.line.next();
            drop(state);
            // There may be memory for more than one.
            self.go_on();
        }
    }

    pub(super) fn load(&self) -> Load {
        let state = self.state.lock();
        Load {
            running: state.line.running(),
            helpers: state.line.helpers(),
            waiting: state.line.waiting(),
            memory: state.line.memory(),
        }
    }

    /// Lets somebody tell those who wait, as long as anybody does.
    fn send_herald(self: &Arc<Pool>, state: &mut State) {
        if state.has_herald || state.line.waiting() == 0 {
            return;
        }
        let pool = Arc::clone(self);
        let herald = move || {
            loop {
                threads::sleep(TELL_EVERY);
                let Some(news) = pool.news() else { return };
                news.into_iter().for_each(|(tell, place)| tell(place));
            }
        };
        match threads::spawn(herald) {
            Ok(_) => state.has_herald = true,
            Err(error) => tracing::warn!("those who wait are not told their place: {error}"),
        }
    }

    /// Who has to be told which place; `None` once nobody waits.
    #[expect(clippy::type_complexity, reason = "it is used once, right above")]
    fn news(&self) -> Option<Vec<(Arc<dyn Fn(usize) + Send + Sync>, usize)>> {
        let mut state = self.state.lock();
        if state.line.waiting() == 0 {
            state.has_herald = false;
            return None;
        }
        let mut news = Vec::new();
        for (place, work) in state.line.places() {
            match work.told {
                None => work.told = Some(0),
                Some(told) if told != place => {
                    work.told = Some(place);
                    news.push((Arc::clone(&work.tell), place));
                }
                Some(_) => {}
            }
        }
        Some(news)
    }
}

/// A place among those that go on.
pub(super) struct Place {
    pool: Arc<Pool>,
}

impl Crew for Place {
    fn join(&self, stop: &Arc<AtomicBool>, memory: usize) -> Option<Membership> {
        let number = self.pool.state.lock().line.help(stop, memory)?;
        Some(Box::new(HelpersPlace { pool: Arc::clone(&self.pool), number }))
    }
}

/// A place of a thread that helps.
struct HelpersPlace {
    pool: Arc<Pool>,
    number: u64,
}

impl Drop for HelpersPlace {
    fn drop(&mut self) {
        self.pool.state.lock().line.helped(self.number);
        self.pool.go_on();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;
    use crate::threads::supply;

    const BRIEF: Cost = Cost { brief: true, memory: 0 };

    fn pool(places: usize) -> Arc<Pool> {
        Pool::new(Capacity { places, memory: 0, kept: 0 })
    }

    /// Says how it ended.
    fn work(name: &'static str, said: &Sender<String>) -> Work {
        let said = said.clone();
        let run = move |turn: Turn<'_>| {
            let how = match turn {
                Turn::Begins(_) => "begins",
                Turn::Left => "left",
                Turn::NoThread(_) => "no thread",
            };
            said.send(format!("{name} {how}")).expect("somebody hears it");
        };
        Work::new(run, |_| {})
    }

    #[test]
    fn what_finds_no_thread_is_told_so_and_leaves_nothing() {
        let (said, heard) = channel();
        let pool = pool(2);
        for name in ["one", "two", "three"] {
            pool.enter(Owner::Client(1), BRIEF, work(name, &said));
        }
        supply::of(0, || pool.go_on());
        let told: Vec<String> = heard.try_iter().collect();
        assert_eq!(told, ["one no thread", "two no thread", "three no thread"]);
        let Load { running, waiting, .. } = pool.load();
        assert_eq!((running, waiting), (0, 0));
        pool.enter(Owner::Client(1), BRIEF, work("four", &said));
        pool.go_on();
        assert_eq!(heard.recv().as_deref(), Ok("four begins"));
    }

    #[test]
    fn what_breaks_down_gives_its_place_back() {
        let (said, heard) = channel();
        let pool = pool(1);
        let broken = Work::new(|_| panic!("on purpose"), |_| {});
        pool.enter(Owner::Client(1), BRIEF, broken);
        pool.enter(Owner::Client(1), BRIEF, work("next", &said));
        pool.go_on();
        assert_eq!(heard.recv().as_deref(), Ok("next begins"));
    }

    #[test]
    fn who_leaves_the_line_is_ended_elsewhere() {
        let (said, heard) = channel();
        let (go_on, wait) = channel::<()>();
        let pool = pool(1);
        let first = Work::new(move |_| wait.recv().unwrap_or_default(), |_| {});
        pool.enter(Owner::Client(1), BRIEF, first);
        let ticket = pool.enter(Owner::Client(1), BRIEF, work("second", &said));
        pool.go_on();
        ticket.leave().expect("it waits").end();
        assert!(ticket.leave().is_none());
        assert_eq!(heard.recv().as_deref(), Ok("second left"));
        drop(go_on);
    }

    #[test]
    fn those_who_wait_hear_their_place_and_when_it_changes() {
        let (go_on, wait) = channel::<()>();
        let (said, heard) = channel();
        let pool = pool(1);
        let wait = Arc::new(Mutex::new(wait));
        for name in ["first", "second", "third"] {
            let (wait, said) = (Arc::clone(&wait), said.clone());
            let tell = move |place| said.send((name, place)).unwrap_or_default();
            pool.enter(
                Owner::Client(1),
                BRIEF,
                Work::new(move |_| wait.lock().recv().unwrap_or_default(), tell),
            );
        }
        pool.go_on();
        assert_eq!(heard.recv(), Ok(("second", 1)));
        assert_eq!(heard.recv(), Ok(("third", 2)));
        go_on.send(()).expect("it waits for that");
        assert_eq!(heard.recv(), Ok(("third", 1)));
    }
}
