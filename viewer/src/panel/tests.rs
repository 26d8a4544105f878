//! Panels without a window: keys and clicks go in, commands come out.

mod review;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use egui_macroquad::egui::epaint::{ClippedShape, Shape};
use egui_macroquad::egui::{
    Color32, Context, Event, FontDefinitions, FontFamily, Key, Modifiers, PointerButton, Pos2, RawInput,
    Rect, Vec2, vec2,
};
use serde_json::json;
use tabuleiro_protocol::lesson::Lesson;
use tabuleiro_protocol::method::{Damage, Hinted, Opened, Problem, TableInfo};
use tabuleiro_protocol::notice::{BotFailed, BotFailure};
use tabuleiro_protocol::progress::{Attempt, LevelResult};
use tabuleiro_protocol::puzzle::Puzzle;
use tabuleiro_protocol::{
    Direction, GameInfo, Hello, Info, LevelInfo, LevelRole, MemberKind, OptionSpec, Options, Overlay,
    PerSeat, Piece, Player, Proof, Score, Seat, Start, StartMember, State, Turn, Variation, Wanted,
};

use super::{Panels, SHEETS, look};
use crate::analysis::{Analysis, Found, FoundLine};
use crate::app::{App, ConsoleLine, Message, Offered, PositionText, PuzzleFilter, Refusal, Screen};
use crate::command::{Command, Copied, EditCommand, Panel, WindowCommand};
use crate::editor::{Editor, Hand, Verdict};
use crate::exercise::{Exercise, Judgement, Task};
use crate::files::{GameResult, SavedGame};
use crate::film::{FilmOrder, FilmProgress};
use crate::keeper::Unsaved;
use crate::pick::Pick;
use crate::settings::{Choices, Settings, TEXT_SIZES};
use crate::state::{Chance, TableView, Thought};

/// A person before the panels.
struct Person {
    ctx: Context,
    panels: Panels,
    app: App,
    size: Vec2,
    seconds: f64,
}

impl Person {
    fn before(app: App) -> Person {
        let ctx = Context::default();
        let panels = Panels::new(vec![("Daylight".into(), "Daylight".into())]);
        let mut person = Person { ctx, panels, app, size: vec2(1280.0, 800.0), seconds: 0.0 };
        person.wait();
        person
    }

    fn frame(&mut self, events: Vec<Event>) -> (Vec<Command>, Vec<ClippedShape>) {
        self.seconds += 0.1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.seconds),
            events,
            ..RawInput::default()
        };
        let mut commands = Vec::new();
        let output = self.ctx.run(input, |ctx| {
            Panels::style(ctx, Panels::text_size_in(self.size, self.app.settings.text_size));
            commands.extend(self.panels.show(ctx, &self.app));
        });
        (commands, output.shapes)
    }

    /// Lets everything find its place.
    fn wait(&mut self) -> Vec<Command> {
        (0..6).flat_map(|_| self.frame(Vec::new()).0).collect()
    }

    fn press(&mut self, key: Key) -> Vec<Command> {
        self.press_with(Modifiers::NONE, key)
    }

    fn press_with(&mut self, modifiers: Modifiers, key: Key) -> Vec<Command> {
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        let mut commands = self.frame(vec![event(true)]).0;
        commands.extend(self.frame(vec![event(false)]).0);
        commands.extend(self.wait());
        commands
    }

    fn write(&mut self, text: &str) {
        self.frame(vec![Event::Text(text.into())]);
    }

    /// Where a text is to be seen.
    fn find(&mut self, text: &str) -> Option<Pos2> {
        let (_, shapes) = self.frame(Vec::new());
        let mut seen: Vec<Pos2> = Vec::new();
        for ClippedShape { clip_rect, shape } in &shapes {
            // What lies on a text hides it.
            if let Shape::Rect(cover) = shape
                && cover.fill.a() > 230
            {
                seen.retain(|at| !cover.rect.intersect(*clip_rect).contains(*at));
            }
            seen.extend(find_in(shape, text).filter(|at| clip_rect.contains(*at)));
        }
        seen.into_iter().next().filter(|at| Rect::from_min_size(Pos2::ZERO, self.size).contains(*at))
    }

    /// Every text that is to be seen, and where.
    fn texts(&mut self) -> Vec<(String, Rect)> {
        let (_, shapes) = self.frame(Vec::new());
        let window = Rect::from_min_size(Pos2::ZERO, self.size);
        let mut texts = Vec::new();
        for ClippedShape { clip_rect, shape } in &shapes {
            texts_in(shape, clip_rect.intersect(window), &mut texts);
        }
        texts
    }

    /// Every text whose colour does not stand out from what it lies on, whatever board is behind it.
    /// What cannot be pressed for the moment may be faint.
    fn hard_to_read(&mut self) -> Vec<String> {
        let (_, shapes) = self.frame(Vec::new());
        let mut seen = Seen::default();
        for ClippedShape { clip_rect, shape } in &shapes {
            seen.look_at(shape, *clip_rect);
        }
        seen.faint
    }

    /// Every letter for which its font has no form: people would see an empty box.
    fn without_form(&mut self) -> BTreeSet<char> {
        let (_, shapes) = self.frame(Vec::new());
        let mut letters = BTreeSet::new();
        shapes.iter().for_each(|clipped| self.look_for_boxes(&clipped.shape, &mut letters));
        letters
    }

    fn look_for_boxes(&self, shape: &Shape, letters: &mut BTreeSet<char>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.look_for_boxes(shape, letters)),
            Shape::Text(text) => {
                for part in &text.galley.job.sections {
                    let words = &text.galley.job.text[part.byte_range.clone()];
                    let has_form = |letter: &char| {
                        letter.is_whitespace()
                            || self.ctx.fonts(|fonts| fonts.has_glyph(&part.format.font_id, *letter))
                    };
                    letters.extend(words.chars().filter(|letter| !has_form(letter)));
                }
            }
            _ => {}
        }
    }

    /// What reaches beyond the window.
    fn outside(&self) -> Vec<String> {
        let window = Rect::from_min_size(Pos2::ZERO, self.size).expand(1.0);
        let layers = self.ctx.memory(|memory| memory.areas().visible_layer_ids());
        let rects = layers.into_iter().filter_map(|layer| {
            let rect = self.ctx.memory(|memory| memory.area_rect(layer.id))?;
            (rect.is_positive() && !window.contains_rect(rect)).then(|| format!("{layer:?} at {rect:?}"))
        });
        rects.collect()
    }

    /// Two texts of which one lies on the other.
    fn overlap(&mut self) -> Option<String> {
        let texts = self.texts();
        for (index, (one, here)) in texts.iter().enumerate() {
            for (other, there) in &texts[index + 1..] {
                let common = here.intersect(*there);
                if common.width() > 2.0 && common.height() > 4.0 {
                    return Some(format!("\"{one}\" at {here:?} and \"{other}\" at {there:?}"));
                }
            }
        }
        None
    }

    fn click(&mut self, text: &str) -> Vec<Command> {
        let at = self.find(text).unwrap_or_else(|| panic!("\"{text}\" is not to be seen"));
        let button = |pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.frame(vec![Event::PointerMoved(at)]);
        let mut commands = self.frame(vec![button(true)]).0;
        commands.extend(self.frame(vec![button(false)]).0);
        commands.extend(self.wait());
        commands
    }
}

