//! One client from its first line to its last: its requests are read, put in order and answered.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tabuleiro_protocol::line::{Line, Lines};
use tabuleiro_protocol::message::{BadRequest, REQUEST_MEMBERS, Request};
use tabuleiro_protocol::method::{
    Batch, Cancel, Choose, FindMistakes, Hint, Hurry, Judge, Method, Perft, Review, Search,
};
use tabuleiro_protocol::shape::{Unknown, WrongShape};
use tabuleiro_protocol::{ErrorObject, shape};

use super::client::Client;
use super::handlers::{RequestContext, dispatch};
use super::jobs::Job;
use super::queue::Queue;
use super::{Server, wire_error};
use crate::threads;

/// How long searches may go on after the end of input.
const GRACE: Duration = Duration::from_millis(500);

/// How long the process may then still take to write what it has to say.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How many bytes of requests may wait for their answer; after that no more is read.
pub(super) const MAX_WAITING: usize = 4 << 20;

/// What a request costs while it waits, besides its text.
const COST_OF_WAITING: usize = 1 << 10;

/// A request as it waits for its answer.
struct PendingRequest {
    request: Read,
    /// Whether all that comes behind it has to wait until it is done.
    blocks: bool,
    /// What can be cancelled, if it takes long.
    job: Option<Result<Job, ErrorObject>>,
    /// It was a `cancel`, and has done its work already.
    cancelled: bool,
}

/// What was read. A line that is read as JSON takes many times its length.
enum Read {
    Request(Result<Request, BadRequest>),
    /// A long line, which is read again.
    Line(Line),
}

/// Lines that are longer than this are kept as they came while they wait, and are worked on one at a
/// time for all clients.
const LONG_LINE: usize = 4 << 10;

impl Server {
    /// Answers a client line by line until its input ends. `disconnect` is called if the client
    /// does not read what is sent to it. Where no thread can be made for it, the client is told so
    /// in one line.
    pub fn serve(
        &self,
        input: impl BufRead,
        output: impl Write + Send + 'static,
        disconnect: impl Fn() + Send + Sync + 'static,
    ) {
        let client = self.new_client(disconnect);
        let output = Arc::new(Mutex::new(output));
        // Over once there is nothing more to answer and to write.
        let (is_writing, said_all) = channel::<()>();
        let is_answering = is_writing.clone();
        let (writer, its_output) = (Arc::clone(&client), Arc::clone(&output));
        let writing = threads::spawn(move || {
            writer.write_to(&mut *its_output.lock());
            drop(is_writing);
        });
        let writing = match writing {
            Ok(writing) => writing,
            Err(error) => {
                refuse(&client, &error);
                return client.write_to(&mut *output.lock());
            }
        };
        let requests = Queue::<PendingRequest>::default();
        let unanswered = AtomicUsize::new(0);
        thread::scope(|scope| {
            // What takes long is answered beside the reading, so that it can be cancelled and the
            // end of input is seen.
            let answering = threads::spawn_scoped(scope, || {
                let mut turns = self.crowd.turns_of(client.number());
                while let Some(waiting) = requests.take() {
                    // Nothing is done for one who has gone away and cannot know of it.
                    if !client.is_gone() {
                        let is_long = matches!(waiting.request, Read::Line(_));
                        turns.take_if(!is_long && !waiting.blocks);
                        self.answer(&client, waiting, is_long.then(|| self.long_lines.lock()));
                    }
                    let keeps_up = client.keeps_up();
                    if requests.bytes() == 0 || !keeps_up {
                        turns.end();
                    }
                    if !keeps_up {
                        client.wait_until_it_keeps_up();
                    }
                    unanswered.fetch_sub(1, Ordering::Release);
                }
                self.say_goodbye(&client);
                client.jobs.wait_until_answered();
                client.end();
                drop((is_answering, turns));
            });
            if let Err(error) = answering {
                return refuse(&client, &error);
            }
            let mut lines = Lines::new(input);
            let mut turns = self.crowd.turns_of(client.number());
            while let Some(line) = lines.next_line().unwrap_or_else(|error| {
                tracing::debug!("the input broke off: {error}");
                None
            }) {
                let bytes = COST_OF_WAITING + text_of(&line).len();
                let is_next = unanswered.load(Ordering::Acquire) == 0;
                turns.take_if(!is_long(&line) && lines.has_more());
                let place = is_long(&line).then(|| self.long_lines.lock());
                match PendingRequest::new(self, &client, &line) {
                    None => {}
                    Some(waiting) if is_next && client.keeps_up() && !waiting.blocks => {
                        self.answer(&client, waiting, place);
                    }
                    Some(waiting) => {
                        unanswered.fetch_add(1, Ordering::Release);
                        if requests.put(waiting.put_aside(line), bytes) > MAX_WAITING {
                            turns.end();
                        }
                        drop(place);
                        requests.wait_for_room(MAX_WAITING);
                    }
                }
                if !lines.has_more() {
                    turns.end();
                }
            }
            drop(turns);
            requests.end();
            if said_all.recv_timeout(GRACE) == Err(RecvTimeoutError::Timeout) {
                client.jobs.cancel_all();
                if said_all.recv_timeout(LAST_WORDS) == Err(RecvTimeoutError::Timeout) {
                    client.disconnect();
                }
            }
        });
        // Whatever kept it from writing has been said.
        let _ = writing.join();
    }

