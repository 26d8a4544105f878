//! Games to learn from: played by the computer against itself, a line of JSON for each.
//!
//! A game is kept as its actions and what searches thought on the way, not as what a net sees of
//! it: nets that see other things can learn from the same games.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tabuleiro_files::{GrowingFile, Links};
use tabuleiro_protocol::{Options, Seat};
use thiserror::Error;

use super::progress::Progress;
use crate::game::{Describe, GameOptions};
use crate::random::Random;
use crate::search::{Breadth, Effort, Evaluate, SearchSpace, Value, best_turn};
use crate::tools::work_together;

/// Which games are played.
#[derive(Clone, Debug)]
pub struct DataPlan {
    /// Their numbers, from 1 on.
    pub numbers: Vec<u32>,
    /// Nodes a turn.
    pub nodes: u64,
    pub seed: u64,
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Games that were there before.
    pub there: usize,
    pub played: usize,
    pub positions: usize,
    /// Whether all games are there that were asked for.
    pub finished: bool,
}

#[derive(Debug, Error)]
pub enum DataError {
    #[error(transparent)]
    Read(#[from] tabuleiro_files::ReadError),
    #[error(transparent)]
    Write(#[from] tabuleiro_files::WriteError),
    #[error("{file}: {reason}")]
    Io { file: String, reason: io::Error },
    #[error("{file} holds something else than games to learn from: choose another name")]
    NoData { file: String },
    #[error("{file} holds games of {there}, and not of {wanted}")]
    Other { file: String, there: String, wanted: String },
}

/// The first line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    format: String,
    game: String,
    options: Options,
    pub(super) nodes: u64,
    pub(super) seed: u64,
    /// Of the engine.
    pub(super) version: String,
}

const FORMAT: &str = "tabuleiro-training-1";

impl Head {
    fn new<G: Describe>(options: &GameOptions, plan: &DataPlan) -> Head {
        Head {
            format: FORMAT.into(),
            game: G::ID.into(),
            options: options.values().clone(),
            nodes: plan.nodes,
            seed: plan.seed,
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }

    pub(super) fn is_of<G: Describe>(&self, options: &GameOptions) -> bool {
        self.game == G::ID && self.options == *options.values()
    }

    fn shown(&self) -> String {
        let options = serde_json::to_string(&self.options).unwrap_or_default();
        let Head { game, nodes, seed, version, .. } = self;
        format!("{game} {options} with {nodes} nodes, seed {seed}, version {version}")
    }
}

/// A game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Played {
    pub(super) number: u32,
    /// What the start of the game was drawn from.
    seed: u64,
    actions: Vec<String>,
    winner: Option<Seat>,
    seen: Vec<Seen>,
}

/// What a search thought of a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Seen {
    /// After so many actions of the game.
    at: usize,
    /// And after these, which were not played in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    aside: Vec<String>,
    /// The chance to win of the seat to move.
    win: f64,
}

/// A position to learn from.
pub(super) struct Lesson<G> {
    pub(super) game: G,
    /// What a search thought: the chance to win of the seat to move.
    pub(super) win: f64,
    /// What came of it for that seat: 1 won, 0 lost, a half drawn.
    pub(super) result: Option<f64>,
}

/// Random turns before the players take over: from so many on, and less than so many more.
const OPENING: (u32, u32) = (2, 8);
/// One turn in so many is left to chance, so that games go where good players do not.
const CHANCE: u32 = 32;
/// A game that takes longer is left as a draw.
const MOST_TURNS: usize = 400;

/// Plays games and adds them to a file, which may hold some of them already. Ends early once `stop`
/// is set.
pub fn make_data<G: Describe + Evaluate>(
    options: &GameOptions,
    plan: &DataPlan,
    file: &Path,
    stop: &AtomicBool,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<Made, DataError> {
    let head = Head::new::<G>(options, plan);
    let there = match file.exists() {
        true => numbers(file, &head)?,
        false => {
            tabuleiro_files::write(file, line(&head))?;
            HashSet::new()
        }
    };
    let missing: Vec<u32> = plan.numbers.iter().copied().filter(|number| !there.contains(number)).collect();
    let mut progress = Progress::new(say);
    progress.say(&format!("playing {} games of {} nodes a turn", missing.len(), plan.nodes));
    let next = AtomicUsize::new(0);
    let done = Mutex::new((GrowingFile::open(file)?, progress, 0, 0, None));
    work_together(plan.threads, || {
        while !stop.load(Ordering::Relaxed)
            && let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let game = play::<G>(options, plan, number);
            let (file, progress, games, positions, trouble) = &mut *done.lock();
            if let Err(error) = file.add(&line(&game)) {
                *trouble = Some(error);
                stop.store(true, Ordering::Relaxed);
                return;
            }
            *games += 1;
            *positions += game.seen.len();
            progress.done(*games, missing.len() as u32, || {
                format!("{games} of {} games, {positions} positions", missing.len())
            });
        }
    });
    let (file, _, games, positions, trouble) = done.into_inner();
    if let Some(error) = trouble {
        return Err(error.into());
    }
    file.sync()?;
    let played = games as usize;
    Ok(Made { there: there.len(), played, positions, finished: played == missing.len() })
}

fn line(value: &impl Serialize) -> String {
    format!("{}\n", serde_json::to_string(value).expect("plain values"))
}

