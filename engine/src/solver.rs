//! Proofs: who wins within so many turns, whatever the other does.
//!
//! Every turn of both seats is tried, so that both answers are certain. What a game knows (see
//! [`Evaluate`]) only decides what is tried first, and spares the last turn where the game can tell
//! without trying.
//!
//! Longer wins are proved by [`forced_win`], which tries every turn of the loser, and of the winner
//! only those that leave the loser little choice: a win that it finds is one, but it does not find
//! all.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use tabuleiro_protocol::Seat;

use crate::game::Game;
use crate::search::Evaluate;

/// There was no effort left to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it was not found out within the effort that was allowed")]
pub struct OutOfEffort;

type Proved<T> = Result<T, OutOfEffort>;

/// A whole turn.
type Turn<G> = Vec<<G as Game>::Action>;

/// A turn by which the seat to move wins soonest, within so many turns of its own, this one included;
/// and how many it takes. `go_on` is asked for every position.
pub fn winning_turn<G: Evaluate>(
    game: &G,
    turns: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Proved<Option<(Turn<G>, u32)>> {
    let mut solver = Solver::new(game.to_move(), go_on);
    let at_least = if solver.wins_this_turn(game)? == Some(false) { 2 } else { 1 };
    for turns in at_least..=turns {
        if let Some(turn) = solver.winning_turn(&mut game.clone(), turns)? {
            return Ok(Some((turn, turns)));
        }
    }
    Ok(None)
}

/// A turn after which the enemy has no win within so many turns of its own.
pub fn saving_turn<G: Evaluate>(
    game: &G,
    turns: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Proved<Option<Turn<G>>> {
    Solver::new(!game.to_move(), go_on).saving_turn(&mut game.clone(), turns)
}

/// All turns by which the seat to move wins within so many turns of its own, this one included; one
/// for every position that they lead to. `most` ends it early, as soon as there are more.
pub fn winning_turns<G: Evaluate>(
    game: &G,
    turns: u32,
    most: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Proved<Vec<Turn<G>>> {
    let mut solver = Solver::new(game.to_move(), go_on);
    solver.turns_that(&mut game.clone(), most, &mut |solver, after| solver.is_lost(after, turns - 1))
}

/// All turns after which the enemy has no win within so many turns of its own; one for every
/// position that they lead to. `most` ends it early, as soon as there are more.
pub fn saving_turns<G: Evaluate>(
    game: &G,
    turns: u32,
    most: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Proved<Vec<Turn<G>>> {
    let mut solver = Solver::new(!game.to_move(), go_on);
    solver.turns_that(&mut game.clone(), most, &mut |solver, after| Ok(!solver.is_won(after, turns)?))
}

/// A win by turns that each leave the enemy little choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedWin<T> {
    /// How many turns of the winner's it takes at most, if all of them are such turns.
    pub turns: u32,
    /// The first turns of such wins that take no longer, one for every position that they lead to.
    pub first: Vec<T>,
}

/// The shortest win of the seat to move by turns after which the enemy has no more than so many
/// replies that do not lose at once; in no more than `most_turns` turns of its own.
pub fn forced_win<G: Evaluate>(
    game: &G,
    most_turns: u32,
    replies: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Proved<Option<ForcedWin<Turn<G>>>> {
    let mut solver = Solver { attack: Attack::Forcing { replies }, ..Solver::new(game.to_move(), go_on) };
    for turns in 1..=most_turns {
        if solver.winning_turn(&mut game.clone(), turns)?.is_none() {
            continue;
        }
        let first = solver.turns_that(&mut game.clone(), usize::MAX, &mut |solver, after| {
            solver.is_lost(after, turns - 1)
        })?;
        // What is remembered knows nothing of how positions came about: it is played out.
        let mut sure = Vec::new();
        for turn in first {
            if solver.holds_after(&mut game.clone(), &turn, turns - 1)? {
                sure.push(turn);
            }
        }
        return Ok((!sure.is_empty()).then_some(ForcedWin { turns, first: sure }));
    }
    Ok(None)
}

/// In how many turns of its own the seat to move wins, or in how many it certainly does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortest {
    WinsIn(u32),
    NotWithin(u32),
}

/// The shortest win of the seat to move, as far as it can be found out and no further than so many
/// turns of its own.
pub fn shortest_win<G: Evaluate>(game: &G, turns: u32, go_on: &mut dyn FnMut() -> bool) -> Shortest {
    let mut solver = Solver::new(game.to_move(), go_on);
    let mut sure = 0;
    for turns in 1..=turns {
        match solver.winning_turn(&mut game.clone(), turns) {
            Ok(Some(_)) => return Shortest::WinsIn(turns),
            Ok(None) => sure = turns,
            Err(OutOfEffort) => break,
        }
    }
    Shortest::NotWithin(sure)
}

/// More positions than this are not remembered: they would fill the memory.
const MOST_REMEMBERED: usize = 1 << 20;

/// How many turns that decided something are tried first elsewhere.
const MOST_KILLERS: usize = 6;

/// Which turns of the winner's are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attack {
    Every,
    /// Those that leave the other no more than so many replies that do not lose at once.
    Forcing {
        replies: usize,
    },
}

struct Solver<'a, G: Evaluate> {
    winner: Seat,
    attack: Attack,
    go_on: &'a mut dyn FnMut() -> bool,
    given_up: bool,
    /// What was found out about positions at the start of a turn, by their hashes. Only for games
    /// in which a position has the same future however it came about.
    known: HashMap<u64, Bounds, BuildHasherDefault<Unmixed>>,
    /// By turns left: turns of the winner that won, and turns of the other that saved it.
    killers: [Vec<Vec<Turn<G>>>; 2],
    /// Turns that won at once, for games that want to try them again.
    answers: Vec<Turn<G>>,
    /// What the winner plays where it wins by force.
    plan: HashMap<u64, Turn<G>, BuildHasherDefault<Unmixed>>,
}

/// In how many turns the winner wins for certain, and in how many for certain not.
#[derive(Clone, Copy)]
struct Bounds {
    wins_in: u8,
    fails_in: u8,
}

const NEVER: u8 = u8::MAX;

/// What becomes of a turn that is tried.
type Visit<'v, 'a, G> = &'v mut dyn FnMut(&mut Solver<'a, G>, &mut G, &Turn<G>) -> Proved<ControlFlow<()>>;

