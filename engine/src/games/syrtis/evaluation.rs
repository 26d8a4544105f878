//! What a position of Syrtis is worth, and what helps to search it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabuleiro_protocol::Seat;

use super::board::{Board, Family, Side};
use super::cells::{Cells, NONE, beside, bit, floods, islands, rectangle, removable};
use super::choices::sinks;
use super::features;
use super::layout::{MAJOR, MINOR};
use super::{Action, OWN_PASSES, Phase, QUICKSAND, Syrtis};
use crate::search::{
    ByAction, Evaluate, FeatureSet, Hints, Inputs, Net, NodesOfLevels, ShippedNet, ShippedWeights, Sums,
    Tuning,
};

/// What things count. A side has a colour and a shape to bring together; `near` is about the one
/// that takes less work, `far` about the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    /// Being close to completion: counts most when one turn's work is left, half of that at two, a
    /// third at three.
    near_completion: i32,
    far_completion: i32,
    /// Every turn's work that is left.
    near_work: i32,
    far_work: i32,
    /// Every tile outside the largest island.
    near_outsider: i32,
    far_outsider: i32,
    /// Every island, beside the largest, that one tile would join to it.
    near_gap: i32,
    far_gap: i32,
    /// Every tile that the enemy can sink at once and whose loss parts the largest island.
    near_bridge_in_danger: i32,
    far_bridge_in_danger: i32,
    /// Every tile that the enemy could sink after a move and whose loss parts the largest island.
    near_bridge_exposed: i32,
    far_bridge_exposed: i32,
    /// Every tile of both the side's colour and its shape.
    own_tile: i32,
    /// Every tile of both the side's colour and its shape that it can sink at once.
    own_sinkable: i32,
    /// Every tile of both the enemy's colour and shape that the side can sink at once.
    enemy_sinkable: i32,
    /// Every other tile that the side can sink at once.
    mixed_sinkable: i32,
    /// Having no tile to sink.
    nothing_to_sink: i32,
    /// Every tile of both the side's colour and its shape that it could sink after a move.
    own_sinkable_after_move: i32,
    /// Every tile of both the enemy's colour and shape that the side could sink after a move.
    enemy_sinkable_after_move: i32,
    /// Every other tile that the side could sink after a move.
    mixed_sinkable_after_move: i32,
    /// Every tile that the side's towers can get to in one move.
    reach: i32,
    /// Every tower that cannot move.
    stuck_tower: i32,
    /// One tile sunk since the enemy's last one.
    sunk_one: i32,
    /// Two tiles sunk since the enemy's last one.
    sunk_two: i32,
    /// Three tiles sunk since the enemy's last one: the fourth wins.
    sunk_three: i32,
    /// Two or three tiles sunk since the enemy's last one, and the enemy has nothing to sink.
    sunk_unanswered: i32,
    /// To win whenever neither gets further. Whoever sank the last tile also has one of the above,
    /// so this alone is what light has before the first sink.
    initiative: i32,
    /// Every pass in a row of whoever has the initiative: the fourth wins.
    initiative_passes: i32,
    /// The initiative while the enemy has nothing to sink.
    initiative_unanswered: i32,
    /// The initiative while the enemy has nothing to sink, not even after a move.
    initiative_unanswerable: i32,
    /// To threaten to win by the next turn, the enemy being to move.
    threat: i32,
    /// To be to move.
    to_move: i32,
    /// The evaluation at which a seat wins about three games in four.
    scale: i32,
    #[serde(skip)]
    net: Option<Arc<Net>>,
}

static WEIGHTS: ShippedWeights<Weights> = ShippedWeights::with_net(
    include_str!("../../../../assets/weights/syrtis.json"),
    ShippedNet {
        json: include_str!("../../../../assets/nets/syrtis.json"),
        inputs: features::inputs(MAJOR.size),
    },
    Syrtis::with_net,
);
/// The small board is set up with the weights of the large one, but without a net that was taught
/// there.
static MINOR_SETUP_WEIGHTS: ShippedWeights<Weights> =
    ShippedWeights::new(include_str!("../../../../assets/weights/syrtis.json"));
