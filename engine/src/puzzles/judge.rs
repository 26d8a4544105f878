//! Judges what somebody tries in a puzzle: by proof, so that every turn counts that solves it.

use tabuleiro_protocol::method::{Judged, PuzzleVerdict};
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleKind};
use tabuleiro_protocol::{Proof, Seat};

use super::compose::{stubborn_reply, usual_reply};
use super::grade::after;
use super::{Error, open};
use crate::catalog::Catalog;
use crate::search::{Control, Level, SearchRequest};
use crate::session::{GoOn, PlayError, Session};
use crate::solver::OutOfEffort;

/// How a puzzle stands after what was played in it.
pub(super) struct Standing {
    pub(super) session: Session,
    /// Who solves it.
    pub(super) seat: Seat,
    /// Whole turns that this seat has made.
    pub(super) turns: u32,
    /// Whether the turn of a seat has just ended, and whose it was.
    ended: Option<Seat>,
}

impl Standing {
    /// Plays what was played, by both.
    pub(super) fn new(catalog: &Catalog, puzzle: &Puzzle, played: &[String]) -> Result<Standing, Error> {
        let mut session = open(catalog, puzzle)?;
        let seat = session.position().to_move().unwrap_or(Seat::One);
        let (mut turns, mut ended) = (0, None);
        for (index, action) in played.iter().enumerate() {
            let mover = session.position().to_move();
            session.play_unseen(action).map_err(|why| PlayError { index, why })?;
            ended = mover.filter(|_| session.position().to_move() != mover);
            turns += u32::from(ended == Some(seat));
        }
        Ok(Standing { session, seat, turns, ended })
    }
}

/// What the last turn of a person's was worth: `played` are all actions since the puzzle began, of
/// both.
pub fn judge(
    catalog: &Catalog,
    puzzle: &Puzzle,
    played: &[String],
    go_on: GoOn<'_>,
) -> Result<Judged, Error> {
    let standing = Standing::new(catalog, puzzle, played)?;
    let left = puzzle.turns.saturating_sub(standing.turns);
    if standing.ended != Some(standing.seat) {
        return Ok(Judged::new(PuzzleVerdict::Unfinished, left, "The turn is not finished yet."));
    }
    let Standing { session, seat, turns, .. } = &standing;
    if let Some(outcome) = session.position().outcome() {
        let is_solved =
            outcome.winner == Some(*seat) || puzzle.kind == PuzzleKind::Defence && outcome.winner.is_none();
        return Ok(match is_solved {
            true => Judged::new(PuzzleVerdict::Solved, 0, SOLVED),
            false => Judged::new(PuzzleVerdict::Wrong, left, "That ends the game, and not as it should."),
        });
    }
    let proved = match puzzle.kind {
        PuzzleKind::Win => judge_win(session, left, go_on),
        PuzzleKind::Defence => judge_defence(session, left, go_on),
    };
    Ok(proved.unwrap_or_else(|OutOfEffort| {
        // What was proved before is known for the first turn.
        let begun = (*turns == 1).then(|| open(catalog, puzzle).ok()).flatten();
        let end = session.position().snapshot();
        let is_listed = begun.is_some_and(|begun| {
            puzzle.solutions.iter().any(|turn| after(&begun, turn).as_ref() == Some(&end))
        });
        match is_listed {
            true => Judged { reply: usual_reply(session), ..Judged::new(PuzzleVerdict::Right, left, RIGHT) },
            false => {
                Judged::new(PuzzleVerdict::Unknown, left, "Whether that is right was not found out in time.")
            }
        }
    }))
}

const SOLVED: &str = "Solved.";
const RIGHT: &str = "Right. Go on.";

/// The other side is to move, and the person has so many turns left to win.
fn judge_win(session: &Session, left: u32, go_on: GoOn<'_>) -> Result<Judged, OutOfEffort> {
    let position = session.position();
    let Some(refutation) = position.saving_turn(left, go_on)? else {
        let reply = stubborn_reply(session, left, go_on)?.unwrap_or_default();
        return Ok(Judged { reply, ..Judged::new(PuzzleVerdict::Right, left, RIGHT) });
    };
    let found = position.choose(&SearchRequest::new(Level::Club, 1), &mut Control::silent());
    if found.score.proved == Some(Proof::Loss) {
        return Ok(Judged::new(
            PuzzleVerdict::Slow,
            left,
            "That wins too, but not so soon. Look for something faster.",
        ));
    }
    Ok(Judged {
        reply: refutation,
        ..Judged::new(PuzzleVerdict::Wrong, left, "No: now the other side gets away.")
    })
}

/// The other side is to move, and the person has so many turns left to hold out.
fn judge_defence(session: &Session, left: u32, go_on: GoOn<'_>) -> Result<Judged, OutOfEffort> {
    if let Some((reply, turns)) = session.position().winning_turn(left + 1, go_on)? {
        let text = match turns {
            1 => "No: now the other side wins at once.".to_string(),
            _ => format!("No: now the other side wins in {turns} turns."),
        };
        return Ok(Judged { reply, ..Judged::new(PuzzleVerdict::Wrong, left, text) });
    }
    Ok(match left {
        0 => Judged::new(PuzzleVerdict::Solved, 0, SOLVED),
        _ => Judged { reply: usual_reply(session), ..Judged::new(PuzzleVerdict::Right, left, RIGHT) },
    })
}
