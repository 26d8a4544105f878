//! Clients that come by a local socket.

use std::io::{BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use tabuleiro_protocol::ErrorObject;
use tabuleiro_protocol::message::response;
use tabuleiro_protocol::socket::{Arrival, Listener, Socket};

use super::{Server, wire_error};

/// How many clients may be connected at once.
const MAX_CONNECTIONS: usize = 512;

/// How long to wait when no client can be accepted, so that what is in the way has time to go away.
const RETRY: Duration = Duration::from_millis(100);

impl Server {
    /// Serves everybody who connects to a local socket, for as long as the process lives.
    pub fn listen(self: &Arc<Server>, listener: &Listener) {
        loop {
            match listener.next() {
                Ok(Arrival::Client(socket)) => self.accept(socket),
                Ok(Arrival::OtherUser(socket)) => {
                    tracing::warn!("a program of another user was refused");
                    refuse(socket, wire_error::other_user());
                }
                Err(error) => {
                    tracing::warn!("a client could not be accepted: {error}");
                    thread::sleep(RETRY);
                }
            }
        }
    }

    fn accept(self: &Arc<Server>, socket: Socket) {
        if self.connections.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            self.connections.fetch_sub(1, Ordering::Relaxed);
            let error = wire_error::limit(format!("{MAX_CONNECTIONS} clients are here already"));
            return refuse(socket, error);
        }
        let server = Arc::clone(self);
        let connection = move || {
            let (input, output) = (BufReader::new(socket.clone()), socket.clone());
            let peer = socket.clone();
            server.serve(input, output, move || peer.hang_up());
            socket.hang_up();
            server.connections.fetch_sub(1, Ordering::Relaxed);
        };
        if let Err(error) = thread::Builder::new().spawn(connection) {
            tracing::warn!("a client could not be accepted: {error}");
            self.connections.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Says why somebody is not served, and hangs up.
fn refuse(mut socket: Socket, error: ErrorObject) {
    // It may have gone away again.
    let _ = writeln!(socket, "{}", response(None, Err::<(), _>(error)));
}
