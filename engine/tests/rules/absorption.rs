//! The rules of Absorption, one by one.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use tabuleiro_engine::game::{Charset, Describe, Drawing, Game, GameOptions, Outcome, SetupError};
use tabuleiro_engine::games::absorption::{Absorption, ByTurns};
use tabuleiro_engine::random::Random;
use tabuleiro_engine::search::{Breadth, Evaluate, SearchSpace};
use tabuleiro_engine::testing::{self, legal, options};
use tabuleiro_protocol::Cell;
use tabuleiro_protocol::{Event, Happening, Part, Seat, Start};

fn defaults() -> GameOptions {
    options::<Absorption>(&json!({}))
}

/// Rows with these piles: `"x3a1 o1h8"`.
fn rows(piles: &str) -> Vec<String> {
    let mut rows = vec![vec!["."; 8]; 8];
    for pile in piles.split_whitespace() {
        let (token, cell) = pile.split_at(2);
        let cell = cell.parse::<Cell>().unwrap();
        rows[cell.row as usize][cell.column as usize] = token;
    }
    rows.into_iter().map(|row| row.join(" ")).collect()
}

fn start(piles: &str, to_move: Seat) -> Start {
    Start { rows: rows(piles), to_move: Some(to_move), ..Start::default() }
}

fn position_with(option_values: &Value, piles: &str, to_move: Seat) -> Absorption {
    Absorption::set_up(&options::<Absorption>(option_values), &start(piles, to_move)).unwrap()
}

/// A position with seat 1 to move.
fn position(piles: &str) -> Absorption {
    position_with(&json!({}), piles, Seat::One)
}

