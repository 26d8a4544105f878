//! Plain UCT: a tree expanded by random games, and no knowledge of the game at all.

use std::ops::Range;

use tabuleiro_protocol::{Seat, Stopped};

use super::answer::{BestSoFar, RankedTurn, SearchAnswer};
use super::budget::Budget;
use super::random::finish_turn;
use super::value::Value;
use crate::game::{Game, Outcome};
use crate::random::Random;

/// How much a branch that was seldom tried is favoured (the textbook's square root of two).
const EXPLORATION: f64 = std::f64::consts::SQRT_2;

/// The tree grows no further than this; searching goes on.
const MOST_BYTES: usize = 32 << 20;

/// What the tree may grow by with every game.
const BYTES_PER_GAME: u64 = 32 << 10;

/// How many bytes the tree of so many games takes at most. It depends on nothing else, so that the
/// same search finds the same on every machine.
pub(super) fn memory(games: Option<u64>) -> usize {
    let wanted = games.unwrap_or(u64::MAX).saturating_mul(BYTES_PER_GAME);
    usize::try_from(wanted).unwrap_or(usize::MAX).clamp(1 << 20, MOST_BYTES)
}

struct Node<A> {
    action: A,
    visits: u32,
    /// Half points from here of the seat that took the action: two for a game won, one for a draw.
    half_points: u64,
    /// None before the node is expanded, and at the end of a game.
    children: Range<u32>,
}

impl<A> Node<A> {
    fn is_expanded(&self) -> bool {
        !self.children.is_empty()
    }

    /// The share of points that the seat which took the action got from here.
    fn share(&self) -> f64 {
        self.half_points as f64 / 2.0 / f64::from(self.visits)
    }
}

