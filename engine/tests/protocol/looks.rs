//! What a window asks that knows no rules: looks at what could be, what was and what things mean.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::engine_process::EngineProcess;

/// Some turns of a game with several actions in a turn, that can be played from its start.
const ABSORPTION: [&str; 7] = ["c1/b2,c2,d2", "b2-b4", ".", "c8/b7,b7,d7", "d7-d5", "f1/e2,f2,g2", "."];

fn open(engine: &mut EngineProcess, params: Value) -> Value {
    engine.get("new", params)["table"].take()
}

#[test]
fn a_preview_is_what_play_answers_and_changes_nothing() {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, json!({"game": "absorption"}));
    engine.get("play", json!({"table": table, "actions": ABSORPTION[..3]}));
    engine.get("undo", json!({"table": table, "actions": 1}));
    let before = engine.get("state", json!({"table": table}));
    let actions = json!({"table": table, "actions": ["c2-c4", "."], "ply": 2});
    let preview = engine.get("preview", actions.clone());
    assert_eq!(engine.get("state", json!({"table": table})), before, "what was taken back is still there");
    assert_eq!(engine.get("play", actions), preview);
}

#[test]
fn a_preview_is_refused_as_play_is() {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, json!({"game": "zurero", "options": {"size": 5}}));
    let wrong = [
        json!({"table": table, "actions": []}),
        json!({"table": table, "actions": ["@c3"], "ply": 1}),
        json!({"table": table, "actions": ["@c3", "w1"]}),
        json!({"table": "t9", "actions": ["@c3"]}),
    ];
    for params in wrong {
        assert_eq!(engine.refused("preview", params.clone()), engine.refused("play", params));
    }
    engine.get("resign", json!({"table": table, "seat": 1}));
    // That ends the game and not the position: what could have come can be seen.
    let actions = json!({"table": table, "actions": ["@c3"]});
    assert_eq!(engine.refused("play", actions.clone()).0, 5);
    assert_eq!(engine.get("preview", actions)["state"]["ply"], 1);
}

#[test]
fn the_turn_of_the_computer_can_be_previewed() {
    let mut engine = EngineProcess::start();
    let seats = json!({"1": {"kind": "ai", "level": "random"}});
    let table = open(&mut engine, json!({"game": "zurero", "options": {"size": 5}, "seats": seats}));
    engine.notification("changed");
    engine.get("undo", json!({"table": table}));
    let actions = json!({"table": table, "actions": ["@c3", "w3"]});
    assert_eq!(engine.refused("play", actions.clone()).0, 4);
    assert_eq!(engine.get("preview", actions)["state"]["ply"], 2);
    assert!(engine.is_silent(), "nobody begins to think");
}

#[test]
fn the_table_at_any_ply_is_what_undo_would_make_of_it() {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, json!({"game": "absorption"}));
    engine.get("play", json!({"table": table, "actions": ABSORPTION}));
    let last = ABSORPTION.len();
    let mut looks = Vec::new();
    for ply in 0..=last {
        let look = json!({"table": table, "ply": ply});
        looks.push([engine.get("state", look.clone()), engine.get("actions", look)]);
    }
    assert_eq!(engine.get("state", json!({"table": table})), looks[last][0], "looks change nothing");
    for ply in (0..last).rev() {
        let mut state = engine.get("undo", json!({"table": table, "actions": 1}))["state"].take();
        state["held"] = json!(false);
        assert_eq!(looks[ply][0], state, "ply {ply}");
        assert_eq!(looks[ply][1], engine.get("actions", json!({"table": table})), "ply {ply}");
    }
    // What was taken back can be looked at as well.
    for (ply, [state, actions]) in looks.into_iter().enumerate() {
        let mut seen = engine.get("state", json!({"table": table, "ply": ply}));
        seen["held"] = json!(false);
        assert_eq!(seen, state, "ply {ply}");
        assert_eq!(engine.get("actions", json!({"table": table, "ply": ply})), actions);
    }
    for method in ["state", "actions", "search", "overlays"] {
        let (code, data) = engine.refused(method, json!({"table": table, "ply": last + 1}));
        assert_eq!((code, &data["field"]), (-32602, &json!("ply")), "{method}");
    }
}

