//! The engine as others see it: tables behind the protocol.
//!
//! A `connection` reads the requests of one client, `handlers` carry them out, and
//! `shared_table` says who may do what. To add a method, see `handlers`.

mod autoplay;
mod batch;
mod client;
mod connection;
mod handlers;
mod jobs;
mod listener;
mod queue;
mod shared_table;
mod wire_error;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;
use tabuleiro_protocol::ErrorObject;

use self::client::Client;
use self::shared_table::{Left, SharedTable};
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::search::Level;

/// How many tables may be open at once.
const MAX_TABLES: usize = 10_000;

/// All tables, for all clients.
#[derive(Debug)]
pub struct Server {
    catalog: Catalog,
    bots: Arc<Bots>,
    /// Who searches and chooses when a request does not say, if whoever started the engine did.
    default_level: Option<Level>,
    /// By their number.
    tables: Mutex<BTreeMap<u64, Arc<Mutex<SharedTable>>>>,
    last_number: AtomicU64,
    /// How many have come to the socket and are still there.
    connections: AtomicUsize,
}

impl Server {
    pub fn new(catalog: Catalog, bots: Arc<Bots>, default_level: Option<Level>) -> Server {
        Server {
            catalog,
            bots,
            default_level,
            tables: Mutex::default(),
            last_number: AtomicU64::default(),
            connections: AtomicUsize::default(),
        }
    }

    /// Gives a table its name and lets others come to it; `shared` is what is behind `handle`.
    fn register(
        &self,
        handle: &Arc<Mutex<SharedTable>>,
        shared: &mut SharedTable,
    ) -> Result<(), ErrorObject> {
        let mut tables = self.tables.lock();
        if tables.len() >= MAX_TABLES {
            let message = format!("{MAX_TABLES} tables are open already: close one first");
            return Err(wire_error::limit(message));
        }
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
