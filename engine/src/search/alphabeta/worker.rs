use tabuleiro_protocol::Seat;

use super::ordering::Experience;
use super::table::{Bound, Entry, TranspositionTable};
use crate::game::{Evaluate, Forced, Outcome};
use crate::search::Budget;

/// Won now. What is won later is worth one less for every action that it takes.
pub(super) const WON: i32 = 1_000_000;
/// Won, but it is not known how soon.
pub(super) const FORCED_WIN: i32 = WON - 1_000;
/// Values beyond this are proved.
pub(super) const PROVED: i32 = WON - 10_000;
/// No evaluation is beyond this.
pub(super) const FARTHEST_GUESS: i32 = PROVED - 1;
/// Deeper than any search gets.
const MOST_PLIES: usize = 250;

/// An action to try: how early, its place among the legal ones, and itself.
type Ranked<A> = (i32, u16, A);

/// One thread of a search.
pub(super) struct Worker<'a, G: Evaluate> {
    pub(super) game: G,
    pub(super) budget: Budget<'a>,
    table: &'a TranspositionTable,
    weights: &'a G::Weights,
    experience: Experience<G::Action>,
    /// How often an evaluation was relied on.
    pub(super) guesses: u64,
    /// By distance from the root.
    frames: Vec<Frame<G::Action>>,
}

/// What a node works with.
struct Frame<A> {
    legal: Vec<A>,
    ranked: Vec<Ranked<A>>,
    /// The best line from here.
    line: Vec<A>,
}

