//! Wins that are certain: in one turn, and in a few against every reply.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use tabuleiro_protocol::Seat;

use super::attack::{Pack, Sides, prospects, widened};
use super::board::{Piles, Set, Square, around, beside, first, squares};
use super::evaluation::Weights;
use super::turns::{ELSEWHERE, Unmixed, WholeTurn, best_turns};
use super::{Absorption, Action, MOST_IN_A_PILE, Phase, Situation, TOO_FEW_PIECES};
use crate::game::Game;
use crate::search::{Evaluate, Forced};

type Keys = HashSet<u64, BuildHasherDefault<Unmixed>>;

/// There was no time to find out.
pub(super) struct OutOfTime;

/// How a turn might begin that wins at once. No other does.
struct Openings {
    /// The piles to split.
    splits: Set,
    merges: bool,
}

impl Openings {
    fn of(now: &Situation) -> Openings {
        let might_win = |movers: &Movers| {
            let prey = Prey::at_most(now, movers);
            now.enemy().pieces() <= prey.most_pieces + TOO_FEW_PIECES
                || !stays_able(now.enemy(), now.empty(), &prey, movers)
        };
        let own = now.own();
        let splits = squares(own.medium() | own.large())
            .filter(|&pile| might_win(&Movers::after_split(now, pile)))
            .fold(0, |all, pile| all | pile.bit());
        Openings { splits, merges: might_win(&Movers::after_merge(now)) }
    }

    fn include(&self, action: Action) -> bool {
        match action {
            Action::Split { from, .. } => from.is_in(self.splits),
            Action::Merge { .. } => self.merges,
            _ => true,
        }
    }
}

