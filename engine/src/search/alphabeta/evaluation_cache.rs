//! Static evaluations of positions that a search came upon before: where moves can be made in
//! another order, it often comes upon the same leaf.

/// What the evaluations of quiet positions were, by their hashes. Each thread has its own.
pub(super) struct EvaluationCache {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The half of the hash that does not say where it is.
    tag: u32,
    evaluation: i32,
}

/// More would not stay near the processor.
const MOST: u64 = 1 << 15;

impl EvaluationCache {
    fn entries_for(nodes: u64) -> usize {
        nodes.clamp(1 << 10, MOST).next_power_of_two() as usize
    }

    /// How many bytes it takes in a search of so many nodes.
    pub(super) fn bytes_for(nodes: u64) -> usize {
        EvaluationCache::entries_for(nodes) * size_of::<Entry>()
    }

    /// For a search of about so many nodes.
    pub(super) fn for_nodes(nodes: u64) -> EvaluationCache {
        // A tag of 0 is never found.
        let empty = Entry { tag: 0, evaluation: 0 };
        EvaluationCache { entries: vec![empty; EvaluationCache::entries_for(nodes)] }
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<i32> {
        let entry = &self.entries[self.place(hash)];
        (entry.tag == hash as u32 && entry.tag != 0).then_some(entry.evaluation)
    }

    #[inline]
    pub(super) fn put(&mut self, hash: u64, evaluation: i32) {
        let place = self.place(hash);
        self.entries[place] = Entry { tag: hash as u32, evaluation };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_put_is_found() {
        let mut cache = EvaluationCache::for_nodes(1);
        assert_eq!(cache.get(0), None);
        let (hash, same_place) = (7 << 44 | 3 << 32 | 5, 7 << 44 | 3 << 32 | 6);
        assert_eq!(cache.place(hash), cache.place(same_place));
        cache.put(hash, -42);
        assert_eq!(cache.get(hash), Some(-42));
        assert_eq!(cache.get(same_place), None);
        cache.put(same_place, 17);
        assert_eq!((cache.get(hash), cache.get(same_place)), (None, Some(17)));
    }
}
