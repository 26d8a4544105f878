//! Computer players. They know a game only through its traits.

mod greedy;
mod random;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tabuleiro_protocol::{Choice, Info, LevelInfo, Limits, Line, Proof, Score, Seat, Stopped};

use crate::game::{Describe, Evaluate, Game};

/// How well a computer player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Random,
    Greedy,
}

impl Level {
    pub const ALL: [Level; 2] = [Level::Random, Level::Greedy];

    /// Who plays when nobody says.
    pub const DEFAULT: Level = Level::Greedy;

    pub fn id(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Greedy => "greedy",
        }
    }

    pub fn by_id(id: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.id() == id)
    }

    pub fn info(self) -> LevelInfo {
        let (name, help) = match self {
            Level::Random => ("Random", "Takes any legal action, each as likely as the others."),
            Level::Greedy => ("Greedy", "Tries every turn it has and takes the one that looks best at once."),
        };
        LevelInfo { id: self.id().into(), name: name.into(), help: help.into() }
    }
}

/// What a player is asked besides the position.
#[derive(Clone, Debug)]
pub struct Question {
    pub level: Level,
    pub limits: Limits,
    pub seed: u64,
    /// How many of the best turns to list.
    pub lines: usize,
}

/// How a search is stopped from outside, and where it says how it is getting on.
#[allow(missing_debug_implementations)]
pub struct Control<'a> {
    pub stop: &'a AtomicBool,
    pub report: &'a mut dyn FnMut(Info),
}

/// The rest of the turn of the seat to move. The game must not be over.
pub fn choose<G: Describe + Evaluate>(game: &G, question: &Question, control: &mut Control<'_>) -> Choice {
    let began = Instant::now();
    let budget = Budget::new(&question.limits, began, control.stop);
    let answer = match question.level {
        Level::Random => random::choose(game, question.seed),
        Level::Greedy => greedy::choose(game, question, budget),
    };
    let mut lines: Vec<Line> = answer.turns.iter().map(|turn| in_words(game, turn)).collect();
    let best = lines[0].clone();
    let time_ms = began.elapsed().as_millis() as u64;
    let (depth, nodes, pv) = (answer.depth, answer.nodes, best.pv.clone());
    (control.report)(Info { depth, nodes, time_ms, score: best.score, pv });
    if question.lines < 2 {
        lines.clear();
    }
    let Line { actions, score, pv } = best;
    Choice { actions, score, pv, depth, nodes, time_ms, stopped: answer.stopped, lines }
}

/// What a player found: the best turns, best first, and at least one.
struct Answer<A> {
    turns: Vec<Turn<A>>,
    depth: u32,
    nodes: u64,
    stopped: Stopped,
}

/// A whole turn and what it is worth to the one who makes it.
struct Turn<A> {
    actions: Vec<A>,
    value: Value,
}

fn in_words<G: Describe + Evaluate>(game: &G, turn: &Turn<G::Action>) -> Line {
    let mut game = game.clone();
    let mut actions = Vec::with_capacity(turn.actions.len());
    for &action in &turn.actions {
        actions.push(game.write(action));
        game.play(action);
    }
    Line { pv: actions.clone(), actions, score: turn.value.score::<G>() }
}

/// What a position is worth to a seat, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Lost,
    Guess(i32),
    Won,
}

impl Value {
    fn of<G: Evaluate>(game: &G, seat: Seat) -> Value {
        match game.outcome() {
            None => Value::Guess(game.evaluate(seat)),
            Some(outcome) => match outcome.winner {
                None => Value::Guess(0),
                Some(winner) if winner == seat => Value::Won,
                Some(_) => Value::Lost,
            },
        }
    }

    fn score<G: Evaluate>(self) -> Score {
        match self {
            Value::Won => Score { win: 1.0, proved: Some(Proof::Win) },
            Value::Lost => Score { win: 0.0, proved: Some(Proof::Loss) },
            // A logistic curve through three in four at `GOOD`.
            Value::Guess(value) => {
                let win = 1.0 / (1.0 + (-f64::from(value) / G::GOOD * 3f64.ln()).exp());
                Score { win, proved: None }
            }
        }
    }
}

/// Watches the limits of a search.
struct Budget<'a> {
    deadline: Option<Instant>,
    most_nodes: u64,
    stop: &'a AtomicBool,
    nodes: u64,
    stopped: Option<Stopped>,
}

impl<'a> Budget<'a> {
    /// How often the clock and the flag are looked at.
    const NODES_BETWEEN_LOOKS: u64 = 256;

    fn new(limits: &Limits, began: Instant, stop: &'a AtomicBool) -> Budget<'a> {
        let fixed = limits.time_ms.map(Duration::from_millis);
        // A share of the clock that leaves enough for the rest of a long game.
        let share =
            limits.clock.map(|clock| Duration::from_millis(clock.left_ms / 30 + clock.increment_ms / 2));
        let time = fixed.into_iter().chain(share).min();
        Budget {
            deadline: time.and_then(|time| began.checked_add(time)),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            stop,
            nodes: 0,
            stopped: None,
        }
    }

    /// Counts a node. `false` once the search has to end.
    fn spend(&mut self) -> bool {
        if self.stopped.is_none() {
            if self.nodes >= self.most_nodes {
                self.stopped = Some(Stopped::Nodes);
            } else if self.nodes.is_multiple_of(Self::NODES_BETWEEN_LOOKS) {
                if self.stop.load(Ordering::Relaxed) {
                    self.stopped = Some(Stopped::Cancelled);
                } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    self.stopped = Some(Stopped::Time);
                }
            }
        }
        self.nodes += u64::from(self.stopped.is_none());
        self.stopped.is_none()
    }
}

/// Whether the turn of a seat has ended.
fn turn_is_over<G: Game>(game: &G, seat: Seat) -> bool {
    game.outcome().is_some() || game.to_move() != seat
}
