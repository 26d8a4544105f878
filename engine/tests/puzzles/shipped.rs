//! The puzzles that the engine comes with.

use std::collections::HashSet;

use serde_json::Value;
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::puzzles;
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleFile, PuzzleKind};

/// At least so many of each game, and of each layout.
const ENOUGH: usize = 40;

/// The exception: proofs of Absorption take too long to have many (docs/puzzles.md).
const WITH_FEW: &str = "absorption";

fn layout(puzzle: &Puzzle) -> &str {
    puzzle.options.get("layout").and_then(Value::as_str).unwrap_or("usual")
}

#[test]
fn every_file_is_whole_and_has_enough() {
    let catalog = Catalog::standard();
    let mut names = HashSet::new();
    for game in catalog.games() {
        let (file, spoilt) = PuzzleFile::read(game.puzzles.expect("each of our games has puzzles"));
        assert!(spoilt.is_empty(), "{}: {spoilt:?}", game.id);
        let layouts: &[&str] = match game.id {
            "syrtis" => &["usual", "minor"],
            WITH_FEW => &[],
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
            assert!(puzzles::open(&catalog, &puzzle).is_ok(), "{}", puzzle.name);
            for turn in &puzzle.solutions {
                let played = puzzles::check(&catalog, &puzzle, turn);
                assert_eq!(played, Ok(()), "{}: {turn:?}", puzzle.name);
            }
            let line: Vec<String> = puzzle.line.concat();
            assert_eq!(puzzles::check(&catalog, &puzzle, &line), Ok(()), "{}", puzzle.name);
            assert!(names.insert(puzzle.name.clone()), "two puzzles are called {}", puzzle.name);
        }
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
