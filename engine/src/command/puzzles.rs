//! `puzzles`: finds puzzles in games of its own, proves them again, plays them.

use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use clap::{Args, Subcommand};
use serde_json::{Map, Value};
use tabuleiro_files::{Links, Update};
use tabuleiro_protocol::puzzle::{Mined, Puzzle, PuzzleFile, PuzzleKind};
use tabuleiro_protocol::{Day, LevelRole, Limits, ReviewedTurn, Seat, Verdict};

use super::{DataArgs, options, today};
use crate::catalog::Catalog;
use crate::puzzles::{self, Miner, Plan, Wanted};
use crate::review::report::look_through;
use crate::review::{self, Review};
use crate::search::{Level, SearchRequest};
use crate::table::record;
use crate::terminal::{self, ProgressKeeper, PuzzlePlan};

/// Find puzzles in games that the computer plays against itself, and prove them
///
/// With --out the file is written after every game with a puzzle, and the same command goes on where
/// it was stopped. The same seed finds the same puzzles.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_precedence_over_arg = true)]
pub(super) struct PuzzlesArgs {
    #[command(subcommand)]
    command: Option<PuzzlesCommand>,
    #[command(flatten)]
    mine: MineArgs,
}

#[derive(Debug, Subcommand)]
enum PuzzlesCommand {
    Play(PlayArgs),
    Verify(VerifyArgs),
    Grade(GradeArgs),
    Mistakes(MistakesArgs),
}

#[derive(Debug, Args)]
struct MineArgs {
    /// The game
    #[arg(required = true)]
    game: Option<String>,
    /// The game's options, as {"layout":"minor"}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// How many puzzles with these options there shall be in the end
    #[arg(long, value_name = "N", default_value_t = 40)]
    count: usize,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to add them to; standard output if there is none
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many nodes every turn of the games has
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many positions the solver may look at for one puzzle
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    effort: u64,
    /// How many first turns may solve a puzzle
    #[arg(long, value_name = "N", default_value_t = 3)]
    solutions: usize,
    /// Only puzzles of this kind; without it, at most three in four are of one kind
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Option<PuzzleKind>,
    /// Only puzzles that take at least so many turns, 2 to 5
    #[arg(long, value_name = "N", default_value_t = Puzzle::FEWEST_TURNS, value_parser = clap::value_parser!(u32).range(2..=5))]
    turns: u32,
    /// Let games begin with an endgame drawn by lot: Absorption only
    #[arg(long)]
    endgames: bool,
}

