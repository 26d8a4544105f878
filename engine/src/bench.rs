//! How fast the games go.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use tabuleiro_protocol::Limits;

use crate::game::{Describe, Evaluate, Game};
use crate::perft::perft;
use crate::player::{self, Control, Level, Question};
use crate::playout::playout;
use crate::random::Random;

/// What one thread does in a second.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Speed {
    pub playouts_per_s: f64,
    pub actions_per_s: f64,
    pub perft_nodes_per_s: f64,
    pub search_nodes_per_s: f64,
}

/// Measures a game from this position, a third of the time each with random playouts, perft and searches.
pub fn measure<G: Describe + Evaluate>(start: &G, time: Duration) -> Speed {
    let (playouts, actions, seconds) = playouts_for(start, time / 3);
    Speed {
        playouts_per_s: playouts as f64 / seconds,
        actions_per_s: actions as f64 / seconds,
        perft_nodes_per_s: perft_speed(start, time / 3),
        search_nodes_per_s: search_speed(start, time / 3),
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

/// Enough for a search to show its usual pace.
const NODES_A_SEARCH: u64 = 20_000;

/// Searches for the best turn in positions of random games, over and over.
fn search_speed<G: Describe + Evaluate>(start: &G, time: Duration) -> f64 {
    let stop = AtomicBool::new(false);
    let control = &mut Control { stop: &stop, report: &mut |_| {} };
    let positions = middle_positions(start);
    let began = Instant::now();
    let mut nodes = 0;
    for (seed, position) in (0..).zip(positions.iter().cycle()) {
        let limits = Limits { nodes: Some(NODES_A_SEARCH), ..Limits::default() };
        let question = Question { level: Level::Master, limits, seed, lines: 1 };
        nodes += player::choose(position, &question, control).nodes;
        if began.elapsed() > time {
            break;
        }
    }
    nodes as f64 / began.elapsed().as_secs_f64()
}

/// Positions half-way through random games, always the same ones.
fn middle_positions<G: Game>(start: &G) -> Vec<G> {
    let mut scratch = Vec::new();
    (0..20)
        .map(|seed| {
            let (_, length) = playout(&mut start.clone(), &mut Random::new(seed), usize::MAX, &mut scratch);
            let mut game = start.clone();
            playout(&mut game, &mut Random::new(seed), length / 2, &mut scratch);
            game
        })
        .collect()
}
