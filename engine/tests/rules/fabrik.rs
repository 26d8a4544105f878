//! The rules of Fabrik, one by one.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};
use tabuleiro_engine::game::{Charset, Describe, Drawing, Game, GameOptions, Outcome, SetupError};
use tabuleiro_engine::games::fabrik::Fabrik;
use tabuleiro_engine::random::Random;
use tabuleiro_engine::search::{Evaluate, Hints};
use tabuleiro_engine::testing::{self, legal, options};
use tabuleiro_protocol::Cell;
use tabuleiro_protocol::{Event, Happening, Seat, Start};

fn start(options_json: Value) -> Fabrik {
    Fabrik::start(&options::<Fabrik>(&options_json), 0)
}

fn try_load(options_json: Value, to_move: Option<Seat>, rows: &[&str]) -> Result<Fabrik, SetupError> {
    let rows = rows.iter().map(|row| row.to_string()).collect();
    Fabrik::set_up(&options::<Fabrik>(&options_json), &Start { rows, to_move, ..Start::default() })
}

/// The same board at the start of a turn.
fn load_rows_of(game: &Fabrik, to_move: Seat) -> Fabrik {
    let rows = game.rows();
    load(json!({}), to_move, &rows.iter().map(String::as_str).collect::<Vec<_>>())
}

fn load(options_json: Value, to_move: Seat, rows: &[&str]) -> Fabrik {
    try_load(options_json, Some(to_move), rows).expect("a position of the game")
}

fn play(mut game: Fabrik, actions: &[&str]) -> Fabrik {
    for text in actions {
        let action = game.read(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        game.play(action);
    }
    game
}

/// A game whose workers are on d3 and g8, as in the report's figure 2, before the choice.
fn figure_2() -> Fabrik {
    play(start(json!({})), &["w@d3", "w@g8"])
}

fn refusal(game: &Fabrik, text: &str) -> String {
    match game.read(text) {
        Ok(action) => panic!("{text} was read as {action:?}"),
        Err(refusal) => refusal.to_string(),
    }
}

/// Two cells are left: b1, and e5 where nobody sees anything. The worker on c3 is walled in.
const WALLED_IN: [&str; 5] = ["* . b w b", "b w b w b", "w b * b w", "b w b w b", "w b w b ."];
/// Both workers see b1, and nothing else is empty.
const ONE_CELL: [&str; 5] = ["* . * b w", "b w b w b", "w b w b w", "b w b w b", "w b w b w"];
/// The worker on e5 is walled in and has to come out first.
const FAR_APART: [&str; 5] = ["* . . b w", "b w b w b", "w b w b w", "b w b w b", "w b w b *"];

/// On 5x5 nobody can have six in a line: these games end when somebody is stuck.
fn no_lines(rules: &str) -> Value {
    json!({"size": 5, "goal": 6, "rules": rules})
}

/// What workers see, cell by cell.
struct Plain {
    cells: Vec<Vec<String>>,
}

impl Plain {
    fn new(rows: &[String]) -> Plain {
        Plain { cells: rows.iter().map(|row| row.split(' ').map(String::from).collect()).collect() }
    }

    fn size(&self) -> u8 {
        self.cells.len() as u8
    }

    fn at(&self, cell: Cell) -> &str {
        &self.cells[cell.row as usize][cell.column as usize]
    }

    fn all(&self, token: &str) -> Vec<Cell> {
        let size = self.size();
        (0..size)
            .flat_map(|row| (0..size).map(move |column| Cell::new(column, row)))
            .filter(|&cell| self.at(cell) == token)
            .collect()
    }

    fn sight(&self, from: Cell) -> BTreeSet<Cell> {
        let mut seen = BTreeSet::new();
        for (columns, rows) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
            let mut here = from;
            while let Some(next) = here.offset(columns, rows, self.size(), self.size()) {
                if self.at(next) != "." {
                    break;
                }
                seen.insert(next);
                here = next;
            }
        }
        seen
    }

    fn placements(&self) -> BTreeSet<Cell> {
        let workers = self.all("*");
        &self.sight(workers[0]) & &self.sight(workers[1])
    }
}

#[test]
fn what_stands_on_a_board_has_a_name() {
    let names = ["b", "w", "*"].map(Fabrik::things);
    assert_eq!(names, ["Black stones", "White stones", "Workers"]);
}

