//! Matches whose games are lines of one file.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tabuleiro_engine::catalog::Catalog;

use crate::match_reports::timeless;
use crate::process::{lines, path, records, refusal, report, report_of, run, small};

fn games(file: &Path) -> Vec<Value> {
    lines(file).into_iter().filter(|line| line["format"] == "tabuleiro-record").collect()
}

#[test]
fn a_line_is_a_game_as_a_file_is_in_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, apart) = (folder.path().join("new/games.jsonl"), folder.path().join("apart"));
    let (_, one) = report(&small(&["--games", "5", "--records", path(&file)]));
    let (_, other) = report(&small(&["--games", "5", "--records", path(&apart)]));
    assert_eq!(timeless(one), timeless(other));
    let lines = lines(&file);
    assert_eq!(lines.len(), 6);
    let head: Value = serde_json::from_str(&fs::read_to_string(apart.join("match.json")).expect("a file"))
        .expect("a document");
    assert_eq!(lines[0], head);
    for (line, game) in lines[1..].iter().zip(records(&apart).values()) {
        let without_times = |game: &Value| {
            let mut game = game.clone();
            game["match"]["effort"].take();
            game
        };
        assert_eq!(without_times(line), without_times(game));
        let table =
            tabuleiro_engine::table::record::load_text(&Catalog::standard(), "t1".into(), &line.to_string());
        assert!(table.is_ok_and(|table| table.outcome().is_some()));
    }
}

#[test]
fn a_match_in_one_file_can_be_resumed_and_made_longer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.jsonl");
    let play = |games, resume: &[&'static str]| {
        report(&small(&[&["--games", games, "--records", path(&file)][..], resume].concat()))
    };
    play("3", &[]);
    let before = fs::read_to_string(&file).expect("a file");
    let (_, resumed) = play("8", &["--resume"]);
    assert_eq!(timeless(resumed), timeless(report(&small(&["--games", "8"])).1));
    let after = fs::read_to_string(&file).expect("a file");
    assert!(after.starts_with(&before), "it only grows");
    assert_eq!(games(&file).len(), 8);
    // Nothing is left to be played, and fewer games make no match shorter.
    play("8", &["--resume"]);
    assert_eq!(play("2", &["--resume"]).1["games"], 2);
    assert_eq!(fs::read_to_string(&file).expect("a file"), after);

    let text = refusal(&small(&["--games", "8", "--records", path(&file)]));
    assert!(text.contains("games.jsonl holds a match already: --resume goes on with it"), "{text}");
    let text = refusal(&small(&["--games", "8", "--seed", "7", "--resume", "--records", path(&file)]));
    assert!(text.contains("this is another match: seed was 0 there and is 7 here"), "{text}");
    for content in ["", "{}\n", "a diary\n"] {
        fs::write(&file, content).expect("a file");
        let text = refusal(&small(&["--games", "8", "--resume", "--records", path(&file)]));
        assert!(text.contains("holds something else than a match: choose another name"), "{text}");
        assert_eq!(fs::read_to_string(&file).expect("a file"), content);
    }
}

