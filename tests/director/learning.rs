//! Lessons in the window: every step done and missed, kept, left and taken up again.

use macroquad::math::Vec2;
use tabuleiro::app::Screen;
use tabuleiro::command::{Command, Panel};
use tabuleiro::exercise::{Exercise, Judgement, Task};
use tabuleiro::scene::MarkKind;

use crate::room::{Room, cell, computer, edge, person};

/// For every step, turns that miss it, if there are any, and turns that do it. Turns have a
/// semicolon between them; the answers are the engine's.
type Steps = &'static [(&'static str, &'static str)];

const ZURERO: Steps = &[
    ("", "@e5"),
    ("ng", "w5"),
    ("nc", "ng"),
    ("nd", "w4"),
    ("nc", "w6"),
    ("nc", "se"),
    ("na", "e5"),
    ("ng", "w4"),
    ("nd", "ne"),
    ("e9", "ng"),
    ("w6", "nf"),
    ("ng", "ne"),
    ("e7", "e4; nd"),
];

const FABRIK: Steps = &[
    ("", "w@c2"),
    ("b2-d4 @e5", "@d4"),
    ("b2-f2 @f5", "@f2"),
    ("b3-e1 @e4", "@d3"),
    ("a1-e1 @g1", "g4-f4 @e5"),
    ("", "@d3"),
    ("f1-f3 @f5", "@f4"),
    ("d1-g6 @f5", "d1-c1 @f4"),
    ("a1-e7 @c7", "a1-f7 @b3"),
    ("b2-d3 @c2", "d2-b3 @c2"),
];

const ABSORPTION: Steps = &[
    ("d3/e2,e3,e3 h1-h3", "d3/c2,e2,e3 h1-g2"),
    ("d3/c2,e2,e3 h1-g2", "d3/e2,e3,e3 h1-h3"),
    ("d3/c2,c3,c4 .", "d3/c2,e2,e3 c2-c1 ."),
    ("d3/c4,d4,e3 c4-b3 .", "d3/c2,e2,e3 h3-h1"),
    ("c4+d4 d5-e4", "c4+d4,d5"),
    ("d3/c2,e2,e3 e5-f4", "d3/c4,d4,e3 c4-b3 e3-g5 . d5*e5"),
    ("c4/b3,b3,c5 h2-g1", "c4/b5,d5,d5 h2-h4 d4*d5"),
    ("c3/b2,d2,d3 e5-g3", "c3/c2,c4,d4 d4-f4 c4-c5 c2-d1 . d5*e5 f5*e5,f4"),
    ("d4/c5,e3 h1-h3", "d4/c3,c4 g1-g2"),
    ("d3/c2,e2,e3 e5-f4", "d3/c4,d4,e4 . d5*d4"),
];

const SYRTIS: Steps = &[
    ("b4~a4", "b4-c5"),
    ("b4~a4", "b4-c5"),
    ("b4~a4", "xe4"),
    ("pass", "b4~a4"),
    ("b4~a4", "pass"),
    ("a3~a5", "xb5"),
    ("e4~d5", "d3~b3"),
    ("pass", "xc3"),
    ("b4~a4", "xe4"),
    ("b4~a4", "pass"),
    ("", "D@d1 L@d2 L@d3 D@b3"),
];

fn exercise(room: &Room) -> &Exercise {
    room.app().exercise.as_ref().expect("an exercise")
}

fn at(room: &Room) -> usize {
    exercise(room).task.lesson().expect("a lesson").1
}

fn verdict(room: &Room) -> Judgement {
    exercise(room).verdict.clone()
}

fn begin(game: &str) -> Room {
    let mut room = Room::new();
    room.dispatch(Command::Learn(game.into()));
    room.until(|app| app.exercise.is_some());
    room.settle();
    room
}

fn try_turn(room: &mut Room, turn: &str) {
    room.dispatch(Command::TypeMove(turn.into()));
    room.settle();
}

