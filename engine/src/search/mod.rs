//! Computer players. They know a game only through its traits.

mod alphabeta;
mod greedy;
mod random;
mod uct;

use std::cell::RefCell;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tabuleiro_protocol::{
    Choice, Clock, Info, LevelInfo, LevelRole, Limits, Line, Proof, Score, Seat, Stopped,
};

use crate::game::{Breadth, Describe, Evaluate, Game};

/// How well a computer player plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    Random,
    Greedy,
    Novice,
    /// Who plays when nobody says.
    #[default]
    Club,
    Expert,
    Master,
    Uct,
}

impl Level {
    pub const ALL: [Level; 7] =
        [Level::Random, Level::Greedy, Level::Novice, Level::Club, Level::Expert, Level::Master, Level::Uct];

    pub fn id(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Greedy => "greedy",
            Level::Novice => "novice",
            Level::Club => "club",
            Level::Expert => "expert",
            Level::Master => "master",
            Level::Uct => "uct",
        }
    }

    pub fn by_id(id: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.id() == id)
    }

    pub fn info(self) -> LevelInfo {
        let (name, help) = match self {
            Level::Random => ("Random", "Takes any legal action, each as likely as the others."),
            Level::Greedy => ("Greedy", "Tries every turn it has and takes the one that looks best at once."),
            Level::Novice => ("Novice", "Looks a turn or two ahead: sees what wins or loses at once."),
            Level::Club => ("Club", "Looks a few turns ahead and plays a sound game."),
            Level::Expert => ("Expert", "Looks far ahead; hard to beat."),
            Level::Master => {
                ("Master", "Uses all the time it is given, two seconds a turn if nobody says, and all cores.")
            }
            Level::Uct => ("UCT", "Plain tree search with random games and no knowledge: a yardstick."),
        };
        let roles = match self {
            Level::Club => vec![LevelRole::Opponent],
            Level::Expert => vec![LevelRole::Hint],
            Level::Master => vec![LevelRole::Analysis],
            _ => Vec::new(),
        };
        LevelInfo { id: self.id().into(), name: name.into(), help: help.into(), roles }
    }

    fn breadth(self) -> Breadth {
        if self == Level::Master { Breadth::Wide } else { Breadth::Usual }
    }

    /// The limits that make the level what it is.
    fn own_limits<G: Evaluate>(self, game: &G, asked: &Limits) -> Limits {
        let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
        let bounded = asked.time_ms.is_some() || asked.clock.is_some() || asked.nodes.is_some();
        match self {
            Level::Novice => nodes(game.nodes_of_levels().novice),
            Level::Club => nodes(game.nodes_of_levels().club),
            Level::Expert => nodes(game.nodes_of_levels().expert),
            Level::Master | Level::Uct if !bounded && asked.depth.is_none() => {
                Limits { time_ms: Some(2_000), ..Limits::default() }
            }
            // A depth does not end it.
            Level::Uct if !bounded => nodes(10_000),
            Level::Random | Level::Greedy | Level::Master | Level::Uct => Limits::default(),
        }
    }
}

/// What a player is asked besides the position.
#[derive(Clone, Debug)]
pub struct SearchRequest {
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
pub fn choose<G: Describe + Evaluate>(
    game: &G,
    question: &SearchRequest,
    control: &mut Control<'_>,
) -> Choice {
    let began = Instant::now();
    let Control { stop, report } = control;
    let own = question.level.own_limits(game, &question.limits);
    let progress = RefCell::new(Progress { report, began, last_report: began, latest: None });
    let is_due = || progress.borrow().is_due();
    let repeat = |nodes| {
        if is_due() {
            progress.borrow_mut().report(nodes);
        }
    };
    let budget = Budget { goes_on: Some(&repeat), ..Budget::new([&question.limits, &own], began, stop) };
    let note = |depth, nodes, line: &Line| progress.borrow_mut().note(depth, nodes, line);
    let report = |depth, nodes, line: &Line| {
        note(depth, nodes, line);
        progress.borrow_mut().report(nodes);
    };
    let answer = match question.level {
        Level::Random => random::choose(game, question.seed),
        Level::Greedy => greedy::choose(game, question, budget),
        Level::Uct => uct::choose(game, question.seed, budget, &is_due, &mut |answer| {
            let Turn { actions, line, value } = &answer.turns[0];
            report(answer.depth, answer.nodes, &in_words(game, actions, line, *value));
        }),
        Level::Novice | Level::Club | Level::Expert | Level::Master => {
            // Only one thread gives the same choice again.
            let alone = question.level != Level::Master || budget.deadline.is_none();
            let threads = if alone { 1 } else { threads(&question.limits) };
            let deepest = question.limits.depth.unwrap_or(DEEPEST);
            let plan = alphabeta::Plan {
                deepest,
                threads,
                seed: question.seed,
                lines: question.lines,
                weights: game.weights_for_options(),
            };
            let searched = game.searched(plan.weights, question.level.breadth());
            let answer = alphabeta::choose(&searched, &plan, budget, &mut |depth| {
                let line = spelt_out::<G>(depth.line);
                let line = in_words(game, &line, &line, depth.value);
                if depth.finished {
                    report(depth.depth, depth.nodes, &line);
                } else {
                    note(depth.depth, depth.nodes, &line);
                }
            });
            let turn = |turn: &Turn<_>| Turn {
                actions: spelt_out::<G>(&turn.actions),
                line: spelt_out::<G>(&turn.line),
                value: turn.value,
            };
            let turns = answer.turns.iter().map(turn).collect();
            Answer { turns, depth: answer.depth, nodes: answer.nodes, stopped: answer.stopped }
        }
    };
    let mut lines: Vec<Line> =
        answer.turns.iter().map(|turn| in_words(game, &turn.actions, &turn.line, turn.value)).collect();
    let Line { actions, score, pv } = lines[0].clone();
    report(answer.depth, answer.nodes, &lines[0]);
    if question.lines < 2 {
        lines.clear();
    }
    let (depth, nodes, stopped) = (answer.depth, answer.nodes, answer.stopped);
    let time_ms = began.elapsed().as_millis() as u64;
    Choice { actions, score, pv, depth, nodes, time_ms, stopped, lines }
}

/// One for every core, or fewer if fewer are wanted.
fn threads(limits: &Limits) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    limits.threads.map_or(cores, |wanted| cores.min(wanted as usize))
}

