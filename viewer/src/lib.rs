//! The window of Tabuleiro. It knows no rules: what may be done, what happens and who wins is what
//! the engine says.

pub mod aids;
pub mod analysis;
pub mod app;
pub mod bench;
pub mod board;
pub mod command;
pub mod director;
pub mod editor;
pub mod exercise;
pub mod files;
pub mod film;
pub mod ghosts;
pub mod keeper;
pub mod keys;
pub mod link;
pub mod motion;
pub mod panel;
pub mod pick;
pub mod review;
pub mod scene;
pub mod script;
pub mod sets;
pub mod settings;
pub mod sound;
pub mod stage;
pub mod state;
pub mod text;
pub mod tree;
pub mod window;
