//! The command line of `tabuleiro-engine`.

mod bench;
mod book;
mod bots;
mod check_bot;
mod forced_wins;
mod log;
mod matches;
mod puzzles;
mod review;
mod solve;
mod train;
mod tune;

use std::ffi::OsString;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use serde_json::{Map, Value};
use tabuleiro_files::Links;
use tabuleiro_protocol::lesson::Lesson;
use tabuleiro_protocol::method::DEEPEST_PERFT;
use tabuleiro_protocol::shape::{self, Unknown};
use tabuleiro_protocol::socket::Listener;
use tabuleiro_protocol::{Day, LevelRole, PerSeat, Player};

use self::bench::BenchArgs;
use self::book::BookArgs;
use self::bots::{BotArgs, SupervisorArgs, check_bot};
use self::check_bot::CheckBotArgs;
use self::forced_wins::ForcedWinsArgs;
use self::matches::MatchArgs;
use self::puzzles::PuzzlesArgs;
use self::review::ReviewArgs;
use self::solve::SolveArgs;
use self::train::TrainArgs;
use self::tune::{CalibrateArgs, TuneArgs};
use crate::bots::{Bots, SUPERVISOR, exec_bot, supervise};
use crate::catalog::Catalog;
use crate::players::ComputerPlayer;
use crate::search::{Control, Level};
use crate::server::{SearchCapacity, Server};
use crate::table::level_by_id;
use crate::terminal::{self, Hurry, LessonPlan, Preset, ProgressKeeper};

#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

/// How the protocol is served.
#[derive(Debug, Args)]
struct ServeArgs {
    /// Serve a local socket instead, many clients at once: a file if NAME has a slash, else a name
    /// that this machine knows
    #[arg(long, value_name = "NAME")]
    socket: Option<String>,
    #[command(flatten)]
    bots: BotArgs,
    #[arg(long, value_name = "LEVEL", value_parser = level, help = help_of_level())]
    level: Option<Level>,
    /// How many searches, batches, counts and turns of levels go on at once; the others wait in line
    /// [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: Option<u16>,
    /// How many MiB they may take together for what they remember of positions
    #[arg(long, value_name = "MIB", value_parser = memory, default_value_t = SearchCapacity::default().memory >> 20)]
    memory: usize,
}

/// Enough for anything that may be asked for.
fn memory(text: &str) -> Result<usize, String> {
    let least = SearchCapacity::LEAST_MEMORY >> 20;
    match text.parse() {
        Ok(memory) if (least..=1 << 20).contains(&memory) => Ok(memory),
        _ => Err(format!("must be a whole number from {least} to {}", 1 << 20)),
    }
}

fn help_of_level() -> String {
    let [searches, chooses] =
        [LevelRole::Analysis, LevelRole::Opponent].map(|role| Level::for_role(role).id());
    format!(
        "Who searches and chooses when a request names no level [default: {searches} searches, \
         {chooses} chooses]"
    )
}

fn level(id: &str) -> Result<Level, String> {
    level_by_id(id, "level").map_err(|error| error.to_string())
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(PlayArgs),
    Learn(LearnArgs),
    Match(Box<MatchArgs>),
    Review(ReviewArgs),
    Puzzles(PuzzlesArgs),
    Book(BookArgs),
    CheckBot(CheckBotArgs),
    Tune(TuneArgs),
    Train(TrainArgs),
    Calibrate(CalibrateArgs),
    Solve(SolveArgs),
    ForcedWins(ForcedWinsArgs),
    Perft(PerftArgs),
    Bench(BenchArgs),
    /// Print the JSON Schema of the protocol
    Schema {
        /// Only of this: Record, play.params, play.result, changed.params, …
        name: Option<String>,
    },
    #[command(name = SUPERVISOR, hide = true)]
    BotSupervisor(SupervisorArgs),
}