#[test]
fn damaged_lines_are_cut_out_and_their_games_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.jsonl");
    let aside = folder.path().join("games.jsonl.damaged");
    let arguments = small(&["--games", "6", "--records", path(&file)]);
    let (_, whole) = report(&arguments);
    let good = fs::read(&file).expect("a file");
    let ends: Vec<usize> = (0..good.len()).filter(|&place| good[place] == b'\n').collect();
    // A power cut: half a line at the end, or blocks that never were written, at any place.
    let half = good[..good.len() - 40].to_vec();
    let mut hole = good.clone();
    hole[ends[1] - 10..ends[2] + 10].fill(0);
    let mut tail = good.clone();
    tail[ends[4] + 1..].fill(0);
    let mut foreign = good.clone();
    foreign.extend(b"{\"format\":\"other\"}\n");
    // More than any game has: only a part of it is ever held.
    let mut endless = good.clone();
    endless.extend(vec![b'7'; 17 << 20]);
    endless.push(b'\n');
    for (damaged, line, lost) in [(half, 7, 1), (hole, 2, 3), (tail, 6, 2), (foreign, 8, 0), (endless, 8, 0)]
    {
        fs::write(&file, &damaged).expect("a file");
        let _ = fs::remove_file(&aside);
        let (said, merged) = {
            let output = run(&["merge", "--json", path(&file)]);
            assert_eq!(output.status.code(), Some(if lost == 0 { 0 } else { 3 }), "{output:?}");
            let report: Value = serde_json::from_slice(&output.stdout).expect("an object");
            (String::from_utf8(output.stderr).expect("text"), report)
        };
        assert_eq!(merged["games"], 6 - lost, "{said}");
        assert!(said.contains(&format!("games.jsonl, line {line}: ")), "{said}");
        assert_eq!(fs::read(&file).expect("a file"), damaged, "merging changes nothing");

        let (said, resumed) = report(&[&arguments[..], &["--resume"]].concat());
        assert!(said.contains(&format!("games.jsonl, line {line}: ")), "{said}");
        assert!(said.contains("games.jsonl.damaged, and what is missing is played again"), "{said}");
        assert_eq!(timeless(resumed), timeless(whole.clone()));
        assert_eq!(games(&file).len(), 6);
        assert!(aside.exists());
    }
    // A line whose end alone is missing is whole, and nothing is written behind it.
    fs::write(&file, &good[..good.len() - 1]).expect("a file");
    let longer = small(&["--games", "8", "--records", path(&file), "--resume"]);
    let (said, resumed) = report(&longer);
    assert!(!said.contains("damaged"), "{said}");
    assert_eq!((&resumed["games"], games(&file).len()), (&json!(8), 8));
}

#[test]
fn files_and_folders_are_merged_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = small(&["--games", "12", "--seed", "3"]);
    let (_, whole) = report(&arguments);
    let part = |shard, name: &str| {
        let there = folder.path().join(name);
        report(&[&arguments[..], &["--shard", shard, "--records", path(&there)]].concat());
        there
    };
    let parts = [part("1/3", "1.jsonl"), part("2/3", "2"), part("3/3", "3.jsonl")];
    // The same part twice, from two machines.
    let again = part("3/3", "again.jsonl");
    let merge = |parts: &[&Path]| {
        let parts: Vec<&str> = parts.iter().map(|part| path(part)).collect();
        run(&[&["merge", "--json"], &parts[..]].concat())
    };
    let output = merge(&[&parts[0], &parts[1], &parts[2], &again]);
    let (said, merged) = report_of(&output);
    assert_eq!(timeless(merged), timeless(whole));
    assert!(said.contains("4 games are there more than once, always the same: counted once"), "{said}");

    // And twice in one file.
    let mut twice = fs::read_to_string(&parts[2]).expect("a file");
    twice += &fs::read_to_string(&again).expect("a file");
    fs::write(&again, &twice).expect("a file");
    let (said, _) = report_of(&merge(&[&parts[0], &parts[1], &again]));
    assert!(said.contains("4 games are there more than once, always the same: counted once"), "{said}");
    let other = {
        let mut lines: Vec<Value> =
            twice.lines().map(|line| serde_json::from_str(line).expect("a document")).collect();
        lines[1]["match"]["effort"]["a"]["nodes"] = json!(1);
        lines.iter().map(|line| format!("{line}\n")).collect::<String>()
    };
    fs::write(&again, other).expect("a file");
    let text = refusal(&["merge", path(&again)]);
    assert!(text.contains("game 5 is there twice, and not the same: "), "{text}");
    assert!(
        text.contains("again.jsonl, line 2 and ") && text.contains("line 7; remove one of them"),
        "{text}"
    );

    let nothing = folder.path().join("nothing.jsonl");
    for (other, reason) in [
        (nothing, "there is no file or folder "),
        (parts[1].join("3.json"), "holds neither a match nor a tournament"),
    ] {
        let text = refusal(&["merge", path(&parts[0]), path(&other)]);
        assert!(text.contains(reason), "{text}");
    }
}
