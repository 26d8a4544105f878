//! The rules: against a slow and plain second statement of them, and by what must hold in every
//! game.

use std::sync::atomic::AtomicBool;

use breakthrough::Breakthrough;
use serde_json::json;
use tabuleiro_engine::game::{Describe, Game, GameOptions, Outcome};
use tabuleiro_engine::perft::perft;
use tabuleiro_engine::random::Random;
use tabuleiro_engine::testing;
use tabuleiro_protocol::{Happening, Seat, Start};

fn sized(size: usize) -> GameOptions {
    testing::options::<Breakthrough>(&json!({ "size": size }))
}

fn set_up(to_move: Seat, rows: &[&str]) -> Breakthrough {
    let rows: Vec<String> = rows.iter().map(|row| row.to_string()).collect();
    let start = Start { rows, to_move: Some(to_move), ..Start::default() };
    Breakthrough::set_up(&sized(start.rows.len()), &start).expect("a position")
}

/// The rules once more: a board of letters, copied for every step.
#[derive(Clone)]
struct Plain {
    board: Vec<Vec<char>>,
    mover: char,
}

impl Plain {
    fn start(size: usize) -> Plain {
        let piece = |row| match row {
            _ if row < 2 => 'b',
            _ if row >= size - 2 => 'w',
            _ => '.',
        };
        Plain { board: (0..size).map(|row| vec![piece(row); size]).collect(), mover: 'w' }
    }

    fn is_over(&self) -> bool {
        let count = |piece| self.board.iter().flatten().filter(|&&other| other == piece).count();
        let (top, bottom) = (&self.board[0], &self.board[self.board.len() - 1]);
        top.contains(&'w') || bottom.contains(&'b') || count('w') == 0 || count('b') == 0
    }

    fn at(&self, row: i32, column: i32) -> char {
        self.board[row as usize][column as usize]
    }

    /// Every legal step as it is written, and what it leads to.
    fn steps(&self) -> Vec<(String, Plain)> {
        let mut steps = Vec::new();
        if self.is_over() {
            return steps;
        }
        let size = self.board.len() as i32;
        let (enemy, forward) = if self.mover == 'w' { ('b', -1) } else { ('w', 1) };
        let name = |row: i32, column: i32| format!("{}{}", (b'a' + column as u8) as char, row + 1);
        for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            for sideways in [-1, 0, 1] {
                let (to_row, to_column) = (row + forward, column + sideways);
                let is_on_board = (0..size).contains(&to_row) && (0..size).contains(&to_column);
                if !is_on_board || self.at(row, column) != self.mover {
                    continue;
                }
                let there = self.at(to_row, to_column);
                if there == '.' || there == enemy && sideways != 0 {
                    let sign = if there == enemy { "x" } else { "-" };
                    let mut after = Plain { mover: enemy, ..self.clone() };
                    after.board[row as usize][column as usize] = '.';
                    after.board[to_row as usize][to_column as usize] = self.mover;
                    steps.push((name(row, column) + sign + &name(to_row, to_column), after));
                }
            }
        }
        steps.sort_by(|a, b| a.0.cmp(&b.0));
        steps
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.steps().iter().map(|(_, after)| after.perft(depth - 1)).sum() }
    }
}

#[test]
fn there_are_as_many_ways_to_play_as_in_the_plain_statement() {
    let tables: [(usize, [u64; 4]); 4] = [
        (5, [13, 156, 1_924, 23_084]),
        (6, [16, 256, 4_308, 71_478]),
        (7, [19, 361, 7_220, 144_251]),
        (8, [22, 484, 11_132, 256_036]),
    ];
    for (size, counts) in tables {
        let (mut game, plain) = (Breakthrough::start(&sized(size), 0), Plain::start(size));
        let depths = 1..=4;
        let never = AtomicBool::new(false);
        assert_eq!(
            depths.clone().map(|depth| plain.perft(depth)).collect::<Vec<_>>(),
            counts,
            "plain, {size}"
        );
        let ours: Vec<u64> = depths.filter_map(|depth| perft(&mut game, depth, &never)).collect();
        assert_eq!(ours, counts, "size {size}");
    }
}

