use std::fmt;
use std::io::Write;
use std::sync::Mutex;

use serde::Serialize;
use serde_json::Value;
use tabuleiro_protocol::message::{notification, response};
use tabuleiro_protocol::notice::Notice;
use tabuleiro_protocol::{ErrorObject, Id};

use super::jobs::Jobs;
use super::lock;

/// One that talks to the engine.
pub(super) struct Client {
    output: Mutex<Box<dyn Write + Send>>,
    pub(super) jobs: Jobs,
}

impl Client {
    pub(super) fn new(output: impl Write + Send + 'static) -> Client {
        Client { output: Mutex::new(Box::new(output)), jobs: Jobs::default() }
    }

    /// Writes one line. A client that has gone away is found out at the end of its input.
    pub(super) fn send(&self, message: &Value) {
        let line = format!("{message}\n");
        let mut output = lock(&self.output);
        if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
            tracing::debug!("nobody reads the answers: {error}");
        }
    }

    /// Writes the response to a request, if anybody waits for one.
    pub(super) fn answer(&self, id: Option<&Id>, answer: Result<impl Serialize, ErrorObject>) {
        if id.is_some() {
            self.send(&response(id, answer.map(json)));
        }
    }

    pub(super) fn notify<N: Notice>(&self, notice: N) {
        self.send(&notification(N::NAME, notice));
    }
}

fn json(result: impl Serialize) -> Value {
    serde_json::to_value(result).expect("messages have text for keys and nothing that cannot be written")
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}
