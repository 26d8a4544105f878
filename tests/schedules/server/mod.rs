//! The modules of the engine's server that are tried, each with what it promises.

#[path = "../../../engine/src/server/pool/mod.rs"]
mod pool;
#[path = "../../../engine/src/server/queue.rs"]
mod queue;

pub mod client_queue;
pub mod search_pool;