#[test]
fn random_actions_are_uniform() {
    let (official, report) = (no_lines("official"), no_lines("report"));
    let games = [
        start(json!({"size": 6})),
        play(start(json!({"size": 6})), &["w@c3"]),
        figure_2(),
        play(figure_2(), &["white"]),
        play(figure_2(), &["black", "@d8"]),
        play(figure_2(), &["black", "@d8", "g8-e1"]),
        play(start(json!({"size": 5, "rules": "report"})), &["w@a1", "w@c2"]),
        load(official.clone(), Seat::Two, &FAR_APART),
        load(official.clone(), Seat::Two, &ONE_CELL),
        load(report.clone(), Seat::One, &ONE_CELL),
        load(report.clone(), Seat::One, &WALLED_IN),
        load(official, Seat::One, &["* . . . b", ". b w b w", ". w b w b", ". b w . w", "b w . * ."]),
        load(report, Seat::One, &["* b . . b", "w b w b w", "b w b w b", ". b w . w", "b w . * ."]),
    ];
    for (seed, game) in (0..).zip(&games) {
        testing::random_actions_are_uniform(game, seed);
    }
}

#[test]
fn seat_1_says_who_goes_first() {
    let game = start(json!({}));
    assert_eq!((game.phase(), game.to_move()), ("workers", Seat::One));
    assert_eq!(legal(&game).len(), 121);
    let game = play(game, &["w@d3"]);
    assert_eq!((game.phase(), game.to_move()), ("workers", Seat::Two));
    assert_eq!(legal(&game).len(), 120);
    let game = play(game, &["w@g8"]);
    assert_eq!((game.phase(), game.to_move()), ("choose", Seat::One));
    assert_eq!(legal(&game), ["black", "white"]);
    assert_eq!(game.sides(), [Some("black"), Some("white")]);
    for (word, first) in [("black", Seat::One), ("white", Seat::Two)] {
        let game = play(game.clone(), &[word]);
        assert_eq!((game.phase(), game.to_move()), ("play", first));
        assert_eq!(legal(&game), ["@b3", "@c4", "@d11", "@d5", "@d8", "@g3", "@g6", "@h7", "@i8"]);
        let game = play(game, &["@d8"]);
        assert_eq!((game.phase(), game.to_move()), ("play", !first));
        assert!(legal(&game).contains(&"d3-a1".into()), "from the second stone on a worker may be moved");
        let game = play(game, &["d3-e10"]);
        assert_eq!((game.phase(), game.to_move()), ("place", !first));
        assert!(legal(&game).iter().all(|action| action.starts_with('@')));
        let game = play(game, &["@g10"]);
        assert_eq!((game.phase(), game.to_move()), ("play", first));
    }
}

#[test]
fn in_the_report_seat_1_goes_first_and_may_move_a_worker() {
    let game = play(start(json!({"rules": "report"})), &["w@d3", "w@g8"]);
    assert_eq!((game.phase(), game.to_move()), ("play", Seat::One));
    let actions = legal(&game);
    assert!(actions.contains(&"@d4".into()), "one worker that sees it is enough");
    assert!(actions.contains(&"d3-a1".into()));
    assert_eq!(actions.iter().filter(|action| action.contains('-')).count(), 2 * 119);
}

#[test]
fn a_worker_is_seen_through_by_nobody() {
    let game = load(
        json!({"size": 5, "goal": 4}),
        Seat::One,
        &[". . . . .", ". . . . .", ". * . * .", ". . . . .", ". . . . b"],
    );
    let placements: Vec<String> = legal(&game).into_iter().filter(|action| action.starts_with('@')).collect();
    assert_eq!(placements, ["@b1", "@b5", "@c2", "@c3", "@c4", "@d1", "@d5"]);
}

#[test]
fn a_line_of_the_goal_or_more_wins() {
    let rows = [". . b . .", ". . b . .", "b b . b b", ". . . . .", ". . . . ."];
    let with_workers = ["* . b . *", rows[1], rows[2], rows[3], rows[4]];
    for (goal, outcome) in
        [(3, Some(Outcome::won(Seat::One, "line"))), (5, Some(Outcome::won(Seat::One, "line"))), (6, None)]
    {
        let game = load(json!({"size": 5, "goal": goal}), Seat::One, &with_workers);
        assert_eq!(play(game, &["@c3"]).outcome(), outcome, "goal {goal}");
    }
    let white = load(json!({"size": 5, "goal": 3}), Seat::Two, &with_workers);
    assert_eq!(play(white, &["@c3"]).outcome(), None, "a white stone among black ones");
}

#[test]
fn diagonal_lines_win() {
    for rows in [
        ["b . . . *", ". b . . .", ". . . . .", ". . . b .", "* . . . ."],
        ["* . . . b", ". . . b .", ". . . . .", ". b . . .", ". . . . *"],
    ] {
        let game = load(json!({"size": 5, "goal": 4}), Seat::One, &rows);
        assert_eq!(play(game, &["@c3"]).outcome(), Some(Outcome::won(Seat::One, "line")));
    }
}

