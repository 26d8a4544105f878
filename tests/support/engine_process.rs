//! The real engine process, at the other end of two pipes.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than anything takes; a test that gets here has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: i64,
}

impl EngineProcess {
    pub(crate) fn start() -> EngineProcess {
        EngineProcess::start_as(&mut engine())
    }

    pub(crate) fn start_as(command: &mut Command) -> EngineProcess {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        EngineProcess { input: child.stdin.take(), child, lines, next_id: 1 }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads");
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the engine answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Nothing comes within a moment.
    pub(crate) fn is_silent(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout)
    }

    /// Sends a request and does not wait.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"id": id, "method": method, "params": params}).to_string());
        id
    }

    /// Leaves ids up to this one to others.
    pub(crate) fn skip_ids(&mut self, id: i64) {
        self.next_id = self.next_id.max(id + 1);
    }

    /// Waits for the response to a request; other lines on the way are dropped.
    pub(crate) fn response(&self, id: i64) -> Result<Value, Value> {
        loop {
            let mut message = self.receive();
            if message["id"] == id {
                assert_eq!(message["jsonrpc"], "2.0");
                return match message["error"].take() {
                    Value::Null => Ok(message["result"].take()),
                    error => Err(error),
                };
            }
        }
    }

    pub(crate) fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.response(id)
    }

    /// A call that must not fail.
    pub(crate) fn get(&mut self, method: &str, params: Value) -> Value {
        self.call(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// A call that must fail; gives the code and the data.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> (i64, Value) {
        let mut error = self.call(method, params).expect_err("this must be refused");
        assert!(!error["message"].as_str().expect("a message").is_empty());
        (error["code"].as_i64().expect("a code"), error["data"].take())
    }

    /// Waits for a notification; other lines on the way are dropped.
    pub(crate) fn notification(&self, method: &str) -> Value {
        loop {
            let mut message = self.receive();
            if message["method"] == method {
                return message["params"].take();
            }
        }
    }

    /// Ends the input and waits for the end of the process. Gives what it still said and how long
    /// it took.
    pub(crate) fn finish(mut self) -> (ExitStatus, Vec<Value>, Duration) {
        let began = Instant::now();
        drop(self.input.take());
        let status = self.child.wait().expect("it ends");
        let took = began.elapsed();
        let rest = self.lines.iter().map(|line| serde_json::from_str(&line).expect("JSON")).collect();
        (status, rest, took)
    }
}

/// The engine's program, which it can also find by its name.
pub(crate) fn engine() -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_tabuleiro-engine"));
    let places = env::var_os("PATH").unwrap_or_default();
    let places = program.parent().map(PathBuf::from).into_iter().chain(env::split_paths(&places));
    let mut command = Command::new(program);
    command.env("PATH", env::join_paths(places).expect("a path without colons"));
    command
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        drop(self.input.take());
        // Whatever state a failed test left it in.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
