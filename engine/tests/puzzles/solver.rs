//! What the solver proves is what trying everything finds.

use proptest::prelude::*;
use serde_json::{Value, json};
use tabuleiro_engine::game::{Describe, Game, GameOptions};
use tabuleiro_engine::games::absorption::Absorption;
use tabuleiro_engine::games::fabrik::Fabrik;
use tabuleiro_engine::games::syrtis::Syrtis;
use tabuleiro_engine::games::zurero::Zurero;
use tabuleiro_engine::random::Random;
use tabuleiro_engine::search::Evaluate;
use tabuleiro_engine::solver;
use tabuleiro_protocol::{Seat, Start};

fn options<G: Describe>(options: Value) -> GameOptions {
    GameOptions::check(&G::options(), options.as_object().expect("an object")).expect("options")
}

/// A position so many turns before the end of a random game.
fn near_the_end<G: Describe>(options: &GameOptions, seed: u64, back: usize) -> Option<G> {
    let mut game = G::start(options, seed);
    let mut random = Random::new(seed);
    let mut scratch = Vec::new();
    let mut begun = Vec::new();
    while game.outcome().is_none() {
        begun.push(game.clone());
        let seat = game.to_move();
        while !game.turn_is_over(seat) {
            let action = game.random_action(&mut random, &mut scratch)?;
            game.play(action);
        }
    }
    begun.len().checked_sub(back).map(|place| begun.swap_remove(place))
}

/// Every turn, with the position after it.
fn turns<G: Game>(game: &G) -> Vec<(Vec<G::Action>, G)> {
    fn add<G: Game>(game: &G, seat: Seat, so_far: &[G::Action], all: &mut Vec<(Vec<G::Action>, G)>) {
        let mut legal = Vec::new();
        game.actions(&mut legal);
        for action in legal {
            let mut after = game.clone();
            after.play(action);
            let so_far = [so_far, &[action]].concat();
            if after.turn_is_over(seat) {
                all.push((so_far, after));
            } else {
                add(&after, seat, &so_far, all);
            }
        }
    }
    let mut all = Vec::new();
    add(game, game.to_move(), &[], &mut all);
    all
}

/// Whether a seat wins within so many turns of its own, found out by trying everything.
fn wins<G: Game>(game: &G, winner: Seat, left: u32) -> bool {
    match game.outcome() {
        Some(outcome) => outcome.winner == Some(winner),
        None if game.to_move() == winner => {
            left > 0 && turns(game).iter().any(|(_, after)| wins(after, winner, left - 1))
        }
        None => left > 0 && turns(game).iter().all(|(_, after)| wins(after, winner, left)),
    }
}

