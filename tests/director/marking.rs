//! Marks, hints and ghosts on the board.

use macroquad::math::Vec3;
use tabuleiro::board::Target;
use tabuleiro::command::Command;
use tabuleiro::scene::{Mark, MarkKind, place};
use tabuleiro_protocol::Seat;

use crate::room::{Room, cell, computer, edge, person};

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

#[test]
fn who_looks_back_can_ask_for_a_hint_there() {
    let mut room = Room::new();
    room.start_three_turns();
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

/// Where ghosts are, once all is known about them.
fn ghosts(room: &mut Room) -> Vec<Vec3> {
    room.settle();
    let figures = room.director.figures();
    figures.iter().filter(|figure| figure.presence < 1.0).map(|figure| figure.at).collect()
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
    let ghosts = ghosts(&mut room);
    let count = |name: &str| {
        let there = place(cell(name));
        ghosts.iter().filter(|&&ghost| (ghost - there).with_y(0.0).length() < 0.4).count()
    };
    assert_eq!((count("a2"), count("c2")), (2, 1));
}

/// Piece by piece a split is seen as far as it is said, before anything is played.
#[test]
fn a_split_has_ghosts_from_its_first_piece_on() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
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