#[test]
fn lines_do_not_go_over_the_edge() {
    let rows = [". . . b b", "b . . . .", "b . . . .", "* * . . .", "b b b . ."];
    let game = load(json!({"size": 5, "goal": 4}), Seat::Two, &rows);
    assert_eq!(game.outcome(), None);
    let mut rows = vec![". . . . . . . . . . . . . b b", "b b . . . . . . . . . * . * ."];
    rows.extend([". . . . . . . . . . . . . . ."; 13]);
    assert_eq!(load(json!({"size": 15, "goal": 4}), Seat::Two, &rows).outcome(), None);
}

#[test]
fn who_can_place_nothing_loses() {
    let game = load(no_lines("official"), Seat::One, &WALLED_IN);
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::Two, "no_moves")));
    assert_eq!(game.phase(), "over");
    let game = load(no_lines("official"), Seat::One, &ONE_CELL);
    assert_eq!(legal(&game), ["@b1"]);
    let game = play(game, &["@b1"]);
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "no_moves")));
    assert_eq!(legal(&game), [""; 0]);
}

#[test]
fn a_worker_move_can_save_who_sees_nothing() {
    let game = load(no_lines("official"), Seat::Two, &FAR_APART);
    assert_eq!(game.outcome(), None);
    assert_eq!(game.prompt(), "No cell is seen by both workers: move one of them first.");
    assert_eq!(legal(&game), ["e5-c1"]);
    assert_eq!(legal(&play(game, &["e5-c1"])), ["@b1"]);
}

#[test]
fn in_the_report_seeing_nothing_is_a_draw() {
    let game = load(no_lines("report"), Seat::One, &ONE_CELL);
    assert_eq!(legal(&game), ["@b1", "a1-b1", "c1-b1"]);
    assert_eq!(play(game, &["@b1"]).outcome(), Some(Outcome::drawn("no_moves")));
    // A worker could go to c3 and see something from there: it makes no difference.
    let rows = ["* b w b w", "b w b w b", "w b . . w", "b w b w b", "w b w b *"];
    assert_eq!(load(no_lines("report"), Seat::Two, &rows).outcome(), Some(Outcome::drawn("no_moves")));
}

#[test]
fn in_the_report_a_worker_move_must_leave_something_to_see() {
    let game = load(no_lines("report"), Seat::One, &WALLED_IN);
    assert_eq!(legal(&game), ["@b1", "a1-b1", "c3-e5"]);
}