impl<'a, G: Evaluate> Worker<'a, G> {
    pub(super) fn new(
        game: G,
        budget: Budget<'a>,
        table: &'a TranspositionTable,
        weights: &'a G::Weights,
    ) -> Worker<'a, G> {
        let frame = |_| Frame { legal: Vec::new(), ranked: Vec::new(), line: Vec::new() };
        let frames = (0..=MOST_PLIES).map(frame).collect();
        Worker { game, budget, table, weights, experience: Experience::new(), guesses: 0, frames }
    }

    /// The best line after the action at the root that was tried last.
    pub(super) fn line_after_root(&self) -> &[G::Action] {
        &self.frames[1].line
    }

    /// Plays an action and gives what that is worth to the seat that plays it, within the window. `None` if the search has to end.
    ///
    /// That it certainly loses is as bad a guess as there is where better actions may be missing: then it proves nothing about the position before it.
    pub(super) fn try_action(
        &mut self,
        action: G::Action,
        depth: i32,
        window: (i32, i32),
        ply: usize,
    ) -> Option<i32> {
        if !self.budget.spend() {
            return None;
        }
        let (alpha, beta) = window;
        let seat = self.game.to_move();
        let undo = self.game.play(action);
        let value = match self.game.outcome() {
            Some(outcome) => {
                self.frames[ply + 1].line.clear();
                Some(outcome_value(outcome, seat, ply + 1))
            }
            None if self.game.to_move() == seat => self.search(depth, alpha, beta, ply + 1),
            None => self.search(depth, -beta, -alpha, ply + 1).map(|value| -value),
        };
        self.game.undo(action, undo);
        if G::LISTS_EVERY_ACTION { value } else { value.map(|value| value.max(-FARTHEST_GUESS)) }
    }

    /// The first turn of a win that leaves the enemy no choice, looked for with so much effort.
    pub(super) fn forced_win(&mut self, effort: u64) -> Option<Vec<G::Action>> {
        let Worker { game, budget, .. } = self;
        let mut left = effort;
        game.forced_win(&mut || {
            left = left.saturating_sub(1);
            left > 0 && budget.spend()
        })
    }

    pub(super) fn overlooked_win(&mut self) -> Option<G::Action> {
        self.game.overlooked_win(&mut || self.budget.has_time())
    }

    /// `None` if there is no time to find out.
    pub(super) fn lets_the_enemy_win(&mut self, action: G::Action) -> Option<bool> {
        let lets = self.game.lets_the_enemy_win(action, &mut || self.budget.has_time());
        self.budget.has_time().then_some(lets)
    }

    /// Whether an action wins for certain, looked into with so much effort.
    pub(super) fn is_forced(&mut self, action: G::Action, effort: u64) -> Forced<G::Action> {
        let Worker { game, budget, .. } = self;
        let mut left = effort;
        game.is_forced(action, &mut || {
            left = left.saturating_sub(1);
            left > 0 && budget.spend()
        })
    }

    /// What an action is worth to the seat that plays it if the enemy gives this reply. `None` if the search has to end.
    pub(super) fn try_action_and_reply(
        &mut self,
        action: G::Action,
        reply: G::Action,
        depth: i32,
    ) -> Option<i32> {
        let undo = self.game.play(action);
        let value = self.try_action(reply, depth - 2, (-WON, WON), 1);
        self.game.undo(action, undo);
        if value.is_some() {
            self.extend_line(reply, 1);
        }
        value.map(|value| -value)
    }

    pub(super) fn overlooked_rescue(&mut self) -> Option<G::Action> {
        self.game.overlooked_rescue(&mut || self.budget.has_time())
    }

    fn best_at_once(&mut self, enough: i32) -> Option<G::Action> {
        let Worker { game, budget, .. } = self;
        game.best_at_once(enough, &mut || budget.spend())
    }

    /// What the position is worth to the seat to move. The game is not over.
    fn search(&mut self, depth: i32, mut alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        self.frames[ply].line.clear();
        if depth <= 0 || ply >= MOST_PLIES {
            return self.beyond_horizon(alpha, beta, ply);
        }
        // A faster win is known already.
        if WON - ply as i32 <= alpha {
            return Some(alpha);
        }
        if self.game.wins_at_once() {
            return Some(WON - ply as i32 - 1);
        }
        let hash = self.game.hash();
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
                self.guesses += u64::from(!entry.certain);
                return Some(value);
            }
        }
        let guesses_before = self.guesses;
        if depth == 1
            && let Some(action) = self.best_at_once(beta)
        {
            let value = self.try_action(action, 0, (alpha, beta), ply)?;
            // If it loses, another one may not.
            if value > -FARTHEST_GUESS {
                self.extend_line(action, ply);
                let bound = match value {
                    _ if value >= beta => Bound::AtLeast,
                    _ if value > alpha => Bound::Exact,
                    _ => Bound::AtMost,
                };
                self.table.put(
                    hash,
                    Entry { value: to_table(value, ply), depth: 1, bound, certain: false, best: None },
                );
                return Some(value);
            }
        }
        if !self.budget.spend_on(G::COST_OF_LISTING) {
            return None;
        }
        let seat = self.game.to_move();
        let count = self.rank_actions(ply, seat, known.and_then(|entry| entry.best));
        let reducible = depth >= 3 && count > 4 && G::LATE_ACTIONS_CAN_WAIT;
        let (first_alpha, mut best, mut best_place) = (alpha, -WON, None);
        for index in 0..count {
            let (_, place, action) = self.pick(ply, index);
            let value = if index == 0 {
                self.try_action(action, depth - 1, (alpha, beta), ply)?
            } else {
                let reduction = if reducible { reduction(depth, index) } else { 0 };
                let mut value = self.try_action(action, depth - 1 - reduction, (alpha, alpha + 1), ply)?;
                if value > alpha && reduction > 0 {
                    value = self.try_action(action, depth - 1, (alpha, alpha + 1), ply)?;
                }
                if value > alpha && value < beta {
                    value = self.try_action(action, depth - 1, (alpha, beta), ply)?;
                }
                value
            };
            if value > best {
                best = value;
                if value > alpha {
                    best_place = Some(place);
                    alpha = value;
                    self.extend_line(action, ply);
                }
                if value >= beta {
                    let tried = &self.frames[ply].ranked[..index];
                    self.experience.cut_off(action, ply, seat, depth, tried);
                    break;
                }
            }
        }
        let bound = match best {
            _ if best >= beta => Bound::AtLeast,
            _ if best > first_alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        let best_place = best_place.or(known.and_then(|entry| entry.best));
        self.table.put(
            hash,
            Entry {
                value: to_table(best, ply),
                depth: depth.min(255) as u8,
                bound,
                certain: self.guesses == guesses_before,
                best: best_place,
            },
        );
        Some(best)
    }

    /// What a position is worth where the search ends: an evaluation, or what comes of the actions that must still be looked at.
    fn beyond_horizon(&mut self, mut alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let seat = self.game.to_move();
        if self.game.wins_at_once() {
            return Some(WON - ply as i32 - 1);
        }
        if G::EFFORT_AT_LEAVES > 0 && self.forced_win(u64::from(G::EFFORT_AT_LEAVES)).is_some() {
            return Some(FORCED_WIN - ply as i32);
        }
        let mut legal = std::mem::take(&mut self.frames[ply].legal);
        legal.clear();
        if ply < MOST_PLIES {
            self.game.beyond_horizon(&mut legal);
        }
        let mut best = if legal.is_empty() {
            self.guesses += 1;
            Some(self.game.evaluate(seat, self.weights).clamp(-FARTHEST_GUESS, FARTHEST_GUESS))
        } else {
            Some(-WON)
        };
        for &action in &legal {
            match self.try_action(action, 0, (alpha, beta), ply) {
                None => {
                    best = None;
                    break;
                }
                Some(value) => {
                    if best.is_none_or(|best| value > best) {
                        best = Some(value);
                        if value > alpha {
                            alpha = value;
                            self.extend_line(action, ply);
                        }
                        if value >= beta {
                            break;
                        }
                    }
                }
            }
        }
        self.frames[ply].legal = legal;
        best
    }

    /// Fills the frame with what is to be tried here. Gives how many.
    fn rank_actions(&mut self, ply: usize, seat: Seat, best: Option<u16>) -> usize {
        let Frame { legal, ranked, .. } = &mut self.frames[ply];
        legal.clear();
        self.game.actions(legal);
        ranked.clear();
        for (place, &action) in (0u16..).zip(legal.iter()) {
            let promise = self.game.promise(action);
            let rank = self.experience.rank(action, ply, seat, promise, Some(place) == best);
            ranked.push((rank, place, action));
        }
        ranked.len()
    }

    /// The next action to try: the best of those left, found only when it is asked for, since often few are.
    fn pick(&mut self, ply: usize, index: usize) -> Ranked<G::Action> {
        let ranked = &mut self.frames[ply].ranked;
        let mut next = index;
        for other in index + 1..ranked.len() {
            if ranked[other].0 > ranked[next].0 {
                next = other;
            }
        }
        ranked.swap(index, next);
        ranked[index]
    }

    /// Makes the best line from here begin with an action and go on with the best line after it.
    fn extend_line(&mut self, action: G::Action, ply: usize) {
        let (here, deeper) = self.frames.split_at_mut(ply + 1);
        let line = &mut here[ply].line;
        line.clear();
        line.push(action);
        line.extend_from_slice(&deeper[0].line);
    }
}

pub(super) fn outcome_value(outcome: Outcome, seat: Seat, ply: usize) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == seat => WON - ply as i32,
        Some(_) => ply as i32 - WON,
    }
}

/// How much less deep a late action is looked at first.
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
