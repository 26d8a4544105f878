//! `tabuleiro-engine puzzles`: finding, proving and solving them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::puzzles;
use tabuleiro_protocol::progress::Progress;
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleFile, PuzzleKind, SolvedBy};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
        .arg("puzzles")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut pipe = child.stdin.take().expect("its input is a pipe");
    // It may have left before it read everything.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}

fn progress(folder: &Path) -> Progress {
    let text = fs::read_to_string(folder.join(Progress::FILE)).expect("progress is kept");
    let (progress, spoilt) = Progress::read(&text);
    assert!(spoilt.is_empty(), "{spoilt:?}");
    progress
}

fn quick() -> Puzzle {
    let quick =
        |puzzle: &Puzzle| puzzle.game == "zurero" && puzzle.kind == PuzzleKind::Win && puzzle.turns == 2;
    puzzles::shipped(&Catalog::standard()).into_iter().find(quick).expect("there is one")
}

fn file_of(puzzles: Vec<Puzzle>) -> String {
    PuzzleFile { puzzles, mined: Vec::new() }.write()
}

#[test]
fn a_puzzle_is_solved_failed_repeated_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let puzzle = quick();
    let file = folder.path().join("some.json");
    fs::write(&file, file_of(vec![puzzle.clone()])).expect("a file");
    let data = folder.path().join("data");
    let play = |day: &str, input: &str| {
        let arguments = ["play", "--file", path(&file), "--data", path(&data), "--day", day, "--ascii"];
        let output = run(&arguments, input);
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout)
    };
    let own: Vec<String> = puzzle.line.iter().step_by(2).map(|turn| turn.join(" ")).collect();
    let solved = format!("{}\n", own.join("\n"));

    let said = play("2026-11-17", &format!("help\nnowhere\nmoves\n{solved}"));
    assert!(said.contains("Win in 2 turns"), "{said}");
    assert!(said.contains("Not possible:"), "{said}");
    assert!(said.contains("Right. Go on."), "{said}");
    assert!(said.contains("Solved."), "{said}");
    assert!(said.contains("In a row: 1."), "{said}");
    let kept = progress(&data);
    assert!(kept.rating("zurero").value > 1_000.0);
    assert_eq!(kept.puzzles[&puzzle.name].solved, 1);

    let said = play("2026-11-17", &solved);
    assert!(said.contains("it does not count again"), "{said}");

    let said = play("2026-11-18", "hint\nhint\nhint\nhint\nsolution\n");
    assert!(said.contains("Hint 1 of 3") && said.contains("Hint 3 of 3"), "{said}");
    assert!(said.contains("It goes like this"), "{said}");
    let kept = progress(&data);
    assert_eq!((kept.puzzles[&puzzle.name].failed, kept.streak.now, kept.streak.best), (1, 0, 1));
    assert_eq!(kept.due("2026-11-19".parse().expect("a day")), [puzzle.name.as_str()]);
}

/// What counts is the same in the window: tests/director/puzzles.rs.
#[test]
fn a_puzzle_that_is_left_counts_as_failed_if_it_was_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    let puzzle = quick();
    let file = folder.path().join("some.json");
    fs::write(&file, file_of(vec![puzzle.clone()])).expect("a file");
    let first = puzzle.line[0].join(" ");
    let inputs = [
        ("next\n".into(), None),
        ("quit\n".into(), None),
        (format!("{first}\nnext\n"), Some(1)),
        (format!("{first}\nquit\n"), Some(1)),
        // Where the input ends somebody leaves, too.
        (format!("{first}\n"), Some(1)),
        ("hint\nnext\n".into(), Some(1)),
    ];
    for (number, (input, failed)) in inputs.into_iter().enumerate() {
        let data = folder.path().join(number.to_string());
        let output = run(&["play", "--file", path(&file), "--data", path(&data)], &input);
        assert!(output.status.success(), "{output:?}");
        let kept = data.join(Progress::FILE).exists().then(|| progress(&data).puzzles[&puzzle.name].failed);
        assert_eq!(kept, failed, "{input}");
    }
}

