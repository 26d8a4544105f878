//! What a seat could absorb in a turn, judged without trying: who could get next to which piles,
//! and would they be enough.

use super::board::{Piles, Set, Square, around, beside, from_each_side, squares};
use super::{MOST_IN_A_PILE, Phase, Situation};

/// The pieces that a seat could probably absorb in one turn of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Prospects {
    /// Those of the highest pile.
    pub(super) highest: i32,
    /// Those of all the piles, though one turn may not be enough for all.
    pub(super) all: i32,
    /// All those piles.
    pub(super) prey: Set,
    /// The empty squares that its pieces can get to.
    pub(super) reach: Set,
}

/// A pile that can split.
#[derive(Clone, Copy, Default)]
struct Splitter {
    square: Square,
    pieces: u32,
    /// Where its pieces can be put.
    near: Set,
    /// Where its smalls can run.
    reach: Set,
}

/// The empty squares that pieces can get to.
struct Reach {
    /// Piles of one, and piles of two as they are.
    smalls: Set,
    mediums: Set,
    /// These, and what splits.
    all: Set,
}

/// Some of the four sides of a square, one bit for each: much quicker to count than squares.
#[derive(Clone, Copy)]
pub(super) struct Sides(u8);

impl Sides {
    /// Those sides of a square that are in a set.
    #[inline]
    pub(super) fn of(square: Square, set: Set) -> Sides {
        // Turned so that the square comes to bit 8 and its sides to bits 0, 7, 9 and 16, which the
        // product then brings side by side to the top.
        const GATHER: u64 = 1 << 61 | 1 << 56 | 1 << 51 | 1 << 46;
        let turned = (set & square.sides()).rotate_right(square.index() as u32 + 56);
        Sides((turned.wrapping_mul(GATHER) >> 60) as u8)
    }

    pub(super) fn any(self) -> bool {
        self.0 != 0
    }

    fn or(self, other: Sides) -> Sides {
        Sides(self.0 | other.0)
    }

    #[inline]
    pub(super) fn count(self) -> u32 {
        const COUNTS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        u32::from(COUNTS[usize::from(self.0 & 15)])
    }
}

/// Own piles next to an enemy pile.
#[derive(Clone, Copy)]
pub(super) struct Pack {
    piles: u32,
    pieces: u32,
}

impl Pack {
    /// The piles on these sides of a square.
    pub(super) fn on(square: Square, sides: Sides, own: Piles) -> Pack {
        if !sides.any() {
            return Pack { piles: 0, pieces: 0 };
        }
        let low = Sides(Sides::of(square, own.low()).0 & sides.0);
        let high = Sides(Sides::of(square, own.high()).0 & sides.0);
        Pack { piles: sides.count(), pieces: low.count() + 2 * high.count() }
    }

    pub(super) fn with(self, piles: u32, pieces: u32) -> Pack {
        Pack { piles: self.piles + piles, pieces: self.pieces + pieces }
    }

    fn outnumbers(self, height: u32) -> bool {
        self.pieces > height
    }

    pub(super) fn absorbs(self, height: u32, captors: u32) -> bool {
        self.piles >= captors
            && self.outnumbers(height)
            && u32::from(MOST_IN_A_PILE) * self.piles >= self.pieces + height
    }
}

/// The piles with two pieces or more that a seat can have: there are 36 pieces.
const MOST_SPLITTERS: usize = 18;

/// How much there is of something on the four sides of every square: the squares with at least one,
/// two, three and four of it.
type AtLeast = [Set; 4];

/// The squares with at least so many of the set on their sides.
#[inline]
fn counted(set: Set) -> AtLeast {
    let [a, b, c, d] = from_each_side(set);
    let [one, two, other_one, other_two] = [a | b, a & b, c | d, c & d];
    [one | other_one, two | other_two | one & other_one, two & other_one | one & other_two, two & other_two]
}