/// Play in the terminal
#[derive(Debug, Args)]
struct PlayArgs {
    /// The game; asked for if it is left out
    game: Option<String>,
    /// Who plays seat 1: person, a level of the computer's or bot:NAME, with limits behind an @ as
    /// in a match
    #[arg(long, value_name = "PLAYER")]
    one: Option<String>,
    /// Who plays seat 2
    #[arg(long, value_name = "PLAYER")]
    two: Option<String>,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Decides everything that is left to chance
    #[arg(long)]
    seed: Option<u64>,
    /// Draw boards with no sign beyond ASCII
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    bots: BotArgs,
}

/// Learn a game step by step
#[derive(Debug, Args)]
struct LearnArgs {
    /// The game; left out if there is a file
    #[arg(required_unless_present = "file")]
    game: Option<String>,
    /// Begin with this step [default: the first that is not done]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    step: Option<u16>,
    /// A lesson of somebody else's: see docs/write-a-lesson.md
    #[arg(long, conflicts_with = "game")]
    file: Option<PathBuf>,
    #[command(flatten)]
    data: DataArgs,
    /// Draw boards with no sign beyond ASCII
    #[arg(long)]
    ascii: bool,
}

/// Where what a person has done is kept
#[derive(Debug, Args)]
struct DataArgs {
    /// The folder of settings and games, which the window shares [default: as the window]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

impl DataArgs {
    fn folder(&self) -> Result<PathBuf, String> {
        let usual =
            || directories::ProjectDirs::from("", "", "tabuleiro").map(|found| found.data_dir().into());
        self.data
            .clone()
            .or_else(usual)
            .ok_or_else(|| "there is no folder for settings: name one with --data".into())
    }
}

fn today() -> Day {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Day::from_unix(since.as_secs() as i64)
}

/// Count the ways to play so many actions
#[derive(Debug, Args)]
struct PerftArgs {
    game: String,
    /// How many actions
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(DEEPEST_PERFT)))]
    depth: u32,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Actions to play first, with commas or spaces between them
    #[arg(long, value_name = "ACTIONS")]
    played: Option<String>,
    /// Show the count for every first action
    #[arg(long)]
    split: bool,
}

/// What a program exits with that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// What a wrong command line exits with.
const USAGE: u8 = 2;

/// Does what the command line says, with these games. The first argument is the name of the
/// program; `words` are those behind it that lead to this command line (none in an engine's own
/// program), for we may have to start ourselves.
///
/// This is all that the program of an engine has to do:
///
/// ```no_run
/// use std::process::ExitCode;
///
/// use tabuleiro_engine::{catalog::Catalog, command};
///
/// fn main() -> ExitCode {
///     command::run(&Catalog::standard(), &[], std::env::args_os())
/// }
/// ```
pub fn run(
    catalog: &Catalog,
    words: &[&str],
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> ExitCode {
    let command = CommandLine::command().about(about(catalog));
    let matches = command.try_get_matches_from(arguments);
    let parsed = match matches.and_then(|matches| CommandLine::from_arg_matches(&matches)) {
        Ok(parsed) => parsed,
        Err(error) => {
            // Nothing is left to be done if nobody can read this either.
            let _ = error.print();
            return if error.use_stderr() { USAGE.into() } else { ExitCode::SUCCESS };
        }
    };
    log::begin();
    let done = match parsed.command {
        None => serve(catalog, parsed.serve, words).map(|()| ExitCode::SUCCESS),
        Some(Command::Play(arguments)) => play(catalog, arguments, words).map(|()| ExitCode::SUCCESS),
        Some(Command::Learn(arguments)) => learn(catalog, &arguments).map(|()| ExitCode::SUCCESS),
        Some(Command::Match(arguments)) => matches::run(catalog, *arguments, words),
        Some(Command::Review(arguments)) => review::run(catalog, &arguments),
        Some(Command::Puzzles(arguments)) => puzzles::run(catalog, arguments),
        Some(Command::Book(arguments)) => book::run(catalog, &arguments),
        Some(Command::CheckBot(arguments)) => check_bot::run(catalog, &arguments, words),
        Some(Command::Tune(arguments)) => tune::run(catalog, &arguments),
        Some(Command::Train(arguments)) => train::run(catalog, &arguments),
        Some(Command::Calibrate(arguments)) => tune::calibrate(catalog, &arguments),
        Some(Command::Solve(arguments)) => solve::run(catalog, &arguments),
        Some(Command::ForcedWins(arguments)) => forced_wins::run(catalog, &arguments),
        Some(Command::Perft(arguments)) => perft(catalog, &arguments).map(|()| ExitCode::SUCCESS),
        Some(Command::Schema { name }) => print_schema(name.as_deref()).map(|()| ExitCode::SUCCESS),
        Some(Command::Bench(arguments)) => bench::run(catalog, &arguments, words).map(|()| ExitCode::SUCCESS),
        Some(Command::BotSupervisor(SupervisorArgs { die_with_parent: true, command })) => {
            Ok(exec_bot(&command).into())
        }
        Some(Command::BotSupervisor(SupervisorArgs { die_with_parent: false, command })) => {
            Ok(supervise(&command).into())
        }
    };
    log::end();
    match done {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            USAGE.into()
        }
    }
}

