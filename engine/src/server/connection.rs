//! One client from its first line to its last: its requests are read, put in order and answered.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tabuleiro_protocol::line::{Line, Lines};
use tabuleiro_protocol::message::{BadRequest, REQUEST_MEMBERS, Request};
use tabuleiro_protocol::method::{Batch, Cancel, Choose, Method, Perft, Search};
use tabuleiro_protocol::shape::{Unknown, WrongShape};
use tabuleiro_protocol::{ErrorObject, shape};

use super::client::Client;
use super::handlers::{RequestContext, dispatch};
use super::jobs::Job;
use super::queue::Queue;
use super::{Server, wire_error};

/// How long searches may go on after the end of input.
const GRACE: Duration = Duration::from_millis(500);

/// How long the process may then still take to write what it has to say.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How many bytes of requests may wait for their answer; after that no more is read.
const MAX_WAITING: usize = 16 << 20;

/// What a request costs while it waits, besides its text.
const COST_OF_WAITING: usize = 1 << 10;

/// A request as it waits for its answer.
struct PendingRequest {
    request: Result<Request, BadRequest>,
    /// What can be cancelled, if it takes long.
    job: Option<Result<Job, ErrorObject>>,
    /// It was a `cancel`, and has done its work already.
    cancelled: bool,
}

impl Server {
    /// Answers a client line by line until its input ends. `disconnect` is called if the client
    /// does not read what is sent to it.
    pub fn serve(
        &self,
        input: impl BufRead,
        output: impl Write + Send + 'static,
        disconnect: impl Fn() + Send + Sync + 'static,
    ) {
        let client = Arc::new(Client::new(disconnect));
        let writer = Arc::clone(&client);
        let writing = match thread::Builder::new().spawn(move || writer.write_to(output)) {
            Ok(writing) => writing,
            Err(error) => return tracing::error!("a client cannot be served: {error}"),
        };
        let requests = Queue::default();
        let unanswered = AtomicUsize::new(0);
        thread::scope(|scope| {
            // What takes long is answered beside the reading, so that it can be cancelled and the
            // end of input is seen.
            scope.spawn(|| {
                while let Some(waiting) = requests.take() {
                    // Nothing is done for one who has gone away and cannot know of it.
                    if !client.is_gone() {
                        self.answer(&client, waiting);
                        client.wait_until_it_keeps_up();
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
                let waiting = PendingRequest::new(&client, &line);
                let is_next = unanswered.load(Ordering::Acquire) == 0;
                if is_next && client.keeps_up() && !waiting.blocks() {
                    self.answer(&client, waiting);
                } else {
                    unanswered.fetch_add(1, Ordering::Release);
                    requests.put(waiting, bytes);
                    requests.wait_for_room(MAX_WAITING);
                }
            }
            requests.end();
            let leaving = Arc::clone(&client);
            thread::spawn(move || {
                thread::sleep(GRACE);
                leaving.jobs.cancel_all();
                thread::sleep(LAST_WORDS);
                leaving.disconnect();
            });
        });
        self.say_goodbye(&client);
        client.jobs.wait_until_answered();
        client.end();
        // Whatever kept it from writing has been said.
        let _ = writing.join();
    }

    /// A panic in one request is an error of that request and nothing else.
    fn answer(&self, client: &Arc<Client>, waiting: PendingRequest) {
        let Request { id, method, params, unknown } = match waiting.request {
            Ok(request) => request,
            Err(BadRequest { is_response: true, error, .. }) => {
                return tracing::warn!("a client said something that is not answered: {}", error.message);
            }
            Err(BadRequest { id, error, .. }) => {
                return client.respond(id.as_ref(), Err::<(), _>(*error));
            }
        };
        if let Err(wrong) = check_members(client, unknown.as_deref()) {
            drop(waiting.job);
            // Without an id too, for it may be what was misspelt.
            return client.respond(id.as_ref(), Err::<(), _>(wrong.into()));
        }
        let handled = waiting.job.transpose().and_then(|job| {
            let context = RequestContext { client, id: id.clone(), job, cancelled: waiting.cancelled };
            catch_unwind(AssertUnwindSafe(|| dispatch(self, context, &method, params)))
                .unwrap_or_else(|_| Err(wire_error::internal()))
        });
        if let Err(error) = handled {
            client.answer(id.as_ref(), Err::<(), _>(error));
        }
    }
}

/// Refuses a member that requests do not have, if the client wants to hear of it.
fn check_members(client: &Client, unknown: Option<&str>) -> Result<(), WrongShape> {
    match unknown {
        Some(name) if client.unknown() == Unknown::Refused => Err(WrongShape::unknown(name, REQUEST_MEMBERS)),
        _ => Ok(()),
    }
}

impl PendingRequest {
    /// What takes long can be cancelled from the moment it is read, and a `cancel` does its work as
    /// soon as it is read, even if something long is being answered.
    fn new(client: &Arc<Client>, line: &Line) -> PendingRequest {
        let request = Request::read(line);
        let (mut job, mut cancelled) = (None, false);
        if let Ok(Request { id, method, params, unknown }) = &request {
            match (method.as_str(), id) {
                (Search::NAME | Choose::NAME | Batch::NAME | Perft::NAME, Some(id)) => {
                    job = Some(Job::begin(client, id));
                }
                (Cancel::NAME, _) => {
                    let cancel = check_members(client, unknown.as_deref())
                        .and_then(|()| shape::read::<Cancel>(params.clone(), client.unknown()));
                    cancelled = cancel.is_ok_and(|cancel| client.jobs.cancel(&cancel.request));
                }
                _ => {}
            }
        }
        PendingRequest { request, job, cancelled }
    }

    /// Whether all that comes behind it has to wait until it is done.
    fn blocks(&self) -> bool {
        self.request.as_ref().is_ok_and(|request| request.method == Perft::NAME)
    }
}