#[test]
fn an_earlier_position_of_a_finished_game_can_be_searched() {
    let mut engine = EngineProcess::start();
    let rows = ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."];
    let start = json!({"rows": rows, "to_move": 1});
    let table = open(&mut engine, json!({"game": "zurero", "options": {"size": 5}, "start": start}));
    engine.get("play", json!({"table": table, "actions": ["e1"]}));
    assert_eq!(engine.refused("search", json!({"table": table})).0, 5);
    assert_eq!(engine.refused("search", json!({"table": table, "ply": 1})).0, 5);
    let choice = engine.get("search", json!({"table": table, "ply": 0, "level": "greedy"}));
    assert_eq!((&choice["actions"], &choice["score"]["proved"]), (&json!(["e1"]), &json!("win")));
    assert_eq!(engine.get("state", json!({"table": table, "ply": 0}))["outcome"], Value::Null);
}

#[test]
fn turns_are_listed_with_those_taken_back() {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, json!({"game": "absorption"}));
    let nothing = json!({"turns": [], "resigned": null});
    assert_eq!(engine.get("history", json!({"table": table})), nothing);
    engine.get("play", json!({"table": table, "actions": ABSORPTION}));
    let all = json!({"turns": [
        {"seat": 1, "actions": ABSORPTION[..3], "ply": 3},
        {"seat": 2, "actions": ABSORPTION[3..5], "ply": 5},
        {"seat": 1, "actions": ABSORPTION[5..], "ply": 7},
    ], "resigned": null});
    for _ in ABSORPTION {
        assert_eq!(engine.get("history", json!({"table": table})), all);
        engine.get("undo", json!({"table": table, "actions": 1}));
    }
    engine.get("resign", json!({"table": table, "seat": 2}));
    let history = engine.get("history", json!({"table": table}));
    assert_eq!((&history["turns"], &history["resigned"]), (&all["turns"], &json!(2)));
    assert_eq!(engine.get("state", json!({"table": table, "ply": 0}))["outcome"]["reason"], "resign");
    assert_eq!(engine.get("state", json!({"table": table, "ply": 1}))["outcome"], Value::Null);
}

/// Longer than anybody waits.
const FOR_EVER: u64 = 3_600_000;

fn patient_players() -> Value {
    let player = json!({"kind": "ai", "level": "master", "limits": {"time_ms": FOR_EVER}});
    json!({"1": player, "2": player})
}

/// Waits until the engine has something to say about the turn of a seat.
fn wait_for_info(engine: &EngineProcess, seat: u8) -> Value {
    loop {
        let mut thinking = engine.notification("thinking");
        if thinking["seat"] == seat && thinking["info"] != Value::Null {
            return thinking["info"].take();
        }
    }
}