fn play(game: &mut Absorption, actions: &[&str]) {
    for text in actions {
        let action = game.read(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        game.play(action);
    }
}

fn after(mut game: Absorption, actions: &[&str]) -> Absorption {
    play(&mut game, actions);
    game
}

#[track_caller]
fn assert_refused(game: &Absorption, text: &str, sentence: &str) {
    match game.read(text) {
        Ok(_) => panic!("{text} was accepted"),
        Err(refusal) => assert_eq!(refusal.to_string(), sentence, "{text}"),
    }
}

#[track_caller]
fn assert_board(game: &Absorption, piles: &str) {
    assert_eq!(game.rows(), rows(piles));
}

#[test]
fn random_actions_are_uniform() {
    let mut games = vec![
        Absorption::start(&defaults(), 0),
        // Smalls all next to each other, smalls in a chain, and smalls with mediums.
        position("x1a1 x1a2 x1b1 x1b2 o3h8 o3h7"),
        position("x1a1 x1b2 x1c3 x1d3 x2e4 x2c2 x3h1 o3h8 o3h7"),
        position("x3b2 x1a1 x2a2 x1a3 o1b3 o1c3 o1c2 o3h8"),
        // Moves, with runners and bystanders that are hemmed in.
        after(position("x3b2 x1a1 x2h1 x1g5 x1h5 o1c4 o1c3 o1a4 o3h8"), &["b2/a2,b1,c2"]),
        after(position("x3b2 x1a1 x2h1 x1g5 x1h5 o1c4 o1c3 o1a4 o3h8"), &["g5+h5"]),
        // Absorption of two piles, in many ways.
        after(position("x1c2 x1b3 x1c4 x1d3 o3c3 o2c5 x1d5 x2h1 x1h2 o3a8"), &["h1+h2", "."]),
    ];
    let mut random = Random::new(9);
    let mut game = Absorption::start(&defaults(), 0);
    for ply in 0..60 {
        if ply % 6 == 0 && game.outcome().is_none() {
            games.push(game.clone());
        }
        if let Some(action) = game.random_action(&mut random, &mut Vec::new()) {
            game.play(action);
        }
    }
    for (seed, game) in (0..).zip(&games) {
        testing::random_actions_are_uniform(game, seed);
    }
}

#[test]
fn a_large_pile_splits_into_three_or_two_and_a_medium_one_into_two() {
    let game = position("x3c1 x2g4 x1a8 o3h8 o3h7");
    let texts = legal(&game);
    // Five open neighbours: 5*4 as two and one, 10 as three; eight: 28 pairs.
    assert_eq!(texts.iter().filter(|text| text.starts_with("c1/")).count(), 30);
    assert_eq!(texts.iter().filter(|text| text.starts_with("g4/")).count(), 28);
    assert_eq!(texts.len(), 58);
    assert_board(&after(game.clone(), &["c1/b1,c2,d2"]), "x1b1 x1c2 x1d2 x2g4 x1a8 o3h8 o3h7");
    assert_board(&after(game.clone(), &["c1/b2,d2,d2"]), "x1b2 x2d2 x2g4 x1a8 o3h8 o3h7");
    assert_board(&after(game, &["g4/f3,h5"]), "x3c1 x1f3 x1h5 x1a8 o3h8 o3h7");
}

#[test]
fn the_end_of_a_turn_alone_has_a_button() {
    let start = Absorption::start(&defaults(), 0);
    let first = legal(&start).remove(0);
    for game in [start.clone(), after(start, &[&first])] {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        for action in actions {
            let label = (game.write(action) == ".").then(|| "Done".to_string());
            assert_eq!(game.detail(action).label, label, "{action:?}");
        }
    }
}

#[test]
fn both_are_told_how_many_pieces_they_have() {
    let facts = position("x3a1 x1b2 o2h8").facts();
    let facts: Vec<_> =
        facts.iter().map(|fact| (fact.seat, fact.name.as_str(), fact.text.as_str())).collect();
    assert_eq!(facts, [(Some(Seat::One), "Pieces", "4"), (Some(Seat::Two), "Pieces", "2")]);
}

#[test]
fn every_click_is_told_what_the_next_one_means() {
    let step = |game: &Absorption, cells: &[&str]| {
        let cells: Vec<Cell> = cells.iter().map(|cell| cell.parse().unwrap()).collect();
        game.next_step(&cells).expect("a sentence")
    };
    let game = position("x3a1 x2b2 x1c1 o1h8 o1h7 o1g8 o1g7");
    for (cell, sentence) in [
        ("a1", "Three pieces in hand: choose a cell for each piece."),
        (
            "b2",
            "Two pieces in hand: choose a cell for each piece, or a pile of yours that comes to this one.",
        ),
        ("c1", "One piece in hand: choose a pile of yours that comes to this one."),
    ] {
        assert_eq!(step(&game, &[cell]), sentence);
    }
    assert_eq!(step(&game, &["a1", "a2"]), "1 of 3 placed: choose a cell for the next piece.");
    assert_eq!(step(&game, &["a1", "a2", "b1"]), "2 of 3 placed: choose a cell for the next piece.");
    assert!(step(&game, &["c1", "b2"]).starts_with("Choose one more pile that comes along"));
    let game = after(position("x2c2 x1b3 x1d3 o3c3 x1h1 x1h2 o3a8 o3b8"), &["h1+h2", "."]);
    assert_eq!(step(&game, &["c3"]), "Three pieces to be absorbed: choose a pile of yours for each.");
    assert_eq!(step(&game, &["c3", "b3"]), "1 of 3 absorbed: choose the pile that takes the next.");
    let game = after(position("x1c3 o1d3 x1e3 o3a8 o3b8 x1h1 x1h2"), &["h1+h2", "."]);
    assert_eq!(step(&game, &["d3"]), "One piece to be absorbed: choose a pile of yours for each.");
}

#[test]
fn a_pile_splits_onto_empty_cells_only() {
    // One open neighbour is too few for either pile, two are enough.
    let game = position("x3a1 x2h1 o3a2 o3b1 o3g1 o3h2 x3e8");
    assert!(!legal(&game).iter().any(|text| text.starts_with("a1") || text.starts_with("h1")));
    let game = position("x3a1 x2h1 o3b1 o3g1 x3e8");
    let texts: Vec<String> =
        legal(&game).into_iter().filter(|text| text.starts_with('a') || text.starts_with('h')).collect();
    assert_eq!(texts, ["a1/a2,a2,b2", "a1/a2,b2,b2", "h1/g2,h2"]);
}

#[test]
fn piles_merge_if_they_hang_together_and_are_not_too_high() {
    let merges = |piles| -> Vec<String> {
        legal(&position(piles)).into_iter().filter(|text| text.contains('+')).collect()
    };
    assert_eq!(merges("x1a1 x1b2 x3h1 o3h8 o3h7"), ["a1+b2", "b2+a1"]);
    assert_eq!(merges("x2a1 x1b1 x3h1 o3h8 o3h7"), ["a1+b1", "b1+a1"]);
    assert_eq!(merges("x2a1 x2b1 x3c1 x1e1 o3h8 o3h7"), [""; 0]);
    // A chain, and three that are all next to each other.
    let chain = ["a1+b2", "a1+b2,c3", "b2+a1", "b2+a1,c3", "b2+c3", "c3+a1,b2", "c3+b2"];
    assert_eq!(merges("x1a1 x1b2 x1c3 x3h1 o3h8 o3h7"), chain);
    let triangle = ["a1+a2", "a1+a2,b1", "a1+b1", "a2+a1", "a2+a1,b1", "a2+b1", "b1+a1", "b1+a1,a2", "b1+a2"];
    assert_eq!(merges("x1a1 x1a2 x1b1 x3h1 o3h8 o3h7"), triangle);
    // A medium and two smalls are four pieces; an enemy pile in between joins nothing.
    assert_eq!(merges("x1a1 x2b1 x1c1 x3h1 o3h8 o3h7"), ["a1+b1", "b1+a1", "b1+c1", "c1+b1"]);
    assert_eq!(merges("x1a1 o1b1 x1c1 x3h1 o3h8 o3h7"), [""; 0]);
    let merged = after(position("x1a1 x1b2 x1c3 x3h1 o3h8 o3h7"), &["c3+a1,b2"]);
    assert_board(&merged, "x3c3 x3h1 o3h8 o3h7");
}

#[test]
fn each_small_of_a_split_runs_once_and_one_other_pile_moves_last() {
    let mut game = after(position("x3c3 x1g2 x2g5 x3h1 o3h8 o3a8"), &["c3/b2,c2,d2"]);
    assert_eq!(game.phase(), "moves");
    play(&mut game, &["b2-b4", "d2-e1"]);
    assert_eq!((game.phase(), game.to_move()), ("moves", Seat::One));
    assert_refused(&game, "b4-b5", "the small pile on b4 has run already this turn");
    assert_eq!(game.prompt(), "Run with the new small piles, move one other pile, or end the moves.");
    play(&mut game, &["c2-c1"]);
    assert_eq!(game.prompt(), "Move one other pile, or end the moves.");
    assert!(
        legal(&game).iter().all(|text| text == "." || text.starts_with("g2-") || text.starts_with("g5-"))
    );
    play(&mut game, &["g5-h6"]);
    assert_eq!((game.phase(), game.to_move()), ("main", Seat::Two));
    assert_board(&game, "x1b4 x1e1 x1c1 x1g2 x2h6 x3h1 o3h8 o3a8");
}

#[test]
fn runs_avoid_the_cell_that_was_split_and_others_do_not() {
    let game = after(position("x2c3 x1c5 x3h1 o3h8 o3a8"), &["c3/b3,d3"]);
    let texts = legal(&game);
    for forbidden in ["b3-c3", "d3-c3", "b3-d3"] {
        assert!(!texts.contains(&forbidden.into()), "{forbidden}");
    }
    assert!(texts.contains(&"c5-c3".into()), "no part in the split");
    let across = "a small made by the split goes neither onto nor across c3, the cell that was split";
    assert_refused(&game, "b3-c3", across);
    assert_refused(&after(game.clone(), &["d3-d4"]), "b3-d3", across);
    // Once a small has run, the other still may not cross.
    assert!(!legal(&after(game, &["d3-d4"])).contains(&"b3-d3".into()));
}

#[test]
fn what_was_merged_or_split_off_as_a_medium_stays() {
    let game = after(position("x3c3 x1g2 x3h1 o3h8 o3a8"), &["c3/b3,b3,d3"]);
    assert!(!legal(&game).iter().any(|text| text.starts_with("b3")));
    assert_refused(&game, "b3-b4", "the pile on b3 had a part in this turn’s split or merge: it stays");
    let game = after(position("x1c3 x1c4 x1g2 x3h1 o3h8 o3a8"), &["c3+c4"]);
    assert!(legal(&game).iter().all(|text| text == "." || text.starts_with("g2-")));
    assert_refused(&game, "c3-c2", "the pile on c3 had a part in this turn’s split or merge: it stays");
    assert_eq!(game.prompt(), "Move one other pile, or end the moves.");
}

#[test]
fn the_moves_are_skipped_where_there_are_none() {
    let game = after(position("x1c3 x1c4 x3h1 o3h8 o3a8"), &["c3+c4"]);
    assert_eq!((game.phase(), game.to_move()), ("main", Seat::Two));
    // The split leaves a medium, which stays, and a small that could only go back to the cell that
    // was split.
    let game = after(position("x3a1 x3h8 o3b1 o3a3 o3b3 o2c1 o3c2 o3c3 o1d8"), &["a1/a2,a2,b2"]);
    assert_eq!(
        (game.phase(), game.to_move()),
        ("main", Seat::Two),
        "from b2 only a1 is open, which was split"
    );
}

#[test]
fn a_run_may_pass_over_nothing() {
    let game = after(position("x3a1 x1a3 x3h8 o1d1 o3h1"), &["a1/a2,b1,b2"]);
    let texts = legal(&game);
    assert!(!texts.contains(&"a2-a4".into()) && !texts.contains(&"b1-d1".into()));
    assert_refused(&game, "a2-a4", "the pile on a3 is in the way");
    assert_refused(&game, "b1-d1", "d1 is taken");
    assert!(texts.contains(&"b1-c1".into()) && texts.contains(&"b2-d4".into()));
}

/// What can be absorbed from a row of piles on c4 to e4 once its owner has merged two smalls
/// elsewhere.
fn absorptions(captors: u8, row: &str) -> Vec<String> {
    let piles: String = row
        .split_whitespace()
        .zip(["c4", "d4", "e4"])
        .filter(|(token, _)| *token != ".")
        .map(|(token, cell)| format!("{token}{cell} "))
        .collect();
    let game =
        position_with(&json!({"captors": captors}), &format!("{piles} x1h1 x1h2 x3a1 o3a8 o3b8"), Seat::One);
    let game = after(game, &["h1+h2"]);
    let game = if game.phase() == "moves" { after(game, &["."]) } else { game };
    if game.phase() == "absorb" { legal(&game) } else { Vec::new() }
}

#[test]
fn a_pile_is_absorbed_by_more_pieces_with_room() {
    let none: [&str; 0] = [];
    assert_eq!(absorptions(1, "x2 o1 ."), ["d4*c4"]);
    assert_eq!(absorptions(1, "x3 o1 ."), none, "no room");
    assert_eq!(absorptions(1, "x1 o1 ."), none, "not more");
    assert_eq!(absorptions(1, "x1 o1 x1"), ["d4*c4", "d4*e4"]);
    assert_eq!(absorptions(1, "x3 o1 x1"), ["d4*e4"], "the large one has no room but counts");
    assert_eq!(absorptions(1, "x3 o1 x3"), none);
    assert_eq!(absorptions(1, "x1 o2 x1"), none);
    assert_eq!(absorptions(1, "x2 o2 x1"), ["d4*c4,e4", "d4*e4,e4"]);
    assert_eq!(absorptions(1, "x3 o2 x1"), ["d4*e4,e4"]);
    assert_eq!(absorptions(1, "x2 o2 x2"), ["d4*c4,e4"]);
    assert_eq!(absorptions(1, "x3 o2 x2"), none, "room for one");
    assert_eq!(absorptions(1, "x2 o3 x2"), none, "room for two");
    assert_eq!(absorptions(1, "x2 . o1"), none, "not next to it");
    assert_eq!(absorptions(2, "x2 o1 ."), none, "it takes two");
    assert_eq!(absorptions(2, "x1 o1 x1"), ["d4*c4", "d4*e4"]);
    assert_eq!(absorptions(2, "x3 o1 x2"), ["d4*e4"]);
}

#[test]
fn a_large_pile_can_be_shared_out_in_every_way() {
    let game = after(position("x2c2 x1b3 x1d3 o3c3 x1h1 x1h2 o3a8 o3b8"), &["h1+h2", "."]);
    let expected = ["c3*b3,b3,c2", "c3*b3,b3,d3", "c3*b3,c2,d3", "c3*b3,d3,d3", "c3*c2,d3,d3"];
    assert_eq!(legal(&game), expected);
    assert_board(&after(game, &["c3*b3,b3,d3"]), "x2c2 x3b3 x2d3 x2h1 o3a8 o3b8");
    // The pile below is only diagonal to the captors.
    let game = after(position("x2b2 x2d2 o1c3 x1h1 x1h2 o3a8"), &["h1+h2", "."]);
    assert_eq!(game.phase(), "main");
}

#[test]
fn absorbing_goes_on_with_the_piles_as_they_have_become_and_cannot_be_declined() {
    // The small on c3 can absorb nothing alone; grown by d3 it can, if it was the one that grew.
    let game = after(position("x1c3 o1d3 x1e3 o1c4 o3a8 o3b8 x1h1 x1h2"), &["h1+h2", "."]);
    assert_eq!(legal(&game), ["d3*c3", "d3*e3"]);
    assert_refused(&game, ".", "absorbing is compulsory: an enemy pile can be absorbed, so one must be");
    let grown = after(game.clone(), &["d3*c3"]);
    assert_eq!((grown.phase(), grown.to_move()), ("absorb", Seat::One));
    assert_eq!(legal(&grown), ["c4*c3"]);
    let done = after(grown, &["c4*c3"]);
    assert_eq!((done.phase(), done.to_move()), ("main", Seat::Two));
    assert_eq!(done.counters(), json!({"points": [6, 6]}).as_object().unwrap().clone());
    let other_way = after(game, &["d3*e3"]);
    assert_eq!((other_way.phase(), other_way.to_move()), ("main", Seat::Two));
}

#[test]
fn only_the_mover_absorbs() {
    // Seat 2 could absorb c3 at once, but not in seat 1's turn; nor does it have to before its own
    // split.
    let mut game = position("x1c3 o2c4 x1h1 x1h2 x3a1 o1a8 o1b8");
    play(&mut game, &["h1+h2", "."]);
    assert_eq!((game.phase(), game.to_move()), ("main", Seat::Two));
    play(&mut game, &["a8+b8", "."]);
    assert_eq!((game.phase(), legal(&game)), ("absorb", vec!["c3*c4".to_string()]));
}

#[test]
fn three_pieces_are_too_few() {
    let before = position("x2c3 o1c4 x1h1 x1h2 x1a1 o3a8");
    let game = after(before, &["h1+h2", ".", "c4*c3"]);
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "points")));
    assert!(legal(&game).is_empty() && game.prompt().is_empty());
    assert_eq!(game.phase(), "over");
    assert_refused(&game, "a8/a7,b7,b8", "the game is over");
    assert_refused(&game, "nonsense", "the game is over");
}

