//! Positions with a forced win, from games of computer players, and the plain solver that found
//! them: it tries every turn of both seats.
//!
//! Usually only the shortest ones are solved again; `cargo test -p tabuleiro-engine --test
//! forced_wins -- --ignored` solves all of them, which takes a while.

#[macro_use]
#[path = "../../../tests/support/every_game.rs"]
mod every_game;

mod absorption;
mod long;

use std::fs;

use serde::Deserialize;
use serde_json::{Map, Value};
use tabuleiro_engine::game::{Describe, Game, GameOptions};
use tabuleiro_engine::games::fabrik::Fabrik;
use tabuleiro_engine::games::syrtis::Syrtis;
use tabuleiro_engine::games::zurero::Zurero;
use tabuleiro_engine::search::Hints;
use tabuleiro_protocol::{Seat, Start};

/// A position in which the seat to move wins, whatever the enemy does.
#[derive(Deserialize)]
struct ForcedWin {
    #[serde(default)]
    options: Map<String, Value>,
    start: Start,
    /// How many turns of its own the winner needs.
    turns: u32,
    /// All first turns with which so many are enough.
    solution: Vec<Vec<String>>,
}

// The tests of each game compare `wins_at_once` with trying every turn, in both directions.

macro_rules! in_every_game {
    ($($check:tt)+) => {
        test_every_game!($($check)+, {
            zurero: [(|json, how_many| hold::<Zurero>(json, how_many, Zurero::wins_at_once))],
            fabrik: [(|json, how_many| hold::<Fabrik>(json, how_many, Fabrik::wins_at_once))],
            absorption: [(absorption::hold)],
            syrtis: [(|json, how_many| hold::<Syrtis>(json, how_many, Syrtis::wins_at_once))],
        });
    };
}

#[derive(Clone, Copy, PartialEq)]
enum HowMany {
    All,
    /// Those that are solved in a moment.
    Quick,
}

mod quick_ones {
    use super::*;

    in_every_game!(check_quick_ones);
}

mod all {
    use super::*;

    in_every_game!(
        #[ignore = "solves every position anew, which takes minutes: CONTRIBUTING.md says how"]
        check_all
    );
}

fn check_quick_ones(game: &str, hold: fn(&str, HowMany)) {
    hold(&file(game), HowMany::Quick);
}

fn check_all(game: &str, hold: fn(&str, HowMany)) {
    hold(&file(game), HowMany::All);
}

fn file(game: &str) -> String {
    let path = format!("{}/tests/forced_wins/{game}.json", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(path).expect("a file of forced wins")
}

/// Checks a file of forced wins. `wins_now` says whether the seat to move can win in this turn.
fn hold<G: Describe>(json: &str, how_many: HowMany, wins_now: fn(&G) -> bool) {
    let forced_wins: Vec<ForcedWin> = serde_json::from_str(json).expect("a list of forced wins");
    assert!(forced_wins.len() >= 40, "{} positions", forced_wins.len());
    for (index, forced_win) in forced_wins.iter().enumerate() {
        let options = GameOptions::check(&G::options(), &forced_win.options).expect("options of the game");
        let game = G::set_up(&options, &forced_win.start).expect("a position of the game");
        assert!((2..=4).contains(&forced_win.turns) && !forced_win.solution.is_empty(), "position {index}");
        if how_many == HowMany::All || forced_win.turns == 2 {
            let solution = Solver::new(game, wins_now).shortest_wins(forced_win.turns);
            assert_eq!(
                solution.as_ref(),
                Some(&forced_win.solution),
                "position {index}: {:?}",
                forced_win.start
            );
        }
    }
}

struct Solver<G: Game> {
    game: G,
    seat: Seat,
    wins_now: fn(&G) -> bool,
    /// What saved the enemy last, by the turns that were left: tried first, because it often does
    /// so again.
    rescues: Vec<Vec<G::Action>>,
}

impl<G: Describe> Solver<G> {
    fn new(game: G, wins_now: fn(&G) -> bool) -> Solver<G> {
        Solver { seat: game.to_move(), game, wins_now, rescues: vec![Vec::new(); 5] }
    }

    /// Every turn of the seat to move that wins within so many turns of its own, sorted. `None` if
    /// fewer are enough.
    fn shortest_wins(&mut self, turns: u32) -> Option<Vec<Vec<String>>> {
        if self.wins_within(turns - 1) {
            return None;
        }
        let mut winning = Vec::new();
        self.collect_winning(turns, &mut Vec::new(), &mut winning);
        winning.sort();
        Some(winning)
    }

    /// Adds the turns that win and begin with the actions played so far.
    fn collect_winning(&mut self, turns: u32, so_far: &mut Vec<String>, winning: &mut Vec<Vec<String>>) {
        for action in legal(&self.game) {
            so_far.push(self.game.write(action));
            let undo = self.game.play(action);
            if self.game.outcome().is_none() && self.game.to_move() == self.seat {
                self.collect_winning(turns, so_far, winning);
            } else if self.wins_within(turns - 1) {
                winning.push(so_far.clone());
            }
            self.game.undo(action, undo);
            so_far.pop();
        }
    }

    /// Whether the seat wins within so many turns of its own, counting the one that it is in,
    /// whatever the enemy does.
    fn wins_within(&mut self, turns: u32) -> bool {
        if let Some(outcome) = self.game.outcome() {
            return outcome.winner == Some(self.seat);
        }
        match turns {
            0 => false,
            1 if self.game.to_move() == self.seat => (self.wins_now)(&self.game),
            _ if self.game.to_move() == self.seat => {
                legal(&self.game).into_iter().any(|action| self.wins_after(action, turns))
            }
            _ => self.enemy_is_lost(turns),
        }
    }

    fn enemy_is_lost(&mut self, turns: u32) -> bool {
        let mut actions = legal(&self.game);
        let rescues = &mut self.rescues[turns as usize];
        actions.sort_by_key(|action| !rescues.contains(action));
        let rescue = actions.into_iter().find(|&action| !self.wins_after(action, turns));
        if let Some(rescue) = rescue {
            let rescues = &mut self.rescues[turns as usize];
            rescues.retain(|&other| other != rescue);
            rescues.insert(0, rescue);
            rescues.truncate(4);
        }
        rescue.is_none()
    }

    fn wins_after(&mut self, action: G::Action, turns: u32) -> bool {
        let own_turn = self.game.to_move() == self.seat;
        let undo = self.game.play(action);
        let turn_is_over = self.game.outcome().is_some() || self.game.to_move() != self.seat;
        let wins = self.wins_within(turns - u32::from(own_turn && turn_is_over));
        self.game.undo(action, undo);
        wins
    }
}

fn legal<G: Game>(game: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
}
