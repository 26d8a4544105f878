//! One game and the next: taking back, the end, saved games, and an engine that dies.

use tabuleiro::app::{App, Screen};
use tabuleiro::board::Tokens;
use tabuleiro::command::{Command, Panel};
use tabuleiro_protocol::Seat;

use crate::room::{Room, cell, computer, edge, person};

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
    room.start_three_turns();
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

/// After the end keys come to the buttons by themselves, and with the next game back to the board.
#[test]
fn after_the_end_keys_are_for_the_buttons() {
    for key in [Command::NextOpen { backwards: false }, Command::PointAtCursor] {
        let mut room = Room::new();
        room.start("zurero", &[("size", 9)], person(), person());
        room.click(cell("e5"));
        room.dispatch(key.clone());
        assert!(!room.app().panels.contains(&Panel::Buttons), "the game goes on");
        room.dispatch(Command::Resign(Seat::Two));
        room.settle();
        room.dispatch(Command::LookAt(0));
        room.settle();
        room.dispatch(key.clone());
        assert!(!room.app().panels.contains(&Panel::Buttons), "something else is looked at");
        room.dispatch(Command::LookAtNow);
        room.settle();
        room.dispatch(key);
        assert!(room.app().panels.contains(&Panel::Buttons));
        room.dispatch(Command::Rematch { seats_changed: false });
        room.until(|app| app.table.as_ref().is_some_and(|table| table.state.outcome.is_none()));
        assert!(!room.app().panels.contains(&Panel::Buttons));
    }
}

/// The end gave the keys to the buttons; whoever takes it back plays on with keys.
#[test]
fn undo_after_the_end_gives_the_keys_back_to_the_board() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    room.dispatch(Command::Resign(Seat::Two));
    room.settle();
    room.dispatch(Command::NextOpen { backwards: false });
    assert!(room.app().panels.contains(&Panel::Buttons));
    room.dispatch(Command::Undo);
    room.settle();
    assert!(room.table().state.outcome.is_none() && !room.app().panels.contains(&Panel::Buttons));
}

/// Escape closes what is seen on top, whatever else was open before or has the keys.
#[test]
fn escape_closes_the_uppermost() {
    for (below, above) in [
        (Panel::Buttons, Panel::Comment),
        (Panel::MoveEntry, Panel::Settings),
        (Panel::Position, Panel::ConfirmResign),
    ] {
        let mut room = Room::new();
        room.start("zurero", &[("size", 9)], person(), person());
        for panel in [below, above] {
            room.dispatch(Command::Show(panel));
        }
        room.dispatch(Command::Escape);
        let panels = &room.app().panels;
        assert!(panels.contains(&below) && !panels.contains(&above), "{below:?}, {above:?}: {panels:?}");
    }
}

#[test]
fn a_rematch_has_the_same_players_or_changed_ones() {
    let mut room = Room::new();
    room.dispatch(Command::Rematch { seats_changed: false });
    assert!(room.app().table.is_none(), "there is nothing to play again");
    room.start("zurero", &[("size", 9)], person(), computer("greedy"));
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    room.dispatch(Command::Rematch { seats_changed: true });
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.outcome.is_none()));
    room.settle();
    let state = &room.table().state;
    assert_eq!((&state.seats.one, &state.seats.two), (&computer("greedy"), &person()));
    assert_eq!(room.app().motion.final_tokens().columns(), 9, "the same options");
    assert_eq!(room.app().saved.len(), 2);
}

#[test]
fn a_new_game_that_is_not_wanted_leads_back_to_the_one_before() {
    let mut room = Room::new();
    room.dispatch(Command::PrepareGame("zurero".into()));
    room.dispatch(Command::Escape);
    assert_eq!(room.app().screen, Screen::Home);
    room.start("zurero", &[("size", 9)], person(), person());
    room.dispatch(Command::PrepareAnother);
    room.dispatch(Command::Escape);
    assert_eq!(room.app().screen, Screen::Board);
    room.dispatch(Command::PrepareAnother);
    room.dispatch(Command::Back);
    assert_eq!(room.app().screen, Screen::Board);
    assert!(room.app().settings.new_games["zurero"].options.contains_key("size"), "choices are remembered");
}

