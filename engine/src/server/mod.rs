//! The engine as others see it: tables behind the protocol.

mod client;
mod handlers;
mod jobs;
mod params;
mod thinker;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use tabuleiro_protocol::line::{LONGEST_LINE, Line, read_line};
use tabuleiro_protocol::message::{BadRequest, Request, response};
use tabuleiro_protocol::method::{Cancel, Method};
use tabuleiro_protocol::{ErrorCode, ErrorObject};

use self::client::Client;
use self::handlers::Answer;
use self::thinker::{Place, wake};
use crate::table::Table;

/// How many tables may be open at once.
pub const MOST_TABLES: usize = 10_000;

/// How long searches may go on after the end of input.
const GRACE: Duration = Duration::from_millis(500);

/// Lines that may wait while one is being answered.
const MOST_WAITING_LINES: usize = 1024;

/// All tables, for all clients.
#[derive(Debug, Default)]
pub struct Server {
    places: Mutex<BTreeMap<u64, Arc<Mutex<Place>>>>,
    opened: AtomicU64,
}

/// A line as it waits for its answer.
struct Waiting {
    request: Result<Request, BadRequest>,
    /// It was a `cancel`, and what it asks has been done already.
    cancelled: bool,
}

impl Server {
    /// Answers a client line by line until its input ends.
    pub fn serve(&self, mut input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) {
        let client = Arc::new(Client::new(output));
        let (sender, waiting) = mpsc::sync_channel(MOST_WAITING_LINES);
        let reader = Arc::clone(&client);
        // Reading goes on whatever is being answered, so that a long answer can be cancelled and the end of input is seen.
        thread::spawn(move || {
            while let Some(line) = read_line(&mut input).unwrap_or_else(|error| {
                tracing::warn!("the input broke off: {error}");
                None
            }) {
                let request = parse(line);
                let cancelled = request.as_ref().is_ok_and(|request| cancel_now(&reader, request));
                if sender.send(Waiting { request, cancelled }).is_err() {
                    return;
                }
            }
            drop(sender);
            thread::sleep(GRACE);
            reader.jobs.cancel_all();
        });
        for line in waiting {
            self.answer(&client, line);
        }
        client.jobs.wait_until_done();
    }

    fn answer(&self, client: &Arc<Client>, waiting: Waiting) {
        let request = match waiting.request {
            Ok(request) => request,
            Err(BadRequest { id, error }) => return client.send(&response(id.as_ref(), Err(*error))),
        };
        let id = request.id.clone();
        let answered = catch_unwind(AssertUnwindSafe(|| self.handle(client, request, waiting.cancelled)));
        let (answer, to_wake) = match answered {
            Ok(Ok(Answer::Later)) => return,
            Ok(Ok(Answer::Now { result, wake })) => (Ok(result), wake),
            Ok(Err(error)) => (Err(error), None),
            Err(_) => (Err(internal_error()), None),
        };
        if id.is_some() {
            client.send(&response(id.as_ref(), answer));
        }
        // Only now: what the engine's own players do must not overtake the response that let them.
        if let Some(place) = to_wake {
            wake(&place);
        }
    }

    fn open(
        &self,
        client: &Arc<Client>,
        make: impl FnOnce(String) -> Result<Table, ErrorObject>,
    ) -> Result<Arc<Mutex<Place>>, ErrorObject> {
        let mut places = lock(&self.places);
        if places.len() >= MOST_TABLES {
            let message = format!("{MOST_TABLES} tables are open already: close one first");
            return Err(ErrorObject::new(ErrorCode::Limit, message));
        }
        let number = self.opened.load(Ordering::Relaxed) + 1;
        let table = make(format!("t{number}"))?;
        self.opened.store(number, Ordering::Relaxed);
        let place = Arc::new(Mutex::new(Place::new(table, Arc::clone(client))));
        places.insert(number, Arc::clone(&place));
        Ok(place)
    }

    fn place(&self, table: &str) -> Result<Arc<Mutex<Place>>, ErrorObject> {
        let number = table_number(table);
        let places = lock(&self.places);
        number.and_then(|number| places.get(&number)).map(Arc::clone).ok_or_else(|| unknown_table(table))
    }

    fn close(&self, table: &str) -> Result<(), ErrorObject> {
        let number = table_number(table);
        let place = number.and_then(|number| lock(&self.places).remove(&number));
        let place = place.ok_or_else(|| unknown_table(table))?;
        lock(&place).interrupt();
        Ok(())
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

fn parse(line: Line) -> Result<Request, BadRequest> {
    match line {
        Line::Text(text) => Request::parse(&text),
        Line::TooLong => {
            let message = format!("a line may have {LONGEST_LINE} bytes, and this one has more");
            let error = ErrorObject::new(ErrorCode::InvalidRequest, message);
            Err(BadRequest { id: None, error: Box::new(error) })
        }
        Line::NotUtf8 => {
            let error = ErrorObject::new(ErrorCode::Parse, "this line is not UTF-8");
            Err(BadRequest { id: None, error: Box::new(error) })
        }
    }
}

/// A `cancel` does its work as soon as it is read, even if something long is being answered.
fn cancel_now(client: &Client, request: &Request) -> bool {
    request.method == Cancel::NAME
        && params::read::<Cancel>(request.params.clone())
            .is_ok_and(|cancel| client.jobs.cancel(&cancel.request))
}

/// What a panic left locked is still whole: every change of a table is made in one piece.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A seed for whoever gave none. Below 2^53, so that every JSON reader keeps it whole.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) >> 11
}