/// Say anew what solves the puzzles of some files, and grade them by it
///
/// For engines that play differently from the one that found them.
#[derive(Debug, Args)]
struct GradeArgs {
    /// Files such as assets/puzzles/zurero.json, which are written again
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prove every puzzle of some files again, in full
#[derive(Debug, Args)]
struct VerifyArgs {
    /// Files such as assets/puzzles/zurero.json
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only every Nth puzzle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

/// Solve puzzles in the terminal
#[derive(Debug, Args)]
struct PlayArgs {
    /// The game; all of them if it is left out
    game: Option<String>,
    /// Only of this grade: 1 is the easiest, 5 the hardest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5))]
    grade: Option<u32>,
    /// Only of this kind: win or defence
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Option<PuzzleKind>,
    /// The puzzle of the day
    #[arg(long)]
    daily: bool,
    /// The puzzles of this file instead
    #[arg(long, value_name = "FILE", conflicts_with = "own")]
    file: Option<PathBuf>,
    /// The puzzles made of your own mistakes: see puzzles mistakes
    #[arg(long)]
    own: bool,
    /// What day it is, as 2026-11-17 [default: today]
    #[arg(long, value_name = "DAY")]
    day: Option<Day>,
    #[command(flatten)]
    data: DataArgs,
    /// Draw boards with no sign beyond ASCII
    #[arg(long)]
    ascii: bool,
}

/// Make puzzles of the mistakes in a saved game, where they can be proved
#[derive(Debug, Args)]
struct MistakesArgs {
    /// A record, a game that a window has saved, or a game as one line of text
    file: PathBuf,
    /// Only the mistakes of this seat, 1 or 2
    #[arg(long, value_name = "SEAT", value_parser = clap::value_parser!(u8).range(1..=2))]
    seat: Option<u8>,
    /// The file to add them to [default: puzzles.json in the folder of settings and games]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    data: DataArgs,
}

fn kind(word: &str) -> Result<PuzzleKind, String> {
    match word {
        "win" => Ok(PuzzleKind::Win),
        "defence" => Ok(PuzzleKind::Defence),
        _ => Err("must be win or defence".into()),
    }
}

/// The puzzles of a file; what cannot be read of it is said and left out.
fn read(path: &Path) -> Result<PuzzleFile, String> {
    let text = tabuleiro_files::read_text(path, Links::Followed).map_err(|error| error.to_string())?;
    let (file, spoilt) = PuzzleFile::read(&text);
    for spoilt in &spoilt {
        eprintln!("{}: {spoilt}", path.display());
    }
    Ok(file)
}

fn play(catalog: &Catalog, arguments: &PlayArgs) -> Result<ExitCode, String> {
    let folder = arguments.data.folder()?;
    let mut puzzles = match (&arguments.file, arguments.own) {
        (Some(file), _) => read(file)?.puzzles,
        (None, true) => {
            let own = folder.join(PuzzleFile::OWN);
            if !own.exists() {
                return Err(
                    "there are no puzzles of your own mistakes yet: puzzles mistakes FILE makes them".into(),
                );
            }
            read(&own)?.puzzles
        }
        (None, false) => puzzles::shipped(catalog),
    };
    let game = arguments.game.as_ref().map(|game| game.to_lowercase());
    if let Some(game) = &game {
        catalog.game(game).map_err(|error| error.to_string())?;
    }
    let wanted = Wanted { game, grade: arguments.grade, kind: arguments.kind };
    puzzles.retain(|puzzle| wanted.takes(puzzle));
    let today = arguments.day.unwrap_or_else(today);
    if arguments.daily {
        puzzles = puzzles::puzzle_of_the_day(&puzzles, today).cloned().into_iter().collect();
    }
    if puzzles.is_empty() {
        return Err("there is no such puzzle".into());
    }
    let mut keeper = ProgressKeeper::open(&folder);
    keeper.complaints().iter().for_each(|complaint| eprintln!("{complaint}"));
    let plan = PuzzlePlan { puzzles: &puzzles, today, ascii: arguments.ascii };
    let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    super::until_it_breaks(terminal::solve(catalog, &plan, &mut keeper, input, output))?;
    Ok(ExitCode::SUCCESS)
}

fn mistakes(catalog: &Catalog, arguments: &MistakesArgs) -> Result<ExitCode, String> {
    let name = arguments.file.display();
    let text =
        tabuleiro_files::read_text(&arguments.file, Links::Followed).map_err(|error| error.to_string())?;
    let table =
        record::load_saved(catalog, String::new(), &text).map_err(|error| format!("{name}: {error}"))?;
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => arguments.data.folder()?.join(PuzzleFile::OWN),
    };
    if out.exists() {
        read_whole(&out)?;
    }
    let request = SearchRequest {
        limits: Limits { nodes: Some(review::NODES), ..Limits::default() },
        multi_pv: review::LINES,
        ..SearchRequest::new(Level::for_role(LevelRole::Analysis), 0)
    };
    let review = Review::new(&table, None, request).map_err(|error| format!("{name}: {error}"))?;
    let stop = stopped_by_ctrl_c()?;
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let reviewed = look_through(&review, threads, &stop, &|_| {});
    let seat = arguments.seat.map(|seat| if seat == 1 { Seat::One } else { Seat::Two });
    let is_meant = |turn: &&ReviewedTurn| {
        matches!(turn.verdict, Verdict::Blunder | Verdict::MissedWin)
            && seat.is_none_or(|seat| seat == turn.seat)
    };
    let (mut proved, mut unproved) = (Vec::new(), 0);
    for turn in reviewed.turns.iter().filter(is_meant) {
        let at = table.at_node(turn.node).map_err(|error| error.to_string())?;
        let source =
            format!("{name}, turn {}: {} was a {}", turn.turn, turn.actions.join(" "), turn.verdict.words());
        let go_on = &mut puzzles::within(puzzles::BRIEF_EFFORT, &stop);
        match puzzles::mistake(catalog, &at, &source, go_on) {
            Ok(Some(puzzle)) => {
                println!("turn {}: {} ({})", turn.turn, puzzle.task(), puzzle.name);
                proved.push(puzzle);
            }
            _ => unproved += 1,
        }
    }
    let count = proved.len();
    let mistakes = if count == 1 {
        "1 mistake became a puzzle".into()
    } else {
        format!("{count} mistakes became puzzles")
    };
    println!("{mistakes}; nothing could be proved about {unproved} others");
    if count > 0 {
        if let Some(folder) = out.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        // A window may have added some of its own meanwhile.
        let added = tabuleiro_files::update(&out, |before| {
            let (file, spoilt) = PuzzleFile::with(before, &proved);
            Update { contents: file.write(), was_damaged: !spoilt.is_empty() }
        });
        added.map_err(|error| error.to_string())?;
        println!("they are in {}", out.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The puzzles of a file that will be written again: nothing of it may be lost.
fn read_whole(path: &Path) -> Result<PuzzleFile, String> {
    let text = tabuleiro_files::read_text(path, Links::Followed).map_err(|error| error.to_string())?;
    match PuzzleFile::read(&text) {
        (file, spoilt) if spoilt.is_empty() => Ok(file),
        (_, spoilt) => Err(format!("{}: {}; mend or move it first", path.display(), spoilt[0])),
    }
}

pub(super) fn run(catalog: &Catalog, arguments: PuzzlesArgs) -> Result<ExitCode, String> {
    match arguments.command {
        Some(PuzzlesCommand::Play(arguments)) => play(catalog, &arguments),
        Some(PuzzlesCommand::Verify(arguments)) => verify(catalog, &arguments),
        Some(PuzzlesCommand::Grade(arguments)) => grade(catalog, &arguments),
        Some(PuzzlesCommand::Mistakes(arguments)) => mistakes(catalog, &arguments),
        None => mine(catalog, arguments.mine),
    }
}

/// A flag that Ctrl-C raises.
pub(super) fn stopped_by_ctrl_c() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))
        .map_err(|error| format!("Ctrl-C cannot be caught: {error}"))?;
    Ok(stop)
}

fn mine(catalog: &Catalog, arguments: MineArgs) -> Result<ExitCode, String> {
    let id = arguments.game.unwrap_or_default().to_lowercase();
    let game = catalog.game(&id).map_err(|error| error.to_string())?;
    let options = options(arguments.options.as_deref())?.unwrap_or_default();
    game.check_options(&options).map_err(|error| error.to_string())?;
    let mut file = match &arguments.out {
        Some(path) if path.exists() => read_whole(path)?,
        _ => PuzzleFile::default(),
    };
    let (count, seed) = (arguments.count, arguments.seed);
    let plan = Plan {
        game,
        options: options.clone(),
        seed,
        nodes: arguments.nodes,
        effort: arguments.effort,
        most_solutions: arguments.solutions.max(1),
        fewest_turns: arguments.turns,
        endgames: arguments.endgames,
    };
    let miner = Miner::new(plan);
    let stop = stopped_by_ctrl_c()?;
    let began = Instant::now();
    while mined_with(&file, &id, &options).count() < count {
        let number = games_of(&mut file, &options, seed).games;
        // Neither kind shall crowd out the other one.
        let of_kind = |kind| mined_with(&file, &id, &options).filter(|puzzle| puzzle.kind == kind).count();
        let wanted = |kind: &PuzzleKind| match arguments.kind {
            Some(only) => only == *kind,
            None => of_kind(*kind) < (count * 3).div_ceil(4),
        };
        let kinds: Vec<PuzzleKind> = PuzzleKind::ALL.into_iter().filter(wanted).collect();
        let Some(found) = miner.game(number, &kinds, &stop) else { break };
        games_of(&mut file, &options, seed).games += 1;
        let mut is_new = false;
        for puzzle in found {
            if mined_with(&file, &id, &options).count() < count
                && !file.puzzles.iter().any(|other| Miner::is_alike(other, &puzzle))
            {
                is_new = true;
                file.puzzles.push(puzzle);
                let puzzle = &file.puzzles[file.puzzles.len() - 1];
                eprintln!(
                    "{:>3} of {count}: {} in {} turns, grade {}, {} solutions, game {number}, {:.0} s",
                    mined_with(&file, &id, &options).count(),
                    puzzle.name,
                    puzzle.turns,
                    puzzle.grade,
                    puzzle.solutions.len(),
                    began.elapsed().as_secs_f64(),
                );
            }
        }
        if let Some(path) = arguments.out.as_deref().filter(|_| is_new || number % 50 == 49) {
            tabuleiro_files::write(path, file.write()).map_err(|error| error.to_string())?;
        }
    }
    match &arguments.out {
        Some(path) => tabuleiro_files::write(path, file.write()).map_err(|error| error.to_string())?,
        None => print!("{}", file.write()),
    }
    let found = mined_with(&file, &id, &options).count();
    if stop.load(Ordering::Relaxed) && found < count {
        eprintln!("stopped with {found} of {count} puzzles; the same command goes on");
    }
    Ok(ExitCode::SUCCESS)
}

/// The puzzles of a game with these options.
fn mined_with<'a>(
    file: &'a PuzzleFile,
    game: &'a str,
    options: &'a Map<String, Value>,
) -> impl Iterator<Item = &'a Puzzle> {
    file.puzzles.iter().filter(move |puzzle| puzzle.game == game && puzzle.options == *options)
}

