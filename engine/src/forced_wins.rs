//! Positions with a long forced win, found in games that the computer plays against itself.
//!
//! What is claimed is proved (see [`crate::solver`]): that the seat to move wins within so many
//! turns by these first turns, and that it does not within so many whatever it plays. To list all
//! first turns that win would take too long, so there may be others.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tabuleiro_protocol::{Limits, PerSeat, Proof, Start};

use crate::catalog::{Catalog, GameKind};
use crate::puzzles::within;
use crate::random::Random;
use crate::search::{Control, Level, SearchRequest};
use crate::session::Position;
use crate::solver::{ForcedWin, OutOfEffort, Shortest};
use crate::table::Table;

/// A position in which the seat to move wins, whatever the enemy does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForcedWinPosition {
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    pub start: Start,
    /// How many turns of its own the winner needs at most; 0 where nobody has said it.
    #[serde(default)]
    pub turns: u32,
    /// In so many it certainly does not win.
    #[serde(default)]
    pub not_within: u32,
    /// First turns that win.
    pub solution: Vec<Vec<String>>,
    /// The game that it is from, by the seed of the search for such positions and its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<(u64, u64)>,
}

/// What to look for.
#[derive(Clone, Debug)]
pub struct Plan {
    pub game: GameKind,
    pub options: Map<String, Value>,
    pub seed: u64,
    /// How many nodes every turn of the games has.
    pub nodes: u64,
    /// How many positions may be looked at to prove a win.
    pub effort: u64,
    /// The same to prove that there is no shorter one.
    pub effort_against: u64,
    /// How many turns of its own the winner needs.
    pub fewest_turns: u32,
    pub most_turns: u32,
    /// It certainly does not win in so many.
    pub not_within: u32,
    /// How many replies that do not lose at once a turn may leave the enemy.
    pub replies: usize,
    /// Whether games begin with an endgame drawn by lot, where a game can do that.
    pub endgames: bool,
}

/// Turns that are drawn by lot at the start of a game, so that no two are alike.
const RANDOM_TURNS: (u32, u32) = (2, 7);

/// Games that take longer are left.
const LONGEST_GAME: usize = 160;

/// How many turns of the winner before the first one in which a search proved the win are looked
/// at.
const TURNS_BEFORE: usize = 2;

/// With fewer first actions to choose from there is nothing to find.
const FEWEST_CHOICES: usize = 6;

/// Plays a game and gives the longest forced win found in it, if there is one that is wanted. The
/// game depends on the seed and its number alone. `None` if it was told to stop.
pub fn in_game(plan: &Plan, number: u64, stop: &AtomicBool) -> Option<Option<ForcedWinPosition>> {
    let mut random = Random::new(plan.seed.wrapping_mul(1_000_003).wrapping_add(number));
    let endgame = plan.endgames.then(|| plan.game.endgame(&plan.options, &mut random)).flatten();
    let random_turns = match endgame {
        Some(_) => 0,
        None => RANDOM_TURNS.0 + random.below(RANDOM_TURNS.1 - RANDOM_TURNS.0 + 1),
    };
    let session = plan.game.open(Some(&plan.options), random.next_seed(), endgame).ok()?;
    let mut table = Table::new(String::new(), session, PerSeat::default()).ok()?;
    let mut begun: Vec<Table> = Vec::new();
    for turn in 0..LONGEST_GAME {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if table.to_move().is_none() {
            break;
        }
        let level = if (turn as u32) < random_turns { Level::Random } else { Level::Novice };
        let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
        let request = SearchRequest { limits, ..SearchRequest::new(level, random.next_seed()) };
        let choice = table.position().choose(&request, &mut Control::until(stop));
        begun.push(table.clone());
        if choice.score.proved == Some(Proof::Win) {
            break;
        }
        table.play(&choice.actions, None, PerSeat { one: true, two: true }).ok()?;
    }
    let winner = begun.last().and_then(Table::to_move);
    let own = begun.iter().rev().filter(|table| table.to_move() == winner);
    let mut longest: Option<ForcedWinPosition> = None;
    for table in own.take(1 + TURNS_BEFORE) {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let found = table.position_as_start().and_then(|start| look(plan, start, number, stop));
        let before = longest.as_ref().map_or(0, |longest| longest.turns);
        longest = found.filter(|found| found.turns > before).or(longest);
    }
    Some(longest)
}

/// The forced win in a position, if it is one that is wanted.
fn look(plan: &Plan, start: Start, number: u64, stop: &AtomicBool) -> Option<ForcedWinPosition> {
    let session = plan.game.open(Some(&plan.options), 0, Some(start.clone())).ok()?;
    let position = session.position();
    if position.to_move().is_none() || position.actions().len() < FEWEST_CHOICES {
        return None;
    }
    let go_on = &mut within(plan.effort, stop);
    let ForcedWin { turns, first } = position.forced_win(plan.most_turns, plan.replies, go_on).ok()??;
    if turns < plan.fewest_turns {
        return None;
    }
    let not_within = not_within(position, turns - 1, &mut within(plan.effort_against, stop))?;
    (not_within >= plan.not_within).then(|| ForcedWinPosition {
        options: plan.options.clone(),
        start,
        turns,
        not_within,
        solution: first,
        from: Some((plan.seed, number)),
    })
}

/// In how many turns the seat to move does not win; `None` if it does.
fn not_within(position: &dyn Position, turns: u32, go_on: &mut dyn FnMut() -> bool) -> Option<u32> {
    match position.shortest_win(turns, go_on) {
        Shortest::WinsIn(_) => None,
        Shortest::NotWithin(turns) => Some(turns),
    }
}

/// Proves a position again. What is wrong with it, if anything is.
pub fn prove(
    catalog: &Catalog,
    game: &str,
    claimed: &ForcedWinPosition,
    replies: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), String> {
    let session = catalog
        .open(game, Some(&claimed.options), 0, Some(claimed.start.clone()))
        .map_err(|error| error.to_string())?;
    let position = session.position();
    if position.to_move().is_none() {
        return Err("the game is over".into());
    }
    let found = position.forced_win(claimed.turns, replies, go_on).map_err(|error| error.to_string())?;
    let Some(ForcedWin { first, .. }) = found else {
        return Err(format!("no win in {} turns was found", claimed.turns));
    };
    if let Some(turn) = claimed.solution.iter().find(|turn| !first.contains(turn)) {
        return Err(format!("it is not proved that {turn:?} wins"));
    }
    if claimed.solution.is_empty() {
        return Err("it has no solution".into());
    }
    match position.shortest_win(claimed.not_within, go_on) {
        Shortest::WinsIn(turns) => Err(format!("{turns} turns are enough")),
        Shortest::NotWithin(turns) if turns < claimed.not_within => Err(OutOfEffort.to_string()),
        Shortest::NotWithin(_) => Ok(()),
    }
}
