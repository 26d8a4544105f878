//! The home screen.

use super::*;

/// What is easily read in a usual window would be tiny beside the board of a large one.
#[test]
fn large_windows_have_larger_text_and_cards() {
    let measured = [(1280.0, 800.0), (1920.0, 1080.0), (2560.0, 1440.0)].map(|(width, height)| {
        let mut person = Person::before(at_home());
        person.size = vec2(width, height);
        person.wait();
        let title = person.texts().into_iter().find(|(text, _)| text == "Tabuleiro").expect("a title").1;
        let cards: f32 = person.panels.thumbnails().iter().map(|card| card.place.width()).sum();
        (title.height(), cards / width)
    });
    assert_eq!(measured[0].0, measured[1].0);
    assert!(measured[2].0 > measured[1].0 * 1.1, "{measured:?}");
    assert!(measured.iter().all(|(_, part)| *part > 0.8), "cards have most of the width: {measured:?}");
    assert_eq!(Panels::text_size_in(vec2(8000.0, 8000.0), 1.6), 1.6);
}

#[test]
fn home_takes_keys() {
    let mut person = Person::before(at_home());
    assert_eq!(person.press(Key::Enter), [Command::PrepareGame("zurero".into())]);
    person.press(Key::ArrowRight);
    assert_eq!(person.press(Key::Enter), [Command::PrepareGame("fabrik".into())]);
    assert_eq!(person.panels.thumbnails().len(), 4);
    person.app.panels.insert(Panel::Settings);
    person.wait();
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::Settings)], "the sheet has the keyboard");
    person.app.panels.remove(&Panel::Settings);
    person.wait();
    let back = [Command::PrepareGame("fabrik".into())];
    assert_eq!(person.press(Key::Enter), back, "and gives it back where it was");
}

#[test]
fn home_takes_clicks() {
    let mut person = Person::before(App { table: at_board().table, ..at_home() });
    assert_eq!(person.click("Syrtis"), [Command::PrepareGame("syrtis".into())]);
    assert_eq!(person.click("Continue: Zurero"), [Command::ContinueGame]);
    assert_eq!(person.click("Rules"), [Command::Show(Panel::Rules)]);
}

#[test]
fn a_finished_game_is_not_offered_to_be_continued() {
    let mut app = App { table: at_board().table, ..at_home() };
    let state = &mut app.table.as_mut().expect("a table").state;
    let outcome = json!({"winner": 1, "reason": "five", "text": "Black wins."});
    state.outcome = Some(serde_json::from_value(outcome).expect("an outcome"));
    let mut person = Person::before(app);
    assert!(person.find("Continue: Zurero").is_none());
    let saved = unsaved_game("/data/games/7-syrtis.json").game.expect("a game");
    person.app.saved = vec![SavedGame { game: "syrtis".into(), ..saved }];
    person.wait();
    assert_eq!(person.click("Continue: Syrtis"), [Command::ContinueGame]);
}

/// Whoever has watched computers in between goes on with the game of their own.
#[test]
fn ones_own_game_is_continued_before_one_that_computers_play() {
    let saved = unsaved_game("/data/games/7-syrtis.json").game.expect("a game");
    let own = SavedGame { game: "syrtis".into(), ..saved.clone() };
    let watched = SavedGame { game: "fabrik".into(), is_watched: true, ..saved };
    let mut person = Person::before(App { saved: vec![watched.clone(), own.clone()], ..at_home() });
    assert!(person.find("Continue: Syrtis").is_some());
    let mut table = at_board().table.expect("a table");
    let computer = Player::Ai { level: "club".into(), limits: None };
    table.state.seats = PerSeat { one: computer.clone(), two: computer };
    person.app.table = Some(table);
    person.wait();
    assert!(person.find("Continue: Syrtis").is_some(), "rather than what is on the table");
    person.app.saved = vec![watched];
    person.wait();
    assert!(person.find("Continue: Zurero").is_some());
    person.app.table = None;
    person.wait();
    assert!(person.find("Continue: Fabrik").is_some(), "better than none");
}

