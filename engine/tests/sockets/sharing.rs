//! Clients that play and watch the same tables.

use serde_json::{Value, json};

use crate::visitor::{Engine, Visitor, wait_for};

fn open_table(visitor: &mut Visitor, seats: Value) -> String {
    let params = json!({"game": "zurero", "options": {"size": 9}, "seed": 1, "seats": seats});
    visitor.get("new", params)["table"].as_str().expect("a table").into()
}

#[test]
fn whoever_watches_is_told_every_move_and_the_one_who_moves_is_not() {
    let engine = Engine::start();
    let (mut player, mut watcher, mut passer_by) = (engine.visitor(), engine.visitor(), engine.visitor());
    let table = open_table(&mut player, json!({}));
    let seen = watcher.get("attach", json!({"table": table}));
    assert_eq!(seen["state"]["ply"], 0);

    let played = player.get("play", json!({"table": table, "actions": ["@e5"]}));
    let changed = watcher.changed();
    assert_eq!(changed["table"], table.as_str());
    assert_eq!((&changed["by"], &changed["ply"]), (&json!(1), &json!(1)));
    assert_eq!(changed["actions"], json!(["@e5"]));
    assert_eq!((&changed["events"], &changed["state"]), (&played["events"], &played["state"]));

    let taken_back = player.get("undo", json!({"table": table}));
    let changed = watcher.changed();
    assert_eq!(
        (&changed["by"], &changed["actions"], &changed["events"]),
        (&Value::Null, &json!([]), &json!([]))
    );
    assert_eq!(changed["state"], taken_back["state"]);

    watcher.get("detach", json!({"table": table}));
    player.get("play", json!({"table": table, "actions": ["@e5"]}));
    watcher.has_heard_nothing();
    player.has_heard_nothing();
    passer_by.has_heard_nothing();

    watcher.get("attach", json!({"table": table}));
    player.get("resign", json!({"table": table, "seat": 2}));
    let changed = watcher.changed();
    assert_eq!((&changed["by"], &changed["state"]["outcome"]["reason"]), (&json!(2), &json!("resign")));
    player.get("close", json!({"table": table}));
    assert_eq!(watcher.notice(), ("closed".into(), json!({"table": table})));
    assert_eq!(watcher.refused("state", json!({"table": table})), "unknown_table");
}

#[test]
fn one_who_asks_without_an_id_hears_of_it_as_others_do() {
    let engine = Engine::start();
    let mut player = engine.visitor();
    let table = open_table(&mut player, json!({}));
    player.send(&json!({"method": "play", "params": {"table": table, "actions": ["@e5"]}}).to_string());
    assert_eq!(player.changed()["actions"], json!(["@e5"]));
}

#[test]
fn who_has_a_seat_need_not_watch_to_keep_the_table() {
    let engine = Engine::start();
    let (mut maker, mut guest) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut maker, json!({"2": {"kind": "client", "open": true}}));
    guest.get("claim", json!({"table": table, "seat": 2}));
    guest.get("detach", json!({"table": table}));
    maker.get("play", json!({"table": table, "actions": ["@e5"]}));
    maker.leave();
    // Until the engine has noticed that the maker has gone.
    while guest.get("state", json!({"table": table}))["seats"]["1"]["open"] != true {}
    guest.get("play", json!({"table": table, "actions": ["w5"]}));
}

#[test]
fn two_clients_play_each_other() {
    let engine = Engine::start();
    let (mut one, mut two) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut one, json!({"2": {"kind": "client", "open": true}}));

    let tables = two.get("tables", json!({}));
    assert_eq!(tables["tables"][0]["table"], table.as_str());
    assert_eq!(tables["tables"][0]["seats"]["2"], json!({"kind": "client", "open": true}));
    let claimed = two.get("claim", json!({"table": table, "seat": 2}));
    assert_eq!(claimed["state"]["seats"]["2"], json!({"kind": "client", "open": true, "claimed": true}));
    assert_eq!(one.changed()["state"], claimed["state"]);

    assert_eq!(two.refused("play", json!({"table": table, "actions": ["@e5"]})), "not_your_seat");
    one.get("play", json!({"table": table, "actions": ["@e5"]}));
    assert_eq!(two.changed()["ply"], 1);
    assert_eq!(one.refused("play", json!({"table": table, "actions": ["w5"]})), "not_your_seat");
    assert_eq!(one.refused("resign", json!({"table": table, "seat": 2})), "not_your_seat");
    two.get("play", json!({"table": table, "actions": ["w5"], "ply": 1}));
    assert_eq!(one.changed()["by"], 2);

    let released = two.get("release", json!({"table": table, "seat": 2}));
    assert_eq!(released["state"]["seats"]["2"], json!({"kind": "client", "open": true}));
    assert_eq!(one.changed()["state"]["seats"], released["state"]["seats"]);
    one.get("play", json!({"table": table, "actions": ["e5"]}));
    // An open seat that nobody has claimed is played by the table's maker.
    one.get("play", json!({"table": table, "actions": ["ne"]}));
    assert_eq!(two.changed()["ply"], 3);
    assert_eq!(two.changed()["ply"], 4);
}