impl<'a, G: Evaluate> Solver<'a, G> {
    fn new(winner: Seat, go_on: &'a mut dyn FnMut() -> bool) -> Solver<'a, G> {
        Solver {
            winner,
            attack: Attack::Every,
            go_on,
            given_up: false,
            known: HashMap::default(),
            killers: [Vec::new(), Vec::new()],
            answers: Vec::new(),
            plan: HashMap::default(),
        }
    }

    fn spend(&mut self) -> Proved<()> {
        self.given_up = self.given_up || !(self.go_on)();
        if self.given_up { Err(OutOfEffort) } else { Ok(()) }
    }

    /// The winner is to move, or the game is over. Whether it wins within so many turns.
    fn is_won(&mut self, game: &mut G, turns: u32) -> Proved<bool> {
        if let Some(outcome) = game.outcome() {
            return Ok(outcome.winner == Some(self.winner));
        }
        if turns == 0 {
            return Ok(false);
        }
        self.spend()?;
        match self.wins_this_turn(game)? {
            Some(true) => return Ok(true),
            Some(false) if turns == 1 => return Ok(false),
            _ => {}
        }
        if let Some(known) = self.recall(game, turns) {
            return Ok(known);
        }
        let turn = self.winning_turn(game, turns)?;
        let wins = turn.is_some();
        self.remember(game, turns, wins);
        if let Some(turn) = turn.filter(|_| self.attack != Attack::Every) {
            self.plan.insert(game.hash(), turn);
        }
        Ok(wins)
    }

    fn wins_this_turn(&mut self, game: &G) -> Proved<Option<bool>> {
        let given_up = &mut self.given_up;
        let go_on = &mut *self.go_on;
        let wins = game.wins_this_turn(&mut self.answers, &mut || {
            *given_up = *given_up || !go_on();
            !*given_up
        });
        if self.given_up { Err(OutOfEffort) } else { Ok(wins) }
    }

    /// The other seat is to move, or the game is over. Whether the winner then wins within so many
    /// turns, whatever the other does.
    fn is_lost(&mut self, game: &mut G, turns: u32) -> Proved<bool> {
        if let Some(outcome) = game.outcome() {
            return Ok(outcome.winner == Some(self.winner));
        }
        if turns == 0 {
            return Ok(false);
        }
        self.spend()?;
        if let Some(known) = self.recall(game, turns) {
            return Ok(known);
        }
        let lost = match self.attack {
            Attack::Every => self.saving_turn(game, turns)?.is_none(),
            Attack::Forcing { replies } => match self.replies(game, turns, replies)? {
                Some(replies) => self.beats_all(game, turns, replies)?,
                None => false,
            },
        };
        self.remember(game, turns, lost);
        Ok(lost)
    }

    /// The replies of the other seat, which is to move, that do not lose at once; any of them if
    /// the winner has this turn only. `None` if they are more than so many, or one saves it for
    /// good.
    fn replies(&mut self, game: &mut G, turns: u32, most: usize) -> Proved<Option<Vec<Turn<G>>>> {
        let most = if turns == 1 { 0 } else { most };
        let mut legal = Vec::new();
        game.actions(&mut legal);
        let saved = self.killers[1].get(turns as usize).and_then(|killers| killers.first().cloned());
        if let Some(killer) = saved.filter(|_| most == 0) {
            let saves = &mut |solver: &mut Solver<'a, G>, after: &mut G| Ok(!solver.wins_at_once(after)?);
            if self.try_turn(game, &legal, &killer, saves)? {
                return Ok(None);
            }
        }
        let mut replies: Vec<Turn<G>> = Vec::new();
        let mut is_saved = false;
        let visit: Visit<'_, 'a, G> = &mut |solver, after, turn| {
            if !solver.wins_at_once(after)? {
                is_saved = after.outcome().is_some();
                replies.push(turn.clone());
            }
            let is_too_much = is_saved || replies.len() > most;
            Ok(if is_too_much { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let seat = game.to_move();
        let _ = self.every_rest(game, seat, legal, &mut Vec::new(), &mut Seen::default(), visit)?;
        if is_saved || replies.len() > most {
            if let Some(last) = replies.last().filter(|_| most == 0) {
                let place = turns as usize;
                self.make_room_for_killers(1, place);
                self.add_killer(1, place, last);
            }
            return Ok(None);
        }
        Ok(Some(replies))
    }

    /// Whether the winner has won, or is to move and wins with this turn.
    fn wins_at_once(&mut self, game: &mut G) -> Proved<bool> {
        if let Some(outcome) = game.outcome() {
            return Ok(outcome.winner == Some(self.winner));
        }
        self.spend()?;
        match self.wins_this_turn(game)? {
            Some(wins) => Ok(wins),
            None => Ok(self.winning_turn(game, 1)?.is_some()),
        }
    }

    /// Whether the winner wins within so many turns after each of these replies.
    fn beats_all(&mut self, game: &mut G, turns: u32, replies: Vec<Turn<G>>) -> Proved<bool> {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        for reply in replies {
            if !self.try_turn(game, &legal, &reply, &mut |solver, after| solver.is_won(after, turns))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Plays out what is remembered: whether the winner wins within so many more turns after this
    /// one, whatever the other does.
    fn holds_after(&mut self, game: &mut G, turn: &Turn<G>, turns: u32) -> Proved<bool> {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        self.try_turn(game, &legal, turn, &mut |solver, after| {
            if let Some(outcome) = after.outcome() {
                return Ok(outcome.winner == Some(solver.winner));
            }
            if turns == 0 {
                return Ok(false);
            }
            let mut holds = true;
            let visit: Visit<'_, 'a, G> = &mut |solver, after, _| {
                holds = solver.wins_at_once(after)?
                    || after.outcome().is_none()
                        && match solver.plan.get(&after.hash()).cloned() {
                            Some(turn) => solver.holds_after(after, &turn, turns - 1)?,
                            None => false,
                        };
                Ok(if holds { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            };
            let _ = solver.every_turn(after, visit)?;
            Ok(holds)
        })
    }

    fn recall(&self, game: &G, turns: u32) -> Option<bool> {
        let Bounds { wins_in, fails_in } = *self.known.get(&game.hash())?;
        if u32::from(wins_in) <= turns {
            Some(true)
        } else if u32::from(fails_in) >= turns {
            Some(false)
        } else {
            None
        }
    }

    fn remember(&mut self, game: &G, turns: u32, wins: bool) {
        // What is found by force is played out in the end.
        let may_remember = game.never_repeats() || self.attack != Attack::Every;
        if !may_remember || self.known.len() >= MOST_REMEMBERED {
            return;
        }
        let bounds = self.known.entry(game.hash()).or_insert(Bounds { wins_in: NEVER, fails_in: 0 });
        let turns = turns.min(u32::from(NEVER - 1)) as u8;
        if wins {
            bounds.wins_in = bounds.wins_in.min(turns);
        } else {
            bounds.fails_in = bounds.fails_in.max(turns);
        }
    }

    /// A turn of the winner, who is to move, that wins within so many turns.
    fn winning_turn(&mut self, game: &mut G, turns: u32) -> Proved<Option<Turn<G>>> {
        self.first_turn_that(0, turns, game, &mut |solver, after| solver.is_lost(after, turns - 1))
    }

    /// A turn of the other seat, which is to move, after which the winner does not win within so
    /// many turns.
    fn saving_turn(&mut self, game: &mut G, turns: u32) -> Proved<Option<Turn<G>>> {
        self.first_turn_that(1, turns, game, &mut |solver, after| Ok(!solver.is_won(after, turns)?))
    }

    /// The first turn found after which something holds. `side` says whose killers to try.
    fn first_turn_that(
        &mut self,
        side: usize,
        turns: u32,
        game: &mut G,
        holds: &mut dyn FnMut(&mut Solver<'a, G>, &mut G) -> Proved<bool>,
    ) -> Proved<Option<Turn<G>>> {
        let place = turns as usize;
        self.make_room_for_killers(side, place);
        let mut legal = Vec::new();
        game.actions(&mut legal);
        for killer in 0..self.killers[side][place].len() {
            let turn = self.killers[side][place][killer].clone();
            if self.try_turn(game, &legal, &turn, holds)? {
                self.killers[side][place][..=killer].rotate_right(1);
                return Ok(Some(turn));
            }
        }
        let forcing = self.forcing_turns(game)?;
        let is_all = forcing.is_some();
        let likely = match forcing {
            Some(forcing) => forcing,
            None => self.likely_turns(game)?,
        };
        for turn in likely {
            if self.try_turn(game, &legal, &turn, holds)? {
                self.add_killer(side, place, &turn);
                return Ok(Some(turn));
            }
        }
        if is_all {
            return Ok(None);
        }
        let mut found = None;
        let visit: Visit<'_, 'a, G> = &mut |solver, after, turn| {
            Ok(if holds(solver, after)? {
                found = Some(turn.clone());
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        };
        let seat = game.to_move();
        let _ = self.every_rest(game, seat, legal, &mut Vec::new(), &mut Seen::default(), visit)?;
        if let Some(turn) = &found {
            self.add_killer(side, place, turn);
        }
        Ok(found)
    }

    fn likely_turns(&mut self, game: &G) -> Proved<Vec<Turn<G>>> {
        let given_up = &mut self.given_up;
        let go_on = &mut *self.go_on;
        let likely = game.likely_turns(&mut || {
            *given_up = *given_up || !go_on();
            !*given_up
        });
        if self.given_up { Err(OutOfEffort) } else { Ok(likely) }
    }

    /// All that is to be tried where the winner is to move and only turns count that leave little
    /// choice, if the game knows them.
    fn forcing_turns(&mut self, game: &G) -> Proved<Option<Vec<Turn<G>>>> {
        let is_wanted = self.attack != Attack::Every && game.to_move() == self.winner;
        if is_wanted && G::LIKELY_TURNS_FORCE { self.likely_turns(game).map(Some) } else { Ok(None) }
    }

    fn make_room_for_killers(&mut self, side: usize, place: usize) {
        if self.killers[side].len() <= place {
            self.killers[side].resize(place + 1, Vec::new());
        }
    }

    fn add_killer(&mut self, side: usize, place: usize, turn: &Turn<G>) {
        let killers = &mut self.killers[side][place];
        killers.truncate(MOST_KILLERS - 1);
        killers.insert(0, turn.clone());
    }

    /// Whether a turn is legal here, where these actions are, and something holds after it.
    fn try_turn(
        &mut self,
        game: &mut G,
        legal: &[G::Action],
        turn: &[G::Action],
        holds: &mut dyn FnMut(&mut Solver<'a, G>, &mut G) -> Proved<bool>,
    ) -> Proved<bool> {
        let seat = game.to_move();
        let Some((first, rest)) = turn.split_first().filter(|(first, _)| legal.contains(first)) else {
            return Ok(false);
        };
        let mut undos = vec![(*first, game.play(*first))];
        let mut legal = Vec::new();
        for &action in rest {
            legal.clear();
            if !game.turn_is_over(seat) {
                game.actions(&mut legal);
            }
            if !legal.contains(&action) {
                break;
            }
            undos.push((action, game.play(action)));
        }
        let is_whole = undos.len() == turn.len() && game.turn_is_over(seat);
        let found = if is_whole { holds(self, game) } else { Ok(false) };
        for (action, undo) in undos.into_iter().rev() {
            game.undo(action, undo);
        }
        found
    }

    /// Visits every turn of the seat to move, one for every position that they lead to, until the
    /// visitor breaks off.
    fn every_turn(&mut self, game: &mut G, visit: Visit<'_, 'a, G>) -> Proved<ControlFlow<()>> {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        let seat = game.to_move();
        self.every_rest(game, seat, legal, &mut Vec::new(), &mut Seen::default(), visit)
    }

    /// The same in mid-turn, where these actions are legal.
    fn every_rest(
        &mut self,
        game: &mut G,
        seat: Seat,
        legal: Vec<G::Action>,
        so_far: &mut Turn<G>,
        seen: &mut Seen,
        visit: Visit<'_, 'a, G>,
    ) -> Proved<ControlFlow<()>> {
        for action in legal {
            let undo = game.play(action);
            so_far.push(action);
            // Single actions lead to positions of their own.
            let is_new = so_far.len() == 1 || seen.insert(game.hash());
            let gone_on = if !is_new {
                Ok(ControlFlow::Continue(()))
            } else if game.turn_is_over(seat) {
                visit(self, game, so_far)
            } else {
                let mut legal = Vec::new();
                game.actions(&mut legal);
                self.every_rest(game, seat, legal, so_far, seen, visit)
            };
            so_far.pop();
            game.undo(action, undo);
            if !matches!(gone_on, Ok(ControlFlow::Continue(()))) {
                return gone_on;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// All turns after which something holds, or one more than `most` of them.
    fn turns_that(
        &mut self,
        game: &mut G,
        most: usize,
        holds: &mut dyn FnMut(&mut Solver<'a, G>, &mut G) -> Proved<bool>,
    ) -> Proved<Vec<Turn<G>>> {
        let mut turns = Vec::new();
        let mut ends = Seen::default();
        let visit: Visit<'_, 'a, G> = &mut |solver, after, turn| {
            if holds(solver, after)? && ends.insert(after.hash()) {
                turns.push(turn.clone());
            }
            Ok(if turns.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let _ = self.every_turn(game, visit)?;
        Ok(turns)
    }
}

type Seen = HashSet<u64, BuildHasherDefault<Unmixed>>;

/// For hashes that are well mixed already.
#[derive(Default)]
struct Unmixed(u64);

impl Hasher for Unmixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("hashes of positions are numbers");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
