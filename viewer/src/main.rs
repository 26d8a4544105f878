//! `tabuleiro` opens the window; `tabuleiro engine …` is the engine, which is also what the window
//! starts as a second process.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use tabuleiro::bench;
use tabuleiro::command::Command;
use tabuleiro::director::Director;
use tabuleiro::files::Files;
use tabuleiro::link::Launch;
use tabuleiro::script::{self, Script};
use tabuleiro::window::{self, Failure};
use tabuleiro_files::Links;

/// Zurero, Fabrik, Absorption and Syrtis on your table.
///
/// Opens the window. `tabuleiro play GAME` plays in the terminal, `tabuleiro learn GAME` teaches a
/// game there, `tabuleiro puzzles play` gives puzzles, `tabuleiro engine` talks to programs; all have
/// a --help of their own.
#[derive(Debug, Parser)]
#[command(name = "tabuleiro", version)]
struct Arguments {
    /// Open the game in this file: a saved game, a record, a line out of a match's file, or a game as
    /// one line of text
    #[arg(value_name = "FILE", conflicts_with_all = ["game", "table"])]
    file: Option<PathBuf>,
    /// Begin with one of the games that the engine offers, such as zurero
    #[arg(long)]
    game: Option<String>,
    /// Join an engine that listens at this local socket
    #[arg(long, value_name = "NAME", conflicts_with = "engine")]
    connect: Option<String>,
    /// Go straight to a table there, as t3, to watch it
    #[arg(long, value_name = "TABLE", requires = "connect", conflicts_with = "game")]
    table: Option<String>,
    /// Use another engine program
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Let a program play that answers questions on its standard input and output; give it once for
    /// each
    #[arg(long = "bot", value_name = "NAME=COMMAND")]
    bots: Vec<String>,
    /// Carry out the steps in a file and leave: 0 if all of them held
    #[arg(long, value_name = "FILE", long_help = format!("Carry out the steps in a file and leave: 0 if all of them held. A line is a step, # begins a remark:\n\n{}", script::HELP))]
    script: Option<PathBuf>,
    /// Where settings and games are kept
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Say how long people wait: for the first picture, for a movement, for a frame of each board
    #[arg(long)]
    bench: bool,
}

fn main() -> ExitCode {
    let began = Instant::now();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match arguments.get(1).and_then(|word| word.to_str()) {
        Some("engine") => {
            let rest =
                arguments.iter().enumerate().filter(|(index, _)| *index != 1).map(|(_, word)| word.clone());
            run_engine(rest.collect())
        }
        // What people do in the terminal.
        Some("play" | "learn" | "puzzles") => run_engine(arguments),
        _ => match open_window(Arguments::parse(), began) {
            Ok(()) => ExitCode::SUCCESS,
            Err(Trouble::NoWindow(why)) => offer_terminal(&why),
            Err(Trouble::Other(why)) => {
                eprintln!("{why}");
                ExitCode::FAILURE
            }
        },
    }
}

enum Trouble {
    NoWindow(String),
    Other(String),
}

fn open_window(arguments: Arguments, began: Instant) -> Result<(), Trouble> {
    let script = arguments.script.as_deref().map(read_script).transpose().map_err(Trouble::Other)?;
    let launch = launch(&arguments).map_err(Trouble::Other)?;
    window::display().map_err(trouble)?;
    let folder = match arguments.data {
        Some(folder) => folder,
        None => usual_folder().ok_or_else(|| {
            Trouble::Other("There is no home folder to keep games in: name one with --data FOLDER.".into())
        })?,
    };
    let (files, interrupted) = Files::open(&folder).map_err(|error| {
        Trouble::Other(format!("{} cannot be used to keep games in: {error}", folder.display()))
    })?;
    let director = Director::new(launch, files, interrupted).map_err(|error| {
        let how = arguments.connect.as_ref().map(|name| {
            format!("\nAn engine that listens there is started with: tabuleiro engine --socket {name}")
        });
        Trouble::Other(format!("The engine cannot be reached: {error}{}", how.unwrap_or_default()))
    })?;
    if arguments.bench {
        return bench::run(director, began).map_err(trouble);
    }
    let (game, table) = (arguments.game.map(Command::PrepareGame), arguments.table.map(Command::Watch));
    let file = arguments.file.map(Command::OpenFile);
    let commands = game.into_iter().chain(table).chain(file).collect();
    window::open(director, script, commands).map_err(trouble)
}

