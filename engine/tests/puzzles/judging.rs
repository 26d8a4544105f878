//! What is tried in a puzzle is judged by proof.

use std::sync::atomic::AtomicBool;

use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::puzzles::{self, BRIEF_EFFORT, within};
use tabuleiro_engine::table::Table;
use tabuleiro_protocol::PerSeat;
use tabuleiro_protocol::method::{Judged, PuzzleVerdict};
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleKind};

fn judge(catalog: &Catalog, puzzle: &Puzzle, played: &[String]) -> Judged {
    let never = AtomicBool::new(false);
    let go_on = &mut within(BRIEF_EFFORT, &never);
    puzzles::judge(catalog, puzzle, played, go_on).expect("a legal line")
}

/// Some of every game but Absorption, where a proof takes seconds.
fn sample(catalog: &Catalog) -> Vec<Puzzle> {
    let quick = |puzzle: &Puzzle| puzzle.game != "absorption" && puzzle.turns <= 3;
    puzzles::shipped(catalog).into_iter().filter(quick).step_by(6).collect()
}

#[test]
fn whoever_follows_the_hints_solves_it_against_the_best_replies() {
    let catalog = Catalog::standard();
    let never = AtomicBool::new(false);
    let puzzles_tried = sample(&catalog);
    assert!(puzzles_tried.len() > 15);
    for puzzle in puzzles_tried {
        let mut played = Vec::new();
        let mut own = 0;
        loop {
            let hint = |step| {
                let go_on = &mut within(BRIEF_EFFORT, &never);
                puzzles::hint(&catalog, &puzzle, &played, step, go_on).expect("a hint")
            };
            let (first, second, third) = (hint(1), hint(2), hint(3));
            assert!(first.actions.is_empty() && !first.text.is_empty());
            assert_eq!(second.actions[..], third.actions[..1], "{}", puzzle.name);
            played.extend(third.actions);
            own += 1;
            let judged = judge(&catalog, &puzzle, &played);
            match judged.verdict {
                PuzzleVerdict::Solved => break,
                PuzzleVerdict::Right => played.extend(judged.reply),
                other => panic!("{}: {other:?} after {played:?}", puzzle.name),
            }
            assert_eq!(judged.turns, puzzle.turns - own, "{}", puzzle.name);
        }
        assert!(own <= puzzle.turns, "{}", puzzle.name);
    }
}

#[test]
fn every_solution_is_accepted_and_nothing_else() {
    let catalog = Catalog::standard();
    let (mut others, mut wrong) = (0, 0);
    for puzzle in sample(&catalog) {
        for turn in &puzzle.solutions {
            let verdict = judge(&catalog, &puzzle, turn).verdict;
            assert_eq!(verdict, PuzzleVerdict::Right, "{}: {turn:?}", puzzle.name);
            others += usize::from(*turn != puzzle.line[0]);
        }
        let session = puzzles::open(&catalog, &puzzle).expect("a position");
        // Turns of one action, so that they are whole.
        let ends = |action: &&String| {
            let mut after = session.alone();
            after.play_unseen(action).is_ok() && after.position().to_move() != session.position().to_move()
        };
        let actions = session.position().actions();
        let is_other = |action: &&String| !puzzle.solutions.contains(&vec![(*action).clone()]);
        for action in actions.iter().filter(is_other).filter(ends).take(3) {
            let judged = judge(&catalog, &puzzle, std::slice::from_ref(action));
            match judged.verdict {
                PuzzleVerdict::Wrong => {
                    wrong += 1;
                    let reply = [vec![action.clone()], judged.reply].concat();
                    assert_eq!(puzzles::check(&catalog, &puzzle, &reply), Ok(()), "{}", puzzle.name);
                }
                verdict => assert_eq!(verdict, PuzzleVerdict::Slow, "{}: {action}", puzzle.name),
            }
        }
    }
    assert!(others > 0, "no puzzle of the sample has two solutions");
    assert!(wrong > 20, "{wrong}");
}

#[test]
fn what_cannot_be_judged_is_said() {
    let catalog = Catalog::standard();
    let fabrik = puzzles::shipped(&catalog).into_iter().find(|puzzle| puzzle.game == "fabrik").expect("one");
    assert_eq!(judge(&catalog, &fabrik, &[]).verdict, PuzzleVerdict::Unfinished);
    let two_actions = fabrik.solutions.iter().find(|turn| turn.len() == 2);
    if let Some(turn) = two_actions {
        assert_eq!(judge(&catalog, &fabrik, &turn[..1]).verdict, PuzzleVerdict::Unfinished);
    }
    let never = &mut || true;
    let error = puzzles::judge(&catalog, &fabrik, &["nowhere".into()], never).expect_err("no action");
    assert!(error.to_string().contains("nowhere"), "{error}");
    let broken = Puzzle { turns: 9, ..fabrik.clone() };
    assert!(puzzles::judge(&catalog, &broken, &[], never).is_err());
    // Without effort the first turn is still known.
    let hasty = puzzles::judge(&catalog, &fabrik, &fabrik.solutions[0], &mut || false).expect("a legal line");
    assert_eq!(hasty.verdict, PuzzleVerdict::Right);
}

#[test]
fn a_mistake_becomes_the_puzzle_that_it_was() {
    let catalog = Catalog::standard();
    for kind in PuzzleKind::ALL {
        let all = puzzles::shipped(&catalog);
        let puzzle =
            all.into_iter().find(|puzzle| puzzle.game == "zurero" && puzzle.kind == kind).expect("one");
        let session = puzzles::open(&catalog, &puzzle).expect("a position");
        let table = Table::new(String::new(), session, PerSeat::default()).expect("a table");
        let found = puzzles::mistake(&catalog, &table, "a game", &mut || true).expect("enough effort");
        let found = found.expect("a puzzle");
        assert_eq!((found.kind, found.turns), (puzzle.kind, puzzle.turns));
        assert_eq!((&found.name, &found.solutions), (&puzzle.name, &puzzle.solutions));
        assert_eq!(found.source, "a game");
    }
}
