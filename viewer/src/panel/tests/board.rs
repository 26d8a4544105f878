//! What lies around the board: the line under it, the panel beside it, the turns.

use super::*;

/// What lights the board is named beside it, with the form that it has there.
#[test]
fn aids_have_a_legend_and_what_costs_time_is_asked_for() {
    let mut person = Person::before(at_board());
    assert!(person.find("Four in a row").is_some());
    assert!(person.find("What could be absorbed within a turn").is_none(), "not in this game");
    let table = person.app.table.as_mut().expect("a table");
    table.state.game = "absorption".into();
    table.overlays.clear();
    person.wait();
    assert_eq!(person.click("What could be absorbed within a turn"), [Command::ToggleReach]);
    person.app.settings.overlays = false;
    person.wait();
    assert!(person.find("What could be absorbed within a turn").is_none());
}

#[test]
fn actions_without_a_place_have_buttons() {
    let detail = json!({"action": ".", "kind": "end", "cells": [], "label": "No more moves", "text": "End the moves."});
    let mut app = at_board();
    app.pick = Pick::new(vec![serde_json::from_value(detail).expect("a detail")]);
    let mut person = Person::before(app);
    assert!(person.click("No more moves").contains(&Command::Play(".".into())));
}

/// Of several actions the one under the pointer is looked at, and the one that keys have come to
/// stands out.
#[test]
fn what_a_button_would_do_is_looked_at_before_it_is_pressed() {
    let detail = |action: &str, label: &str| {
        serde_json::from_value(
            json!({"action": action, "kind": "tower", "cells": ["c1"], "label": label, "text": label}),
        )
    };
    let details = [detail("L@c1", "Light tower"), detail("D@c1", "Dark tower")];
    let mut app = at_board();
    app.pick = Pick::new(details.into_iter().collect::<Result<_, _>>().expect("details"));
    app.pick.point(Target::Cell("c1".parse().expect("a cell")));
    let mut person = Person::before(app);
    assert!(person.wait().is_empty(), "the first one is looked at already");
    assert!(person.find("or Tab and Enter; Escape takes it back").is_some());
    let considered = person.colour_of("Light tower");
    assert_ne!(considered, person.colour_of("Dark tower"));
    let commands = person.click("Dark tower");
    assert_eq!(commands.first(), Some(&Command::Consider(Some("D@c1".into()))));
    assert!(commands.contains(&Command::Play("D@c1".into())));
    person.app.pick.consider_next(false);
    person.wait();
    assert_eq!(person.colour_of("Dark tower"), considered);
}

/// What the action under the pointer would change is lit, and so it is that which is named.
#[test]
fn the_legend_names_what_is_lit() {
    let mut app = at_board();
    let detail = json!({"action": "b2-g7", "kind": "worker", "cells": ["g7"], "text": "Go."});
    app.pick = Pick::new(vec![serde_json::from_value(detail).expect("a detail")]);
    let mut person = Person::before(app);
    let tokens = person.app.motion.final_tokens().clone();
    let seen =
        Overlay { name: "o".into(), text: "Seen from g7".into(), seat: None, cells: vec!["g1".into()] };
    person.app.previews.insert("b2-g7".into(), Some(Preview { tokens, overlays: vec![seen] }));
    assert!(person.find("Four in a row").is_some() && person.find("Seen from g7").is_none());
    person.app.pointed = Some(Target::Cell("g7".parse().expect("a cell")));
    person.wait();
    assert!(person.find("Seen from g7").is_some() && person.find("Four in a row").is_none());
}

/// What comes and goes in the bar must not move the board under the pointer, again and again.
#[test]
fn the_board_stays_where_it_is_when_the_bar_grows_again() {
    let mut person = Person::before(at_board());
    person.size = vec2(800.0, 600.0);
    person.wait();
    let bottom = |person: &mut Person, words: &str| {
        person.app.next_step = Some(words.into());
        person.wait();
        person.panels.free_area().bottom
    };
    let long =
        "Choose one more pile that comes along, or choose the last one again: that is enough. ".repeat(2);
    let at_first = bottom(&mut person, "Choose a pile.");
    let grown = bottom(&mut person, &long);
    assert!(grown < at_first, "a bar of two lines lies on the board");
    assert_eq!(bottom(&mut person, "Choose a pile."), grown);
    assert_eq!(bottom(&mut person, &long), grown);
    // Another window is another matter.
    person.size = vec2(1280.0, 800.0);
    let wide = bottom(&mut person, "Choose a pile.");
    assert_eq!(Person::before(at_board()).panels.free_area().bottom, wide);
}

