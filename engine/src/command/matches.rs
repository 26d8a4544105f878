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

use super::bots::{BotArgs, start_bot};
use super::{INTERRUPTED, options};
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::matches::{
    Ended, GameLine, Match, Progress, Records, Schedule, Settings, Shard, Tournament, merge,
};
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
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = STATUSES)]
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
#[command(after_help = STATUSES)]
struct MergeArgs {
    /// Folders and files that --records wrote
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// One JSON object on standard output; the report for people goes to standard error
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
    /// Write every game to a file of its own in a folder that is new or empty; or, if the name ends
    /// with .jsonl, to a line of its own in a file that is new
    #[arg(long, value_name = "DIR|FILE.jsonl")]
    records: Option<PathBuf>,
    /// Go on with the match that is there: games that were written down are not played again
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
    /// One JSON object on standard output, as its last line; the report for people goes to standard
    /// error
    #[arg(long)]
    json: bool,
    /// A line of JSON on standard output for every game that is played, as it ends; the report for
    /// people goes to standard error
    #[arg(long)]
    jsonl: bool,
}

/// What a match exits with that something kept from being finished.
const TROUBLE: u8 = 1;

/// What a match exits with of which games are missing.
pub(super) const INCOMPLETE: u8 = 3;

const STATUSES: &str = "Exit status:
  0    all games are there, or the sequential test is decided
  1    something went wrong on the way; the report is about the games until then
  2    nothing was done: a wrong command line, a bot that cannot be started,
       records that are in use or of another match
  3    games are missing: a part that was not merged, or the match was ended early
  130  ended at once, by a second Ctrl-C";

pub(super) fn run(catalog: &Catalog, arguments: MatchArgs, words: &[&str]) -> Result<ExitCode, String> {
    let bots = Arc::new(arguments.bots.bots(words)?);
    let margin_ms = arguments.bots.margin.milliseconds;
    match (arguments.command, arguments.play) {
        (Some(MatchCommand::Merge(arguments)), _) => {
            let merged = merge(catalog, &arguments.records, &mut |remark| eprintln!("{remark}"))?;
            Ok(Output::new(arguments.json, false).finish(&merged, merged.ended(), None))
        }
        (None, Some(arguments)) if arguments.players.is_empty() => {
            play_match(catalog, arguments, bots, margin_ms)
        }
        (None, Some(arguments)) => play_tournament(catalog, arguments, bots, margin_ms),
        (None, None) => Err("a match needs --game, --a, --b and --games".into()),
    }
}

fn play_match(
    catalog: &Catalog,
    arguments: MatchPlayArgs,
    bots: Arc<Bots>,
    margin_ms: u32,
) -> Result<ExitCode, String> {
    let (Some(a), Some(b)) = (arguments.a.clone(), arguments.b.clone()) else {
        return Err("a match needs --a and --b".into());
    };
    let settings = Settings {
        options: all_options(catalog, &arguments)?,
        game: arguments.game.to_lowercase(),
        bot_margin_ms: [&a, &b].iter().any(|player| player.bot().is_some()).then_some(margin_ms),
        a,
        b,
        seed: arguments.seed,
        opening: arguments.opening.into(),
    };
    start_bot("--a", &settings.a, &bots)?;
    start_bot("--b", &settings.b, &bots)?;
    let ending = end_on_ctrl_c()?;
    let records = match &arguments.records {
        Some(path) => Some(Records::open(path, &settings, &arguments.schedule(), arguments.resume)?),
        None => None,
    };
    let the_match = arguments.the_match(catalog, settings, records, bots);
    let mut progress = Progress::on_stderr();
    let mut output = Output::new(arguments.json, arguments.jsonl);
    let played = the_match.play(&ending, &mut |status, game| {
        progress.show(status);
        output.tell(game, &ending);
    });
    progress.finish();
    let (report, trouble) = played?;
    arguments.say_how_to_go_on(report.ended);
    Ok(output.finish(&report, report.ended, trouble))
}

