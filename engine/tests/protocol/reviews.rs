//! Games that are looked through, and games as one line of text.

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

/// Without how long it took.
fn timeless(mut review: Value) -> Value {
    review["time_ms"] = Value::Null;
    review
}

#[test]
fn a_review_is_the_same_however_it_is_made() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        let table = random_game(&mut engine, game, 6);
        let record = engine.get("record", json!({"table": table}))["record"].take();
        let alone = json!({"table": table, "limits": {"nodes": 400}, "threads": 1});
        let first = timeless(engine.get("review", alone.clone()));
        assert_eq!((&first["total"], &first["done"]), (&json!(6), &json!(6)), "{game}");
        for turn in first["turns"].as_array().expect("turns") {
            let cost = turn["cost"].as_f64().expect("a number");
            assert!((0.0..=1.0).contains(&cost), "{turn}");
            assert!(!turn["best"][0]["actions"].as_array().expect("a turn").is_empty(), "{turn}");
        }
        // From a copy, on all cores.
        let copy = engine.get("load", json!({"record": record}))["table"].take();
        let again = engine.get("review", json!({"table": copy, "limits": {"nodes": 400}}));
        assert_eq!(timeless(again), first, "{game}");
        // From what was kept, also in a record.
        let record = engine.get("record", json!({"table": table}))["record"].take();
        assert_eq!(record["version"], 2, "{game}");
        let kept = engine.get("load", json!({"record": record}))["table"].take();
        assert_eq!(engine.get("record", json!({"table": kept}))["record"], record, "{game}");
        assert_eq!(timeless(engine.get("review", json!({"table": kept, "limits": {"nodes": 400}}))), first);
    }
}

#[test]
fn a_review_that_was_cancelled_goes_on_where_it_was() {
    let mut engine = EngineProcess::start();
    let table = random_game(&mut engine, "zurero", 4);
    let id = engine.ask("review", json!({"table": table, "limits": {"depth": 90}, "threads": 1}));
    let cancel = engine.ask("cancel", json!({"request": id}));
    let mut answers: Vec<Value> = Vec::new();
    while answers.len() < 2 {
        let said = engine.receive();
        answers.extend(said["id"].is_i64().then_some(said));
    }
    assert!(answers.iter().any(|answer| answer["id"] == cancel && answer["result"]["cancelled"] == true));
    let answer = answers.iter().find(|answer| answer["id"] == id).expect("what was found");
    let answer = &answer["result"];
    assert!(answer["done"].as_u64() < answer["total"].as_u64(), "{answer}");

    engine.get("review", json!({"table": table, "limits": {"nodes": 200}}));
    let tree = engine.get("tree", json!({"table": table}));
    let evaluated = |tree: &Value| {
        let nodes = tree["nodes"].as_array().expect("nodes").iter();
        nodes.filter(|node| node["evaluation"]["limits"] == json!({"nodes": 200})).count()
    };
    assert_eq!(evaluated(&tree), 5, "every position of four turns: {tree}");
    // What is kept is not searched again: it is all there at once, whatever is changed in it.
    let mut record = engine.get("record", json!({"table": table}))["record"].take();
    record["notes"][0]["evaluation"]["choice"]["pv"] = json!(["kept"]);
    record["notes"][0]["evaluation"]["choice"]["lines"] = json!([]);
    let kept = engine.get("load", json!({"record": record}))["table"].take();
    let review = engine.get("review", json!({"table": kept, "limits": {"nodes": 200}}));
    assert_eq!(review["turns"][0]["best"][0]["pv"], json!(["kept"]));
}

#[test]
fn whoever_has_lost_has_lost_after_the_turn_too() {
    let mut engine = EngineProcess::start();
    let table = random_game(&mut engine, "zurero", 3);
    let ask = |table: &Value| json!({"table": table, "limits": {"nodes": 200}});
    engine.get("review", ask(&table));
    // What is kept is believed; the search after the turn knows nothing of it.
    let mut record = engine.get("record", json!({"table": table}))["record"].take();
    let lost = json!({"win": 0.0, "proved": "loss"});
    record["notes"][1]["evaluation"]["choice"]["score"] = lost.clone();
    let kept = engine.get("load", json!({"record": record}))["table"].take();
    let review = engine.get("review", ask(&kept));
    assert_eq!((&review["turns"][1]["before"], &review["turns"][1]["after"]), (&lost, &lost));
}