#[test]
fn refusals_say_what_is_wrong() {
    let new = start(json!({"size": 9}));
    let one_worker = play(new.clone(), &["w@d3"]);
    let choice = figure_2();
    let first_stone = play(choice.clone(), &["black"]);
    let turn = play(first_stone.clone(), &["@d8"]);
    let after_move = play(turn.clone(), &["g8-e1"]);
    let far_apart = load(no_lines("official"), Seat::Two, &FAR_APART);
    let walled_in = load(no_lines("report"), Seat::One, &WALLED_IN);
    let over = play(load(no_lines("official"), Seat::One, &ONE_CELL), &["@b1"]);
    let cases = [
        (&new, "", "put a worker on an empty cell, such as w@d3"),
        (&new, "hello", "put a worker on an empty cell, such as w@d3"),
        (&new, "d3", "write w@d3"),
        (&new, "w@ d3", "write w@d3"),
        (&new, "w@j1", "there is no cell j1 here: the board goes from a1 to i9"),
        (&new, "w@a10", "there is no cell a10 here: the board goes from a1 to i9"),
        (&new, "w@a999999999999", "put a worker on an empty cell, such as w@d3"),
        (&new, "@d3", "the workers come first: put one on an empty cell, such as w@d3"),
        (&new, "black", "the workers come first: put one on an empty cell, such as w@d3"),
        (&one_worker, "W@D3", "d3 is taken by a worker"),
        (&one_worker, "d3-e5", "the workers come first: put one on an empty cell, such as w@d3"),
        (&choice, "me", "say who goes first: black or white"),
        (&choice, " black", "write black"),
        (&choice, "@b3", "before anything else black says who goes first: black or white"),
        (&choice, "w@a1", "before anything else black says who goes first: black or white"),
        (
            &first_stone,
            "d3-a1",
            "the very first stone is placed without a worker move: place it, such as @e5",
        ),
        (&first_stone, "??", "place a stone, such as @e5"),
        (&first_stone, "b3", "write @b3"),
        (&first_stone, "white", "who goes first is settled already"),
        (
            &first_stone,
            "w@a1",
            "both workers are on the board: place a stone, such as @e5, or take a worker elsewhere, such as d3-h7",
        ),
        (&first_stone, "@a1", "a1 must be seen by both workers, and neither sees it"),
        (&first_stone, "@d4", "d4 must be seen by both workers: the one on g8 does not see it"),
        (&first_stone, "@g9", "g9 must be seen by both workers: the one on d3 does not see it"),
        (&turn, "@d8", "d8 is taken by a black stone"),
        (&turn, "@d3", "d3 is taken by a worker"),
        (&turn, "@l1", "there is no cell l1 here: the board goes from a1 to k11"),
        (&turn, "d8-a1", "there is no worker on d8: they are on d3 and g8"),
        (&turn, "z9-a1", "there is no cell z9 here: the board goes from a1 to k11"),
        (&turn, "d3-a12", "there is no cell a12 here: the board goes from a1 to k11"),
        (
            &turn,
            "d3-d3",
            "the worker is on d3 already: it goes to another cell, or stays and you place a stone",
        ),
        (&turn, "d3-g8", "g8 is taken by a worker"),
        (&turn, "d3-d8", "d8 is taken by a black stone"),
        (&turn, "d3 - a1", "write d3-a1"),
        (&turn, "d3-", "place a stone, such as @e5, or first take a worker elsewhere, such as d3-h7"),
        (&turn, "d3-a1-b1", "place a stone, such as @e5, or first take a worker elsewhere, such as d3-h7"),
        (&after_move, "d3-a1", "a worker was moved in this turn already: now place a stone, such as @e5"),
        (&after_move, "@", "place a stone, such as @e5"),
        (
            &far_apart,
            "e5-b1",
            "after e5-b1 no stone could be placed: there would be no empty cell that both workers see",
        ),
        (&far_apart, "@b1", "b1 must be seen by both workers: the one on e5 does not see it"),
        (&far_apart, "@e1", "e1 is taken by a white stone"),
        (&walled_in, "a1-e5", "after a1-e5 no stone could be placed: neither worker would see an empty cell"),
        (&walled_in, "@e5", "e5 must be seen by at least one worker, and neither sees it"),
        (&walled_in, "black", "under these rules black always goes first, and nobody says so"),
        (&over, "@b1", "the game is over"),
        (&over, "anything", "the game is over"),
    ];
    for (game, text, expected) in cases {
        assert_eq!(refusal(game, text), expected, "{text:?}");
    }
}

#[test]
fn positions_are_loaded() {
    let empty = [". . . . ."; 5];
    for to_move in [None, Some(Seat::Two)] {
        let game = try_load(json!({"size": 5}), to_move, &empty).unwrap();
        assert_eq!((game.phase(), game.to_move()), ("workers", Seat::One));
        assert_eq!(game, start(json!({"size": 5})));
    }
    let one_worker = [". . . . .", ". . . . .", ". . . . .", ". . . * .", ". . . . ."];
    for to_move in [None, Some(Seat::One)] {
        let game = try_load(json!({"size": 5}), to_move, &one_worker).unwrap();
        assert_eq!((game.phase(), game.to_move()), ("workers", Seat::Two));
        assert_eq!(game, play(start(json!({"size": 5})), &["w@d4"]));
    }
    let two_workers = [". . . . .", ". * . . .", ". . . . .", ". . . * .", ". . . . ."];
    for (rules, moves) in [("official", 0), ("report", 46)] {
        let game = load(json!({"size": 5, "rules": rules}), Seat::Two, &two_workers);
        assert_eq!((game.phase(), game.to_move()), ("play", Seat::Two));
        assert_eq!(legal(&game).iter().filter(|action| action.contains('-')).count(), moves);
    }
    let same = play(start(json!({"size": 5})), &["w@d4", "w@b2", "white"]);
    assert_eq!(load(json!({"size": 5}), Seat::Two, &two_workers), same);
    let same = play(same, &["@c3"]);
    let rows = [". . . . .", ". * . . .", ". . w . .", ". . . * .", ". . . . ."];
    assert_eq!(load(json!({"size": 5}), Seat::One, &rows), same);
}

