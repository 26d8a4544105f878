//! Puzzles in the window: solved, failed, helped and repeated; progress kept, damaged and deleted.

use std::fs;
use std::path::Path;

use serde_json::json;
use tabuleiro::app::{PuzzleFilter, Screen};
use tabuleiro::command::{Command, Panel};
use tabuleiro::exercise::{Exercise, Judgement, Task};
use tabuleiro_engine::terminal::ProgressKeeper;
use tabuleiro_protocol::progress::{Note, Progress, Results};
use tabuleiro_protocol::puzzle::PuzzleFile;
use tabuleiro_protocol::{Day, Seat};

use crate::room::{Room, cell, computer, person};

/// Two puzzles in which White wins in two turns, as they would be made of mistakes.
fn write_own_puzzles(folder: &Path) {
    let rows = [
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . b . . . . .",
        ". . . w b b . . .",
        ". . . w w b . . .",
        ". . . w b . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    ];
    let puzzle = |name: &str, grade: u32| {
        json!({
            "name": name, "game": "zurero", "options": {"size": 9},
            "start": {"rows": rows, "to_move": 2}, "kind": "win", "turns": 2, "solutions": [["e4"]],
            "line": [["e4"], ["w4"]], "grade": grade, "solved_by": {}, "source": "your game, turn 7"
        })
    };
    let file = json!({
        "format": "tabuleiro-puzzles", "version": 1, "puzzles": [puzzle("own-1", 1), puzzle("own-2", 3)]
    });
    fs::write(folder.join(PuzzleFile::OWN), file.to_string()).expect("a file");
}

fn today() -> Day {
    "2026-11-17".parse().expect("a day")
}

/// A room on a day, in which there are two puzzles of one's own.
fn room() -> Room {
    let mut room = Room::new().before_again(write_own_puzzles);
    room.director.set_day(today());
    let filter = PuzzleFilter { is_own: true, ..PuzzleFilter::default() };
    room.dispatch(Command::WantPuzzles(filter));
    room
}

fn exercise(room: &Room) -> &Exercise {
    room.app().exercise.as_ref().expect("an exercise")
}

fn start(room: &mut Room, name: &str) {
    room.dispatch(Command::StartPuzzle(name.into()));
    let is_it = |exercise: &Exercise| exercise.task.puzzle().is_some_and(|puzzle| puzzle.name == name);
    room.until(|app| app.exercise.as_ref().is_some_and(is_it));
    room.settle();
}

fn turn(room: &mut Room, action: &str) {
    room.dispatch(Command::TypeMove(action.into()));
    room.settle();
}

#[test]
fn a_puzzle_is_solved_and_counts() {
    let mut room = room();
    start(&mut room, "own-1");
    assert_eq!((room.app().screen.clone(), exercise(&room).seat), (Screen::Board, Seat::Two));
    turn(&mut room, "e4");
    assert_eq!(exercise(&room).verdict, Judgement::Open);
    let Task::Puzzle { turns_left, .. } = exercise(&room).task else { panic!("a puzzle") };
    assert_eq!(turns_left, 1);
    solve_last(&mut room);
    assert_eq!(exercise(&room).verdict, Judgement::Done, "{:?}", exercise(&room).remarks);
    let progress = &room.app().progress;
    assert_eq!((progress.puzzles["own-1"].solved, progress.streak.now), (1, 1));
    assert!(progress.rating("zurero").value > 1000.0);
    assert_eq!(progress.days[&today()].solved, 1);
    let room = room.again();
    assert_eq!(room.app().progress.puzzles["own-1"].solved, 1, "it is on disk");
}

/// The last turn of the puzzle: White has four in column d, and Black has closed one of its ends.
fn solve_last(room: &mut Room) {
    let above = room.table().state.rows[2].split(' ').nth(3).expect("d3").to_string();
    turn(room, if above == "." { "nd" } else { "sd" });
}

#[test]
fn a_wrong_turn_fails_it_and_it_comes_again_tomorrow() {
    let mut room = room();
    start(&mut room, "own-1");
    turn(&mut room, "e7");
    assert_eq!(exercise(&room).verdict, Judgement::Missed);
    assert!(exercise(&room).remark().is_some_and(|words| !words.is_empty()), "it is said why");
    let progress = &room.app().progress;
    assert_eq!((progress.puzzles["own-1"].failed, progress.streak.now), (1, 0));
    assert!(progress.rating("zurero").value < 1000.0);
    room.click(cell("a1"));
    assert_eq!((exercise(&room).verdict.clone(), room.ply()), (Judgement::Open, 0), "put back by a click");
    turn(&mut room, "e4");
    solve_last(&mut room);
    assert_eq!(exercise(&room).verdict, Judgement::Done);
    assert_eq!(room.app().progress.puzzles["own-1"].solved, 0, "only the first attempt of a day counts");

    room.dispatch(Command::NextPuzzle);
    room.until(|app| app.exercise.as_ref().is_some_and(|exercise| exercise.verdict == Judgement::Open));
    room.settle();
    assert_eq!(exercise(&room).task.puzzle().expect("a puzzle").name, "own-2", "one that is new");
    room.director.set_day(today().plus(1));
    room.dispatch(Command::NextPuzzle);
    let is_first = |exercise: &Exercise| exercise.task.puzzle().is_some_and(|puzzle| puzzle.name == "own-1");
    room.until(|app| app.exercise.as_ref().is_some_and(is_first));
    room.settle();
    turn(&mut room, "e4");
    solve_last(&mut room);
    let known = &room.app().progress.puzzles["own-1"];
    assert_eq!((known.solved, known.due), (1, Some(today().plus(4))), "and once more after three days");
}

#[test]
fn hints_say_more_each_time_and_are_counted_as_help() {
    let mut room = room();
    start(&mut room, "own-1");
    let hints = |room: &Room| match &exercise(room).task {
        Task::Puzzle { hints, .. } => hints.len(),
        Task::Lesson { .. } => 0,
    };
    room.dispatch(Command::Hint);
    room.settle();
    assert_eq!(hints(&room), 1);
    room.dispatch(Command::Hint);
    room.settle();
    assert_eq!(hints(&room), 2);
    turn(&mut room, "e4");
    solve_last(&mut room);
    assert_eq!(exercise(&room).verdict, Judgement::Done);
    let known = &room.app().progress.puzzles["own-1"];
    assert_eq!((known.solved, known.helped), (0, 1));
}

#[test]
fn giving_up_shows_how_it_goes_and_counts_as_failed() {
    let mut room = room();
    start(&mut room, "own-1");
    room.dispatch(Command::GiveUp);
    assert!(exercise(&room).remark().is_some_and(|words| words.contains("e4, w4")), "the line");
    assert_eq!(
        (exercise(&room).verdict.clone(), room.app().progress.puzzles["own-1"].failed),
        (Judgement::Missed, 1)
    );
    start(&mut room, "own-2");
    room.dispatch(Command::NextPuzzle);
    assert!(!room.app().progress.puzzles.contains_key("own-2"), "it was not begun");
    room.settle();
}

#[test]
fn a_puzzle_that_is_left_counts_as_failed_if_it_was_begun() {
    let failed = |room: &Room, name: &str| room.app().progress.puzzles.get(name).map(|known| known.failed);
    let mut room = room();
    start(&mut room, "own-1");
    start(&mut room, "own-2");
    assert_eq!(failed(&room, "own-1"), None, "nothing was tried");
    turn(&mut room, "e4");
    start(&mut room, "own-1");
    assert_eq!(failed(&room, "own-2"), Some(1), "it was left for another one of the list");
    room.dispatch(Command::Hint);
    room.settle();
    room.start("fabrik", &[("size", 7)], person(), person());
    assert_eq!(failed(&room, "own-1"), Some(1), "it was left for a game");
}

#[test]
fn every_turn_has_hints_of_its_own_and_again_is_from_the_start() {
    let standing = |room: &Room| match &exercise(room).task {
        Task::Puzzle { hints, turns_left, .. } => (hints.len(), *turns_left),
        Task::Lesson { .. } => panic!("a puzzle"),
    };
    let mut room = room();
    start(&mut room, "own-1");
    for _ in 0..3 {
        room.dispatch(Command::Hint);
        room.settle();
    }
    assert_eq!(standing(&room), (3, 2));
    turn(&mut room, "e4");
    assert_eq!(standing(&room), (0, 1));
    room.dispatch(Command::Hint);
    room.settle();
    assert_eq!(standing(&room), (1, 1), "for the last turn");
    room.dispatch(Command::TryAgain);
    room.settle();
    assert_eq!(standing(&room), (0, 2));
    turn(&mut room, "e4");
    solve_last(&mut room);
    assert_eq!(room.app().progress.puzzles["own-1"].helped, 1, "it was helped all the same");
}

#[test]
fn a_puzzle_that_is_not_there_is_said_and_leaves_everything_as_it_was() {
    let mut room = room();
    room.dispatch(Command::StartPuzzle("nothing".into()));
    room.settle();
    assert!(room.app().message.as_ref().is_some_and(|message| message.is_problem));
    assert_eq!(room.app().screen, Screen::Home);
    room.dispatch(Command::MakePuzzles);
    assert!(room.app().message.as_ref().is_some_and(|message| message.text.contains("no game")));
}

#[test]
fn results_against_levels_are_counted_once() {
    let mut room = room();
    room.start("zurero", &[("size", 9)], person(), computer("greedy"));
    room.click(cell("e5"));
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    let lost = Results { lost: 1, ..Results::default() };
    assert_eq!(room.app().progress.games["zurero"]["greedy"], lost);
    let path = room.app().saved[0].path.clone();
    room.dispatch(Command::LoadGame(path));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.outcome.is_some()));
    room.settle();
    assert_eq!(room.app().progress.games["zurero"]["greedy"], lost, "looking at it is no game");
    assert_eq!(room.app().progress.days[&today()].games, lost);
}

