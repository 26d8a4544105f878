//! Methods that make the engine think, and those that stop it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tabuleiro_protocol::method::{Batch, Cancel, Cancelled, Choose, Hurried, Hurry, Nodes, Perft, Search};
use tabuleiro_protocol::notice::SearchInfo;
use tabuleiro_protocol::{ErrorObject, Info, LevelRole, Limits};

use super::{Call, Handled};
use crate::random::fresh_seed;
use crate::search::{Control, Level, SearchRequest};
use crate::server::batch;
use crate::server::client::notice_line;
use crate::server::jobs::{Job, Lane};
use crate::server::{Server, wire_error};
use crate::session::{PerftCount, Position};
use crate::table::{self, level_by_id};

impl Server {
    pub(super) fn search(&self, call: Call<'_, Search>, params: Search) -> Handled {
        let level = self.level(params.level.as_deref(), LevelRole::Analysis)?;
        let request = request(level, params.limits, params.seed, params.lines);
        let handle = self.find(&params.table)?;
        let position = {
            let shared = handle.lock();
            let table = shared.table().at(params.ply)?;
            table.check_goes_on()?;
            table.position().to_boxed()
        };
        search_in_background(call.context.job, position, request, |job, info| {
            job.client().send_progress(&notice_line(SearchInfo { request: job.id().clone(), info }));
        })
    }

    pub(super) fn choose(&self, call: Call<'_, Choose>, params: Choose) -> Handled {
        let level = self.level(params.level.as_deref(), LevelRole::Opponent)?;
        let request = request(level, params.limits, params.seed, None);
        let seed = params.seed.unwrap_or(0);
        let mut session = self.catalog.open(&params.game, params.options.as_ref(), seed, params.start)?;
        session.play_all(&params.played)?;
        if session.position().to_move().is_none() {
            return Err(table::Error::GameOver { index: None }.into());
        }
        search_in_background(call.context.job, session.position().to_boxed(), request, |_, _| {})
    }

    pub(super) fn batch(&self, call: Call<'_, Batch>, params: Batch) -> Handled {
        let plan = batch::Plan::new(params, self.level(None, LevelRole::Opponent)?)?;
        let Some(job) = call.context.job else { return Ok(()) };
        let catalog = self.catalog.clone();
        job.start(Lane::Batches, move |job| batch::run(&catalog, &plan, job))
    }

    /// The level that a request names, or else the engine's command line, or else the one for what
    /// is asked.
    fn level(&self, named: Option<&str>, role: LevelRole) -> Result<Level, ErrorObject> {
        match named {
            Some(level) => Ok(level_by_id(level, "level")?),
            None => Ok(self.default_level.unwrap_or(Level::for_role(role))),
        }
    }

    pub(super) fn perft(&self, call: Call<'_, Perft>, params: Perft) -> Handled {
        let seed = params.seed.unwrap_or(0);
        let mut session = self.catalog.open(&params.game, params.options.as_ref(), seed, params.start)?;
        session.play_all(&params.played.unwrap_or_default())?;
        let Some(job) = call.context.job else { return Ok(()) };
        let count = session.position().perft(params.depth, &job.stop);
        job.answer(match count {
            Some(PerftCount { nodes, split }) => {
                let split = split.into_iter().map(|(action, nodes)| (action, nodes.into()));
                Ok(Nodes { nodes, split: params.split.then(|| split.collect()) })
            }
            None => Err(wire_error::limit("the count was cancelled before it was done")),
        });
        Ok(())
    }

    pub(super) fn cancel(&self, call: Call<'_, Cancel>, params: Cancel) -> Handled {
        let cancelled = call.context.cancelled || call.client().jobs.cancel(&params.request);
        call.answer(Cancelled { cancelled })
    }

    pub(super) fn hurry(&self, call: Call<'_, Hurry>, params: Hurry) -> Handled {
        let handle = self.find(&params.table)?;
        let shared = handle.lock();
        call.answer(Hurried { hurried: shared.hurry(call.client())? })
    }
}

fn request(level: Level, limits: Option<Limits>, seed: Option<u64>, lines: Option<usize>) -> SearchRequest {
    SearchRequest {
        level,
        limits: limits.unwrap_or_default(),
        seed: seed.unwrap_or_else(fresh_seed),
        multi_pv: lines.unwrap_or(1),
    }
}

/// Answers when the search is done. Without a job nobody would hear the answer.
fn search_in_background(
    job: Option<Job>,
    position: Box<dyn Position>,
    request: SearchRequest,
    report: fn(&Job, Info),
) -> Handled {
    let Some(job) = job else { return Ok(()) };
    job.start(Lane::Searches, move |job| {
        let report = &mut |info| report(&job, info);
        let control = &mut Control::new(&job.stop, report);
        let choice = catch_unwind(AssertUnwindSafe(|| position.choose(&request, control)));
        job.answer(choice.map_err(|_| wire_error::internal()));
    })
}
