//! Boards compared with pictures of how they have to look.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::display::{Display, run_script};
use crate::picture::Picture;

/// What to do when they have to look otherwise.
const RENEW: &str = "INSTA_UPDATE=always cargo test -p tabuleiro --test window golden";
/// So much of a picture may differ: drivers do not round alike.
const TOLERANCE: f64 = 0.005;
/// So much of any square of it: an edge may lie a little aside, but nothing may be missing.
const TOLERANCE_OF_SQUARE: f64 = 0.5;

#[test]
fn boards_look_like_their_golden_pictures() {
    let data = tempfile::tempdir().unwrap();
    let output = run_script(&Display::new(), data.path(), "golden.script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = ["home", "clear", "lamp"].into_iter().chain(every_game!());
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
    let complaint = match Picture::read(&path) {
        Some(expected) => complaint(&found, &expected)?,
        None => "there is no such picture".into(),
    };
    let beside = golden.join(format!("{name}.found.png"));
    found.write(&beside);
    Some(format!("{name}: {complaint}; compare {}", beside.display()))
}

/// In what two pictures differ, if it is more than drivers do.
fn complaint(found: &Picture, expected: &Picture) -> Option<String> {
    let whole = found.difference(expected);
    let (part, (x, y)) = found.worst_square(expected);
    if whole >= TOLERANCE {
        Some(format!("{:.2} % is not as it was, most of it around {x}, {y}", whole * 100.0))
    } else if part >= TOLERANCE_OF_SQUARE {
        Some(format!("{:.0} % is not as it was around {x}, {y}", part * 100.0))
    } else {
        None
    }
}

/// A position of every game, and what one row of it is without one of its pieces.
fn positions() -> [(&'static str, Value, Value, usize, &'static str); every_game!().len()] {
    let rows = |text: &str| text.lines().map(|line| line.trim().to_string()).collect::<Vec<_>>();
    let zurero = rows(
        ". . . . . . . . .
        . . . . . . . . .
        . . . . . b b . .
        . . . b b b w . .
        . . . w w b . . .
        . . . w w w . . .
        . . . b w . . . .
        . . . . . . . . .
        . . . . . . . . .",
    );
    let fabrik = rows(
        ". . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . b . . . . . .
        . . . b w . . . . . .
        . . w . . . . . . . .
        . . . . . . . w . . *
        . . . . w . b . . . .
        . . . . . b . * . . .
        . . . . . . . . . . .",
    );
    let absorption = rows(
        "x3 x3 . . . . . x3
        . x2 . . . . x2 .
        . . x1 x1 x1 . . .
        . . . . x2 . . .
        . . . . . . . .
        . o2 o1 o1 . . o3 .
        o1 . . . . . . .
        o3 . o3 . . o1 . o3",
    );
    let syrtis = rows(
        ". . ls lc dcD . .
        . lc ls . . dc .
        ds dc lc lcL dc dc lc
        ds dc lc lsD ds ls lc
        ds ls lsL ds ds ls lc
        . . ds dc dc ds .
        . . ls ds dc . .",
    );
    let start = |rows: Vec<String>| json!({"rows": rows, "to_move": 1});
    let mut of_syrtis = start(syrtis);
    of_syrtis["light"] = json!(1);
    [
        ("zurero", json!({"size": 9}), start(zurero), 5, ". . . w . b . . ."),
        ("fabrik", json!({}), start(fabrik), 6, ". . . b . . . . . . ."),
        ("absorption", json!({}), start(absorption), 3, ". . x1 . x1 . . ."),
        ("syrtis", json!({}), of_syrtis, 5, "ds ls lsL ds ds ls ."),
    ]
}

fn save(folder: &Path, name: &str, game: &str, options: &Value, start: &Value) {
    let person = json!({"kind": "client"});
    let record = json!({
        "format": "tabuleiro-record", "version": 1, "game": game, "options": options, "seed": 1, "start": start,
        "seats": {"1": person, "2": person}, "played": []
    });
    let game = json!({"game": game, "title": name, "finished": false, "record": record});
    fs::write(folder.join(format!("{name}.json")), game.to_string()).unwrap();
}

#[test]
fn a_single_piece_that_is_missing_is_noticed() {
    let data = tempfile::tempdir().unwrap();
    // As large as golden pictures are.
    let mut script = String::from(
        "size 480x300\nset theme=Daylight\nset speed=off\nset evaluation=false\nset overlays=false\nhide game\n",
    );
    for (game, options, mut start, row, without) in positions() {
        save(data.path(), &format!("{game}-whole"), game, &options, &start);
        start["rows"][row - 1] = json!(without);
        save(data.path(), &format!("{game}-missing"), game, &options, &start);
        for name in ["whole", "missing"] {
            // The camera flies in low quality: nobody looks, and it is quicker.
            script += &format!(
                "set quality=low\nload {game}-{name}.json\nwait\nassert ply 0\nset quality=full\nwait\npicture {game}-{name}.png\n"
            );
        }
    }
    carry_out(data.path(), &script);
    for game in every_game!() {
        let picture =
            |name: &str| Picture::read(&data.path().join(format!("{game}-{name}.png"))).expect(game);
        let (whole, missing) = (picture("whole"), picture("missing"));
        assert_eq!(complaint(&whole, &whole), None);
        let noticed = complaint(&missing, &whole).unwrap_or_else(|| panic!("{game}: nobody noticed"));
        println!("{game}: {noticed}; of all, {:.2} %", missing.difference(&whole) * 100.0);
    }
}

/// Labels, lines and marks are read when nothing moves: then low quality draws them as large as the
/// window is. Drawn at 0.7 of its size, the same part is 0.7 times as sharp.
#[test]
fn low_quality_is_as_sharp_as_full_quality_when_nothing_moves() {
    let data = tempfile::tempdir().unwrap();
    carry_out(
        data.path(),
        "size 800x500\nset theme=Daylight\nset speed=off\nset evaluation=false\nhide game\nset quality=low\n\
        new zurero size=9\ntype @e5 se se e6\nwait\npicture low.png\nset quality=full\nwait\npicture full.png\n",
    );
    // Lines, letters and marks at the near side of the board.
    let sharpness = |name: &str| {
        let picture = Picture::read(&data.path().join(name)).expect("a picture");
        picture.part([0.25, 0.75], [0.6, 0.88]).sharpness()
    };
    let (low, full) = (sharpness("low.png"), sharpness("full.png"));
    assert!(full > 1.0, "there is nothing to read: {full}");
    assert!(low > full * 0.9, "{low} compared with {full}");
}

/// Carries out a script. Its pictures go to the folder.
fn carry_out(folder: &Path, script: &str) {
    let file = folder.join("of_this_test.script");
    fs::write(&file, script).unwrap();
    let display = Display::new();
    let output = display.tabuleiro(folder).arg("--script").arg(&file).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
