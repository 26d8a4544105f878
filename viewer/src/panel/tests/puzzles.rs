//! Puzzles, and what was learnt so far.

use super::*;

#[test]
fn puzzles_are_chosen_by_game_and_grade_and_one_is_of_the_day() {
    let mut person = Person::before(with(with_progress(at_board()), Panel::Puzzles));
    assert_eq!(person.click("Next puzzle"), [Command::NextPuzzle]);
    assert_eq!(person.click("Puzzle of the day"), [Command::PuzzleOfTheDay]);
    assert_eq!(person.click("Play"), [Command::StartPuzzle("z1".into())]);
    let filter = PuzzleFilter::default;
    let game = PuzzleFilter { game: Some("syrtis".into()), ..filter() };
    assert_eq!(person.click("Syrtis"), [Command::WantPuzzles(game)]);
    let grade = PuzzleFilter { grade: Some(3), ..filter() };
    assert_eq!(person.click("Grade 3"), [Command::WantPuzzles(grade.clone())]);
    let own = PuzzleFilter { is_own: true, ..filter() };
    assert_eq!(person.click("From my own games"), [Command::WantPuzzles(own.clone())]);
    person.app.puzzle_filter = own;
    person.wait();
    assert_eq!(person.click("Play"), [Command::StartPuzzle("own-1".into())]);
    person.app.puzzle_filter = grade;
    person.wait();
    assert!(person.find("There are none of this kind.").is_some());
    assert_eq!(person.click("Progress"), [Command::Show(Panel::Progress)]);
}

/// Lessons may have been done in a terminal.
#[test]
fn nobody_is_called_new_who_has_learnt_something() {
    let mut app = with_lessons(at_home());
    app.saved.clear();
    let mut person = Person::before(app);
    assert!(person.find("New here? Start with Zurero.").is_some());
    person.app.progress.note_step("zurero", 0, 14, "2026-11-17".parse().expect("a day"));
    person.wait();
    assert!(person.find("New here? Start with Zurero.").is_none());
    let steps = person.app.lessons["zurero"].as_ref().expect("a lesson").steps.len();
    assert!(person.find(&format!("Zurero: 1 of {steps} steps done.")).is_some());
    assert_eq!(person.click("Continue the lesson"), [Command::Learn("zurero".into())]);
    for step in 0..steps {
        person.app.progress.note_step("zurero", step, steps, "2026-11-17".parse().expect("a day"));
    }
    person.wait();
    assert!(person.find("Continue the lesson").is_none(), "there is nothing left of it");
}

/// Puzzles that take as long and are as hard differ by their number, whatever is listed, and by their
/// board.
#[test]
fn no_two_rows_of_the_list_of_puzzles_read_the_same() {
    let mut person = Person::before(with(with_progress(at_board()), Panel::Puzzles));
    let game = Some("zurero".to_string());
    for filter in [PuzzleFilter::default(), PuzzleFilter { game, ..PuzzleFilter::default() }] {
        person.app.puzzle_filter = filter;
        person.wait();
        let read = person.texts();
        for title in ["Zurero 1", "Zurero 2"] {
            assert_eq!(read.iter().filter(|(text, _)| text == title).count(), 1, "{title}");
        }
    }
    person.app.puzzle_filter = PuzzleFilter { is_own: true, ..PuzzleFilter::default() };
    person.wait();
    assert!(person.find("Syrtis my own 1").is_some());
}

#[test]
fn a_puzzle_says_what_to_do_and_gives_hints_in_steps() {
    let mut person = Person::before(in_puzzle());
    assert!(person.find("Win in 2 turns, whatever the other side does.").is_some());
    assert!(person.find("Hint 1 of 3").is_some());
    assert_eq!(person.click("Hint"), [Command::Hint]);
    assert_eq!(person.click("Skip"), [Command::NextPuzzle]);
    assert_eq!(person.click("Give up"), [Command::GiveUp]);
    assert_eq!(person.click("Puzzles"), [Command::Show(Panel::Puzzles)]);
    let exercise = person.app.exercise.as_mut().expect("an exercise");
    exercise.verdict = Judgement::Done;
    exercise.remarks = vec!["Solved.".into()];
    person.wait();
    assert_eq!(person.click("Next puzzle"), [Command::NextPuzzle]);
}

#[test]
fn progress_is_shown_exported_and_deleted_after_a_question() {
    let mut person = Person::before(with(with_progress(at_home()), Panel::Progress));
    person.size = vec2(1280.0, 1400.0);
    person.wait();
    for words in ["0 won, 20 lost, 0 drawn", "20 won, 0 lost, 0 drawn", "14 of 14 steps done"] {
        assert!(person.find(words).is_some(), "{words}");
    }
    assert_eq!(person.click("Export"), [Command::ExportProgress]);
    assert_eq!(person.click("Delete"), [Command::Show(Panel::ConfirmDeleteProgress)]);
    person.app.panels.insert(Panel::ConfirmDeleteProgress);
    person.wait();
    let hide = Command::Hide(Panel::ConfirmDeleteProgress);
    assert_eq!(person.press(Key::Enter), std::slice::from_ref(&hide), "Enter deletes nothing");
    assert_eq!(person.click("Delete it"), [hide, Command::DeleteProgress]);
}

/// The pages about learning at every size that people have.
#[test]
fn puzzles_and_progress_have_room_at_every_size() {
    let mut wrong: Vec<String> = Vec::new();
    for (width, height) in [(420.0, 760.0), (640.0, 480.0), (800.0, 600.0), (1280.0, 800.0), (1920.0, 1080.0)]
    {
        for text_size in [1.0, 1.6] {
            let pages = [Panel::Lessons, Panel::Puzzles, Panel::Progress, Panel::ConfirmDeleteProgress];
            let mut people: Vec<(String, Person)> = pages
                .into_iter()
                .map(|page| (format!("{page:?}"), Person::before(with(with_progress(at_home()), page))))
                .collect();
            people.push(("a puzzle".into(), Person::before(in_puzzle())));
            for (name, mut person) in people {
                person.app.settings.text_size = text_size;
                person.size = vec2(width, height);
                person.wait();
                // What lies under a sheet does not count.
                let is_sheet = name != "a puzzle";
                let texts = if is_sheet { None } else { person.overlap() };
                wrong.extend(texts.map(|texts| format!("{name}, {width} by {height}, {text_size}: {texts}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A number beside nothing would be a riddle.
#[test]
fn an_empty_page_of_progress_has_no_number() {
    let mut person = Person::before(with(at_home(), Panel::Progress));
    assert!(person.find("The last 30 days").is_some());
    assert!(person.find("1").is_none() && person.find("0").is_none());
}

/// Little boards have the colours of those that one plays on.
#[test]
fn little_boards_are_those_of_the_theme() {
    let app = with_progress(with(at_home(), Panel::Puzzles));
    let mut person = Person::before(app);
    for theme in themes() {
        person.app.settings.theme.clone_from(&theme.name);
        person.wait();
        let (_, shapes) = person.frame(Vec::new());
        let [red, green, blue] = theme.zurero.wood.0;
        let wood = Color32::from_rgb(red, green, blue);
        let is_wood =
            |clipped: &ClippedShape| matches!(&clipped.shape, Shape::Rect(rect) if rect.fill == wood);
        assert!(shapes.iter().any(is_wood), "{}", theme.name);
    }
}