/// What one comes for is there without scrolling, also for whoever has played before.
#[test]
fn home_keeps_the_way_to_everything_in_sight() {
    let saved = unsaved_game("/data/games/7-zurero.json").game.expect("a game");
    for (width, height) in [
        (420.0, 760.0),
        (640.0, 480.0),
        (800.0, 600.0),
        (1024.0, 768.0),
        (1280.0, 800.0),
        (1600.0, 500.0),
        (1920.0, 1080.0),
        (2560.0, 1440.0),
    ] {
        for (text_size, is_long) in [(1.0, false), (1.0, true), (1.6, false)] {
            let app = with_lessons(App { saved: vec![saved.clone(); 9], ..at_home() });
            let mut person = Person::in_window(app, (width, height), text_size, is_long);
            person.wait();
            let place = format!("{width} by {height}, text {text_size}, long {is_long}");
            assert!(person.find("Continue: Zurero").is_some(), "{place}");
            assert_eq!(person.overlap(), None, "{place}");
            if person.find("Settings").is_none() {
                assert_eq!(person.click("More"), [], "{place}");
            }
            assert_eq!(person.click("Settings"), [Command::Show(Panel::Settings)], "{place}");
            if text_size == 1.0 && !is_long {
                let board = person.panels.thumbnails()[0].place.height();
                assert!(board > 60.0, "{place}: the boards are {board} high");
            }
        }
    }
}

/// What is scrolled away is not painted behind the bar.
#[test]
fn boards_on_cards_end_where_the_bar_begins() {
    let mut person = Person::before(with_lessons(at_home()));
    person.size = vec2(420.0, 760.0);
    person.wait();
    let bar = person.find("New game").expect("the bar").y;
    let thumbnails = person.panels.thumbnails().to_vec();
    assert!(thumbnails.iter().any(|thumbnail| thumbnail.place.bottom() > bar), "one is scrolled away");
    for thumbnail in thumbnails {
        assert!(!thumbnail.seen.is_positive() || thumbnail.seen.bottom() < bar - 8.0, "{thumbnail:?}");
    }
}

/// Anyone who joins back finds the last games as boards, and whoever is new finds where to begin.
#[test]
fn home_has_the_last_games_and_a_place_to_begin() {
    let mut new = Person::before(at_home());
    assert_eq!(new.click("Play Zurero"), [Command::PrepareGame("zurero".into())]);
    assert!(new.find("Your last games").is_none());
    let first = unsaved_game("/data/games/7-zurero.json").game.expect("a game");
    let second =
        SavedGame { path: "/data/games/8-fabrik.json".into(), game: "fabrik".into(), ..first.clone() };
    let won = GameResult { level: "club".into(), won: Some(true) };
    let second = SavedGame { finished: true, result: Some(won), name: Some("My best".into()), ..second };
    let mut person = Person::before(App { saved: vec![second, first], ..at_home() });
    assert!(person.find("Play Zurero").is_none(), "who has played before is not new");
    assert!(person.find("you won").is_some() && person.find("unfinished").is_some());
    assert_eq!(person.click("you won"), [Command::LoadGame("/data/games/8-fabrik.json".into())]);
    assert_eq!(person.click("All saved games"), [Command::Show(Panel::SavedGames)]);
    let mut by_keys = Vec::new();
    for _ in 0..12 {
        person.press(Key::Tab);
        by_keys.extend(person.press(Key::Enter));
    }
    assert!(by_keys.contains(&Command::LoadGame("/data/games/7-zurero.json".into())), "{by_keys:?}");
}

/// One card stands out, whether keys have gone there or the pointer.
#[test]
fn one_card_stands_out() {
    let mut person = Person::before(at_home());
    let framed = |person: &mut Person| {
        let (_, shapes) = person.frame(Vec::new());
        let is_frame = |clipped: &&ClippedShape| matches!(&clipped.shape, Shape::Rect(rect) if rect.stroke == Stroke::new(1.5, look::ACCENT));
        shapes.iter().filter(is_frame).count()
    };
    assert_eq!(framed(&mut person), 1);
    let at = person.find("Fabrik").expect("a card");
    for down in [0.0, 2.0] {
        person.frame(vec![Event::PointerMoved(at + vec2(0.0, down))]);
    }
    person.wait();
    assert_eq!(framed(&mut person), 1);
    assert!(person.focused_at().is_some_and(|card| card.contains(at)), "the pointer has taken it along");
    // Elsewhere in a narrower window, and still the same.
    person.size = vec2(420.0, 760.0);
    person.wait();
    assert_eq!(framed(&mut person), 1);
    let at = person.find("Fabrik").expect("a card");
    assert!(person.focused_at().is_some_and(|card| card.contains(at)));
}