/// How many games were played with these options and this seed.
fn games_of<'a>(file: &'a mut PuzzleFile, options: &Map<String, Value>, seed: u64) -> &'a mut Mined {
    let place = file.mined.iter().position(|mined| mined.options == *options && mined.seed == seed);
    let place = place.unwrap_or_else(|| {
        file.mined.push(Mined { options: options.clone(), seed, games: 0 });
        file.mined.len() - 1
    });
    &mut file.mined[place]
}

fn grade(catalog: &Catalog, arguments: &GradeArgs) -> Result<ExitCode, String> {
    let stop = stopped_by_ctrl_c()?;
    for path in &arguments.files {
        let mut file = read_whole(path)?;
        let mut changed = 0;
        for puzzle in &mut file.puzzles {
            let regraded = puzzles::regraded(catalog, puzzle, &stop)
                .map_err(|error| format!("{}: {}: {error}", path.display(), puzzle.name))?;
            if stop.load(Ordering::Relaxed) {
                return Err(format!("stopped: {} is as it was", path.display()));
            }
            if regraded.grade != puzzle.grade {
                println!("{}: grade {}, was {}", puzzle.name, regraded.grade, puzzle.grade);
                changed += 1;
            }
            *puzzle = regraded;
        }
        tabuleiro_files::write(path, file.write()).map_err(|error| error.to_string())?;
        println!("{}: {} puzzles, {changed} of them with another grade", path.display(), file.puzzles.len());
    }
    Ok(ExitCode::SUCCESS)
}