#[test]
fn who_is_hurried_plays_at_once_and_the_next_one_takes_its_time() {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, json!({"game": "fabrik"}));
    assert_eq!(engine.get("hurry", json!({"table": table})), json!({"hurried": false}));
    engine.get("play", json!({"table": table, "actions": ["w@d4", "w@f6", "black", "@e5"]}));
    for seat in [1, 2] {
        let to = patient_players()[seat.to_string()].take();
        engine.get("seat", json!({"table": table, "seat": seat, "to": to}));
    }
    for (seat, ply) in [(2, 4), (1, 5)] {
        wait_for_info(&engine, seat);
        assert_eq!(engine.get("state", json!({"table": table}))["to_move"], seat, "nobody was hurried");
        let began = Instant::now();
        let hurry = engine.ask("hurry", json!({"table": table}));
        assert_eq!(engine.response(hurry).unwrap(), json!({"hurried": true}));
        let changed = engine.notification("changed");
        assert_eq!(changed["by"], seat);
        assert!(changed["ply"].as_u64().unwrap() > ply);
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn who_thinks_long_says_so_again_and_again() {
    for level in ["master", "uct"] {
        let mut engine = EngineProcess::start();
        let table = open(&mut engine, json!({"game": "absorption"}));
        let limits = json!({"time_ms": FOR_EVER});
        let search = engine.ask("search", json!({"table": table, "level": level, "limits": limits}));
        let mut last = (0, 0);
        for _ in 0..15 {
            let info = engine.notification("info");
            let (nodes, time) = (info["nodes"].as_u64().unwrap(), info["time_ms"].as_u64().unwrap());
            assert!(nodes >= last.0 && time >= last.1, "{level}: {info} after {last:?}");
            assert!(!info["pv"].as_array().unwrap().is_empty());
            last = (nodes, time);
        }
        engine.get("cancel", json!({"request": search}));
    }
}

/// Positions in which the game is over, or is after some actions, and what is said about it.
fn endings() -> Vec<(Value, &'static [&'static str], &'static str)> {
    const WANDERERS: [&str; 8] =
        ["x2 . . x3 . . . .", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, ". . . . o3 . . o2"];
    const EMPTY: &str = ". . . . . . . .";
    const ROUND: &[&str] = &[
        "a1/a2,b1", ".", "h8/g8,h7", ".", "a2+b1", "h7+g8", "a2/a1,b1", ".", "h7/g8,h8", ".", "a1+b1",
        "h8+g8", "a1/a2,b1", ".", "h8/g8,h7", ".", "a2+b1", "h7+g8", "a2/a1,b1", ".", "h7/g8,h8", ".",
        "a1+b1", "h8+g8",
    ];
    let zurero = |rows: [&str; 5]| json!({"game": "zurero", "options": {"size": 5}, "start": {"rows": rows, "to_move": 1}});
    let fabrik = |rules: &str| {
        let rows = ["* b . . .", "w w . . .", ". . . . .", ". . . w w", ". . . b *"];
        let options = json!({"size": 5, "goal": 5, "rules": rules});
        json!({"game": "fabrik", "options": options, "start": {"rows": rows, "to_move": 1}})
    };
    let absorption = |turn_limit: u32, rows: [&str; 8]| {
        let start = json!({"rows": rows, "to_move": 1});
        json!({"game": "absorption", "options": {"turn_limit": turn_limit}, "start": start})
    };
    let syrtis = |rows: [&str; 5], turn_limit: u32, more: Value| {
        let mut start = json!({"rows": rows, "to_move": 1});
        for (name, value) in more.as_object().into_iter().flatten() {
            start[name] = value.clone();
        }
        json!({"game": "syrtis", "options": {"layout": "minor", "turn_limit": turn_limit}, "start": start})
    };
    let islands = [". . . dsD .", ". lcL ls lc .", ". . . lsL dcD", ". ds dc ds dc", ". lc lc . ."];
    let both = ["lcL lc lsD dc .", "ls dcD dc lsL .", "ls . . . .", ". . . . .", ". . . . ."];
    vec![
        (
            zurero(["w . . . .", "w . . . .", "w . . . .", "w . b . .", "w . . . ."]),
            &[],
            "White wins with five in a row.",
        ),
        (
            zurero(["b w b w b", "b w b w b", "w b w b w", "b w b w b", "b w b w b"]),
            &[],
            "A draw: no stone can be slid in.",
        ),
        (
            json!({"game": "fabrik", "options": {"size": 5, "goal": 3}, "start": {"rows": ["* b b . .", ". . . . .", ". * . . .", ". . . . .", ". . . . ."], "to_move": 1}}),
            &["a1-d3", "@d1"],
            "Black wins with three in a row.",
        ),
        (fabrik("official"), &[], "White wins: black cannot place a stone."),
        (fabrik("report"), &[], "A draw: neither worker sees an empty cell."),
        (
            absorption(
                0,
                ["x3 x3 . . . . . .", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, "o3 . . . . . . ."],
            ),
            &[],
            "X wins: o has only 3 pieces left.",
        ),
        (
            absorption(
                0,
                [
                    ". . . . . . . .",
                    "x3 x3 . . . . . .",
                    EMPTY,
                    EMPTY,
                    EMPTY,
                    EMPTY,
                    EMPTY,
                    "o1 . o1 . o1 . o1 .",
                ],
            ),
            &["a2/a1,b1,b3", "."],
            "X wins: o can neither split nor merge.",
        ),
        (absorption(0, WANDERERS), ROUND, "A draw: the same position has come up for the third time."),
        (
            absorption(3, WANDERERS),
            &["a1/a2,b1", ".", "h8/g8,h7", ".", "a2+b1"],
            "A draw: the limit of 3 turns has been reached.",
        ),
        (syrtis(islands, 0, json!({"light": 2})), &["d1~e2"], "Dark wins: all dark tiles are connected."),
        (
            syrtis(islands, 0, json!({"light": 2})),
            &["pass", "pass", "pass", "pass"],
            "Light wins: there have been too many passes, and the initiative is light’s as long as no tile has sunk.",
        ),
        (
            syrtis(islands, 3, json!({"light": 2, "last_sinker": 1})),
            &["pass", "pass", "pass"],
            "Dark wins: the limit of 3 turns has been reached, and dark sank the last tile.",
        ),
        (
            syrtis(islands, 0, json!({"light": 2, "last_sinker": 1})),
            &["e3-e4", "b2-c2", "e4-e3", "c2-b2", "e3-e4", "b2-c2", "e4-e3", "c2-b2"],
            "Dark wins: the same position has come up for the third time, and dark sank the last tile.",
        ),
        (
            syrtis(both, 0, json!({})),
            &["xd1"],
            "Light wins: both have a complete colour or shape, and light sank the last tile.",
        ),
        (
            syrtis(both, 0, json!({"sinks": [3, 0], "last_sinker": 1})),
            &["xd1"],
            "Light wins by quicksand: 4 tiles sunk since the other’s last one.",
        ),
    ]
}

