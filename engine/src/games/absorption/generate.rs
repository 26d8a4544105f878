//! The legal actions of each part of a turn: all of them, or one drawn at random.

use super::board::{Set, Square, around, nth, squares};
use super::{Action, Situation, Trio};
use crate::random::Random;

pub(super) fn splits_and_merges(now: &Situation, actions: &mut Vec<Action>) {
    let (own, empty) = (now.own(), now.empty());
    for from in squares(own.large()) {
        split_large(from, from.neighbours() & empty, actions);
    }
    for from in squares(own.medium()) {
        split_medium(from, from.neighbours() & empty, actions);
    }
    for small in squares(own.small() & around(own.small() | own.medium())) {
        merge_pairs(small, small.neighbours() & own.small(), small.neighbours() & own.medium(), actions);
        merge_threes(small, small.neighbours() & own.small(), actions);
    }
}

fn split_large(from: Square, open: Set, actions: &mut Vec<Action>) {
    for first in squares(open) {
        for single in squares(open & !first.bit()) {
            actions.push(Action::Split { from, to: Trio::two_and_one(first, single) });
        }
        let after_first = open & after(first);
        for second in squares(after_first) {
            for third in squares(after_first & after(second)) {
                actions.push(Action::Split { from, to: Trio::three(first, second, third) });
            }
        }
    }
}

fn split_medium(from: Square, open: Set, actions: &mut Vec<Action>) {
    for first in squares(open) {
        for second in squares(open & after(first)) {
            actions.push(Action::Split { from, to: Trio::two(first, second) });
        }
    }
}

fn merge_pairs(small: Square, smalls: Set, mediums: Set, actions: &mut Vec<Action>) {
    // Two smalls meet here twice, once from either side; a small and a medium only once.
    for other in squares(smalls) {
        actions.push(Action::Merge { onto: small, others: Trio::one(other) });
    }
    for medium in squares(mediums) {
        actions.push(Action::Merge { onto: small, others: Trio::one(medium) });
        actions.push(Action::Merge { onto: medium, others: Trio::one(small) });
    }
}

fn merge_threes(centre: Square, smalls: Set, actions: &mut Vec<Action>) {
    for first in squares(smalls) {
        for second in squares(smalls & after(first)) {
            if is_centre(centre, first, second) {
                actions.extend((0..3).map(|onto| merge_three(centre, first, second, onto)));
            }
        }
    }
}

/// Three smalls that are all next to each other could have any of them as the centre: it is the
/// first one.
fn is_centre(centre: Square, first: Square, second: Square) -> bool {
    !second.is_in(first.neighbours()) || centre < first
}

/// `first` comes before `second`.
fn merge_three(centre: Square, first: Square, second: Square, onto: u32) -> Action {
    match onto {
        0 => Action::Merge { onto: centre, others: Trio::two(first, second) },
        1 => Action::Merge { onto: first, others: Trio::two(centre.min(second), centre.max(second)) },
        _ => Action::Merge { onto: second, others: Trio::two(centre.min(first), centre.max(first)) },
    }
}

pub(super) fn moves(now: &Situation, actions: &mut Vec<Action>) {
    let small = now.own().small();
    for from in squares(now.runners) {
        move_small(from, now.open_to_runners(), actions);
    }
    let empty = now.empty();
    for from in squares(now.bystanders() & small) {
        move_small(from, empty, actions);
    }
    for from in squares(now.bystanders() & !small) {
        for to in squares(from.neighbours() & empty) {
            actions.push(Action::Move { from, to });
        }
    }
    actions.push(Action::End);
}

fn move_small(from: Square, open: Set, actions: &mut Vec<Action>) {
    for to in squares(from.neighbours() & open) {
        actions.push(Action::Move { from, to });
    }
    for to in squares(from.two_steps() & open) {
        if from.halfway(to).is_in(open) {
            actions.push(Action::Move { from, to });
        }
    }
}

pub(super) fn absorptions(now: &Situation, captors: u32, actions: &mut Vec<Action>) {
    let own = now.own();
    for from in now.victims(captors) {
        let hungry = from.sides() & own.all() & !own.large();
        // A pile has room for two if it is small; none has room for three.
        let hungrier = hungry & own.small();
        match now.enemy().height(from) {
            1 => {
                for one in squares(hungry) {
                    actions.push(Action::Absorb { from, into: Trio::one(one) });
                }
            }
            2 => {
                for one in squares(hungry) {
                    if one.is_in(hungrier) {
                        actions.push(Action::Absorb { from, into: Trio::two(one, one) });
                    }
                    for other in squares(hungry & after(one)) {
                        actions.push(Action::Absorb { from, into: Trio::two(one, other) });
                    }
                }
            }
            _ => {
                for double in squares(hungrier) {
                    for single in squares(hungry & !double.bit()) {
                        actions.push(Action::Absorb { from, into: Trio::two_and_one(double, single) });
                    }
                }
                for one in squares(hungry) {
                    for two in squares(hungry & after(one)) {
                        for three in squares(hungry & after(two)) {
                            actions.push(Action::Absorb { from, into: Trio::three(one, two, three) });
                        }
                    }
                }
            }
        }
    }
}

/// The squares after one, in order.
#[inline]
fn after(square: Square) -> Set {
    !(square.bit() | (square.bit() - 1))
}

