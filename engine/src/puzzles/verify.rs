//! Proves a puzzle again, in full.

use tabuleiro_protocol::puzzle::{Puzzle, PuzzleKind};

use super::grade::after;
use super::open;
use crate::catalog::Catalog;
use crate::session::{GoOn, Session};

/// What is wrong with a puzzle, if anything is: that its position is none, that something solves it
/// which is not listed or the other way round, that fewer turns are enough, or that its line breaks
/// off.
pub fn verify(catalog: &Catalog, puzzle: &Puzzle, go_on: GoOn<'_>) -> Result<(), String> {
    let session = open(catalog, puzzle).map_err(|error| error.to_string())?;
    let effort = |error: crate::solver::OutOfEffort| error.to_string();
    let position = session.position();
    let (turns, kind) = (puzzle.turns, puzzle.kind);
    let found = match kind {
        PuzzleKind::Win => position.winning_turns(turns, usize::MAX, go_on),
        PuzzleKind::Defence => position.saving_turns(turns, usize::MAX, go_on),
    };
    let found = found.map_err(effort)?;
    let mut ends = Vec::new();
    for turn in &puzzle.solutions {
        let end = after(&session, turn).ok_or_else(|| format!("solution {turn:?} cannot be played"))?;
        ends.push(end);
    }
    let found_ends: Vec<_> = found.iter().filter_map(|turn| after(&session, turn)).collect();
    if let Some(place) = ends.iter().position(|end| !found_ends.contains(end)) {
        return Err(format!("{:?} is no solution", puzzle.solutions[place]));
    }
    if let Some(place) = found_ends.iter().position(|end| !ends.contains(end)) {
        return Err(format!("{:?} is a solution and not listed", found[place]));
    }
    let fewer = turns - 1;
    let is_shorter = match kind {
        PuzzleKind::Win => position.winning_turn(fewer, go_on).map_err(effort)?.is_some(),
        PuzzleKind::Defence => {
            position.saving_turns(fewer, found.len(), go_on).map_err(effort)?.len() <= found.len()
        }
    };
    if is_shorter {
        return Err(format!("{fewer} turns are enough"));
    }
    check_line(session, puzzle, go_on)
}

/// The line must be played by the rules, keep to the solution, and lead to the end.
fn check_line(mut session: Session, puzzle: &Puzzle, go_on: GoOn<'_>) -> Result<(), String> {
    let seat = session.position().to_move();
    let mut own = 0;
    for turn in &puzzle.line {
        let mover = session.position().to_move();
        session.play_all(turn).map_err(|error| format!("line: {turn:?}: {error}"))?;
        let to_move = session.position().to_move();
        if mover.is_none() || to_move == mover {
            return Err(format!("line: {turn:?} is not a whole turn"));
        }
        if mover != seat {
            continue;
        }
        own += 1;
        let left = puzzle.turns - own.min(puzzle.turns);
        let holds = match (to_move, puzzle.kind) {
            (None, _) => session.position().outcome().is_some_and(|outcome| outcome.winner == seat),
            (Some(_), PuzzleKind::Win) => {
                left > 0 && session.position().saving_turn(left, go_on).map_err(|e| e.to_string())?.is_none()
            }
            (Some(_), PuzzleKind::Defence) => {
                session.position().winning_turn(left + 1, go_on).map_err(|e| e.to_string())?.is_none()
            }
        };
        if !holds {
            return Err(format!("line: {turn:?} is wrong"));
        }
    }
    let is_over = session.position().to_move().is_none();
    let is_whole = match puzzle.kind {
        PuzzleKind::Win => is_over && own == puzzle.turns,
        PuzzleKind::Defence => is_over || own == puzzle.turns,
    };
    if is_whole { Ok(()) } else { Err("line: it breaks off".into()) }
}
