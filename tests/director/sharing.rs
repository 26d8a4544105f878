//! Several windows and a script at one engine.

use std::time::{Duration, Instant};

use tabuleiro::app::Screen;
use tabuleiro::board::Tokens;
use tabuleiro::command::{Command, Panel};
use tabuleiro_protocol::client::Conversation;
use tabuleiro_protocol::message::Incoming;
use tabuleiro_protocol::method::{Actions, Close, GetActions, Method, New, Opened, Play, Undo};
use tabuleiro_protocol::{PerSeat, Player, Seat};

use crate::room::{Engine, PATIENCE, Room, cell, computer, edge, has_finished_game, person};

fn open() -> Player {
    Player::Client { open: true, claimed: false }
}

/// A program that plays by itself.
struct Script(Conversation);

impl Script {
    fn at(engine: &Engine) -> Script {
        Script(Conversation::connect(&engine.name).expect("an engine"))
    }

    fn ask<M: Method>(&mut self, params: &M) -> M::Result {
        let (id, _) = self.0.send(params).expect("the engine listens");
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "no answer to {}", M::NAME);
            let Some(received) = self.0.hear(Duration::from_millis(100)).expect("the engine is there") else {
                continue;
            };
            if let Some(Incoming::Response { id: Some(answered), answer }) = received.incoming
                && answered == id
            {
                return serde_json::from_value(answer.expect("no error")).expect("an answer");
            }
        }
    }

    fn open_table(&mut self, one: Player, two: Player) -> String {
        let options = serde_json::from_str(r#"{"size": 9}"#).expect("options");
        let seats = Some(PerSeat { one: Some(one), two: Some(two) });
        let new = New { game: "zurero".into(), options: Some(options), seats, ..New::default() };
        let Opened { table, .. } = self.ask(&new);
        table
    }

    fn play(&mut self, table: &str, action: &str) {
        self.ask(&Play { table: table.into(), actions: vec![action.into()], ply: None });
    }
}

impl Room {
    /// Sees a table in the list and goes to it.
    fn watch(&mut self, table: &str) {
        self.until(|app| app.tables.iter().any(|listed| listed.table == table));
        self.dispatch(Command::Watch(table.into()));
        self.until(|app| app.table.is_some());
        self.settle();
    }

    fn take(&mut self, table: &str, seat: Seat) {
        self.until(|app| app.tables.iter().any(|listed| listed.table == table));
        self.dispatch(Command::TakeSeat(table.into(), seat));
        self.until(|app| app.table.as_ref().is_some_and(|table| table.is_ours(seat)));
        self.settle();
    }

    fn until_ply(&mut self, ply: usize) {
        self.until(|app| app.table.as_ref().is_some_and(|table| table.state.ply == ply));
        self.settle();
    }

    /// Points at something that may be pointed at, or presses a button.
    fn do_something(&mut self, chance: &mut usize) {
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (places, buttons) = (self.app().pick.open(), self.app().pick.complete());
        let number = (*chance >> 33) % (places.len() + buttons.len());
        let command = match places.get(number) {
            Some(&place) => Command::Point(place),
            None => Command::Play(buttons[number - places.len()].action.clone()),
        };
        self.dispatch(command);
        self.settle();
    }
}

fn rooms(engine: &Engine) -> (Room, Room) {
    (Room::at(engine), Room::at(engine))
}

/// Two windows at a small board of Zurero, and its table: the guest has taken the second seat.
fn maker_and_guest(engine: &Engine) -> (Room, Room, String) {
    let (mut maker, mut guest) = rooms(engine);
    maker.start("zurero", &[("size", 9)], person(), open());
    let table = maker.table().state.table.clone();
    guest.take(&table, Seat::Two);
    (maker, guest, table)
}

#[test]
fn two_windows_play_each_other_to_an_end() {
    let engine = Engine::start();
    let (mut maker, mut guest) = rooms(&engine);
    maker.start("fabrik", &[("size", 5), ("goal", 3)], person(), open());
    let table = maker.table().state.table.clone();
    guest.take(&table, Seat::Two);
    maker.until_told("Somebody has come");
    maker.settle();
    assert_eq!((maker.table().own_seat(), guest.table().own_seat()), (Seat::One, Seat::Two));

    let mut chance = 7;
    while maker.table().state.outcome.is_none() {
        let is_makers_turn = maker.table().state.to_move == Some(Seat::One);
        let (player, other) =
            if is_makers_turn { (&mut maker, &mut guest) } else { (&mut guest, &mut maker) };
        let ply = player.ply();
        assert!(player.table().is_ours_to_move() && !other.table().is_ours_to_move());
        assert!(other.app().pick.is_empty(), "the other side is offered nothing");
        other.dispatch(Command::Hint);
        assert!(!other.table().hint_wanted);
        while player.ply() == ply {
            player.do_something(&mut chance);
        }
        let ply = player.ply();
        other.until_ply(ply);
    }
    assert_eq!(maker.table().state.rows, guest.table().state.rows);
    assert!(guest.table().state.outcome.is_some());
    for room in [maker, guest] {
        let Room { director, folder } = room;
        drop(director);
        assert!(has_finished_game(folder.path()), "who plays keeps the game");
    }
}

