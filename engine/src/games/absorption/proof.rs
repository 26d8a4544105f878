//! Wins that are certain: in one turn, and in a few against every reply.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use tabuleiro_protocol::Seat;

use super::attack::{Pack, Sides, widened};
use super::board::{Piles, Set, Square, around, beside, squares};
use super::turns::{ELSEWHERE, Unmixed, WholeTurn, best_turns};
use super::{Absorption, Action, Phase, Situation, TOO_FEW_PIECES};
use crate::game::Game;

type Keys = HashSet<u64, BuildHasherDefault<Unmixed>>;

/// There was no time to find out.
pub(super) struct OutOfTime;

/// A turn that wins at once, if there is one. Every turn is tried that might; `go_on` is asked for every position on the way.
pub(super) fn winning_turn(
    game: &Absorption,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<WholeTurn>, OutOfTime> {
    let mut game = game.clone();
    let seat = game.now.seat;
    Finish { seat, seen: Keys::default(), go_on }.search(&mut game, WholeTurn::EMPTY)
}

struct Finish<'a> {
    seat: Seat,
    seen: Keys,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Finish<'_> {
    fn search(&mut self, game: &mut Absorption, turn: WholeTurn) -> Result<Option<WholeTurn>, OutOfTime> {
        let mut legal = Vec::new();
        game.actions(&mut legal);
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
        if might_win(now, game.rules.captors) { self.search(game, turn) } else { Ok(None) }
    }
}

fn turn_is_over(now: &Situation, seat: Seat) -> bool {
    now.outcome.is_some() || now.seat != seat
}

fn is_won(now: &Situation, seat: Seat) -> bool {
    now.outcome.is_some_and(|outcome| outcome.winner == Some(seat))
}

/// Whether what is left of the turn might win. Only if it certainly does not, this says no.
fn might_win(now: &Situation, captors: u32) -> bool {
    let (own, enemy) = (now.own(), now.enemy());
    // Where the three runners can go, and one of the others: a small or a medium.
    let mut reaches = [0; 5];
    if now.phase == Phase::Moves {
        // Those that run first may clear the way for the others.
        let open = now.empty() | now.runners;
        for (reach, runner) in reaches.iter_mut().zip(squares(now.runners)) {
            *reach = widened(runner.neighbours() & open, open);
        }
        let bystanders = now.bystanders();
        reaches[3] = widened(around(bystanders & own.small()) & open, open);
        reaches[4] = around(bystanders & own.medium()) & open;
    }
    let [first, second, third, small, medium] = reaches;
    let movers = [first, second, third, small | medium];

    // It takes as many piles as a pile has pieces: together they must hold more than these, and then have room for them as well.
    let (mut absorbable, mut waiting, mut prey, mut begins) = (0, 0, 0, false);
    for target in squares(enemy.all()) {
        let height = u32::from(enemy.height(target));
        let beside = Sides::of(target, own.all());
        let coming =
            |movers: &[Set]| movers.iter().filter(|&&reach| Sides::of(target, reach).any()).count() as u32;
        if beside.count() + coming(&movers) < height {
            continue;
        }
        absorbable |= target.bit();
        if beside.count() >= height {
            prey += height;
        } else {
            waiting |= target.bit();
        }
        // The first one is absorbed by piles as they are, and the more of them the better.
        let pack = Pack::on(target, beside, own);
        let runners = coming(&movers[..3]);
        let runners = pack.with(runners, runners);
        begins |= runners.absorbs(height, captors)
            || Sides::of(target, small).any() && runners.with(1, 1).absorbs(height, captors)
            || Sides::of(target, medium).any() && runners.with(1, 2).absorbs(height, captors);
    }
    if !begins {
        (absorbable, prey) = (0, 0);
    } else {
        // Every mover can help with the piles around one square.
        let around_one = |square: Square| enemy.pieces_in(square.sides() & waiting);
        let most = |reach: &Set| squares(reach & beside(waiting)).map(around_one).max().unwrap_or(0);
        prey += movers.iter().map(most).sum::<u32>();
    }
    enemy.pieces() <= prey + TOO_FEW_PIECES || !stays_able(enemy, now.empty(), absorbable, &movers)
}

