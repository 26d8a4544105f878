//! Many positions in one request.

use serde_json::{Value, json};

use crate::engine_process::EngineProcess;

/// A random game from its start to its end, or so many turns of it.
fn random_game(engine: &mut EngineProcess, game: &str, seed: u64, turns: usize) -> Vec<String> {
    let mut played: Vec<String> = Vec::new();
    for _ in 0..turns {
        let params = json!({"game": game, "played": played, "level": "random", "seed": seed});
        let Ok(choice) = engine.call("choose", params) else { break };
        played.extend(choice["actions"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().into()));
    }
    played
}

#[test]
fn nothing_comes_that_was_not_asked_for() {
    let mut engine = EngineProcess::start();
    let all = ["legal", "codes", "state", "planes", "evaluation"];
    for asked in all {
        let params = json!({"game": "zurero", "positions": [{"played": ["@j10"]}], "ask": {asked: true}});
        let batch = engine.get("batch", params);
        let found = all.into_iter().filter(|&name| !batch["results"][0][name].is_null());
        assert_eq!(found.collect::<Vec<_>>(), [asked]);
    }
}

#[test]
fn every_result_is_what_the_methods_for_one_position_say() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        let played = random_game(&mut engine, game, 7, 6);
        let search = json!({"level": "novice", "limits": {"nodes": 50}});
        let ask = json!({"legal": true, "codes": true, "state": true, "planes": true, "evaluation": true,
            "search": search, "playouts": 4});
        let params =
            json!({"game": game, "positions": [{"played": played, "seed": 7, "every": true}], "ask": ask});
        let batch = engine.get("batch", params);
        let results = batch["results"].as_array().unwrap();
        assert_eq!(results.len(), played.len() + 1, "{game}");
        let table = engine.get("new", json!({"game": game, "seed": 7}))["table"].take();
        for (ply, result) in results.iter().enumerate() {
            if ply > 0 {
                engine.get("play", json!({"table": table, "actions": [played[ply - 1]]}));
            }
            let mut state = engine.get("state", json!({"table": table}));
            assert_eq!(result["to_move"], state["to_move"]);
            state["table"] = "".into();
            assert_eq!(result["state"], state);
            let actions = engine.get("actions", json!({"table": table, "codes": true}));
            assert_eq!(result["codes"], actions["codes"]);
            let planes = engine.get("planes", json!({"table": table}));
            assert_eq!(result["planes"], json!({"shape": planes["shape"], "data": planes["data"]}));
            assert_eq!((&result["ply"], &result["legal"]), (&actions["ply"], &actions["actions"]));
            let mut params = json!({"game": game, "played": played[..ply], "seed": 7});
            params.as_object_mut().unwrap().extend(search.as_object().unwrap().clone());
            let mut choice = engine.get("choose", params);
            choice["time_ms"] = result["search"]["time_ms"].clone();
            assert_eq!(result["search"], choice, "{game} at {ply}");
            let win = result["evaluation"]["win"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&win), "{win}");
            let playouts = &result["playouts"];
            let games = ["wins", "draws", "losses"].map(|word| playouts[word].as_u64().unwrap());
            assert_eq!(games.iter().sum::<u64>(), 4);
            assert!(playouts["mean_length"].as_f64().unwrap() >= 1.0);
        }
    }
}

#[test]
fn results_depend_on_the_seed_and_not_on_threads_or_streaming() {
    let mut engine = EngineProcess::start();
    let games: Vec<Value> = (0..3)
        .map(|seed| json!({"played": random_game(&mut engine, "zurero", seed, 12), "every": seed == 1}))
        .collect();
    let ask =
        json!({"search": {"level": "novice", "limits": {"nodes": 300}}, "playouts": 20, "evaluation": true});
    let mut params = json!({"game": "zurero", "positions": games, "ask": ask, "seed": 5});
    let untimed = |results: &Value| {
        let mut results = results.as_array().unwrap().clone();
        results.iter_mut().for_each(|result| result["search"]["time_ms"] = 0.into());
        results
    };
    let expected = untimed(&engine.get("batch", params.clone())["results"]);
    assert_eq!(expected.len(), 15);
    params["threads"] = 1.into();
    assert_eq!(untimed(&engine.get("batch", params.clone())["results"]), expected);
    params["stream"] = true.into();
    params["threads"] = Value::Null;
    let id = engine.ask("batch", params.clone());
    let streamed: Vec<Value> = (0..expected.len())
        .map(|index| {
            let mut notice = engine.notification("result");
            assert_eq!((&notice["request"], &notice["index"]), (&json!(id), &json!(index)));
            notice["result"].take()
        })
        .collect();
    assert_eq!(untimed(&streamed.into()), expected);
    let summary = engine.response(id).unwrap();
    assert_eq!((&summary["total"], &summary["done"], &summary["seed"]), (&json!(15), &json!(15), &json!(5)));
    assert_eq!(summary.get("results"), None);
    // Another seed, other random games.
    params["stream"] = false.into();
    params["seed"] = 6.into();
    assert_ne!(untimed(&engine.get("batch", params)["results"]), expected);
}

