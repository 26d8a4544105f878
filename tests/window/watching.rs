//! A window at an engine that others use as well.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::json;
use tabuleiro_protocol::client::Conversation;
use tabuleiro_protocol::method::{New, Play};

use crate::display::Display;
use crate::picture::Picture;
use crate::sitting::ask;
use crate::wait_for;

/// An engine at a socket. It ends with the test.
struct Engine(Child);

impl Engine {
    fn start_at(name: &str) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabuleiro"))
            .args(["engine", "--socket", name])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("ready"), "{line}");
        Engine(child)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The script makes a picture when it has come to the table, and another when the game is over.
const SCRIPT: &str = "\
size 640x400
set quality=low
assert screen board
assert ply 1
picture begun.png
wait over
assert ply 3
assert outcome five
picture over.png
";

#[test]
fn a_window_shows_what_a_script_plays() {
    let data = tempfile::tempdir().unwrap();
    let name = data.path().join("engine").display().to_string();
    let _engine = Engine::start_at(&name);
    let mut script = Conversation::connect(&name).unwrap();
    let rows = ["b b b . .", ". . . . .", "w . w . w", ". . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 1});
    let new: New =
        serde_json::from_value(json!({"game": "zurero", "options": {"size": 5}, "start": start})).unwrap();
    let table = ask(&mut script, &new).table;
    let mut play = |action: &str| {
        ask(&mut script, &Play { table: table.clone(), actions: vec![action.into()], ply: None });
    };
    play("e1");

    fs::write(data.path().join("watch.script"), SCRIPT).unwrap();
    let display = Display::new();
    let mut window = display
        .tabuleiro(data.path())
        .args(["--connect", &name, "--table", "t1", "--script", "watch.script"])
        .current_dir(data.path())
        .spawn()
        .unwrap();
    let begun = wait_for("the window at the table", || Picture::read(&data.path().join("begun.png")));
    play("w3");
    play("e1");
    let code = wait_for("the end of the script", || window.try_wait().unwrap()).code();
    assert_eq!(code, Some(0));
    let over = Picture::read(&data.path().join("over.png")).unwrap();
    assert!(over.difference(&begun) > 0.01);
    assert_eq!(fs::read_dir(data.path().join("games")).unwrap().count(), 0, "it only watched");
}