/// Compares all that the solver says about a position with what trying everything finds.
fn agree<G: Describe + Evaluate>(game: &G, most: u32) -> Result<(), TestCaseError> {
    let seat = game.to_move();
    let go_on = &mut || true;
    if let Some(says) = game.wins_this_turn(&mut Vec::new(), go_on) {
        prop_assert_eq!(says, wins(game, seat, 1), "this turn: {:?}", game);
    }
    for left in 1..=most {
        let found = solver::winning_turn(game, left, go_on).expect("enough effort");
        prop_assert_eq!(found.is_some(), wins(game, seat, left), "a win in {}: {:?}", left, game);
        let saved = solver::saving_turn(game, left, go_on).expect("enough effort");
        let all = turns(game);
        let mut winning: Vec<u64> = all
            .iter()
            .filter(|(_, after)| wins(after, seat, left - 1))
            .map(|(_, after)| after.hash())
            .collect();
        let mut saving: Vec<u64> = all
            .iter()
            .filter(|(_, after)| !wins(after, !seat, left))
            .map(|(_, after)| after.hash())
            .collect();
        prop_assert_eq!(saved.is_some(), !saving.is_empty(), "saved from {}: {:?}", left, game);
        let ends = |found: Vec<Vec<G::Action>>| {
            let mut ends: Vec<u64> = found
                .into_iter()
                .map(|turn| {
                    let mut after = game.clone();
                    turn.into_iter().for_each(|action| drop(after.play(action)));
                    after.hash()
                })
                .collect();
            ends.sort_unstable();
            ends
        };
        for wanted in [&mut winning, &mut saving] {
            wanted.sort_unstable();
            wanted.dedup();
        }
        let found = solver::winning_turns(game, left, usize::MAX, go_on).expect("enough effort");
        prop_assert_eq!(ends(found), winning, "all wins in {}: {:?}", left, game);
        let found = solver::saving_turns(game, left, usize::MAX, go_on).expect("enough effort");
        prop_assert_eq!(ends(found), saving, "all defences of {}: {:?}", left, game);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn zurero(seed in 0..u64::MAX, back in 1..5_usize) {
        if let Some(game) = near_the_end::<Zurero>(&options::<Zurero>(json!({"size": 5})), seed, back) {
            agree(&game, 2)?;
        }
    }

    #[test]
    fn fabrik(seed in 0..u64::MAX, back in 1..4_usize, report in any::<bool>(), goal in 3..5) {
        let rules = if report { "report" } else { "official" };
        let options = options::<Fabrik>(json!({"size": 5, "goal": goal, "rules": rules}));
        if let Some(game) = near_the_end::<Fabrik>(&options, seed, back) {
            let few = turns(&game).len() < 60;
            agree(&game, if few { 2 } else { 1 })?;
        }
    }

    #[test]
    fn syrtis(seed in 0..u64::MAX, back in 1..5_usize, passes in 1..3) {
        let options = options::<Syrtis>(json!({"layout": "minor", "passes": passes}));
        // Where one pass is enough a game may have few turns, and tiles can be swapped without end.
        let game = near_the_end::<Syrtis>(&options, seed, back).filter(|game| game.phase() != "swap");
        if let Some(game) = game {
            agree(&game, 2)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Few pieces, so that there are few turns.
    #[test]
    fn absorption(seed in 0..u64::MAX, captors in 1..3, extra in 0..2_usize) {
        let options = options::<Absorption>(json!({"captors": captors}));
        let mut random = Random::new(seed);
        let mut rows = vec![vec!["."; 8]; 8];
        let pieces = ["o2", "x2", "x1", "o1", "o1", "x1"];
        for piece in pieces.into_iter().take(5 + extra) {
            let (row, column) = (random.below(4) as usize, random.below(3) as usize);
            rows[row][column] = piece;
        }
        let rows = rows.iter().map(|row| row.join(" ")).collect();
        let start = Start { rows, to_move: Some(Seat::One), ..Start::default() };
        if let Ok(game) = Absorption::set_up(&options, &start) && game.outcome().is_none() {
            let wins_now = game.wins_this_turn(&mut Vec::new(), &mut || true);
            prop_assert_eq!(wins_now, Some(wins(&game, Seat::One, 1)), "{:?}", game);
            if turns(&game).len() < 1_500 {
                agree(&game, 1)?;
            }
        }
    }
}

/// The forced wins from games of computer players, whose lists of first turns a plain solver made.
fn same_as_the_plain_solver<G: Describe + Evaluate>(json: &str) {
    #[derive(serde::Deserialize)]
    struct ForcedWin {
        #[serde(default)]
        options: serde_json::Map<String, Value>,
        start: Start,
        turns: u32,
        solution: Vec<Vec<String>>,
    }
    let forced_wins: Vec<ForcedWin> = serde_json::from_str(json).expect("a list of forced wins");
    for (index, ForcedWin { options, start, turns, solution }) in forced_wins.into_iter().enumerate() {
        let options = GameOptions::check(&G::options(), &options).expect("options");
        let game = G::set_up(&options, &start).expect("a position");
        let end = |turn: &[String]| {
            let mut after = game.clone();
            for text in turn {
                let action = after.read(text).unwrap_or_else(|refusal| panic!("position {index}: {refusal}"));
                after.play(action);
            }
            after.hash()
        };
        let mut listed: Vec<u64> = solution.iter().map(|turn| end(turn)).collect();
        let found = solver::winning_turns(&game, turns, usize::MAX, &mut || true).expect("enough effort");
        let mut found: Vec<u64> = found
            .into_iter()
            .map(|turn| {
                let mut after = game.clone();
                turn.into_iter().for_each(|action| drop(after.play(action)));
                after.hash()
            })
            .collect();
        for ends in [&mut listed, &mut found] {
            ends.sort_unstable();
            ends.dedup();
        }
        assert_eq!(found, listed, "position {index}");
    }
}

#[test]
fn all_first_turns_are_found_that_the_plain_solver_found() {
    same_as_the_plain_solver::<Zurero>(include_str!("../forced_wins/zurero.json"));
    same_as_the_plain_solver::<Fabrik>(include_str!("../forced_wins/fabrik.json"));
    same_as_the_plain_solver::<Syrtis>(include_str!("../forced_wins/syrtis.json"));
}

/// Effort that runs out is said, and nothing is claimed.
#[test]
fn without_effort_nothing_is_proved() {
    let game = near_the_end::<Zurero>(&options::<Zurero>(json!({"size": 9})), 3, 4).expect("a game");
    let mut left = 50;
    let found = solver::winning_turn(&game, 4, &mut || {
        left -= 1;
        left > 0
    });
    assert_eq!(found, Err(solver::OutOfEffort));
}
