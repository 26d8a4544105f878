//! The real process, and what it says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn engine(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"));
    command.arg("match").args(arguments);
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    engine(arguments).output().expect("the engine starts")
}

/// The text for people on standard error, and the object, which is alone on standard output.
pub(crate) fn report_of(output: &Output) -> (String, Value) {
    report_with_status(output, 0)
}

/// The same of a match that does not end well.
pub(crate) fn report_with_status(output: &Output, status: i32) -> (String, Value) {
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    let for_people = String::from_utf8(output.stderr.clone()).expect("text");
    let object = String::from_utf8(output.stdout.clone()).expect("text");
    assert_eq!(object.lines().count(), 1, "{object}");
    (for_people, serde_json::from_str(&object).expect("an object"))
}

/// The report alone, without what was said before.
pub(crate) fn report_in<'a>(said: &'a str, report: &Value) -> &'a str {
    let title = format!("{}: ", report["game"].as_str().expect("a game"));
    &said[said.find(&title).unwrap_or_else(|| panic!("no report: {said}"))..]
}

pub(crate) fn report(arguments: &[&str]) -> (String, Value) {
    report_of(&run(&[arguments, &["--json"]].concat()))
}

pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

pub(crate) fn path(folder: &Path) -> &str {
    folder.to_str().expect("a plain name")
}

/// The games in a folder, by number.
pub(crate) fn records(folder: &Path) -> BTreeMap<u32, Value> {
    let mut games = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let file = entry.expect("an entry").path();
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        if let Ok(number) = name.parse() {
            let text = fs::read_to_string(&file).expect("a file");
            games.insert(number, serde_json::from_str(&text).expect("a document"));
        }
    }
    games
}

/// The documents in a file, a line each.
pub(crate) fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("a document")).collect()
}

pub(crate) const FABRIK: [&str; 4] = ["--game", "fabrik", "--options", r#"{"size":7,"goal":4}"#];
const GREEDY_AND_RANDOM: [&str; 4] = ["--a", "greedy@nodes=200", "--b", "random"];

/// A match of small games between quick players.
pub(crate) fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&FABRIK[..], &GREEDY_AND_RANDOM[..], more].concat()
}

#[cfg(unix)]
pub(crate) use self::interrupted::{interrupt, start, wait_for};

#[cfg(unix)]
mod interrupted {
    use std::process::{Child, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    pub(crate) fn start(arguments: &[&str]) -> Child {
        engine(arguments)
            .arg("--json")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts")
    }

    pub(crate) fn interrupt(child: &Child) {
        let kill = format!("kill -INT {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    }

    pub(crate) fn wait_for(file: &Path) {
        let began = Instant::now();
        while !file.exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "{} never came", file.display());
            thread::sleep(Duration::from_millis(2));
        }
    }
}
