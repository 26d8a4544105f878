//! Iterative deepening alpha-beta, with a transposition table that all threads share.

mod ordering;
mod root;
mod search;
mod selective;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use self::root::RootSearch;
use self::table::TranspositionTable;
use super::answer::{BestSoFar, SearchAnswer};
use super::budget::Budget;
use super::space::SearchSpace;

/// How a level searches.
pub(super) struct SearchPlan {
    pub(super) max_depth: u32,
    pub(super) threads: usize,
    pub(super) seed: u64,
    /// How many of the best turns to find.
    pub(super) multi_pv: usize,
}

/// Nodes that one thread may well search before time is up: what the table is made for when no one
/// says.
const USUAL_NODES: u64 = 1 << 20;

/// The best turns that can be found within the budget.
pub(super) fn search<S: SearchSpace>(
    space: &S,
    plan: &SearchPlan,
    budget: Budget<'_>,
    report: &mut dyn FnMut(BestSoFar<'_, S::Move>),
) -> SearchAnswer<S::Move> {
    let table = TranspositionTable::for_nodes(budget.most_nodes.min(USUAL_NODES));
    let enough = AtomicBool::new(false);
    let helpers_nodes = AtomicU64::new(0);
    thread::scope(|scope| {
        for number in 1..plan.threads {
            let (table, enough, nodes) = (&table, &enough, &helpers_nodes);
            scope.spawn(move || {
                let mut helper = RootSearch::new(space, Budget::until(enough), table, plan, number as u64);
                // Every other helper looks one deeper, so that they do not all do the same work at
                // the same time.
                helper.deepen(1 + number as u32 % 2, &mut |_| {});
                nodes.fetch_add(helper.nodes(), Ordering::Relaxed);
            });
        }
        let mut search = RootSearch::new(space, budget, &table, plan, 0);
        search.deepen(1, report);
        enough.store(true, Ordering::Relaxed);
        search
    })
    .answer(space, plan.seed, helpers_nodes.into_inner())
}