#[test]
fn who_can_neither_split_nor_merge_has_lost() {
    let lone_smalls = "x1h1 x1h2 x3a1 o1a8 o1c8 o1e8 o1g8";
    let game = after(position(lone_smalls), &["h1+h2"]);
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "no_moves")));
    // So has a seat whose piles are shut in, and one that is loaded like that.
    let shut_in = position_with(&json!({}), "o3a1 o3a2 x1b1 x1b2 x1b3 x3a3", Seat::Two);
    assert_eq!(shut_in.outcome(), Some(Outcome::won(Seat::One, "no_moves")));
    let loaded = position_with(&json!({}), lone_smalls, Seat::Two);
    assert_eq!(loaded.outcome(), Some(Outcome::won(Seat::One, "no_moves")));
}

/// Two mediums in opposite corners wander about and are back where they were after eight turns.
const ROUND: [&str; 8] = ["a1/a2,b1", "h8/g8,h7", "a2+b1", "h7+g8", "a2/a1,b1", "h7/g8,h8", "a1+b1", "h8+g8"];
const WANDERERS: &str = "x2a1 x3d1 o2h8 o3e8";

fn play_rounds(game: &mut Absorption, turns: usize) {
    for text in ROUND.iter().cycle().take(turns) {
        play(game, &[text]);
        if game.phase() == "moves" {
            play(game, &["."]);
        }
    }
}

