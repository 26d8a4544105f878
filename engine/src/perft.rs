//! Counting the ways to play, by which rules are compared.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::game::Game;

/// How many ways there are to play `depth` actions from here. Leaves the game as it was.
/// `None` if `stop` was raised meanwhile.
pub fn perft<G: Game>(game: &mut G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    let mut lists = vec![Vec::new(); depth as usize];
    count(game, &mut lists, stop)
}

fn count<G: Game>(game: &mut G, lists: &mut [Vec<G::Action>], stop: &AtomicBool) -> Option<u64> {
    let Some((actions, deeper)) = lists.split_first_mut() else { return Some(1) };
    actions.clear();
    game.actions(actions);
    if deeper.is_empty() {
        return Some(actions.len() as u64);
    }
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let mut nodes = 0;
    for &action in actions.iter() {
        let undo = game.play(action);
        let below = count(game, deeper, stop);
        game.undo(action, undo);
        nodes += below?;
    }
    Some(nodes)
}
