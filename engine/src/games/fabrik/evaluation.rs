//! What a position of Fabrik is worth, and what helps to search it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::features;
use super::prospects::Prospects;
use super::spot::{SPOTS, Spot, Spots};
use super::{Action, Fabrik, Rules, Stage};
use crate::game::Game;
use crate::search::{
    ByAction, Evaluate, FeatureSet, Hints, Inputs, Net, NodesOfLevels, ShippedWeights, Sums, Tuning,
};

/// What things count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    /// A stretch of `goal` cells without an enemy stone that lacks one stone.
    lacking_one: i32,
    /// The same, lacking two.
    lacking_two: i32,
    /// The same, lacking three.
    lacking_three: i32,
    /// The same, lacking four.
    lacking_four: i32,
    /// The seat to move can probably complete a line in this turn.
    wins_now: i32,
    /// A worker sees a cell where the seat not to move would complete a line: the seat to move has
    /// to take a worker away, at least.
    threat: i32,
    /// Each worker sees such a cell: the seat to move has to use its stone.
    lasting_threat: i32,
    /// Each worker sees two such cells: one stone will hardly do.
    double_threat: i32,
    /// A worker sees a cell where the seat to move would leave a stretch lacking one.
    can_build: i32,
    /// To be the one to move.
    tempo: i32,
    /// The evaluation at which about three games in four are won.
    scale: i32,
    #[serde(skip)]
    net: Option<Arc<Net>>,
}

impl Weights {
    /// By the number of stones that are lacking.
    fn stretches(&self) -> [i32; 5] {
        [0, self.lacking_one, self.lacking_two, self.lacking_three, self.lacking_four]
    }
}

static WEIGHTS: ShippedWeights<Weights> =
    ShippedWeights::new(include_str!("../../../../assets/weights/fabrik.json"));

/// What `gentle` sees of lines is soon as much as `novice` does.
const LEVELS: NodesOfLevels =
    NodesOfLevels { gentle: 1_500, club: 10_000, expert: 80_000, ..NodesOfLevels::USUAL };

/// What it counts that the game is decided by the form of a small region, though not by how many
/// turns.
const DECIDED: i32 = 100_000;

/// Score of a stone or a worker move that wins, or seems to.
const WINS: i32 = 1 << 24;
/// Score of one that takes a winning cell from the enemy.
const BLOCKS: i32 = 1 << 20;
/// Score of a worker move after which no worker sees a winning cell of the enemy's.
const HIDES: i32 = 1 << 18;
/// How much the influence of a stone counts.
const INFLUENCE: i32 = 50;
/// Score of a worker move for each cell where the seat to move could then leave a stretch lacking
/// one, or keep the enemy from that.
const BUILDS: i32 = 3000;
const CUTS_OFF: i32 = 2000;

impl Evaluate for Fabrik {
    type Weights = Weights;
    type Space = ByAction<Fabrik>;

    const LIKELY_TURNS_FORCE: bool = true;

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
        let mover = self.now.to_move;
        if let Some(wins) = self.decided_by_pockets() {
            return if wins == (seat == mover) { DECIDED } else { -DECIDED };
        }
        let (own, enemy) = (&self.now.prospects[mover.index()], &self.now.prospects[(!mover).index()]);
        let mut value = self.worth(own, weights) - self.worth(enemy, weights) + weights.tempo;
        let near = if self.now.stage == Stage::Turn { self.within_a_turn() } else { self.placements() };
        if !(own.winning & near).is_empty() {
            value += weights.wins_now;
        } else {
            if !enemy.winning.is_empty() {
                value -= self.threats(enemy.winning, weights);
            }
            if !(own.building & near).is_empty() {
                value += weights.can_build;
            }
        }
        if let Some(net) = &weights.net
            && self.now.stage == Stage::Turn
        {
            value = net.judge(value, mover, sums, |features| self.list_features(features));
        }
        if seat == mover { value } else { -value }
    }

    fn nodes_of_levels(&self) -> NodesOfLevels {
        LEVELS
    }

    fn inputs(&self) -> Option<Inputs> {
        (self.rules == Rules::Official).then(|| features::inputs(self.size))
    }

    fn features(&self, features: &mut FeatureSet) {
        if self.rules == Rules::Official && self.decided_by_pockets().is_none() {
            self.list_features(features);
        }
    }

    fn with_net(weights: &Weights, net: Arc<Net>) -> Option<Weights> {
        Some(Weights { net: Some(net), ..weights.clone() })
    }

    fn wins_this_turn(
        &self,
        _answers: &mut Vec<Vec<Action>>,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        Some(self.wins())
    }

    fn likely_turns(&self, _go_on: &mut dyn FnMut() -> bool) -> Vec<Vec<Action>> {
        self.likely_to_force()
    }

    /// Every turn adds a stone.
    fn never_repeats(&self) -> bool {
        true
    }
}

