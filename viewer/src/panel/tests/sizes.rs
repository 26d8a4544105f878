//! Every screen in windows of every size, with long words and large ones.

use super::*;

/// In a low window the list would else be behind its own filters, and in a narrow one a sheet would
/// hang at the edge.
#[test]
fn sheets_use_low_and_narrow_windows() {
    for (width, height, row) in [(640.0, 480.0, "Zurero 1"), (800.0, 600.0, "Zurero 2")] {
        let mut person = Person::before(with(with_progress(at_board()), Panel::Puzzles));
        person.size = vec2(width, height);
        person.wait();
        assert!(person.find(row).is_some(), "{width} by {height}: {row}");
    }
    let mut person = Person::before(with(at_board(), Panel::Settings));
    person.size = vec2(420.0, 760.0);
    person.wait();
    let close = person.find("Close").expect("a button").x;
    let title = person.texts().into_iter().find(|(text, _)| text == "Settings").expect("a title").1;
    assert!((title.left() - (420.0 - close)).abs() < 40.0, "{} and {close}", title.left());
}

/// Every screen at every size that people have, also with text that is longer by a third.
#[test]
fn no_text_lies_on_another() {
    let mut wrong: Vec<String> = Vec::new();
    let long = "Place a tile of yours beside the others, or move one of the towers, or let a tile sink into the sea.";
    for (width, height) in [
        (420.0, 760.0),
        (640.0, 480.0),
        (800.0, 600.0),
        (1024.0, 768.0),
        (1280.0, 800.0),
        (1600.0, 500.0),
        (1920.0, 1080.0),
        (2560.0, 1440.0),
        // The same where a point is two pixels.
        (1280.0, 720.0),
    ] {
        for (text_size, is_long) in [(1.0, false), (1.0, true), (1.3, false), (1.6, false)] {
            for screen in [Screen::Home, Screen::Prepare("fabrik".into()), Screen::Board] {
                let mut app = App { screen: screen.clone(), ..with_lessons(at_board()) };
                app.settings.text_size = text_size;
                let table = app.table.as_mut().expect("a table");
                table.state.prompt = long.into();
                table.turns[2].actions = vec!["a1/a2,b1,b2".into(); 6];
                let mut person = Person::before(app);
                person.size = vec2(width, height);
                if is_long {
                    with_long_words(&person.ctx);
                }
                if person.wait().contains(&Command::Hide(Panel::Game)) {
                    person.app.panels.remove(&Panel::Game);
                    person.wait();
                }
                let place = format!("{screen:?}, {width} by {height}, text {text_size}, long {is_long}");
                wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
                wrong.extend(person.outside().into_iter().map(|area| format!("{place}: {area}")));
                if screen == Screen::Board {
                    person.app.panels.insert(Panel::MoveEntry);
                    person.wait();
                    wrong.extend(person.overlap().map(|texts| format!("{place}, typing: {texts}")));
                    let part = person.board_part();
                    wrong.extend((part < 0.25).then(|| format!("{place}: the board has {part:.2}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_words_are_longer() {
    // The same words in one line each.
    let widths = |is_long: bool| {
        let mut person = Person::before(with(with_lessons(at_home()), Panel::Settings));
        person.size = vec2(4000.0, 4000.0);
        if is_long {
            with_long_words(&person.ctx);
        }
        person.wait();
        person.texts().into_iter().map(|(text, rect)| (text, rect.width())).collect::<BTreeMap<_, _>>()
    };
    let (short, long) = (widths(false), widths(true));
    let pairs = short.iter().filter_map(|(text, short)| Some((*short, *long.get(text)?)));
    let (short, long) = pairs.clone().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    assert!(pairs.count() > 30);
    assert!(long > short * 1.3, "{}", long / short);
}

/// Every sheet and every question on every screen, with long words and with large ones, also where
/// a point is two pixels.
#[test]
fn sheets_keep_within_the_window_and_no_text_of_theirs_lies_on_another() {
    let rules = include_str!("../../../../assets/rules/syrtis.md");
    let mut wrong: Vec<String> = Vec::new();
    for (width, height) in [
        (420.0, 760.0),
        (640.0, 480.0),
        (800.0, 600.0),
        (1024.0, 768.0),
        (1280.0, 720.0),
        (1600.0, 500.0),
        (2560.0, 1440.0),
    ] {
        for (text_size, is_long) in [(1.0, false), (1.0, true), (1.6, false)] {
            for screen in [Screen::Home, Screen::Board] {
                let mut app = with_failed_bot(with_full_disk(App { screen: screen.clone(), ..at_board() }));
                app.unsaved.clear();
                app.panels.clear();
                app.settings.text_size = text_size;
                app.saved = unsaved_game("/data/games/7-zurero.json").game.into_iter().collect();
                app.console = vec![ConsoleLine { sent: true, line: "x".repeat(400) }; 3];
                app.rules.insert("zurero".into(), rules.into());
                let drawing = "  a b c\n1 . . .\n".repeat(9);
                app.position_text = Some(PositionText { drawing, words: "Black stones: a1.".into() });
                let mut person = Person::before(app);
                person.size = vec2(width, height);
                if is_long {
                    with_long_words(&person.ctx);
                }
                for panel in SHEETS.into_iter().chain(QUESTIONS) {
                    person.app.panels = BTreeSet::from([panel]);
                    person.wait();
                    let place = format!(
                        "{panel:?} on {screen:?}, {width} by {height}, text {text_size}, long {is_long}"
                    );
                    wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
                    wrong.extend(person.outside().into_iter().map(|area| format!("{place}: {area}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// WCAG AA, for everything that is written anywhere.
#[test]
fn every_text_stands_out_from_what_it_lies_on() {
    let rules = include_str!("../../../../assets/rules/fabrik.md");
    let mut faint: BTreeSet<String> = BTreeSet::new();
    let prepared = || App { screen: Screen::Prepare("fabrik".into()), ..at_home() };
    let screens: [fn() -> App; 6] =
        [at_home, at_board, prepared, watching, finished, || with_failed_bot(at_board())];
    for screen in screens {
        for panel in [Panel::Game].into_iter().chain(SHEETS).chain(QUESTIONS) {
            let mut app = screen();
            app.panels = BTreeSet::from([Panel::Game, panel]);
            app.saved = unsaved_game("/data/games/7-zurero.json").game.into_iter().collect();
            app.rules.insert("zurero".into(), rules.into());
            app.message = Some(Message {
                text: "A message".into(),
                is_problem: true,
                is_of_position: false,
                seconds_left: 9.0,
            });
            app.position_text = Some(PositionText { drawing: "1 . . .".into(), words: String::new() });
            app.console = vec![ConsoleLine { sent: true, line: "x".repeat(40) }; 3];
            let mut person = Person::before(app);
            faint.extend(person.hard_to_read());
            assert_eq!(person.without_form(), BTreeSet::new(), "{panel:?}");
        }
    }
    // These cannot be pressed in what was shown.
    let is_out_of_order =
        |text: &&String| ["Undo", "Redo", "Hint", "Resign"].iter().any(|word| text.contains(word));
    let faint: Vec<&String> = faint.iter().filter(|text| !is_out_of_order(text)).collect();
    assert!(faint.is_empty(), "{faint:#?}");
}

/// What people press most is there without scrolling, and the board has all the width there is.
#[test]
fn a_narrow_window_keeps_the_board_large_and_undo_in_sight() {
    for (size, least) in [(vec2(420.0, 760.0), 0.99), (vec2(700.0, 480.0), 0.55), (vec2(1024.0, 768.0), 0.7)]
    {
        let mut person = Person::before(at_board());
        person.size = size;
        person.wait();
        for needed in ["Menu", "Undo", "Hint", "Top"] {
            assert!(person.find(needed).is_some(), "{needed} at {size}");
        }
        let free = person.panels.free_area();
        assert!(free.right - free.left > least, "{size}: {free:?}");
    }
}

#[test]
fn the_board_has_most_of_the_window() {
    let person = Person::before(at_board());
    let free = person.panels.free_area();
    assert!((free.right - free.left) * (free.bottom - free.top) > 0.68, "{free:?}");
}

/// Whatever there is to be shown is shown at every size, and what people need to play is in sight.
#[test]
fn every_size_will_do() {
    let rules = include_str!("../../../../assets/rules/syrtis.md");
    let panels = [
        Panel::Settings,
        Panel::Rules,
        Panel::Keys,
        Panel::Console,
        Panel::SavedGames,
        Panel::MoveEntry,
        Panel::ConfirmResign,
        Panel::BotFailed,
        Panel::BotLog,
    ];
    for (width, height) in [(320.0, 240.0), (800.0, 600.0), (1920.0, 1080.0)] {
        for text_size in [0.8, 1.0, 1.6] {
            for screen in [Screen::Home, Screen::Prepare("fabrik".into()), Screen::Board] {
                let score = Score { win: 0.4, proved: None };
                let info = Info {
                    depth: 5,
                    nodes: 5_000_000,
                    time_ms: 100,
                    score,
                    pv: vec!["w3".into(); 40],
                    lines: Vec::new(),
                };
                let mut app = App { screen, ..among_others(at_board()) };
                app.settings.text_size = text_size;
                app.message = Some(Message {
                    text: "word ".repeat(60),
                    is_problem: true,
                    is_of_position: false,
                    seconds_left: 1.0,
                });
                let at = macroquad::math::vec2(width - 5.0, 2.0);
                app.refusal = Some(Refusal { text: "word ".repeat(20), at, seconds_left: 1.0 });
                app.console = vec![ConsoleLine { sent: true, line: "x".repeat(5000) }; 3];
                app.rules.insert("zurero".into(), rules.into());
                let table = app.table.as_mut().expect("a table");
                table.thinking = Some(Thought { seat: Seat::Two, info: Some(info), seconds: 1.0 });
                let mut person = Person::before(app);
                person.size = vec2(width, height);
                for panel in panels {
                    person.app.panels.insert(panel);
                    person.wait();
                    person.app.panels.remove(&panel);
                }
                person.app.message = None;
                person.app.refusal = None;
                person.wait();
                if person.app.screen == Screen::Board && width >= 800.0 && text_size <= 1.0 {
                    for needed in ["White is thinking…", "Undo", "Resign", "Menu"] {
                        assert!(person.find(needed).is_some(), "{needed} at {width} by {height}");
                    }
                }
                if person.app.screen == Screen::Home && width >= 800.0 && text_size <= 1.0 {
                    for needed in
                        ["Zurero", "Syrtis", "New game", if width < 900.0 { "More" } else { "Quit" }]
                    {
                        assert!(person.find(needed).is_some(), "{needed} at {width} by {height}");
                    }
                }
            }
        }
    }
}

/// Everything that there is to be seen, in windows that are far too small or too large and with
/// text of every size.
#[test]
fn panels_bear_windows_of_any_size() {
    let screens =
        [at_home(), at_board(), App { screen: Screen::Prepare("fabrik".into()), ..at_home() }, watching()];
    let sizes =
        [(1.0, 1.0), (100.0, 50.0), (120.0, 120.0), (120.0, 900.0), (8192.0, 150.0), (8192.0, 8192.0)];
    for app in screens {
        let mut person = Person::before(with_failed_bot(with_full_disk(app)));
        person.app.message = Some(Message {
            text: "words ".repeat(50),
            is_problem: true,
            is_of_position: false,
            seconds_left: 9.0,
        });
        for panel in SHEETS.into_iter().chain(QUESTIONS) {
            person.app.panels = BTreeSet::from([panel, Panel::Game, Panel::MoveEntry]);
            for (index, (width, height)) in sizes.into_iter().enumerate() {
                person.size = vec2(width, height);
                let sizes = [*TEXT_SIZES.start(), *TEXT_SIZES.end()];
                person.app.settings.text_size = sizes[index % 2];
                person.wait();
            }
        }
    }
}

/// The way back to a panel that is folded away is one word, however large it was before.
#[test]
fn what_is_folded_away_has_its_name_in_one_line() {
    let mut person = Person::before(at_board());
    person.app.panels.remove(&Panel::Game);
    for text_size in [1.0, 1.6] {
        person.app.settings.text_size = text_size;
        person.wait();
        let texts = person.texts();
        assert!(texts.iter().any(|(text, _)| text == "Game"), "{text_size}: {texts:?}");
    }
}

/// A menu that has more entries than the window has room for begins in sight and is scrolled.
#[test]
fn menus_are_in_sight_in_low_windows() {
    for (width, height) in [(640.0, 480.0), (1600.0, 500.0), (1280.0, 800.0)] {
        for text_size in [1.0, 1.6] {
            let mut app = at_board();
            app.settings.text_size = text_size;
            let mut person = Person::before(app);
            person.size = vec2(width, height);
            person.wait();
            person.click("Menu");
            let place = format!("{width} by {height}, text {text_size}");
            let first = person.find("Home").unwrap_or_else(|| panic!("{place}: \"Home\" is out of sight"));
            person.frame(vec![Event::PointerMoved(first)]);
            for _ in 0..30 {
                if person.find("Quit").is_some() {
                    break;
                }
                let delta = vec2(0.0, -200.0);
                let unit = MouseWheelUnit::Point;
                person.frame(vec![Event::MouseWheel { unit, delta, modifiers: Modifiers::NONE }]);
                person.wait();
            }
            assert!(person.find("Quit").is_some(), "{place}: the last entry is out of reach");
        }
    }
}

/// Nobody reads a menu of everything: what is wanted less often is on pages of its own.
#[test]
fn no_page_of_the_menu_is_long() {
    let mut person = Person::before(at_board());
    person.click("Menu");
    let entries = |person: &mut Person| person.texts().iter().filter(|(_, at)| at.left() < 60.0).count();
    assert!(entries(&mut person) <= 20, "the ways to look are beside it");
    person.click("More");
    assert!(person.find("Console").is_some() && person.find("Progress").is_none());
    person.click("Back");
    person.click("Where to look from");
    assert!(person.find("Nearer").is_some() && person.find("Console").is_none());
    assert_eq!(person.click("Full screen"), [Command::Window(WindowCommand::ToggleFullScreen)]);
    person.click("Menu");
    assert!(person.find("Progress").is_some(), "it begins with its first page");
}

/// The way back to the panel is where the menu is: at the other corner it would lie over the board.
#[test]
fn what_is_folded_away_is_beside_the_menu() {
    for (size, text_size) in
        [(vec2(640.0, 480.0), 1.0), (vec2(800.0, 600.0), 1.6), (vec2(1280.0, 800.0), 1.0)]
    {
        let mut app = at_board();
        app.settings.text_size = text_size;
        app.panels.remove(&Panel::Game);
        let mut person = Person::before(app);
        person.size = size;
        person.wait();
        let game = person.find("Game").expect("a button");
        let menu = person.find("Menu").expect("a button");
        let free = person.panels.free_area();
        let is_above = game.y < free.top * size.y;
        assert!((game.x - menu.x).abs() < 4.0 || is_above, "{size}: {game} and {menu}");
    }
}

/// In a high window with large text the panel is folded away; who wants it has it below the board,
/// which would be a stamp beside it.
#[test]
fn the_panel_of_a_high_window_is_below_the_board_however_large_text_is() {
    for mut app in [at_board(), review::with_review(at_board())] {
        app.settings.text_size = 1.6;
        let mut person = Person::before(app);
        person.size = vec2(420.0, 760.0);
        person.wait();
        person.app.panels.insert(Panel::Game);
        person.wait();
        let free = person.panels.free_area();
        assert!(free.right - free.left > 0.99 && free.bottom - free.top > 0.25, "{free:?}");
        assert_eq!(person.overlap(), None);
    }
}

/// A drawing of the board is wider than a narrow window with large text, and is scrolled.
#[test]
fn the_position_as_text_keeps_within_the_window() {
    let drawing = format!("{}\n", "|-------".repeat(8)).repeat(30);
    for size in [vec2(420.0, 760.0), vec2(800.0, 600.0)] {
        let mut app = with(at_board(), Panel::Position);
        app.settings.text_size = 1.6;
        app.position_text =
            Some(PositionText { drawing: drawing.clone(), words: "Black stones: a1.".into() });
        let mut person = Person::before(app);
        person.size = size;
        person.wait();
        assert_eq!(person.outside(), Vec::<String>::new(), "{size}");
        assert!(person.find("Close").is_some() && person.find("Position").is_some(), "{size}");
    }
}

/// Who reads the position need not scroll sideways for the widest of the boards, however large text
/// is.
#[test]
fn the_widest_drawing_is_seen_from_edge_to_edge() {
    let line = format!("1|{}|1\n", ["-------"; 8].join("|"));
    for size in [(420.0, 760.0), (640.0, 480.0), (800.0, 600.0), (1024.0, 768.0), (1280.0, 800.0)] {
        for text_size in [1.0, 1.3, 1.6] {
            let mut app = with(at_board(), Panel::Position);
            app.settings.text_size = text_size;
            app.position_text =
                Some(PositionText { drawing: line.repeat(30), words: "Black stones: a1.".into() });
            let mut person = Person::before(app);
            person.size = size.into();
            person.wait();
            let seen =
                person.frame(Vec::new()).1.into_iter().find_map(|ClippedShape { clip_rect, shape }| {
                    let text = if let Shape::Text(text) = shape { text } else { return None };
                    let is_drawing = text.galley.text().contains("-------");
                    is_drawing.then(|| (text.visual_bounding_rect().x_range(), clip_rect.x_range()))
                });
            let (drawn, seen) = seen.expect("a drawing");
            assert!(drawn.max <= seen.max, "{size:?}, text {text_size}: {drawn:?} in {seen:?}");
        }
    }
}

/// Small words beside larger ones stand in the same line, not half a line below it.
#[test]
fn words_of_one_line_stand_in_one_line() {
    let mut app = with(at_home(), Panel::SavedGames);
    app.saved = unsaved_game("/data/games/7-zurero.json").game.into_iter().collect();
    app.message =
        Some(Message { text: "Words".into(), is_problem: true, is_of_position: false, seconds_left: 9.0 });
    let mut person = Person::before(app);
    let (problem, words) = (person.line_of("Not possible:"), person.line_of("Words"));
    assert!((problem - words).abs() < 2.0, "{problem} and {words}");
    person.app.panels.clear();
    person.app.saved.clear();
    person.app.message = None;
    person.wait();
    let offer = person.line_of("New here? Start with Zurero.");
    let effort = person.line_of("Easy to learn, 10 minutes.");
    assert!((offer - effort).abs() < 2.0, "{offer} and {effort}");
}

/// Who opens the panel where there is no room for it sees the board beside it nevertheless, and sees
/// it whole again in the next game.
#[test]
fn in_a_small_window_the_panel_leaves_room_for_the_board() {
    let mut wrong: Vec<String> = Vec::new();
    for (width, height) in [(640.0, 480.0), (700.0, 480.0), (800.0, 600.0)] {
        for text_size in [1.0, 1.3, 1.45, 1.6] {
            for is_long in [false, true] {
                for app in [at_board(), review::with_review(at_board())] {
                    let is_reviewed = app.panels.contains(&Panel::Review);
                    let mut person = Person::in_window(app, (width, height), text_size, is_long);
                    person.settle();
                    person.app.panels.insert(Panel::Game);
                    person.settle();
                    let place = format!(
                        "{width} by {height}, text {text_size}, long {is_long}, review {is_reviewed}"
                    );
                    wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
                    let part = person.board_part();
                    wrong.extend((part < 0.15).then(|| format!("{place}: the board has {part:.2}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn in_a_small_window_the_panel_is_folded_away_again_when_a_game_ends_or_begins() {
    let mut app = at_board();
    app.settings.text_size = 1.3;
    let mut person = Person::before(app);
    person.size = vec2(640.0, 480.0);
    person.settle();
    assert!(!person.app.panels.contains(&Panel::Game), "there is no room for it");
    let is_opened = |person: &mut Person| {
        person.app.panels.insert(Panel::Game);
        person.settle();
        person.app.panels.contains(&Panel::Game)
    };
    assert!(is_opened(&mut person), "somebody wants it");
    person.app.table = finished().table;
    person.settle();
    assert!(!person.app.panels.contains(&Panel::Game), "the game is over");
    assert!(is_opened(&mut person), "somebody wants it once more");
    person.app.table = at_board().table;
    person.settle();
    assert!(person.app.panels.contains(&Panel::Game), "it is for taking turns back, too");
    person.app.visits += 1;
    person.settle();
    assert!(!person.app.panels.contains(&Panel::Game), "another game");
    person.app.panels.extend([Panel::Game, Panel::Review]);
    person.settle();
    assert!(person.app.panels.contains(&Panel::Game), "it has the review");
    person.app.panels.remove(&Panel::Review);
    person.settle();
    assert!(!person.app.panels.contains(&Panel::Game), "the review is closed");
}

/// Dark signs lie on dark panels: without an edge nobody sees them, however small text is.
#[test]
fn signs_of_the_dark_side_have_an_edge() {
    for text_size in [*TEXT_SIZES.start(), 1.0] {
        let mut app = review::with_review(at_board());
        app.panels.remove(&Panel::Review);
        app.settings.text_size = text_size;
        let mut person = Person::before(app);
        let (_, shapes) = person.frame(Vec::new());
        let discs: Vec<Stroke> = shapes
            .iter()
            .filter_map(|clipped| match &clipped.shape {
                Shape::Circle(circle) if circle.fill.a() == 255 && circle.fill.r() < 60 => {
                    Some(circle.stroke)
                }
                _ => None,
            })
            .collect();
        assert!(discs.len() > 1, "beside a name and in the list: {discs:?}");
        assert!(discs.iter().all(|stroke| !stroke.is_empty()), "text {text_size}: {discs:?}");
    }
}

/// At the end the board is what one looks at: what is pressed least is in the menu then.
#[test]
fn the_end_of_a_game_leaves_a_small_window_to_the_board() {
    for (size, text_size) in [(vec2(640.0, 480.0), 1.6), (vec2(640.0, 480.0), 1.3), (vec2(800.0, 600.0), 1.6)]
    {
        let mut app = finished();
        app.settings.text_size = text_size;
        let mut person = Person::before(app);
        person.size = size;
        person.settle();
        let part = person.board_part();
        assert!(part > 0.3, "{size}, text {text_size}: the board has {part:.2}");
        assert!(person.find("Puzzles of my mistakes").is_none(), "{size}, text {text_size}");
    }
    let mut person = Person::before(at_board());
    person.click("Menu");
    person.click("More");
    assert_eq!(person.click("Puzzles of my mistakes"), [Command::MakePuzzles]);
}
