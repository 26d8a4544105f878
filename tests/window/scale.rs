//! Screens on which a point has two pixels.

use std::fs;
use std::path::Path;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, PropMode};
use x11rb::wrapper::ConnectionExt as _;

use crate::display::Display;
use crate::picture::Picture;

/// How much may differ, from 0 to 1: letters and edges are finer with more pixels.
const TOLERANCE: f64 = 0.12;

const SCRIPT: &str = "size 700x460
set quality=full
set speed=off
set evaluation=false
picture home.png
new absorption
wait
click b1
wait
picture board.png
";

fn pictures(folder: &Path, dots_per_inch: Option<u32>) -> [Picture; 2] {
    let display = Display::new();
    let (connection, screen) = x11rb::connect(Some(display.name())).expect("the display");
    if let Some(dots) = dots_per_inch {
        let root = connection.setup().roots[screen].root;
        let resources = format!("Xft.dpi:\t{dots}\n");
        let name = AtomEnum::RESOURCE_MANAGER;
        connection
            .change_property8(PropMode::REPLACE, root, name, AtomEnum::STRING, resources.as_bytes())
            .expect("sent");
        connection.get_input_focus().expect("sent").reply().expect("it has arrived");
    }
    let script = folder.join("scale.script");
    fs::write(&script, SCRIPT).unwrap();
    let output = display.tabuleiro(folder).arg("--script").arg(&script).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    ["home.png", "board.png"].map(|name| Picture::read(&folder.join(name)).expect("a picture"))
}

/// Everything is as large to the eye as elsewhere, and has more pixels.
#[test]
fn twice_the_pixels_show_the_same() {
    let [one, two] = [None, Some(192)].map(|dots| {
        let folder = tempfile::tempdir().unwrap();
        pictures(folder.path(), dots)
    });
    for (one, two) in one.iter().zip(&two) {
        assert_eq!((two.width, two.height), (one.width * 2, one.height * 2));
        let difference = two.half().difference(one);
        assert!(difference < TOLERANCE, "{difference}");
    }
}
