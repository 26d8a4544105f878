//! Bots as the engine uses them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tabuleiro_engine::bots::{BotRequest, Bots, MARGIN, MOST_PROCESSES, Supervisor, TakenTurn};
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::table::Table;
use tabuleiro_protocol::{Limits, PerSeat, Player};

use crate::naughty::{ENGINE, Naughty, is_running, parent_of, wait_for};

fn bots(naughty: &Naughty) -> Bots {
    let spec = naughty.named().parse().expect("a bot");
    Bots::new(vec![spec], &Supervisor::new(ENGINE.into(), &[]), MARGIN).expect("one name")
}

fn table() -> Table {
    let options = json!({"size": 5}).as_object().expect("options").clone();
    let session = Catalog::standard().open("zurero", Some(&options), 1, None).expect("a game");
    let player = Player::Bot { name: "x".into(), limits: None };
    Table::new("t1".into(), session, PerSeat { one: player.clone(), two: player }).expect("a table")
}

fn request(table: &Table) -> BotRequest {
    let (_, player, seed) = table.to_act().expect("somebody's turn");
    let Player::Bot { name, limits } = player.clone() else { panic!("not the turn of a bot") };
    BotRequest { name, limits: limits.unwrap_or_default(), seed }
}

fn take_turn(bots: &Bots) -> TakenTurn {
    let table = table();
    let turn = bots.take_turn(&table, &request(&table), &AtomicBool::new(false));
    turn.expect("an answer").expect("it was not told to stop")
}

#[test]
fn bots_have_names_and_logs() {
    let naughty = Naughty::new("honest");
    let bots = bots(&naughty);
    assert_eq!(bots.names(), ["x"]);
    assert!(bots.contains("x") && !bots.contains("y"));
    assert_eq!(bots.log("x"), Vec::<String>::new());
    let turn = take_turn(&bots);
    assert_eq!((turn.choice.actions.as_slice(), turn.choice.score.win), (&["@c3".to_string()][..], 0.5));
    wait_for("its log", || bots.log("x") == ["here I am: honest"]);
    assert_eq!(bots.log("y"), Vec::<String>::new());
}

#[test]
fn a_bot_that_is_not_there_has_crashed() {
    let table = table();
    let failed = Bots::default().take_turn(&table, &request(&table), &AtomicBool::new(false));
    let failed = failed.expect_err("there is no bot");
    assert_eq!(failed.to_string(), "crashed: there is no bot \"x\"; this engine was started without bots");
}

#[test]
fn one_that_dies_while_nobody_asks_it_is_replaced_without_a_word() {
    let naughty = Naughty::new("honest");
    let bots = bots(&naughty);
    take_turn(&bots);
    let bot = naughty.pids()[0];
    let supervisor = parent_of(bot);
    kill(Pid::from_raw(bot as i32), Signal::SIGKILL).expect("it is there");
    wait_for("the supervisor to be gone", || !std::path::Path::new(&format!("/proc/{supervisor}")).exists());
    take_turn(&bots);
    assert_eq!(naughty.pids().len(), 2);
}

#[test]
fn a_bot_is_asked_by_as_many_as_want_to_but_by_no_more_than_it_has_processes() {
    let naughty = Naughty::new("dawdles");
    let bots = bots(&naughty);
    thread::scope(|scope| {
        for _ in 0..MOST_PROCESSES + 6 {
            scope.spawn(|| take_turn(&bots));
        }
    });
    assert_eq!(naughty.questions().len(), MOST_PROCESSES + 6);
    assert!((1..=MOST_PROCESSES).contains(&naughty.pids().len()), "{:?}", naughty.pids());
}

#[test]
fn who_does_not_want_to_wait_any_longer_need_not() {
    let naughty = Naughty::new("hangs");
    let bots = bots(&naughty);
    let stop = AtomicBool::new(false);
    let table = table();
    thread::scope(|scope| {
        let asked = scope.spawn(|| bots.take_turn(&table, &request(&table), &stop));
        wait_for("the question", || naughty.questions().len() == 1);
        stop.store(true, Ordering::Relaxed);
        assert!(asked.join().expect("no panic").expect("no failure").is_none());
    });
    // It would have a minute, but it goes with the others.
    drop(bots);
    naughty.wait_until_gone();
}

#[test]
fn all_processes_have_ended_when_the_bots_are_dropped() {
    for habit in ["honest", "is_illegal"] {
        let naughty = Naughty::new(habit);
        let bots = bots(&naughty);
        let table = table();
        let answer = bots.take_turn(&table, &request(&table), &AtomicBool::new(false));
        assert_eq!(answer.is_ok(), habit == "honest");
        let bot = naughty.pids()[0];
        assert!(is_running(bot), "{habit} waits for the next question");
        drop(bots);
        assert!(!is_running(bot), "{habit}");
        naughty.wait_until_gone();
    }
}

#[test]
fn a_bot_that_does_not_read_cannot_block_anybody() {
    let naughty = Naughty::new("closes_input");
    let bots = bots(&naughty);
    let mut table = table();
    let limits = Some(Limits { time_ms: Some(1), ..Limits::default() });
    for seat in tabuleiro_protocol::Seat::BOTH {
        table.set_seat(seat, Player::Bot { name: "x".into(), limits: limits.clone() }).expect("a bot's seat");
    }
    let failed = bots.take_turn(&table, &request(&table), &AtomicBool::new(false)).expect_err("a failure");
    assert_eq!(failed.why.word(), "crashed", "{failed}");
}
