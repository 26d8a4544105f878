//! Looks through a game: what every turn was worth, and what would have been better.
//!
//! Every position at the start of a turn is searched by itself, by as many threads as take part.
//! What a position is worth depends on its search alone, and a verdict on two positions, so that with
//! node limits a review is the same however many threads there are.

mod board;
pub mod page;
pub mod report;
mod verdict;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tabuleiro_protocol::{
    Choice, Evaluation, Limits, PerSeat, Proof, ReviewSummary, Reviewed, ReviewedTurn, Score, Seat, Turn,
    Variation, Verdict,
};

use self::verdict::{judge, seen_by_other};
use crate::search::{Control, Level, SearchRequest};
use crate::session::Session;
use crate::table::{self, Table};

/// How many nodes a search of a review has if nobody says.
pub const NODES: u64 = 50_000;

/// How many of the best turns are listed if nobody says.
pub const LINES: usize = 2;

/// How much longer the second look is that a turn gets which seems to have thrown a win away.
const SECOND_LOOK: u32 = 4;

/// A review under way. Threads take part by [`Review::take_part`].
#[derive(Debug)]
pub struct Review {
    session: Session,
    request: SearchRequest,
    turns: Vec<Turn>,
    /// Where every turn begins, and where the last one ends.
    nodes: Vec<u32>,
    /// How many positions were taken by somebody.
    taken: AtomicUsize,
    found: Mutex<Found>,
}

#[derive(Debug)]
struct Found {
    /// By position; `None` also where the game is over.
    positions: Vec<Option<Choice>>,
    /// By turn; `true` once somebody judges it.
    begun: Vec<bool>,
    turns: Vec<Option<ReviewedTurn>>,
}

/// What a review has found out.
#[derive(Debug)]
pub enum News<'a> {
    /// What a position is worth.
    Position { node: u32, evaluation: Box<Evaluation> },
    /// What a turn was worth, by its place among all.
    Turn { index: usize, turn: &'a ReviewedTurn },
}

impl Review {
    /// A review of the line of a table, or of the way to a node. What an earlier one has found by the
    /// same search is not searched again.
    pub fn new(table: &Table, node: Option<u32>, request: SearchRequest) -> Result<Review, table::Error> {
        let history = table.session().history();
        let node = node.unwrap_or(history.end());
        let mut session = table.session().clone();
        if !session.go_to(node) {
            return Err(table.no_node(node));
        }
        session.end_line();
        let history = session.history();
        let mut turns = history.turns();
        // A turn that is not finished cannot be judged.
        if session.position().to_move().is_some() && session.position().to_move() == history.last_seat() {
            turns.pop();
        }
        let plies = std::iter::once(0).chain(turns.iter().map(|turn| turn.ply));
        let nodes: Vec<u32> = plies.filter_map(|ply| history.node_at(ply)).collect();
        let limits = Limits { threads: Some(1), ..request.limits };
        let request = SearchRequest { limits, ..request };
        let known = |&node: &u32| known(history.note(node)?.evaluation.as_ref()?, &request);
        let positions = nodes.iter().map(known).collect();
        let found = Found { positions, begun: vec![false; turns.len()], turns: vec![None; turns.len()] };
        Ok(Review { session, request, turns, nodes, taken: AtomicUsize::new(0), found: Mutex::new(found) })
    }

    /// How many turns there are to judge.
    pub fn total(&self) -> usize {
        self.turns.len()
    }

    pub fn request(&self) -> &SearchRequest {
        &self.request
    }

