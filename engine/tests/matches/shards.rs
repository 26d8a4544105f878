//! Matches played in parts and merged.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::match_reports::{lines_without_times, timeless};
use crate::process::{FABRIK, path, records, refusal, report, report_in, report_with_status, run, small};

/// What a shard of a match says, played into a folder inside this one.
fn play_shard(arguments: &[&str], shard: &str, within: &Path) -> (PathBuf, String, Value) {
    let folder = within.join(shard.replace('/', "-of-"));
    let (text, report) = report(&[arguments, &["--shard", shard, "--records", path(&folder)]].concat());
    (folder, text, report)
}

/// The report on what was played apart, and the remarks beside it.
fn merge(parts: &[impl AsRef<Path>]) -> (String, Value, String) {
    merge_with_status(parts, 0)
}

/// The same where games are missing.
fn incomplete_merge(parts: &[impl AsRef<Path>]) -> (String, Value, String) {
    merge_with_status(parts, 3)
}

fn merge_with_status(parts: &[impl AsRef<Path>], status: i32) -> (String, Value, String) {
    let parts: Vec<&str> = parts.iter().map(|part| path(part.as_ref())).collect();
    let (said, report) = report_with_status(&run(&[&["merge", "--json"], &parts[..]].concat()), status);
    let text = report_in(&said, &report);
    let remarks = &said[..said.len() - text.len()];
    (text.into(), report, remarks.into())
}

fn refused_merge(folders: &[impl AsRef<Path>]) -> String {
    let folders: Vec<&str> = folders.iter().map(|folder| path(folder.as_ref())).collect();
    refusal(&[&["merge"], &folders[..]].concat())
}

#[test]
fn shards_together_are_the_whole_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = small(&["--games", "15", "--seed", "3"]);
    let all = folder.path().join("all");
    let (said, whole) = report(&[&arguments[..], &["--records", path(&all)]].concat());
    let whole_text = report_in(&said, &whole).to_owned();
    assert_eq!(whole["shard"], Value::Null);
    let mut folders = Vec::new();
    for (shard, numbers) in
        [("1/3", vec![1, 2, 7, 8, 13, 14]), ("2/3", vec![3, 4, 9, 10, 15]), ("3/3", vec![5, 6, 11, 12])]
    {
        let (folder, text, report) = play_shard(&arguments, shard, folder.path());
        assert_eq!((&report["shard"], &report["ended"]), (&json!(shard), &json!("finished")));
        assert_eq!(report["games"], numbers.len());
        assert!(text.contains(&format!("\nshard      {shard}, a part of the match")), "{text}");
        let played = records(&folder);
        assert_eq!(played.keys().copied().collect::<Vec<_>>(), numbers);
        let whole = records(&all);
        assert!(played.iter().all(|(number, game)| game["played"] == whole[number]["played"]));
        folders.push(folder);
    }
    folders.reverse();
    let (text, merged, remarks) = merge(&folders);
    assert_eq!(merged["seconds"], Value::Null, "nobody knows");
    assert_eq!(timeless(merged), timeless(whole));
    assert_eq!(lines_without_times(&text), lines_without_times(&whole_text));
    assert!(text.contains("\ngames      15\n"), "{text}");
    assert_eq!(remarks, "");
    // A folder with all of it tells the same.
    assert_eq!(timeless(merge(&[all]).1), timeless(merge(&folders).1));
}

