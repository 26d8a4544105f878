//! Games that are kept, and disks that do not keep them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tabuleiro::app::Screen;
use tabuleiro::command::{Command, Panel};
use tabuleiro::settings::Settings;

use crate::long_game;
use crate::room::{Room, cell, edge, person};

fn games(room: &Room) -> PathBuf {
    room.folder.path().join("games")
}

/// From now on nothing can be written there, whoever tries: a file is in the place of the folder.
fn break_disk(room: &Room) {
    fs::rename(games(room), room.folder.path().join("away")).expect("the folder goes");
    fs::write(games(room), "in the way").expect("a file in its place");
}

fn mend_disk(room: &Room) {
    fs::remove_file(games(room)).expect("the file goes");
    fs::rename(room.folder.path().join("away"), games(room)).expect("the folder comes back");
}

fn begun() -> Room {
    let mut room = Room::new();
    room.start("zurero", &[("size", 9)], person(), person());
    room.click(cell("e5"));
    room
}

/// The game in a folder, as it is on disk.
fn kept_in(folder: PathBuf) -> Vec<Value> {
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    files.map(|file| serde_json::from_slice(&fs::read(file).expect("a file")).expect("a game")).collect()
}

fn played(game: &Value) -> usize {
    game["record"]["played"].as_array().expect("actions").len()
}

#[test]
fn a_save_that_fails_is_said_as_long_as_it_lasts_and_the_game_goes_on() {
    let mut room = begun();
    assert!(room.app().unsaved.is_empty());
    break_disk(&room);
    room.click(edge("west", "a5"));
    room.until(|app| !app.unsaved.is_empty());
    let unsaved = room.app().unsaved[0].clone();
    assert!(unsaved.reason.starts_with(&games(&room).display().to_string()), "{}", unsaved.reason);
    assert!(unsaved.game.is_some_and(|game| game.game == "zurero"));
    room.click(edge("north", "e1"));
    assert_eq!(room.ply(), 3, "one can play on");
    for _ in 0..600 {
        room.director.update(0.05);
    }
    assert!(!room.app().unsaved.is_empty(), "half a minute later it is still said");
    room.dispatch(Command::SaveAgain);
    room.settle();
    assert!(!room.app().unsaved.is_empty());
    mend_disk(&room);
    assert_eq!(played(&kept_in(games(&room))[0]), 1, "the old one is whole");
    room.until(|app| app.unsaved.is_empty());
    room.settle();
    let kept = kept_in(games(&room));
    assert_eq!((kept.len(), played(&kept[0])), (1, 3), "it was tried again by itself");
    assert_eq!(room.app().message.as_ref().expect("a word").text, "Everything is saved now.");
}

#[test]
fn a_turn_tries_again_and_nothing_offers_what_is_on_no_disk() {
    let mut room = Room::new();
    break_disk(&room);
    room.start("zurero", &[("size", 9)], person(), person());
    room.until(|app| !app.unsaved.is_empty());
    assert_eq!(room.app().saved, [], "it is not saved");
    room.dispatch(Command::ShowHome);
    room.dispatch(Command::ContinueGame);
    assert_eq!(room.app().screen, Screen::Board, "in memory it goes on");
    mend_disk(&room);
    room.click(cell("e5"));
    room.until(|app| app.unsaved.is_empty());
    room.settle();
    assert_eq!(room.app().saved.len(), 1);
    assert_eq!(played(&kept_in(games(&room))[0]), 1);
}

#[test]
fn a_game_that_is_only_in_memory_can_be_gone_on_with() {
    let mut room = begun();
    break_disk(&room);
    room.click(edge("west", "a5"));
    room.until(|app| !app.unsaved.is_empty());
    let path = room.app().unsaved[0].path.clone();
    room.start("fabrik", &[], person(), person());
    room.dispatch(Command::LoadGame(path));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.game == "zurero"));
    room.settle();
    assert_eq!(room.ply(), 2, "not the older one that is on the disk");
}

