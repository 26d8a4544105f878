//! Lessons: the step beside the board, what is said to a turn, and the list of all lessons.

use egui_macroquad::egui::{
    Align, CentralPanel, Context, Frame, Label, Layout, Margin, RichText, ScrollArea, Sense, SidePanel,
    Stroke, StrokeKind, TopBottomPanel, Ui, WidgetInfo, WidgetType, vec2,
};
use tabuleiro_protocol::lesson::{Lesson, Step};

use super::game::Place;
use super::home::game_name;
use super::look::{self, ACCENT, DIM, Explain, FAINT, GRID, TEXT, WARM, ask, ask_first, ask_wide, note};
use super::puzzles;
use crate::app::{App, Screen};
use crate::command::{Command, Panel};
use crate::exercise::{Exercise, Judgement};

const WIDTH: f32 = 288.0;
const SHEET_WIDTH: f32 = 640.0;
/// In narrow windows the step has this part of the height.
const BELOW: f32 = 0.36;
/// So many comments on a game are in sight, the last first.
const MOST_REMARKS: usize = 8;

/// The step that is shown on the board, in words.
pub(super) fn show(ctx: &Context, app: &App, exercise: &Exercise, commands: &mut Vec<Command>) {
    if !app.panels.contains(&Panel::Game) {
        return;
    }
    let (window, text_size) = (ctx.screen_rect().size(), look::text_size(ctx));
    if !Place::in_window(ctx, text_size).is_below(ctx) {
        let margin = Margin { left: 6, right: 12, top: 12, bottom: 0 };
        let wide = (WIDTH * text_size).min(window.x * 0.45) + 18.0;
        let side = SidePanel::right("lesson").exact_width(wide).resizable(false).show_separator_line(false);
        side.frame(Frame::new().inner_margin(margin))
            .show(ctx, |ui| surface(ui, app, exercise, true, commands));
    } else {
        let margin = Margin { left: 12, right: 12, top: 6, bottom: 0 };
        let below = TopBottomPanel::bottom("lesson below").resizable(false).show_separator_line(false);
        let below = below.exact_height(window.y * BELOW).frame(Frame::new().inner_margin(margin));
        below.show(ctx, |ui| surface(ui, app, exercise, false, commands));
    }
}

/// Whoever goes from step to step finds the buttons where they were, however long the text is: they
/// stand at the foot of a high panel. A low one shows what it can, the text first.
fn surface(ui: &mut Ui, app: &App, exercise: &Exercise, is_high: bool, commands: &mut Vec<Command>) {
    look::surface().inner_margin(Margin::same(14)).show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = GRID * 0.75;
        if is_high {
            let spacing = ui.spacing();
            let rows = 2.0 * spacing.interact_size.y + spacing.item_spacing.y + GRID;
            let foot = TopBottomPanel::bottom("exercise buttons").resizable(false).show_separator_line(false);
            foot.exact_height(rows).frame(Frame::NONE).show_inside(ui, |ui| {
                ui.add_space(GRID);
                buttons(ui, exercise, commands);
            });
        }
        CentralPanel::default().frame(Frame::NONE).show_inside(ui, |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                words(ui, app, exercise, commands);
                if !is_high {
                    ui.add_space(GRID);
                    buttons(ui, exercise, commands);
                }
                more_words(ui, app, exercise);
            });
        });
    });
}

fn words(ui: &mut Ui, app: &App, exercise: &Exercise, commands: &mut Vec<Command>) {
    match exercise.task.lesson().zip(exercise.task.step()) {
        Some(((lesson, at), step)) => step_words(ui, app, exercise, (lesson, at, step), commands),
        None => puzzles::words(ui, app, exercise, commands),
    }
}

fn buttons(ui: &mut Ui, exercise: &Exercise, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = GRID * 0.5;
    ui.spacing_mut().button_padding.x = 2.0;
    match exercise.task.lesson().zip(exercise.task.step()) {
        Some(((_, at), step)) => step_buttons(ui, exercise, step, at, commands),
        None => puzzles::buttons(ui, exercise, commands),
    }
}

/// What may be out of sight.
fn more_words(ui: &mut Ui, app: &App, exercise: &Exercise) {
    match exercise.task.puzzle() {
        Some(puzzle) => puzzles::standing_and_source(ui, app, puzzle),
        None => older_remarks(ui, exercise),
    }
}

