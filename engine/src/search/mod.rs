//! Computer players. They know a game only through its traits.
//!
//! A game says what it is worth ([`Evaluate`]) and in which space it is searched ([`SearchSpace`]);
//! [`choose`] lets a [`Level`] find a turn within the limits of a [`SearchRequest`].

mod alphabeta;
mod answer;
mod budget;
mod by_action;
mod evaluate;
mod generation;
mod greedy;
mod level;
mod memory;
mod net;
mod overlooking;
mod progress;
mod random;
mod request;
mod space;
mod tuning;
mod uct;
mod value;
#[cfg(test)]
mod weights_test;
mod wording;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use tabuleiro_protocol::{Choice, Info, Limits, Score, Stopped};

use self::alphabeta::SearchPlan;
use self::answer::{BestSoFar, SearchAnswer};
use self::budget::Budget;
pub use self::by_action::{ByAction, Hints};
pub use self::evaluate::{Evaluate, NodesOfLevels, ShippedWeights};
pub use self::generation::{Exhaustive, Forced, MoveGeneration};
pub use self::level::Level;
pub use self::memory::Memory;
use self::memory::Recall;
pub(crate) use self::net::{ANSWER_ONE, HAND_MADE_ONE, LARGEST_ANSWER, ONE};
pub use self::net::{FeatureList, FeatureSet, HIDDEN, Inputs, Net, NetError, ShippedNet, Sums};
use self::overlooking::Overlooking;
use self::progress::{SearchProgress, Spent};
pub use self::request::{Control, Cost, Crew, Membership, SearchRequest};
pub use self::space::{ActionOf, Breadth, SearchSpace, WeightsOf};
pub use self::tuning::Tuning;
pub(crate) use self::value::{Value, win_chance};
use self::wording::Wording;
use crate::game::{Describe, Game};

/// The rest of the turn of the seat to move, by the weights that the game comes with. The game must
/// not be over.
pub fn choose<G: Describe + Evaluate>(
    game: &G,
    request: &SearchRequest,
    control: &mut Control<'_>,
) -> Choice {
    choose_by(game.shipped_weights(), game, request, control)
}

/// What [`choose`] takes at most for this request.
pub fn cost<G: Evaluate>(game: &G, request: &SearchRequest) -> Cost {
    let limits = request.level.limits(&request.limits, game.nodes_of_levels());
    Cost::new(request.level, &limits, memory(request.level, limits.nodes))
}

/// How many bytes a search of so many nodes takes at most, whatever the game.
pub fn memory(level: Level, nodes: Option<u64>) -> usize {
    match level {
        Level::Random | Level::Greedy => 0,
        Level::Uct => uct::memory(nodes),
        Level::Gentle | Level::Novice | Level::Club | Level::Expert | Level::Master => {
            alphabeta::memory(nodes)
        }
    }
}

/// The static evaluation for the seat to move, by the weights that the game comes with. The game
/// must not be over.
pub fn static_score<G: Evaluate>(game: &G) -> Score {
    let weights = game.shipped_weights();
    Value::Estimate(game.evaluate(game.to_move(), &weights)).score(G::scale(&weights))
}

/// The rest of the turn of the seat to move, by these weights and no others. The game must not be
/// over.
pub fn choose_by<G: Describe + Evaluate>(
    weights: Arc<G::Weights>,
    game: &G,
    request: &SearchRequest,
    control: &mut Control<'_>,
) -> Choice {
    let began = Instant::now();
    let (stop, crew) = (control.stop, control.crew);
    let position = game.hash();
    let mut memory = control.memory.take();
    let before = memory.as_ref().map_or(Spent::default(), |memory| memory.spent_on(position));
    let progress = SearchProgress::new(control.report(), began, before);
    let repeat = |nodes| progress.repeat(nodes);
    // Who searches without end wants to know more than what to play.
    let is_forced = memory.is_none() && has_only_one_turn(game);
    let limits = match memory {
        Some(_) => request.limits.clone(),
        None => request.level.limits(&request.limits, game.nodes_of_levels()),
    };
    let limits = if is_forced { request.level.enough_for_a_score(limits) } else { limits };
    let limits = if stop.load(Ordering::Relaxed) { Level::enough_for_an_answer(limits) } else { limits };
    let request = &SearchRequest { limits, ..request.clone() };
    let budget = Budget::new(&request.limits, began, stop).telling(&repeat);
    let wording = Wording { game, scale: G::scale(&weights) };
    let is_due = || progress.is_due();
    let recall = memory.as_deref_mut().map(|memory| Recall { memory, position });
    let means = Means { budget, crew, recall };
    let mut answer = find_turns(weights, game, request, means, &is_due, &mut |best| {
        progress.note(wording.info(&best));
        if best.finished {
            progress.report(best.nodes);
        }
    });
    if is_forced {
        answer.stopped = Stopped::Only;
    }
    if let Some(memory) = memory {
        memory.spend(position, answer.nodes, began.elapsed());
    }
    let nodes = answer.nodes;
    answer.nodes += before.nodes;
    let choice = wording.choice(&answer, request.multi_pv, before.time + began.elapsed());
    let Choice { depth, score, ref pv, ref lines, .. } = choice;
    progress.note(Info { depth, nodes: 0, time_ms: 0, score, pv: pv.clone(), lines: lines.clone() });
    progress.report(nodes);
    choice
}