fn find_in(shape: &Shape, text: &str) -> Option<Pos2> {
    match shape {
        Shape::Text(shape) if shape.galley.text() == text => {
            Some(shape.pos + shape.galley.rect.center().to_vec2())
        }
        Shape::Vec(shapes) => shapes.iter().find_map(|shape| find_in(shape, text)),
        _ => None,
    }
}

/// What was painted so far, from below to above.
#[derive(Default)]
struct Seen {
    grounds: Vec<(Rect, Color32)>,
    faint: Vec<String>,
}

impl Seen {
    fn look_at(&mut self, shape: &Shape, clip: Rect) {
        match shape {
            Shape::Rect(rect) => self.grounds.push((rect.rect.intersect(clip), rect.fill)),
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.look_at(shape, clip)),
            Shape::Text(text) => {
                let at = text.pos + text.galley.rect.center().to_vec2();
                if !clip.contains(at) || text.opacity_factor < 0.99 || text.galley.text().trim().is_empty() {
                    return;
                }
                // What has a ground of its own is a picture of a stone.
                let words = text.galley.job.sections.iter().map(|part| &part.format);
                for colour in words.filter(|word| word.background.a() == 0).map(|word| word.color) {
                    let colour = match text.override_text_color.unwrap_or(colour) {
                        Color32::PLACEHOLDER => text.fallback_color,
                        colour => colour,
                    };
                    let ratio = [0.0, 128.0, 255.0].map(|behind| {
                        let ground = self.ground_at(at, [behind; 3]);
                        look::contrast(look::over(colour, ground), ground)
                    });
                    let least = ratio.into_iter().fold(f32::MAX, f32::min);
                    if least < 4.5 {
                        self.faint.push(format!("\"{}\" {colour:?}: {least:.2}", text.galley.text()));
                    }
                }
            }
            _ => {}
        }
    }

    fn ground_at(&self, at: Pos2, behind: [f32; 3]) -> [f32; 3] {
        let below = self.grounds.iter().filter(|(rect, _)| rect.contains(at));
        below.fold(behind, |ground, (_, fill)| look::over(*fill, ground))
    }
}

fn texts_in(shape: &Shape, clip: Rect, texts: &mut Vec<(String, Rect)>) {
    match shape {
        // What lies on a text hides it.
        Shape::Rect(rect) if rect.fill.a() > 230 => {
            let cover = rect.rect.intersect(clip);
            texts.retain(|(_, text)| !cover.intersects(*text));
        }
        Shape::Text(shape) => {
            for row in &shape.galley.rows {
                let (Some(first), Some(last)) = (row.glyphs.first(), row.glyphs.last()) else { continue };
                let text: String = row.glyphs.iter().map(|glyph| glyph.chr).collect();
                let across = first.pos.x..=last.pos.x + last.advance_width;
                let rect = Rect::from_x_y_ranges(across, row.rect.y_range());
                let rect = rect.translate(shape.pos.to_vec2()).intersect(clip);
                if rect.is_positive() && !text.trim().is_empty() {
                    texts.push((text, rect));
                }
            }
        }
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts_in(shape, clip, texts)),
        _ => {}
    }
}

fn hello() -> Hello {
    let game = GameInfo::new;
    let size = OptionSpec::integer("size", 11, 5, 15, "Rows and columns of the board.");
    let rules = OptionSpec::choice("rules", &["official", "report"], "Which rules are played.");
    let level = |name: &str| LevelInfo {
        id: name.to_lowercase(),
        name: name.into(),
        help: format!("{name} plays."),
        roles: if name == "Club" { vec![LevelRole::Opponent] } else { Vec::new() },
    };
    Hello {
        engine: "engine".into(),
        version: "1".into(),
        protocol: 1,
        games: vec![
            game("zurero", "Zurero", vec![size.clone()]),
            game("fabrik", "Fabrik", vec![size, rules]),
            game("absorption", "Absorption", Vec::new()),
            game("syrtis", "Syrtis", Vec::new()),
        ],
        levels: ["Random", "Club", "Expert"].map(level).into(),
        bots: vec!["pusher".into()],
        strict: false,
    }
}

fn at_home() -> App {
    App { hello: Some(hello()), ..App::new(Settings::default()) }
}

/// The lessons as they are shipped.
fn with_lessons(app: App) -> App {
    let texts = [
        include_str!("../../../assets/lessons/zurero.json"),
        include_str!("../../../assets/lessons/fabrik.json"),
        include_str!("../../../assets/lessons/absorption.json"),
        include_str!("../../../assets/lessons/syrtis.json"),
    ];
    let lessons = texts.map(|text| serde_json::from_str::<Lesson>(text).expect("a lesson"));
    let lessons = lessons.into_iter().map(|lesson| (lesson.game.clone(), Some(lesson)));
    App { lessons: lessons.collect(), ..app }
}

/// A step of a lesson on the board.
fn in_lesson(game: &str, at: usize) -> App {
    let mut app = with_lessons(at_board());
    let lesson = app.lessons[game].clone().expect("a lesson");
    if let Some(table) = &mut app.table {
        table.learner = Some(Seat::One);
        table.state.ply = 0;
    }
    app.exercise = Some(Exercise::new(Task::Lesson { lesson, at }, Seat::One));
    app
}

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

fn puzzle(name: &str, game: &str) -> Puzzle {
    serde_json::from_value(json!({
        "name": name, "game": game, "start": {"rows": [". ."], "to_move": 1}, "kind": "win", "turns": 2,
        "solutions": [["w3"]], "line": [["w3"]], "grade": 2, "solved_by": {}, "source": "your game, turn 7"
    }))
    .expect("a puzzle")
}

/// Somebody who has learnt for a while.
fn with_progress(app: App) -> App {
    let mut app = with_lessons(app);
    app.today = "2026-11-17".parse().expect("a day");
    app.puzzles =
        vec![puzzle("z1", "zurero").info(), puzzle("z2", "zurero").info(), puzzle("f1", "fabrik").info()];
    app.own_puzzles = vec![puzzle("own-1", "syrtis")];
    app.puzzle_of_the_day = Some("f1".into());
    for ago in 0..20 {
        let day = app.today.plus(-ago);
        app.progress.note_step("zurero", ago as usize % 14, 14, day);
        let (which, attempt) = if ago % 3 == 0 { (0, Attempt::Failed) } else { (2, Attempt::Solved) };
        app.progress.note_puzzle(&app.puzzles[which].clone(), attempt, day);
        app.progress.note_game("fabrik", "club", LevelResult::Lost, day);
        app.progress.note_game("zurero", "expert", LevelResult::Won, day);
    }
    app
}

