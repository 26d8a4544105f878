use std::hash::{Hash, Hasher};

use tabuleiro_protocol::Seat;

/// What has been good elsewhere in the tree, to be tried first here.
pub(super) struct Experience<A> {
    /// Actions that cut off siblings, by distance from the root.
    killers: Vec<[Option<A>; 2]>,
    /// How often an action cut off, whatever the position, by seat.
    history: [Vec<i32>; 2],
}

const HISTORY: usize = 1 << 12;
const MOST: i32 = 1 << 14;

const BEST: i32 = i32::MAX;
const KILLER: i32 = 1 << 26;

impl<A: Copy + Eq + Hash> Experience<A> {
    pub(super) fn new() -> Experience<A> {
        Experience { killers: Vec::new(), history: [vec![0; HISTORY], vec![0; HISTORY]] }
    }

    /// How early to try an action. `promise` is what the game itself thinks of it.
    pub(super) fn rank(&self, action: A, ply: usize, seat: Seat, promise: i32, is_best: bool) -> i32 {
        if is_best {
            return BEST;
        }
        match self.killers.get(ply) {
            Some([Some(first), _]) if *first == action => KILLER + 1 + promise,
            Some([_, Some(second)]) if *second == action => KILLER + promise,
            _ => self.history[seat.index()][slot(action)] + promise,
        }
    }

    /// An action was too good for the enemy to let it come to this.
    pub(super) fn cut_off(
        &mut self,
        action: A,
        ply: usize,
        seat: Seat,
        depth: i32,
        tried_before: &[(i32, u16, A)],
    ) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(action) {
            *second = *first;
            *first = Some(action);
        }
        let history = &mut self.history[seat.index()];
        let bonus = (depth * depth).clamp(1, 400);
        reward(&mut history[slot(action)], bonus);
        for &(_, _, other) in tried_before {
            reward(&mut history[slot(other)], -bonus);
        }
    }
}

/// Moves a score towards an end it never passes.
fn reward(score: &mut i32, bonus: i32) {
    *score += bonus * 32 - *score * bonus.abs() / (MOST / 32);
}

fn slot<A: Hash>(action: A) -> usize {
    let mut mixer = Mixer(0);
    action.hash(&mut mixer);
    (mixer.0 >> 52) as usize & (HISTORY - 1)
}

/// Quick, and the same on every machine.
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
