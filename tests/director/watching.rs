//! Computers that play each other, and a turn that is told as it is shown.

use std::time::Duration;

use tabuleiro::app::Screen;
use tabuleiro::board::Tokens;
use tabuleiro::command::{Command, NewGame};
use tabuleiro::settings::{Settings, Speed};
use tabuleiro_protocol::{Options, PerSeat};

use crate::room::{Room, computer, person};

#[test]
fn computers_play_each_other_to_the_end_and_can_be_paused() {
    for game in every_game!() {
        let mut room = Room::new();
        let quick = Settings { speed: Speed::Off, evaluation: false, ..room.app().settings.clone() };
        room.dispatch(Command::Change(Box::new(quick)));
        room.start(game, &[], computer("random"), computer("random"));
    }
    let mut room = Room::new();
    room.dispatch(Command::StartGame(NewGame {
        game: "syrtis".into(),
        options: Options::new(),
        seats: PerSeat { one: computer("random"), two: computer("random") },
        seed: Some(7),
    }));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.ply > 6));
    room.dispatch(Command::Pause);
    room.until(|app| app.motion.is_still() && app.table.as_ref().is_some_and(|table| table.state.held));
    for _ in 0..50 {
        room.director.update(0.05);
    }
    let ply = room.ply();
    std::thread::sleep(Duration::from_millis(50));
    room.director.update(0.05);
    assert_eq!(room.ply(), ply);
    let quick = Settings { speed: Speed::Off, evaluation: false, ..room.app().settings.clone() };
    room.dispatch(Command::Change(Box::new(quick)));
    room.dispatch(Command::Resume);
    room.until(|app| {
        app.table.as_ref().is_some_and(|table| table.state.outcome.is_some()) && app.motion.is_still()
    });
}

/// What is shown is one moment: the list never runs ahead of the board, and computers that wait for
/// it are not paused.
#[test]
fn computers_are_shown_one_turn_after_the_other() {
    let mut room = Room::new();
    let seats = PerSeat { one: computer("random"), two: computer("random") };
    let game = NewGame { game: "fabrik".into(), options: Options::new(), seats, seed: Some(7) };
    room.dispatch(Command::StartGame(game));
    room.until(|app| app.table.is_some());
    while room.ply() < 8 {
        room.director.update(0.05);
        let (app, table) = (room.app(), room.table());
        assert!(!app.is_paused());
        assert_eq!(table.turns.last().map_or(0, |turn| turn.ply), table.state.ply);
        assert_eq!(*app.motion.final_tokens(), Tokens::read(&table.state.rows));
        assert!(table.chances().len() <= table.state.ply + 1);
    }
    room.dispatch(Command::TogglePause);
    room.settle();
    assert!(room.app().is_paused());
    let turns = room.table().turns.len();
    for step in 1..=3 {
        room.dispatch(Command::MoveNow);
        room.until(|app| app.table.as_ref().is_some_and(|table| table.turns.len() == turns + step));
        room.settle();
        assert!(room.app().is_paused() && room.table().state.held);
        assert_eq!(room.table().turns.len(), turns + step, "one turn and no more");
    }
    room.dispatch(Command::TogglePause);
    assert!(!room.app().is_paused());
    room.until(|app| app.table.as_ref().is_some_and(|table| table.turns.len() > turns + 4));
}

/// Which game computers are to play is asked, and says nothing about the next game of one's own.
#[test]
fn who_wants_to_watch_is_asked_what() {
    let mut room = Room::new();
    room.dispatch(Command::WatchComputers);
    assert!(matches!(room.app().screen, Screen::Prepare(_)) && room.app().is_to_watch);
    room.dispatch(Command::PrepareGame("fabrik".into()));
    assert_eq!((&room.app().screen, room.app().is_to_watch), (&Screen::Prepare("fabrik".into()), true));
    let seats = PerSeat { one: computer("random"), two: computer("random") };
    let game = NewGame { game: "fabrik".into(), options: Options::new(), seats, seed: Some(7) };
    room.dispatch(Command::StartGame(game));
    room.until(|app| app.table.is_some());
    assert!(room.app().settings.new_games.is_empty());
    room.dispatch(Command::PrepareAnother);
    assert!(!room.app().is_to_watch);
}

/// The list of turns has the last one at once, and the chances are asked for before all that takes
/// longer to read.
#[test]
fn chances_keep_up_with_the_turns() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    let before = room.app().console.len();
    room.dispatch(Command::Play("@e5".into()));
    room.settle();
    let table = room.table();
    assert!(table.key(1).and_then(|key| table.chance(key)).is_some());
    let sent: Vec<&str> = room.app().console[before..]
        .iter()
        .filter(|line| line.sent)
        .filter_map(|line| line.line.split("\"method\":\"").nth(1)?.split('"').next())
        .collect();
    assert_eq!(sent[..2], ["play", "search"], "{sent:?}");
}

/// Within a turn, too: an action is listed when its pieces begin to move, and who is to move, what
/// counts and the chances are those of the board.
#[test]
fn a_turn_of_several_actions_is_told_as_it_is_shown() {
    let mut room = Room::new();
    let seats = PerSeat { one: computer("greedy"), two: computer("greedy") };
    let game = NewGame { game: "absorption".into(), options: Options::new(), seats, seed: Some(7) };
    room.dispatch(Command::StartGame(game));
    room.until(|app| app.table.is_some());
    let mut grown = 0;
    while room.table().turns.len() < 5 || !room.app().motion.is_still() {
        room.director.update(0.05);
        let (app, table) = (room.app(), room.table());
        let Some(last) = &table.state.last else { continue };
        let begun = table.begun();
        assert!(last.actions.starts_with(begun) && !begun.is_empty());
        assert_eq!(app.motion.is_still(), table.in_motion().is_none());
        if let Some(moving) = table.in_motion() {
            assert_eq!((moving.before.to_move, moving.seat), (Some(last.seat), last.seat));
            assert_eq!(table.in_sight().turn + 1, table.state.turn);
            assert!(table.chances_in_sight().len() <= table.in_sight().ply + 1);
            grown += usize::from(begun.len() > 1 && begun.len() < last.actions.len());
        } else {
            assert_eq!(begun, last.actions);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(grown > 3, "nothing was seen between the first and the last action");
}
