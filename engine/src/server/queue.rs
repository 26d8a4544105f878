//! A queue between two threads that knows how many bytes wait in it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};

/// Things that wait to be taken, and how much room they need. Who puts something in need not wait
/// for the one who takes it out.
pub(super) struct Queue<T> {
    waiting: Mutex<Backlog<T>>,
    changed: Condvar,
    /// The bytes of this queue and of others, together.
    of_all: Arc<AtomicUsize>,
}

struct Backlog<T> {
    things: VecDeque<(T, usize)>,
    bytes: usize,
    ended: bool,
    abandoned: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue::counted_in(Arc::default())
    }
}

impl<T> Queue<T> {
    /// A queue whose bytes are counted together with those of others.
    pub(super) fn counted_in(of_all: Arc<AtomicUsize>) -> Queue<T> {
        let waiting = Backlog { things: VecDeque::new(), bytes: 0, ended: false, abandoned: false };
        Queue { waiting: Mutex::new(waiting), changed: Condvar::new(), of_all }
    }

    /// Puts something at the end. Gives how much is waiting then. After the end it is dropped.
    pub(super) fn put(&self, thing: T, bytes: usize) -> usize {
        let mut waiting = self.waiting.lock();
        if !waiting.ended {
            waiting.things.push_back((thing, bytes));
            waiting.bytes += bytes;
            self.of_all.fetch_add(bytes, Ordering::Relaxed);
            self.changed.notify_all();
        }
        waiting.bytes
    }

    pub(super) fn bytes(&self) -> usize {
        self.waiting.lock().bytes
    }

    /// Waits until no more than this is waiting, or nothing will be taken any more.
    pub(super) fn wait_for_room(&self, bytes: usize) {
        drop(self.wait_while(|waiting| waiting.bytes > bytes && !waiting.ended));
    }

    /// The same, but for no longer than this. Gives whether there is room.
    pub(super) fn wait_briefly_for_room(&self, bytes: usize, time: Duration) -> bool {
        let mut waiting = self.waiting.lock();
        let is_full = |waiting: &mut Backlog<T>| waiting.bytes > bytes && !waiting.ended;
        !self.changed.wait_while_for(&mut waiting, is_full, time).timed_out()
    }

    /// Waits for the next thing; `None` once all is taken and nothing will be put in any more.
    pub(super) fn take(&self) -> Option<T> {
        let mut waiting = self.wait_while(|waiting| waiting.things.is_empty() && !waiting.ended);
        let (thing, bytes) = waiting.things.pop_front()?;
        waiting.bytes -= bytes;
        self.of_all.fetch_sub(bytes, Ordering::Relaxed);
        self.changed.notify_all();
        Some(thing)
    }

    /// Nothing is put in any more.
    pub(super) fn end(&self) {
        self.waiting.lock().ended = true;
        self.changed.notify_all();
    }

    /// Nothing is put in any more, and what is there will not be taken.
    pub(super) fn abandon(&self) {
        let mut waiting = self.waiting.lock();
        waiting.things.clear();
        self.of_all.fetch_sub(waiting.bytes, Ordering::Relaxed);
        waiting.bytes = 0;
        waiting.ended = true;
        waiting.abandoned = true;
        self.changed.notify_all();
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.waiting.lock().abandoned
    }

    fn wait_while(&self, condition: impl Fn(&Backlog<T>) -> bool) -> MutexGuard<'_, Backlog<T>> {
        let mut waiting = self.waiting.lock();
        self.changed.wait_while(&mut waiting, |waiting| condition(waiting));
        waiting
    }
}

impl<T> Drop for Queue<T> {
    fn drop(&mut self) {
        self.of_all.fetch_sub(self.waiting.lock().bytes, Ordering::Relaxed);
    }
}

impl<T> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn things_come_out_in_order_and_then_the_end() {
        let queue = Queue::default();
        assert_eq!((queue.put("one", 3), queue.put("two", 4)), (3, 7));
        queue.end();
        assert_eq!(queue.put("too late", 8), 7);
        assert_eq!([queue.take(), queue.take(), queue.take()], [Some("one"), Some("two"), None]);
    }

    #[test]
    fn who_waits_for_room_goes_on_when_there_is_some_or_nobody_takes_any_more() {
        let queue = Arc::new(Queue::default());
        queue.put((), 10);
        let other = Arc::clone(&queue);
        let waits = thread::spawn(move || other.wait_for_room(5));
        queue.take();
        waits.join().expect("there is room");

        queue.put((), 10);
        let other = Arc::clone(&queue);
        let waits = thread::spawn(move || other.wait_for_room(5));
        queue.abandon();
        waits.join().expect("nobody takes any more");
        assert_eq!(queue.bytes(), 0);
    }

    #[test]
    fn who_waits_briefly_hears_whether_there_is_room() {
        let queue = Queue::default();
        queue.put((), 10);
        assert!(!queue.wait_briefly_for_room(9, Duration::from_millis(1)));
        assert!(queue.wait_briefly_for_room(10, Duration::from_millis(1)));
        queue.abandon();
        assert!(queue.wait_briefly_for_room(0, Duration::from_millis(1)));
    }

    #[test]
    fn queues_that_are_counted_together_know_what_waits_in_all_of_them() {
        let of_all = Arc::new(AtomicUsize::new(0));
        let [one, two] = [(); 2].map(|()| Queue::counted_in(Arc::clone(&of_all)));
        one.put((), 10);
        two.put((), 5);
        two.put((), 7);
        assert_eq!(of_all.load(Ordering::Relaxed), 22);
        two.take();
        assert_eq!(of_all.load(Ordering::Relaxed), 17);
        two.abandon();
        drop(one);
        assert_eq!(of_all.load(Ordering::Relaxed), 0);
    }
}