#[test]
fn a_move_list_may_not_reach_into_somebody_elses_turn() {
    let engine = Engine::start();
    let (mut one, mut two) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut one, json!({"2": {"kind": "client", "open": true}}));
    two.get("claim", json!({"table": table, "seat": 2}));
    assert_eq!(one.refused("play", json!({"table": table, "actions": ["@e5", "w5"]})), "not_your_seat");
    assert_eq!(one.get("state", json!({"table": table}))["ply"], 0, "all of them or none");
}

#[test]
fn only_open_seats_can_be_claimed_and_only_once() {
    let engine = Engine::start();
    let (mut maker, mut first, mut second) = (engine.visitor(), engine.visitor(), engine.visitor());
    let seats = json!({"1": {"kind": "ai", "level": "random"}, "2": {"kind": "client", "open": true}});
    let table = open_table(&mut maker, seats);
    assert_eq!(first.refused("claim", json!({"table": table, "seat": 1})), "not_your_seat");
    assert_eq!(first.refused("claim", json!({"table": "t99", "seat": 1})), "unknown_table");
    first.get("claim", json!({"table": table, "seat": 2}));
    first.get("claim", json!({"table": table, "seat": 2}));
    assert_eq!(second.refused("claim", json!({"table": table, "seat": 2})), "not_your_seat");
    assert_eq!(maker.refused("claim", json!({"table": table, "seat": 2})), "not_your_seat");
    assert_eq!(second.refused("release", json!({"table": table, "seat": 2})), "not_your_seat");
    first.get("release", json!({"table": table, "seat": 2}));
    second.get("claim", json!({"table": table, "seat": 2}));

    let closed = open_table(&mut maker, json!({}));
    assert_eq!(first.refused("claim", json!({"table": closed, "seat": 2})), "not_your_seat");
}

#[test]
fn those_who_only_watch_change_nothing() {
    let engine = Engine::start();
    let (mut maker, mut watcher) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut maker, json!({}));
    maker.get("play", json!({"table": table, "actions": ["@e5"]}));
    let before = watcher.get("attach", json!({"table": table}));
    for (method, params) in [
        ("play", json!({"table": table, "actions": ["w5"]})),
        ("undo", json!({"table": table})),
        ("redo", json!({"table": table})),
        ("resign", json!({"table": table, "seat": 1})),
        ("seat", json!({"table": table, "seat": 1, "to": {"kind": "ai", "level": "random"}})),
        ("hold", json!({"table": table})),
        ("resume", json!({"table": table})),
        ("hurry", json!({"table": table})),
        ("close", json!({"table": table})),
    ] {
        assert_eq!(watcher.refused(method, params), "not_your_seat", "{method}");
    }
    assert_eq!(watcher.get("state", json!({"table": table})), before["state"]);
    maker.has_heard_nothing();
    // Looking and thinking are free.
    watcher.get("actions", json!({"table": table}));
    watcher.get("preview", json!({"table": table, "actions": ["w5"]}));
    watcher.get("search", json!({"table": table, "level": "greedy"}));
    watcher.get("record", json!({"table": table}));
}

#[test]
fn seats_change_hands_in_mid_game() {
    let engine = Engine::start();
    let (mut maker, mut guest) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut maker, json!({"2": {"kind": "client", "open": true}}));
    guest.get("claim", json!({"table": table, "seat": 2}));
    maker.changed();
    let to = |player: Value| json!({"table": table, "seat": 2, "to": player});
    assert_eq!(
        guest.refused("seat", json!({"table": table, "seat": 1, "to": {"kind": "client"}})),
        "not_your_seat",
        "a guest may not take the maker's seat"
    );
    // The guest lets the computer play for it, and then plays itself again.
    guest.get("seat", to(json!({"kind": "ai", "level": "random"})));
    assert_eq!(maker.changed()["state"]["seats"]["2"]["kind"], "ai");
    let mine = guest.refused("seat", to(json!({"kind": "client"})));
    assert_eq!(mine, "not_your_seat", "who has no seat of its own only watches");
    // The maker opens it again, whatever it says about claims.
    let opened = maker.get("seat", to(json!({"kind": "client", "open": true, "claimed": true})));
    assert_eq!(opened["state"]["seats"]["2"], json!({"kind": "client", "open": true}));
    guest.get("claim", json!({"table": table, "seat": 2}));
    // And the maker may take it back.
    let taken = maker.get("seat", to(json!({"kind": "client"})));
    assert_eq!(taken["state"]["seats"]["2"], json!({"kind": "client"}));
    maker.get("play", json!({"table": table, "actions": ["@e5", "w5"]}));
}

