//! Bots that sit at the tables of the real engine.

use std::path::Path;

use serde_json::{Value, json};
use tabuleiro_protocol::client::Conversation;
use tabuleiro_protocol::message::Incoming;

use crate::naughty::{ENGINE, Naughty, PATIENCE, engine, is_running, wait_for};

/// A client of an engine that was started with bots.
struct Client {
    conversation: Conversation,
    last_id: u64,
    /// What was said unasked.
    notices: Vec<(String, Value)>,
}

impl Client {
    fn with_bots(bots: &[&str]) -> Client {
        let arguments: Vec<&str> = bots.iter().flat_map(|bot| ["--bot", bot]).collect();
        Client::of_engine(&arguments)
    }

    fn of_engine(arguments: &[&str]) -> Client {
        let conversation = Conversation::start(&mut engine(arguments)).expect("the engine starts");
        Client { conversation, last_id: 0, notices: Vec::new() }
    }

    fn hear(&self) -> Incoming {
        self.conversation
            .hear(PATIENCE)
            .expect("the engine is there")
            .expect("it says something")
            .incoming
            .expect("no garbage")
    }

    fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let request = json!({"id": self.last_id, "method": method, "params": params});
        self.conversation.send_line(request.to_string()).expect("the engine is there");
        loop {
            match self.hear() {
                Incoming::Response { answer, .. } => return answer.map_err(|error| json!(error)),
                Incoming::Notice { method, params } => self.notices.push((method, params)),
            }
        }
    }

    fn get(&mut self, method: &str, params: Value) -> Value {
        self.call(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn notice(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.notices.iter().position(|(method, _)| method == name) {
                return self.notices.remove(at).1;
            }
            if let Incoming::Notice { method, params } = self.hear() {
                self.notices.push((method, params));
            }
        }
    }

    /// Opens a table whose second seat has the bot `x`, and plays the first move.
    fn begin(&mut self, limits: Value) {
        let bot = json!({"kind": "bot", "name": "x", "limits": limits});
        let seats = json!({"2": bot});
        self.get("new", json!({"game": "zurero", "options": {"size": 9}, "seed": 1, "seats": seats}));
        self.get("play", json!({"table": "t1", "actions": ["@e5"]}));
    }
}

#[test]
fn each_failure_is_told_and_the_game_goes_on_with_somebody_else() {
    for (habit, limits, why) in [
        ("exits", json!({}), "crashed"),
        ("exits_at_once", json!({}), "crashed"),
        ("closes_output", json!({}), "crashed"),
        ("hangs", json!({"time_ms": 100}), "timeout"),
        ("floods_with_notices", json!({"time_ms": 100}), "timeout"),
        ("is_illegal", json!({}), "illegal"),
        ("gives_too_many", json!({}), "illegal"),
        ("says_no_json", json!({}), "garbage"),
        ("gives_a_wrong_id", json!({}), "garbage"),
    ] {
        let naughty = Naughty::new(habit);
        let mut client = Client::with_bots(&[&naughty.named()]);
        client.begin(limits);
        let failed = client.notice("bot_failed");
        let told = (&failed["table"], &failed["seat"], &failed["name"], &failed["why"]);
        assert_eq!(told, (&json!("t1"), &json!(2), &json!("x"), &json!(why)), "{habit}: {failed}");
        assert!(!failed["detail"].as_str().expect("words").is_empty());
        let state = client.get("state", json!({"table": "t1"}));
        assert_eq!((&state["ply"], &state["to_move"], &state["held"]), (&json!(1), &json!(2), &json!(true)));

        client.get("seat", json!({"table": "t1", "seat": 2, "to": {"kind": "ai", "level": "random"}}));
        while client.notice("changed")["by"] != 2 {}
        drop(client);
        naughty.wait_until_gone();
    }
}

#[test]
fn a_bot_that_kills_its_supervisor_leaves_nobody_either() {
    let naughty = Naughty::new("kills_its_supervisor");
    let honest = Naughty::new("honest");
    let other = honest.named().replacen("x=", "other=", 1);
    let mut client = Client::with_bots(&[&naughty.named(), &other]);
    let bot = json!({"kind": "bot", "name": "other"});
    client.get("new", json!({"game": "zurero", "seats": {"1": bot}}));
    while client.notice("changed")["by"] != 1 {}
    let bot = json!({"kind": "bot", "name": "x"});
    client.get("new", json!({"game": "zurero", "seats": {"1": bot}}));
    let failed = client.notice("bot_failed");
    assert_eq!(
        (&failed["why"], &failed["detail"]),
        (
            &json!("crashed"),
            &json!("its supervisor was ended by a signal; its last words: here I am: kills_its_supervisor")
        )
    );
    // The engine is still there.
    assert!(naughty.pids().len() > 1, "it has started somebody");
    naughty.wait_until_gone();
    for pid in naughty.pids() {
        wait_for("somebody to ask how it ended", || !Path::new(&format!("/proc/{pid}")).exists());
    }
    assert!(is_running(honest.pids()[0]), "the others are left alone");
}