/// Somebody who has played before, in a window of this size.
fn returning(width: f32, height: f32) -> Person {
    let saved = unsaved_game("/data/games/7-zurero.json").game.expect("a game");
    let games = (0..9).map(|at| SavedGame { path: format!("/data/games/{at}.json").into(), ..saved.clone() });
    let app = with_lessons(App { saved: games.collect(), ..at_home() });
    let mut person = Person::before(app);
    person.size = vec2(width, height);
    person.wait();
    person
}

const WINDOWS: [(f32, f32); 6] =
    [(420.0, 760.0), (640.0, 480.0), (900.0, 700.0), (1280.0, 800.0), (1600.0, 500.0), (1920.0, 1080.0)];

/// Down goes from card to card in one column, then to the last games, then to the bar; whatever has
/// the keyboard is in sight. Up goes back.
#[test]
fn arrows_go_up_and_down_in_a_column_and_the_page_follows() {
    for (width, height) in WINDOWS {
        let mut person = returning(width, height);
        let place = format!("{width} by {height}");
        let bar = person.find("New game").or_else(|| person.find("More")).expect("the bar").y - 16.0;
        let mut stops = vec![person.focused_at().expect("a card has it")];
        loop {
            person.press(Key::ArrowDown);
            let at = person.focused_at().unwrap_or_else(|| panic!("{place}: nobody has it"));
            if stops.last() == Some(&at) || stops.len() > 20 {
                break;
            }
            assert!(at.width() > 20.0, "{place}: {at:?} is a scroll bar");
            assert!(at.top() > -1.0 && at.bottom() < height, "{place}: {at:?} is not in sight");
            let is_low = at.height() > bar;
            assert!(at.center().y > bar || at.bottom() < bar || is_low, "{place}: {at:?} is half hidden");
            stops.push(at);
        }
        let rows = if width < 500.0 {
            4
        } else if width < 1000.0 {
            2
        } else {
            1
        };
        // The cards, the games or the way to all of them, the bar.
        let cards = stops.iter().filter(|at| at.width() > 200.0 && at.height() > 100.0).count();
        assert_eq!(cards, rows, "{place}: {stops:?}");
        assert!(stops.len() >= rows + 2, "{place}: {stops:?}");
        for _ in 0..stops.len() + 1 {
            person.press(Key::ArrowUp);
        }
        let at = person.focused_at().expect("it has come back");
        assert!(at.top() >= 0.0 && at.height() > 100.0, "{place}: {at:?}");
        assert_eq!(person.press(Key::Enter), [Command::PrepareGame("zurero".into())], "{place}");
    }
}

#[test]
fn arrows_to_the_sides_stay_in_their_row() {
    for (width, height) in WINDOWS {
        let mut person = returning(width, height);
        let first = person.focused_at().expect("a card has it");
        let mut last = first;
        for _ in 0..6 {
            person.press(Key::ArrowRight);
            let at = person.focused_at().expect("something has it");
            assert_eq!(at.top(), first.top(), "{width} by {height}");
            assert!(at.left() >= last.left(), "{width} by {height}");
            last = at;
        }
    }
}

/// Keys that come in one frame after another are all heard, and only once.
#[test]
fn arrows_can_be_pressed_quickly() {
    let mut person = returning(1280.0, 800.0);
    let event = |key| Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    for _ in 0..3 {
        person.frame(vec![event(Key::ArrowRight)]);
    }
    person.wait();
    assert_eq!(person.press(Key::Enter), [Command::PrepareGame("syrtis".into())]);
    person.frame(vec![event(Key::ArrowLeft), event(Key::ArrowLeft)]);
    person.wait();
    assert_eq!(person.press(Key::Enter), [Command::PrepareGame("fabrik".into())]);
}

/// Tab finds everything that can be pressed, and no scroll bar.
#[test]
fn tab_goes_round_the_page() {
    for (width, height) in WINDOWS {
        let mut person = returning(width, height);
        let first = person.ctx.memory(|memory| memory.focused());
        let mut stops = 0;
        loop {
            person.press(Key::Tab);
            stops += 1;
            let at = person.focused_at().expect("something has it");
            assert!(at.width() > 20.0, "{width} by {height}: {at:?} is a scroll bar");
            assert!(at.top() > -1.0 && at.bottom() < height, "{width} by {height}: {at:?}");
            if person.ctx.memory(|memory| memory.focused()) == first {
                break;
            }
            assert!(stops < 60, "{width} by {height}: it never comes round");
        }
        assert!(stops > 12, "{width} by {height}: {stops}");
    }
}

