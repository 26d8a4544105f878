//! Somebody's own mistakes as puzzles: what could have been won or held, where that can be proved.

use tabuleiro_protocol::puzzle::Puzzle;

use super::compose::{Task, find_defence, find_win, line};
use super::grade::{grade, solved_by};
use super::mine::name_of;
use crate::catalog::Catalog;
use crate::search::Control;
use crate::session::GoOn;
use crate::solver::OutOfEffort;
use crate::table::Table;

/// More first turns than these are no puzzle.
const MOST_SOLUTIONS: usize = 6;

/// The puzzle where a table stands, at the beginning of a turn that was a mistake, if the solver can
/// prove one there. `source` says where it comes from.
pub fn mistake(
    catalog: &Catalog,
    table: &Table,
    source: &str,
    go_on: GoOn<'_>,
) -> Result<Option<Puzzle>, OutOfEffort> {
    let setup = table.session().setup();
    let Some(start) = table.position_as_start() else { return Ok(None) };
    let options = super::mine::options_of(catalog, setup);
    let Ok(session) = catalog.open(setup.game, Some(&options), 0, Some(start.clone())) else {
        return Ok(None);
    };
    if session.position().to_move().is_none() {
        return Ok(None);
    }
    let is_won = session.position().winning_turn(Puzzle::MOST_TURNS, go_on)?.is_some();
    let task = match is_won {
        true => find_win(&session, MOST_SOLUTIONS, Puzzle::MOST_TURNS, go_on)?,
        false => find_defence(&session, MOST_SOLUTIONS, Puzzle::MOST_TURNS, go_on)?,
    };
    let Some(task) = task else { return Ok(None) };
    let line = line(&session, &task, go_on)?;
    let solved_by = solved_by(&session, &task, &mut Control::silent());
    let Task { kind, turns, solutions } = task;
    Ok(Some(Puzzle {
        name: name_of(setup.game, kind, &start),
        game: setup.game.into(),
        options,
        start,
        kind,
        turns,
        solutions,
        line,
        grade: grade(&solved_by, turns),
        solved_by,
        source: source.into(),
    }))
}