#[test]
fn the_turn_that_is_shown_stays_in_sight_in_windows_of_every_form() {
    let mut app = at_board();
    app.settings.evaluation = false;
    let table = app.table.as_mut().expect("a table");
    table.turns = (1..=9)
        .map(|ply| Turn {
            seat: if ply % 2 == 1 { Seat::One } else { Seat::Two },
            actions: vec![format!("a{ply}/b1,b2,c3"); ply % 3 + 1],
            ply,
        })
        .collect();
    (table.state.ply, table.state.undone) = (9, 0);
    table.state.counters.clear();
    table.overlays.clear();
    let mut person = Person::before(app);
    for size in
        [(1280.0, 800.0), (800.0, 600.0), (420.0, 760.0), (800.0, 600.0), (1024.0, 768.0), (1600.0, 500.0)]
    {
        person.size = size.into();
        person.wait();
        // In the narrow one the panel itself is scrolled before the list is seen.
        let is_seen = person.find("a9/b1,b2,c3").is_some() || person.size.x < 500.0;
        assert!(is_seen, "{size:?}");
    }
    // A turn grows while it is played, here to so many lines that its middle would be out of sight.
    let table = person.app.table.as_mut().expect("a table");
    let last = table.turns.last_mut().expect("a turn");
    (last.actions, last.ply, table.state.ply) = (vec!["b9/c1,c2,d3".into(); 7], 10, 10);
    let words = last.actions.join("  ");
    person.wait();
    assert!(person.find(&words).is_some(), "all of it is in sight");
}

/// Who watches computers in a small window sees which turn it is.
#[test]
fn the_last_turn_of_computers_is_in_sight_in_a_small_window() {
    let mut app = at_board();
    let table = app.table.as_mut().expect("a table");
    let computer = json!({"kind": "ai", "level": "club"});
    table.state.seats = serde_json::from_value(json!({"1": computer, "2": computer})).expect("seats");
    table.state.undone = 0;
    table.state.counters.clear();
    let score = Score { win: 0.5, proved: None };
    let info = Info { depth: 3, nodes: 6_474, time_ms: 9, score, pv: vec!["e3".into()], lines: Vec::new() };
    let mut person = Person::before(app);
    person.size = vec2(800.0, 600.0);
    for info in [None, Some(info)] {
        let table = person.app.table.as_mut().expect("a table");
        table.thinking = Some(Thought { seat: Seat::One, info, seconds: 0.5 });
        person.wait();
        assert!(person.find("nc").is_some());
    }
}

#[test]
fn what_counts_is_said_once_for_both() {
    let mut app = at_board();
    let fact = |name: &str, seat| json!({"name": name, "text": "1 of 4", "seat": seat});
    let facts = json!([fact("Sunk in a row", 1), fact("Passes in a row", 1), fact("Sunk in a row", 2)]);
    app.table.as_mut().expect("a table").facts = serde_json::from_value(facts).expect("facts");
    let texts = Person::before(app).texts();
    assert_eq!(texts.iter().filter(|(text, _)| text == "Sunk in a row").count(), 1);
    assert_eq!(texts.iter().filter(|(text, _)| text == "1 of 4").count(), 3);
}

#[test]
fn another_player_can_take_a_seat() {
    let mut person = Person::before(at_board());
    assert_eq!(person.click("Change"), []);
    let computer = Player::Ai { level: "club".into(), limits: None };
    assert_eq!(person.click("Computer"), [Command::SetSeat(Seat::One, computer)]);
}

