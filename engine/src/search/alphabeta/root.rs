//! The root of the tree: iterative deepening, and the turns that come of it.

use std::cmp::Reverse;
use std::collections::HashSet;

use tabuleiro_protocol::{Seat, Stopped};

use super::SearchPlan;
use super::search::{FORCED_WIN, NodeSearch, PROVED, WON};
use super::table::TranspositionTable;
use crate::random::Random;
use crate::search::answer::{BestSoFar, RankedTurn, SearchAnswer};
use crate::search::budget::Budget;
use crate::search::generation::MoveGeneration;
use crate::search::space::SearchSpace;
use crate::search::value::Value;

/// What a look for forced wins may cost before anything else was done.
const LEAST_EFFORT: u64 = 200;

/// A first move of the turn, what it is worth and how the game might go on.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) played: M,
    pub(super) value: i32,
    /// The principal variation, beginning with the move.
    pub(super) pv: Vec<M>,
    /// Whether the enemy wins at once after it, if that was asked.
    pub(super) refuted: Option<bool>,
    /// A reply that saves the enemy where it looked lost.
    pub(super) saved_by: Option<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(played: M) -> RootMove<M> {
        RootMove { played, value: -WON, pv: vec![played], refuted: None, saved_by: None }
    }
}

/// One thread's search from the root.
pub(super) struct RootSearch<'a, S: SearchSpace> {
    pub(super) nodes: NodeSearch<'a, S>,
    table: &'a TranspositionTable,
    /// The best ones first, as many as are wanted.
    pub(super) roots: Vec<RootMove<S::Move>>,
    multi_pv: usize,
    max_depth: u32,
    /// The deepest search that was finished.
    depth: u32,
    proved: bool,
    /// The values of the deepest search follow from how games end, and from no static evaluation.
    certain: bool,
    pub(super) looked_for_rescue: bool,
}