#[test]
fn impossible_positions_are_refused_with_the_cell() {
    let cases: [(&[&str], Option<&str>, &str); 8] = [
        (&[". . . . ."; 4], None, "the board has 5 rows, not 4"),
        (
            &[". . . . .", ". . . .", ". . . . .", ". . . . .", ". . . . ."],
            None,
            "row 2 has 4 cells between single spaces, not 5",
        ),
        (
            &[". . . . .", ". . .  . .", ". . . . .", ". . . . .", ". . . . ."],
            None,
            "row 2 has 6 cells between single spaces, not 5",
        ),
        (
            &[". . . . .", ". . x . .", ". . . . .", ". . . . .", ". . . . ."],
            Some("c2"),
            "a cell is \".\" (empty), \"b\" (black), \"w\" (white) or \"*\" (a worker)",
        ),
        (
            &[". . . . .", ". . . . .", ". . . . .", ". . . . .", ". . . . B"],
            Some("e5"),
            "a cell is \".\" (empty), \"b\" (black), \"w\" (white) or \"*\" (a worker)",
        ),
        (
            &["* . . . *", ". . . . .", ". . . . .", ". . . . .", "* . . . ."],
            Some("a5"),
            "this would be a third worker: there are two",
        ),
        (
            &[". . . . .", ". . . b .", ". . . . .", ". . . . .", ". . . . ."],
            Some("d2"),
            "there can be no stone before both workers are on the board",
        ),
        (
            &[". . . . .", ". w . b .", ". . . . .", "* . . . .", ". . . . ."],
            Some("b2"),
            "there can be no stone before both workers are on the board",
        ),
    ];
    for (rows, cell, reason) in cases {
        let error = try_load(json!({"size": 5}), Some(Seat::One), rows).unwrap_err();
        let expected = SetupError::BadPosition { cell: cell.map(String::from), reason: reason.into() };
        assert_eq!(error, expected);
    }
    let error = try_load(json!({"size": 5}), None, &ONE_CELL).unwrap_err();
    assert!(matches!(error, SetupError::BadField { field, .. } if field == "start.to_move"));
}

#[test]
fn a_loaded_line_is_the_end() {
    let black = ["b b b * *", ". . . . .", ". . . . .", ". . . . .", ". . . . ."];
    let both = ["b b b * *", ". . . . .", "w . . . .", "w . . . .", "w . . . ."];
    let goal_3 = json!({"size": 5, "goal": 3});
    for to_move in Seat::BOTH {
        let game = load(goal_3.clone(), to_move, &black);
        assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "line")));
        let game = load(goal_3.clone(), to_move, &both);
        assert_eq!(game.outcome(), Some(Outcome::won(!to_move, "line")));
        assert_eq!(load(json!({"size": 5, "goal": 4}), to_move, &both).outcome(), None);
    }
}

#[test]
fn the_hash_knows_the_position_and_nothing_else() {
    // The workers came to their cells in another order.
    let swapped = play(start(json!({})), &["w@g8", "w@d3"]);
    assert_eq!(figure_2(), swapped);
    // However it came about, it is the same position.
    let played = play(figure_2(), &["black", "@d8", "d3-e10", "@g10", "e10-a1", "@g1"]);
    assert_eq!(load_rows_of(&played, Seat::Two), played);
    // The same board and seat, but the turn is half done.
    let half_done = play(played, &["a1-b1"]);
    let begun = load_rows_of(&half_done, half_done.to_move());
    assert_eq!(begun.rows(), half_done.rows());
    assert_ne!(begun.hash(), half_done.hash());
    // The same board, but the other seat is to move.
    assert_ne!(begun.hash(), load_rows_of(&half_done, !half_done.to_move()).hash());
}

#[test]
fn actions_are_described() {
    let cases = [
        (start(json!({})), "w@d3", "worker", vec!["d3"], "Put a worker on d3."),
        (figure_2(), "white", "first", vec![], "Say that white goes first and places the first stone."),
        (play(figure_2(), &["white"]), "@d8", "stone", vec!["d8"], "Place a white stone on d8."),
        (
            play(figure_2(), &["white", "@d8"]),
            "g8-e1",
            "move",
            vec!["g8", "e1"],
            "Take the worker from g8 to e1; then place a stone.",
        ),
        (
            load(
                json!({"size": 5, "goal": 4}),
                Seat::One,
                &["* . b . *", ". . b . .", "b b . b b", ". . . . .", ". . . . ."],
            ),
            "@c3",
            "stone",
            vec!["c3"],
            "Place a black stone on c3: five in a row, which wins.",
        ),
    ];
    for (game, action, kind, cells, text) in cases {
        let detail = game.detail(game.read(action).unwrap());
        assert_eq!(
            (detail.action.as_str(), detail.kind.as_str(), detail.text.as_str()),
            (action, kind, text)
        );
        assert_eq!(detail.cells, cells);
        assert_eq!(detail.edge, None);
    }
}

fn events(game: &Fabrik, text: &str) -> Vec<Event> {
    let action = game.read(text).unwrap();
    let mut after = game.clone();
    after.play(action);
    game.events(action, &after)
}