#[test]
fn the_third_time_is_a_draw() {
    let mut game = position(WANDERERS);
    play_rounds(&mut game, 15);
    assert_eq!(game.outcome(), None);
    assert_eq!(game.phase(), "main");
    let before = game.clone();
    let action = game.read("h8+g8").unwrap();
    let undo = game.play(action);
    assert_eq!(game.outcome(), Some(Outcome::drawn("repetition")));
    game.undo(action, undo);
    assert_eq!(game, before);
    // The same piles with the other seat to move are another position.
    assert_ne!(position(WANDERERS).hash(), position_with(&json!({}), WANDERERS, Seat::Two).hash());
}

#[test]
fn the_turn_limit_is_a_draw_that_gives_way_to_every_other_end() {
    for (turn_limit, reason) in
        [(1, "turn_limit"), (15, "turn_limit"), (16, "repetition"), (17, "repetition")]
    {
        let mut game = position_with(&json!({"turn_limit": turn_limit}), WANDERERS, Seat::One);
        play_rounds(&mut game, turn_limit.min(16));
        assert_eq!(game.outcome(), Some(Outcome::drawn(reason)), "{turn_limit}");
    }
    let last_turn = json!({"turn_limit": 1});
    let game = position_with(&last_turn, "x1h1 x1h2 x3a1 o1a8 o1c8 o1e8 o1g8", Seat::One);
    assert_eq!(after(game, &["h1+h2"]).outcome(), Some(Outcome::won(Seat::One, "no_moves")));
    // Three lone smalls can do nothing either, but they are too few first.
    let game = position_with(&last_turn, "x2c3 o1c4 x1h1 x1h2 o1a8 o1c8 o1e8", Seat::One);
    let game = after(game, &["h1+h2", ".", "c4*c3"]);
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "points")));
}

#[test]
fn a_game_without_a_limit_goes_on() {
    let mut random = Random::new(3);
    let mut game = Absorption::start(&options::<Absorption>(&json!({"turn_limit": 0})), 0);
    let mut turns = 0;
    while let Some(action) = game.random_action(&mut random, &mut Vec::new()) {
        let seat = game.to_move();
        game.play(action);
        turns += usize::from(game.to_move() != seat);
    }
    assert_ne!(game.outcome().unwrap().reason, "turn_limit");
    assert!(turns > 20);
}

#[test]
fn positions_that_are_over_by_points_are_loaded_as_such() {
    let outcome = |piles, to_move| position_with(&json!({}), piles, to_move).outcome();
    assert_eq!(outcome("x3a1 o3h8 o1h7", Seat::One), Some(Outcome::won(Seat::Two, "points")));
    assert_eq!(outcome("x3a1 o3h8 o1h7", Seat::Two), Some(Outcome::won(Seat::Two, "points")));
    assert_eq!(outcome("x3a1 x1a2 o3h8", Seat::One), Some(Outcome::won(Seat::One, "points")));
    assert_eq!(outcome("x3a1 o3h8", Seat::One), Some(Outcome::won(Seat::Two, "points")));
    assert_eq!(outcome("x3a1 o3h8", Seat::Two), Some(Outcome::won(Seat::One, "points")));
    assert_eq!(outcome("", Seat::Two), Some(Outcome::won(Seat::One, "points")));
    // A seat that cannot act but is not to move, and one whose enemy is too few.
    assert_eq!(outcome("x1a1 x1c1 x1e1 x1g1 o3h8 o3h7", Seat::Two), None);
    let stuck = "x1a1 x1c1 x1e1 x1g1 o3h8";
    assert_eq!(outcome(stuck, Seat::One), Some(Outcome::won(Seat::One, "points")), "points come first");
}

#[test]
fn any_number_of_pieces_up_to_36_can_be_loaded() {
    let row = |piles: [&str; 6]| piles.join(" ");
    let all = row(["x3a1 x3b1", "x3c1 x3d1", "x3e1 x3f1", "x3g1 x3h1", "x3a2 x3b2", "o3h8 o3g8"]);
    assert_eq!(position(&all).counters()["points"], json!([30, 6]));
    let error = Absorption::set_up(&defaults(), &start(&format!("{all} o1a8"), Seat::One)).unwrap_err();
    assert_eq!(error, SetupError::position("there are 36 pieces in all, not 37"));
}

#[test]
fn bad_positions_are_refused_with_their_cell() {
    let refused = |token: &str, cell: &str| {
        let mut start = start("x3a1 o3h8", Seat::One);
        let place = cell.parse::<Cell>().unwrap();
        let mut tokens: Vec<&str> = start.rows[place.row as usize].split(' ').collect();
        tokens[place.column as usize] = token;
        let row = tokens.join(" ");
        start.rows[place.row as usize] = row;
        match Absorption::set_up(&defaults(), &start).unwrap_err() {
            SetupError::BadPosition { cell: named, reason } => {
                assert_eq!(named.as_deref(), Some(cell), "{token}: {reason}");
                reason
            }
            error => panic!("{error}"),
        }
    };
    assert_eq!(refused("x4", "c3"), "“x4” is no pile: a pile has one to three pieces");
    assert_eq!(refused("o0", "b8"), "“o0” is no pile: a pile has one to three pieces");
    assert_eq!(
        refused("x99999999999999999999", "a8"),
        "“x99999999999…” is no pile: a pile has one to three pieces"
    );
    for token in ["x", "o", "b", "X3", "xo", "é3", "", "x1x1", "..", "x\u{0661}", "1x"] {
        let reason = refused(token, "e5");
        assert!(reason.ends_with("write x1 to x3, o1 to o3, or . for an empty cell"), "{token}: {reason}");
    }
}

