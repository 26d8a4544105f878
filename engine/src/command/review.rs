//! `review`: looks through a saved game.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::thread;

use clap::Args;
use tabuleiro_files::Links;
use tabuleiro_protocol::{LevelRole, Limits};

use super::level;
use crate::catalog::Catalog;
use crate::review::report::{closing, line, look_through};
use crate::review::{self, Review, page};
use crate::search::{Level, SearchRequest};
use crate::table::record;

/// Look through a saved game: what every turn was worth, and what would have been better
#[derive(Debug, Args)]
pub(super) struct ReviewArgs {
    /// A record, a game that a window has saved, or a game as one line of text
    file: PathBuf,
    /// Look through what can be read of a damaged file
    #[arg(long)]
    readable: bool,
    /// How many nodes the search of every position has; with this the result is the same everywhere
    /// [default: 50000]
    #[arg(long, value_name = "N", conflicts_with = "time_ms", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many milliseconds it has instead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    time_ms: Option<u64>,
    /// Who judges
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Option<Level>,
    /// How many of the best turns are listed
    #[arg(long, value_name = "N", default_value_t = NonZero::new(review::LINES).expect("it is not 0"))]
    lines: NonZero<usize>,
    /// How many positions are searched at once [default: one for every core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
    /// Write a page with a graph, boards and the mistakes
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
}

pub(super) fn run(catalog: &Catalog, arguments: &ReviewArgs) -> Result<ExitCode, String> {
    let file = arguments.file.display();
    let text =
        tabuleiro_files::read_text(&arguments.file, Links::Followed).map_err(|error| error.to_string())?;
    let (table, damage) = record::load_saved_readable(catalog, String::new(), &text)
        .map_err(|error| format!("{file}: {error}"))?;
    for error in &damage {
        if !arguments.readable {
            return Err(format!("{file}: {error}. With --readable the rest is looked through"));
        }
        eprintln!("{file}: {error}");
    }
    let limits = Limits { nodes: arguments.nodes, time_ms: arguments.time_ms, ..Limits::default() };
    let usual = Limits { nodes: Some(review::NODES), ..Limits::default() };
    let request = SearchRequest {
        level: arguments.level.unwrap_or(Level::for_role(LevelRole::Analysis)),
        limits: if limits.end_a_search() { limits } else { usual },
        seed: 0,
        multi_pv: arguments.lines.get(),
    };
    let review = Review::new(&table, None, request).map_err(|error| format!("{file}: {error}"))?;
    let threads = arguments
        .threads
        .map_or_else(|| thread::available_parallelism().map_or(1, NonZero::get), NonZero::get);
    let says_all = !arguments.json;
    let reviewed = look_through(&review, threads, &AtomicBool::new(false), &|turn| {
        if says_all {
            println!("{}", line(turn));
        }
    });
    if arguments.json {
        let json = serde_json::to_string(&reviewed).map_err(|error| error.to_string())?;
        println!("{json}");
    } else {
        print!("{}", closing(&table, &reviewed));
    }
    if let Some(out) = &arguments.html {
        let kind = catalog.game(table.session().setup().game).map_err(|error| error.to_string())?;
        let page = page::page(kind.name, &(kind.drawn)(), &table, &reviewed);
        tabuleiro_files::write(out, page).map_err(|error| error.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}
