//! Real keys and a real mouse.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::sitting::Sitting;
use crate::wait_for;

fn against_random(game: &str, options: Value) -> Value {
    json!({
        "game": game, "options": options, "seed": 1,
        "seats": {"1": {"kind": "client"}, "2": {"kind": "ai", "level": "random"}},
    })
}

/// Splitting a pile of Absorption takes four clicks that fit, which hardly ever happens by chance.
/// Where piles stand close together, any two can be merged.
fn crowded() -> Value {
    let (own, none, enemy) = (["x1"; 8].join(" "), ["."; 8].join(" "), ["o1"; 8].join(" "));
    json!({"rows": [&none, &none, &own, &own, &own, &none, &none, &enemy], "to_move": 1})
}

/// Turn about with the mouse and with keys, then with keys to the end.
fn play(game: &str, options: Value) {
    let mut new = against_random(game, options);
    if game == "absorption" {
        new["start"] = crowded();
    }
    let sitting = Sitting::down_to(new);
    sitting.play_by_mouse();
    sitting.play_by_keys();
    sitting.play_by_mouse();
    sitting.play_by_keys_to_the_end();
}

test_every_game!(play, {
    zurero: [(json!({"size": 5}))],
    fabrik: [(json!({"size": 5, "goal": 3}))],
    absorption: [(json!({"turn_limit": 4}))],
    syrtis: [(json!({"layout": "minor", "turn_limit": 4}))],
});

#[test]
fn f1_shows_the_keys_and_escape_hides_them() {
    let sitting = Sitting::down_to(against_random("fabrik", json!({"size": 5})));
    let before = sitting.still_picture().middle(3);
    let changed = || sitting.picture().middle(3).difference(&before);
    sitting.hands.press("F1");
    wait_for("the list of keys", || (changed() > 0.5).then_some(()));
    sitting.hands.press("Escape");
    wait_for("the board again", || (changed() < 0.02).then_some(()));
}

