//! The rules of Syrtis, one by one.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};
use tabuleiro_engine::game::{Charset, Describe, Drawing, Game, Outcome, SetupError};
use tabuleiro_engine::games::syrtis::{Action, Syrtis};
use tabuleiro_engine::random::Random;
use tabuleiro_engine::search::{self, Control, Evaluate, Hints, Level, SearchRequest};
use tabuleiro_engine::testing::{self, legal, options};
use tabuleiro_protocol::Cell;
use tabuleiro_protocol::shape::{self, Unknown};
use tabuleiro_protocol::{Event, Happening, Seat, Start};

#[test]
fn random_actions_are_uniform() {
    let mut random = Random::new(7);
    for (seed, turns) in [(0, 0), (1, 3), (2, 4), (3, 5), (4, 20), (5, 60)] {
        let mut game = new_game(json!({"turn_limit": 0}), seed);
        play_at_random(&mut game, &mut random, turns);
        if game.outcome().is_none() {
            testing::random_actions_are_uniform(&game, seed);
        }
    }
    testing::random_actions_are_uniform(&new_game(json!({"layout": "minor"}), first_seed_to_swap()), 8);
    testing::random_actions_are_uniform(&load(json!({}), drifting(2)), 9);
}

/// What is complete, with nothing but the rows to go by, and no care for speed.
mod plain {
    use super::*;

    type Tiles = BTreeMap<(u8, u8), String>;
    type Place = (u8, u8);

    /// The signs of the colours and shapes that are complete.
    pub(crate) fn complete(tiles: &Tiles) -> Vec<char> {
        ['l', 'c', 'd', 's'].into_iter().filter(|&sign| hangs_together(&family(tiles, sign))).collect()
    }

    fn family(tiles: &Tiles, sign: char) -> BTreeSet<Place> {
        tiles.iter().filter(|(_, tile)| tile.contains(sign)).map(|(&at, _)| at).collect()
    }

    fn hangs_together(places: &BTreeSet<Place>) -> bool {
        places.first().is_some_and(|&one| reach(one, places) == *places)
    }

    fn reach(from: Place, within: &BTreeSet<Place>) -> BTreeSet<Place> {
        let mut reached = BTreeSet::from([from]);
        let mut edge = vec![from];
        while let Some(at) = edge.pop() {
            for next in around(at) {
                if within.contains(&next) && reached.insert(next) {
                    edge.push(next);
                }
            }
        }
        reached
    }

    /// Numbers wrap at the upper and left edges, to where no tile ever lies.
    fn around((column, row): Place) -> [Place; 4] {
        [(column.wrapping_sub(1), row), (column + 1, row), (column, row.wrapping_sub(1)), (column, row + 1)]
    }
}

#[test]
fn tiles_are_drawn_in_opposite_pairs() {
    for (layout, size, of_a_kind) in [("major", 7, 9), ("minor", 5, 4)] {
        let mut boards = BTreeSet::new();
        for seed in 0..50 {
            let game = new_game(json!({"layout": layout}), seed);
            assert_eq!(game, new_game(json!({"layout": layout}), seed), "the same seed, the same tiles");
            boards.insert(game.rows());
            let tiles = tiles(&game);
            for (&(column, row), tile) in &tiles {
                let opposite = match tile.as_str() {
                    "lc" => "ds",
                    "ls" => "dc",
                    "dc" => "ls",
                    _ => "lc",
                };
                assert_eq!(tiles[&(size - 1 - column, size - 1 - row)], opposite);
            }
            for kind in ["lc", "ls", "dc", "ds"] {
                assert_eq!(tiles.values().filter(|&tile| tile == kind).count(), of_a_kind);
            }
            let expected = if plain::complete(&tiles).is_empty() { "towers" } else { "swap" };
            assert_eq!(game.phase(), expected);
        }
        assert_eq!(boards.len(), 50);
    }
    // Games that were written down with their seed must not change.
    let rows = new_game(json!({"layout": "minor"}), 1).rows();
    assert_eq!(rows, [". . dc ds .", "lc dc lc dc .", "dc ds . lc ls", ". ls ds ls ds", ". lc ls . ."]);
}

#[test]
fn pairs_are_swapped_until_nothing_is_complete() {
    let mut game = new_game(json!({"layout": "minor"}), first_seed_to_swap());
    assert_eq!(game.to_move(), Seat::One);
    assert_eq!(legal(&game), ["11<>12", "13<>14", "15<>16", "1<>2", "3<>4", "5<>6", "7<>8", "9<>10"]);
    assert!(game.prompt().ends_with("swap the two tiles of a pair."), "{}", game.prompt());
    assert!(game.render(Charset::Ascii.into()).contains("| 12  | 10  |  8  |  6  |"));
    let mut random = Random::new(1);
    while game.phase() == "swap" {
        assert!(!plain::complete(&tiles(&game)).is_empty());
        play_at_random(&mut game, &mut random, 1);
    }
    assert_eq!(game.phase(), "towers");
    assert!(plain::complete(&tiles(&game)).is_empty());
    assert!(!game.render(Charset::Ascii.into()).contains("numbers"));
}

#[test]
fn a_swap_says_what_changed_places() {
    let game = new_game(json!({"layout": "minor"}), first_seed_to_swap());
    let before = tiles(&game);
    let action = game.read("11<>12").unwrap();
    let mut after = game.clone();
    after.play(action);
    let pieces = [before[&(3, 1)].clone(), before[&(1, 3)].clone()];
    let cells = ["d2".to_owned(), "b4".to_owned()];
    let events = game.events(action, &after);
    assert_eq!(events[0].what, Happening::Swapped { cells: cells.clone(), pieces });
    assert_eq!(game.detail(action).cells, cells);
    assert_eq!(game.detail(action).kind, "swap");
}

#[test]
fn a_swap_is_refused_with_the_right_one_named() {
    let game = new_game(json!({"layout": "minor"}), first_seed_to_swap());
    refused(&game, "12<>11", "write the odd number first: 11<>12");
    refused(&game, "11<>14", "tiles 11 and 14 are not a pair: 11 goes with 12, 11<>12");
    refused(&game, "12<>14", "tiles 12 and 14 are not a pair: 12 goes with 11, 11<>12");
    refused(&game, "5<>5", "tiles 5 and 5 are not a pair: 5 goes with 6, 5<>6");
    for text in ["17<>18", "0<>1", "1<>99999999999999999999"] {
        refused(&game, text, "there is no such pair: the tiles are numbered from 1 to 16");
    }
    for text in ["", "<>", "1<>", "01<>02", "+1<>2", "1<>2<>3", "1 <> 2", "pass", "L@c3", "11-12", "¹<>²"] {
        refused(&game, text, "now swap the two tiles of a pair, the odd number first: 11<>12");
    }
}