fn texts(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| cell.to_string()).collect()
}

#[test]
fn events_tell_what_happened() {
    let placed = |piece: &str, cell: &str| {
        Event::new(Happening::Placed { piece: piece.into(), cell: cell.into() }, [(cell, piece)])
    };
    assert_eq!(events(&start(json!({})), "w@d3"), [placed("*", "d3")]);
    let said = Happening::Said {
        seat: Seat::One,
        word: "white".into(),
        text: "Seat 1 says that white goes first.".into(),
    };
    assert_eq!(events(&figure_2(), "white"), [said.into()]);
    let first_stone = play(figure_2(), &["white"]);
    assert_eq!(events(&first_stone, "@d8"), [placed("w", "d8")]);
    let moved = Happening::Moved { piece: "*".into(), path: texts(&["g8", "e1"]) };
    let expected = Event::new(moved, [("g8", "."), ("e1", "*")]);
    assert_eq!(events(&play(first_stone, &["@d8"]), "g8-e1"), [expected]);
}

#[test]
fn every_winning_line_is_shown_whole() {
    let rows = [". . . . *", ". b b . .", "b . . . .", ". . . b .", "* . b . ."];
    let game = load(json!({"size": 5, "goal": 3}), Seat::One, &rows);
    let line = |cells: &[&str]| Event::from(Happening::Line { seat: Seat::One, cells: texts(cells) });
    assert_eq!(
        events(&game, "@d2")[1..],
        [line(&["b2", "c2", "d2"])],
        "lines that are too short are not shown"
    );
    let rows = ["* . b . *", ". . b . .", "b b . b b", ". . . . .", ". . . . ."];
    let game = load(json!({"size": 5, "goal": 3}), Seat::One, &rows);
    assert_eq!(events(&game, "@c3")[1..], [line(&["a3", "b3", "c3", "d3", "e3"]), line(&["c1", "c2", "c3"])]);
    let rows = ["b . * . b", ". b . b .", "* . . . .", ". w . b .", "w . . . b"];
    let game = load(json!({"size": 5, "goal": 3}), Seat::One, &rows);
    assert_eq!(events(&game, "@c3")[1..], [line(&["a1", "b2", "c3", "d4", "e5"]), line(&["e1", "d2", "c3"])]);
}

#[test]
fn prompts_say_what_is_expected() {
    let report = play(start(json!({"rules": "report"})), &["w@d3", "w@g8"]);
    let first_stone = play(figure_2(), &["black"]);
    let turn = play(first_stone.clone(), &["@d8"]);
    let cases = [
        (start(json!({})), "Put a worker on any cell."),
        (play(start(json!({})), &["w@d3"]), "Put the other worker on an empty cell."),
        (figure_2(), "Say who goes first: black or white."),
        (first_stone, "Place the first stone on a cell both workers see."),
        (turn.clone(), "Place a stone on a cell both workers see, or move a worker first."),
        (play(turn, &["g8-e1"]), "Place a stone on a cell both workers see."),
        (report.clone(), "Place a stone on a cell a worker sees, or move a worker first."),
        (play(report, &["d3-a1"]), "Place a stone on a cell a worker sees."),
    ];
    for (game, prompt) in cases {
        assert_eq!(game.prompt(), prompt);
    }
}

#[test]
fn the_board_is_drawn_as_a_table() {
    let rows = [". b . * .", ". . . . .", ". . w . .", ". . . . .", "* . . . ."];
    let board = "    | A | B | C | D | E |
 ---|---|---|---|---|---|
  1 | . | X | . | * | . |
 ---|---|---|---|---|---|
  2 | . | . | . | . | . |
 ---|---|---|---|---|---|
  3 | . | . | O | . | . |
 ---|---|---|---|---|---|
  4 | . | . | . | . | . |
 ---|---|---|---|---|---|
  5 | * | . | . | . | . |
 ---|---|---|---|---|---|

X black   O white   * worker
";
    let game = load(json!({"size": 5}), Seat::Two, &rows);
    for charset in [Charset::Ascii, Charset::Unicode] {
        assert_eq!(game.render(charset.into()), format!("{board}White to move.\n"));
    }
    let turned = game.render(Drawing { charset: Charset::Ascii, turned: true });
    assert!(turned.starts_with("    | E | D | C | B | A |\n"), "{turned}");
    assert!(turned.contains("  5 | . | . | . | . | * |") && turned.contains("  1 | . | * | . | X | . |"));
    let ends = [
        (load(no_lines("official"), Seat::One, &WALLED_IN), "White has won.\n"),
        (load(no_lines("official"), Seat::Two, &WALLED_IN), "Black has won.\n"),
        (play(load(no_lines("report"), Seat::One, &ONE_CELL), &["@b1"]), "The game is a draw.\n"),
    ];
    for (game, end) in ends {
        assert!(game.render(Charset::Unicode.into()).ends_with(end));
    }
    let large = start(json!({"size": 15})).render(Charset::Ascii.into());
    assert!(large.contains("| O |\n ---|") && large.contains("\n 15 | . |"));
}