static MINOR_WEIGHTS: ShippedWeights<Weights> = ShippedWeights::with_net(
    include_str!("../../../../assets/weights/syrtis_minor.json"),
    ShippedNet {
        json: include_str!("../../../../assets/nets/syrtis_minor.json"),
        inputs: features::inputs(MINOR.size),
    },
    Syrtis::with_net,
);

/// `gentle` and `novice` differ mostly by what is overlooked: here more nodes bring much.
const LEVELS: NodesOfLevels =
    NodesOfLevels { gentle: 4_000, novice: 3_500, club: 8_000, ..NodesOfLevels::USUAL };
/// On the small board more nodes soon bring little, so the levels are farther apart.
const MINOR_LEVELS: NodesOfLevels = NodesOfLevels { gentle: 120, novice: 450, club: 2_500, expert: 25_000 };

/// How many times the weight of completion counts when one turn's work is left.
const COMPLETION: i32 = 12;

impl Evaluate for Syrtis {
    type Weights = Weights;
    type Space = ByAction<Syrtis>;

    fn shipped_weights(&self) -> Arc<Weights> {
        match *self.rules.layout == MINOR {
            true if self.is_minor_in_play() => MINOR_WEIGHTS.get(),
            true => MINOR_SETUP_WEIGHTS.get(),
            false => WEIGHTS.get(),
        }
    }

    fn nodes_of_levels(&self) -> NodesOfLevels {
        if self.is_minor_in_play() { MINOR_LEVELS } else { LEVELS }
    }

    fn overlooked(&self) -> u32 {
        if self.is_minor_in_play() { 15 } else { 35 }
    }

    fn scale(weights: &Weights) -> i32 {
        weights.net.as_ref().map_or(weights.scale, |net| net.scale)
    }

    fn evaluate(&self, seat: Seat, weights: &Weights) -> i32 {
        self.evaluate_next(seat, weights, &mut Sums::default())
    }

    fn evaluate_next(&self, seat: Seat, weights: &Weights, sums: &mut Sums) -> i32 {
        let terrain = Terrain::new(self.board());
        let prospects = Side::BOTH.map(|side| terrain.prospects(side));
        let [light, dark] = Side::BOTH.map(|side| terrain.worth(side, &prospects[side as usize], weights));
        let lead = light - dark;
        // Seat 2 will take the better side.
        let choice = match self.position.phase {
            Phase::Play => {
                let mover = self.position.to_move;
                let lead = if self.side(mover) == Side::Light { lead } else { -lead };
                let tempo = self.tempo(mover, &terrain, weights) - self.tempo(!mover, &terrain, weights);
                let mut value = lead + tempo;
                if let Some(net) = &weights.net {
                    value = net.judge(value, mover, sums, |features| {
                        self.list_features(&terrain, &prospects, features);
                    });
                }
                return if seat == mover { value } else { -value };
            }
            // Light begins.
            Phase::Towers | Phase::Choose
                if self.towers_left(Side::Light) == 0 && self.could_win_by_tiles(self.seat(Side::Light)) =>
            {
                100 * weights.scale
            }
            Phase::Choose => self.with_light_chosen().evaluate(Seat::Two, weights).abs(),
            Phase::Towers => lead.abs(),
            // Seat 1 had better be done with it than swap to and fro.
            Phase::Swap => lead.abs() + 2 * weights.scale,
        };
        if seat == Seat::Two { choice } else { -choice }
    }

    fn inputs(&self) -> Option<Inputs> {
        Some(features::inputs(self.rules.layout.size))
    }

    fn features(&self, features: &mut FeatureSet) {
        let terrain = Terrain::new(self.board());
        let prospects = Side::BOTH.map(|side| terrain.prospects(side));
        self.list_features(&terrain, &prospects, features);
    }

    fn with_net(weights: &Weights, net: Arc<Net>) -> Option<Weights> {
        Some(Weights { net: Some(net), ..weights.clone() })
    }

    fn wins_this_turn(
        &self,
        _answers: &mut Vec<Vec<Action>>,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        Some(self.can_win_now())
    }
}

impl Hints for Syrtis {
    const TUNING: Tuning = Tuning { move_count_depth: 4, ..Tuning::CAUTIOUS };