#[test]
fn every_end_of_a_game_is_put_into_words() {
    let mut engine = EngineProcess::start();
    for (new, actions, text) in endings() {
        let table = open(&mut engine, new.clone());
        if !actions.is_empty() {
            engine.get("play", json!({"table": table, "actions": actions}));
        }
        let state = engine.get("state", json!({"table": table}));
        assert_eq!(state["outcome"]["text"], text, "{new} {actions:?}");
    }
    let table = open(&mut engine, json!({"game": "syrtis"}));
    let resigned = engine.get("resign", json!({"table": table, "seat": 1}));
    assert_eq!(resigned["state"]["outcome"]["text"], "Seat 2 wins: seat 1 resigned.");
}

#[test]
fn what_cells_do_not_tell_a_label_does() {
    let mut engine = EngineProcess::start();
    let mut labels = Vec::new();
    let stages: [(&str, (Value, &[&str])); _] = every_game! {
        zurero: (json!({}), &["@j10"]),
        fabrik: (json!({}), &["w@d4", "w@f6"]),
        absorption: (json!({}), &["c1/b2,c2,d2"]),
        syrtis: (
            json!({"options": {"layout": "minor"}, "start": {"rows": [". . dc ls .", "lc dc dc ds .", "lc ds . lc ds", ". lc ls ls ds", ". dc ls . ."]}}),
            &["L@a2", "L@d4", "D@d2", "D@c1", "dark"],
        ),
    };
    for (game, (mut new, actions)) in stages {
        new["game"] = game.into();
        let table = open(&mut engine, new);
        for action in actions {
            engine.get("play", json!({"table": table, "actions": [action]}));
            let mut listed = engine.get("actions", json!({"table": table, "detail": true}));
            for detail in listed["details"].as_array_mut().unwrap() {
                assert!(detail.get("label").is_some() || detail["cells"] != json!([]), "{detail}");
                if let Some(label) = detail.get_mut("label") {
                    labels.push(label.take());
                }
            }
        }
    }
    labels.dedup();
    let zurero = ["From the east", "From the north", "From the south", "From the west"];
    let others = ["Black goes first", "White goes first", "Done"];
    let syrtis = ["Dark tower", "Light tower", "Dark tower", "Take dark", "Take light", "Pass"];
    assert_eq!(labels, [&zurero[..], &others, &syrtis].concat());
}

