//! What is kept on disk, and what could not be.

use super::*;

#[test]
fn what_is_not_saved_is_said_everywhere_with_what_can_be_done() {
    for app in [at_home(), at_board(), App { screen: Screen::Prepare("fabrik".into()), ..at_home() }] {
        let mut person = Person::before(with_full_disk(app));
        assert_eq!(person.click("Try again"), [Command::SaveAgain]);
        assert!(person.find("Your game is not saved:").is_some());
        assert!(person.find("/data/games/7-zurero.json: No space left on device (os error 28)").is_some());
        assert_eq!(person.click("Save in another folder"), [Command::Show(Panel::Folder)]);
        for _ in 0..200 {
            person.wait();
        }
        assert!(person.find("Your game is not saved:").is_some(), "as long as it lasts");
        person.app.unsaved.remove(0);
        person.wait();
        assert!(person.find("Your settings are not saved:").is_some());
        person.app.unsaved.clear();
        person.wait();
        assert!(person.find("Your settings are not saved:").is_none());
    }
}

#[test]
fn another_folder_is_typed_or_chosen() {
    let mut person = Person::before(with(with_full_disk(at_board()), Panel::Folder));
    assert_eq!(person.click("/mnt/stick"), [Command::KeepGamesIn("/mnt/stick".into())]);
    let mut person = Person::before(with(with_full_disk(at_board()), Panel::Folder));
    person.write("/b");
    assert_eq!(person.press(Key::Enter), [Command::KeepGamesIn("/data/games/b".into())]);
    assert_eq!(person.click("Keep games here"), [Command::KeepGamesIn("/data/games/b".into())]);
}

#[test]
fn who_would_lose_a_game_is_asked_before_the_end() {
    let quit = Command::Window(WindowCommand::QuitUnsaved);
    let mut person = Person::before(with(with_full_disk(at_home()), Panel::ConfirmQuit));
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::ConfirmQuit)], "Enter loses nothing");
    assert_eq!(person.click("Quit without saving"), [quit]);
}

#[test]
fn only_what_is_on_disk_or_in_memory_is_offered() {
    let mut app = at_home();
    let mut person = Person::before(with_full_disk(App { saved: Vec::new(), ..app }));
    assert!(person.find("Continue: Zurero").is_none(), "nothing is on disk that could be continued");
    app = with(with_full_disk(at_home()), Panel::SavedGames);
    app.saved = app.unsaved[0].game.clone().into_iter().collect();
    app.left_out = vec!["/data/games/pipe.json: this is a pipe, a socket or a device, not a file".into()];
    person = Person::before(app);
    assert!(person.find("not saved, only in memory").is_some());
    assert!(person.find("unfinished").is_none(), "the older one is not offered beside it");
    assert!(person.find("/data/games/pipe.json: this is a pipe, a socket or a device, not a file").is_some());
    assert_eq!(person.click("Continue"), [Command::LoadGame("/data/games/7-zurero.json".into())]);
}

#[test]
fn saved_games_are_renamed_deleted_and_exported() {
    let mut app = with(at_home(), Panel::SavedGames);
    app.saved = unsaved_game("/data/games/7-zurero.json").game.into_iter().collect();
    let path = app.saved[0].path.clone();
    let mut person = Person::before(app);
    assert_eq!(person.click("Delete"), [Command::DeleteGame(path.clone())]);
    assert_eq!(person.click("Export"), [Command::ExportGame(path.clone())]);
    person.click("Rename");
    person.write("Mine");
    assert_eq!(person.press(Key::Enter), [Command::RenameGame(path.clone(), "Mine".into())]);
    person.app.deleted = person.app.saved.pop();
    person.wait();
    assert_eq!(person.click("Put it back"), [Command::RestoreGame]);
}

#[test]
fn what_can_be_read_of_a_damaged_game_is_offered_with_what_is_wrong() {
    let damage = |place: &str| Damage { place: place.into(), reason: "it is illegal".into() };
    let opened = Opened { table: "t2".into(), state: state(), damage: Vec::new() };
    let offered = Offered { name: "game.json".into(), opened, damage: vec![damage("played[3]")] };
    let app = with(App { offered: Some(Box::new(offered)), ..at_board() }, Panel::Damaged);
    let mut person = Person::before(app);
    assert!(person.texts().iter().any(|(text, _)| text.contains("played[3]: it is illegal")));
    assert_eq!(person.click("Open what can be read"), [Command::OpenReadable]);
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::Damaged)], "Enter leaves it");
}
