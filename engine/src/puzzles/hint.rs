//! Hints, each of which says more than the one before.

use tabuleiro_protocol::method::Hinted;
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleKind};

use super::Error;
use super::judge::Standing;
use crate::catalog::Catalog;
use crate::session::GoOn;

/// How many hints there are.
const STEPS: u32 = 3;

/// A hint for what to play now: where to look, how to begin, and the whole turn. `played` are all
/// actions since the puzzle began, of both.
pub fn hint(
    catalog: &Catalog,
    puzzle: &Puzzle,
    played: &[String],
    step: u32,
    go_on: GoOn<'_>,
) -> Result<Hinted, Error> {
    let standing = Standing::new(catalog, puzzle, played)?;
    let position = standing.session.position();
    let none = |text: &str| Hinted {
        step: STEPS,
        of: STEPS,
        text: text.into(),
        cells: Vec::new(),
        actions: Vec::new(),
    };
    if position.to_move() != Some(standing.seat) {
        return Ok(none("It is not your turn."));
    }
    let left = puzzle.turns.saturating_sub(standing.turns);
    let turn = match puzzle.kind {
        _ if played.is_empty() => puzzle.line.first().cloned(),
        PuzzleKind::Win => position.winning_turn(left, go_on).ok().flatten().map(|(turn, _)| turn),
        PuzzleKind::Defence => position.saving_turn(left, go_on).ok().flatten(),
    };
    let Some(turn) = turn.filter(|turn| !turn.is_empty()) else {
        return Ok(none("There is no way left to solve it from here."));
    };
    let step = step.clamp(1, STEPS);
    let detail = position.details().into_iter().find(|detail| detail.action == turn[0]);
    let cells = detail.as_ref().map(|detail| detail.cells.clone()).unwrap_or_default();
    Ok(match step {
        1 => match cells.first() {
            Some(cell) => Hinted {
                step,
                of: STEPS,
                text: format!("Look at {cell}."),
                cells: vec![cell.clone()],
                actions: Vec::new(),
            },
            None => Hinted {
                step,
                of: STEPS,
                text: "It begins with something that touches no cell.".into(),
                cells,
                actions: Vec::new(),
            },
        },
        2 => Hinted {
            step,
            of: STEPS,
            text: detail.map_or_else(|| turn[0].clone(), |detail| detail.text),
            cells,
            actions: vec![turn[0].clone()],
        },
        _ => Hinted { step, of: STEPS, text: format!("Play {}.", turn.join(" ")), cells, actions: turn },
    })
}
