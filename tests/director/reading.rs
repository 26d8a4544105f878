//! What is read rather than looked at: the position as text, rules, the console.

use std::f32::consts::PI;

use tabuleiro::command::{Command, NewGame, Panel};
use tabuleiro_protocol::{Options, PerSeat, Seat};

use crate::room::{Room, cell, computer, edge, person};

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

#[test]
fn what_ends_a_turn_is_no_part_of_the_sentence_about_it() {
    let mut room = Room::new();
    room.start("absorption", &[], person(), person());
    for action in ["b1/a2,b2,c2", "."] {
        room.dispatch(Command::TypeMove(action.into()));
        room.settle();
    }
    room.dispatch(Command::Show(Panel::Position));
    room.settle();
    let text = room.app().position_text.clone().expect("a text").words;
    assert!(text.contains("Last turn: X played b1/a2,b2,c2.\n"), "{text}");
}

/// Text and board agree about what is on top, wherever the person sits.
#[test]
fn the_position_as_text_is_seen_from_where_one_sits() {
    for (game, own, letters) in [
        ("absorption", Seat::One, "h       g"),
        ("absorption", Seat::Two, "a       b"),
        ("fabrik", Seat::One, "A | B"),
        ("fabrik", Seat::Two, "K | J"),
    ] {
        let mut room = Room::new();
        let [one, two] = Seat::BOTH.map(|seat| if seat == own { person() } else { computer("random") });
        room.start(game, &[], one, two);
        room.dispatch(Command::Show(Panel::Position));
        room.settle();
        let text = room.app().position_text.clone().expect("a text").drawing;
        assert!(text.trim_start_matches([' ', '|']).starts_with(letters), "{game}, {own}:\n{text}");
        room.director.look_from(room.app().yaw + PI);
        room.settle();
        let flipped = room.app().position_text.clone().expect("a text").drawing;
        assert_ne!(flipped, text, "it follows the view");
    }
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
fn rules_and_console_are_there_on_request() {
    let mut room = Room::new();
    room.dispatch(Command::Show(Panel::Rules));
    room.settle();
    assert_eq!(room.app().rules.len(), 4);
    assert!(room.app().console.iter().any(|line| line.sent && line.line.contains("\"rules\"")));
    room.dispatch(Command::Escape);
    assert!(!room.app().panels.contains(&Panel::Rules));
}