#[test]
fn seat_1_places_four_towers_and_seat_2_takes_a_side() {
    let mut game = load(json!({}), before_towers());
    assert_eq!((game.phase(), game.to_move()), ("towers", Seat::One));
    assert_eq!(game.prompt(), "Place a tower; still to place: two light and two dark.");
    for tower in ["L@e2", "D@e4", "l@C3"] {
        play(&mut game, tower);
        assert_eq!((game.phase(), game.to_move()), ("towers", Seat::One));
    }
    assert_eq!(game.prompt(), "Place a tower; still to place: one dark.");
    play(&mut game, "D@b6");
    assert_eq!((game.phase(), game.to_move()), ("choose", Seat::Two));
    assert_eq!(game.sides(), [None, None]);
    assert_eq!(legal(&game), ["dark", "light"]);
    refused(&game, "pass", "now take a side: light or dark");
    let mut other = game.clone();
    play(&mut game, "light");
    assert_eq!((game.phase(), game.to_move()), ("play", Seat::Two));
    assert_eq!(game.sides(), [Some("dark"), Some("light")]);
    play(&mut other, "dark");
    assert_eq!((other.phase(), other.to_move()), ("play", Seat::One));
    assert_eq!(other.sides(), [Some("light"), Some("dark")]);
    assert_eq!(legal(&game), legal(&other));
    assert_ne!(game.hash(), other.hash());
}

#[test]
fn the_order_of_the_towers_does_not_matter() {
    let towers = ["L@e2", "D@e4", "L@c3", "D@b6"];
    let mut one = load(json!({}), before_towers());
    let mut other = one.clone();
    for tower in towers {
        play(&mut one, tower);
    }
    for tower in towers.into_iter().rev() {
        play(&mut other, tower);
    }
    assert_eq!(one, other);
    assert_eq!(one.hash(), other.hash());
}

#[test]
fn towers_are_refused_where_they_do_not_belong() {
    let mut game = load(json!({}), before_towers());
    refused(&game, "L@b2", "a light tower goes on light tiles or circles, and on b2 there is a dark square");
    refused(&game, "D@c1", "a dark tower goes on dark tiles or squares, and on c1 there is a light circle");
    refused(&game, "L@d4", "there is no tile on d4");
    refused(&game, "L@h1", "h1 is not on the board, which goes from a1 to g7");
    refused(&game, "D@a8", "a8 is not on the board, which goes from a1 to g7");
    for text in ["", "L", "L@", "@c3", "T@c3", "L@c3@c3", "L@é3", "L@c300", "c3-e2", "11<>12", "light"] {
        refused(&game, text, "now place a tower: L@c3 puts a light one on c3, D@c3 a dark one");
    }
    play(&mut game, "L@d1");
    refused(&game, "D@d1", "there is a tower on d1 already");
    play(&mut game, "L@c1");
    refused(&game, "L@c3", "both light towers have been placed");
    assert!(legal(&game).iter().all(|action| action.starts_with('D')));
    // Both kinds of tile that serve both sides.
    assert!(game.read("D@e1").is_ok() && game.read("D@c2").is_ok());
}

/// Circles are in two islands, of which one is d1 alone.
fn lone_circle(to_move: u8) -> Value {
    json!({
        "rows": [
            "lcL lc dsD dc . . .",
            "ls dc dc lsL . . .",
            "dsD ls lc lc . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . ."
        ],
        "to_move": to_move
    })
}

#[test]
fn an_island_wins_whoever_completed_it() {
    for to_move in [1, 2] {
        let game = load(json!({}), lone_circle(to_move));
        let mut after = game.clone();
        let events = play(&mut after, "xd1");
        assert_eq!(after.outcome(), Some(Outcome::won(Seat::One, "island")));
        assert_eq!(after.phase(), "over");
        assert_eq!(events[0].what, Happening::Sunk { piece: "dc".into(), cell: "d1".into() });
        let cells = ["a1", "b1", "b2", "c2", "c3", "d3"].map(String::from).to_vec();
        assert_eq!(events[1].what, Happening::Island { seat: Seat::One, name: "circle".into(), cells });
        assert_eq!(events.len(), 2);
        refused(&after, "pass", "the game is over");
        refused(&after, "", "the game is over");
        assert_eq!(after.prompt(), "");
        assert!(after.render(Charset::Ascii.into()).contains("Seat 1, light, has won: island."));
    }
}

/// d1 is the last dark tile apart and the last circle apart: sinking it completes both.
fn both_at_once(to_move: u8) -> Value {
    json!({
        "rows": ["lcL lc lsD dc .", "ls dcD dc lsL .", "ls . . . .", ". . . . .", ". . . . ."],
        "to_move": to_move
    })
}

#[test]
fn with_islands_of_both_the_initiative_decides() {
    for to_move in [1, 2] {
        let mut game = load(json!({"layout": "minor"}), both_at_once(to_move));
        let events = play(&mut game, "xd1");
        let sinker = Seat::try_from(to_move).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::won(sinker, "initiative")));
        let islands: Vec<(Seat, &str)> = events
            .iter()
            .filter_map(|event| match &event.what {
                Happening::Island { seat, name, .. } => Some((*seat, name.as_str())),
                _ => None,
            })
            .collect();
        assert_eq!(islands, [(Seat::One, "circle"), (Seat::Two, "dark")]);
    }
}

#[test]
fn quicksand_comes_before_islands() {
    let mut start = lone_circle(2);
    start["sinks"] = json!([0, 3]);
    let mut game = load(json!({}), start);
    let events = play(&mut game, "xd1");
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::Two, "quicksand")));
    assert_eq!(events.len(), 1, "no island ended the game: {events:?}");
    assert_eq!(game.counters()["sinks"], json!([0, 4]));
}

#[test]
fn a_slide_completes_an_island_too() {
    let start = json!({
        "rows": ["ds lcL dc . .", "dsD . dsD . .", "dc lsL dc . .", ". . . . .", ". . . . ."],
        "to_move": 1
    });
    let mut game = load(json!({"layout": "minor"}), start);
    let events = play(&mut game, "b1~b2");
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "island")));
    let cells = vec!["b2".to_owned(), "b3".to_owned()];
    assert_eq!(events[1].what, Happening::Island { seat: Seat::One, name: "light".into(), cells });
}

