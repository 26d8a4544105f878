//! Tables of others, bots, and an engine that goes away.

use super::*;

#[test]
fn tables_of_others_are_listed_and_joined() {
    let mut person = Person::before(among_others(at_home()));
    assert!(person.find("t2 · Person – Anyone who joins · 12 actions played").is_some());
    assert_eq!(person.click("Take seat 2"), [Command::TakeSeat("t2".into(), Seat::Two)]);
    assert_eq!(person.click("Watch"), [Command::Watch("t2".into())]);
    assert_eq!(person.click("Look again"), [Command::ListTables]);
    let mut by_keys = Vec::new();
    for _ in 0..12 {
        person.press(Key::Tab);
        by_keys.extend(person.press(Key::Enter));
    }
    assert!(by_keys.contains(&Command::Watch("t3".into())), "{by_keys:?}");
    let mut alone = Person::before(at_home());
    assert!(alone.find("Shared tables").is_none());
}

/// They stand below the games: in a small window nobody would see that anything has happened.
#[test]
fn tables_that_are_asked_for_come_in_sight() {
    for size in [vec2(420.0, 760.0), vec2(640.0, 480.0)] {
        let mut person = Person::before(among_others(at_home()));
        person.size = size;
        person.wait();
        assert!(person.find("Take seat 2").is_none(), "{size}");
        // From another page.
        person.app.screen = Screen::Prepare("fabrik".into());
        person.wait();
        person.app.screen = Screen::Home;
        person.app.calls_for_tables += 1;
        person.wait();
        assert!(person.find("Take seat 2").is_some(), "{size}");
    }
}

#[test]
fn who_watches_is_offered_nothing_but_a_free_seat_and_the_way_out() {
    let mut person = Person::before(watching());
    assert!(person.find("You are watching. White is to move.").is_some());
    for not_offered in ["Undo", "Resign", "Hint", "Change", "Pause", "Type a move"] {
        assert!(person.find(not_offered).is_none(), "{not_offered}");
    }
    assert_eq!(person.click("Play White"), [Command::TakeSeat("t1".into(), Seat::Two)]);
    assert_eq!(person.click("Take"), [Command::TakeSeat("t1".into(), Seat::Two)]);
    assert_eq!(person.click("Leave the table"), [Command::LeaveTable]);
}

#[test]
fn who_is_asked_to_let_a_turn_be_taken_back_can_agree() {
    let mut person = Person::before(at_board());
    assert!(person.find("Agree").is_none());
    let table = person.app.table.as_mut().expect("a table");
    let wanted = |by| Some(Wanted { by, method: Direction::Undo, actions: 1, node: None });
    table.state.wanted = wanted(Some(Seat::Two));
    person.wait();
    assert!(person.find("White asks to take back the last action.").is_some());
    assert_eq!(person.click("Agree"), [Command::Agree]);
    // The one who asks is told that, and can only wait.
    person.app.table.as_mut().expect("a table").state.wanted = wanted(Some(Seat::One));
    person.wait();
    assert!(person.find("You have asked; the other player may agree.").is_some());
    assert!(person.find("Agree").is_none());
}

#[test]
fn a_bot_that_failed_can_try_again_or_give_up_its_seat() {
    let mut person = Person::before(with_failed_bot(at_board()));
    assert!(person.find("pusher did not answer in time.").is_some());
    let hide = Command::Hide(Panel::BotFailed);
    assert_eq!(person.press(Key::Enter), [hide.clone(), Command::Resume]);
    let computer = Player::Ai { level: "club".into(), limits: None };
    assert_eq!(
        person.click("Computer takes the seat"),
        [hide.clone(), Command::SetSeat(Seat::Two, computer)]
    );
    assert_eq!(person.click("I take it"), [hide.clone(), Command::SetSeat(Seat::Two, Player::default())]);
    assert_eq!(person.click("What it has written"), [hide, Command::Show(Panel::BotLog)]);
    person.app.panels.remove(&Panel::BotFailed);
    person.wait();
    assert_eq!(person.click("What now?"), [Command::Show(Panel::BotFailed)]);
}

#[test]
fn what_bots_have_written_is_shown_one_by_one() {
    let mut person = Person::before(with(at_board(), Panel::BotLog));
    person.app.hello.as_mut().expect("hello").bots.push("puller".into());
    person.app.bot_logs.insert("pusher".into(), vec!["I push".into()]);
    person.app.bot_logs.insert("puller".into(), vec!["I pull".into()]);
    person.wait();
    assert!(person.find("I push").is_some());
    person.click("puller");
    assert!(person.find("I pull").is_some() && person.find("I push").is_none());
}

#[test]
fn an_engine_that_has_gone_is_told_of_until_it_is_there_again() {
    for app in [at_home(), at_board()] {
        let app = App { socket: Some("club".into()), engine_has_gone: true, ..app };
        let mut person = Person::before(app);
        assert!(person.find("The engine has gone").is_some());
        assert_eq!(person.click("Try again"), [Command::JoinAgain]);
    }
}