/// Cells, the edge they are pointed at from, and what is said to that.
type Pointing = (&'static [&'static str], Option<&'static str>, Option<&'static str>);

fn check_explanations(new: Value, actions: &[&str], pointings: &[Pointing]) {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, new);
    if !actions.is_empty() {
        engine.get("play", json!({"table": table, "actions": actions}));
    }
    for &(cells, edge, text) in pointings {
        let asked = json!({"table": table, "cells": cells, "edge": edge});
        let explained = engine.get("explain", asked.clone());
        assert_eq!(explained["text"], json!(text), "{asked}");
        // What comes next is said only where something does.
        assert!(text.is_none() || explained.get("next").is_none(), "{explained}");
    }
}

#[test]
fn pointing_in_zurero_is_explained() {
    let new = json!({"game": "zurero", "options": {"size": 5}});
    let pointings: &[Pointing] = &[
        (&["c3"], None, None),
        (&["a1"], None, Some("a1 is not in the centre, where the first stone goes")),
        (&["c3", "c4"], None, Some("a stone is placed on c3 and stays there: point at one cell only")),
    ];
    check_explanations(new.clone(), &[], pointings);
    let pointings: &[Pointing] = &[
        (&["a3"], Some("west"), None),
        (&["a3", "c3"], Some("west"), None),
        (&["a3", "b3"], Some("west"), Some("a stone that comes in from the west along row 3 stops on c3")),
        (
            &["a3"],
            Some("north"),
            Some("stones come in from the edge: point at the first cell of a row or column"),
        ),
        (&["a1"], Some("west"), Some("row 1 is empty: a stone needs another one to stop at")),
        (&["a1"], Some("north"), Some("column a is empty: a stone needs another one to stop at")),
        (&["b1"], None, Some("column b is empty: a stone needs another one to stop at")),
        (&["c2"], None, Some("stones come in from the edge: point at the first cell of a row or column")),
    ];
    check_explanations(new, &["@c3"], pointings);
}

#[test]
fn pointing_in_fabrik_is_explained() {
    let new = json!({"game": "fabrik", "options": {"size": 7}});
    let too_much = "that is a whole action: there is nothing more to point at";
    let pointings: &[Pointing] =
        &[(&["b2"], None, Some("b2 is taken by a worker")), (&["a1", "a1"], None, Some(too_much))];
    check_explanations(new.clone(), &["w@b2"], pointings);
    let choose = "before anything else black says who goes first: black or white";
    check_explanations(new.clone(), &["w@b2", "w@e4"], &[(&["d4"], None, Some(choose))]);
    let first = "the very first stone is placed without a worker move";
    check_explanations(new.clone(), &["w@b2", "w@e4", "black"], &[(&["b2"], None, Some(first))]);
    let pointings: &[Pointing] = &[
        (&["b2"], None, None),
        (&["b2", "a1"], None, None),
        (&["b2", "b4"], None, Some("b4 is taken by a black stone")),
        (&["b4"], None, Some("b4 is taken by a black stone")),
        (&["g7"], None, Some("g7 must be seen by both workers: the one on e4 does not see it")),
        (&["e2"], None, None),
        (&["e2", "e3"], None, Some("a stone is placed on e2 and stays there: point at one cell only")),
    ];
    check_explanations(new.clone(), &["w@b2", "w@e4", "black", "@b4"], pointings);
    let moved = "a worker was moved in this turn already: now place a stone";
    check_explanations(new, &["w@b2", "w@e4", "black", "@b4", "b2-b1"], &[(&["b1"], None, Some(moved))]);
}

