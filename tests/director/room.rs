//! A director and its folder, and an engine that several of them can join.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command as Process, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use macroquad::math::Vec2;
use tabuleiro::app::App;
use tabuleiro::board::Target;
use tabuleiro::command::{Command, NewGame};
use tabuleiro::director::Director;
use tabuleiro::files::Files;
use tabuleiro::link::Launch;
use tabuleiro::state::TableView;
use tabuleiro_protocol::{OptionValue, Options, PerSeat, Player};
use tempfile::TempDir;

/// Nothing takes as long as this, however slow the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How much of a movement passes in one step, in seconds.
const FRAME: f32 = 0.05;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tabuleiro");

pub(crate) struct Room {
    pub(crate) director: Director,
    pub(crate) folder: TempDir,
}

impl Room {
    pub(crate) fn new() -> Room {
        Room::with_engine(&["engine"])
    }

    /// With an engine of its own that is started so.
    pub(crate) fn with_engine(arguments: &[&str]) -> Room {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Room::with(Launch::Program(PROGRAM.into(), arguments), tempfile::tempdir().expect("a folder"))
    }

    /// With an engine of whose answers this `sed` expression changes something.
    pub(crate) fn with_changed_answers(change: &str) -> Room {
        let pipe = format!("'{PROGRAM}' engine | sed -u '{change}'");
        Room::with(
            Launch::Program("sh".into(), vec!["-c".into(), pipe]),
            tempfile::tempdir().expect("a folder"),
        )
    }

    /// With an engine that others use, too.
    pub(crate) fn at(engine: &Engine) -> Room {
        Room::with(Launch::Socket(engine.name.clone()), tempfile::tempdir().expect("a folder"))
    }

    fn with(launch: Launch, folder: TempDir) -> Room {
        let (files, interrupted) = Files::open(folder.path()).expect("a folder to keep games in");
        let director = Director::new(launch, files, interrupted).expect("an engine");
        let mut room = Room { director, folder };
        room.until(|app| app.hello.is_some());
        room
    }

    /// Ends the program and starts it again in the same folder.
    pub(crate) fn again(self) -> Room {
        self.before_again(|_| {})
    }

    /// The same; between end and start something is done to the folder.
    pub(crate) fn before_again(self, change: impl FnOnce(&Path)) -> Room {
        let Room { director, folder } = self;
        drop(director);
        change(folder.path());
        Room::with(Launch::Program(PROGRAM.into(), vec!["engine".into()]), folder)
    }

    pub(crate) fn app(&self) -> &App {
        self.director.app()
    }

    pub(crate) fn table(&self) -> &TableView {
        self.app().table.as_ref().expect("a table")
    }

    pub(crate) fn ply(&self) -> usize {
        self.table().state.ply
    }

    pub(crate) fn dispatch(&mut self, command: Command) {
        self.director.dispatch(command, Vec2::ZERO);
    }

    /// Lets time pass until something is so.
    pub(crate) fn until(&mut self, so: impl Fn(&App) -> bool) {
        self.wait(FRAME, so);
    }

    /// Waits until something is so, while nothing on the board goes on: what moves is still on its
    /// way then, however long the engine takes.
    pub(crate) fn hold_until(&mut self, so: impl Fn(&App) -> bool) {
        self.wait(0.0, so);
    }

    fn wait(&mut self, seconds: f32, so: impl Fn(&App) -> bool) {
        let begun = Instant::now();
        while !so(self.director.app()) {
            assert!(
                begun.elapsed() < PATIENCE,
                "it never came; the last message is {:?}",
                self.app().message
            );
            self.pass_time(seconds);
        }
    }

    /// Lets time pass until this is told.
    pub(crate) fn until_told(&mut self, words: &str) {
        self.until(|app| app.message.as_ref().is_some_and(|message| message.text.contains(words)));
    }

    pub(crate) fn settle(&mut self) {
        let begun = Instant::now();
        while !self.director.is_settled() {
            assert!(begun.elapsed() < PATIENCE, "it never settled");
            self.pass_time(FRAME);
        }
    }

    fn pass_time(&mut self, seconds: f32) {
        self.director.update(seconds);
        std::thread::sleep(Duration::from_millis(1));
    }

    /// A small game of two people, of which little is known.
    pub(crate) fn start_three_turns(&mut self) {
        self.start("zurero", &[("size", 9)], person(), person());
        for target in [cell("e5"), edge("west", "a5"), edge("north", "e1")] {
            self.click(target);
        }
    }

    pub(crate) fn start(&mut self, game: &str, options: &[(&str, i64)], one: Player, two: Player) {
        let options: Options =
            options.iter().map(|&(name, value)| (name.to_string(), OptionValue::Integer(value))).collect();
        self.dispatch(Command::StartGame(NewGame {
            game: game.into(),
            options,
            seats: PerSeat { one, two },
            seed: Some(7),
        }));
        self.until(|app| app.table.is_some());
        self.settle();
    }

    pub(crate) fn click(&mut self, target: Target) {
        self.dispatch(Command::Point(target));
        self.settle();
    }

    pub(crate) fn saved_on_disk(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("games")).expect("a folder of games").count()
    }
}

/// An engine at a local socket. It ends with the test.
pub(crate) struct Engine {
    child: Child,
    pub(crate) name: String,
    // It may still have something to say.
    _said: BufReader<ChildStderr>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        static USED: AtomicU32 = AtomicU32::new(0);
        let number = USED.fetch_add(1, Ordering::Relaxed);
        Engine::start_at(format!("tabuleiro-director-{}-{number}", std::process::id()))
    }

    pub(crate) fn start_at(name: String) -> Engine {
        let mut child = Process::new(PROGRAM)
            .args(["engine", "--socket", &name])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("an engine");
        let mut said = BufReader::new(child.stderr.take().expect("what it says"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        assert!(line.starts_with("ready"), "{line}");
        Engine { child, name, _said: said }
    }

    pub(crate) fn end(mut self) -> String {
        self.child.kill().expect("it can be ended");
        self.child.wait().expect("it ends");
        self.name.clone()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn person() -> Player {
    Player::default()
}

pub(crate) fn computer(level: &str) -> Player {
    Player::Ai { level: level.into(), limits: None }
}

pub(crate) fn cell(text: &str) -> Target {
    Target::Cell(text.parse().expect("a cell"))
}

pub(crate) fn edge(edge: &str, text: &str) -> Target {
    Target::Edge(edge.parse().expect("an edge"), text.parse().expect("a cell"))
}

/// Whether a folder of games has one that is finished.
pub(crate) fn has_finished_game(folder: &Path) -> bool {
    let (files, _) = Files::open(folder).expect("the folder");
    files.games().games.iter().any(|game| game.finished)
}
