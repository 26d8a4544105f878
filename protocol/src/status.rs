//! How an engine is doing: what it is busy with, what it holds, and how much it would take.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an engine is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    pub version: String,
    /// Milliseconds since it was started.
    pub uptime_ms: u64,
    pub load: Load,
    pub memory: MemoryUse,
    pub limits: EngineLimits,
}

/// What an engine is busy with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Load {
    /// Searches, batches, counts and turns of levels that go on.
    pub searches: usize,
    /// Threads that help them.
    pub helpers: usize,
    /// How many more wait in line.
    pub waiting: usize,
    pub tables: usize,
    pub clients: usize,
    /// Threads of the process, where the system says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

/// What an engine holds, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryUse {
    /// What is set aside for what is being thought about.
    pub searches: usize,
    /// About what the games at all tables take.
    pub tables: usize,
    /// What clients have not read yet.
    pub output: usize,
    /// What the process takes in all, where the system says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident: Option<usize>,
}

/// How much of everything there may be. What is counted in bytes says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EngineLimits {
    /// Searches, batches, counts and turns of levels at once.
    pub searches: usize,
    /// Of all of them together.
    pub search_bytes: usize,
    /// In line, of all clients together.
    pub waiting: usize,
    /// Not answered yet, of one client.
    pub requests_of_client: usize,
    pub clients: usize,
    pub tables: usize,
    pub tables_of_client: usize,
    /// The tree of one game, as its record has it.
    pub game_bytes: usize,
    /// A comment about a node.
    pub comment_bytes: usize,
    /// The games at all tables.
    pub table_bytes: usize,
    /// The games at those that one client has opened.
    pub table_bytes_of_client: usize,
    /// The longest line that is read.
    pub line_bytes: usize,
    /// Lines that were read and wait for their turn, of one client.
    pub input_bytes_of_client: usize,
    /// What waits for one client to read it.
    pub output_bytes_of_client: usize,
    /// What waits for those clients that do not keep up.
    pub output_bytes: usize,
    /// The turns of one review.
    pub review_turns: usize,
    pub batch_results: usize,
    pub batch_playouts: u64,
    pub batch_nodes: u64,
    /// The results of a batch that is not streamed.
    pub batch_result_bytes: usize,
    /// Batches that are not answered yet, of all clients.
    pub batch_bytes: usize,
    pub batch_bytes_of_client: usize,
    pub perft_depth: u32,
    /// Processes of one bot.
    pub bot_processes: usize,
}
