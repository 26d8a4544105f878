//! The page of a new game.

use super::*;

#[test]
fn a_game_is_prepared_and_the_choice_is_kept() {
    let mut person = Person::before(at_home());
    person.app.screen = Screen::Prepare("fabrik".into());
    person.wait();
    person.click("Expert");
    person.click("First version");
    person.click("+");
    let start = |person: &mut Person| match person.click("Start the game").as_slice() {
        [Command::StartGame(game)] => game.clone(),
        other => panic!("{other:?}"),
    };
    let game = start(&mut person);
    assert_eq!(game.game, "fabrik");
    assert_eq!(game.seats.one, Player::default());
    assert_eq!(game.seats.two, Player::Ai { level: "expert".into(), limits: None });
    assert_eq!(serde_json::to_value(&game.options).unwrap(), json!({"rules": "report", "size": 12}));
    person.app.screen = Screen::Home;
    person.wait();
    person.app.screen = Screen::Prepare("fabrik".into());
    person.wait();
    assert_eq!(start(&mut person), game);
    let Some(Command::StartGame(again)) = person.press(Key::Enter).pop() else { panic!("Enter starts") };
    assert_eq!(again, game);
}

#[test]
fn choices_of_the_last_game_are_there_again() {
    let mut app = App { screen: Screen::Prepare("fabrik".into()), ..at_home() };
    let computer = |level: &str| Player::Ai { level: level.into(), limits: None };
    let seats = PerSeat { one: computer("expert"), two: Player::default() };
    let options = serde_json::from_value(json!({"size": 7, "rules": "gone", "other": 1})).expect("options");
    app.settings.new_games.insert("fabrik".into(), Choices { seats: seats.clone(), options });
    let mut person = Person::before(app);
    match person.press(Key::Enter).as_slice() {
        [Command::StartGame(game)] => {
            assert_eq!(game.seats, seats);
            let expected = json!({"rules": "official", "size": 7});
            assert_eq!(serde_json::to_value(&game.options).unwrap(), expected, "as far as they are known");
        }
        other => panic!("{other:?}"),
    }
    let gone = PerSeat { one: computer("gone"), two: Player::default() };
    person.app.settings.new_games.get_mut("fabrik").expect("choices").seats = gone;
    let mut person = Person::before(person.app);
    let Some(Command::StartGame(game)) = person.press(Key::Enter).pop() else { panic!("Enter starts") };
    assert_eq!(game.seats.two, computer("club"), "a level that is gone is nobody's");
}

/// What has the keyboard is below the page, which is higher than its window.
#[test]
fn a_new_game_is_read_from_its_top() {
    for size in [vec2(1280.0, 700.0), vec2(640.0, 480.0), vec2(420.0, 760.0)] {
        let mut person = Person::before(with_lessons(at_home()));
        person.size = size;
        person.wait();
        person.app.screen = Screen::Prepare("fabrik".into());
        person.wait();
        assert!(person.find("Learn it").is_some(), "{size}");
    }
}

#[test]
fn a_seat_can_be_left_to_whoever_comes_where_somebody_can() {
    let mut person = Person::before(App { screen: Screen::Prepare("zurero".into()), ..at_home() });
    assert!(person.find("Anyone who joins").is_none());
    person.app.socket = Some("club".into());
    person.wait();
    person.click("Anyone who joins");
    match person.click("Start the game").as_slice() {
        [Command::StartGame(game)] => {
            assert_eq!(game.seats.one, Player::Client { open: true, claimed: false });
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn seats_say_what_they_are_and_levels_how_one_did() {
    let mut app = App { screen: Screen::Prepare("zurero".into()), ..at_home() };
    let game = unsaved_game("/data/games/7-zurero.json").game.expect("a game");
    let game = |won| {
        let result = Some(GameResult { level: "club".into(), won });
        SavedGame { finished: true, result, ..game.clone() }
    };
    app.saved = vec![game(Some(true)), game(Some(false)), game(None)];
    let mut person = Person::before(app);
    assert!(person.find("Black, moves first").is_some() && person.find("White").is_some());
    assert!(person.find("Your games against it: 1 won, 1 lost, 1 drawn.").is_some());
}

/// Tab and arrows go round everything on the page, which follows; no scroll bar takes the keyboard.
#[test]
fn keys_go_round_the_page_of_a_new_game() {
    for (width, height) in [(420.0, 760.0), (640.0, 480.0), (1280.0, 800.0), (1600.0, 500.0)] {
        let mut person = Person::before(App { screen: Screen::Prepare("fabrik".into()), ..at_home() });
        person.size = vec2(width, height);
        person.wait();
        let first = person.ctx.memory(|memory| memory.focused());
        assert!(first.is_some(), "\"Start the game\" has it");
        let mut seen = Vec::new();
        for key in [Key::Tab, Key::ArrowUp] {
            for _ in 0..40 {
                person.press(key);
                let at = person.focused_at().expect("something has it");
                assert!(at.width() > 12.0 && at.height() < 100.0, "{width} by {height}: {at:?}");
                assert!(at.top() > 0.0 && at.bottom() < height, "{width} by {height}: {at:?}");
                seen.push(person.ctx.memory(|memory| memory.focused()));
            }
            assert!(key != Key::Tab || seen.contains(&first), "{width} by {height}: it comes round");
        }
    }
}

/// Who has come from a game may want another one, and who watches is asked which.
#[test]
fn another_game_is_one_click_away() {
    let mut app = App { screen: Screen::Prepare("fabrik".into()), ..at_home() };
    app.is_to_watch = false;
    let mut person = Person::before(app);
    assert_eq!(person.click("Syrtis"), [Command::PrepareGame("syrtis".into())]);
    person.app.is_to_watch = true;
    person.wait();
    assert!(person.find("Watch computers").is_some());
    assert_eq!(person.click("Zurero"), [Command::PrepareGame("zurero".into())]);
    let Some(Command::StartGame(game)) = person.press(Key::Enter).pop() else { panic!("Enter starts") };
    let computer = Player::Ai { level: "club".into(), limits: None };
    assert_eq!(game.seats, PerSeat { one: computer.clone(), two: computer });
}
