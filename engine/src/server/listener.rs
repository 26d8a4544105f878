//! Clients that come by a local socket.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use tabuleiro_protocol::ErrorObject;
use tabuleiro_protocol::message::response;
use tabuleiro_protocol::socket::{Arrival, Listener, Socket};

use super::{Server, wire_error};
use crate::threads;

/// How many clients may be connected at once.
pub(super) const MAX_CONNECTIONS: usize = 512;

/// How long to wait when no client can be accepted, so that what is in the way has time to go away.
const RETRY: Duration = Duration::from_millis(100);

/// The same complaint is not logged more often: nobody may fill the log, nor hold up the engine
/// where nobody reads it.
const COMPLAIN_EVERY: Duration = Duration::from_secs(1);

impl Server {
    /// Serves everybody who connects to a local socket, for as long as the process lives. Who is
    /// refused is told why, and nobody waits for that.
    pub fn listen(self: &Arc<Server>, listener: &Listener) {
        let mut log = Complaints::default();
        let mut spare = Spare::new();
        loop {
            match listener.next() {
                Ok(arrival) => self.receive(arrival, &mut log),
                Err(error) if is_out_of_files(&error) && spare.give_up() => {
                    // This may wait for somebody to come; there may be room again by then.
                    let arrival = listener.next();
                    match arrival {
                        Ok(arrival) if spare.take_again() => self.receive(arrival, &mut log),
                        Ok(Arrival::Client(socket) | Arrival::OtherUser(socket)) => {
                            log.complain(&format!("a client was refused: {error}"));
                            refuse(socket, wire_error::limit(format!("{error}: come again later")));
                            spare.take_again();
                        }
                        Err(error) => log.complain(&format!("a client could not be accepted: {error}")),
                    }
                }
                Err(error) => {
                    log.complain(&format!("a client could not be accepted: {error}"));
                    thread::sleep(RETRY);
                    spare.take_again();
                }
            }
        }
    }

    fn receive(self: &Arc<Server>, arrival: Arrival, log: &mut Complaints) {
        match arrival {
            Arrival::Client(socket) => self.accept(socket, log),
            Arrival::OtherUser(socket) => {
                log.complain("a program of another user was refused");
                refuse(socket, wire_error::other_user());
            }
        }
    }

    fn accept(self: &Arc<Server>, socket: Socket, log: &mut Complaints) {
        let Some(visit) = Visit::begin(self) else {
            log.complain("a client was refused: there are too many");
            let error = wire_error::limit(format!("{MAX_CONNECTIONS} clients are here already"));
            return refuse(socket, error);
        };
        let theirs = socket.clone();
        let connection = move || {
            let (input, output) = (BufReader::new(theirs.clone()), theirs.clone());
            let peer = theirs.clone();
            visit.0.serve(input, output, move || peer.hang_up());
            theirs.hang_up();
        };
        if let Err(error) = threads::spawn(connection) {
            log.complain(&format!("a client was refused: {error}"));
            refuse(socket, wire_error::no_thread(&error));
        }
    }
}

/// Says why somebody is not served, and hangs up.
fn refuse(mut socket: Socket, error: ErrorObject) {
    // It may have gone away again.
    let _ = writeln!(socket, "{}", response(None, Err::<(), _>(error)));
}

/// A client that is there. Its place is free again when this is dropped, however it ended.
struct Visit(Arc<Server>);

impl Visit {
    fn begin(server: &Arc<Server>) -> Option<Visit> {
        let visit = Visit(Arc::clone(server));
        let there = server.connections.fetch_add(1, Ordering::Relaxed);
        (there < MAX_CONNECTIONS).then_some(visit)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A file that is open for nothing. When no more can be opened it makes room for one who is to be
/// told so.
struct Spare(Option<File>);

impl Spare {
    fn new() -> Spare {
        let mut spare = Spare(None);
        spare.take_again();
        spare
    }

    /// Whether there was one.
    fn give_up(&mut self) -> bool {
        self.0.take().is_some()
    }

    /// Whether there is one now.
    fn take_again(&mut self) -> bool {
        if self.0.is_none() {
            self.0 = File::open(if cfg!(windows) { "NUL" } else { "/dev/null" }).ok();
        }
        self.0.is_some()
    }
}

/// Whether this process or the whole system has no room for another open file.
#[cfg(unix)]
fn is_out_of_files(error: &io::Error) -> bool {
    use nix::errno::Errno;

    let errno = error.raw_os_error().map(Errno::from_raw);
    matches!(errno, Some(Errno::EMFILE | Errno::ENFILE))
}

#[cfg(not(unix))]
fn is_out_of_files(_: &io::Error) -> bool {
    false
}

/// What goes wrong again and again, logged now and then.
#[derive(Default)]
struct Complaints {
    last: Option<(String, Instant)>,
    unsaid: usize,
}

impl Complaints {
    fn complain(&mut self, what: &str) {
        let is_new = |(last, at): &(String, Instant)| last != what || at.elapsed() >= COMPLAIN_EVERY;
        if self.last.as_ref().is_none_or(is_new) {
            if let (1.., Some((last, _))) = (self.unsaid, &self.last) {
                tracing::warn!("{last}: {} times more", self.unsaid);
            }
            tracing::warn!("{what}");
            self.last = Some((what.into(), Instant::now()));
            self.unsaid = 0;
        } else {
            self.unsaid += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufRead;

    use serde_json::{Value, json};

    use super::*;
    use crate::bots::Bots;
    use crate::catalog::Catalog;
    use crate::threads::supply;

    #[test]
    fn who_comes_while_no_thread_is_left_is_told_so_and_takes_no_place() {
        let server = Arc::new(Server::new(Catalog::standard(), Arc::new(Bots::default()), None));
        let name = format!("tabuleiro-listener-{}", std::process::id());
        let listener = Listener::open(&name).expect("the name is free");
        let mut log = Complaints::default();
        let mut visit = |threads| {
            let mut guest = Socket::connect(&name).expect("somebody listens");
            let arrival = listener.next().expect("a guest");
            supply::of(threads, || server.receive(arrival, &mut log));
            // It may not be read any more.
            let _ = writeln!(guest, "{}", json!({"id": 1, "method": "hello"}));
            let mut line = String::new();
            BufReader::new(guest.clone()).read_line(&mut line).expect("an answer");
            guest.hang_up();
            serde_json::from_str::<Value>(&line).expect("JSON")
        };
        // More often than there are places.
        for _ in 0..MAX_CONNECTIONS + 1 {
            let refusal = visit(0);
            assert_eq!((&refusal["id"], &refusal["error"]["code"]), (&Value::Null, &json!(9)), "{refusal}");
        }
        assert_eq!(server.connections.load(Ordering::Relaxed), 0);
        assert_eq!(visit(1)["result"]["protocol"], 1);
    }

    #[test]
    fn a_complaint_is_not_repeated_at_once() {
        let mut log = Complaints::default();
        (0..5).for_each(|_| log.complain("it rains"));
        assert_eq!(log.unsaid, 4);
        log.complain("it snows");
        assert_eq!(log.unsaid, 0);
    }
}
