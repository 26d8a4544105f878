//! Setting up a position, in every game.

use serde_json::json;
use tabuleiro::app::{App, Screen};
use tabuleiro::command::{Command, Copied, EditCommand};
use tabuleiro::editor::{Hand, Verdict};
use tabuleiro_protocol::{Options, Player, Seat};

use crate::room::{Room, cell, computer, person};

fn edit(room: &mut Room, command: EditCommand) {
    room.dispatch(Command::Edit(command));
    room.settle();
}

fn put(room: &mut Room, place: &str, token: &str) {
    edit(room, EditCommand::Put(place.parse().expect("a cell"), token.into()));
}

fn rows(app: &App) -> Vec<String> {
    app.editor.as_ref().expect("an editor").tokens().to_rows()
}

/// What the engine finds wrong, or `nothing`.
fn wrong(app: &App) -> String {
    match &app.editor.as_ref().expect("an editor").verdict {
        Verdict::Asked => "not known".into(),
        Verdict::Wrong(problem) => problem.reason.clone(),
        Verdict::Fine { .. } => "nothing".into(),
    }
}

#[test]
fn the_position_on_the_table_is_changed_and_played() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 5)], person(), computer("random"));
    room.click(cell("c3"));
    let before = room.table().state.clone();
    edit(&mut room, EditCommand::Open);
    assert_eq!(room.app().screen, Screen::Editor);
    assert_eq!(rows(room.app()), before.rows);
    assert_eq!(wrong(room.app()), "nothing");
    // By pointing, with the first piece of the tray in the hand.
    room.click(cell("a1"));
    assert_eq!(rows(room.app())[0].split(' ').next(), Some("b"));
    let ghosts = |room: &Room| room.director.figures().iter().filter(|figure| figure.presence < 1.0).count();
    room.dispatch(Command::Hover(Some(cell("b1"))));
    assert_eq!(ghosts(&room), 1, "what a click would put there");
    room.dispatch(Command::NextOpen { backwards: false });
    room.dispatch(Command::PointAtCursor);
    room.dispatch(Command::MoveCursor { right: 1, down: 0 });
    edit(&mut room, EditCommand::CycleAtCursor);
    assert!(rows(room.app())[0].starts_with("b w b"), "{:?}", rows(room.app()));
    edit(&mut room, EditCommand::RemoveAtCursor);
    room.dispatch(Command::Drag(cell("b1"), cell("d1")));
    room.settle();
    assert_eq!(rows(room.app())[0], "b . . w .");
    for _ in 0..5 {
        room.dispatch(Command::Undo);
    }
    room.settle();
    assert_eq!(rows(room.app()), before.rows, "all of it is taken back");
    room.dispatch(Command::Undo);
    room.until_told("Nothing has been changed yet");
    for _ in 0..5 {
        room.dispatch(Command::Redo);
    }
    room.settle();
    assert_eq!(rows(room.app())[0], "b . . w .");
    assert_eq!(room.table().state, before, "the game on the table is as it was");

    let edited = rows(room.app());
    edit(&mut room, EditCommand::Say("to_move".into(), json!(1)));
    room.dispatch(Command::Copy(Copied::Position));
    let text = room.app().copied.clone().expect("a text");
    edit(&mut room, EditCommand::Analyse);
    assert_eq!(room.app().screen, Screen::Board);
    assert_eq!(room.table().state.rows, edited);
    assert!(Seat::BOTH.into_iter().all(|seat| room.table().state.seats[seat] == Player::default()));
    assert!(room.app().analysis.is_on, "it is looked into at once");
    assert_eq!(room.saved_on_disk(), 2, "the game that was left is kept");
    room.dispatch(Command::OpenText(text));
    room.settle();
    assert_eq!(room.table().state.rows, edited, "what was copied is the same position");

    edit(&mut room, EditCommand::Open);
    edit(&mut room, EditCommand::Play);
    assert_eq!(room.table().state.seats.two, computer("random"), "as in the last game of this kind");
}

