//! Games that come from outside and games that leave, and what is no game at all.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tabuleiro::app::Screen;
use tabuleiro::command::{Command, Copied, Panel};
use tabuleiro::film::FilmOrder;

use crate::room::{Room, edge, person};

/// A game of three actions, of which the last was played instead of another.
fn with_variation() -> Room {
    let mut room = Room::new();
    room.start_three_turns();
    room.dispatch(Command::Undo);
    room.settle();
    room.click(edge("south", "e9"));
    room
}

const GAME: &str = "zurero size=9 : @e5 w5 se ( ne )";

fn copied(room: &mut Room, what: Copied) -> String {
    room.dispatch(Command::Copy(what));
    room.settle();
    let text = room.app().copied.clone().expect("a text");
    assert_eq!(room.director.take_for_clipboard().as_ref(), Some(&text));
    assert_eq!(room.director.take_for_clipboard(), None, "once");
    text
}

/// Opens what a file has, beside a game that is open.
fn open(room: &mut Room, name: &str, contents: impl AsRef<[u8]>) {
    begin_to_open(room, name, contents);
    room.settle();
}

/// The same for who wants to hear what is told, which is told for a while only.
fn begin_to_open(room: &mut Room, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
    let path = room.folder.path().join(name);
    fs::write(&path, contents).expect("a file");
    room.dispatch(Command::DismissMessage);
    room.dispatch(Command::OpenFile(path.clone()));
    path
}

fn record(room: &Room) -> Value {
    let files = fs::read_dir(room.folder.path().join("games")).expect("games");
    let newest = files.map(|file| file.expect("a file").path()).max().expect("a game");
    let file: Value = serde_json::from_slice(&fs::read(newest).expect("it is there")).expect("JSON");
    file["record"].clone()
}

#[test]
fn a_game_that_was_copied_is_pasted_with_its_variations() {
    let mut room = with_variation();
    assert_eq!(copied(&mut room, Copied::Game), GAME);
    let position = copied(&mut room, Copied::Position);
    assert!(position.starts_with("zurero size=9 start="), "{position}");
    let rows = room.table().state.rows.clone();
    room.dispatch(Command::OpenText(position));
    room.settle();
    assert_eq!((room.ply(), &room.table().state.rows), (0, &rows));
    room.dispatch(Command::OpenText(GAME.into()));
    room.settle();
    assert_eq!((room.ply(), &room.table().state.rows), (3, &rows));
    assert_eq!(copied(&mut room, Copied::Game), GAME);
    assert_eq!(room.saved_on_disk(), 3, "each is kept, the first one too");
}

#[test]
fn an_earlier_position_is_copied_as_it_is_looked_at() {
    let mut room = with_variation();
    room.dispatch(Command::LookAt(1));
    room.settle();
    let text = copied(&mut room, Copied::Position);
    assert_eq!(text, "zurero size=9 start=9/9/9/9/4,b,4/9/9/9/9 start.to_move=2");
}

#[test]
fn every_kind_of_file_is_opened() {
    let mut room = with_variation();
    let record = record(&room);
    let plain = json!({"version": 1, "variations": null, "notes": null});
    let mut first = record.clone();
    for (name, value) in plain.as_object().expect("members") {
        match value {
            Value::Null => drop(first.as_object_mut().expect("an object").remove(name)),
            value => first[name] = value.clone(),
        }
    }
    first.as_object_mut().expect("an object").remove("nodes");
    let saved = json!({"game": "zurero", "title": "A game", "finished": false, "record": record});
    let mut of_match = first.clone();
    of_match["match"] = json!({"game": 1});
    let kinds = [
        ("record.json", format!("{record:#}"), GAME),
        ("version1.json", first.to_string(), "zurero size=9 : @e5 w5 se"),
        ("saved.json", saved.to_string(), GAME),
        ("line.jsonl", format!("{of_match}\n"), "zurero size=9 : @e5 w5 se"),
        ("game.txt", format!("\u{feff}{GAME}\r\n"), GAME),
    ];
    for (name, contents, text) in kinds {
        room.start("fabrik", &[], person(), person());
        open(&mut room, name, contents);
        assert_eq!(room.app().screen, Screen::Board);
        assert_eq!(copied(&mut room, Copied::Game), text, "{name}");
    }
    let both = format!("{{\"format\":\"tabuleiro-match\"}}\n{of_match}\n{of_match}\n");
    begin_to_open(&mut room, "match.jsonl", both);
    room.until_told("the first of 2 games");
}

