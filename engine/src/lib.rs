//! The Tabuleiro engine: the rules of four board games, players for them, and a server that speaks the protocol.

pub mod bench;
pub mod cell;
pub mod game;
pub mod games;
pub mod perft;
pub mod playout;
pub mod random;
