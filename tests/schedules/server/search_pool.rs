//! The pool of searches and the line before it.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shuttle::thread;

use super::pool::{Capacity, Owner, Pool, Turn, Work};
use crate::locks::{Condvar, Mutex};
use crate::search::{Cost, Crew};

const BRIEF: Cost = Cost { brief: true, memory: 10 };
const LONG: Cost = Cost { brief: false, memory: 10 };
const CAPACITY: Capacity = Capacity { places: 2, memory: 40, kept: 10 };

/// How everything has ended so far.
#[derive(Default)]
struct Tally {
    ends: Mutex<Ends>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct Ends {
    begun: usize,
    left: usize,
    refused: usize,
    /// How many go on now.
    going_on: usize,
}

impl Tally {
    /// Something to think about that counts how it ends.
    fn work(self: &Arc<Tally>, think: impl FnOnce(&dyn Crew) + Send + 'static) -> Work {
        let tally = Arc::clone(self);
        let run = move |turn: Turn<'_>| match turn {
            Turn::Begins(place) => {
                let mut ends = tally.ends.lock();
                ends.going_on += 1;
                // One that is brief goes on beside those that have a place.
                assert!(ends.going_on <= CAPACITY.places + 1, "{ends:?}");
                drop(ends);
                think(place);
                tally.count(|ends| {
                    ends.going_on -= 1;
                    ends.begun += 1;
                });
            }
            Turn::Left => tally.count(|ends| ends.left += 1),
            Turn::NoThread(why) => {
                assert_eq!(why.kind(), ErrorKind::WouldBlock);
                tally.count(|ends| ends.refused += 1);
            }
        };
        Work::new(run, |_| {})
    }

    fn count(&self, count: impl FnOnce(&mut Ends)) {
        count(&mut self.ends.lock());
        self.ended.notify_all();
    }

    /// Waits until so many have come to an end, one way or the other.
    fn wait_for(&self, works: usize) {
        let mut ends = self.ends.lock();
        self.ended.wait_while(&mut ends, |ends| ends.begun + ends.left + ends.refused < works);
        assert_eq!(ends.begun + ends.left + ends.refused, works);
    }
}

/// Nothing goes on and nothing is taken in the end.
fn wait_until_idle(pool: &Pool) {
    loop {
        let load = pool.load();
        assert!(load.memory <= CAPACITY.memory, "{load:?}");
        if (load.running, load.helpers, load.waiting, load.memory) == (0, 0, 0, 0) {
            return;
        }
        thread::yield_now();
    }
}

/// Several clients ask for several things at once, some of which find no thread: each comes to one
/// end, no more go on than there are places, and everything is given back.
pub fn everything_comes_to_one_end() {
    let (pool, tally) = (Pool::new(CAPACITY), Arc::new(Tally::default()));
    let clients: Vec<_> = (0..3)
        .map(|client| {
            let (pool, tally) = (Arc::clone(&pool), Arc::clone(&tally));
            thread::spawn(move || {
                for cost in [LONG, BRIEF] {
                    pool.enter(Owner::Client(client), cost, tally.work(|_| thread::yield_now()));
                    pool.go_on();
                }
            })
        })
        .collect();
    for client in clients {
        client.join().expect("it asks");
    }
    tally.wait_for(6);
    wait_until_idle(&pool);
}

/// Whoever leaves the line while it begins either leaves or begins.
pub fn who_leaves_either_leaves_or_begins() {
    let (pool, tally) = (Pool::new(CAPACITY), Arc::new(Tally::default()));
    let tickets: Vec<_> = (0..4)
        .map(|client| pool.enter(Owner::Client(client), LONG, tally.work(|_| thread::yield_now())))
        .collect();
    let leaves = {
        let tickets = tickets.clone();
        thread::spawn(move || tickets.iter().rev().filter_map(|ticket| ticket.leave()).for_each(Work::end))
    };
    pool.go_on();
    leaves.join().expect("it leaves");
    tally.wait_for(4);
    assert!(tickets.iter().all(|ticket| ticket.leave().is_none()));
    wait_until_idle(&pool);
}

/// Threads that help give their places to those who wait.
pub fn helpers_make_room() {
    let (pool, tally) = (Pool::new(CAPACITY), Arc::new(Tally::default()));
    let helped = tally.work(|crew| {
        let stop = Arc::new(AtomicBool::new(false));
        let Some(membership) = crew.join(&stop, 10) else { return };
        let helper = thread::spawn(move || {
            // Longer than anybody asks in this schedule, unless it is called back.
            for _ in 0..50 {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                thread::yield_now();
            }
            drop(membership);
        });
        helper.join().expect("it helps");
    });
    pool.enter(Owner::Client(1), LONG, helped);
    pool.go_on();
    pool.enter(Owner::Table(1), LONG, tally.work(|_| {}));
    pool.go_on();
    pool.enter(Owner::Client(2), LONG, tally.work(|_| {}));
    pool.go_on();
    tally.wait_for(3);
    wait_until_idle(&pool);
}
