//! Whatever is wrong, the table it was about stays as it was.

use serde_json::{Value, json};

use crate::engine_process::EngineProcess;

const START: [&str; 5] = [". . . . .", ". . . . .", ". . b . .", ". . . . .", ". . . . ."];

#[test]
fn all_actions_are_played_or_none() {
    let mut engine = EngineProcess::start();
    let start = json!({"rows": START, "to_move": 2});
    engine.get("new", json!({"game": "zurero", "options": {"size": 5}, "start": start, "seed": 1}));
    engine.get("play", json!({"table": "t1", "actions": ["w3", "e3"]}));
    engine.get("undo", json!({"table": "t1"}));
    let before = engine.get("state", json!({"table": "t1"}));
    assert_eq!((&before["ply"], &before["undone"]), (&json!(1), &json!(1)));

    let (code, data) = engine.refused("play", json!({"table": "t1", "actions": ["w3", "nc", "w1"]}));
    assert_eq!(code, 2);
    assert_eq!(
        (&data["kind"], &data["action"], &data["index"]),
        (&json!("illegal_action"), &json!("w1"), &json!(2))
    );
    assert!(data["reason"].as_str().unwrap().contains("row 1"), "{data}");
    assert_eq!(engine.get("state", json!({"table": "t1"})), before);

    let (code, data) = engine.refused("play", json!({"table": "t1", "actions": ["w3"], "ply": 0}));
    assert_eq!((code, &data["kind"]), (6, &json!("stale")));
    for method in ["undo", "redo"] {
        let (code, data) = engine.refused(method, json!({"table": "t1", "turns": 9}));
        assert_eq!((code, &data["kind"]), (12, &json!("nothing_to_undo")));
        let (code, _) = engine.refused(method, json!({"table": "t1", "actions": 9}));
        assert_eq!(code, 12);
    }
    assert_eq!(engine.get("state", json!({"table": "t1"})), before);
    // What was taken back before the refusals can still be played again.
    let redone = engine.get("redo", json!({"table": "t1"}));
    assert_eq!((&redone["state"]["ply"], &redone["state"]["last"]["actions"]), (&json!(2), &json!(["e3"])));
}

#[test]
fn the_seat_of_the_computer_is_not_for_others() {
    let mut engine = EngineProcess::start();
    let seats = json!({"1": {"kind": "ai", "level": "random"}});
    engine.get("new", json!({"game": "zurero", "seats": seats}));
    let changed = engine.notification("changed");
    assert_eq!((&changed["by"], &changed["ply"]), (&json!(1), &json!(1)));
    engine.get("undo", json!({"table": "t1"}));
    let (code, data) = engine.refused("play", json!({"table": "t1", "actions": ["@j10"]}));
    assert_eq!((code, &data["kind"]), (4, &json!("not_your_seat")));
    assert_eq!(engine.refused("resign", json!({"table": "t1", "seat": 1})).0, 4);
}

#[test]
fn a_game_that_is_over_takes_no_more_actions() {
    let mut engine = EngineProcess::start();
    let rows = ["b b b b .", ". . . . .", ". . . . .", ". . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 1});
    engine.get("new", json!({"game": "zurero", "options": {"size": 5}, "start": start}));
    let (code, data) = engine.refused("play", json!({"table": "t1", "actions": ["e1", "e1"]}));
    assert_eq!((code, &data["kind"], &data["index"]), (5, &json!("game_over"), &json!(1)));
    let played = engine.get("play", json!({"table": "t1", "actions": ["e1"]}));
    assert_eq!(
        played["state"]["outcome"],
        json!({"winner": 1, "reason": "five", "text": "Black wins with five in a row."})
    );
    assert_eq!((&played["state"]["to_move"], &played["state"]["phase"]), (&Value::Null, &json!("over")));
    assert_eq!(engine.get("actions", json!({"table": "t1", "detail": true}))["details"], json!([]));
    for (method, params) in [
        ("play", json!({"table": "t1", "actions": ["e2"]})),
        ("search", json!({"table": "t1"})),
        ("resign", json!({"table": "t1", "seat": 1})),
    ] {
        assert_eq!(engine.refused(method, params).0, 5, "{method}");
    }
    let undone = engine.get("undo", json!({"table": "t1"}));
    assert_eq!(undone["state"]["outcome"], Value::Null);
}

#[test]
fn a_resignation_can_be_taken_back_and_nothing_else_with_it() {
    let mut engine = EngineProcess::start();
    engine.get("new", json!({"game": "zurero", "seed": 4}));
    let before = engine.get("play", json!({"table": "t1", "actions": ["@j10"]}))["state"].take();
    let resigned = engine.get("resign", json!({"table": "t1", "seat": 1}));
    assert_eq!(
        resigned["state"]["outcome"],
        json!({"winner": 2, "reason": "resign", "text": "White wins: black resigned."})
    );
    assert_eq!(engine.get("actions", json!({"table": "t1"}))["actions"], json!([]));
    let mut after = engine.get("undo", json!({"table": "t1"}))["state"].take();
    after["held"] = json!(false);
    assert_eq!(after, before);
}
