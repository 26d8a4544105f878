//! The protocol, spoken to the real engine process.

mod behaviour;
mod engine_process;
mod looks;
mod players;
mod records;
mod reference;
mod refusals;
mod transcripts;
