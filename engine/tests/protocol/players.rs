//! What the engine plays by itself or when it is asked.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::engine_process::EngineProcess;

#[test]
fn computers_play_each_other_to_the_end() {
    for game in every_game!() {
        let mut engine = EngineProcess::start();
        let seats = json!({"1": {"kind": "ai", "level": "greedy"}, "2": {"kind": "ai", "level": "random"}});
        let opened = engine.get("new", json!({"game": game, "seed": 3, "seats": seats}));
        let mut rows = opened["state"]["rows"].clone();
        let mut ply = 0;
        loop {
            let changed = engine.notification("changed");
            let actions = changed["actions"].as_array().expect("actions").len() as u64;
            ply += actions;
            assert_eq!(changed["ply"].as_u64(), Some(ply), "{game}: no turn is lost or doubled");
            apply_events(&mut rows, &changed["events"]);
            assert_eq!(rows, changed["state"]["rows"], "{game}: the events lead to the new rows");
            if changed["state"]["outcome"] != Value::Null {
                let last = changed["events"].as_array().and_then(|events| events.last()).expect("an event");
                assert_eq!(last["kind"], "over");
                break;
            }
        }
        assert!(engine.is_silent(), "{game}: nobody plays on after the end");
    }
}

/// Someone who knows no rules.
fn apply_events(rows: &mut Value, events: &Value) {
    for event in events.as_array().expect("events") {
        for (cell, token) in event["set"].as_object().into_iter().flatten() {
            let column = (cell.as_bytes()[0] - b'a') as usize;
            let row: usize = cell[1..].parse().expect("a row");
            let text = rows[row - 1].as_str().expect("a row of text");
            let mut tokens: Vec<&str> = text.split(' ').collect();
            tokens[column] = token.as_str().expect("a token");
            rows[row - 1] = tokens.join(" ").into();
        }
    }
}

#[test]
fn a_turn_is_chosen_whole_and_legal() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        for level in ["random", "greedy"] {
            let mut played: Vec<Value> = Vec::new();
            let table = engine.get("new", json!({"game": game, "seed": 0}))["table"].clone();
            for seed in 0..6 {
                let params = json!({"game": game, "played": played, "level": level, "seed": seed, "start": start_of(&mut engine, &table)});
                let choice = engine.get("choose", params);
                let before = engine.get("state", json!({"table": table}));
                let after = engine.get("play", json!({"table": table, "actions": choice["actions"]}));
                assert_ne!(before["to_move"], after["state"]["to_move"], "{game}: the turn is over");
                let win = choice["score"]["win"].as_f64().unwrap();
                assert!((0.0..=1.0).contains(&win));
                played.extend(choice["actions"].as_array().unwrap().iter().cloned());
                if after["state"]["outcome"] != Value::Null {
                    break;
                }
            }
        }
    }
}

/// The start of a table's game, as its record tells it.
fn start_of(engine: &mut EngineProcess, table: &Value) -> Value {
    engine.get("record", json!({"table": table}))["record"]["start"].take()
}

#[test]
fn the_same_seed_gives_the_same_choice_and_others_give_others() {
    let mut engine = EngineProcess::start();
    for level in ["random", "greedy"] {
        let mut choices = HashSet::new();
        for seed in 0..20 {
            let params = json!({"game": "fabrik", "played": [], "level": level, "seed": seed});
            let choice = engine.get("choose", params.clone());
            assert_eq!(engine.get("choose", params)["actions"], choice["actions"]);
            choices.insert(choice["actions"].to_string());
        }
        assert!(choices.len() > 1, "{level}");
    }
}

