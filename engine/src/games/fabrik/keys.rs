//! Random numbers for the parts of a position, which together make its hash.

use tabuleiro_protocol::Seat;

use super::Stage;
use super::spot::Spot;

/// Index of the workers among the keys of things on cells; those of stones are their seats'.
const WORKER: usize = 2;

struct Keys {
    things: [[u64; 256]; 3],
    white_to_move: u64,
    stages: [u64; 7],
}

static KEYS: Keys = {
    let mut keys = Keys { things: [[0; 256]; 3], white_to_move: mix(1), stages: [0; 7] };
    let mut number = 2;
    let mut thing = 0;
    while thing < keys.things.len() {
        let mut spot = 0;
        while spot < 256 {
            keys.things[thing][spot] = mix(number);
            number += 1;
            spot += 1;
        }
        thing += 1;
    }
    let mut stage = 0;
    while stage < keys.stages.len() {
        keys.stages[stage] = mix(number);
        number += 1;
        stage += 1;
    }
    keys
};

/// The output of splitmix64 (Steele, Lea and Flood, 2014) for the counter `number`.
const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[inline]
pub(super) fn stone(seat: Seat, spot: Spot) -> u64 {
    KEYS.things[seat.index()][spot.index()]
}

#[inline]
pub(super) fn worker(spot: Spot) -> u64 {
    KEYS.things[WORKER][spot.index()]
}

#[inline]
pub(super) fn turn(to_move: Seat, stage: Stage) -> u64 {
    let stage = match stage {
        Stage::FirstWorker => 0,
        Stage::SecondWorker => 1,
        Stage::Choice => 2,
        Stage::FirstStone => 3,
        Stage::Turn => 4,
        Stage::AfterMove => 5,
        Stage::Over(_) => 6,
    };
    let seat = match to_move {
        Seat::One => 0,
        Seat::Two => KEYS.white_to_move,
    };
    KEYS.stages[stage] ^ seat
}
