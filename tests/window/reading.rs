//! What people read on a board can be read.

use std::fs;
use std::path::Path;

use crate::display::Display;
use crate::picture::Picture;

const THEMES: [&str; 3] = ["Daylight", "Evening lamp", "Clear"];
/// AA of WCAG.
const LEAST_CONTRAST: f32 = 4.5;

/// Runs a script that is not in a file. Its pictures go to the folder.
fn run(data: &Path, script: &str) {
    let file = data.join("reading.script");
    fs::write(&file, script).unwrap();
    let display = Display::new();
    let output = display.tabuleiro(data).arg("--script").arg(&file).current_dir(data).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn picture(data: &Path, name: &str) -> Picture {
    Picture::read(&data.join(name)).unwrap_or_else(|| panic!("{name} was not written"))
}

#[test]
fn letters_at_the_edge_stand_out_in_every_game_and_theme() {
    let data = tempfile::tempdir().unwrap();
    let mut script = String::from("size 1000x800\nhide game\nset speed=off\nset quality=medium\n");
    for (number, theme) in THEMES.iter().enumerate() {
        script += &format!("set theme={theme}\n");
        for game in every_game!() {
            script += &format!("new {game} 1=person 2=person\nview top\n");
            for (on, name) in [("true", "with"), ("false", "without")] {
                script += &format!("set coordinates={on}\nwait\npicture {number}-{game}-{name}.png\n");
            }
        }
    }
    run(data.path(), &script);
    let mut faint = Vec::new();
    for (number, theme) in THEMES.iter().enumerate() {
        for game in every_game!() {
            let [with, without] =
                ["with", "without"].map(|name| picture(data.path(), &format!("{number}-{game}-{name}.png")));
            // The lamp is nearer to one corner than to the others.
            for across in [[0.0, 0.5], [0.5, 1.0]] {
                for down in [[0.0, 0.5], [0.5, 1.0]] {
                    let ratio = with.part(across, down).contrast_of_ink(&without.part(across, down));
                    if ratio < LEAST_CONTRAST {
                        faint.push(format!("{game} in {theme} at {across:?}, {down:?}: {ratio:.2}"));
                    }
                }
            }
        }
    }
    assert!(faint.is_empty(), "{}", faint.join("\n"));
}

/// Stones stand where lines cross, and so do the points that help to find one's way. Where the size
/// is even, no lines cross in the middle.
#[test]
fn no_point_of_the_board_lies_between_its_lines() {
    let data = tempfile::tempdir().unwrap();
    run(
        data.path(),
        "size 500x500\nhide game\nset speed=off\nset quality=medium\nnew zurero size=8 1=person 2=person\n\
         type @d4\nview top\nwait\npicture board.png\n",
    );
    let board = picture(data.path(), "board.png");
    let around = |x: f32, y: f32| board.part([x - 0.016, x + 0.016], [y - 0.016, y + 0.016]);
    // On the third line from below, between two others: in the middle, at the side, and where they cross.
    let [middle, side, point] = [0.588, 0.726, 0.485].map(|x| around(x, 0.495));
    assert!(point.contrast_of_ink(&side) > 1.6, "{}", point.contrast_of_ink(&side));
    assert!(middle.contrast_of_ink(&side) < 1.3, "{}", middle.contrast_of_ink(&side));
}

/// In low quality, what moves is drawn smaller and enlarged. What people read is not.
#[test]
fn letters_stay_crisp_while_something_moves() {
    let data = tempfile::tempdir().unwrap();
    run(
        data.path(),
        "size 900x700\nhide game\nset quality=low\nset speed=slow\nnew absorption 1=person 2=person\nwait\n\
         type f1/e1,e2,f2\nseconds 0.2\npicture moving.png\nwait\npicture still.png\n",
    );
    let [moving, still] = ["moving.png", "still.png"].map(|name| picture(data.path(), name));
    assert!(moving.difference(&still) > 0.001, "something moves");
    // The numbers beside the rows, where nothing moves.
    let [moving, still] = [moving, still].map(|picture| picture.part([0.09, 0.16], [0.36, 0.64]));
    let differs = still.ink_that_differs(&moving);
    assert!(differs < 0.1, "{:.0} % of the numbers look otherwise", differs * 100.0);
}

/// What a person sees who has no cones for long light, or none for middle light, as in `deficiencies`.
const FEWER_COLOURS: [(&str, [[f32; 3]; 3]); 2] = [
    ("protan", [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]]),
    ("deutan", [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]),
];
/// Forms are large: less will do than for text.
const LEAST_CONTRAST_OF_FORMS: f32 = 2.2;

#[test]
fn aids_stand_out_for_people_who_see_fewer_colours() {
    let data = tempfile::tempdir().unwrap();
    let mut script = String::from("size 1000x800\nhide game\nset speed=off\nset quality=medium\n");
    script += "new fabrik 1=person 2=person\ntype w@e6 w@f6 black @e5 e6-a6 @e6 f6-a9 @d6\nview top\n";
    for (number, theme) in THEMES.iter().enumerate() {
        script += &format!("set theme={theme}\n");
        for on in ["true", "false"] {
            script += &format!("set overlays={on}\nwait\npicture {number}-{on}.png\n");
        }
    }
    run(data.path(), &script);
    let mut faint = Vec::new();
    for (number, theme) in THEMES.iter().enumerate() {
        let [with, without] = ["true", "false"].map(|on| picture(data.path(), &format!("{number}-{on}.png")));
        for (who, matrix) in FEWER_COLOURS {
            let ratio = with.seen_through(matrix).contrast_of_outline(&without.seen_through(matrix));
            if ratio < LEAST_CONTRAST_OF_FORMS {
                faint.push(format!("{who} in {theme}: {ratio:.2}"));
            }
        }
    }
    assert!(faint.is_empty(), "{}", faint.join("\n"));
}