#[test]
fn greedy_takes_a_win_and_says_so() {
    let mut engine = EngineProcess::start();
    let rows = ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 1});
    engine.get("new", json!({"game": "zurero", "options": {"size": 5}, "start": start}));
    for seed in 0..5 {
        let search =
            engine.ask("search", json!({"table": "t1", "level": "greedy", "seed": seed, "lines": 3}));
        let info = engine.notification("info");
        assert_eq!(info["request"], search);
        let choice = engine.response(search).unwrap();
        assert_eq!(choice["actions"], json!(["e1"]));
        assert_eq!((&choice["score"]["proved"], &choice["stopped"]), (&json!("win"), &json!("proved")));
        assert_eq!(choice["lines"].as_array().unwrap().len(), 3);
        assert_eq!(choice["lines"][0]["actions"], json!(["e1"]));
    }
}

#[test]
fn limits_end_a_search_with_a_whole_turn() {
    let mut engine = EngineProcess::start();
    engine.get("new", json!({"game": "absorption"}));
    let choice = engine.get("search", json!({"table": "t1", "level": "greedy", "limits": {"nodes": 5}}));
    assert_eq!((&choice["stopped"], &choice["nodes"]), (&json!("nodes"), &json!(5)));
    let played = engine.get("play", json!({"table": "t1", "actions": choice["actions"]}));
    assert_eq!(played["state"]["to_move"], 2);
}

/// Up: `club` has fewer nodes of its own.
#[test]
fn limits_of_a_client_replace_those_of_a_level() {
    let mut engine = EngineProcess::start();
    let seats = json!({"1": {"kind": "ai", "level": "random"}, "2": {"kind": "ai", "level": "club", "limits": {"nodes": 30_000}}});
    engine.get("new", json!({"game": "zurero", "options": {"size": 9}, "seed": 1, "seats": seats}));
    while engine.notification("changed")["by"] != 1 {}
    loop {
        let message = engine.receive();
        match message["method"].as_str() {
            Some("changed") => panic!("it has not thought as long as it was told to"),
            Some("thinking") if message["params"]["info"]["nodes"].as_u64() > Some(20_000) => break,
            _ => {}
        }
    }
    engine.get("hold", json!({"table": "t1"}));
    for (level, nodes) in [("club", 30_000), ("expert", 50)] {
        let limits = json!({"nodes": nodes});
        let choice = engine.get("search", json!({"table": "t1", "ply": 1, "level": level, "limits": limits}));
        assert_eq!((&choice["stopped"], &choice["nodes"]), (&json!("nodes"), &json!(nodes)), "{level}");
        let choose = json!({"game": "zurero", "options": {"size": 9}, "played": ["@e5"], "level": level, "limits": limits});
        let choice = engine.get("choose", choose);
        assert_eq!((&choice["stopped"], &choice["nodes"]), (&json!("nodes"), &json!(nodes)), "{level}");
    }
}

/// A table that is held from the start, and goes on turn by turn.
#[test]
fn players_go_on_for_as_many_turns_as_they_may() {
    let mut engine = EngineProcess::start();
    let random = json!({"kind": "ai", "level": "random"});
    let seats = json!({"1": random, "2": random});
    let new = json!({"game": "zurero", "options": {"size": 9}, "seed": 1, "seats": seats, "held": true});
    assert_eq!(engine.get("new", new)["state"]["held"], true);
    for (turns, ply) in [(1, 1), (3, 4)] {
        let resumed = engine.get("resume", json!({"table": "t1", "turns": turns}));
        assert_eq!(resumed["state"]["held"], false);
        let last = loop {
            let changed = engine.notification("changed");
            if changed["state"]["held"] == true {
                break changed;
            }
        };
        assert_eq!(last["ply"], ply);
        assert_eq!(engine.get("state", json!({"table": "t1"}))["ply"], ply, "they wait again");
    }
    let replayed = engine.get("replay", json!({"table": "t1", "ply": 0}));
    assert_eq!((&replayed["seat"], &replayed["steps"]), (&Value::Null, &json!([])));
    assert_eq!(engine.get("replay", json!({"table": "t1"}))["ply"], 4);
}

