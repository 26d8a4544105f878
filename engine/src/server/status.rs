//! How the engine is doing, for clients that want to know: its load, its memory and its limits.

use std::fs;
use std::sync::atomic::Ordering;

use tabuleiro_protocol::line::LONGEST_LINE;
use tabuleiro_protocol::method::DEEPEST_PERFT;
use tabuleiro_protocol::{EngineLimits, Load, MemoryUse, Status};

use super::batch::{MAX_NODES, MAX_PLAYOUTS, MAX_RESULTS, MAX_WHOLE};
use super::client::{ALL_LIMIT, HARD_LIMIT};
use super::connection::MAX_WAITING;
use super::jobs::{MAX_IN_LINE, MAX_JOBS};
use super::listener::MAX_CONNECTIONS;
use super::review::MAX_TURNS;
use super::{
    MAX_BATCH_BYTES, MAX_BATCH_BYTES_OF_CLIENT, MAX_TABLE_BYTES, MAX_TABLE_BYTES_OF_CLIENT, MAX_TABLES,
    MAX_TABLES_OF_CLIENT, Server,
};
use crate::bots::MOST_PROCESSES;
use crate::session::LONGEST_COMMENT;
use crate::table::LONGEST_GAME;

impl Server {
    pub(super) fn how_it_is(&self) -> Status {
        let thinking = self.pool.load();
        let process = fs::read_to_string("/proc/self/status").unwrap_or_default();
        Status {
            version: env!("CARGO_PKG_VERSION").into(),
            uptime_ms: self.began.elapsed().as_millis() as u64,
            load: Load {
                searches: thinking.running,
                helpers: thinking.helpers,
                waiting: thinking.waiting,
                tables: self.of_all.tables.used(),
                clients: self.clients.used(),
                threads: number_behind(&process, "Threads:"),
            },
            memory: MemoryUse {
                searches: thinking.memory,
                tables: self.of_all.table_bytes.used(),
                output: self.of_all.outgoing.load(Ordering::Relaxed),
                resident: number_behind(&process, "VmRSS:").map(|kibibytes| kibibytes << 10),
            },
            limits: self.limits(),
        }
    }

    fn limits(&self) -> EngineLimits {
        EngineLimits {
            searches: self.capacity.searches,
            search_bytes: self.capacity.memory,
            waiting: MAX_IN_LINE,
            requests_of_client: MAX_JOBS,
            clients: MAX_CONNECTIONS,
            tables: MAX_TABLES,
            tables_of_client: MAX_TABLES_OF_CLIENT,
            game_bytes: LONGEST_GAME,
            comment_bytes: LONGEST_COMMENT,
            table_bytes: MAX_TABLE_BYTES,
            table_bytes_of_client: MAX_TABLE_BYTES_OF_CLIENT,
            line_bytes: LONGEST_LINE,
            input_bytes_of_client: MAX_WAITING,
            output_bytes_of_client: HARD_LIMIT,
            output_bytes: ALL_LIMIT,
            review_turns: MAX_TURNS,
            batch_results: MAX_RESULTS,
            batch_playouts: MAX_PLAYOUTS,
            batch_nodes: MAX_NODES,
            batch_result_bytes: MAX_WHOLE,
            batch_bytes: MAX_BATCH_BYTES,
            batch_bytes_of_client: MAX_BATCH_BYTES_OF_CLIENT,
            perft_depth: DEEPEST_PERFT,
            bot_processes: MOST_PROCESSES,
        }
    }
}

/// What Linux says about a process: a name, blanks and a number a line.
fn number_behind(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_names() {
        let text = "Name:\tengine\nVmRSS:\t  1234 kB\nThreads:\t7\n";
        assert_eq!(number_behind(text, "VmRSS:"), Some(1234));
        assert_eq!(number_behind(text, "Threads:"), Some(7));
        assert_eq!(number_behind(text, "Name:"), None);
        assert_eq!(number_behind(text, "VmSwap:"), None);
    }
}
