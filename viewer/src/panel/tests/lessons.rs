//! Lessons: how they are offered, and how their steps read.

use super::*;

#[test]
fn a_lesson_is_one_click_away() {
    let mut person = Person::before(with_lessons(at_home()));
    assert_eq!(person.click("Learn"), [Command::Learn("zurero".into())]);
    assert_eq!(person.click("Learn Zurero"), [Command::Learn("zurero".into())], "for whoever is new");
    assert_eq!(person.click("Zurero"), [Command::PrepareGame("zurero".into())]);
    assert_eq!(person.click("Lessons"), [Command::Show(Panel::Lessons)]);
    let mut person = Person::before(with(with_lessons(at_home()), Panel::Lessons));
    assert!(person.find("0 of 14 steps done").is_some());
    assert_eq!(person.click("Begin"), [Command::Learn("zurero".into())]);
}

#[test]
fn a_lesson_is_offered_before_the_first_game_and_can_be_declined() {
    let app = App { screen: Screen::Prepare("syrtis".into()), ..with_lessons(at_home()) };
    let mut person = Person::before(app);
    assert_eq!(person.click("Learn it"), [Command::Learn("syrtis".into())]);
    assert_eq!(person.click("Not now"), [Command::DeclineLesson("syrtis".into())]);
    person.app.progress.note_offer("syrtis");
    person.wait();
    assert!(person.find("Learn it").is_none());
}

#[test]
fn a_step_says_what_to_do_and_what_was_right_or_wrong() {
    let mut person = Person::before(in_lesson("zurero", 1));
    assert!(person.find("Slide a stone in").is_some() && person.find("step 2 of 14").is_some());
    assert_eq!(person.click("Hint"), [Command::Hint]);
    assert_eq!(person.click("Skip"), [Command::NextStep]);
    assert_eq!(person.click("Back"), [Command::PreviousStep]);
    assert_eq!(person.click("Leave"), [Command::LeaveLesson]);
    let exercise = person.app.exercise.as_mut().expect("an exercise");
    exercise.is_hint_shown = true;
    exercise.verdict = Judgement::Missed;
    exercise.remarks = vec!["Come from the left.".into()];
    person.wait();
    assert!(person.find("Choose the left end of row 5.").is_some());
    assert!(person.find("Come from the left.").is_some());
    assert_eq!(person.click("Try again"), [Command::TryAgain]);
    person.app.exercise.as_mut().expect("an exercise").verdict = Judgement::Done;
    person.wait();
    assert_eq!(person.click("Next step"), [Command::NextStep]);
}

/// A second click at the same place must not be one on another button.
#[test]
fn the_buttons_of_a_lesson_stay_where_they_are() {
    for (width, height) in [(640.0, 480.0), (1280.0, 800.0), (1600.0, 500.0)] {
        for game in ["zurero", "fabrik", "absorption", "syrtis"] {
            let steps = with_lessons(at_home()).lessons[game].as_ref().map_or(0, |lesson| lesson.steps.len());
            let mut places: Vec<String> = (0..steps)
                .map(|at| {
                    let mut person = Person::before(in_lesson(game, at));
                    person.size = vec2(width, height);
                    person.wait();
                    format!("{:?}", ["Skip", "Leave"].map(|name| person.find(name).expect("a button")))
                })
                .collect();
            places.dedup();
            assert_eq!(places.len(), 1, "{game}, {width} by {height}: {places:?}");
        }
    }
}

/// Every step of every lesson at every size that people have.
#[test]
fn lessons_have_room_at_every_size() {
    let mut wrong: Vec<String> = Vec::new();
    for (width, height) in [(420.0, 760.0), (640.0, 480.0), (800.0, 600.0), (1280.0, 800.0), (1920.0, 1080.0)]
    {
        for text_size in [1.0, 1.6] {
            for game in ["zurero", "fabrik", "absorption", "syrtis"] {
                let mut person = Person::before(in_lesson(game, 0));
                person.app.settings.text_size = text_size;
                person.size = vec2(width, height);
                let lesson = person.app.lessons[game].clone().expect("a lesson");
                for at in 0..lesson.steps.len() {
                    for verdict in [Judgement::Open, Judgement::Missed, Judgement::Done] {
                        let lesson = lesson.clone();
                        let mut exercise = Exercise::new(Task::Lesson { lesson, at }, Seat::One);
                        exercise.is_hint_shown = true;
                        exercise.remarks = vec![exercise.answer()];
                        exercise.verdict = verdict.clone();
                        person.app.exercise = Some(exercise);
                        person.wait();
                        let place =
                            format!("{game}, step {at}, {verdict:?}, {width} by {height}, {text_size}");
                        wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
                        let part = person.board_part();
                        wrong.extend((part < 0.2).then(|| format!("{place}: the board has {part:.2}")));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_of_lessons_has_room_at_every_size() {
    for (width, height) in [(420.0, 760.0), (640.0, 480.0), (1280.0, 800.0)] {
        for text_size in [1.0, 1.6] {
            let mut person = Person::before(with(with_lessons(at_home()), Panel::Lessons));
            person.app.settings.text_size = text_size;
            person.size = vec2(width, height);
            person.wait();
            assert_eq!(person.overlap(), None, "{width} by {height}, {text_size}");
        }
    }
}
