//! The engine as others see it: tables behind the protocol.
//!
//! A `connection` reads the requests of one client, `handlers` carry them out, and
//! `shared_table` says who may do what. To add a method, see `handlers`.

mod account;
mod analysis;
mod autoplay;
mod batch;
mod client;
mod connection;
mod crowd;
mod handlers;
mod jobs;
mod listener;
mod parser;
mod pool;
mod queue;
mod review;
mod shared_table;
mod status;
mod together;
mod wire_error;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use parking_lot::Mutex;
use tabuleiro_protocol::ErrorObject;

use self::account::Account;
use self::analysis::Memories;
use self::autoplay::Players;
use self::client::{Accounts, Client};
use self::crowd::Crowd;
use self::parser::Parser;
use self::pool::{Capacity, Pool};
use self::shared_table::{Left, SharedTable, TableHeld};
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::search::Level;

/// How many tables may be open at once.
const MAX_TABLES: usize = 10_000;

/// How many of these one client may have made.
const MAX_TABLES_OF_CLIENT: usize = 5_000;

/// How many bytes all tables may take together.
const MAX_TABLE_BYTES: usize = 256 << 20;

/// How many of these the tables may take that one client has made.
const MAX_TABLE_BYTES_OF_CLIENT: usize = 128 << 20;

/// How many bytes of batches that are not answered yet are kept, as they came.
const MAX_BATCH_BYTES: usize = 16 << 20;

/// How many of these may come from one client.
const MAX_BATCH_BYTES_OF_CLIENT: usize = 4 << 20;

/// What searches may take of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchCapacity {
    /// How many go on at once.
    pub searches: usize,
    /// How many bytes they may take together.
    pub memory: usize,
}

impl SearchCapacity {
    /// With less memory than this something that may be asked for would never find room.
    pub const LEAST_MEMORY: usize = 128 << 20;

    /// What is kept for a turn that somebody waits for: the largest that there is.
    const KEPT_MEMORY: usize = 32 << 20;
}