/// What the program is for, in a paragraph.
fn about(catalog: &Catalog) -> String {
    let names: Vec<&str> = catalog.games().iter().map(|game| game.name).collect();
    let names = match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.join(""),
    };
    format!(
        "Plays {names}. Without a command it serves the protocol: one JSON object a line on standard \
         input and output"
    )
}

fn serve(catalog: &Catalog, arguments: ServeArgs, words: &[&str]) -> Result<(), String> {
    log::prepare();
    let bots = Arc::new(arguments.bots.bots(words)?);
    let usual = SearchCapacity::default();
    let capacity = SearchCapacity {
        searches: arguments.searches.map_or(usual.searches, usize::from),
        memory: arguments.memory << 20,
    };
    let server = Arc::new(Server::with_capacity(catalog.clone(), bots, arguments.level, capacity));
    let Some(name) = arguments.socket else {
        server.serve(BufReader::new(io::stdin()), io::stdout(), || process::exit(0));
        return Ok(());
    };
    let listener = Listener::open(&name).map_err(|error| format!("--socket {name}: {error}"))?;
    let sweep = listener.sweeper();
    ctrlc::set_handler(move || {
        sweep();
        process::exit(0);
    })
    .map_err(|error| format!("Ctrl-C cannot be caught: {error}"))?;
    eprintln!("ready: listening at {name}");
    server.listen(&listener);
    Ok(())
}

fn options(json: Option<&str>) -> Result<Option<Map<String, Value>>, String> {
    let Some(json) = json else { return Ok(None) };
    let options = serde_json::from_str(json);
    options.map(Some).map_err(|error| format!("--options must be an object such as {{\"size\":9}}: {error}"))
}

fn play(catalog: &Catalog, arguments: PlayArgs, words: &[&str]) -> Result<(), String> {
    let bots = arguments.bots.bots(words)?;
    let preset = Preset {
        players: PerSeat {
            one: player(arguments.one.as_deref(), "--one", &bots)?,
            two: player(arguments.two.as_deref(), "--two", &bots)?,
        },
        options: options(arguments.options.as_deref())?,
        game: arguments.game.map(|game| game.to_lowercase()),
        seed: arguments.seed,
        ascii: arguments.ascii,
    };
    if let Some(game) = &preset.game {
        let kind = catalog.game(game).map_err(|error| error.to_string())?;
        if let Some(options) = &preset.options {
            kind.check_options(options).map_err(|bad| bad.to_string())?;
        }
    } else if preset.options.is_some() {
        return Err("--options needs to know the game: name it before them".into());
    }
    let hurry = hurried_by_ctrl_c()?;
    let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    until_it_breaks(terminal::run(catalog, preset, &bots, &hurry, input, output))
}

