//! The queue of lines that wait for a client to read them.

use std::time::Duration;

use shuttle::sync::Arc;
use shuttle::thread;

use super::queue::Queue;

/// What several put in comes out once, in the order in which each of them put it in.
pub fn nothing_is_lost_or_doubled() {
    let queue = Arc::new(Queue::default());
    let writers: Vec<_> = (0..3)
        .map(|writer| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                for line in 0..3 {
                    queue.put((writer, line), 10);
                }
            })
        })
        .collect();
    let reader = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || std::iter::from_fn(|| queue.take()).collect::<Vec<(usize, usize)>>())
    };
    for writer in writers {
        writer.join().expect("it puts in");
    }
    queue.end();
    let taken = reader.join().expect("it takes out");
    for writer in 0..3 {
        let lines: Vec<usize> =
            taken.iter().filter(|(from, _)| *from == writer).map(|(_, line)| *line).collect();
        assert_eq!(lines, [0, 1, 2], "of writer {writer}");
    }
    assert_eq!((taken.len(), queue.bytes()), (9, 0));
}

/// Who waits for room is woken by whoever makes it, however many wait.
pub fn who_waits_for_room_gets_it() {
    let queue = Arc::new(Queue::default());
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                for _ in 0..3 {
                    queue.wait_for_room(10);
                    // Both may have seen room for one.
                    assert!(queue.put((), 10) <= 30);
                }
            })
        })
        .collect();
    let reader = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || (0..6).filter(|_| queue.take().is_some()).count())
    };
    for writer in writers {
        writer.join().expect("there is room in the end");
    }
    assert_eq!(reader.join().expect("it takes out"), 6);
}

/// A client that goes away leaves nobody behind who waits for it, and nothing in the queue.
pub fn nobody_waits_for_one_who_has_gone() {
    let queue = Arc::new(Queue::default());
    let writer = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || {
            for _ in 0..2 {
                queue.wait_for_room(5);
                queue.put((), 10);
                assert!(queue.wait_briefly_for_room(5, Duration::from_secs(1)));
                queue.put((), 10);
            }
        })
    };
    let reader = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || while queue.take().is_some() {})
    };
    let other = Arc::clone(&queue);
    let leaves = thread::spawn(move || other.abandon());
    for thread in [writer, reader, leaves] {
        thread.join().expect("nobody waits for ever");
    }
    assert!(queue.is_abandoned());
    assert_eq!(queue.bytes(), 0);
}

/// What was put in before the end is taken, and what comes after it is dropped.
pub fn the_end_comes_after_all_that_was_there() {
    let queue = Arc::new(Queue::default());
    queue.put(1, 1);
    let other = Arc::clone(&queue);
    let ends = thread::spawn(move || {
        other.put(2, 1);
        other.end();
        other.put(3, 1);
    });
    let taken: Vec<i32> = std::iter::from_fn(|| queue.take()).collect();
    ends.join().expect("it ends");
    assert_eq!(taken, [1, 2]);
}