fn in_puzzle() -> App {
    let mut app = with_progress(at_board());
    let hint = Hinted {
        step: 1,
        of: 3,
        text: "Look at the row in the middle.".into(),
        cells: vec!["a1".into()],
        actions: Vec::new(),
    };
    let mut task = Task::new_puzzle(puzzle("z1", "zurero"));
    if let Task::Puzzle { hints, is_helped, .. } = &mut task {
        (*hints, *is_helped) = (vec![hint], true);
    }
    app.exercise = Some(Exercise::new(task, Seat::One));
    app
}

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
    assert_eq!(person.click("All"), [Command::Show(Panel::Puzzles)]);
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

/// What is easily read in a usual window would be tiny beside the board of a large one.
#[test]
fn large_windows_have_larger_text_and_cards() {
    let measured = [(1280.0, 800.0), (1920.0, 1080.0), (2560.0, 1440.0)].map(|(width, height)| {
        let mut person = Person::before(at_home());
        person.size = vec2(width, height);
        person.wait();
        let title = person.texts().into_iter().find(|(text, _)| text == "Tabuleiro").expect("a title").1;
        let cards: f32 = person.panels.thumbnails().iter().map(|card| card.place.width()).sum();
        (title.height(), cards / width)
    });
    assert_eq!(measured[0].0, measured[1].0);
    assert!(measured[2].0 > measured[1].0 * 1.1, "{measured:?}");
    assert!(measured.iter().all(|(_, part)| *part > 0.8), "cards have most of the width: {measured:?}");
    assert_eq!(Panels::text_size_in(vec2(8000.0, 8000.0), 1.6), 1.6);
}

/// In a low window the list would else be behind its own filters, and in a narrow one a sheet would
/// hang at the edge.
#[test]
fn sheets_use_low_and_narrow_windows() {
    for (width, height, row) in [(640.0, 480.0, "Zurero 1"), (800.0, 600.0, "Zurero 2")] {
        let mut person = Person::before(with(with_progress(at_board()), Panel::Puzzles));
        person.size = vec2(width, height);
        person.wait();
        assert!(person.find(row).is_some(), "{width} by {height}: {row}");
    }
    let mut person = Person::before(with(at_board(), Panel::Settings));
    person.size = vec2(420.0, 760.0);
    person.wait();
    let close = person.find("Close").expect("a button").x;
    let title = person.texts().into_iter().find(|(text, _)| text == "Settings").expect("a title").1;
    assert!((title.left() - (420.0 - close)).abs() < 40.0, "{} and {close}", title.left());
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
                        let free = person.panels.free_area();
                        let part = (free.right - free.left) * (free.bottom - free.top);
                        wrong.extend((part < 0.2).then(|| format!("{place}: the board has {part:.2}")));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn state() -> State {
    serde_json::from_value(json!({
        "table": "t1", "game": "zurero", "options": {"size": 5}, "seed": 1,
        "seats": {"1": {"kind": "client"}, "2": {"kind": "ai", "level": "club"}},
        "sides": {"1": "black", "2": "white"}, "ply": 3, "turn": 3, "to_move": 1, "phase": "play",
        "prompt": "Slide a stone in.", "rows": [], "counters": {"points": [3, 4], "streak": 1}, "last": null,
        "outcome": null, "undone": 1, "held": false
    }))
    .expect("a state")
}

fn at_board() -> App {
    let turn = |seat, action: &str, ply| Turn { seat, actions: vec![action.into()], ply };
    let mut table = TableView::new(state());
    table.turns = vec![
        turn(Seat::One, "@c3", 1),
        turn(Seat::Two, "w3", 2),
        turn(Seat::One, "nc", 3),
        turn(Seat::Two, "e3", 4),
    ];
    for (ply, first) in [(0, 0.5), (2, 0.6), (3, 0.4)] {
        table.note_chance(table.key(ply).expect("a position"), Chance { first, is_rough: ply == 3 });
    }
    let cells = vec!["a1".into()];
    table.overlays =
        vec![Overlay { name: "o".into(), text: "Four in a row".into(), seat: Some(Seat::One), cells }];
    App { screen: Screen::Board, table: Some(table), ..at_home() }
}

/// A window that has joined an engine at which others have tables.
fn among_others(app: App) -> App {
    let table = |name: &str, seats| TableInfo {
        table: name.into(),
        game: "zurero".into(),
        ply: 12,
        seats: serde_json::from_value(seats).expect("seats"),
        outcome: None,
    };
    let person = json!({"kind": "client"});
    let open = json!({"kind": "client", "open": true});
    let tables =
        vec![table("t2", json!({"1": person, "2": open})), table("t3", json!({"1": person, "2": person}))];
    App { socket: Some("club".into()), tables, ..app }
}

/// Somebody else's table, with a seat that is free.
fn watching() -> App {
    let seats = json!({"1": {"kind": "client"}, "2": {"kind": "client", "open": true}});
    let seats = serde_json::from_value(seats).expect("seats");
    let table = TableView::of_others(State { seats, to_move: Some(Seat::Two), ..state() });
    App { table: Some(table), ..among_others(at_board()) }
}

fn with_failed_bot(mut app: App) -> App {
    if let Some(table) = &mut app.table {
        table.state.held = true;
        table.state.to_move = Some(Seat::Two);
        table.failed = Some(BotFailed {
            table: "t1".into(),
            seat: Seat::Two,
            name: "pusher".into(),
            why: BotFailure::Timeout,
            detail: "no answer within 2 s".into(),
        });
    }
    with(app, Panel::BotFailed)
}

/// A game that the person has won.
fn finished() -> App {
    let mut app = at_board();
    let outcome = json!({"winner": 1, "reason": "five", "text": "Black wins with five in a row."});
    let state = &mut app.table.as_mut().expect("a table").state;
    state.outcome = Some(serde_json::from_value(outcome).expect("an outcome"));
    state.to_move = None;
    app
}

fn with(mut app: App, panel: Panel) -> App {
    app.panels.insert(panel);
    app
}

#[test]
fn home_takes_keys() {
    let mut person = Person::before(at_home());
    assert_eq!(person.press(Key::Enter), [Command::PrepareGame("zurero".into())]);
    person.press(Key::ArrowRight);
    assert_eq!(person.press(Key::Enter), [Command::PrepareGame("fabrik".into())]);
    assert_eq!(person.panels.thumbnails().len(), 4);
    person.app.panels.insert(Panel::Settings);
    person.wait();
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::Settings)], "the sheet has the keyboard");
    person.app.panels.remove(&Panel::Settings);
    person.wait();
    assert_eq!(person.press(Key::Enter), [Command::PrepareGame("zurero".into())], "and gives it back");
}

