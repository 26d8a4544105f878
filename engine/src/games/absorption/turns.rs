//! The game by whole turns: of the tens of thousands that there may be, those that look best.
//!
//! They are found part by part, and of each part only the results that look best are followed.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;

use tabuleiro_protocol::Seat;

use super::attack::hopes;
use super::evaluation::Weights;
use super::hunt::raids;
use super::proof::{could_win_at_once, proved_win, safe_turn, winning_turn, wins_with_the_next};
use super::{Absorption, Action, Before, Phase, Situation};
use crate::game::{Game, Outcome};
use crate::search::{Breadth, Evaluate, Forced, MoveGeneration, SearchSpace, Sums, Tuning};

/// Absorption as a search walks it: a move is the rest of the turn, and those are listed that look
/// best.
#[derive(Clone, Debug)]
pub struct ByTurns {
    game: Absorption,
    /// Turns played since this was made.
    turns: u32,
    /// They also decide which turns look best.
    weights: Arc<Weights>,
    breadth: Breadth,
}

impl ByTurns {
    fn widths(&self) -> &'static Widths {
        match self.breadth {
            _ if self.turns == 0 => &AT_THE_ROOT,
            Breadth::Usual => &ELSEWHERE,
            Breadth::Wide => &WIDE_ELSEWHERE,
        }
    }
}

/// No turn has more actions: a split, four moves, and as many piles to absorb as there is room for
/// with 36 pieces in all.
const LONGEST: usize = 29;

/// The actions of one seat up to the end of its turn.
#[derive(Clone, Copy, Debug)]
pub struct WholeTurn {
    actions: [Action; LONGEST],
    len: u8,
    /// What the position after it is worth to the seat, without looking further.
    value: i32,
}

impl WholeTurn {
    pub(super) const EMPTY: WholeTurn = WholeTurn { actions: [Action::End; LONGEST], len: 0, value: 0 };

    pub(super) fn actions(&self) -> &[Action] {
        &self.actions[..usize::from(self.len)]
    }

    /// Whether the game is won with it.
    pub(super) fn wins(&self) -> bool {
        self.value == WIN
    }

    fn has_room(&self) -> bool {
        usize::from(self.len) < LONGEST
    }

    /// `None` if the turn gets too long.
    pub(super) fn and(mut self, action: Action) -> Option<WholeTurn> {
        *self.actions.get_mut(usize::from(self.len))? = action;
        self.len += 1;
        Some(self)
    }
}

impl PartialEq for WholeTurn {
    fn eq(&self, other: &WholeTurn) -> bool {
        self.actions() == other.actions()
    }
}

impl Eq for WholeTurn {}

impl Hash for WholeTurn {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.actions().hash(state);
    }
}

impl SearchSpace for ByTurns {
    type Game = Absorption;
    type Move = WholeTurn;
    type Undo = Before;
    type Generation = BestTurns;

    const GENERATION_COST: u64 = 1_500;
    const TUNING: Tuning =
        Tuning { late_move_reductions: false, forced_win_effort_at_leaves: 4_000, ..Tuning::CAUTIOUS };

    fn new(game: Absorption, weights: Arc<Weights>, breadth: Breadth) -> ByTurns {
        ByTurns { game, turns: 0, weights, breadth }
    }

    fn actions(turn: WholeTurn) -> Vec<Action> {
        turn.actions().to_vec()
    }

