//! Positions with a forced win, from games of computer players, and the plain solver that found them: it tries every turn of both seats.
//!
//! By default only the shortest ones are solved again; with `VERIFY_FORCED_WINS=1` all of them, which takes a while.

use serde::Deserialize;
use serde_json::{Map, Value};
use tabuleiro_engine::game::{Describe, Evaluate, Game, GameOptions};
use tabuleiro_engine::games::syrtis::Syrtis;
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

#[test]
fn syrtis() {
    // Its tests compare `wins_at_once` with trying every turn, in both directions.
    hold::<Syrtis>(include_str!("syrtis.json"), Syrtis::wins_at_once);
}

/// Checks a file of forced wins. `wins_now` says whether the seat to move can win in this turn.
fn hold<G: Describe>(json: &str, wins_now: fn(&G) -> bool) {
    let forced_wins: Vec<ForcedWin> = serde_json::from_str(json).expect("a list of forced wins");
    assert!(forced_wins.len() >= 40, "{} positions", forced_wins.len());
    let all = std::env::var_os("VERIFY_FORCED_WINS").is_some();
    for (index, forced_win) in forced_wins.iter().enumerate() {
        let options = GameOptions::check(&G::options(), &forced_win.options).expect("options of the game");
        let mut game = G::set_up(&options, &forced_win.start).expect("a position of the game");
        assert!((2..=4).contains(&forced_win.turns) && !forced_win.solution.is_empty(), "position {index}");
        if all || forced_win.turns == 2 {
            let solution = shortest_wins(&mut game, forced_win.turns, wins_now);
            assert_eq!(
                solution.as_ref(),
                Some(&forced_win.solution),
                "position {index}: {:?}",
                forced_win.start
            );
        }
    }
}

/// Every turn of the seat to move that wins within so many turns of its own, sorted. `None` if fewer are enough.
fn shortest_wins<G: Describe>(
    game: &mut G,
    turns: u32,
    wins_now: fn(&G) -> bool,
) -> Option<Vec<Vec<String>>> {
    let seat = game.to_move();
    if wins_within(game, seat, turns - 1, wins_now) {
        return None;
    }
    let mut winning = Vec::new();
    collect_winning(game, seat, turns, wins_now, &mut Vec::new(), &mut winning);
    winning.sort();
    Some(winning)
}

/// Adds the turns that win and begin with the actions played so far.
fn collect_winning<G: Describe>(
    game: &mut G,
    seat: Seat,
    turns: u32,
    wins_now: fn(&G) -> bool,
    so_far: &mut Vec<String>,
    winning: &mut Vec<Vec<String>>,
) {
    for action in legal(game) {
        so_far.push(game.write(action));
        let undo = game.play(action);
        if game.outcome().is_none() && game.to_move() == seat {
            collect_winning(game, seat, turns, wins_now, so_far, winning);
        } else if wins_within(game, seat, turns - 1, wins_now) {
            winning.push(so_far.clone());
        }
        game.undo(action, undo);
        so_far.pop();
    }
}

/// Whether a seat wins within so many turns of its own, counting the one that it is in, whatever the enemy does.
fn wins_within<G: Game>(game: &mut G, seat: Seat, turns: u32, wins_now: fn(&G) -> bool) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner == Some(seat);
    }
    let own_turn = game.to_move() == seat;
    match turns {
        0 => return false,
        1 if own_turn => return wins_now(game),
        _ => {}
    }
    let mut actions = legal(game).into_iter();
    let mut wins_after = |action| {
        let undo = game.play(action);
        let own_turn_over = own_turn && (game.outcome().is_some() || game.to_move() != seat);
        let wins = wins_within(game, seat, turns - u32::from(own_turn_over), wins_now);
        game.undo(action, undo);
        wins
    };
    if own_turn { actions.any(&mut wins_after) } else { actions.all(&mut wins_after) }
}

fn legal<G: Game>(game: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
}
