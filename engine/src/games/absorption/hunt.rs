//! Splits that surround enemy piles. Of all the ways to split and run only those are looked at that
//! bring pieces next to the enemy, and only as to where the pieces end up: how they get there is
//! found out afterwards, for the few that are worth it.

use std::cmp::Reverse;

use super::attack::{Pack, Sides, widened};
use super::board::{Piles, Set, Square, around, beside, squares};
use super::{Action, Situation, Trio};

/// A split and its runs.
pub(super) struct Raid {
    pub(super) actions: Vec<Action>,
}

/// Where the pieces of a split end up.
struct SplitPlan {
    /// What it may absorb, and a little less for every piece that it takes.
    worth: i32,
    from: Square,
    /// The medium of a split in two, which stays where it is put.
    medium: Option<Square>,
    /// Where smalls end up. The other pieces are free.
    smalls: [Square; 3],
    count: usize,
}

impl SplitPlan {
    fn smalls(&self) -> &[Square] {
        &self.smalls[..self.count]
    }
}

/// A square next to an enemy, and from which of the splitter's neighbours (by number) a small gets
/// there.
#[derive(Clone, Copy)]
struct Post {
    square: Square,
    sources: u8,
}

/// More squares than this are not looked at for one splitter.
const MOST_POSTS: usize = 20;

/// The raids that look best, best first.
pub(super) fn raids(now: &Situation, captors: u32, most: usize) -> Vec<Raid> {
    let own = now.own();
    let mut plans = Vec::new();
    for from in squares(own.medium() | own.large()) {
        plan(now, captors, from, &mut plans);
    }
    plans.sort_by_key(|plan| Reverse(plan.worth));
    plans.iter().filter_map(|plan| carried_out(now, plan)).take(most).collect()
}

fn plan(now: &Situation, captors: u32, from: Square, plans: &mut Vec<SplitPlan>) {
    let (own, empty) = (now.own(), now.empty());
    let near = from.neighbours() & empty;
    let height = usize::from(own.height(from));
    if near & near.wrapping_sub(1) == 0 {
        return;
    }
    let posts = posts(now, near, empty);
    if posts.is_empty() {
        return;
    }
    let raiders = Raiders::new(now, from, captors);
    let nothing = raiders.prey(0, 0);
    let mut consider = |medium: Option<Square>, chosen: &[Post]| {
        let set = chosen.iter().fold(0, |set, post| set | post.square.bit());
        let prey = raiders.prey(set, medium.map_or(0, Square::bit));
        if prey > nothing {
            let mut smalls = [Square::default(); 3];
            for (small, post) in smalls.iter_mut().zip(chosen) {
                *small = post.square;
            }
            let used = chosen.len() as i32 + 2 * i32::from(medium.is_some());
            plans.push(SplitPlan { worth: 4 * prey - used, from, medium, smalls, count: chosen.len() });
        }
    };
    for (index, &one) in posts.iter().enumerate() {
        consider(None, &[one]);
        for (next, &two) in posts.iter().enumerate().skip(index + 1) {
            if !have_distinct_sources(&[one.sources, two.sources]) {
                continue;
            }
            consider(None, &[one, two]);
            if height == 3 {
                for &three in &posts[next + 1..] {
                    if have_distinct_sources(&[one.sources, two.sources, three.sources]) {
                        consider(None, &[one, two, three]);
                    }
                }
            }
        }
    }
    if height == 3 {
        let beside_enemies = near & beside(now.enemy().all());
        for medium in squares(beside_enemies) {
            consider(Some(medium), &[]);
            for &post in posts.iter().filter(|post| post.square != medium) {
                consider(Some(medium), &[post]);
            }
        }
    }
}

/// The squares next to enemies that smalls can get to, put on `near` and then running.
fn posts(now: &Situation, near: Set, open: Set) -> Vec<Post> {
    let wanted = beside(now.enemy().all()) & open;
    let reach = widened(widened(near, open), open) & wanted;
    let post = |square: Square| {
        let sources = squares(near)
            .enumerate()
            .filter(|&(_, source)| source == square || can_run(source, square, open));
        Post { square, sources: sources.fold(0, |set, (number, _)| set | 1 << number) }
    };
    squares(reach).map(post).filter(|post| post.sources != 0).take(MOST_POSTS).collect()
}