fn play_tournament(
    catalog: &Catalog,
    arguments: MatchPlayArgs,
    bots: Arc<Bots>,
    margin_ms: u32,
) -> Result<ExitCode, String> {
    let tournament = Tournament {
        options: all_options(catalog, &arguments)?,
        game: arguments.game.to_lowercase(),
        bot_margin_ms: arguments.players.iter().any(|player| player.bot().is_some()).then_some(margin_ms),
        players: arguments.players.clone(),
        gauntlet: arguments.gauntlet,
        seed: arguments.seed,
        opening: arguments.opening.into(),
    };
    tournament.check()?;
    tournament.players.iter().try_for_each(|player| start_bot("--player", player, &bots))?;
    let ending = end_on_ctrl_c()?;
    let pairings = tournament.pairings();
    let records: Vec<Option<Records>> = match &arguments.records {
        Some(path) => {
            let records = tournament.open_records(path, &arguments.schedule(), arguments.resume)?;
            records.into_iter().map(Some).collect()
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
    let mut output = Output::new(arguments.json, arguments.jsonl);
    let played = tournament.play(&matches, &ending, &mut |pairing, status, game| {
        let Settings { a, b, .. } = &matches[pairing].settings;
        progress.turn_to(format!("{} of {}, {a} (a) against {b}", pairing + 1, matches.len()));
        progress.show(status);
        output.tell(game, &ending);
    });
    progress.finish();
    let (standings, trouble) = played?;
    arguments.say_how_to_go_on(standings.ended);
    Ok(output.finish(&standings, standings.ended, trouble))
}

impl MatchPlayArgs {
    fn schedule(&self) -> Schedule {
        Schedule { games: self.games, shard: self.shard, sprt: self.sprt }
    }

    fn say_how_to_go_on(&self, ended: Ended) {
        match &self.records {
            Some(path) if ended == Ended::Interrupted => {
                eprintln!(
                    "the same command with --resume plays the games that are missing in {}",
                    path.display()
                );
            }
            _ => {}
        }
    }

    fn the_match(
        &self,
        catalog: &Catalog,
        settings: Settings,
        records: Option<Records>,
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
pub(super) fn end_on_ctrl_c() -> Result<Arc<AtomicBool>, String> {
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

/// What is said on standard output. With JSON it is nothing but that, and the report for people goes
/// to standard error.
struct Output {
    json: bool,
    jsonl: bool,
    /// Why nothing more can be said there.
    trouble: Option<io::Error>,
}

impl Output {
    fn new(json: bool, jsonl: bool) -> Output {
        Output { json, jsonl, trouble: None }
    }

    /// Tells a game that has ended, if somebody wants to know. To play on would be in vain if it
    /// cannot be told.
    fn tell(&mut self, game: Option<GameLine>, ending: &AtomicBool) {
        let Some(game) = game.filter(|_| self.jsonl && self.trouble.is_none()) else { return };
        if let Err(error) = say(json!(game)) {
            self.trouble = Some(error);
            ending.store(true, Ordering::Relaxed);
        }
    }

    /// Reports, and says what went wrong.
    fn finish(
        mut self,
        report: &(impl Display + Serialize),
        ended: Ended,
        trouble: Option<String>,
    ) -> ExitCode {
        let said = match (self.json, self.jsonl) {
            (false, false) => say(report),
            (json, _) => {
                let _ = write!(io::stderr(), "{report}");
                if json && self.trouble.is_none() { say(json!(report)) } else { Ok(()) }
            }
        };
        match said {
            // Whoever has closed the pipe does not want to know.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => self.trouble = Some(error),
            _ => {}
        }
        let trouble = trouble.or_else(|| self.trouble.map(|error| format!("standard output: {error}")));
        if let Some(reason) = &trouble {
            eprintln!("{reason}");
        }
        match ended {
            _ if trouble.is_some() => TROUBLE.into(),
            Ended::Finished | Ended::Decided => ExitCode::SUCCESS,
            Ended::Interrupted => INCOMPLETE.into(),
            Ended::Failed => TROUBLE.into(),
        }
    }
}

/// Lines on standard output, at once.
fn say(lines: impl Display) -> io::Result<()> {
    let text = lines.to_string();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let mut stdout = io::stdout().lock();
    write!(stdout, "{text}{end}")?;
    stdout.flush()
}
