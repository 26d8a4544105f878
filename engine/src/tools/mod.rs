//! What developers of games and players measure with: counting, speed, fitting weights.

pub mod bench;
pub mod perft;
pub mod playout;
pub mod tune;