#[test]
fn random_games_go_as_in_the_plain_statement() {
    for (seed, size) in (0..40).zip([5, 6, 7, 8].into_iter().cycle()) {
        let (mut game, mut plain) = (Breakthrough::start(&sized(size), 0), Plain::start(size));
        let mut random = Random::new(seed);
        loop {
            let steps = plain.steps();
            let texts: Vec<String> = steps.iter().map(|(text, _)| text.clone()).collect();
            assert_eq!(testing::legal(&game), texts);
            assert_eq!(game.outcome().is_some(), plain.is_over());
            if steps.is_empty() {
                break;
            }
            let (text, after) = steps[random.below(steps.len() as u32) as usize].clone();
            game.play(game.read(&text).expect("legal"));
            let rows: Vec<String> = game.rows().iter().map(|row| row.replace(' ', "")).collect();
            let expected: Vec<String> = after.board.iter().map(|row| row.iter().collect()).collect();
            assert_eq!(rows, expected);
            plain = after;
        }
    }
}

#[test]
fn what_holds_in_every_game_holds_in_this_one() {
    for size in 5..=8 {
        testing::random_games_hold::<Breakthrough>(&sized(size), 10, usize::MAX);
    }
}

const MIDDLE: [&str; 5] = [". . b . .", ". b b . .", ". w . b .", "w . w . .", ". . . . ."];

#[test]
fn what_is_not_legal_is_explained() {
    let game = set_up(Seat::One, &MIDDLE);
    for (text, why) in [
        ("b3-b2", "b2 is taken, and pieces capture diagonally"),
        ("a4xb3", "your own piece stands on b3"),
        ("d3-d4", "there is no piece of yours on d3"),
        ("b3-b1", "b1 is not one step ahead of b3"),
        ("b3-c4", "c4 is not one step ahead of b3"),
        ("b3-c2", "write from where to where a piece goes, such as b3xc2"),
        ("b3", "write from where to where a piece goes, such as b3-a2"),
        ("b3-f9", "write from where to where a piece goes, such as b3-a2"),
    ] {
        assert_eq!(game.read(text).expect_err(text).to_string(), why, "{text}");
    }
    let bad = Start { rows: vec![". . . . ?".into(); 5], to_move: Some(Seat::One), ..Start::default() };
    let refused = Breakthrough::set_up(&sized(5), &bad).expect_err("no piece");
    assert_eq!(refused.to_string(), "there is no such position: e1: a cell is w, b or ., not ?");
}

#[test]
fn a_captured_piece_goes_before_the_other_comes() {
    let game = set_up(Seat::One, &MIDDLE);
    let step = game.read("b3xc2").expect("legal");
    let events = game.events(step, &testing::action_holds(&game, step));
    let expected = [
        Happening::Taken { piece: "b".into(), cell: "c2".into() },
        Happening::Moved { piece: "w".into(), path: vec!["b3".into(), "c2".into()] },
    ];
    assert_eq!(events.into_iter().map(|event| event.what).collect::<Vec<_>>(), expected);
}

#[test]
fn whoever_breaks_through_or_captures_all_wins() {
    let mut game = set_up(Seat::One, &[". . . b .", ". w . . .", ". . . . .", ". . . . .", ". . . . ."]);
    game.play(game.read("b2-a1").expect("legal"));
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::One, "breakthrough")));
    let mut game = set_up(Seat::Two, &[". . . . .", ". b . . .", ". . w . .", ". . . . .", ". . . . ."]);
    game.play(game.read("b2xc3").expect("legal"));
    assert_eq!(game.outcome(), Some(Outcome::won(Seat::Two, "no_pieces")));
}