impl Hints for Fabrik {
    const TUNING: Tuning = Tuning { move_count_depth: 4, ..Tuning::CAUTIOUS };

    fn move_score(&self, action: Action) -> i32 {
        let mover = self.now.to_move;
        let (own, enemy) = (&self.now.prospects[mover.index()], &self.now.prospects[(!mover).index()]);
        match action {
            Action::Stone(spot) if own.winning.contains(spot) => WINS,
            Action::Stone(spot) if enemy.winning.contains(spot) => BLOCKS,
            Action::Stone(spot) => self.influence(spot) * INFLUENCE,
            Action::Move(from, to) => {
                let other = usize::from(from == self.now.workers[0]);
                let (seen, stays) = (self.blocked.sight(to), self.now.seen[other]);
                let common = match self.rules {
                    Rules::Official => seen & stays,
                    Rules::Report => seen | stays,
                };
                if !(own.winning & common).is_empty() {
                    return WINS;
                }
                let mut score = 0;
                if !enemy.winning.is_empty() {
                    if !(enemy.winning & common).is_empty() {
                        score += BLOCKS;
                    } else if (enemy.winning & (seen | stays)).is_empty() {
                        score += HIDES;
                    }
                }
                score
                    + (own.building & common).count() as i32 * BUILDS
                    + (enemy.building & common).count() as i32 * CUTS_OFF
            }
            Action::Worker(_) | Action::First(_) => 0,
        }
    }

    fn move_scores(&self, actions: &[Action], scores: &mut Vec<i32>) {
        let together = self.rules == Rules::Official && self.now.stage == Stage::Turn;
        let of_moves = together.then(|| [0, 1].map(|mover| self.scores_of_moves(mover)));
        scores.extend(actions.iter().map(|&action| match (action, &of_moves) {
            (Action::Move(from, to), Some(scores)) => {
                scores[usize::from(from != self.now.workers[0])][to.index()]
            }
            _ => self.move_score(action),
        }));
    }

    fn wins_at_once(&self) -> bool {
        self.wins()
    }

    fn forced_win(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
        self.hunt(go_on)
    }

    /// What a stone will make of it decides, once a worker was moved.
    fn is_quiet(&self) -> bool {
        self.now.stage != Stage::AfterMove
    }

    fn is_in_play(&self) -> bool {
        matches!(self.now.stage, Stage::Turn | Stage::AfterMove)
    }

    fn quiescence_actions(&self, actions: &mut Vec<Action>) {
        if self.now.stage != Stage::AfterMove {
            return;
        }
        let placements = self.placements();
        let [first, second] = Seat::BOTH.map(|seat| self.now.prospects[seat.index()].building);
        let lively = placements & (first | second);
        let quiet = (placements & !lively).iter().max_by_key(|&spot| self.influence(spot));
        let few = quiet.map_or(lively, |spot| lively.with(spot));
        // What is left out must not be all that does not lose.
        if few.iter().any(|spot| self.is_safe(spot)) {
            actions.extend(few.iter().map(Action::Stone));
        } else {
            self.actions(actions);
        }
    }
}

