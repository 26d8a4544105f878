//! The root of the tree: iterative deepening, and the turns that come of it.

use std::cmp::Reverse;
use std::collections::HashSet;

use tabuleiro_protocol::{Seat, Stopped};

use super::SearchPlan;
use super::search::{FORCED_WIN, MAX_STATIC_EVALUATION, NodeSearch, PROVED, WON, moves_to_search};
use super::table::TranspositionTable;
use crate::random::Random;
use crate::search::answer::{BestSoFar, RankedTurn, SearchAnswer};
use crate::search::budget::Budget;
use crate::search::generation::MoveGeneration;
use crate::search::space::SearchSpace;
use crate::search::value::Value;

/// What a look for forced wins may cost before anything else was done.
const LEAST_EFFORT: u64 = 200;
/// How many other turns are looked at where the best one leaves the enemy a win.
const OTHER_TURNS: usize = 16;

/// A first move of the turn, what it is worth and how the game might go on.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) played: M,
    pub(super) value: i32,
    /// What the seed adds to its value, or takes off it, when moves are compared.
    pub(super) taste: i32,
    /// The principal variation, beginning with the move.
    pub(super) pv: Vec<M>,
    /// Whether the enemy wins at once after it, if that was asked.
    pub(super) refuted: Option<bool>,
    /// A reply that saves the enemy where it looked lost.
    pub(super) saved_by: Option<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(played: M) -> RootMove<M> {
        RootMove { played, value: -WON, taste: 0, pv: vec![played], refuted: None, saved_by: None }
    }

    /// What the move counts among others if it is worth so much. What is certain, or as good as
    /// that, is no matter of taste.
    fn rank(&self, value: i32) -> i32 {
        if is_open(value) { value + self.taste } else { value }
    }

    /// What the move has to be worth more than to be preferred to one of this rank.
    fn to_beat(&self, rank: i32) -> i32 {
        if is_open(rank) { rank - self.taste } else { rank }
    }
}

/// What a search has found at its root, for the next one to go on with.
#[derive(Clone)]
pub(super) struct KnownRoot<M> {
    roots: Vec<RootMove<M>>,
    multi_pv: usize,
    depth: u32,
    proved: bool,
    certain: bool,
    looked_for_rescue: bool,
}

impl<M> KnownRoot<M> {
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }
}