#[test]
fn home_takes_clicks() {
    let mut person = Person::before(App { table: at_board().table, ..at_home() });
    assert_eq!(person.click("Syrtis"), [Command::PrepareGame("syrtis".into())]);
    assert_eq!(person.click("Continue: Zurero"), [Command::ContinueGame]);
    assert_eq!(person.click("Rules"), [Command::Show(Panel::Rules)]);
}

#[test]
fn a_game_is_prepared_and_the_choice_is_kept() {
    let mut person = Person::before(at_home());
    person.app.screen = Screen::Prepare("fabrik".into());
    person.wait();
    person.click("Expert");
    person.click("Report");
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
fn on_the_board_keys_are_for_the_board() {
    let mut person = Person::before(at_board());
    for key in [Key::Tab, Key::Tab, Key::ArrowDown, Key::Enter, Key::Space] {
        assert_eq!(person.press(key), [], "{key:?}");
        assert!(!person.ctx.wants_keyboard_input(), "{key:?}");
    }
    let both = [Key::Tab, Key::Enter].map(|key| Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    });
    assert_eq!(person.frame(both.into()).0, [], "not even when both keys come in one frame");
}

#[test]
fn keys_can_be_turned_to_the_buttons() {
    let mut person = Person::before(with(at_board(), Panel::Buttons));
    assert!(person.ctx.wants_keyboard_input());
    let mut seen = Vec::new();
    for _ in 0..60 {
        person.press(Key::Tab);
        seen.extend(person.press(Key::Space));
    }
    assert!(seen.contains(&Command::Undo), "{seen:?}");
    assert!(seen.contains(&Command::LookAt(2)), "{seen:?}");
}

#[test]
fn a_move_is_typed() {
    let mut person = Person::before(with(at_board(), Panel::MoveEntry));
    person.write("w3");
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("w3".into())]);
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("w3".into())], "a refused move can be mended");
    person.app.table.as_mut().expect("a table").state.ply = 4;
    person.wait();
    assert_eq!(person.press(Key::Enter), []);
}

#[test]
fn what_is_typed_takes_the_place_of_what_was_refused() {
    let mut person = Person::before(with(at_board(), Panel::MoveEntry));
    person.write("w9");
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("w9".into())]);
    person.app.panels.remove(&Panel::MoveEntry);
    person.wait();
    person.app.panels.insert(Panel::MoveEntry);
    person.wait();
    person.write("nc");
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("nc".into())]);
}

/// Whoever types quickly is heard before the line is seen.
#[test]
fn a_line_hears_what_was_typed_when_it_was_opened() {
    let enter = Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let mut person = Person::before(at_board());
    person.app.panels.insert(Panel::MoveEntry);
    let (commands, _) = person.frame(vec![Event::Text("w3".into()), enter]);
    assert_eq!(commands, [Command::TypeMove("w3".into())]);
}

#[test]
fn shift_tab_keeps_the_keyboard_at_the_buttons() {
    let mut person = Person::before(with(at_board(), Panel::Buttons));
    for _ in 0..5 {
        person.press_with(Modifiers::SHIFT, Key::Tab);
        assert!(person.ctx.memory(|memory| memory.focused()).is_some());
    }
}

/// What has the keyboard is in sight, and keys for pages turn them.
#[test]
fn settings_follow_the_keyboard() {
    let app = with(at_board(), Panel::Settings);
    let mut person = Person::before(app);
    person.size = vec2(800.0, 600.0);
    person.wait();
    let last = "Another folder";
    assert!(person.find(last).is_none(), "there is more than can be seen");
    person.press(Key::PageDown);
    assert!(person.find("Theme").is_none(), "a page further");
    person.press(Key::PageUp);
    for _ in 0..60 {
        person.press(Key::Tab);
        let focused = person.ctx.memory(|memory| memory.focused()).expect("something has the keyboard");
        let rect = person.ctx.read_response(focused).expect("it is there").rect;
        if person.app.panels.contains(&Panel::Settings)
            && person.find(last).is_some_and(|at| rect.contains(at))
        {
            return;
        }
    }
    panic!("\"{last}\" never came into sight");
}