    fn move_score(&self, action: Action) -> i32 {
        let now = &self.position;
        if now.phase != Phase::Play {
            return 0;
        }
        let board = self.board();
        let side = self.side(now.to_move);
        match action {
            Action::Sink(cell) => {
                let enemy = !now.to_move;
                let forced = now.sinks[enemy.index()] + 1 >= QUICKSAND;
                let tile = bit(cell);
                let outsider = side.families().map(|family| board.family(family)).into_iter();
                let outsider =
                    outsider.filter(|&family| tile & family & !beside(family) != NONE).count() as i32;
                1_000 + 2_000 * outsider + if forced { 1 << 20 } else { 0 }
            }
            Action::Slide { from, to } => {
                let joins = |family: Cells| {
                    family & bit(from) != NONE
                        && bit(from) & beside(family) == NONE
                        && bit(to) & beside(family & !bit(from)) != NONE
                };
                let joins = side.families().into_iter().filter(|&family| joins(board.family(family))).count();
                1_500 * joins as i32
            }
            Action::Pass => -500,
            _ => 0,
        }
    }

    fn is_quiet(&self) -> bool {
        true
    }

    fn is_in_play(&self) -> bool {
        self.position.phase == Phase::Play
    }

    fn wins_at_once(&self) -> bool {
        self.can_win_now()
    }

    fn forced_win(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
        self.find_forced_win(go_on)
    }
}

impl Syrtis {
    /// Placing towers is not what the weights of the small board were fitted to, and takes several
    /// actions a turn: with few nodes it would leave light a win at once.
    fn is_minor_in_play(&self) -> bool {
        *self.rules.layout == MINOR && !matches!(self.position.phase, Phase::Swap | Phase::Towers)
    }

    /// What counts of a seat beside where its tiles and towers are.
    fn tempo(&self, seat: Seat, terrain: &Terrain<'_>, weights: &Weights) -> i32 {
        let now = &self.position;
        let enemy = self.side(!seat) as usize;
        let enemy_helpless = terrain.sinkable[enemy] == NONE;
        let sunk = now.sinks[seat.index()];
        let mut worth = [0, weights.sunk_one, weights.sunk_two, weights.sunk_three][usize::from(sunk)];
        if sunk >= 2 && enemy_helpless {
            worth += weights.sunk_unanswered;
        }
        if self.initiative() == seat {
            worth += weights.initiative;
            worth += weights.initiative_passes * i32::from(now.passes[seat.index()]);
            if enemy_helpless {
                worth += weights.initiative_unanswered;
                if terrain.sinkable_after_move[enemy] == NONE {
                    worth += weights.initiative_unanswerable;
                }
            }
        }
        if now.to_move == seat {
            worth += weights.to_move;
        } else if self.could_win_by_tiles(seat)
            || self.initiative() == seat && now.passes[seat.index()] + 1 >= OWN_PASSES
        {
            worth += weights.threat;
        }
        worth
    }
}

/// What both sides' prospects depend on.
pub(super) struct Terrain<'a> {
    board: &'a Board,
    empty: Cells,
    /// Where the towers of each side are, and where they can get in one move.
    pub(super) reach: [Cells; 2],
    /// What each side can sink at once.
    pub(super) sinkable: [Cells; 2],
    /// What each side could sink after a move (perhaps not all of it).
    sinkable_after_move: [Cells; 2],
}

