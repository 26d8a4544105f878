//! Whoever plays without a person: a level of the engine's own or a bot. All who want a turn of one
//! ask here, so that nobody else need know which of the two it is.

mod computer_player;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tabuleiro_protocol::notice::BotFailure;
use tabuleiro_protocol::{Choice, Clock, Limits, Score, Seat, Stopped};

use crate::book::{self, BookMove};
pub use crate::bots::TakenTurn;
use crate::bots::{BotRequest, Bots, Failed};
use crate::search::{Control, Cost, Level, SearchRequest};
use crate::table::Table;

/// A level or a bot, and its limits. Written `greedy@nodes=200,depth=3`, `master@clock=60000+500`
/// or `bot:mine@time_ms=200`.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputerPlayer {
    who: Who,
    limits: Limits,
}

#[derive(Clone, Debug, PartialEq)]
enum Who {
    Level(Level),
    /// By its name.
    Bot(String),
}

/// Why a player has not taken its turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTurn {
    /// It was told to stop. Only a bot leaves its turn then: a level plays the best that it has
    /// found.
    #[error("nobody waits for it any more")]
    Stopped,
    #[error("{failed}")]
    BotFailed { name: String, failed: Failed },
    /// One of the engine's own has done what must never happen.
    #[error("{0}")]
    LevelFailed(Failed),
}

impl NoTurn {
    /// What kind of failure it is: levels share those of bots.
    pub fn why(&self) -> BotFailure {
        match self {
            NoTurn::Stopped => BotFailure::Crashed,
            NoTurn::BotFailed { failed, .. } | NoTurn::LevelFailed(failed) => failed.why,
        }
    }
}

/// Whose turn it is, if it is a computer player's, and the seed of that turn.
pub fn to_act(table: &Table) -> Option<(Seat, ComputerPlayer, u64)> {
    let (seat, player, seed) = table.to_act()?;
    Some((seat, ComputerPlayer::of_seat(player)?, seed))
}

impl ComputerPlayer {
    /// A level with the limits that make it what it is.
    pub fn level(level: Level) -> ComputerPlayer {
        ComputerPlayer { who: Who::Level(level), limits: Limits::default() }
    }

    /// What a turn at this table takes of the machine: that of a bot takes nothing of ours.
    pub fn cost(&self, table: &Table) -> Cost {
        match &self.who {
            Who::Level(level) => table.position().cost(&self.request(*level, 0)),
            Who::Bot(_) => Cost { brief: true, memory: 0 },
        }
    }

    fn request(&self, level: Level, seed: u64) -> SearchRequest {
        SearchRequest { level, limits: self.limits.clone(), seed, multi_pv: 1 }
    }

    /// The rest of the turn of the seat to move. The game must not be over, and a bot plays for a
    /// seat that is its own. The table stays as it is.
    pub fn take_turn(
        &self,
        table: &Table,
        seed: u64,
        bots: &Bots,
        control: &mut Control<'_>,
    ) -> Result<TakenTurn, NoTurn> {
        match &self.who {
            Who::Level(level) => {
                if let Some(choice) = self.by_the_book(*level, table, seed) {
                    return Ok(TakenTurn { choice, took: Duration::ZERO });
                }
                let request = self.request(*level, seed);
                level_turn(|| table.position().choose(&request, control))
            }
            Who::Bot(name) => {
                let request = BotRequest { name: name.clone(), limits: self.limits.clone(), seed };
                match bots.take_turn(table, &request, control.stop) {
                    Ok(Some(turn)) => Ok(turn),
                    Ok(None) => Err(NoTurn::Stopped),
                    Err(failed) => Err(NoTurn::BotFailed { name: request.name, failed }),
                }
            }
        }
    }

    /// What it plays without thinking, if it may: see [`Level::has_book`].
    fn by_the_book(&self, level: Level, table: &Table, seed: u64) -> Option<Choice> {
        if !level.has_book() || self.limits.book != Some(true) {
            return None;
        }
        let BookMove { actions, win } = book::look_up(table.session(), seed)?;
        let score = Score { win, proved: None };
        let pv = actions.clone();
        Some(Choice {
            actions,
            score,
            pv,
            depth: 0,
            nodes: 0,
            time_ms: 0,
            stopped: Stopped::Only,
            lines: Vec::new(),
        })
    }

    /// The same player as it plays with people: by its book, unless it was told not to.
    pub fn among_people(&self) -> ComputerPlayer {
        let mut player = self.clone();
        // A bot is told only what was said.
        if let Who::Level(_) = self.who {
            player.limits.book = self.limits.book.or(Some(true));
        }
        player
    }

    /// The same player with this time on its clock.
    pub fn with_clock(&self, clock: Option<Clock>) -> ComputerPlayer {
        ComputerPlayer { who: self.who.clone(), limits: Limits { clock, ..self.limits.clone() } }
    }
}

/// The turn of a level. A panic in one of our own must not take the others along.
fn level_turn(choose: impl FnOnce() -> Choice) -> Result<TakenTurn, NoTurn> {
    let began = Instant::now();
    let choice = catch_unwind(AssertUnwindSafe(choose));
    let took = began.elapsed();
    let failed = |why, detail: &str| NoTurn::LevelFailed(Failed { why, detail: detail.into() });
    match choice {
        Ok(choice) if choice.actions.is_empty() => {
            Err(failed(BotFailure::Illegal, "it gave an empty list of actions"))
        }
        Ok(choice) => Ok(TakenTurn { choice, took }),
        Err(_) => Err(failed(BotFailure::Crashed, "it broke down")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(actions: &[&str]) -> Choice {
        Choice {
            actions: actions.iter().copied().map(String::from).collect(),
            score: Score { win: 0.5, proved: None },
            pv: Vec::new(),
            depth: 0,
            nodes: 0,
            time_ms: 0,
            stopped: Stopped::Depth,
            lines: Vec::new(),
        }
    }

    #[test]
    fn a_level_that_panics_or_gives_nothing_has_failed() {
        let turn = level_turn(|| choice(&["w1"])).expect("a turn");
        assert_eq!(turn.choice.actions, ["w1"]);
        let failed = level_turn(|| choice(&[])).expect_err("no actions");
        assert_eq!(
            (failed.why(), failed.to_string().as_str()),
            (BotFailure::Illegal, "illegal: it gave an empty list of actions")
        );
        let failed = level_turn(|| panic!("a level that breaks down on purpose")).expect_err("a panic");
        assert_eq!(
            (failed.why(), failed.to_string().as_str()),
            (BotFailure::Crashed, "crashed: it broke down")
        );
    }
}