#[test]
fn the_counts_of_sunk_tiles() {
    let mut game = load(json!({}), report(1));
    let counters = |game: &Syrtis| (game.counters()["sinks"].clone(), game.counters()["last_sinker"].clone());
    assert_eq!(counters(&game), (json!([0, 0]), Value::Null));
    play(&mut game, "xe1");
    assert_eq!(counters(&game), (json!([1, 0]), json!(1)));
    for turn in ["pass", "c3-b3", "e4-e3"] {
        play(&mut game, turn);
        assert_eq!(counters(&game), (json!([1, 0]), json!(1)), "{turn} leaves the counts");
    }
    play(&mut game, "xf2");
    assert_eq!(counters(&game), (json!([2, 0]), json!(1)));
    play(&mut game, "xd3");
    assert_eq!(counters(&game), (json!([0, 1]), json!(2)));
}

#[test]
fn four_sunk_tiles_win() {
    let mut start = report(1);
    start["sinks"] = json!([3, 0]);
    start["last_sinker"] = json!(1);
    let mut game = load(json!({}), start);
    let before = game.clone();
    play(&mut game, "c3-b3");
    assert_eq!(game.outcome(), None);
    let mut game = before;
    play(&mut game, "xe1");
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "quicksand")));
}

#[test]
fn passes_in_succession_end_the_game() {
    for (passes, light, last_sinker) in [(1, 1, None), (1, 2, Some(1)), (2, 2, None), (2, 1, Some(2))] {
        let mut start = report(1);
        start["light"] = json!(light);
        start["last_sinker"] = json!(last_sinker);
        let mut game = load(json!({"passes": passes}), start);
        for passed in 1..2 * passes {
            play(&mut game, "pass");
            assert_eq!(game.outcome(), None);
            assert_eq!(game.counters()["streak"], json!(passed));
        }
        play(&mut game, "pass");
        let winner = Seat::try_from(last_sinker.unwrap_or(light)).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::won(winner, "initiative")));
        assert_eq!(game.counters()["passes"], json!([passes, passes]));
    }
}

#[test]
fn passes_in_a_row_are_a_fact_once_there_are_some() {
    let mut game = load(json!({}), report(1));
    let passes = |game: &Syrtis| -> Vec<(Option<Seat>, String)> {
        let facts = game.facts().into_iter().filter(|fact| fact.name == "Passes in a row");
        facts.map(|fact| (fact.seat, fact.text)).collect()
    };
    assert_eq!(passes(&game), []);
    play(&mut game, "pass");
    assert_eq!(passes(&game), [(Some(Seat::One), "1".into())]);
}

#[test]
fn four_passes_of_ones_own_end_the_game() {
    let mut game = load(json!({}), report(2));
    for (turn, passed) in ["c3-b3", "b3-c3", "e2-f2"].into_iter().zip(1..) {
        play(&mut game, "pass");
        assert_eq!(game.counters()["passes"], json!([0, passed]));
        assert_eq!(game.counters()["streak"], json!(1));
        play(&mut game, turn);
        assert_eq!(game.counters()["streak"], json!(0));
    }
    let interrupted = game.clone();
    play(&mut game, "pass");
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "initiative")), "none was sunk: light wins");
    let mut game = interrupted;
    play(&mut game, "e4~d4");
    assert_eq!(game.counters()["passes"], json!([0, 0]));
}

#[test]
fn the_third_time_ends_the_game() {
    let mut start = report(1);
    start["last_sinker"] = json!(2);
    let mut game = load(json!({}), start);
    let round = ["c3-b3", "e4-e3", "b3-c3", "e3-e4"];
    // The loaded position was the first time.
    for turn in round.iter().chain(&round[..3]) {
        play(&mut game, turn);
        assert_eq!(game.outcome(), None, "{turn}");
    }
    play(&mut game, "e3-e4");
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::Two, "repetition")));
}

#[test]
fn the_same_board_with_the_other_seat_to_move_is_no_repetition() {
    let mut game = load(json!({}), report(1));
    for turn in ["pass", "e4-e3", "pass", "e3-e4", "c3-b3", "e4-e3", "b3-c3"] {
        play(&mut game, turn);
        assert_eq!(game.outcome(), None, "{turn}");
    }
    // The start's board for the third time with seat 1 to move: at first, after four turns and
    // after eight.
    play(&mut game, "e3-e4");
    assert_eq!(game.outcome().unwrap().reason, "repetition");
}

#[test]
fn towers_of_one_kind_are_all_the_same_to_repetition() {
    let mut game = load(json!({}), report(1));
    // The two light towers change places by way of other tiles, and come back so.
    let turns = ["c3-c1", "pass", "e2-d1", "pass", "c1-e2", "b6~a6", "d1-c1", "a6~b6", "c1-c3"];
    for turn in turns {
        play(&mut game, turn);
        assert_eq!(game.outcome(), None, "{turn}");
    }
    assert_eq!(game.rows(), load(json!({}), report(2)).rows());
}

#[test]
fn the_turn_limit_ends_the_game() {
    let mut game = load(json!({"turn_limit": 3}), report(1));
    for turn in ["c3-b3", "pass"] {
        play(&mut game, turn);
        assert_eq!(game.outcome(), None);
    }
    play(&mut game, "xe1");
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "turn_limit")));
}

#[test]
fn set_up_actions_do_not_count_as_turns() {
    let mut game = load(json!({"turn_limit": 1}), before_towers());
    for action in ["L@e2", "D@e4", "L@c3", "D@b6", "dark"] {
        play(&mut game, action);
        assert_eq!(game.outcome(), None);
    }
    play(&mut game, "pass");
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "turn_limit")));
}

#[test]
fn passes_come_before_repetition_and_repetition_before_the_turn_limit() {
    // Passing twice each brings the position back for the third time at the fourth turn.
    let mut game = load(json!({"turn_limit": 4}), report(1));
    for _ in 0..4 {
        play(&mut game, "pass");
    }
    assert_eq!(game.outcome().unwrap().reason, "initiative");
    let mut game = load(json!({"turn_limit": 8}), report(1));
    for turn in ["c3-b3", "e4-e3", "b3-c3", "e3-e4", "c3-b3", "e4-e3", "b3-c3", "e3-e4"] {
        play(&mut game, turn);
    }
    assert_eq!(game.outcome().unwrap().reason, "repetition");
}

#[test]
fn moves_are_refused_in_words() {
    let game = load(json!({}), report(1));
    refused(&game, "c3-c6", "c6 is not on the light or the circle island that c3 belongs to");
    refused(&game, "c3-e2", "there is a tower on e2 already");
    refused(&game, "c3-d4", "there is no tile on d4");
    refused(&game, "c3-c3", "c3 is where it stands: go to another cell, or pass");
    refused(&game, "d4-c3", "there is no tile on d4");
    refused(&game, "c2-c3", "there is no tower on c2");
    refused(&game, "e4-e3", "the tower on e4 is not yours: you play light");
    refused(&game, "c3-h3", "h3 is not on the board, which goes from a1 to g7");
    refused(&game, "c255-c3", "c255 is not on the board, which goes from a1 to g7");
    let dark = load(json!({}), report(2));
    refused(&dark, "e4-a3", "a3 is not on the square island that e4 belongs to");
    refused(&dark, "c3-b3", "the tower on c3 is not yours: you play dark");
}

