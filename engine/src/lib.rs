//! The Tabuleiro engine: the rules of four board games, players for them, and a server that speaks the protocol.

pub mod bench;
pub mod bot;
pub mod catalog;
pub mod cell;
pub mod command;
pub mod game;
pub mod games;
pub mod history;
pub mod matches;
pub mod perft;
mod plain_error;
pub mod player;
pub mod playout;
pub mod random;
pub mod record;
pub mod server;
pub mod table;
pub mod terminal;
pub mod tune;
mod whole_file;