/// The squares with at least so much on their sides, where those of the first set count one, those
/// of the second one more, and those of the third another one.
#[inline]
fn added_up(one: Set, two: Set, three: Set) -> AtLeast {
    let [a, b, c, d] = {
        let [one, two, three] = [one, two, three].map(from_each_side);
        [0, 1, 2, 3].map(|side| [one[side], two[side], three[side], 0])
    };
    sum(sum(a, b), sum(c, d))
}

/// Two amounts together, four standing for whatever is more.
#[inline]
fn sum(a: AtLeast, b: AtLeast) -> AtLeast {
    [
        a[0] | b[0],
        a[1] | b[1] | a[0] & b[0],
        a[2] | b[2] | a[1] & b[0] | a[0] & b[1],
        a[3] | b[3] | a[2] & b[0] | a[1] & b[1] | a[0] & b[2],
    ]
}

/// What the piles next to every enemy pile can do together, once others have come. All of it is
/// worked out for the whole board at once, because a search asks for it at every position.
struct Packs {
    /// By how many piles come: where there are enough of them.
    enough: [Set; 2],
    /// By how many pieces come: where they outnumber the enemy's.
    outnumber: [Set; 4],
    /// By how much room comes: where the enemy's pieces have room.
    room: [Set; 3],
}

impl Packs {
    #[inline]
    fn of(own: Piles, enemy: Piles, captors: u32) -> Packs {
        let [small, medium, large] = [enemy.small(), enemy.medium(), enemy.large()];
        let piles = counted(own.all());
        let pieces = added_up(own.all(), own.high(), own.large());
        let room = added_up(own.small() | own.medium(), own.small(), 0);
        Packs {
            // One or two are asked for, so that two who come are always enough.
            enough: if captors == 1 { [piles[0], Set::MAX] } else { [piles[1], piles[0]] },
            outnumber: [
                small & pieces[1] | medium & pieces[2] | large & pieces[3],
                small & pieces[0] | medium & pieces[1] | large & pieces[2],
                small | medium & pieces[0] | large & pieces[1],
                small | medium | large & pieces[0],
            ],
            room: [
                small & room[0] | medium & room[1] | large & room[2],
                small | medium & room[0] | large & room[1],
                small | medium | large & room[0],
            ],
        }
    }

    /// Those that are absorbed as things stand.
    #[inline]
    fn absorbed(&self) -> Set {
        self.enough[0] & self.outnumber[0] & self.room[0]
    }

    /// Those that are absorbed once a small has come, which has room for two.
    #[inline]
    fn with_a_small(&self) -> Set {
        self.enough[1] & self.outnumber[1] & self.room[2]
    }

    /// Those that are absorbed once a medium has come, which has room for one.
    #[inline]
    fn with_a_medium(&self) -> Set {
        self.enough[1] & self.outnumber[2] & self.room[1]
    }

    /// Those that are absorbed once two piles or more with so many pieces have come: there is room
    /// for any pile then.
    #[inline]
    fn with_several(&self, pieces: usize) -> Set {
        self.outnumber[pieces]
    }
}

