//! What developers of games and players measure with: speed, fitting weights.

pub mod bench;
pub mod tune;