/// No search gets deeper.
const DEEPEST: u32 = 100;

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
    /// How the game might go on, beginning with the turn.
    line: Vec<A>,
    value: Value,
}

impl<A: Clone> Turn<A> {
    /// A turn of which nobody knows what follows.
    fn alone(actions: Vec<A>, value: Value) -> Turn<A> {
        Turn { line: actions.clone(), actions, value }
    }
}

/// The actions that those of the searched game stand for.
fn spelt_out<G: Evaluate>(actions: &[<G::Searched as Game>::Action]) -> Vec<G::Action> {
    actions.iter().flat_map(|&action| G::spelt_out(action)).collect()
}

fn in_words<G: Describe + Evaluate>(game: &G, turn: &[G::Action], line: &[G::Action], value: Value) -> Line {
    let score = value.score(good(game));
    let mut game = game.clone();
    let mut pv = Vec::with_capacity(line.len());
    for &action in line {
        pv.push(game.write(action));
        game.play(action);
    }
    Line { actions: pv[..turn.len()].to_vec(), pv, score }
}

/// What a position is worth to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Lost,
    Drawn,
    Guess(i32),
    Won,
}

impl Value {
    fn of<G: Evaluate>(game: &G, seat: Seat) -> Value {
        match game.outcome() {
            None => Value::Guess(game.evaluate(seat, game.weights_for_options())),
            Some(outcome) => match outcome.winner {
                None => Value::Guess(0),
                Some(winner) if winner == seat => Value::Won,
                Some(_) => Value::Lost,
            },
        }
    }

    /// The higher, the better.
    fn rank(self) -> i32 {
        match self {
            Value::Lost => i32::MIN,
            Value::Drawn => 0,
            Value::Guess(value) => value,
            Value::Won => i32::MAX,
        }
    }

    /// The guess that stands for this chance to win.
    fn of_chance(chance: f64, good: i32) -> Value {
        let odds = chance.clamp(0.001, 0.999) / (1.0 - chance.clamp(0.001, 0.999));
        Value::Guess((odds.ln() / 3f64.ln() * f64::from(good)).round() as i32)
    }

    fn score(self, good: i32) -> Score {
        match self {
            Value::Won => Score { win: 1.0, proved: Some(Proof::Win) },
            Value::Lost => Score { win: 0.0, proved: Some(Proof::Loss) },
            Value::Drawn => Score { win: 0.5, proved: Some(Proof::Draw) },
            Value::Guess(value) => Score { win: win_chance(value, good), proved: None },
        }
    }
}

/// The evaluation at which a seat wins about three games in four, with the options that the game is played with.
fn good<G: Evaluate>(game: &G) -> i32 {
    G::good(game.weights_for_options())
}

/// How likely a seat wins with this evaluation: a logistic curve through three in four at what is good.
pub(crate) fn win_chance(value: i32, good: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / f64::from(good) * 3f64.ln()).exp())
}

