//! `solve`: lets a player solve positions with a forced win.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Deserialize;
use serde_json::{Map, Value};
use tabuleiro_files::Links;
use tabuleiro_protocol::shape::{self, Unknown};
use tabuleiro_protocol::{PerSeat, Proof, Start};

use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::players::ComputerPlayer;
use crate::search::Control;
use crate::table::Table;

/// Let one of the computer's players solve positions with a forced win
///
/// The file is a JSON array of positions, each with its start, its options if they are not the
/// usual ones, and its solution: the turns that win. Another turn solves it as well if the player
/// has proved that it wins.
#[derive(Debug, Args)]
pub(super) struct SolveArgs {
    game: String,
    /// A file such as engine/tests/forced_wins/zurero.json
    file: PathBuf,
    /// Who solves them: a level, with limits behind an @ as in a match
    #[arg(long, default_value = "master@time_ms=1000")]
    player: ComputerPlayer,
}

#[derive(Deserialize)]
struct ForcedWin {
    #[serde(default)]
    options: Map<String, Value>,
    start: Start,
    solution: Vec<Vec<String>>,
}

pub(super) fn run(catalog: &Catalog, arguments: &SolveArgs) -> Result<ExitCode, String> {
    let file = arguments.file.display();
    let text =
        tabuleiro_files::read_text(&arguments.file, Links::Followed).map_err(|error| error.to_string())?;
    let document = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
    let forced_wins: Vec<ForcedWin> =
        shape::read(document, Unknown::Ignored).map_err(|error| format!("{file}: {error}"))?;
    let game = arguments.game.to_lowercase();
    if arguments.player.bot().is_some() {
        return Err("--player: positions are solved by levels, not by bots".into());
    }
    let (count, mut solved) = (forced_wins.len(), 0);
    for (number, ForcedWin { options, start, solution }) in (1..).zip(forced_wins) {
        let table = catalog
            .open(&game, Some(&options), 0, Some(start))
            .map_err(|error| error.to_string())
            .and_then(|session| {
                Table::new(String::new(), session, PerSeat::default()).map_err(|error| error.to_string())
            })
            .map_err(|reason| format!("{file}, position {number}: {reason}"))?;
        if table.to_move().is_none() {
            return Err(format!("{file}, position {number}: the game is over"));
        }
        let control = &mut Control::silent();
        let turn = arguments.player.take_turn(&table, number, &Bots::default(), control);
        let choice = turn.map_err(|failed| format!("{file}, position {number}: {failed}"))?.choice;
        if solution.contains(&choice.actions) || choice.score.proved == Some(Proof::Win) {
            solved += 1;
        } else {
            println!("position {number}: {}", choice.actions.join(" "));
        }
    }
    let share = 100.0 * f64::from(solved) / count.max(1) as f64;
    println!("{game}: {} solved {solved} of {count} ({share:.1} %)", arguments.player);
    Ok(ExitCode::SUCCESS)
}