#[test]
fn all_who_watch_see_the_computer_think_and_play() {
    let engine = Engine::start();
    let (mut maker, mut watcher) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut maker, json!({"2": {"kind": "ai", "level": "novice"}}));
    watcher.get("attach", json!({"table": table}));
    maker.get("play", json!({"table": table, "actions": ["@e5"]}));
    for visitor in [&mut maker, &mut watcher] {
        let mut thoughts = 0;
        let changed = loop {
            match visitor.notice() {
                (method, params) if method == "thinking" => {
                    assert_eq!((&params["table"], &params["seat"]), (&json!(table), &json!(2)));
                    thoughts += 1;
                }
                (method, params) if method == "changed" && params["by"] == 2 => break params,
                (method, params) => assert_eq!((method.as_str(), &params["by"]), ("changed", &json!(1))),
            }
        };
        assert!(thoughts > 0);
        assert_eq!(changed["state"]["ply"], 2);
    }
}

#[test]
fn a_record_does_not_tell_who_sat_there() {
    let engine = Engine::start();
    let (mut maker, mut guest) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut maker, json!({"2": {"kind": "client", "open": true}}));
    guest.get("claim", json!({"table": table, "seat": 2}));
    let record = guest.get("record", json!({"table": table}));
    assert_eq!(record["record"]["seats"]["2"], json!({"kind": "client", "open": true}));
    let loaded = guest.get("load", record);
    assert_eq!(loaded["state"]["seats"]["2"], json!({"kind": "client", "open": true}));
}

/// A table at which the maker and a guest have played a turn each.
fn two_players(engine: &Engine) -> (Visitor, Visitor, String) {
    let (mut maker, mut guest) = (engine.visitor(), engine.visitor());
    let table = open_table(&mut maker, json!({"2": {"kind": "client", "open": true}}));
    guest.get("claim", json!({"table": table, "seat": 2}));
    maker.get("play", json!({"table": table, "actions": ["@e5"]}));
    guest.get("play", json!({"table": table, "actions": ["w5"]}));
    assert_eq!((maker.changed()["ply"].take(), maker.changed()["ply"].take()), (json!(0), json!(2)));
    assert_eq!(guest.changed()["ply"], 1);
    (maker, guest, table)
}

#[test]
fn turns_of_another_are_taken_back_only_if_both_want_it() {
    let engine = Engine::start();
    let (mut maker, mut guest, table) = two_players(&engine);
    let wanted = json!({"by": 2, "method": "undo", "actions": 2});
    // One's own last turn is one's own.
    let state = guest.get("undo", json!({"table": table}))["state"].take();
    assert_eq!((&state["ply"], &state["undone"]), (&json!(1), &json!(1)));
    guest.get("redo", json!({"table": table}));
    assert_eq!((maker.changed()["ply"].take(), maker.changed()["ply"].take()), (json!(1), json!(2)));

    // Without asking it is refused, and nobody hears of it.
    assert_eq!(guest.refused("undo", json!({"table": table, "turns": 2})), "not_your_seat");
    for params in [json!({"table": table}), json!({"table": table, "actions": 1})] {
        assert_eq!(maker.refused("undo", params), "not_your_seat");
    }
    maker.has_heard_nothing();
    guest.has_heard_nothing();
    let mut before = guest.get("state", json!({"table": table}));
    assert_eq!(before["ply"], 2);

    // It is asked, and nothing happens to the game.
    let asked = guest.get("undo", json!({"table": table, "turns": 2, "ask": true}))["state"].take();
    before["wanted"] = wanted;
    assert_eq!(asked, before);
    assert_eq!(maker.changed()["state"], asked);
    assert_eq!(maker.get("state", json!({"table": table, "ply": 1}))["wanted"], Value::Null);
    // Asking again is not agreeing, and another wish is none.
    guest.get("undo", json!({"table": table, "turns": 2, "ask": true}));
    assert_eq!(maker.changed()["state"], asked);
    assert_eq!(guest.refused("undo", json!({"table": table, "turns": 2})), "not_your_seat");
    assert_eq!(maker.refused("undo", json!({"table": table, "turns": 1})), "not_your_seat");
    // The other agrees with the same.
    let agreed = maker.get("undo", json!({"table": table, "actions": 2}))["state"].take();
    assert_eq!((&agreed["ply"], &agreed["undone"], &agreed["wanted"]), (&json!(0), &json!(2), &Value::Null));
    assert_eq!(guest.changed()["state"], agreed);

    // Playing it again touches the other's turn, too.
    assert_eq!(guest.refused("redo", json!({"table": table, "turns": 2})), "not_your_seat");
    let asked = maker.get("redo", json!({"table": table, "actions": 2, "ask": true}))["state"].take();
    assert_eq!(asked["wanted"], json!({"by": 1, "method": "redo", "actions": 2}));
    assert_eq!(guest.changed()["state"], asked);
    guest.get("redo", json!({"table": table, "turns": 2}));
    assert_eq!(maker.changed()["ply"], 2);
}

