//! The random numbers that a position's hash is made of.

use tabuleiro_protocol::Seat;

use super::stones::MAX;
use tabuleiro_protocol::Cell;

static STONES: [[u64; MAX * MAX]; 2] = [numbers(0), numbers(1)];
static SIZES: [u64; MAX + 1] = numbers(2);

#[inline]
pub(super) fn stone(seat: Seat, cell: Cell) -> u64 {
    STONES[seat.index()][cell.row as usize * MAX + cell.column as usize]
}

pub(super) fn size(size: u8) -> u64 {
    SIZES[size as usize]
}

/// What the hash changes by when the turn passes.
pub(super) const TURN: u64 = numbers::<1>(3)[0];

/// Numbers by splitmix64, a series for each seed.
const fn numbers<const COUNT: usize>(seed: u64) -> [u64; COUNT] {
    let mut state = seed.wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mut numbers = [0; COUNT];
    let mut index = 0;
    while index < COUNT {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = state;
        number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        numbers[index] = number ^ number >> 31;
        index += 1;
    }
    numbers
}