/// Whatever is wrong, the game on the table stays, and the message says where it is wrong.
#[test]
fn what_is_no_game_is_refused_with_the_place() {
    let mut room = with_variation();
    let before = room.table().state.clone();
    let record = record(&room);
    let mut later = record.clone();
    later["version"] = json!(9);
    let mut foreign = record.clone();
    foreign["game"] = json!("chess");
    let bad: [(&str, Vec<u8>, &str); 9] = [
        ("foreign.json", br#"{"name": "left-pad", "version": "1.0.0"}"#.to_vec(), "no game"),
        ("binary", vec![0x89, b'P', b'N', b'G', 0xff, 0, 1], "not UTF-8 (at byte 0)"),
        ("zeros", vec![b'z', 0, 0], "at byte 1"),
        ("empty", Vec::new(), "nothing in it"),
        ("novel.txt", b"Call me Ishmael. Some years ago".to_vec(), "word 1 (Call)"),
        ("later.json", later.to_string().into_bytes(), "at version"),
        ("chess.json", foreign.to_string().into_bytes(), "at game"),
        ("options.txt", b"zurero size=99 : @e5".to_vec(), "word 2 (size=99)"),
        ("huge.json", vec![b' '; 17 << 20], "17825792 bytes"),
    ];
    for (name, contents, why) in bad {
        let path = begin_to_open(&mut room, name, contents);
        room.until(|app| app.message.is_some());
        let message = room.app().message.clone().expect("a message");
        assert!(message.is_problem && message.text.contains(why), "{name}: {}", message.text);
        assert!(message.text.contains(&path.display().to_string()), "{name}: {}", message.text);
        assert_eq!(room.table().state, before, "{name}");
        room.settle();
        assert!(!room.app().panels.contains(&Panel::Damaged), "{name}");
    }
    room.dispatch(Command::OpenFile(room.folder.path().join("nowhere.json")));
    room.until_told("nowhere.json");
    room.dispatch(Command::OpenText(" ".into()));
    room.until_told("nothing in it");
    assert_eq!(room.table().state, before);
}

#[test]
fn what_can_be_read_of_a_damaged_game_is_offered() {
    let mut room = with_variation();
    let mut before = room.table().state.clone();
    let record = record(&room);
    let whole = format!("{record:#}");
    let cut = whole.find("\"variations\"").expect("what comes after the line") + 20;
    let mut branch = record.clone();
    branch["variations"][0]["actions"][0] = json!("z9");
    let mut action = record.clone();
    action["played"][2] = json!("w1");
    let damaged = [
        ("branch.json", branch.to_string(), "variations[0].actions[0]", "zurero size=9 : @e5 w5 se"),
        ("action.json", action.to_string(), "played[2]", "zurero size=9 ply=2 : @e5 w5 ne"),
        ("text.txt", "zurero size=9 : @e5 w5 w1 se".into(), "word 6 (w1)", "zurero size=9 : @e5 w5"),
    ];
    for (name, contents, place, readable) in damaged {
        open(&mut room, name, contents);
        let offered = room.app().offered.clone().expect(name);
        assert!(room.app().panels.contains(&Panel::Damaged));
        assert_eq!(offered.damage[0].place, place, "{name}");
        assert_eq!(room.table().state, before, "{name}: nothing has happened yet");
        room.dispatch(Command::Escape);
        room.settle();
        assert!(room.app().offered.is_none() && !room.app().panels.contains(&Panel::Damaged));
        assert_eq!(room.table().state, before, "{name}");

        room.dispatch(Command::OpenFile(room.folder.path().join(name)));
        room.settle();
        room.dispatch(Command::OpenReadable);
        room.settle();
        let text = copied(&mut room, Copied::Game);
        assert_eq!(text, readable, "{name}");
        assert!(!room.app().panels.contains(&Panel::Damaged));
        room.dispatch(Command::OpenText(GAME.into()));
        room.settle();
        before = room.table().state.clone();
    }
    open(&mut room, "cut.json", &whole[..cut]);
    let offered = room.app().offered.clone().expect("most of it");
    assert!(offered.damage[0].place.starts_with("line "), "{:?}", offered.damage);
    room.dispatch(Command::OpenReadable);
    room.settle();
    assert_eq!(room.ply(), 3);
}

#[test]
fn a_film_is_asked_for_turn_by_turn() {
    let mut room = with_variation();
    for turns in [(0, 1), (2, 1), (1, 9)] {
        room.dispatch(Command::MakeFilm(FilmOrder { turns: Some(turns), path: None }));
        room.until_told("The game has the turns 1 to 3");
        assert!(room.app().film.is_none());
        room.dispatch(Command::DismissMessage);
    }
    let path = room.folder.path().join("film.png");
    let order = FilmOrder { turns: Some((2, 3)), path: Some(path.clone()) };
    room.dispatch(Command::MakeFilm(order.clone()));
    room.settle();
    let shot = room.director.take_shot().expect("what happened");
    assert_eq!(shot.path, path);
    let frames: Vec<_> = shot.reel.frames().collect();
    assert_eq!(frames[0].figures.len(), 1, "it begins after the first turn");
    assert_eq!(frames.last().expect("a frame").figures.len(), 3);
    assert!(frames.len() > 6, "it moves");
    room.dispatch(Command::MakeFilm(order.clone()));
    room.until_told("being made already");
    room.dispatch(Command::CancelFilm);
    assert!(room.app().film.is_none());
    assert!(!room.director.note_film(1, 2), "the window hears that it was given up");
    room.dispatch(Command::MakeFilm(order));
    room.dispatch(Command::CancelFilm);
    room.settle();
    assert!(room.director.take_shot().is_none());
}
