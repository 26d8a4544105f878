//! Sheets and questions over everything else.

use super::*;

/// Every page of rules, to its end: nothing is cut off in narrow windows, and no letter is a box.
#[test]
fn rules_of_every_game_can_be_read_in_every_window() {
    let rules = [
        ("zurero", include_str!("../../../../assets/rules/zurero.md")),
        ("fabrik", include_str!("../../../../assets/rules/fabrik.md")),
        ("absorption", include_str!("../../../../assets/rules/absorption.md")),
        ("syrtis", include_str!("../../../../assets/rules/syrtis.md")),
    ];
    let mut wrong: Vec<String> = Vec::new();
    for (game, text) in rules {
        for (width, height, text_size, is_long) in [
            (420.0, 4000.0, 1.0, false),
            (420.0, 4000.0, 1.0, true),
            (420.0, 760.0, 1.6, false),
            (640.0, 480.0, 1.0, true),
        ] {
            let mut app = App { screen: Screen::Prepare(game.into()), ..with(at_home(), Panel::Rules) };
            app.settings.text_size = text_size;
            app.rules.insert(game.into(), text.into());
            let mut person = Person::before(app);
            person.size = vec2(width, height);
            if is_long {
                with_long_words(&person.ctx);
            }
            person.wait();
            let place = format!("{game}, {width} by {height}, text {text_size}, long {is_long}");
            wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
            wrong.extend(person.outside().into_iter().map(|area| format!("{place}: {area}")));
            let boxes = person.without_form();
            wrong.extend((!boxes.is_empty()).then(|| format!("{place}: boxes for {boxes:?}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_new_sheet_takes_the_place_of_the_old() {
    let mut person = Person::before(with(at_board(), Panel::Settings));
    person.app.panels.insert(Panel::Keys);
    assert_eq!(person.frame(Vec::new()).0, [Command::Hide(Panel::Settings)]);
    person.app.panels.remove(&Panel::Settings);
    person.wait();
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::Keys)]);
}

#[test]
fn settings_are_changed_one_by_one() {
    let mut person = Person::before(with(at_board(), Panel::Settings));
    let settings = person.app.settings.clone();
    let coordinates = Settings { coordinates: !settings.coordinates, ..settings.clone() };
    assert_eq!(person.click("Letters and numbers at the edge"), [Command::Change(Box::new(coordinates))]);
    let speed = Settings { speed: crate::settings::Speed::Fast, ..settings };
    assert_eq!(person.click("Fast"), [Command::Change(Box::new(speed))]);
}

#[test]
fn rules_are_asked_for_and_read() {
    let mut person = Person::before(at_board());
    person.app.panels.insert(Panel::Rules);
    assert_eq!(person.frame(Vec::new()).0, [Command::ReadRules("zurero".into())]);
    person.app.rules.insert("zurero".into(), "# Zurero\n\n## The aim\n\nFive in a row.".into());
    person.wait();
    assert!(person.find("The aim").is_some());
    assert_eq!(person.click("Syrtis"), [Command::ReadRules("syrtis".into())]);
}

#[test]
fn a_film_shows_the_turns_that_are_chosen() {
    let mut person = Person::before(with(at_board(), Panel::Film));
    let order = FilmOrder { turns: Some((1, 4)), path: None };
    assert_eq!(person.click("Make the film"), [Command::Hide(Panel::Film), Command::MakeFilm(order)]);
    let app = App { film: Some(FilmProgress { done: 3, total: 40 }), ..at_board() };
    let mut person = Person::before(app);
    assert!(person.find("The film is being made: 3 of 40 pictures.").is_some());
    assert_eq!(person.click("Cancel"), [Command::CancelFilm]);
    assert_eq!(person.overlap(), None);
}

/// What a page would leave beside a sheet in a narrow window says nothing.
#[test]
fn a_sheet_over_a_page_is_alone_or_has_a_veil_around_it() {
    for screen in [Screen::Home, Screen::Prepare("zurero".into())] {
        for (width, height) in [(420.0, 760.0), (640.0, 480.0), (1280.0, 800.0), (1600.0, 500.0)] {
            for panel in SHEETS {
                let mut person = Person::before(with(App { screen: screen.clone(), ..at_home() }, panel));
                person.size = vec2(width, height);
                person.wait();
                let Some(sheet) = person.covered() else { continue };
                let beside = width - sheet.width();
                assert!(!(1.0..=200.0).contains(&beside), "{panel:?} at {width}x{height}: {sheet:?}");
                let outside = vec2(4.0, height * 0.5).to_pos2();
                if !sheet.contains(outside) {
                    assert_eq!(person.click_at(outside).last(), Some(&Command::Hide(panel)));
                }
            }
        }
    }
}

#[test]
fn a_message_is_closed_by_a_button() {
    let mut app = at_home();
    app.message = Some(Message {
        text: "It is so.".into(),
        is_problem: true,
        is_of_position: false,
        seconds_left: 5.0,
    });
    let mut person = Person::before(app);
    let at = person.find("Close").expect("a button");
    let (_, shapes) = person.frame(Vec::new());
    let is_button = |clipped: &&ClippedShape| match &clipped.shape {
        Shape::Rect(rect) => rect.rect.contains(at) && rect.rect.width() < 100.0 && rect.fill.a() > 0,
        _ => false,
    };
    assert!(shapes.iter().any(|clipped| is_button(&clipped)), "it has no ground");
    assert_eq!(person.click("Close"), [Command::DismissMessage]);
}

/// Two events of one frame are a click as well.
#[test]
fn a_very_short_click_on_the_size_of_text_is_heeded() {
    let mut person = Person::before(with(at_home(), Panel::Settings));
    let heading = loop {
        match person.find("Size of text") {
            Some(at) => break at,
            None => drop(person.press(Key::PageDown)),
        }
    };
    let at = heading + vec2(150.0, 34.0);
    let button = |pressed| button_at(at, pressed);
    person.frame(vec![Event::PointerMoved(at)]);
    let mut commands = person.frame(vec![button(true), button(false)]).0;
    commands.extend(person.wait());
    let size = commands.iter().find_map(|command| match command {
        Command::Change(settings) => Some(settings.text_size),
        _ => None,
    });
    assert!(size.is_some_and(|size| size != person.app.settings.text_size), "{commands:?}");
}

/// A machine that draws one picture a second has seen a click for a second.
#[test]
fn a_click_is_heeded_however_slow_the_machine_is() {
    let mut person = Person::before(at_board());
    let at = person.find("Analyse").expect("a button");
    let button = |pressed| button_at(at, pressed);
    let mut commands = Vec::new();
    for events in [Vec::new(), vec![Event::PointerMoved(at)], vec![button(true)], vec![button(false)]] {
        person.seconds += 1.0;
        commands.extend(person.frame(events).0);
    }
    assert_eq!(commands, [Command::ToggleAnalysis]);
}

/// Fingers hover over nothing: what hovering says, a finger that is held says, and it presses nothing.
#[test]
fn a_finger_that_is_held_reads_what_hovering_says() {
    let mut person = Person::before(at_board());
    let at = person.find("Undo").expect("a button");
    let keys = keys_for(&Command::Undo).expect("a key");
    assert!(person.find(&keys).is_none());
    let finger = |pressed| button_at(at, pressed);
    // It was nowhere before it came down.
    let mut commands = person.frame(vec![Event::PointerMoved(at), finger(true)]).0;
    for _ in 0..2 {
        commands.extend(person.wait());
    }
    assert!(person.find(&keys).is_some(), "what hovering says");
    commands.extend(person.frame(vec![finger(false)]).0);
    commands.extend(person.wait());
    assert_eq!(commands, []);
    assert_eq!(person.click("Undo"), [Command::Undo], "a tap presses");
}

/// Whoever copies a command from the screen has to see how many dashes it has.
#[test]
fn two_dashes_are_seen_as_two() {
    for panel in [Panel::BotLog, Panel::Settings] {
        let mut app = with(at_home(), panel);
        app.hello.as_mut().expect("an engine").bots.clear();
        let text = "Started with --connect NAME it joins one that others use as well.".into();
        app.message = Some(Message { text, is_problem: false, is_of_position: false, seconds_left: 9.0 });
        let mut person = Person::before(app);
        assert!(person.texts().iter().any(|(text, _)| text.contains("--connect")), "{panel:?}");
        assert_eq!(person.with_dashes_run_together(), Vec::<String>::new(), "{panel:?}");
    }
}
