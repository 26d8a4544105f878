use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use serde_json::{Map, Value, json};

use super::bots::BotArgs;
use super::{INTERRUPTED, options};
use crate::matches::{Contestant, Folder, Match, Progress, Report, Settings, Sprt};
use crate::table::kind_of_game;

/// Play a match between two of the computer's players, or bots
///
/// Every opening is a few random turns and is played twice, with the seats exchanged. A player is a level or bot:NAME, with limits
/// behind an @ if you like: greedy@nodes=200,depth=3, master@time_ms=100,threads=1 or bot:mine@time_ms=200. clock=60000+500 is a
/// clock for the whole game, in milliseconds, with what every turn adds to it; whoever has no time left loses. So does a bot that
/// crashes, answers too late, plays what is not legal or answers with garbage.
#[derive(Debug, Args)]
pub(super) struct MatchArgs {
    /// The game
    #[arg(long)]
    game: String,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// The player whose results are counted, as greedy@nodes=200
    #[arg(long, value_name = "PLAYER")]
    a: Contestant,
    /// The one it plays against
    #[arg(long, value_name = "PLAYER")]
    b: Contestant,
    /// How many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Decides everything that is left to chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// How many games to play at the same time; those of players that use all cores disturb each other
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Write every game to a folder that is new or empty
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Go on with the match in the folder: games that are there are not played again
    #[arg(long, requires = "records")]
    resume: bool,
    /// End as soon as it is clear which of two differences in Elo is the right one, as 0,20
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// How many random turns every game begins with
    #[arg(long, value_name = "N", default_value_t = Settings::USUAL_OPENING as u16, value_parser = clap::value_parser!(u16).range(..=100))]
    opening: u16,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bots: BotArgs,
}

/// What a match exits with that something kept from being finished.
const TROUBLE: u8 = 1;

pub(super) fn run(arguments: MatchArgs, words: &[&str]) -> Result<ExitCode, String> {
    let settings = Settings {
        options: all_options(&arguments)?,
        game: arguments.game.to_lowercase(),
        a: arguments.a,
        b: arguments.b,
        seed: arguments.seed,
        opening: arguments.opening.into(),
    };
    let bots = arguments.bots.bots(words)?;
    for (flag, player) in [("--a", &settings.a), ("--b", &settings.b)] {
        if let Some(name) = player.bot().filter(|name| !bots.contains(name)) {
            return Err(format!("{flag}: {}", bots.unknown(name)));
        }
    }
    let ending = end_on_ctrl_c()?;
    let records = match &arguments.records {
        Some(path) => Some(Folder::open(path, &settings, arguments.resume)?),
        None => None,
    };
    let the_match = Match {
        settings,
        games: arguments.games,
        concurrency: arguments.concurrency.into(),
        sprt: arguments.sprt,
        records,
        bots: Arc::new(bots),
    };
    let mut progress = Progress::on_stderr();
    let played = the_match.play(&ending, &mut |standing| progress.show(standing));
    progress.finish();
    let (report, trouble) = played?;
    // Whoever closed the pipe does not want to know.
    let _ = write_report(&report, arguments.json);
    Ok(match trouble {
        None => ExitCode::SUCCESS,
        Some(reason) => {
            eprintln!("{reason}");
            TROUBLE.into()
        }
    })
}

/// Those that were given, checked, and the rest at their defaults.
fn all_options(arguments: &MatchArgs) -> Result<Map<String, Value>, String> {
    let kind = kind_of_game(&arguments.game.to_lowercase()).map_err(|error| error.message)?;
    let given = options(arguments.options.as_deref())?.unwrap_or_default();
    let checked = kind.check_options(&given).map_err(|bad| bad.to_string())?;
    Ok(checked.values().iter().map(|(name, value)| (name.clone(), json!(value))).collect())
}

/// A flag that the first Ctrl-C sets; the second one ends the process.
fn end_on_ctrl_c() -> Result<Arc<AtomicBool>, String> {
    let ending = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&ending);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED);
        }
        eprintln!("\nending after the games under way; once more to end at once");
    })
    .map_err(|error| format!("Ctrl-C cannot be caught: {error}"))?;
    Ok(ending)
}

fn write_report(report: &Report, as_json: bool) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    write!(stdout, "{report}")?;
    if as_json {
        writeln!(stdout, "{}", json!(report))?;
    }
    stdout.flush()
}
