//! Looking into positions: the best turns live, their lines as ghosts, and threats.

use std::fs;

use serde_json::Value;
use tabuleiro::analysis::Found;
use tabuleiro::app::App;
use tabuleiro::command::Command;
use tabuleiro::scene::MarkKind;
use tabuleiro_protocol::Seat;

use crate::room::{Engine, Room, cell, person};

fn found(app: &App) -> &Found {
    app.analysis.found.as_ref().expect("something")
}

/// Waits until the position that is shown was looked into so deep.
fn until_known(room: &mut Room, depth: u32) {
    room.until(|app| {
        let shown = app.table.as_ref().map(|table| table.shown().node);
        let subject = app.analysis.subject.as_ref().map(|subject| subject.node);
        subject == shown && app.analysis.has_come_to(depth)
    });
}

/// The sizes of the marks of lines, by the number of the line.
fn strengths(room: &Room) -> Vec<(u8, u8)> {
    let marks = room.director.marks().into_iter();
    let mut strengths: Vec<(u8, u8)> = marks
        .filter_map(|mark| match mark.kind {
            MarkKind::Line { number: Some(number), strength, .. } => Some((number, strength)),
            _ => None,
        })
        .collect();
    strengths.sort_unstable();
    strengths
}

#[test]
fn the_best_turns_are_found_and_shown_only_when_asked_for() {
    let mut room = Room::new();
    room.start_three_turns();
    assert!(!room.app().analysis.is_on && strengths(&room).is_empty(), "nobody has asked");
    room.dispatch(Command::ToggleAnalysis);
    until_known(&mut room, 3);
    assert_eq!(found(room.app()).lines.len(), 3);
    let strengths = strengths(&room);
    assert_eq!(strengths.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(strengths[0].1, 100, "the best one is the largest: {strengths:?}");
    assert!(strengths.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{strengths:?}");
    // The graph has what was found.
    let table = room.table();
    assert!(table.chance(table.key(3).unwrap()).is_some());
    // More lines, fewer lines.
    room.dispatch(Command::ChangeLines { more: true });
    room.until(|app| app.analysis.found.as_ref().is_some_and(|found| found.lines.len() == 4));
    room.dispatch(Command::ToggleAnalysis);
    room.settle();
    assert!(room.app().analysis.found.is_none() && room.app().ghosts.is_none());
    assert!(self::strengths(&room).is_empty());
}

/// Whether it is shown what the last turn did.
fn has_trails(room: &Room) -> bool {
    let is_trail = |kind: MarkKind| matches!(kind, MarkKind::Trail { .. } | MarkKind::Last);
    room.director.marks().iter().any(|mark| is_trail(mark.kind))
}

#[test]
fn a_line_is_played_as_ghosts_while_it_is_pointed_at_or_chosen() {
    let mut room = Room::new();
    room.start_three_turns();
    room.dispatch(Command::NextLine { backwards: false });
    assert!(room.app().message.as_ref().is_some_and(|message| message.text.contains("No line")));
    let before = room.director.figures();
    room.dispatch(Command::ToggleAnalysis);
    until_known(&mut room, 3);
    assert_eq!(room.director.figures(), before, "arrows are enough until a line is wanted");
    room.dispatch(Command::NextLine { backwards: false });
    room.until(|app| app.ghosts.as_ref().is_some_and(|ghosts| ghosts.shown().len() > 1));
    assert!(room.director.figures().iter().any(|figure| figure.presence < 1.0));
    assert!(!has_trails(&room), "what led here is not told from what might follow");
    assert_eq!(strengths(&room)[..2], [(1, 100), (2, 100)], "turn by turn");
    room.dispatch(Command::PointAtLine(Some(1)));
    room.until(|app| app.ghosts.is_some());
    assert_eq!(room.app().analysis.shown_line(), Some(1), "the pointer comes first");
    room.dispatch(Command::PointAtLine(None));
    room.dispatch(Command::Escape);
    room.until(|app| app.ghosts.is_none());
    assert!(has_trails(&room));
    assert!(room.app().analysis.is_on, "only the line was put away");
    assert_eq!(room.director.figures(), before);
    room.dispatch(Command::Escape);
    assert!(!room.app().analysis.is_on);
    assert_eq!(room.ply(), 3, "nothing was played");
}

#[test]
fn it_goes_on_where_it_was_and_stays_with_the_game() {
    let mut room = Room::new();
    room.start_three_turns();
    room.dispatch(Command::ToggleAnalysis);
    room.until(|app| app.analysis.found.as_ref().is_some_and(|found| found.nodes > 30_000));
    let here = room.table().shown().node;
    let (depth, nodes) = (found(room.app()).depth, found(room.app()).nodes);
    room.dispatch(Command::LookBack);
    room.until(|app| app.analysis.subject.as_ref().is_some_and(|subject| subject.node != here));
    until_known(&mut room, 1);
    room.dispatch(Command::LookAtNow);
    room.until(|app| app.table.as_ref().is_some_and(|table| table.shown().node == here));
    room.until(|app| app.analysis.subject.as_ref().is_some_and(|subject| subject.node == here));
    room.until(|app| app.analysis.found.is_some());
    assert!(found(room.app()).depth >= depth, "it begins with what was known");
    assert!(found(room.app()).nodes >= nodes);
    room.dispatch(Command::ToggleAnalysis);
    room.until(|app| app.saved.iter().any(|saved| kept_nodes(&saved.path, here) >= nodes));
}

/// How many positions were looked at for what a saved game has to say about a node.
fn kept_nodes(path: &std::path::Path, node: u32) -> u64 {
    let text = fs::read_to_string(path).unwrap_or_default();
    let saved: Value = serde_json::from_str(&text).unwrap_or_default();
    let notes = saved.pointer("/record/notes").or_else(|| saved.pointer("/notes"));
    let notes = notes.and_then(Value::as_array).into_iter().flatten();
    let of_node = notes.filter(|note| note["node"] == node);
    of_node.filter_map(|note| note["evaluation"]["choice"]["nodes"].as_u64()).max().unwrap_or(0)
}

#[test]
fn a_threat_is_found_or_it_is_said_why_there_is_none() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.dispatch(Command::ToggleThreat);
    room.until(|app| app.analysis.problem.is_some());
    let problem = room.app().analysis.problem.clone().unwrap_or_default();
    assert!(problem.contains("seat 1"), "{problem}");
    room.click(cell("e5"));
    until_known(&mut room, 2);
    let app = room.app();
    assert!(app.analysis.threat && app.analysis.problem.is_none());
    let subject = app.analysis.subject.as_ref().expect("a position");
    assert_ne!(Some(subject.seat), room.table().shown().to_move, "it is about the other one");
    room.dispatch(Command::ToggleThreat);
    until_known(&mut room, 2);
    assert!(!room.app().analysis.threat);
}

#[test]
fn at_a_shared_table_nothing_found_is_shown_to_others() {
    let engine = Engine::start();
    let mut room = Room::at(&engine);
    room.start_three_turns();
    room.dispatch(Command::ToggleAnalysis);
    room.until(|app| app.analysis.found.as_ref().is_some_and(|found| found.nodes > 30_000));
    room.dispatch(Command::ToggleAnalysis);
    room.settle();
    assert!(room.app().saved.iter().all(|saved| kept_nodes(&saved.path, 3) == 0));
    // In another game nobody has asked for it.
    room.dispatch(Command::ToggleAnalysis);
    room.start("zurero", &[("size", 5)], person(), person());
    assert!(!room.app().analysis.is_on);
}

#[test]
fn where_somebody_has_resigned_the_position_is_looked_into_all_the_same() {
    let mut room = Room::new();
    room.start_three_turns();
    room.dispatch(Command::Resign(Seat::One));
    room.settle();
    assert_eq!(room.table().state.to_move, None);
    room.dispatch(Command::ToggleAnalysis);
    until_known(&mut room, 3);
    let analysis = &room.app().analysis;
    assert_eq!(
        (analysis.subject.as_ref().map(|subject| subject.seat), &analysis.problem),
        (Some(Seat::Two), &None)
    );
    room.dispatch(Command::NextLine { backwards: false });
    room.until(|app| app.ghosts.is_some());
}

#[test]
fn aids_make_room_for_the_best_turns() {
    let mut room = Room::new();
    room.start("fabrik", &[("size", 7)], person(), person());
    for action in ["w@c3", "w@e4", "white", "@c4"] {
        room.dispatch(Command::Play(action.into()));
        room.settle();
    }
    let aids = |room: &Room| {
        room.director.marks().iter().filter(|mark| matches!(mark.kind, MarkKind::Overlay(_))).count()
    };
    assert!(aids(&room) > 0, "what the workers see");
    room.dispatch(Command::ToggleAnalysis);
    until_known(&mut room, 2);
    assert_eq!(aids(&room), 0);
    room.dispatch(Command::ToggleAnalysis);
    room.settle();
    assert!(aids(&room) > 0);
}
