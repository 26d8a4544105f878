//! A game at the window's own engine.

use std::time::Duration;

use tabuleiro::app::Screen;
use tabuleiro::board::{Target, Tokens};
use tabuleiro::command::{Command, NewGame, Panel};
use tabuleiro::scene::{Mark, MarkKind};
use tabuleiro::settings::{Settings, Speed};
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
        marks.contains(&Mark { target: cell("e5"), kind: MarkKind::Trail { to: cell("f5"), number: None } }),
        "the way of the pushed stone is marked"
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

/// After the end a click means nothing, and the place of the last one is no place to look at.
#[test]
fn the_end_leaves_no_mark_where_one_clicked_last() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.dispatch(Command::Hover(Some(cell("e5"))));
    let is_pointed = |room: &Room| room.director.marks().iter().any(|mark| mark.kind == MarkKind::Pointed);
    assert!(is_pointed(&room));
    room.click(cell("e5"));
    room.dispatch(Command::Resign(Seat::Two));
    room.settle();
    room.dispatch(Command::Hover(Some(cell("e5"))));
    assert!(room.table().state.outcome.is_some() && !is_pointed(&room));
}

#[test]
fn what_was_pointed_at_on_another_board_is_forgotten() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 19)], person(), person());
    room.dispatch(Command::Hover(Some(edge("north", "s1"))));
    room.start("zurero", &[("size", 5)], person(), person());
    assert_eq!(room.app().pointed, None);
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

#[test]
fn chances_belong_to_a_position_and_agree_with_the_hint() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    for target in [cell("e5"), edge("west", "a5")] {
        room.click(target);
    }
    let first = room.table().key(2).expect("a position");
    let chance = room.table().chance(first).expect("a chance");
    room.dispatch(Command::Undo);
    room.settle();
    room.dispatch(Command::Point(edge("north", "e1")));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.ply == 2));
    let second = room.table().key(2).expect("a position");
    assert_ne!(first, second, "another position after as many actions");
    room.settle();
    assert_eq!(room.table().chance(first), Some(chance), "what is known of the other stays");
    assert!(room.table().chance(second).expect("a chance").is_rough);
    room.dispatch(Command::Hint);
    room.settle();
    let table = room.table();
    let (hint, known) = (table.hint.clone().expect("a hint"), table.chance(second).expect("a chance"));
    assert_eq!((known.first, known.is_rough), (hint.score.win, false));
}

fn marked(room: &Room, kind: MarkKind) -> Vec<Target> {
    room.director.marks().into_iter().filter(|mark| mark.kind == kind).map(|mark| mark.target).collect()
}

fn trails(room: &Room) -> Vec<(Target, Target)> {
    let trail = |mark: Mark| match mark.kind {
        MarkKind::Trail { to, .. } => Some((mark.target, to)),
        _ => None,
    };
    room.director.marks().into_iter().filter_map(trail).collect()
}

#[test]
fn piles_are_dragged_onto_each_other() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    // A move, a merge and a split begin differently, and dragging knows which is meant.
    room.dispatch(Command::TypeMove("b1/a2,b2,c2".into()));
    room.settle();
    let run = room.table().details.iter().find(|detail| detail.kind == "run").cloned().expect("a run");
    room.dispatch(Command::Drag(cell(&run.cells[0]), cell(&run.cells[1])));
    room.settle();
    assert_eq!(room.table().state.last.as_ref().expect("a turn").actions[1], run.action);
    while room.table().state.to_move == Some(Seat::One) {
        room.dispatch(Command::Done);
        room.settle();
    }
    room.dispatch(Command::TypeMove("b8/a7,b7,c7".into()));
    room.settle();
    while room.table().state.to_move == Some(Seat::Two) {
        room.dispatch(Command::Done);
        room.settle();
    }
    let merge = |detail: &&tabuleiro_protocol::Detail| detail.kind == "merge" && detail.cells.len() == 2;
    let merge = room.table().details.iter().find(merge).cloned().expect("two piles that may merge");
    room.dispatch(Command::Drag(cell(&merge.cells[1]), cell(&merge.cells[0])));
    room.settle();
    assert_eq!(room.table().state.last.as_ref().expect("a turn").actions[0], merge.action);
}

