//! A game that was begun, in a window, with somebody sitting before it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabuleiro::files::GameFile;
use tabuleiro_protocol::client::Conversation;
use tabuleiro_protocol::message::Incoming;
use tabuleiro_protocol::method::{Actions, GetActions, GetRecord, Load, Method, New, Play};
use tempfile::TempDir;

use crate::display::Display;
use crate::hands::{Hands, LONGEST_FRAME};
use crate::picture::Picture;
use crate::processes::children;
use crate::wait_for;

/// What the window gives another title as soon as it has opened the game.
const UNTOUCHED: &str = "not opened yet";

pub(crate) struct Sitting {
    pub(crate) hands: Hands,
    pub(crate) process: Child,
    /// The process of the window's engine at the beginning.
    pub(crate) engine: u32,
    pub(crate) data: TempDir,
    game: PathBuf,
    _display: Display,
}

impl Sitting {
    /// Begins a game and goes on with it in a window. `new` is what the engine is asked for.
    pub(crate) fn down_to(new: Value) -> Sitting {
        Sitting::after(new, &[])
    }

    /// The same after some actions.
    pub(crate) fn after(new: Value, played: &[&str]) -> Sitting {
        let data = tempfile::tempdir().unwrap();
        let game = begin_game(data.path(), new, played);
        let display = Display::new();
        let process = display.tabuleiro(data.path()).spawn().unwrap();
        let hands = Hands::on(display.name());
        let engine = wait_for("the engine", || children(process.id()).first().copied());
        hands.resize(800, 600);
        let sitting = Sitting { hands, process, engine, data, game, _display: display };
        wait_for("the game on the table", || {
            sitting.hands.press("Ctrl+L");
            (sitting.file().title != UNTOUCHED).then_some(())
        });
        sitting
    }

    pub(crate) fn file(&self) -> GameFile {
        serde_json::from_str(&fs::read_to_string(&self.game).unwrap()).unwrap()
    }

    /// How many actions have been played, as far as the disk knows.
    pub(crate) fn ply(&self) -> usize {
        self.file().record["played"].as_array().map_or(0, Vec::len)
    }

    /// Plays one action or more with Tab and Enter. What they leave open is typed.
    pub(crate) fn play_by_keys(&self) {
        let ply = self.ply();
        let mut round = 0;
        wait_for("an action that keys have played", || {
            round += 1;
            if round % 6 == 0 {
                self.type_a_move();
            }
            for _ in 0..=(ply + round) % 4 {
                self.hands.press("Tab");
            }
            self.hands.press("Enter");
            self.hands.press("Enter");
            (self.ply() > ply).then_some(())
        });
    }

    pub(crate) fn play_by_keys_to_the_end(&self) {
        while !self.file().finished {
            self.play_by_keys();
        }
    }

    /// Plays one action or more by clicking here and there.
    pub(crate) fn play_by_mouse(&self) {
        let ply = self.ply();
        let mut clicks = 0;
        wait_for("an action that clicks have played", || {
            clicks += 1;
            let (across, down) = scattered(clicks);
            if clicks % 2 == 0 {
                self.click_twice(clicks);
            } else {
                // A pile and where its pieces go: two to the next row, one beside them.
                for (right, below) in [(0.0, 0.0), (0.0, 0.07), (0.0, 0.07), (0.065, 0.07)] {
                    self.hands.click(across + right, down + below);
                }
            }
            if clicks % 40 == 0 {
                self.take_back();
                self.hands.slow_down();
            }
            (self.ply() > ply).then_some(())
        });
    }

    /// Clicks at one of many places. The second click says that what was chosen is enough.
    pub(crate) fn click_twice(&self, place: u32) {
        let (across, down) = scattered(place);
        self.hands.click(across, down);
        self.hands.click(across, down);
    }

    /// What the window shows now, by its own picture of itself.
    pub(crate) fn picture(&self) -> Picture {
        let folder = self.data.path().join("pictures");
        let before = files_in(&folder);
        self.hands.press("F12");
        wait_for("the picture", || {
            let path = files_in(&folder).into_iter().find(|path| !before.contains(path))?;
            Picture::read(&path)
        })
    }

