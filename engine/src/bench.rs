//! How fast the games go.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::game::Game;
use crate::perft::perft;
use crate::playout::playout;
use crate::random::Random;

/// What one thread does in a second.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Speed {
    pub playouts_per_s: f64,
    pub actions_per_s: f64,
    pub perft_nodes_per_s: f64,
}

/// Measures a game from this position, half of the time with random playouts and half with perft.
pub fn measure<G: Game>(start: &G, time: Duration) -> Speed {
    let (playouts, actions, seconds) = playouts_for(start, time / 2);
    Speed {
        playouts_per_s: playouts as f64 / seconds,
        actions_per_s: actions as f64 / seconds,
        perft_nodes_per_s: perft_speed(start, time / 2),
    }
}

fn playouts_for<G: Game>(start: &G, time: Duration) -> (u64, u64, f64) {
    let mut random = Random::new(1);
    let mut scratch = Vec::new();
    let mut game = start.clone();
    let (mut playouts, mut actions) = (0, 0);
    let began = Instant::now();
    while began.elapsed() < time {
        game.clone_from(start);
        actions += playout(&mut game, &mut random, usize::MAX, &mut scratch).1 as u64;
        playouts += 1;
    }
    (playouts, actions, began.elapsed().as_secs_f64())
}

/// Counts ever deeper until the time is up; what the deepest count that was finished did in a second.
fn perft_speed<G: Game>(start: &G, time: Duration) -> f64 {
    let stop = AtomicBool::new(false);
    let mut game = start.clone();
    let began = Instant::now();
    let mut depth = 1;
    loop {
        let this = Instant::now();
        let nodes = perft(&mut game, depth, &stop).expect("nobody stops it");
        let speed = nodes as f64 / this.elapsed().as_secs_f64();
        // The next depth takes longer by about the number of actions: it would not fit.
        if began.elapsed() > time / 10 {
            return speed;
        }
        depth += 1;
    }
}
