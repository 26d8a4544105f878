//! `book`: opening books, made by self-play and shown as a table.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::{Args, Subcommand};
use tabuleiro_files::Links;

use super::options;
use super::puzzles::stopped_by_ctrl_c;
use crate::book::{self, Plan};
use crate::catalog::Catalog;
use crate::game::Book;

/// Opening books: what expert and master play at tables without thinking
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    Make(MakeArgs),
    Show(ShowArgs),
}

/// Make a book by self-play, or go on with one
///
/// The file is written after every position, and the same command goes on where it was stopped.
#[derive(Debug, Args)]
struct MakeArgs {
    game: String,
    file: PathBuf,
    /// The game's options, as {"size":9}
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// How many games it shall be made of in the end
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many nodes every position is searched with
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// For how many turns at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=20))]
    lines: u8,
    /// In how many turns of a game positions are added
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=100))]
    turns: u16,
    /// How many nodes every later turn has
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    play_nodes: u64,
    /// A turn is played if its chance is no worse than that of the best by so many thousandths
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(..=1000))]
    margin: u16,
    /// A turn is looked into if its chance is no worse than that of the best by so many thousandths
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u16).range(..=1000))]
    wide: u16,
    /// Add no position to a file of so many KiB
    #[arg(long, value_name = "KIB", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    most_kib: u16,
}

/// Show a book as an opening table
///
/// Behind every turn stand how likely it wins for the one who plays it, and how its games ended.
/// The computer plays none with a question mark.
#[derive(Debug, Args)]
struct ShowArgs {
    game: String,
    /// A book of your own [default: the one that the game comes with]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The game's options, as {"size":9} [default: those of the book]
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// How many turns deep
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=100))]
    depth: u16,
}

pub(super) fn run(catalog: &Catalog, arguments: &BookArgs) -> Result<ExitCode, String> {
    match &arguments.command {
        BookCommand::Make(arguments) => make(catalog, arguments),
        BookCommand::Show(arguments) => show(catalog, arguments),
    }
}

fn read(path: &Path) -> Result<Book, String> {
    let text = tabuleiro_files::read_text(path, Links::Followed).map_err(|error| error.to_string())?;
    Book::read(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn make(catalog: &Catalog, arguments: &MakeArgs) -> Result<ExitCode, String> {
    let path = &arguments.file;
    let plan = Plan {
        game: catalog.game(&arguments.game.to_lowercase()).map_err(|error| error.to_string())?,
        options: options(arguments.options.as_deref())?.unwrap_or_default(),
        seed: arguments.seed,
        nodes: arguments.nodes,
        lines: usize::from(arguments.lines),
        turns: usize::from(arguments.turns),
        play_nodes: arguments.play_nodes,
        margin: i32::from(arguments.margin),
        wide: i32::from(arguments.wide),
        most_bytes: usize::from(arguments.most_kib) << 10,
    };
    let mut made = match path.exists() {
        true => read(path)?,
        false => book::begin(&plan).map_err(|error| error.to_string())?,
    };
    let stop = stopped_by_ctrl_c()?;
    let began = Instant::now();
    let mut trouble = None;
    while made.head.games < arguments.games && trouble.is_none() {
        let mut keep = |book: &Book| {
            if let Err(error) = tabuleiro_files::write(path, book.write()) {
                trouble = Some(error.to_string());
            }
        };
        let goes_on = book::go_on(&plan, &mut made, &stop, &mut keep)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        if !goes_on {
            break;
        }
        let (games, positions) = (made.head.games, made.positions.len());
        let seconds = began.elapsed().as_secs_f64();
        eprintln!("{games} of {} games, {positions} positions, {seconds:.0} s", arguments.games);
    }
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    if stop.load(Ordering::Relaxed) {
        eprintln!("stopped after {} of {} games; the same command goes on", made.head.games, arguments.games);
    }
    Ok(ExitCode::SUCCESS)
}

fn show(catalog: &Catalog, arguments: &ShowArgs) -> Result<ExitCode, String> {
    let game = catalog.game(&arguments.game.to_lowercase()).map_err(|error| error.to_string())?;
    let given = options(arguments.options.as_deref())?;
    let of_file = arguments.file.as_deref().map(read).transpose()?;
    let options = given.or_else(|| of_file.as_ref().map(|book| book.head.options.clone()));
    let start = game.open(options.as_ref(), 0, None).map_err(|error| error.to_string())?;
    let shown = match of_file.as_ref().or_else(|| start.position().book()) {
        Some(found) if book::is_for(found, &start) => book::show(found, &start, usize::from(arguments.depth)),
        Some(_) => return Err("the book is for another game or for other options".into()),
        None => return Err(format!("there is no book for {} with these options", game.name)),
    };
    print!("{shown}");
    Ok(ExitCode::SUCCESS)
}