#[test]
fn a_start_must_have_its_shape_and_a_seat_to_move() {
    let mut missing = start("x3a1", Seat::One);
    missing.rows.pop();
    let error = Absorption::set_up(&defaults(), &missing).unwrap_err();
    assert_eq!(error, SetupError::position("the board has 8 rows, not 7"));
    let mut wide = start("x3a1", Seat::One);
    wide.rows[4].push_str(" .");
    assert!(matches!(
        Absorption::set_up(&defaults(), &wide),
        Err(SetupError::BadPosition { cell: None, .. })
    ));
    let nobody = Start { to_move: None, ..start("x3a1 x3b1 o3h8 o3h7", Seat::One) };
    let error = Absorption::set_up(&defaults(), &nobody).unwrap_err();
    assert!(matches!(error, SetupError::BadField { field, .. } if field == "start.to_move"));
}

#[test]
fn refusals_before_the_split_say_why() {
    let game = position("x3c3 x2f2 x1a1 x1b1 x1a3 o1c4 o3h8 o3g8");
    let what = "an action here splits a pile, such as c1/b2,c2,d2, or merges piles, such as c3+d3,e4";
    for garbage in ["", "c3", "c3/", "/b2", "pass", "c3/b2,,d2", "c3:b2", ",", "c3/b2,", "é", "🂡🂡🂡"]
    {
        assert_refused(&game, garbage, what);
    }
    assert_refused(&game, "i3/b2,b4", "“i3” is no cell of this board: its cells are a1 to h8");
    assert_refused(&game, "c3/b2,b9,d4", "“b9” is no cell of this board: its cells are a1 to h8");
    assert_refused(&game, "c3/ b2,b3", "“ b2” is no cell of this board: its cells are a1 to h8");
    assert_refused(
        &game,
        "c99999999999999999999/b2",
        "“c99999999999…” is no cell of this board: its cells are a1 to h8",
    );
    assert_refused(&game, "a1-a2", "split or merge a pile first: piles move after that");
    assert_refused(
        &game,
        "c4*c3",
        "split or merge a pile first: enemy piles are absorbed at the end of the turn",
    );
    assert_refused(&game, ".", "a turn begins with a split or a merge: there are no moves to end yet");

    assert_refused(&game, "d3/d4,e4", "d3 is empty");
    assert_refused(&game, "h8/h7,g7,g7", "the pile on h8 is not yours");
    assert_refused(&game, "a1/a2,b2", "the pile on a1 is small: one piece cannot be split");
    let count = "the pile on c3 has 3 pieces: name 3 cells, one for each (a cell twice for two pieces)";
    assert_refused(&game, "c3/b2,d2", count);
    assert_refused(&game, "c3/b2,b3,d2,d3", count);
    assert_refused(&game, "c3/b2,b3,d2,d3,d3,d3,d3", count);
    assert_refused(&game, "c3/b2,b2,b2", "a split needs two cells at least: the whole pile cannot go to b2");
    assert_refused(&game, "f2/f3,f3", "a split needs two cells at least: the whole pile cannot go to f3");
    let far = "e3 is not next to c3: the pieces of a split go to neighbouring cells";
    assert_refused(&game, "c3/b2,b3,e3", far);
    assert_refused(
        &game,
        "c3/c3,b3,d3",
        "c3 is not next to c3: the pieces of a split go to neighbouring cells",
    );
    assert_refused(&game, "c3/b2,b3,c4", "c4 is taken");
    assert_refused(&game, "c3/d2,b2,c2", "write the cells in order: c3/b2,c2,d2");
    assert_refused(&game, "C3/D2,B2,D2", "write the cells in order: c3/b2,d2,d2");

    assert_refused(&game, "a1+c4", "the pile on c4 is not yours");
    assert_refused(&game, "a1+a2", "a2 is empty");
    assert_refused(&game, "a1+a1", "a1 is named twice: a pile can be merged only once");
    assert_refused(&game, "a1+b1,b1", "b1 is named twice: a pile can be merged only once");
    assert_refused(
        &game,
        "a1+a3,b1,c3",
        "a merge joins two or three piles: name the one that they become and one or two others",
    );
    assert_refused(&game, "c3+f2", "these piles have 5 pieces together: a pile never has more than three");
    let apart = "the pile on a3 is next to none of the others: piles that merge must be connected";
    assert_refused(&game, "a1+a3,b1", apart);
    let three = position("x1a1 x1a2 x1b2 x3h1 o3h8 o3g8");
    assert_refused(&three, "a1+b2,a2", "write the cells in order: a1+a2,b2");
}

#[test]
fn refusals_among_the_moves_say_why() {
    let game = after(position("x3c3 x2f2 x1g5 x3h1 o1e5 o3h8 o3g8"), &["c3/b2,c2,d2"]);
    for garbage in ["", "b2", "pass", "-", "b2-", "..", " ."] {
        assert_refused(
            &game,
            garbage,
            "an action here moves a pile, such as b2-b4, or is . to end the moves",
        );
    }
    let made = "this turn’s split or merge has been made: move a pile, or end the moves with .";
    assert_refused(&game, "f2/e1,e2", made);
    assert_refused(&game, "b2+c2", made);
    assert_refused(&game, "e5*e4", "the moves come first: end them with . before you absorb");
    assert_refused(&game, "b2-b3,b4", "a move has one cell to start from and one to go to, such as b2-b4");
    assert_refused(&game, "a1-a2", "a1 is empty");
    assert_refused(&game, "e5-e4", "the pile on e5 is not yours");
    assert_refused(&game, "h1-h2", "the pile on h1 is large: a large pile never moves");
    let crooked = |from, to| {
        format!("the way from {from} to {to} is not straight: piles move along a row, a column or a diagonal")
    };
    assert_refused(&game, "b2-c4", &crooked("b2", "c4"));
    assert_refused(&game, "b2-b2", &crooked("b2", "b2"));
    assert_refused(&game, "b2-e6", &crooked("b2", "e6"));
    assert_refused(&game, "b2-b5", "b5 is too far from b2: a small pile moves one or two cells");
    assert_refused(&game, "f2-f4", "f4 is too far from f2: a medium pile moves one cell");
    assert_refused(&game, "g5-e5", "e5 is taken");
    assert_refused(&game, "b2-d2", "the pile on c2 is in the way");
    assert_refused(
        &game,
        "c2-c4",
        "a small made by the split goes neither onto nor across c3, the cell that was split",
    );
}

