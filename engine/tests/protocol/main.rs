//! The protocol, spoken to the real engine process.

#[macro_use]
#[path = "../../../tests/support/every_game.rs"]
mod every_game;

mod analyses;
mod batches;
mod behaviour;
#[path = "../../../tests/support/engine_process.rs"]
mod engine_process;
mod in_any_order;
mod looks;
mod players;
mod pool;
mod records;
mod refusals;
mod reviews;
mod shapes;
mod transcripts;
mod trees;