    fn to_move(&self) -> Seat {
        self.game.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn moves(&self, turns: &mut Vec<WholeTurn>) {
        if self.outcome().is_none() {
            judged_turns(&self.game, &self.weights, self.widths(), turns);
        }
    }

    fn play(&mut self, turn: WholeTurn) -> Before {
        let before = Before(self.game.now);
        for &action in turn.actions() {
            self.game.play(action);
        }
        self.turns += 1;
        before
    }

    fn undo(&mut self, turn: WholeTurn, before: Before) {
        self.game.undo(turn.actions[0], before);
        self.turns -= 1;
    }

    fn hash(&self) -> u64 {
        self.game.hash()
    }

    fn evaluate(&self, seat: Seat) -> i32 {
        self.game.evaluate(seat, &self.weights)
    }

    fn evaluate_next(&self, seat: Seat, sums: &mut Sums) -> i32 {
        self.game.evaluate_next(seat, &self.weights, sums)
    }

    fn scale(&self) -> i32 {
        Absorption::scale(&self.weights)
    }

    fn move_score(&self, turn: WholeTurn) -> i32 {
        // What a turn was worth elsewhere says little here, so it must not outweigh this.
        turn.value.clamp(-20_000, 20_000) * 1_000
    }

    /// What the pile does that splits, or that others join.
    fn subject(turn: WholeTurn) -> u64 {
        turn.actions[0].place() as u64
    }

    /// At the root, a win in a few turns against every reply; wherever the search ends, one that is
    /// among the turns that look best.
    fn forced_win(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<WholeTurn>> {
        let mut turns = Vec::new();
        if self.turns > 0 {
            let now = &self.game.now;
            if !could_win_at_once(now, now.seat, self.game.rules.captors) {
                return None;
            }
            best_turns(&self.game, &self.weights, self.widths(), go_on, &mut turns);
            turns.truncate(1);
            return turns.first()?.wins().then_some(turns);
        }
        if self.game.now.enemy().pieces() > FEW_PIECES {
            return None;
        }
        best_turns(&self.game, &self.weights, self.widths(), go_on, &mut turns);
        let proved = |count| proved_win(&self.game, &self.weights, &turns, count, go_on);
        let win = (2..=MOST_TURNS_PROVED).find_map(proved)?;
        Some(vec![win])
    }

    fn best_at_once(&self, enough: i32, go_on: &mut dyn FnMut() -> bool) -> Option<WholeTurn> {
        turn_worth(enough.min(WIN), &self.game, &self.weights, self.widths(), go_on)
    }
}

/// Only the turns that look best are listed. What they leave out is found by trying every turn.
#[derive(Clone, Copy, Debug)]
pub struct BestTurns;

impl MoveGeneration<ByTurns> for BestTurns {
    fn overlooked_win(space: &ByTurns, go_on: &mut dyn FnMut() -> bool) -> Option<WholeTurn> {
        winning_turn(&space.game, &space.weights, go_on).ok().flatten()
    }

    fn lets_the_enemy_win(space: &ByTurns, turn: WholeTurn, go_on: &mut dyn FnMut() -> bool) -> bool {
        let mut after = space.clone();
        after.play(turn);
        BestTurns::overlooked_win(&after, go_on).is_some()
    }

    fn overlooked_rescue(space: &ByTurns, go_on: &mut dyn FnMut() -> bool) -> Option<WholeTurn> {
        safe_turn(&space.game, &space.weights, go_on).ok().flatten()
    }

    fn is_forced(space: &ByTurns, turn: WholeTurn, go_on: &mut dyn FnMut() -> bool) -> Forced<WholeTurn> {
        wins_with_the_next(&space.game, &space.weights, turn, go_on)
    }
}

/// A seat with more pieces than this is not thought to be lost for certain.
const FEW_PIECES: u32 = 12;

/// In how many turns a win is looked for that is certain.
const MOST_TURNS_PROVED: u32 = 3;

/// How many results of each part are followed.
pub(super) struct Widths {
    /// Splits and merges.
    first: usize,
    /// Of these, splits of the same pile or merges onto the same square.
    alike: usize,
    /// Splits with runs that surround enemy piles.
    raids: usize,
    /// Runs of one more small.
    runs: usize,
    /// Splits or merges with all their runs, to which the move of another pile is added.
    run: usize,
    /// Ways to absorb one more pile.
    absorbing: usize,
    turns: usize,
}

const AT_THE_ROOT: Widths =
    Widths { first: 120, alike: 16, raids: 60, runs: 120, run: 100, absorbing: 400, turns: 40 };
pub(super) const ELSEWHERE: Widths =
    Widths { first: 24, alike: 6, raids: 12, runs: 16, run: 20, absorbing: 60, turns: 16 };
/// With the usual ones, to search more than four turns deep makes no better player: replies that
/// matter are left out.
const WIDE_ELSEWHERE: Widths =
    Widths { first: 48, alike: 12, raids: 24, runs: 32, run: 40, absorbing: 120, turns: 32 };

/// What a piece counts that might still be absorbed, for those who hope.
const HOPE: i32 = 300;

/// Where turns are listed, a net judges so many for each that is wanted.
const JUDGED_FOR_ONE: usize = 2;
/// Where the best one is looked for, it judges so many.
const JUDGED_FOR_BEST: usize = 4;

/// A win is worth more than any evaluation.
pub(super) const WIN: i32 = 1_000_000;

/// Part of a turn, and what came of it.
struct Begun {
    now: Situation,
    hope: i32,
    is_raid: bool,
    turn: WholeTurn,
}

/// One more action to a turn that was begun.
struct Candidate {
    /// What it would be worth if the turn ended with it.
    value: i32,
    /// That, and what might still be absorbed, whatever the danger.
    hope: i32,
    parent: usize,
    action: Action,
}

/// The last action of a turn. There are many more of them than are wanted, and only those are made
/// turns that are.
#[derive(Clone, Copy)]
struct Ended {
    /// By the hand-made evaluation.
    value: i32,
    /// By the net, where there is one and it was asked.
    judged: Option<i32>,
    parent: usize,
    action: Action,
}

struct TurnSearch<'a> {
    game: Absorption,
    go_on: &'a mut dyn FnMut() -> bool,
    enough: i32,
    /// A turn was found that is worth enough, or there is no time left.
    done: bool,
    weights: &'a Weights,
    /// Those of the net, if it is to be asked whether a turn is worth enough. It judges whole turns
    /// that look good: parts of turns are judged by the hundred, by the hand-made evaluation.
    sums: Option<Sums>,
    seat: Seat,
    /// The turns that were taken so far, and those that are over.
    begun: Vec<Begun>,
    over: Vec<Ended>,
    seen: HashSet<u64, BuildHasherDefault<Unmixed>>,
    legal: Vec<Action>,
}

/// Adds the turns that look best, the best first. Ends early with the first win, or when `go_on`
/// says no, which is asked for every position. No net is asked: for proofs.
pub(super) fn best_turns(
    game: &Absorption,
    weights: &Weights,
    widths: &Widths,
    go_on: &mut dyn FnMut() -> bool,
    turns: &mut Vec<WholeTurn>,
) {
    let mut search = TurnSearch::new(game, weights, WIN, go_on);
    search.find(widths);
    search.best(widths.turns, turns);
}

/// [`best_turns`], with those in front that the net likes best, if there is one.
fn judged_turns(game: &Absorption, weights: &Weights, widths: &Widths, turns: &mut Vec<WholeTurn>) {
    let mut go_on = || true;
    let mut search = TurnSearch::new(game, weights, WIN, &mut go_on);
    search.find(widths);
    search.judge_best(JUDGED_FOR_ONE * widths.turns);
    search.best(widths.turns, turns);
}

/// The best turn, or the first one found that is worth enough.
fn turn_worth(
    enough: i32,
    game: &Absorption,
    weights: &Weights,
    widths: &Widths,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<WholeTurn> {
    let mut search = TurnSearch::new(game, weights, enough, go_on);
    search.sums = weights.net().map(|_| Sums::default());
    search.find(widths);
    if !search.done {
        search.judge_best(JUDGED_FOR_BEST);
    }
    let mut turns = Vec::new();
    search.best(1, &mut turns);
    turns.first().copied()
}

impl<'a> TurnSearch<'a> {
    fn new(
        game: &Absorption,
        weights: &'a Weights,
        enough: i32,
        go_on: &'a mut dyn FnMut() -> bool,
    ) -> TurnSearch<'a> {
        TurnSearch {
            enough,
            game: game.clone(),
            go_on,
            done: false,
            weights,
            sums: None,
            seat: game.now.seat,
            begun: vec![Begun { now: game.now, hope: 0, is_raid: false, turn: WholeTurn::EMPTY }],
            over: Vec::new(),
            seen: HashSet::default(),
            legal: Vec::new(),
        }
    }

    /// Has the net judge so many of those turns that look best.
    fn judge_best(&mut self, most: usize) {
        if self.weights.net().is_none() {
            return;
        }
        let mut sums = self.sums.take().unwrap_or_default();
        self.over.sort_by_key(|ended| Reverse(ended.value));
        for ended in self.over.iter_mut().take(most) {
            if ended.judged.is_none() {
                self.game.now = self.begun[ended.parent].now;
                let undo = self.game.play(ended.action);
                ended.judged = Some(match self.game.now.outcome {
                    Some(_) => ended.value,
                    None => self.game.evaluate_next(self.seat, self.weights, &mut sums),
                });
                self.game.undo(ended.action, undo);
            }
        }
    }

    /// Adds the best turns that were found. What the net has judged comes before what only looks
    /// good.
    fn best(self, most: usize, turns: &mut Vec<WholeTurn>) {
        let TurnSearch { begun, mut over, .. } = self;
        over.sort_by_key(|ended| Reverse((ended.judged.is_some(), ended.judged.unwrap_or(ended.value))));
        turns.extend(over.iter().take(most).filter_map(|&Ended { value, judged, parent, action }| {
            let turn = begun[parent].turn.and(action)?;
            Some(WholeTurn { value: judged.unwrap_or(value), ..turn })
        }));
    }

    fn find(&mut self, widths: &Widths) {
        let mut latest = vec![0];
        if self.game.now.phase == Phase::Main {
            // Where something worth enough is looked for it is often one of these as it is, so they
            // are tried first.
            latest = self.raids(widths.raids);
            self.finish(&latest, widths, |_, action| action == Action::End);
            let steps = self.steps(&[0], |_, _| true);
            let begun = self.take(steps, widths.first, widths.alike);
            self.finish(&begun, widths, |_, action| action == Action::End);
            latest.extend(begun);
        }
        let mut begun = latest.clone();
        while !latest.is_empty() {
            let moving = self.in_phase(&latest, Phase::Moves);
            let steps = self.steps(&moving, |begun, action| match action {
                // The order of runs makes no difference (but for those that get in each other's
                // way): take them in that of the squares.
                Action::Move { from, .. } => {
                    let in_order = match begun.turn.actions().last() {
                        Some(Action::Move { from: before, .. }) => from > *before || begun.is_raid,
                        _ => true,
                    };
                    in_order && from.is_in(begun.now.runners)
                }
                _ => false,
            });
            latest = self.take(steps, widths.runs, usize::MAX);
            begun.extend(&latest);
        }
        let absorbing = self.in_phase(&begun, Phase::Absorb);
        let mut moving = self.in_phase(&begun, Phase::Moves);
        moving.sort_by_key(|&index| Reverse(self.begun[index].turn.value));
        let hopeful = moving.split_off(moving.len().min(widths.run / 2));
        moving.extend(best_by(hopeful, widths.run / 2, |&index| self.begun[index].hope));
        moving.extend(absorbing);
        self.finish(&moving, widths, |begun, action| match action {
            Action::Move { from, .. } => !from.is_in(begun.now.runners),
            _ => true,
        });
    }

    /// Ends these turns: with one of the wanted actions, where there are still moves to make, and
    /// with all there is to absorb.
    fn finish(&mut self, begun: &[usize], widths: &Widths, wanted: impl Fn(&Begun, Action) -> bool) {
        let mut absorbing = self.in_phase(begun, Phase::Absorb);
        let steps = self.steps(&self.in_phase(begun, Phase::Moves), wanted);
        absorbing.extend(self.take(steps, widths.absorbing, usize::MAX));
        while !absorbing.is_empty() {
            let steps = self.steps(&absorbing, |_, _| true);
            absorbing = self.take(steps, widths.absorbing, usize::MAX);
        }
    }

    /// Splits with the runs that surround something. Gives the places of what was begun so.
    fn raids(&mut self, most: usize) -> Vec<usize> {
        let first = self.begun.len();
        let start = self.begun[0].now;
        let captors = self.game.rules.captors;
        for raid in raids(&start, captors, most) {
            self.game.now = start;
            let mut turn = WholeTurn::EMPTY;
            for &action in &raid.actions {
                self.game.play(action);
                turn = turn.and(action).unwrap_or(turn);
            }
            let now = self.game.now;
            self.game.begun.truncate(now.turns as usize + 1);
            if now.seat == self.seat && now.outcome.is_none() && self.seen.insert(now.key) {
                let value = self.hand_made();
                let hope = value + HOPE * hopes(&now, captors);
                self.begun.push(Begun { now, hope, is_raid: true, turn: WholeTurn { value, ..turn } });
            }
        }
        (first..self.begun.len()).collect()
    }

    /// What the position is worth to the seat whose turns are looked for, by the hand-made
    /// evaluation.
    fn hand_made(&self) -> i32 {
        let now = &self.game.now;
        let value = now.hand_made(self.game.rules.captors, self.weights);
        if self.seat == now.seat { value } else { -value }
    }

    fn in_phase(&self, begun: &[usize], phase: Phase) -> Vec<usize> {
        begun.iter().copied().filter(|&index| self.begun[index].now.phase == phase).collect()
    }

    /// Every action (of those that are wanted) that leads from these to something new. Turns that
    /// end with it are over.
    fn steps(&mut self, from: &[usize], wanted: impl Fn(&Begun, Action) -> bool) -> Vec<Candidate> {
        let mut steps = Vec::new();
        for &parent in from {
            if self.done {
                break;
            }
            let begun = &self.begun[parent];
            self.game.now = begun.now;
            self.legal.clear();
            self.game.actions(&mut self.legal);
            for &action in &self.legal {
                if self.done || !wanted(begun, action) {
                    continue;
                }
                let undo = self.game.play(action);
                let now = &self.game.now;
                if self.seen.insert(now.key) {
                    self.done = !(self.go_on)();
                    let value = match now.outcome {
                        Some(Outcome { winner: None, .. }) => 0,
                        Some(Outcome { winner, .. }) if winner == Some(self.seat) => WIN,
                        Some(_) => -WIN,
                        None => self.hand_made(),
                    };
                    if now.outcome.is_some() || now.seat != self.seat {
                        let judged = match &mut self.sums {
                            None => None,
                            Some(_) if now.outcome.is_some() => Some(value),
                            Some(sums) => (self.weights.promises(value) >= self.enough)
                                .then(|| self.game.evaluate_next(self.seat, self.weights, sums)),
                        };
                        let worth = if self.sums.is_some() { judged } else { Some(value) };
                        self.done |= worth.is_some_and(|worth| worth >= self.enough);
                        if begun.turn.has_room() {
                            self.over.push(Ended { value, judged, parent, action });
                        }
                    } else {
                        let hope = value + HOPE * hopes(now, self.game.rules.captors);
                        steps.push(Candidate { value, hope, parent, action });
                    }
                }
                self.game.undo(action, undo);
            }
        }
        steps
    }

    /// Takes the best of these steps, half of them by their value and half by what may be hoped
    /// for, but no more than so many splits of one pile or merges onto one square by either. Gives
    /// the places of what was begun so.
    fn take(&mut self, mut steps: Vec<Candidate>, most: usize, alike: usize) -> Vec<usize> {
        let first = self.begun.len();
        let (half, half_alike) = (most / 2, alike / 2);
        steps.sort_by_key(|step| Reverse(step.value));
        let mut counts = [0; 64];
        let mut chosen = Vec::with_capacity(most);
        let mut others = Vec::new();
        for step in steps {
            let count = &mut counts[step.action.place()];
            if chosen.len() < half && *count < half_alike {
                *count += 1;
                chosen.push(step);
            } else {
                others.push(step);
            }
        }
        others.sort_by_key(|step| Reverse(step.hope));
        let mut counts = [0; 64];
        for step in others {
            let count = &mut counts[step.action.place()];
            if chosen.len() < most && *count < half_alike {
                *count += 1;
                chosen.push(step);
            }
        }
        for Candidate { value, hope, parent, action } in chosen {
            let Begun { now, turn, .. } = self.begun[parent];
            if let Some(turn) = turn.and(action) {
                self.game.now = now;
                let undo = self.game.play(action);
                self.begun.push(Begun {
                    now: self.game.now,
                    hope,
                    is_raid: false,
                    turn: WholeTurn { value, ..turn },
                });
                self.game.undo(action, undo);
            }
        }
        (first..self.begun.len()).collect()
    }
}

/// The best of some by a key, so many.
fn best_by<T>(mut items: Vec<T>, most: usize, key: impl Fn(&T) -> i32) -> Vec<T> {
    items.sort_by_key(|item| Reverse(key(item)));
    items.truncate(most);
    items
}

/// For keys that are well mixed already.
#[derive(Default)]
pub(super) struct Unmixed(u64);

impl Hasher for Unmixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;
    use tabuleiro_protocol::Options;

