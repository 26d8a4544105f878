use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tabuleiro_protocol::Seat;

use super::Effort;
use crate::game::{Evaluate, Game, GameOptions, Outcome};
use crate::matches::Sample;
use crate::player::best_turn;
use crate::random::Random;

/// A position and how its game ended for the seat to move: 1 won, 0 lost, a half drawn.
pub(super) struct Lesson<G> {
    pub(super) game: G,
    pub(super) result: f64,
}

/// Random turns before the players take over, so that no two games are the same.
const OPENING: usize = 6;
/// A game that takes longer is left as a draw.
const MOST_TURNS: usize = 400;

/// The positions at the start of turns of games that the shipped weights play against themselves.
pub(super) fn lessons<G: Evaluate>(options: &GameOptions, effort: &Effort) -> Vec<Lesson<G>> {
    let weights = [G::weights(); 2];
    let games = in_parallel(effort.games, effort.threads, |number| {
        let seed = effort.seed.wrapping_add(u64::from(number));
        let mut positions = Vec::new();
        let outcome =
            play::<G>(options, seed, weights, effort.nodes, &mut |game| positions.push(game.clone()));
        (positions, outcome)
    });
    let mut lessons = Vec::new();
    for (positions, outcome) in games {
        lessons.extend(positions.into_iter().map(|game| {
            let result = points(outcome, game.to_move());
            Lesson { game, result }
        }));
    }
    lessons
}

/// How new weights do against old ones, every opening from both seats.
pub(super) fn compare<G: Evaluate>(
    options: &GameOptions,
    effort: &Effort,
    new: &G::Weights,
    old: &G::Weights,
) -> Sample {
    let pairs = in_parallel(effort.match_games.div_ceil(2), effort.threads, |pair| {
        // Other openings than those that the weights were fitted to.
        let seed = effort.seed.wrapping_add(u64::from(u32::MAX)).wrapping_add(u64::from(pair));
        Seat::BOTH.map(|seat| {
            let weights = if seat == Seat::One { [new, old] } else { [old, new] };
            points(play::<G>(options, seed, weights, effort.nodes, &mut |_| {}), seat)
        })
    });
    let mut sample = Sample::default();
    pairs.into_iter().for_each(|[one, two]| sample.add(one + two, 2));
    sample
}

fn points(outcome: Option<Outcome>, seat: Seat) -> f64 {
    match outcome.and_then(|outcome| outcome.winner) {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == seat)),
    }
}

/// Plays a game with the weights of each seat. `None` if it took too long.
fn play<G: Evaluate>(
    options: &GameOptions,
    seed: u64,
    weights: [&G::Weights; 2],
    nodes: u64,
    see: &mut dyn FnMut(&G),
) -> Option<Outcome> {
    let mut random = Random::new(seed);
    let mut game = opening::<G>(options, seed, &mut random);
    for _ in 0..MOST_TURNS {
        if game.outcome().is_some() {
            break;
        }
        see(&game);
        let seat = game.to_move();
        for action in best_turn(&game, nodes, random.next_u64(), weights[seat.index()]) {
            game.play(action);
        }
    }
    game.outcome()
}

/// A position that is not over after some random turns.
fn opening<G: Game>(options: &GameOptions, seed: u64, random: &mut Random) -> G {
    let mut scratch = Vec::new();
    loop {
        let mut game = G::start(options, seed);
        let mut turns = 0;
        while turns < OPENING
            && let Some(action) = game.random_action(random, &mut scratch)
        {
            let seat = game.to_move();
            game.play(action);
            turns += usize::from(game.to_move() != seat);
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// The results of a job for every number below `count`, in order.
fn in_parallel<T: Send>(count: u32, threads: usize, job: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let next = AtomicU32::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let result = job(number);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}