    /// A panic in one request is an error of that request and nothing else. `place` is kept until
    /// it is carried out.
    fn answer(&self, client: &Arc<Client>, waiting: PendingRequest, place: Option<MutexGuard<'_, ()>>) {
        let request = match waiting.request {
            Read::Request(request) => request,
            Read::Line(line) => self.parser.run(move || Request::read(&line)),
        };
        let Request { id, method, params, unknown } = match request {
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
            let context = RequestContext { client, id: id.clone(), job, cancelled: waiting.cancelled, place };
            catch_unwind(AssertUnwindSafe(|| dispatch(self, context, &method, params)))
                .unwrap_or_else(|_| Err(wire_error::internal()))
        });
        if let Err(error) = handled {
            client.answer(id.as_ref(), Err::<(), _>(error));
        }
    }
}

/// There is no thread for this client.
fn refuse(client: &Client, error: &io::Error) {
    tracing::warn!("a client was refused: {error}");
    client.respond(None, Err::<(), _>(wire_error::no_thread(error)));
    client.end();
}

fn text_of(line: &Line) -> &str {
    if let Line::Text(text) | Line::Unfinished(text) = line { text } else { "" }
}

fn is_long(line: &Line) -> bool {
    text_of(line).len() > LONG_LINE
}

/// Refuses a member that requests do not have, if the client wants to hear of it.
fn check_members(client: &Client, unknown: Option<&str>) -> Result<(), WrongShape> {
    match unknown {
        Some(name) if client.unknown() == Unknown::Refused => Err(WrongShape::unknown(name, REQUEST_MEMBERS)),
        _ => Ok(()),
    }
}

impl PendingRequest {
    /// What takes long can be cancelled from the moment it is read, and `cancel` and `hurry` do their
    /// work as soon as they are read, even if something long is being answered. `None` if nothing is
    /// left to be done.
    fn new(server: &Server, client: &Arc<Client>, line: &Line) -> Option<PendingRequest> {
        let request = if is_long(line) {
            let line = line.clone();
            server.parser.run(move || Request::read(&line))
        } else {
            Request::read(line)
        };
        let (mut job, mut cancelled) = (None, false);
        let blocks = matches!(&request, Ok(request) if request.method == Perft::NAME);
        if let Ok(Request { id, method, params, unknown }) = &request {
            match (method.as_str(), id) {
                (
                    Search::NAME
                    | Choose::NAME
                    | Perft::NAME
                    | Review::NAME
                    | Judge::NAME
                    | Hint::NAME
                    | FindMistakes::NAME,
                    Some(id),
                ) => {
                    job = Some(Job::begin(client, id));
                }
                (Batch::NAME, Some(id)) => {
                    let held = client.accounts.batch_bytes.hold(text_of(line).len());
                    let held = held.map_err(wire_error::batches_too_large);
                    job = Some(held.and_then(|held| Ok(Job::begin(client, id)?.holding(held))));
                }
                (Hurry::NAME, _) => {
                    let hurry = check_members(client, unknown.as_deref())
                        .and_then(|()| shape::read::<Hurry>(params.clone(), client.unknown()));
                    // Else its turn may tell more: perhaps a table is opened before.
                    if hurry.is_ok_and(|hurry| server.hurry_now(client, id.as_ref(), &hurry)) {
                        return None;
                    }
                }
                (Cancel::NAME, _) => {
                    let cancel = check_members(client, unknown.as_deref())
                        .and_then(|()| shape::read::<Cancel>(params.clone(), client.unknown()));
                    cancelled = cancel.is_ok_and(|cancel| client.jobs.cancel(&cancel.request));
                }
                _ => {}
            }
        }
        Some(PendingRequest { request: Read::Request(request), blocks, job, cancelled })
    }

