//! Who goes on and who waits: places and memory that are limited, and a fair line before them. It
//! knows no threads, no clock and not what is done.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::search::Cost;

/// For whom something is done. Owners take turns; what one of them wants is done in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum Owner {
    /// A client, by its number.
    Client(u64),
    /// A table whose maker has gone, by its number.
    Table(u64),
}

/// How much may go on at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) struct Capacity {
    /// How many threads.
    pub(in crate::server) places: usize,
    /// How many bytes they may take together.
    pub(in crate::server) memory: usize,
    /// How many of these bytes are kept for what is brief.
    pub(in crate::server) kept: usize,
}

/// Works that go on and works that wait.
#[derive(Debug)]
pub(super) struct Line<W> {
    capacity: Capacity,
    /// How many works go on, and how many of them are brief.
    running: usize,
    running_brief: usize,
    /// Bytes that are taken.
    memory: usize,
    /// Threads that help those that go on.
    helpers: Vec<Helper>,
    /// The first of them is served first, and is the last one then.
    queues: VecDeque<Queue<W>>,
    last_number: u64,
}

/// What one owner waits for: what is brief does not stand behind what is not.
#[derive(Debug)]
struct Queue<W> {
    owner: Owner,
    brief: bool,
    waiting: VecDeque<Waiting<W>>,
}

#[derive(Debug)]
pub(super) struct Waiting<W> {
    number: u64,
    cost: Cost,
    pub(super) work: W,
}

#[derive(Debug)]
struct Helper {
    number: u64,
    memory: usize,
    /// Raised when its place is wanted for somebody who waits.
    stop: Arc<AtomicBool>,
}

impl<W> Line<W> {
    pub(super) fn new(capacity: Capacity) -> Line<W> {
        Line {
            capacity,
            running: 0,
            running_brief: 0,
            memory: 0,
            helpers: Vec::new(),
            queues: VecDeque::new(),
            last_number: 0,
        }
    }

    /// Stands in line. Gives the number to leave it with.
    pub(super) fn enter(&mut self, owner: Owner, cost: Cost, work: W) -> u64 {
        let number = self.next_number();
        let waiting = Waiting { number, cost, work };
        match self.queues.iter_mut().find(|queue| queue.owner == owner && queue.brief == cost.brief) {
            Some(queue) => queue.waiting.push_back(waiting),
            None => {
                self.queues.push_back(Queue { owner, brief: cost.brief, waiting: VecDeque::from([waiting]) });
            }
        }
        number
    }

    /// Takes the next work that may begin; [`Line::done`] has to be told of its end. If none may,
    /// helpers are asked to make room for those who wait.
    pub(super) fn next(&mut self) -> Option<(Cost, W)> {
        let mut found = None;
        for (index, queue) in self.queues.iter().enumerate() {
            let Some(first) = queue.waiting.front() else { continue };
            if self.has_room(first.cost) {
                found = Some(index);
                break;
            }
            // Nobody takes away the memory that something brief waits for.
            if first.cost.brief && self.has_place(first.cost) {
                break;
            }
        }
        let Some(mut queue) = found.and_then(|index| self.queues.remove(index)) else {
            self.call_helpers_back();
            return None;
        };
        let Waiting { cost, work, .. } = queue.waiting.pop_front()?;
        if !queue.waiting.is_empty() {
            self.queues.push_back(queue);
        }
        self.running += 1;
        self.running_brief += usize::from(cost.brief);
        self.memory += cost.memory;
        Some((cost, work))
    }

    /// What is brief always finds a place, if only one at a time.
    fn has_place(&self, cost: Cost) -> bool {
        self.running + self.helpers.len() < self.capacity.places || cost.brief && self.running_brief == 0
    }

    fn has_room(&self, cost: Cost) -> bool {
        let kept = if cost.brief { 0 } else { self.capacity.kept };
        self.has_place(cost) && self.memory + cost.memory + kept <= self.capacity.memory
    }