#[test]
fn refusals_of_absorptions_say_why() {
    let piles = "x1c3 o1d3 x1e3 o2g4 x1g3 o2a4 x2a3 x3b4 o1b1 x1b2 x2h1 x1h2 o3h8 o1d5";
    let game = after(position(piles), &["h1+h2", "."]);
    for garbage in ["", "d3", "*", "d3*", "pass"] {
        assert_refused(&game, garbage, "an action here absorbs an enemy pile, such as c3*b3,d3");
    }
    let now = "the moves are over: now an enemy pile must be absorbed";
    for other in ["c3-c4", "h1/g1,g2,h2", "c3+e3"] {
        assert_refused(&game, other, now);
    }
    assert_refused(&game, "d4*c3", "d4 is empty");
    assert_refused(&game, "c3*e3", "the pile on c3 is your own: only enemy piles are absorbed");
    assert_refused(&game, "d5*c3", "none of your piles is orthogonally next to d5");
    assert_refused(
        &game,
        "g4*g3,g3",
        "the pile on g4 has 2 and your piles next to it 1 in all: it takes more than 2",
    );
    assert_refused(
        &game,
        "a4*a3,a3",
        "your piles next to a4 have room for 1 more in all, and the pile has 2: no pile may have more than three pieces",
    );
    assert_refused(
        &game,
        "d3*c3,e3",
        "the pile on d3 has 1: name one of your piles next to it for every piece",
    );
    assert_refused(&game, "d3*d4", "d4 is empty");
    assert_refused(&game, "d3*b1", "the pile on b1 is not yours");
    assert_refused(
        &game,
        "d3*g3",
        "g3 is not orthogonally next to d3: only piles next to it receive its pieces",
    );
    let game = after(position("x3c3 o2d3 x1e3 x2h1 x1h2 o3h8 x2d2"), &["h1+h2", "."]);
    assert_refused(&game, "d3*c3,e3", "the pile on c3 would have more than three pieces");
    assert_refused(&game, "d3*d2,d2", "the pile on d2 would have more than three pieces");
    assert_refused(&game, "d3*e3,d2", "write the cells in order: d3*d2,e3");
    let two = position_with(&json!({"captors": 2}), "x1c3 o1d3 x1e3 x2h1 x1h2 o3h8 o1h4 x2g4", Seat::One);
    let two = after(two, &["h1+h2", "."]);
    assert_refused(
        &two,
        "h4*g4",
        "only one of your piles is orthogonally next to h4: here it takes two to absorb",
    );
}

#[test]
fn the_order_of_runs_makes_no_difference_and_who_has_run_does() {
    let game = after(position("x3c3 x1g5 x3h1 o3h8 o3g8"), &["c3/b2,c2,d2"]);
    let one_way = after(game.clone(), &["b2-b4", "d2-d1"]);
    let other_way = after(game.clone(), &["d2-d1", "b2-b4"]);
    assert_eq!(one_way, other_way);
    assert_eq!(one_way.hash(), other_way.hash());
    // The same piles, but another small may still run.
    let this_ran = after(position("x3c3 x1g5 x3h1 o3h8 o3g8"), &["c3/b2,b3,d3", "b2-b1"]);
    let that_ran = after(position("x3c3 x1g5 x3h1 o3h8 o3g8"), &["c3/b2,b3,d3", "b2-a1", "b3-b2"]);
    assert_ne!(this_ran.hash(), that_ran.hash());
    // The same piles, a turn nearer to the limit; without a limit that is the same.
    for (turn_limit, same) in [(0, true), (200, false)] {
        let start = position_with(&json!({"turn_limit": turn_limit}), WANDERERS, Seat::One);
        let mut later = start.clone();
        play_rounds(&mut later, 8);
        assert_eq!(later.rows(), start.rows());
        assert_eq!(later.hash() == start.hash(), same, "{turn_limit}");
    }
}

fn only_event(game: &Absorption, text: &str) -> Event {
    let after = after(game.clone(), &[text]);
    let mut events = game.events(game.read(text).unwrap(), &after);
    assert_eq!(events.len(), 1);
    events.remove(0)
}

fn part(cell: &str, piece: &str, count: u8) -> Part {
    Part { cell: cell.into(), piece: piece.into(), count }
}

fn set<const N: usize>(cells: [(&str, &str); N]) -> BTreeMap<String, String> {
    cells.into_iter().map(|(cell, token)| (cell.into(), token.into())).collect()
}

#[test]
fn events_of_splits_and_merges() {
    let game = position("x3c3 x1g5 x1g6 o2d1 x1e1 o3h8 o3g8");
    let split = only_event(&game, "c3/b2,b2,d2");
    let parts = vec![part("b2", "x2", 2), part("d2", "x1", 1)];
    assert_eq!(split.what, Happening::Split { piece: "x3".into(), from: "c3".into(), parts });
    assert_eq!(split.set, set([("b2", "x2"), ("c3", "."), ("d2", "x1")]));

    let merged = only_event(&game, "g6+g5");
    let parts = vec![part("g5", "x1", 1)];
    assert_eq!(merged.what, Happening::Merged { piece: "x2".into(), cell: "g6".into(), parts });
    assert_eq!(merged.set, set([("g5", "."), ("g6", "x2")]));
}

#[test]
fn events_of_runs_ends_and_absorptions() {
    let game = after(position("x3c2 x1g5 x1g6 o2d1 x1e1 o3h8 o3g8"), &["c2/c1,c1,d2"]);
    let run = only_event(&game, "d2-f4");
    let path = ["d2", "e3", "f4"].map(String::from).to_vec();
    assert_eq!(run.what, Happening::Moved { piece: "x1".into(), path });
    assert_eq!(run.set, set([("d2", "."), ("f4", "x1")]));
    let end = only_event(&game, ".");
    assert!(matches!(&end.what, Happening::Said { seat: Seat::One, word, .. } if word == "."));
    assert!(end.set.is_empty());
    let absorbed = only_event(&after(game, &["."]), "d1*c1,d2");
    let parts = vec![part("c1", "x3", 1), part("d2", "x2", 1)];
    assert_eq!(absorbed.what, Happening::Absorbed { piece: "o2".into(), from: "d1".into(), parts });
    assert_eq!(absorbed.set, set([("c1", "x3"), ("d1", "."), ("d2", "x2")]));
}

