//! Searches without end: the best turns live, where they go on, and what the enemy threatens.

use serde_json::{Value, json};

use crate::engine_process::EngineProcess;

/// Opens a table and plays so many random turns.
fn random_game(engine: &mut EngineProcess, game: &str, turns: usize) -> Value {
    let table = engine.get("new", json!({"game": game, "seed": 5}))["table"].take();
    for seed in 0..turns {
        let choice = engine.get("search", json!({"table": table, "level": "random", "seed": seed}));
        engine.get("play", json!({"table": table, "actions": choice["actions"]}));
    }
    table
}

/// Begins a search, hears it until `is_enough`, cancels it, and gives all `info` and the answer.
fn listen(
    engine: &mut EngineProcess,
    params: Value,
    is_enough: impl Fn(&Value) -> bool,
) -> (Vec<Value>, Value) {
    let id = engine.ask("search", params);
    let mut infos = Vec::new();
    let mut is_cancelled = false;
    loop {
        let mut said = engine.receive();
        if said["id"] == id {
            return (infos, said["result"].take());
        }
        if said["method"] != "info" {
            continue;
        }
        assert_eq!(said["params"]["request"], id);
        infos.push(said["params"].take());
        if !is_cancelled && infos.last().is_some_and(&is_enough) {
            engine.ask("cancel", json!({"request": id}));
            is_cancelled = true;
        }
    }
}

/// Without how long it took.
fn timeless(mut found: Value) -> Value {
    found["time_ms"] = Value::Null;
    found["request"] = Value::Null;
    found
}

fn is_distinct(lines: &[Value]) -> bool {
    lines
        .iter()
        .enumerate()
        .all(|(index, line)| lines[..index].iter().all(|other| other["actions"] != line["actions"]))
}

fn win(line: &Value) -> f64 {
    line["score"]["win"].as_f64().expect("a chance")
}

#[test]
fn the_best_turns_are_told_live_whole_legal_and_in_order() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        let table = random_game(&mut engine, game, 5);
        let asked = json!({"table": table, "lines": 3, "limits": {"nodes": 3000}, "seed": 1});
        let (infos, choice) = listen(&mut engine, asked.clone(), |_| false);
        let last = infos.last().expect("it says something");
        assert_eq!(last["lines"], choice["lines"], "{game}");
        for said in infos.iter().chain([&choice]) {
            let lines = said["lines"].as_array().expect("lines");
            assert!((1..=3).contains(&lines.len()) && is_distinct(lines), "{game}: {said}");
            assert!(lines.windows(2).all(|pair| win(&pair[0]) >= win(&pair[1])), "{game}: {said}");
            assert_eq!((&lines[0]["score"], &lines[0]["pv"]), (&said["score"], &said["pv"]), "{game}");
            for line in lines {
                let turns: Vec<u64> = serde_json::from_value(line["turns"].clone()).expect("numbers");
                let pv = line["pv"].as_array().expect("actions");
                assert_eq!(turns[0] as usize, line["actions"].as_array().expect("a turn").len(), "{line}");
                assert!(turns.iter().sum::<u64>() as usize <= pv.len(), "{line}");
                // Every turn of it ends where it is said to, and by the other seat from then on.
                let after = engine.get("preview", json!({"table": table, "actions": line["pv"]}));
                let events = after["events"].as_array().expect("events");
                let ends = events.iter().filter(|event| event["kind"] == "turn").count();
                let is_over = usize::from(!after["state"]["outcome"].is_null());
                assert!(turns.len() == ends || turns.len() == ends + is_over, "{game}: {line} {after}");
            }
        }
        let (again, same) = listen(&mut engine, asked, |_| false);
        assert_eq!(timeless(same), timeless(choice), "{game}");
        // Those in between depend on the clock.
        assert_eq!(timeless(again.last().expect("one").clone()), timeless(last.clone()), "{game}");
    }
}

