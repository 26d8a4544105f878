//! What ARCHITECTURE.md says of a fifth game: a folder or a crate of somebody else's, one line in a
//! list, a text, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};

/// Where the name of the game may stand besides its own crate: pages for people, the list of all
/// packages that cargo writes, and the test that opens the window.
fn may_name_it(path: &Path) -> bool {
    path.starts_with("kits/rust")
        || path.extension().is_some_and(|extension| extension == "md")
        || path == Path::new("Cargo.lock")
        || path == Path::new("tests/window/outside.rs")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let ours = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        !name.starts_with('.') && name != "target"
    });
    ours.flat_map(|entry| match entry.file_type().expect("a type").is_dir() {
        true => files(&entry.path()),
        false => vec![entry.path()],
    })
    .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

#[test]
fn nothing_but_its_crate_knows_the_game() {
    let root = root();
    let all = files(&root);
    assert!(all.len() > 200, "only {} files were found", all.len());
    let others = all.iter().filter(|file| !may_name_it(file.strip_prefix(&root).expect("inside")));
    let naming: Vec<&PathBuf> = others
        .filter(|file| {
            String::from_utf8_lossy(&fs::read(file).expect("a file")).to_lowercase().contains("breakthrough")
        })
        .collect();
    assert!(naming.is_empty(), "these name the game: {naming:?}");
}

#[test]
fn its_crate_needs_engine_and_protocol_alone() {
    let manifest = fs::read_to_string(root().join("kits/rust/Cargo.toml")).expect("a manifest");
    let needed: Vec<&str> = manifest
        .lines()
        .filter_map(|line| line.split_once('.').map(|(name, _)| name))
        .filter(|name| name.starts_with("tabuleiro"))
        .collect();
    assert_eq!(needed, ["tabuleiro-engine", "tabuleiro-protocol"]);
}

#[test]
fn it_is_small_and_one_line_in_a_list() {
    let read = |name: &str| fs::read_to_string(root().join("kits/rust/src").join(name)).expect("a file");
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let lines = |name: &str| read(name).lines().filter(is_code).count();
    let all: usize = ["lib.rs", "words.rs", "evaluation.rs", "main.rs"].into_iter().map(lines).sum();
    assert!(all <= 270, "{all} lines of code are no small game");
    assert_eq!(read("main.rs").matches("with::<").count(), 1);
}

#[test]
fn the_page_of_the_architecture_says_so() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let words: Vec<&str> = page.split_whitespace().collect();
    let sentence = "A fifth game is a folder (or a crate of somebody else's), one line in a \
                    list and a text, and nothing else";
    let plain = words.join(" ").replace('*', "");
    assert!(plain.contains(sentence), "what does ARCHITECTURE.md say of a fifth game?");
}
