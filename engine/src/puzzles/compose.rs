//! What there is to find in a position: how many turns it takes, all that solves it, and what may
//! follow.

use tabuleiro_protocol::puzzle::{Puzzle, PuzzleKind};

use crate::search::{Control, Level, SearchRequest};
use crate::session::{GoOn, Session};
use crate::solver::OutOfEffort;

/// What is to be found, proved.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) kind: PuzzleKind,
    pub(super) turns: u32,
    pub(super) solutions: Vec<Vec<String>>,
}

type Proved<T> = Result<T, OutOfEffort>;

/// The shortest forced win of the seat to move, if it takes from two to so many turns and has no more
/// first turns than this.
pub(super) fn find_win(
    session: &Session,
    most: usize,
    most_turns: u32,
    go_on: GoOn<'_>,
) -> Proved<Option<Task>> {
    let position = session.position();
    let Some((_, turns)) = position.winning_turn(most_turns, go_on)? else { return Ok(None) };
    if turns < Puzzle::FEWEST_TURNS {
        return Ok(None);
    }
    let solutions = position.winning_turns(turns, most, go_on)?;
    Ok((solutions.len() <= most).then_some(Task { kind: PuzzleKind::Win, turns, solutions }))
}

/// The few turns of the seat to move after which the enemy has no forced win within so many turns,
/// while it has one after all others; if to see that takes a look at least two turns ahead.
pub(super) fn find_defence(
    session: &Session,
    most: usize,
    most_turns: u32,
    go_on: GoOn<'_>,
) -> Proved<Option<Task>> {
    let position = session.position();
    let mut before = usize::MAX;
    for turns in 1..=most_turns {
        let solutions = position.saving_turns(turns, most, go_on)?;
        let count = solutions.len();
        if count == 0 {
            return Ok(None);
        }
        if count <= most && turns >= Puzzle::FEWEST_TURNS {
            // Whoever looks less far must be able to go wrong.
            return Ok((count < before).then_some(Task { kind: PuzzleKind::Defence, turns, solutions }));
        }
        if count <= most {
            before = count;
        }
    }
    Ok(None)
}

/// The enemy's reply after which it lasts longest against a win in so many turns.
pub(super) fn stubborn_reply(session: &Session, turns: u32, go_on: GoOn<'_>) -> Proved<Option<Vec<String>>> {
    for lasts in (0..turns).rev() {
        if let Some(reply) = session.position().saving_turn(lasts, go_on)? {
            return Ok(Some(reply));
        }
    }
    Ok(None)
}

/// What an enemy plays who has no forced win.
pub(super) fn usual_reply(session: &Session) -> Vec<String> {
    let request = SearchRequest::new(Level::Novice, 1);
    session.position().choose(&request, &mut Control::silent()).actions
}

/// What may follow from a solution: turns of both.
pub(super) fn line(session: &Session, task: &Task, go_on: GoOn<'_>) -> Proved<Vec<Vec<String>>> {
    let mut session = session.alone();
    let mut line = Vec::new();
    let Some(first) = task.solutions.first() else { return Ok(line) };
    let mut own = Some(first.clone());
    for left in (0..task.turns).rev() {
        let Some(turn) = own.take() else { break };
        if !play(&mut session, turn, &mut line) {
            break;
        }
        if left == 0 {
            break;
        }
        let reply = match task.kind {
            PuzzleKind::Win => stubborn_reply(&session, left, go_on)?,
            PuzzleKind::Defence => Some(usual_reply(&session)),
        };
        let Some(reply) = reply else { break };
        if !play(&mut session, reply, &mut line) {
            break;
        }
        own = match task.kind {
            PuzzleKind::Win => session.position().winning_turn(left, go_on)?.map(|(turn, _)| turn),
            PuzzleKind::Defence => session.position().saving_turn(left, go_on)?,
        };
    }
    Ok(line)
}

/// Plays a turn and adds it to a line. `false` if the game is over then.
fn play(session: &mut Session, turn: Vec<String>, line: &mut Vec<Vec<String>>) -> bool {
    let is_played = session.play_all(&turn).is_ok();
    line.push(turn);
    is_played && session.position().to_move().is_some()
}
