//! Puzzles: the list, and the one that is played beside the board.

use egui_macroquad::egui::{Color32, Context, Label, RichText, ScrollArea, Sense, Ui, vec2};
use serde_json::{Map, Value};
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleInfo, PuzzleKind};

use super::home::game_name;
use super::lesson::{self, said, tabs};
use super::look::{self, ACCENT, DIM, Explain, GRID, TEXT, ask, ask_first, ask_wide, note, one_of, section};
use super::saved::paint_board;
use crate::app::{App, ListedPuzzle, PuzzleFilter, Screen};
use crate::command::{Command, Panel};
use crate::exercise::{Exercise, Judgement, Task};

const WIDTH: f32 = 640.0;
/// A window that is lower than this has no room for the list below what is chosen.
const LOW: f32 = 560.0;
/// More are not listed at once: choose a game or a grade.
const MOST_ROWS: usize = 60;
/// The side of a small board.
const PICTURE: f32 = 56.0;

/// All puzzles, and how one did with them.
pub(super) fn show_list(ctx: &Context, app: &App, commands: &mut Vec<Command>) -> bool {
    let window = ctx.screen_rect();
    // In a low window the list stands beside what is chosen, or nothing of it would be in sight.
    let is_low = window.height() < LOW * look::text_size(ctx) && window.width() > 2.0 * WIDTH;
    let width = if is_low { WIDTH * 1.6 } else { WIDTH };
    look::sheet(ctx, "Puzzles", width, app.screen == Screen::Board, |ui| {
        tabs(ui, Panel::Puzzles, commands);
        if is_low {
            ui.columns(2, |columns| {
                for (part, column) in columns.iter_mut().enumerate() {
                    ScrollArea::vertical().id_salt(part).auto_shrink([false, false]).show(column, |ui| {
                        match part {
                            0 => choice(ui, app, commands),
                            _ => rows(ui, app, commands),
                        }
                    });
                }
            });
        } else {
            ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                choice(ui, app, commands);
                look::rule(ui);
                rows(ui, app, commands);
            });
        }
    })
}

/// What is offered first, and which ones are listed.
fn choice(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) {
    standing(ui, app);
    let due = app.progress.due(app.today).len();
    ui.horizontal_wrapped(|ui| {
        let next = ask_first(ui, "Next puzzle", Command::NextPuzzle, commands);
        next.explain("One that comes again, or a new one about as hard as you are strong");
        if app.puzzle_of_the_day.is_some() {
            ask(ui, "Puzzle of the day", Command::PuzzleOfTheDay, commands).explain(app.today.to_string());
        }
        match due {
            0 => {}
            1 => drop(note(ui, "1 comes again today.")),
            due => drop(note(ui, format!("{due} come again today."))),
        }
    });
    filters(ui, app, commands);
}

fn rows(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) {
    let wanted = app.wanted_puzzles();
    for puzzle in wanted.iter().take(MOST_ROWS) {
        row(ui, app, puzzle, commands);
    }
    match wanted.len().checked_sub(MOST_ROWS) {
        None if wanted.is_empty() && app.puzzle_filter.is_own => {
            drop(note(ui, "None yet. Review a game of yours, then turn its blunders into puzzles."))
        }
        None if wanted.is_empty() => drop(note(ui, "There are none of this kind.")),
        Some(more @ 1..) => drop(note(ui, format!("and {more} more: choose a game or a grade"))),
        _ => {}
    }
    look::scroll_by_keys(ui);
}

/// Ratings and streaks, in a line.
fn standing(ui: &mut Ui, app: &App) {
    let progress = &app.progress;
    if progress.ratings.is_empty() && progress.streak.best == 0 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for (game, rating) in &progress.ratings {
            note(ui, format!("{}: {:.0}", game_name(app, game), rating.value));
        }
        if progress.streak.best > 0 {
            note(ui, format!("Solved in a row: {}, at best {}", progress.streak.now, progress.streak.best));
        }
    });
}

fn filters(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) {
    let filter = &app.puzzle_filter;
    let mut games: Vec<(Option<String>, &str)> = vec![(None, "All games")];
    let known = app.hello.iter().flat_map(|hello| &hello.games);
    games.extend(known.map(|game| (Some(game.id.clone()), game.name.as_str())));
    if let Some(game) = one_of(ui, &filter.game, &games) {
        commands.push(Command::WantPuzzles(PuzzleFilter { game, ..filter.clone() }));
    }
    let words: Vec<String> = (1..=Puzzle::HARDEST).map(|grade| format!("Grade {grade}")).collect();
    let mut grades: Vec<(Option<u32>, &str)> = vec![(None, "All grades")];
    grades.extend((1..).zip(&words).map(|(grade, word)| (Some(grade), word.as_str())));
    if let Some(grade) = one_of(ui, &filter.grade, &grades) {
        commands.push(Command::WantPuzzles(PuzzleFilter { grade, ..filter.clone() }));
    }
    let whose = [(false, "All puzzles"), (true, "From my own games")];
    if let Some(is_own) = one_of(ui, &filter.is_own, &whose) {
        commands.push(Command::WantPuzzles(PuzzleFilter { is_own, ..filter.clone() }));
    }
}