#[test]
fn marks_belong_to_the_position_that_is_shown() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    let moves = "@e5 w5 ne w6 e6 n6".split(' ');
    for action in moves.take(3) {
        room.dispatch(Command::TypeMove(action.into()));
        room.settle();
    }
    let newest = trails(&room);
    assert!(!newest.is_empty());
    room.dispatch(Command::LookAt(1));
    room.settle();
    assert_eq!((marked(&room, MarkKind::Last), trails(&room)), (vec![cell("e5")], vec![]));
    room.dispatch(Command::LookAtNow);
    room.settle();
    assert_eq!(trails(&room), newest);
    room.dispatch(Command::ReplayTurn);
    assert!(!room.app().motion.is_still(), "the last turn is shown again");
    room.settle();
    room.dispatch(Command::Undo);
    room.settle();
    let before = trails(&room);
    assert!(!before.is_empty() && before != newest, "the mark of what is last now");
    room.dispatch(Command::Redo);
    room.settle();
    let mut room = room.again();
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.is_some());
    room.settle();
    assert_eq!(trails(&room), newest, "after the program was started again");
}

#[test]
fn what_won_is_marked_only_where_it_won() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], computer("greedy"), computer("random"));
    assert!(room.table().state.outcome.is_some());
    assert!(!marked(&room, MarkKind::Won).is_empty());
    room.dispatch(Command::LookBack);
    room.settle();
    assert_eq!(marked(&room, MarkKind::Won), []);
    let mut room = room.again();
    let path = room.app().saved[0].path.clone();
    room.dispatch(Command::LoadGame(path));
    room.until(|app| app.table.is_some());
    room.settle();
    assert!(!marked(&room, MarkKind::Won).is_empty(), "after it was loaded");
}

#[test]
fn a_hint_names_a_legal_action_and_marks_its_place() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    room.dispatch(Command::Hint);
    room.settle();
    let hint = room.app().table.as_ref().unwrap().hint.clone().expect("a hint");
    assert!(room.app().table.as_ref().unwrap().details.iter().any(|detail| detail.action == hint.actions[0]));
    let hinted = marked(&room, MarkKind::Hint);
    assert!(!hinted.is_empty());
    let open = marked(&room, MarkKind::Open);
    assert!(hinted.iter().all(|place| !open.contains(place)), "one mark in one place");
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

#[test]
fn who_looks_back_can_ask_for_a_hint_there() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    for target in [cell("e5"), edge("west", "a5"), edge("north", "e1")] {
        room.click(target);
    }
    room.dispatch(Command::Resign(Seat::Two));
    room.settle();
    room.dispatch(Command::LookAt(1));
    room.settle();
    room.dispatch(Command::Hint);
    room.settle();
    let hint = room.table().hint.clone().expect("a hint");
    assert!(room.table().looked_details.iter().any(|detail| detail.action == hint.actions[0]));
    assert!(!marked(&room, MarkKind::Hint).is_empty(), "its place is marked");
    room.dispatch(Command::LookAtNow);
    room.settle();
    assert_eq!(marked(&room, MarkKind::Hint), [], "it belongs to the position it is for");
}

/// Two pieces of a pile may go to one cell, and are seen there before they do.
#[test]
fn two_pieces_on_one_cell_are_seen_as_ghosts() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    for target in ["b1", "a2", "a2"] {
        room.click(cell(target));
    }
    assert_eq!(room.ply(), 0, "the third piece is still in the hand");
    room.dispatch(Command::Hover(Some(cell("c2"))));
    room.settle();
    let ghosts = room.director.figures().into_iter().filter(|figure| figure.presence < 1.0);
    let at = |name: &str| tabuleiro::scene::place(cell(name));
    let count = |name: &str| {
        let there = at(name);
        ghosts.clone().filter(|ghost| (ghost.at - there).with_y(0.0).length() < 0.4).count()
    };
    assert_eq!((count("a2"), count("c2")), (2, 1));
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
fn prompts_follow_the_step_and_escape_takes_each_back() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    for (target, words) in [("b1", "in hand"), ("a2", "1 of 3 placed"), ("b2", "2 of 3 placed")] {
        room.click(cell(target));
        let next = room.app().next_step.clone().unwrap_or_default();
        assert!(next.contains(words), "{next}");
    }
    room.dispatch(Command::Escape);
    room.settle();
    assert!(room.app().next_step.as_ref().is_some_and(|next| next.contains("1 of 3")));
    for target in ["b2", "c2"] {
        room.click(cell(target));
    }
    assert_eq!((room.ply(), &room.app().next_step), (1, &None), "the pile is split");
    assert_eq!(room.table().facts.len(), 2, "pieces of both");
    room.dispatch(Command::Escape);
    room.settle();
    assert_eq!(room.ply(), 0, "the step before was an action of this turn");
}

