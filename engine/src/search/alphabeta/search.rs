//! The nodes below the root: alpha-beta in its fail-soft form.

use tabuleiro_protocol::Seat;

use super::evaluation_cache::EvaluationCache;
use super::ordering::MoveOrdering;
use super::table::{Bound, Entry, TranspositionTable};
use crate::game::Outcome;
use crate::search::budget::Budget;
use crate::search::generation::MoveGeneration;
use crate::search::net::Sums;
use crate::search::space::SearchSpace;
use crate::search::tuning::Tuning;

/// Won now. What is won later is worth one less for every move that it takes.
pub(super) const WON: i32 = 1_000_000;
/// Won, but it is not known how soon.
pub(super) const FORCED_WIN: i32 = WON - 1_000;
/// Values beyond this are proved.
pub(super) const PROVED: i32 = WON - 10_000;
/// No static evaluation is beyond this.
pub(super) const MAX_STATIC_EVALUATION: i32 = PROVED - 1;
/// Deeper than any search gets.
const MAX_PLY: usize = 250;

/// One thread of a search, below the root.
pub(super) struct NodeSearch<'a, S: SearchSpace> {
    pub(super) space: S,
    pub(super) budget: Budget<'a>,
    table: &'a TranspositionTable,
    ordering: MoveOrdering<S::Move>,
    evaluations: EvaluationCache,
    sums: Sums,
    pub(super) tuning: Tuning,
    /// How often one was relied on, or something was pruned.
    pub(super) static_evaluations: u64,
    /// By ply.
    frames: Vec<Frame<S::Move>>,
}

/// What a node works with.
struct Frame<M> {
    /// As they are listed.
    moves: Vec<M>,
    /// In the order in which moves are tried, as far as it is known: their scores, and their places
    /// among those that are listed. Apart, so that the best score is found quickly.
    scores: Vec<i32>,
    places: Vec<u16>,
    /// The principal variation from here.
    pv: Vec<M>,
}