#[test]
fn a_script_plays_and_the_window_shows_every_move() {
    let engine = Engine::start();
    let (mut script, mut window) = (Script::at(&engine), Room::at(&engine));
    let table = script.open_table(person(), person());
    script.play(&table, "@e5");
    window.watch(&table);
    assert_eq!((window.ply(), &window.app().screen), (1, &Screen::Board));
    assert!(window.table().is_watched());
    for (ply, action) in [(2, "w5"), (3, "ne"), (4, "e5")] {
        script.play(&table, action);
        window.until(|app| app.table.as_ref().is_some_and(|table| table.state.ply == ply));
        assert!(!window.app().motion.is_still(), "it moves");
        window.settle();
        assert_eq!(*window.app().motion.final_tokens(), Tokens::read(&window.table().state.rows));
        assert_eq!(window.table().turns.len(), ply);
    }
    script.ask(&Undo { table: table.clone(), turns: Some(2), actions: None, ask: false });
    window.until_told("took back the last 2 actions");
    window.settle();
    assert_eq!(window.ply(), 2);
    assert_eq!(*window.app().motion.final_tokens(), Tokens::read(&window.table().state.rows));

    window.dispatch(Command::Undo);
    window.until_told("only watching");
    window.click(edge("west", "a5"));
    assert!(window.app().refusal.as_ref().is_some_and(|refusal| refusal.text.contains("only watching")));
    for panel in [Panel::MoveEntry, Panel::ConfirmResign] {
        window.dispatch(Command::Toggle(panel));
        assert!(!window.app().panels.contains(&panel));
    }
    window.settle();
    assert_eq!(window.ply(), 2);

    script.ask(&Close { table });
    window.until_told("has closed it");
    assert_eq!((window.app().table.is_none(), &window.app().screen), (true, &Screen::Home));
    assert_eq!(window.saved_on_disk(), 0, "what is only watched is not kept");
}

#[test]
fn a_window_keeps_up_with_whoever_plays_fast() {
    let engine = Engine::start();
    let (mut script, mut window) = (Script::at(&engine), Room::at(&engine));
    let table = script.open_table(person(), person());
    window.watch(&table);
    let mut played = 0;
    while played < 40 {
        let Actions { actions, .. } =
            script.ask(&GetActions { table: table.clone(), ..GetActions::default() });
        let Some(action) = actions.get(played * 7 % actions.len().max(1)) else { break };
        script.play(&table, action);
        played += 1;
    }
    let mut shown = 0.0;
    while window.ply() < played || !window.app().motion.is_still() {
        window.director.update(0.05);
        std::thread::sleep(Duration::from_millis(1));
        shown += 0.05;
        let table = window.table();
        assert_eq!(*window.app().motion.final_tokens(), Tokens::read(&table.state.rows), "one moment");
        assert!(shown < 60.0, "it never came");
    }
    // Each of them alone would take a second.
    assert!(played > 20 && shown < 10.0, "{played} moves took {shown} s to show");
}

#[test]
fn a_seat_that_was_left_can_be_taken_by_another() {
    let engine = Engine::start();
    let (mut maker, mut guest, table) = maker_and_guest(&engine);
    maker.click(cell("e5"));
    guest.until_ply(1);
    guest.dispatch(Command::LeaveTable);
    assert_eq!((guest.app().table.is_none(), &guest.app().screen), (true, &Screen::Home));
    maker.until_told("has left");
    maker.settle();
    maker.click(edge("west", "a5"));
    assert_eq!(maker.ply(), 2, "the maker plays on for whoever is missing");

    let mut next = Room::at(&engine);
    next.watch(&table);
    assert_eq!(next.table().free_seats(), [Seat::Two]);
    next.dispatch(Command::TakeFreeSeat);
    next.until(|app| app.table.as_ref().is_some_and(|table| table.is_ours(Seat::Two)));
    maker.until(|app| app.table.as_ref().is_some_and(|table| !table.is_ours(Seat::Two)));
    drop(next);
    maker.until(|app| app.table.as_ref().is_some_and(|table| table.is_ours(Seat::Two)));
}

#[test]
fn a_game_goes_on_when_its_maker_has_gone() {
    let engine = Engine::start();
    let (mut maker, mut guest, _) = maker_and_guest(&engine);
    maker.click(cell("e5"));
    drop(maker);
    guest.until_told("Whoever played Black has left");
    guest.settle();
    guest.click(edge("west", "a5"));
    assert_eq!(guest.ply(), 2);
    guest.dispatch(Command::TakeFreeSeat);
    guest.until(|app| app.table.as_ref().is_some_and(|table| table.is_ours_to_move()));
    guest.settle();
    guest.click(edge("north", "e1"));
    assert_eq!(guest.ply(), 3);
}