#[test]
fn sinks_are_refused_in_words() {
    let game = load(json!({}), report(1));
    refused(&game, "xd4", "there is no tile on d4");
    refused(&game, "xe4", "a tile with a tower does not sink, and there is one on e4");
    refused(&game, "xg4", "g4 is not next to a tile with a tower of yours");
    refused(&game, "xb3", "b3 has tiles on all four sides: only a tile with an open side can sink");
    refused(&game, "xa9", "a9 is not on the board, which goes from a1 to g7");
    let game = load(json!({}), slides(1));
    refused(&game, "xb5", "without b5 the tiles would not be connected");
}

#[test]
fn slides_are_refused_in_words() {
    let game = load(json!({}), slides(2));
    refused(&game, "e2~f2", "f2 is outside the smallest rectangle around the tiles, a1 to e6");
    refused(&game, "a6~a7", "a7 is outside the smallest rectangle around the tiles, a1 to e6");
    refused(&game, "e2~b2", "b2 is taken: a tile slides to an empty cell (a tower alone moves so: e2-b2)");
    refused(&game, "e2~e4", "with the tile of e2 on e4 the tiles would not be connected");
    refused(&game, "e2~e2", "e2 is where it stands: go to another cell, or pass");
    refused(
        &game,
        "e2~a1",
        "no way leads from e2 to a1 through empty cells inside the rectangle around the tiles",
    );
    refused(&game, "b4~d4", "the tower on b4 is not yours: you play dark");
    refused(&game, "b5~d4", "there is no tower on b5");
    refused(&game, "c3~d4", "there is no tile on c3");
}

#[test]
fn what_is_no_turn_is_told_what_a_turn_looks_like() {
    let game = load(json!({}), report(1));
    let shape =
        "now move a tower (c3-e2), sink a tile (xe1), slide a tile with its tower (b4~d4) or pass (pass)";
    for text in [
        "", " ", "pass ", "passe", "c3", "x", "xx", "c3-", "-c3", "c3~", "c3-b3-c3", "c03-b3", "L@c3",
        "light", "ж", "x٣",
    ] {
        refused(&game, text, shape);
    }
    refused(&game, &"x".repeat(100_000), shape);
    assert!(game.read("PASS").is_ok() && game.read("XE1").is_ok() && game.read("C3-b3").is_ok());
}

/// The pictures in the rules for people say these things.
#[test]
fn the_examples_in_the_rules_are_right() {
    let mut start = lone_circle(1);
    start["rows"][0] = json!("lc lcL dsD dc . . .");
    let game = load(json!({}), start);
    let moves: Vec<String> = legal(&game).into_iter().filter(|action| action.starts_with("b1-")).collect();
    assert_eq!(moves, ["b1-a1", "b1-a2", "b1-b2", "b1-c2", "b1-c3", "b1-d3"]);
    for (to_move, expected) in [(1, vec!["b3~b2"]), (2, vec!["b1~b2", "c2~b2"])] {
        let game = load(json!({}), drifting(to_move));
        let slides: Vec<String> = legal(&game).into_iter().filter(|action| action.contains('~')).collect();
        assert_eq!(slides, expected);
    }
    refused(
        &load(json!({}), drifting(2)),
        "c2~d2",
        "d2 is outside the smallest rectangle around the tiles, a1 to c3",
    );
}

#[test]
fn turns_are_told_as_events() {
    let mut game = load(json!({}), slides(1));
    let words = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>();
    let events = play(&mut game.clone(), "b4~d4");
    let path = words(&["b4", "c4", "d4"]);
    assert_eq!(events[0].what, Happening::Drifted { piece: "lcL".into(), path });
    assert_eq!(json!(events[0].set), json!({"b4": ".", "d4": "lcL"}));
    let events = play(&mut game.clone(), "b4-b6");
    let path = words(&["b4", "b5", "b6"]);
    assert_eq!(events[0].what, Happening::Moved { piece: "L".into(), path });
    assert_eq!(json!(events[0].set), json!({"b4": "lc", "b6": "lcL"}));
    let events = play(&mut game, "pass");
    let said = Happening::Said { seat: Seat::One, word: "pass".into(), text: "Seat 1 passes.".into() };
    assert_eq!(events, [said.into()]);
    let mut game = load(json!({}), before_towers());
    let events = play(&mut game, "D@c2");
    assert_eq!(events[0].what, Happening::Placed { piece: "D".into(), cell: "c2".into() });
    assert_eq!(json!(events[0].set), json!({"c2": "dcD"}));
}

#[test]
fn paths_go_from_cell_to_cell_through_what_lets_them_pass() {
    let mut random = Random::new(5);
    for seed in 0..20 {
        let mut game = new_game(json!({}), seed);
        while game.outcome().is_none() {
            let mut after = game.clone();
            play_at_random_with(&mut after, &mut random, |events| check_paths(&game, events));
            game = after;
        }
    }
}

fn check_paths(game: &Syrtis, events: &[Event]) {
    let (path, over_tiles) = match &events[0].what {
        Happening::Moved { path, .. } => (path, true),
        Happening::Drifted { path, .. } => (path, false),
        _ => return,
    };
    let tiles = tiles(game);
    let cells: Vec<Cell> = path.iter().map(|cell| cell.parse::<Cell>().unwrap()).collect();
    for pair in cells.windows(2) {
        let steps = pair[0].column.abs_diff(pair[1].column) + pair[0].row.abs_diff(pair[1].row);
        assert_eq!(steps, 1, "{path:?}");
        assert_eq!(tiles.contains_key(&(pair[1].column, pair[1].row)), over_tiles, "{path:?}");
    }
}