impl<'a, S: SearchSpace> NodeSearch<'a, S> {
    pub(super) fn new(space: S, budget: Budget<'a>, table: &'a TranspositionTable) -> NodeSearch<'a, S> {
        let frame = |_| Frame { moves: Vec::new(), scores: Vec::new(), places: Vec::new(), pv: Vec::new() };
        let frames = (0..=MAX_PLY).map(frame).collect();
        NodeSearch {
            evaluations: EvaluationCache::for_nodes(budget.most_nodes),
            ordering: MoveOrdering::new(),
            sums: Sums::default(),
            tuning: S::TUNING,
            static_evaluations: 0,
            space,
            budget,
            table,
            frames,
        }
    }

    /// The principal variation after the move at the root that was tried last.
    pub(super) fn pv_after_root(&self) -> &[S::Move] {
        &self.frames[1].pv
    }

    /// Plays a move and gives what that is worth to the seat that plays it, within the window.
    /// `None` if the search has to end.
    ///
    /// That it certainly loses is the worst estimate there is where better moves may be missing:
    /// then it proves nothing about the position before it.
    pub(super) fn try_move(
        &mut self,
        played: S::Move,
        depth: i32,
        window: (i32, i32),
        ply: usize,
    ) -> Option<i32> {
        if !self.budget.spend() {
            return None;
        }
        let (alpha, beta) = window;
        let seat = self.space.to_move();
        let undo = self.space.play(played);
        let value = match self.space.outcome() {
            Some(outcome) => {
                self.frames[ply + 1].pv.clear();
                Some(outcome_value(outcome, seat, ply + 1))
            }
            // A turn may have several moves: the sign follows the seat, not the ply.
            None if self.space.to_move() == seat => self.search(depth, alpha, beta, ply + 1),
            None => self.search(depth, -beta, -alpha, ply + 1).map(|value| -value),
        };
        self.space.undo(played, undo);
        if S::Generation::EXHAUSTIVE { value } else { value.map(|value| value.max(-MAX_STATIC_EVALUATION)) }
    }

    /// The first turn of a win that leaves the enemy no choice, looked for with so much effort.
    pub(super) fn forced_win(&mut self, effort: u64) -> Option<Vec<S::Move>> {
        let NodeSearch { space, budget, .. } = self;
        let mut left = effort;
        space.forced_win(&mut || {
            left = left.saturating_sub(1);
            left > 0 && budget.spend()
        })
    }

    /// What the position is worth to the seat to move. The game is not over.
    fn search(&mut self, depth: i32, mut alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        self.frames[ply].pv.clear();
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(alpha, beta, ply);
        }

        // Mate distance pruning: a faster win is known already.
        if WON - ply as i32 <= alpha {
            return Some(alpha);
        }

        // Transposition table cutoff.
        let is_pv = beta - alpha > 1;
        let hash = self.space.hash();
        let known = self.table.get(hash);
        if let Some(entry) = known
            && !is_pv
            && i32::from(entry.depth) >= depth
        {
            let value = from_table(entry.value, ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            if enough {
                self.static_evaluations += u64::from(!entry.certain);
                return Some(value);
            }
        }
        let evaluations_before = self.static_evaluations;

        // Win in one. No position with one comes into the table.
        if known.is_none() && self.space.wins_at_once() {
            return Some(WON - ply as i32 - 1);
        }

        // What is proved, or as good as that, is at stake where the window is beyond estimates: then
        // nothing may be left out.
        let is_open = alpha > -MAX_STATIC_EVALUATION && beta < MAX_STATIC_EVALUATION;
        let may_prune = !is_pv && is_open && self.space.is_in_play();

        // Reverse futility pruning.
        if may_prune && depth <= self.tuning.reverse_futility_depth && self.space.is_quiet() {
            let evaluation = self.static_evaluation(hash, known);
            if evaluation - self.margin(self.tuning.reverse_futility_margin * depth) >= beta {
                self.static_evaluations += 1;
                return Some(evaluation);
            }
        }

        // Frontier node: the best move may be known without listing all of them.
        if depth == 1
            && let Some(value) = self.search_frontier(alpha, beta, ply, hash)?
        {
            return Some(value);
        }

        // Move generation and ordering.
        if !self.budget.spend_on(S::GENERATION_COST) {
            return None;
        }
        let seat = self.space.to_move();
        let count = self.list_moves(ply);
        let hash_move = known.and_then(|entry| entry.best).filter(|&place| usize::from(place) < count);
        let reducible = self.tuning.late_move_reductions && depth >= 3 && count > 4;
        let most_moves = if may_prune { self.tuning.most_moves(depth) } else { usize::MAX };
        let (first_alpha, mut best, mut best_place) = (alpha, -WON, None);
        for index in 0..count {
            // Move-count pruning. What was tried must not be all that loses.
            if index >= most_moves && best > -MAX_STATIC_EVALUATION {
                self.static_evaluations += 1;
                break;
            }
            let (place, played) = match hash_move {
                // Often nothing else has to be tried, and no move has to be scored.
                Some(place) if index == 0 => (place, self.frames[ply].moves[usize::from(place)]),
                _ => {
                    let first_scored = usize::from(hash_move.is_some());
                    if index == first_scored {
                        self.score_moves(ply, seat, hash_move);
                    }
                    self.pick(ply, index)
                }
            };
            let value = if index == 0 {
                self.try_move(played, depth - 1, (alpha, beta), ply)?
            } else {
                // Late move reductions.
                let reduction = if reducible { reduction(depth, index) } else { 0 };
                let mut value = self.try_move(played, depth - 1 - reduction, (alpha, alpha + 1), ply)?;
                if value > alpha && reduction > 0 {
                    value = self.try_move(played, depth - 1, (alpha, alpha + 1), ply)?;
                }
                // Principal variation search: with the whole window only what turns out to be
                // better.
                if value > alpha && value < beta {
                    value = self.try_move(played, depth - 1, (alpha, beta), ply)?;
                }
                value
            };
            if value > best {
                best = value;
                if value > alpha {
                    best_place = Some(place);
                    alpha = value;
                    self.extend_pv(played, ply);
                }
                // Beta cutoff.
                if value >= beta {
                    let Frame { moves, places, .. } = &self.frames[ply];
                    let tried = places[..index].iter().map(|&place| moves[usize::from(place)]);
                    self.ordering.cut_off(played, ply, seat, depth, tried);
                    break;
                }
            }
        }

        // Transposition table store.
        let best_place = best_place.or(known.and_then(|entry| entry.best));
        self.table.put(
            hash,
            Entry {
                value: to_table(best, ply),
                depth: depth.min(255) as u8,
                bound: Bound::of(best, first_alpha, beta),
                certain: self.static_evaluations == evaluations_before,
                best: best_place,
            },
        );
        Some(best)
    }

    /// A node whose moves lead to leaves, searched by its best move alone. `None` if the search has
    /// to end, `Some(None)` if that move is not known or is not enough.
    fn search_frontier(&mut self, alpha: i32, beta: i32, ply: usize, hash: u64) -> Option<Option<i32>> {
        let NodeSearch { space, budget, .. } = self;
        let Some(played) = space.best_at_once(beta, &mut || budget.spend()) else { return Some(None) };
        let value = self.try_move(played, 0, (alpha, beta), ply)?;
        // If it loses, another one may not.
        if value <= -MAX_STATIC_EVALUATION {
            return Some(None);
        }
        self.extend_pv(played, ply);
        let bound = Bound::of(value, alpha, beta);
        self.table
            .put(hash, Entry { value: to_table(value, ply), depth: 1, bound, certain: false, best: None });
        Some(Some(value))
    }

    /// The static evaluation, no more certain than it is.
    fn evaluate(&mut self) -> i32 {
        let seat = self.space.to_move();
        self.space.evaluate_next(seat, &mut self.sums).clamp(-MAX_STATIC_EVALUATION, MAX_STATIC_EVALUATION)
    }

    /// The static evaluation of a quiet position for the seat to move, or what the table has that is
    /// nearer to the truth.
    fn static_evaluation(&mut self, hash: u64, known: Option<Entry>) -> i32 {
        let evaluation = self.evaluations.get(hash).unwrap_or_else(|| {
            let evaluation = self.evaluate();
            self.evaluations.put(hash, evaluation);
            evaluation
        });
        match known {
            Some(Entry { value, bound, .. }) if value.abs() < MAX_STATIC_EVALUATION => match bound {
                Bound::Exact => value,
                Bound::AtLeast => evaluation.max(value),
                Bound::AtMost => evaluation.min(value),
            },
            _ => evaluation,
        }
    }

    /// A margin of so many hundredths as an evaluation.
    fn margin(&self, hundredths: i32) -> i32 {
        hundredths * self.space.scale() / 100
    }

    /// Quiescence: what a position is worth where the search ends, by a static evaluation or by
    /// what comes of the moves that must still be looked at.
    fn quiescence(&mut self, mut alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let hash = self.space.hash();
        if let Some(evaluation) = self.evaluations.get(hash) {
            self.static_evaluations += 1;
            return Some(evaluation);
        }
        if self.space.wins_at_once() {
            return Some(WON - ply as i32 - 1);
        }
        let effort = self.tuning.forced_win_effort_at_leaves;
        if effort > 0 && self.forced_win(effort).is_some() {
            return Some(FORCED_WIN - ply as i32);
        }
        let mut moves = std::mem::take(&mut self.frames[ply].moves);
        moves.clear();
        if ply < MAX_PLY {
            self.space.quiescence_moves(&mut moves);
        }
        let mut best = if moves.is_empty() {
            self.static_evaluations += 1;
            let evaluation = self.evaluate();
            self.evaluations.put(hash, evaluation);
            Some(evaluation)
        } else {
            Some(-WON)
        };
        for &played in &moves {
            match self.try_move(played, 0, (alpha, beta), ply) {
                None => {
                    best = None;
                    break;
                }
                Some(value) => {
                    if best.is_none_or(|best| value > best) {
                        best = Some(value);
                        if value > alpha {
                            alpha = value;
                            self.extend_pv(played, ply);
                        }
                        if value >= beta {
                            break;
                        }
                    }
                }
            }
        }
        self.frames[ply].moves = moves;
        best
    }

    /// Fills the frame with the moves to be tried here. Gives how many.
    fn list_moves(&mut self, ply: usize) -> usize {
        let moves = &mut self.frames[ply].moves;
        moves.clear();
        moves_to_search(&self.space, moves);
        moves.len()
    }

    /// Scores the moves of the frame, with the hash move, which was tried, in front of all others.
    fn score_moves(&mut self, ply: usize, seat: Seat, hash_move: Option<u16>) {
        let Frame { moves, scores, places, .. } = &mut self.frames[ply];
        scores.clear();
        self.space.move_scores(moves, scores);
        self.ordering.add_to(scores, moves, ply, seat);
        places.clear();
        places.extend((0u16..).take(moves.len()));
        if let Some(place) = hash_move.map(usize::from) {
            scores.swap(0, place);
            places.swap(0, place);
        }
    }

    /// The next move to try, and its place: the best of those left, found only when it is asked for,
    /// since often few are.
    fn pick(&mut self, ply: usize, index: usize) -> (u16, S::Move) {
        let Frame { moves, scores, places, .. } = &mut self.frames[ply];
        let left = &scores[index..];
        let best = left.iter().copied().fold(i32::MIN, i32::max);
        let next = index + left.iter().position(|&score| score == best).unwrap_or(0);
        scores.swap(index, next);
        places.swap(index, next);
        (places[index], moves[usize::from(places[index])])
    }

    /// Makes the principal variation from here begin with a move and go on with the one after it.
    pub(super) fn extend_pv(&mut self, played: S::Move, ply: usize) {
        let (here, deeper) = self.frames.split_at_mut(ply + 1);
        let pv = &mut here[ply].pv;
        pv.clear();
        pv.push(played);
        pv.extend_from_slice(&deeper[0].pv);
    }
}