/// One of the actions that [`splits_and_merges`] finds, every one equally likely. There must be
/// one.
///
/// They are only counted, pile by pile, and none is made but the one that was drawn.
pub(super) fn random_split_or_merge(now: &Situation, random: &mut Random) -> Action {
    let (own, empty) = (now.own(), now.empty());
    let mergeable = own.small() & around(own.small() | own.medium());
    let mut shares = [(Square::default(), 0); MOST_PILES];
    let mut piles = 0;
    let mut total = 0;
    let mut add = |square: Square, share: u32| {
        shares[piles] = (square, share);
        piles += 1;
        total += share;
    };
    for from in squares(own.large()) {
        let open = (from.neighbours() & empty).count_ones();
        add(from, doubles(open) + threes(open));
    }
    for from in squares(own.medium()) {
        add(from, pairs((from.neighbours() & empty).count_ones()));
    }
    for small in squares(mergeable) {
        let smalls = (small.neighbours() & own.small()).count_ones();
        let mediums = (small.neighbours() & own.medium()).count_ones();
        add(small, smalls + 2 * mediums + 3 * pairs(smalls));
    }
    loop {
        let mut drawn = random.below(total);
        let mut shares = shares.iter();
        let square = loop {
            match shares.next() {
                Some(&(_, share)) if drawn >= share => drawn -= share,
                Some(&(square, _)) => break square,
                None => unreachable!("a number below the total falls to one of the shares"),
            }
        };
        let near = square.neighbours();
        let drawn = match own.height(square) {
            1 => numbered_merge(square, near & own.small(), near & own.medium(), drawn),
            2 => Some(numbered_split_of_medium(square, near & empty, drawn)),
            _ => Some(numbered_split_of_large(square, near & empty, drawn)),
        };
        // Three smalls that are all next to each other were counted with each of them as the
        // centre: two of these are drawn in vain.
        if let Some(action) = drawn {
            return action;
        }
    }
}

/// More piles than this there are not: there are 36 pieces.
const MOST_PILES: usize = 36;

fn numbered_split_of_large(from: Square, open: Set, number: u32) -> Action {
    let cells = open.count_ones();
    if number < doubles(cells) {
        let (double, single) = (number / (cells - 1), number % (cells - 1));
        let single = single + u32::from(single >= double);
        return Action::Split { from, to: Trio::two_and_one(nth(open, double), nth(open, single)) };
    }
    let [one, two, three] = THREES[(number - doubles(cells)) as usize];
    let to = Trio::three(nth(open, one.into()), nth(open, two.into()), nth(open, three.into()));
    Action::Split { from, to }
}

fn numbered_split_of_medium(from: Square, open: Set, number: u32) -> Action {
    let [one, two] = PAIRS[number as usize];
    Action::Split { from, to: Trio::two(nth(open, one.into()), nth(open, two.into())) }
}

/// `None` for three smalls of which another one is the centre.
fn numbered_merge(small: Square, smalls: Set, mediums: Set, number: u32) -> Option<Action> {
    let singles = smalls.count_ones();
    if number < singles {
        return Some(Action::Merge { onto: small, others: Trio::one(nth(smalls, number)) });
    }
    let number = number - singles;
    let doubles = 2 * mediums.count_ones();
    if number < doubles {
        let medium = nth(mediums, number / 2);
        let (onto, other) = if number.is_multiple_of(2) { (small, medium) } else { (medium, small) };
        return Some(Action::Merge { onto, others: Trio::one(other) });
    }
    let number = number - doubles;
    let [first, second] = PAIRS[(number / 3) as usize].map(|place| nth(smalls, place.into()));
    is_centre(small, first, second).then(|| merge_three(small, first, second, number % 3))
}

/// One of the actions that [`moves`] finds, every one equally likely.
///
/// A small has 16 ways to run on an open board and a medium 8: one of all these is drawn, and drawn
/// again if it is not open here.
pub(super) fn random_move(now: &Situation, random: &mut Random) -> Action {
    let (empty, open_to_runners) = (now.empty(), now.open_to_runners());
    let movers = now.runners & around(open_to_runners) | now.bystanders() & around(empty);
    let (small, medium) = (movers & now.own().small(), movers & now.own().medium());
    let runs = 16 * small.count_ones();
    let steps = 8 * medium.count_ones();
    loop {
        let drawn = random.below(runs + steps + 1);
        let (from, run) = if drawn < runs {
            (nth(small, drawn / 16), drawn % 16)
        } else if drawn < runs + steps {
            (nth(medium, (drawn - runs) / 8), 2 * ((drawn - runs) % 8))
        } else {
            return Action::End;
        };
        let open = if from.is_in(now.runners) { open_to_runners } else { empty };
        match from.run(run as usize) {
            Some(to) if to.is_in(open) && (run.is_multiple_of(2) || from.halfway(to).is_in(open)) => {
                return Action::Move { from, to };
            }
            _ => {}
        }
    }
}

/// Ways to choose one of some squares for two pieces and another for the third.
const fn doubles(squares: u32) -> u32 {
    squares * squares.saturating_sub(1)
}

/// Ways to choose two of some squares.
const fn pairs(squares: u32) -> u32 {
    doubles(squares) / 2
}

/// Ways to choose three of some squares.
const fn threes(squares: u32) -> u32 {
    doubles(squares) * squares.saturating_sub(2) / 6
}

/// All the pairs of 8 places, so ordered that those of the first few places come first.
static PAIRS: [[u8; 2]; 28] = {
    let mut table = [[0; 2]; 28];
    let (mut index, mut last) = (0, 1);
    while last < 8 {
        let mut first = 0;
        while first < last {
            table[index] = [first, last];
            index += 1;
            first += 1;
        }
        last += 1;
    }
    table
};

/// All the threes of 8 places, ordered likewise.
static THREES: [[u8; 3]; 56] = {
    let mut table = [[0; 3]; 56];
    let (mut index, mut last) = (0, 2);
    while last < 8 {
        let mut pair = 0;
        while pair < pairs(last as u32) as usize {
            table[index] = [PAIRS[pair][0], PAIRS[pair][1], last];
            index += 1;
            pair += 1;
        }
        last += 1;
    }
    table
};