#[test]
fn a_finished_game_is_not_offered_to_be_continued() {
    let mut app = App { table: at_board().table, ..at_home() };
    let state = &mut app.table.as_mut().expect("a table").state;
    let outcome = json!({"winner": 1, "reason": "five", "text": "Black wins."});
    state.outcome = Some(serde_json::from_value(outcome).expect("an outcome"));
    let mut person = Person::before(app);
    assert!(person.find("Continue: Zurero").is_none());
    let saved = unsaved_game("/data/games/7-syrtis.json").game.expect("a game");
    person.app.saved = vec![SavedGame { game: "syrtis".into(), ..saved }];
    person.wait();
    assert_eq!(person.click("Continue: Syrtis"), [Command::ContinueGame]);
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

/// Every screen at every size that people have, also with text that is longer by a third.
#[test]
fn no_text_lies_on_another() {
    let mut wrong: Vec<String> = Vec::new();
    let long = "Place a tile of yours beside the others, or move one of the towers, or let a tile sink into the sea.";
    for (width, height) in [
        (420.0, 760.0),
        (640.0, 480.0),
        (800.0, 600.0),
        (1024.0, 768.0),
        (1280.0, 800.0),
        (1600.0, 500.0),
        (1920.0, 1080.0),
        (2560.0, 1440.0),
        // The same where a point is two pixels.
        (1280.0, 720.0),
    ] {
        for (text_size, is_long) in [(1.0, false), (1.0, true), (1.3, false), (1.6, false)] {
            for screen in [Screen::Home, Screen::Prepare("fabrik".into()), Screen::Board] {
                let mut app = App { screen: screen.clone(), ..with_lessons(at_board()) };
                app.settings.text_size = text_size;
                let table = app.table.as_mut().expect("a table");
                table.state.prompt = long.into();
                table.turns[2].actions = vec!["a1/a2,b1,b2".into(); 6];
                let mut person = Person::before(app);
                person.size = vec2(width, height);
                if is_long {
                    with_long_words(&person.ctx);
                }
                if person.wait().contains(&Command::Hide(Panel::Game)) {
                    person.app.panels.remove(&Panel::Game);
                    person.wait();
                }
                let place = format!("{screen:?}, {width} by {height}, text {text_size}, long {is_long}");
                wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
                wrong.extend(person.outside().into_iter().map(|area| format!("{place}: {area}")));
                if screen == Screen::Board {
                    person.app.panels.insert(Panel::MoveEntry);
                    person.wait();
                    wrong.extend(person.overlap().map(|texts| format!("{place}, typing: {texts}")));
                    let free = person.panels.free_area();
                    let part = (free.right - free.left) * (free.bottom - free.top);
                    wrong.extend((part < 0.3).then(|| format!("{place}: the board has {part:.2}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn analysing(mut app: App) -> App {
    let line = |win, proved| FoundLine {
        variation: Variation {
            actions: vec!["a1/a2,b1,b2".into(); 2],
            score: Score { win, proved },
            pv: vec!["a1/a2,b1,b2".into(); 14],
            turns: vec![2; 7],
        },
        line: None,
    };
    let lines = vec![line(1.0, Some(Proof::Win)), line(0.62, None), line(0.5, None)];
    app.analysis = Analysis {
        is_on: true,
        is_searching: true,
        found: Some(Found { depth: 12, nodes: 154_000_000, lines }),
        ..Analysis::default()
    };
    app
}

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
            let free = person.panels.free_area();
            let part = (free.right - free.left) * (free.bottom - free.top);
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

/// How much larger letters are that are wider by a third: those of a typewriter are wider already.
const TYPEWRITER: f32 = 1.14;

/// Words that are longer by 30 %, as those of other languages are.
fn with_long_words(ctx: &Context) {
    let mut fonts = FontDefinitions::default();
    let wide = fonts.families[&FontFamily::Monospace].clone();
    fonts.families.insert(FontFamily::Proportional, wide);
    for font in fonts.font_data.values_mut() {
        Arc::make_mut(font).tweak.scale *= TYPEWRITER;
    }
    ctx.set_fonts(fonts);
}

#[test]
fn long_words_are_longer() {
    // The same words in one line each.
    let widths = |is_long: bool| {
        let mut person = Person::before(with(with_lessons(at_home()), Panel::Settings));
        person.size = vec2(4000.0, 4000.0);
        if is_long {
            with_long_words(&person.ctx);
        }
        person.wait();
        person.texts().into_iter().map(|(text, rect)| (text, rect.width())).collect::<BTreeMap<_, _>>()
    };
    let (short, long) = (widths(false), widths(true));
    let pairs = short.iter().filter_map(|(text, short)| Some((*short, *long.get(text)?)));
    let (short, long) = pairs.clone().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    assert!(pairs.count() > 30);
    assert!(long > short * 1.3, "{}", long / short);
}

/// Every sheet and every question on every screen, with long words and with large ones, also where
/// a point is two pixels.
#[test]
fn sheets_keep_within_the_window_and_no_text_of_theirs_lies_on_another() {
    let rules = include_str!("../../../assets/rules/syrtis.md");
    let mut wrong: Vec<String> = Vec::new();
    for (width, height) in [
        (420.0, 760.0),
        (640.0, 480.0),
        (800.0, 600.0),
        (1024.0, 768.0),
        (1280.0, 720.0),
        (1600.0, 500.0),
        (2560.0, 1440.0),
    ] {
        for (text_size, is_long) in [(1.0, false), (1.0, true), (1.6, false)] {
            for screen in [Screen::Home, Screen::Board] {
                let mut app = with_failed_bot(with_full_disk(App { screen: screen.clone(), ..at_board() }));
                app.unsaved.clear();
                app.panels.clear();
                app.settings.text_size = text_size;
                app.saved = unsaved_game("/data/games/7-zurero.json").game.into_iter().collect();
                app.console = vec![ConsoleLine { sent: true, line: "x".repeat(400) }; 3];
                app.rules.insert("zurero".into(), rules.into());
                let drawing = "  a b c\n1 . . .\n".repeat(9);
                app.position_text = Some(PositionText { drawing, words: "Black stones: a1.".into() });
                let mut person = Person::before(app);
                person.size = vec2(width, height);
                if is_long {
                    with_long_words(&person.ctx);
                }
                for panel in SHEETS.into_iter().chain(super::QUESTIONS) {
                    person.app.panels = BTreeSet::from([panel]);
                    person.wait();
                    let place = format!(
                        "{panel:?} on {screen:?}, {width} by {height}, text {text_size}, long {is_long}"
                    );
                    wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
                    wrong.extend(person.outside().into_iter().map(|area| format!("{place}: {area}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every page of rules, to its end: nothing is cut off in narrow windows, and no letter is a box.
#[test]
fn rules_of_every_game_can_be_read_in_every_window() {
    let rules = [
        ("zurero", include_str!("../../../assets/rules/zurero.md")),
        ("fabrik", include_str!("../../../assets/rules/fabrik.md")),
        ("absorption", include_str!("../../../assets/rules/absorption.md")),
        ("syrtis", include_str!("../../../assets/rules/syrtis.md")),
    ];
    let mut wrong: Vec<String> = Vec::new();
    for (game, text) in rules {
        for (width, height, text_size, is_long) in [
            (420.0, 4000.0, 1.0, false),
            (420.0, 4000.0, 1.0, true),
            (420.0, 760.0, 1.6, false),
            (640.0, 480.0, 1.0, true),
        ] {
            let mut app = App { screen: Screen::Prepare(game.into()), ..with(at_home(), Panel::Rules) };
            app.settings.text_size = text_size;
            app.rules.insert(game.into(), text.into());
            let mut person = Person::before(app);
            person.size = vec2(width, height);
            if is_long {
                with_long_words(&person.ctx);
            }
            person.wait();
            let place = format!("{game}, {width} by {height}, text {text_size}, long {is_long}");
            wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
            wrong.extend(person.outside().into_iter().map(|area| format!("{place}: {area}")));
            let boxes = person.without_form();
            wrong.extend((!boxes.is_empty()).then(|| format!("{place}: boxes for {boxes:?}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What one comes for is there without scrolling, also for whoever has played before.
#[test]
fn home_keeps_the_way_to_everything_in_sight() {
    let saved = unsaved_game("/data/games/7-zurero.json").game.expect("a game");
    for (width, height) in [
        (420.0, 760.0),
        (640.0, 480.0),
        (800.0, 600.0),
        (1024.0, 768.0),
        (1280.0, 800.0),
        (1600.0, 500.0),
        (1920.0, 1080.0),
        (2560.0, 1440.0),
    ] {
        for (text_size, is_long) in [(1.0, false), (1.0, true), (1.6, false)] {
            let mut app = with_lessons(App { saved: vec![saved.clone(); 9], ..at_home() });
            app.settings.text_size = text_size;
            let mut person = Person::before(app);
            person.size = vec2(width, height);
            if is_long {
                with_long_words(&person.ctx);
            }
            person.wait();
            let place = format!("{width} by {height}, text {text_size}, long {is_long}");
            assert!(person.find("Continue: Zurero").is_some(), "{place}");
            assert_eq!(person.overlap(), None, "{place}");
            if person.find("Settings").is_none() {
                assert_eq!(person.click("More"), [], "{place}");
            }
            assert_eq!(person.click("Settings"), [Command::Show(Panel::Settings)], "{place}");
            if text_size == 1.0 && !is_long {
                let board = person.panels.thumbnails()[0].place.height();
                assert!(board > 60.0, "{place}: the boards are {board} high");
            }
        }
    }
}

/// What is scrolled away is not painted behind the bar.
#[test]
fn boards_on_cards_end_where_the_bar_begins() {
    let mut person = Person::before(with_lessons(at_home()));
    person.size = vec2(420.0, 760.0);
    person.wait();
    let bar = person.find("New game").expect("the bar").y;
    let thumbnails = person.panels.thumbnails().to_vec();
    assert!(thumbnails.iter().any(|thumbnail| thumbnail.place.bottom() > bar), "one is scrolled away");
    for thumbnail in thumbnails {
        assert!(!thumbnail.seen.is_positive() || thumbnail.seen.bottom() < bar - 8.0, "{thumbnail:?}");
    }
}

/// WCAG AA, for everything that is written anywhere.
#[test]
fn every_text_stands_out_from_what_it_lies_on() {
    let rules = include_str!("../../../assets/rules/fabrik.md");
    let mut faint: BTreeSet<String> = BTreeSet::new();
    let prepared = || App { screen: Screen::Prepare("fabrik".into()), ..at_home() };
    let screens: [fn() -> App; 6] =
        [at_home, at_board, prepared, watching, finished, || with_failed_bot(at_board())];
    for screen in screens {
        for panel in [Panel::Game].into_iter().chain(SHEETS).chain(super::QUESTIONS) {
            let mut app = screen();
            app.panels = BTreeSet::from([Panel::Game, panel]);
            app.saved = unsaved_game("/data/games/7-zurero.json").game.into_iter().collect();
            app.rules.insert("zurero".into(), rules.into());
            app.message = Some(Message {
                text: "A message".into(),
                is_problem: true,
                is_of_position: false,
                seconds_left: 9.0,
            });
            app.position_text = Some(PositionText { drawing: "1 . . .".into(), words: String::new() });
            app.console = vec![ConsoleLine { sent: true, line: "x".repeat(40) }; 3];
            let mut person = Person::before(app);
            faint.extend(person.hard_to_read());
            assert_eq!(person.without_form(), BTreeSet::new(), "{panel:?}");
        }
    }
    // These cannot be pressed in what was shown.
    let is_out_of_order =
        |text: &&String| ["Undo", "Redo", "Hint", "Resign"].iter().any(|word| text.contains(word));
    let faint: Vec<&String> = faint.iter().filter(|text| !is_out_of_order(text)).collect();
    assert!(faint.is_empty(), "{faint:#?}");
}

/// Anyone who joins back finds the last games as boards, and whoever is new finds where to begin.
#[test]
fn home_has_the_last_games_and_a_place_to_begin() {
    let mut new = Person::before(at_home());
    assert_eq!(new.click("Play Zurero"), [Command::PrepareGame("zurero".into())]);
    assert!(new.find("Your last games").is_none());
    let first = unsaved_game("/data/games/7-zurero.json").game.expect("a game");
    let second =
        SavedGame { path: "/data/games/8-fabrik.json".into(), game: "fabrik".into(), ..first.clone() };
    let won = GameResult { level: "club".into(), won: Some(true) };
    let second = SavedGame { finished: true, result: Some(won), name: Some("My best".into()), ..second };
    let mut person = Person::before(App { saved: vec![second, first], ..at_home() });
    assert!(person.find("Play Zurero").is_none(), "who has played before is not new");
    assert!(person.find("you won").is_some() && person.find("unfinished").is_some());
    assert_eq!(person.click("you won"), [Command::LoadGame("/data/games/8-fabrik.json".into())]);
    assert_eq!(person.click("All saved games"), [Command::Show(Panel::SavedGames)]);
    let mut by_keys = Vec::new();
    for _ in 0..12 {
        person.press(Key::Tab);
        by_keys.extend(person.press(Key::Enter));
    }
    assert!(by_keys.contains(&Command::LoadGame("/data/games/7-zurero.json".into())), "{by_keys:?}");
}

/// What lights the board is named beside it, with the form that it has there.
#[test]
fn aids_have_a_legend_and_what_costs_time_is_asked_for() {
    let mut person = Person::before(at_board());
    assert!(person.find("Four in a row").is_some());
    assert!(person.find("What could be absorbed within a turn").is_none(), "not in this game");
    let table = person.app.table.as_mut().expect("a table");
    table.state.game = "absorption".into();
    table.overlays.clear();
    person.wait();
    assert_eq!(person.click("What could be absorbed within a turn"), [Command::ToggleReach]);
    person.app.settings.overlays = false;
    person.wait();
    assert!(person.find("What could be absorbed within a turn").is_none());
}

#[test]
fn actions_without_a_place_have_buttons() {
    let detail = json!({"action": ".", "kind": "end", "cells": [], "label": "No more moves", "text": "End the moves."});
    let mut app = at_board();
    app.pick = Pick::new(vec![serde_json::from_value(detail).expect("a detail")]);
    let mut person = Person::before(app);
    assert_eq!(person.click("No more moves"), [Command::Play(".".into())]);
}

/// What comes and goes in the bar must not move the board under the pointer, again and again.
#[test]
fn the_board_stays_where_it_is_when_the_bar_grows_again() {
    let mut person = Person::before(at_board());
    person.size = vec2(800.0, 600.0);
    person.wait();
    let bottom = |person: &mut Person, words: &str| {
        person.app.next_step = Some(words.into());
        person.wait();
        person.panels.free_area().bottom
    };
    let long =
        "Choose one more pile that comes along, or choose the last one again: that is enough. ".repeat(2);
    let at_first = bottom(&mut person, "Choose a pile.");
    let grown = bottom(&mut person, &long);
    assert!(grown < at_first, "a bar of two lines lies on the board");
    assert_eq!(bottom(&mut person, "Choose a pile."), grown);
    assert_eq!(bottom(&mut person, &long), grown);
    // Another window is another matter.
    person.size = vec2(1280.0, 800.0);
    let wide = bottom(&mut person, "Choose a pile.");
    assert_eq!(Person::before(at_board()).panels.free_area().bottom, wide);
}

#[test]
fn the_turn_that_is_shown_stays_in_sight_in_windows_of_every_form() {
    let mut app = at_board();
    app.settings.evaluation = false;
    let table = app.table.as_mut().expect("a table");
    table.turns = (1..=9)
        .map(|ply| Turn {
            seat: if ply % 2 == 1 { Seat::One } else { Seat::Two },
            actions: vec![format!("a{ply}/b1,b2,c3"); ply % 3 + 1],
            ply,
        })
        .collect();
    (table.state.ply, table.state.undone) = (9, 0);
    table.state.counters.clear();
    table.overlays.clear();
    let mut person = Person::before(app);
    for size in
        [(1280.0, 800.0), (800.0, 600.0), (420.0, 760.0), (800.0, 600.0), (1024.0, 768.0), (1600.0, 500.0)]
    {
        person.size = size.into();
        person.wait();
        // In the narrow one the panel itself is scrolled before the list is seen.
        let is_seen = person.find("a9/b1,b2,c3").is_some() || person.size.x < 500.0;
        assert!(is_seen, "{size:?}");
    }
    // A turn grows while it is played, here to so many lines that its middle would be out of sight.
    let table = person.app.table.as_mut().expect("a table");
    let last = table.turns.last_mut().expect("a turn");
    (last.actions, last.ply, table.state.ply) = (vec!["b9/c1,c2,d3".into(); 7], 10, 10);
    let words = last.actions.join("  ");
    person.wait();
    assert!(person.find(&words).is_some(), "all of it is in sight");
}

/// Who watches computers in a small window sees which turn it is.
#[test]
fn the_last_turn_of_computers_is_in_sight_in_a_small_window() {
    let mut app = at_board();
    let table = app.table.as_mut().expect("a table");
    let computer = json!({"kind": "ai", "level": "club"});
    table.state.seats = serde_json::from_value(json!({"1": computer, "2": computer})).expect("seats");
    table.state.undone = 0;
    table.state.counters.clear();
    let score = Score { win: 0.5, proved: None };
    let info = Info { depth: 3, nodes: 6_474, time_ms: 9, score, pv: vec!["e3".into()], lines: Vec::new() };
    let mut person = Person::before(app);
    person.size = vec2(800.0, 600.0);
    for info in [None, Some(info)] {
        let table = person.app.table.as_mut().expect("a table");
        table.thinking = Some(Thought { seat: Seat::One, info, seconds: 0.5 });
        person.wait();
        assert!(person.find("nc").is_some());
    }
}

#[test]
fn what_counts_is_said_once_for_both() {
    let mut app = at_board();
    let fact = |name: &str, seat| json!({"name": name, "text": "1 of 4", "seat": seat});
    let facts = json!([fact("Sunk in a row", 1), fact("Passes in a row", 1), fact("Sunk in a row", 2)]);
    app.table.as_mut().expect("a table").facts = serde_json::from_value(facts).expect("facts");
    let texts = Person::before(app).texts();
    assert_eq!(texts.iter().filter(|(text, _)| text == "Sunk in a row").count(), 1);
    assert_eq!(texts.iter().filter(|(text, _)| text == "1 of 4").count(), 3);
}

#[test]
fn nobody_resigns_by_pressing_enter() {
    let mut person = Person::before(with(at_board(), Panel::ConfirmResign));
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::ConfirmResign)]);
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::ConfirmResign)]);
    let resigned = [Command::Hide(Panel::ConfirmResign), Command::Resign(Seat::One)];
    person.app.panels.remove(&Panel::Game);
    assert_eq!(person.click("Resign"), resigned);
}

#[test]
fn another_player_can_take_a_seat() {
    let mut person = Person::before(at_board());
    assert_eq!(person.click("Change"), []);
    let computer = Player::Ai { level: "club".into(), limits: None };
    assert_eq!(person.click("Computer"), [Command::SetSeat(Seat::One, computer)]);
}

#[test]
fn earlier_turns_are_looked_at() {
    let mut person = Person::before(at_board());
    assert_eq!(person.click("w3"), [Command::LookAt(2)]);
    assert_eq!(person.click("e3  (undone)"), [Command::LookAt(4)]);
    person.app.table.as_mut().expect("a table").looked_at = Some(State { ply: 2, ..state() });
    assert_eq!(person.click("Play on from here"), [Command::PlayOnFromHere]);
    assert_eq!(person.click("Back to now"), [Command::LookAtNow]);
}

#[test]
fn a_new_sheet_takes_the_place_of_the_old() {
    let mut person = Person::before(with(at_board(), Panel::Settings));
    person.app.panels.insert(Panel::Keys);
    assert_eq!(person.frame(Vec::new()).0, [Command::Hide(Panel::Settings)]);
    person.app.panels.remove(&Panel::Settings);
    person.wait();
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::Keys)]);
}

#[test]
fn settings_are_changed_one_by_one() {
    let mut person = Person::before(with(at_board(), Panel::Settings));
    let settings = person.app.settings.clone();
    let coordinates = Settings { coordinates: !settings.coordinates, ..settings.clone() };
    assert_eq!(person.click("Letters and numbers at the edge"), [Command::Change(Box::new(coordinates))]);
    let speed = Settings { speed: crate::settings::Speed::Fast, ..settings };
    assert_eq!(person.click("Fast"), [Command::Change(Box::new(speed))]);
}

#[test]
fn rules_are_asked_for_and_read() {
    let mut person = Person::before(at_board());
    person.app.panels.insert(Panel::Rules);
    assert_eq!(person.frame(Vec::new()).0, [Command::ReadRules("zurero".into())]);
    person.app.rules.insert("zurero".into(), "# Zurero\n\n## The aim\n\nFive in a row.".into());
    person.wait();
    assert!(person.find("The aim").is_some());
    assert_eq!(person.click("Syrtis"), [Command::ReadRules("syrtis".into())]);
}

#[test]
fn the_end_is_told_under_the_board_with_what_can_be_done() {
    let mut person = Person::before(finished());
    assert_eq!(person.click("New game"), [Command::PrepareAnother]);
    assert_eq!(person.click("Look back"), [Command::LookBack]);
    assert_eq!(person.click("Rematch"), [Command::Rematch { seats_changed: false }]);
    assert_eq!(person.click("Rematch, swapped sides"), [Command::Rematch { seats_changed: true }]);
    assert_eq!(person.click("Home"), [Command::ShowHome]);
    let free = person.panels.free_area().bottom * person.size.y;
    for words in ["You win", "Black wins with five in a row."] {
        assert!(person.find(words).expect("it is said").y > free, "{words} lies on the board");
    }
}

#[test]
fn the_end_says_nothing_twice() {
    let ended = |other: Player, text: &str| {
        let mut app = finished();
        let table = app.table.as_mut().expect("a table");
        table.state.seats.two = other;
        let outcome = json!({"winner": 1, "reason": "end", "text": text});
        table.state.outcome = Some(serde_json::from_value(outcome).expect("an outcome"));
        Person::before(app)
    };
    for (other, verdict) in
        [(Player::default(), "Black wins"), (Player::Ai { level: "club".into(), limits: None }, "You win")]
    {
        let mut person = ended(other, "Black wins: white cannot place a stone.");
        assert!(person.find(verdict).is_some() && person.find("White cannot place a stone.").is_some());
    }
    let mut person = ended(Player::default(), "Black wins with five in a row.");
    assert!(person.find("Black wins").is_some() && person.find("With five in a row.").is_some());
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

/// What people press most is there without scrolling, and the board has all the width there is.
#[test]
fn a_narrow_window_keeps_the_board_large_and_undo_in_sight() {
    for (size, least) in [(vec2(420.0, 760.0), 0.99), (vec2(700.0, 480.0), 0.55), (vec2(1024.0, 768.0), 0.7)]
    {
        let mut person = Person::before(at_board());
        person.size = size;
        person.wait();
        for needed in ["Menu", "Undo", "Hint", "Top"] {
            assert!(person.find(needed).is_some(), "{needed} at {size}");
        }
        let free = person.panels.free_area();
        assert!(free.right - free.left > least, "{size}: {free:?}");
    }
}

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

#[test]
fn the_board_has_most_of_the_window() {
    let person = Person::before(at_board());
    let free = person.panels.free_area();
    assert!((free.right - free.left) * (free.bottom - free.top) > 0.68, "{free:?}");
}

/// Whatever there is to be shown is shown at every size, and what people need to play is in sight.
#[test]
fn every_size_will_do() {
    let rules = include_str!("../../../assets/rules/syrtis.md");
    let panels = [
        Panel::Settings,
        Panel::Rules,
        Panel::Keys,
        Panel::Console,
        Panel::SavedGames,
        Panel::MoveEntry,
        Panel::ConfirmResign,
        Panel::BotFailed,
        Panel::BotLog,
    ];
    for (width, height) in [(320.0, 240.0), (800.0, 600.0), (1920.0, 1080.0)] {
        for text_size in [0.8, 1.0, 1.6] {
            for screen in [Screen::Home, Screen::Prepare("fabrik".into()), Screen::Board] {
                let score = Score { win: 0.4, proved: None };
                let info = Info {
                    depth: 5,
                    nodes: 5_000_000,
                    time_ms: 100,
                    score,
                    pv: vec!["w3".into(); 40],
                    lines: Vec::new(),
                };
                let mut app = App { screen, ..among_others(at_board()) };
                app.settings.text_size = text_size;
                app.message = Some(Message {
                    text: "word ".repeat(60),
                    is_problem: true,
                    is_of_position: false,
                    seconds_left: 1.0,
                });
                let at = macroquad::math::vec2(width - 5.0, 2.0);
                app.refusal = Some(Refusal { text: "word ".repeat(20), at, seconds_left: 1.0 });
                app.console = vec![ConsoleLine { sent: true, line: "x".repeat(5000) }; 3];
                app.rules.insert("zurero".into(), rules.into());
                let table = app.table.as_mut().expect("a table");
                table.thinking = Some(Thought { seat: Seat::Two, info: Some(info), seconds: 1.0 });
                let mut person = Person::before(app);
                person.size = vec2(width, height);
                for panel in panels {
                    person.app.panels.insert(panel);
                    person.wait();
                    person.app.panels.remove(&panel);
                }
                person.app.message = None;
                person.app.refusal = None;
                person.wait();
                if person.app.screen == Screen::Board && width >= 800.0 && text_size <= 1.0 {
                    for needed in ["White is thinking…", "Undo", "Resign", "Menu"] {
                        assert!(person.find(needed).is_some(), "{needed} at {width} by {height}");
                    }
                }
                if person.app.screen == Screen::Home && width >= 800.0 && text_size <= 1.0 {
                    for needed in
                        ["Zurero", "Syrtis", "New game", if width < 900.0 { "More" } else { "Quit" }]
                    {
                        assert!(person.find(needed).is_some(), "{needed} at {width} by {height}");
                    }
                }
            }
        }
    }
}

fn unsaved_game(path: &str) -> Unsaved {
    let game = SavedGame {
        path: path.into(),
        game: "zurero".into(),
        title: "Black and White, 3 turns".into(),
        finished: false,
        name: None,
        rows: vec![". b".into(), "w .".into()],
        result: None,
        changed: SystemTime::UNIX_EPOCH,
    };
    let reason = format!("{path}: No space left on device (os error 28)");
    Unsaved { path: path.into(), game: Some(game), reason }
}

/// A game that is on no disk, and settings that are not either.
fn with_full_disk(app: App) -> App {
    let settings = Unsaved { game: None, ..unsaved_game("/data/settings.json") };
    let folders = vec!["/data/games".into(), "/mnt/stick".into()];
    App {
        unsaved: vec![unsaved_game("/data/games/7-zurero.json"), settings],
        games_folder: "/data/games".into(),
        other_folders: folders,
        ..app
    }
}

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

/// Everything that there is to be seen, in windows that are far too small or too large and with
/// text of every size.
#[test]
fn panels_bear_windows_of_any_size() {
    let screens =
        [at_home(), at_board(), App { screen: Screen::Prepare("fabrik".into()), ..at_home() }, watching()];
    let sizes =
        [(1.0, 1.0), (100.0, 50.0), (120.0, 120.0), (120.0, 900.0), (8192.0, 150.0), (8192.0, 8192.0)];
    for app in screens {
        let mut person = Person::before(with_failed_bot(with_full_disk(app)));
        person.app.message = Some(Message {
            text: "words ".repeat(50),
            is_problem: true,
            is_of_position: false,
            seconds_left: 9.0,
        });
        for panel in SHEETS.into_iter().chain(super::QUESTIONS) {
            person.app.panels = BTreeSet::from([panel, Panel::Game, Panel::MoveEntry]);
            for (index, (width, height)) in sizes.into_iter().enumerate() {
                person.size = vec2(width, height);
                let sizes = [*TEXT_SIZES.start(), *TEXT_SIZES.end()];
                person.app.settings.text_size = sizes[index % 2];
                person.wait();
            }
        }
    }
}

/// A position of Syrtis is being set up, which has the most to say.
fn in_editor(verdict: Verdict) -> App {
    let start = |name: &str, kind, help: &str| StartMember::new(name, kind, help);
    let pieces = ["lc", "ls", "dc", "ds", "lcL", "lsL", "dcL", "lsD", "dcD", "dsD"];
    let game = GameInfo {
        pieces: pieces.map(|token| Piece::new(token, &format!("a tile called {token}"))).into(),
        start: vec![
            StartMember::to_move(),
            start("sinks", MemberKind::PerSeat { min: 0, max: 3 }, "Tiles that each has sunk."),
            start("streak", MemberKind::Integer { min: 0, max: 3 }, "Passes in succession."),
            start("last_sinker", MemberKind::Seat { optional: true }, "Who sank the last tile."),
        ],
        ..GameInfo::new("syrtis", "Syrtis", Vec::new())
    };
    let set = crate::sets::find("syrtis", None);
    let mut editor = Editor::new(&game, Options::new(), set, Screen::Home);
    editor.set_up(&Start { rows: vec![". lc".into(), "ds .".into()], ..Start::default() });
    editor.verdict = verdict;
    App { screen: Screen::Editor, editor: Some(Box::new(editor)), ..at_home() }
}

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

#[test]
fn a_film_shows_the_turns_that_are_chosen() {
    let mut person = Person::before(with(at_board(), Panel::Film));
    let order = FilmOrder { turns: Some((1, 4)), path: None };
    assert_eq!(person.click("Make the film"), [Command::Hide(Panel::Film), Command::MakeFilm(order)]);
    let app = App { film: Some(FilmProgress { done: 3, total: 40 }), ..at_board() };
    let mut person = Person::before(app);
    assert!(person.find("The film is being made: 3 of 40 pictures.").is_some());
    assert_eq!(person.click("Cancel"), [Command::CancelFilm]);
    assert_eq!(person.overlap(), None);
}
