//! `solve`: lets a player solve positions with a forced win.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use parking_lot::Mutex;
use tabuleiro_protocol::{PerSeat, Player, Proof, Verdict};

use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::forced_wins::ForcedWinPosition;
use crate::players::ComputerPlayer;
use crate::review::{self, News, Review};
use crate::search::{Control, Level, SearchRequest};
use crate::session::ROOT;
use crate::table::{self, Table, level_by_id};

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
    /// Instead, play so many other turns in every position, and count which of them a review by this
    /// player calls a blunder or a missed win
    #[arg(long, value_name = "N")]
    thrown_away: Option<usize>,
}

pub(super) fn run(catalog: &Catalog, arguments: &SolveArgs) -> Result<ExitCode, String> {
    let file = arguments.file.display();
    let forced_wins = super::forced_wins::read(&arguments.file)?;
    let game = arguments.game.to_lowercase();
    if arguments.player.bot().is_some() {
        return Err("--player: positions are solved by levels, not by bots".into());
    }
    let (count, mut solved) = (forced_wins.len(), 0);
    let mut thrown_away = ThrownAway::default();
    for (number, ForcedWinPosition { options, start, solution, .. }) in (1..).zip(forced_wins) {
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
        if let Some(most) = arguments.thrown_away {
            thrown_away.add(table, &solution, most, &arguments.player).map_err(|error| error.to_string())?;
            continue;
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
    if arguments.thrown_away.is_some() {
        println!("{game}: {} {thrown_away}", arguments.player);
        return Ok(ExitCode::SUCCESS);
    }
    let share = 100.0 * f64::from(solved) / count.max(1) as f64;
    println!("{game}: {} solved {solved} of {count} ({share:.1} %)", arguments.player);
    Ok(ExitCode::SUCCESS)
}

/// What a review thinks of turns that throw a win away.
#[derive(Default)]
struct ThrownAway {
    /// Proved to win as well.
    won: u32,
    /// Called a blunder or a missed win.
    called: u32,
    /// Neither.
    missed: u32,
}

impl ThrownAway {
    /// Plays turns that are no solution, and reviews each.
    fn add(
        &mut self,
        mut table: Table,
        solution: &[Vec<String>],
        most: usize,
        player: &ComputerPlayer,
    ) -> Result<(), table::Error> {
        let Player::Ai { level, limits } = player.player() else { return Ok(()) };
        let request = SearchRequest {
            level: level_by_id(&level, "player")?,
            limits: limits.unwrap_or_default(),
            seed: 0,
            multi_pv: review::LINES,
        };
        let mut turns: Vec<Vec<String>> = Vec::new();
        for seed in 0..20 * most as u64 {
            let random = SearchRequest::new(Level::Random, seed);
            let turn = table.position().choose(&random, &mut Control::silent()).actions;
            if turns.len() < most && !solution.contains(&turn) && !turns.contains(&turn) {
                turns.push(turn);
            }
        }
        for turn in turns {
            table.go_to(ROOT)?;
            table.play(&turn, None, PerSeat { one: true, two: true })?;
            let review = Review::new(&table, None, request.clone())?;
            // What the position is worth need be found once.
            let found = Mutex::new(None);
            review.take_part(Control::silent().stop, || true, &|news| {
                if let News::Position { node: ROOT, evaluation } = news {
                    *found.lock() = Some(*evaluation);
                }
            });
            if let Some(evaluation) = found.into_inner() {
                table.evaluate(ROOT, evaluation)?;
            }
            for judged in review.result(Duration::ZERO).turns {
                match judged.verdict {
                    _ if judged.after.proved == Some(Proof::Win) => self.won += 1,
                    Verdict::Blunder | Verdict::MissedWin => self.called += 1,
                    _ => self.missed += 1,
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for ThrownAway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ThrownAway { won, called, missed } = self;
        let all = called + missed;
        let share = 100.0 * f64::from(*called) / f64::from(all.max(1));
        write!(
            f,
            "called {called} of {all} turns that threw a win away a blunder or a missed win ({share:.1} %); "
        )?;
        write!(f, "{won} more turns win as well")
    }
}