#[test]
fn an_unfinished_game_is_continued_rather_than_a_finished_one() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    room.start("fabrik", &[("size", 7)], person(), person());
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    room.dispatch(Command::ShowHome);
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.game == "zurero"));
}

#[test]
fn a_game_in_which_nothing_was_played_is_continued_last() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    room.start("syrtis", &[], person(), person());
    room.start("fabrik", &[("size", 7)], person(), person());
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    room.until(|app| app.saved.len() == 3);
    room.dispatch(Command::ShowHome);
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.game == "zurero"));
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    room.dispatch(Command::ShowHome);
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.game == "syrtis"));
}

#[test]
fn a_saved_game_is_named_exported_deleted_and_put_back() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    room.start("fabrik", &[("size", 7)], person(), person());
    let zurero = |room: &Room| room.app().saved.iter().find(|saved| saved.game == "zurero").cloned();
    room.until(|app| app.saved.len() == 2);
    let path = zurero(&room).expect("a game").path;
    room.dispatch(Command::RenameGame(path.clone(), " My first ".into()));
    room.until(|app| app.saved.iter().any(|saved| saved.name.as_deref() == Some("My first")));
    room.dispatch(Command::ExportGame(path.clone()));
    let told = room.app().message.as_ref().expect("where it is").text.clone();
    let exported = told.split_whitespace().map(|word| word.trim_end_matches('.')).map(std::path::Path::new);
    assert!(exported.into_iter().any(std::path::Path::is_file), "{told}");
    room.dispatch(Command::DeleteGame(path.clone()));
    room.until(|app| app.saved.len() == 1);
    assert!(!path.exists());
    room.dispatch(Command::RestoreGame);
    room.until(|app| app.saved.len() == 2);
    let back = zurero(&room).expect("it is back");
    assert_eq!((back.name.as_deref(), back.finished), (Some("My first"), false));
    room.dispatch(Command::LoadGame(back.path));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.game == "zurero"));
    assert_eq!(room.ply(), 1);
}

/// The next click on the list would else be for another game.
#[test]
fn a_game_that_is_named_stays_where_it_is_in_the_list() {
    let mut room = Room::new();
    for game in ["zurero", "fabrik"] {
        room.start(game, &[], person(), person());
        room.until(|app| app.saved.iter().any(|saved| saved.game == game));
    }
    let before = room.app().saved.clone();
    assert_eq!(before[1].game, "zurero");
    room.dispatch(Command::RenameGame(before[1].path.clone(), "Mine".into()));
    let is_named = |app: &App| app.saved.iter().any(|saved| saved.name.as_deref() == Some("Mine"));
    room.until(is_named);
    let stays = |room: &Room| {
        let now = &room.app().saved;
        let is_order = now.iter().map(|saved| &saved.path).eq(before.iter().map(|saved| &saved.path));
        is_order && now[1].changed == before[1].changed
    };
    assert!(stays(&room), "{:?}", room.app().saved);
    let room = room.again();
    assert!(is_named(room.app()) && stays(&room), "on disk: {:?}", room.app().saved);
}

#[test]
fn a_game_is_kept_and_can_be_continued() {
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

/// A game that is opened has chances from its start to its end, whoever has played it when.
#[test]
fn chances_of_a_game_that_is_opened_begin_and_end_with_it() {
    let mut room = Room::new();
    room.start_three_turns();
    room.dispatch(Command::Resign(Seat::Two));
    room.settle();
    let path = room.app().saved.first().expect("a saved game").path.clone();
    let mut room = room.again();
    room.dispatch(Command::LoadGame(path));
    room.until(|app| app.table.is_some());
    room.settle();
    let table = room.table();
    assert_eq!(table.chances().len(), table.state.ply + 1);
    assert!(table.chances().iter().all(Option::is_some), "{:?}", table.chances());
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
