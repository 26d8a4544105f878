use std::fmt;
use std::io::Write;
use std::sync::Arc;

use serde::Serialize;
use tabuleiro_protocol::message::{notification, response};
use tabuleiro_protocol::notice::Notice;
use tabuleiro_protocol::{ErrorObject, Id};

use super::jobs::Jobs;
use super::queue::Queue;

/// With more than this waiting to be read by it, a client gets no more answers to what it asks, and is not told any more how thoughts are getting on.
const ROOM: usize = 1 << 20;

/// With more than this waiting to be read by it, a client is hung up on: what it watches goes on without it.
const FAR_BEHIND: usize = 64 << 20;

/// One that talks to the engine.
pub(super) struct Client {
    /// A line is written once for all who get it.
    outgoing: Queue<Arc<str>>,
    hang_up: Box<dyn Fn() + Send + Sync>,
    pub(super) jobs: Jobs,
}

impl Client {
    pub(super) fn new(hang_up: impl Fn() + Send + Sync + 'static) -> Client {
        Client { outgoing: Queue::default(), hang_up: Box::new(hang_up), jobs: Jobs::default() }
    }

    /// Writes what there is to say until there is no more of it or nobody reads it. A client that has gone away is found out at the end of its input.
    pub(super) fn write_to(&self, mut output: impl Write) {
        while let Some(line) = self.outgoing.take() {
            if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
                tracing::debug!("nobody reads the answers: {error}");
                self.outgoing.abandon();
            }
        }
    }

    /// Nothing more is said once what waits is written.
    pub(super) fn end(&self) {
        self.outgoing.end();
    }

    /// Whether the client reads what it is told.
    pub(super) fn has_room(&self) -> bool {
        self.outgoing.bytes() <= ROOM
    }

    /// Whether nobody takes what is said to it any more.
    pub(super) fn has_gone(&self) -> bool {
        self.outgoing.is_abandoned()
    }

    /// A client that does not read waits for its next answer, and nobody waits with it.
    pub(super) fn wait_for_room(&self) {
        self.outgoing.wait_for_room(ROOM);
    }

    pub(super) fn send_line(&self, line: &Arc<str>) {
        let waiting = self.outgoing.put(Arc::clone(line), line.len());
        if waiting > FAR_BEHIND {
            tracing::warn!("a client does not read what it is told, and is hung up on");
            self.outgoing.abandon();
            (self.hang_up)();
        }
    }

    /// Says something that will soon be out of date, if the client keeps up with what it is told.
    pub(super) fn send_passing(&self, line: &Arc<str>) {
        if self.has_room() {
            self.send_line(line);
        }
    }

    /// Writes the response to a request, if anybody waits for one.
    pub(super) fn answer(&self, id: Option<&Id>, answer: Result<impl Serialize, ErrorObject>) {
        if id.is_some() {
            self.respond(id, answer);
        }
    }

    /// Writes a response, even if it is not known to what.
    pub(super) fn respond(&self, id: Option<&Id>, answer: Result<impl Serialize, ErrorObject>) {
        self.send_line(&line(response(id, answer)));
    }

    /// Makes everything end that goes on for this client.
    pub(super) fn hang_up(&self) {
        self.outgoing.abandon();
        (self.hang_up)();
    }
}

pub(super) fn notice_line<N: Notice>(notice: N) -> Arc<str> {
    line(notification(N::NAME, notice))
}

fn line(mut message: String) -> Arc<str> {
    message.push('\n');
    message.into()
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}