#[test]
fn whoever_throws_a_win_away_is_told_so() {
    let mut engine = EngineProcess::start();
    let rows = ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 1});
    engine.get("new", json!({"game": "zurero", "options": {"size": 5}, "start": start}));
    engine.get("play", json!({"table": "t1", "actions": ["sb"]}));
    let review = engine.get("review", json!({"table": "t1", "limits": {"nodes": 2000}}));
    let turn = &review["turns"][0];
    assert_eq!((&turn["verdict"], &turn["best"][0]["actions"]), (&json!("missed_win"), &json!(["e1"])));
    assert_eq!(review["summary"]["1"]["missed_wins"], 1);
    engine.get("undo", json!({"table": "t1"}));
    engine.get("play", json!({"table": "t1", "actions": ["e1"]}));
    let review = engine.get("review", json!({"table": "t1", "limits": {"nodes": 2000}}));
    assert_eq!(review["turns"][0]["verdict"], "best");
    assert_eq!(review["turns"][0]["after"], json!({"win": 1.0, "proved": "win"}));
}

#[test]
fn a_game_and_its_positions_are_read_back_from_a_line() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        let table = random_game(&mut engine, game, 9);
        let state = engine.get("state", json!({"table": table}));
        let line = engine.get("text", json!({"table": table}))["text"].take();
        assert!(!line.as_str().expect("text").contains('\n'));
        let mut again = engine.get("load", json!({"record": line}));
        let again = again["table"].take();
        assert_eq!(engine.get("text", json!({"table": again}))["text"], line, "{game}");
        let loaded = engine.get("state", json!({"table": again}));
        for member in ["rows", "options", "ply", "turn", "to_move", "counters", "phase", "last", "sides"] {
            assert_eq!(loaded[member], state[member], "{game}: {member}");
        }
        let line = engine.get("text", json!({"table": table, "position": true}))["text"].take();
        let loaded = engine.get("load", json!({"record": line}))["state"].take();
        for member in ["rows", "options", "to_move", "counters", "phase", "sides"] {
            assert_eq!(loaded[member], state[member], "{game}: {member} of {line}");
        }
    }
    engine.get("resign", json!({"table": "t1", "seat": 2}));
    let line = engine.get("text", json!({"table": "t1"}))["text"].take();
    let loaded = engine.get("load", json!({"record": line}));
    assert_eq!(loaded["state"]["outcome"]["reason"], "resign");

    for (line, place) in [
        ("", "the text"),
        ("chess e4", "word 1 (chess)"),
        ("zurero size=99", "word 2 (size=99)"),
        ("zurero colour=red", "word 2 (colour=red)"),
        ("zurero e5", "word 2 (e5)"),
        ("zurero size=5 : @c3 w1", "word 5 (w1)"),
        ("zurero size=5 start=5/5/5/5/9 start.to_move=1", "start"),
        ("zurero size=5 start=5/5/2,b,2/5/999999999", "word 3 (start=5/5/2,b,2/5/999999999)"),
        ("zurero size=5 resigned=3", "word 3 (resigned=3)"),
    ] {
        let (code, data) = engine.refused("load", json!({"record": line}));
        assert_eq!((code, &data["place"]), (10, &json!(place)), "{line}: {data}");
    }
}

#[test]
fn a_position_is_checked_in_words() {
    let mut engine = EngineProcess::start();
    let rows = [". . . . .", ". . . . .", ". . b w .", ". . . . .", ". . . . ."];
    let ask = |rows: &[&str], to_move: Value| json!({"game": "zurero", "options": {"size": 5}, "start": {"rows": rows, "to_move": to_move}});
    let checked = engine.get("check", ask(&rows, json!(1)));
    assert_eq!((&checked["problem"], &checked["state"]["to_move"]), (&Value::Null, &json!(1)));
    let opened = engine.get("load", json!({"record": checked["text"]}));
    assert_eq!(opened["state"]["rows"], json!(rows));
    let checked = engine.get("check", ask(&rows[1..], json!(1)));
    assert!(!checked["problem"]["reason"].as_str().expect("words").is_empty());
    assert_eq!(engine.get("check", ask(&rows, Value::Null))["problem"]["field"], "start.to_move");
    assert_eq!(engine.refused("check", json!({"game": "chess", "start": {"rows": []}})).0, 7);
}