impl<'a, S: SearchSpace> RootSearch<'a, S> {
    pub(super) fn new(
        space: &S,
        budget: Budget<'a>,
        table: &'a TranspositionTable,
        plan: &SearchPlan<'_>,
        number: u64,
    ) -> RootSearch<'a, S> {
        let mut moves = Vec::new();
        space.moves(&mut moves);
        // The seed decides between moves that are worth the same.
        Random::new(plan.seed.wrapping_add(number)).shuffle(&mut moves);
        moves.sort_by_key(|&played| Reverse(space.move_score(played)));
        let roots: Vec<_> = moves.into_iter().map(RootMove::new).collect();
        RootSearch {
            nodes: NodeSearch::new(space.clone(), budget, table),
            table,
            multi_pv: plan.multi_pv.clamp(1, roots.len().max(1)),
            roots,
            max_depth: plan.max_depth,
            depth: 0,
            proved: false,
            certain: false,
            looked_for_rescue: false,
        }
    }

    /// How many nodes were searched.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.budget.nodes
    }

    /// Searches deeper and deeper, until the budget is spent or something is proved.
    pub(super) fn deepen(&mut self, first: u32, report: &mut dyn FnMut(BestSoFar<'_, S::Move>)) {
        if let Some(win) = self.overlooked_win() {
            self.accept_win(vec![win], report);
            return;
        }
        for depth in first..=self.max_depth {
            if let Some(turn) = self.nodes.forced_win(self.effort()) {
                self.accept_win(turn, report);
                return;
            }
            let before: Vec<_> = self.roots[..self.multi_pv].to_vec();
            self.nodes.static_evaluations = 0;
            let mut finished = self.search_roots(depth as i32, report);
            finished &= self.search_rescue(depth as i32, report);
            self.certain = S::Generation::EXHAUSTIVE && finished && self.nodes.static_evaluations == 0;
            if finished {
                self.depth = depth;
            } else if self.multi_pv > 1 && self.depth > 0 {
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

    fn report_best(&self, finished: bool, report: &mut dyn FnMut(BestSoFar<'_, S::Move>)) {
        let best = &self.roots[0];
        if finished || best.value > -WON {
            let (depth, nodes) = (self.depth.max(1), self.nodes());
            report(BestSoFar { depth, nodes, value: self.value_of(best), pv: &best.pv, finished });
        }
    }

    /// How many nodes to look for forced wins: a third of the work, however long there is.
    pub(super) fn effort(&self) -> u64 {
        self.nodes() / 2 + LEAST_EFFORT
    }

    /// Puts a turn that certainly wins in front of everything.
    fn accept_win(&mut self, turn: Vec<S::Move>, report: &mut dyn FnMut(BestSoFar<'_, S::Move>)) {
        let played = turn[0];
        self.put_in_front(RootMove {
            value: FORCED_WIN,
            pv: turn,
            refuted: Some(false),
            ..RootMove::new(played)
        });
        self.multi_pv = 1;
        self.proved = true;
        self.depth = self.depth.max(1);
        self.report_best(true, report);
    }

    /// Puts a move in front of all others, whether or not it was among them.
    pub(super) fn put_in_front(&mut self, root: RootMove<S::Move>) {
        self.roots.retain(|other| other.played != root.played);
        self.roots.insert(0, root);
    }

    /// Searches all first moves and puts the best ones in front, in order. `false` if the budget
    /// was spent before the end.
    pub(super) fn search_roots(
        &mut self,
        depth: i32,
        report: &mut dyn FnMut(BestSoFar<'_, S::Move>),
    ) -> bool {
        // What is in front so far was searched at this depth.
        let mut done = 0;
        for index in 0..self.roots.len() {
            let played = self.roots[index].played;
            // MultiPV: as many as are wanted are searched with an open window.
            let is_wanted = done < self.multi_pv;
            let to_beat = if is_wanted { -WON } else { self.roots[self.multi_pv - 1].value };
            // Principal variation search.
            let value = if is_wanted {
                self.nodes.try_move(played, depth - 1, (-WON, WON), 0)
            } else {
                match self.nodes.try_move(played, depth - 1, (to_beat, to_beat + 1), 0) {
                    Some(value) if value > to_beat => {
                        self.nodes.try_move(played, depth - 1, (to_beat, WON), 0)
                    }
                    value => value,
                }
            };
            let value = value.and_then(|value| self.unless_refuted(index, value, to_beat));
            let Some(value) = value.and_then(|value| self.made_certain(index, value, depth)) else {
                return false;
            };
            done += 1;
            if value > to_beat || is_wanted {
                let mut root = self.roots.remove(index);
                root.value = value;
                root.pv.clear();
                root.pv.push(played);
                root.pv.extend_from_slice(self.nodes.pv_after_root());
                let searched = if is_wanted { done - 1 } else { self.multi_pv };
                let place = self.roots[..searched].iter().position(|other| other.value < value);
                let place = place.unwrap_or(searched);
                self.roots.insert(place, root);
                if place == 0 {
                    self.report_best(false, report);
                }
            }
            if self.multi_pv == 1 && self.roots[0].value > PROVED {
                // Nothing beats a win.
                break;
            }
        }
        true
    }

    pub(super) fn answer(self, space: &S, seed: u64, helpers_nodes: u64) -> SearchAnswer<S::Move> {
        let nodes = self.nodes() + helpers_nodes;
        let mut random = Random::new(seed);
        let searched = self.roots.iter().take(self.multi_pv).filter(|root| root.value > -WON);
        let mut turns: Vec<_> = searched.map(|root| self.whole_turn(space, root, &mut random)).collect();
        if turns.is_empty() {
            let moves = finish_turn(&mut space.clone(), &mut random);
            turns.push(RankedTurn::alone(moves, worth(space, space.to_move())));
        }
        let stopped = match self.nodes.budget.stopped {
            Some(stopped) => stopped,
            None if self.proved => Stopped::Proved,
            None => Stopped::Depth,
        };
        SearchAnswer { turns, depth: self.depth.max(1), nodes, stopped }
    }

    /// The principal variation as far as the turn goes, and to the end of the turn where it breaks
    /// off before.
    fn whole_turn(&self, space: &S, root: &RootMove<S::Move>, random: &mut Random) -> RankedTurn<S::Move> {
        let seat = space.to_move();
        let mut space = space.clone();
        let mut moves = Vec::new();
        for &played in &root.pv {
            if space.turn_is_over(seat) {
                break;
            }
            space.play(played);
            moves.push(played);
        }
        let value = self.value_of(root);
        if space.turn_is_over(seat) {
            return RankedTurn { moves, pv: root.pv.clone(), value };
        }
        let mut seen = HashSet::new();
        while !space.turn_is_over(seat) && seen.insert(space.hash()) {
            let played = self.next_move(&space, random);
            space.play(played);
            moves.push(played);
        }
        if !space.turn_is_over(seat) {
            // The advice goes round in circles: chance gets out of them.
            moves.extend(finish_turn(&mut space, random));
        }
        RankedTurn::alone(moves, value)
    }

    fn value_of(&self, root: &RootMove<S::Move>) -> Value {
        match root.value {
            value if value > PROVED => Value::Won,
            value if value < -PROVED => Value::Lost,
            _ if self.certain => Value::Drawn,
            value => Value::Estimate(value),
        }
    }

    /// What the table says to do in the middle of a turn, or what looks best.
    fn next_move(&self, space: &S, random: &mut Random) -> S::Move {
        let mut moves = Vec::new();
        space.moves(&mut moves);
        let known = self.table.get(space.hash()).and_then(|entry| entry.best);
        if let Some(&played) = known.and_then(|place| moves.get(usize::from(place))) {
            return played;
        }
        random.shuffle(&mut moves);
        let seat = space.to_move();
        let rank = |played: &S::Move| {
            let mut after = space.clone();
            after.play(*played);
            worth(&after, seat).rank()
        };
        moves.into_iter().max_by_key(rank).expect("a turn that is not over has a move")
    }
}

/// What a position is worth to a seat, without looking further.
fn worth<S: SearchSpace>(space: &S, seat: Seat) -> Value {
    Value::of(space.outcome(), seat, || space.evaluate(seat))
}

/// Plays random moves until the turn is over. Gives them.
fn finish_turn<S: SearchSpace>(space: &mut S, random: &mut Random) -> Vec<S::Move> {
    let seat = space.to_move();
    let mut turn = Vec::new();
    let mut moves = Vec::new();
    while !space.turn_is_over(seat) {
        moves.clear();
        space.moves(&mut moves);
        let Some(played) = random.pick(&moves) else { break };
        turn.push(played);
        space.play(played);
    }
    turn
}