/// Whether a seat can certainly split or merge in its next turn, if it loses no other piles than these and all these movers of the enemy get in its way.
fn stays_able(piles: Piles, empty: Set, lost: Set, movers: &[Set]) -> bool {
    let (small, medium, large) = (piles.small() & !lost, piles.medium() & !lost, piles.large() & !lost);
    around(small) & (small | medium) != 0
        || squares(medium | large).any(|square| {
            let near = square.neighbours();
            let coming = movers.iter().filter(|&&reach| reach & near != 0).count() as u32;
            (near & empty).count_ones() >= 2 + coming
        })
}

/// One of these turns after which the seat that makes it wins within so many turns of its own (this one included), whatever the enemy does; if
/// there is one and `go_on`, which is asked for every position, leaves enough time to prove it.
pub(super) fn proved_win(
    game: &Absorption,
    candidates: &[WholeTurn],
    turns: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<WholeTurn> {
    let mut prover = Prover { winner: game.now.seat, answers: Vec::new(), go_on };
    prover.first_that_wins(&mut game.clone(), candidates, turns).ok().flatten()
}

struct Prover<'a> {
    winner: Seat,
    /// Turns that won at once before, the latest first: most of them do so again.
    answers: Vec<WholeTurn>,
    go_on: &'a mut dyn FnMut() -> bool,
}

/// How many turns that won at once are remembered.
const MOST_ANSWERS: usize = 12;

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

    /// The enemy begins a turn. Whether the winner then needs no more than so many, whatever the enemy does.
    fn is_lost_for_the_enemy(&mut self, game: &mut Absorption, turns: u32) -> Result<bool, OutOfTime> {
        if game.now.outcome.is_some() || turns == 0 {
            return Ok(is_won(&game.now, self.winner));
        }
        // What looks best is the likeliest to save it.
        let mut likely = Vec::new();
        best_turns(game, &ELSEWHERE, self.go_on, &mut likely);
        for reply in likely {
            if !self.after(game, reply.actions(), |prover, game| prover.is_won(game, turns))? {
                return Ok(false);
            }
        }
        self.every_reply_loses(game, turns, &mut Keys::default())
    }

    fn every_reply_loses(
        &mut self,
        game: &mut Absorption,
        turns: u32,
        seen: &mut Keys,
    ) -> Result<bool, OutOfTime> {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        for action in legal {
            let undo = game.play(action);
            let loses = if !seen.insert(game.now.key) {
                Ok(true)
            } else if turn_is_over(&game.now, !self.winner) {
                self.is_won(game, turns)
            } else {
                self.every_reply_loses(game, turns, seen)
            };
            game.undo(action, undo);
            if !loses? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether it is certain that the winner, who begins a turn, needs no more than so many.
    fn is_won(&mut self, game: &mut Absorption, turns: u32) -> Result<bool, OutOfTime> {
        if !(self.go_on)() {
            return Err(OutOfTime);
        }
        if game.now.outcome.is_some() {
            return Ok(is_won(&game.now, self.winner));
        }
        if let Some(place) = (0..self.answers.len()).find(|&place| wins(game, self.answers[place].actions()))
        {
            self.answers[..=place].rotate_right(1);
            return Ok(true);
        }
        let mut candidates = Vec::new();
        best_turns(game, &ELSEWHERE, self.go_on, &mut candidates);
        match candidates.first() {
            Some(best) if best.wins() => {
                self.answers.insert(0, *best);
                self.answers.truncate(MOST_ANSWERS);
                Ok(true)
            }
            _ if turns > 1 => Ok(self.first_that_wins(game, &candidates, turns)?.is_some()),
            _ => Ok(false),
        }
    }
}

/// Whether these actions are legal here, one after the other, and win.
fn wins(game: &mut Absorption, actions: &[Action]) -> bool {
    let (before, seat) = (game.now, game.now.seat);
    let mut legal = Vec::new();
    for &action in actions {
        legal.clear();
        if !turn_is_over(&game.now, seat) {
            game.actions(&mut legal);
        }
        if !legal.contains(&action) {
            break;
        }
        game.play(action);
    }
    let won = is_won(&game.now, seat);
    game.now = before;
    game.begun.truncate(before.turns as usize + 1);
    won
}
