//! What fuzzers have found so far, once more; docs/fuzzing.md says how they are run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tabuleiro_engine::catalog::Catalog;
use tabuleiro_fuzz::TARGETS;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz").join(name)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

fn replay(target: &str) {
    let (_, property) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    let inputs = folder("corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(&inputs).expect("inputs") {
        let path = entry.expect("an input").path();
        let bytes = fs::read(&path).expect("an input");
        // Shown if the property does not hold.
        println!("{}", path.display());
        property(&bytes);
        count += 1;
    }
    assert!(count > 0, "there is nothing in {}", inputs.display());
}

#[test]
fn line_gets_one_answer() {
    replay("line_gets_one_answer");
}

#[test]
fn record_loads_or_says_where() {
    replay("record_loads_or_says_where");
}

#[test]
fn position_sets_up_or_says_why() {
    replay("position_sets_up_or_says_why");
}

mod legal_is_accepted_and_undone {
    use super::replay;

    fn of_game(id: &str) {
        replay(&format!("{id}_legal_is_accepted_and_undone"));
    }

    test_every_game!(of_game);
}

#[test]
fn every_target_has_a_program_and_inputs_and_every_game_a_target() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(names(&folder("fuzz_targets")), targets);
    assert_eq!(names(&folder("corpus")), targets);
    for game in Catalog::standard().games() {
        assert!(targets.contains(&format!("{}_legal_is_accepted_and_undone", game.id)), "{}", game.id);
    }
}