    /// The same, once the camera has come to rest.
    pub(crate) fn still_picture(&self) -> Picture {
        let (mut last, mut changed) = (self.picture(), Instant::now());
        wait_for("the camera to rest", || {
            let before = std::mem::replace(&mut last, self.picture());
            if last.middle(2).difference(&before.middle(2)) > 0.0 {
                changed = Instant::now();
            }
            // Pictures taken within one frame are the same, whatever moves.
            (changed.elapsed() > LONGEST_FRAME).then_some(())
        });
        last
    }

    /// What the process has to say at its end.
    pub(crate) fn exit_code(mut self) -> Option<i32> {
        wait_for("the end of the program", || self.process.try_wait().unwrap()).code()
    }

    /// Stops the program for a while (`-STOP`), or lets it go on (`-CONT`): what comes meanwhile comes
    /// in one frame.
    pub(crate) fn signal(&self, name: &str) {
        let done = Command::new("kill").args([name, &self.process.id().to_string()]).status().unwrap();
        assert!(done.success(), "kill {name}");
    }

    fn type_a_move(&self) {
        // Nothing is taken back before: that may be the beginning of this turn.
        let Some(action) = any_action(self.file().record) else { return };
        // A picture takes a frame: letters that come before the line is open would be keys of the
        // board.
        self.picture();
        self.hands.press("M");
        self.picture();
        self.picture();
        self.hands.type_line(&action);
    }

    /// Closes what is open and lets go of what was chosen.
    fn take_back(&self) {
        for _ in 0..4 {
            self.hands.press("Escape");
        }
    }
}

impl Drop for Sitting {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Points all over the part of the window that the board has, no two in a row near each other.
fn scattered(number: u32) -> (f32, f32) {
    let part = |step: f32| (number as f32 * step).fract();
    (0.03 + 0.59 * part(0.754_877_7), 0.11 + 0.75 * part(0.569_840_3))
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .map_or_else(|_| Vec::new(), |entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

// ── An engine beside the window's ──

fn engine() -> Conversation {
    Conversation::start(Command::new(env!("CARGO_BIN_EXE_tabuleiro")).arg("engine")).unwrap()
}

pub(crate) fn ask<M: Method>(engine: &mut Conversation, params: &M) -> M::Result {
    let (id, _) = engine.send(params).unwrap();
    wait_for("the engine's answer", || {
        let received = engine.hear(Duration::from_millis(100)).unwrap()?;
        match received.incoming {
            Some(Incoming::Response { id: Some(answered), answer }) if answered == id => {
                Some(serde_json::from_value(answer.unwrap()).unwrap())
            }
            _ => None,
        }
    })
}

/// Puts a game that has just begun where the window keeps its games, and settings that draw it
/// quickly.
fn begin_game(data: &Path, new: Value, played: &[&str]) -> PathBuf {
    let mut engine = engine();
    let new: New = serde_json::from_value(new).unwrap();
    let game = new.game.clone();
    let table = ask(&mut engine, &new).table;
    if !played.is_empty() {
        let actions = played.iter().copied().map(String::from).collect();
        ask(&mut engine, &Play { table: table.clone(), actions, ply: None });
    }
    let record = ask(&mut engine, &GetRecord { table, ..GetRecord::default() }).record;
    let path = data.join("games").join(format!("1-{game}.json"));
    fs::create_dir_all(data.join("games")).unwrap();
    let file = GameFile {
        game,
        title: UNTOUCHED.into(),
        finished: false,
        name: None,
        rows: Vec::new(),
        result: None,
        record,
    };
    fs::write(&path, serde_json::to_string(&file).unwrap()).unwrap();
    let settings = json!({"speed": "off", "quality": "low", "evaluation": false});
    fs::write(data.join("settings.json"), settings.to_string()).unwrap();
    path
}

/// Something that the person may do in a game, if the person is to move.
fn any_action(record: Value) -> Option<String> {
    let mut engine = engine();
    let table = ask(&mut engine, &Load { record, ..Load::default() }).table;
    let Actions { actions, .. } = ask(&mut engine, &GetActions { table, ..GetActions::default() });
    actions.into_iter().next_back()
}
