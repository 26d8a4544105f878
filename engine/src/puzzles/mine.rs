//! Finds puzzles in games that the computer plays against itself.
//!
//! Every game depends on the seed and its number alone, so that whoever goes on where somebody
//! stopped finds the same.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleKind};
use tabuleiro_protocol::{Limits, PerSeat, Proof, Start};

use super::compose::{Task, find_defence, find_win, line};
use super::grade::{grade, solved_by};
use super::within;
use crate::catalog::{Catalog, GameKind};
use crate::random::Random;
use crate::search::{Control, Level, SearchRequest};
use crate::session::{Session, Setup};
use crate::solver::OutOfEffort;
use crate::table::Table;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Plan {
    pub game: GameKind,
    pub options: Map<String, Value>,
    pub seed: u64,
    /// How many nodes every turn of the games has.
    pub nodes: u64,
    /// How many positions the solver may look at for a puzzle.
    pub effort: u64,
    /// A puzzle has no more first turns that solve it.
    pub most_solutions: usize,
    /// A puzzle takes at least so many turns.
    pub fewest_turns: u32,
    /// Whether games begin with an endgame drawn by lot, where a game can do that.
    pub endgames: bool,
}

/// Plays games and looks for puzzles in them.
#[derive(Debug)]
pub struct Miner {
    plan: Plan,
}

/// Turns that are drawn by lot at the start of a game, so that no two are alike.
const RANDOM_TURNS: (u32, u32) = (2, 7);

/// Games that take longer are left.
const LONGEST_GAME: usize = 160;

/// The same for games from an endgame: after more turns the pieces are far apart, and proofs take long.
const LONGEST_ENDGAME: usize = 8;

/// With fewer turns to choose from there is nothing to find.
const FEWEST_CHOICES: usize = 6;

impl Miner {
    pub fn new(plan: Plan) -> Miner {
        Miner { plan }
    }

    /// Plays a game and gives the puzzles found in it, one of each kind that is wanted at most.
    /// `None` if it was told to stop.
    pub fn game(&self, number: u64, kinds: &[PuzzleKind], stop: &AtomicBool) -> Option<Vec<Puzzle>> {
        let Plan { game, options, seed, nodes, effort, fewest_turns, .. } = &self.plan;
        let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let endgame = self.plan.endgames.then(|| game.endgame(options, &mut random)).flatten();
        let from_endgame = endgame.is_some();
        let session = game.open(Some(options), random.next_seed(), endgame).ok()?;
        let mut table = Table::new(String::new(), session, PerSeat::default()).ok()?;
        let (fewest, most) = RANDOM_TURNS;
        let random_turns = if from_endgame { 0 } else { fewest + random.below(most - fewest + 1) };
        let longest = if from_endgame { LONGEST_ENDGAME } else { LONGEST_GAME };
        // More turns than the fewest would take too long to prove where endgames are drawn.
        let most_turns = if from_endgame { *fewest_turns } else { Puzzle::MOST_TURNS };
        // A long win is cut shorter now and then, so that there are puzzles of every length.
        let turns_to_win = fewest_turns + random.below(most_turns - fewest_turns + 1);
        let mut found: Vec<Puzzle> = Vec::new();
        // Where every turn began, and the turn.
        let mut begun: Vec<(Table, Vec<String>)> = Vec::new();
        for turn in 0..longest {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if table.to_move().is_none() || kinds.iter().all(|kind| has(&found, *kind)) {
                break;
            }
            let is_random = (turn as u32) < random_turns;
            let limits = Limits { nodes: Some(*nodes), ..Limits::default() };
            let request = match is_random {
                true => SearchRequest::new(Level::Random, random.next_seed()),
                false => {
                    SearchRequest { level: Level::Novice, limits, seed: random.next_seed(), multi_pv: 2 }
                }
            };
            let choice = table.position().choose(&request, &mut Control::until(stop));
            let second = choice.lines.get(1).and_then(|line| line.score.proved);
            let (kind, turns) = match (choice.score.proved, second) {
                (Some(Proof::Win), _) => (PuzzleKind::Win, turns_to_win),
                (None | Some(Proof::Draw), Some(Proof::Loss)) => (PuzzleKind::Defence, most_turns),
                // A search that looks at two turns need not have met one that loses.
                _ => (PuzzleKind::Defence, Puzzle::FEWEST_TURNS),
            };
            // What was drawn by lot was not played.
            let is_played = !is_random && (turn > 0 || !from_endgame);
            if is_played && turns >= *fewest_turns && kinds.contains(&kind) && !has(&found, kind) {
                let is_guess = kind == PuzzleKind::Defence && turns == Puzzle::FEWEST_TURNS;
                let effort = if is_guess { effort / 10 } else { *effort };
                let look = self.look(&table, kind, turns, stop, effort);
                found.extend(look.ok().flatten());
            }
            begun.push((table.clone(), choice.actions.clone()));
            table.play(&choice.actions, None, PerSeat { one: true, two: true }).ok()?;
        }
        let is_short = *fewest_turns == Puzzle::FEWEST_TURNS;
        if is_short && kinds.contains(&PuzzleKind::Win) && !has(&found, PuzzleKind::Win) {
            found.extend(self.look_back(&table, &begun[usize::from(from_endgame)..], stop));
        }
        let from = if from_endgame { " from an endgame drawn by lot" } else { "" };
        let source = format!("self-play{from}, seed {seed}, game {number}");
        found.iter_mut().for_each(|puzzle| puzzle.source.clone_from(&source));
        if stop.load(Ordering::Relaxed) { None } else { Some(found) }
    }

