//! The README's match: what it shows is what its command prints.

use std::path::Path;
use std::process::Command;

use crate::match_reports::lines_without_times;

#[test]
fn the_match_ends_as_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let indented = || readme.lines().filter_map(|line| line.strip_prefix("    "));
    let command =
        indented().find_map(|line| line.strip_prefix("target/release/tabuleiro engine match --game fabrik "));
    let words = command.expect("the command of a match in Fabrik").split(' ');
    let shown: Vec<&str> = indented()
        .skip_while(|line| !line.starts_with("fabrik: "))
        .take_while(|line| !line.starts_with("target/"))
        .collect();
    let shown = shown.join("\n");
    let output = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
        .args(["match", "--game", "fabrik"])
        .args(words)
        .output()
        .expect("the engine");
    let printed = String::from_utf8(output.stdout).expect("text");
    let printed = lines_without_times(&printed);
    assert_eq!(printed, lines_without_times(&shown)[..printed.len()], "the README is no longer true");
}
