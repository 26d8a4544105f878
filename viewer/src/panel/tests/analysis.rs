//! What an analysis has found.

use super::*;

#[test]
fn what_is_found_has_room_at_every_size() {
    let mut wrong: Vec<String> = Vec::new();
    for (width, height) in [
        (420.0, 760.0),
        (640.0, 480.0),
        (800.0, 600.0),
        (1024.0, 768.0),
        (1280.0, 800.0),
        (1600.0, 500.0),
        (1920.0, 1080.0),
    ] {
        for (text_size, is_long) in [(1.0, false), (1.0, true), (1.3, false), (1.6, false)] {
            let app = at_board();
            let mut person = Person::in_window(app, (width, height), text_size, is_long);
            person.settle();
            person.app.analysis = analysing(at_board()).analysis;
            person.settle();
            let place = format!("{width} by {height}, text {text_size}, long {is_long}");
            wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
            let part = person.board_part();
            wrong.extend((part < 0.25).then(|| format!("{place}: the board has {part:.2}")));
            wrong.extend(person.find("wins").is_none().then(|| format!("{place}: no line is in sight")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A finger that is held on a line shows it on the board, as a mouse does that comes over it.
#[test]
fn a_line_is_looked_at_by_holding_a_finger_on_it() {
    let mut person = Person::before(analysing(at_board()));
    let at = person.find("62 %").expect("the second line");
    let finger = |pressed| button_at(at, pressed);
    let mut commands = person.frame(vec![Event::PointerMoved(at), finger(true)]).0;
    for _ in 0..2 {
        commands.extend(person.wait());
    }
    let last = commands.iter().rev().find(|command| matches!(command, Command::PointAtLine(_)));
    assert_eq!(last, Some(&Command::PointAtLine(Some(1))), "for as long as it is held");
    commands.extend(person.frame(vec![finger(false)]).0);
    assert!(!commands.contains(&Command::ChooseLine(Some(1))), "only a tap chooses it: {commands:?}");
}

#[test]
fn an_analysis_is_begun_changed_and_ended_by_clicks() {
    let mut person = Person::before(at_board());
    assert_eq!(person.click("Analyse"), [Command::ToggleAnalysis]);
    let mut person = Person::before(analysing(at_board()));
    assert!(person.find("wins").is_some() && person.find("62 %").is_some());
    assert!(person.find("Analyse").is_none(), "it is on already");
    assert_eq!(person.click("Threat"), [Command::ToggleThreat]);
    assert_eq!(person.click("End"), [Command::ToggleAnalysis]);
    assert!(person.click("62 %").contains(&Command::ChooseLine(Some(1))));
    person.app.analysis.problem = Some("Only seat 1 can have the turn here.".into());
    assert!(person.find("Only seat 1 can have the turn here.").is_some());
}

/// Where there is room for one panel only, each is one click away from the other.
#[test]
fn in_a_small_window_the_analysis_and_the_panel_take_turns() {
    for (size, text_size) in [
        (vec2(1280.0, 800.0), 1.6),
        (vec2(800.0, 600.0), 1.0),
        (vec2(640.0, 480.0), 1.0),
        (vec2(420.0, 760.0), 1.0),
    ] {
        let mut app = at_board();
        app.settings.text_size = text_size;
        let mut person = Person::before(app);
        person.size = size;
        person.settle();
        person.app.analysis = analysing(at_board()).analysis;
        person.settle();
        assert!(person.find("62 %").is_some() && person.find("Undo").is_none(), "{size}: the analysis");
        for command in person.click("Game") {
            person.fold(&command);
        }
        person.settle();
        assert!(person.find("62 %").is_none() && person.find("Undo").is_some(), "{size}: the panel");
        for command in person.click("Analysis") {
            person.fold(&command);
        }
        person.settle();
        assert!(person.find("62 %").is_some() && person.find("Undo").is_none(), "{size}: and back");
        person.app.analysis = Analysis::default();
        person.settle();
        assert!(person.find("Undo").is_some(), "{size}: the panel comes back when the analysis ends");
    }
    let mut person = Person::before(analysing(at_board()));
    person.size = vec2(1280.0, 800.0);
    person.settle();
    assert!(person.find("62 %").is_some() && person.find("Undo").is_some(), "there is room for both");
}
