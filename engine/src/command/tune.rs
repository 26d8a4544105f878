use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use clap::Args;
use serde_json::Value;

use super::options;
use crate::table::kind_of_game;
use crate::tune::Effort;
use crate::whole_file;

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

pub(super) fn run(arguments: &TuneArgs) -> Result<ExitCode, String> {
    let kind = kind_of_game(&arguments.game.to_lowercase()).map_err(|error| error.message)?;
    let given = options(arguments.options.as_deref())?.unwrap_or_default();
    let options = kind.check_options(&given).map_err(|bad| bad.to_string())?;
    let effort = Effort {
        games: arguments.games,
        match_games: arguments.match_games,
        nodes: arguments.nodes,
        seed: arguments.seed,
        threads: thread::available_parallelism().map_or(1, NonZero::get),
    };
    let tuned = kind.tune(&options, &effort, &mut |text| eprintln!("{text} …"));
    let weights = format!("{:#}\n", Value::Object(tuned.weights.clone()));
    print!("{tuned}");
    match &arguments.out {
        None => print!("\n{weights}"),
        Some(file) => {
            whole_file::write(file, &weights).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
