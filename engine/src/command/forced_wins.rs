//! `forced-wins`: finds positions with a long forced win in games of its own, and proves them
//! again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::{Args, Subcommand};
use tabuleiro_files::Links;
use tabuleiro_protocol::shape::{self, Unknown};

use super::options;
use super::puzzles::stopped_by_ctrl_c;
use crate::catalog::Catalog;
use crate::forced_wins::{ForcedWinPosition, Plan, in_game, prove};

/// Find positions with a long forced win, and prove them again
#[derive(Debug, Args)]
pub(super) struct ForcedWinsArgs {
    #[command(subcommand)]
    command: ForcedWinsCommand,
}

#[derive(Debug, Subcommand)]
enum ForcedWinsCommand {
    Find(FindArgs),
    Prove(ProveArgs),
}

/// Find positions in games that the computer plays against itself
///
/// The file is written after every position, and the same command goes on where it was stopped.
#[derive(Debug, Args)]
struct FindArgs {
    game: String,
    /// The file to add them to, for solve
    file: PathBuf,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// How many positions with these options there shall be in the end
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: usize,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many nodes every turn of the games has
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many positions may be looked at to prove a win
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    effort: u64,
    /// The same to prove that there is no shorter one
    #[arg(long, value_name = "N", default_value_t = 30_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    effort_against: u64,
    /// Only wins that take at least so many turns of the winner's
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=20))]
    turns: u32,
    /// Only wins that take at most so many
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=20))]
    most_turns: u32,
    /// Only where every turn was tried to show that so many are not enough
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=20))]
    not_within: u32,
    /// How many replies that do not lose at once a turn of the winner's may leave
    #[arg(long, value_name = "N", default_value_t = 12)]
    replies: usize,
    /// Let games begin with an endgame drawn by lot: Absorption only
    #[arg(long)]
    endgames: bool,
}

/// Prove every position of a file again
#[derive(Debug, Args)]
struct ProveArgs {
    game: String,
    file: PathBuf,
    /// Only every Nth position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// How many replies that do not lose at once a turn of the winner's may leave
    #[arg(long, value_name = "N", default_value_t = 12)]
    replies: usize,
}

/// The positions of a file.
pub(super) fn read(path: &Path) -> Result<Vec<ForcedWinPosition>, String> {
    let name = path.display();
    let text = tabuleiro_files::read_text(path, Links::Followed).map_err(|error| error.to_string())?;
    let document = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
    shape::read(document, Unknown::Ignored).map_err(|error| format!("{name}: {error}"))
}

/// One position a line.
fn write(path: &Path, positions: &[ForcedWinPosition]) -> Result<(), String> {
    let lines: Result<Vec<String>, _> = positions.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| error.to_string())?;
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    tabuleiro_files::write(path, text).map_err(|error| error.to_string())
}

pub(super) fn run(catalog: &Catalog, arguments: &ForcedWinsArgs) -> Result<ExitCode, String> {
    match &arguments.command {
        ForcedWinsCommand::Find(arguments) => find(catalog, arguments),
        ForcedWinsCommand::Prove(arguments) => prove_all(catalog, arguments),
    }
}

fn find(catalog: &Catalog, arguments: &FindArgs) -> Result<ExitCode, String> {
    let game = catalog.game(&arguments.game.to_lowercase()).map_err(|error| error.to_string())?;
    let options = options(arguments.options.as_deref())?.unwrap_or_default();
    game.check_options(&options).map_err(|error| error.to_string())?;
    let mut positions = if arguments.file.exists() { read(&arguments.file)? } else { Vec::new() };
    let (count, seed) = (arguments.count, arguments.seed);
    let plan = Plan {
        game,
        options: options.clone(),
        seed,
        nodes: arguments.nodes,
        effort: arguments.effort,
        effort_against: arguments.effort_against,
        fewest_turns: arguments.turns,
        most_turns: arguments.most_turns.max(arguments.turns),
        not_within: arguments.not_within,
        replies: arguments.replies,
        endgames: arguments.endgames,
    };
    let is_of_plan = |position: &&ForcedWinPosition| position.options == options;
    let of_seed = positions.iter().filter(is_of_plan).filter_map(|position| position.from);
    let mut number = of_seed.filter(|(of, _)| *of == seed).map(|(_, game)| game + 1).max().unwrap_or(0);
    let stop = stopped_by_ctrl_c()?;
    let began = Instant::now();
    let mut found = positions.iter().filter(is_of_plan).count();
    while found < count {
        let Some(position) = in_game(&plan, number, &stop) else { break };
        if let Some(position) = position {
            found += 1;
            eprintln!(
                "{found:>3} of {count}: in {} turns, not in {}, {} first turns, game {number}, {:.0} s",
                position.turns,
                position.not_within,
                position.solution.len(),
                began.elapsed().as_secs_f64(),
            );
            positions.push(position);
            write(&arguments.file, &positions)?;
        }
        number += 1;
    }
    if stop.load(Ordering::Relaxed) && found < count {
        eprintln!("stopped with {found} of {count} positions; the same command goes on");
    }
    Ok(ExitCode::SUCCESS)
}

fn prove_all(catalog: &Catalog, arguments: &ProveArgs) -> Result<ExitCode, String> {
    let stop = stopped_by_ctrl_c()?;
    let game = arguments.game.to_lowercase();
    let (mut proved, mut wrong) = (0, 0);
    let positions = read(&arguments.file)?;
    for (number, position) in (1..).zip(&positions).step_by(arguments.every as usize) {
        let go_on = &mut || !stop.load(Ordering::Relaxed);
        let result = prove(catalog, &game, position, arguments.replies, go_on);
        if stop.load(Ordering::Relaxed) {
            return Err(format!("stopped: {proved} positions are proved, {wrong} are wrong"));
        }
        match result {
            Ok(()) => proved += 1,
            Err(reason) => {
                wrong += 1;
                println!("position {number}: {reason}");
            }
        }
    }
    println!("{game}: {proved} positions are proved, {wrong} are wrong");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
