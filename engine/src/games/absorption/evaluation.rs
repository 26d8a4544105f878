//! What a position of Absorption is worth.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::attack::{Prospects, prospects};
use super::board::{Piles, Set, Square, around, squares};
use super::features::INPUTS;
use super::proof::wins_this_turn;
use super::turns::{ByTurns, ELSEWHERE, best_turns};
use super::{Absorption, Action, Phase, Situation};
use crate::search::{Evaluate, FeatureSet, Inputs, Net, NodesOfLevels, ShippedWeights, Sums};

/// What things count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    piece: i32,
    /// A piece that the seat to move can absorb as things stand. It would change sides, which is
    /// worth two pieces; but as long as the moves last it may come otherwise.
    prey: i32,
    /// Each piece of the highest pile that the seat which begins the next turn can probably absorb
    /// in it.
    strike: i32,
    /// Each further piece that it can probably absorb, though perhaps not in the same turn.
    further_strike: i32,
    /// Each piece of the highest pile that the other seat could probably absorb in the turn after
    /// that.
    threat: i32,
    /// Each further piece that it could probably absorb: not all of them can be saved.
    further_threat: i32,
    /// A pile that can split or merge, for as many piles as are needed not to run out of them soon.
    able: i32,
    enough_able: i32,
    /// A pile on one of the sixteen squares in the middle.
    central: i32,
    scale: i32,
    #[serde(skip)]
    net: Option<Arc<Net>>,
}

static WEIGHTS: ShippedWeights<Weights> =
    ShippedWeights::new(include_str!("../../../../assets/weights/absorption.json"));

/// A level needs thrice as many nodes here as elsewhere to be what it is called.
const LEVELS: NodesOfLevels = NodesOfLevels { gentle: 4_500, novice: 9_000, club: 60_000, expert: 450_000 };

impl Evaluate for Absorption {
    type Weights = Weights;
    type Space = ByTurns;

    fn shipped_weights(&self) -> Arc<Weights> {
        WEIGHTS.get()
    }

    fn scale(weights: &Weights) -> i32 {
        weights.net.as_ref().map_or(weights.scale, |net| net.scale)
    }

    fn evaluate(&self, seat: Seat, weights: &Weights) -> i32 {
        self.evaluate_next(seat, weights, &mut Sums::default())
    }

    fn evaluate_next(&self, seat: Seat, weights: &Weights, sums: &mut Sums) -> i32 {
        let value = self.now.worth_to_the_seat_to_move(self.rules.captors, weights, sums);
        if seat == self.now.seat { value } else { -value }
    }

    fn nodes_of_levels(&self) -> NodesOfLevels {
        LEVELS
    }

    fn inputs(&self) -> Option<Inputs> {
        Some(INPUTS)
    }

    fn features(&self, features: &mut FeatureSet) {
        let captors = self.rules.captors;
        let (own, enemy, empty) = (self.now.own(), self.now.enemy(), self.now.empty());
        let able = [own, enemy].map(|piles| able(piles, empty, MOST_ABLE));
        let prospects = [prospects(own, enemy, captors), prospects(enemy, own, captors)];
        self.now.list_features(able, prospects, features);
    }

    fn with_net(weights: &Weights, net: Arc<Net>) -> Option<Weights> {
        Some(Weights { net: Some(net), ..weights.clone() })
    }

    fn wins_this_turn(
        &self,
        answers: &mut Vec<Vec<Action>>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        wins_this_turn(self, answers, go_on)
    }

    fn likely_turns(&self, go_on: &mut dyn FnMut() -> bool) -> Vec<Vec<Action>> {
        let mut likely = Vec::new();
        best_turns(self, &self.shipped_weights(), &ELSEWHERE, go_on, &mut likely);
        likely.iter().map(|turn| turn.actions().to_vec()).collect()
    }
}

impl Weights {
    pub(super) fn net(&self) -> Option<&Net> {
        self.net.as_deref()
    }

    /// What a net may well make of a hand-made evaluation.
    pub(super) fn promises(&self, value: i32) -> i32 {
        value + self.scale / 3
    }
}

/// A net hears of no more piles that can split or merge.
const MOST_ABLE: i32 = 8;

