//! Boards compared with pictures of how they have to look.

use std::fs;
use std::path::{Path, PathBuf};

use crate::display::{Display, run_script};
use crate::picture::Picture;

/// What to do when they have to look otherwise.
const RENEW: &str = "INSTA_UPDATE=always cargo test -p tabuleiro --test window golden";
/// So much of a picture may differ: drivers do not round alike.
const TOLERANCE: f64 = 0.005;

#[test]
fn boards_look_like_their_golden_pictures() {
    let data = tempfile::tempdir().unwrap();
    let output = run_script(&Display::new(), data.path(), "golden.script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = ["home"].into_iter().chain(every_game!());
    let complaints: Vec<String> = names.filter_map(|name| compare(data.path(), name)).collect();
    assert!(complaints.is_empty(), "{}\nIf this is how it should be: {RENEW}", complaints.join("\n"));
}

/// What is wrong with a picture, if anything is.
fn compare(folder: &Path, name: &str) -> Option<String> {
    let found = Picture::read(&folder.join(format!("{name}.png"))).expect("a picture").half();
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/window/golden");
    let path = golden.join(format!("{name}.png"));
    if std::env::var("INSTA_UPDATE").is_ok_and(|mode| mode == "always") {
        fs::create_dir_all(&golden).unwrap();
        found.write(&path);
        return None;
    }
    let difference = Picture::read(&path).map_or(1.0, |expected| found.difference(&expected));
    if difference < TOLERANCE {
        return None;
    }
    let beside = golden.join(format!("{name}.found.png"));
    found.write(&beside);
    Some(format!("{name}: {:.2} % is not as it was; compare {}", difference * 100.0, beside.display()))
}