fn verify(catalog: &Catalog, arguments: &VerifyArgs) -> Result<ExitCode, String> {
    let stop = stopped_by_ctrl_c()?;
    let (mut proved, mut wrong) = (0, 0);
    for path in &arguments.files {
        let text = tabuleiro_files::read_text(path, Links::Followed).map_err(|error| error.to_string())?;
        let (file, spoilt) = PuzzleFile::read(&text);
        for spoilt in &spoilt {
            println!("{}: {spoilt}", path.display());
        }
        wrong += spoilt.len();
        for puzzle in file.puzzles.iter().step_by(arguments.every as usize) {
            let began = Instant::now();
            let verified = puzzles::verify(catalog, puzzle, &mut || !stop.load(Ordering::Relaxed));
            if stop.load(Ordering::Relaxed) {
                return Err(format!("stopped: {proved} puzzles are proved, {wrong} are wrong"));
            }
            match verified {
                Ok(()) => {
                    proved += 1;
                    eprintln!("{}: proved in {:.1} s", puzzle.name, began.elapsed().as_secs_f64());
                }
                Err(reason) => {
                    wrong += 1;
                    println!("{}: {}: {reason}", path.display(), puzzle.name);
                }
            }
        }
    }
    println!("{proved} puzzles are proved, {wrong} are wrong");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
