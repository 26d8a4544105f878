//! Puzzles: which there are, and what is tried in them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tabuleiro_protocol::ErrorObject;
use tabuleiro_protocol::method::{
    FindMistakes, GetPuzzle, GetPuzzles, Hint, Judge, MistakePuzzle, Mistakes, PuzzleFound, PuzzleList,
};

use super::{Call, Handled};
use crate::puzzles::{self, Wanted, within};
use crate::search::Cost;
use crate::server::{Server, wire_error};

/// What a proof takes at most for what it remembers of positions.
const PROOF: Cost = Cost { brief: true, memory: 64 << 20 };

impl Server {
    pub(super) fn puzzles(&self, call: Call<'_, GetPuzzles>, params: GetPuzzles) -> Handled {
        let GetPuzzles { game, grade, kind, day } = params;
        if let Some(game) = &game {
            self.catalog.game(game)?;
        }
        let wanted = Wanted { game, grade, kind };
        let puzzles: Vec<_> =
            puzzles::shipped(&self.catalog).into_iter().filter(|puzzle| wanted.takes(puzzle)).collect();
        let of_the_day = day.and_then(|day| puzzles::puzzle_of_the_day(&puzzles, day));
        call.answer(PuzzleList {
            of_the_day: of_the_day.map(|puzzle| puzzle.name.clone()),
            puzzles: puzzles.iter().map(|puzzle| puzzle.info()).collect(),
        })
    }

    pub(super) fn puzzle(&self, call: Call<'_, GetPuzzle>, params: GetPuzzle) -> Handled {
        let found = puzzles::shipped(&self.catalog).into_iter().find(|puzzle| puzzle.name == params.name);
        let puzzle = found.ok_or_else(|| ErrorObject::params("name", "there is no puzzle of this name"))?;
        call.answer(PuzzleFound { puzzle })
    }

    pub(super) fn judge(&self, call: Call<'_, Judge>, params: Judge) -> Handled {
        // What is wrong is said at once.
        puzzles::check(&self.catalog, &params.puzzle, &params.played)?;
        let Some(job) = call.context.job else { return Ok(()) };
        let catalog = self.catalog.clone();
        job.start(&self.pool, PROOF, move |job, _| {
            let judged = catch_unwind(AssertUnwindSafe(|| {
                let go_on = &mut within(puzzles::BRIEF_EFFORT, &job.stop);
                puzzles::judge(&catalog, &params.puzzle, &params.played, go_on)
            }));
            job.answer(match judged {
                Ok(judged) => judged.map_err(ErrorObject::from),
                Err(_) => Err(wire_error::internal()),
            });
        })
    }

    pub(super) fn hint(&self, call: Call<'_, Hint>, params: Hint) -> Handled {
        puzzles::check(&self.catalog, &params.puzzle, &params.played)?;
        let Some(job) = call.context.job else { return Ok(()) };
        let catalog = self.catalog.clone();
        job.start(&self.pool, PROOF, move |job, _| {
            let Hint { puzzle, played, step } = &params;
            let hint = catch_unwind(AssertUnwindSafe(|| {
                let go_on = &mut within(puzzles::BRIEF_EFFORT, &job.stop);
                puzzles::hint(&catalog, puzzle, played, *step, go_on)
            }));
            job.answer(match hint {
                Ok(hint) => hint.map_err(ErrorObject::from),
                Err(_) => Err(wire_error::internal()),
            });
        })
    }

    pub(super) fn mistakes(&self, call: Call<'_, FindMistakes>, params: FindMistakes) -> Handled {
        let handle = self.find(&params.table)?;
        let mut tables = Vec::new();
        {
            let shared = handle.lock();
            for &node in &params.nodes {
                tables.push((node, shared.table().at_node(node)?.into_owned()));
            }
        }
        let Some(job) = call.context.job else { return Ok(()) };
        let catalog = self.catalog.clone();
        job.start(&self.pool, Cost { brief: false, ..PROOF }, move |job, _| {
            let mut mistakes = Mistakes { puzzles: Vec::new(), unproved: Vec::new() };
            let found = catch_unwind(AssertUnwindSafe(|| {
                for (node, table) in &tables {
                    let go_on = &mut within(puzzles::BRIEF_EFFORT, &job.stop);
                    let source = format!("your game, turn {}", table.session().turn() + 1);
                    match puzzles::mistake(&catalog, table, &source, go_on) {
                        Ok(Some(puzzle)) => mistakes.puzzles.push(MistakePuzzle { node: *node, puzzle }),
                        _ => mistakes.unproved.push(*node),
                    }
                }
            }));
            job.answer(found.map(|()| mistakes).map_err(|_| wire_error::internal()));
        })
    }
}
