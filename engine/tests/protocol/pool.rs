//! What goes on at once, what waits in line, and what an engine holds while it is attacked.

use serde_json::{Value, json};

use crate::engine_process::{EngineProcess, engine};

/// An engine in which so many go on at once.
fn engine_with(searches: &str) -> EngineProcess {
    EngineProcess::start_as(engine().args(["--searches", searches]))
}

fn choose(more: &Value) -> Value {
    let mut params = json!({"game": "zurero", "options": {"size": 9}, "played": ["@e5"]});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    params
}

/// A search that nobody waits for to end.
fn endless() -> Value {
    choose(&json!({"level": "club", "limits": {"time_ms": 3_600_000}}))
}

/// A game in which a level has the first turn and thinks about it for an hour.
fn game_of_endless(level: &str) -> Value {
    let player = json!({"kind": "ai", "level": level, "limits": {"time_ms": 3_600_000}});
    json!({"game": "fabrik", "seed": 1, "seats": {"1": player}})
}

/// Far more than anybody can count.
fn endless_count() -> Value {
    json!({"game": "zurero", "depth": 40})
}

fn load(engine: &mut EngineProcess) -> Value {
    engine.get("status", json!({}))["load"].take()
}

#[test]
fn more_than_go_on_at_once_wait_in_line_and_hear_their_place() {
    let mut engine = engine_with("2");
    let running = [(); 2].map(|()| engine.ask("choose", endless()));
    let waits = [(); 2].map(|()| engine.ask("choose", endless()));
    let heard = [(); 2].map(|()| engine.notification("waiting"));
    let expected = [json!({"request": waits[0], "place": 1}), json!({"request": waits[1], "place": 2})];
    assert_eq!(heard, expected);
    let load_now = load(&mut engine);
    assert_eq!((&load_now["searches"], &load_now["waiting"]), (&json!(2), &json!(2)));
    // Who is cancelled in line answers at once, and frees nobody's place.
    engine.ask("cancel", json!({"request": waits[0]}));
    assert_eq!(engine.response(waits[0]).unwrap()["stopped"], "cancelled");
    assert_eq!(engine.notification("waiting"), json!({"request": waits[1], "place": 1}));
    engine.ask("cancel", json!({"request": running[0]}));
    assert_eq!(engine.response(running[0]).unwrap()["stopped"], "cancelled");
    while load(&mut engine)["waiting"] != 0 {}
    assert_eq!(load(&mut engine)["searches"], 2);
    // At the end of input all of them are answered.
    let (status, rest, _) = engine.finish();
    assert!(status.success());
    for id in [running[1], waits[1]] {
        assert!(rest.iter().any(|answer| answer["id"] == id), "{rest:?}");
    }
}

#[test]
fn a_turn_that_somebody_waits_for_goes_on_beside_what_is_endless() {
    let mut engine = engine_with("1");
    engine.ask("choose", endless());
    let waits = engine.ask("choose", endless());
    let limits = json!({"nodes": 500});
    engine.get("choose", choose(&json!({"level": "club", "limits": limits})));
    let seats = json!({"1": {"kind": "ai", "level": "club", "limits": limits}, "2": {"kind": "ai", "level": "random"}});
    engine.get("new", json!({"game": "fabrik", "seats": seats, "seed": 1}));
    while engine.notification("changed")["by"] != 2 {}
    engine.get("close", json!({"table": "t1"}));
    assert_eq!(engine.get("cancel", json!({"request": waits})), json!({"cancelled": true}));
}

#[test]
fn a_player_that_waits_can_be_hurried_and_called_off() {
    let mut engine = engine_with("1");
    engine.ask("choose", endless());
    engine.get("new", game_of_endless("master"));
    assert_eq!(engine.notification("waiting"), json!({"table": "t1", "seat": 1, "place": 1}));
    assert_eq!(engine.get("hurry", json!({"table": "t1"})), json!({"hurried": true}));
    assert_eq!(engine.notification("changed")["by"], 1);
    engine.get("new", game_of_endless("master"));
    assert_eq!(load(&mut engine)["waiting"], 1);
    engine.get("close", json!({"table": "t2"}));
    assert_eq!(load(&mut engine)["waiting"], 0);
}

#[test]
fn a_hurry_does_not_wait_for_a_count() {
    let mut engine = engine_with("2");
    engine.get("new", game_of_endless("expert"));
    engine.notification("thinking");
    let count = engine.ask("perft", endless_count());
    let tables = engine.ask("tables", json!({}));
    // Its answer comes before theirs, and so does what follows from it.
    let hurry = engine.ask("hurry", json!({"table": "t1"}));
    assert_eq!(engine.response(hurry).unwrap(), json!({"hurried": true}));
    assert_eq!(engine.notification("changed")["by"], 1);
    // One for whom there is nobody to hurry has its turn, as all others have.
    let nobody = engine.ask("hurry", json!({"table": "t1"}));
    let cancel = engine.ask("cancel", json!({"request": count}));
    assert_eq!(engine.response(count).unwrap_err()["code"], 9);
    assert!(engine.response(tables).is_ok());
    assert_eq!(engine.response(nobody).unwrap(), json!({"hurried": false}));
    assert!(engine.response(cancel).is_ok());
}

