//! The player that takes any legal action.

use tabuleiro_protocol::Stopped;

use super::answer::{RankedTurn, SearchAnswer};
use super::evaluate::Evaluate;
use super::value::Value;
use crate::game::Game;
use crate::random::Random;

/// Uniform over the legal actions, until the turn is over.
pub(super) fn search<G: Evaluate>(game: &G, weights: &G::Weights, seed: u64) -> SearchAnswer<G::Action> {
    let seat = game.to_move();
    let value = Value::of(game.outcome(), seat, || game.evaluate(seat, weights));
    let actions = finish_turn(&mut game.clone(), &mut Random::new(seed));
    let nodes = actions.len() as u64;
    SearchAnswer { turns: vec![RankedTurn::alone(actions, value)], depth: 1, nodes, stopped: Stopped::Depth }
}

/// Plays random actions until the turn is over. Gives them.
pub(super) fn finish_turn<G: Game>(game: &mut G, random: &mut Random) -> Vec<G::Action> {
    let seat = game.to_move();
    let mut turn = Vec::new();
    let mut legal = Vec::new();
    while !game.turn_is_over(seat) {
        legal.clear();
        game.actions(&mut legal);
        let Some(action) = random.pick(&legal) else { break };
        turn.push(action);
        game.play(action);
    }
    turn
}
