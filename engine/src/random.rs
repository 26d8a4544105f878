//! Chance: the one generator of random numbers.

use std::hash::{BuildHasher, RandomState};

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The one source of chance in the engine: the same seed gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A seed for something that shall have chances of its own.
    pub fn next_seed(&mut self) -> u64 {
        seed_of(self.next_u64())
    }

    /// A number from 0 up to and without `bound`, every one equally likely. `bound` is at least 1.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        // The upper half of a 64-bit product is a number below `bound`; the lower half tells
        // whether it was one of the few that would come up once too often (Lemire, 2019).
        let mut product = u64::from(self.0.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let unfair = bound.wrapping_neg() % bound;
            while (product as u32) < unfair {
                product = u64::from(self.0.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// One of the items, every one equally likely; `None` if there are none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len() as u32) as usize]) }
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// A seed for whoever gave none.
pub fn fresh_seed() -> u64 {
    seed_of(RandomState::new().hash_one(0))
}

/// Every seed that the engine makes is made here. It is below 2^53, so that every JSON reader keeps
/// it whole.
pub fn seed_of(number: u64) -> u64 {
    number % (1 << 53)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_below_a_bound_is_equally_likely() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }

    #[test]
    fn no_seed_is_too_large_for_a_reader_of_json() {
        let mut random = Random::new(1);
        assert!((0..100).all(|_| random.next_seed() < 1 << 53 && fresh_seed() < 1 << 53));
        assert_eq!((seed_of(7), seed_of(u64::MAX)), (7, (1 << 53) - 1));
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers_for_ever() {
        let mut random = Random::new(42);
        let numbers: Vec<u32> = (0..5).map(|_| random.below(1_000_000)).collect();
        assert_eq!(numbers, [814305, 318821, 983894, 701135, 793504]);
    }
}