#[test]
fn a_count_waits_in_line_like_all_that_takes_long() {
    let mut engine = engine_with("1");
    let search = engine.ask("choose", endless());
    let count = engine.ask("perft", json!({"game": "fabrik", "options": {"size": 5}, "depth": 2}));
    let behind = engine.ask("tables", json!({}));
    assert_eq!(engine.notification("waiting"), json!({"request": count, "place": 1}));
    engine.ask("cancel", json!({"request": search}));
    assert_eq!(engine.response(count).unwrap(), json!({"nodes": 600}));
    assert!(engine.response(behind).is_ok());
}

#[test]
fn helpers_make_room_for_those_who_wait() {
    let mut engine = engine_with("2");
    let limits = json!({"time_ms": 3_600_000, "threads": 2});
    let first = engine.ask("choose", choose(&json!({"level": "master", "limits": limits})));
    // With one core nobody helps.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    while load(&mut engine)["helpers"] != cores.min(2) - 1 {}
    engine.ask("choose", endless());
    while load(&mut engine)["searches"] != 2 {}
    assert_eq!(load(&mut engine)["helpers"], 0);
    engine.ask("cancel", json!({"request": first}));
    assert_eq!(engine.response(first).unwrap()["stopped"], "cancelled");
}

/// The attack at full size is `tests/trust/attack`.
#[test]
#[cfg(target_os = "linux")]
fn many_tables_of_masters_take_few_threads_and_little_memory() {
    let mut engine = engine_with("2");
    for _ in 0..60 {
        engine.get("new", game_of_endless("master"));
    }
    // The helper of the first one makes room in its own time.
    while load(&mut engine)["searches"] != 2 {}
    let status = engine.get("status", json!({}));
    let (load, memory) = (&status["load"], &status["memory"]);
    assert_eq!((&load["tables"], &load["searches"], &load["waiting"]), (&json!(60), &json!(2), &json!(58)));
    // Two that think; reader, answerer, writer and the one who tells places.
    assert!(load["threads"].as_u64() < Some(10), "{load}");
    assert!(memory["searches"].as_u64() <= status["limits"]["search_bytes"].as_u64(), "{memory}");
    assert!(memory["resident"].as_u64() < Some(128 << 20), "{memory}");
    engine.get("hello", json!({}));
}

#[test]
fn members_of_a_start_that_no_game_knows_are_not_kept() {
    let mut engine = EngineProcess::start();
    let many: serde_json::Map<String, Value> =
        (0..40_000).map(|number| (format!("x{number}"), json!({}))).collect();
    let mut start = json!({"rows": vec![". . . . ."; 5], "to_move": 1});
    start.as_object_mut().unwrap().extend(many);
    for _ in 0..16 {
        let opened = engine.get("new", json!({"game": "zurero", "options": {"size": 5}, "start": start}));
        let record = engine.get("record", json!({"table": opened["table"]}))["record"].take();
        assert_eq!(record["start"], json!({"rows": vec![". . . . ."; 5], "to_move": 1}));
    }
    let memory = engine.get("status", json!({}))["memory"].take();
    assert!(memory["tables"].as_u64() < Some(250_000), "{memory}");
    // Linux says so. Kept, they alone would take some 75 MiB.
    assert!(memory["resident"].as_u64() < Some(64 << 20), "{memory}");
    // Who wants to hear of it does.
    engine.get("hello", json!({"strict": true}));
    let refused = engine.refused("new", json!({"game": "zurero", "options": {"size": 5}, "start": start}));
    assert_eq!((refused.0, &refused.1["field"]), (-32602, &json!("start.x0")));
}

#[test]
fn a_status_tells_load_memory_and_every_limit() {
    let mut engine = EngineProcess::start_as(engine().args(["--searches", "3", "--memory", "200"]));
    engine.get("new", json!({"game": "zurero"}));
    let status = engine.get("status", json!({}));
    let load = &status["load"];
    assert_eq!((&load["tables"], &load["clients"], &load["searches"]), (&json!(1), &json!(1), &json!(0)));
    let limits = &status["limits"];
    assert_eq!((&limits["searches"], &limits["search_bytes"]), (&json!(3), &json!(200 << 20)));
    assert!(limits.as_object().unwrap().values().all(|limit| limit.as_u64() > Some(0)), "{limits}");
    engine.get("close", json!({"table": "t1"}));
    let status = engine.get("status", json!({}));
    assert_eq!((&status["load"]["tables"], &status["memory"]["tables"]), (&json!(0), &json!(0)));
    for wrong in [["--memory", "127"], ["--memory", "much"], ["--searches", "0"]] {
        let refused = engine_output(&wrong);
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(wrong[1]), "{refused:?}");
    }
}

fn engine_output(arguments: &[&str]) -> std::process::Output {
    engine().args(arguments).stdin(std::process::Stdio::null()).output().expect("it runs")
}