fn trouble(failure: Failure) -> Trouble {
    match failure {
        Failure::NoWindow(why) => Trouble::NoWindow(why),
        Failure::Script(why) => Trouble::Other(format!("The script failed: {why}")),
        Failure::Stage(why) => Trouble::Other(why),
    }
}

fn read_script(path: &Path) -> Result<Script, String> {
    let text = tabuleiro_files::read_text(path, Links::Followed).map_err(|error| error.to_string())?;
    Script::read(&text).map_err(|error| format!("{}, {error}", path.display()))
}

fn launch(arguments: &Arguments) -> Result<Launch, String> {
    if let Some(name) = &arguments.connect {
        if !arguments.bots.is_empty() {
            return Err(format!(
                "--bot: bots are named where the engine is started: tabuleiro engine --socket {name} --bot NAME=COMMAND"
            ));
        }
        return Ok(Launch::Socket(name.clone()));
    }
    arguments.bots.iter().try_for_each(|bot| check_bot(bot).map_err(|why| format!("--bot: {why}")))?;
    let bots = arguments.bots.iter().flat_map(|bot| ["--bot".to_string(), bot.clone()]);
    if let Some(command) = &arguments.engine {
        let mut words = shlex::split(command).unwrap_or_default().into_iter();
        let program = words.next().ok_or_else(|| format!("--engine: \"{command}\" is no command"))?;
        return Ok(Launch::Program(program.into(), words.chain(bots).collect()));
    }
    if !cfg!(feature = "engine") {
        return Err("This tabuleiro was built without its engine: name one with --engine COMMAND, or join one with --connect NAME.".into());
    }
    let this = std::env::current_exe().map_err(|error| format!("The engine cannot be found: {error}"))?;
    Ok(Launch::Program(this, ["engine".to_string()].into_iter().chain(bots).collect()))
}

fn usual_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "tabuleiro").map(|folders| folders.data_dir().to_path_buf())
}

/// Says why there is no window. Somebody who sits at a terminal can play there.
fn offer_terminal(why: &str) -> ExitCode {
    eprintln!("No window can be opened: {why}");
    eprintln!("The games can be played in the terminal as well: tabuleiro play");
    if !cfg!(feature = "engine") || !std::io::stdin().is_terminal() {
        return ExitCode::FAILURE;
    }
    eprint!("Play in the terminal now? [y/n] ");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    match std::io::stdin().read_line(&mut answer) {
        Ok(_) if answer.trim().eq_ignore_ascii_case("y") || answer.trim().eq_ignore_ascii_case("yes") => {
            run_engine(vec!["tabuleiro".into(), "play".into()])
        }
        _ => ExitCode::FAILURE,
    }
}

/// An engine would end at once with a bot that is none.
#[cfg(feature = "engine")]
fn check_bot(bot: &str) -> Result<(), String> {
    bot.parse::<tabuleiro_engine::bots::Spec>().map(drop)
}

#[cfg(not(feature = "engine"))]
fn check_bot(_: &str) -> Result<(), String> {
    Ok(())
}

#[cfg(feature = "engine")]
fn run_engine(arguments: Vec<OsString>) -> ExitCode {
    let games = tabuleiro_engine::catalog::Catalog::standard();
    tabuleiro_engine::command::run(&games, &["engine"], arguments)
}

#[cfg(not(feature = "engine"))]
fn run_engine(_: Vec<OsString>) -> ExitCode {
    eprintln!("This tabuleiro was built without its engine.");
    ExitCode::FAILURE
}