#[test]
fn another_folder_takes_what_could_not_be_saved_and_is_remembered() {
    let mut room = begun();
    break_disk(&room);
    room.click(edge("west", "a5"));
    room.until(|app| !app.unsaved.is_empty());
    for nowhere in ["somewhere", "./here"] {
        room.dispatch(Command::KeepGamesIn(nowhere.into()));
        room.until_told("from the root on");
    }
    let elsewhere = room.folder.path().join("another/folder");
    room.dispatch(Command::Show(Panel::Folder));
    room.dispatch(Command::KeepGamesIn(format!(" {} ", elsewhere.display())));
    room.until(|app| app.unsaved.is_empty());
    room.settle();
    assert!(!room.app().panels.contains(&Panel::Folder));
    assert_eq!(room.app().games_folder, elsewhere);
    room.click(edge("north", "e1"));
    assert_eq!(played(&kept_in(elsewhere.clone())[0]), 3);
    mend_disk(&room);
    let mut room = room.again();
    assert_eq!(room.app().games_folder, elsewhere);
    assert_eq!(room.app().saved.len(), 1, "the older one in the other folder is not offered beside it");
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.is_some());
    room.settle();
    assert_eq!(room.ply(), 3);
    room.dispatch(Command::KeepGamesIn(String::new()));
    room.settle();
    assert_eq!(room.app().games_folder, games(&room), "nothing is the usual folder");
    assert_eq!(played(&kept_in(games(&room))[0]), 3);
}

#[test]
fn settings_that_cannot_be_saved_are_said_too() {
    let mut room = Room::new();
    let file = room.folder.path().join("settings.json");
    fs::create_dir_all(file.join("in the way")).expect("a folder in its place");
    room.dispatch(Command::Change(Box::new(Settings { counts: true, ..Settings::default() })));
    room.until(|app| !app.unsaved.is_empty());
    assert!(room.app().unsaved[0].game.is_none());
    fs::remove_dir_all(&file).expect("the folder goes");
    room.until(|app| app.unsaved.is_empty());
    assert!(room.again().app().settings.counts);
}

#[test]
fn what_is_wrong_with_files_is_said_at_the_start() {
    let room = begun();
    let settings = room.folder.path().join("settings.json");
    let mut room = room.before_again(|folder| {
        fs::write(folder.join("settings.json"), r#"{"text_size":60,"counts":true}"#).expect("a file");
        fs::write(folder.join("games/broken.json"), "{").expect("a file");
    });
    assert!(room.app().settings.counts);
    assert_eq!(room.app().settings.text_size, 1.6);
    let told = room.app().message.as_ref().expect("a word").text.clone();
    assert!(told.contains(&format!("{}: text_size cannot be 60", settings.display())), "{told}");
    assert!(told.contains("broken.json"), "{told}");
    assert_eq!((room.app().saved.len(), room.app().left_out.len()), (1, 1));
    fs::remove_dir_all(games(&room)).expect("the games go");
    room.dispatch(Command::ContinueGame);
    assert!(room.app().message.as_ref().is_some_and(|message| message.text.contains("cannot be read")));
    assert_eq!(room.app().saved, [], "it is not offered again");
}

/// The save of a game of Absorption that has become so long.
fn long_save(turns: usize) -> Value {
    let mut room = Room::new();
    room.start("absorption", &[("turn_limit", 0)], person(), person());
    let mut game = kept_in(games(&room)).remove(0);
    game["record"]["played"] = json!(long_game::turns(turns));
    game
}

#[test]
fn a_long_game_is_gone_on_with() {
    let save = long_save(10_000).to_string();
    let mut room = Room::new().before_again(|folder| {
        fs::write(folder.join("games/1-absorption.json"), &save).expect("a save");
    });
    // It would take a while to say how the chances were at every turn.
    room.dispatch(Command::Change(Box::new(Settings { evaluation: false, ..Settings::default() })));
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.is_some());
    room.settle();
    assert_eq!(room.ply(), 20_000);
    room.dispatch(Command::Undo);
    room.settle();
    let mut room = room.again();
    room.dispatch(Command::ContinueGame);
    room.until(|app| app.table.is_some());
    room.settle();
    assert_eq!((room.ply(), room.table().state.undone), (19_998, 2));
}

/// Engines refuse to play on in time, so no game of theirs becomes so long. A file may hold one all
/// the same.
#[test]
fn a_game_that_is_too_long_for_a_line_says_so() {
    let save = long_save(60_000).to_string();
    assert!(save.len() > 1 << 20);
    let mut room = Room::new().before_again(|folder| {
        fs::write(folder.join("games/1-absorption.json"), &save).expect("a save");
    });
    room.dispatch(Command::ContinueGame);
    room.until_told("A line may have 1048576 bytes");
    room.settle();
    assert!(room.app().table.is_none());
}