/// What `own` could absorb of `enemy` if it were to begin a turn. That pieces get in each other's
/// way is not looked at.
pub(super) fn prospects(own: Piles, enemy: Piles, captors: u32) -> Prospects {
    let empty = !(own.all() | enemy.all());
    let mut splitters = [Splitter::default(); MOST_SPLITTERS];
    let mut count = 0;
    let mut runs = 0;
    for square in squares(own.medium() | own.large()) {
        let near = square.neighbours() & empty;
        if near & near.wrapping_sub(1) != 0 && count < MOST_SPLITTERS {
            let reach = widened(widened(near, empty), empty);
            let pieces = u32::from(own.height(square));
            splitters[count] = Splitter { square, pieces, near, reach };
            count += 1;
            runs |= reach;
        }
    }
    let smalls = widened(around(own.small()) & empty, empty);
    let mediums = around(own.medium()) & empty;
    let reach = Reach { smalls, mediums, all: runs | smalls | mediums };

    let packs = Packs::of(own, enemy, captors);
    let (smalls, mediums, open) = (beside(reach.smalls), beside(reach.mediums), counted(reach.all));
    let (with_a_small, with_a_medium) = (packs.with_a_small(), packs.with_a_medium());
    let mut prey = packs.absorbed() | smalls & with_a_small | mediums & with_a_medium;
    // By how many of a splitter's smalls come, those that are absorbed: also where there is room for
    // one pile more that comes from elsewhere.
    let [one, two, three] = [
        with_a_small | open[1] & (smalls & packs.with_several(2) | mediums & packs.with_several(3)),
        packs.with_several(2) | open[2] & (smalls & packs.with_several(3) | mediums),
        packs.with_several(3) | open[3] & (smalls | mediums),
    ];
    for splitter in &splitters[..count] {
        let from = splitter.square.sides();
        for target in squares(enemy.all() & from & !prey) {
            if splitter.absorbs_beside_it(target, own, enemy, &reach, captors) {
                prey |= target.bit();
            }
        }
        let reached = counted(splitter.reach);
        let mut caught = reached[0] & !reached[1] & one;
        if splitter.pieces == 2 {
            caught |= reached[1] & two;
        } else {
            caught |= reached[1] & !reached[2] & two | reached[2] & three;
            // Split in two.
            caught |= beside(splitter.near) & (with_a_medium | reached[1] & packs.with_several(3));
        }
        prey |= caught & enemy.all() & !from;
    }
    let highest = match prey {
        0 => 0,
        _ if prey & enemy.large() != 0 => 3,
        _ if prey & enemy.medium() != 0 => 2,
        _ => 1,
    };
    Prospects { highest, all: enemy.pieces_in(prey) as i32, prey, reach: reach.all }
}

impl Splitter {
    /// Whether a pile next to it could be absorbed once it has split and is gone from there.
    fn absorbs_beside_it(
        &self,
        target: Square,
        own: Piles,
        enemy: Piles,
        reach: &Reach,
        captors: u32,
    ) -> bool {
        let height = u32::from(enemy.height(target));
        let reached = Sides::of(target, self.reach);
        if !reached.any() {
            return false;
        }
        let [smalls, mediums, open] =
            [reach.smalls, reach.mediums, reach.all].map(|reach| Sides::of(target, reach));
        let pack = Pack::on(target, Sides::of(target, own.all() & !self.square.bit()), own);
        let runners = reached.count().min(self.pieces);
        let hunters = pack.with(runners, runners);
        let room_for_another = open.count() > runners;
        hunters.absorbs(height, captors)
            || room_for_another
                && (smalls.any() && hunters.with(1, 1).absorbs(height, captors)
                    || mediums.any() && hunters.with(1, 2).absorbs(height, captors))
            || self.pieces == 3
                && self.near & target.sides() != 0
                && (pack.with(1, 2).absorbs(height, captors)
                    || runners > 1 && pack.with(2, 3).absorbs(height, captors))
    }
}

