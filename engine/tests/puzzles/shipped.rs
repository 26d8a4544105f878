//! The puzzles that the engine comes with.

use std::collections::HashSet;

use serde_json::Value;
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::puzzles;
use tabuleiro_engine::table::Table;
use tabuleiro_protocol::PerSeat;
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleFile, PuzzleKind};

/// At least so many of each game, and of each layout.
const ENOUGH: usize = 40;

fn layout(puzzle: &Puzzle) -> &str {
    puzzle.options.get("layout").and_then(Value::as_str).unwrap_or("usual")
}

#[test]
fn every_file_is_whole_and_has_enough() {
    let catalog = Catalog::standard();
    let (mut names, mut lengths) = (HashSet::new(), HashSet::new());
    for game in catalog.games() {
        let (file, spoilt) = PuzzleFile::read(game.puzzles.expect("each of our games has puzzles"));
        assert!(spoilt.is_empty(), "{}: {spoilt:?}", game.id);
        let layouts: &[&str] = match game.id {
            "syrtis" => &["usual", "minor"],
            _ => &["usual"],
        };
        for wanted in layouts {
            let of_layout: Vec<&Puzzle> =
                file.puzzles.iter().filter(|puzzle| layout(puzzle) == *wanted).collect();
            assert!(of_layout.len() >= ENOUGH, "{} {wanted}: {}", game.id, of_layout.len());
            for kind in PuzzleKind::ALL {
                let count = of_layout.iter().filter(|puzzle| puzzle.kind == kind).count();
                assert!(count > 0, "{} {wanted}: no puzzle is a {kind:?}", game.id);
            }
            let grades: HashSet<u32> = of_layout.iter().map(|puzzle| puzzle.grade).collect();
            assert!(grades.len() >= 3, "{} {wanted}: only grades {grades:?}", game.id);
        }
        for puzzle in file.puzzles {
            assert_eq!(puzzle.game, game.id);
            let session = puzzles::open(&catalog, &puzzle).expect(&puzzle.name);
            let details = session.position().details();
            for turn in &puzzle.solutions {
                let first = details.iter().find(|detail| detail.action == turn[0]);
                assert!(
                    first.is_some_and(|first| !first.cells.is_empty()),
                    "{}: waiting is enough",
                    puzzle.name
                );
                let played = puzzles::check(&catalog, &puzzle, turn);
                assert_eq!(played, Ok(()), "{}: {turn:?}", puzzle.name);
            }
            let line: Vec<String> = puzzle.line.concat();
            assert_eq!(puzzles::check(&catalog, &puzzle, &line), Ok(()), "{}", puzzle.name);
            assert!(names.insert(puzzle.name.clone()), "two puzzles are called {}", puzzle.name);
            lengths.insert(puzzle.turns);
        }
    }
    assert_eq!(
        lengths,
        (Puzzle::FEWEST_TURNS..=Puzzle::MOST_TURNS).collect(),
        "there are some of every length"
    );
}

/// A puzzle is written to a file where a game stands, and read from there.
#[test]
fn what_comes_up_in_games_can_be_written_and_read() {
    let catalog = Catalog::standard();
    for game in catalog.games() {
        let session = game.open(None, 1, None).expect("a game");
        let mut table = Table::new(String::new(), session, PerSeat::default()).expect("a table");
        let start = loop {
            let action = table.position().actions()[0].clone();
            table.play(&[action], None, PerSeat { one: true, two: true }).expect("a legal action");
            // By then nothing is being set up any more.
            let is_played = table.state().ply >= 12;
            match table.position_as_start().filter(|_| is_played) {
                Some(start) => break start,
                None => assert!(table.to_move().is_some(), "{}: it never comes to a turn", game.id),
            }
        };
        let some = puzzles::shipped(&catalog).into_iter().find(|puzzle| puzzle.game == game.id);
        let puzzle = Puzzle { start, options: Default::default(), ..some.expect("a puzzle") };
        let (read, spoilt) =
            PuzzleFile::read(&PuzzleFile { puzzles: vec![puzzle.clone()], mined: Vec::new() }.write());
        assert!(spoilt.is_empty(), "{}: {spoilt:?}", game.id);
        assert_eq!(read.puzzles.as_slice(), std::slice::from_ref(&puzzle));
        let opened = puzzles::open(&catalog, &puzzle).expect(game.id);
        assert_eq!(opened.position().snapshot(), table.position().snapshot(), "{}", game.id);
    }
}

/// All of them: `tabuleiro-engine puzzles verify assets/puzzles/*.json`.
#[test]
fn a_sample_is_proved() {
    let catalog = Catalog::standard();
    let all = puzzles::shipped(&catalog);
    for (game, layout_of, every, most) in [
        ("zurero", "usual", 9, 5),
        ("fabrik", "usual", 9, 4),
        ("syrtis", "usual", 9, 5),
        ("syrtis", "minor", 5, 8),
        ("absorption", "usual", 1, 1),
    ] {
        let of_game = all.iter().filter(|puzzle| puzzle.game == game && layout(puzzle) == layout_of);
        for puzzle in of_game.step_by(every).take(most) {
            assert_eq!(puzzles::verify(&catalog, puzzle, &mut || true), Ok(()), "{}", puzzle.name);
        }
    }
}

#[test]
fn what_a_puzzle_claims_wrongly_is_found_out() {
    let catalog = Catalog::standard();
    let all = puzzles::shipped(&catalog);
    let find = |kind, turns| {
        let is_meant =
            |puzzle: &&Puzzle| puzzle.game == "zurero" && puzzle.kind == kind && puzzle.turns == turns;
        all.iter().find(is_meant).expect("there is one").clone()
    };
    let complaint =
        |puzzle: &Puzzle| puzzles::verify(&catalog, puzzle, &mut || true).expect_err("it is wrong");
    let win = find(PuzzleKind::Win, 3);
    let mut wrong = Puzzle { turns: 4, ..win.clone() };
    // With a turn more there may be more solutions, and fewer turns are enough in any case.
    assert!(
        ["enough", "not listed"].iter().any(|word| complaint(&wrong).contains(word)),
        "{}",
        complaint(&wrong)
    );
    wrong = Puzzle { turns: 2, ..win.clone() };
    assert!(complaint(&wrong).contains("is no solution"), "{}", complaint(&wrong));
    wrong = win.clone();
    wrong.line.pop();
    assert!(complaint(&wrong).contains("breaks off"), "{}", complaint(&wrong));
    wrong = Puzzle { kind: PuzzleKind::Defence, ..win };
    assert!(!complaint(&wrong).is_empty());
    let defence = find(PuzzleKind::Defence, 2);
    let listed = defence.solutions.len();
    wrong = defence.clone();
    wrong.solutions.push(vec!["nowhere".into()]);
    assert!(complaint(&wrong).contains("cannot be played"), "{}", complaint(&wrong));
    if listed > 1 {
        wrong = defence;
        wrong.solutions.pop();
        assert!(complaint(&wrong).contains("not listed"), "{}", complaint(&wrong));
    }
}