/// Nobody has to wait for a piece of one's own to arrive.
#[test]
fn the_next_step_of_a_turn_can_be_chosen_while_the_last_one_moves() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    for action in ["w@b2", "w@f6", "black", "@d4"] {
        room.dispatch(Command::TypeMove(action.into()));
        room.settle();
    }
    room.click(cell("b2"));
    room.dispatch(Command::Point(cell("a6")));
    room.hold_until(|app| {
        app.table.as_ref().is_some_and(|table| table.state.ply == 5) && !app.pick.is_empty()
    });
    assert!(!room.app().motion.is_still(), "the worker is on its way");
    let open = room.app().pick.open();
    room.click(open[0]);
    assert_eq!(room.ply(), 6, "the stone is placed");
    room.dispatch(Command::Play("f6-g7".into()));
    room.settle();
    let stone = room.app().pick.open()[0];
    room.dispatch(Command::Point(stone));
    room.hold_until(|app| {
        app.table.as_ref().is_some_and(|table| table.state.ply == 8) && !app.pick.is_empty()
    });
    assert!(!room.app().motion.is_still(), "a stone of the other one is on its way");
    room.click(cell("g7"));
    assert_eq!(room.app().pick.chosen(), [], "who wants to skip that has not chosen anything");
}

#[test]
fn what_a_worker_would_see_is_seen_while_it_is_in_the_hand() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    for action in ["w@b2", "w@f6", "black", "@d4"] {
        room.dispatch(Command::TypeMove(action.into()));
        room.settle();
    }
    let lit = |room: &Room| {
        let marks = room.director.marks();
        marks.into_iter().filter(|mark| matches!(mark.kind, MarkKind::Overlay(_))).collect::<Vec<_>>()
    };
    let before = lit(&room);
    room.click(cell("b2"));
    assert!(room.app().next_step.as_ref().is_some_and(|next| next.contains("in your hand")));
    room.dispatch(Command::Hover(Some(cell("a6"))));
    room.settle();
    let after = lit(&room);
    assert!(!after.is_empty() && after != before, "from where it would stand");
}

#[test]
fn a_key_ends_the_moves() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    room.dispatch(Command::Done);
    assert!(room.app().message.as_ref().is_some_and(|message| message.text.contains("nothing to end")));
    while room.app().pick.complete().is_empty() {
        let action = room.table().details[0].action.clone();
        room.dispatch(Command::Play(action));
        room.settle();
    }
    let ply = room.ply();
    room.dispatch(Command::Done);
    room.settle();
    assert_eq!(room.ply(), ply + 1);
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
fn the_position_can_be_read_as_text() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    room.dispatch(Command::Show(Panel::Position));
    room.settle();
    let told = |room: &Room| room.app().position_text.clone().expect("a text").words;
    let text = told(&room);
    assert!(text.contains("Last turn: Black played @e5.") && text.contains("Slide a stone in"), "{text}");
    room.click(edge("west", "a5"));
    let text = told(&room);
    assert!(text.contains("Last turn: White played w5."), "it follows the game: {text}");
    room.dispatch(Command::LookBack);
    room.settle();
    let text = told(&room);
    assert!(text.starts_with("Black stones: e5.\n\n"), "it follows the eye: {text}");
    assert!(text.contains("You are looking back") && text.contains("Last turn: Black played @e5."), "{text}");
}

/// Nobody is told to play who only looks on.
#[test]
fn the_text_of_a_position_says_who_is_to_move_when_it_is_somebody_else() {
    let mut room = Room::new();
    let seats = PerSeat { one: computer("random"), two: computer("random") };
    let new = NewGame { game: "fabrik".into(), options: Options::new(), seats, seed: Some(7) };
    room.dispatch(Command::StartGame(new));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.ply > 3));
    room.dispatch(Command::Pause);
    room.dispatch(Command::Show(Panel::Position));
    room.settle();
    let text = room.app().position_text.clone().expect("a text").words;
    assert!(text.ends_with("\nBlack is to move.") || text.ends_with("\nWhite is to move."), "{text}");
}

#[test]
fn what_was_said_of_a_refused_move_goes_with_the_position() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.dispatch(Command::TypeMove("zz9".into()));
    room.settle();
    let message = room.app().message.clone().expect("a reason");
    assert!(message.text.contains("@e5"), "{}", message.text);
    room.dispatch(Command::TypeMove("@e5".into()));
    room.settle();
    assert_eq!((room.ply(), &room.app().message), (1, &None));
}

