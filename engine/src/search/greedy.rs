use std::cmp::Reverse;
use std::collections::HashSet;

use tabuleiro_protocol::Stopped;

use super::random::finish_turn;
use super::{Answer, Budget, SearchRequest, Turn, Value, turn_is_over};
use crate::game::{Evaluate, Game};
use crate::random::Random;

/// How many unfinished turns are followed from one action to the next. Enough for every turn of most games;
/// only where turns are made of many actions are the least promising ones given up.
const WIDTH: usize = 400;

/// A turn that is not over yet.
struct Unfinished<G: Game> {
    game: G,
    actions: Vec<G::Action>,
}

/// Tries the whole turns that there are, and takes the one after which the position is worth most.
pub(super) fn choose<G: Evaluate>(
    game: &G,
    question: &SearchRequest,
    mut budget: Budget<'_>,
) -> Answer<G::Action> {
    let seat = game.to_move();
    let mut random = Random::new(question.seed);
    let mut finished: Vec<Turn<G::Action>> = Vec::new();
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
                    let value = Value::of(&start.game, seat);
                    if turn_is_over(&start.game, seat) {
                        let actions = start.actions.iter().copied().chain([action]).collect();
                        finished.push(Turn::alone(actions, value));
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
            let Unfinished { mut game, mut actions } = Unfinished {
                game: unfinished[index].game.clone(),
                actions: unfinished[index].actions.clone(),
            };
            game.play(action);
            actions.push(action);
            Unfinished { game, actions }
        };
        unfinished = next.into_iter().map(follow).collect();
    }
    if finished.is_empty() {
        finished.push(any_turn(game, &unfinished, &mut random));
    }
    // Shuffled first: turns of equal value stay in an order that the seed decides.
    random.shuffle(&mut finished);
    finished.sort_by_key(|turn| Reverse(turn.value.rank()));
    let stopped = match (budget.stopped, finished[0].value) {
        (Some(limit), _) => limit,
        (None, _) if finished.len() == 1 => Stopped::Only,
        (None, Value::Won | Value::Lost) => Stopped::Proved,
        (None, Value::Drawn | Value::Guess(_)) => Stopped::Depth,
    };
    finished.truncate(question.lines.max(1));
    Answer { turns: finished, depth: 1, nodes: budget.nodes, stopped }
}

/// For when the limits ended everything before the first turn was whole.
fn any_turn<G: Evaluate>(game: &G, unfinished: &[Unfinished<G>], random: &mut Random) -> Turn<G::Action> {
    let (mut end, mut actions) = match unfinished.first() {
        Some(begun) => (begun.game.clone(), begun.actions.clone()),
        None => (game.clone(), Vec::new()),
    };
    actions.extend(finish_turn(&mut end, random).0);
    Turn::alone(actions, Value::of(&end, game.to_move()))
}
