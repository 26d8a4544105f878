//! Sources of the engine in which threads have to agree, compiled as they are, but for their locks:
//! shuttle decides at each of them which thread goes on, and so tries thousands of orders that a
//! machine shows once in a year.
//!
//! They are a library, and not the tests themselves, because the tests inside those sources want
//! real threads.

// What the sources call `parking_lot` is this crate.
extern crate self as parking_lot;

mod locks;
#[path = "../../engine/src/server/queue.rs"]
mod queue;

pub mod client_queue;

pub use locks::{Condvar, Mutex, MutexGuard};
