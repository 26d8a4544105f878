//! What is saved is what is loaded.

use serde_json::{Value, json};

use crate::engine_process::EngineProcess;

/// A game of random turns, some of them taken back again.
fn table_with_history(engine: &mut EngineProcess, game: &str, turns: usize) -> Value {
    let opened = engine.get("new", json!({"game": game, "seed": 11}));
    let table = opened["table"].clone();
    for seed in 0..turns {
        let state = engine.get("state", json!({"table": table}));
        if state["outcome"] != Value::Null {
            break;
        }
        let choice = engine.get("search", json!({"table": table, "level": "random", "seed": seed}));
        engine.get("play", json!({"table": table, "actions": choice["actions"]}));
    }
    engine.get("undo", json!({"table": table, "turns": 3}));
    table
}

#[test]
fn a_loaded_game_is_the_same_game_history_included() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        let table = table_with_history(&mut engine, game, 12);
        let record = engine.get("record", json!({"table": table}))["record"].take();
        let loaded = engine.get("load", json!({"record": record}));
        let other = loaded["table"].clone();
        assert_ne!(other, table);
        assert_eq!(engine.get("record", json!({"table": other}))["record"], record, "{game}");
        for (method, params) in [
            ("redo", json!({"turns": 2})),
            ("redo", json!({"turns": 1})),
            ("undo", json!({"turns": 5})),
            ("undo", json!({"actions": 2})),
            ("redo", json!({"actions": 4})),
        ] {
            let mut states = [&table, &other].map(|table| {
                let mut params = params.clone();
                params["table"] = table.clone();
                engine.get(method, params)["state"].take()
            });
            states[1]["table"] = table.clone();
            assert_eq!(states[0], states[1], "{game}: {method} {params}");
        }
    }
}

#[test]
fn a_loaded_game_waits_if_it_was_waiting() {
    let mut engine = EngineProcess::start();
    let seats = json!({"2": {"kind": "ai", "level": "random"}});
    engine.get("new", json!({"game": "zurero", "seats": seats}));
    engine.get("play", json!({"table": "t1", "actions": ["@j10"]}));
    engine.notification("changed");
    engine.get("undo", json!({"table": "t1"}));
    let record = engine.get("record", json!({"table": "t1"}))["record"].take();
    let loaded = engine.get("load", json!({"record": record}));
    assert_eq!((&loaded["state"]["held"], &loaded["state"]["undone"]), (&json!(true), &json!(1)));
    assert!(engine.is_silent(), "nobody plays over what was taken back");
}

#[test]
fn a_resigned_game_stays_resigned() {
    let mut engine = EngineProcess::start();
    engine.get("new", json!({"game": "fabrik"}));
    engine.get("resign", json!({"table": "t1", "seat": 2}));
    let record = engine.get("record", json!({"table": "t1"}))["record"].take();
    let loaded = engine.get("load", json!({"record": record}));
    assert_eq!(
        loaded["state"]["outcome"],
        json!({"winner": 1, "reason": "resign", "text": "Black wins: white resigned."})
    );
}

#[test]
fn a_damaged_record_is_refused_with_the_place() {
    let mut engine = EngineProcess::start();
    let table = table_with_history(&mut engine, "zurero", 8);
    let record = engine.get("record", json!({"table": table}))["record"].take();
    type Damage = fn(&mut Value);
    let damage: [(&str, Damage); 15] = [
        ("format", |record| record["format"] = json!("other")),
        ("version", |record| record["version"] = json!(99)),
        ("version", |record| record["version"] = json!("one")),
        ("game", |record| record["game"] = json!("chess")),
        ("options", |record| record["options"]["size"] = json!(1000)),
        ("start", |record| record["start"]["rows"][3] = json!(". .")),
        ("start.rows[3]", |record| record["start"]["rows"][3] = json!(3)),
        ("start.to_move", |record| record["start"]["to_move"] = json!(7)),
        ("seats", |record| record["seats"]["1"] = json!({"kind": "ai", "level": "champion"})),
        ("seats.2.kind", |record| record["seats"]["2"] = json!({"kind": "cat"})),
        ("played[2]", |record| record["played"][2] = json!("w1")),
        ("played[1]", |record| record["played"][1] = json!(5)),
        ("undone[0]", |record| record["undone"][0] = json!("@j10")),
        ("resigned", |record| record["resigned"] = json!(3)),
        ("outcome", |record| record["outcome"] = json!({"winner": 1, "reason": "five"})),
    ];
    for (place, damage) in damage {
        let mut damaged = record.clone();
        damage(&mut damaged);
        let (code, data) = engine.refused("load", json!({"record": damaged}));
        assert_eq!(
            (code, data["kind"].as_str(), data["place"].as_str()),
            (10, Some("bad_record"), Some(place))
        );
        assert!(!data["reason"].as_str().unwrap().is_empty());
    }
    for member in ["format", "version", "game", "options", "seed", "start", "seats", "played"] {
        let mut damaged = record.clone();
        damaged.as_object_mut().unwrap().remove(member);
        let (code, data) = engine.refused("load", json!({"record": damaged}));
        assert_eq!((code, &data["place"], &data["reason"]), (10, &json!(member), &json!("is missing")));
    }
    assert_eq!(
        engine.get("tables", json!({}))["tables"].as_array().unwrap().len(),
        1,
        "no table for a bad record"
    );
}
