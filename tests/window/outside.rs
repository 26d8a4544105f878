//! A game that this program has never heard of, by an engine of somebody else's.

use std::path::Path;

use crate::display::Display;

#[test]
fn a_game_that_others_have_added_is_played_to_its_end() {
    let engine = Path::new(env!("CARGO_BIN_EXE_tabuleiro")).with_file_name("breakthrough-engine");
    assert!(engine.exists(), "build it first: cargo build -p breakthrough");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kits/rust/tests/window.script");
    let data = tempfile::tempdir().unwrap();
    let output = Display::new()
        .tabuleiro(data.path())
        .arg("--engine")
        .arg(format!("'{}'", engine.display()))
        .arg("--script")
        .arg(script)
        .current_dir(data.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(data.path().join("fifth.png").exists());
}