/// What the panel is about, and the way to fold it away, which takes its room first.
pub(super) fn heading(ui: &mut Ui, name: &str, more: &str, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            look::asked(look::small_button(ui, "Fold"), Command::Hide(Panel::Game), commands);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(RichText::new(name).color(TEXT));
                ui.add(Label::new(RichText::new(more).small().color(DIM)).truncate());
            });
        });
    });
}

fn step_words(
    ui: &mut Ui,
    app: &App,
    exercise: &Exercise,
    (lesson, at, step): (&Lesson, usize, &Step),
    commands: &mut Vec<Command>,
) {
    let step_in_words = format!("step {} of {}", at + 1, lesson.steps.len());
    heading(ui, game_name(app, &lesson.game), &step_in_words, commands);
    dots(ui, app, lesson, at, commands);
    look::rule(ui);
    ui.add_space(GRID * 0.5);
    ui.label(RichText::new(&step.title).color(ACCENT));
    ui.add(Label::new(RichText::new(&step.text).color(TEXT)).wrap());
    if exercise.is_hint_shown
        && let Some(hint) = &step.hint
    {
        said(ui, "Hint", hint);
    }
    if let Some(last) = remarks_on_game(exercise).next() {
        said(ui, "Comment", last);
    }
}

fn older_remarks(ui: &mut Ui, exercise: &Exercise) {
    for older in remarks_on_game(exercise).skip(1) {
        ui.add(Label::new(RichText::new(older).small().color(DIM)).wrap());
    }
}

/// What was said about the game at the end, the last first.
fn remarks_on_game(exercise: &Exercise) -> impl Iterator<Item = &String> {
    exercise.remarks.iter().rev().take(MOST_REMARKS).filter(|_| exercise.is_game())
}

/// What is said besides the text of a step, on a ground of its own.
pub(super) fn said(ui: &mut Ui, head: &str, words: &str) {
    Frame::new().fill(WARM).corner_radius(7).inner_margin(Margin::symmetric(10, 8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(RichText::new(head).small().color(ACCENT));
        ui.add(Label::new(RichText::new(words).color(TEXT)).wrap());
    });
}

fn step_buttons(ui: &mut Ui, exercise: &Exercise, step: &Step, at: usize, commands: &mut Vec<Command>) {
    ui.columns(3, |columns| {
        ask_wide(&mut columns[0], at > 0, "Back", Command::PreviousStep, commands);
        match exercise.is_game() {
            true => ask_wide(&mut columns[1], true, "Undo", Command::Undo, commands),
            false => {
                let has_hint = step.hint.is_some() && !exercise.is_hint_shown;
                ask_wide(&mut columns[1], has_hint, "Hint", Command::Hint, commands)
            }
        };
        let words = if exercise.verdict == Judgement::Done { "Next" } else { "Skip" };
        ask_wide(&mut columns[2], true, words, Command::NextStep, commands);
    });
    ui.columns(2, |columns| {
        ask_wide(&mut columns[0], true, "All lessons", Command::Show(Panel::Lessons), commands);
        ask_wide(&mut columns[1], true, "Leave", Command::LeaveLesson, commands);
    });
}

/// A dot for every step: full if it is done, ringed if it is the present one. A click goes there.
fn dots(ui: &mut Ui, app: &App, lesson: &Lesson, at: usize, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(GRID * 0.25, GRID * 0.25);
        let side = GRID * 2.0;
        for (index, step) in lesson.steps.iter().enumerate() {
            let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::click());
            let is_done = app.progress.is_step_done(&lesson.game, index);
            let words = format!("{}. {}{}", index + 1, step.title, if is_done { ", done" } else { "" });
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &words));
            let painter = ui.painter();
            let is_chosen = index == at || response.hovered() || response.has_focus();
            if is_chosen {
                painter.rect(rect, 5.0, WARM, Stroke::new(1.0, ACCENT), StrokeKind::Inside);
            }
            match is_done {
                true => painter.circle_filled(rect.center(), 4.0, ACCENT),
                false => painter.circle_stroke(rect.center(), 3.5, Stroke::new(1.2, FAINT)),
            };
            if response.explain(words).clicked() {
                commands.push(Command::GoToStep(index));
            }
        }
    });
}