#[test]
fn what_bots_write_does_not_reach_a_terminal_as_it_is() {
    for (habit, why, detail, log) in [
        (
            "writes_to_the_terminal",
            "crashed",
            "it ended with exit code 4; its last words: I am red\\u{7}",
            &["here I am: writes_to_the_terminal", "I am red\\u{7}"][..],
        ),
        (
            "clears_the_screen",
            "garbage",
            "it said something that is not JSON (expected value at line 1 column 1): I play\\u{8} something",
            &["here I am: clears_the_screen"],
        ),
    ] {
        let naughty = Naughty::new(habit);
        let mut client = Client::with_bots(&[&naughty.named()]);
        client.begin(json!({}));
        let failed = client.notice("bot_failed");
        assert_eq!((&failed["why"], &failed["detail"]), (&json!(why), &json!(detail)));
        assert_eq!(client.get("bot_log", json!({"name": "x"})), json!({"lines": log}));
    }
}

#[test]
fn how_much_longer_a_bot_may_take_is_for_the_one_who_starts_the_engine() {
    let naughty = Naughty::new("dawdles");
    for (margin, notice) in [("0", "bot_failed"), ("60000", "changed")] {
        let mut client = Client::of_engine(&["--bot", &naughty.named(), "--bot-margin", margin]);
        client.begin(json!({"time_ms": 10}));
        let heard = client.notice(notice);
        assert_eq!(heard["why"], if margin == "0" { json!("timeout") } else { Value::Null }, "{heard}");
    }
}

#[test]
fn a_bot_that_failed_can_be_asked_again() {
    let naughty = Naughty::new("exits");
    let mut client = Client::with_bots(&[&naughty.named()]);
    client.begin(json!({}));
    client.notice("bot_failed");
    let before = naughty.pids().len();
    client.get("resume", json!({"table": "t1"}));
    client.notice("bot_failed");
    assert!(naughty.pids().len() > before, "it was started again");
}

#[test]
fn what_a_bot_writes_for_people_can_be_read() {
    let naughty = Naughty::new("honest");
    let mut client = Client::with_bots(&[&naughty.named()]);
    assert_eq!(client.get("hello", json!({}))["bots"], json!(["x"]));
    client.begin(json!({}));
    while client.notice("changed")["by"] != 2 {}
    assert_eq!(client.get("bot_log", json!({"name": "x"})), json!({"lines": ["here I am: honest"]}));
    assert_eq!(naughty.questions()[0]["limits"], json!({}), "limits are always told");
    let error = client.call("bot_log", json!({"name": "y"})).expect_err("there is no y");
    assert_eq!(error["data"], json!({"kind": "unknown_bot", "name": "y"}));
}

#[test]
fn a_turn_that_is_taken_back_while_a_bot_thinks_is_not_played() {
    let naughty = Naughty::new("is_late");
    let mut client = Client::with_bots(&[&naughty.named()]);
    client.begin(json!({}));
    wait_for("a question", || naughty.questions().len() == 1);
    assert_eq!(client.get("hurry", json!({"table": "t1"})), json!({"hurried": false}));
    client.get("undo", json!({"table": "t1"}));
    client.get("play", json!({"table": "t1", "actions": ["@e5"]}));
    let changed = client.notice("changed");
    assert_eq!((&changed["by"], &changed["ply"]), (&json!(2), &json!(2)));
    assert_eq!(naughty.questions().len(), 2, "it was asked once more, and its first answer forgotten");
    assert_eq!(client.get("state", json!({"table": "t1"}))["ply"], 2);
    assert!(client.notices.iter().all(|(method, _)| method != "changed"));
}

#[test]
fn only_bots_that_the_engine_was_started_with_may_sit_down() {
    let naughty = Naughty::new("honest");
    let mut client = Client::with_bots(&[&naughty.named()]);
    let stranger = json!({"kind": "bot", "name": "stranger"});
    let error =
        client.call("new", json!({"game": "fabrik", "seats": {"1": stranger}})).expect_err("nobody knows it");
    assert_eq!((&error["code"], &error["data"]["name"]), (&json!(11), &json!("stranger")));
    client.get("new", json!({"game": "fabrik"}));
    let error =
        client.call("seat", json!({"table": "t1", "seat": 1, "to": stranger})).expect_err("nobody knows it");
    assert_eq!(error["code"], 11);
    let mut record = client.get("record", json!({"table": "t1"}))["record"].take();
    record["seats"]["2"] = stranger;
    let error = client.call("load", json!({"record": record})).expect_err("nobody knows it");
    assert_eq!((&error["code"], &error["data"]["name"]), (&json!(11), &json!("stranger")));
    assert!(naughty.pids().is_empty(), "nobody has asked for it");
}

#[test]
fn two_bots_play_all_games_to_the_end_at_one_engine() {
    let naughty = Naughty::new("honest");
    let ours = format!("ours='{ENGINE}' --level random");
    let mut client = Client::with_bots(&[&naughty.named(), &ours]);
    let seats = json!({"1": {"kind": "bot", "name": "x"}, "2": {"kind": "bot", "name": "ours"}});
    let games = every_game! {
        zurero: json!({"size": 7}),
        fabrik: json!({"size": 5, "goal": 4}),
        absorption: json!({"turn_limit": 20}),
        syrtis: json!({"layout": "minor", "turn_limit": 30}),
    };
    for (game, options) in &games {
        client.get("new", json!({"game": game, "options": options, "seed": 5, "seats": seats}));
    }
    let mut over = 0;
    while over < games.len() {
        let changed = client.notice("changed");
        over += usize::from(!changed["state"]["outcome"].is_null());
    }
    assert!(client.notices.iter().all(|(method, _)| method != "bot_failed"));
}