/// The end that a computer's turn makes is known to the engine before it is seen.
#[test]
fn a_game_that_the_computer_wins_is_counted() {
    let mut room = room();
    room.start("fabrik", &[("size", 7), ("goal", 4)], person(), computer("greedy"));
    room.settle();
    while room.table().state.outcome.is_none() {
        let action = room.table().details[0].action.clone();
        room.dispatch(Command::Play(action));
        room.settle();
    }
    let winner = room.table().state.outcome.as_ref().and_then(|outcome| outcome.winner);
    assert_eq!(winner, Some(Seat::Two));
    let lost = Results { lost: 1, ..Results::default() };
    assert_eq!(room.app().progress.games["fabrik"]["greedy"], lost);
    for command in [Command::Undo, Command::Redo] {
        room.dispatch(command);
        room.settle();
    }
    assert_eq!(room.app().progress.games["fabrik"]["greedy"], lost, "it is counted once");
}

#[test]
fn window_and_terminal_at_once_lose_nothing_of_each_other() {
    let mut room = room();
    let mut terminal = ProgressKeeper::open(room.folder.path());
    let step = |step| Note::Step { game: "fabrik".into(), step, of: 11, day: today() };
    assert!(terminal.note(step(0)));
    terminal.keep().expect("it is written");
    start(&mut room, "own-1");
    turn(&mut room, "e7");
    room.until(|app| app.progress.is_step_done("fabrik", 0));
    assert_eq!(room.app().progress.puzzles["own-1"].failed, 1);
    assert!(terminal.note(step(1)));
    terminal.keep().expect("it is written");
    let room = room.again();
    let progress = &room.app().progress;
    assert_eq!((progress.puzzles["own-1"].failed, progress.steps_done("fabrik", 11)), (1, 2));
    assert_eq!(*progress, *terminal.progress());
}