    /// A work that went on has ended.
    pub(super) fn done(&mut self, cost: Cost) {
        self.running -= 1;
        self.running_brief -= usize::from(cost.brief);
        self.memory -= cost.memory;
    }

    /// Leaves the line. `None` if the work has begun already.
    pub(super) fn leave(&mut self, owner: Owner, number: u64) -> Option<W> {
        for (index, queue) in self.queues.iter_mut().enumerate().filter(|(_, queue)| queue.owner == owner) {
            if let Some(place) = queue.waiting.iter().position(|waiting| waiting.number == number) {
                let left = queue.waiting.remove(place);
                if queue.waiting.is_empty() {
                    self.queues.remove(index);
                }
                return left.map(|waiting| waiting.work);
            }
        }
        None
    }

    /// Lets a helper work, if a place is free that nobody waits for. Gives the number to go with.
    pub(super) fn help(&mut self, stop: &Arc<AtomicBool>, memory: usize) -> Option<u64> {
        let is_wanted = !self.queues.is_empty();
        if is_wanted || !self.has_room(Cost { brief: false, memory }) {
            return None;
        }
        let number = self.next_number();
        self.memory += memory;
        self.helpers.push(Helper { number, memory, stop: Arc::clone(stop) });
        Some(number)
    }

    /// A helper has ended.
    pub(super) fn helped(&mut self, number: u64) {
        if let Some(place) = self.helpers.iter().position(|helper| helper.number == number) {
            self.memory -= self.helpers.swap_remove(place).memory;
        }
    }

    /// As many helpers as works wait.
    fn call_helpers_back(&mut self) {
        let leaves = |helper: &&Helper| helper.stop.load(Ordering::Relaxed);
        let wanted = self.waiting().saturating_sub(self.helpers.iter().filter(leaves).count());
        let stays = self.helpers.iter().filter(|helper| !leaves(helper));
        stays.take(wanted).for_each(|helper| helper.stop.store(true, Ordering::Relaxed));
    }

    /// How many works go on.
    pub(super) fn running(&self) -> usize {
        self.running
    }

    /// How many threads help them.
    pub(super) fn helpers(&self) -> usize {
        self.helpers.len()
    }

    /// How many works wait.
    pub(super) fn waiting(&self) -> usize {
        self.queues.iter().map(|queue| queue.waiting.len()).sum()
    }

    /// Bytes that are taken.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// Everything that waits with its place in line, from 1. Owners take turns: before one who is
    /// the third of its queue come two of its own and up to three of those served earlier.
    pub(super) fn places(&mut self) -> impl Iterator<Item = (usize, &mut W)> {
        let lengths: Vec<usize> = self.queues.iter().map(|queue| queue.waiting.len()).collect();
        self.queues.iter_mut().enumerate().flat_map(move |(index, queue)| {
            let lengths = lengths.clone();
            queue.waiting.iter_mut().enumerate().map(move |(depth, waiting)| {
                let before = |(other, &length): (usize, &usize)| {
                    if other == index { depth } else { length.min(depth + usize::from(other < index)) }
                };
                (1 + lengths.iter().enumerate().map(before).sum::<usize>(), &mut waiting.work)
            })
        })
    }

    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRIEF: Cost = Cost { brief: true, memory: 10 };
    const LONG: Cost = Cost { brief: false, memory: 10 };
    const ONE: Owner = Owner::Client(1);
    const TWO: Owner = Owner::Client(2);