/// The rest of the turn by a search of so many nodes with these weights, and what the search thinks it is worth.
pub(crate) fn best_turn<G: Evaluate>(
    game: &G,
    nodes: u64,
    seed: u64,
    weights: &G::Weights,
) -> (Vec<G::Action>, Value) {
    let never = AtomicBool::new(false);
    let budget = Budget { most_nodes: nodes, ..Budget::until(&never) };
    let plan = alphabeta::Plan { deepest: DEEPEST, threads: 1, seed, lines: 1, weights };
    let answer = alphabeta::choose(&game.searched(weights, Breadth::Usual), &plan, budget, &mut |_| {});
    let Turn { actions, value, .. } = &answer.turns[0];
    (spelt_out::<G>(actions), *value)
}

/// How long a search goes on without a word.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// Tells whoever asked how a search is getting on.
struct Progress<'a> {
    report: &'a mut dyn FnMut(Info),
    began: Instant,
    last_report: Instant,
    latest: Option<Info>,
}

impl Progress<'_> {
    /// Remembers the best line so far, for the next report.
    fn note(&mut self, depth: u32, nodes: u64, line: &Line) {
        self.latest = Some(Info { depth, nodes, time_ms: 0, score: line.score, pv: line.pv.clone() });
    }

    /// Tells the best line so far, if there is one.
    fn report(&mut self, nodes: u64) {
        self.last_report = Instant::now();
        if let Some(latest) = &mut self.latest {
            latest.nodes = nodes;
            latest.time_ms = self.began.elapsed().as_millis() as u64;
            (self.report)(latest.clone());
        }
    }

    fn is_due(&self) -> bool {
        self.last_report.elapsed() >= REPORT_EVERY
    }
}

/// Watches the limits of a search.
struct Budget<'a> {
    deadline: Option<Instant>,
    most_nodes: u64,
    stop: &'a AtomicBool,
    nodes: u64,
    /// How many nodes go by between looks at the clock and the flag.
    look_every: u64,
    /// How many nodes there must be before the next look.
    next_look: u64,
    uncounted: u64,
    stopped: Option<Stopped>,
    /// Hears how many nodes there are at every look.
    goes_on: Option<&'a dyn Fn(u64)>,
}

impl<'a> Budget<'a> {
    /// All of these limits at once.
    fn new(limits: [&Limits; 2], began: Instant, stop: &'a AtomicBool) -> Budget<'a> {
        let time = limits.into_iter().filter_map(time_for).min();
        Budget {
            deadline: time.and_then(|time| began.checked_add(time)),
            most_nodes: limits.into_iter().filter_map(|limits| limits.nodes).min().unwrap_or(u64::MAX),
            ..Budget::until(stop)
        }
    }

    /// No limit but the flag.
    fn until(stop: &'a AtomicBool) -> Budget<'a> {
        Budget {
            deadline: None,
            most_nodes: u64::MAX,
            stop,
            nodes: 0,
            look_every: 64,
            next_look: 0,
            uncounted: 0,
            stopped: None,
            goes_on: None,
        }
    }

    /// Whether there is time for one step more of work that is not counted, because it has to be done with however few nodes.
    fn has_time(&mut self) -> bool {
        self.uncounted += 1;
        if self.uncounted.is_multiple_of(self.look_every) {
            self.look();
        }
        !matches!(self.stopped, Some(Stopped::Cancelled | Stopped::Time))
    }

    /// Looks at the flag and the clock.
    fn look(&mut self) {
        if self.stop.load(Ordering::Relaxed) {
            self.stopped = Some(Stopped::Cancelled);
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stopped = Some(Stopped::Time);
        } else if let Some(goes_on) = self.goes_on {
            goes_on(self.nodes);
        }
    }

    /// Counts a node. `false` once the search has to end.
    fn spend(&mut self) -> bool {
        self.spend_on(1)
    }

    /// Counts what is as much work as so many nodes. `false` once the search has to end.
    fn spend_on(&mut self, nodes: u64) -> bool {
        if self.stopped.is_none() {
            if self.nodes >= self.most_nodes {
                self.stopped = Some(Stopped::Nodes);
            } else if self.nodes >= self.next_look {
                self.next_look = self.nodes + self.look_every;
                self.look();
            }
        }
        if self.stopped.is_some() {
            return false;
        }
        self.nodes = self.nodes.saturating_add(nodes).min(self.most_nodes);
        true
    }
}

fn time_for(limits: &Limits) -> Option<Duration> {
    let fixed = limits.time_ms.map(Duration::from_millis);
    // A share of the clock that leaves enough for the rest of a long game, and something for the way there and back.
    let share = limits.clock.map(|Clock { left_ms, increment_ms }| {
        Duration::from_millis((left_ms / 30 + increment_ms / 2).min(left_ms / 2))
    });
    fixed.into_iter().chain(share).min()
}

/// Whether the turn of a seat has ended.
fn turn_is_over<G: Game>(game: &G, seat: Seat) -> bool {
    game.outcome().is_some() || game.to_move() != seat
}