#[test]
fn earlier_turns_are_looked_at() {
    let mut person = Person::before(at_board());
    assert_eq!(person.click("w3"), [Command::LookAt(2)]);
    assert_eq!(person.click("e3  (undone)"), [Command::LookAt(4)]);
    person.app.table.as_mut().expect("a table").looked_at = Some(State { ply: 2, turn: 2, ..state() });
    assert!(person.find("You are looking back at turn 2 of 4.").is_some());
    assert_eq!(person.click("Play on from here"), [Command::PlayOnFromHere]);
    assert_eq!(person.click("Back to now"), [Command::LookAtNow]);
}

#[test]
fn the_end_is_told_under_the_board_with_what_can_be_done() {
    let mut person = Person::before(finished());
    assert_eq!(person.click("New game"), [Command::PrepareAnother]);
    assert_eq!(person.click("Look back"), [Command::LookBack]);
    assert_eq!(person.click("Rematch"), [Command::Rematch { seats_changed: false }]);
    assert_eq!(person.click("Rematch, swapped sides"), [Command::Rematch { seats_changed: true }]);
    assert_eq!(person.click("Home"), [Command::ShowHome]);
    let free = person.panels.free_area().bottom * person.size.y;
    for words in ["You win", "Black wins with five in a row."] {
        assert!(person.find(words).expect("it is said").y > free, "{words} lies on the board");
    }
}

#[test]
fn the_end_says_nothing_twice() {
    let ended = |other: Player, text: &str| {
        let mut app = finished();
        let table = app.table.as_mut().expect("a table");
        table.state.seats.two = other;
        let outcome = json!({"winner": 1, "reason": "end", "text": text});
        table.state.outcome = Some(serde_json::from_value(outcome).expect("an outcome"));
        Person::before(app)
    };
    for (other, verdict) in
        [(Player::default(), "Black wins"), (Player::Ai { level: "club".into(), limits: None }, "You win")]
    {
        let mut person = ended(other, "Black wins: white cannot place a stone.");
        assert!(person.find(verdict).is_some() && person.find("White cannot place a stone.").is_some());
    }
    let mut person = ended(Player::default(), "Black wins with five in a row.");
    assert!(person.find("Black wins").is_some() && person.find("With five in a row.").is_some());
}

/// The row of a turn is in sight in the first frame that has it: a frame may take a tenth of a second.
#[test]
fn a_turn_that_comes_is_in_sight_at_once() {
    let mut app = at_board();
    let table = app.table.as_mut().expect("a table");
    let turn = |ply: usize| Turn {
        seat: if ply % 2 == 1 { Seat::One } else { Seat::Two },
        actions: vec![format!("turn{ply}")],
        ply,
    };
    table.turns = (1..=40).map(turn).collect();
    (table.state.ply, table.state.undone) = (40, 0);
    let mut person = Person::before(app);
    for ply in 41..60 {
        let table = person.app.table.as_mut().expect("a table");
        table.turns.push(turn(ply));
        table.state.ply = ply;
        // This is one frame.
        assert!(person.find(&format!("turn{ply}")).is_some(), "turn {ply}");
    }
}

/// However little room there is, the last turn is in sight, and what is pressed most often, too.
#[test]
fn the_last_turn_is_in_sight_in_low_windows() {
    for size in [vec2(1600.0, 500.0), vec2(1280.0, 600.0), vec2(1280.0, 720.0)] {
        for (mut app, pressed) in [(at_board(), "Undo"), (watching(), "Leave the table")] {
            let table = app.table.as_mut().expect("a table");
            let turn = |ply: usize| Turn { seat: Seat::One, actions: vec![format!("turn{ply}")], ply };
            table.turns = (1..=40).map(turn).collect();
            (table.state.ply, table.state.undone) = (40, 0);
            let fact = |number| Fact { name: format!("Fact {number}"), text: "7".into(), seat: None };
            table.facts = (0..6).map(fact).collect();
            let mut person = Person::before(app);
            person.size = size;
            person.wait();
            person.wait();
            let texts = person.texts();
            let last = texts.iter().find(|(text, _)| text.contains("turn40"));
            let (_, seen) = last.unwrap_or_else(|| panic!("not in {size:?}"));
            assert!(seen.height() > 10.0, "{size:?}: {seen:?}");
            assert!(texts.iter().any(|(text, _)| text == pressed), "{size:?}: {texts:?}");
        }
    }
}

