//! The game as a tree: variations, comments and marks, here and at a table that others watch.

use tabuleiro::command::{Command, Panel, TreeCommand};
use tabuleiro_protocol::{Mark, Seat};

use crate::room::{Engine, Room, cell, computer, edge, person};

fn tree(room: &Room) -> &tabuleiro::tree::GameTree {
    room.table().tree.as_ref().expect("a tree")
}

fn ask(room: &mut Room, command: TreeCommand) {
    room.dispatch(Command::Tree(command));
    room.settle();
}

fn look_at(room: &mut Room, node: u32) {
    ask(room, TreeCommand::LookAt(node));
    assert_eq!(room.table().shown().node, node);
}

/// Every row: how deep it lies, and what was played.
fn listed(room: &Room) -> Vec<String> {
    let tree = tree(room);
    let row = |row: &tabuleiro::tree::Row| {
        format!("{}{}", "  ".repeat(row.depth), tree.actions(row).collect::<Vec<_>>().join(" "))
    };
    tree.rows().iter().map(row).collect()
}

/// Three turns of Zurero, the nodes 1 to 3.
fn begun() -> Room {
    let mut room = Room::new();
    room.start_three_turns();
    room
}

/// The same with another answer to the first turn, node 4, where the game stands.
fn branched() -> Room {
    let mut room = begun();
    look_at(&mut room, 1);
    room.dispatch(Command::PlayOnFromHere);
    room.settle();
    room.click(edge("south", "e9"));
    room
}

#[test]
fn playing_on_from_earlier_is_a_variation_of_the_same_game() {
    let mut room = begun();
    room.dispatch(Command::Resign(Seat::Two));
    room.settle();
    let file = room.app().saved[0].path.clone();
    look_at(&mut room, 1);
    room.dispatch(Command::PlayOnFromHere);
    room.settle();
    room.click(edge("south", "e9"));
    assert_eq!(listed(&room), ["@e5", "w5", "  se", "ne"]);
    let saved = &room.app().saved;
    assert_eq!(saved.iter().map(|game| (&game.path, game.finished)).collect::<Vec<_>>(), [(&file, false)]);
    // After the program was started again everything is there, the resignation included.
    let mut room = room.again();
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.is_some());
    room.settle();
    assert_eq!(listed(&room), ["@e5", "w5", "  se", "ne"]);
    look_at(&mut room, 3);
    room.dispatch(Command::PlayOnFromHere);
    room.settle();
    let outcome = room.table().state.outcome.as_ref().expect("it ended there");
    assert_eq!(outcome.winner, Some(Seat::One));
}

#[test]
fn a_resignation_that_is_taken_back_stays_in_its_own_file() {
    let mut room = begun();
    room.dispatch(Command::Resign(Seat::Two));
    room.settle();
    let finished = room.app().saved[0].path.clone();
    room.dispatch(Command::Undo);
    room.settle();
    room.until(|app| app.saved.len() == 2);
    let saved = &room.app().saved;
    assert_eq!(saved.iter().map(|game| game.finished).collect::<Vec<_>>(), [false, true]);
    assert_eq!(saved[1].path, finished);
}

#[test]
fn who_lost_has_lost_whatever_is_played_from_an_earlier_position() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), computer("greedy"));
    room.click(cell("e5"));
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    let lost = |room: &Room| room.app().saved[0].result.as_ref().expect("a result").won;
    assert_eq!(lost(&room), Some(false));
    look_at(&mut room, 0);
    room.dispatch(Command::PlayOnFromHere);
    room.settle();
    room.click(cell("e4"));
    assert_eq!(room.app().saved.len(), 1);
    assert_eq!(lost(&room), Some(false));
}

#[test]
fn one_looks_along_a_variation_and_from_one_to_the_other() {
    let mut room = branched();
    assert_eq!(room.table().state.node, 4);
    room.dispatch(Command::LookBack);
    room.settle();
    assert_eq!(room.table().shown().node, 1);
    room.dispatch(Command::LookAhead);
    room.settle();
    assert_eq!((room.table().shown().node, &room.table().looked_at), (4, &None), "along the line");
    ask(&mut room, TreeCommand::Variation { backwards: false });
    assert_eq!(room.table().shown().node, 2);
    let rows = room.table().shown().rows.clone();
    assert_eq!(room.app().motion.final_tokens(), &tabuleiro::board::Tokens::read(&rows));
    room.dispatch(Command::LookAhead);
    room.settle();
    assert_eq!(room.table().shown().node, 3, "along what is looked at, and not along the line");
    assert_eq!(room.table().shown_turn().expect("a turn").steps[0].action, "ne");
    room.dispatch(Command::LookAtNow);
    room.settle();
    assert_eq!(room.table().shown().node, 4);
}

#[test]
fn comments_and_marks_are_kept_with_the_game() {
    let mut room = begun();
    look_at(&mut room, 2);
    ask(&mut room, TreeCommand::Comment("  The usual answer. ".into()));
    ask(&mut room, TreeCommand::NextMark);
    assert_eq!(room.table().shown().node, 2, "one goes on looking at it");
    ask(&mut room, TreeCommand::NextMark);
    let mut room = room.again();
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.is_some());
    room.settle();
    let node = tree(&room).get(2).expect("a node");
    assert_eq!((node.comment.as_deref(), node.mark), (Some("The usual answer."), Some(Mark::Bad)));
    look_at(&mut room, 2);
    room.dispatch(Command::Show(Panel::Comment));
    ask(&mut room, TreeCommand::Comment(String::new()));
    assert!(!room.app().panels.contains(&Panel::Comment));
    ask(&mut room, TreeCommand::Mark(None));
    let node = tree(&room).get(2).expect("a node");
    assert_eq!((&node.comment, node.mark), (&None, None));
}

