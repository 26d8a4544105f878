//! Iterative deepening alpha-beta over actions, with a table of positions that all threads share.

mod ordering;
mod table;
mod worker;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tabuleiro_protocol::Stopped;

use self::table::TranspositionTable;
use self::worker::{FARTHEST_GUESS, FORCED_WIN, PROVED, WON, Worker};
use super::random::finish_turn;
use super::{Answer, Budget, Turn, Value, turn_is_over};
use crate::game::{Evaluate, Forced};
use crate::random::Random;

/// How a level searches.
pub(crate) struct Plan<'a, W> {
    pub(super) deepest: u32,
    pub(super) threads: usize,
    pub(super) seed: u64,
    /// How many of the best turns to find.
    pub(super) lines: usize,
    pub(super) weights: &'a W,
}

/// Nodes that one thread may well search before time is up: what the table is made for when no one says.
const USUAL_NODES: u64 = 1 << 20;

/// What a look for forced wins may cost before anything else was done.
const LEAST_EFFORT: u64 = 200;

/// A first action of the turn, what it is worth and how the game might go on.
#[derive(Clone)]
struct Root<A> {
    action: A,
    value: i32,
    line: Vec<A>,
    /// Whether the enemy wins at once after it, if that was asked.
    refuted: Option<bool>,
    /// A reply that saves the enemy where it looked lost.
    saved_by: Option<A>,
}

/// The best turn that can be found within the budget.
pub(super) fn choose<G: Evaluate>(
    game: &G,
    plan: &Plan<'_, G::Weights>,
    budget: Budget<'_>,
    report: &mut dyn FnMut(Depth<'_, G::Action>),
) -> Answer<G::Action> {
    let table = TranspositionTable::for_nodes(budget.most_nodes.min(USUAL_NODES));
    let enough = AtomicBool::new(false);
    let helpers_nodes = AtomicU64::new(0);
    thread::scope(|scope| {
        for number in 1..plan.threads {
            let (table, enough, nodes) = (&table, &enough, &helpers_nodes);
            scope.spawn(move || {
                let mut helper = Search::new(game, Budget::until(enough), table, plan, number as u64);
                // Every other helper looks one deeper, so that they do not all do the same work at the same time.
                helper.deepen(1 + number as u32 % 2, &mut |_| {});
                nodes.fetch_add(helper.worker.budget.nodes, Ordering::Relaxed);
            });
        }
        let mut search = Search::new(game, budget, &table, plan, 0);
        search.deepen(1, report);
        enough.store(true, Ordering::Relaxed);
        search
    })
    .answer(game, plan, helpers_nodes.into_inner())
}

/// How far a search has got.
pub(super) struct Depth<'a, A> {
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) value: Value,
    pub(super) line: &'a [A],
    /// Whether all first actions were searched so deep, and not only some of them deeper.
    pub(super) finished: bool,
}

struct Search<'a, G: Evaluate> {
    worker: Worker<'a, G>,
    table: &'a TranspositionTable,
    roots: Vec<Root<G::Action>>,
    lines: usize,
    deepest: u32,
    /// The deepest search that was finished.
    depth: u32,
    proved: bool,
    /// The values of the deepest search follow from how games end, and from no evaluation.
    certain: bool,
    looked_for_rescue: bool,
}

