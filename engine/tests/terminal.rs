//! Playing in the terminal: through a pipe, and through a pseudo-terminal as a person would.

#[macro_use]
#[path = "../../tests/support/every_game.rs"]
mod every_game;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rexpect::session::spawn_command;
use tabuleiro_protocol::progress::Progress;

fn engine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
}

/// What the program says when these lines are typed and the input ends.
fn piped(arguments: &[&str], input: &str) -> Output {
    let mut child = engine()
        .arg("play")
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

fn said(arguments: &[&str], input: &str) -> String {
    let output = piped(arguments, input);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_menu_leads_to_a_game() {
    let text = said(&[], "nothing\n1\n1\n3\n7\n@d4\n");
    assert!(text.contains("\"nothing\" is none of these"), "{text}");
    assert!(text.contains("size: must be a whole number from 5 to 19, not 3"), "{text}");
    assert!(text.contains("Turn 1, Black (seat 1): Place the first stone on the centre."), "{text}");
    assert!(text.contains("Turn 2, White (seat 2)"), "{text}");
}

#[test]
fn the_menu_takes_names_and_defaults() {
    let text = said(&[], "Syrtis\n2\nrandom\n\n\n\n");
    assert!(text.contains("Turn 1, Seat 1:"), "{text}");
}

#[test]
fn the_input_may_end_anywhere() {
    let whole = "2\n1\n5\n3\n\nw@a1\nw@e5\nblack\n";
    for end in 0..whole.len() {
        said(&[], &whole[..end]);
    }
}

#[test]
fn wrong_input_gets_the_reason_and_another_try() {
    let arguments = ["zurero", "--one", "person", "--two", "person", "--options", "{\"size\":7}"];
    let text = said(&arguments, "@a1\n@d4\nw1 w4\nw4 w1\nsave\nload nowhere.json\nundo 3\nw4\n");
    assert!(text.contains("@a1: a1 is not in the centre"), "{text}");
    assert!(text.contains("w1: row 1 is empty"), "{text}");
    assert!(text.contains("Say which file"), "{text}");
    assert!(text.contains("Not loaded: nowhere.json: "), "{text}");
    assert!(text.contains("undo: "), "{text}");
    assert!(text.trim_end().ends_with('>') && text.contains("Turn 3, Black"), "{text}");
}

#[test]
fn people_can_look_take_back_save_load_and_resign() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.json");
    let file = file.to_str().expect("a plain name");
    let arguments = ["fabrik", "--one", "person", "--two", "person"];
    let text = said(
        &arguments,
        &format!(
            "undo\nredo\nw@d3\nw@g8\nblack @g3\nmoves\nhint\nundo\nredo\nsave {file}\nundo\nload {file}\nresign\nundo\nrules\nhelp\nquit\n"
        ),
    );
    for expected in [
        "Not undone: nothing has been played yet.",
        "Not redone: there is nothing to play again.",
        " in all.",
        "The computer would play ",
        "Saved to ",
        "Loaded ",
        "\nSeat 2 has resigned: seat 1 has won.\nBlack (seat 1) wins (resign).",
        "save FILE   write the game to a file",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing in\n{text}");
    }
    let saved = fs::read_to_string(file).expect("the file");
    assert!(saved.contains("\"tabuleiro-record\""), "{saved}");

    let text = said(&["zurero", "--one", "person", "--two", "person"], &format!("load {file}\nredo\n"));
    assert!(text.contains("Turn 4, White (seat 2)"), "{text}");
}

#[test]
fn people_can_walk_in_the_tree_note_review_and_copy_a_game() {
    let arguments = ["zurero", "--one", "person", "--two", "person", "--options", "{\"size\":5}"];
    let text = said(
        &arguments,
        "@c3\nw3\nnc\ngoto 1\nnc\ncomment Is this better?\nmark !?\nmark #\ngoto 9\ngoto\nvariations\ntext\nreview\n\
         load zurero size=5 : @c3 e3 w3\ntext\nload zurero size=5 : @c3 e1\ntext\n\
         load readable zurero size=5 : @c3 e1\ntext\n",
    );
    for expected in [
        "Noted at node 4.",
        "Not noted: mark: must be one of",
        "There is no node 9.",
        "Say which node",
        "     0  start",
        "     1  @c3",
        "     2  w3",
        ">    4    nc !?  Is this better?",
        "     3  nc",
        "zurero size=5 : @c3 nc",
        "2 turns are looked through; Ctrl-C ends it.",
        "   1. seat 1",
        "black: 1 turn, mean cost 0.0 %",
        "Loaded zurero size=5 : @c3 e3 w3.",
        "> zurero size=5 : @c3 e3 w3\n",
        "Not loaded: the record is damaged at word 5 (e1): row 1 is empty",
        "\"load readable zurero size=5 : @c3 e1\" goes on with 1 action that can be read of it.",
        "Left out: the record is damaged at word 5 (e1)",
        "> zurero size=5 : @c3\n",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing in\n{text}");
    }
}

#[test]
fn people_can_ask_what_is_best_and_what_threatens() {
    let arguments = ["zurero", "--one", "person", "--two", "person", "--options", "{\"size\":5}"];
    let text = said(
        &arguments,
        "threat\nanalyse soon\nload zurero size=5 start=b,b,b,b,1/w,4/w,4/w,4/5 start.to_move=2\nanalyse 1\n\
         threat 1\n",
    );
    for expected in [
        "There is no threat: there is no such position: only seat 1 can have the turn here.",
        "Say how many seconds, from 1 to 86400: analyse 30",
        " deep, ",
        " 100!%  e1\n",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing in\n{text}");
    }
}

#[test]
fn a_saved_game_is_reviewed_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, page] = ["game.txt", "page.html"].map(|name| folder.path().join(name));
    fs::write(&file, "fabrik size=5 goal=4 : w@b2 w@d4 white @c3 b2-b4 @c4\n").expect("written");
    let review = |arguments: &[&str]| {
        let output = engine().arg("review").arg(&file).args(["--nodes", "300"]).args(arguments).output();
        let output = output.expect("it starts");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let said = review(&["--html", page.to_str().expect("a plain name")]);
    assert_eq!(said.lines().filter(|line| line.contains(". seat ")).count(), 5, "{said}");
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("<svg") && page.ends_with("</html>\n") && !page.contains("http"), "{page}");
    assert!(page.contains("judged by master with at most 300 nodes for every position"), "{page}");
    let json: serde_json::Value = serde_json::from_str(&review(&["--json"])).expect("one object");
    let mut alone: serde_json::Value =
        serde_json::from_str(&review(&["--json", "--threads", "1"])).expect("one object");
    alone["time_ms"] = json["time_ms"].clone();
    assert_eq!(alone, json);
    assert_eq!(json["done"], 5);
    let output = engine().args(["review", "nowhere.json"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    fs::write(&file, "fabrik size=5 goal=4 : w@b2 w@d4 white @c3 b2-b9 @c4\n").expect("written");
    let damaged = |arguments: &[&str]| {
        let output = engine().arg("review").arg(&file).args(["--nodes", "300"]).args(arguments).output();
        let output = output.expect("it starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, said, why) = damaged(&[]);
    assert_eq!((code, said.as_str()), (Some(2), ""), "{why}");
    assert!(why.contains("word 9 (b2-b9)") && why.contains("--readable"), "{why}");
    let (code, said, why) = damaged(&["--readable"]);
    assert!(code == Some(0) && why.contains("word 9 (b2-b9)"), "{why}");
    assert_eq!(said.lines().filter(|line| line.contains(". seat ")).count(), 4, "{said}");
}

#[test]
fn only_saved_games_are_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("letter.txt");
    fs::write(&file, "Dear aunt").expect("written");
    let name = file.to_str().expect("a plain name");
    let text =
        said(&["zurero", "--one", "person", "--two", "person"], &format!("save {name}\nload {name}\n@j10\n"));
    assert!(text.contains("Not saved: ") && text.contains("is not a saved game"), "{text}");
    assert!(
        text.contains("Not loaded: the record is damaged at word 1 (Dear): a game as text begins"),
        "{text}"
    );
    assert!(text.contains("Turn 2, White"), "the game went on: {text}");
    assert_eq!(fs::read_to_string(&file).expect("the file"), "Dear aunt");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "nothing is left beside it");
}

#[test]
fn undo_goes_back_to_the_turn_of_a_person() {
    let arguments = ["zurero", "--one", "person", "--two", "greedy", "--seed", "5"];
    let text = said(&arguments, "@j10\nundo\n@j10\nundo\nredo\n");
    let turns: Vec<&str> = text.lines().filter(|line| line.contains("Turn ")).collect();
    let numbers: Vec<&str> =
        turns.iter().filter_map(|line| line.split("Turn ").nth(1)?.split(',').next()).collect();
    assert_eq!(numbers, ["1", "3", "1", "3", "1", "3"], "{text}");
}

#[test]
fn computers_play_every_game_to_its_end() {
    for game in every_game!() {
        let text = said(&[game, "--one", "greedy", "--two", "random", "--seed", "2", "--ascii"], "");
        let last = text.lines().rev().find(|line| line.contains("You can still")).expect(game);
        assert!(last.contains("wins (") || last.contains("A draw ("), "{game}: {last}");
        assert!(text.is_ascii(), "{game}");
    }
}

#[test]
fn a_wrong_command_line_says_what_is_wrong() {
    for (arguments, expected) in [
        (&["chess"][..], "there is no game \"chess\""),
        (
            &["zurero", "--one", "champion"],
            "--one: \"champion\" is not person, and there is no level \"champion\"",
        ),
        (&["zurero", "--two", "master@hours=3"], "there is no limit \"hours\""),
        (&["zurero", "--options", "{\"size\":99}"], "size: must be a whole number from 5 to 19, not 99"),
        (&["zurero", "--options", "size=9"], "--options must be an object"),
        (&["--options", "{}"], "--options needs to know the game"),
        (&["zurero", "--fast"], "unexpected argument"),
    ] {
        let output = piped(arguments, "");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
}

/// Waits for each text and types the answer.
fn converse(arguments: &[&str], dialogue: &[(&str, &str)]) {
    let mut command = engine();
    command.arg("play").args(arguments);
    let mut session = spawn_command(command, Some(30_000)).expect("a pseudo-terminal");
    for (expected, answer) in dialogue {
        session.exp_string(expected).unwrap_or_else(|error| panic!("waiting for {expected:?}: {error}"));
        session.send_line(answer).expect("it reads");
    }
    session.exp_eof().expect("it leaves");
}

#[test]
fn a_person_plays_zurero_at_a_terminal_to_the_end() {
    let dialogue = [
        ("Which game?", "1"),
        ("Who plays", "1"),
        ("size", "5"),
        ("Place the first stone", "help"),
        ("save FILE", "@c3"),
        ("White (seat 2):", "w3"),
        ("Black (seat 1):", "nonsense"),
        ("Nothing was played", "undo"),
        ("White (seat 2):", "redo"),
        ("Black (seat 1):", "resign"),
        ("White (seat 2) wins (resign)", "undo"),
        ("Black (seat 1):", "nd"),
        ("White (seat 2):", "w4"),
        ("Black (seat 1):", "w3"),
        ("White (seat 2):", "se"),
        ("Black (seat 1):", "nc"),
        ("White (seat 2):", "w3"),
        ("Black (seat 1):", "sa"),
        ("Black (seat 1) wins (five)", "quit"),
    ];
    converse(&[], &dialogue);
}

#[test]
fn a_person_plays_the_computer_at_a_terminal() {
    converse(
        &["fabrik", "--two", "greedy", "--one", "person", "--seed", "1"],
        &[
            ("Black (seat 1): Put a worker", "w@d3"),
            ("(greedy) plays w@", "white"),
            ("(greedy) plays @", "hint"),
            ("The computer would play", "quit"),
        ],
    );
}

#[test]
fn control_c_makes_the_computer_move_and_leaves_when_it_is_not_thinking() {
    let mut command = engine();
    command.args(["play", "zurero", "--one", "person", "--two", "master@time_ms=600000"]);
    let mut session = spawn_command(command, Some(30_000)).expect("a pseudo-terminal");
    session.exp_string("> ").expect("it asks");
    session.send_line("@j10").expect("it reads");
    session.exp_string("is thinking").expect("it is the computer's turn");
    session.send_control('c').expect("it hears");
    session.exp_string("(master) plays ").expect("it moves");
    session.exp_string("Black (seat 1): ").expect("it asks again");
    session.send_control('c').expect("it hears");
    session.exp_eof().expect("it leaves");
}

#[test]
fn control_d_leaves() {
    let mut command = engine();
    command.args(["play", "zurero", "--one", "person", "--two", "person"]);
    let mut session = spawn_command(command, Some(30_000)).expect("a pseudo-terminal");
    session.exp_string("> ").expect("it asks");
    session.send_control('d').expect("it reads");
    session.exp_eof().expect("it leaves");
}

/// What a lesson says to somebody who has learned nothing yet.
fn learned(arguments: &[&str], input: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    learned_in(folder.path(), arguments, input)
}

fn learned_in(data: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = engine()
        .arg("learn")
        .args(arguments)
        .arg("--data")
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut pipe = child.stdin.take().expect("its input is a pipe");
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_lesson_answers_what_is_right_what_is_wrong_and_what_is_against_the_rules() {
    let text = learned(
        &["zurero"],
        "@e5\nwhat\nhint\nne\nW5\nback\nw5\nnext\nnext\nnext\nnb\nse\nnext\ne4\nne\nng\nsd\nng\nsd\ne4\nnd\n@e5\nquit\n",
    );
    for expected in [
        "== 1 of 14: The first stone",
        "From now on every stone comes in from the edge.",
        "Not possible: ",
        "Choose the left end of row 5.",
        "That stone came in elsewhere.",
        "The old stone moved from e5 to f5",
        "Not possible: column b is empty: a stone needs another one to stop at.",
        "That put the fifth white stone into row 6: you made their row.",
        "The answer is ",
        "Black could not stop both ends.",
        "== 14 of 14: A game",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing in\n{text}");
    }
}

#[test]
fn the_game_at_the_end_of_a_lesson_is_commented_on() {
    let text = learned(&["zurero", "--step", "14"], "@e5\nresign\nquit\n");
    for expected in [
        "== 14 of 14: A game",
        "* Keep your stones close together: then one push can bring two of them into line.",
        "* They have won this one. Look back",
        "quit, which ends the lesson.",
        "That was the lesson.",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing in\n{text}");
    }
    let text = learned(&["syrtis", "--step", "12"], "L@a2\nquit\n");
    assert!(text.contains("== 12 of 12: A game"), "{text}");
    assert!(!text.contains("That was the lesson."), "it was left in mid-game: {text}");
}

#[test]
fn steps_that_are_done_are_kept_and_the_lesson_goes_on_after_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(Progress::FILE);
    let kept = || Progress::read(&fs::read_to_string(&file).expect("progress is kept")).0;
    // A step that is skipped, or tried in vain, is not done.
    learned_in(folder.path(), &["zurero"], "@e5\nnc\nnext\nng\nquit\n");
    let steps: Vec<usize> = kept().lessons["zurero"].steps.iter().copied().collect();
    assert_eq!((steps.as_slice(), kept().lessons["zurero"].of), (&[0, 2][..], 14));
    let text = learned_in(folder.path(), &["zurero"], "w5\nquit\n");
    assert!(text.contains("== 2 of 14") && !text.contains("== 1 of 14"), "{text}");
    assert_eq!(kept().lessons["zurero"].steps.len(), 3);
    let text = learned_in(folder.path(), &["zurero", "--step", "14"], "@e5\nresign\nquit\n");
    assert!(text.contains("That was the lesson."), "{text}");
    assert!(kept().is_step_done("zurero", 13), "a game is done when it is over");
}

#[test]
fn damaged_progress_is_named_and_kept_beside_and_the_lesson_is_taught() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(Progress::FILE);
    let damaged = r#"{"format":"tabuleiro-progress","version":1,"streak":7,
        "lessons":{"zurero":{"steps":[0],"of":14}}}"#;
    fs::write(&file, damaged).expect("a file");
    let mut child = engine()
        .args(["learn", "zurero", "--data"])
        .arg(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    child.stdin.take().expect("its input is a pipe").write_all(b"w5\nquit\n").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("progress.json: streak"), "{said}");
    assert!(text.contains("== 2 of 14") && text.contains("== 3 of 14"), "what can be read counts: {text}");
    let copy = folder.path().join("progress.damaged.json");
    assert_eq!(fs::read_to_string(copy).expect("a copy"), damaged, "nothing is lost");
    let kept = Progress::read(&fs::read_to_string(&file).expect("a file")).0;
    assert_eq!(kept.lessons["zurero"].steps.len(), 2);
}

