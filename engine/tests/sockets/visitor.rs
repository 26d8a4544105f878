//! The real engine at a local socket, and clients that come to it.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabuleiro_protocol::socket::Socket;

/// Longer than anything takes; a test that gets here has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Engine {
    pub(crate) child: Child,
    pub(crate) name: String,
    // The engine may still have something to say.
    _stderr: BufReader<ChildStderr>,
}

/// A name that no other test uses.
pub(crate) fn free_name() -> String {
    static USED: AtomicU32 = AtomicU32::new(0);
    format!("tabuleiro-test-{}-{}", std::process::id(), USED.fetch_add(1, Ordering::Relaxed))
}

fn with_pipes(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped())
}

/// Tries again and again until something is so.
pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "waited too long for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

impl Engine {
    pub(crate) fn start() -> Engine {
        Engine::start_at(&free_name())
    }

    /// Starts an engine and waits until it says that it is ready.
    pub(crate) fn start_at(name: &str) -> Engine {
        Engine::await_ready(&mut Engine::command(name), name)
    }

    /// The same through another program, which is given the engine's command.
    pub(crate) fn start_by(mut program: Command, name: &str) -> Engine {
        let engine = Engine::command(name);
        program.arg(engine.get_program()).args(engine.get_args());
        Engine::await_ready(with_pipes(&mut program), name)
    }

    fn await_ready(command: &mut Command, name: &str) -> Engine {
        let mut child = command.spawn().expect("the engine starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("its messages are a pipe"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        assert_eq!(line, format!("ready: listening at {name}\n"));
        Engine { child, name: name.into(), _stderr: stderr }
    }

    pub(crate) fn command(name: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"));
        with_pipes(command.args(["--socket", name]));
        command
    }

    pub(crate) fn visitor(&self) -> Visitor {
        Visitor::come_to(&self.name)
    }

    pub(crate) fn visitor_that_does_not_read(&self) -> Socket {
        Socket::connect(&self.name).expect("somebody listens")
    }

    /// Sends a signal and waits for the end.
    pub(crate) fn kill(&mut self, signal: &str) -> Option<i32> {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().expect("kill is there");
        assert!(sent.success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Whatever state a failed test left it in.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Visitor {
    socket: Socket,
    lines: Receiver<String>,
    /// What was heard while something else was waited for.
    heard: VecDeque<Value>,
    next_id: i64,
}

impl Visitor {
    pub(crate) fn come_to(name: &str) -> Visitor {
        let socket = Socket::connect(name).expect("somebody listens");
        let (sender, lines) = channel();
        let reader = BufReader::new(socket.clone());
        thread::spawn(move || reader.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Visitor { socket, lines, heard: VecDeque::new(), next_id: 1 }
    }

    pub(crate) fn leave(self) {
        self.socket.hang_up();
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.socket, "{line}").expect("the engine reads");
    }

    fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the engine says something");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Everything that was said until the engine hung up.
    pub(crate) fn until_hung_up(self) -> Vec<Value> {
        let end = Instant::now() + PATIENCE;
        let mut said = Vec::from(self.heard);
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => said.push(serde_json::from_str(&line).expect("JSON")),
                Err(RecvTimeoutError::Disconnected) => return said,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not hang up"),
            }
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"id": id, "method": method, "params": params}).to_string());
        id
    }

    pub(crate) fn response(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            let mut message = self.receive();
            if message["id"] == id {
                return match message["error"].take() {
                    Value::Null => Ok(message["result"].take()),
                    error => Err(error),
                };
            }
            self.heard.push_back(message);
        }
    }

    pub(crate) fn get(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.response(id).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The kind of error that a request is refused with.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> String {
        let id = self.ask(method, params);
        let error = self.response(id).expect_err("this must be refused");
        error["data"]["kind"].as_str().expect("a kind").into()
    }

    /// The next thing that was said unasked, whatever it is.
    pub(crate) fn notice(&mut self) -> (String, Value) {
        let mut message = self.heard.pop_front().unwrap_or_else(|| self.receive());
        let method = message["method"].as_str().unwrap_or_else(|| panic!("{message}")).to_string();
        (method, message["params"].take())
    }

    pub(crate) fn changed(&mut self) -> Value {
        match self.notice() {
            (method, params) if method == "changed" => params,
            other => panic!("{other:?}"),
        }
    }

    /// Nothing was said unasked before this is answered.
    pub(crate) fn has_heard_nothing(&mut self) {
        self.get("tables", json!({}));
        assert!(self.heard.is_empty(), "{:?}", self.heard);
    }
}
