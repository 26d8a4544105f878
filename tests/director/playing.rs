//! A game at the window's own engine.

use std::time::Duration;

use tabuleiro::app::Screen;
use tabuleiro::board::Tokens;
use tabuleiro::command::{Command, NewGame, Panel};
use tabuleiro::scene::MarkKind;
use tabuleiro_protocol::{Options, PerSeat, Seat};

use crate::room::{Room, cell, computer, edge, person};

#[test]
fn pointing_plays_and_a_wrong_click_is_explained() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    assert_eq!(room.app().screen, Screen::Board);
    assert_eq!(room.app().pick.open(), [cell("e5")]);
    room.click(cell("e5"));
    assert_eq!(room.ply(), 1);
    assert_eq!(room.app().pick.open().len(), 4);
    room.click(edge("west", "a1"));
    assert_eq!(room.ply(), 1);
    let refusal = room.app().refusal.clone().expect("a reason");
    assert!(refusal.text.contains("Row 1"), "{}", refusal.text);
    room.click(edge("west", "a5"));
    assert_eq!(room.ply(), 2);
    let marks = room.director.marks();
    assert!(
        marks.iter().any(|mark| mark.kind == MarkKind::Last && mark.target == cell("f5")),
        "the pushed stone is marked"
    );
}

#[test]
fn what_is_under_the_pointer_shows_what_it_would_do() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    let before = room.director.figures();
    room.dispatch(Command::Hover(Some(edge("north", "e1"))));
    room.settle();
    let ghosts = room.director.figures().into_iter().filter(|figure| figure.presence < 1.0).count();
    assert_eq!(ghosts, 2, "the stone that comes and the one that is pushed");
    room.dispatch(Command::Hover(None));
    assert_eq!(room.director.figures(), before);
    assert_eq!(room.ply(), 1);
}

#[test]
fn undo_goes_back_to_the_person_and_redo_forth() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), computer("greedy"));
    room.click(cell("e5"));
    assert_eq!(room.ply(), 2);
    let open = room.app().pick.open();
    room.click(open[0]);
    assert_eq!(room.ply(), 4);
    room.dispatch(Command::Undo);
    room.settle();
    assert_eq!(room.ply(), 2);
    assert!(room.app().table.as_ref().unwrap().is_ours_to_move());
    room.dispatch(Command::Redo);
    room.settle();
    assert_eq!(room.ply(), 4);
    room.dispatch(Command::Undo);
    room.dispatch(Command::Undo);
    room.settle();
    assert_eq!(room.ply(), 0);
    room.dispatch(Command::Undo);
    assert!(room.app().message.as_ref().is_some_and(|message| message.text.contains("Nothing")));
}

#[test]
fn looking_back_changes_nothing_until_played_on_from_there() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    for target in [cell("e5"), edge("west", "a5"), edge("north", "e1")] {
        room.click(target);
    }
    room.dispatch(Command::LookBack);
    room.settle();
    room.dispatch(Command::LookBack);
    room.settle();
    let table = room.app().table.as_ref().unwrap();
    assert_eq!((table.shown().ply, table.state.ply), (1, 3));
    assert_eq!(*room.app().motion.final_tokens(), Tokens::read(&table.shown().rows));
    room.click(edge("west", "a5"));
    assert_eq!(room.ply(), 3, "nothing is played while looking back");
    room.dispatch(Command::Escape);
    room.dispatch(Command::LookAt(1));
    room.settle();
    room.dispatch(Command::PlayOnFromHere);
    room.settle();
    let table = room.app().table.as_ref().unwrap();
    assert_eq!((table.shown().ply, table.state.ply, table.state.undone), (1, 1, 2));
    room.click(edge("south", "e9"));
    assert_eq!(room.ply(), 2);
}

#[test]
fn computers_play_each_other_to_the_end_and_can_be_paused() {
    for game in every_game!() {
        let mut room = Room::new();
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
    room.dispatch(Command::Resume);
    room.until(|app| {
        app.table.as_ref().is_some_and(|table| table.state.outcome.is_some()) && app.motion.is_still()
    });
}

#[test]
fn a_hint_names_a_legal_action_and_marks_its_place() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    room.dispatch(Command::Hint);
    room.settle();
    let hint = room.app().table.as_ref().unwrap().hint.clone().expect("a hint");
    assert!(room.app().table.as_ref().unwrap().details.iter().any(|detail| detail.action == hint.actions[0]));
    assert!(room.director.marks().iter().any(|mark| mark.kind == MarkKind::Hint));
}

#[test]
fn a_game_is_kept_and_can_be_gone_on_with() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    for target in [cell("e5"), edge("west", "a5")] {
        room.click(target);
    }
    let rows = room.app().table.as_ref().unwrap().state.rows.clone();
    let mut room = room.again();
    assert_eq!(room.app().interrupted, None);
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.is_some());
    room.settle();
    assert_eq!(room.app().table.as_ref().unwrap().state.rows, rows);
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    assert!(room.app().table.as_ref().unwrap().state.outcome.is_some());
    room.dispatch(Command::ShowHome);
    assert!(room.app().saved[0].finished);
}

#[test]
fn an_engine_that_dies_is_replaced_and_the_game_goes_on() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    let engine = room.director.engine_process().expect("a process");
    let killed = std::process::Command::new("kill").args(["-9", &engine.to_string()]).status().expect("kill");
    assert!(killed.success());
    room.until(|app| {
        app.message.as_ref().is_some_and(|message| message.text.contains("Another one was started"))
    });
    room.until(|app| app.table.as_ref().is_some_and(|table| !table.details.is_empty()));
    room.settle();
    assert_ne!(room.director.engine_process(), Some(engine));
    assert_eq!(room.ply(), 1);
    room.click(edge("west", "a5"));
    assert_eq!(room.ply(), 2);
}

#[test]
fn rules_and_console_are_there_on_request() {
    let mut room = Room::new();
    room.dispatch(Command::Show(Panel::Rules));
    room.settle();
    assert_eq!(room.app().rules.len(), 4);
    assert!(room.app().console.iter().any(|line| line.sent && line.line.contains("\"rules\"")));
    room.dispatch(Command::Escape);
    assert!(!room.app().panels.contains(&Panel::Rules));
}