/// Goes through a lesson to the game at its end, and misses every step first.
fn go_through(game: &str, steps: Steps) -> Room {
    let mut room = begin(game);
    for (index, (wrong, right)) in steps.iter().enumerate() {
        assert_eq!(at(&room), index);
        let title = exercise(&room).task.step().expect("a step").title.clone();
        let rows = room.table().state.rows.clone();
        if !wrong.is_empty() {
            try_turn(&mut room, wrong);
            assert_eq!(verdict(&room), Judgement::Missed, "{title}: {wrong}");
            assert!(exercise(&room).remark().is_some_and(|words| !words.is_empty()), "{title}");
            assert!(!room.app().progress.is_step_done(game, index));
            // Whatever is clicked now puts the pieces back.
            room.dispatch(Command::Point(cell("a1")));
            room.settle();
            assert_eq!((room.ply(), verdict(&room)), (0, Judgement::Open), "{title}");
            assert_eq!(room.table().state.rows, rows, "{title}");
        }
        for turn in right.split("; ") {
            try_turn(&mut room, turn);
        }
        assert_eq!(verdict(&room), Judgement::Done, "{title}: {right}, {:?}", exercise(&room).remarks);
        assert!(room.app().progress.is_step_done(game, index), "{title}");
        room.dispatch(Command::NextStep);
        let next = index + 1;
        room.until(|app| {
            let is_next = |exercise: &Exercise| exercise.task.lesson().is_some_and(|(_, at)| at == next);
            app.exercise.as_ref().is_some_and(is_next)
        });
        room.settle();
    }
    assert!(exercise(&room).is_game(), "the last step is a game");
    assert!(room.app().saved.len() <= 1, "exercises are not kept among the games");
    room
}

#[test]
fn zurero_is_taught() {
    let mut room = go_through("zurero", ZURERO);
    room.dispatch(Command::PreviousStep);
    room.until(|app| app.exercise.as_ref().is_some_and(|exercise| !exercise.is_game()));
    room.settle();
    assert_eq!(at(&room), ZURERO.len() - 1);
}

#[test]
fn fabrik_is_taught() {
    go_through("fabrik", FABRIK);
}

#[test]
fn absorption_is_taught() {
    go_through("absorption", ABSORPTION);
}

#[test]
fn syrtis_is_taught() {
    go_through("syrtis", SYRTIS);
}

#[test]
fn the_game_at_the_end_is_commented_on_and_ends_the_lesson() {
    let mut room = begin("zurero");
    room.dispatch(Command::GoToStep(ZURERO.len()));
    room.until(|app| app.exercise.as_ref().is_some_and(Exercise::is_game));
    room.settle();
    assert_eq!(room.table().state.seats.one, person());
    room.click(cell("e5"));
    room.until(|app| app.exercise.as_ref().is_some_and(|exercise| !exercise.remarks.is_empty()));
    assert!(exercise(&room).remarks[0].contains("close together"), "{:?}", exercise(&room).remarks);
    room.settle();
    room.dispatch(Command::Resign(tabuleiro_protocol::Seat::One));
    room.settle();
    assert_eq!(verdict(&room), Judgement::Done);
    assert!(exercise(&room).remark().is_some_and(|words| words.contains("Look back")), "how it ended");
    assert_eq!(room.app().saved.len(), 1, "the game is kept like any other");
    room.dispatch(Command::NextStep);
    room.settle();
    assert_eq!(room.app().screen, Screen::Prepare("zurero".into()));
    assert!(room.app().exercise.is_none());
}

#[test]
fn a_click_on_a_card_and_the_first_own_action_is_next() {
    let mut room = begin("zurero");
    assert_eq!(room.app().screen, Screen::Board);
    assert!(room.director.marks().iter().any(|mark| mark.kind == MarkKind::Hint), "what to look at");
    room.click(cell("e5"));
    assert_eq!(verdict(&room), Judgement::Done);
    room.click(edge("west", "a5"));
    assert_eq!((at(&room), room.ply()), (0, 1), "a step that is done is only left for another");
}

#[test]
fn what_the_rules_forbid_is_answered_with_the_rule_and_nothing_is_lost() {
    let mut room = begin("zurero");
    room.dispatch(Command::GoToStep(5));
    room.until(|app| {
        app.exercise.as_ref().is_some_and(|exercise| matches!(exercise.task, Task::Lesson { at: 5, .. }))
    });
    room.settle();
    room.director.dispatch(Command::Point(edge("north", "b1")), Vec2::ZERO);
    room.settle();
    let refusal = room.app().refusal.clone().expect("a reason");
    assert!(refusal.text.contains("Column b is empty"), "{}", refusal.text);
    assert_eq!((verdict(&room), room.ply()), (Judgement::Open, 0));
    room.dispatch(Command::Hint);
    assert!(exercise(&room).is_hint_shown);
    room.click(edge("south", "e9"));
    assert_eq!(verdict(&room), Judgement::Done);
}