impl<'a, G: Evaluate> Search<'a, G> {
    fn new(
        game: &G,
        budget: Budget<'a>,
        table: &'a TranspositionTable,
        plan: &Plan<'a, G::Weights>,
        number: u64,
    ) -> Search<'a, G> {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        // The seed decides between actions that are worth the same.
        Random::new(plan.seed.wrapping_add(number)).shuffle(&mut legal);
        legal.sort_by_key(|&action| Reverse(game.promise(action)));
        let root = |action| Root { action, value: -WON, line: vec![action], refuted: None, saved_by: None };
        let roots: Vec<_> = legal.into_iter().map(root).collect();
        let lines = plan.lines.clamp(1, roots.len().max(1));
        let worker = Worker::new(game.clone(), budget, table, plan.weights);
        Search {
            worker,
            table,
            roots,
            lines,
            deepest: plan.deepest,
            depth: 0,
            proved: false,
            certain: false,
            looked_for_rescue: false,
        }
    }

    fn deepen(&mut self, first: u32, report: &mut dyn FnMut(Depth<'_, G::Action>)) {
        if let Some(win) = self.worker.overlooked_win() {
            self.accept_win(vec![win], report);
            return;
        }
        for depth in first..=self.deepest {
            if let Some(turn) = self.worker.forced_win(self.effort()) {
                self.accept_win(turn, report);
                return;
            }
            let before: Vec<_> = self.roots[..self.lines].to_vec();
            self.worker.guesses = 0;
            let mut finished = self.search_roots(depth as i32, report);
            finished &= self.search_rescue(depth as i32, report);
            self.certain = G::LISTS_EVERY_ACTION && finished && self.worker.guesses == 0;
            if finished {
                self.depth = depth;
            } else if self.lines > 1 && self.depth > 0 {
                // Values of two depths do not make one order.
                self.roots.splice(..0, before);
            }
            self.report_best(finished, report);
            self.proved = self.certain || self.roots[0].value.abs() > PROVED;
            if !finished || self.proved {
                return;
            }
        }
    }

    fn report_best(&self, finished: bool, report: &mut dyn FnMut(Depth<'_, G::Action>)) {
        let best = &self.roots[0];
        if finished || best.value > -WON {
            let (depth, nodes) = (self.depth.max(1), self.worker.budget.nodes);
            report(Depth { depth, nodes, value: self.value_of(best), line: &best.line, finished });
        }
    }

    /// How many nodes to look for forced wins: a third of the work, however long there is.
    fn effort(&self) -> u64 {
        self.worker.budget.nodes / 2 + LEAST_EFFORT
    }

    /// Puts a turn that certainly wins in front of everything.
    fn accept_win(&mut self, turn: Vec<G::Action>, report: &mut dyn FnMut(Depth<'_, G::Action>)) {
        let action = turn[0];
        self.roots.retain(|root| root.action != action);
        self.roots
            .insert(0, Root { action, value: FORCED_WIN, line: turn, refuted: Some(false), saved_by: None });
        self.lines = 1;
        self.proved = true;
        self.depth = self.depth.max(1);
        self.report_best(true, report);
    }

    /// Searches all first actions and puts the best ones in front, in order. `false` if the budget was spent before the end.
    fn search_roots(&mut self, depth: i32, report: &mut dyn FnMut(Depth<'_, G::Action>)) -> bool {
        // What is in front so far was searched at this depth.
        let mut done = 0;
        for index in 0..self.roots.len() {
            let action = self.roots[index].action;
            let in_question = done < self.lines;
            let to_beat = if in_question { -WON } else { self.roots[self.lines - 1].value };
            let value = if in_question {
                self.worker.try_action(action, depth - 1, (-WON, WON), 0)
            } else {
                match self.worker.try_action(action, depth - 1, (to_beat, to_beat + 1), 0) {
                    Some(value) if value > to_beat => {
                        self.worker.try_action(action, depth - 1, (to_beat, WON), 0)
                    }
                    value => value,
                }
            };
            let value = value.and_then(|value| self.unless_refuted(index, value, to_beat));
            let Some(value) = value.and_then(|value| self.made_certain(index, value, depth)) else {
                return false;
            };
            done += 1;
            if value > to_beat || in_question {
                let mut root = self.roots.remove(index);
                root.value = value;
                root.line.clear();
                root.line.push(action);
                root.line.extend_from_slice(self.worker.line_after_root());
                let searched = if in_question { done - 1 } else { self.lines };
                let place = self.roots[..searched].iter().position(|other| other.value < value);
                let place = place.unwrap_or(searched);
                self.roots.insert(place, root);
                if place == 0 {
                    self.report_best(false, report);
                }
            }
            if self.lines == 1 && self.roots[0].value > PROVED {
                // Nothing beats a win.
                break;
            }
        }
        true
    }

    /// The value of a first action, or the worst there is if the enemy then wins at once in a way that a search may overlook. Asked only of what would come in
    /// front. `None` if there is no time to find out.
    fn unless_refuted(&mut self, index: usize, value: i32, to_beat: i32) -> Option<i32> {
        if G::LISTS_EVERY_ACTION || value <= to_beat.max(-FARTHEST_GUESS) || value > PROVED {
            return Some(value);
        }
        Some(if self.is_refuted(index)? { -FARTHEST_GUESS } else { value })
    }

    /// The value of a first action; if it wins against every reply that is listed, what comes of the others.
    fn made_certain(&mut self, index: usize, value: i32, depth: i32) -> Option<i32> {
        if G::LISTS_EVERY_ACTION || value != FARTHEST_GUESS {
            return Some(value);
        }
        let Root { action, saved_by, .. } = self.roots[index];
        let reply = match saved_by {
            Some(reply) => reply,
            None => match self.worker.is_forced(action, self.effort()) {
                Forced::Won => return Some(FORCED_WIN),
                Forced::SavedBy(reply) => reply,
                // Let others that look as good have their turn.
                Forced::Unknown => return Some(FARTHEST_GUESS - 1),
            },
        };
        self.roots[index].saved_by = Some(reply);
        self.worker.try_action_and_reply(action, reply, depth)
    }

    fn is_refuted(&mut self, index: usize) -> Option<bool> {
        let Root { action, refuted, .. } = self.roots[index];
        let refuted = match refuted {
            Some(refuted) => refuted,
            None => self.worker.lets_the_enemy_win(action)?,
        };
        self.roots[index].refuted = Some(refuted);
        Some(refuted)
    }

    /// If everything that was searched loses at once, looks for something that does not. `false` if the budget was spent before that was searched.
    fn search_rescue(&mut self, depth: i32, report: &mut dyn FnMut(Depth<'_, G::Action>)) -> bool {
        let is_lost = |best: &Root<_>| best.value <= -FARTHEST_GUESS && best.refuted != Some(false);
        if G::LISTS_EVERY_ACTION || self.looked_for_rescue || !self.roots.first().is_some_and(is_lost) {
            return true;
        }
        self.looked_for_rescue = true;
        let Some(action) = self.rescue() else { return true };
        self.roots.retain(|root| root.action != action);
        self.roots.insert(
            0,
            Root {
                action,
                value: 1 - FARTHEST_GUESS,
                line: vec![action],
                refuted: Some(false),
                saved_by: None,
            },
        );
        self.search_roots(depth, report)
    }

    fn rescue(&mut self) -> Option<G::Action> {
        for index in 0..self.roots.len() {
            if !self.is_refuted(index)? {
                return Some(self.roots[index].action);
            }
        }
        self.worker.overlooked_rescue()
    }

    fn answer(self, game: &G, plan: &Plan<'a, G::Weights>, helpers_nodes: u64) -> Answer<G::Action> {
        let nodes = self.worker.budget.nodes + helpers_nodes;
        let mut random = Random::new(plan.seed);
        let searched = self.roots.iter().take(self.lines).filter(|root| root.value > -WON);
        let mut turns: Vec<_> = searched.map(|root| self.whole_turn(game, root, &mut random)).collect();
        if turns.is_empty() {
            let (actions, _) = finish_turn(&mut game.clone(), &mut random);
            turns.push(Turn::alone(actions, Value::of(game, game.to_move())));
        }
        let stopped = match self.worker.budget.stopped {
            _ if G::LISTS_EVERY_ACTION && self.roots.len() == 1 && turns[0].actions.len() == 1 => {
                Stopped::Only
            }
            Some(stopped) => stopped,
            None if self.proved => Stopped::Proved,
            None => Stopped::Depth,
        };
        Answer { turns, depth: self.depth.max(1), nodes, stopped }
    }

    /// The line as far as the turn goes, and to the end of the turn where the line breaks off before.
    fn whole_turn(&self, game: &G, root: &Root<G::Action>, random: &mut Random) -> Turn<G::Action> {
        let seat = game.to_move();
        let mut game = game.clone();
        let mut actions = Vec::new();
        for &action in &root.line {
            if turn_is_over(&game, seat) {
                break;
            }
            game.play(action);
            actions.push(action);
        }
        let value = self.value_of(root);
        if turn_is_over(&game, seat) {
            return Turn { actions, line: root.line.clone(), value };
        }
        let mut seen = HashSet::new();
        while !turn_is_over(&game, seat) && seen.insert(game.hash()) {
            let action = self.next_action(&game, random);
            game.play(action);
            actions.push(action);
        }
        if !turn_is_over(&game, seat) {
            // The advice goes round in circles: chance gets out of them.
            actions.extend(finish_turn(&mut game, random).0);
        }
        Turn { line: actions.clone(), actions, value }
    }

    fn value_of(&self, root: &Root<G::Action>) -> Value {
        match root.value {
            value if value > PROVED => Value::Won,
            value if value < -PROVED => Value::Lost,
            _ if self.certain => Value::Drawn,
            value => Value::Guess(value),
        }
    }

    /// What the table says to do in the middle of a turn, or what looks best.
    fn next_action(&self, game: &G, random: &mut Random) -> G::Action {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        let known = self.table.get(game.hash()).and_then(|entry| entry.best);
        if let Some(&action) = known.and_then(|place| legal.get(usize::from(place))) {
            return action;
        }
        random.shuffle(&mut legal);
        let seat = game.to_move();
        let worth = |action: &G::Action| {
            let mut after = game.clone();
            after.play(*action);
            Value::of(&after, seat).rank()
        };
        legal.into_iter().max_by_key(worth).expect("a turn that is not over has an action")
    }
}