#[test]
fn details_say_what_an_action_is() {
    let detail = |game: &Syrtis, text: &str| {
        let detail = game.detail(game.read(text).unwrap());
        (detail.kind, detail.cells.join(" "), detail.text)
    };
    let expect = |kind: &str, cells: &str, text: &str| (kind.to_owned(), cells.to_owned(), text.to_owned());
    let game = load(json!({}), slides(1));
    let sentence = "Move the light tower from b4 to the light circle on b6.";
    assert_eq!(detail(&game, "b4-b6"), expect("move", "b4 b6", sentence));
    let sentence = "Slide the light circle with its tower from b4 to d4.";
    assert_eq!(detail(&game, "b4~d4"), expect("slide", "b4 d4", sentence));
    assert_eq!(detail(&game, "xc5"), expect("sink", "c5", "Sink the light square on c5."));
    assert_eq!(detail(&game, "pass"), expect("pass", "", "Pass."));
    let mut game = load(json!({}), before_towers());
    let sentence = "Place a dark tower on the dark circle on c2.";
    assert_eq!(detail(&game, "d@c2"), expect("tower", "c2", sentence));
    for tower in ["L@e2", "D@e4", "L@c3", "D@b6"] {
        play(&mut game, tower);
    }
    let sentence = "Take light: light tiles and circles are yours, and you begin.";
    assert_eq!(detail(&game, "Light"), expect("side", "", sentence));
}

#[test]
fn prompts_name_what_can_be_done() {
    let prompt = |start| load(json!({}), start).prompt();
    assert_eq!(prompt(report(1)), "Light’s turn: move a tower, sink a tile, or pass.");
    assert_eq!(prompt(report(2)), "Dark’s turn: move a tower, slide a tile with its tower, or pass.");
    assert_eq!(prompt(slides(2)), "Dark’s turn: slide a tile with its tower, or pass.");
    assert_eq!(
        prompt(slides(1)),
        "Light’s turn: move a tower, sink a tile, slide a tile with its tower, or pass."
    );
}

#[test]
fn the_board_in_plain_text() {
    let text = load(json!({}), slides(2)).render(Charset::Unicode.into());
    assert!(text.starts_with("    |  a  |  b  |  c  |"), "{text}");
    assert!(text.contains("  2 |     |  ds |  dc |  lc | Dds |     |     |\n"), "{text}");
    assert!(text.contains("  4 |     | Llc |"), "{text}");
    assert!(text.contains("Seat 2, dark, to move."), "{text}");
    let text = load(json!({}), slides(2)).render(Drawing { charset: Charset::Unicode, turned: true });
    assert!(text.starts_with("    |  g  |  f  |  e  |"), "{text}");
    assert!(text.contains("  2 |     |     | Dds |  lc |  dc |  ds |     |\n"), "{text}");
}

/// Whose a fact is goes before it, but not before a fact that begins with that.
#[test]
fn what_counts_is_said_once() {
    let words = tabuleiro_engine::session::Position::in_words(&load(json!({}), report(1)));
    for line in ["\nLight: 6 islands", "\nLight, circles: ", "\nDark: ", "\nDark, sunk in a row: 0 of 4."] {
        assert!(words.contains(line), "{line}: {words}");
    }
}

#[test]
fn loaded_counts_are_taken_over() {
    let mut start = report(2);
    start["light"] = json!(2);
    start["sinks"] = json!([0, 3]);
    start["passes"] = json!([3, 1]);
    start["streak"] = json!(3);
    start["last_sinker"] = json!(2);
    let game = load(json!({}), start);
    assert_eq!(game.sides(), [Some("dark"), Some("light")]);
    assert_eq!(game.to_move(), Seat::Two);
    let counters = json!({"sinks": [0, 3], "passes": [3, 1], "streak": 3, "last_sinker": 2});
    assert_eq!(Value::from(game.counters()), counters);
    let plain = load(json!({}), report(2));
    let counters = json!({"sinks": [0, 0], "passes": [0, 0], "streak": 0, "last_sinker": null});
    assert_eq!(Value::from(plain.counters()), counters);
    assert_eq!(plain.sides(), [Some("light"), Some("dark")]);
}

#[test]
fn every_count_is_part_of_the_hash() {
    let mut starts = vec![report(1), report(2)];
    let members = [
        ("light", json!(2)),
        ("sinks", json!([1, 0])),
        ("sinks", json!([0, 1])),
        ("passes", json!([1, 0])),
        ("passes", json!([0, 1])),
        ("streak", json!(1)),
        ("last_sinker", json!(1)),
        ("last_sinker", json!(2)),
    ];
    for (name, value) in members {
        let mut start = report(1);
        start[name] = value;
        starts.push(start);
    }
    let count = starts.len();
    let hashes: BTreeSet<u64> = starts.into_iter().map(|start| load(json!({}), start).hash()).collect();
    assert_eq!(hashes.len(), count);
    // The turns played matter where there is a limit to them, and only there.
    for (turn_limit, same) in [(300, false), (0, true)] {
        let game = load(json!({"turn_limit": turn_limit}), report(1));
        let mut later = game.clone();
        for turn in ["c3-b3", "e4-e3", "b3-c3", "e3-e4"] {
            play(&mut later, turn);
        }
        assert_eq!(game.hash() == later.hash(), same);
    }
}

#[test]
fn loaded_counts_out_of_bounds_are_refused() {
    let cases = [
        ("sinks", json!([4, 0]), "sinks: from 0 to 3 while the game goes on, and not 4"),
        ("passes", json!([0, 4]), "passes: from 0 to 3 while the game goes on, and not 4"),
        ("streak", json!(2), "streak: from 0 to 1 while the game goes on, and not 2"),
        ("streak", json!(255), "streak: from 0 to 1 while the game goes on, and not 255"),
    ];
    for (name, value, reason) in cases {
        let mut start = report(1);
        start[name] = value;
        let refusal = refused_load(json!({"passes": 1}), start);
        assert_eq!(refusal, SetupError::position(reason));
    }
    let mut start = report(1);
    start["streak"] = json!(3);
    load(json!({"passes": 2}), start);
}

#[test]
fn loaded_counts_that_contradict_each_other_are_refused() {
    let cases = [
        (json!({"sinks": [3, 3]}), "sinks: each counts the tiles since the other's last one"),
        (json!({"sinks": [1, 2], "last_sinker": 2}), "sinks: each counts the tiles since"),
        (json!({"sinks": [0, 2], "last_sinker": 1}), "last_sinker: seat 1 sank the last tile"),
        (json!({"sinks": [0, 0], "last_sinker": 2}), "last_sinker: seat 2 sank the last tile"),
        (json!({"passes": [0, 0], "streak": 1}), "streak: with passes [0,0] and seat 1 to move it is 0"),
        (json!({"passes": [0, 2], "streak": 2}), "streak: with passes [0,2] and seat 1 to move it is 1"),
        (json!({"passes": [2, 0], "streak": 1}), "streak: with passes [2,0] and seat 1 to move it is 0"),
        (json!({"passes": [1, 3], "streak": 0}), "streak: with passes [1,3] and seat 1 to move it is 3"),
        (json!({"passes": [2, 2]}), "passes: with [2,2] and seat 1 to move the last 4 turns were passes"),
        (json!({"passes": [3, 3], "streak": 3}), "passes: with [3,3] and seat 1 to move the last 6 turns"),
    ];
    let with = |extras: &Value| {
        let mut start = report(1);
        start.as_object_mut().unwrap().extend(extras.as_object().unwrap().clone());
        start
    };
    for (extras, beginning) in cases {
        match refused_load(json!({}), with(&extras)) {
            SetupError::BadPosition { cell: None, reason } => {
                assert!(reason.starts_with(beginning), "{extras}: {reason}")
            }
            other => panic!("{extras}: {other}"),
        }
    }
    // What ends the game depends on the option.
    let passes = with(&json!({"passes": [1, 1], "streak": 2}));
    load(json!({"passes": 2}), passes);
    refused_load(json!({"passes": 1}), with(&json!({"passes": [1, 1]})));
    // A member that is left out contradicts nothing.
    for extras in [json!({"sinks": [0, 3]}), json!({"last_sinker": 1}), json!({"streak": 3})] {
        load(json!({}), with(&extras));
    }
}