fn can_run(from: Square, to: Square, open: Set) -> bool {
    to.is_in(open)
        && (to.is_in(from.neighbours()) || to.is_in(from.two_steps()) && from.halfway(to).is_in(open))
}

/// Whether every set can give a member that no other gives.
fn have_distinct_sources(sets: &[u8]) -> bool {
    match *sets {
        [one, two] => (one | two).count_ones() >= 2,
        [one, two, three] => {
            (one | two).count_ones() >= 2
                && (one | three).count_ones() >= 2
                && (two | three).count_ones() >= 2
                && (one | two | three).count_ones() >= 3
        }
        _ => true,
    }
}

/// The piles of a seat without the one that splits.
struct Raiders {
    own: Piles,
    enemy: Piles,
    captors: u32,
    /// Where one other pile could move to.
    smalls_reach: Set,
    mediums_reach: Set,
}

impl Raiders {
    fn new(now: &Situation, from: Square, captors: u32) -> Raiders {
        let mut own = now.own();
        own.set_height(from, 0);
        let empty = now.empty();
        Raiders {
            own,
            enemy: now.enemy(),
            captors,
            smalls_reach: widened(around(own.small()) & empty, empty),
            mediums_reach: around(own.medium()) & empty,
        }
    }

    /// What can probably be absorbed with smalls on these squares and a medium on that one: as they
    /// stand, and the most that one other pile can add by moving.
    fn prey(&self, smalls: Set, medium: Set) -> i32 {
        let taken = smalls | medium;
        let own = self.own.with(smalls, medium);
        let (mut prey, mut more) = (0, 0);
        for target in squares(self.enemy.all() & beside(own.all())) {
            let height = u32::from(self.enemy.height(target));
            let pack = Pack::on(target, Sides::of(target, own.all()), own);
            if pack.absorbs(height, self.captors) {
                prey += height as i32;
            } else if Sides::of(target, self.smalls_reach & !taken).any()
                && pack.with(1, 1).absorbs(height, self.captors)
                || Sides::of(target, self.mediums_reach & !taken).any()
                    && pack.with(1, 2).absorbs(height, self.captors)
            {
                more = more.max(height as i32);
            }
        }
        prey + more
    }
}

/// The actions that lead to what was planned, if pieces do not get in each other's way.
fn carried_out(now: &Situation, plan: &SplitPlan) -> Option<Raid> {
    let near: Vec<Square> = squares(plan.from.neighbours() & now.empty()).collect();
    let height = usize::from(now.own().height(plan.from));
    let pieces = if plan.medium.is_some() { 1 } else { height };
    let mut sources = Vec::with_capacity(pieces);
    place(now, plan, &near, pieces, &mut sources)
}

/// Tries every way to put the smalls next to the splitter: first those that the plan is about, then
/// the free ones.
fn place(
    now: &Situation,
    plan: &SplitPlan,
    near: &[Square],
    pieces: usize,
    sources: &mut Vec<Square>,
) -> Option<Raid> {
    if sources.len() == pieces {
        return run(now, plan, sources);
    }
    let target = plan.smalls().get(sources.len());
    for &source in near {
        let fits = target.is_none_or(|&target| source == target || can_run(source, target, now.empty()));
        if fits && plan.medium != Some(source) && !sources.contains(&source) {
            sources.push(source);
            let raid = place(now, plan, near, pieces, sources);
            sources.pop();
            if raid.is_some() {
                return raid;
            }
        }
    }
    None
}

/// Lets the smalls run, in an order in which nobody is in the way.
fn run(now: &Situation, plan: &SplitPlan, sources: &[Square]) -> Option<Raid> {
    let to = match (plan.medium, sources) {
        (Some(medium), &[small]) => Trio::two_and_one(medium, small),
        _ => Trio::sorted(sources)?,
    };
    let mut actions = vec![Action::Split { from: plan.from, to }];
    let mut open = now.empty() & !to.set();
    let mut waiting: Vec<(Square, Square)> =
        sources.iter().copied().zip(plan.smalls().iter().copied()).filter(|(from, to)| from != to).collect();
    while !waiting.is_empty() {
        let next = waiting.iter().position(|&(from, to)| can_run(from, to, open))?;
        let (from, to) = waiting.remove(next);
        actions.push(Action::Move { from, to });
        open = (open | from.bit()) & !to.bit();
    }
    Some(Raid { actions })
}
