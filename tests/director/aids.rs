//! What helps to read the board: each aid keeps its form, and what takes long is asked for.

use tabuleiro::command::Command;
use tabuleiro::scene::MarkKind;
use tabuleiro_protocol::Overlay;

use crate::room::{Room, person};

fn of_name<'a>(room: &'a Room, name: &str) -> Vec<&'a Overlay> {
    room.table().overlays.iter().filter(|overlay| overlay.name == name).collect()
}

#[test]
fn what_could_be_absorbed_is_shown_once_it_is_asked_for() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    // Any actions will do: sooner or later piles come near each other.
    room.dispatch(Command::ToggleReach);
    room.settle();
    for number in 0..150 {
        if !of_name(&room, "reach").is_empty() {
            break;
        }
        let details = &room.table().details;
        let action = details[number * 7 % details.len()].action.clone();
        room.dispatch(Command::Play(action));
        room.settle();
    }
    let reach = of_name(&room, "reach");
    assert!(!reach.is_empty(), "nothing could ever be absorbed");
    assert!(reach.iter().all(|overlay| !overlay.cells.is_empty() && overlay.seat.is_some()));
    let marks = room.director.marks();
    assert!(marks.iter().any(|mark| matches!(mark.kind, MarkKind::Overlay(_))));
    room.dispatch(Command::ToggleReach);
    room.settle();
    assert!(of_name(&room, "reach").is_empty(), "only who asks is told");
    room.start("zurero", &[("size", 5)], person(), person());
    room.dispatch(Command::ToggleReach);
    assert!(room.app().message.is_some(), "it is said where there is nothing to show");
}

#[test]
fn a_worker_keeps_the_form_of_its_sight_wherever_it_goes() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    for action in ["w@b2", "w@f6", "black"] {
        room.dispatch(Command::Play(action.into()));
        room.settle();
    }
    let form = |room: &Room, words: &str| {
        let table = room.table();
        let overlay = table.overlays.iter().find(|overlay| overlay.text.contains(words));
        table.forms.of(overlay.unwrap_or_else(|| panic!("{words}: {:?}", table.overlays)))
    };
    let (first, second, both) = (form(&room, "b2"), form(&room, "f6"), form(&room, "both"));
    assert!(first != second && second != both && first != both);
    let stone = room.table().details.iter().find(|detail| detail.kind == "stone").expect("a stone");
    room.dispatch(Command::Play(stone.action.clone()));
    room.settle();
    // The first worker goes to the other side of the second.
    let goes =
        room.table().details.iter().find(|detail| detail.action == "b2-g7").expect("the worker may go");
    room.dispatch(Command::Play(goes.action.clone()));
    room.settle();
    assert_eq!((form(&room, "g7"), form(&room, "f6"), form(&room, "both")), (first, second, both));
}