/// What a game really comes to is never refused.
#[test]
fn the_counts_of_every_game_under_way_can_be_loaded() {
    for seed in 0..40 {
        let options = json!({"layout": "minor", "passes": 1 + seed % 2});
        let mut game = new_game(options.clone(), seed);
        let mut random = Random::new(seed);
        let mut scratch = Vec::new();
        while let Some(action) = game.random_action(&mut random, &mut scratch) {
            // Random games hardly ever pass.
            let pass = game.phase() == "play" && random.below(2) == 0;
            game.play(if pass { Action::Pass } else { action });
            if game.phase() == "play" && game.outcome().is_none() {
                let light = if game.sides()[0] == Some("light") { 1 } else { 2 };
                let mut start = json!({"rows": game.rows(), "to_move": game.to_move(), "light": light});
                let counters = game.counters();
                start.as_object_mut().unwrap().extend(Value::from(counters).as_object().unwrap().clone());
                load(options.clone(), start);
            }
        }
    }
}

#[test]
fn members_of_a_wrong_type_are_named() {
    let cases = [
        ("sinks", json!(3)),
        ("sinks", json!([1])),
        ("sinks", json!([1, 2, 3])),
        ("sinks[0]", json!(["1", 2])),
        ("sinks[1]", json!([0, -1])),
        ("passes", json!({"1": 0})),
        ("passes[0]", json!([0.5, 0])),
        ("streak", json!("1")),
        ("streak", json!([1, 1])),
        ("streak", json!(u64::MAX)),
        ("light", json!("light")),
        ("light", json!(3)),
        ("light", json!(0)),
        ("last_sinker", json!(257)),
        ("last_sinker", json!(-1)),
    ];
    for (place, value) in cases {
        let mut start = report(1);
        start[place.split('[').next().unwrap()] = value;
        let wrong = shape::read::<Start>(start, Unknown::Ignored).expect_err(place);
        assert_eq!(wrong.field, place);
    }
    let mut start = report(1);
    start.as_object_mut().unwrap().remove("to_move");
    assert!(
        matches!(refused_load(json!({}), start), SetupError::BadField { field, .. } if field == "start.to_move")
    );
}

#[test]
fn positions_that_break_a_rule_are_refused_with_the_cell() {
    // Each changes one row of the report's board.
    let cases = [
        (1, ". . lc ls xx . .", Some("e1"), "e1 holds no known sign"),
        (1, ". . lc ls LS . .", Some("e1"), "e1 holds no known sign"),
        (1, ". . lc ls lsT . .", Some("e1"), "e1 holds no known sign"),
        (1, ". . lc ls lsLL . .", Some("e1"), "e1 holds no known sign"),
        (1, ". . lc ls lé . .", Some("e1"), "e1 holds no known sign"),
        (1, ". . lc lsL ls . .", Some("c3"), "there are only two light towers"),
        (7, ". . dc dc dsD . .", Some("e7"), "there are only two dark towers"),
        (2, ". dsL dc ds lc dc .", Some("b2"), "a light tower stands on light tiles or circles"),
        (1, ". . lcD ls ls . .", Some("c1"), "a dark tower stands on dark tiles or squares"),
        (7, ". . lc dc ds . .", Some("c7"), "there are only 9 tiles with a light circle"),
        (3, "dc ls lc ls ds lc lc", None, "here there are 3"),
        (1, ". . lc ls ls .", None, "row 1 has 6 cells"),
        (1, ". . lc ls  ls . .", None, "row 1 has 8 cells"),
    ];
    for (row, tokens, cell, reason) in cases {
        let mut start = report(1);
        start["rows"][row - 1] = json!(tokens);
        match refused_load(json!({}), start) {
            SetupError::BadPosition { cell: at, reason: why } => {
                assert_eq!(at.as_deref(), cell, "{tokens}: {why}");
                assert!(why.contains(reason), "{tokens}: {why}");
            }
            other => panic!("{tokens}: {other:?}"),
        }
    }
    let mut start = report(1);
    start["rows"].as_array_mut().unwrap().pop();
    assert_eq!(refused_load(json!({}), start), SetupError::position("the board has 7 rows, not 6"));
    let refusal = refused_load(json!({"layout": "minor"}), report(1));
    assert_eq!(refusal, SetupError::position("the board has 5 rows, not 7"));
}

#[test]
fn tiles_must_hang_together() {
    // Over a corner is not together.
    let rows = ["lcL lsD . . .", ". . lsL . .", ". . dsD . .", ". . . . .", ". . . . ."];
    let refusal = refused_load(json!({"layout": "minor"}), json!({"rows": rows, "to_move": 1}));
    let reason = "the tiles are not connected: there is no way from a1 to c2";
    assert_eq!(refusal, SetupError::at("c2", reason));
}

#[test]
fn positions_without_towers_must_be_as_they_are_laid_out() {
    let cases = [
        (1, ". . . ls ls . .", "c1", "tile 31 is missing on c1"),
        (1, "lc . . ls ls . .", "a1", "no tile has its place on a1"),
        (1, ". . ls ls lc . .", "e7", "tiles 31 and 32 on c1 and e7 are a pair"),
    ];
    for (row, tokens, cell, reason) in cases {
        let mut start = before_towers();
        start["rows"][row - 1] = json!(tokens);
        match refused_load(json!({}), start) {
            SetupError::BadPosition { cell: at, reason: why } => {
                assert_eq!(at.as_deref(), Some(cell), "{why}");
                assert!(why.contains(reason), "{why}");
            }
            other => panic!("{other:?}"),
        }
    }
    let empty = json!({"rows": vec![". . . . ."; 5]});
    let refusal = refused_load(json!({"layout": "minor"}), empty);
    assert!(matches!(refusal, SetupError::BadPosition { cell: Some(cell), .. } if cell == "c1"));
}

