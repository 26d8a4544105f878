//! One that talks to the engine, and the lines that wait to be written to it.

use std::fmt;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde::Serialize;
use tabuleiro_protocol::message::{notification, response};
use tabuleiro_protocol::notice::Notice;
use tabuleiro_protocol::shape::Unknown;
use tabuleiro_protocol::{ErrorObject, Id};

use super::account::{Account, Held};
use super::jobs::Jobs;
use super::queue::Queue;

/// With more bytes than this waiting for it, a client gets no more answers to what it asks, and is
/// not told any more how searches are getting on.
const SOFT_LIMIT: usize = 1 << 20;

/// With more bytes than this waiting for all clients together, those that do not keep up are
/// disconnected.
pub(super) const ALL_LIMIT: usize = 256 << 20;

/// With more bytes than this waiting for it, a client is disconnected: what it watches goes on
/// without it.
pub(super) const HARD_LIMIT: usize = 64 << 20;

/// Who waits for a client looks this often whether it was told to stop.
const SOON: Duration = Duration::from_millis(5);

/// How much one client may have of what all share.
#[derive(Debug)]
pub(super) struct Accounts {
    /// How many tables it has made.
    pub(super) tables: Arc<Account>,
    /// How many bytes these take.
    pub(super) table_bytes: Arc<Account>,
    /// How many bytes of batches are not answered yet, as they came.
    pub(super) batch_bytes: Arc<Account>,
    /// How many bytes wait to be read by all clients together.
    pub(super) outgoing: Arc<AtomicUsize>,
}

pub(super) struct Client {
    number: u64,
    pub(super) accounts: Accounts,
    /// It is counted as long as it is there.
    _here: Option<Held>,
    /// A line is written once for all who get it.
    outgoing: Queue<Arc<str>>,
    disconnect: Box<dyn Fn() + Send + Sync>,
    pub(super) jobs: Jobs,
    /// It wants to hear of members that are not known.
    is_strict: AtomicBool,
}

impl Client {
    /// `disconnect` ends the connection.
    pub(super) fn new(
        number: u64,
        accounts: Accounts,
        here: Option<Held>,
        disconnect: impl Fn() + Send + Sync + 'static,
    ) -> Client {
        Client {
            number,
            outgoing: Queue::counted_in(Arc::clone(&accounts.outgoing)),
            accounts,
            _here: here,
            disconnect: Box::new(disconnect),
            jobs: Jobs::default(),
            is_strict: AtomicBool::default(),
        }
    }

    /// Another one for every client.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn set_strict(&self, is_strict: bool) {
        self.is_strict.store(is_strict, Ordering::Relaxed);
    }

    /// What becomes of members of its requests that are not known.
    pub(super) fn unknown(&self) -> Unknown {
        if self.is_strict.load(Ordering::Relaxed) { Unknown::Refused } else { Unknown::Ignored }
    }

    /// Writes lines until there are no more of them or nobody reads them. A client that has gone
    /// away is found out at the end of its input.
    pub(super) fn write_to(&self, mut output: impl Write) {
        while let Some(line) = self.outgoing.take() {
            if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
                tracing::debug!("nobody reads the answers: {error}");
                self.outgoing.abandon();
            }
        }
    }

    /// Nothing more is sent once what waits is written.
    pub(super) fn end(&self) {
        self.outgoing.end();
    }

    /// Ends everything that goes on for this client.
    pub(super) fn disconnect(&self) {
        self.outgoing.abandon();
        (self.disconnect)();
    }

    /// Whether nobody reads what is sent to it any more.
    pub(super) fn is_gone(&self) -> bool {
        self.outgoing.is_abandoned()
    }

    /// Whether the client reads what is sent to it.
    pub(super) fn keeps_up(&self) -> bool {
        self.outgoing.bytes() <= SOFT_LIMIT
    }

    /// A client that does not read waits for its next answer, and nobody waits with it.
    pub(super) fn wait_until_it_keeps_up(&self) {
        self.outgoing.wait_for_room(SOFT_LIMIT);
    }

    /// The same for one who can be told to stop. Gives whether to go on.
    pub(super) fn wait_unless(&self, stop: &AtomicBool) -> bool {
        while !stop.load(Ordering::Relaxed) && !self.is_gone() {
            if self.outgoing.wait_briefly_for_room(SOFT_LIMIT, SOON) {
                return true;
            }
        }
        false
    }

    pub(super) fn send(&self, line: &Arc<str>) {
        let waiting = self.outgoing.put(Arc::clone(line), line.len());
        let of_all = self.accounts.outgoing.load(Ordering::Relaxed);
        if waiting > HARD_LIMIT || waiting > SOFT_LIMIT && of_all > ALL_LIMIT {
            tracing::warn!("a client does not read what it is sent, and is disconnected");
            self.disconnect();
        }
    }

    /// Sends what will soon be out of date, if the client keeps up.
    pub(super) fn send_progress(&self, line: &Arc<str>) {
        if self.keeps_up() {
            self.send(line);
        }
    }

    /// Sends the response to a request, if anybody waits for one.
    pub(super) fn answer(&self, id: Option<&Id>, answer: Result<impl Serialize, ErrorObject>) {
        if id.is_some() {
            self.respond(id, answer);
        }
    }

    /// Sends a response, even if it is not known to what.
    pub(super) fn respond(&self, id: Option<&Id>, answer: Result<impl Serialize, ErrorObject>) {
        self.send(&line(response(id, answer)));
    }
}