fn learn(catalog: &Catalog, arguments: &LearnArgs) -> Result<(), String> {
    let lesson = match (&arguments.file, &arguments.game) {
        (Some(file), _) => {
            let text =
                tabuleiro_files::read_text(file, Links::Followed).map_err(|error| error.to_string())?;
            let found = serde_json::from_str(&text).map_err(|error| error.to_string());
            let found = found.and_then(|lesson| {
                shape::read::<Lesson>(lesson, Unknown::Refused).map_err(|error| error.to_string())
            });
            found.map_err(|error| format!("{}: {error}", file.display()))?
        }
        (None, game) => {
            let game =
                catalog.game(game.as_deref().unwrap_or_default()).map_err(|error| error.to_string())?;
            game.lesson().ok_or_else(|| format!("there is no lesson for {}", game.name))?
        }
    };
    // Somebody else's lesson has other steps.
    let mut keeper = match &arguments.file {
        None => Some(ProgressKeeper::open(&arguments.data.folder()?)),
        Some(_) => None,
    };
    keeper.iter().flat_map(ProgressKeeper::complaints).for_each(|complaint| eprintln!("{complaint}"));
    let steps = lesson.steps.len();
    let from = match (arguments.step.map(usize::from), &keeper) {
        (Some(step), _) if step > steps => {
            return Err(format!("--step: the lesson has {steps} steps, not {step}"));
        }
        (Some(step), _) => step - 1,
        (None, Some(keeper)) => keeper.progress().next_step(&lesson.game, steps),
        (None, None) => 0,
    };
    let (keeper, ascii) = (keeper.as_mut(), arguments.ascii);
    let plan = LessonPlan { lesson: &lesson, from, keeper, today: today(), ascii };
    let hurry = hurried_by_ctrl_c()?;
    let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    until_it_breaks(terminal::learn(catalog, plan, &Bots::default(), &hurry, input, output))
}

/// Ctrl-C makes the computer move if it thinks, and leaves otherwise.
fn hurried_by_ctrl_c() -> Result<Arc<Hurry>, String> {
    let hurry = Arc::new(Hurry::default());
    let ctrl_c = Arc::clone(&hurry);
    ctrlc::set_handler(move || {
        if !ctrl_c.move_now() {
            process::exit(INTERRUPTED);
        }
    })
    .map_err(|error| format!("Ctrl-C cannot be caught: {error}"))?;
    Ok(hurry)
}

/// Whoever reads may leave at any time.
fn until_it_breaks(done: io::Result<()>) -> Result<(), String> {
    match done {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("the terminal broke off: {error}"))
        }
        _ => Ok(()),
    }
}

/// A person, a computer player or a bot, as in a match.
fn player(name: Option<&str>, flag: &str, bots: &Bots) -> Result<Option<Player>, String> {
    match name {
        None => Ok(None),
        Some("person") => Ok(Some(Player::default())),
        Some(computer) => {
            let player: ComputerPlayer = computer
                .parse()
                .map_err(|reason| format!("{flag}: {computer:?} is not person, and {reason}"))?;
            check_bot(flag, &player, bots)?;
            Ok(Some(player.player()))
        }
    }
}

fn perft(catalog: &Catalog, arguments: &PerftArgs) -> Result<(), String> {
    let options = options(arguments.options.as_deref())?;
    let mut session = catalog
        .open(&arguments.game.to_lowercase(), options.as_ref(), arguments.seed, None)
        .map_err(|error| error.to_string())?;
    let played = arguments.played.as_deref().unwrap_or_default();
    let played: Vec<String> = played.split_whitespace().map(String::from).collect();
    session.play_all(&played).map_err(|error| error.to_string())?;
    let never = Control::silent().stop;
    let Some(count) = session.position().perft(arguments.depth, never) else { return Ok(()) };
    if arguments.split {
        count.split.iter().for_each(|(action, nodes)| println!("{action} {nodes}"));
    }
    println!("{}", count.nodes);
    Ok(())
}

fn print_schema(name: Option<&str>) -> Result<(), String> {
    let schema = match name {
        None => tabuleiro_protocol::schema(),
        Some(name) => tabuleiro_protocol::schema_of(name).ok_or_else(|| {
            format!("there is no {name:?} in the schema: the names are those in its \"$defs\"")
        })?,
    };
    println!("{schema:#}");
    Ok(())
}