impl Default for SearchCapacity {
    /// One search for every core.
    fn default() -> SearchCapacity {
        SearchCapacity { searches: cores(), memory: 256 << 20 }
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// All tables, for all clients.
#[derive(Debug)]
pub struct Server {
    catalog: Catalog,
    players: Arc<Players>,
    /// Where everything is thought about.
    pool: Arc<Pool>,
    capacity: SearchCapacity,
    memories: Arc<Memories>,
    /// Who searches and chooses when a request does not say, if whoever started the engine did.
    default_level: Option<Level>,
    /// By their number.
    tables: Mutex<BTreeMap<u64, Arc<Mutex<SharedTable>>>>,
    last_number: AtomicU64,
    last_client: AtomicU64,
    /// How many are talked to.
    clients: Arc<Account>,
    /// How many have come to the socket and are still there.
    connections: AtomicUsize,
    /// What all clients have together.
    of_all: Accounts,
    /// Held by who works on a long line: read as JSON it takes many times its length.
    long_lines: Mutex<()>,
    parser: Parser,
    crowd: Crowd,
    began: Instant,
}

impl Server {
    pub fn new(catalog: Catalog, bots: Arc<Bots>, default_level: Option<Level>) -> Server {
        Server::with_capacity(catalog, bots, default_level, SearchCapacity::default())
    }

    pub fn with_capacity(
        catalog: Catalog,
        bots: Arc<Bots>,
        default_level: Option<Level>,
        capacity: SearchCapacity,
    ) -> Server {
        let SearchCapacity { searches, memory } = capacity;
        let pool = Pool::new(Capacity { places: searches, memory, kept: SearchCapacity::KEPT_MEMORY });
        Server {
            catalog,
            players: Players::new(bots, Arc::clone(&pool)),
            pool,
            capacity,
            memories: Arc::default(),
            default_level,
            tables: Mutex::default(),
            last_number: AtomicU64::default(),
            last_client: AtomicU64::default(),
            clients: Account::new(usize::MAX),
            connections: AtomicUsize::default(),
            of_all: Accounts {
                tables: Account::new(MAX_TABLES),
                table_bytes: Account::new(MAX_TABLE_BYTES),
                batch_bytes: Account::new(MAX_BATCH_BYTES),
                outgoing: Arc::default(),
            },
            long_lines: Mutex::default(),
            parser: Parser::default(),
            crowd: Crowd::new(cores().div_ceil(2)),
            began: Instant::now(),
        }
    }

    fn bots(&self) -> &Bots {
        self.players.bots()
    }

    /// What a new client may have.
    fn accounts(&self) -> Accounts {
        Accounts {
            tables: self.of_all.tables.of_one(MAX_TABLES_OF_CLIENT),
            table_bytes: self.of_all.table_bytes.of_one(MAX_TABLE_BYTES_OF_CLIENT),
            batch_bytes: self.of_all.batch_bytes.of_one(MAX_BATCH_BYTES_OF_CLIENT),
            outgoing: Arc::clone(&self.of_all.outgoing),
        }
    }

    /// Somebody who talks to the engine from now on.
    fn new_client(&self, disconnect: impl Fn() + Send + Sync + 'static) -> Arc<Client> {
        let number = self.last_client.fetch_add(1, Ordering::Relaxed) + 1;
        Arc::new(Client::new(number, self.accounts(), self.clients.hold(1).ok(), disconnect))
    }

    /// Gives a table its name and lets others come to it; `shared` is what is behind `handle`.
    fn register(
        &self,
        handle: &Arc<Mutex<SharedTable>>,
        shared: &mut SharedTable,
        maker: &Client,
    ) -> Result<(), ErrorObject> {
        let bytes = shared.table().session().bytes();
        let Accounts { tables, table_bytes, .. } = &maker.accounts;
        let one = tables.hold(1).map_err(wire_error::too_many_tables)?;
        let bytes = table_bytes.hold(bytes).map_err(wire_error::tables_too_large)?;
        shared.set_account(TableHeld { bytes, _one: one });
        let mut tables = self.tables.lock();
        let number = self.last_number.fetch_add(1, Ordering::Relaxed) + 1;
        shared.set_id(format!("t{number}"));
        tables.insert(number, Arc::clone(handle));
        Ok(())
    }

    fn find(&self, table: &str) -> Result<Arc<Mutex<SharedTable>>, ErrorObject> {
        let tables = self.tables.lock();
        let found = table_number(table).and_then(|number| tables.get(&number)).map(Arc::clone);
        found.ok_or_else(|| wire_error::unknown_table(table))
    }

    fn remove(&self, table: &str) {
        if let Some(number) = table_number(table) {
            self.tables.lock().remove(&number);
            self.memories.forget(table);
        }
    }

    /// The tables that are there now.
    fn all_tables(&self) -> Vec<Arc<Mutex<SharedTable>>> {
        self.tables.lock().values().map(Arc::clone).collect()
    }

    /// Whoever has gone away plays and watches no more; tables at which nobody is left are removed.
    fn say_goodbye(&self, client: &Arc<Client>) {
        for handle in self.all_tables() {
            let mut shared = handle.lock();
            match shared.leave(client) {
                Left::AsItWas => {}
                Left::Changed => shared.notify_changed(None, None, Vec::new(), Vec::new()),
                Left::Empty => {
                    let id = shared.table().id().to_string();
                    drop(shared);
                    self.remove(&id);
                }
            }
        }
    }
}

/// `t12` is table number 12.
fn table_number(table: &str) -> Option<u64> {
    let number: u64 = table.strip_prefix('t')?.parse().ok()?;
    (format!("t{number}") == table).then_some(number)
}

#[cfg(test)]
mod testing {
    use super::*;

    /// A client that hears nothing.
    pub(super) fn client() -> Arc<Client> {
        Server::new(Catalog::standard(), Arc::default(), None).new_client(|| {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_one_name_each() {
        assert_eq!(table_number("t12"), Some(12));
        for name in ["12", "t", "t012", "t+12", "T12", "t12 ", "t-1", "t99999999999999999999"] {
            assert_eq!(table_number(name), None, "{name}");
        }
    }
}
