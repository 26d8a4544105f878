//! The commands that fit weights and look at how well chances come true, and the one that solves
//! positions.

use std::fs;
use std::process::Command;

use tabuleiro_engine::game::{Describe, Game, GameOptions};
use tabuleiro_engine::games::zurero::Zurero;
use tabuleiro_engine::search::Evaluate;

fn said(arguments: &[&str]) -> String {
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
    let tune = || said(&[&["tune"][..], &SMALL, &["6", "--out", name]].concat());
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

#[test]
fn calibration_counts_every_position_that_was_not_decided() {
    let report = said(&[&["calibrate"][..], &SMALL[..9]].concat());
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
    let text = said(&["solve", "zurero", name, "--player", "master@nodes=500"]);
    assert!(text.starts_with("position 2: "), "{text}");
    assert!(text.ends_with("zurero: master@nodes=500 solved 1 of 2 (50.0 %)\n"), "{text}");
}