/// Where it makes the column too long, the list of turns comes first, and then stays there.
#[test]
fn a_row_that_comes_and_goes_does_not_turn_the_column_about() {
    let show = |person: &mut Person, facts: usize| {
        let fact = |number| Fact { name: format!("Fact {number}"), text: "7".into(), seat: None };
        person.app.table.as_mut().expect("a table").facts = (0..facts).map(fact).collect();
        person.wait();
        let chances = person.find("Chances").map_or(f32::INFINITY, |at| at.y);
        person.find("Undo").expect("a button").y < chances
    };
    let mut tipped = 0;
    for height in (500..1000).step_by(20) {
        let mut app = at_board();
        app.settings.evaluation = true;
        let mut person = Person::before(app);
        person.size = vec2(1280.0, height as f32);
        if !show(&mut person, 0) && [2, 4, 8].into_iter().any(|facts| show(&mut person, facts)) {
            tipped += 1;
            assert!(show(&mut person, 0), "{height}: it stays");
        }
    }
    assert!(tipped > 0, "some rows matter somewhere");
}

/// What is lit on the board is told anew for every position. In between, nothing jumps.
#[test]
fn aids_keep_their_place_until_new_ones_come() {
    let mut person = Person::before(at_board());
    let before = person.find("Aids on the board").expect("a switch");
    person.app.table.as_mut().expect("a table").are_overlays_old = true;
    person.wait();
    assert_eq!(person.find("Aids on the board"), Some(before));
    assert!(person.find("Four in a row").is_some());
}

/// The turn is said somewhere in a window of any size, and so is who plays.
#[test]
fn the_turn_and_the_players_are_said_in_windows_of_every_size() {
    for (width, height) in [(640.0, 480.0), (800.0, 600.0), (1024.0, 768.0), (1280.0, 800.0)] {
        for text_size in [1.0, 1.6] {
            let mut app = at_board();
            app.settings.text_size = text_size;
            let table = app.table.as_mut().expect("a table");
            table.state.game = "absorption".into();
            table.state.turn = 11;
            let mut person = Person::before(app);
            person.size = vec2(width, height);
            person.wait();
            person.app.panels.insert(Panel::Game);
            person.wait();
            let is_said = person.find("turn 12").is_some() || person.find("Turn 12").is_some();
            assert!(is_said, "{width} by {height}, text {text_size}");
            assert_eq!(person.overlap(), None, "{width} by {height}, text {text_size}");
            let texts = person.texts();
            let is_cut = |text: &str| text.starts_with("Comp") && text.ends_with('…');
            assert!(!texts.iter().any(|(text, _)| is_cut(text)), "{width} by {height}, text {text_size}");
        }
    }
}

/// What is said of a side stays beside its sign where it has more lines than one.
#[test]
fn a_long_fact_keeps_to_its_column() {
    let mut app = at_board();
    let text = "3 islands of its own, the largest has 16 of 17";
    let facts = json!([{"name": "Light", "text": text, "seat": 1}]);
    app.table.as_mut().expect("a table").facts = serde_json::from_value(facts).expect("facts");
    let mut person = Person::before(app);
    let whole = format!("Light: {text}");
    let lines = person.texts().into_iter().filter(|(line, _)| whole.contains(line.trim()) && line.len() > 1);
    let lines: Vec<Rect> = lines.map(|(_, at)| at).filter(|at| at.left() > 1000.0).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!((lines[0].left() - lines[1].left()).abs() < 2.0, "{lines:?}");
}

/// Two computers at a game with an aid of its own have the most to show: nothing of it is cut off in
/// a usual window.
#[test]
fn the_last_switch_of_the_column_is_in_sight() {
    let mut app = at_board();
    let table = app.table.as_mut().expect("a table");
    table.state.game = "absorption".into();
    let computer = Player::Ai { level: "club".into(), limits: None };
    table.state.seats = PerSeat { one: computer.clone(), two: computer };
    table.overlays.clear();
    app.settings.overlays = true;
    let mut person = Person::before(app);
    let last = "What could be absorbed within a turn";
    let texts = person.texts();
    let bottom = texts.iter().filter(|(text, _)| last.ends_with(text.as_str())).map(|(_, at)| at.max.y);
    let bottom = bottom.fold(0.0, f32::max);
    let panel = person.panels.free_area().bottom * person.size.y;
    assert!(bottom > 0.0 && bottom < panel, "{bottom} of {panel}");
}