    use super::*;
    use crate::game::{Describe, GameOptions};
    use crate::random::Random;
    use crate::search::Net;

    /// Without a net, and with one that thinks more of every turn than the hand-made evaluation does.
    fn without_and_with_net(game: &Absorption) -> [ByTurns; 2] {
        let inputs = game.inputs().expect("what a net sees");
        let mut net = Net::blank(Absorption::ID, &Options::new(), &inputs);
        net.answer_bias = -20_000;
        let alone = game.shipped_weights();
        let with_net = Absorption::with_net(&alone, Arc::new(net)).expect("a net");
        [alone, Arc::new(with_net)].map(|weights| ByTurns::new(game.clone(), weights, Breadth::Usual))
    }

    #[test]
    fn a_net_judges_the_turns_that_are_listed_and_the_best_one() {
        let options = GameOptions::check(&Absorption::options(), &Map::new()).expect("options");
        let mut game = Absorption::start(&options, 1);
        let mut random = Random::new(7);
        let mut judged = 0;
        for _ in 0..12 {
            let [alone, mut space] = without_and_with_net(&game);
            let seat = space.to_move();
            let mut turns = Vec::new();
            space.moves(&mut turns);
            turns.extend(space.best_at_once(WIN, &mut || true));
            assert!(
                turns.len() > 1 && turns.windows(2).rev().skip(1).all(|pair| pair[0].value >= pair[1].value)
            );
            for turn in turns.iter().copied().filter(|turn| turn.value.abs() < WIN) {
                let undo = space.play(turn);
                if space.outcome().is_none() {
                    assert_eq!(turn.value, space.evaluate(seat), "{turn:?}");
                    judged += 1;
                }
                space.undo(turn, undo);
            }
            // What is worth enough is so to the net.
            let best = alone.best_at_once(WIN, &mut || true).expect("a turn");
            let enough = best.value + 1;
            let found = space.best_at_once(enough, &mut || true).expect("a turn");
            assert!(found.value >= enough, "{} of {enough}", found.value);
            let turn = random.pick(&turns).expect("turns");
            for &action in turn.actions() {
                game.play(action);
            }
            if game.outcome().is_some() {
                break;
            }
        }
        assert!(judged > 100, "{judged}");
    }
}