fn row(ui: &mut Ui, app: &App, listed: &ListedPuzzle<'_>, commands: &mut Vec<Command>) {
    let puzzle = &*listed.info;
    ui.push_id(&puzzle.name, |ui| {
        look::line(
            ui,
            |ui| {
                let (place, _) = ui.allocate_exact_size(vec2(PICTURE, PICTURE), Sense::hover());
                paint_board(ui, app, &puzzle.game, &puzzle.rows, place);
                ui.vertical(|ui| {
                    look::dense(ui);
                    ui.spacing_mut().item_spacing.y = GRID * 0.5;
                    ui.label(RichText::new(title(app, listed)).color(TEXT));
                    ui.horizontal(|ui| {
                        let (word, colour) = state(app, puzzle);
                        note(ui, task(puzzle));
                        ui.label(RichText::new(word).small().color(colour));
                    });
                });
            },
            |ui| {
                let start = Command::StartPuzzle(puzzle.name.clone());
                look::asked(look::small_button(ui, "Play"), start, commands).explain(&puzzle.name);
            },
        );
    });
}

/// What a puzzle is called: its game and its number there.
fn title(app: &App, listed: &ListedPuzzle<'_>) -> String {
    let whose = if listed.is_own { "my own " } else { "" };
    let game = format!("{} {whose}{}", game_name(app, &listed.info.game), listed.number);
    with_options(game, &listed.info.options)
}

fn task(puzzle: &PuzzleInfo) -> String {
    let (turns, grade) = (puzzle.turns, puzzle.grade);
    match puzzle.kind {
        PuzzleKind::Win => format!("Win in {turns}, grade {grade}"),
        PuzzleKind::Defence => format!("Hold out for {turns} turns, grade {grade}"),
    }
}

/// The game, and what is not as usual about it.
fn with_options(game: String, options: &Map<String, Value>) -> String {
    let words = options.iter().map(|(name, value)| match value {
        Value::String(word) => word.clone(),
        other => format!("{name} {other}"),
    });
    let words: Vec<String> = [game].into_iter().chain(words).collect();
    words.join(", ")
}

/// How one did with a puzzle, in a word.
fn state(app: &App, puzzle: &PuzzleInfo) -> (&'static str, Color32) {
    match app.progress.puzzles.get(&puzzle.name) {
        None => ("new", DIM),
        Some(known) if known.due.is_some_and(|due| due <= app.today) => ("comes again", ACCENT),
        Some(known) if known.solved > 0 => ("solved", DIM),
        Some(known) if known.helped > 0 => ("solved with help", DIM),
        Some(_) => ("failed", ACCENT),
    }
}

/// The puzzle that is on the board, in words.
pub(super) fn words(ui: &mut Ui, app: &App, exercise: &Exercise, commands: &mut Vec<Command>) {
    let Task::Puzzle { puzzle, hints, turns_left, .. } = &exercise.task else { return };
    // The same as in the list, unless that has not come yet.
    let listed = app.all_puzzles().find(|listed| listed.info.name == puzzle.name);
    let game = || with_options(game_name(app, &puzzle.game).to_string(), &puzzle.options);
    let game = listed.map_or_else(game, |listed| title(app, &listed));
    lesson::heading(ui, &game, &format!("puzzle, grade {}", puzzle.grade), commands);
    look::rule(ui);
    ui.add_space(GRID * 0.5);
    ui.add(Label::new(RichText::new(puzzle.task()).color(TEXT)).wrap());
    let side = app.table.as_ref().map(|table| table.name(exercise.seat));
    let turns = match turns_left {
        0 => String::new(),
        1 => " 1 turn is left.".to_string(),
        turns => format!(" {turns} turns are left."),
    };
    note(ui, format!("You are {}.{turns}", side.unwrap_or_default()));
    // Each says more than the one before.
    if let Some(hint) = hints.last() {
        said(ui, &format!("Hint {} of {}", hint.step, hint.of), &hint.text);
    }
    if let Some(remark) = exercise.remark().filter(|_| exercise.verdict == Judgement::Open) {
        said(ui, "So far", remark);
    }
}

pub(super) fn buttons(ui: &mut Ui, exercise: &Exercise, commands: &mut Vec<Command>) {
    let Task::Puzzle { hints, .. } = &exercise.task else { return };
    ui.columns(3, |columns| {
        ask_wide(&mut columns[0], true, "Again", Command::TryAgain, commands);
        let has_hint =
            hints.last().is_none_or(|hint| hint.step < hint.of) && exercise.verdict == Judgement::Open;
        ask_wide(&mut columns[1], has_hint, "Hint", Command::Hint, commands);
        let words = if exercise.verdict == Judgement::Done { "Next" } else { "Skip" };
        ask_wide(&mut columns[2], true, words, Command::NextPuzzle, commands);
    });
    ui.columns(3, |columns| {
        ask_wide(&mut columns[0], true, "Puzzles", Command::Show(Panel::Puzzles), commands)
            .explain("All puzzles");
        ask_wide(&mut columns[1], exercise.verdict == Judgement::Open, "Give up", Command::GiveUp, commands)
            .explain("Shows how it goes");
        ask_wide(&mut columns[2], true, "Leave", Command::LeaveLesson, commands);
    });
}

/// How one stands with such puzzles, and where this one is from.
pub(super) fn standing_and_source(ui: &mut Ui, app: &App, puzzle: &Puzzle) {
    section(ui, "You");
    let rating = app.progress.rating(&puzzle.game);
    note(ui, format!("Rating {:.0}, in a row {}", rating.value, app.progress.streak.now));
    if app.puzzle_of_the_day.as_ref() == Some(&puzzle.name) {
        note(ui, format!("The puzzle of the day, {}", app.today));
    }
    // Where those of others come from says nothing to somebody who plays.
    if app.own_puzzles.iter().any(|own| own.name == puzzle.name) && !puzzle.source.is_empty() {
        note(ui, format!("Source: {}", puzzle.source));
    }
}