/// What is said to a turn under the board, and how to go on. `false` if there is nothing to say: then
/// what the game expects is in its place.
pub(super) fn verdict(ui: &mut Ui, exercise: &Exercise, commands: &mut Vec<Command>) -> bool {
    if exercise.is_game() {
        return false;
    }
    let (head, words) = match exercise.verdict {
        Judgement::Open => return false,
        Judgement::Judged => ("…", "The computer checks whether that works."),
        Judgement::Done => ("Right.", exercise.remark().unwrap_or_default()),
        Judgement::Missed => ("Not this.", exercise.remark().unwrap_or_default()),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(head).color(ACCENT));
        ui.add(Label::new(RichText::new(words).color(TEXT)).wrap());
        match exercise.verdict {
            Judgement::Done if exercise.task.puzzle().is_some() => {
                drop(ask_first(ui, "Next puzzle", Command::NextPuzzle, commands))
            }
            Judgement::Done => drop(ask_first(ui, "Next step", Command::NextStep, commands)),
            Judgement::Missed => drop(ask_first(ui, "Try again", Command::TryAgain, commands)),
            Judgement::Open | Judgement::Judged => {}
        }
    });
    true
}

/// The three pages about learning, of which one is open.
pub(super) fn tabs(ui: &mut Ui, open: Panel, commands: &mut Vec<Command>) {
    let pages = [(Panel::Lessons, "Lessons"), (Panel::Puzzles, "Puzzles"), (Panel::Progress, "Progress")];
    commands.extend(look::one_of(ui, &open, &pages).map(Command::Show));
    look::rule(ui);
}

/// All lessons, and how far one has come with each.
pub(super) fn show_list(ctx: &Context, app: &App, commands: &mut Vec<Command>) -> bool {
    look::sheet(ctx, "Lessons", SHEET_WIDTH, app.screen == Screen::Board, |ui| {
        tabs(ui, Panel::Lessons, commands);
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            for game in app.hello.iter().flat_map(|hello| &hello.games) {
                ui.push_id(&game.id, |ui| {
                    // The button takes its room first, and words what is left.
                    look::line(
                        ui,
                        |_| {},
                        |ui| {
                            if let Some(Some(lesson)) = app.lessons.get(&game.id) {
                                let words = begin_words(app, lesson);
                                ask(ui, words, Command::Learn(game.id.clone()), commands);
                            }
                            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                                ui.label(RichText::new(&game.name).color(TEXT));
                                let words = RichText::new(standing(app, &game.id)).small().color(DIM);
                                ui.add(Label::new(words).truncate());
                            });
                        },
                    );
                    look::rule(ui);
                });
            }
            note(ui, "A lesson is a row of small steps: a position, a sentence and something to do. What you have done is kept.");
            look::scroll_by_keys(ui);
        });
    })
}

/// How far one has come with the lesson of a game.
pub(super) fn standing(app: &App, game: &str) -> String {
    match app.lessons.get(game) {
        Some(Some(lesson)) => {
            format!(
                "{} of {} steps done",
                app.progress.steps_done(&lesson.game, lesson.steps.len()),
                lesson.steps.len()
            )
        }
        Some(None) => "There is no lesson for this game.".into(),
        None => "The lesson is on its way.".into(),
    }
}

/// Whether some of a lesson is done and some is not.
pub(super) fn is_begun(app: &App, game: &str) -> bool {
    let Some(Some(lesson)) = app.lessons.get(game) else { return false };
    let steps = lesson.steps.len();
    (1..steps).contains(&app.progress.steps_done(&lesson.game, steps))
}

fn begin_words(app: &App, lesson: &Lesson) -> &'static str {
    match app.progress.steps_done(&lesson.game, lesson.steps.len()) {
        0 => "Begin",
        done if done == lesson.steps.len() => "Once more",
        _ => "Continue",
    }
}

/// The offer that comes with the first game of a kind.
pub(super) fn offer(ui: &mut Ui, app: &App, game: &str, commands: &mut Vec<Command>) {
    let Some(Some(lesson)) = app.lessons.get(game) else { return };
    if app.progress.is_offered(game) {
        return;
    }
    Frame::new().fill(WARM).corner_radius(7).inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            let steps = lesson.steps.len();
            ui.label(format!("New to {}? {steps} small steps show how it is played.", game_name(app, game)));
            ask_first(ui, "Learn it", Command::Learn(game.into()), commands);
            ask(ui, "Not now", Command::DeclineLesson(game.into()), commands);
        });
    });
}