#[test]
fn variations_are_promoted_deleted_put_back_and_folded() {
    let mut room = branched();
    assert_eq!(listed(&room), ["@e5", "w5", "  se", "ne"]);
    ask(&mut room, TreeCommand::Promote);
    assert_eq!(listed(&room), ["@e5", "se", "  w5", "  ne"]);
    ask(&mut room, TreeCommand::Promote);
    room.until_told("main line already");
    look_at(&mut room, 3);
    ask(&mut room, TreeCommand::Fold(None));
    assert_eq!(listed(&room), ["@e5", "se", "  w5"]);
    look_at(&mut room, 3);
    assert_eq!(listed(&room).len(), 4, "what is looked at is seen");
    look_at(&mut room, 2);
    ask(&mut room, TreeCommand::Delete);
    assert_eq!(listed(&room), ["@e5", "se"]);
    assert_eq!((&room.table().looked_at, room.table().shown().node), (&None, 4), "what is there is shown");
    ask(&mut room, TreeCommand::Restore);
    assert_eq!(listed(&room), ["@e5", "se", "  w5", "  ne"]);
    // Where the game stands, it goes back.
    ask(&mut room, TreeCommand::Delete);
    assert_eq!((room.table().state.node, listed(&room).len()), (1, 3));
    ask(&mut room, TreeCommand::Restore);
    ask(&mut room, TreeCommand::Restore);
    room.until_told("Nothing was deleted");
    look_at(&mut room, 0);
    ask(&mut room, TreeCommand::Delete);
    room.until_told("cannot be deleted");
}

#[test]
fn a_turn_of_several_actions_is_one_row_and_goes_as_a_whole() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    room.dispatch(Command::TypeMove("b1/a2,b2,c2".into()));
    room.settle();
    while room.table().state.to_move == Some(Seat::One) {
        room.dispatch(Command::Done);
        room.settle();
    }
    assert_eq!(tree(&room).rows().len(), 1);
    let actions = room.table().state.last.as_ref().expect("a turn").actions.len();
    assert!(actions > 1);
    assert_eq!(tree(&room).rows()[0].nodes.len(), actions);
    ask(&mut room, TreeCommand::Delete);
    assert_eq!((tree(&room).rows().len(), room.ply()), (0, 0));
}

#[test]
fn who_watches_a_table_sees_its_tree_change() {
    let engine = Engine::start();
    let mut room = Room::at(&engine);
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    let name = room.table().state.table.clone();
    let mut guest = Room::at(&engine);
    guest.dispatch(Command::Watch(name));
    guest.until(|app| app.table.as_ref().is_some_and(|table| table.tree.is_some()));
    room.click(edge("west", "a5"));
    ask(&mut room, TreeCommand::Comment("Hm.".into()));
    ask(&mut room, TreeCommand::Mark(Some(Mark::Dubious)));
    guest.until(|app| {
        let tree = app.table.as_ref().and_then(|table| table.tree.as_ref());
        tree.and_then(|tree| tree.get(2)).is_some_and(|node| node.mark == Some(Mark::Dubious))
    });
    assert_eq!(tree(&guest).get(2).expect("a node").comment.as_deref(), Some("Hm."));
    guest.settle();
    look_at(&mut guest, 2);
    look_at(&mut room, 1);
    room.dispatch(Command::PlayOnFromHere);
    room.settle();
    room.click(edge("south", "e9"));
    guest.until(|app| {
        app.table.as_ref().and_then(|table| table.tree.as_ref()).is_some_and(|tree| tree.get(3).is_some())
    });
    guest.settle();
    assert_eq!(listed(&guest), ["@e5", "w5", "  se"]);
    ask(&mut guest, TreeCommand::Comment("Mine".into()));
    guest.until_told("only watching");
    // What the guest looks at is deleted.
    look_at(&mut guest, 2);
    look_at(&mut room, 2);
    ask(&mut room, TreeCommand::Delete);
    guest.until(|app| app.table.as_ref().is_some_and(|table| table.looked_at.is_none()));
    guest.settle();
    assert_eq!(listed(&guest), ["@e5", "se"]);
}

#[test]
fn what_can_be_read_of_a_damaged_game_is_offered() {
    let room = branched();
    let path = room.app().saved[0].path.clone();
    let mut room = room.before_again(|_| {
        let text = std::fs::read_to_string(&path).expect("the game");
        let mut game: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let variation = &mut game["record"]["variations"][0]["actions"];
        assert!(variation.is_array(), "{text}");
        variation[1] = "z99".into();
        std::fs::write(&path, game.to_string()).expect("a damaged game");
    });
    room.start("zurero", &[("size", 7)], person(), person());
    room.click(cell("d4"));
    let damaged = room.app().saved.iter().find(|saved| saved.path == path).expect("the game").path.clone();
    room.dispatch(Command::LoadGame(damaged.clone()));
    room.until(|app| app.panels.contains(&Panel::Damaged));
    let damage = &room.app().offered.as_ref().expect("what can be read").damage;
    assert_eq!(damage[0].place, "variations[0].actions[1]");
    assert_eq!(
        (room.ply(), room.app().motion.final_tokens().columns()),
        (1, 7),
        "the open game is untouched"
    );
    room.click(edge("west", "a4"));
    assert_eq!(room.ply(), 2);
    let before = std::fs::read_to_string(&damaged).expect("the game");
    room.dispatch(Command::OpenReadable);
    room.until(|app| app.motion.final_tokens().columns() == 9);
    room.settle();
    assert_eq!(listed(&room), ["@e5", "w5", "  se"]);
    assert_eq!(std::fs::read_to_string(&damaged).expect("the game"), before, "the file is as it was");
    assert_eq!(room.app().saved.len(), 3);
}
