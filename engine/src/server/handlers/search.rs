//! Methods that make the engine think, and those that stop it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::channel;

use tabuleiro_protocol::method::{
    self, Batch, Cancel, Cancelled, Choose, Hurried, Hurry, Nodes, Perft, Search,
};
use tabuleiro_protocol::notice::SearchInfo;
use tabuleiro_protocol::{Choice, ErrorObject, Id, Info, LevelRole, Limits};

use super::{Call, Handled};
use crate::random::fresh_seed;
use crate::review;
use crate::search::{Control, Cost, Crew, Level, SearchRequest};
use crate::server::analysis::{self, Analysis};
use crate::server::batch;
use crate::server::client::{Client, notice_line};
use crate::server::jobs::Job;
use crate::server::pool::Pool;
use crate::server::shared_table;
use crate::server::together::most_threads;
use crate::server::{self, Server, wire_error};
use crate::session::{PerftCount, Position};
use crate::table::{self, level_by_id, threat};

impl Server {
    pub(super) fn search(&self, call: Call<'_, Search>, params: Search) -> Handled {
        let level = self.level(params.level.as_deref(), LevelRole::Analysis)?;
        let request = request(level, params.limits, params.seed, params.lines);
        let handle = self.find(&params.table)?;
        let (position, node, known) = {
            let shared = handle.lock();
            let table = shared.table().at_either(params.ply, params.node)?;
            table.check_can_be_looked_into()?;
            let position = match params.threat {
                true => threat::of(&self.catalog, &table)?.position().to_boxed(),
                false => table.position().to_boxed(),
            };
            let history = table.session().history();
            let evaluation = history.note(history.current()).and_then(|note| note.evaluation.as_ref());
            let known = evaluation.filter(|_| params.endless && !params.threat);
            let known = known.and_then(|evaluation| analysis::known(evaluation, &request));
            (position, history.current(), known)
        };
        // What the other seat would do is not what the position is worth.
        let keeps = params.keep && !params.threat;
        if params.endless {
            let Some(job) = call.context.job else { return Ok(()) };
            let (memories, node) = (Arc::clone(&self.memories), keeps.then_some(node));
            let analysis =
                Analysis { table: handle, name: params.table, node, position, known, request, memories };
            return job.start(&self.pool, analysis.cost(), move |job, place| analysis.run(job, place));
        }
        let asked = request.clone();
        let keep = move |choice: &Choice| {
            if keeps {
                handle.lock().keep(node, review::evaluation(&asked, choice.clone()));
            }
        };
        let tell = |job: &Job, info| {
            job.client().send_progress(&notice_line(SearchInfo { request: job.id().clone(), info }));
        };
        search_in_background(&self.pool, call.context.job, position, request, tell, keep)
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
        let position = session.position().to_boxed();
        search_in_background(&self.pool, call.context.job, position, request, |_, _| {}, |_| {})
    }

    pub(super) fn batch(&self, call: Call<'_, Batch>, params: Batch) -> Handled {
        let level = self.level(None, LevelRole::Opponent)?;
        let plan = batch::Plan::new(params, level)?;
        let Some(job) = call.context.job else { return Ok(()) };
        let (catalog, parser) = (self.catalog.clone(), self.parser.clone());
        let (cost, text) = (plan.cost(), plan.into_text());
        job.start(&self.pool, cost, move |job, place| match batch::Plan::from_text(text, level, &parser) {
            Ok(plan) => batch::run(&catalog, &plan, job, place),
            Err(error) => job.answer(Err::<(), _>(error)),
        })
    }

    pub(super) fn review(&self, call: Call<'_, method::Review>, params: method::Review) -> Handled {
        let level = self.level(params.level.as_deref(), LevelRole::Analysis)?;
        let limits = params.limits.filter(Limits::end_a_search);
        let request = SearchRequest {
            level,
            limits: limits.unwrap_or(Limits { nodes: Some(review::NODES), ..Limits::default() }),
            seed: params.seed.unwrap_or(0),
            multi_pv: params.lines.unwrap_or(review::LINES),
        };
        let handle = self.find(&params.table)?;
        // What is wrong is said at once; what waits in line keeps no copy of the game.
        let node = params.node.unwrap_or_default();
        handle.lock().table().at_node(node)?;
        let Some(job) = call.context.job else { return Ok(()) };
        let cost = server::review::cost(&request);
        let threads = most_threads(params.threads);
        job.start(&self.pool, cost, move |job, place| {
            server::review::run(&handle, params.node, request, threads, job, place);
        })
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
        let position = session.position().to_boxed();
        let (answered, is_answered) = channel::<()>();
        job.start(&self.pool, Cost::default(), move |job, _| {
            let count = catch_unwind(AssertUnwindSafe(|| position.perft(params.depth, &job.stop)));
            job.answer(match count {
                Ok(Some(PerftCount { nodes, split })) => {
                    let split = split.into_iter().map(|(action, nodes)| (action, nodes.into()));
                    Ok(Nodes { nodes, split: params.split.then(|| split.collect()) })
                }
                Ok(None) => Err(wire_error::limit("the count was cancelled before it was done")),
                Err(_) => Err(wire_error::internal()),
            });
            drop(answered);
        })?;
        drop(call.context.place);
        // Nothing is ever sent: what comes behind it is answered when the other end is gone.
        let _ = is_answered.recv();
        Ok(())
    }

    pub(super) fn cancel(&self, call: Call<'_, Cancel>, params: Cancel) -> Handled {
        let cancelled = call.context.cancelled || call.client().jobs.cancel(&params.request);
        call.answer(Cancelled { cancelled })
    }

    pub(super) fn hurry(&self, call: Call<'_, Hurry>, params: Hurry) -> Handled {
        let handle = self.find(&params.table)?;
        let mut shared = handle.lock();
        let hurried = shared.hurry(call.client())?;
        call.answer(Hurried { hurried: !matches!(hurried, shared_table::Hurried::Nobody) })?;
        drop(shared);
        hurried.end();
        Ok(())
    }

    /// Hurries before its turn, and answers. `false` if there is nobody to be hurried, who may be
    /// there by then.
    pub(in crate::server) fn hurry_now(&self, client: &Arc<Client>, id: Option<&Id>, params: &Hurry) -> bool {
        let Ok(handle) = self.find(&params.table) else { return false };
        let mut shared = handle.lock();
        match shared.hurry(client) {
            Ok(shared_table::Hurried::Nobody) | Err(_) => false,
            Ok(hurried) => {
                client.answer(id, Ok(Hurried { hurried: true }));
                drop(shared);
                hurried.end();
                true
            }
        }
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
    pool: &Arc<Pool>,
    job: Option<Job>,
    position: Box<dyn Position>,
    request: SearchRequest,
    report: fn(&Job, Info),
    found: impl FnOnce(&Choice) + Send + 'static,
) -> Handled {
    let Some(job) = job else { return Ok(()) };
    job.start(pool, position.cost(&request), move |job, place| {
        let report = &mut |info| report(&job, info);
        let crew = place.map(|place| place as &dyn Crew);
        let control = &mut Control::new(&job.stop, report).with_crew(crew);
        let choice = catch_unwind(AssertUnwindSafe(|| position.choose(&request, control)));
        if let Ok(choice) = &choice {
            found(choice);
        }
        job.answer(choice.map_err(|_| wire_error::internal()));
    })
}