/// One thread's search from the root.
pub(super) struct RootSearch<'a, S: SearchSpace> {
    pub(super) nodes: NodeSearch<'a, S>,
    table: &'a TranspositionTable,
    /// The best ones first, as many as are wanted.
    pub(super) roots: Vec<RootMove<S::Move>>,
    multi_pv: usize,
    /// Whether those who listen want more than the best one.
    wants_lines: bool,
    seed: u64,
    max_depth: u32,
    /// The deepest search that was finished.
    depth: u32,
    proved: bool,
    /// The values of the deepest search follow from how games end, and from no static evaluation.
    certain: bool,
    pub(super) looked_for_rescue: bool,
    /// How many nodes there were when a forced win was last looked for.
    looked_for_win: u64,
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
        let mut random = Random::new(plan.seed.wrapping_add(number));
        random.shuffle(&mut moves);
        moves.sort_by_key(|&played| Reverse(space.move_score(played)));
        let mut taste = || random.below(2 * plan.taste.unsigned_abs() + 1) as i32 - plan.taste.abs();
        let root = |played| RootMove { taste: taste(), ..RootMove::new(played) };
        let roots: Vec<_> = moves.into_iter().map(root).collect();
        RootSearch {
            nodes: NodeSearch::new(space.clone(), budget, table),
            table,
            multi_pv: plan.multi_pv.clamp(1, roots.len().max(1)),
            wants_lines: plan.multi_pv > 1,
            seed: plan.seed,
            roots,
            max_depth: plan.max_depth,
            depth: 0,
            proved: false,
            certain: false,
            looked_for_rescue: false,
            looked_for_win: 0,
        }
    }

    /// How many nodes were searched.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.budget.nodes
    }

    /// Goes on where another search of the same position was.
    pub(super) fn go_on(
        &mut self,
        known: KnownRoot<S::Move>,
        report: &mut dyn FnMut(BestSoFar<'_, S::Move>),
    ) {
        let KnownRoot { roots, multi_pv, depth, proved, certain, looked_for_rescue } = known;
        (self.roots, self.looked_for_rescue) = (roots, looked_for_rescue);
        // Whatever is asked for, one turn is enough where it is proved that it wins.
        self.multi_pv = if proved { multi_pv } else { self.multi_pv };
        if multi_pv < self.multi_pv {
            // Those behind have no values yet that could be compared.
            return self.deepen(depth.max(1), report);
        }
        (self.depth, self.proved, self.certain) = (depth, proved, certain);
        self.report_best(true, report);
        if !proved {
            self.deepen(depth + 1, report);
        }
    }

    /// What another search could go on with, if there is anything.
    pub(super) fn known(&self) -> Option<KnownRoot<S::Move>> {
        let mut seen = HashSet::new();
        let is_first = |root: &&RootMove<S::Move>| seen.insert(root.played);
        (self.depth > 0).then(|| KnownRoot {
            roots: self.roots.iter().filter(is_first).cloned().collect(),
            multi_pv: self.multi_pv,
            depth: self.depth,
            proved: self.proved,
            certain: self.certain,
            looked_for_rescue: self.looked_for_rescue,
        })
    }

    /// Searches deeper and deeper, until the budget is spent or something is proved.
    pub(super) fn deepen(&mut self, first: u32, report: &mut dyn FnMut(BestSoFar<'_, S::Move>)) {
        if let Some(win) = self.overlooked_win() {
            self.accept_win(vec![win], report);
            return;
        }
        for depth in first..=self.max_depth {
            if let Some(turn) = self.forced_win() {
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
        // Lines belong to one depth: in the midst of one there is nothing to say about them.
        if finished || (best.value > -WON && !self.wants_lines) {
            let (depth, nodes) = (self.depth.max(1), self.nodes());
            let lines = if self.wants_lines { self.lines(&self.nodes.space) } else { Vec::new() };
            report(BestSoFar { depth, nodes, value: self.value_of(best), pv: &best.pv, finished, lines });
        }
    }

    /// The best turns.
    fn lines(&self, space: &S) -> Vec<RankedTurn<S::Move>> {
        let mut random = Random::new(self.seed);
        let searched = self.roots.iter().take(self.multi_pv).filter(|root| root.value > -WON);
        searched.map(|root| self.whole_turn(space, root, &mut random)).collect()
    }

    /// A turn that certainly wins, looked for with as much effort as is due.
    fn forced_win(&mut self) -> Option<Vec<S::Move>> {
        let turn = self.nodes.forced_win(self.effort());
        self.looked_for_win = self.nodes();
        turn
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
            // Where a depth takes long, wins that take long to prove would else be looked for with
            // little effort.
            if !S::Generation::EXHAUSTIVE
                && self.nodes() > 3 * self.looked_for_win.max(LEAST_EFFORT)
                && let Some(turn) = self.forced_win()
            {
                self.accept_win(turn, report);
                return true;
            }
            let played = self.roots[index].played;
            // MultiPV: as many as are wanted are searched with an open window.
            let is_wanted = done < self.multi_pv;
            let to_beat = if is_wanted {
                -WON
            } else {
                let last = &self.roots[self.multi_pv - 1];
                self.roots[index].to_beat(last.rank(last.value))
            };
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
                let rank = root.rank(value);
                let place = self.roots[..searched].iter().position(|other| other.rank(other.value) < rank);
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

    pub(super) fn answer(self, space: &S, helpers_nodes: u64) -> SearchAnswer<S::Move> {
        let nodes = self.nodes() + helpers_nodes;
        let mut turns = self.lines(space);
        if turns.is_empty() {
            let mut random = Random::new(self.seed);
            let moves = finish_turn(&mut space.clone(), &mut random);
            turns.push(RankedTurn::alone(moves, worth(space, space.to_move())));
        }
        if let [turn] = &mut turns[..]
            && self.roots.iter().any(|root| root.taste != 0)
            && let Some(moves) = self.safer_turn(space, &turn.moves)
        {
            *turn = RankedTurn::alone(moves, turn.value);
        }
        let stopped = match self.nodes.budget.stopped {
            Some(stopped) => stopped,
            None if self.proved => Stopped::Proved,
            None => Stopped::Depth,
        };
        SearchAnswer { turns, depth: self.depth.max(1), nodes, stopped }
    }

    /// Another turn, if the enemy can win at once after this one. The rest of a turn that begins by
    /// taste is hardly searched.
    fn safer_turn(&self, space: &S, turn: &[S::Move]) -> Option<Vec<S::Move>> {
        if !leaves_a_win(space, turn) {
            return None;
        }
        let mut random = Random::new(self.seed);
        let others = self.roots.iter().skip(1).map(|root| self.whole_turn(space, root, &mut random).moves);
        others.take(OTHER_TURNS).find(|moves| !leaves_a_win(space, moves))
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
        moves_to_search(space, &mut moves);
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

/// Whether a value leaves room for better and worse ones.
fn is_open(value: i32) -> bool {
    value.abs() < MAX_STATIC_EVALUATION / 2
}

/// What a position is worth to a seat, without looking further.
fn worth<S: SearchSpace>(space: &S, seat: Seat) -> Value {
    Value::of(space.outcome(), seat, || space.evaluate(seat))
}

/// Whether the enemy can win at once after this turn.
fn leaves_a_win<S: SearchSpace>(space: &S, turn: &[S::Move]) -> bool {
    let seat = space.to_move();
    let mut space = space.clone();
    for &played in turn {
        space.play(played);
    }
    space.outcome().is_none() && space.to_move() != seat && space.wins_at_once()
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
