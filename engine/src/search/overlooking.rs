//! A space as a beginner sees it, who overlooks some of the enemy's moves.
//!
//! Its own moves are all seen, so that no win at once is missed and no turn is left to chance. What
//! is overlooked is drawn anew for every turn, and then holds for the whole search: a move that is
//! not seen is seen nowhere.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use tabuleiro_protocol::Seat;

use super::generation::{Forced, MoveGeneration};
use super::net::Sums;
use super::space::{ActionOf, Breadth, SearchSpace, WeightsOf};
use super::tuning::Tuning;
use crate::game::Outcome;

/// A space without some of the moves of whoever is the enemy at the root.
#[derive(Clone)]
pub(super) struct Overlooking<S> {
    space: S,
    seat: Seat,
    /// Of a hundred moves of the enemy, how many are overlooked.
    percent: u32,
    seed: u64,
}

impl<S: SearchSpace> Overlooking<S> {
    /// What the seat to move sees of a space. The seed decides what it does not.
    pub(super) fn of(space: S, percent: u32, seed: u64) -> Overlooking<S> {
        Overlooking { seat: space.to_move(), space, percent, seed }
    }

    fn is_own_move(&self) -> bool {
        self.space.to_move() == self.seat
    }

    fn sees(&self, played: S::Move) -> bool {
        mixed(S::subject(played) ^ mixed(self.seed)) % 100 >= u64::from(self.percent)
    }
}

impl<S: SearchSpace> SearchSpace for Overlooking<S> {
    type Game = S::Game;
    type Move = S::Move;
    type Undo = S::Undo;
    type Generation = OwnMoves;

    const GENERATION_COST: u64 = S::GENERATION_COST;
    const TUNING: Tuning = Tuning { forced_win_effort_at_leaves: 0, ..S::TUNING };

    fn new(game: S::Game, weights: Arc<WeightsOf<S>>, breadth: Breadth) -> Overlooking<S> {
        Overlooking::of(S::new(game, weights, breadth), 0, 0)
    }

    fn actions(played: S::Move) -> Vec<ActionOf<S>> {
        S::actions(played)
    }

    fn to_move(&self) -> Seat {
        self.space.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.space.outcome()
    }

    fn moves(&self, moves: &mut Vec<S::Move>) {
        let known = moves.len();
        self.space.moves(moves);
        if self.is_own_move() {
            return;
        }
        let first = moves.get(known).copied();
        let mut place = 0;
        moves.retain(|&played| {
            place += 1;
            place <= known || self.sees(played)
        });
        if moves.len() == known {
            // There must be one.
            moves.extend(first);
        }
    }

    fn play(&mut self, played: S::Move) -> S::Undo {
        self.space.play(played)
    }

    fn undo(&mut self, played: S::Move, undo: S::Undo) {
        self.space.undo(played, undo);
    }

    fn hash(&self) -> u64 {
        self.space.hash()
    }

    fn evaluate(&self, seat: Seat) -> i32 {
        self.space.evaluate(seat)
    }

    fn evaluate_next(&self, seat: Seat, sums: &mut Sums) -> i32 {
        self.space.evaluate_next(seat, sums)
    }

    fn scale(&self) -> i32 {
        self.space.scale()
    }

    fn move_score(&self, played: S::Move) -> i32 {
        self.space.move_score(played)
    }

    fn move_scores(&self, moves: &[S::Move], scores: &mut Vec<i32>) {
        self.space.move_scores(moves, scores);
    }

    /// Whether the enemy wins at once shows when its moves are tried, as far as they are seen.
    fn wins_at_once(&self) -> bool {
        self.is_own_move() && self.space.wins_at_once()
    }

    fn quiescence_moves(&self, moves: &mut Vec<S::Move>) {
        let known = moves.len();
        self.space.quiescence_moves(moves);
        if !self.is_own_move() {
            let mut place = 0;
            moves.retain(|&played| {
                place += 1;
                place <= known || self.sees(played)
            });
        }
    }

    fn is_quiet(&self) -> bool {
        self.space.is_quiet()
    }

    fn is_in_play(&self) -> bool {
        self.space.is_in_play()
    }

    fn best_at_once(&self, enough: i32, go_on: &mut dyn FnMut() -> bool) -> Option<S::Move> {
        let best = self.space.best_at_once(enough, go_on)?;
        (self.is_own_move() || self.sees(best)).then_some(best)
    }
}

/// The own moves are listed as far as the space lists them; of what the enemy does, nothing is
/// certain.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnMoves;

impl<S: SearchSpace> MoveGeneration<Overlooking<S>> for OwnMoves {
    fn overlooked_win(space: &Overlooking<S>, go_on: &mut dyn FnMut() -> bool) -> Option<S::Move> {
        S::Generation::overlooked_win(&space.space, go_on)
    }

    fn lets_the_enemy_win(_: &Overlooking<S>, _: S::Move, _: &mut dyn FnMut() -> bool) -> bool {
        false
    }

    fn overlooked_rescue(_: &Overlooking<S>, _: &mut dyn FnMut() -> bool) -> Option<S::Move> {
        None
    }

    fn is_forced(_: &Overlooking<S>, _: S::Move, _: &mut dyn FnMut() -> bool) -> Forced<S::Move> {
        Forced::Unknown
    }
}

/// A number for a value, the same on every machine.
pub(super) fn number_of(value: &impl Hash) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    hasher.finish()
}

/// FNV-1a, by whole numbers as 64 bits each: `usize` is not as long everywhere.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0100_0000_01b3);
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(byte.into()));
    }

    fn write_u16(&mut self, number: u16) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.add(number as u64);
    }
}

/// The mixing step of SplitMix64.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
