//! What an analysis has found.

use super::*;

#[test]
fn what_is_found_has_room_at_every_size() {
    let mut wrong: Vec<String> = Vec::new();
    for (width, height) in
        [(420.0, 760.0), (640.0, 480.0), (800.0, 600.0), (1280.0, 800.0), (1600.0, 500.0), (1920.0, 1080.0)]
    {
        for (text_size, is_long) in [(1.0, false), (1.0, true), (1.3, false)] {
            let mut app = analysing(at_board());
            app.settings.text_size = text_size;
            let mut person = Person::before(app);
            person.size = vec2(width, height);
            if is_long {
                with_long_words(&person.ctx);
            }
            if person.wait().contains(&Command::Hide(Panel::Game)) {
                person.app.panels.remove(&Panel::Game);
                person.wait();
            }
            let place = format!("{width} by {height}, text {text_size}, long {is_long}");
            wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
            let part = person.board_part();
            wrong.extend((part < 0.2).then(|| format!("{place}: the board has {part:.2}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_analysis_is_begun_changed_and_ended_by_clicks() {
    let mut person = Person::before(at_board());
    assert_eq!(person.click("Analyse"), [Command::ToggleAnalysis]);
    let mut person = Person::before(analysing(at_board()));
    assert!(person.find("wins").is_some() && person.find("62 %").is_some());
    assert!(person.find("Analyse").is_none(), "it is on already");
    assert_eq!(person.click("Threat"), [Command::ToggleThreat]);
    assert_eq!(person.click("End"), [Command::ToggleAnalysis]);
    assert!(person.click("62 %").contains(&Command::ChooseLine(Some(1))));
    person.app.analysis.problem = Some("Only seat 1 can have the turn here.".into());
    assert!(person.find("Only seat 1 can have the turn here.").is_some());
}
