//! Programs of other people's at the window's own engine.

use tabuleiro::command::{Command, Panel};
use tabuleiro_protocol::notice::BotFailure;
use tabuleiro_protocol::{Player, Seat};

use crate::room::{Room, cell, computer, person};

fn bot(name: &str) -> Player {
    Player::Bot { name: name.into(), limits: None }
}

#[test]
fn a_bot_that_fails_is_told_of_and_somebody_else_can_take_its_seat() {
    let mut room = Room::with_engine(&["engine", "--bot", "sulky=sh -c 'echo I do not want to >&2; exit 3'"]);
    room.start("zurero", &[("size", 9)], person(), bot("sulky"));
    room.dispatch(Command::Point(cell("e5")));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.failed.is_some()));
    room.settle();
    let failed = room.table().failed.clone().expect("a failure");
    assert_eq!((failed.name.as_str(), failed.seat, failed.why), ("sulky", Seat::Two, BotFailure::Crashed));
    assert!(room.app().panels.contains(&Panel::BotFailed));
    assert_eq!(room.ply(), 1);
    room.dispatch(Command::Show(Panel::BotLog));
    room.until(|app| {
        app.bot_logs.get("sulky").is_some_and(|lines| lines.iter().any(|line| line.contains("do not want")))
    });

    room.dispatch(Command::Resume);
    room.until(|app| app.table.as_ref().is_some_and(|table| table.failed.is_none()));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.failed.is_some()));
    assert!(room.app().panels.contains(&Panel::BotFailed), "it failed again");

    room.dispatch(Command::SetSeat(Seat::Two, computer("greedy")));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.ply == 2));
    room.settle();
    assert!(room.table().failed.is_none());
    assert!(!room.app().panels.contains(&Panel::BotFailed));
    assert!(room.table().is_ours_to_move());
}

#[test]
fn a_game_with_a_bot_that_is_not_there_any_more_can_be_gone_on_with() {
    let mut room = Room::with_engine(&["engine", "--bot", "sulky=sh -c 'exit 3'"]);
    room.start("zurero", &[("size", 9)], person(), bot("sulky"));
    room.dispatch(Command::Point(cell("e5")));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.failed.is_some()));
    room.settle();
    let mut room = room.again();
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.is_some());
    assert_eq!((room.ply(), &room.table().state.seats.two), (1, &person()));
    room.until_told("The engine has no bot sulky");
}

#[test]
fn the_engine_is_a_bot_that_plays() {
    let itself = format!("itself={} engine --level random", env!("CARGO_BIN_EXE_tabuleiro"));
    let mut room = Room::with_engine(&["engine", "--bot", &itself]);
    assert_eq!(room.app().hello.as_ref().expect("hello").bots, ["itself"]);
    room.start("zurero", &[("size", 9)], person(), bot("itself"));
    room.click(cell("e5"));
    assert_eq!(room.ply(), 2);
}