#[test]
fn a_search_without_end_goes_on_where_it_was() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        let table = random_game(&mut engine, game, 5);
        let there = json!({"table": table, "lines": 3, "endless": true, "keep": true, "seed": 1});
        let deep = |info: &Value| info["depth"].as_u64() >= Some(2) && info["nodes"].as_u64() >= Some(1000);
        let (infos, first) = listen(&mut engine, there.clone(), deep);
        assert!(!infos.is_empty());
        if !first["score"]["proved"].is_null() {
            continue;
        }
        assert_eq!(first["stopped"], "cancelled", "{game}");
        // Elsewhere for a while.
        let elsewhere = json!({"table": table, "lines": 3, "endless": true, "ply": 0});
        listen(&mut engine, elsewhere, |_| true);
        let (infos, second) = listen(&mut engine, there.clone(), |_| true);
        assert_eq!(infos[0]["lines"], first["lines"], "{game}: it begins with what was known");
        assert_eq!(infos[0]["depth"], first["depth"], "{game}");
        assert!(infos[0]["nodes"].as_u64() >= first["nodes"].as_u64(), "{game}");
        assert!(second["depth"].as_u64() >= first["depth"].as_u64(), "{game}");
        // What was found longest is kept with the node, and in the record.
        let state = engine.get("state", json!({"table": table}));
        engine.get("search", json!({"table": table, "limits": {"nodes": 10}, "keep": true}));
        let record = engine.get("record", json!({"table": table}))["record"].take();
        let notes = record["notes"].as_array().expect("notes").iter();
        let kept: Vec<&Value> = notes.filter(|note| note["node"] == state["node"]).collect();
        assert_eq!(kept[0]["evaluation"]["choice"]["lines"], second["lines"], "{game}");
        let copy = engine.get("load", json!({"record": record}))["table"].take();
        assert_eq!(engine.get("record", json!({"table": copy}))["record"], record, "{game}");
    }
}

#[test]
fn what_goes_on_is_the_same_everywhere_with_limits_of_nodes() {
    let found = || {
        let mut engine = EngineProcess::start();
        let mut all = Vec::new();
        for game in every_game!() {
            let table = random_game(&mut engine, game, 3);
            let part =
                json!({"table": table, "lines": 2, "endless": true, "seed": 1, "limits": {"nodes": 2000}});
            let [one, two] = [(), ()].map(|()| timeless(engine.get("search", part.clone())));
            let proved = !one["score"]["proved"].is_null();
            assert!(proved || two["nodes"].as_u64() > one["nodes"].as_u64(), "{game}: {one} {two}");
            assert!(two["depth"].as_u64() >= one["depth"].as_u64(), "{game}: {one} {two}");
            all.extend([one, two]);
        }
        all
    };
    assert_eq!(found(), found());
}

#[test]
fn a_threat_is_what_the_other_seat_would_do() {
    let mut engine = EngineProcess::start();
    let rows = ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 2});
    engine.get("new", json!({"game": "zurero", "options": {"size": 5}, "start": start}));
    let threat = json!({"table": "t1", "limits": {"nodes": 2000}, "lines": 2, "threat": true, "keep": true});
    let found = engine.get("search", threat.clone());
    assert_eq!((&found["actions"], &found["score"]["proved"]), (&json!(["e1"]), &json!("win")));
    let tree = engine.get("tree", json!({"table": "t1"}));
    assert!(tree["nodes"][0]["evaluation"].is_null(), "it says nothing about the position: {tree}");
    let preview = json!({"table": "t1", "actions": ["e1"], "node": 0});
    assert_eq!(engine.get("preview", preview)["state"]["rows"][0], "b b b b w", "it is white's turn");
    let preview = json!({"table": "t1", "actions": ["e1"], "node": 0, "threat": true});
    assert_eq!(engine.get("preview", preview)["state"]["outcome"]["winner"], 1);
}