pub(super) fn notice_line<N: Notice>(notice: N) -> Arc<str> {
    line(notification(N::NAME, notice))
}

pub(super) fn line(mut message: String) -> Arc<str> {
    message.push('\n');
    message.into()
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Server;
    use super::*;
    use crate::catalog::Catalog;

    const MEBIBYTE: usize = 1 << 20;

    /// A client to whom nothing is written, and how often it was disconnected.
    fn deaf_client() -> (Arc<Client>, Arc<AtomicUsize>) {
        let ended = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&ended);
        let server = Server::new(Catalog::standard(), Arc::default(), None);
        let client = server.new_client(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        (client, ended)
    }

    fn line_of(bytes: usize) -> Arc<str> {
        "x".repeat(bytes).into()
    }

    #[test]
    fn one_that_reads_too_slowly_hears_no_more_of_what_is_soon_out_of_date() {
        let (client, ended) = deaf_client();
        client.send(&line_of(SOFT_LIMIT));
        assert!(client.keeps_up());
        client.send_progress(&line_of(1));
        assert_eq!(client.outgoing.bytes(), SOFT_LIMIT + 1);
        assert!(!client.keeps_up());
        client.send_progress(&line_of(1));
        assert_eq!(client.outgoing.bytes(), SOFT_LIMIT + 1, "it is told no more");
        client.answer(None, Ok("nobody waits for it"));
        assert_eq!(client.outgoing.bytes(), SOFT_LIMIT + 1);
        client.answer(Some(&Id::Number(1)), Ok("it has asked"));
        assert!(client.outgoing.bytes() > SOFT_LIMIT + 1);
        assert_eq!(ended.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn one_that_does_not_read_is_disconnected_when_too_much_waits() {
        let (client, ended) = deaf_client();
        let line = line_of(MEBIBYTE);
        for _ in 0..HARD_LIMIT / MEBIBYTE {
            client.send(&line);
        }
        assert_eq!((ended.load(Ordering::Relaxed), client.is_gone()), (0, false));
        client.send(&line_of(1));
        assert_eq!((ended.load(Ordering::Relaxed), client.is_gone()), (1, true));
        assert_eq!(client.outgoing.bytes(), 0);
    }

    #[test]
    fn when_too_much_waits_for_all_those_go_who_do_not_keep_up() {
        let (client, ended) = deaf_client();
        client.accounts.outgoing.fetch_add(ALL_LIMIT - SOFT_LIMIT - 1, Ordering::Relaxed);
        client.send(&line_of(SOFT_LIMIT + 1));
        assert_eq!(ended.load(Ordering::Relaxed), 0, "there is room for just so much");
        client.send(&line_of(1));
        assert_eq!(ended.load(Ordering::Relaxed), 1);
        let (client, ended) = deaf_client();
        client.accounts.outgoing.fetch_add(ALL_LIMIT, Ordering::Relaxed);
        client.send(&line_of(SOFT_LIMIT));
        assert_eq!(ended.load(Ordering::Relaxed), 0, "it keeps up");
    }

    #[test]
    fn who_waits_for_a_client_goes_on_when_it_reads_and_gives_up_when_told_or_when_it_is_gone() {
        let (client, _) = deaf_client();
        let stop = AtomicBool::new(false);
        assert!(client.wait_unless(&stop), "there is room");
        client.send(&line_of(SOFT_LIMIT + 1));
        stop.store(true, Ordering::Relaxed);
        assert!(!client.wait_unless(&stop), "told to stop");
        stop.store(false, Ordering::Relaxed);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| client.wait_unless(&stop));
            assert_eq!(client.outgoing.take().map(|line| line.len()), Some(SOFT_LIMIT + 1));
            assert!(waits.join().expect("no panic"), "it has read");
        });
        client.disconnect();
        assert!(!client.wait_unless(&stop), "it is gone");
    }

    #[test]
    fn every_client_has_a_number_of_its_own() {
        let server = Server::new(Catalog::standard(), Arc::default(), None);
        let [one, two] = [server.new_client(|| {}), server.new_client(|| {})];
        assert_ne!(one.number(), two.number());
    }
}