#[test]
fn a_position_that_is_none_has_an_error_in_its_place() {
    let mut engine = EngineProcess::start();
    let rows =
        json!({"rows": [". . . . .", ". . . . .", ". . b q .", ". . . . .", ". . . . ."], "to_move": 1});
    let positions = json!([
        {"played": ["@c3", "w3"]},
        {"played": ["@c3", "w1", "w3"]},
        {"game": "chess"},
        {"options": {"size": 4}},
        {"options": {"speed": 4}},
        {"start": rows},
        {"start": {"rows": [". ."]}},
        {"played": ["@c3", "nowhere"]},
        {"played": ["@c3"]},
    ]);
    let batch = engine.get(
        "batch",
        json!({"game": "zurero", "options": {"size": 5}, "positions": positions, "ask": {"legal": true}}),
    );
    assert_eq!((&batch["done"], &batch["errors"]), (&json!(9), &json!(7)));
    for (index, position) in positions.as_array().unwrap().iter().enumerate() {
        let mut params = json!({"game": "zurero", "options": {"size": 5}, "played": [], "level": "random"});
        params.as_object_mut().unwrap().extend(position.as_object().unwrap().clone());
        let error = engine.call("choose", params).err().unwrap_or_default();
        assert_eq!(batch["results"][index]["error"], error, "{position}");
        assert_eq!(error.is_null(), [0, 8].contains(&index), "{position}");
    }
    // Along a game everything is there up to the action that is not legal.
    let params = json!({"game": "zurero", "options": {"size": 5}, "every": true,
        "positions": [{"played": ["@c3", "w1", "w3"]}], "ask": {}});
    let along = engine.get("batch", params)["results"].as_array().unwrap().clone();
    assert_eq!(along[..2], [json!({"ply": 0, "to_move": 1}), json!({"ply": 1, "to_move": 2})]);
    assert_eq!(along[2]["error"]["data"]["index"], 1);
    assert_eq!(along[3], along[2]);
}

#[test]
fn actions_can_be_given_by_their_codes() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        let played = random_game(&mut engine, game, 0, 5);
        let codes = engine.get("codes", json!({"game": game, "actions": played}))["codes"].take();
        let ask = json!({"state": true});
        let positions = json!([{"played": played, "every": true}, {"codes": codes, "every": true}, {"codes": []},
            {"codes": codes, "played": played}, {"codes": [[1_000_000]]}]);
        let batch = engine.get("batch", json!({"game": game, "positions": positions, "ask": ask}));
        let results = batch["results"].as_array().unwrap();
        let count = played.len() + 1;
        assert_eq!(results[..count], results[count..2 * count], "{game}");
        assert_eq!(results[2 * count], results[0]);
        assert_eq!(results[2 * count + 1]["error"]["data"]["field"], "codes");
        assert_eq!(results[2 * count + 2]["error"]["data"]["field"], "codes[0]");
    }
    // A code of an action that is not legal here.
    let params =
        json!({"game": "zurero", "options": {"size": 9}, "positions": [{"codes": [[36], [27]]}], "ask": {}});
    let data = engine.get("batch", params)["results"][0]["error"]["data"].take();
    assert_eq!(
        (&data["kind"], &data["action"], &data["index"]),
        (&json!("illegal_action"), &json!("w1"), &json!(1))
    );
}