#[test]
fn the_pictures_in_the_rules_are_right() {
    let pictures: Vec<Vec<String>> = Fabrik::RULES
        .split("```board fabrik\n")
        .skip(1)
        .map(|text| text.lines().skip(1).map_while(|line| line.split_once("  ")))
        .map(|lines| lines.map(|(_, row)| row.replace('X', "b")).collect())
        .collect();
    assert_eq!(pictures.len(), 2);
    for rows in pictures {
        let marked: BTreeSet<Cell> = Plain::new(&rows).all("+").into_iter().collect();
        let bare: Vec<String> = rows.iter().map(|row| row.replace('+', ".")).collect();
        let plain = Plain::new(&bare);
        let seen = match plain.all("*")[..] {
            [worker] => plain.sight(worker),
            _ => plain.placements(),
        };
        assert_eq!(seen, marked);
    }
}

#[test]
fn options_have_their_ranges() {
    let check = |given: Value| GameOptions::check(&Fabrik::options(), given.as_object().unwrap());
    for (option, good, bad) in [
        ("size", vec![json!(5), json!(15)], vec![json!(4), json!(16), json!("11")]),
        ("goal", vec![json!(3), json!(6)], vec![json!(2), json!(7)]),
        ("rules", vec![json!("official"), json!("report")], vec![json!("Report"), json!(1)]),
    ] {
        assert!(good.into_iter().all(|value| check(json!({option: value})).is_ok()));
        assert!(
            bad.into_iter()
                .all(|value| check(json!({option: value})).is_err_and(|error| error.option == option))
        );
    }
    let defaults = GameOptions::default_of(&Fabrik::options());
    assert_eq!((defaults.integer("size"), defaults.integer("goal")), (11, 5));
    assert_eq!(defaults.choice("rules"), "official");
}

#[test]
fn the_evaluation_sees_lines_and_threats() {
    let goal_4 = json!({"size": 7, "goal": 4});
    let empty = ". . . . . . .";
    let evaluate = |to_move, rows: [&str; 7]| {
        let game = load(goal_4.clone(), to_move, &rows);
        game.evaluate(to_move, &game.shipped_weights())
    };
    let quiet = evaluate(
        Seat::One,
        ["b . . . * . .", empty, ". . w . . . .", empty, ". * . . . b .", empty, ". w . . . . ."],
    );
    let three =
        evaluate(Seat::One, ["* . b b b . .", empty, empty, empty, "w . w . * . .", empty, "w . . . . . ."]);
    assert!(three > quiet + 1000, "{three} {quiet}: black can complete a line at once");
    let threatened =
        evaluate(Seat::Two, ["* . b b b . *", empty, empty, empty, "w . w . . . .", empty, "w . . . . . ."]);
    assert!(threatened < quiet - 100, "{threatened} {quiet}: white has to do something");
}

/// Every position that can be reached with what is left of the turn.
fn ends_of_turn(game: &Fabrik) -> Vec<Fabrik> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let mut ends = Vec::new();
    for action in actions {
        let mut after = game.clone();
        after.play(action);
        if after.phase() == "place" {
            ends.extend(ends_of_turn(&after));
        } else {
            ends.push(after);
        }
    }
    ends
}

fn is_won_by(game: &Fabrik, seat: Seat) -> bool {
    game.outcome().is_some_and(|outcome| outcome.winner == Some(seat))
}

#[test]
fn wins_at_once_are_found_and_none_is_invented() {
    let mut found = [0; 2];
    for rules in ["official", "report"] {
        for (size, goal, games) in [(5, 3, 30), (5, 4, 30), (5, 6, 80), (6, 4, 20), (6, 6, 30), (7, 4, 10)] {
            let options = options::<Fabrik>(&json!({"size": size, "goal": goal, "rules": rules}));
            for seed in 0..games {
                let mut game = Fabrik::start(&options, 0);
                let mut random = Random::new(seed);
                let mut scratch = Vec::new();
                while let Some(action) = game.random_action(&mut random, &mut scratch) {
                    let seat = game.to_move();
                    let win = ends_of_turn(&game).into_iter().find(|end| is_won_by(end, seat));
                    assert_eq!(game.wins_at_once(), win.is_some(), "{:?}", game.rows());
                    if let Some(end) = win {
                        found[usize::from(end.outcome().is_some_and(|outcome| outcome.reason == "line"))] +=
                            1;
                    }
                    game.play(action);
                }
            }
        }
    }
    assert!(found.iter().all(|&found| found > 100), "{found:?} stranded, lines");
}