/// A turn that wins at once, if there is one. Every turn is tried that might; `go_on` is asked for
/// every position on the way.
pub(super) fn winning_turn(
    game: &Absorption,
    weights: &Weights,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<WholeTurn>, OutOfTime> {
    let seat = game.now.seat;
    if game.now.outcome.is_some() {
        return Ok(None);
    }
    if could_win_at_once(&game.now, seat, game.rules.captors) {
        // It is found sooner where it looks like one.
        let mut turns = Vec::new();
        best_turns(game, weights, &ELSEWHERE, go_on, &mut turns);
        if let Some(win) = turns.into_iter().find(WholeTurn::wins) {
            return Ok(Some(win));
        }
    }
    Finish { seat, openings: None, seen: Keys::default(), go_on }.search(&mut game.clone(), WholeTurn::EMPTY)
}

/// Whether a seat that begins a turn wins in it; `None` if there was no time to find out. Turns that
/// did so elsewhere are tried first.
pub(super) fn wins_this_turn(
    game: &Absorption,
    answers: &mut Vec<Vec<Action>>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<bool> {
    let mut tried = game.clone();
    if let Some(place) = answers.iter().position(|answer| wins(&mut tried, answer)) {
        answers[..=place].rotate_right(1);
        return Some(true);
    }
    // Whether it looks like a win is not asked, as in `winning_turn`: mostly there is none.
    let openings = (game.now.phase == Phase::Main).then(|| Openings::of(&game.now));
    let mut finish = Finish { seat: game.now.seat, openings, seen: Keys::default(), go_on };
    let won = finish.search(&mut tried, WholeTurn::EMPTY).ok()?;
    if let Some(turn) = won {
        answers.insert(0, turn.actions().to_vec());
        answers.truncate(MOST_ANSWERS);
    }
    Some(won.is_some())
}

/// A turn after which the enemy cannot win at once, if there is one. What looks best is tried
/// first, but every turn there is.
pub(super) fn safe_turn(
    game: &Absorption,
    weights: &Weights,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<WholeTurn>, OutOfTime> {
    let mut game = game.clone();
    let mut turns = Vec::new();
    every_turn(&mut game, WholeTurn::EMPTY, weights, &mut Keys::default(), go_on, &mut turns)?;
    turns.sort_by_key(|&(value, _)| Reverse(value));
    let mut prover = Prover { winner: !game.now.seat, weights, answers: Vec::new(), go_on };
    for (_, turn) in turns {
        if !prover.after(&mut game, turn.actions(), Prover::wins_at_once)? {
            return Ok(Some(turn));
        }
    }
    Ok(None)
}

/// Adds every way to end the turn that leads to a position of its own, and what that looks like.
fn every_turn(
    game: &mut Absorption,
    so_far: WholeTurn,
    weights: &Weights,
    seen: &mut Keys,
    go_on: &mut dyn FnMut() -> bool,
    turns: &mut Vec<(i32, WholeTurn)>,
) -> Result<(), OutOfTime> {
    let seat = game.now.seat;
    let mut legal = Vec::new();
    game.actions(&mut legal);
    for action in legal {
        let undo = game.play(action);
        if let Some(turn) = so_far.and(action)
            && seen.insert(game.now.key)
        {
            if !go_on() {
                return Err(OutOfTime);
            }
            if turn_is_over(&game.now, seat) {
                turns.push((game.evaluate(seat, weights), turn));
            } else {
                every_turn(game, turn, weights, seen, go_on, turns)?;
            }
        }
        game.undo(action, undo);
    }
    Ok(())
}

/// How many turns there are that lead to positions of their own, counted to so many.
pub(super) fn count_turns(game: &Absorption, most: usize) -> usize {
    fn count(game: &mut Absorption, seat: Seat, most: usize, seen: &mut Keys, found: &mut usize) {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        for action in legal {
            if *found == most {
                return;
            }
            let undo = game.play(action);
            match seen.insert(game.now.key) {
                true if turn_is_over(&game.now, seat) => *found += 1,
                true => count(game, seat, most, seen, found),
                false => {}
            }
            game.undo(action, undo);
        }
    }
    let mut found = 0;
    count(&mut game.clone(), game.now.seat, most, &mut Keys::default(), &mut found);
    found
}

struct Finish<'a> {
    seat: Seat,
    /// How the turn may begin, if that is known.
    openings: Option<Openings>,
    seen: Keys,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Finish<'_> {
    fn search(&mut self, game: &mut Absorption, turn: WholeTurn) -> Result<Option<WholeTurn>, OutOfTime> {
        let chances = Chances::of(&game.now, game.rules.captors);
        if !chances.any() {
            return Ok(None);
        }
        let mut legal = Vec::new();
        if let Some(Openings { splits: 0, merges: false }) = self.openings {
            return Ok(None);
        }
        game.actions(&mut legal);
        legal.retain(|&action| {
            chances.may_need(&game.now, action)
                && self.openings.as_ref().is_none_or(|openings| openings.include(action))
        });
        for action in legal {
            if let Some(turn) = turn.and(action) {
                let undo = game.play(action);
                let found = self.look(game, turn);
                game.undo(action, undo);
                if !matches!(found, Ok(None)) {
                    return found;
                }
            }
        }
        Ok(None)
    }

    fn look(&mut self, game: &mut Absorption, turn: WholeTurn) -> Result<Option<WholeTurn>, OutOfTime> {
        let now = &game.now;
        if !self.seen.insert(now.key) {
            return Ok(None);
        }
        if !(self.go_on)() {
            return Err(OutOfTime);
        }
        if turn_is_over(now, self.seat) {
            return Ok(is_won(now, self.seat).then_some(turn));
        }
        self.search(game, turn)
    }
}

fn turn_is_over(now: &Situation, seat: Seat) -> bool {
    now.outcome.is_some() || now.seat != seat
}

fn is_won(now: &Situation, seat: Seat) -> bool {
    now.outcome.is_some_and(|outcome| outcome.winner == Some(seat))
}

/// How what is left of a turn might win. What is not here certainly does not.
#[derive(Clone, Copy)]
struct Chances {
    by_points: bool,
    /// That the enemy can neither split nor merge.
    by_blockade: bool,
}

impl Chances {
    /// At the start of a turn nothing is known.
    const ALL: Chances = Chances { by_points: true, by_blockade: true };

    fn of(now: &Situation, captors: u32) -> Chances {
        if now.phase == Phase::Main {
            return Chances::ALL;
        }
        let movers = Movers::of(now);
        let prey = Prey::of(now, &movers, captors);
        Chances {
            by_points: now.enemy().pieces() <= prey.most_pieces + TOO_FEW_PIECES,
            by_blockade: !stays_able(now.enemy(), now.empty(), &prey, &movers),
        }
    }

    fn any(self) -> bool {
        self.by_points || self.by_blockade
    }

    /// Whether an action might be part of a win that could not be had without it.
    fn may_need(self, now: &Situation, action: Action) -> bool {
        let Action::Move { from, to } = action else { return true };
        let enemy = now.enemy();
        let hunting_grounds = beside(enemy.all());
        let bystanders = now.bystanders();
        let runs = from.is_in(now.runners);
        if self.by_blockade {
            // Not only where a pile goes may count, but also what it no longer hinders, or no
            // longer has to absorb.
            let matters = hunting_grounds | around(enemy.medium() | enemy.large());
            let others = (bystanders | now.runners) & !from.bit();
            (from.bit() | to.bit()) & matters != 0 || runs && from.is_in(around(around(others)))
        } else {
            // Next to no enemy it might as well stay, unless it makes way. For a small it need not:
            // that one could stay and this one go where that one wants to.
            to.is_in(hunting_grounds) || runs && from.is_in(around(bystanders))
        }
    }
}

/// Where what may still move in a turn can go: three runners, and one of the others, a small or a
/// medium.
struct Movers {
    runners: [Set; MOST_IN_A_PILE as usize],
    small: Set,
    medium: Set,
}

impl Movers {
    fn of(now: &Situation) -> Movers {
        let mut movers = Movers { runners: [0; MOST_IN_A_PILE as usize], small: 0, medium: 0 };
        if now.phase == Phase::Moves {
            // Those that run first may clear the way for the others.
            let open = now.empty() | now.runners;
            for (reach, runner) in movers.runners.iter_mut().zip(squares(now.runners)) {
                *reach = widened(runner.neighbours() & open, open);
            }
            let (own, bystanders) = (now.own(), now.bystanders());
            movers.small = widened(around(bystanders & own.small()) & open, open);
            movers.medium = around(bystanders & own.medium()) & open;
        }
        movers
    }

    /// At the start of a turn in which this pile is split: its parts, which are laid beside it and may
    /// run two squares, and one of the others. Where they get in each other's way is not looked at.
    fn after_split(now: &Situation, pile: Square) -> Movers {
        let empty = now.empty();
        let parts = pile.neighbours() & empty;
        let parts = widened(widened(parts, empty), empty);
        Movers { runners: [parts; MOST_IN_A_PILE as usize], ..Movers::bystanders(now, empty | pile.bit()) }
    }

    /// At the start of a turn in which piles are merged.
    fn after_merge(now: &Situation) -> Movers {
        Movers::bystanders(now, now.empty() | now.own().all())
    }

    fn bystanders(now: &Situation, open: Set) -> Movers {
        let own = now.own();
        Movers {
            runners: [0; MOST_IN_A_PILE as usize],
            small: widened(around(own.small()) & open, open),
            medium: around(own.medium()) & open,
        }
    }

    fn all(&self) -> [Set; 4] {
        let [first, second, third] = self.runners;
        [first, second, third, self.small | self.medium]
    }

    /// What they could take in next to these piles.
    fn room_beside(&self, piles: Set) -> u32 {
        let near = beside(piles);
        let runners = self.runners.iter().filter(|&&reach| reach & near != 0).count() as u32;
        2 * runners + if self.small & near != 0 { 2 } else { u32::from(self.medium & near != 0) }
    }

    /// How many could come to a set of squares.
    fn coming(&self, to: Set) -> u32 {
        self.all().iter().filter(|&&reach| reach & to != 0).count() as u32
    }
}

/// What might be absorbed in what is left of a turn, at the very most.
struct Prey {
    piles: Set,
    most_pieces: u32,
}

impl Prey {
    const NONE: Prey = Prey { piles: 0, most_pieces: 0 };

    /// The same at the start of a turn, where any pile may begin: how high those beside it will be is
    /// not known yet.
    fn at_most(now: &Situation, movers: &Movers) -> Prey {
        Prey::beginning(now, movers, |_| true)
    }

    fn of(now: &Situation, movers: &Movers, captors: u32) -> Prey {
        Prey::beginning(now, movers, |target| begins_with(target, now, movers, captors))
    }

    fn beginning(now: &Situation, movers: &Movers, may_begin: impl Fn(Square) -> bool) -> Prey {
        let (own, enemy) = (now.own(), now.enemy());
        let (mut piles, mut at_hand, mut begins) = (0, 0, false);
        // Piles that wait for one more pile beside them, for two, and for three.
        let mut waiting = [0; MOST_IN_A_PILE as usize];
        for target in squares(enemy.all()) {
            let height = u32::from(enemy.height(target));
            let beside = Sides::of(target, own.all());
            // It takes as many piles as a pile has pieces: together they must hold more than these,
            // and then have room for them as well.
            if beside.count() + movers.coming(target.sides()) < height {
                continue;
            }
            piles |= target.bit();
            match height.checked_sub(beside.count() + 1) {
                Some(missing) => waiting[missing as usize] |= target.bit(),
                None => at_hand += height,
            }
            begins |= may_begin(target);
        }
        if !begins {
            return Prey::NONE;
        }
        let room = own.room_in(beside(piles)) + movers.room_beside(piles);
        let most_pieces = at_hand + most_by_moving(enemy, &waiting, movers);
        Prey { piles, most_pieces: most_pieces.min(enemy.pieces_in(piles)).min(room) }
    }
}

/// Whether this pile might be the first to be absorbed: by piles as they are, and the more of them
/// the better.
fn begins_with(target: Square, now: &Situation, movers: &Movers, captors: u32) -> bool {
    let (own, height) = (now.own(), u32::from(now.enemy().height(target)));
    let sides = target.sides();
    let runners = movers.runners.iter().filter(|&&reach| reach & sides != 0).count() as u32;
    let hunters = Pack::on(target, Sides::of(target, own.all()), own).with(runners, runners);
    hunters.absorbs(height, captors)
        || movers.small & sides != 0 && hunters.with(1, 1).absorbs(height, captors)
        || movers.medium & sides != 0 && hunters.with(1, 2).absorbs(height, captors)
}

/// How many pieces those that move can help to absorb, of piles that wait for one more pile beside
/// them, for two, and for three.
fn most_by_moving(enemy: Piles, waiting: &[Set; 3], movers: &Movers) -> u32 {
    let [for_one, for_two, for_three] = *waiting;
    // Whoever comes has an equal share in a pile: here in sixths of a piece.
    let shares_around = |square: Square| {
        let sides = square.sides();
        6 * enemy.pieces_in(sides & for_one)
            + 3 * enemy.pieces_in(sides & for_two)
            + 2 * enemy.pieces_in(sides & for_three)
    };
    let wanted = beside(for_one | for_two | for_three);
    let most = |reach: Set| squares(reach & wanted).map(shares_around).max().unwrap_or(0);
    movers.all().into_iter().map(most).sum::<u32>() / 6
}

/// Whether a seat can certainly split or merge in its next turn, if it loses no more than this and
/// all these movers of the enemy get in its way.
fn stays_able(piles: Piles, empty: Set, prey: &Prey, movers: &Movers) -> bool {
    // The pieces that have to go, and the piles that were counted among them.
    let (mut to_lose, mut counted) = (0, 0);
    for square in squares(piles.medium() | piles.large()) {
        let near = square.neighbours();
        if (near & empty).count_ones() >= 2 + movers.coming(near) {
            if !square.is_in(prey.piles) {
                return true;
            }
            to_lose += u32::from(piles.height(square));
            counted |= square.bit();
        }
    }
    let mergeable = piles.small() | piles.medium();
    for small in squares(piles.small()) {
        let partners = small.neighbours() & mergeable;
        if !small.is_in(prey.piles) && partners & !prey.piles != 0 {
            return true;
        }
        if !small.is_in(counted)
            && let Some(partner) = first(partners & !counted)
        {
            to_lose += 1;
            counted |= small.bit() | partner.bit();
        }
    }
    to_lose > prey.most_pieces
}

/// Whether it looks as if a seat might absorb enough in a turn from here.
pub(super) fn could_win_at_once(now: &Situation, seat: Seat, captors: u32) -> bool {
    let (own, enemy) = (now.piles[seat.index()], now.piles[(!seat).index()]);
    enemy.pieces() <= TOO_FEW_PIECES + prospects(own, enemy, captors).all as u32
}

/// Whether this turn wins with the next one of the same seat, whatever the enemy does in between.
pub(super) fn wins_with_the_next(
    game: &Absorption,
    weights: &Weights,
    turn: WholeTurn,
    go_on: &mut dyn FnMut() -> bool,
) -> Forced<WholeTurn> {
    let mut prover = Prover { winner: game.now.seat, weights, answers: Vec::new(), go_on };
    match prover.after(&mut game.clone(), turn.actions(), |prover, game| prover.saving_reply(game, 1)) {
        Ok(None) => Forced::Won,
        Ok(Some(reply)) => Forced::SavedBy(reply),
        Err(OutOfTime) => Forced::Unknown,
    }
}

/// One of these turns after which the seat that makes it wins within so many turns of its own (this
/// one included), whatever the enemy does; if there is one and `go_on`, which is asked for every
/// position, leaves enough time to prove it.
pub(super) fn proved_win(
    game: &Absorption,
    weights: &Weights,
    candidates: &[WholeTurn],
    turns: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<WholeTurn> {
    let mut prover = Prover { winner: game.now.seat, weights, answers: Vec::new(), go_on };
    prover.first_that_wins(&mut game.clone(), candidates, turns).ok().flatten()
}

struct Prover<'a> {
    winner: Seat,
    /// They decide what looks best and is tried first.
    weights: &'a Weights,
    /// Turns that won at once before, the latest first: most of them do so again.
    answers: Vec<WholeTurn>,
    go_on: &'a mut dyn FnMut() -> bool,
}

/// How many turns that won at once are remembered. To try one of them takes far less than to look
/// for another.
const MOST_ANSWERS: usize = 64;

impl Prover<'_> {
    fn first_that_wins(
        &mut self,
        game: &mut Absorption,
        candidates: &[WholeTurn],
        turns: u32,
    ) -> Result<Option<WholeTurn>, OutOfTime> {
        for &turn in candidates {
            if self
                .after(game, turn.actions(), |prover, game| prover.is_lost_for_the_enemy(game, turns - 1))?
            {
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }

    /// Plays these actions, asks something, and takes them back.
    fn after<T>(
        &mut self,
        game: &mut Absorption,
        actions: &[Action],
        ask: impl FnOnce(&mut Self, &mut Absorption) -> T,
    ) -> T {
        let before = game.now;
        for &action in actions {
            game.play(action);
        }
        let answer = ask(self, game);
        game.now = before;
        game.begun.truncate(before.turns as usize + 1);
        answer
    }

    /// The enemy begins a turn. Whether the winner then needs no more than so many, whatever the
    /// enemy does.
    fn is_lost_for_the_enemy(&mut self, game: &mut Absorption, turns: u32) -> Result<bool, OutOfTime> {
        if game.now.outcome.is_some() || turns == 0 {
            return Ok(is_won(&game.now, self.winner));
        }
        if turns == 1 && !could_win_at_once(&game.now, self.winner, game.rules.captors) {
            return Ok(false);
        }
        Ok(self.saving_reply(game, turns)?.is_none())
    }

    /// A turn of the enemy, who begins one, after which it is not certain that so many are enough
    /// for the winner.
    fn saving_reply(&mut self, game: &mut Absorption, turns: u32) -> Result<Option<WholeTurn>, OutOfTime> {
        // What looks best is the likeliest to save it.
        let mut likely = Vec::new();
        best_turns(game, self.weights, &ELSEWHERE, self.go_on, &mut likely);
        for reply in likely {
            if !self.after(game, reply.actions(), |prover, game| prover.is_won(game, turns))? {
                return Ok(Some(reply));
            }
        }
        self.saving_rest(game, WholeTurn::EMPTY, turns, &mut Keys::default())
    }

    /// The same in mid-turn, for every way to go on.
    fn saving_rest(
        &mut self,
        game: &mut Absorption,
        so_far: WholeTurn,
        turns: u32,
        seen: &mut Keys,
    ) -> Result<Option<WholeTurn>, OutOfTime> {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        for action in legal {
            let Some(turn) = so_far.and(action) else { continue };
            let undo = game.play(action);
            let saving = if !seen.insert(game.now.key) {
                Ok(None)
            } else if turn_is_over(&game.now, !self.winner) {
                self.is_won(game, turns).map(|won| (!won).then_some(turn))
            } else {
                self.saving_rest(game, turn, turns, seen)
            };
            game.undo(action, undo);
            if !matches!(saving, Ok(None)) {
                return saving;
            }
        }
        Ok(None)
    }

    /// Whether it is certain that the winner, who begins a turn, needs no more than so many.
    fn is_won(&mut self, game: &mut Absorption, turns: u32) -> Result<bool, OutOfTime> {
        if !(self.go_on)() {
            return Err(OutOfTime);
        }
        if game.now.outcome.is_some() {
            return Ok(is_won(&game.now, self.winner));
        }
        if self.answers_again(game) {
            return Ok(true);
        }
        if turns == 1 && !could_win_at_once(&game.now, self.winner, game.rules.captors) {
            return Ok(false);
        }
        let mut candidates = Vec::new();
        best_turns(game, self.weights, &ELSEWHERE, self.go_on, &mut candidates);
        match candidates.first() {
            Some(best) if best.wins() => {
                self.remember(*best);
                Ok(true)
            }
            _ if turns > 1 => Ok(self.first_that_wins(game, &candidates, turns)?.is_some()),
            _ => Ok(false),
        }
    }

    /// Whether the winner, who begins a turn, can win in it.
    fn wins_at_once(&mut self, game: &mut Absorption) -> Result<bool, OutOfTime> {
        if game.now.outcome.is_some() {
            return Ok(is_won(&game.now, self.winner));
        }
        if self.answers_again(game) {
            return Ok(true);
        }
        let answer = winning_turn(game, self.weights, self.go_on)?;
        answer.into_iter().for_each(|answer| self.remember(answer));
        Ok(answer.is_some())
    }

    /// Whether a turn wins that did so before.
    fn answers_again(&mut self, game: &mut Absorption) -> bool {
        let place = (0..self.answers.len()).find(|&place| wins(game, self.answers[place].actions()));
        place.inspect(|&place| self.answers[..=place].rotate_right(1)).is_some()
    }

    fn remember(&mut self, answer: WholeTurn) {
        self.answers.insert(0, answer);
        self.answers.truncate(MOST_ANSWERS);
    }
}

/// Whether these actions are legal here, one after the other, and win.
fn wins(game: &mut Absorption, actions: &[Action]) -> bool {
    let (before, seat) = (game.now, game.now.seat);
    for &action in actions {
        if turn_is_over(&game.now, seat) || !game.now.allows(action, game.rules.captors) {
            break;
        }
        game.play(action);
    }
    let won = is_won(&game.now, seat);
    game.now = before;
    game.begun.truncate(before.turns as usize + 1);
    won
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Describe, GameOptions};
    use crate::random::Random;

    #[test]
    fn what_is_allowed_is_what_is_legal() {
        let mut random = Random::new(1);
        let options = GameOptions::default_of(&Absorption::options());
        let mut actions: Vec<Action> = Vec::new();
        for _ in 0..6 {
            let mut game = Absorption::start(&options, 0);
            let mut legal = Vec::new();
            game.actions(&mut legal);
            while let Some(action) = random.pick(&legal) {
                for &action in &actions {
                    assert_eq!(game.now.allows(action, 1), legal.contains(&action), "{action:?} {game:?}");
                }
                actions.extend((0..3).filter_map(|_| random.pick(&legal)));
                let excess = actions.len().saturating_sub(300);
                actions.drain(..excess);
                game.play(action);
                legal.clear();
                game.actions(&mut legal);
            }
        }
    }
}
