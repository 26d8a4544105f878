//! The protocol, spoken to the real engine process.

mod behaviour;
mod engine_process;
mod players;
mod records;
mod reference;
mod refusals;
mod transcripts;