#[test]
fn a_wish_lapses_when_the_game_or_who_plays_it_changes() {
    let engine = Engine::start();
    let (mut maker, mut guest, table) = two_players(&engine);
    let none = |visitor: &mut Visitor| {
        assert_eq!(visitor.get("state", json!({"table": table}))["wanted"], Value::Null);
    };
    let ask = |visitor: &mut Visitor, turns: usize| {
        let state = visitor.get("undo", json!({"table": table, "turns": turns, "ask": true}))["state"].take();
        assert!(state["wanted"].is_object(), "{state}");
    };
    ask(&mut guest, 2);
    maker.get("play", json!({"table": table, "actions": ["e5"]}));
    none(&mut guest);
    assert_eq!(maker.refused("undo", json!({"table": table, "turns": 2})), "not_your_seat");

    ask(&mut guest, 1);
    maker.get("resign", json!({"table": table, "seat": 1}));
    none(&mut guest);
    // A resignation is the maker's to take back.
    assert_eq!(guest.refused("undo", json!({"table": table})), "not_your_seat");
    ask(&mut guest, 1);
    assert_eq!(
        guest.get("state", json!({"table": table}))["wanted"],
        json!({"by": 2, "method": "undo", "actions": 1})
    );
    maker.get("undo", json!({"table": table}));
    assert_eq!(guest.get("state", json!({"table": table}))["outcome"], Value::Null);

    ask(&mut maker, 2);
    guest.get("release", json!({"table": table, "seat": 2}));
    none(&mut maker);
    // Nobody else plays any more.
    maker.get("undo", json!({"table": table, "turns": 2}));
    guest.get("claim", json!({"table": table, "seat": 2}));
    ask(&mut guest, 1);
    guest.leave();
    wait_for("the guest to be gone", || {
        maker.get("state", json!({"table": table}))["seats"]["2"] == json!({"kind": "client", "open": true})
    });
    none(&mut maker);
}

#[test]
fn one_who_plays_no_seat_asks_the_one_whose_turn_it_was() {
    let engine = Engine::start();
    let [mut maker, mut one, mut two] = [engine.visitor(), engine.visitor(), engine.visitor()];
    let open = json!({"kind": "client", "open": true});
    let table = open_table(&mut maker, json!({"1": open, "2": open}));
    one.get("claim", json!({"table": table, "seat": 1}));
    two.get("claim", json!({"table": table, "seat": 2}));
    one.get("play", json!({"table": table, "actions": ["@e5"]}));
    two.get("play", json!({"table": table, "actions": ["w5"]}));
    let undo = json!({"table": table, "turns": 1, "ask": true});
    let asked = maker.get("undo", undo.clone());
    assert_eq!(asked["state"]["wanted"], json!({"by": null, "method": "undo", "actions": 1}));
    // That another wants it too is not the consent of the one whose turn it was.
    assert_eq!(one.get("undo", undo.clone())["state"]["ply"], 2);
    assert_eq!(one.refused("undo", json!({"table": table})), "not_your_seat");
    assert_eq!(two.get("undo", undo)["state"]["ply"], 1);
}

#[test]
fn turns_of_the_computer_and_of_seats_that_nobody_has_claimed_are_taken_back_as_ever() {
    let engine = Engine::start();
    let (mut maker, mut guest) = (engine.visitor(), engine.visitor());
    let seats = json!({"1": {"kind": "ai", "level": "random"}, "2": {"kind": "client", "open": true}});
    let table = open_table(&mut maker, seats);
    guest.get("claim", json!({"table": table, "seat": 2}));
    wait_for("the computer", || guest.get("state", json!({"table": table}))["ply"] == 1);
    assert_eq!(guest.get("undo", json!({"table": table}))["state"]["ply"], 0);

    let table = open_table(&mut maker, json!({"2": {"kind": "client", "open": true}}));
    maker.get("play", json!({"table": table, "actions": ["@e5", "w5"]}));
    assert_eq!(maker.get("undo", json!({"table": table, "turns": 2}))["state"]["ply"], 0);
}