#[test]
fn where_there_can_be_no_threat_the_reason_is_told() {
    let mut engine = EngineProcess::start();
    let table = engine.get("new", json!({"game": "zurero"}))["table"].take();
    let threat = json!({"table": table, "threat": true, "endless": true});
    let (code, data) = engine.refused("search", threat);
    assert_eq!((code, &data["reason"]), (3, &json!("only seat 1 can have the turn here")));
    // In the middle of a turn.
    let table = engine.get("new", json!({"game": "absorption"}))["table"].take();
    let first = engine.get("actions", json!({"table": table}))["actions"][0].take();
    let state = engine.get("play", json!({"table": table, "actions": [first]}))["state"].take();
    assert_eq!(state["to_move"], 1, "the turn goes on: {state}");
    for (method, more) in [("search", json!({})), ("preview", json!({"actions": ["x"]}))] {
        let mut params = json!({"table": table, "threat": true});
        let members = params.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        let (code, data) = engine.refused(method, params);
        let reason = data["reason"].as_str().expect("a reason");
        assert!(code == 3 && reason.contains("in the middle of its turn"), "{method}: {reason}");
    }
}

#[test]
fn what_was_kept_is_told_first_when_the_game_is_loaded_again() {
    let mut engine = EngineProcess::start();
    let table = random_game(&mut engine, "zurero", 4);
    let asked = json!({"lines": 2, "endless": true, "keep": true, "seed": 1, "limits": {"nodes": 5000}});
    let ask = |table: &Value, nodes: u64| {
        let mut params = asked.clone();
        params["table"] = table.clone();
        params["limits"]["nodes"] = nodes.into();
        params
    };
    let first = engine.get("search", ask(&table, 5000));
    let record = engine.get("record", json!({"table": table}))["record"].take();
    let copy = engine.get("load", json!({"record": record}))["table"].take();
    let (infos, again) = listen(&mut engine, ask(&copy, 50), |_| false);
    assert_eq!((&infos[0]["depth"], &infos[0]["lines"]), (&first["depth"], &first["lines"]));
    assert!(infos.iter().all(|info| info["depth"].as_u64() >= first["depth"].as_u64()), "{infos:?}");
    assert_eq!(again["lines"], first["lines"]);
    assert_eq!(engine.get("record", json!({"table": copy}))["record"]["notes"], record["notes"]);
}

#[test]
fn where_somebody_has_resigned_the_position_can_still_be_looked_into() {
    let mut engine = EngineProcess::start();
    let rows = ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 1});
    engine.get("new", json!({"game": "zurero", "options": {"size": 5}, "start": start}));
    let state = engine.get("resign", json!({"table": "t1", "seat": 1}))["state"].take();
    assert_eq!((&state["to_move"], &state["would_move"]), (&Value::Null, &json!(1)));
    let limits = json!({"nodes": 2000});
    for endless in [false, true] {
        let asked = json!({"table": "t1", "seed": 1, "limits": limits, "endless": endless, "lines": 2});
        let found = engine.get("search", asked);
        assert_eq!((&found["actions"], &found["score"]["proved"]), (&json!(["e1"]), &json!("win")));
    }
    let threat = json!({"table": "t1", "seed": 1, "limits": limits, "threat": true});
    assert_ne!(engine.get("search", threat)["actions"], json!(["e1"]));
    let seen = engine.get("preview", json!({"table": "t1", "actions": ["e1"]}));
    assert_eq!(seen["state"]["outcome"]["winner"], 1);
    // The game is over all the same.
    assert_eq!(engine.refused("play", json!({"table": "t1", "actions": ["e1"]})).0, 5);
    assert_eq!(engine.get("state", json!({"table": "t1"}))["outcome"]["reason"], "resign");
    engine.get("undo", json!({"table": "t1"}));
    assert!(engine.get("state", json!({"table": "t1"}))["would_move"].is_null());
    // Where the rules have ended it nothing can be looked into.
    engine.get("play", json!({"table": "t1", "actions": ["e1"]}));
    assert_eq!(engine.refused("search", json!({"table": "t1"})).0, 5);
}
