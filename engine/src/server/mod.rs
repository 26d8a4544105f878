//! The engine as others see it: tables behind the protocol.

mod autoplay;
mod client;
mod handlers;
mod jobs;
mod params;
mod queue;
mod shared_table;
mod socket;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use tabuleiro_protocol::line::{Line, Lines};
use tabuleiro_protocol::message::{BadRequest, Request};
use tabuleiro_protocol::method::{Cancel, Choose, Method, Perft, Search};
use tabuleiro_protocol::{ErrorCode, ErrorObject};

use self::client::Client;
use self::handlers::Asker;
use self::jobs::Job;
use self::queue::Queue;
use self::shared_table::{Left, SharedTable};
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::search::Level;
use crate::sync::lock;

/// How many tables may be open at once.
pub const MOST_TABLES: usize = 10_000;

/// How long searches may go on after the end of input.
const GRACE: Duration = Duration::from_millis(500);

/// How long the process may then still take to write what it has to say.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How much of what a client asks may wait for its answer; after that no more is read.
const MOST_WAITING: usize = 16 << 20;

/// What a line costs while it waits, besides its text.
const COST_OF_WAITING: usize = 1 << 10;

/// All tables, for all clients.
#[derive(Debug)]
pub struct Server {
    catalog: Catalog,
    tables: Mutex<BTreeMap<u64, Arc<Mutex<SharedTable>>>>,
    opened: AtomicU64,
    /// How many have come to the socket and are still there.
    visitors: AtomicUsize,
    bots: Arc<Bots>,
    /// Who searches when nobody says.
    usual_level: Level,
}

/// A line as it waits for its answer.
struct Waiting {
    request: Result<Request, BadRequest>,
    /// What it is as something that takes long, if it does.
    job: Option<Result<Job, ErrorObject>>,
    /// It was a `cancel`, and what it asks has been done already.
    cancelled: bool,
}

impl Server {
    pub fn new(catalog: Catalog, bots: Arc<Bots>, usual_level: Level) -> Server {
        Server {
            catalog,
            tables: Mutex::default(),
            opened: AtomicU64::default(),
            visitors: AtomicUsize::default(),
            bots,
            usual_level,
        }
    }

    /// Answers a client line by line until its input ends. `hang_up` is called if the client does not take what is said to it.
    pub fn serve(
        &self,
        input: impl BufRead,
        output: impl Write + Send + 'static,
        hang_up: impl Fn() + Send + Sync + 'static,
    ) {
        let client = Arc::new(Client::new(hang_up));
        let writer = Arc::clone(&client);
        let writing = match thread::Builder::new().spawn(move || writer.write_to(output)) {
            Ok(writing) => writing,
            Err(error) => return tracing::error!("a client cannot be served: {error}"),
        };
        let requests = Queue::default();
        let unanswered = AtomicUsize::new(0);
        thread::scope(|scope| {
            // What takes long is answered beside the reading, so that it can be cancelled and the end of input is seen.
            scope.spawn(|| {
                while let Some(waiting) = requests.take() {
                    // Nothing is done for one who has gone away and cannot know of it.
                    if !client.has_gone() {
                        self.answer(&client, waiting);
                        client.wait_for_room();
                    }
                    unanswered.fetch_sub(1, Ordering::Release);
                }
            });
            let mut lines = Lines::new(input);
            while let Some(line) = lines.next_line().unwrap_or_else(|error| {
                tracing::debug!("the input broke off: {error}");
                None
            }) {
                let bytes = COST_OF_WAITING
                    + if let Line::Text(text) | Line::Unfinished(text) = &line { text.len() } else { 0 };
                let waiting = Waiting::new(&client, line);
                let has_its_turn = unanswered.load(Ordering::Acquire) == 0;
                if has_its_turn && client.has_room() && !waiting.takes_long() {
                    self.answer(&client, waiting);
                } else {
                    unanswered.fetch_add(1, Ordering::Release);
                    requests.put(waiting, bytes);
                    requests.wait_for_room(MOST_WAITING);
                }
            }
            requests.end();
            let leaving = Arc::clone(&client);
            thread::spawn(move || {
                thread::sleep(GRACE);
                leaving.jobs.cancel_all();
                thread::sleep(LAST_WORDS);
                leaving.hang_up();
            });
        });
        self.say_goodbye(&client);
        client.jobs.wait_until_answered();
        client.end();
        // Whatever kept it from writing has been said.
        let _ = writing.join();
    }

