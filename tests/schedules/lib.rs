//! Sources of the engine in which threads have to agree, compiled as they are, but for their locks
//! and threads: shuttle decides at each of them who goes on, and so tries thousands of orders that a
//! machine shows once in a year.
//!
//! They are a library, and not the tests themselves, because the tests inside those sources want
//! real threads.

// What the sources call `parking_lot` is this crate.
extern crate self as parking_lot;

mod locks;
mod server;
mod threads;
/// What a pool has to know of searches.
mod search {
    pub(crate) use tabuleiro_engine::search::{Cost, Crew, Membership};
}

pub use locks::{Condvar, Mutex, MutexGuard};
pub use server::{client_queue, search_pool};