#[test]
fn pointing_in_absorption_is_explained() {
    let new = json!({"game": "absorption"});
    let pointings: &[Pointing] = &[
        (&["c1"], None, None),
        (&["c1", "d2", "b2"], None, None),
        (&["d4"], None, Some("d4 is empty")),
        (&["a8"], None, Some("the pile on a8 is not yours")),
        (&["a1", "b1"], None, Some("these piles have 6 pieces together: a pile never has more than three")),
        (&["a1", "d4"], None, Some("d4 is not next to a1: the pieces of a split go to neighbouring cells")),
    ];
    check_explanations(new.clone(), &[], pointings);
    let across = "a small made by the split goes neither onto nor across c1, the cell that was split";
    let pointings: &[Pointing] = &[
        (&["b2"], None, None),
        (&["b2", "c1"], None, Some(across)),
        (&["a1"], None, Some("the pile on a1 is large: a large pile never moves")),
    ];
    check_explanations(new, &["c1/b2,c2,d2"], pointings);
    let rows = [
        "x3 x3 . . . . . x1",
        "x3 x3 . . . . x2 .",
        ". . . . . . . .",
        ". . . o1 . x2 . .",
        ". . . . . . . .",
        "x1 . . . . . . .",
        ". . . . . . . .",
        "o3 o2 o1 . . . . .",
    ];
    let new = json!({"game": "absorption", "start": {"rows": rows, "to_move": 1}});
    let alone = "the pile on a6 is small and cannot be split, and no pile next to it can merge with it";
    let pointings: &[Pointing] = &[
        (&["a1"], None, Some("the pile on a1 has no room to split: it takes two empty cells next to it")),
        (&["a6"], None, Some(alone)),
    ];
    check_explanations(new.clone(), &[], pointings);
    let pointings: &[Pointing] = &[
        (&["d4"], None, None),
        (
            &["d4", "g2"],
            None,
            Some("g2 is not orthogonally next to d4: only piles next to it receive its pieces"),
        ),
        (&["a8"], None, Some("none of your piles is orthogonally next to a8")),
        (&["e4"], None, Some("the pile on e4 is your own: only enemy piles are absorbed")),
    ];
    check_explanations(new, &["g2+h1", "f4-e4"], pointings);
}

#[test]
fn pointing_in_syrtis_is_explained() {
    let rows = [". . dc ls .", "lc dc dc ds .", "lc lc . ds ds", ". lc ls ls ds", ". dc ls . ."];
    let new = json!({"game": "syrtis", "options": {"layout": "minor"}, "start": {"rows": rows}});
    let pointings: &[Pointing] = &[
        (&["b3"], None, None),
        (&["c3"], None, Some("there is no tile on c3")),
        (&["d3"], None, Some("the tile on d3 is swapped with its opposite on b3: point at that one first")),
        (&["b3", "c2"], None, Some("the tile on b3 is swapped with its opposite on d3")),
    ];
    check_explanations(new.clone(), &[], pointings);
    // A dark circle may bear either: to point at it once more does not say which.
    let which = "say whether the tower on c1 is light or dark";
    check_explanations(new.clone(), &["1<>2"], &[(&["c1"], None, None), (&["c1", "c1"], None, Some(which))]);
    let foreign = "a dark tower goes on dark tiles or squares, and on a3 there is a light circle";
    let pointings: &[Pointing] =
        &[(&["a2"], None, Some("there is a tower on a2 already")), (&["a3"], None, Some(foreign))];
    check_explanations(new.clone(), &["1<>2", "L@a2", "L@d4"], pointings);
    let towers = ["1<>2", "L@a2", "L@d4", "D@d2", "D@c1"];
    check_explanations(new.clone(), &towers, &[(&["a1"], None, Some("now take a side: light or dark"))]);
    let pointings: &[Pointing] = &[
        (&["a2"], None, None),
        (&["a3"], None, None),
        (&["c1"], None, Some("the tower on c1 is not yours: you play light")),
        (&["c2"], None, Some("c2 is not next to a tile with a tower of yours")),
        (&["a2", "d3"], None, Some("d3 is not on the light or the circle island that a2 belongs to")),
        (&["a2", "a1"], None, Some("with the tile of a2 on a1 the tiles would not be connected")),
    ];
    check_explanations(new, &[&towers[..], &["dark"]].concat(), pointings);
}

