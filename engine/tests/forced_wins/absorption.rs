//! Absorption's forced wins. There are too many turns to look for every first turn that wins: the
//! solution names some that do.

use std::collections::HashSet;

use tabuleiro_engine::game::{Describe, Game, GameOptions};
use tabuleiro_engine::games::absorption::{Absorption, ByTurns};
use tabuleiro_engine::search::{Breadth, Evaluate, SearchSpace};
use tabuleiro_protocol::Seat;

use crate::{ForcedWin, HowMany};

/// The first positions of the file are the quickest to solve.
const SOLVED_ALWAYS: usize = 2;

fn forced_wins(json: &str) -> Vec<(ForcedWin, Absorption)> {
    let forced_wins: Vec<ForcedWin> = serde_json::from_str(json).unwrap();
    let set_up = |forced_win: ForcedWin| {
        let options = GameOptions::check(&Absorption::options(), &forced_win.options).unwrap();
        let game = Absorption::set_up(&options, &forced_win.start).unwrap();
        (forced_win, game)
    };
    forced_wins.into_iter().map(set_up).collect()
}

/// Forced wins are forced, and not quicker than they are said to be.
pub(crate) fn hold(json: &str, how_many: HowMany) {
    let forced_wins = forced_wins(json);
    assert!(forced_wins.len() >= 45, "{} positions", forced_wins.len());
    let all = how_many == HowMany::All;
    for (index, (forced_win, game)) in forced_wins.into_iter().enumerate() {
        assert!(forced_win.turns >= 2 && !forced_win.solution.is_empty(), "position {index}");
        let ways = if all { forced_win.solution.len() } else { 1 };
        let solutions: Vec<_> = forced_win.solution[..ways].iter().map(|turn| after(&game, turn)).collect();
        if all {
            eprintln!("position {index}");
        }
        if all || index < SOLVED_ALWAYS {
            let mut solver = Solver { winner: game.to_move(), answers: Vec::new() };
            assert!(!solver.wins(&mut game.clone(), forced_win.turns - 1), "position {index} is won sooner");
            for (mut after, turn) in solutions.into_iter().zip(&forced_win.solution) {
                assert!(solver.enemy_is_lost(&mut after, forced_win.turns - 1), "position {index}: {turn:?}");
            }
        }
    }
}

#[test]
fn a_win_that_is_called_proved_is_one() {
    for (index, (forced_win, game)) in
        forced_wins(include_str!("absorption.json")).into_iter().enumerate().take(SOLVED_ALWAYS)
    {
        let space = ByTurns::new(game.clone(), game.shipped_weights(), Breadth::Wide);
        let turn =
            space.forced_win(&mut || true).unwrap_or_else(|| panic!("position {index} was not proved"));
        let mut after = game.clone();
        for action in ByTurns::actions(turn[0]) {
            after.play(action);
        }
        let mut solver = Solver { winner: game.to_move(), answers: Vec::new() };
        assert!(solver.enemy_is_lost(&mut after, forced_win.turns - 1), "position {index}");
    }
}

/// The position after a turn, which must be a whole one.
fn after(game: &Absorption, turn: &[String]) -> Absorption {
    let mut after = game.clone();
    for text in turn {
        assert_eq!(after.to_move(), game.to_move(), "{turn:?} goes on after the turn's end");
        let action = after.read(text).unwrap_or_else(|refusal| panic!("{turn:?}: {refusal}"));
        after.play(action);
    }
    assert!(after.outcome().is_some() || after.to_move() != game.to_move(), "{turn:?} is not a whole turn");
    after
}

/// Tries every turn of both seats. Positions to which several ways lead within a turn are tried
/// once.
struct Solver<G: Game> {
    winner: Seat,
    /// The rests of turns that won at once, the latest last: tried first, because they often do so
    /// again.
    answers: Vec<Vec<G::Action>>,
}

impl<G: Game> Solver<G> {
    /// The winner begins a turn. Whether it needs no more than so many.
    fn wins(&mut self, game: &mut G, turns: u32) -> bool {
        match turns {
            0 => false,
            1 if self.answers.iter().rev().any(|answer| wins_with(game, self.winner, answer)) => true,
            _ => self.some_turn_wins(game, turns, &mut Vec::new(), &mut HashSet::new()),
        }
    }

    fn some_turn_wins(
        &mut self,
        game: &mut G,
        turns: u32,
        so_far: &mut Vec<G::Action>,
        seen: &mut HashSet<u64>,
    ) -> bool {
        legal(game).into_iter().any(|action| {
            let undo = game.play(action);
            so_far.push(action);
            let wins = if !seen.insert(game.hash()) {
                false
            } else if game.outcome().is_none() && game.to_move() == self.winner {
                self.some_turn_wins(game, turns, so_far, seen)
            } else {
                let wins = self.enemy_is_lost(game, turns - 1);
                if wins && turns == 1 {
                    self.answers.retain(|answer| answer != so_far);
                    self.answers.push(so_far.clone());
                }
                wins
            };
            so_far.pop();
            game.undo(action, undo);
            wins
        })
    }

    /// The winner's turn is over. Whether it then needs no more than so many, whatever the enemy
    /// does.
    fn enemy_is_lost(&mut self, game: &mut G, turns: u32) -> bool {
        match game.outcome() {
            Some(outcome) => outcome.winner == Some(self.winner),
            None => turns > 0 && self.every_turn_loses(game, turns, &mut HashSet::new()),
        }
    }

    fn every_turn_loses(&mut self, game: &mut G, turns: u32, seen: &mut HashSet<u64>) -> bool {
        legal(game).into_iter().all(|action| {
            let undo = game.play(action);
            let loses = if !seen.insert(game.hash()) {
                true
            } else if let Some(outcome) = game.outcome() {
                outcome.winner == Some(self.winner)
            } else if game.to_move() == self.winner {
                self.wins(game, turns)
            } else {
                self.every_turn_loses(game, turns, seen)
            };
            game.undo(action, undo);
            loses
        })
    }
}

/// Whether these actions are legal here, one after the other, and win.
fn wins_with<G: Game>(game: &G, seat: Seat, actions: &[G::Action]) -> bool {
    let mut game = game.clone();
    for action in actions {
        if game.outcome().is_some() || game.to_move() != seat || !legal(&game).contains(action) {
            return false;
        }
        game.play(*action);
    }
    game.outcome().is_some_and(|outcome| outcome.winner == Some(seat))
}

fn legal<G: Game>(game: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
}
