use tabuleiro_protocol::Stopped;

use super::{Answer, Turn, Value, turn_is_over};
use crate::game::{Evaluate, Game};
use crate::random::Random;

/// Uniform over the legal actions, until the turn is over.
pub(super) fn choose<G: Evaluate>(game: &G, seed: u64) -> Answer<G::Action> {
    let seat = game.to_move();
    let value = Value::of(game, seat);
    let (actions, had_choice) = finish_turn(&mut game.clone(), &mut Random::new(seed));
    let stopped = if had_choice { Stopped::Depth } else { Stopped::Only };
    Answer { depth: 1, nodes: actions.len() as u64, stopped, turns: vec![Turn::alone(actions, value)] }
}

/// Plays random actions until the turn is over. Gives them, and whether there was ever a choice.
pub(super) fn finish_turn<G: Game>(game: &mut G, random: &mut Random) -> (Vec<G::Action>, bool) {
    let seat = game.to_move();
    let mut turn = Vec::new();
    let mut legal = Vec::new();
    let mut had_choice = false;
    while !turn_is_over(game, seat) {
        legal.clear();
        game.actions(&mut legal);
        let Some(action) = random.pick(&legal) else { break };
        had_choice |= legal.len() > 1;
        turn.push(action);
        game.play(action);
    }
    (turn, had_choice)
}