#[test]
fn questions_about_cells_that_are_none_are_refused() {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, json!({"game": "absorption"}));
    let wrong = [
        (json!([]), Value::Null, "cells"),
        (json!(["a1", "a9"]), Value::Null, "cells[1]"),
        (json!(["i1"]), Value::Null, "cells[0]"),
        (json!(["a"]), Value::Null, "cells[0]"),
        (json!(["a1"]), json!("up"), "edge"),
    ];
    for (cells, edge, field) in wrong {
        let (code, data) = engine.refused("explain", json!({"table": table, "cells": cells, "edge": edge}));
        assert_eq!((code, data["field"].as_str()), (-32602, Some(field)));
    }
    engine.get("resign", json!({"table": table, "seat": 1}));
    let answer = engine.get("explain", json!({"table": table, "cells": ["a1"]}));
    assert_eq!(answer["text"], "the game is over");
}

fn overlays(new: Value, actions: &[&str]) -> Vec<Value> {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, new);
    if !actions.is_empty() {
        engine.get("play", json!({"table": table, "actions": actions}));
    }
    let mut answer = engine.get("overlays", json!({"table": table}));
    answer["overlays"].as_array_mut().expect("overlays").drain(..).collect()
}

#[test]
fn overlays_help_to_read_the_board() {
    let rows = ["b b b b .", ". . . . .", "w w w . .", ". . . . .", ". . . . ."];
    let zurero = json!({"game": "zurero", "options": {"size": 5}, "start": {"rows": rows, "to_move": 1}});
    let four = json!({"name": "four", "text": "Four black stones in a row.", "seat": 1, "cells": ["a1", "b1", "c1", "d1"]});
    assert_eq!(overlays(zurero, &[]), [four]);

    let fabrik = overlays(json!({"game": "fabrik", "options": {"size": 5}}), &["w@a1", "w@c1"]);
    let names: Vec<&Value> = fabrik.iter().map(|overlay| &overlay["name"]).collect();
    assert_eq!(names, ["sight", "sight", "both"]);
    assert_eq!(fabrik[1]["text"], "What the worker on c1 sees.");
    assert_eq!(fabrik[2]["cells"], json!(["b1", "b2", "a3", "c3"]));

    let rows = [
        ". . . . . . . .",
        ". . x2 . . . . .",
        ". . o1 x1 . . . .",
        ". . . o3 . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        "x3 x3 . . . . o3 .",
    ];
    let absorption = |captors: u8| {
        let start = json!({"rows": rows, "to_move": 1});
        overlays(json!({"game": "absorption", "options": {"captors": captors}, "start": start}), &[])
    };
    let endangered = |size: &str, cell: &str, seat: u8| {
        let text =
            format!("The {size} pile on {cell} can be absorbed by the piles next to it as they stand.");
        json!({"name": "endangered", "text": text, "seat": seat, "cells": [cell]})
    };
    assert_eq!(absorption(1), [endangered("small", "d3", 1), endangered("small", "c3", 2)]);
    assert_eq!(absorption(2).len(), 2, "two piles each are next to c3 and to d3");

    let rows = [". . . dsD .", ". lcL ls lc .", ". . . lsL dcD", ". ds dc ds dc", ". lc lc . ."];
    let start = json!({"rows": rows, "to_move": 1, "light": 2});
    let syrtis = overlays(json!({"game": "syrtis", "options": {"layout": "minor"}, "start": start}), &[]);
    let text = "5 of the 6 dark tiles: one of 2 islands that must become one to win.";
    assert!(syrtis.iter().all(|overlay| overlay["name"] == "island"));
    assert!(syrtis.iter().any(|overlay| overlay["text"] == text && overlay["seat"] == 1), "{syrtis:?}");
    assert!(syrtis.windows(2).all(|two| two[0]["seat"].as_u64() <= two[1]["seat"].as_u64()));
}

