//! The transposition table.

use std::sync::atomic::{AtomicU64, Ordering};

/// Nodes that one thread may well search before time is up: no table is made for more.
const USUAL_NODES: u64 = 1 << 20;

/// What is known of positions that were searched before, shared by all threads of a search.
///
/// Two words a position: the second is what is known, the first is the hash mixed with it, so that
/// a half-written entry is taken for another position's and not believed.
pub(in crate::search) struct TranspositionTable {
    entries: Vec<[AtomicU64; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Bound {
    /// What a value says that was found with this window.
    pub(super) fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        match value {
            _ if value >= beta => Bound::AtLeast,
            _ if value > alpha => Bound::Exact,
            _ => Bound::AtMost,
        }
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) value: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// It follows from how games end, and from no static evaluation.
    pub(super) certain: bool,
    /// The best move, as its place among those that are listed.
    pub(super) best: Option<u16>,
}

const NO_MOVE: u64 = 0xFFFF;

impl TranspositionTable {
    /// How many positions a table for a search of about so many nodes holds. It depends on nothing
    /// else, so that the same search finds the same on every machine.
    fn entries_for(nodes: u64) -> u64 {
        nodes.clamp(1 << 10, USUAL_NODES).next_power_of_two()
    }

    /// How many bytes such a table takes.
    pub(super) fn bytes_for(nodes: u64) -> usize {
        TranspositionTable::entries_for(nodes) as usize * size_of::<[AtomicU64; 2]>()
    }

    /// A table for a search of about so many nodes.
    pub(in crate::search) fn for_nodes(nodes: u64) -> TranspositionTable {
        let entries = TranspositionTable::entries_for(nodes);
        let empty = |_| [AtomicU64::new(0), AtomicU64::new(0)];
        TranspositionTable { entries: (0..entries).map(empty).collect() }
    }

    fn slot(&self, hash: u64) -> &[AtomicU64; 2] {
        &self.entries[hash as usize & (self.entries.len() - 1)]
    }

    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        let [mixed, known] = self.slot(hash);
        let known = known.load(Ordering::Relaxed);
        if mixed.load(Ordering::Relaxed) != hash ^ known || known == 0 {
            return None;
        }
        let best = known >> 32 & 0xFFFF;
        Some(Entry {
            value: known as u32 as i32,
            best: (best != NO_MOVE).then_some(best as u16),
            depth: (known >> 48) as u8,
            certain: known >> 58 & 1 == 1,
            bound: match known >> 56 & 3 {
                1 => Bound::Exact,
                2 => Bound::AtLeast,
                _ => Bound::AtMost,
            },
        })
    }

    pub(super) fn put(&self, hash: u64, entry: Entry) {
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::AtLeast => 2,
            Bound::AtMost => 3,
        };
        let best = entry.best.map_or(NO_MOVE, u64::from);
        let known = u64::from(entry.value as u32)
            | best << 32
            | u64::from(entry.depth) << 48
            | bound << 56
            | u64::from(entry.certain) << 58;
        let [mixed, slot] = self.slot(hash);
        slot.store(known, Ordering::Relaxed);
        mixed.store(hash ^ known, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_what_is_got() {
        let table = TranspositionTable::for_nodes(1);
        let mut hash = 1u64;
        for (value, best, depth, bound, certain) in [
            (-999_999, None, 0, Bound::Exact, false),
            (999_999, Some(0), 255, Bound::AtLeast, true),
            (0, Some(65_000), 7, Bound::AtMost, true),
        ] {
            hash = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let entry = Entry { value, depth, bound, certain, best };
            table.put(hash, entry);
            assert_eq!(table.get(hash), Some(entry));
            assert_eq!(table.get(hash ^ 1 << 63), None);
        }
    }
}
