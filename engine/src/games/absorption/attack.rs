//! What a seat could absorb in a turn, judged pile by pile and without trying: who could get next
//! to it, and would they be enough.

use super::board::{Piles, Set, Square, around, beside, squares};
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
    square: Set,
    pieces: u32,
    /// Where its pieces can be put.
    near: Set,
    /// Where its smalls can run.
    reach: Set,
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

    fn without(self, other: Sides) -> Sides {
        Sides(self.0 & !other.0)
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
            splitters[count] = Splitter { square: square.bit(), pieces, near, reach };
            count += 1;
            runs |= reach;
        }
    }
    let splitters = &splitters[..count];
    let small_reach = widened(around(own.small()) & empty, empty);
    let medium_reach = around(own.medium()) & empty;
    let reach = runs | small_reach | medium_reach;
    let near_enough = reach | own.all();

    let mut prospects = Prospects { reach, ..Prospects::default() };
    for target in squares(enemy.all() & beside(near_enough)) {
        let height = u32::from(enemy.height(target));
        let at_hand = Sides::of(target, own.all());
        let pack = Pack::on(target, at_hand, own);
        let smalls = Sides::of(target, small_reach);
        let mediums = Sides::of(target, medium_reach);
        let runners = Sides::of(target, runs);
        let open = smalls.or(mediums).or(runners);
        if !pack.with(open.count(), 2 * open.count()).outnumbers(height) {
            continue;
        }
        let absorbable = pack.absorbs(height, captors)
            || smalls.any() && pack.with(1, 1).absorbs(height, captors)
            || mediums.any() && pack.with(1, 2).absorbs(height, captors)
            || (runners.any() || at_hand.any())
                && splitters.iter().any(|splitter| {
                    let reached = Sides::of(target, splitter.reach);
                    if !reached.any() {
                        return false;
                    }
                    let pack = Pack::on(target, at_hand.without(Sides::of(target, splitter.square)), own);
                    let runners = reached.count().min(splitter.pieces);
                    let hunters = pack.with(runners, runners);
                    let room_for_another = open.count() > runners;
                    hunters.absorbs(height, captors)
                        || room_for_another
                            && (smalls.any() && hunters.with(1, 1).absorbs(height, captors)
                                || mediums.any() && hunters.with(1, 2).absorbs(height, captors))
                        || splitter.pieces == 3
                            && splitter.near & target.sides() != 0
                            && (pack.with(1, 2).absorbs(height, captors)
                                || runners > 1 && pack.with(2, 3).absorbs(height, captors))
                });
        if absorbable {
            prospects.highest = prospects.highest.max(height as i32);
            prospects.all += height as i32;
            prospects.prey |= target.bit();
        }
    }
    prospects
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