/// Below the board of a narrow window, the last turn is seen without scrolling.
#[test]
fn the_last_turn_is_in_sight_below_a_narrow_board() {
    let mut app = at_board();
    let table = app.table.as_mut().expect("a table");
    table.state.undone = 0;
    table.state.counters.clear();
    let mut person = Person::before(app);
    person.size = vec2(420.0, 760.0);
    person.wait();
    let texts = person.texts();
    let (_, row) = texts.iter().find(|(text, _)| text == "nc").expect("it is listed");
    assert!(row.height() > 14.0, "{row:?} is cut off");
    assert!(!texts.iter().any(|(text, _)| text.ends_with('…')), "{texts:?}");
}

/// Board, bar, list and panel tell one moment: what comes of a turn is told when its pieces lie still.
#[test]
fn what_still_moves_is_told_as_far_as_it_has_begun() {
    let mut app = at_board();
    let table = app.table.as_mut().expect("a table");
    let before = State { ply: 1, turn: 1, to_move: Some(Seat::Two), ..state() };
    let actions: Vec<String> = ["w3", "w4", "w5"].map(String::from).into();
    table.turns = vec![
        Turn { seat: Seat::One, actions: vec!["@c3".into()], ply: 1 },
        Turn { seat: Seat::Two, actions: actions.clone(), ply: 4 },
    ];
    table.state = State {
        ply: 4,
        turn: 2,
        undone: 0,
        last: Some(serde_json::from_value(json!({"seat": 2, "actions": actions})).expect("a turn")),
        ..state()
    };
    let facts = vec![Fact { name: "Pieces".into(), text: "18".into(), seat: None }];
    table.facts = vec![Fact { text: "17".into(), ..facts[0].clone() }];
    table.moving = Some(Moving { before, facts, seat: Seat::Two, to_come: 1 });
    let mut person = Person::before(app);
    for seen in ["White plays w3  w4.", "w3  w4", "18", "turn 2"] {
        assert!(person.find(seen).is_some(), "{seen}");
    }
    for unseen in ["w3  w4  w5", "17", "turn 3", "Slide a stone in.", "It is your turn."] {
        assert!(person.find(unseen).is_none(), "{unseen}");
    }
    person.app.table.as_mut().expect("a table").moving = None;
    person.wait();
    for seen in ["Slide a stone in.", "w3  w4  w5", "17", "turn 3"] {
        assert!(person.find(seen).is_some(), "{seen}");
    }
}

/// The heading names the turn that the line under the board speaks of.
#[test]
fn who_looks_back_sees_one_number_of_the_turn() {
    let mut app = at_board();
    let table = app.table.as_mut().expect("a table");
    table.looked_at = Some(State { ply: 2, turn: 2, ..state() });
    let mut person = Person::before(app);
    assert!(person.find("You are looking back at turn 2 of 4.").is_some());
    assert!(person.find("turn 2 of 4").is_some() && person.find("turn 3").is_none());
}

/// Else the numbers of long games are cut off, and the signs of the sides are small beside them.
#[test]
fn the_list_of_turns_grows_with_its_text() {
    let room = |text_size: f32| {
        let mut app = at_board();
        app.settings.text_size = text_size;
        let texts = Person::before(app).texts();
        let left = |words: &str| texts.iter().find(|(text, _)| text == words).expect("it is there").1.left();
        left("nc") - left("Turns")
    };
    assert!(room(1.6) > room(1.0) * 1.4, "{} and {}", room(1.6), room(1.0));
}

/// The line for a move, what plays it and what closes it, however wide the window is.
#[test]
fn what_closes_the_line_for_a_move_comes_last() {
    for size in [vec2(420.0, 760.0), vec2(1280.0, 800.0)] {
        let mut person = Person::before(with(at_board(), Panel::MoveEntry));
        person.size = size;
        person.wait();
        let texts = person.texts();
        let left = |words: &str| texts.iter().find(|(text, _)| text == words).expect("it is there").1.left();
        assert!(left("Play") < left("Close"), "{size}");
    }
}