/// Games are counted as nodes. `scale` is that of the game's weights: what is found is a chance to
/// win, and is given as the evaluation that stands for it.
pub(super) fn search<G: Game>(
    start: &G,
    scale: i32,
    seed: u64,
    mut budget: Budget<'_>,
    is_due: &dyn Fn() -> bool,
    report: &mut dyn FnMut(BestSoFar<'_, G::Action>),
) -> SearchAnswer<G::Action> {
    // A game takes far longer than to look at the clock.
    budget.look_every = 1;
    let mut random = Random::new(seed);
    let mut tree = Tree::new(start, memory((budget.most_nodes < u64::MAX).then_some(budget.most_nodes)));
    let mut game = start.clone();
    let mut scratch = Vec::new();
    let mut path = Vec::new();
    loop {
        if is_due() {
            // Chance must not depend on how often somebody asked.
            let SearchAnswer { turns, depth, nodes, .. } =
                tree.answer(start, scale, &mut random.clone(), &budget);
            let RankedTurn { pv, value, .. } = &turns[0];
            report(BestSoFar { depth, nodes, value: *value, pv, finished: true, lines: Vec::new() });
        }
        if !budget.spend() {
            break;
        }
        game.clone_from(start);
        path.clear();
        // Selection and expansion.
        tree.descend(&mut game, &mut random, &mut path, &mut scratch);
        // Simulation.
        while game.outcome().is_none() {
            match game.random_action(&mut random, &mut scratch) {
                Some(action) => drop(game.play(action)),
                None => break,
            }
        }
        tree.backpropagate(&path, game.outcome());
    }
    tree.answer(start, scale, &mut random, &budget)
}

struct Tree<A> {
    /// The first one is the root, whose action means nothing.
    nodes: Vec<Node<A>>,
    /// It grows no further than this.
    most_nodes: usize,
}

impl<A: Copy> Tree<A> {
    fn new<G: Game<Action = A>>(start: &G, memory: usize) -> Tree<A> {
        let mut tree = Tree { nodes: Vec::new(), most_nodes: memory / size_of::<Node<A>>() };
        let mut legal = Vec::new();
        start.actions(&mut legal);
        let children = 1..1 + legal.len() as u32;
        tree.nodes.push(Node { children, ..leaf(legal[0]) });
        tree.nodes.extend(legal.into_iter().map(leaf));
        tree
    }

    /// Plays from the root to a leaf, which is expanded if it has been here before. `path` takes
    /// the nodes and who came to them.
    fn descend<G: Game<Action = A>>(
        &mut self,
        game: &mut G,
        random: &mut Random,
        path: &mut Vec<(usize, Seat)>,
        scratch: &mut Vec<A>,
    ) {
        let mut here = 0;
        while game.outcome().is_none() {
            if !self.nodes[here].is_expanded() {
                if self.nodes[here].visits == 0 || self.nodes.len() > self.most_nodes {
                    return;
                }
                self.expand(here, game, scratch);
            }
            let child = self.select_child(here, random);
            path.push((child, game.to_move()));
            game.play(self.nodes[child].action);
            here = child;
        }
    }

    fn expand<G: Game<Action = A>>(&mut self, here: usize, game: &G, scratch: &mut Vec<A>) {
        scratch.clear();
        game.actions(scratch);
        let first = self.nodes.len() as u32;
        self.nodes.extend(scratch.iter().copied().map(leaf));
        self.nodes[here].children = first..first + scratch.len() as u32;
    }

    /// One that was never tried, any of them, or the one with the best upper confidence bound.
    fn select_child(&self, here: usize, random: &mut Random) -> usize {
        let Range { start, end } = self.nodes[here].children;
        let children = &self.nodes[start as usize..end as usize];
        let untried = children.iter().filter(|child| child.visits == 0).count() as u32;
        if untried > 0 {
            let chosen = random.below(untried) as usize;
            let place = children.iter().enumerate().filter(|(_, child)| child.visits == 0).nth(chosen);
            return start as usize + place.map_or(0, |(place, _)| place);
        }
        let log_visits = f64::from(self.nodes[here].visits).ln();
        let mut best = (f64::NEG_INFINITY, 0);
        for (place, child) in children.iter().enumerate() {
            let visits = f64::from(child.visits);
            let bound = child.share() + EXPLORATION * (log_visits / visits).sqrt();
            if bound > best.0 {
                best = (bound, place);
            }
        }
        start as usize + best.1
    }

    fn backpropagate(&mut self, path: &[(usize, Seat)], outcome: Option<Outcome>) {
        let winner = outcome.and_then(|outcome| outcome.winner);
        self.nodes[0].visits = self.nodes[0].visits.saturating_add(1);
        for &(node, seat) in path {
            let node = &mut self.nodes[node];
            node.visits = node.visits.saturating_add(1);
            node.half_points += match winner {
                None => 1,
                Some(winner) if winner == seat => 2,
                Some(_) => 0,
            };
        }
    }

    /// The most visited branch, for as long as there is one.
    fn answer<G: Game<Action = A>>(
        &self,
        start: &G,
        scale: i32,
        random: &mut Random,
        budget: &Budget<'_>,
    ) -> SearchAnswer<A> {
        let seat = start.to_move();
        let mut game = start.clone();
        let mut pv = Vec::new();
        let mut here = &self.nodes[0];
        let mut chance = 0.5;
        let mut turn = None;
        while let Some(child) = self.most_visited(here) {
            if pv.is_empty() {
                chance = child.share();
            }
            if turn.is_none() && game.turn_is_over(seat) {
                turn = Some(pv.len());
            }
            game.play(child.action);
            pv.push(child.action);
            here = child;
        }
        if turn.is_none() && !game.turn_is_over(seat) {
            pv.extend(finish_turn(&mut game, random));
        }
        let turn = pv[..turn.unwrap_or(pv.len())].to_vec();
        let stopped = budget.stopped.unwrap_or(Stopped::Depth);
        let depth = pv.len() as u32;
        let turns = vec![RankedTurn { moves: turn, pv, value: Value::of_chance(chance, scale) }];
        SearchAnswer { turns, depth, nodes: budget.nodes, stopped }
    }

    fn most_visited(&self, here: &Node<A>) -> Option<&Node<A>> {
        let Range { start, end } = here.children;
        let children = &self.nodes[start as usize..end as usize];
        children.iter().filter(|child| child.visits > 0).max_by_key(|child| child.visits)
    }
}

fn leaf<A>(action: A) -> Node<A> {
    Node { action, visits: 0, half_points: 0, children: 0..0 }
}