#[test]
fn a_refused_click_is_explained_and_changes_nothing() {
    let rows = [". . . . .", ". . . . .", ". . b . .", ". . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 2});
    let sitting = Sitting::down_to(json!({"game": "zurero", "options": {"size": 5}, "start": start}));
    // Stones come in over the edge: nothing can be done in the middle.
    let (across, down) = (0.35, 0.45);
    sitting.hands.point(across, down);
    let before = sitting.still_picture().middle(2);
    wait_for("the reason", || {
        sitting.hands.click(across, down);
        (sitting.picture().middle(2).difference(&before) > 0.01).then_some(())
    });
    assert_eq!(sitting.ply(), 0);
    sitting.play_by_keys();
}

#[test]
fn the_window_can_have_any_size() {
    let sitting = Sitting::down_to(against_random("syrtis", json!({"layout": "minor"})));
    for (width, height) in [(800, 600), (1600, 1000), (360, 240)] {
        sitting.hands.resize(width, height);
        let picture = wait_for("a picture of the new size", || {
            let picture = sitting.picture();
            ((picture.width, picture.height) == (width as usize, height as usize)).then_some(picture)
        });
        assert!(picture.colours() > 500, "{width}x{height} has {} colours", picture.colours());
    }
    sitting.play_by_keys();
}

/// The line is closed by the same key that would choose the marked place.
#[test]
fn enter_after_a_typed_move_chooses_nothing_on_the_board() {
    let sitting = Sitting::down_to(json!({"game": "zurero", "options": {"size": 5}}));
    sitting.hands.press("Tab");
    sitting.picture();
    sitting.hands.press("M");
    sitting.picture();
    sitting.picture();
    sitting.hands.type_line("zz");
    sitting.picture();
    sitting.picture();
    assert_eq!(sitting.ply(), 0, "it was refused, and the marked place is still free");
    wait_for("the marked place", || {
        sitting.hands.press("Enter");
        (sitting.ply() == 1).then_some(())
    });
}

/// A frame may be so slow that a whole move is typed in it, and the menu may have the keyboard: what
/// follows the key for a line is for the line, and not for the board.
#[test]
fn a_move_is_typed_in_one_slow_frame_whatever_had_the_keyboard() {
    let sitting = Sitting::down_to(json!({"game": "zurero", "options": {"size": 5}}));
    for (ply, (text, has_menu)) in (1..).zip([("@c3", false), ("nc", false), ("sc", true)]) {
        if has_menu {
            sitting.hands.press("F6");
            sitting.picture();
        }
        sitting.signal("-STOP");
        sitting.hands.press("M");
        sitting.hands.type_line(text);
        sitting.signal("-CONT");
        wait_for("the move", || (sitting.ply() == ply).then_some(()));
    }
}

/// What hovering shows, a finger shows that is held for a while, and plays nothing. Fingers of their
/// own do not exist on this display: this is what X servers make of one.
#[test]
fn a_finger_that_is_held_looks_and_a_tap_plays() {
    let sitting = Sitting::down_to(against_random("fabrik", json!({"size": 5})));
    let (across, down) = (0.35, 0.45);
    let touch = || {
        // Pointer and button come together, as they do with a finger.
        sitting.signal("-STOP");
        sitting.hands.touch(across, down);
        sitting.signal("-CONT");
    };
    let before = sitting.still_picture().middle(2);
    touch();
    wait_for("what it would do", || (sitting.picture().middle(2).difference(&before) > 0.001).then_some(()));
    thread::sleep(Duration::from_secs(1));
    sitting.picture();
    sitting.hands.let_go();
    sitting.picture();
    assert_eq!(sitting.ply(), 0, "it has only looked");
    wait_for("what a tap plays", || {
        touch();
        sitting.hands.let_go();
        sitting.picture();
        (sitting.ply() > 0).then_some(())
    });
}

/// The button that closes it has the keyboard.
#[test]
fn v_shows_the_position_as_text_and_hides_it_again() {
    let sitting = Sitting::down_to(against_random("fabrik", json!({"size": 5})));
    let before = sitting.still_picture().middle(3);
    let changed = || sitting.picture().middle(3).difference(&before);
    sitting.hands.press("V");
    wait_for("the text", || (changed() > 0.3).then_some(()));
    sitting.hands.press("V");
    wait_for("the board again", || (changed() < 0.02).then_some(()));
}

/// One notch is about three lines of a page, and brings the board a little nearer.
#[test]
fn a_notch_of_the_wheel_is_a_natural_step() {
    let sitting = Sitting::down_to(against_random("fabrik", json!({"size": 5})));
    let board = |sitting: &Sitting| sitting.still_picture().part([0.1, 0.5], [0.25, 0.65]);
    sitting.hands.point(0.3, 0.45);
    let before = board(&sitting);
    sitting.hands.turn_wheel(false);
    let nearer = before.grown(&board(&sitting));
    assert!((1.04..=1.3).contains(&nearer), "{nearer} times as near");
    sitting.hands.press("F3");
    wait_for("the settings", || (board(&sitting).difference(&before) > 0.5).then_some(()));
    let page = |sitting: &Sitting| sitting.still_picture().part([0.03, 0.35], [0.3, 0.7]);
    let before = page(&sitting);
    sitting.hands.turn_wheel(true);
    let risen = before.risen(&page(&sitting));
    assert!((30..=100).contains(&risen), "{risen} pixels further");
}

/// By real keys: the game is looked through, and something is said about the position.
#[test]
fn a_game_is_reviewed_and_commented_by_keys() {
    let sitting = Sitting::down_to(against_random("zurero", json!({"size": 5})));
    sitting.play_by_keys();
    let noted = |what: &str| -> Vec<Value> {
        let notes = sitting.file().record["notes"].as_array().cloned().unwrap_or_default();
        notes.iter().filter_map(|note| note.get(what).cloned()).collect()
    };
    sitting.hands.press("g");
    wait_for("what the review has found", || (!noted("evaluation").is_empty()).then_some(()));
    let before = sitting.still_picture().middle(2);
    sitting.hands.press("c");
    wait_for("a place to write", || (sitting.picture().middle(2).difference(&before) > 0.1).then_some(()));
    sitting.hands.type_line("hm");
    wait_for("the comment", || {
        sitting.hands.press("Ctrl+Enter");
        noted("comment").contains(&json!("hm")).then_some(())
    });
}

/// The whole way by hand: to the mistake and into another try by keys, the try by mouse, and what
/// the engine says of it into the game by a key.
#[test]
fn a_mistake_is_tried_again_by_mouse_and_kept() {
    let rows = ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 1});
    let played = ["sb", "nc"];
    let new = json!({"game": "zurero", "options": {"size": 5}, "start": start});
    let sitting = Sitting::after(new, &played);
    let record = || sitting.file().record;
    let says = |what: &str| record()["notes"].to_string().contains(what);
    sitting.hands.press("g");
    let mut places = 0..;
    wait_for("a try that is kept", || {
        // A picture takes a frame: one key after the other.
        for key in ["Shift+K", "Shift+B"] {
            sitting.hands.press(key);
            sitting.picture();
        }
        places.by_ref().take(8).find_map(|place| {
            sitting.click_twice(place);
            sitting.hands.press("k");
            says("Another try").then_some(())
        })
    });
    let record = record();
    // Clicks before the try may have played on.
    let kept = record["played"].as_array().unwrap();
    assert!(kept.starts_with(&played.map(Value::from)), "the game is as it was: {record}");
    let variations = record["variations"].as_array().unwrap();
    assert!(!variations.is_empty() && says("evaluation"), "{record}");
}