#[test]
fn a_game_that_is_over_has_an_outcome() {
    let mut engine = EngineProcess::start();
    let start =
        json!({"rows": ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."], "to_move": 1});
    let ask = json!({"legal": true, "evaluation": true, "search": {"level": "greedy"}, "playouts": 3});
    let params = json!({"game": "zurero", "options": {"size": 5}, "start": start, "ask": ask,
        "positions": [{"played": ["e1"]}, {"played": ["e1", "e2"]}]});
    let results = engine.get("batch", params)["results"].take();
    let over = json!({"ply": 1, "to_move": null, "outcome": {"winner": 1, "reason": "five"}, "legal": []});
    assert_eq!(results[0], over);
    assert_eq!(results[1]["error"]["data"], json!({"kind": "game_over", "index": 1}));
}

#[test]
fn a_batch_that_is_wrong_or_too_large_is_refused_as_a_whole() {
    let mut engine = EngineProcess::start();
    let wrong = [
        (json!({"ask": {}}), "positions"),
        (json!({"positions": []}), "ask"),
        (json!({"positions": [{"game": "zurero"}, {}], "ask": {}}), "positions[1].game"),
        (json!({"positions": [{"game": "zurero", "played": [1]}], "ask": {}}), "positions[0].played[0]"),
        (json!({"positions": [], "ask": {"playouts": 0}}), "ask.playouts"),
        (json!({"positions": [], "ask": {"search": {"level": "genius"}}}), "ask.search.level"),
        (json!({"positions": [], "ask": {"search": {"limits": {"nodes": 0}}}}), "ask.search.limits.nodes"),
        (json!({"positions": [], "ask": {"search": {"lines": 0}}}), "ask.search.lines"),
        (json!({"positions": [], "ask": {}, "threads": 0}), "threads"),
    ];
    for (params, field) in wrong {
        let (code, data) = engine.refused("batch", params.clone());
        assert_eq!((code, &data["field"]), (-32602, &json!(field)), "{params}");
    }
    let game = vec!["w1"; 50_000];
    let large = [
        json!({"game": "zurero", "every": true, "positions": [{"played": game}, {"played": game}], "ask": {}}),
        json!({"game": "zurero", "positions": [{}, {}], "ask": {"playouts": 5_000_001}}),
        json!({"game": "zurero", "positions": [{}, {}], "ask": {"search": {"limits": {"nodes": 5_000_000_001u64}}}}),
    ];
    for params in large {
        assert_eq!(engine.refused("batch", params).0, 9);
    }
    let nothing = engine.get("batch", json!({"positions": [], "ask": {"legal": true}}));
    assert_eq!((&nothing["results"], &nothing["total"]), (&json!([]), &json!(0)));
}

/// A search that nobody waits for to end, and that needs little memory.
fn endless_search() -> Value {
    json!({"level": "uct", "limits": {"time_ms": 3_600_000}})
}

#[test]
fn a_batch_that_is_cancelled_answers_with_what_it_has() {
    let mut engine = EngineProcess::start();
    let over = json!({"start": {"rows": ["b b b b b", "w . . . .", "w . . . .", "w . . . .", "w . . . ."], "to_move": 2}});
    let positions = vec![over, json!({"played": ["@c3"]}), json!({"played": ["@c3", "w3"]})];
    let mut params = json!({"game": "zurero", "options": {"size": 5}, "positions": positions,
        "ask": {"search": endless_search()}, "stream": true});
    let batch = engine.ask("batch", params.clone());
    assert_eq!(engine.notification("result")["index"], 0);
    params["stream"] = false.into();
    let waits = [(); 2].map(|()| engine.ask("batch", params.clone()));
    // One that waits in line has nothing yet.
    let cancel = engine.ask("cancel", json!({"request": waits[0]}));
    let mut answers = [engine.receive(), engine.receive()];
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!(answers[0]["id"], waits[0]);
    let result = &answers[0]["result"];
    assert_eq!((&result["results"], &result["done"], &result["total"]), (&json!([]), &json!(0), &json!(3)));
    assert_eq!((&answers[1]["id"], &answers[1]["result"]["cancelled"]), (&json!(cancel), &json!(true)));
    engine.ask("cancel", json!({"request": batch}));
    let summary = engine.response(batch).unwrap();
    assert_eq!((&summary["done"], &summary["total"]), (&json!(1), &json!(3)));
    // The end of input ends the other one, which has begun by now or not.
    let (status, rest, _) = engine.finish();
    assert!(status.success());
    assert!(rest.iter().any(|answer| answer["id"] == waits[1]), "{rest:?}");
}

#[test]
fn so_many_may_wait_and_no_more() {
    let mut engine = EngineProcess::start();
    for _ in 0..1024 {
        engine.ask("perft", json!({"game": "zurero", "depth": 40}));
    }
    let one_more = engine.ask("choose", json!({"game": "zurero", "played": []}));
    for count in 1..one_more {
        engine.ask("cancel", json!({"request": count}));
    }
    let error = engine.response(one_more).unwrap_err();
    assert_eq!(error["code"], 9);
    assert!(error["message"].as_str().unwrap().starts_with("1024 searches are under way"), "{error}");
}