impl Fabrik {
    /// The scores of all moves of a worker, by the cell that it goes to, by the official rules. What
    /// counts are few cells, and a worker sees one of them from where that cell sees it.
    fn scores_of_moves(&self, mover: usize) -> [i32; SPOTS] {
        let seat = self.now.to_move;
        let (own, enemy) = (&self.now.prospects[seat.index()], &self.now.prospects[(!seat).index()]);
        let stays = self.now.seen[1 - mover];
        let sight =
            |cells: Spots| cells.iter().fold(Spots::NONE, |seen, cell| seen | self.blocked.sight(cell));
        let mut scores = [0; SPOTS];
        for (cells, each) in [(own.building, BUILDS), (enemy.building, CUTS_OFF)] {
            for cell in (cells & stays).iter() {
                self.blocked.sight(cell).iter().for_each(|to| scores[to.index()] += each);
            }
        }
        if !enemy.winning.is_empty() {
            let shared = enemy.winning & stays;
            let empty = self.empty_spots();
            let (places, each) = match shared.is_empty() {
                true => (empty & !sight(enemy.winning & empty), HIDES),
                false => (sight(shared), BLOCKS),
            };
            places.iter().for_each(|to| scores[to.index()] += each);
        }
        sight(own.winning & stays).iter().for_each(|to| scores[to.index()] = WINS);
        scores
    }

    fn worth(&self, prospects: &Prospects, weights: &Weights) -> i32 {
        let goal = usize::from(self.goal);
        let mut worth = 0;
        for (lacking, each) in weights.stretches().into_iter().enumerate().take(goal).skip(1) {
            worth += each * i32::from(prospects.stretches[goal - lacking]);
        }
        worth
    }

    /// What it counts that the seat not to move would complete a line on one of these cells.
    fn threats(&self, winning: Spots, weights: &Weights) -> i32 {
        let [first, second] = match self.rules {
            Rules::Official => self.now.seen.map(|seen| (winning & seen).count()),
            Rules::Report => [(winning & self.empty_spots()).count(); 2],
        };
        let mut value = 0;
        if first.max(second) > 0 {
            value += weights.threat;
        }
        match first.min(second) {
            0 => value,
            1 => value + weights.lasting_threat,
            _ => value + weights.double_threat,
        }
    }

    /// Roughly where a stone can be placed in a turn from here, a worker move included.
    fn within_a_turn(&self) -> Spots {
        match self.rules {
            // The worker that does not see the cell yet can nearly always go where it does.
            Rules::Official => self.now.seen[0] | self.now.seen[1],
            Rules::Report => self.empty_spots(),
        }
    }

    /// Whether the enemy certainly cannot win with its next turn if the seat to move places a stone
    /// here now.
    fn is_safe(&self, stone: Spot) -> bool {
        // To strand someone takes a worker that is open in one direction at most, and this stone
        // may close one.
        let is_roomy = |worker: usize| {
            let closes_one = self.now.workers[worker].distance(stone) <= 2;
            self.open_directions(worker) >= 2 + u32::from(closes_one)
        };
        self.now.prospects[(!self.now.to_move).index()].winning.is_empty() && is_roomy(0) && is_roomy(1)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use crate::game::{Describe, GameOptions};
    use crate::random::Random;

    #[test]
    fn scores_are_the_same_one_by_one_and_together() {
        let mut random = Random::new(15);
        let (mut hides, mut blocks) = (0, 0);
        for round in 0..200 {
            let rules = if round % 4 == 0 { "report" } else { "official" };
            let members = [("size", json!(7 + round % 5)), ("goal", json!(4)), ("rules", json!(rules))];
            let options = Map::from_iter(members.map(|(name, value)| (name.to_string(), value)));
            let options = GameOptions::check(&Fabrik::options(), &options).expect("options");
            let mut game = Fabrik::start(&options, 0);
            while let Some(action) = game.random_action(&mut random, &mut Vec::new()) {
                let (mut actions, mut together) = (Vec::new(), Vec::new());
                game.actions(&mut actions);
                game.move_scores(&actions, &mut together);
                let one_by_one: Vec<i32> = actions.iter().map(|&action| game.move_score(action)).collect();
                assert_eq!(together, one_by_one, "{game:?}");
                hides += together.iter().filter(|score| (HIDES..BLOCKS).contains(*score)).count();
                blocks += together.iter().filter(|score| (BLOCKS..WINS).contains(*score)).count();
                game.play(action);
            }
        }
        assert!(hides > 1_000 && blocks > 1_000, "{hides} and {blocks}");
    }
}
