use std::io::{BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use tabuleiro_protocol::message::response;
use tabuleiro_protocol::socket::{Listener, Socket};
use tabuleiro_protocol::{ErrorCode, ErrorObject};

use super::Server;

/// How many clients may be at a socket at once.
const MOST_VISITORS: usize = 512;

/// How long to wait when no client can be let in, so that what is in the way has time to go away.
const PAUSE: Duration = Duration::from_millis(100);

impl Server {
    /// Serves everybody who comes in by a local socket, for as long as the process lives.
    pub fn receive(self: &Arc<Server>, door: &Listener) {
        loop {
            match door.next() {
                Ok(socket) => self.let_in(socket),
                Err(error) => {
                    tracing::warn!("somebody could not be let in: {error}");
                    thread::sleep(PAUSE);
                }
            }
        }
    }

    fn let_in(self: &Arc<Server>, mut socket: Socket) {
        if self.visitors.fetch_add(1, Ordering::Relaxed) >= MOST_VISITORS {
            self.visitors.fetch_sub(1, Ordering::Relaxed);
            let message = format!("{MOST_VISITORS} clients are here already");
            let refusal = response(None, Err::<(), _>(ErrorObject::new(ErrorCode::Limit, message)));
            // It may have gone away again.
            let _ = writeln!(socket, "{refusal}");
            return;
        }
        let server = Arc::clone(self);
        let visit = move || {
            let (input, output) = (BufReader::new(socket.clone()), socket.clone());
            let caller = socket.clone();
            server.serve(input, output, move || caller.hang_up());
            socket.hang_up();
            server.visitors.fetch_sub(1, Ordering::Relaxed);
        };
        if let Err(error) = thread::Builder::new().spawn(visit) {
            tracing::warn!("somebody could not be let in: {error}");
            self.visitors.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
