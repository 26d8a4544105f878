//! The window of Tabuleiro. It knows no rules: what may be done, what happens and who wins is what the engine says.

pub mod app;
pub mod board;
pub mod command;
pub mod keys;
pub mod motion;
pub mod panel;
pub mod pick;
pub mod pieces;
pub mod scene;
pub mod settings;
pub mod table;