#[test]
fn progress_is_exported_and_deleted() {
    let mut room = room();
    start(&mut room, "own-1");
    turn(&mut room, "e7");
    room.dispatch(Command::ExportProgress);
    room.settle();
    let exported = room.folder.path().join("exported/progress.json");
    let (exported, spoilt) = Progress::read(&fs::read_to_string(exported).expect("a file"));
    assert!(spoilt.is_empty() && exported.puzzles["own-1"].failed == 1);
    room.dispatch(Command::Show(Panel::ConfirmDeleteProgress));
    assert_eq!(room.app().progress.puzzles.len(), 1, "nothing is deleted by a question");
    room.dispatch(Command::DeleteProgress);
    room.settle();
    assert_eq!(room.app().progress, Progress::default());
    let room = room.again();
    assert_eq!(room.app().progress, Progress::default());
    assert_eq!(room.app().own_puzzles.len(), 2, "puzzles of one's own stay");
}

#[test]
fn what_is_damaged_is_named_with_its_place_and_set_aside_and_the_rest_works() {
    let damaged = r#"{"format":"tabuleiro-progress","version":1,"streak":{"now":2,"best":"many"},
        "puzzles":{"a":{"solved":1},"b":{"solved":-1}}}"#;
    let room = room().before_again(|folder| {
        fs::write(folder.join("progress.json"), damaged).expect("a file");
        let puzzles = fs::read_to_string(folder.join(PuzzleFile::OWN)).expect("a file");
        let puzzles = puzzles.replacen("\"kind\":\"win\"", "\"kind\":\"fun\"", 1);
        fs::write(folder.join(PuzzleFile::OWN), puzzles).expect("a file");
    });
    let told = room.app().message.as_ref().expect("a complaint").text.clone();
    assert!(told.contains("progress.json: ") && told.contains("streak"), "{told}");
    assert_eq!(room.app().progress.puzzles["a"].solved, 1);
    assert_eq!(room.app().own_puzzles.len(), 1);
    let folder = room.folder.path();
    assert_eq!(fs::read_to_string(folder.join("progress.damaged.json")).expect("a copy"), damaged);
    let room = room.again();
    let copies = fs::read_dir(room.folder.path()).expect("the folder").flatten();
    let copies = copies.filter(|entry| entry.file_name().to_string_lossy().contains("damaged")).count();
    assert_eq!(copies, 2, "it is set aside once");
}