impl Terrain<'_> {
    fn new(board: &Board) -> Terrain<'_> {
        let tiles = board.tiles;
        let [light, circle, dark, square] = Family::ALL.map(|family| board.family(family));
        let [light_towers, dark_towers] = Side::BOTH.map(|side| board.towers(side));
        let within = [light, circle, dark, square];
        let seeds = [light_towers & light, light_towers & circle, dark_towers & dark, dark_towers & square];
        let [light, circle, dark, square] = floods(seeds, within);
        let reach = [light | circle, dark | square];
        let removable = removable(tiles);
        let without_tower = tiles & !board.all_towers();
        let enclosed = tiles << 8 & tiles >> 8 & tiles << 1 & tiles >> 1;
        let loose = without_tower & !enclosed & removable;
        Terrain {
            board,
            empty: rectangle(tiles) & !tiles,
            reach,
            sinkable: [light_towers, dark_towers]
                .map(|towers| sinks(tiles, beside(towers) & without_tower, removable)),
            sinkable_after_move: reach.map(|reach| beside(reach) & loose),
        }
    }

    /// What tiles and towers are worth to a side.
    fn worth(&self, side: Side, [near, far]: &[Prospect; 2], weights: &Weights) -> i32 {
        let [colour, shape] = side.families().map(|family| self.board.family(family));
        let (own, mixed) = (colour & shape, colour ^ shape);
        let index = side as usize;
        let (sinkable, after_move) = (self.sinkable[index], self.sinkable_after_move[index]);
        let enemy = !(own | mixed);
        weights.near_completion * COMPLETION / near.work.max(1)
            + weights.far_completion * COMPLETION / far.work.max(1)
            + weights.near_work * near.work
            + weights.far_work * far.work
            + weights.near_outsider * near.outsiders
            + weights.far_outsider * far.outsiders
            + weights.near_gap * near.gaps
            + weights.far_gap * far.gaps
            + weights.near_bridge_in_danger * near.bridges_in_danger
            + weights.far_bridge_in_danger * far.bridges_in_danger
            + weights.near_bridge_exposed * near.bridges_exposed
            + weights.far_bridge_exposed * far.bridges_exposed
            + weights.own_tile * count(own)
            + weights.own_sinkable * count(own & sinkable)
            + weights.enemy_sinkable * count(enemy & sinkable)
            + weights.mixed_sinkable * count(mixed & sinkable)
            + if sinkable == NONE { weights.nothing_to_sink } else { 0 }
            + weights.own_sinkable_after_move * count(own & after_move)
            + weights.enemy_sinkable_after_move * count(enemy & after_move)
            + weights.mixed_sinkable_after_move * count(mixed & after_move)
            + weights.reach * count(self.reach[index])
            + weights.stuck_tower * count(stuck(self.board.towers(side), colour, shape))
    }

    /// Of a side's families, the one first that takes less work.
    pub(super) fn prospects(&self, side: Side) -> [Prospect; 2] {
        let [colour, shape] = side.families().map(|family| self.prospect(side, self.board.family(family)));
        if colour.work <= shape.work { [colour, shape] } else { [shape, colour] }
    }

    fn prospect(&self, side: Side, family: Cells) -> Prospect {
        let lone = family & !beside(family);
        let mut largest = NONE;
        for island in islands(family & !lone) {
            if island.count_ones() > largest.count_ones() {
                largest = island;
            }
        }
        if largest == NONE {
            largest = lone & lone.wrapping_neg();
        }
        let outsiders = family & !largest;
        let lone = lone & outsiders;
        let joins = beside(self.empty & beside(largest));
        let (mut work, mut gaps) = (count(lone), count(lone & joins));
        for island in islands(outsiders & !lone) {
            if island & joins == NONE {
                work += count(island).min(4);
            } else {
                work += 2;
                gaps += 1;
            }
        }
        let bridges = largest & !removable(largest);
        let enemy = side.other() as usize;
        Prospect {
            work,
            gaps,
            outsiders: count(outsiders),
            bridges_in_danger: count(bridges & self.sinkable[enemy]),
            bridges_exposed: count(bridges & self.sinkable_after_move[enemy]),
        }
    }
}

/// How far a colour or a shape is from being one island.
pub(super) struct Prospect {
    /// How many turns it might take: a lone tile is sunk or slid in one, a gap is closed in two,
    /// and what is farther off sinks tile by tile.
    pub(super) work: i32,
    gaps: i32,
    pub(super) outsiders: i32,
    bridges_in_danger: i32,
    bridges_exposed: i32,
}

/// The towers that have no tile to move to.
fn stuck(towers: Cells, colour: Cells, shape: Cells) -> Cells {
    towers & !(colour & beside(colour) | shape & beside(shape))
}

fn count(cells: Cells) -> i32 {
    cells.count_ones() as i32
}
