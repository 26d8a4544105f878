//! Matches of two players: results, records, interruption and resumption.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};
use tabuleiro_engine::catalog::Catalog;

use crate::match_reports::timeless;
use crate::process::{engine, path, records, refusal, report, report_in, run, small};

mod greedy_beats_random {
    use super::*;

    test_every_game!(greedy_beats_random, {
        zurero: [("{}")],
        fabrik: [("{}")],
        absorption: [("{}")],
        syrtis: [("{}"), (r#"{"layout":"minor"}"#)],
    });
}

fn greedy_beats_random(game: &str, options: &str) {
    let (text, report) = report(&[
        "--game",
        game,
        "--options",
        options,
        "--a",
        "greedy@nodes=5000",
        "--b",
        "random",
        "--games",
        "4",
    ]);
    let number = |name: &str| report[name].as_f64().unwrap_or_else(|| panic!("{name}: {report}"));
    assert_eq!((&report["a"], &report["b"]), (&json!("greedy@nodes=5000"), &json!("random")));
    assert_eq!((&report["game"], &report["ended"]), (&json!(game), &json!("finished")));
    assert_eq!(number("games"), 4.0);
    assert_eq!(number("wins") + number("draws") + number("losses"), 4.0);
    assert_eq!(number("score"), (number("wins") + number("draws") / 2.0) / 4.0);
    assert!(number("score") > 0.5, "{text}");
    assert!(number("low") < number("score") && number("score") <= number("high"), "{report}");
    assert_eq!(report["failures"], json!({"a": {}, "b": {}}));
    let counts = |value: &Value| -> u64 {
        value.as_object().expect("counts").values().map(|count| count.as_u64().expect("a count")).sum()
    };
    assert_eq!(counts(&report["reasons"]), 4);
    let pairs: u64 = report["pairs"].as_array().expect("counts").iter().filter_map(Value::as_u64).sum();
    assert_eq!(pairs, 2);
    assert!(number("turns") > 6.0 && report["time_ms"]["a"].as_f64() > Some(0.0), "{report}");
    let text = report_in(&text, &report);
    assert!(text.starts_with(&format!("{game}: greedy@nodes=5000 (a) against random (b), seed 0")), "{text}");
    assert!(text.contains("games      4 in ") && text.contains("\nends       "), "{text}");
    assert!(text.contains("\nscore      ") && text.contains(" % (95 %: "), "{text}");
}

#[test]
fn the_object_has_what_scripts_look_for() {
    let (text, report) =
        report(&small(&["--games", "3", "--seed", "9", "--opening", "5", "--sprt", "0,800"]));
    let names: Vec<&str> = report.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = "game options a b seed opening shard ended games wins draws losses pairs score low high elo elo_low elo_high sprt turns \
                    time_ms nodes_per_s reasons failures seconds";
    assert_eq!(names.join(" "), expected);
    assert_eq!(report["options"], json!({"size": 7, "goal": 4, "rules": "official"}));
    assert_eq!((&report["seed"], &report["opening"]), (&json!(9), &json!(5)));
    assert!(report["sprt"]["upper"].as_f64().is_some_and(|bound| (bound - 2.944).abs() < 0.001));
    assert!(text.contains("\ntest       "), "{text}");
}

#[test]
fn without_json_there_is_only_text() {
    let output = run(&small(&["--games", "1"]));
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).lines().all(|line| !line.starts_with('{')), "{output:?}");
}

#[test]
fn an_opening_is_played_twice_with_the_seats_exchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    report(&small(&["--games", "5", "--opening", "4", "--records", path(folder.path())]));
    let games = records(folder.path());
    assert_eq!(games.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let greedy = json!({"kind": "ai", "level": "greedy", "limits": {"nodes": 200}});
    let random = json!({"kind": "ai", "level": "random"});
    for (number, game) in &games {
        let seats = if number % 2 == 1 { [&greedy, &random] } else { [&random, &greedy] };
        assert_eq!([&game["seats"]["1"], &game["seats"]["2"]], seats, "game {number}");
    }
    // Two workers, and whatever the choice was, at least one stone.
    let opening = |number: u32| games[&number]["played"].as_array().expect("actions")[..4].to_vec();
    assert_eq!(opening(1), opening(2));
    assert_eq!(opening(3), opening(4));
    assert_ne!(opening(1), opening(3));
    assert_ne!(opening(3), opening(5));
}