    /// It has to wait.
    fn put_aside(self, line: Line) -> PendingRequest {
        if is_long(&line) { PendingRequest { request: Read::Line(line), ..self } } else { self }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use parking_lot::Mutex;
    use serde_json::{Value, json};

    use super::*;
    use crate::bots::Bots;
    use crate::catalog::Catalog;
    use crate::server::cores;
    use crate::threads::supply;

    /// What is written to it can be looked at.
    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What a client is told who asks for a table and then goes away.
    fn told(server: &Server) -> Vec<Value> {
        let output = Output::default();
        let line = &br#"{"id":1,"method":"new","params":{"game":"zurero"}}"#[..];
        server.serve(line, output.clone(), || {});
        // It is not shared any more, for no thread is left that writes to it.
        assert_eq!(Arc::strong_count(&output.0), 1);
        let said = String::from_utf8(output.0.lock().clone()).expect("text");
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// Read, it takes many times its length.
    #[test]
    fn long_lines_are_worked_on_one_at_a_time_and_short_ones_do_not_wait() {
        let server = Server::new(Catalog::standard(), Arc::new(Bots::default()), None);
        let long = json!({"id": 1, "method": "hello", "params": {"client": "x".repeat(LONG_LINE)}});
        let output = Output::default();
        let busy = server.long_lines.lock();
        thread::scope(|scope| {
            let their_output = output.clone();
            let waits = scope.spawn(|| server.serve(long.to_string().as_bytes(), their_output, || {}));
            assert_eq!(told(&server)[0]["result"]["table"], "t1");
            assert!(output.0.lock().is_empty());
            drop(busy);
            waits.join().expect("no panic");
        });
        assert!(!output.0.lock().is_empty());
    }

    #[test]
    fn who_asks_before_it_was_answered_is_answered_however_long_others_take() {
        let server = Server::new(Catalog::standard(), Arc::new(Bots::default()), None);
        let lines = cores().div_ceil(2) as u64;
        let mut busy: Vec<_> = (0..lines).map(|client| server.crowd.turns_of(client)).collect();
        busy.iter_mut().for_each(|turns| turns.take_if(true));
        let output = Output::default();
        // The count is answered beside the reading, so that the other waits. With more of them a busy
        // machine would not be done before the end of the input counts.
        let count = json!({"id": 1, "method": "perft", "params": {"game": "zurero", "depth": 1}});
        let asked = [count, json!({"id": 2, "method": "hello"})];
        let lines: String = asked.iter().map(|line| format!("{line}\n")).collect();
        server.serve(lines.as_bytes(), output.clone(), || {});
        drop(busy);
        let said = String::from_utf8(output.0.lock().clone()).expect("text");
        assert_eq!(said.lines().filter(|line| line.contains("result")).count(), 2, "{said}");
    }

    #[test]
    fn a_client_for_whom_no_thread_is_left_is_told_so_and_leaves_nothing() {
        let server = Server::new(Catalog::standard(), Arc::new(Bots::default()), None);
        for threads in [0, 1, 0, 1] {
            let said = supply::of(threads, || told(&server));
            let [refusal] = said.as_slice() else { panic!("{said:?}") };
            let [id, error] = [&refusal["id"], &refusal["error"]];
            assert_eq!(
                (id, &error["code"], &error["data"]["kind"]),
                (&Value::Null, &json!(9), &json!("limit"))
            );
            assert!(
                error["message"].as_str().expect("words").starts_with("no thread can be made"),
                "{error}"
            );
        }
        // Two are all that it takes, and nothing is left of those before.
        for table in ["t1", "t2"] {
            let said = supply::of(2, || told(&server));
            assert_eq!(said[0]["result"]["table"], table, "{said:?}");
            assert!(server.all_tables().is_empty());
        }
    }
}
