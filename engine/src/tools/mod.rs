//! What developers of games and players measure with: random playouts, speed, fitting weights.

pub mod bench;
pub mod playout;
pub mod tune;