/// Whoever comes back from a sheet or from a page goes on where they were.
#[test]
fn home_remembers_what_had_the_keyboard() {
    let mut person = returning(640.0, 480.0);
    for _ in 0..2 {
        person.press(Key::ArrowDown);
    }
    let id = person.ctx.memory(|memory| memory.focused());
    person.app.panels.insert(Panel::Settings);
    person.wait();
    person.press(Key::Tab);
    person.app.panels.remove(&Panel::Settings);
    person.wait();
    assert_eq!(person.ctx.memory(|memory| memory.focused()), id);
    person.app.screen = Screen::Prepare("fabrik".into());
    person.wait();
    person.app.screen = Screen::Home;
    person.wait();
    assert_eq!(person.ctx.memory(|memory| memory.focused()), id);
    // What is no more cannot have it.
    person.app.saved.clear();
    person.app.hello.as_mut().expect("an engine").games.truncate(2);
    person.wait();
    assert!(person.focused_at().is_some());
}

/// The bar and the page have the same edges.
#[test]
fn the_bar_is_as_wide_as_the_page() {
    for (width, height) in WINDOWS {
        let mut person = returning(width, height);
        let (_, shapes) = person.frame(Vec::new());
        let is_strip = |rect: &Rect| rect.width() > width * 0.6 && rect.height() < 120.0;
        let strips = shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Rect(shape) if shape.fill == look::SURFACE => Some(shape.rect),
            _ => None,
        });
        let strips: Vec<Rect> = strips.filter(is_strip).collect();
        assert!(strips.len() >= 2, "{width} by {height}");
        for strip in &strips {
            assert!((strip.right() - strips[0].right()).abs() < 1.0, "{width} by {height}: {strips:?}");
            assert!((strip.left() - strips[0].left()).abs() < 1.0, "{width} by {height}: {strips:?}");
        }
    }
}

/// How long a game takes is said whole, however large text is.
#[test]
fn cards_say_how_long_a_game_takes() {
    for text_size in [1.0, 1.3, 1.5, 1.6] {
        for (width, height) in WINDOWS {
            let mut person = returning(width, height);
            person.app.settings.text_size = text_size;
            person.wait();
            let words = "Easy to learn, 10 minutes";
            assert!(person.texts().iter().any(|(text, _)| text == words), "{width} by {height}, {text_size}");
            assert_eq!(person.overlap(), None, "{width} by {height}, {text_size}");
        }
    }
}

/// On a board as small as that, a dark stone is dark and a light one light: no outline, no sign.
#[test]
fn stones_of_small_boards_are_plain() {
    let mut person = returning(1280.0, 800.0);
    person.app.saved.truncate(1);
    let row = |stone: &str| format!("{stone}{}", " .".repeat(8));
    person.app.saved[0].rows = (0..9).map(|at| row(if at == 0 { "b" } else { "w" })).collect();
    person.wait();
    let (_, shapes) = person.frame(Vec::new());
    let discs: Vec<(Color32, Stroke)> = shapes
        .iter()
        .filter_map(|clipped| match &clipped.shape {
            Shape::Circle(circle) if circle.radius < 6.0 => Some((circle.fill, circle.stroke)),
            _ => None,
        })
        .collect();
    assert_eq!(discs.len(), 9, "one for each: {discs:?}");
    let lightness = |colour: Color32| u32::from(colour.r()) + u32::from(colour.g()) + u32::from(colour.b());
    for (fill, stroke) in discs {
        let is_dark = lightness(fill) < 300;
        assert!(!is_dark || stroke.is_empty(), "a light edge would be all that is seen of a dark stone");
    }
}

/// The first seat of Absorption sits in the north: a small board shows its pieces below as well.
#[test]
fn small_boards_are_turned_like_the_large_ones() {
    let mut person = returning(1280.0, 800.0);
    person.app.saved.truncate(1);
    person.app.saved[0].game = "absorption".into();
    let empty = || vec![". . . . . . . .".to_string(); 7];
    person.app.saved[0].rows = ["x3 . . . . . . .".to_string()].into_iter().chain(empty()).collect();
    person.wait();
    let heading = person.find("Your last games").expect("a heading");
    let (_, shapes) = person.frame(Vec::new());
    let disc = shapes.iter().find_map(|clipped| match &clipped.shape {
        Shape::Circle(circle) if circle.radius < 6.0 => Some(circle.center),
        _ => None,
    });
    let disc = disc.expect("a disc");
    assert!(disc.y > heading.y + 60.0, "a1 is at the near side: {disc:?}, {heading:?}");
}
