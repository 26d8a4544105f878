//! Round robins and gauntlets.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::match_reports::timeless;
use crate::process::{FABRIK, path, records, refusal, report, report_in, run};

const THREE: [&str; 6] =
    ["--player", "greedy@nodes=200", "--player", "random", "--player", "greedy@nodes=20"];

/// A tournament of small games between quick players.
fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&FABRIK[..], &THREE[..], more].concat()
}

fn array<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object[name].as_array().unwrap_or_else(|| panic!("{name}: {object}"))
}

fn names(object: &Value) -> String {
    object.as_object().expect("an object").keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

fn folders(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().into_string().expect("a plain name")).collect()
}

#[test]
fn everybody_meets_everybody() {
    let (text, report) = report(&small(&["--games", "6", "--seed", "5"]));
    assert_eq!(names(&report), "game options gauntlet seed opening shard ended players pairings seconds");
    assert_eq!((&report["game"], &report["ended"]), (&json!("fabrik"), &json!("finished")));
    let (players, pairings) = (array(&report, "players"), array(&report, "pairings"));
    assert_eq!((players.len(), pairings.len()), (3, 3));
    let mut elo_before = f64::INFINITY;
    let mut sum = 0.0;
    for row in players {
        assert_eq!(names(row), "player games wins draws losses score elo elo_low elo_high failures");
        let count = |name: &str| row[name].as_u64().unwrap_or_else(|| panic!("{name}: {row}"));
        assert_eq!((count("games"), count("wins") + count("draws") + count("losses")), (12, 12));
        let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {row}"));
        assert_eq!(number("score"), (number("wins") + number("draws") / 2.0) / 12.0);
        assert!(number("elo_low") < number("elo") && number("elo") < number("elo_high"), "{row}");
        assert!(number("elo") <= elo_before, "the best first: {text}");
        elo_before = number("elo");
        sum += number("elo");
        assert_eq!(row["failures"], json!({}));
    }
    assert!(sum.abs() < 1e-6, "the average is 0: {sum}");
    assert_eq!(players[0]["player"], "greedy@nodes=200");

    let lines: Vec<&str> = report_in(&text, &report).lines().collect();
    assert_eq!(lines[0], "fabrik: a round robin of 3 players, seed 5, openings of 6 random turns");
    assert!(lines[1].starts_with("games      18 in "), "{text}");
    let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
    let titles = "player Elo 95 % score games won drawn lost failures";
    let first = lines.iter().position(|line| words(line).join(" ") == titles).expect(titles);
    for (rank, row) in players.iter().enumerate() {
        let cells = words(lines[first + 1 + rank]);
        assert_eq!(cells[..2], [(rank + 1).to_string(), row["player"].as_str().unwrap_or_default().into()]);
        assert_eq!(cells[2], format!("{:+.0}", row["elo"].as_f64().unwrap_or_default()));
        assert_eq!(cells.last().map(String::as_str), Some("none"));
    }
    let cross =
        lines.iter().position(|line| words(line).join(" ") == "against 1 2 3").expect("a cross table");
    // The best player met random in the first pairing.
    let rank = 1 + players.iter().position(|row| row["player"] == "random").expect("random");
    let score = pairings[0]["score"].as_f64().expect("a score");
    let shown = format!("{:.1}", (1.0 - score) * 100.0);
    assert_eq!(words(lines[cross + rank])[..3], [&rank.to_string(), "random", &shown]);
}

#[test]
fn a_pairing_is_a_match_that_can_be_played_alone() {
    let (_, tournament) = report(&small(&["--games", "4", "--seed", "5"]));
    let pairings = array(&tournament, "pairings");
    let who: Vec<_> = pairings.iter().map(|pairing| (&pairing["a"], &pairing["b"])).collect();
    let (best, random, other) = (&json!("greedy@nodes=200"), &json!("random"), &json!("greedy@nodes=20"));
    assert_eq!(who, [(best, random), (best, other), (random, other)]);
    let seeds: BTreeSet<u64> = pairings.iter().filter_map(|pairing| pairing["seed"].as_u64()).collect();
    assert_eq!(seeds.len(), 3, "every pairing has its own");
    for pairing in pairings {
        let seed = pairing["seed"].to_string();
        let player = |name: &str| pairing[name].as_str().expect("a player").to_owned();
        let (a, b) = (player("a"), player("b"));
        let alone = [&FABRIK[..], &["--a", &a, "--b", &b, "--seed", &seed, "--games", "4"]].concat();
        assert_eq!(timeless(report(&alone).1), timeless(pairing.clone()));
    }
}

#[test]
fn in_a_gauntlet_the_first_player_meets_everybody() {
    let (text, gauntlet) = report(&small(&["--games", "4", "--gauntlet", "--seed", "5"]));
    let (_, whole) = report(&small(&["--games", "4", "--seed", "5"]));
    let pairings = |report: &Value| array(&timeless(report.clone()), "pairings").to_vec();
    assert_eq!(pairings(&gauntlet), pairings(&whole)[..2], "the same matches as among all");
    let first = &array(&gauntlet, "players")[0];
    assert_eq!(first["player"], "greedy@nodes=200");
    let zero = json!(0.0);
    assert_eq!([&first["elo"], &first["elo_low"], &first["elo_high"]], [&zero; 3]);
    let text = report_in(&text, &gauntlet);
    assert!(text.starts_with("fabrik: a gauntlet of 3 players"), "{text}");
    assert!(text.contains("\nElo        greedy@nodes=200 has 0"), "{text}");
}

