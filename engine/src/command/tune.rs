//! `tune` and `calibrate`: weights of evaluations, and how well chances come true.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use clap::Args;
use serde_json::Value;

use super::options;
use crate::catalog::{Catalog, GameKind};
use crate::game::GameOptions;
use crate::tools::tune::TuningSettings;

/// Fit the weights of a game's evaluation to games of the computer against itself
#[derive(Debug, Args)]
pub(super) struct TuneArgs {
    game: String,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Games to learn from
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Games to try the new weights in against the old ones
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    match_games: u32,
    /// Nodes a turn in all of them
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the new weights to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Show how well the chances come true that the computer gives itself, in games against itself
#[derive(Debug, Args)]
pub(super) struct CalibrateArgs {
    game: String,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Games to play
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Nodes a turn
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub(super) fn run(catalog: &Catalog, arguments: &TuneArgs) -> Result<ExitCode, String> {
    let (kind, options) = game_with_options(catalog, &arguments.game, arguments.options.as_deref())?;
    let TuneArgs { games, match_games, nodes, seed, .. } = *arguments;
    let settings = TuningSettings { games, nodes, seed, threads: cores() };
    let tuned = kind.tune(&options, &settings, match_games, &mut |text| eprintln!("{text} …"));
    let weights = format!("{:#}\n", Value::Object(tuned.weights.clone()));
    print!("{tuned}");
    match &arguments.out {
        None => print!("\n{weights}"),
        Some(file) => {
            tabuleiro_files::write(file, &weights).map_err(|error| error.to_string())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn calibrate(catalog: &Catalog, arguments: &CalibrateArgs) -> Result<ExitCode, String> {
    let (kind, options) = game_with_options(catalog, &arguments.game, arguments.options.as_deref())?;
    let CalibrateArgs { games, nodes, seed, .. } = *arguments;
    print!("{}", kind.calibrate(&options, &TuningSettings { games, nodes, seed, threads: cores() }));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn game_with_options(
    catalog: &Catalog,
    game: &str,
    json: Option<&str>,
) -> Result<(GameKind, GameOptions), String> {
    let kind = catalog.game(&game.to_lowercase()).map_err(|error| error.to_string())?;
    let given = options(json)?.unwrap_or_default();
    let options = kind.check_options(&given).map_err(|bad| bad.to_string())?;
    Ok((kind, options))
}

pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}
