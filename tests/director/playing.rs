//! Making a move: by pointing, by keys, by typing.

use std::f32::consts::PI;

use tabuleiro::app::Screen;
use tabuleiro::command::{Command, Panel};
use tabuleiro::scene::{Mark, MarkKind};
use tabuleiro_protocol::Seat;

use crate::room::{Room, cell, edge, person};

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
fn what_was_pointed_at_on_another_board_is_forgotten() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 19)], person(), person());
    room.dispatch(Command::Hover(Some(edge("north", "s1"))));
    room.start("zurero", &[("size", 5)], person(), person());
    assert_eq!(room.app().pointed, None);
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

/// Who drags while a turn of the other one is shown ends the movement, as a click does. A stone at the
/// end of the way would be something else than what was meant.
#[test]
fn dragging_while_a_turn_is_shown_plays_nothing() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    for action in ["w@b2", "w@f6", "black"] {
        room.dispatch(Command::TypeMove(action.into()));
        room.settle();
    }
    room.dispatch(Command::TypeMove("@d4".into()));
    room.hold_until(|app| {
        app.table.as_ref().is_some_and(|table| table.state.ply == 4) && !app.pick.is_empty()
    });
    assert!(!room.app().motion.is_still(), "the stone is on its way");
    assert!(room.app().pick.open().contains(&cell("b6")), "a stone may be placed there");
    room.dispatch(Command::Drag(cell("b2"), cell("b6")));
    room.settle();
    assert!(room.app().motion.is_still() && room.ply() == 4, "{:?}", room.table().state.last);
    room.dispatch(Command::Drag(cell("b2"), cell("b6")));
    room.settle();
    assert_eq!(room.table().state.last.as_ref().expect("a turn").actions, ["b2-b6"]);
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

/// Arrows lead where they point on the screen, from whichever side the board is seen.
#[test]
fn arrows_go_the_way_they_point() {
    for (game, yaw, up, right) in [
        ("zurero", 0.0, "e4", "f4"),
        ("zurero", PI, "e6", "d6"),
        ("zurero", 1.4, "d5", "d4"),
        ("absorption", PI, "e6", "d6"),
    ] {
        let mut room = Room::new();
        let options: &[_] = if game == "zurero" { &[("size", 9)] } else { &[] };
        room.start(game, options, person(), person());
        if game == "absorption" {
            assert_eq!(room.app().yaw, yaw, "X sits on the side of row 1");
        }
        room.director.look_from(yaw);
        room.dispatch(Command::Hover(Some(cell("e5"))));
        room.dispatch(Command::MoveCursor { right: 0, down: -1 });
        assert_eq!(room.app().pointed, Some(cell(up)), "{game} from {yaw}");
        room.dispatch(Command::MoveCursor { right: 1, down: 0 });
        assert_eq!(room.app().pointed, Some(cell(right)), "{game} from {yaw}");
    }
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
    room.dispatch(Command::MoveCursor { right: 1, down: 0 });
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

/// A person's own turn goes on at once: what comes next is asked for while the last piece still moves.
#[test]
fn who_is_in_the_middle_of_a_turn_is_not_kept_waiting() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    room.dispatch(Command::TypeMove("b1/a2,b2,c2".into()));
    room.hold_until(|app| app.table.as_ref().is_some_and(|table| table.state.ply == 1));
    assert!(!room.app().motion.is_still() && room.table().in_motion().is_none());
}