/// The numbers of the games in a file, which must be of this kind.
fn numbers(file: &Path, wanted: &Head) -> Result<HashSet<u32>, DataError> {
    let mut numbers = HashSet::new();
    let head = each_game(file, |played| {
        numbers.insert(played.number);
    })?;
    if head != *wanted {
        let file = file.display().to_string();
        return Err(DataError::Other { file, there: head.shown(), wanted: wanted.shown() });
    }
    Ok(numbers)
}

/// Goes through the games of a file. Lines that a crash has cut off are passed over: their games
/// are missing.
pub(super) fn each_game(file: &Path, mut look: impl FnMut(Played)) -> Result<Head, DataError> {
    let name = || file.display().to_string();
    let mut lines = BufReader::new(tabuleiro_files::open(file, Links::Followed)?).lines();
    let io = |reason| DataError::Io { file: name(), reason };
    let first = lines.next().transpose().map_err(io)?.unwrap_or_default();
    let head: Option<Head> = serde_json::from_str(&first).ok();
    let head = head.filter(|head| head.format == FORMAT).ok_or_else(|| DataError::NoData { file: name() })?;
    for line in lines {
        if let Ok(played) = serde_json::from_str(&line.map_err(io)?) {
            look(played);
        }
    }
    Ok(head)
}

impl Played {
    /// The positions of the game. Ends where an action is not legal.
    pub(super) fn lessons<G: Describe>(&self, options: &GameOptions, mut learn: impl FnMut(Lesson<G>)) {
        let mut game = G::start(options, self.seed);
        let mut seen = self.seen.iter().peekable();
        for at in 0..=self.actions.len() {
            while let Some(seen) = seen.next_if(|seen| seen.at == at) {
                let mut position = game.clone();
                if play_all(&mut position, &seen.aside).is_none() || position.outcome().is_some() {
                    continue;
                }
                let result = seen.aside.is_empty().then(|| match self.winner {
                    None => 0.5,
                    Some(winner) => f64::from(u8::from(winner == position.to_move())),
                });
                learn(Lesson { game: position, win: seen.win, result });
            }
            if at < self.actions.len() && play_all(&mut game, &self.actions[at..=at]).is_none() {
                return;
            }
        }
    }
}

fn play_all<G: Describe>(game: &mut G, actions: &[String]) -> Option<()> {
    for action in actions {
        let action = game.read(action).ok()?;
        game.play(action);
    }
    Some(())
}

/// Plays a game, which depends on nothing but its number and the plan.
fn play<G: Describe + Evaluate>(options: &GameOptions, plan: &DataPlan, number: u32) -> Played {
    let mut random = Random::new(plan.seed.wrapping_add(u64::from(number)));
    let seed = random.next_seed();
    let mut game = G::start(options, seed);
    let mut actions = Vec::new();
    let mut seen = Vec::new();
    let (least, more) = OPENING;
    let opening = least + random.below(more);
    for turn in 0..MOST_TURNS {
        if game.outcome().is_some() {
            break;
        }
        if turn < opening as usize || random.below(CHANCE) == 0 {
            let seat = game.to_move();
            while !game.turn_is_over(seat)
                && let Some(action) = game.random_action(&mut random, &mut Vec::new())
            {
                actions.push(game.write(action));
                game.play(action);
            }
            continue;
        }
        let weights = game.shipped_weights();
        let (best, value) =
            best_turn(Arc::clone(&weights), &game, Effort::Nodes(plan.nodes), random.next_u64());
        let at = actions.len();
        if is_quiet(&game, &weights) {
            seen.push(Seen { at, aside: Vec::new(), win: chance_of::<G>(value, &weights) });
        }
        if random.below(2) == 0
            && let Some((aside, beside)) = beside(&game, &weights, &mut random)
        {
            let (_, value) =
                best_turn(Arc::clone(&weights), &beside, Effort::Nodes(plan.nodes), random.next_u64());
            seen.push(Seen { at, aside, win: chance_of::<G>(value, &weights) });
        }
        for action in best {
            actions.push(game.write(action));
            game.play(action);
        }
    }
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    Played { number, seed, actions, winner, seen }
}

/// A position that comes of a few random moves: good games have few blunders in them, but a search
/// has to judge mostly what comes of blunders.
fn beside<G: Describe + Evaluate>(
    game: &G,
    weights: &Arc<G::Weights>,
    random: &mut Random,
) -> Option<(Vec<String>, G)> {
    let mut game = game.clone();
    let mut aside = Vec::new();
    loop {
        let mut moves = Vec::new();
        space(&game, weights).moves(&mut moves);
        let seat = game.to_move();
        for action in G::Space::actions(random.pick(&moves)?) {
            aside.push(game.write(action));
            game.play(action);
        }
        if game.outcome().is_some() {
            return None;
        }
        if game.to_move() != seat && random.below(2) == 0 {
            break;
        }
    }
    is_quiet(&game, weights).then_some((aside, game))
}

/// Whether a search that ends here would ask for a static evaluation.
fn is_quiet<G: Evaluate>(game: &G, weights: &Arc<G::Weights>) -> bool {
    let space = space(game, weights);
    let mut moves = Vec::new();
    space.quiescence_moves(&mut moves);
    moves.is_empty() && !space.wins_at_once()
}

fn space<G: Evaluate>(game: &G, weights: &Arc<G::Weights>) -> G::Space {
    G::Space::new(game.clone(), Arc::clone(weights), Breadth::Usual)
}

/// Four digits are enough.
fn chance_of<G: Evaluate>(value: Value, weights: &G::Weights) -> f64 {
    (value.chance(G::scale(weights)) * 10_000.0).round() / 10_000.0
}
