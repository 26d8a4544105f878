//! `bench`: how fast the games go, how well time is kept, what threads, clients and batches do.

use std::env;
use std::process::Command;
use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::catalog::{Catalog, GameKind};
use crate::search::Level;
use crate::tools::bench::{self, Crowd, TIMES_MS, lateness, thread_speed};

/// Measure how fast the games go on one thread, how well time is kept, or what more threads bring
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// One JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// How long to measure how fast each game goes
    #[arg(long, default_value_t = 4.0, value_parser = seconds)]
    seconds: f64,
    /// Only this game
    #[arg(long)]
    game: Option<String>,
    /// Measure how late answers come instead, behind their time and behind being cancelled
    #[arg(long, conflicts_with = "threads")]
    timekeeping: bool,
    /// Measure instead what master searches with so many threads (no more than there are cores) and
    /// with one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1024))]
    threads: Option<u32>,
    /// Measure instead how long moves take with so many clients at one socket and 1,000 open tables
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=500), conflicts_with_all = ["timekeeping", "threads", "game"])]
    clients: Option<u16>,
    /// Measure instead how many positions go through a pipe in a second, many in one request
    #[arg(long, conflicts_with_all = ["timekeeping", "threads", "clients"])]
    batch: bool,
    /// In how many positions of random games, for --timekeeping and --threads
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    positions: u32,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("must be a number from 0.01 to 3600".into()),
    }
}

pub(super) fn run(catalog: &Catalog, arguments: &BenchArgs, words: &[&str]) -> Result<(), String> {
    if let Some(clients) = arguments.clients {
        return crowd(clients.into(), arguments, words);
    }
    let games = match &arguments.game {
        Some(game) => vec![catalog.game(game).map_err(|error| error.to_string())?],
        None => catalog.games().to_vec(),
    };
    let measure: fn(&GameKind, &BenchArgs, &[&str]) -> Result<Measured, String> = match arguments {
        BenchArgs { timekeeping: true, .. } => |game, arguments, _| timekeeping(game, arguments),
        BenchArgs { threads: Some(_), .. } => |game, arguments, _| Ok(threads(game, arguments)),
        BenchArgs { batch: true, .. } => batch,
        _ => |game, arguments, _| Ok(speed(game, arguments)),
    };
    let mut results = Map::new();
    for (index, game) in games.iter().enumerate() {
        let Measured { head, rows, json } = measure(game, arguments, words)?;
        if arguments.json {
            results.insert(game.id.into(), json);
        } else {
            if index == 0 {
                println!("{head}");
            }
            rows.iter().for_each(|row| println!("{row}"));
        }
    }
    if arguments.json {
        println!("{}", Value::Object(results));
    }
    Ok(())
}

/// How long a client waits before its next move: one like a fast program, one that does nothing
/// else.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::ZERO];

fn crowd(clients: usize, arguments: &BenchArgs, words: &[&str]) -> Result<(), String> {
    let ourselves = env::current_exe().map_err(|error| error.to_string())?;
    let time = Duration::from_secs_f64(arguments.seconds);
    for pause in PAUSES {
        let mut engine = Command::new(&ourselves);
        let crowd =
            bench::crowd(engine.args(words), clients, time, pause).map_err(|error| error.to_string())?;
        if arguments.json {
            println!("{}", json!(crowd));
            continue;
        }
        let Crowd { tables, plays, plays_per_s, median_ms, percentile_99_ms, watched, wrong, .. } = crowd;
        println!(
            "{clients} clients, {tables} tables, {} ms between a client's moves: {plays} moves, {plays_per_s:.0} a second, \
             there and back in {median_ms:.3} ms (median), {percentile_99_ms:.3} ms (99 in 100); {watched} watched, {wrong} of them wrong",
            pause.as_millis()
        );
    }
    Ok(())
}

/// What was measured of a game, for people and for programs.
struct Measured {
    head: String,
    rows: Vec<String>,
    json: Value,
}

fn speed(game: &GameKind, arguments: &BenchArgs) -> Measured {
    let speed = game.measure(Duration::from_secs_f64(arguments.seconds));
    let row = format!(
        "{:12} {:>14.0} {:>14.0} {:>14.0} {:>14.0}",
        game.id, speed.playouts_per_s, speed.actions_per_s, speed.perft_nodes_per_s, speed.search_nodes_per_s
    );
    let head = format!(
        "{:12} {:>14} {:>14} {:>14} {:>14}",
        "per second", "playouts", "actions", "perft nodes", "search nodes"
    );
    Measured { head, rows: vec![row], json: json!(speed) }
}

fn batch(game: &GameKind, arguments: &BenchArgs, words: &[&str]) -> Result<Measured, String> {
    let ourselves = env::current_exe().map_err(|error| error.to_string())?;
    let time = Duration::from_secs_f64(arguments.seconds);
    let mut engine = Command::new(ourselves);
    let piped = bench::piped(engine.args(words), game.id, &|seed| game.at_start(seed), time)
        .map_err(|error| error.to_string())?;
    let row = format!(
        "{:12} {:>14.0} {:>14.0} {:>14.0} {:>14.0} {:>14.0}",
        game.id,
        piped.evaluations_along_games_per_s,
        piped.evaluations_per_s,
        piped.playouts_per_s,
        piped.searches_per_s,
        piped.single_searches_per_s
    );
    let head = format!(
        "{:12} {:>14} {:>14} {:>14} {:>14} {:>14}",
        "per second", "along games", "one by one", "playouts", "searches", "by choose"
    );
    Ok(Measured { head, rows: vec![row], json: json!(piped) })
}

/// Those who mind the time, by name.
const TIMEKEEPERS: [(&str, Level, Option<u32>); 3] = [
    ("master", Level::Master, None),
    ("master@threads=1", Level::Master, Some(1)),
    ("uct", Level::Uct, None),
];

fn timekeeping(game: &GameKind, arguments: &BenchArgs) -> Result<Measured, String> {
    let times: String = TIMES_MS.iter().map(|time| format!(" {:>12}", format!("{time} ms"))).collect();
    let head = format!("{:12} {:16}{times} {:>12}", "ms late", "", "cancel");
    let (mut rows, mut json) = (Vec::new(), Map::new());
    for (name, level, threads) in TIMEKEEPERS {
        let latest = lateness(&|seed| game.at_start(seed), level, threads, arguments.positions)
            .map_err(|error| error.to_string())?;
        let times: String = latest.behind_time.iter().map(|late| format!(" {late:>12.1}")).collect();
        rows.push(format!("{:12} {name:16}{times} {:>12.1}", game.id, latest.behind_cancel));
        json.insert(name.into(), json!(latest));
    }
    Ok(Measured { head, rows, json: json.into() })
}

fn threads(game: &GameKind, arguments: &BenchArgs) -> Measured {
    let threads = arguments.threads.unwrap_or(1);
    let speed = thread_speed(&|seed| game.at_start(seed), threads, arguments.positions);
    let head = format!(
        "{:12} {:>14} {:>14} {:>14}",
        "nodes per s",
        "1 thread",
        format!("{threads} threads"),
        "times as many"
    );
    let row = format!(
        "{:12} {:>14.0} {:>14.0} {:>14.2}",
        game.id,
        speed.one_thread_nodes_per_s,
        speed.nodes_per_s,
        speed.nodes_per_s / speed.one_thread_nodes_per_s
    );
    Measured { head, rows: vec![row], json: json!(speed) }
}