#[test]
fn shards_together_are_the_whole_tournament() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = ["--player", "greedy@nodes=100", "--player", "random", "--player", "greedy@nodes=10"];
    let arguments = [&FABRIK[..], &players[..], &["--games", "6", "--seed", "3"]].concat();
    let (said, whole) = report(&arguments);
    let whole_text = report_in(&said, &whole).to_owned();
    let mut folders = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let (folder, text, report) = play_shard(&arguments, shard, folder.path());
        assert_eq!(report["shard"], shard);
        assert_eq!(report["pairings"][2]["games"], 2);
        assert!(text.contains(&format!("\nshard      {shard}, a part of the tournament")), "{text}");
        folders.push(folder);
    }
    let (text, merged, remarks) = merge(&folders);
    assert_eq!(timeless(merged), timeless(whole));
    assert_eq!(lines_without_times(&text), lines_without_times(&whole_text));
    assert_eq!(remarks, "");

    let (_, part, remarks) = incomplete_merge(&folders[..2]);
    assert_eq!(part["ended"], "interrupted");
    let expected = "random against greedy@nodes=10: 4 of 6 games; missing 5, 6: \
                    play --shard 3/3, then merge all of it\n";
    assert!(remarks.contains(expected), "{remarks}");

    let text = refused_merge(&[folders[0].clone(), folders[1].join("1-2_greedy@nodes=100_random")]);
    assert!(text.contains("one holds a match and the other a tournament"), "{text}");
    fs::remove_dir_all(folders[1].join("1-2_greedy@nodes=100_random")).expect("a folder");
    fs::rename(folders[1].join("2-3_random_greedy@nodes=10"), folders[1].join("1-2_greedy@nodes=100_random"))
        .expect("a folder");
    let text = refused_merge(&folders);
    assert!(text.contains("holds another match than"), "{text}");
    let text = refused_merge(&folders[1..2]);
    assert!(
        text.contains("1-2_greedy@nodes=100_random is not a match of the tournament around it"),
        "{text}"
    );
}

#[test]
fn a_merger_needs_no_bots() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = format!("me={}", env!("CARGO_BIN_EXE_tabuleiro-engine"));
    let players = ["--player", "bot:me@nodes=50", "--player", "random", "--bot", &bot];
    let arguments = [&FABRIK[..], &players[..], &["--games", "4"]].concat();
    let (_, whole) = report(&arguments);
    let shards = ["1/2", "2/2"].map(|shard| play_shard(&arguments, shard, folder.path()).0);
    assert!(shards[0].join("1-2_bot_me@nodes=50_random").exists());
    assert_eq!(timeless(merge(&shards).1), timeless(whole));
}

#[test]
fn missing_games_and_games_that_are_there_twice_are_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = small(&["--games", "30"]);
    let (one, ..) = play_shard(&arguments, "1/2", folder.path());
    let (two, ..) = play_shard(&arguments, "2/2", folder.path());
    let (text, report, remarks) = incomplete_merge(&[&one]);
    assert_eq!(
        (&report["ended"], &report["games"], &report["shard"]),
        (&json!("interrupted"), &json!(16), &Value::Null)
    );
    assert!(text.contains("\ngames      16; the others are missing\n"), "{text}");
    let expected = "16 of 30 games; missing 3, 4, 7, 8, 11, 12, 15, 16, 19, 20, …: \
                    play --shard 2/2, then merge all of it\n";
    assert_eq!(remarks, expected);

    // Another machine may have taken longer for the same game.
    let game = fs::read_to_string(one.join("5.json")).expect("a game");
    let mut slower: Value = serde_json::from_str(&game).expect("a document");
    slower["match"]["effort"]["a"]["time_us"] = json!(999_999);
    fs::write(two.join("5.json"), slower.to_string()).expect("a file");
    fs::remove_file(two.join("28.json")).expect("a game");
    let (_, report, remarks) = incomplete_merge(&[&one, &two]);
    assert_eq!(report["games"], 29);
    let expected = format!(
        "1 game is there more than once, always the same: counted once\n\
         29 of 30 games; missing 28: go on with {} (--resume), then merge all of it\n",
        two.display()
    );
    assert_eq!(remarks, expected);

    slower["match"]["effort"]["a"]["nodes"] = json!(1);
    fs::write(two.join("5.json"), slower.to_string()).expect("a file");
    let text = refused_merge(&[&one, &two]);
    assert_eq!(text, format!("game 5 is in {} and in {}, and not the same\n", one.display(), two.display()));
}