/// Whether the seat to move wins with what `forced_win` says, whatever the enemy does.
fn is_forced_win(game: &Fabrik, turn: &[String], turns: u32) -> bool {
    let seat = game.to_move();
    let after = play(game.clone(), &turn.iter().map(String::as_str).collect::<Vec<_>>());
    is_won_by(&after, seat)
        || turns > 1
            && after.outcome().is_none()
            && ends_of_turn(&after).into_iter().all(|reply| {
                reply.outcome().is_none()
                    && forced_win(&reply).is_some_and(|turn| is_forced_win(&reply, &turn, turns - 1))
            })
}

fn forced_win(game: &Fabrik) -> Option<Vec<String>> {
    let mut effort = 1000;
    let turn = game.forced_win(&mut || {
        effort -= 1;
        effort > 0
    })?;
    let mut game = game.clone();
    let write = |action| {
        let text = game.write(action);
        game.play(action);
        text
    };
    Some(turn.into_iter().map(write).collect())
}

#[test]
fn what_is_known_of_a_position_does_not_depend_on_the_way_to_it() {
    for (size, goal) in [(5, 3), (6, 4), (8, 5), (11, 5), (15, 6)] {
        let options = options::<Fabrik>(&json!({"size": size, "goal": goal}));
        for seed in 0..5 {
            let mut game = Fabrik::start(&options, 0);
            let mut random = Random::new(seed);
            let mut scratch = Vec::new();
            while let Some(action) = game.random_action(&mut random, &mut scratch) {
                game.play(action);
                let has_stones = game.rows().concat().contains(['b', 'w']);
                if game.phase() == "play" && has_stones {
                    let start =
                        Start { rows: game.rows(), to_move: Some(game.to_move()), ..Start::default() };
                    assert_eq!(Fabrik::set_up(&options, &start).as_ref(), Ok(&game));
                }
            }
        }
    }
}

#[test]
fn forced_wins_are_wins() {
    let mut found = 0;
    for (size, goal, games) in [(5, 3, 20), (5, 4, 40), (6, 4, 30), (7, 4, 20), (7, 5, 10)] {
        let options = options::<Fabrik>(&json!({"size": size, "goal": goal}));
        for seed in 0..games {
            let mut game = Fabrik::start(&options, 0);
            let mut random = Random::new(seed);
            let mut scratch = Vec::new();
            while let Some(action) = game.random_action(&mut random, &mut scratch) {
                if game.phase() == "play"
                    && !game.wins_at_once()
                    && let Some(turn) = forced_win(&game)
                {
                    assert!(is_forced_win(&game, &turn, 12), "{turn:?} {:?}", game.rows());
                    found += 1;
                    break;
                }
                game.play(action);
            }
        }
    }
    assert!(found > 30, "{found}");
}

fn some_positions() -> Vec<Fabrik> {
    let turn = play(figure_2(), &["black", "@d8"]);
    vec![
        start(json!({"size": 5})),
        play(start(json!({"size": 5})), &["w@c3"]),
        figure_2(),
        play(figure_2(), &["white"]),
        turn.clone(),
        play(turn, &["g8-e1"]),
        load(no_lines("report"), Seat::One, &WALLED_IN),
        load(no_lines("official"), Seat::One, &WALLED_IN),
    ]
}

proptest! {
    #![proptest_config(Config {
        cases: 1000,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn nothing_but_legal_actions_is_read(
        text in prop_oneof![
            "\\PC*",
            "[wW]?@[a-pA-PZ](1?[0-9]|[0-9]{1,30})",
            "[a-l](1?[0-9])-[a-l](1?[0-9])",
            "[w@a-l0-9\\- ]{0,9}",
            "(d3|g8|a1|c3)[- ]?[a-k](1?[0-9])",
            " ?(black|white|Black|WHITE)\u{212a}?",
        ],
    ) {
        for game in some_positions() {
            match game.read(&text) {
                Ok(action) => prop_assert_eq!(game.write(action), text.to_ascii_lowercase()),
                Err(refusal) => prop_assert!(!refusal.to_string().is_empty()),
            }
            let is_legal = legal(&game).contains(&text.to_ascii_lowercase());
            prop_assert_eq!(game.read(&text).is_ok(), is_legal, "{:?} in {:?}", text, game);
        }
    }
}