/// How many enemy pieces could probably be absorbed by what may still move in this turn, and by
/// what is there already.
pub(super) fn hopes(now: &Situation, captors: u32) -> i32 {
    let (own, enemy, empty) = (now.own(), now.enemy(), now.empty());
    let mut runners = [0; MOST_IN_A_PILE as usize];
    let (mut smalls_reach, mut mediums_reach) = (0, 0);
    if now.phase == Phase::Moves {
        let open = now.open_to_runners();
        for (reach, runner) in runners.iter_mut().zip(squares(now.runners)) {
            *reach = widened(runner.neighbours() & open, open);
        }
        let bystanders = now.bystanders();
        smalls_reach = widened(around(bystanders & own.small()) & empty, empty);
        mediums_reach = around(bystanders & own.medium()) & empty;
    }
    let near_enough = runners[0] | runners[1] | runners[2] | smalls_reach | mediums_reach | own.all();
    let absorbable = |target: &Square| {
        let height = u32::from(enemy.height(*target));
        let at_hand = Sides::of(*target, own.all());
        let mut pack = Pack::on(*target, at_hand, own);
        let mut reached = Sides(0);
        let mut arriving = 0;
        for (&reach, runner) in runners.iter().zip(squares(now.runners)) {
            let sides = Sides::of(*target, reach);
            if sides.any() && !runner.is_in(target.sides()) {
                arriving += 1;
                reached = reached.or(sides);
            }
        }
        let arriving = reached.count().min(arriving);
        pack = pack.with(arriving, arriving);
        let room_for_another = |sides: Sides| reached.or(sides).count() > arriving;
        let (smalls, mediums) = (Sides::of(*target, smalls_reach), Sides::of(*target, mediums_reach));
        pack.absorbs(height, captors)
            || smalls.any() && room_for_another(smalls) && pack.with(1, 1).absorbs(height, captors)
            || mediums.any() && room_for_another(mediums) && pack.with(1, 2).absorbs(height, captors)
    };
    let targets = squares(enemy.all() & beside(near_enough)).filter(absorbable);
    targets.map(|target| i32::from(enemy.height(target))).sum()
}

/// The set and the open squares around it.
pub(super) fn widened(set: Set, open: Set) -> Set {
    set | around(set) & open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Describe, Game, GameOptions};
    use crate::games::absorption::Absorption;
    use crate::random::Random;

    /// The same pile by pile.
    fn one_by_one(own: Piles, enemy: Piles, captors: u32) -> Prospects {
        let empty = !(own.all() | enemy.all());
        let mut splitters = Vec::new();
        for square in squares(own.medium() | own.large()) {
            let near = square.neighbours() & empty;
            if near.count_ones() > 1 {
                let reach = widened(widened(near, empty), empty);
                splitters.push(Splitter { square, pieces: u32::from(own.height(square)), near, reach });
            }
        }
        let runs = splitters.iter().fold(0, |runs, splitter| runs | splitter.reach);
        let smalls = widened(around(own.small()) & empty, empty);
        let mediums = around(own.medium()) & empty;
        let reach = Reach { smalls, mediums, all: runs | smalls | mediums };
        let mut prospects = Prospects { reach: reach.all, ..Prospects::default() };
        for target in squares(enemy.all()) {
            let height = u32::from(enemy.height(target));
            let pack = Pack::on(target, Sides::of(target, own.all()), own);
            let is_prey = pack.absorbs(height, captors)
                || Sides::of(target, smalls).any() && pack.with(1, 1).absorbs(height, captors)
                || Sides::of(target, mediums).any() && pack.with(1, 2).absorbs(height, captors)
                || splitters
                    .iter()
                    .any(|splitter| splitter.absorbs_beside_it(target, own, enemy, &reach, captors));
            if is_prey {
                prospects.highest = prospects.highest.max(height as i32);
                prospects.all += height as i32;
                prospects.prey |= target.bit();
            }
        }
        prospects
    }

    #[test]
    fn the_whole_board_at_once_is_the_same_as_pile_by_pile() {
        let mut random = Random::new(8);
        let mut prey = 0;
        for captors in [1, 2] {
            for _ in 0..300 {
                let mut game = Absorption::start(&GameOptions::default_of(&Absorption::options()), 0);
                while let Some(action) = game.random_action(&mut random, &mut Vec::new()) {
                    game.play(action);
                    let (own, enemy) = (game.now.own(), game.now.enemy());
                    for (own, enemy) in [(own, enemy), (enemy, own)] {
                        let found = prospects(own, enemy, captors);
                        assert_eq!(found, one_by_one(own, enemy, captors), "{:?}", game.now);
                        prey += found.prey.count_ones();
                    }
                }
            }
        }
        assert!(prey > 100_000, "{prey}");
    }
}
