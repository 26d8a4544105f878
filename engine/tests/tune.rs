//! The commands that fit weights, teach nets and look at how well chances come true, and the one
//! that solves positions.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tabuleiro_engine::game::{Describe, Game, GameOptions};
use tabuleiro_engine::games::zurero::Zurero;
use tabuleiro_engine::search::Evaluate;

fn said_by(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
        .args(arguments)
        .output()
        .expect("the engine starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

const SMALL: [&str; 10] = [
    "zurero",
    "--options",
    r#"{"size":7}"#,
    "--nodes",
    "60",
    "--seed",
    "3",
    "--games",
    "12",
    "--match-games",
];

#[test]
fn tuning_fits_better_weights_and_lets_them_play_the_old_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("weights.json");
    let name = file.to_str().expect("a plain name");
    let tune = || said_by(&[&["tune"][..], &SMALL, &["6", "--out", name]].concat());
    let report = tune();
    let errors = report.lines().next().expect("a line");
    let error = |before: &str| -> f64 {
        let (_, number) = errors.split_once(before).unwrap_or_else(|| panic!("{report}"));
        number.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
    };
    assert!(error("and ") < error("error "), "{report}");
    assert!(report.contains("\nnew against old: "), "{report}");

    let written = fs::read_to_string(&file).expect("the file");
    let weights: <Zurero as Evaluate>::Weights = serde_json::from_str(&written).expect("weights of the game");
    let known = |weights| serde_json::to_value(weights).expect("numbers");
    let game = Zurero::start(&GameOptions::default_of(&Zurero::options()), 1);
    assert_ne!(known(&weights), known(&game.shipped_weights()));
    assert!(Zurero::scale(&weights) > 0);

    assert_eq!(tune(), report, "the same seed gives the same");
    assert_eq!(fs::read_to_string(&file).expect("the file"), written);
}

/// Plays games to learn from into a file.
fn data(folder: &Path, file: &str, more: &[&str]) -> Output {
    let options = ["--options", r#"{"size":7}"#, "--nodes", "40", "--games", "200", "--seed", "5"];
    let file = folder.join(file);
    let file = file.to_str().expect("a plain name");
    Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
        .args([&["train", "data", "zurero", file][..], &options, more].concat())
        .output()
        .expect("the engine starts")
}

/// The whole games in some files, in the order of their numbers.
fn games(folder: &Path, files: &[&str]) -> Vec<Value> {
    let mut games: Vec<Value> = Vec::new();
    for file in files {
        let text = fs::read_to_string(folder.join(file)).expect("a file");
        games.extend(text.lines().skip(1).filter_map(|line| serde_json::from_str(line).ok()));
    }
    games.sort_by_key(|game| game["number"].as_u64());
    games
}

#[test]
fn a_net_learns_from_games_in_parts_and_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let done = data(folder, "all.jsonl", &[]);
    assert!(done.status.success(), "{done:?}");
    let all = games(folder, &["all.jsonl"]);
    assert_eq!(all.len(), 200);

    // Parts are the same games, and only what is missing is played.
    for part in ["1", "2"] {
        let done = data(folder, &format!("{part}.jsonl"), &["--shard", &format!("{part}/2")]);
        assert!(done.status.success(), "{done:?}");
    }
    let first = fs::read_to_string(folder.join("1.jsonl")).expect("a file");
    let cut: String = first.split_inclusive('\n').take(60).collect();
    fs::write(folder.join("1.jsonl"), &cut[..cut.len() - 9]).expect("written");
    let done = data(folder, "1.jsonl", &["--shard", "1/2"]);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(said.starts_with("42 games with ") && said.contains(" were added to the 58 in "), "{said}");
    assert_eq!(games(folder, &["1.jsonl", "2.jsonl"]), all);

    // Nothing is added to what is something else.
    fs::write(folder.join("text.jsonl"), "something else\n").expect("written");
    for (file, more, expected) in [
        ("text.jsonl", "1", "holds something else than games to learn from"),
        ("all.jsonl", "2", "holds games of zurero {\"size\":7} with 40 nodes, seed 5"),
    ] {
        let file = folder.join(file);
        let file = file.to_str().expect("a plain name");
        let refused = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
            .args(["train", "data", "zurero", file, "--games", "1", "--nodes", more])
            .output()
            .expect("the engine starts");
        assert_eq!(refused.status.code(), Some(2));
        let reason = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(reason.contains(expected), "{reason}");
    }

    let name = |file: &str| folder.join(file).to_str().expect("a plain name").to_owned();
    let size = ["--options", r#"{"size":7}"#];
    let fit = |out: &str| {
        let files = [name("1.jsonl"), name("2.jsonl"), name(out)];
        let [one, two, out] = files.each_ref().map(String::as_str);
        said_by(&[&["train", "fit", "zurero", one, two, "--out", out, "--passes", "4"][..], &size].concat())
    };
    let report = fit("net.json");
    let (before, after) = report.rsplit_once(", the net by ").expect("two errors");
    let before: f64 = before.rsplit_once(' ').expect("an error").1.parse().expect("a number");
    let after: f64 = after.trim().parse().expect("a number");
    assert!(after < before, "{report}");
    fit("again.json");
    let net = fs::read_to_string(folder.join("net.json")).expect("a net");
    assert_eq!(fs::read_to_string(folder.join("again.json")).expect("a net"), net, "the same seed");
    let made: Value = serde_json::from_str(&net).expect("JSON");
    assert_eq!(made["made"]["games"][1]["games"], 100);
    assert_eq!(made["made"]["from"], Value::Null);

    // What was ended early goes on.
    let [all, out, from] = [name("all.jsonl"), name("on.json"), name("net.json")];
    let on = ["train", "fit", "zurero", &all, "--out", &out, "--from", &from, "--passes", "1"];
    said_by(&[&on[..], &size].concat());
    let on: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("on.json")).expect("a net")).expect("JSON");
    assert_eq!(on["made"]["from"], made["made"]);

    let net = name("net.json");
    let short = ["--games", "4", "--nodes", "100"];
    let report = said_by(&[&["train", "match", "zurero", &net][..], &size, &short].concat());
    assert!(report.contains("\nthe net against what the engine plays with: "), "{report}");
    let refused = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
        .args(["train", "match", "fabrik", &net])
        .output()
        .expect("the engine starts");
    let reason = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(reason.contains("net.json: this is a net of \"zurero-2\" with "), "{reason}");
}

#[test]
fn calibration_counts_every_position_that_was_not_decided() {
    let report = said_by(&[&["calibrate"][..], &SMALL[..9]].concat());
    assert!(report.contains(" %: given ") && report.contains("would come closest"), "{report}");
}

#[test]
fn positions_are_solved_or_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("positions.json");
    let four = r#"{"options":{"size":5},"start":{"rows":["b b b b .","w . . . .","w . . . .","w . . . .",". . . . ."],"to_move":1},"solution":[["e1"]]}"#;
    let open = r#"{"options":{"size":5},"start":{"rows":[". . . . .",". . . . .",". . b . .",". . . . .",". . . . ."],"to_move":2},"solution":[]}"#;
    fs::write(&file, format!("[{four},{open}]")).expect("written");
    let name = file.to_str().expect("a plain name");
    let text = said_by(&["solve", "zurero", name, "--player", "master@nodes=500"]);
    assert!(text.starts_with("position 2: "), "{text}");
    assert!(text.ends_with("zurero: master@nodes=500 solved 1 of 2 (50.0 %)\n"), "{text}");
}
