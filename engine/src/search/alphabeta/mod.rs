//! Iterative deepening alpha-beta, with a transposition table that all threads share.

mod evaluation_cache;
mod ordering;
mod root;
mod search;
mod selective;
#[cfg(test)]
mod soundness_test;
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use self::evaluation_cache::EvaluationCache;
use self::root::{KnownRoot, RootSearch};
pub(super) use self::table::TranspositionTable;
use super::answer::{BestSoFar, SearchAnswer};
use super::budget::Budget;
use super::memory::Recall;
use super::request::Crew;
use super::space::SearchSpace;
use crate::threads;

/// How a level searches.
pub(super) struct SearchPlan<'a> {
    pub(super) max_depth: u32,
    pub(super) threads: usize,
    /// What threads that help have to join, if anything.
    pub(super) crew: Option<&'a dyn Crew>,
    pub(super) seed: u64,
    /// How many of the best turns to find.
    pub(super) multi_pv: usize,
    /// By how much the seed may prefer a first move to others, as a static evaluation.
    pub(super) taste: i32,
}

/// How many bytes a search of so many nodes takes at most: its table, half as much for what it
/// remembers while it looks for forced wins, and the evaluations of one thread.
pub(super) fn memory(nodes: Option<u64>) -> usize {
    let nodes = nodes.unwrap_or(u64::MAX);
    TranspositionTable::bytes_for(nodes) / 2 * 3 + EvaluationCache::bytes_for(nodes)
}

/// The best turns that can be found within the budget. With something to recall, it goes on where
/// the last search was, and leaves there what it finds.
pub(super) fn search<S: SearchSpace>(
    space: &S,
    plan: &SearchPlan<'_>,
    budget: Budget<'_>,
    recall: Option<Recall<'_>>,
    report: &mut dyn FnMut(BestSoFar<'_, S::Move>),
) -> SearchAnswer<S::Move> {
    let own;
    let table = match &recall {
        Some(recall) => &recall.memory.table,
        None => {
            own = TranspositionTable::for_nodes(budget.most_nodes);
            &own
        }
    };
    let known = recall.as_ref().and_then(|recall| recall.memory.root::<KnownRoot<S::Move>>(recall.position));
    let helpers_nodes = AtomicU64::new(0);
    let search = thread::scope(|scope| {
        let mut stops = Vec::new();
        for number in 1..plan.threads {
            let nodes = &helpers_nodes;
            let first = known.as_ref().map_or(0, KnownRoot::depth);
            let stop = Arc::new(AtomicBool::new(false));
            let Some(place) = plan.crew.map_or(Some(None), |crew| crew.join(&stop, 0).map(Some)) else {
                break;
            };
            stops.push(Arc::clone(&stop));
            let help = move || {
                let mut helper = RootSearch::new(space, Budget::until(&stop), table, plan, number as u64);
                // Every other helper looks one deeper, so that they do not all do the same work at
                // the same time.
                helper.deepen(first + 1 + number as u32 % 2, &mut |_| {});
                nodes.fetch_add(helper.nodes(), Ordering::Relaxed);
                drop(place);
            };
            if let Err(error) = threads::spawn_scoped(scope, help) {
                tracing::warn!("a search goes on with {number} threads: {error}");
                break;
            }
        }
        let mut search = RootSearch::new(space, budget, table, plan, 0);
        match &known {
            Some(known) => search.go_on(known.clone(), report),
            None => search.deepen(1, report),
        }
        stops.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        search
    });
    let found = search.known();
    let answer = search.answer(space, helpers_nodes.into_inner());
    if let (Some(recall), Some(found)) = (recall, found) {
        recall.memory.keep_root(recall.position, found);
    }
    answer
}