#[test]
fn the_results_are_the_same_however_many_are_played_at_a_time() {
    let play = |concurrency| {
        let folder = tempfile::tempdir().expect("a folder");
        let records_to = path(folder.path());
        let arguments =
            small(&["--games", "9", "--seed", "3", "--concurrency", concurrency, "--records", records_to]);
        let (_, report) = report(&arguments);
        let played: Vec<Value> = records(folder.path()).values().map(|game| game["played"].clone()).collect();
        (timeless(report), played)
    };
    let one = play("1");
    assert_eq!(one.1.len(), 9);
    assert_eq!(one, play("4"));
}

#[test]
fn a_sequential_test_ends_a_match_at_the_same_game_however_many_are_played_at_a_time() {
    let play =
        |concurrency| report(&small(&["--games", "400", "--sprt", "0,200", "--concurrency", concurrency]));
    let (text, one) = play("1");
    assert_eq!((&one["ended"], &one["sprt"]["decision"]), (&json!("decided"), &json!("elo1")), "{text}");
    assert!(one["games"].as_u64().is_some_and(|games| games < 100 && games % 2 == 0), "{text}");
    assert!(text.contains("a is at least +200 Elo better"), "{text}");
    assert_eq!(timeless(one), timeless(play("3").1));
}

#[test]
fn a_match_can_be_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = folder.path().join("new");
    let with_games = |games, resume: &[&'static str]| {
        let more = [&["--games", games, "--records", path(&there)][..], resume].concat();
        report(&small(&more)).1
    };
    assert_eq!(with_games("3", &[])["games"], 3);
    let half = records(&there);
    let resumed = with_games("8", &["--resume"]);
    let whole = records(&there);
    assert_eq!((half.len(), whole.len()), (3, 8));
    assert!(half.iter().all(|(number, game)| whole[number] == *game), "a game was played again");
    assert_eq!(timeless(resumed), timeless(report(&small(&["--games", "8"])).1));

    // Everything is there: nothing is played, and the clock says the same.
    let mut again = with_games("8", &["--resume"]);
    let mut once_more = with_games("8", &["--resume"]);
    for report in [&mut again, &mut once_more] {
        report["seconds"].take();
    }
    assert_eq!(again, once_more);
    // A crash of the machine can leave a game empty that was not on disk yet: it is played again.
    fs::write(there.join("2.json"), "").expect("a file");
    assert_eq!(timeless(with_games("8", &["--resume"])), timeless(again));
    assert_eq!(records(&there).len(), 8);
    // Fewer games than are there are the first of them.
    assert_eq!(with_games("3", &["--resume"])["games"], 3);
}

