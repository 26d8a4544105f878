//! The nodes below the root: alpha-beta in its fail-soft form.

use tabuleiro_protocol::Seat;

use super::ordering::{MoveOrdering, Scored};
use super::table::{Bound, Entry, TranspositionTable};
use crate::game::Outcome;
use crate::search::budget::Budget;
use crate::search::generation::MoveGeneration;
use crate::search::space::SearchSpace;

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
    /// How often one was relied on.
    pub(super) static_evaluations: u64,
    /// By ply.
    frames: Vec<Frame<S::Move>>,
}

/// What a node works with.
struct Frame<M> {
    moves: Vec<M>,
    scored: Vec<Scored<M>>,
    /// The principal variation from here.
    pv: Vec<M>,
}

impl<'a, S: SearchSpace> NodeSearch<'a, S> {
    pub(super) fn new(space: S, budget: Budget<'a>, table: &'a TranspositionTable) -> NodeSearch<'a, S> {
        let frame = |_| Frame { moves: Vec::new(), scored: Vec::new(), pv: Vec::new() };
        let frames = (0..=MAX_PLY).map(frame).collect();
        NodeSearch { space, budget, table, ordering: MoveOrdering::new(), static_evaluations: 0, frames }
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

        // Win in one.
        if self.space.wins_at_once() {
            return Some(WON - ply as i32 - 1);
        }

        // Transposition table cutoff.
        let hash = self.space.hash();
        let known = self.table.get(hash);
        if let Some(entry) = known
            && beta - alpha == 1
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
        let count = self.score_moves(ply, seat, known.and_then(|entry| entry.best));
        let reducible = S::LATE_MOVE_REDUCTIONS && depth >= 3 && count > 4;
        let (first_alpha, mut best, mut best_place) = (alpha, -WON, None);
        for index in 0..count {
            let Scored { place, played, .. } = self.pick(ply, index);
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
                    let tried = &self.frames[ply].scored[..index];
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

    /// Quiescence: what a position is worth where the search ends, by a static evaluation or by
    /// what comes of the moves that must still be looked at.
    fn quiescence(&mut self, mut alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let seat = self.space.to_move();
        if self.space.wins_at_once() {
            return Some(WON - ply as i32 - 1);
        }
        let effort = S::FORCED_WIN_EFFORT_AT_LEAVES;
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
            Some(self.space.evaluate(seat).clamp(-MAX_STATIC_EVALUATION, MAX_STATIC_EVALUATION))
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

    /// Fills the frame with the moves to be tried here and their scores. Gives how many.
    fn score_moves(&mut self, ply: usize, seat: Seat, hash_move: Option<u16>) -> usize {
        let Frame { moves, scored, .. } = &mut self.frames[ply];
        moves.clear();
        self.space.moves(moves);
        scored.clear();
        for (place, &played) in (0u16..).zip(moves.iter()) {
            let of_game = self.space.move_score(played);
            let score = self.ordering.score(played, ply, seat, of_game, Some(place) == hash_move);
            scored.push(Scored { score, place, played });
        }
        scored.len()
    }

    /// The next move to try: the best of those left, found only when it is asked for, since often
    /// few are.
    fn pick(&mut self, ply: usize, index: usize) -> Scored<S::Move> {
        let scored = &mut self.frames[ply].scored;
        let mut next = index;
        for other in index + 1..scored.len() {
            if scored[other].score > scored[next].score {
                next = other;
            }
        }
        scored.swap(index, next);
        scored[index]
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
    let reduction = 0.4 + f64::from(depth).ln() * (index as f64).ln() / 2.2;
    (reduction as i32).clamp(0, depth - 1)
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
