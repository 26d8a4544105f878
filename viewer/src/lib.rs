//! The window of Tabuleiro. It knows no rules: what may be done, what happens and who wins is what the engine says.

pub mod board;
pub mod pieces;
pub mod scene;
pub mod stage;