impl Situation {
    pub(super) fn worth_to_the_seat_to_move(&self, captors: u32, weights: &Weights, sums: &mut Sums) -> i32 {
        let Some(net) = &weights.net else { return self.hand_made(captors, weights) };
        if self.phase == Phase::Main {
            return self.judged(net, captors, weights, sums);
        }
        // The net judges starts of turns: this one, were it over now.
        let over = Situation { seat: !self.seat, phase: Phase::Main, ..*self };
        self.prey(captors, weights) - over.judged(net, captors, weights, sums)
    }

    /// What a position is worth to the seat to move without a net.
    pub(super) fn hand_made(&self, captors: u32, weights: &Weights) -> i32 {
        let (own, enemy, empty) = (self.own(), self.enemy(), self.empty());
        let able = [own, enemy].map(|piles| able(piles, empty, weights.enough_able));
        let lasting = lasting(own, able[0], weights) - lasting(enemy, able[1], weights);
        let threatened = prospects(enemy, own, captors);
        if self.phase == Phase::Main {
            lasting + strikes(prospects(own, enemy, captors), weights) - threats(threatened, weights)
        } else {
            lasting - strikes(threatened, weights) + self.prey(captors, weights)
        }
    }

    /// Before the enemy can strike, what is in reach as things stand is absorbed.
    fn prey(&self, captors: u32, weights: &Weights) -> i32 {
        let enemy = self.enemy();
        let prey: u32 = self.victims(captors).map(|square| u32::from(enemy.height(square))).sum();
        weights.prey * prey as i32
    }

    /// What a net says of the start of a turn.
    fn judged(&self, net: &Net, captors: u32, weights: &Weights, sums: &mut Sums) -> i32 {
        let (own, enemy, empty) = (self.own(), self.enemy(), self.empty());
        let able = [own, enemy].map(|piles| able(piles, empty, MOST_ABLE));
        let lasting = lasting(own, able[0], weights) - lasting(enemy, able[1], weights);
        let [ours, theirs] = [prospects(own, enemy, captors), prospects(enemy, own, captors)];
        let hand_made = lasting + strikes(ours, weights) - threats(theirs, weights);
        net.judge(hand_made, self.seat, sums, |set| self.list_features(able, [ours, theirs], set))
            + self.impatience()
    }

    /// What piles in the middle count more, the longer a game lasts. Without it nobody would come
    /// near: whoever does is struck first, and a net knows that.
    fn impatience(&self) -> i32 {
        let central = |piles: Piles| (piles.all() & CENTRE).count_ones() as i32;
        let waited = self.turns.min(LONG_WAIT) as i32;
        (central(self.own()) - central(self.enemy())) * MOST_IMPATIENCE * waited / LONG_WAIT as i32
    }
}

/// After so many turns a pile in the middle counts so much more.
const LONG_WAIT: u32 = 200;
const MOST_IMPATIENCE: i32 = 160;

fn strikes(prospects: Prospects, weights: &Weights) -> i32 {
    weights.strike * prospects.highest + weights.further_strike * (prospects.all - prospects.highest)
}

fn threats(prospects: Prospects, weights: &Weights) -> i32 {
    weights.threat * prospects.highest + weights.further_threat * (prospects.all - prospects.highest)
}

/// What piles are worth whoever is to move.
fn lasting(own: Piles, able: i32, weights: &Weights) -> i32 {
    weights.piece * own.pieces() as i32
        + weights.able * able.min(weights.enough_able.max(0))
        + weights.central * (own.all() & CENTRE).count_ones() as i32
}

/// The sixteen squares in the middle.
const CENTRE: Set = 0x0000_3c3c_3c3c_0000;

/// How many piles can split or merge, up to so many.
fn able(own: Piles, empty: Set, enough: i32) -> i32 {
    let merge = own.small() & around(own.small() | own.medium());
    let can_split = |square: &Square| {
        let open = square.neighbours() & empty;
        open & open.wrapping_sub(1) != 0
    };
    let split = squares(own.medium() | own.large()).filter(can_split);
    squares(merge).chain(split).take(enough.max(0) as usize).count() as i32
}
