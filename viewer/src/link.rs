//! The connection to the engine: how it is made, what has been asked and not yet answered, and the lines that went to and fro.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tabuleiro_protocol::client::{Closed, Conversation, Incoming};
use tabuleiro_protocol::method::Method;
use tabuleiro_protocol::{ErrorObject, Id};

use crate::app::ConsoleLine;

/// How to get an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    /// Starts this program with these arguments.
    Program(PathBuf, Vec<String>),
    /// Joins one that listens at a local socket of this name.
    Socket(String),
}

/// A conversation with an engine. `Asked` says what each answer will be for.
#[derive(Debug)]
pub struct Link<Asked> {
    conversation: Conversation,
    waiting: HashMap<Id, Asked>,
    lines: Vec<ConsoleLine>,
    /// Whether the engine is known to have gone. Then nothing is asked any more.
    is_over: bool,
}

/// Something that the engine said.
#[derive(Debug)]
pub enum Heard<Asked> {
    Answer(Asked, Result<Value, ErrorObject>),
    Notice(String, Value),
}

impl Launch {
    pub fn start(&self) -> io::Result<Conversation> {
        match self {
            Launch::Program(program, arguments) => Conversation::start(Command::new(program).args(arguments)),
            Launch::Socket(name) => Conversation::connect(name),
        }
    }
}

impl<Asked> Link<Asked> {
    pub fn new(launch: &Launch) -> io::Result<Link<Asked>> {
        let conversation = launch.start()?;
        Ok(Link { conversation, waiting: HashMap::new(), lines: Vec::new(), is_over: false })
    }

    /// Begins anew with another engine. What was asked is forgotten.
    pub fn restart(&mut self, launch: &Launch) -> io::Result<()> {
        self.conversation = launch.start()?;
        self.waiting.clear();
        self.is_over = false;
        Ok(())
    }

    /// The engine has gone: what was asked will not be answered any more.
    pub fn end(&mut self) {
        self.waiting.clear();
        self.is_over = true;
    }

    pub fn process_id(&self) -> Option<u32> {
        self.conversation.process_id()
    }

    /// Asks something. That the engine is gone is found out when listening.
    pub fn ask<M: Method>(&mut self, asked: Asked, params: &M) {
        if self.is_over {
            return;
        }
        if let Ok((id, line)) = self.conversation.send(params) {
            self.note(true, line);
            self.waiting.insert(id, asked);
        }
    }

    /// The next thing that has come, if there is any.
    pub fn listen(&mut self) -> Result<Option<Heard<Asked>>, Closed> {
        while let Some(received) = self.conversation.heard()? {
            self.note(false, received.line);
            match received.incoming {
                Incoming::Response { id: Some(id), answer } => {
                    if let Some(asked) = self.waiting.remove(&id) {
                        return Ok(Some(Heard::Answer(asked, answer)));
                    }
                }
                Incoming::Notice { method, params } => return Ok(Some(Heard::Notice(method, params))),
                Incoming::Response { id: None, .. } | Incoming::Garbage => {}
            }
        }
        Ok(None)
    }

    /// Whether something has been asked that has no answer yet.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// What has been asked and not been answered.
    pub fn waiting(&self) -> impl Iterator<Item = (&Id, &Asked)> {
        self.waiting.iter()
    }

    /// The lines that went to and fro since this was last called.
    pub fn take_lines(&mut self) -> Vec<ConsoleLine> {
        std::mem::take(&mut self.lines)
    }

    fn note(&mut self, sent: bool, line: String) {
        self.lines.push(ConsoleLine { sent, line });
    }
}