#[test]
fn what_is_not_of_one_match_is_not_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, ..) = play_shard(&small(&["--games", "4"]), "1/2", folder.path());
    let (two, ..) =
        play_shard(&small(&["--games", "4", "--seed", "7", "--opening", "2"]), "2/2", folder.path());
    let text = refused_merge(&[&one, &two]);
    let expected = format!(
        "{} holds another match than {}: seed is 7 and not 0; opening is 2 and not 6\n",
        two.display(),
        one.display()
    );
    assert_eq!(text, expected);

    let nothing = folder.path().join("nothing");
    let text = refused_merge(&[&one, &nothing]);
    assert!(text.starts_with("there is no file or folder ") && text.contains("nothing"), "{text}");
    fs::create_dir(&nothing).expect("a folder");
    let text = refused_merge(&[&one, &nothing]);
    assert!(text.contains("nothing holds neither a match nor a tournament"), "{text}");

    // What is no game of the match is not counted, and nothing is changed.
    fs::copy(two.join("3.json"), one.join("3.json")).expect("a copy");
    let (_, report, remarks) = incomplete_merge(&[&one]);
    assert_eq!(report["games"], 2);
    assert!(remarks.contains("3.json: this is not game 3 of the match; not counted\n"), "{remarks}");
    assert!(one.join("3.json").exists());
    for (content, reason) in [
        ("{", "match.json is damaged: EOF"),
        ("{}", "match.json is damaged: format is null and should be \"tabuleiro-match\""),
        (r#"{"format":"tabuleiro-match","version":1}"#, "match.json is damaged: missing field"),
    ] {
        fs::write(one.join("match.json"), content).expect("a file");
        let text = refused_merge(&[&one]);
        assert!(text.contains(reason), "{content}: {text}");
    }
}

#[test]
fn a_match_with_a_sequential_test_is_merged_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments =
        small(&["--games", "400", "--sprt", "0,200", "--concurrency", "2", "--records", path(folder.path())]);
    let (_, whole) = report(&arguments);
    assert_eq!(whole["ended"], "decided");
    let (_, merged, remarks) = merge(&[folder.path()]);
    assert_eq!(timeless(merged), timeless(whole));
    assert_eq!(remarks, "");
}

#[test]
fn folders_from_before_there_were_shards_can_be_resumed_and_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = path(folder.path());
    report(&small(&["--games", "3", "--records", there]));
    let head = || -> Value {
        let text = fs::read_to_string(folder.path().join("match.json")).expect("a file");
        serde_json::from_str(&text).expect("a document")
    };
    let mut old = head();
    for name in ["games", "shard", "sprt"] {
        old.as_object_mut().and_then(|old| old.remove(name)).expect(name);
    }
    fs::write(folder.path().join("match.json"), old.to_string()).expect("a file");
    let (_, merged, remarks) = merge(&[folder.path()]);
    assert_eq!((&merged["games"], &merged["ended"], remarks.as_str()), (&json!(3), &json!("finished"), ""));
    report(&small(&["--games", "6", "--resume", "--records", there]));
    assert_eq!(head()["games"], 6);
    // To look at fewer games makes no match shorter.
    report(&small(&["--games", "2", "--resume", "--records", there]));
    assert_eq!(head()["games"], 6);
}

#[test]
fn a_shard_can_be_resumed_as_itself_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = path(folder.path());
    report(&small(&["--games", "4", "--shard", "2/2", "--records", there]));
    let (_, longer) = report(&small(&["--games", "8", "--shard", "2/2", "--records", there, "--resume"]));
    assert_eq!(longer["games"], 4);
    assert_eq!(records(folder.path()).keys().copied().collect::<Vec<_>>(), [3, 4, 7, 8]);
    let text = refusal(&small(&["--games", "8", "--shard", "1/2", "--records", there, "--resume"]));
    assert!(text.contains(r#"shard was "2/2" there and is "1/2" here"#), "{text}");
    let text = refusal(&small(&["--games", "8", "--records", there, "--resume"]));
    assert!(text.contains(r#"shard was "2/2" there and is null here"#), "{text}");
}

#[test]
fn wrong_shards_are_refused_with_the_reason() {
    for (arguments, reason) in [
        (vec!["--shard", "1/2"], "--records"),
        (vec!["--shard", "0/2", "--records", "x"], "shards are counted from 1/2 to 2/2"),
        (vec!["--shard", "two", "--records", "x"], "must be which of how many, as 2/3"),
        (vec!["--shard", "1/2", "--records", "x", "--sprt", "0,20"], "--sprt"),
    ] {
        let text = refusal(&small(&[&["--games", "4"], &arguments[..]].concat()));
        assert!(text.contains(reason), "{arguments:?}: {text}");
    }
    let text = refusal(&["merge"]);
    assert!(text.contains("<RECORDS>"), "{text}");
}
