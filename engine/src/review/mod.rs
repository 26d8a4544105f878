//! Looks through a game: what every turn was worth, and what would have been better.
//!
//! Every position at the start of a turn is searched by itself, by as many threads as take part.
//! What a position is worth depends on its search alone, and a verdict on two positions, so that with
//! node limits a review is the same however many threads there are. Nothing is called a mistake
//! before both positions had a second, longer look.

mod board;
mod look;
pub mod page;
pub mod report;
mod verdict;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tabuleiro_protocol::{
    Choice, Evaluation, Limits, PerSeat, Proof, ReviewSummary, Reviewed, ReviewedTurn, Score, Seat, Turn,
    Variation, Verdict,
};

use self::look::Looks;
use self::verdict::{is_doubtful, judge, seen_by_other};
use crate::search::{Control, Level, SearchRequest};
use crate::session::Session;
use crate::table::{self, Table};

/// How many nodes a search of a review has if nobody says.
pub const NODES: u64 = 50_000;

/// How many of the best turns are listed if nobody says.
pub const LINES: usize = 2;

/// A review under way. Threads take part by [`Review::take_part`].
#[derive(Debug)]
pub struct Review {
    session: Session,
    request: SearchRequest,
    looks: Looks,
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
    /// What is left of the time for second looks, if time is limited.
    saved: Duration,
    /// Turns that get their second look when nothing else is left to do.
    doubtful: Vec<Doubtful>,
}