#[test]
fn details_point_and_tell() {
    let detail = |game: &Absorption, text| {
        let detail = game.detail(game.read(text).unwrap());
        (detail.kind, detail.cells.join(" "), detail.text)
    };
    let told = |kind: &str, cells: &str, text: &str| (kind.to_string(), cells.to_string(), text.to_string());
    let game = position("x3c2 x2f2 x1f5 x1g5 x1g6 o2d1 x1e1 o3h8 o3g8");
    assert_eq!(
        detail(&game, "c2/b2,c1,d2"),
        told("split", "c2 b2 c1 d2", "Split the large pile on c2: one piece each to b2, c1 and d2.")
    );
    assert_eq!(
        detail(&game, "c2/c1,c1,d2"),
        told("split", "c2 c1 c1 d2", "Split the large pile on c2: two pieces to c1 and one to d2.")
    );
    assert_eq!(
        detail(&game, "c2/c1,d2,d2"),
        told("split", "c2 c1 d2 d2", "Split the large pile on c2: one piece to c1 and two to d2.")
    );
    assert_eq!(
        detail(&game, "g5+f5,g6"),
        told("merge", "g5 f5 g6", "Merge the piles on f5 and g6 into the one on g5, which becomes large.")
    );
    assert_eq!(
        detail(&game, "g6+g5"),
        told("merge", "g6 g5", "Merge the pile on g5 into the one on g6, which becomes medium.")
    );
    let moves = after(game, &["c2/c1,c1,d2"]);
    assert_eq!(detail(&moves, "d2-d3"), told("run", "d2 d3", "Run with the new small pile from d2 to d3."));
    assert_eq!(
        detail(&moves, "f2-f3"),
        told("move", "f2 f3", "Move the medium pile from f2 to f3, which ends the moves.")
    );
    assert_eq!(detail(&moves, "."), told("end", "", "End the moves."));
    let absorb = after(moves, &["."]);
    assert_eq!(
        detail(&absorb, "d1*d2,e1"),
        told("absorb", "d1 d2 e1", "Absorb the medium pile on d1: one piece each to d2 and e1.")
    );
    assert_eq!(
        detail(&absorb, "d1*e1,e1"),
        told("absorb", "d1 e1 e1", "Absorb the medium pile on d1: two pieces to e1.")
    );
}

#[test]
fn the_board_is_printed_with_its_piles() {
    let text = position("x3a1 x2b1 o1c1 o3h8 o2g8").render(Charset::Ascii.into());
    let lines: Vec<&str> = text.lines().collect();
    let rule = " |-------|-------|-------|-------|-------|-------|-------|-------|";
    let blank = " |       |       |       |       |       |       |       |       |";
    assert_eq!(lines[0], "     a       b       c       d       e       f       g       h");
    assert_eq!(lines[1..3], [rule, blank]);
    assert_eq!(lines[3], "1|  XXX  |  X X  |   O   |       |       |       |       |       |1");
    assert_eq!(lines[4..6], [blank, rule]);
    assert_eq!(lines[31], "8|       |       |       |       |       |       |  O O  |  OOO  |8");
    assert_eq!(lines[33..35], [rule, lines[0]]);
    assert_eq!(lines[36], "X (seat 1) has 5, O (seat 2) has 6. X is to split or merge.");
    assert_eq!(text, position("x3a1 x2b1 o1c1 o3h8 o2g8").render(Charset::Unicode.into()));
    let turned = Drawing { charset: Charset::Ascii, turned: true };
    let text = position("x3a1 x2b1 o1c1 o3h8 o2g8").render(turned);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "     h       g       f       e       d       c       b       a");
    assert_eq!(lines[3], "8|  OOO  |  O O  |       |       |       |       |       |       |8");
    assert_eq!(lines[31], "1|       |       |       |       |       |   O   |  X X  |  XXX  |1");
}

#[test]
fn the_rules_for_people_show_what_happens() {
    let fill = "x3h1 x2h2 o3h8 o3h7";
    let game = position(&format!("x3c1 {fill}"));
    assert_board(&after(game.clone(), &["c1/b2,c2,d2"]), &format!("x1b2 x1c2 x1d2 {fill}"));
    assert_board(&after(game, &["c1/b2,b2,d2"]), &format!("x2b2 x1d2 {fill}"));
    let game = position(&format!("x1c3 x1d3 x1e4 {fill}"));
    assert_board(&after(game.clone(), &["d3+c3,e4"]), &format!("x3d3 {fill}"));
    assert_board(&after(game, &["e4+d3"]), &format!("x1c3 x2e4 {fill}"));
    for action in ["c1/b2,c2,d2", "c1/b2,b2,d2", "d3+c3,e4", "b2-b4", "c3*b3,d3"] {
        assert!(Absorption::RULES.contains(&format!("| `{action}` |")), "{action}");
    }
    for option in Absorption::options() {
        assert!(Absorption::RULES.contains(&format!("`{}`", option.name)));
    }
    assert_eq!(absorptions(1, "x2 o2 x1"), ["d4*c4,e4", "d4*e4,e4"]);
}

fn worth(game: &Absorption) -> i32 {
    game.evaluate(Seat::One, &game.shipped_weights())
}

#[test]
fn evaluation_likes_pieces() {
    assert_eq!(worth(&Absorption::start(&defaults(), 0)), 0);
    assert!(worth(&position("x3a1 x3b1 x1c1 o3h8 o3g8")) > 0);
}

#[test]
fn evaluation_fears_what_the_enemy_can_reach() {
    // The large on a8 can split and surround the small on c5, but not the one on h1.
    let near = position_with(&json!({}), "x1c5 x3a1 x3b1 o3a8 o3b8", Seat::Two);
    let far = position_with(&json!({}), "x1h1 x3a1 x3b1 o3a8 o3b8", Seat::Two);
    assert!(worth(&near) < worth(&far));
}

#[test]
fn the_weights_of_a_search_decide_which_turns_it_looks_at() {
    // The small on d4 can be absorbed.
    let game = position("x3c2 x3a1 x3b1 o1d4 o3g8 o3h8");
    let mut eager = serde_json::to_value(game.shipped_weights().as_ref()).expect("numbers");
    let mut averse = eager.clone();
    (eager["piece"], averse["piece"]) = (1_000.into(), (-1_000).into());
    let enemies_left = |weights| {
        let weights = Arc::new(serde_json::from_value(weights).expect("weights"));
        let mut turns = Vec::new();
        ByTurns::new(game.clone(), weights, Breadth::Usual).moves(&mut turns);
        let mut after = game.clone();
        ByTurns::actions(turns[0]).into_iter().for_each(|action| _ = after.play(action));
        after.rows().concat().matches('o').count()
    };
    assert!(enemies_left(eager) < enemies_left(averse));
}