#[test]
fn a_tournament_is_the_same_however_many_games_are_played_at_a_time() {
    let play = |concurrency| timeless(report(&small(&["--games", "5", "--concurrency", concurrency])).1);
    assert_eq!(play("1"), play("3"));
}

#[test]
fn a_tournament_can_be_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = folder.path().join("new");
    let arguments = small(&["--games", "4", "--records", path(&there)]);
    let (_, whole) = report(&arguments);
    let expected =
        ["1-2_greedy@nodes=200_random", "1-3_greedy@nodes=200_greedy@nodes=20", "2-3_random_greedy@nodes=20"];
    assert_eq!(folders(&there), expected.map(String::from).into());
    let kept = records(&there.join(expected[0]));
    assert_eq!(kept.len(), 4);

    // As if it had been ended in the second pairing.
    fs::remove_file(there.join(expected[1]).join("3.json")).expect("a game");
    fs::remove_dir_all(there.join(expected[2])).expect("a folder");
    let (_, resumed) = report(&[&arguments[..], &["--resume"]].concat());
    assert_eq!(timeless(resumed), timeless(whole.clone()));
    assert_eq!(records(&there.join(expected[0])), kept, "a game was played again");

    let text = refusal(&arguments);
    assert!(text.contains("holds a tournament already: --resume goes on with it"), "{text}");
    let other = small(&["--games", "4", "--seed", "8", "--gauntlet", "--resume", "--records", path(&there)]);
    let text = refusal(&other);
    assert!(text.contains("this is another tournament: "), "{text}");
    assert!(text.contains("gauntlet was false there and is true here"), "{text}");
    assert!(text.contains("seed was 0 there and is 8 here"), "{text}");

    // A damaged game is found before anything is played, and played again.
    fs::write(there.join(expected[2]).join("1.json"), "{").expect("a file");
    let (text, again) = report(&[&arguments[..], &["--resume"]].concat());
    assert_eq!(text.matches("1.json: the record is damaged at line 1").count(), 1, "{text}");
    assert_eq!(timeless(again), timeless(whole));

    let text = refusal(&small(&["--games", "4", "--records", "games.jsonl"]));
    assert!(text.contains("games.jsonl: one file holds the games of one match"), "{text}");
}

#[test]
fn games_of_a_tournament_are_told_with_their_pairing() {
    let output = run(&small(&["--games", "2", "--jsonl"]));
    let told = String::from_utf8(output.stdout).expect("text");
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let numbers: Vec<_> =
        told.iter().map(|game| (game["pairing"].as_u64(), game["number"].as_u64())).collect();
    let expected = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)];
    assert_eq!(numbers, expected.map(|(pairing, number)| (Some(pairing), Some(number))));
    assert_eq!(told[5]["seats"], json!({"1": "greedy@nodes=20", "2": "random"}));
}

#[test]
fn wrong_tournaments_are_refused_with_the_reason() {
    let game = [&FABRIK[..], &["--games", "2"]].concat();
    for (arguments, reason) in [
        (vec!["--player", "random"], "a tournament needs at least two players"),
        (
            vec!["--player", "random", "--player", "greedy", "--player", "random"],
            "the player random is named twice",
        ),
        (vec!["--player", "random", "--player", "greedy", "--sprt", "0,20"], "--sprt"),
        (vec!["--player", "random", "--player", "greedy", "--a", "random"], "--a"),
        (vec!["--a", "random", "--b", "greedy", "--gauntlet"], "--gauntlet"),
        (vec!["--player", "bot:mine", "--player", "greedy"], "--player: there is no bot \"mine\""),
        (vec!["--player", "nobody", "--player", "greedy"], "there is no level \"nobody\""),
    ] {
        let text = refusal(&[&game[..], &arguments[..]].concat());
        assert!(text.contains(reason), "{arguments:?}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_tournament_after_the_games_under_way_and_reports() {
    use crate::process::{interrupt, report_with_status, start, wait_for};

    let folder = tempfile::tempdir().expect("a folder");
    let child = start(&small(&["--games", "100000", "--concurrency", "2", "--records", path(folder.path())]));
    let first = folder.path().join("1-2_greedy@nodes=200_random");
    wait_for(&first.join("3.json"));
    interrupt(&child);
    let (text, report) = report_with_status(&child.wait_with_output().expect("it ends"), 3);
    assert_eq!(report["ended"], "interrupted");
    assert!(text.contains("then it was interrupted"), "{text}");
    let games: Vec<_> = array(&report, "pairings").iter().map(|pairing| &pairing["games"]).collect();
    assert_eq!(games, [&json!(records(&first).len()), &json!(0), &json!(0)]);
    assert!(report["players"].as_array().is_some_and(|players| players.len() == 3), "{report}");
}