/// A turn that seems to be bad.
#[derive(Debug)]
struct Doubtful {
    index: usize,
    /// What was found where it began.
    before: Choice,
    /// What the seat seems to have once it is played.
    after: Score,
    /// The best turns of the first look, if there was a second.
    also: Vec<Variation>,
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
        let found = Found {
            positions,
            begun: vec![false; turns.len()],
            turns: vec![None; turns.len()],
            saved: Duration::ZERO,
            doubtful: Vec::new(),
        };
        let (looks, taken) = (Looks::new(&request.limits), AtomicUsize::new(0));
        Ok(Review { session, request, looks, turns, nodes, taken, found: Mutex::new(found) })
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
            let Some(&node) = self.nodes.get(index) else { break };
            session.pass_by(node);
            let is_known = self.found.lock().positions[index].is_some();
            let mut used = Duration::ZERO;
            if !is_known && session.position().to_move().is_some() {
                let began = Instant::now();
                let request = SearchRequest { limits: self.looks.first(), ..self.request.clone() };
                let Some(choice) = choose(&session, &request, stop) else { return };
                used = began.elapsed();
                let evaluation = Box::new(evaluation(&self.request, choice.clone()));
                self.found.lock().positions[index] = Some(choice);
                tell(News::Position { node, evaluation });
            }
            self.found.lock().saved += self.looks.saved(used);
            // The turn before this position, and the one after it, if its end is known.
            for turn in [index.checked_sub(1), Some(index)].into_iter().flatten() {
                self.judge(turn, &mut session, stop, tell);
            }
        }
        while !stop.load(Ordering::Relaxed) && goes_on() {
            let Some((doubtful, time)) = self.next_doubtful() else { return };
            self.look_again(doubtful, Some(time), &mut session, stop, tell);
        }
    }

    /// A turn that waits for its second look, with its share of the time that is left.
    fn next_doubtful(&self) -> Option<(Doubtful, Duration)> {
        let found = &mut *self.found.lock();
        let waiting = u32::try_from(found.doubtful.len()).unwrap_or(u32::MAX);
        let doubtful = found.doubtful.pop()?;
        let share = self.looks.most_time().min(found.saved / waiting.max(1));
        // Rather some turns looked at in earnest than all of them hardly.
        let time = share.max(self.looks.least_time()).min(found.saved);
        found.saved -= time;
        Some((doubtful, time))
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
        let after = match after {
            Some(choice) => seen_by_other(choice.score),
            None => self.outcome_for(self.turns[index].seat),
        };
        let doubtful = Doubtful { index, before, after, also: Vec::new() };
        if !is_doubtful(&doubtful.before, &self.turns[index].actions, doubtful.after) {
            return self.settle(doubtful, tell);
        }
        if self.looks.are_timed() {
            let found = &mut *self.found.lock();
            match found.saved.checked_sub(self.looks.most_time()) {
                Some(left) => found.saved = left,
                None => return found.doubtful.push(doubtful),
            }
        }
        self.look_again(doubtful, None, session, stop, tell);
    }

    /// Looks longer at what a turn began with and led to, as far as that is not proved, and judges
    /// the turn. Both looks together may have so much time, or else the usual one.
    fn look_again(
        &self,
        doubtful: Doubtful,
        time: Option<Duration>,
        session: &mut Session,
        stop: &AtomicBool,
        tell: &(dyn Fn(News<'_>) + Sync),
    ) {
        let Doubtful { index, mut before, mut after, mut also } = doubtful;
        let is_open = |score: Score| score.proved.is_none();
        let looks = 1 + u32::from(is_open(before.score) && is_open(after));
        let Some(limits) = self.looks.second(time, looks) else {
            return self.settle(Doubtful { index, before, after, also }, tell);
        };
        // What the others are worth would cost as much again.
        let request = SearchRequest { limits, multi_pv: 1, ..self.request.clone() };
        if is_open(after) {
            session.pass_by(self.nodes[index + 1]);
            let Some(again) = choose(session, &request, stop) else { return };
            after = seen_by_other(again.score);
        }
        if is_open(before.score) {
            session.pass_by(self.nodes[index]);
            let Some(again) = choose(session, &request, stop) else { return };
            also = std::mem::replace(&mut before, again).lines;
        }
        self.settle(Doubtful { index, before, after, also }, tell);
    }

    /// Judges a turn for good.
    fn settle(&self, turn: Doubtful, tell: &(dyn Fn(News<'_>) + Sync)) {
        let Doubtful { index, before, mut after, also } = turn;
        if before.score.proved == Some(Proof::Loss) {
            // Whatever was played has lost, even if the search after it has not seen so far.
            after = before.score;
        }
        let turn = &self.turns[index];
        let (cost, verdict) = judge(&before, &turn.actions, after);
        let Choice { actions, score, pv, lines, .. } = before;
        let mut best = lines;
        if best.is_empty() {
            let is_other = |line: &Variation| line.actions != actions && line.score.win <= score.win;
            let also =
                also.into_iter().filter(is_other).take(self.request.multi_pv.saturating_sub(1)).collect();
            let turns = vec![actions.len()];
            best = [vec![Variation { actions, score, pv, turns }], also].concat();
        }
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

/// What a search finds. Nothing if it was told to stop: it would have found more.
fn choose(session: &Session, request: &SearchRequest, stop: &AtomicBool) -> Option<Choice> {
    let choice = session.position().choose(request, &mut Control::until(stop));
    (!stop.load(Ordering::Relaxed)).then_some(choice)
}

/// What an earlier search has found, if it was asked for the same.
fn known(evaluation: &Evaluation, request: &SearchRequest) -> Option<Choice> {
    let Evaluation { level, limits, seed, lines, choice } = evaluation;
    let is_same = Level::by_id(level) == Some(request.level)
        && Limits { threads: Some(1), ..limits.clone() } == request.limits
        && (*seed, *lines) == (request.seed, request.multi_pv);
    is_same.then(|| choice.clone())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    /// A game of random turns.
    fn random_game(game: &str, turns: u64) -> Table {
        let session = Catalog::standard().open(game, None, 5, None).expect("a game");
        let mut table = Table::new(String::new(), session, PerSeat::default()).expect("a table");
        for seed in 0..turns {
            let random = SearchRequest::new(Level::Random, seed);
            let turn = table.position().choose(&random, &mut Control::silent()).actions;
            table.play(&turn, None, PerSeat { one: true, two: true }).expect("a legal turn");
        }
        table
    }

    fn look_through(table: &Table, limits: Limits) -> Vec<ReviewedTurn> {
        let request = SearchRequest { level: Level::Master, limits, seed: 0, multi_pv: LINES };
        let review = Review::new(table, None, request).expect("a review");
        review.take_part(Control::silent().stop, || true, &|_| {});
        let reviewed = review.result(Duration::ZERO);
        assert_eq!(reviewed.done, reviewed.total);
        reviewed.turns
    }

    #[test]
    fn what_is_called_bad_is_bad_by_a_longer_look() {
        let nodes = |nodes| Limits { nodes: Some(nodes), threads: Some(1), ..Limits::default() };
        let (mut bad, mut doubted) = (0, 0);
        for game in ["zurero", "fabrik", "syrtis"] {
            let table = random_game(game, 10);
            let mut session = table.session().clone();
            let mut find = |node: u32, limits: Limits| {
                session.pass_by(node);
                let multi_pv = if limits == nodes(300) { LINES } else { 1 };
                let request = SearchRequest { level: Level::Master, limits, seed: 0, multi_pv };
                session.position().choose(&request, &mut Control::silent())
            };
            for turn in look_through(&table, nodes(300)) {
                let (before, after) = (find(turn.node, nodes(300)), find(turn.end, nodes(300)));
                let first = judge(&before, &turn.actions, seen_by_other(after.score)).1;
                doubted += u32::from(first.is_bad() && !turn.verdict.is_bad());
                if !turn.verdict.is_bad() {
                    continue;
                }
                bad += 1;
                let are_open = [&before, &after].map(|found| found.score.proved.is_none());
                let longer = nodes(if are_open == [true, true] { 1200 } else { 2400 });
                let before = if are_open[0] { find(turn.node, longer.clone()) } else { before };
                let after = if are_open[1] { find(turn.end, longer) } else { after };
                assert_eq!(turn.before, before.score, "{game}: {turn:?}");
                assert_eq!(turn.after, seen_by_other(after.score), "{game}: {turn:?}");
                assert_eq!(turn.best[0].actions, before.actions, "{game}: {turn:?}");
            }
        }
        assert!(bad > 0 && doubted > 0, "{bad} {doubted}: these games show nothing");
    }

    #[test]
    fn in_whatever_time_every_turn_is_judged() {
        for time_ms in [1, 7] {
            let limits = Limits { time_ms: Some(time_ms), ..Limits::default() };
            assert_eq!(look_through(&random_game("zurero", 12), limits).len(), 12);
        }
    }
}