/// The beginnings of turns in random games, from the last ones backwards.
fn ends_of_random_games(games: u64, turns: usize) -> Vec<Absorption> {
    let mut found = Vec::new();
    for seed in 0..games {
        let mut game = Absorption::start(&defaults(), 0);
        let mut random = Random::new(seed);
        let mut beginnings = vec![game.clone()];
        while let Some(action) = game.random_action(&mut random, &mut Vec::new()) {
            let seat = game.to_move();
            game.play(action);
            if game.to_move() != seat && game.outcome().is_none() {
                beginnings.push(game.clone());
            }
        }
        found.extend(beginnings.into_iter().rev().take(turns));
    }
    found
}

/// The position after each of the turns that a search looks at, which are checked to be legal and
/// whole.
fn after_turns_looked_at(game: &Absorption) -> Vec<Absorption> {
    let mut turns = Vec::new();
    ByTurns::new(game.clone(), game.shipped_weights(), Breadth::Usual).moves(&mut turns);
    let after = |turn| {
        let mut after = game.clone();
        for action in ByTurns::actions(turn) {
            assert!(after.outcome().is_none() && after.to_move() == game.to_move(), "{turn:?}");
            let mut legal = Vec::new();
            after.actions(&mut legal);
            assert!(legal.contains(&action), "{turn:?}");
            after.play(action);
        }
        assert!(after.outcome().is_some() || after.to_move() != game.to_move(), "{turn:?}");
        after
    };
    turns.into_iter().map(after).collect()
}

#[test]
fn a_wide_search_looks_at_more_replies() {
    let replies = |game: &Absorption, breadth| {
        let mut space = ByTurns::new(game.clone(), game.shipped_weights(), breadth);
        let mut turns = Vec::new();
        space.moves(&mut turns);
        space.play(turns[0]);
        turns.clear();
        space.moves(&mut turns);
        turns.len()
    };
    let game = Absorption::start(&defaults(), 0);
    assert!(replies(&game, Breadth::Wide) > replies(&game, Breadth::Usual));
    for game in ends_of_random_games(5, 6) {
        assert!(replies(&game, Breadth::Wide) >= replies(&game, Breadth::Usual));
    }
}

#[test]
fn turns_that_are_looked_at_are_legal_whole_and_different() {
    for game in ends_of_random_games(20, 12) {
        let after = after_turns_looked_at(&game);
        assert!(!after.is_empty());
        let different: HashSet<u64> = after.iter().map(Game::hash).collect();
        assert_eq!(different.len(), after.len());
    }
}

#[test]
fn turns_that_are_begun_are_finished() {
    for seed in 0..50 {
        let game = some_game(seed, 20 + 7 * seed as usize);
        assert_eq!(after_turns_looked_at(&game).is_empty(), game.outcome().is_some());
    }
}

/// Every text that looks like an action and might be one here, and many that are not.
fn plausible_texts(game: &Absorption) -> Vec<String> {
    let cells: Vec<String> = (0..64u8).map(|index| Cell::new(index / 8, index % 8).to_string()).collect();
    let near = |from: &str| -> Vec<&String> {
        let from = from.parse::<Cell>().unwrap();
        let near = |cell: &&String| {
            let cell = cell.parse::<Cell>().unwrap();
            cell.column.abs_diff(from.column) <= 1 && cell.row.abs_diff(from.row) <= 1
        };
        cells.iter().filter(near).collect()
    };
    let mut texts = vec![".".to_string()];
    let rows = game.rows();
    for from in &cells {
        let cell = from.parse::<Cell>().unwrap();
        if rows[cell.row as usize].split(' ').nth(cell.column.into()) == Some(".") {
            continue;
        }
        texts.extend(cells.iter().map(|to| format!("{from}-{to}")));
        for sign in ['/', '+', '*'] {
            for one in near(from) {
                texts.push(format!("{from}{sign}{one}"));
                for two in near(from).into_iter().chain(near(one)) {
                    texts.push(format!("{from}{sign}{one},{two}"));
                    texts.push(format!("{from}{sign}{two},{one}"));
                    if sign != '+' {
                        texts.extend(
                            near(from).iter().map(|three| format!("{from}{sign}{one},{two},{three}")),
                        );
                    }
                }
            }
        }
    }
    texts
}

#[test]
fn exactly_the_legal_actions_are_read() {
    for captors in [1, 2] {
        let mut random = Random::new(captors);
        let mut seen = HashSet::new();
        let mut game = Absorption::start(&options::<Absorption>(&json!({"captors": captors})), 0);
        for ply in 0..300 {
            let Some(action) = game.random_action(&mut random, &mut Vec::new()) else { break };
            // Enough of each part of the turn, absorptions being the rarest.
            if ply % 40 == 0 || (game.phase() == "absorb" && ply % 4 == 0) {
                seen.insert(game.phase());
                let legal: HashSet<String> = legal(&game).into_iter().collect();
                let plausible = plausible_texts(&game);
                let read: HashSet<String> =
                    plausible.into_iter().filter(|text| game.read(text).is_ok()).collect();
                assert_eq!(read, legal, "{game:?}");
            }
            game.play(action);
        }
        assert_eq!(seen.len(), 3, "{seen:?}");
    }
}

fn some_game(seed: u64, plies: usize) -> Absorption {
    let mut game = Absorption::start(&defaults(), 0);
    let mut random = Random::new(seed);
    for _ in 0..plies {
        if let Some(action) = game.random_action(&mut random, &mut Vec::new()) {
            game.play(action);
        }
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_odd_to_be_read(seed: u64, plies in 0usize..300, text in "\\PC*|[a-iA-I0-9/+*,.é-]{0,20}") {
        let game = some_game(seed, plies);
        if let Ok(action) = game.read(&text) {
            prop_assert!(legal(&game).contains(&game.write(action)));
            prop_assert_eq!(game.write(action), text.to_lowercase());
        }
    }

    #[test]
    fn what_is_nearly_an_action_is_read_or_refused(
        seed: u64,
        plies in 0usize..200,
        text in "[a-h][1-8][/+*-][a-h][1-8](,[a-h][1-8]){0,4}",
    ) {
        let game = some_game(seed, plies);
        prop_assert_eq!(game.read(&text).is_ok(), legal(&game).contains(&text));
    }
}
