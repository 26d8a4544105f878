//! How hard a puzzle is: what finds a solution.

use std::sync::atomic::AtomicBool;

use tabuleiro_protocol::Limits;
use tabuleiro_protocol::puzzle::{Puzzle, SolvedBy};

use super::compose::Task;
use super::{Error, open};
use crate::catalog::Catalog;
use crate::search::{Control, Level, SearchRequest};
use crate::session::{Session, Snapshot};

/// The searches that are tried, by their nodes.
const NODES: [u64; 6] = [64, 256, 1_024, 4_096, 16_384, 65_536];

/// Says what finds a solution.
pub(super) fn solved_by(session: &Session, task: &Task, control: &mut Control<'_>) -> SolvedBy {
    let right: Vec<Snapshot> = task.solutions.iter().filter_map(|turn| after(session, turn)).collect();
    let mut finds = |request: &SearchRequest| {
        let choice = session.position().choose(request, control);
        after(session, &choice.actions).is_some_and(|snapshot| right.contains(&snapshot))
    };
    let nodes = NODES.into_iter().find(|&nodes| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        finds(&SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) })
    });
    let level = Level::ALL.into_iter().filter(is_asked).find(|&level| finds(&SearchRequest::new(level, 1)));
    SolvedBy { level: level.map(|level| level.id().into()), nodes }
}

/// The same puzzle, with what finds its solutions now and a grade by that.
pub fn regraded(catalog: &Catalog, puzzle: &Puzzle, stop: &AtomicBool) -> Result<Puzzle, Error> {
    let session = open(catalog, puzzle)?;
    let Puzzle { kind, turns, solutions, .. } = puzzle.clone();
    let task = Task { kind, turns, solutions };
    let solved_by = solved_by(&session, &task, &mut Control::until(stop));
    Ok(Puzzle { grade: grade(&solved_by, turns), solved_by, ..puzzle.clone() })
}

/// The position to which a turn leads, if it can be played.
pub(super) fn after(session: &Session, turn: &[String]) -> Option<Snapshot> {
    let mut session = session.alone();
    session.play_all(turn).ok()?;
    Some(session.position().snapshot())
}

/// How hard a puzzle is: one for every turn but the first, one more if the weakest level does not find
/// it, and one more if it takes a search more than so many nodes.
pub(super) fn grade(solved_by: &SolvedBy, turns: u32) -> u32 {
    const MANY_NODES: u64 = 256;
    let weakest = Level::ALL.into_iter().find(is_asked).map(Level::id);
    let is_easy = solved_by.level.as_deref() == weakest;
    let is_quick = solved_by.nodes.is_some_and(|nodes| nodes <= MANY_NODES);
    (turns.saturating_sub(1) + u32::from(!is_easy) + u32::from(!is_quick)).clamp(1, Puzzle::HARDEST)
}

/// Levels that play at random or by the clock are not asked.
fn is_asked(level: &Level) -> bool {
    !matches!(level, Level::Random | Level::Master | Level::Uct)
}
