//! Setting up a position.

use super::*;

#[test]
fn a_position_is_set_up_with_buttons() {
    let fine = Verdict::Fine { text: "syrtis".into(), state: None };
    let mut person = Person::before(in_editor(fine));
    for (button, command) in [
        ("Play", Command::Edit(EditCommand::Play)),
        ("Analyse", Command::Edit(EditCommand::Analyse)),
        ("Copy", Command::Copy(Copied::Position)),
        ("Leave", Command::Edit(EditCommand::Leave)),
        ("Empty", Command::Edit(EditCommand::Empty)),
        ("Start of a game", Command::Edit(EditCommand::AtStart)),
        ("Take away", Command::Edit(EditCommand::Take(Hand::TakeAway))),
        ("Seat 2", Command::Edit(EditCommand::Say("to_move".into(), json!(2)))),
    ] {
        assert_eq!(person.click(button), [command], "{button}");
    }
    assert!(person.find("As on the table").is_none(), "there is no game on the table");
}

#[test]
fn what_is_wrong_with_a_position_is_said_and_it_cannot_be_played() {
    let problem = Problem { reason: "there are two light towers".into(), cell: None, field: None };
    let mut person = Person::before(in_editor(Verdict::Wrong(problem)));
    assert!(person.find("There are two light towers.").is_some());
    assert_eq!(person.click("Play"), []);
    assert_eq!(person.click("Leave"), [Command::Edit(EditCommand::Leave)]);
}

#[test]
fn the_editor_fits_windows_of_every_size() {
    for text_size in [1.0, *TEXT_SIZES.end()] {
        for size in [vec2(1280.0, 800.0), vec2(800.0, 600.0), vec2(480.0, 800.0)] {
            let mut app = in_editor(Verdict::Asked);
            app.settings.text_size = text_size;
            let mut person = Person::before(app);
            person.size = size;
            person.wait();
            assert_eq!(person.overlap(), None, "{size} at {text_size}");
            assert!(person.find("Play").is_some() && person.find("Leave").is_some(), "{size} at {text_size}");
        }
    }
}