#[test]
fn the_lesson_of_the_guide_can_be_taught() {
    let guide = include_str!("../../docs/write-a-lesson.md");
    let lesson =
        guide.split_once("```json\n").and_then(|(_, rest)| rest.split_once("```")).expect("a lesson").0;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lesson.json");
    fs::write(&file, lesson).expect("a file");
    let file = file.to_str().expect("a path of text");
    let text = learned(&["--file", file], "@c3\ne2\nne\nw2\nnd\nsb\nw2\ne3\nw2\nnc\n@c3\nresign\nquit\n");
    for expected in [
        "From now on stones come in from the edge.",
        "That was row 2, but from the right.",
        "It stopped in front of the two.",
        "Nothing was pushed: behind the first stone of a line the next cell must be free.",
        "Not yet five: look at row 3.",
        "White makes five on e3: push one of the four out of row 3.",
        "* Keep your stones together.",
        "That was the lesson.",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing in\n{text}");
    }
}

#[test]
fn a_lesson_of_somebody_elses_is_taught_or_what_is_wrong_with_it_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lesson.json");
    let with = |steps: &str| {
        let lesson = format!(
            "{{\"game\":\"zurero\",\"title\":\"Mine\",\"options\":{{\"size\":5}},\"steps\":[{steps}]}}"
        );
        fs::write(&file, lesson).expect("a file");
        let mut learn = engine();
        learn.arg("learn").arg("--file").arg(&file).arg("--data").arg(folder.path()).stdin(Stdio::null());
        learn.output().expect("the engine starts")
    };
    let good = r#"{"title":"One","text":"Begin.","goal":"any"}"#;
    let text = String::from_utf8(with(good).stdout).expect("text");
    assert!(text.contains("== 1 of 1: One\nBegin."), "{text}");
    let wrong = with(r#"{"title":"One","text":"Begin.","goals":"any"}"#);
    let said = String::from_utf8(wrong.stderr).expect("text");
    assert!(!wrong.status.success() && said.contains("lesson.json: steps[0]"), "{said}");
    let text = with(&format!(
        r#"{{"title":"No","text":"","goal":"any","start":{{"rows":["q"],"to_move":1}}}},{good}"#
    ));
    let text = String::from_utf8(text.stdout).expect("text");
    assert!(text.contains("This step cannot be shown: ") && text.contains("== 2 of 2: One"), "{text}");
    assert!(!folder.path().join(Progress::FILE).exists(), "its steps are not those of the game's own lesson");
    let mut beyond = engine();
    beyond.args(["learn", "zurero", "--step", "15", "--data"]).arg(folder.path());
    let beyond = beyond.output().expect("the engine starts");
    assert!(String::from_utf8_lossy(&beyond.stderr).contains("--step: the lesson has 14 steps, not 15"));
}
