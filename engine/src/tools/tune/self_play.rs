//! The games that weights are fitted to, and those that they are tried in.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;
use tabuleiro_protocol::Seat;

use super::TuningSettings;
use crate::game::{GameOptions, Outcome};
use crate::random::Random;
use crate::search::{Breadth, Effort, Evaluate, SearchSpace, Value, best_turn};
use crate::statistics::Sample;
use crate::tools::work_together;

/// A position, what a search thought it was worth to the seat to move and, if it is from a game,
/// how that ended for this seat: 1 won, 0 lost, a half drawn.
pub(super) struct TrainingSample<G> {
    pub(super) game: G,
    pub(super) value: Value,
    pub(super) result: Option<f64>,
}

impl<G> TrainingSample<G> {
    /// What was thought, if nothing was proved, and what came of it.
    pub(super) fn judgement(&self) -> Option<Judgement> {
        match (self.value, self.result) {
            (Value::Estimate(value), Some(result)) => Some(Judgement { value, result }),
            _ => None,
        }
    }
}

/// What a search thought a position was worth to the seat to move, and how its game ended for that
/// seat.
#[derive(Clone, Copy, Debug)]
pub(in crate::tools) struct Judgement {
    pub(super) value: i32,
    pub(super) result: f64,
}

/// A turn of a game as it is played.
struct Seen<'a, G> {
    game: &'a G,
    value: Value,
}

/// Random turns before the players take over, so that no two games are the same.
const OPENING: usize = 6;
/// A game that takes longer is left as a draw.
const MOST_TURNS: usize = 400;

/// The positions at the start of turns of games that weights play against themselves.
pub(super) fn game_samples<G: Evaluate>(
    options: &GameOptions,
    settings: &TuningSettings,
    weights: &Arc<G::Weights>,
) -> Vec<TrainingSample<G>> {
    let games = in_parallel(0..settings.games, settings.threads, |number| {
        let seed = settings.seed.wrapping_add(u64::from(number));
        let mut turns = Vec::new();
        let mut see = |seen: Seen<'_, G>| {
            if is_judged(seen.game, weights) {
                turns.push((seen.game.clone(), seen.value));
            }
        };
        let outcome = play::<G>(options, seed, [weights; 2], Effort::Nodes(settings.nodes), &mut see);
        (turns, outcome)
    });
    let sample = |(game, value): (G, Value), outcome| {
        let result = Some(points(outcome, game.to_move()));
        TrainingSample { game, value, result }
    };
    games
        .into_iter()
        .flat_map(|(turns, outcome)| turns.into_iter().map(move |turn| sample(turn, outcome)))
        .collect()
}

/// Whether a search would ever ask the evaluation about a position.
fn is_judged<G: Evaluate>(game: &G, weights: &Arc<G::Weights>) -> bool {
    game.outcome().is_none() && !space(game, weights).wins_at_once()
}

fn space<G: Evaluate>(game: &G, weights: &Arc<G::Weights>) -> G::Space {
    G::Space::new(game.clone(), Arc::clone(weights), Breadth::Usual)
}

/// Positions that come of a few random actions in others, of those that a search would try. Good
/// games have few blunders in them, but a search has to judge mostly what comes of blunders.
pub(super) fn perturbed_samples<G: Evaluate>(
    settings: &TuningSettings,
    weights: &Arc<G::Weights>,
    samples: &[TrainingSample<G>],
) -> Vec<TrainingSample<G>> {
    let perturbed = in_parallel(0..samples.len() as u32, settings.threads, |number| {
        let mut random = Random::new(settings.seed.wrapping_add(u64::from(number)));
        let mut game = samples[number as usize].game.clone();
        loop {
            let mut moves = Vec::new();
            space(&game, weights).moves(&mut moves);
            for action in G::Space::actions(random.pick(&moves)?) {
                game.play(action);
            }
            if random.below(2) == 0 {
                break;
            }
        }
        if !is_judged(&game, weights) {
            return None;
        }
        let (_, value) =
            best_turn(Arc::clone(weights), &game, Effort::Nodes(settings.nodes), random.next_u64());
        Some(TrainingSample { game, value, result: None })
    });
    perturbed.into_iter().flatten().collect()
}

/// Adds how new weights do against old ones, every opening from both seats, and what the new ones
/// thought of it.
pub(in crate::tools) fn compare<G: Evaluate>(
    contest: &Contest<'_, G>,
    pairs: Range<u32>,
    sample: &mut Sample,
    judgements: &mut Vec<Judgement>,
) {
    let &Contest { options, effort, seed, threads, new, old } = contest;
    let played = in_parallel(pairs, threads, |pair| {
        // Other openings than those that the weights were fitted to.
        let seed = seed.wrapping_add(u64::from(u32::MAX)).wrapping_add(u64::from(pair));
        Seat::BOTH.map(|seat| {
            let weights = if seat == Seat::One { [new, old] } else { [old, new] };
            let mut values = Vec::new();
            let mut see = |seen: Seen<'_, G>| match seen.value {
                Value::Estimate(value) if seen.game.to_move() == seat => values.push(value),
                _ => {}
            };
            let result = points(play::<G>(options, seed, weights, effort, &mut see), seat);
            (result, values)
        })
    });
    for pair in played {
        sample.add(pair.iter().map(|(result, _)| result).sum(), 2);
        for (result, values) in pair {
            judgements.extend(values.into_iter().map(|value| Judgement { value, result }));
        }
    }
}

/// What new weights are tried in against old ones.
pub(in crate::tools) struct Contest<'a, G: Evaluate> {
    pub(in crate::tools) options: &'a GameOptions,
    /// For every turn.
    pub(in crate::tools) effort: Effort,
    pub(in crate::tools) seed: u64,
    pub(in crate::tools) threads: usize,
    pub(in crate::tools) new: &'a Arc<G::Weights>,
    pub(in crate::tools) old: &'a Arc<G::Weights>,
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
    weights: [&Arc<G::Weights>; 2],
    effort: Effort,
    see: &mut dyn FnMut(Seen<'_, G>),
) -> Option<Outcome> {
    let mut random = Random::new(seed);
    let mut game = opening::<G>(options, seed, &mut random);
    for _ in 0..MOST_TURNS {
        if game.outcome().is_some() {
            break;
        }
        let weights = weights[game.to_move().index()];
        let (turn, value) = best_turn(Arc::clone(weights), &game, effort, random.next_u64());
        see(Seen { game: &game, value });
        for action in turn {
            game.play(action);
        }
    }
    game.outcome()
}

/// A position that is not over after some random turns.
pub(in crate::tools) fn opening<G: Evaluate>(options: &GameOptions, seed: u64, random: &mut Random) -> G {
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

/// The results of a job for every number, in order.
fn in_parallel<T: Send>(numbers: Range<u32>, most_threads: usize, job: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let next = AtomicU32::new(numbers.start);
    let done = Mutex::new(Vec::new());
    work_together(most_threads, || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            let result = job(number);
            done.lock().push((number, result));
        }
    });
    let mut done = done.into_inner();
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}
