//! `train`: nets that judge positions.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use tabuleiro_files::Links;

use super::matches::{INCOMPLETE, end_on_ctrl_c};
use super::tune::{cores, game_with_options};
use crate::catalog::Catalog;
use crate::matches::{Schedule, Shard};
use crate::search::Effort;
use crate::tools::train::{ContestPlan, DataPlan, FitPlan};

/// Teach a net to judge the positions of a game
#[derive(Debug, Args)]
pub(super) struct TrainArgs {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Data(DataArgs),
    Fit(FitArgs),
    Match(ContestArgs),
}

/// Play games to learn from, and add them to a file
///
/// Games that are in the file already are not played again: the same command goes on where it was
/// ended.
#[derive(Debug, Args)]
struct DataArgs {
    game: String,
    /// The file, a line of JSON for every game
    file: PathBuf,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// How many games
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=i64::from(Schedule::MOST_GAMES)))]
    games: u32,
    /// Nodes a turn
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Play only this part of the games, as 2/3, and leave the rest to others; each part has a file
    /// of its own
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// How many games to play at the same time [default: one for every core]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,
}

/// Fit a net to games that were played to be learned from
///
/// A part of the games is held out, to show how well the net does in positions that it has not seen.
/// Ctrl-C ends it early, with what was learned by then; --from goes on with that.
#[derive(Debug, Args)]
struct FitArgs {
    game: String,
    /// Files that train data wrote
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Write the net to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Go on with the net in this file instead of beginning with a new one
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How often to go through all positions
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    passes: u32,
    /// How much the result of a game counts beside what a search thought, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 30, value_parser = clap::value_parser!(u8).range(..=100))]
    result: u8,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Let a net play what the engine plays with now, every opening from both seats
#[derive(Debug, Args)]
struct ContestArgs {
    game: String,
    /// The file that train fit wrote
    net: PathBuf,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// How many games
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=i64::from(Schedule::MOST_GAMES)))]
    games: u32,
    /// Nodes a turn
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Milliseconds a turn instead
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    time_ms: Option<u64>,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many games to play at the same time [default: one for every core]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,
}

pub(super) fn run(catalog: &Catalog, arguments: &TrainArgs) -> Result<ExitCode, String> {
    match &arguments.step {
        Step::Data(arguments) => make_data(catalog, arguments),
        Step::Fit(arguments) => fit(catalog, arguments),
        Step::Match(arguments) => contest(catalog, arguments),
    }
}

fn say(text: &str) {
    eprintln!("{text} …");
}

fn fit(catalog: &Catalog, arguments: &FitArgs) -> Result<ExitCode, String> {
    let (kind, options) = game_with_options(catalog, &arguments.game, arguments.options.as_deref())?;
    let read =
        |file: &PathBuf| tabuleiro_files::read_text(file, Links::Followed).map_err(|error| error.to_string());
    let plan = FitPlan {
        data: arguments.data.clone(),
        from: arguments.from.as_ref().map(read).transpose()?,
        epochs: arguments.passes,
        result: f64::from(arguments.result) / 100.0,
        seed: arguments.seed,
    };
    let stop = end_on_ctrl_c()?;
    let fitted = kind.fit(&options, &plan, &stop, &mut say).map_err(|error| error.to_string())?;
    tabuleiro_files::write(&arguments.out, &fitted.net).map_err(|error| error.to_string())?;
    println!(
        "{} positions; in those held out the hand-made evaluation is off by {:.5}, the net by {:.5}",
        fitted.positions, fitted.before, fitted.after
    );
    Ok(ExitCode::SUCCESS)
}

fn contest(catalog: &Catalog, arguments: &ContestArgs) -> Result<ExitCode, String> {
    let (kind, options) = game_with_options(catalog, &arguments.game, arguments.options.as_deref())?;
    let time = arguments.time_ms.map(|time| Effort::Time(Duration::from_millis(time)));
    let plan = ContestPlan {
        games: arguments.games,
        effort: time.unwrap_or(Effort::Nodes(arguments.nodes)),
        seed: arguments.seed,
        threads: arguments.concurrency.map_or_else(cores, usize::from),
    };
    let net =
        tabuleiro_files::read_text(&arguments.net, Links::Followed).map_err(|error| error.to_string())?;
    let stop = end_on_ctrl_c()?;
    let contest = kind
        .contest(&options, &net, &plan, &stop, &mut say)
        .map_err(|error| format!("{}: {error}", arguments.net.display()))?;
    print!("{contest}");
    Ok(ExitCode::SUCCESS)
}

fn make_data(catalog: &Catalog, arguments: &DataArgs) -> Result<ExitCode, String> {
    let (kind, options) = game_with_options(catalog, &arguments.game, arguments.options.as_deref())?;
    let is_ours = |&number: &u32| arguments.shard.is_none_or(|shard| shard.has(number));
    let plan = DataPlan {
        numbers: (1..=arguments.games).filter(is_ours).collect(),
        nodes: arguments.nodes,
        seed: arguments.seed,
        threads: arguments.concurrency.map_or_else(cores, usize::from),
    };
    let stop = end_on_ctrl_c()?;
    let made = kind
        .make_data(&options, &plan, &arguments.file, &stop, &mut say)
        .map_err(|error| error.to_string())?;
    println!(
        "{} games with {} positions were added to the {} in {}",
        made.played,
        made.positions,
        made.there,
        arguments.file.display()
    );
    if !made.finished {
        eprintln!("the same command plays the games that are missing");
        return Ok(INCOMPLETE.into());
    }
    Ok(ExitCode::SUCCESS)
}
