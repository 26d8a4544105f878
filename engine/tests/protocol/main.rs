//! The protocol, spoken to the real engine process.

mod behaviour;
#[path = "../../../tests/support/engine_process.rs"]
mod engine_process;
mod looks;
mod players;
mod records;
mod refusals;
mod transcripts;