/// Lists the moves to be searched: where all others lose at once, the replies to a threat.
pub(super) fn moves_to_search<S: SearchSpace>(space: &S, moves: &mut Vec<S::Move>) {
    space.forced_replies(moves);
    if moves.is_empty() {
        space.moves(moves);
    }
}

fn outcome_value(outcome: Outcome, seat: Seat, ply: usize) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == seat => WON - ply as i32,
        Some(_) => ply as i32 - WON,
    }
}

/// How much less deep a late move is looked at first.
fn reduction(depth: i32, index: usize) -> i32 {
    if index < 3 {
        return 0;
    }
    let ln = |number: usize| LN[number.min(LN.len() - 1)];
    let reduction = 410 + ln(depth as usize) * ln(index) * 10 / 22 / 1024;
    (reduction / 1024).clamp(0, depth - 1)
}

/// Natural logarithms, in 1024ths. In whole numbers, so that they are the same on every machine.
static LN: [i32; 256] = natural_logarithms();

const fn natural_logarithms() -> [i32; 256] {
    /// ln 2, in 2^30ths.
    const LN_2: u64 = 744_261_118;
    let mut logarithms = [0; 256];
    let mut number = 2;
    while number < logarithms.len() {
        // Squaring a number between 1 and 2 shows the next binary digit of its logarithm.
        let whole = (number as u32).ilog2();
        let mut rest = (number as u64) << (31 - whole);
        let mut log2 = (whole as u64) << 24;
        let mut digit = 1 << 23;
        while digit > 0 {
            rest = (rest * rest) >> 31;
            if rest >> 32 != 0 {
                rest >>= 1;
                log2 |= digit;
            }
            digit >>= 1;
        }
        logarithms[number] = ((log2 * LN_2) >> 44) as i32;
        number += 1;
    }
    logarithms
}

/// The table counts the distance of a win from its position, not from the root.
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        _ if value > PROVED => value + ply as i32,
        _ if value < -PROVED => value - ply as i32,
        _ => value,
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        _ if value > PROVED => value - ply as i32,
        _ if value < -PROVED => value + ply as i32,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for (number, &logarithm) in LN.iter().enumerate().skip(1) {
            assert!((f64::from(logarithm) - (number as f64).ln() * 1024.0).abs() <= 1.0, "{number}");
        }
    }
}