#[test]
fn records_can_be_loaded_like_any_other() {
    let folder = tempfile::tempdir().expect("a folder");
    report(&[
        "--game",
        "syrtis",
        "--a",
        "random",
        "--b",
        "random",
        "--games",
        "1",
        "--records",
        path(folder.path()),
    ]);
    let text = fs::read_to_string(folder.path().join("1.json")).expect("a record");
    let table =
        tabuleiro_engine::table::record::load_text(&Catalog::standard(), "t1".into(), &text).expect("a game");
    assert!(table.outcome().is_some());
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = path(folder.path());
    report(&small(&["--games", "2", "--records", there]));

    let text = refusal(&small(&["--games", "4", "--records", there]));
    assert!(text.contains("holds a match already: --resume goes on with it"), "{text}");

    let other = [
        "--game",
        "fabrik",
        "--a",
        "greedy",
        "--b",
        "random",
        "--seed",
        "7",
        "--games",
        "2",
        "--resume",
        "--records",
        there,
    ];
    let text = refusal(&other);
    assert!(text.contains("this is another match: options was "), "{text}");
    assert!(text.contains(r#"a was "greedy@nodes=200" there and is "greedy" here"#), "{text}");
    assert!(text.contains("seed was 0 there and is 7 here"), "{text}");
    assert!(!text.contains("b was"), "{text}");

    let resumed = small(&["--games", "2", "--resume", "--records", there]);
    fs::write(folder.path().join("match.json"), "[]").expect("a file");
    let text = refusal(&resumed);
    assert!(text.contains("match.json is damaged"), "{text}");
    fs::remove_file(folder.path().join("match.json")).expect("no file");
    let text = refusal(&resumed);
    assert!(text.contains("holds files, but no match: choose an empty folder"), "{text}");
}

#[test]
fn a_damaged_game_is_named_and_set_aside_and_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = small(&["--games", "4", "--records", path(folder.path())]);
    let (_, whole) = report(&arguments);
    let games = records(folder.path());
    let file = |number: u32| folder.path().join(format!("{number}.json"));
    let changed = |change: fn(&mut Value)| {
        let mut game = games[&2].clone();
        change(&mut game);
        game.to_string().into_bytes()
    };
    for (damaged, reason) in [
        (fs::read(file(1)).expect("a game"), "2.json: this is not game 2 of the match"),
        (b"{".to_vec(), "2.json: the record is damaged at line 1"),
        (vec![0; 4096], "2.json: the record is damaged at line 1"),
        (vec![0xff; 9], "2.json: this is not text"),
        // A result that its moves do not have.
        (
            changed(|game| {
                game["match"]["outcome"] = json!({"winner": null, "reason": "too_long"});
            }),
            "2.json: its moves do not lead to the result {\"winner\":null,\"reason\":\"too_long\"} after ",
        ),
        (
            changed(|game| {
                let winner = game["outcome"]["winner"].take();
                game["outcome"].take();
                game["played"].as_array_mut().and_then(Vec::pop).expect("an action");
                game["match"]["outcome"] = json!({"winner": winner, "reason": "line"});
            }),
            "2.json: its moves do not lead to the result",
        ),
        (changed(|game| game["match"]["turns"] = json!(99)), "after 99 turns"),
    ] {
        fs::write(file(2), &damaged).expect("a file");
        let (said, resumed) = report(&[&arguments[..], &["--resume"]].concat());
        assert!(said.contains(reason), "{reason}: {said}");
        assert!(said.contains("2.json.damaged, and what is missing is played again"), "{said}");
        assert_eq!(timeless(resumed), timeless(whole.clone()));
        assert_eq!(fs::read(folder.path().join("2.json.damaged")).expect("a file"), damaged);
        assert_eq!(records(folder.path())[&2]["played"], games[&2]["played"]);
    }
    // A game that was broken off has no result by its moves: who is to move has failed.
    let broken_off = changed(|game| {
        let winner = game["outcome"]["winner"].as_u64().expect("a winner");
        game["outcome"].take();
        game["played"].as_array_mut().and_then(Vec::pop).expect("an action");
        let turns = game["match"]["turns"].as_u64().expect("a count");
        game["match"]["turns"] = json!(turns - 1);
        game["match"]["outcome"] = json!({"winner": 3 - winner, "reason": "crashed"});
    });
    fs::write(file(2), broken_off).expect("a file");
    let (said, _) = report(&[&arguments[..], &["--resume"]].concat());
    assert!(!said.contains("damaged") && said.contains("crashed 1"), "{said}");
}

/// What would be waited for without end, or fill the memory, or lead elsewhere.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_set_aside_like_a_damaged_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = small(&["--games", "6", "--records", path(folder.path())]);
    let (_, whole) = report(&arguments);
    let file = |number: u32| folder.path().join(format!("{number}.json"));
    (1..=5).for_each(|number| fs::remove_file(file(number)).expect("a game"));
    assert!(std::process::Command::new("mkfifo").arg(file(1)).status().expect("mkfifo").success());
    fs::create_dir(file(2)).expect("a folder");
    // Neither can take the other's place.
    fs::write(folder.path().join("2.json.damaged"), "from before").expect("a file");
    // It takes no room on the disk.
    fs::File::create(file(3)).and_then(|file| file.set_len(190_000_000)).expect("a file");
    std::os::unix::fs::symlink(file(6), file(4)).expect("a link");
    std::os::unix::fs::symlink("nowhere", file(5)).expect("a link");
    let (said, resumed) = report(&[&arguments[..], &["--resume"]].concat());
    for words in [
        "1.json: this is a pipe, a socket or a device, not a file; moved to",
        "2.json: this is a folder, not a file; moved to",
        "2.json.damaged-2, and what is missing",
        "3.json: this is too large to be read: 190000000 bytes, and 16777216 are the most; moved to",
        "4.json: this is a link, not a file; moved to",
        "5.json: this is a link, not a file; moved to",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(timeless(resumed), timeless(whole));
    assert_eq!(records(folder.path()).len(), 6);
    // A pipe in the place of all games is not waited for either.
    let pipe = folder.path().join("games.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let refused = run(&["merge", path(&pipe)]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("games.jsonl"), "{said}");
}

#[test]
fn games_that_cannot_be_told_are_not_played() {
    let to = |file: &str| -> Stdio { fs::OpenOptions::new().write(true).open(file).expect("a file").into() };
    for (json, games) in [("--jsonl", "1000000"), ("--json", "1")] {
        if !std::path::Path::new("/dev/full").exists() {
            return;
        }
        let arguments = small(&["--games", games, json]);
        let output = engine(&arguments).stdout(to("/dev/full")).output().expect("the engine starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.ends_with("standard output: No space left on device (os error 28)\n"), "{said}");
    }
}

#[test]
fn every_game_is_told_as_it_ends() {
    let output = run(&small(&["--games", "5", "--seed", "4", "--jsonl", "--json"]));
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stdout).expect("text");
    let mut told: Vec<Value> =
        told.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    // The last line is what it all came to.
    let whole = told.pop().expect("a line");
    assert_eq!(timeless(whole.clone()), timeless(report(&small(&["--games", "5", "--seed", "4"])).1));
    let folder = tempfile::tempdir().expect("a folder");
    report(&small(&["--games", "5", "--seed", "4", "--records", path(folder.path())]));
    let games = records(folder.path());
    assert_eq!(told.len(), 5);
    for (number, line) in (1..).zip(&told) {
        let names: Vec<&str> = line.as_object().expect("an object").keys().map(String::as_str).collect();
        let expected = "pairing number opening seats seat_of_a winner reason turns plies seed failed";
        assert_eq!(names.join(" "), expected);
        let game: &Value = &games[&number];
        let seats = match number % 2 {
            1 => json!({"1": "greedy@nodes=200", "2": "random"}),
            _ => json!({"1": "random", "2": "greedy@nodes=200"}),
        };
        assert_eq!((&line["number"], &line["opening"]), (&json!(number), &json!(number.div_ceil(2))));
        assert_eq!((&line["seats"], &line["seat_of_a"]), (&seats, &game["match"]["seat_of_a"]));
        assert_eq!(
            (&line["winner"], &line["reason"]),
            (&game["outcome"]["winner"], &game["outcome"]["reason"])
        );
        assert_eq!((&line["turns"], &line["seed"]), (&game["match"]["turns"], &game["seed"]));
        assert_eq!(line["plies"], game["played"].as_array().expect("actions").len());
        assert_eq!((&line["pairing"], &line["failed"]), (&Value::Null, &Value::Null));
    }
    // Only lines of games, and what is there already has been told before.
    let arguments = ["--games", "7", "--seed", "4", "--resume", "--jsonl", "--records", path(folder.path())];
    let output = run(&small(&arguments));
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && told.lines().count() == 2, "{told}");
    assert!(told.starts_with("{\"pairing\":null,\"number\":6,"), "{told}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("\ngames      7 in "));
}

#[test]
fn wrong_command_lines_are_refused_with_the_reason() {
    let two = ["--b", "random", "--games", "2"];
    for (arguments, reason) in [
        (vec!["--game", "chess", "--a", "random"], "there is no game \"chess\"; there is zurero, fabrik"),
        (
            vec!["--game", "zurero", "--a", "bot:mine"],
            "--a: there is no bot \"mine\"; this engine was started without bots",
        ),
        (
            vec!["--game", "zurero", "--a", "nobody"],
            "there is no level \"nobody\"; a player is one of random",
        ),
        (vec!["--game", "zurero", "--a", "greedy@moves=1"], "there is no limit \"moves\""),
        (vec!["--game", "zurero", "--a", "random", "--options", "{\"size\":3}"], "option size: must be"),
        (vec!["--game", "zurero", "--a", "random", "--options", "9"], "--options must be an object"),
        (vec!["--game", "zurero", "--a", "random", "--sprt", "5,0"], "must be less than the second"),
        (vec!["--game", "zurero", "--a", "random", "--resume"], "--records"),
        (vec!["--game", "zurero", "--a", "random", "--concurrency", "0"], "--concurrency"),
        (vec!["--game", "zurero"], "--a"),
        (vec!["--a", "random"], "--game"),
    ] {
        let text = refusal(&[&arguments[..], &two[..]].concat());
        assert!(text.contains(reason), "{arguments:?}: {text}");
    }
    let text = refusal(&small(&["--games", "0"]));
    assert!(text.contains("--games"), "{text}");
}

#[cfg(unix)]
mod interrupted {
    use std::io::{BufRead, BufReader};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::process::{interrupt, lines, report_with_status, start, wait_for};

    #[test]
    fn records_that_are_played_into_are_nobody_elses() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["folder", "file.jsonl"] {
            let there = folder.path().join(name);
            let records = ["--games", "100000", "--records", path(&there), "--resume"];
            let child = start(&small(&records));
            wait_for(&if there.extension().is_some() { there.clone() } else { there.join("1.json") });
            let text = refusal(&small(&records));
            assert!(text.contains(&format!("{name} is in use: another match is being played")), "{text}");
            interrupt(&child);
            report_with_status(&child.wait_with_output().expect("it ends"), 3);
            // And when that has ended they are free.
            let few = ["--games", "1", "--records", path(&there), "--resume"];
            assert_eq!(report(&small(&few)).1["games"], 1);
        }
        // Games that a killed engine has left are gone on with.
        let there = folder.path().join("killed.jsonl");
        let mut child = start(&small(&["--games", "100000", "--records", path(&there)]));
        wait_for(&there);
        while lines_so_far(&there) < 20 {
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let few = small(&["--games", "20", "--records", path(&there), "--resume"]);
        let (_, resumed) = report(&few);
        assert_eq!(timeless(resumed), timeless(report(&small(&["--games", "20"])).1));
        assert!(lines(&there).len() > 20);
    }

    fn lines_so_far(file: &std::path::Path) -> usize {
        fs::read(file).expect("a file").iter().filter(|&&byte| byte == b'\n').count()
    }

    #[test]
    fn ctrl_c_ends_after_the_games_under_way_and_reports() {
        let folder = tempfile::tempdir().expect("a folder");
        let child =
            start(&small(&["--games", "100000", "--concurrency", "2", "--records", path(folder.path())]));
        wait_for(&folder.path().join("3.json"));
        interrupt(&child);
        let output = child.wait_with_output().expect("it ends");
        let (text, report) = report_with_status(&output, 3);
        assert_eq!(report["ended"], "interrupted");
        assert!(text.contains("then it was interrupted"), "{text}");
        assert!(text.contains("once more to end at once"), "{text}");
        assert!(text.contains("the same command with --resume plays the games that are missing"), "{text}");
        // What was reported is what was written down.
        assert_eq!(report["games"], records(folder.path()).len());
    }

    #[test]
    fn a_second_ctrl_c_ends_at_once() {
        // Nobody says when the first game has begun, and before that one Ctrl-C is enough: wait
        // longer and longer until it has.
        let ended_at_once = [100, 400, 1600, 6400].into_iter().any(|pause| {
            let folder = tempfile::tempdir().expect("a folder");
            let endless = [
                "--game",
                "zurero",
                "--a",
                "uct@time_ms=600000",
                "--b",
                "uct@time_ms=600000",
                "--games",
                "2",
            ];
            let mut child = start(&[&endless[..], &["--records", path(folder.path())]].concat());
            wait_for(&folder.path().join("match.json"));
            thread::sleep(Duration::from_millis(pause));
            interrupt(&child);
            let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
            let said =
                stderr.lines().map_while(Result::ok).find(|line| line.contains("once more to end at once"));
            assert!(said.is_some());
            interrupt(&child);
            child.wait().expect("it ends").code() == Some(130)
        });
        assert!(ended_at_once);
    }
}