/// Its letters would turn the camera.
#[test]
fn no_line_for_moves_is_open_that_is_not_to_be_seen() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    room.dispatch(Command::Toggle(Panel::MoveEntry));
    assert!(room.app().panels.contains(&Panel::MoveEntry));
    room.dispatch(Command::LookBack);
    room.settle();
    assert!(!room.app().panels.contains(&Panel::MoveEntry), "there is no room for it");
    room.dispatch(Command::Toggle(Panel::MoveEntry));
    assert!(!room.app().panels.contains(&Panel::MoveEntry));
    let message = room.app().message.clone().expect("a reason");
    assert!(message.text.contains("looking back"), "{}", message.text);
    room.dispatch(Command::LookAtNow);
    room.settle();
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    room.dispatch(Command::Toggle(Panel::MoveEntry));
    assert!(!room.app().panels.contains(&Panel::MoveEntry));
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

/// Why a move was refused is said where it was made, not on the page that one goes to next.
#[test]
fn a_refusal_stays_with_the_board() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    for away in [Command::PrepareAnother, Command::ShowHome] {
        room.dispatch(Command::TypeMove("zz".into()));
        room.until(|app| app.message.is_some());
        room.dispatch(away.clone());
        assert_eq!(room.app().message, None, "{away:?}");
        room.dispatch(Command::ContinueGame);
        room.settle();
        // The reason for a click comes when the engine has answered.
        room.dispatch(Command::Point(cell("a1")));
        room.dispatch(away.clone());
        room.settle();
        assert_eq!(room.app().refusal, None, "{away:?}");
        room.dispatch(Command::ContinueGame);
        room.settle();
    }
}

/// Who says who goes first in Fabrik is told by a hint what to do with it.
#[test]
fn a_hint_that_begins_with_a_choice_marks_what_follows() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    for action in ["w@b2", "w@f6"] {
        room.dispatch(Command::Play(action.into()));
        room.settle();
    }
    room.dispatch(Command::Hint);
    room.settle();
    let hint = room.table().hint.clone().expect("a hint");
    assert!(["black", "white"].contains(&hint.actions[0].as_str()), "{hint:?}");
    let stone = hint.actions.iter().chain(&hint.pv).find_map(|action| action.strip_prefix('@'));
    let places = marked(&room, MarkKind::Hint);
    assert_eq!(places, hint.actions.get(1).and(stone).map(cell).into_iter().collect::<Vec<_>>());
    assert!(!places.is_empty() || hint.actions.len() == 1, "{hint:?}");
    room.dispatch(Command::Undo);
    room.settle();
    assert_eq!(marked(&room, MarkKind::Hint), [], "it was for another position");
}

/// Rings of a hint would lie on what moves.
#[test]
fn the_last_turn_is_shown_again_without_the_hint() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    for target in [cell("e5"), edge("west", "a5")] {
        room.click(target);
    }
    room.dispatch(Command::Hint);
    room.settle();
    assert!(!marked(&room, MarkKind::Hint).is_empty());
    room.dispatch(Command::ReplayTurn);
    assert_eq!(marked(&room, MarkKind::Hint), []);
    room.settle();
    assert!(!marked(&room, MarkKind::Hint).is_empty(), "afterwards it is there again");
}

/// Where a light tower and a dark one may stand, keys say which, and one sees it before it is done.
#[test]
fn one_of_two_towers_is_chosen_by_keys() {
    let mut room = Room::new();
    room.start("syrtis", &[], person(), person());
    let both = {
        let details = &room.table().details;
        let count = |cell: &str| details.iter().filter(|detail| detail.cells == [cell]).count();
        details.iter().map(|detail| detail.cells[0].clone()).find(|cell| count(cell) == 2)
    };
    let place = cell(&both.expect("a tile for both"));
    room.dispatch(Command::Hover(Some(place)));
    room.dispatch(Command::PointAtCursor);
    room.settle();
    assert_eq!(room.ply(), 0);
    let prompt = room.app().next_step.clone().expect("a question");
    assert!(prompt.contains("light tower or a dark one"), "{prompt}");
    let ghost = |room: &Room| {
        let figures = room.director.figures();
        let ghost = figures.into_iter().find(|figure| figure.presence < 1.0);
        ghost.unwrap_or_else(|| panic!("no ghost of {:?}", room.app().pick.considered())).shape
    };
    let considered = |room: &Room| room.app().pick.considered().expect("one of them").action.clone();
    let (first, light) = (considered(&room), ghost(&room));
    room.dispatch(Command::NextOpen { backwards: false });
    room.settle();
    let (second, dark) = (considered(&room), ghost(&room));
    assert!(first != second && light != dark, "{first} {second}");
    room.dispatch(Command::MoveCursor { columns: 1, rows: 0 });
    room.settle();
    assert_eq!(considered(&room), first, "arrows do it, too");
    room.dispatch(Command::Point(place));
    room.settle();
    let refusal = room.app().refusal.clone().expect("a reason");
    assert!(refusal.text.contains("light or dark"), "{}", refusal.text);
    room.dispatch(Command::Consider(Some(second.clone())));
    room.settle();
    assert_eq!(ghost(&room), dark, "the pointer on a button shows what it does");
    room.dispatch(Command::PointAtCursor);
    room.settle();
    assert_eq!((room.ply(), &room.table().turns[0].actions[0]), (1, &second));
}