#[test]
fn the_engine_says_what_is_wrong() {
    let mut room = Room::new();
    for (game, token, why) in [
        ("zurero", "q", "a cell is b, w or ."),
        ("fabrik", "b", "no stone before both workers"),
        ("absorption", "x4", "a pile has one to three pieces"),
        ("syrtis", "lcL", "here there are 1"),
    ] {
        edit(&mut room, EditCommand::SetUp(game.into(), Options::new()));
        assert_eq!(wrong(room.app()), "nothing", "{game} at its start");
        edit(&mut room, EditCommand::Empty);
        put(&mut room, "a1", token);
        assert!(wrong(room.app()).contains(why), "{game}: {}", wrong(room.app()));
        let marks = room.director.marks().len();
        let names_cell = matches!(&room.app().editor.as_ref().expect("an editor").verdict,
            Verdict::Wrong(problem) if problem.cell.is_some());
        assert_eq!(marks, usize::from(names_cell), "{game}: the cell is marked");
        for command in [EditCommand::Play, EditCommand::Analyse] {
            room.dispatch(Command::DismissMessage);
            room.dispatch(Command::Edit(command));
            assert!(room.app().message.as_ref().is_some_and(|message| message.is_problem));
            room.settle();
            assert_eq!(room.app().screen, Screen::Editor);
        }
        edit(&mut room, EditCommand::AtStart);
        assert_eq!(wrong(room.app()), "nothing");
    }
    edit(&mut room, EditCommand::Leave);
    assert_eq!(room.app().screen, Screen::Home);
}

/// Every piece that the engine says there is can be put, and whatever random games come to can be
/// taken up, changed back and played.
#[test]
fn every_piece_of_every_game_can_be_put() {
    let mut room = Room::new();
    for game in room.app().hello.clone().expect("games").games {
        assert!(!game.pieces.is_empty() && game.start[0].name == "to_move", "{}", game.id);
        edit(&mut room, EditCommand::SetUp(game.id.clone(), Options::new()));
        edit(&mut room, EditCommand::Empty);
        for piece in &game.pieces {
            edit(&mut room, EditCommand::Take(Hand::Piece(piece.token.clone())));
            room.click(cell("c3"));
            assert_eq!(rows(room.app())[2].split(' ').nth(2), Some(piece.token.as_str()));
            let said = wrong(room.app());
            for complaint in ["a cell is", "is no pile", "no known sign"] {
                assert!(!said.contains(complaint), "{} does not know {}: {said}", game.id, piece.token);
            }
            let shapes = room.app().set_of(&game.id).shapes(&piece.token);
            assert!(!shapes.is_empty(), "{}: {} can be seen", game.id, piece.token);
        }
    }
}

#[test]
fn counters_are_said_and_checked() {
    let mut room = Room::new();
    let text = "syrtis layout=minor start=3,dsD,1/1,lcL,ls,lc,1/3,lsL,dcD/1,ds,dc,ds,dc/1,lc,lc,2 start.to_move=1 start.light=2 start.sinks=[1,0] start.last_sinker=1";
    room.dispatch(Command::OpenText(text.into()));
    room.until(|app| app.table.is_some());
    room.settle();
    edit(&mut room, EditCommand::Open);
    let member =
        |room: &Room, name: &str| room.app().editor.as_ref().and_then(|editor| editor.member(name).cloned());
    assert_eq!(member(&room, "sinks"), Some(json!([1, 0])));
    assert_eq!(member(&room, "light"), Some(json!(2)));
    edit(&mut room, EditCommand::Say("sinks".into(), json!([1, 2])));
    assert!(wrong(room.app()).contains("one of the two is 0"), "{}", wrong(room.app()));
    edit(&mut room, EditCommand::Say("sinks".into(), json!([1, "x"])));
    assert_ne!(wrong(room.app()), "nothing");
    room.dispatch(Command::Undo);
    room.dispatch(Command::Undo);
    room.settle();
    assert_eq!(wrong(room.app()), "nothing");
    edit(&mut room, EditCommand::Say("last_sinker".into(), json!(null)));
    edit(&mut room, EditCommand::Say("sinks".into(), json!([0, 0])));
    edit(&mut room, EditCommand::Analyse);
    assert_eq!(room.table().state.counters["sinks"], json!([0, 0]));
}

#[test]
fn another_size_of_the_board_begins_anew_and_other_options_do_not() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    edit(&mut room, EditCommand::Open);
    put(&mut room, "a1", "*");
    let mut options = room.app().editor.as_ref().expect("an editor").options.clone();
    options.insert("goal".into(), tabuleiro_protocol::OptionValue::Integer(4));
    edit(&mut room, EditCommand::SetUp("fabrik".into(), options.clone()));
    assert!(rows(room.app())[0].starts_with('*'));
    options.insert("size".into(), tabuleiro_protocol::OptionValue::Integer(9));
    edit(&mut room, EditCommand::SetUp("fabrik".into(), options));
    assert_eq!(rows(room.app()), vec![". . . . . . . . ."; 9]);
    edit(&mut room, EditCommand::AsOnTable);
    assert_eq!(rows(room.app()), room.table().state.rows, "with the options of the table");
    room.dispatch(Command::Escape);
    assert_eq!(room.app().screen, Screen::Board);
    room.dispatch(Command::Edit(EditCommand::Empty));
    room.until_told("No position is being set up");
}