#[test]
fn a_game_whose_table_is_closed_goes_on_at_a_table_of_ones_own() {
    let engine = Engine::start();
    let (mut maker, mut guest, table) = maker_and_guest(&engine);
    maker.click(cell("e5"));
    guest.until_ply(1);
    maker.dispatch(Command::LeaveTable);
    guest.until_told("at a table of your own");
    guest.until(|app| app.table.as_ref().is_some_and(|table| table.is_maker));
    guest.settle();
    assert_ne!(guest.table().state.table, table);
    guest.click(edge("west", "a5"));
    guest.click(edge("north", "e1"));
    assert_eq!(guest.ply(), 3);
}

#[test]
fn what_the_other_has_played_is_taken_back_once_it_agrees() {
    let engine = Engine::start();
    let (mut maker, mut guest, _) = maker_and_guest(&engine);
    maker.click(cell("e5"));
    guest.until_ply(1);
    guest.click(edge("west", "a5"));
    maker.until_ply(2);
    maker.dispatch(Command::Agree);
    maker.until_told("Nobody asks for anything.");
    maker.dispatch(Command::Undo);
    maker.until(|app| app.table.as_ref().is_some_and(|table| table.asked_by_us().is_some()));
    guest.until_told("Black asks to take back the last 2 actions. Y agrees; or play on.");
    guest.settle();
    assert_eq!((maker.ply(), guest.ply()), (2, 2));
    assert!(maker.table().is_ours_to_move() && guest.table().asked_of_us().is_some());
    guest.dispatch(Command::Agree);
    guest.until_ply(0);
    maker.until_told("It was agreed to take that back.");
    maker.settle();
    assert_eq!(maker.ply(), 0);
    assert!(maker.table().asked_by_us().is_none() && guest.table().asked_of_us().is_none());
    // Forth again, and this time the other plays on.
    maker.dispatch(Command::Redo);
    guest.until_told("Black asks to play the next 2 actions again.");
    maker.settle();
    maker.click(cell("e5"));
    guest.until_ply(1);
    assert!(guest.table().asked_of_us().is_none());
}

#[test]
fn who_only_watches_leaves_when_going_home_and_who_plays_does_not() {
    let engine = Engine::start();
    let (mut script, mut window) = (Script::at(&engine), Room::at(&engine));
    let table = script.open_table(person(), open());
    window.watch(&table);
    window.dispatch(Command::ShowHome);
    assert!(window.app().table.is_none());
    window.take(&table, Seat::Two);
    window.dispatch(Command::ShowHome);
    window.settle();
    assert!(window.table().is_ours(Seat::Two));
    window.dispatch(Command::ContinueGame);
    assert_eq!(window.app().screen, Screen::Board);
    window.dispatch(Command::Watch("t99".into()));
    window.until_told("no table");
    assert_eq!(window.table().state.table, table, "who finds no other table stays");
}

#[test]
fn a_guest_lets_the_computer_play_and_loses_the_seat_to_it() {
    let engine = Engine::start();
    let (mut maker, mut guest, _) = maker_and_guest(&engine);
    guest.dispatch(Command::SetSeat(Seat::Two, computer("random")));
    maker.until_told("The computer has been given");
    guest.until(|app| app.table.as_ref().is_some_and(|table| table.is_watched()));
    maker.settle();
    maker.click(cell("e5"));
    guest.until_ply(2);
}

#[test]
fn an_engine_that_has_gone_is_told_of_and_can_be_joined_again() {
    let engine = Engine::start();
    let (mut maker, mut watcher) = rooms(&engine);
    maker.start("zurero", &[("size", 9)], person(), person());
    maker.click(cell("e5"));
    let table = maker.table().state.table.clone();
    watcher.watch(&table);
    let name = engine.end();
    for room in [&mut maker, &mut watcher] {
        room.until(|app| app.engine_has_gone);
        room.dispatch(Command::JoinAgain);
        room.until_told("not there");
        assert!(room.app().engine_has_gone);
        room.dispatch(Command::Hint);
        room.until_told("has gone");
        room.settle();
    }
    let _engine = Engine::start_at(name);
    maker.dispatch(Command::JoinAgain);
    maker.until_told("goes on at a new table");
    maker.until(|app| app.table.as_ref().is_some_and(|table| !table.details.is_empty()));
    maker.settle();
    maker.click(edge("west", "a5"));
    assert_eq!(maker.ply(), 2);
    watcher.dispatch(Command::JoinAgain);
    watcher.until(|app| app.screen == Screen::Home && !app.tables.is_empty());
    assert!(watcher.app().table.is_none());
}