#[test]
fn every_turn_has_hints_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let puzzle = quick();
    let file = folder.path().join("some.json");
    fs::write(&file, file_of(vec![puzzle.clone()])).expect("a file");
    let input = format!("hint\nhint\nhint\n{}\nhint\n", puzzle.line[0].join(" "));
    let output = run(&["play", "--file", path(&file), "--data", path(folder.path())], &input);
    let said = text(&output.stdout);
    let after = said.split_once("Right. Go on.").expect("the hint was right").1;
    assert!(after.contains("Hint 1 of 3"), "{said}");
    // From the start again the first turn has its first hint, though a later one had some.
    let input = format!("{}\nhint\nhint\nagain\nhint\n", puzzle.line[0].join(" "));
    let output = run(&["play", "--file", path(&file), "--data", path(folder.path())], &input);
    let said = text(&output.stdout);
    assert_eq!(said.matches("Hint 1 of 3").count(), 2, "{said}");
}

#[test]
fn puzzles_are_graded_anew_and_nothing_else_of_them_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let puzzle = quick();
    let file = folder.path().join("some.json");
    let stale = Puzzle { grade: 5, solved_by: SolvedBy::default(), ..puzzle.clone() };
    fs::write(&file, file_of(vec![stale.clone()])).expect("a file");
    let output = run(&["grade", path(&file)], "");
    assert!(output.status.success(), "{output:?}");
    let mut graded = PuzzleFile::read(&fs::read_to_string(&file).expect("a file")).0.puzzles;
    let graded = graded.pop().expect("a puzzle");
    assert!(graded.solved_by.level.is_some() && graded.grade < 5, "{graded:?}");
    let said = text(&output.stdout);
    assert!(said.contains(&format!("{}: grade {}, was 5", puzzle.name, graded.grade)), "{said}");
    assert_eq!(Puzzle { grade: 5, solved_by: SolvedBy::default(), ..graded }, stale);
    fs::write(&file, "{}").expect("a file");
    let output = run(&["grade", path(&file)], "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "{}", "what cannot be read is left alone");
}

#[test]
fn a_damaged_file_is_named_and_the_rest_of_it_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, data) = (folder.path().join("some.json"), folder.path().join("data"));
    let spoilt = Puzzle { name: "other".into(), ..quick() };
    let whole = file_of(vec![quick(), spoilt]);
    let (before, after) = whole.rsplit_once("\"kind\":\"win\"").expect("a kind");
    fs::write(&file, format!("{before}\"kind\":\"loss\"{after}")).expect("a file");
    let output = run(&["play", "--file", path(&file), "--data", path(&data)], "quit\n");
    assert!(text(&output.stderr).contains("puzzles[1].kind"), "{output:?}");
    assert!(text(&output.stdout).contains("1 puzzle."), "{output:?}");
    let output = run(&["verify", path(&file)], "");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stdout).contains("puzzles[1].kind"), "{output:?}");
    assert!(text(&output.stdout).contains("1 puzzles are proved, 1 are wrong"), "{output:?}");
}

#[test]
fn mining_goes_on_where_it_stopped_and_finds_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let mine = |file: &str, count: &str| {
        let out = folder.path().join(file);
        let options = ["syrtis", "--options", "{\"layout\":\"minor\"}", "--seed", "5", "--nodes", "300"];
        let output = run(&[&options[..], &["--count", count, "--out", path(&out)]].concat(), "");
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(out).expect("a file")
    };
    let whole = mine("whole.json", "4");
    mine("parts.json", "2");
    let parts = mine("parts.json", "4");
    let puzzles = |text: &str| PuzzleFile::read(text).0.puzzles;
    // How many of each kind may come depends on how many are wanted.
    assert_eq!(puzzles(&whole).len(), 4);
    assert_eq!(puzzles(&parts).len(), 4);
    assert_eq!(puzzles(&whole)[..2], puzzles(&parts)[..2]);
    let verified = run(&["verify", path(&folder.path().join("whole.json"))], "");
    assert!(verified.status.success(), "{verified:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, reason) in [
        (&["chess"][..], "there is no game \"chess\""),
        (&["zurero", "--options", "{\"size\":99}"][..], "size"),
        (&["play", "zurero", "--grade", "7"][..], "grade"),
        (&["play", "--file", "nowhere.json", "--data", "nowhere"][..], "nowhere.json"),
        (&["verify", "nowhere.json"][..], "nowhere.json"),
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains(reason), "{output:?}");
    }
}