    /// Searches positions until there are none left, it is told to stop, or `goes_on` says no.
    pub fn take_part(
        &self,
        stop: &AtomicBool,
        mut goes_on: impl FnMut() -> bool,
        tell: &(dyn Fn(News<'_>) + Sync),
    ) {
        let mut session = self.session.clone();
        while !stop.load(Ordering::Relaxed) && goes_on() {
            let index = self.taken.fetch_add(1, Ordering::Relaxed);
            let Some(&node) = self.nodes.get(index) else { return };
            session.pass_by(node);
            let is_known = self.found.lock().positions[index].is_some();
            if !is_known && session.position().to_move().is_some() {
                let choice = session.position().choose(&self.request, &mut Control::until(stop));
                // One that was told to stop would have found more.
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let evaluation = Box::new(evaluation(&self.request, choice.clone()));
                self.found.lock().positions[index] = Some(choice);
                tell(News::Position { node, evaluation });
            }
            // The turn before this position, and the one after it, if its end is known.
            for turn in [index.checked_sub(1), Some(index)].into_iter().flatten() {
                self.judge(turn, &mut session, stop, tell);
            }
        }
    }

    /// Whether a position needs no search or has had one.
    fn is_settled(&self, found: &Found, index: usize) -> bool {
        let is_end = index + 1 == self.nodes.len() && self.session.position().to_move().is_none();
        found.positions[index].is_some() || is_end
    }

    /// Judges a turn once, as soon as it is known what it began with and what it led to.
    fn judge(
        &self,
        index: usize,
        session: &mut Session,
        stop: &AtomicBool,
        tell: &(dyn Fn(News<'_>) + Sync),
    ) {
        let (before, after) = {
            let mut found = self.found.lock();
            let is_ready = index < self.turns.len()
                && !found.begun[index]
                && self.is_settled(&found, index)
                && self.is_settled(&found, index + 1);
            let Some(before) = found.positions[index].clone().filter(|_| is_ready) else { return };
            found.begun[index] = true;
            (before, found.positions[index + 1].clone())
        };
        let turn = &self.turns[index];
        let mut after = match after {
            Some(choice) => seen_by_other(choice.score),
            None => self.outcome_for(turn.seat),
        };
        let wins = |score: Score| score.proved == Some(Proof::Win);
        if wins(before.score) && !wins(after) && before.actions != turn.actions && after.proved.is_none() {
            session.pass_by(self.nodes[index + 1]);
            let longer = SearchRequest { limits: longer(&self.request.limits), ..self.request.clone() };
            let again = session.position().choose(&longer, &mut Control::until(stop));
            if stop.load(Ordering::Relaxed) {
                return;
            }
            after = seen_by_other(again.score);
        }
        let (cost, verdict) = judge(&before, &turn.actions, after);
        let Choice { actions, score, pv, lines, .. } = before;
        let best =
            if lines.is_empty() { vec![Variation { actions, score, pv, turns: Vec::new() }] } else { lines };
        let judged = ReviewedTurn {
            turn: index + 1,
            seat: turn.seat,
            node: self.nodes[index],
            end: self.nodes[index + 1],
            actions: turn.actions.clone(),
            before: score,
            after,
            cost,
            verdict,
            best,
        };
        tell(News::Turn { index, turn: &judged });
        self.found.lock().turns[index] = Some(judged);
    }

    /// How the game ended for a seat.
    fn outcome_for(&self, seat: Seat) -> Score {
        let winner = self.session.position().outcome().and_then(|outcome| outcome.winner);
        match winner {
            None => Score { win: 0.5, proved: Some(Proof::Draw) },
            Some(winner) if winner == seat => Score { win: 1.0, proved: Some(Proof::Win) },
            Some(_) => Score { win: 0.0, proved: Some(Proof::Loss) },
        }
    }

    /// What was found until now.
    pub fn result(&self, took: Duration) -> Reviewed {
        let turns: Vec<ReviewedTurn> = self.found.lock().turns.iter().flatten().cloned().collect();
        let SearchRequest { level, limits, seed, .. } = &self.request;
        Reviewed {
            summary: summary(&turns),
            total: self.turns.len(),
            done: turns.len(),
            turns,
            level: level.id().into(),
            limits: Limits { threads: None, ..limits.clone() },
            seed: *seed,
            time_ms: took.as_millis() as u64,
        }
    }
}

/// What an earlier search has found, if it was asked for the same.
fn known(evaluation: &Evaluation, request: &SearchRequest) -> Option<Choice> {
    let Evaluation { level, limits, seed, lines, choice } = evaluation;
    let is_same = Level::by_id(level) == Some(request.level)
        && Limits { threads: Some(1), ..limits.clone() } == request.limits
        && (*seed, *lines) == (request.seed, request.multi_pv);
    is_same.then(|| choice.clone())
}

/// The limits of a second look.
fn longer(limits: &Limits) -> Limits {
    Limits {
        time_ms: limits.time_ms.map(|time| time.saturating_mul(SECOND_LOOK.into())),
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(SECOND_LOOK.into())),
        depth: limits.depth.map(|depth| depth.saturating_add(2)),
        ..limits.clone()
    }
}

/// What a search has found, with how it was asked.
pub fn evaluation(request: &SearchRequest, choice: Choice) -> Evaluation {
    let SearchRequest { level, limits, seed, multi_pv } = request;
    let limits = Limits { threads: None, ..limits.clone() };
    Evaluation { level: level.id().into(), limits, seed: *seed, lines: *multi_pv, choice }
}

/// How each seat has played.
fn summary(turns: &[ReviewedTurn]) -> PerSeat<ReviewSummary> {
    let of = |seat: Seat| {
        let mut summary = ReviewSummary::default();
        let (mut cost, mut choices) = (0.0, 0);
        for turn in turns.iter().filter(|turn| turn.seat == seat) {
            summary.turns += 1;
            let count = match turn.verdict {
                Verdict::Only => &mut summary.only,
                Verdict::Forced => &mut summary.forced,
                Verdict::Best => &mut summary.best,
                Verdict::Good => &mut summary.good,
                Verdict::Inaccuracy => &mut summary.inaccuracies,
                Verdict::Mistake => &mut summary.mistakes,
                Verdict::Blunder => &mut summary.blunders,
                Verdict::MissedWin => &mut summary.missed_wins,
            };
            *count += 1;
            if turn.verdict != Verdict::Only {
                cost += turn.cost;
                choices += 1;
            }
        }
        summary.mean_cost = if choices == 0 { 0.0 } else { cost / f64::from(choices) };
        summary
    };
    PerSeat { one: of(Seat::One), two: of(Seat::Two) }
}
