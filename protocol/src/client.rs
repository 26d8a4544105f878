//! The client's end of a conversation with an engine, over any pair of streams.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::line::{LONGEST_LINE, Line, Lines};
use crate::message::{ErrorCode, ErrorObject, Id, Incoming, request, response};
use crate::method::Method;
use crate::socket::Socket;

/// A line from an engine: as it came, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    pub line: String,
    /// `None` if it is nothing that an engine may say.
    pub incoming: Option<Incoming>,
}

impl Received {
    /// The response to a request that was not sent.
    fn too_long(id: &Id, length: usize) -> Received {
        let reason = format!("a line may have {LONGEST_LINE} bytes, and this request has {length}");
        let error = ErrorObject::new(ErrorCode::InvalidRequest, reason);
        let answer = Err(error.clone());
        Received {
            line: response(Some(id), Err::<(), _>(error)),
            incoming: Some(Incoming::Response { id: Some(id.clone()), answer }),
        }
    }
}

/// The engine has gone, or has closed its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine has ended the conversation")]
pub struct Disconnected;

/// Why a call brought no result.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    #[error(transparent)]
    Refused(ErrorObject),
    #[error(transparent)]
    Disconnected(#[from] Disconnected),
    #[error("the engine's answer to {method:?} is not what the protocol says: {error}")]
    Strange { method: &'static str, error: serde_json::Error },
}

/// An answer as the result that its method has.
pub fn read_answer<M: Method>(answer: Result<Value, ErrorObject>) -> Result<M::Result, CallError> {
    let result = answer.map_err(CallError::Refused)?;
    serde_json::from_value(result).map_err(|error| CallError::Strange { method: M::NAME, error })
}

/// A conversation with an engine. Neither sending nor looking for what has come ever waits.
#[derive(Debug)]
pub struct Conversation {
    // Gone when the conversation is being ended.
    outgoing: Option<Sender<String>>,
    received: Receiver<Received>,
    /// What came while an answer was waited for.
    kept: RefCell<VecDeque<Received>>,
    child: Option<Child>,
    next_id: i64,
}

impl Conversation {
    /// Starts an engine as a process of its own and talks to its standard input and output. It has
    /// a second to leave when the conversation is dropped.
    pub fn start(command: &mut Command) -> io::Result<Conversation> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the engine has no input or output"));
        };
        match Conversation::over(BufReader::new(output), input) {
            Ok(mut conversation) => {
                conversation.child = Some(child);
                Ok(conversation)
            }
            Err(error) => {
                // Nobody will ever talk to it.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Joins an engine that listens at a local socket.
    pub fn connect(name: &str) -> io::Result<Conversation> {
        let socket = Socket::connect(name)?;
        let (reader, writer) = (BufReader::new(socket.clone()), socket.clone());
        // Else the reading thread would wait for as long as the engine lives.
        Conversation::between(reader, writer, move || socket.hang_up())
    }

    /// Talks over any two streams. An error says that there are no threads left to do so.
    pub fn over(
        reader: impl BufRead + Send + 'static,
        writer: impl Write + Send + 'static,
    ) -> io::Result<Conversation> {
        Conversation::between(reader, writer, || {})
    }

    /// `hang_up` is called once everything is written and the conversation has been dropped.
    fn between(
        reader: impl BufRead + Send + 'static,
        mut writer: impl Write + Send + 'static,
        hang_up: impl FnOnce() + Send + 'static,
    ) -> io::Result<Conversation> {
        let (outgoing, lines) = channel::<String>();
        Builder::new().spawn(move || {
            for line in lines {
                if writeln!(writer, "{line}").and_then(|()| writer.flush()).is_err() {
                    break;
                }
            }
            hang_up();
        })?;
        let (heard, received) = channel();
        Builder::new().spawn(move || {
            // Lines from an engine may be of any length, unlike those to it.
            let mut lines = Lines::unlimited(reader);
            while let Ok(Some(line)) = lines.next_line() {
                let received = match line {
                    Line::Text(line) | Line::Unfinished(line) => {
                        Received { incoming: Incoming::parse(&line).ok(), line }
                    }
                    Line::TooLong | Line::NotUtf8 => Received { line: String::new(), incoming: None },
                };
                if heard.send(received).is_err() {
                    return;
                }
            }
        })?;
        Ok(Conversation {
            outgoing: Some(outgoing),
            received,
            kept: RefCell::default(),
            child: None,
            next_id: 1,
        })
    }

    /// The process that was started, if one was.
    pub fn process_id(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Sends a request. Gives the `id` that its response will have, and the line that was sent. One
    /// that is too long for an engine is not sent: the response says so at once, and whose it is,
    /// which an engine could not know.
    pub fn send<M: Method>(&mut self, params: &M) -> Result<(Id, String), Disconnected> {
        let id = Id::Number(self.next_id);
        let line = request(&id, M::NAME, params);
        match line.len() > LONGEST_LINE {
            true => self.kept.get_mut().push_back(Received::too_long(&id, line.len())),
            false => self.send_line(line.clone())?,
        }
        self.next_id += 1;
        Ok((id, line))
    }

    /// Sends a line as it is.
    pub fn send_line(&self, line: String) -> Result<(), Disconnected> {
        let outgoing = self.outgoing.as_ref().ok_or(Disconnected)?;
        outgoing.send(line).map_err(|_| Disconnected)
    }

    /// Asks and waits for the answer. What else comes meanwhile is kept for
    /// [`heard`](Conversation::heard) and [`hear`](Conversation::hear).
    pub fn call<M: Method>(&mut self, params: &M) -> Result<M::Result, CallError> {
        let (asked, line) = self.send(params)?;
        loop {
            let received = match line.len() > LONGEST_LINE {
                true => self.kept.get_mut().pop_back().ok_or(Disconnected)?,
                false => self.received.recv().map_err(|_| Disconnected)?,
            };
            match received.incoming {
                Some(Incoming::Response { id: Some(ref id), answer }) if *id == asked => {
                    return read_answer::<M>(answer);
                }
                _ => self.kept.get_mut().push_back(received),
            }
        }
    }

    /// What came next, if something has come.
    pub fn heard(&self) -> Result<Option<Received>, Disconnected> {
        if let Some(kept) = self.kept.borrow_mut().pop_front() {
            return Ok(Some(kept));
        }
        match self.received.try_recv() {
            Ok(received) => Ok(Some(received)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(Disconnected),
        }
    }

    /// What comes next, waiting for it at most so long.
    pub fn hear(&self, longest: Duration) -> Result<Option<Received>, Disconnected> {
        if let Some(kept) = self.kept.borrow_mut().pop_front() {
            return Ok(Some(kept));
        }
        match self.received.recv_timeout(longest) {
            Ok(received) => Ok(Some(received)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Disconnected),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // Ends the writing thread, which closes the engine's input.
        self.outgoing = None;
        let Some(mut child) = self.child.take() else { return };
        let patience = Instant::now() + Duration::from_secs(1);
        while Instant::now() < patience {
            match child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                _ => return,
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::method::Render;

    #[test]
    fn what_was_said_is_heard_before_the_end_is() {
        let said = Cursor::new(b"{\"id\":1,\"result\":true}\nnonsense\n".to_vec());
        let conversation = Conversation::over(said, io::sink()).expect("threads");
        let patience = Duration::from_secs(10);
        assert!(matches!(
            conversation.hear(patience),
            Ok(Some(Received { incoming: Some(Incoming::Response { .. }), .. }))
        ));
        assert_eq!(
            conversation.hear(patience),
            Ok(Some(Received { line: "nonsense".into(), incoming: None }))
        );
        assert_eq!(conversation.hear(patience), Err(Disconnected));
    }

    #[test]
    fn a_request_that_is_too_long_is_answered_without_being_sent() {
        let mut conversation = Conversation::over(Cursor::new(b""), io::sink()).expect("threads");
        let render = Render { table: "t".repeat(LONGEST_LINE), ..Render::default() };
        let Err(CallError::Refused(error)) = conversation.call(&render) else { panic!("it is too long") };
        assert!(error.message.starts_with("a line may have 1048576 bytes, and this request has 10486"));
        let (asked, _) = conversation.send(&render).expect("kept");
        let heard = conversation.heard().expect("an answer").expect("an answer").incoming;
        assert!(matches!(heard, Some(Incoming::Response { id: Some(id), answer: Err(_) }) if id == asked));
    }

    #[test]
    fn a_call_keeps_what_else_comes_for_later() {
        let said = concat!(
            r#"{"method":"thinking","params":{"table":"t1","seat":2}}"#,
            "\n",
            r#"{"id":7,"result":{}}"#,
            "\n",
            r#"{"id":1,"result":{"text":"a board"}}"#,
            "\n",
            r#"{"id":2,"error":{"code":1,"message":"there is no table \"t9\""}}"#,
            "\n",
            r#"{"id":3,"result":{"texts":[]}}"#,
            "\n",
        );
        let mut conversation = Conversation::over(Cursor::new(said), io::sink()).expect("threads");
        let render = Render { table: "t1".into(), ..Render::default() };
        assert_eq!(conversation.call(&render).expect("an answer").text, "a board");
        let Err(CallError::Refused(error)) = conversation.call(&render) else { panic!("it was refused") };
        assert_eq!(error.code, 1);
        let Err(strange) = conversation.call(&render) else { panic!("that is no text") };
        assert!(strange.to_string().contains("answer to \"render\""), "{strange}");
        assert!(matches!(conversation.call(&render), Err(CallError::Disconnected(Disconnected))));
        let kept: Vec<Incoming> = std::iter::from_fn(|| conversation.heard().ok().flatten())
            .filter_map(|received| received.incoming)
            .collect();
        assert!(
            matches!(
                kept.as_slice(),
                [Incoming::Notice { .. }, Incoming::Response { id: Some(Id::Number(7)), .. }]
            ),
            "{kept:?}"
        );
        assert_eq!(conversation.hear(Duration::ZERO), Err(Disconnected));
    }
}
