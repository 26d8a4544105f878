//! `match`: matches, tournaments and the merging of their parts.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::bots::{BotArgs, check_bot};
use super::{INTERRUPTED, options};
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::matches::{Folder, Match, Progress, Schedule, Settings, Shard, Tournament, merge};
use crate::players::ComputerPlayer;
use crate::statistics::Sprt;

/// Play a match between two of the computer's players or bots, or a tournament between several
///
/// Every opening is a few random turns and is played twice, with the seats exchanged. A player is a
/// level or bot:NAME, with limits behind an @ if you like: greedy@nodes=200,depth=3,
/// master@time_ms=100,threads=1 or bot:mine@time_ms=200. clock=60000+500 is a clock for the whole
/// game, in milliseconds, with what every turn adds to it; whoever has no time left loses. So does
/// a bot that crashes, answers too late, plays what is not legal or answers with garbage.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct MatchArgs {
    #[command(subcommand)]
    command: Option<MatchCommand>,
    #[command(flatten)]
    play: Option<MatchPlayArgs>,
    #[command(flatten)]
    bots: BotArgs,
}

#[derive(Debug, Subcommand)]
enum MatchCommand {
    Merge(MergeArgs),
}

/// Report on a match or a tournament whose shards were played apart
///
/// All is computed anew from the records. Of a match that was interrupted, too.
#[derive(Debug, Args)]
struct MergeArgs {
    /// Folders that --records wrote
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct MatchPlayArgs {
    /// The game
    #[arg(long)]
    game: String,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// The player whose results are counted, as greedy@nodes=200
    #[arg(long, value_name = "PLAYER", required_unless_present = "players")]
    a: Option<ComputerPlayer>,
    /// The one it plays against
    #[arg(long, value_name = "PLAYER", required_unless_present = "players")]
    b: Option<ComputerPlayer>,
    /// Instead of a and b, one of the players of a tournament, in which everybody meets everybody:
    /// once for each
    #[arg(long = "player", value_name = "PLAYER", conflicts_with_all = ["a", "b", "sprt"])]
    players: Vec<ComputerPlayer>,
    /// Only the first player of the tournament meets everybody
    #[arg(long, requires = "players", conflicts_with_all = ["a", "b"])]
    gauntlet: bool,
    /// How many games; in a tournament, of each pairing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Schedule::MOST_GAMES)))]
    games: u32,
    /// Decides everything that is left to chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// How many games to play at the same time; those of players that use all cores disturb each
    /// other
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Write every game to a folder that is new or empty
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Go on with the match in the folder: games that are there are not played again
    #[arg(long, requires = "records")]
    resume: bool,
    /// Play only this part of the openings, as 2/3, and leave the rest to others; match merge adds
    /// up the parts
    #[arg(long, value_name = "I/N", requires = "records", conflicts_with = "sprt")]
    shard: Option<Shard>,
    /// End as soon as it is clear which of two differences in Elo is the right one, as 0,20
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// How many random turns every game begins with
    #[arg(long, value_name = "N", default_value_t = Settings::USUAL_OPENING as u16, value_parser = clap::value_parser!(u16).range(..=100))]
    opening: u16,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
}

/// What a match exits with that something kept from being finished.
const TROUBLE: u8 = 1;

pub(super) fn run(catalog: &Catalog, arguments: MatchArgs, words: &[&str]) -> Result<ExitCode, String> {
    let bots = Arc::new(arguments.bots.bots(words)?);
    match (arguments.command, arguments.play) {
        (Some(MatchCommand::Merge(arguments)), _) => {
            let merged = merge(catalog, &arguments.folders, &mut |remark| eprintln!("{remark}"))?;
            Ok(finish(&merged, arguments.json, None))
        }
        (None, Some(arguments)) if arguments.players.is_empty() => play_match(catalog, arguments, bots),
        (None, Some(arguments)) => play_tournament(catalog, arguments, bots),
        (None, None) => Err("a match needs --game, --a, --b and --games".into()),
    }
}

fn play_match(catalog: &Catalog, arguments: MatchPlayArgs, bots: Arc<Bots>) -> Result<ExitCode, String> {
    let (Some(a), Some(b)) = (arguments.a.clone(), arguments.b.clone()) else {
        return Err("a match needs --a and --b".into());
    };
    let settings = Settings {
        options: all_options(catalog, &arguments)?,
        game: arguments.game.to_lowercase(),
        a,
        b,
        seed: arguments.seed,
        opening: arguments.opening.into(),
    };
    check_bot("--a", &settings.a, &bots)?;
    check_bot("--b", &settings.b, &bots)?;
    let ending = end_on_ctrl_c()?;
    let records = match &arguments.records {
        Some(path) => Some(Folder::open(path, &settings, &arguments.schedule(), arguments.resume)?),
        None => None,
    };
    let the_match = arguments.the_match(catalog, settings, records, bots);
    let mut progress = Progress::on_stderr();
    let played = the_match.play(&ending, &mut |status| progress.show(status));
    progress.finish();
    let (report, trouble) = played?;
    Ok(finish(&report, arguments.json, trouble))
}

fn play_tournament(catalog: &Catalog, arguments: MatchPlayArgs, bots: Arc<Bots>) -> Result<ExitCode, String> {
    let tournament = Tournament {
        options: all_options(catalog, &arguments)?,
        game: arguments.game.to_lowercase(),
        players: arguments.players.clone(),
        gauntlet: arguments.gauntlet,
        seed: arguments.seed,
        opening: arguments.opening.into(),
    };
    tournament.check()?;
    tournament.players.iter().try_for_each(|player| check_bot("--player", player, &bots))?;
    let ending = end_on_ctrl_c()?;
    let pairings = tournament.pairings();
    let records: Vec<Option<Folder>> = match &arguments.records {
        Some(path) => {
            let folders = tournament.open_folders(path, &arguments.schedule(), arguments.resume)?;
            folders.into_iter().map(Some).collect()
        }
        None => pairings.iter().map(|_| None).collect(),
    };
    let matches: Vec<Match> = pairings
        .iter()
        .zip(records)
        .map(|(pairing, records)| {
            arguments.the_match(catalog, pairing.settings.clone(), records, Arc::clone(&bots))
        })
        .collect();
    let mut progress = Progress::on_stderr();
    let played = tournament.play(&matches, &ending, &mut |pairing, status| {
        let Settings { a, b, .. } = &matches[pairing].settings;
        progress.turn_to(format!("{} of {}, {a} (a) against {b}", pairing + 1, matches.len()));
        progress.show(status);
    });
    progress.finish();
    let (standings, trouble) = played?;
    Ok(finish(&standings, arguments.json, trouble))
}

impl MatchPlayArgs {
    fn schedule(&self) -> Schedule {
        Schedule { games: self.games, shard: self.shard, sprt: self.sprt }
    }

    fn the_match(
        &self,
        catalog: &Catalog,
        settings: Settings,
        records: Option<Folder>,
        bots: Arc<Bots>,
    ) -> Match {
        let catalog = catalog.clone();
        Match {
            catalog,
            settings,
            schedule: self.schedule(),
            concurrency: self.concurrency.into(),
            records,
            bots,
        }
    }
}

/// Those that were given, checked, and the rest at their defaults.
fn all_options(catalog: &Catalog, arguments: &MatchPlayArgs) -> Result<Map<String, Value>, String> {
    let kind = catalog.game(&arguments.game.to_lowercase()).map_err(|error| error.to_string())?;
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

/// Reports, and says what went wrong.
fn finish(report: &(impl Display + Serialize), as_json: bool, trouble: Option<String>) -> ExitCode {
    // Whoever closed the pipe does not want to know.
    let _ = write_report(report, as_json);
    match trouble {
        None => ExitCode::SUCCESS,
        Some(reason) => {
            eprintln!("{reason}");
            TROUBLE.into()
        }
    }
}

fn write_report(report: &(impl Display + Serialize), as_json: bool) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    write!(stdout, "{report}")?;
    if as_json {
        writeln!(stdout, "{}", json!(report))?;
    }
    stdout.flush()
}
