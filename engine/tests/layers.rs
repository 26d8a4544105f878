//! Which module of the engine may use which: each only those earlier in the list. So there are no
//! cycles, and whoever reads a module knows where not to look.

use std::fs;
use std::path::{Path, PathBuf};

const LAYERS: &[&str] = &[
    "threads",
    "random",
    "statistics",
    "game",
    "perft",
    "playout",
    "search",
    "solver",
    "games",
    "testing",
    "session",
    "tools",
    "catalog",
    "table",
    "review",
    "puzzles",
    "forced_wins",
    "book",
    "bots",
    "players",
    "matches",
    "server",
    "terminal",
    "command",
];

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().position(|layer| *layer == module);
    found.unwrap_or_else(|| panic!("{module} is not in the list of layers"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The modules that a text names behind `crate::`.
fn used(text: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect();
    text.match_indices("crate::").map(|(place, path)| name(&text[place + path.len()..])).collect()
}

#[test]
fn modules_use_only_earlier_layers() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for file in files(&source) {
        let inside = file.strip_prefix(&source).expect("inside");
        let module = inside.iter().next().expect("a name").to_string_lossy();
        let module = module.trim_end_matches(".rs");
        let is_test = inside.to_string_lossy().ends_with("_test.rs");
        if is_test || ["lib", "main"].contains(&module) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a file");
        // Unit tests may use what they like.
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for other in used(&code) {
            assert!(!other.is_empty(), "{}: write one `use crate::` a module", inside.display());
            if other != module && layer(&other) > layer(module) {
                wrong.push(format!("{}: {other}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "these use later layers: {wrong:#?}");
}
