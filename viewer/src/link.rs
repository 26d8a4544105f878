//! The connection to the engine: how it is made, what is done with each answer once it comes, and
//! the lines that went to and fro.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::{fmt, io};

use serde_json::Value;
use tabuleiro_protocol::client::{CallError, Conversation, Disconnected, read_answer};
use tabuleiro_protocol::message::Incoming;
use tabuleiro_protocol::method::Method;
use tabuleiro_protocol::{ErrorObject, Id};

use crate::app::ConsoleLine;

/// So many characters of a line are kept to be shown.
const LONGEST_SHOWN: usize = 20_000;

/// How to get an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    /// Starts this program with these arguments.
    Program(PathBuf, Vec<String>),
    /// Joins one that listens at a local socket of this name.
    Socket(String),
}

/// A conversation with an engine for a `T`, which every answer changes in its own way.
pub(crate) struct Link<T> {
    conversation: Conversation,
    waiting: HashMap<Id, PendingCall<T>>,
    /// How many requests were made, of all engines.
    asked: u64,
    lines: Vec<ConsoleLine>,
    /// Whether the engine is known to have gone. Then nothing is asked any more.
    is_over: bool,
}

/// A request, to find out later whether it is still under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

/// A request that has no answer yet.
struct PendingCall<T> {
    ticket: Ticket,
    then: Continuation<T>,
}

/// What is done with the answer to a request once it comes.
type Continuation<T> = Box<dyn FnOnce(&mut T, Result<Value, ErrorObject>)>;

/// Something that the engine said.
pub(crate) enum Heard<T> {
    /// An answer, as what is to be done with it.
    Answer(Box<dyn FnOnce(&mut T)>),
    Notice(String, Value),
    /// It could not make out a line, nor whose it was.
    Complaint(ErrorObject),
}

impl Launch {
    pub fn start(&self) -> io::Result<Conversation> {
        match self {
            Launch::Program(program, arguments) => {
                let conversation = Conversation::start(Command::new(program).args(arguments))?;
                let_go_first(conversation.process_id());
                Ok(conversation)
            }
            Launch::Socket(name) => Conversation::connect(name),
        }
    }
}

/// How much an engine of ours gives way to the window that waits for it, as `nice` counts it. It may
/// think on every core, and a frame is drawn in time all the same.
#[cfg(unix)]
const GIVES_WAY: i32 = 5;

/// Lets the window go first where it and its engine want the same core.
#[cfg(unix)]
fn let_go_first(engine: Option<u32>) {
    use rustix::process::{Pid, getpriority_process, setpriority_process};
    let pid = engine.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let Some(pid) = pid else { return };
    // If the system does not allow it, frames may come later, and nothing else is wrong.
    let lowered = getpriority_process(None).and_then(|own| setpriority_process(Some(pid), own + GIVES_WAY));
    if let Err(error) = lowered {
        eprintln!("the engine may take time that the window needs: {error}");
    }
}

#[cfg(not(unix))]
fn let_go_first(_: Option<u32>) {}

impl<T: 'static> Link<T> {
    pub(crate) fn new(launch: &Launch) -> io::Result<Link<T>> {
        let conversation = launch.start()?;
        Ok(Link { conversation, waiting: HashMap::new(), asked: 0, lines: Vec::new(), is_over: false })
    }

    /// Begins anew with another engine. What was asked is forgotten.
    pub(crate) fn restart(&mut self, launch: &Launch) -> io::Result<()> {
        self.conversation = launch.start()?;
        self.waiting.clear();
        self.is_over = false;
        Ok(())
    }

    /// The engine has gone: what was asked will not be answered any more.
    pub(crate) fn end(&mut self) {
        self.waiting.clear();
        self.is_over = true;
    }

    pub(crate) fn process_id(&self) -> Option<u32> {
        self.conversation.process_id()
    }

    /// Asks something, and does `then` with the answer when it comes. That the engine is gone is
    /// found out when listening; then nothing is ever done.
    pub(crate) fn ask<M: Method + 'static>(
        &mut self,
        params: &M,
        then: impl FnOnce(&mut T, Result<M::Result, CallError>) + 'static,
    ) -> Option<Ticket> {
        if self.is_over {
            return None;
        }
        let (id, line) = self.conversation.send(params).ok()?;
        self.note(true, line);
        self.asked += 1;
        let ticket = Ticket(self.asked);
        let then = Box::new(move |target: &mut T, answer: Result<Value, ErrorObject>| {
            then(target, read_answer::<M>(answer));
        });
        self.waiting.insert(id, PendingCall { ticket, then });
        Some(ticket)
    }

    /// The next thing that has come, if there is any.
    pub(crate) fn listen(&mut self) -> Result<Option<Heard<T>>, Disconnected> {
        while let Some(received) = self.conversation.heard()? {
            self.note(false, received.line);
            match received.incoming {
                Some(Incoming::Response { id: Some(id), answer }) => {
                    if let Some(PendingCall { then, .. }) = self.waiting.remove(&id) {
                        return Ok(Some(Heard::Answer(Box::new(|target| then(target, answer)))));
                    }
                }
                Some(Incoming::Notice { method, params }) => return Ok(Some(Heard::Notice(method, params))),
                Some(Incoming::Response { id: None, answer: Err(error) }) => {
                    return Ok(Some(Heard::Complaint(error)));
                }
                Some(Incoming::Response { id: None, answer: Ok(_) }) | None => {}
            }
        }
        Ok(None)
    }

    /// Whether something has been asked that has no answer yet, this one apart.
    pub(crate) fn is_waiting_but_for(&self, endless: Option<Ticket>) -> bool {
        self.waiting.values().any(|waiting| Some(waiting.ticket) != endless)
    }

    /// The id of a request that has no answer yet.
    pub(crate) fn id_of(&self, ticket: Ticket) -> Option<Id> {
        self.waiting.iter().find(|(_, waiting)| waiting.ticket == ticket).map(|(id, _)| id.clone())
    }

    /// Whether this request has no answer yet.
    pub(crate) fn is_waiting_for(&self, ticket: Ticket) -> bool {
        self.waiting.values().any(|waiting| waiting.ticket == ticket)
    }

    /// The lines that went to and fro since this was last called.
    pub(crate) fn take_lines(&mut self) -> Vec<ConsoleLine> {
        std::mem::take(&mut self.lines)
    }

    fn note(&mut self, sent: bool, mut line: String) {
        // Nobody reads more than that of a long game, and thousands of lines are kept.
        if let Some((end, _)) = line.char_indices().nth(LONGEST_SHOWN) {
            line = format!("{}… ({} bytes)", &line[..end], line.len());
        }
        self.lines.push(ConsoleLine { sent, line });
    }
}

impl<T> fmt::Debug for Link<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("conversation", &self.conversation)
            .field("waiting", &self.waiting.keys())
            .field("is_over", &self.is_over)
            .finish_non_exhaustive()
    }
}