#[test]
fn positions_without_towers_go_on_with_the_set_up() {
    for to_move in [Value::Null, json!(1), json!(2)] {
        let mut start = before_towers();
        start["to_move"] = to_move;
        let game = load(json!({}), start);
        assert_eq!((game.phase(), game.to_move()), ("towers", Seat::One));
    }
    let drawn = new_game(json!({"layout": "minor"}), first_seed_to_swap());
    assert_eq!(load(json!({"layout": "minor"}), json!({"rows": drawn.rows()})), drawn);
}

#[test]
fn positions_with_islands_are_over_on_loading() {
    let cases = [
        // Circles complete.
        (["lcL dcD lsL . .", "ls lc dsD . .", ". . . . .", ". . . . .", ". . . . ."], json!({}), 1, "island"),
        // The same, with seat 2 as light.
        (
            ["lcL dcD lsL . .", "ls lc dsD . .", ". . . . .", ". . . . .", ". . . . ."],
            json!({"light": 2}),
            2,
            "island",
        ),
        // Light and dark complete: the initiative is light's, or the last sinker's.
        (
            ["lcL lsL . . .", "dcD dsD . . .", ". . . . .", ". . . . .", ". . . . ."],
            json!({}),
            1,
            "initiative",
        ),
        (
            ["lcL lsL . . .", "dcD dsD . . .", ". . . . .", ". . . . .", ". . . . ."],
            json!({"light": 2}),
            2,
            "initiative",
        ),
        (
            ["lcL lsL . . .", "dcD dsD . . .", ". . . . .", ". . . . .", ". . . . ."],
            json!({"last_sinker": 2}),
            2,
            "initiative",
        ),
    ];
    for (rows, extras, winner, reason) in cases {
        let mut start = json!({"rows": rows, "to_move": 1});
        start.as_object_mut().unwrap().extend(extras.as_object().unwrap().clone());
        let game = load(json!({"layout": "minor"}), start);
        assert_eq!(game.outcome(), Some(Outcome::won(Seat::try_from(winner).unwrap(), reason)));
        assert!(legal(&game).is_empty());
    }
}

#[test]
fn a_colour_of_which_nothing_is_left_is_not_complete() {
    // All tiles are light; the squares are in three parts.
    let rows = ["lsD lcL ls . .", ". lcL . . .", ". lsD lc . .", ". . . . .", ". . . . ."];
    let game = load(json!({"layout": "minor"}), json!({"rows": rows, "to_move": 1}));
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "island")));
    // The only dark tile is a complete colour, as are the circles: both sides.
    let rows = ["lsD lcL lsD . .", ". lcL . . .", ". dc . . .", ". ls . . .", ". . . . ."];
    let game = load(json!({"layout": "minor"}), json!({"rows": rows, "to_move": 1}));
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "initiative")));
}

#[test]
fn the_evaluation_likes_sinks_tiles_and_islands() {
    let worth = |game: &Syrtis| game.evaluate(Seat::One, &game.shipped_weights());
    let value = |extras: Value| {
        let mut start = report(1);
        start.as_object_mut().unwrap().extend(extras.as_object().unwrap().clone());
        worth(&load(json!({}), start))
    };
    let plain = value(json!({}));
    let sunk = |seat: usize, count: u8| {
        let mut sinks = [0; 2];
        sinks[seat - 1] = count;
        value(json!({"sinks": sinks, "last_sinker": seat}))
    };
    assert!(sunk(1, 1) > plain && plain > sunk(2, 1));
    assert!(sunk(1, 3) > sunk(1, 2) && sunk(1, 2) > sunk(1, 1));
    // What is one turn short of being complete is a win, and never left to an evaluation.
    assert!(load(json!({}), lone_circle(1)).wins_at_once());
}

#[test]
fn players_get_the_set_up_done_and_leave_no_win_at_once() {
    for layout in ["minor", "major"] {
        let new_game = |seed| new_game(json!({"layout": layout}), seed);
        let to_swap = (0..200).filter(|&seed| new_game(seed).phase() == "swap");
        for seed in (0..15).chain(to_swap.take(15)) {
            let mut game = new_game(seed);
            let request = SearchRequest::new(Level::Novice, seed);
            let choice = search::choose(&game, &request, &mut Control::silent());
            for action in choice.actions {
                play(&mut game, &action);
            }
            assert_eq!(game.phase(), "choose");
            assert!(!game.wins_at_once(), "{}", game.render(Charset::Ascii.into()));
        }
    }
}

/// Looks at the positions of random games with all kinds of options.
fn in_random_games(games: u64, mut look: impl FnMut(&Syrtis)) {
    for seed in 0..games {
        let layout = if seed % 2 == 0 { "major" } else { "minor" };
        let turn_limit = if seed % 3 == 0 { 12 } else { 300 };
        let given = json!({"layout": layout, "passes": 1 + seed % 4 / 2, "turn_limit": turn_limit});
        let mut game = new_game(given, seed);
        let mut random = Random::new(seed);
        while game.outcome().is_none() {
            look(&game);
            play_at_random(&mut game, &mut random, 1);
        }
    }
}

#[test]
fn a_win_at_once_is_seen_exactly_where_some_turn_wins() {
    let mut wins = BTreeMap::new();
    in_random_games(600, |game| {
        let seat = game.to_move();
        let reasons =
            outcomes(game).filter(|outcome| outcome.winner == Some(seat)).map(|outcome| outcome.reason);
        let reasons: BTreeSet<&str> = reasons.collect();
        assert_eq!(
            game.wins_at_once(),
            !reasons.is_empty(),
            "{reasons:?}\n{}",
            game.render(Charset::Ascii.into())
        );
        for reason in reasons {
            *wins.entry(reason).or_insert(0) += 1;
        }
    });
    for reason in ["quicksand", "island", "initiative", "repetition", "turn_limit"] {
        assert!(wins.get(reason).is_some_and(|&count| count >= 5), "{reason} is tried too seldom: {wins:?}");
    }
}

/// How the game ends by the turns that end it.
fn outcomes(game: &Syrtis) -> impl Iterator<Item = Outcome> {
    let games = if game.phase() == "choose" { vec![after(game, "light")] } else { vec![game.clone()] };
    games
        .into_iter()
        .flat_map(|game| legal(&game).into_iter().filter_map(move |action| after(&game, &action).outcome()))
}

fn after(game: &Syrtis, action: &str) -> Syrtis {
    let mut game = game.clone();
    game.play(game.read(action).expect("a legal action"));
    game
}

