//! A bot that misbehaves as it is told, and the trace that it leaves.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Longer than anything takes; a test that gets here has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const ENGINE: &str = env!("CARGO_BIN_EXE_tabuleiro-engine");

pub(crate) fn engine(arguments: &[&str]) -> Command {
    let mut command = Command::new(ENGINE);
    command.args(arguments);
    command
}

/// A bot called `x`.
pub(crate) struct Naughty {
    habit: &'static str,
    folder: TempDir,
}

impl Naughty {
    pub(crate) fn new(habit: &'static str) -> Naughty {
        Naughty { habit, folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/naughty.sh");
        format!("sh '{script}' {} '{}'", self.habit, self.folder.path().display())
    }

    /// What `--bot` takes.
    pub(crate) fn named(&self) -> String {
        format!("x={}", self.command())
    }

    fn lines(&self, file: &str) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        text.lines().map(String::from).collect()
    }

    /// All processes that it ever was or started.
    pub(crate) fn pids(&self) -> Vec<u32> {
        self.lines("pids").iter().map(|pid| pid.parse().expect("a process")).collect()
    }

    pub(crate) fn questions(&self) -> Vec<Value> {
        let params =
            |line: &String| serde_json::from_str::<Value>(line).expect("a question")["params"].take();
        self.lines("questions").iter().map(params).collect()
    }

    /// Nothing that it was or started is still there, or it goes in a moment.
    pub(crate) fn wait_until_gone(&self) {
        let pids = self.pids();
        assert!(!pids.is_empty(), "{} was never started", self.habit);
        for pid in pids {
            wait_for(&format!("process {pid} of {} to end", self.habit), || !is_running(pid));
        }
    }
}

pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "waited too long for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whether there is such a process that has not ended, be it that nobody has asked yet how it
/// ended.
pub(crate) fn is_running(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

pub(crate) fn parent_of(pid: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
    let (_, rest) = stat.rsplit_once(") ").expect("a name in parentheses");
    rest.split(' ').nth(1).and_then(|parent| parent.parse().ok()).expect("its parent")
}
