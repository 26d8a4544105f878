//! The numbers that a position's hash is made of (Zobrist).

use tabuleiro_protocol::Seat;

use super::Phase;
use super::board::{Set, Square, squares};

struct Keys {
    /// By seat, height and square; those of height 0 are 0.
    piles: [[[u64; 64]; 4]; 2],
    runners: [u64; 64],
    spent: [u64; 64],
    origins: [u64; 64],
    phases: [u64; 3],
    seat_two: u64,
}

static KEYS: Keys = Keys::new();

impl Keys {
    const fn new() -> Keys {
        let mut state = 0x4162_736f_7270_7469;
        let mut piles = [[[0; 64]; 4]; 2];
        let mut seat = 0;
        while seat < 2 {
            let mut height = 1;
            while height < 4 {
                (piles[seat][height], state) = numbers(state);
                height += 1;
            }
            seat += 1;
        }
        let (runners, state) = numbers(state);
        let (spent, state) = numbers(state);
        let (origins, state) = numbers(state);
        let (others, _) = numbers(state);
        Keys { piles, runners, spent, origins, phases: [0, others[0], others[1]], seat_two: others[2] }
    }
}

const fn numbers(mut state: u64) -> ([u64; 64], u64) {
    let mut numbers = [0; 64];
    let mut index = 0;
    while index < 64 {
        state = state.wrapping_add(GOLDEN);
        numbers[index] = mixed(state);
        index += 1;
    }
    (numbers, state)
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The last step of splitmix64.
const fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[inline]
pub(super) fn pile(seat: Seat, square: Square, height: u8) -> u64 {
    KEYS.piles[seat.index()][usize::from(height & 3)][square.index()]
}

#[inline]
pub(super) fn runners(set: Set) -> u64 {
    squares(set).fold(0, |key, square| key ^ KEYS.runners[square.index()])
}

#[inline]
pub(super) fn spent(set: Set) -> u64 {
    squares(set).fold(0, |key, square| key ^ KEYS.spent[square.index()])
}

#[inline]
pub(super) fn origin(set: Set) -> u64 {
    squares(set).fold(0, |key, square| key ^ KEYS.origins[square.index()])
}

#[inline]
pub(super) fn phase(phase: Phase) -> u64 {
    KEYS.phases[phase as usize]
}

#[inline]
pub(super) fn seat(seat: Seat) -> u64 {
    match seat {
        Seat::One => 0,
        Seat::Two => KEYS.seat_two,
    }
}

/// For the turns that are left until the limit.
pub(super) fn turns_left(turns: u32) -> u64 {
    mixed(GOLDEN.wrapping_mul(u64::from(turns) + 1))
}