#[test]
fn actions_that_were_taken_back_do_not_count() {
    let mut room = begin("absorption");
    room.dispatch(Command::GoToStep(1));
    room.until(|app| {
        app.exercise.as_ref().is_some_and(|exercise| matches!(exercise.task, Task::Lesson { at: 1, .. }))
    });
    room.settle();
    for action in ["d3/c2,e2,e3", "d3/e2,e3,e3", "h1-h3"] {
        try_turn(&mut room, action);
        if action == "d3/c2,e2,e3" {
            room.dispatch(Command::Undo);
            room.settle();
            assert_eq!(room.ply(), 0);
        }
    }
    assert_eq!(verdict(&room), Judgement::Done);
}

#[test]
fn done_steps_are_kept_and_the_lesson_goes_on_after_them() {
    let mut room = begin("zurero");
    room.click(cell("e5"));
    assert_eq!(verdict(&room), Judgement::Done);
    room.dispatch(Command::ShowHome);
    assert!(room.app().unfinished().is_none(), "an exercise is no game to continue");
    let mut room = room.again();
    assert!(room.app().progress.is_step_done("zurero", 0));
    room.dispatch(Command::Learn("zurero".into()));
    room.until(|app| app.exercise.is_some());
    room.settle();
    assert_eq!(at(&room), 1);
    room.dispatch(Command::LeaveLesson);
    assert_eq!(room.app().screen, Screen::Home);
    assert!(room.app().exercise.is_none() && room.app().table.is_none());
}

#[test]
fn a_lesson_is_offered_once() {
    let mut room = Room::new();
    room.until(|app| app.lessons.len() == 4);
    assert!(!room.app().progress.is_offered("zurero") && !room.app().progress.is_offered("fabrik"));
    room.dispatch(Command::DeclineLesson("zurero".into()));
    room.start("fabrik", &[("size", 7)], person(), computer("greedy"));
    let room = room.again();
    for game in ["zurero", "fabrik"] {
        assert!(room.app().progress.is_offered(game), "{game}");
    }
    assert!(!room.app().progress.is_offered("syrtis"));
}

#[test]
fn an_engine_that_dies_in_a_lesson_is_replaced_and_the_step_begins_again() {
    let mut room = begin("absorption");
    try_turn(&mut room, "d3/c2,e2,e3");
    assert_eq!(room.ply(), 1);
    let engine = room.director.engine_process().expect("a process");
    let killed = std::process::Command::new("kill").args(["-9", &engine.to_string()]).status().expect("kill");
    assert!(killed.success());
    room.until(|app| {
        app.message.as_ref().is_some_and(|message| message.text.contains("Another one was started"))
    });
    room.until(|app| {
        app.table.as_ref().is_some_and(|table| table.state.ply == 0 && !table.details.is_empty())
    });
    room.settle();
    try_turn(&mut room, "d3/c2,e2,e3 h1-g2");
    assert_eq!(verdict(&room), Judgement::Done);
}

#[test]
fn another_game_ends_the_lesson_and_the_list_leads_back() {
    let mut room = begin("zurero");
    room.start("fabrik", &[("size", 7)], person(), person());
    assert!(room.app().exercise.is_none());
    room.dispatch(Command::NextStep);
    assert!(room.app().message.as_ref().is_some_and(|message| message.text.contains("no lesson")));
    room.dispatch(Command::Show(Panel::Lessons));
    room.dispatch(Command::Learn("zurero".into()));
    room.until(|app| app.exercise.is_some());
    assert!(!room.app().panels.contains(&Panel::Lessons));
}

#[test]
fn a_damaged_lesson_is_named_with_its_place_and_the_others_are_taught() {
    let mut room = Room::with_changed_answers(r#"s/"goal":{"turns":\[\["@e5"\]\]}/"goal":{"turn":1}/"#);
    room.dispatch(Command::Learn("zurero".into()));
    room.until_told("lesson.steps[0].goal");
    assert!(room.app().exercise.is_none());
    room.dispatch(Command::Learn("fabrik".into()));
    room.until(|app| app.exercise.is_some());
    room.settle();
    try_turn(&mut room, "w@c2");
    assert_eq!(verdict(&room), Judgement::Done);
}

#[test]
fn a_step_whose_position_cannot_be_is_named_and_the_lesson_goes_on() {
    // The white stone of the second step.
    let mut room = Room::with_changed_answers(r#"s/". . . . . . w . ."/". . . . . . q . ."/"#);
    room.dispatch(Command::Learn("zurero".into()));
    room.until(|app| app.exercise.is_some());
    room.settle();
    room.click(cell("e5"));
    room.dispatch(Command::NextStep);
    room.until_told("\"Slide a stone in\" cannot be shown");
    let is_next = |exercise: &Exercise| exercise.task.lesson().is_some_and(|(_, at)| at == 2);
    room.until(|app| app.exercise.as_ref().is_some_and(is_next));
}
