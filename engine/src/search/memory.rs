//! What a search without end leaves behind, so that the next one goes on where it was.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use super::alphabeta::TranspositionTable;
use super::progress::Spent;

/// The positions whose results are kept. What is known of other ones is in the transposition table.
const MOST_POSITIONS: usize = 32;

/// What searches of one game by one level have found. It is of no use to another game or level.
pub struct Memory {
    pub(super) table: TranspositionTable,
    /// The last one that was searched is the last.
    found: VecDeque<Found>,
}

/// What has been found in a position.
struct Found {
    /// The hash of the position.
    position: u64,
    spent: Spent,
    /// As the search keeps it, which alone knows the type of a move.
    root: Box<dyn Any + Send>,
}

/// A memory, and the position that is searched.
pub(super) struct Recall<'a> {
    pub(super) memory: &'a mut Memory,
    pub(super) position: u64,
}

impl Memory {
    pub fn new() -> Memory {
        Memory { table: TranspositionTable::for_nodes(u64::MAX), found: VecDeque::new() }
    }

    /// What was spent on a position already.
    pub(super) fn spent_on(&self, position: u64) -> Spent {
        let found = self.found.iter().find(|found| found.position == position);
        found.map(|found| found.spent).unwrap_or_default()
    }

    /// What was found in a position, if it was searched in the same way.
    pub(super) fn root<T: Clone + 'static>(&self, position: u64) -> Option<T> {
        self.found.iter().find(|found| found.position == position)?.root.downcast_ref().cloned()
    }

    /// Keeps what was found in a position instead of what was known before.
    pub(super) fn keep_root<T: Send + 'static>(&mut self, position: u64, root: T) {
        let spent = self.spent_on(position);
        self.found.retain(|found| found.position != position);
        self.found.push_back(Found { position, spent, root: Box::new(root) });
        if self.found.len() > MOST_POSITIONS {
            self.found.pop_front();
        }
    }

    /// Notes what one more search of a position took.
    pub(super) fn spend(&mut self, position: u64, nodes: u64, time: Duration) {
        if let Some(found) = self.found.iter_mut().find(|found| found.position == position) {
            found.spent.nodes += nodes;
            found.spent.time += time;
        }
    }
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new()
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("positions", &self.found.len()).finish_non_exhaustive()
    }
}