    /// A win that no search has seen coming: the turn before the last one of the winner's left the
    /// other no way out.
    fn look_back(&self, end: &Table, begun: &[(Table, Vec<String>)], stop: &AtomicBool) -> Option<Puzzle> {
        let winner = end.position().outcome()?.winner?;
        let mut own = begun.iter().rev().filter(|(table, _)| table.to_move() == Some(winner));
        let (before, turn) = own.nth(1)?;
        let mut after = before.session().alone();
        after.play_all(turn).ok()?;
        after.position().to_move()?;
        let go_on = &mut within(self.plan.effort / 10, stop);
        let is_forced = after.position().saving_turn(1, go_on).ok()?.is_none();
        let look = || self.look(before, PuzzleKind::Win, Puzzle::FEWEST_TURNS, stop, self.plan.effort).ok();
        if is_forced { look().flatten() } else { None }
    }

    /// The puzzle of a kind where a table stands, if there is one.
    fn look(
        &self,
        table: &Table,
        kind: PuzzleKind,
        most_turns: u32,
        stop: &AtomicBool,
        effort: u64,
    ) -> Result<Option<Puzzle>, OutOfEffort> {
        match table.position_as_start() {
            Some(start) => self.look_at(start, kind, most_turns, stop, effort),
            None => Ok(None),
        }
    }

    fn look_at(
        &self,
        start: Start,
        kind: PuzzleKind,
        most_turns: u32,
        stop: &AtomicBool,
        effort: u64,
    ) -> Result<Option<Puzzle>, OutOfEffort> {
        let Plan { game, options, most_solutions, .. } = &self.plan;
        let Ok(session) = game.open(Some(options), 0, Some(start.clone())) else { return Ok(None) };
        if session.position().to_move().is_none() || session.position().actions().len() < FEWEST_CHOICES {
            return Ok(None);
        }
        let go_on = &mut within(effort, stop);
        let task = match kind {
            PuzzleKind::Win => find_win(&session, *most_solutions, most_turns, go_on)?,
            PuzzleKind::Defence => find_defence(&session, *most_solutions, most_turns, go_on)?,
        };
        let Some(task) = task else { return Ok(None) };
        if task.turns < self.plan.fewest_turns || task.solutions.iter().any(|turn| is_waiting(&session, turn))
        {
            return Ok(None);
        }
        if kind == PuzzleKind::Defence && !self.holds(&session, &task, stop) {
            return Ok(None);
        }
        let line = line(&session, &task, go_on)?;
        let solved_by = solved_by(&session, &task, &mut Control::until(stop));
        let Task { kind, turns, solutions } = task;
        Ok(Some(Puzzle {
            name: name_of(game.id, kind, &start),
            game: game.id.into(),
            options: options.clone(),
            start,
            kind,
            turns,
            solutions,
            line,
            grade: grade(&solved_by, turns),
            solved_by,
            source: String::new(),
        }))
    }

    /// Whether a defence is worth finding: a search that looks further sees no loss after it.
    fn holds(&self, session: &Session, task: &Task, stop: &AtomicBool) -> bool {
        task.solutions.iter().any(|turn| {
            let mut after = session.alone();
            let is_played = after.play_all(turn).is_ok() && after.position().to_move().is_some();
            let request = SearchRequest::new(Level::Club, 1);
            let choice = is_played.then(|| after.position().choose(&request, &mut Control::until(stop)));
            choice.is_some_and(|choice| choice.score.proved != Some(Proof::Win))
        })
    }

    /// Whether a puzzle is nearly the same as another one: the same to do, on a board that differs in
    /// a few cells only.
    pub fn is_alike(one: &Puzzle, other: &Puzzle) -> bool {
        const FEW: usize = 4;
        let cells = |puzzle: &Puzzle| -> Vec<String> {
            puzzle.start.rows.iter().flat_map(|row| row.split(' ')).map(String::from).collect()
        };
        let (these, those) = (cells(one), cells(other));
        let differing = these.iter().zip(&those).filter(|(this, that)| this != that).count();
        one.game == other.game && one.kind == other.kind && these.len() == those.len() && differing <= FEW
    }
}

/// Whether a turn touches no cell, as a pass does. Where that is enough there is nothing to find.
fn is_waiting(session: &Session, turn: &[String]) -> bool {
    let details = session.position().details();
    let touches =
        |action: &String| details.iter().any(|detail| detail.action == *action && !detail.cells.is_empty());
    turn.first().is_some_and(|first| !touches(first))
}

fn has(found: &[Puzzle], kind: PuzzleKind) -> bool {
    found.iter().any(|puzzle| puzzle.kind == kind)
}

/// The options of a game that are not at their defaults.
pub(super) fn options_of(catalog: &Catalog, setup: &Setup) -> Map<String, Value> {
    let usual = catalog.game(setup.game).ok().and_then(|game| game.check_options(&Map::new()).ok());
    let is_usual = |name: &str, value: &Value| {
        usual.as_ref().and_then(|usual| usual.values().get(name)).is_some_and(|usual| json!(usual) == *value)
    };
    let all = setup.options.values().iter().map(|(name, value)| (name.clone(), json!(value)));
    all.filter(|(name, value)| !is_usual(name, value)).collect()
}

/// A name that says what a puzzle is, and that only this position has.
pub(super) fn name_of(game: &str, kind: PuzzleKind, start: &Start) -> String {
    // FNV-1a, so that a name is the same for ever.
    let text = json!(start).to_string();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    let kind = match kind {
        PuzzleKind::Win => "win",
        PuzzleKind::Defence => "defence",
    };
    format!("{game}-{kind}-{:08x}", (hash ^ hash >> 32) as u32)
}
