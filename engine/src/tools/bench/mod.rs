//! How fast the games go, how well time is kept, and what more threads bring.

mod crowd;
mod pipe;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use tabuleiro_protocol::{Choice, Limits, Stopped};

pub use self::crowd::{Crowd, crowd};
pub use self::pipe::{Piped, piped};
use crate::game::{Describe, Game};
use crate::perft::perft;
use crate::playout::playout;
use crate::random::Random;
use crate::search::{self, Control, Evaluate, Level, SearchRequest};
use crate::session::{Position, Session};
use crate::threads::spawn_scoped;

/// What one thread does in a second.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Speed {
    pub playouts_per_s: f64,
    pub actions_per_s: f64,
    pub perft_nodes_per_s: f64,
    pub search_nodes_per_s: f64,
}

/// Measures a game from this position, a third of the time each with random playouts, perft and
/// searches.
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

/// Counts ever deeper until the time is up; what the deepest count that was finished did in a
/// second.
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
    let positions = middle_positions(start);
    let began = Instant::now();
    let mut nodes = 0;
    for (seed, position) in (0..).zip(positions.iter().cycle()) {
        let limits = Limits { nodes: Some(NODES_A_SEARCH), ..Limits::default() };
        let request = SearchRequest { level: Level::Master, limits, seed, multi_pv: 1 };
        nodes += search::choose(position, &request, &mut Control::silent()).nodes;
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

/// Begins a game; the seed decides all chance.
pub type Start<'a> = &'a dyn Fn(u64) -> Session;

/// How late a player was at its latest, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Lateness {
    /// Behind each of [`TIMES_MS`].
    pub behind_time: [f64; TIMES_MS.len()],
    /// Behind its being told to stop.
    pub behind_cancel: f64,
}

pub const TIMES_MS: [u64; 3] = [50, 100, 1000];

/// A search under way that is cancelled has got this far.
const BEFORE_CANCEL: Duration = Duration::from_millis(50);

/// How late a level answers in so many positions of random games. Where it has nothing left to
/// think about it is not late.
pub fn lateness(
    start: Start<'_>,
    level: Level,
    threads: Option<u32>,
    positions: u32,
) -> io::Result<Lateness> {
    let mut latest = Lateness { behind_time: [0.0; TIMES_MS.len()], behind_cancel: 0.0 };
    for position in random_positions(start, positions) {
        for (time_ms, latest) in TIMES_MS.into_iter().zip(&mut latest.behind_time) {
            let began = Instant::now();
            ask(&*position, level, timed(time_ms, threads), &mut Control::silent());
            *latest = latest.max(milliseconds_since(began) - time_ms as f64);
        }
        latest.behind_cancel = latest.behind_cancel.max(behind_cancel(&*position, level, threads)?);
    }
    Ok(latest)
}

fn behind_cancel(position: &dyn Position, level: Level, threads: Option<u32>) -> io::Result<f64> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let canceller = spawn_scoped(scope, || {
            thread::sleep(BEFORE_CANCEL);
            let cancelled = Instant::now();
            stop.store(true, Ordering::Relaxed);
            cancelled
        })?;
        // Long enough never to end by itself.
        ask(position, level, timed(600_000, threads), &mut Control::until(&stop));
        let answered = Instant::now();
        let cancelled = canceller.join().unwrap_or(answered);
        Ok(answered.saturating_duration_since(cancelled).as_secs_f64() * 1000.0)
    })
}

/// What `master` searches in a second with one thread and with more.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ThreadSpeed {
    pub one_thread_nodes_per_s: f64,
    pub nodes_per_s: f64,
}

/// How much longer a search for [`thread_speed`] is than it takes to begin one.
const SEARCH_MS: u64 = 500;

/// What so many threads search in positions of random games, beside what one does.
pub fn thread_speed(start: Start<'_>, threads: u32, positions: u32) -> ThreadSpeed {
    let (mut one, mut many) = ((0, 0), (0, 0));
    for position in random_positions(start, positions) {
        let limits = |threads| timed(SEARCH_MS, Some(threads));
        let search = |threads| ask(&*position, Level::Master, limits(threads), &mut Control::silent());
        let (alone, together) = (search(1), search(threads));
        // What is solved before its time tells nothing.
        if [&alone, &together].iter().all(|choice| choice.stopped == Stopped::Time) {
            one = (one.0 + alone.nodes, one.1 + alone.time_ms);
            many = (many.0 + together.nodes, many.1 + together.time_ms);
        }
    }
    let per_s = |(nodes, ms): (u64, u64)| nodes as f64 * 1000.0 / ms.max(1) as f64;
    ThreadSpeed { one_thread_nodes_per_s: per_s(one), nodes_per_s: per_s(many) }
}

/// Positions of random games that are not easily solved, always the same ones.
fn random_positions(start: Start<'_>, count: u32) -> Vec<Box<dyn Position>> {
    let position = |seed| {
        let mut session = start(seed);
        let mut random = Random::new(seed);
        for _ in 0..random.below(LONGEST_GAME) {
            let mut next = session.clone();
            let request = SearchRequest {
                level: Level::Random,
                limits: Limits::default(),
                seed: random.next_u64(),
                multi_pv: 1,
            };
            let turn = next.position().choose(&request, &mut Control::silent()).actions;
            if next.play_all(&turn).is_err() || next.position().to_move().is_none() {
                break;
            }
            session = next;
        }
        session.position().to_boxed()
    };
    let is_hard = |position: &dyn Position| {
        let limits = Limits { nodes: Some(NODES_A_SEARCH), ..Limits::default() };
        ask(position, Level::Master, limits, &mut Control::silent()).stopped == Stopped::Nodes
    };
    (0..).map(position).filter(|position| is_hard(&**position)).take(count as usize).collect()
}

/// In turns; later somebody can nearly always win.
const LONGEST_GAME: u32 = 20;

fn ask(position: &dyn Position, level: Level, limits: Limits, control: &mut Control<'_>) -> Choice {
    let request = SearchRequest { level, limits, seed: 1, multi_pv: 1 };
    position.choose(&request, control)
}

fn timed(time_ms: u64, threads: Option<u32>) -> Limits {
    Limits { time_ms: Some(time_ms), threads, ..Limits::default() }
}

fn milliseconds_since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}