/// Whether the rest of the turn of the seat to move is decided: one legal action after the other.
fn has_only_one_turn<G: Game>(game: &G) -> bool {
    let seat = game.to_move();
    let mut game = game.clone();
    let mut legal = Vec::new();
    while !game.turn_is_over(seat) {
        legal.clear();
        game.actions(&mut legal);
        let [only] = legal[..] else { return false };
        game.play(only);
    }
    true
}

/// What a search may use: time and nodes, other threads, and what an earlier one has found.
struct Means<'a> {
    budget: Budget<'a>,
    crew: Option<&'a dyn Crew>,
    recall: Option<Recall<'a>>,
}

/// Lets the player of a level find the best turns within the limits of the request, which are those
/// that count. `report` hears of the best one so far; `is_due` says when that is worth the work for
/// those that find better ones all the time.
fn find_turns<G: Evaluate>(
    weights: Arc<G::Weights>,
    game: &G,
    request: &SearchRequest,
    Means { budget, crew, recall }: Means<'_>,
    is_due: &dyn Fn() -> bool,
    report: &mut dyn FnMut(BestSoFar<'_, G::Action>),
) -> SearchAnswer<G::Action> {
    let &SearchRequest { level, ref limits, seed, multi_pv } = request;
    match level {
        Level::Random => random::search(game, &weights, seed),
        Level::Greedy => greedy::search(game, &weights, seed, multi_pv, budget),
        Level::Uct => uct::search(game, G::scale(&weights), seed, budget, is_due, report),
        Level::Gentle | Level::Novice | Level::Club | Level::Expert | Level::Master => {
            // Only one thread gives the same choice again.
            let is_endless = recall.is_some() && limits.nodes.is_none() && limits.depth.is_none();
            let alone = level != Level::Master || (budget.deadline.is_none() && !is_endless);
            let threads = if alone { 1 } else { threads(limits) };
            let max_depth = limits.depth.map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH));
            // Whoever asks for several turns wants them in the order of what they are worth.
            let taste = if multi_pv > 1 { 0 } else { G::scale(&weights) * level.taste() / 100 };
            let plan = SearchPlan { max_depth, threads, crew, seed, multi_pv, taste };
            let space = G::Space::new(game.clone(), weights, level.breadth());
            match level {
                Level::Gentle => {
                    let space = Overlooking::of(space, game.overlooked(), seed);
                    search_space(&space, &plan, budget, recall, report)
                }
                _ => search_space(&space, &plan, budget, recall, report),
            }
        }
    }
}

/// No search gets deeper.
const MAX_DEPTH: u32 = 100;

/// One for every core, or fewer if fewer are wanted.
fn threads(limits: &Limits) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    limits.threads.map_or(cores, |wanted| cores.min(wanted as usize))
}

/// How long a search takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    Nodes(u64),
    Time(Duration),
}

/// The rest of the turn by a search with these weights and one thread, and what the search thinks
/// it is worth.
pub(crate) fn best_turn<G: Evaluate>(
    weights: Arc<G::Weights>,
    game: &G,
    effort: Effort,
    seed: u64,
) -> (Vec<G::Action>, Value) {
    let budget = Budget::until(Control::silent().stop);
    let budget = match effort {
        Effort::Nodes(nodes) => budget.with_nodes(nodes),
        Effort::Time(time) => budget.with_time(time),
    };
    let plan = SearchPlan { max_depth: MAX_DEPTH, threads: 1, crew: None, seed, multi_pv: 1, taste: 0 };
    let space = G::Space::new(game.clone(), weights, Breadth::Usual);
    let mut answer = search_space(&space, &plan, budget, None, &mut |_| {});
    let best = answer.turns.swap_remove(0);
    (best.moves, best.value)
}

/// Alpha-beta through a space, translated into the actions of its game.
fn search_space<S: SearchSpace>(
    space: &S,
    plan: &SearchPlan<'_>,
    budget: Budget<'_>,
    recall: Option<Recall<'_>>,
    report: &mut dyn FnMut(BestSoFar<'_, ActionOf<S>>),
) -> SearchAnswer<ActionOf<S>> {
    let actions = |moves: &[S::Move]| moves.iter().flat_map(|&played| S::actions(played)).collect();
    let answer = alphabeta::search(space, plan, budget, recall, &mut |best| {
        let BestSoFar { depth, nodes, value, pv, finished, lines } = best;
        let pv: Vec<_> = actions(pv);
        let lines = lines.iter().map(|turn| turn.in_actions(actions)).collect();
        report(BestSoFar { depth, nodes, value, pv: &pv, finished, lines });
    });
    answer.in_actions(actions)
}
