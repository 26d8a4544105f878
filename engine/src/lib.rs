//! The Tabuleiro engine: the rules of four board games, a search that plays them, and a server that
//! speaks the protocol.

pub mod book;
pub mod bots;
pub mod catalog;
pub mod command;
pub mod forced_wins;
pub mod game;
pub mod games;
pub mod matches;
pub mod perft;
pub mod players;
pub mod playout;
pub mod puzzles;
pub mod random;
pub mod review;
pub mod search;
pub mod server;
pub mod session;
pub mod solver;
pub mod statistics;
pub mod table;
pub mod terminal;
pub mod testing;
mod threads;
pub mod tools;