    fn line(places: usize) -> Line<&'static str> {
        Line::new(Capacity { places, memory: 100, kept: 20 })
    }

    fn begun(line: &mut Line<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| line.next().map(|(_, work)| work)).collect()
    }

    #[test]
    fn owners_take_turns_and_each_is_served_in_order() {
        let mut line = line(1);
        for work in ["a1", "a2", "a3", "a4"] {
            line.enter(ONE, BRIEF, work);
        }
        assert_eq!(begun(&mut line), ["a1"]);
        line.enter(TWO, BRIEF, "b1");
        line.enter(TWO, BRIEF, "b2");
        let places: Vec<_> = line.places().map(|(place, work)| (place, *work)).collect();
        assert_eq!(places, [(1, "a2"), (3, "a3"), (5, "a4"), (2, "b1"), (4, "b2")]);
        let mut order = Vec::new();
        while line.running() > 0 {
            line.done(BRIEF);
            order.extend(begun(&mut line));
        }
        assert_eq!(order, ["a2", "b1", "a3", "b2", "a4"]);
        assert_eq!((line.waiting(), line.memory()), (0, 0));
    }

    #[test]
    fn what_is_brief_finds_a_place_beside_what_is_not() {
        let mut line = line(2);
        for work in ["long 1", "long 2", "long 3"] {
            line.enter(ONE, LONG, work);
        }
        assert_eq!(begun(&mut line), ["long 1", "long 2"]);
        line.enter(ONE, BRIEF, "brief 1");
        line.enter(TWO, BRIEF, "brief 2");
        assert_eq!(begun(&mut line), ["brief 1"]);
        line.done(BRIEF);
        assert_eq!(begun(&mut line), ["brief 2"]);
        line.done(LONG);
        assert_eq!(begun(&mut line), Vec::<&str>::new(), "as many as there are places go on");
        line.done(BRIEF);
        assert_eq!(begun(&mut line), ["long 3"]);
    }

    #[test]
    fn only_so_many_go_on_as_fit_into_the_memory() {
        let mut line = line(20);
        let large = |brief| Cost { brief, memory: 40 };
        for work in ["long 1", "long 2", "long 3"] {
            line.enter(ONE, large(false), work);
        }
        assert_eq!(begun(&mut line), ["long 1", "long 2"]);
        line.enter(ONE, BRIEF, "brief 1");
        assert_eq!(begun(&mut line), ["brief 1"], "some is kept for what is brief");
        line.enter(TWO, Cost { brief: true, memory: 20 }, "brief 2");
        line.enter(Owner::Table(3), BRIEF, "brief 3");
        assert_eq!(begun(&mut line), Vec::<&str>::new(), "nobody overtakes who waits for memory");
        line.done(BRIEF);
        assert_eq!(begun(&mut line), ["brief 2"]);
        line.done(large(false));
        assert_eq!(begun(&mut line), ["brief 3"], "what is left is kept");
        assert_eq!(line.memory(), 70);
    }

    #[test]
    fn helpers_take_what_is_free_and_make_room() {
        let mut line = line(3);
        let stops = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
        line.enter(ONE, BRIEF, "a");
        assert_eq!(begun(&mut line), ["a"]);
        let helpers: Vec<_> = stops.iter().map(|stop| line.help(stop, 5)).collect();
        assert_eq!(helpers[2], None);
        assert_eq!(line.memory(), 20);
        let is_raised = |index: usize| stops[index].load(Ordering::Relaxed);
        line.enter(TWO, BRIEF, "b");
        assert_eq!(begun(&mut line), Vec::<&str>::new());
        assert_eq!([is_raised(0), is_raised(1)], [true, false], "one waits, one helper goes");
        assert_eq!(line.help(&stops[2], 5), None, "somebody waits");
        helpers.into_iter().take(1).flatten().for_each(|helper| line.helped(helper));
        assert_eq!(begun(&mut line), ["b"]);
    }

    #[test]
    fn who_leaves_the_line_is_not_served() {
        let mut line = line(1);
        let numbers = ["a1", "a2", "a3"].map(|work| line.enter(ONE, BRIEF, work));
        assert_eq!(begun(&mut line), ["a1"]);
        assert_eq!(line.leave(ONE, numbers[0]), None, "it goes on already");
        assert_eq!(line.leave(TWO, numbers[1]), None);
        assert_eq!(line.leave(ONE, numbers[1]), Some("a2"));
        assert_eq!(line.leave(ONE, numbers[2]), Some("a3"));
        line.done(BRIEF);
        assert_eq!(begun(&mut line), Vec::<&str>::new());
        assert_eq!(line.waiting(), 0);
    }
}