/// Actions without a place are chosen by keys as well.
#[test]
fn who_goes_first_is_chosen_by_keys() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    for action in ["w@b2", "w@f6"] {
        room.dispatch(Command::Play(action.into()));
        room.settle();
    }
    for _ in 0..2 {
        room.dispatch(Command::NextOpen { backwards: false });
    }
    let second = room.app().pick.considered().expect("one of them").action.clone();
    room.dispatch(Command::PointAtCursor);
    room.settle();
    assert_eq!(room.table().turns.last().and_then(|turn| turn.actions.last()), Some(&second));
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

/// A person's own turn goes on at once: what comes next is asked for while the last piece still moves.
#[test]
fn who_is_in_the_middle_of_a_turn_is_not_kept_waiting() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    room.dispatch(Command::TypeMove("b1/a2,b2,c2".into()));
    room.hold_until(|app| app.table.as_ref().is_some_and(|table| table.state.ply == 1));
    assert!(!room.app().motion.is_still() && room.table().in_motion().is_none());
}

/// A hint is a whole turn: each of its actions has its number on the board, and what is left of it
/// stays when the first was played.
#[test]
fn a_hint_shows_its_whole_turn() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    room.dispatch(Command::Hint);
    room.settle();
    let hint = room.table().hint.clone().expect("a hint").actions;
    assert!(hint.len() > 1, "{hint:?}");
    let numbers = |room: &Room| -> Vec<u8> {
        let number = |mark: Mark| match mark.kind {
            MarkKind::Line { number, .. } => number,
            _ => None,
        };
        let mut numbers: Vec<u8> = room.director.marks().into_iter().filter_map(number).collect();
        numbers.sort();
        numbers
    };
    let on_board = hint.iter().filter(|action| action.contains(char::is_alphanumeric)).count() as u8;
    assert_eq!(numbers(&room), (1..=on_board).collect::<Vec<_>>());
    room.dispatch(Command::TypeMove(hint[0].clone()));
    room.settle();
    assert_eq!(room.table().hint.as_ref().map(|hint| &hint.actions[..]), Some(&hint[1..]));
    let left: Vec<u8> = (1..on_board).collect();
    assert_eq!(numbers(&room), if left.len() > 1 { left } else { Vec::new() });
    // Whoever plays something else has no use for the rest.
    let other =
        room.table().details.iter().find(|detail| detail.action != hint[1]).cloned().expect("an action");
    room.dispatch(Command::Play(other.action));
    room.settle();
    assert!(room.table().hint.is_none());
}

/// Piece by piece a split is seen as far as it is said, before anything is played.
#[test]
fn a_split_has_ghosts_from_its_first_piece_on() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    let ghosts = |room: &mut Room| {
        room.settle();
        let figures = room.director.figures();
        figures.iter().filter(|figure| figure.presence < 1.0).map(|figure| figure.at).collect::<Vec<_>>()
    };
    room.dispatch(Command::Point(cell("b1")));
    assert!(ghosts(&mut room).is_empty(), "nothing has gone anywhere");
    room.dispatch(Command::Hover(Some(cell("a2"))));
    assert_eq!(ghosts(&mut room).len(), 1, "where the first piece would go");
    room.dispatch(Command::Point(cell("a2")));
    room.dispatch(Command::Hover(None));
    assert_eq!(ghosts(&mut room).len(), 1, "where it goes");
    room.dispatch(Command::Hover(Some(cell("b2"))));
    assert_eq!(ghosts(&mut room).len(), 2);
    room.dispatch(Command::Point(cell("b2")));
    room.dispatch(Command::Hover(Some(cell("c2"))));
    assert!(ghosts(&mut room).len() >= 3, "all of it, and the pile that would be gone");
    assert_eq!(room.ply(), 0);
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

/// A game that is opened has chances from its start to its end, whoever has played it when.
#[test]
fn chances_of_a_game_that_is_opened_begin_and_end_with_it() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    for target in [cell("e5"), edge("west", "a5"), edge("north", "e1")] {
        room.click(target);
    }
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