#[test]
fn forced_wins_win_whatever_the_enemy_answers() {
    let mut longer = 0;
    in_random_games(150, |game| {
        if forced_turn(game).is_some() {
            longer += u32::from(!game.wins_at_once());
            follow_forced_win(game, 12);
        }
    });
    assert!(longer >= 20, "{longer} wins in more than one turn");
}

fn forced_turn(game: &Syrtis) -> Option<Action> {
    let mut left = 300;
    let turn = game.forced_win(&mut || {
        left -= 1;
        left > 0
    });
    turn.map(|turn| turn[0])
}

/// Plays a forced win against every answer, to the end of the game.
fn follow_forced_win(game: &Syrtis, most_turns: u32) {
    let seat = game.to_move();
    assert!(most_turns > 0, "a forced win without end:\n{}", game.render(Charset::Ascii.into()));
    // With no bound: what follows a forced win that was found within one may take a little more.
    let turn = game.forced_win(&mut || true).expect("what was forced is still forced");
    let mut after = game.clone();
    after.play(turn[0]);
    let mut answers = Vec::new();
    after.actions(&mut answers);
    assert!(after.outcome().is_none_or(|outcome| outcome.winner == Some(seat)));
    for answer in answers {
        let mut next = after.clone();
        next.play(answer);
        match next.outcome() {
            Some(outcome) => {
                assert_eq!(outcome.winner, Some(seat), "{}", after.render(Charset::Ascii.into()))
            }
            None => follow_forced_win(&next, most_turns - 1),
        }
    }
}

#[test]
fn the_rules_for_people_name_every_option() {
    for option in Syrtis::options() {
        assert!(Syrtis::RULES.contains(&format!("`{}`", option.name)), "{}", option.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn any_text_is_read_or_refused(text in any_text(), game in 0usize..6) {
        let game = &SOME_GAMES.with(Clone::clone)[game];
        match game.read(&text) {
            Ok(action) => prop_assert!(legal(game).contains(&game.write(action))),
            Err(refusal) => {
                prop_assert!(!refusal.to_string().is_empty());
                prop_assert!(!legal(game).contains(&text));
            }
        }
    }
}

/// Anything at all, and things that look much like actions.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-hxA-H][0-9]{1,2}[-~][a-hA-H][0-9]{1,2}",
        "[xX][a-hA-H][0-9]{1,3}",
        "[lLdD]@[a-hA-H][0-9]{1,2}",
        "[0-9]{1,3}<>[0-9]{1,3}",
        "(pass|light|dark|PASS|lightdark){1,2}",
    ]
}

thread_local! {
    /// A game in each phase, and on each side.
    static SOME_GAMES: Vec<Syrtis> = {
        let mut to_choose = load(json!({}), before_towers());
        for tower in ["L@e2", "D@e4", "L@c3", "D@b6"] {
            play(&mut to_choose, tower);
        }
        let mut over = load(json!({}), lone_circle(1));
        play(&mut over, "xd1");
        vec![
            new_game(json!({"layout": "minor"}), first_seed_to_swap()),
            load(json!({}), before_towers()),
            to_choose,
            load(json!({}), slides(1)),
            load(json!({}), slides(2)),
            over,
        ]
    };
}

/// The board that the report shows, with towers.
fn report(to_move: u8) -> Value {
    json!({
        "rows": [
            ". . lc ls ls . .",
            ". ds dc ds lcL dc .",
            "dc ls lcL ls ds lc lc",
            "ds dc dc . lsD ls lc",
            "ds ds lc dc ds dc ls",
            ". lsD ds lc ls lc .",
            ". . dc dc ds . ."
        ],
        "to_move": to_move
    })
}

/// The same before its towers were placed.
fn before_towers() -> Value {
    let mut start = report(1);
    for row in start["rows"].as_array_mut().unwrap() {
        *row = json!(row.as_str().unwrap().replace(['L', 'D'], ""));
    }
    start
}

/// The report's board that explains slides.
fn slides(to_move: u8) -> Value {
    json!({
        "rows": [
            ". . . ls . . .",
            ". ds dc lc dsD . .",
            ". ds . dc . . .",
            ". lcL . . . . .",
            ". dc ls lc . . .",
            "lsD lc lcL ds . . .",
            ". . . . . . ."
        ],
        "to_move": to_move
    })
}

/// The board that explains slides in the rules for people.
fn drifting(to_move: u8) -> Value {
    json!({
        "rows": [
            "lc dsD lc . . . .",
            "ds . dcD . . . .",
            "lsL lcL ls . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . ."
        ],
        "to_move": to_move
    })
}

fn first_seed_to_swap() -> u64 {
    (0..).find(|&seed| new_game(json!({"layout": "minor"}), seed).phase() == "swap").unwrap()
}

fn new_game(given: Value, seed: u64) -> Syrtis {
    Syrtis::start(&options::<Syrtis>(&given), seed)
}

fn load(given: Value, start: Value) -> Syrtis {
    let start = serde_json::from_value(start).expect("a start");
    Syrtis::set_up(&options::<Syrtis>(&given), &start).unwrap_or_else(|error| panic!("{error}"))
}

fn refused_load(given: Value, start: Value) -> SetupError {
    let start = serde_json::from_value(start).expect("a start");
    Syrtis::set_up(&options::<Syrtis>(&given), &start).expect_err("no such position")
}

/// Plays an action and gives its events.
fn play(game: &mut Syrtis, text: &str) -> Vec<Event> {
    let action = game.read(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    let before = game.clone();
    game.play(action);
    before.events(action, game)
}

fn play_at_random(game: &mut Syrtis, random: &mut Random, actions: usize) {
    for _ in 0..actions {
        if game.outcome().is_none() {
            play_at_random_with(game, random, |_| ());
        }
    }
}

fn play_at_random_with(game: &mut Syrtis, random: &mut Random, look: impl FnOnce(&[Event])) {
    let action = game.random_action(random, &mut Vec::new()).expect("the game is not over");
    let before = game.clone();
    game.play(action);
    look(&before.events(action, game));
}

fn refused(game: &Syrtis, text: &str, why: &str) {
    match game.read(text) {
        Ok(action) => panic!("{text} was read as {action:?}"),
        Err(refusal) => assert_eq!(refusal.to_string(), why, "{text}"),
    }
}

/// The tiles by column and row.
fn tiles(game: &Syrtis) -> BTreeMap<(u8, u8), String> {
    let mut tiles = BTreeMap::new();
    for (row, tokens) in (0..).zip(game.rows()) {
        for (column, token) in (0..).zip(tokens.split(' ')) {
            if token != "." {
                tiles.insert((column, row), token.to_owned());
            }
        }
    }
    tiles
}
