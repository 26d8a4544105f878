//! Move ordering: what was good elsewhere in the tree is tried first.

use std::hash::{Hash, Hasher};

use tabuleiro_protocol::Seat;

/// What has been good elsewhere in the tree: killer moves and history.
pub(super) struct MoveOrdering<M> {
    /// Killer moves: those that cut off siblings, by ply.
    killers: Vec<[Option<M>; 2]>,
    /// How often a move cut off, whatever the position, by seat.
    history: [Vec<i32>; 2],
}

const HISTORY_SLOTS: usize = 1 << 12;
const MAX_HISTORY: i32 = 1 << 14;

const KILLER: i32 = 1 << 26;

impl<M: Copy + Eq + Hash> MoveOrdering<M> {
    pub(super) fn new() -> MoveOrdering<M> {
        MoveOrdering { killers: Vec::new(), history: [vec![0; HISTORY_SLOTS], vec![0; HISTORY_SLOTS]] }
    }

    /// How early to try each of some moves, given the scores that the game itself gives them.
    pub(super) fn add_to(&self, scores: &mut [i32], moves: &[M], ply: usize, seat: Seat) {
        let history = &self.history[seat.index()];
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let with_score = |killer: Option<M>| {
            let place = moves.iter().position(|&played| Some(played) == killer)?;
            Some((place, scores[place]))
        };
        let [first, second] = killers.map(with_score);
        // Without a question about each: where there are hundreds, that takes most of the time.
        for (score, &played) in scores.iter_mut().zip(moves) {
            *score += history[slot(played)];
        }
        if let Some((place, of_game)) = second {
            scores[place] = KILLER + of_game;
        }
        if let Some((place, of_game)) = first {
            scores[place] = KILLER + 1 + of_game;
        }
    }

    /// A move was too good for the enemy to let it come to this.
    pub(super) fn cut_off(
        &mut self,
        played: M,
        ply: usize,
        seat: Seat,
        depth: i32,
        tried_before: impl Iterator<Item = M>,
    ) {
        // Killer moves.
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(played) {
            *second = *first;
            *first = Some(played);
        }

        // History, with a malus for those that were tried in vain.
        let history = &mut self.history[seat.index()];
        let bonus = (depth * depth).clamp(1, 400);
        reward(&mut history[slot(played)], bonus);
        for other in tried_before {
            reward(&mut history[slot(other)], -bonus);
        }
    }
}

/// Moves a score towards an end it never passes.
fn reward(score: &mut i32, bonus: i32) {
    *score += bonus * 32 - *score * bonus.abs() / (MAX_HISTORY / 32);
}

fn slot<M: Hash>(played: M) -> usize {
    let mut mixer = Mixer(0);
    played.hash(&mut mixer);
    (mixer.0 >> 52) as usize & (HISTORY_SLOTS - 1)
}

/// Quick, and the same on every machine and with every version of whatever the engine is built
/// with: which moves share a slot decides what is searched first, and so what is found.
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