#[test]
fn a_game_is_the_same_in_numbers_and_in_words() {
    let mut engine = EngineProcess::start();
    for game in every_game!() {
        let table = open(&mut engine, json!({"game": game, "seed": 1}));
        let space = engine.get("space", json!({"game": game}));
        let numbers = |of: &Value| -> Vec<u64> {
            of.as_array().expect("an array").iter().map(|number| number.as_u64().expect("a number")).collect()
        };
        for ply in 0..8 {
            let listed = engine.get("actions", json!({"table": table, "codes": true}));
            let translated = engine.get("codes", json!({"game": game, "actions": listed["actions"]}));
            assert_eq!(translated, json!({"actions": listed["actions"], "codes": listed["codes"]}));
            assert_eq!(engine.get("codes", json!({"game": game, "codes": listed["codes"]})), translated);
            let seen = engine.get("planes", json!({"table": table}));
            assert_eq!((&seen["ply"], &seen["seat"]), (&json!(ply), &listed["to_move"]));
            assert_eq!(seen["to_move"], listed["to_move"]);
            assert_eq!(seen["shape"], space["planes"]["shape"]);
            assert_eq!(numbers(&seen["shape"]).iter().product::<u64>(), numbers(&seen["data"]).len() as u64);
            engine.get("play", json!({"table": table, "actions": [listed["actions"][0]]}));
            let before = json!({"table": table, "seat": seen["seat"], "ply": ply});
            assert_eq!(engine.get("planes", before), seen, "{game}");
        }
        engine.get("resign", json!({"table": table, "seat": 2}));
        assert_eq!(engine.get("actions", json!({"table": table, "codes": true}))["codes"], json!([]));
        let seen = engine.get("planes", json!({"table": table}));
        assert_eq!((&seen["seat"], &seen["to_move"]), (&json!(1), &Value::Null));
    }
}

#[test]
fn what_has_no_numbers_is_said() {
    let mut engine = EngineProcess::start();
    let table = open(&mut engine, json!({"game": "zurero", "options": {"size": 5}}));
    for (method, params, field) in [
        ("codes", json!({"game": "zurero"}), "actions"),
        ("codes", json!({"game": "zurero", "actions": [], "codes": []}), "codes"),
        ("codes", json!({"game": "zurero", "actions": ["w1", "w1 "]}), "actions[1]"),
        ("codes", json!({"game": "zurero", "codes": [[0], []]}), "codes[1]"),
        ("codes", json!({"game": "zurero", "codes": [[0], [77]]}), "codes[1]"),
        ("codes", json!({"game": "zurero", "codes": [[-1]]}), "codes[0][0]"),
        ("codes", json!({"game": "zurero", "options": {"size": 5}, "codes": [[21]]}), "codes[0]"),
        ("planes", json!({"table": table, "seat": 3}), "seat"),
        ("planes", json!({"table": table, "ply": 1}), "ply"),
    ] {
        let (code, data) = engine.refused(method, params.clone());
        assert_eq!((code, &data["field"]), (-32602, &json!(field)), "{method} {params}");
    }
    assert_eq!(engine.refused("space", json!({"game": "chess"})).0, 7);
    assert_eq!(engine.refused("space", json!({"game": "zurero", "options": {"size": 4}})).0, 8);
    assert_eq!(engine.refused("planes", json!({"table": "t9"})).0, 1);
    assert_eq!(
        engine.get("codes", json!({"game": "syrtis", "actions": ["l@C3"]}))["actions"],
        json!(["L@c3"])
    );
}