    /// Whoever has gone away plays and watches no more; tables at which nobody is left are cleared away.
    fn say_goodbye(&self, client: &Arc<Client>) {
        let tables: Vec<_> =
            lock(&self.tables).iter().map(|(&number, shared)| (number, Arc::clone(shared))).collect();
        for (number, shared) in tables {
            let mut here = lock(&shared);
            match here.leave(client) {
                Left::AsItWas => {}
                Left::Changed => here.tell_changed(None, None, Vec::new(), Vec::new()),
                Left::Empty => {
                    here.close();
                    drop(here);
                    lock(&self.tables).remove(&number);
                }
            }
        }
    }

    fn answer(&self, client: &Arc<Client>, waiting: Waiting) {
        let request = match waiting.request {
            Ok(request) => request,
            Err(BadRequest { id, error }) => {
                return client.respond(id.as_ref(), Err::<(), _>(*error));
            }
        };
        let asker = Asker { client, id: request.id.clone(), cancelled: waiting.cancelled };
        let handled = waiting.job.transpose().and_then(|job| {
            catch_unwind(AssertUnwindSafe(|| self.handle(&asker, job, &request.method, request.params)))
                .unwrap_or_else(|_| Err(internal_error()))
        });
        if let Err(error) = handled {
            client.answer(asker.id.as_ref(), Err::<(), _>(error));
        }
    }

    /// Gives a table its name and lets others come to it.
    fn open(&self, shared: &Arc<Mutex<SharedTable>>, here: &mut SharedTable) -> Result<(), ErrorObject> {
        let mut tables = lock(&self.tables);
        if tables.len() >= MOST_TABLES {
            let message = format!("{MOST_TABLES} tables are open already: close one first");
            return Err(ErrorObject::new(ErrorCode::Limit, message));
        }
        let number = self.opened.fetch_add(1, Ordering::Relaxed) + 1;
        here.table.set_id(format!("t{number}"));
        tables.insert(number, Arc::clone(shared));
        Ok(())
    }

    fn shared_table(&self, table: &str) -> Result<Arc<Mutex<SharedTable>>, ErrorObject> {
        let number = table_number(table);
        let tables = lock(&self.tables);
        number.and_then(|number| tables.get(&number)).map(Arc::clone).ok_or_else(|| unknown_table(table))
    }

    /// A shared table at which there still is a table.
    fn lock_open<'a>(
        &self,
        shared: &'a Mutex<SharedTable>,
    ) -> Result<MutexGuard<'a, SharedTable>, ErrorObject> {
        let here = lock(shared);
        if here.is_closed() { Err(unknown_table(here.table.id())) } else { Ok(here) }
    }

    fn forget(&self, table: &str) {
        if let Some(number) = table_number(table) {
            lock(&self.tables).remove(&number);
        }
    }
}

/// `t12` is table number 12.
fn table_number(table: &str) -> Option<u64> {
    let number: u64 = table.strip_prefix('t')?.parse().ok()?;
    (format!("t{number}") == table).then_some(number)
}

fn unknown_table(table: &str) -> ErrorObject {
    ErrorObject::new(ErrorCode::UnknownTable, format!("there is no table {table:?}")).with("table", table)
}

fn internal_error() -> ErrorObject {
    ErrorObject::new(
        ErrorCode::Internal,
        "something in the engine is broken; the request was not carried out",
    )
}

impl Waiting {
    /// Whether all that comes behind it has to wait.
    fn takes_long(&self) -> bool {
        self.request.as_ref().is_ok_and(|request| request.method == Perft::NAME)
    }

    /// What takes long can be cancelled from the moment it is read, and a `cancel` does its work as soon as it is read, even if
    /// something long is being answered.
    fn new(client: &Arc<Client>, line: Line) -> Waiting {
        let request = Request::read(&line);
        let (mut job, mut cancelled) = (None, false);
        if let Ok(Request { id: Some(id), method, params }) = &request {
            match method.as_str() {
                Search::NAME | Choose::NAME | Perft::NAME => job = Some(Job::begin(client, id)),
                Cancel::NAME => {
                    let cancel = params::read::<Cancel>(params.clone());
                    cancelled = cancel.is_ok_and(|cancel| client.jobs.cancel(&cancel.request));
                }
                _ => {}
            }
        }
        Waiting { request, job, cancelled }
    }
}

/// A seed for whoever gave none. Below 2^53, so that every JSON reader keeps it whole.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) >> 11
}