/// Absorption is the game in which they look at different turns with the same limits.
#[test]
fn without_a_level_the_strongest_one_searches_and_the_usual_one_chooses() {
    let mut engine = EngineProcess::start();
    engine.get("new", json!({"game": "absorption", "seed": 1}));
    let score = |engine: &mut EngineProcess, method: &str, level: Value| {
        let limits = json!({"nodes": 16_000});
        let params = json!({"table": "t1", "game": "absorption", "played": [], "level": level, "limits": limits, "seed": 1});
        engine.get(method, params)["score"].take()
    };
    let [search, choose] = ["search", "choose"].map(|method| score(&mut engine, method, Value::Null));
    let [master, club] = ["master", "club"].map(|level| score(&mut engine, "search", json!(level)));
    assert_ne!(master, club);
    assert_eq!((search, choose), (master, club));
}

#[test]
fn a_forced_turn_is_played_at_once() {
    let mut engine = EngineProcess::start();
    let choose = json!({"game": "zurero", "played": [], "level": "master"});
    let choice = engine.get("choose", choose);
    assert_eq!((&choice["actions"], &choice["stopped"]), (&json!(["@j10"]), &json!("only")));
    engine.get("new", json!({"game": "zurero"}));
    let limits = json!({"time_ms": 3_600_000});
    let search = json!({"table": "t1", "lines": 3, "limits": limits});
    let choice = engine.get("search", search);
    assert_eq!((&choice["actions"], &choice["stopped"]), (&json!(["@j10"]), &json!("only")));
    assert_eq!(choice["lines"].as_array().map(Vec::len), Some(1));
    let master = json!({"kind": "ai", "level": "master", "limits": limits});
    engine.get("seat", json!({"table": "t1", "seat": 1, "to": master}));
    assert_eq!(engine.notification("changed")["actions"], json!(["@j10"]));
}

#[test]
fn threads_are_bounded_and_end_nothing() {
    let mut engine = EngineProcess::start();
    engine.get("new", json!({"game": "zurero", "seed": 1}));
    engine.get("play", json!({"table": "t1", "actions": ["@j10"]}));
    let search = |limits| json!({"table": "t1", "level": "master", "limits": limits});
    let (code, data) = engine.refused("search", search(json!({"threads": 0})));
    assert_eq!((code, &data["field"]), (-32602, &json!("limits.threads")));
    let choice = engine.get("search", search(json!({"threads": 4_000_000_000_u32, "time_ms": 20})));
    assert_eq!(choice["stopped"], "time");
    let choice = engine.get("search", search(json!({"threads": 2, "nodes": 500})));
    assert_eq!((&choice["stopped"], &choice["nodes"]), (&json!("nodes"), &json!(500)));
    let choice = engine.get("search", search(json!({"threads": 1})));
    assert_eq!(choice["stopped"], "time", "the level's own limit holds");
}

#[test]
fn the_computer_waits_after_undo_until_it_is_told_to_go_on() {
    let mut engine = EngineProcess::start();
    let seats = json!({"2": {"kind": "ai", "level": "greedy"}});
    engine.get("new", json!({"game": "zurero", "seats": seats}));
    engine.get("play", json!({"table": "t1", "actions": ["@j10"]}));
    engine.notification("changed");
    let undone = engine.get("undo", json!({"table": "t1"}));
    assert_eq!((&undone["state"]["to_move"], &undone["state"]["held"]), (&json!(2), &json!(true)));
    assert!(engine.is_silent());
    let resumed = engine.get("resume", json!({"table": "t1"}));
    assert_eq!(resumed["state"]["held"], false);
    assert_eq!(engine.notification("changed")["ply"], 2);
}

#[test]
fn a_person_can_hand_over_a_seat_in_mid_game() {
    let mut engine = EngineProcess::start();
    engine.get("new", json!({"game": "zurero"}));
    let handed =
        engine.get("seat", json!({"table": "t1", "seat": 1, "to": {"kind": "ai", "level": "random"}}));
    assert_eq!(handed["state"]["seats"]["1"]["level"], "random");
    assert_eq!(engine.notification("changed")["actions"], json!(["@j10"]));
}
