//! The player that looks no further than its turn.

use std::cmp::Reverse;
use std::collections::HashSet;

use tabuleiro_protocol::Stopped;

use super::answer::{RankedTurn, SearchAnswer};
use super::budget::Budget;
use super::evaluate::Evaluate;
use super::net::Sums;
use super::random::finish_turn;
use super::value::Value;
use crate::game::Game;
use crate::random::Random;

/// How many unfinished turns are followed from one action to the next. Enough for every turn of
/// most games; only where turns are made of many actions are those that look worst given up.
const WIDTH: usize = 400;

/// A turn that is not over yet, and where it has led.
struct Unfinished<G: Game> {
    game: G,
    actions: Vec<G::Action>,
}

/// Tries the whole turns that there are, and takes the one after which the position is worth most.
pub(super) fn search<G: Evaluate>(
    game: &G,
    weights: &G::Weights,
    seed: u64,
    multi_pv: usize,
    mut budget: Budget<'_>,
) -> SearchAnswer<G::Action> {
    let seat = game.to_move();
    // One position is much like the next, so a net need not begin anew with each.
    let mut sums = Sums::default();
    let mut worth =
        |game: &G| Value::of(game.outcome(), seat, || game.evaluate_next(seat, weights, &mut sums));
    let mut random = Random::new(seed);
    let mut finished: Vec<RankedTurn<G::Action>> = Vec::new();
    let mut unfinished = vec![Unfinished { game: game.clone(), actions: Vec::new() }];
    let mut seen = HashSet::new();
    let mut legal = Vec::new();
    'turn: while !unfinished.is_empty() {
        let mut next = Vec::new();
        for (index, start) in unfinished.iter_mut().enumerate() {
            legal.clear();
            start.game.actions(&mut legal);
            for &action in &legal {
                if !budget.spend() {
                    break 'turn;
                }
                let undo = start.game.play(action);
                // Several ways to one position are one way.
                if seen.insert(start.game.hash()) {
                    let value = worth(&start.game);
                    if start.game.turn_is_over(seat) {
                        let actions = start.actions.iter().copied().chain([action]).collect();
                        finished.push(RankedTurn::alone(actions, value));
                    } else {
                        next.push((value, index, action));
                    }
                }
                start.game.undo(action, undo);
            }
        }
        random.shuffle(&mut next);
        next.sort_by_key(|&(value, ..)| Reverse(value.rank()));
        next.truncate(WIDTH);
        let follow = |(_, index, action): (Value, usize, G::Action)| {
            let begun = &unfinished[index];
            let (mut game, mut actions) = (begun.game.clone(), begun.actions.clone());
            game.play(action);
            actions.push(action);
            Unfinished { game, actions }
        };
        unfinished = next.into_iter().map(follow).collect();
    }
    if finished.is_empty() {
        let Unfinished { game: end, actions } = any_turn(game, &unfinished, &mut random);
        finished.push(RankedTurn::alone(actions, worth(&end)));
    }
    // Shuffled first: turns of equal value stay in an order that the seed decides.
    random.shuffle(&mut finished);
    finished.sort_by_key(|turn| Reverse(turn.value.rank()));
    let stopped = match (budget.stopped, finished[0].value) {
        (Some(limit), _) => limit,
        (None, Value::Won | Value::Lost) => Stopped::Proved,
        (None, Value::Drawn | Value::Estimate(_)) => Stopped::Depth,
    };
    finished.truncate(multi_pv.max(1));
    SearchAnswer { turns: finished, depth: 1, nodes: budget.nodes, stopped }
}

/// For when the limits ended everything before the first turn was whole. Gives it, and where it
/// ends.
fn any_turn<G: Game>(game: &G, unfinished: &[Unfinished<G>], random: &mut Random) -> Unfinished<G> {
    let (mut game, mut actions) = match unfinished.first() {
        Some(begun) => (begun.game.clone(), begun.actions.clone()),
        None => (game.clone(), Vec::new()),
    };
    actions.extend(finish_turn(&mut game, random));
    Unfinished { game, actions }
}
