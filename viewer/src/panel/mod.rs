//! The flat part of the window: everything that is written, listed or pressed. Panels look at the
//! [`App`] and say what is wanted; they change nothing but what is theirs: what is half typed, how
//! far a list is scrolled, what is folded out.

mod analysis;
mod bots;
mod chances;
mod comment;
mod console;
mod corner;
mod diagram;
mod dialog;
mod editor;
mod film;
mod focus;
mod folder;
mod game;
mod home;
mod keys;
mod lesson;
mod look;
mod markdown;
mod notice;
mod position;
mod prepare;
mod progress;
mod prompt;
mod puzzles;
mod recent;
mod review;
mod rules;
mod saved;
mod seat;
mod settings;
mod tables;
#[cfg(test)]
mod tests;
mod turns;
mod words;

use std::collections::BTreeMap;

use egui_macroquad::egui::{self, Context};
use tabuleiro_protocol::Seat;

use crate::app::{App, Screen};
use crate::command::{Command, Panel};
use crate::sets::flat;
use prepare::Draft;

/// Panels that lie over the board as a sheet of their own: one at a time.
const SHEETS: [Panel; 12] = [
    Panel::Settings,
    Panel::Rules,
    Panel::Keys,
    Panel::Console,
    Panel::SavedGames,
    Panel::BotLog,
    Panel::Folder,
    Panel::Position,
    Panel::Lessons,
    Panel::Comment,
    Panel::Puzzles,
    Panel::Progress,
];

/// Panels that ask something, and lie over everything else.
const QUESTIONS: [Panel; 6] = [
    Panel::ConfirmResign,
    Panel::BotFailed,
    Panel::ConfirmQuit,
    Panel::Damaged,
    Panel::Film,
    Panel::ConfirmDeleteProgress,
];

/// A window that is less wide or high has room for nothing but the board.
const LEAST_SIDE: f32 = 120.0;
/// A board that has less of the window than this leaves no room for what may come.
const LEAST_BOARD: f32 = 0.3;
/// A list of turns that is shorter than this is no list.
const LEAST_TURNS_HEIGHT: f32 = 104.0;

#[derive(Debug)]
pub struct Panels {
    /// Ids and names of themes.
    themes: Vec<(String, String)>,
    /// By the game, and whether computers are to play it.
    drafts: BTreeMap<(String, bool), Draft>,
    thumbnails: Vec<Thumbnail>,
    free_area: FreeArea,
    /// What was on the screen before, to notice that one has come to another.
    screen: Option<Screen>,

    keyboard: focus::Keyboard,
    sheet: Option<Panel>,
    /// Whether a question was on the screen before.
    was_asking: bool,
    typed_folder: String,
    typed_move: String,
    /// Whether a move could be typed before.
    was_typing: bool,
    /// Where the game stood when the typed move was sent.
    typed_at_ply: Option<usize>,
    bar: prompt::BarHeight,
    seat_to_change: Option<Seat>,
    turn_list: turns::TurnList,
    /// How high everything in the column beside the board is, without the list of turns; what of it
    /// comes before the list where there is room; the line above the list; and all of it in a review.
    rest_of_column: f32,
    before_turns: f32,
    turns_heading: f32,
    /// The game, the room and whether there are chances, by which those heights were measured; and
    /// whether the list comes first there.
    column: Option<(u32, u32, bool)>,
    is_crowded: bool,
    /// Whether the turn that is shown had no room in the first line of the column.
    is_turn_below: bool,
    rest_of_review: f32,
    /// The game and the room in which not all of a review could be seen at once.
    crowded_review: Option<(u32, u32)>,
    comment: comment::CommentDraft,
    /// Whether there was room beside or below the board for the panel of the game, and whether it
    /// was folded away because there was none.
    had_room: bool,
    is_folded_for_room: bool,
    occasion: Option<game::Occasion>,
    /// Whether an analysis had its place, and whether it was folded away for that.
    was_analysis_alone: bool,
    is_folded_for_analysis: bool,
    /// How high the home screen is without the boards on its cards.
    rest_of_home: f32,
    /// How often somebody had asked to see the tables of others when they were shown last.
    calls_for_tables: u32,
    /// The same for the page of a new game without what is scrolled on it.
    rest_of_prepare: f32,
    console: console::Console,
    saved: saved::SavedList,
    keys: keys::KeyList,
    rules: rules::RulesReader,
    bot_log: bots::Log,
    shows_editor_options: bool,
    film_turns: (usize, usize),
}

/// Room for a picture of a game's board.
#[derive(Clone, Debug, PartialEq)]
pub struct Thumbnail {
    pub game: String,
    pub place: egui::Rect,
    /// What of it is not scrolled away.
    pub seen: egui::Rect,
}

/// The part of the window that panels leave to the board, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeArea {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

impl FreeArea {
    const WHOLE: FreeArea = FreeArea { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 };

    /// How much of the window it is.
    fn part(self) -> f32 {
        (self.right - self.left) * (self.bottom - self.top).max(0.0)
    }
}

impl Panels {
    pub fn new(themes: Vec<(String, String)>) -> Panels {
        Panels {
            themes,
            drafts: BTreeMap::new(),
            thumbnails: Vec::new(),
            free_area: FreeArea::WHOLE,
            screen: None,

            keyboard: focus::Keyboard::default(),
            sheet: None,
            was_asking: false,
            typed_folder: String::new(),
            typed_move: String::new(),
            was_typing: false,
            typed_at_ply: None,
            bar: prompt::BarHeight::default(),
            seat_to_change: None,
            turn_list: turns::TurnList::default(),
            rest_of_column: 480.0,
            before_turns: 240.0,
            turns_heading: 36.0,
            column: None,
            is_crowded: false,
            is_turn_below: false,
            rest_of_review: 240.0,
            crowded_review: None,
            comment: comment::CommentDraft::default(),
            had_room: true,
            is_folded_for_room: false,
            occasion: None,
            was_analysis_alone: false,
            is_folded_for_analysis: false,
            rest_of_home: 320.0,
            calls_for_tables: 0,
            rest_of_prepare: 180.0,
            console: console::Console::default(),
            saved: saved::SavedList::default(),
            keys: keys::KeyList::default(),
            rules: rules::RulesReader::default(),
            bot_log: bots::Log::default(),
            shows_editor_options: false,
            film_turns: (1, 1),
        }
    }

    /// How large text is in a window of this size, when a person wants it so large.
    pub fn text_size_in(window: egui::Vec2, wanted: f32) -> f32 {
        look::text_size_in(window, wanted)
    }

    /// Makes egui look like ours. To be called once, and when the size of text has changed.
    pub fn style(ctx: &Context, text_size: f32) {
        look::style(ctx, text_size);
    }

    /// Shows everything, and gives what was asked for.
    pub fn show(&mut self, ctx: &Context, app: &App) -> Vec<Command> {
        let mut commands = Vec::new();
        if self.screen.as_ref() != Some(&app.screen) {
            let was_home = self.screen == Some(Screen::Home);
            self.keyboard.change_page(was_home, app.screen == Screen::Home);
            self.screen = Some(app.screen.clone());
            give_up_keyboard(ctx);
        }
        look::bear_slow_frames(ctx);
        self.thumbnails.clear();
        flat::use_theme(ctx, &app.settings.theme);
        if ctx.screen_rect().size().min_elem() < LEAST_SIDE {
            self.free_area = FreeArea::WHOLE;
            return commands;
        }
        let is_at_buttons = app.panels.contains(&Panel::Buttons) && !app.panels.contains(&Panel::MoveEntry);
        let is_page = match app.screen {
            Screen::Home | Screen::Prepare(_) => !is_covered(app),
            Screen::Board | Screen::Editor => is_at_buttons && !is_covered(app),
        };
        self.keyboard.go(ctx, is_page);
        let keys_are_for_board = keys_are_for_board(app);
        if keys_are_for_board {
            turn_keys_away(ctx);
            self.keyboard.forget_place();
        }
        notice::show_unsaved(ctx, app, &mut commands);
        film::show_progress(ctx, app, &mut commands);
        look::keep_in_sight(ctx);
        match (&app.screen, &app.table) {
            (Screen::Home, _) => self.show_home(ctx, app, &mut commands),
            (Screen::Prepare(game), _) => self.show_prepare(ctx, app, game, &mut commands),
            (Screen::Board, Some(table)) => {
                self.show_prompt(ctx, app, table, &mut commands);
                match &app.exercise {
                    Some(exercise) => lesson::show(ctx, app, exercise, &mut commands),
                    None => {
                        self.show_game(ctx, app, table, &mut commands);
                        analysis::show(ctx, app, table, &mut commands);
                    }
                }
                corner::show(ctx, app, table, folded_panel(app), &mut commands);
            }
            (Screen::Editor, _) => self.show_editor(ctx, app, &mut commands),
            (Screen::Board, None) => notice::wait(ctx, "Setting up the table…"),
        }
        self.free_area = free_area(ctx);
        if app.screen == Screen::Board {
            let bottom = self.free_area.bottom - self.bar.room() / ctx.screen_rect().height();
            let with_room = FreeArea { bottom, ..self.free_area };
            if with_room.part() >= LEAST_BOARD {
                self.free_area = with_room;
            }
        }
        self.show_sheets(ctx, app, &mut commands);
        self.show_question(ctx, app, &mut commands);
        notice::show_loss(ctx, app, &mut commands);
        notice::show_message(ctx, app, &mut commands);
        notice::show_refusal(ctx, app);
        if keys_are_for_board {
            give_up_keyboard(ctx);
        }
        self.keyboard.show(ctx);
        if is_page {
            self.keyboard.note_place(ctx);
        }
        commands
    }

    /// The part of the window that is left to the board, as of the last [`show`](Panels::show).
    pub fn free_area(&self) -> FreeArea {
        self.free_area
    }

    /// Where the home screen leaves room for a picture of which game's board.
    pub fn thumbnails(&self) -> &[Thumbnail] {
        &self.thumbnails
    }

    fn show_question(&mut self, ctx: &Context, app: &App, commands: &mut Vec<Command>) {
        let is_asking = QUESTIONS.iter().any(|question| app.panels.contains(question));
        let just_asked = is_asking && !self.was_asking;
        if just_asked {
            give_up_keyboard(ctx);
        }
        self.was_asking = is_asking;
        if app.panels.contains(&Panel::ConfirmQuit) {
            return dialog::confirm_quit(ctx, commands);
        }
        if let Some(offered) = app.offered.as_ref().filter(|_| app.panels.contains(&Panel::Damaged)) {
            return dialog::offer_readable(ctx, offered, commands);
        }
        if app.panels.contains(&Panel::ConfirmDeleteProgress) {
            return dialog::confirm_delete_progress(ctx, commands);
        }
        let Some(table) = &app.table else { return };
        if app.panels.contains(&Panel::ConfirmResign) {
            dialog::confirm_resign(ctx, table, commands);
        } else if app.panels.contains(&Panel::Film) {
            film::ask_which(ctx, table, &mut self.film_turns, just_asked, commands);
        } else if let Some(failed) = table.failed.as_ref().filter(|_| is_asking) {
            bots::ask_who_plays_on(ctx, failed, app.hello.as_ref(), commands);
        }
    }

    fn show_sheets(&mut self, ctx: &Context, app: &App, commands: &mut Vec<Command>) {
        let open: Vec<Panel> = SHEETS.into_iter().filter(|sheet| app.panels.contains(sheet)).collect();
        let newest = open.iter().copied().find(|sheet| self.sheet != Some(*sheet)).or(open.first().copied());
        commands.extend(open.into_iter().filter(|sheet| Some(*sheet) != newest).map(Command::Hide));
        let just_opened = self.sheet != newest;
        self.sheet = newest;
        let Some(sheet) = newest else { return };
        if just_opened {
            give_up_keyboard(ctx);
        }
        let closed = match sheet {
            Panel::Settings => settings::show(ctx, app, &self.themes, commands),
            Panel::Rules => self.rules.show(ctx, app, just_opened, commands),
            Panel::Keys => self.keys.show(ctx, app),
            Panel::Console => self.console.show(ctx, app),
            Panel::BotLog => self.bot_log.show(ctx, app),
            Panel::Position => position::show(ctx, app),
            Panel::Lessons => lesson::show_list(ctx, app, commands),
            Panel::Comment => self.comment.show(ctx, app, just_opened, commands),
            Panel::Puzzles => puzzles::show_list(ctx, app, commands),
            Panel::Progress => progress::show(ctx, app, commands),
            Panel::Folder => folder::show(ctx, app, &mut self.typed_folder, just_opened, commands),
            _ => self.saved.show(ctx, app, commands),
        };
        if closed {
            commands.push(Command::Hide(sheet));
        }
    }
}

/// What the panel beside the board is called, if it is folded away.
fn folded_panel(app: &App) -> Option<&'static str> {
    let name = match &app.exercise {
        Some(exercise) if exercise.task.puzzle().is_some() => "Puzzle",
        Some(_) => "Lesson",
        None => "Game",
    };
    (!app.panels.contains(&Panel::Game)).then_some(name)
}

fn free_area(ctx: &Context) -> FreeArea {
    let (window, free) = (ctx.screen_rect(), ctx.available_rect());
    let across = |x: f32| ((x - window.left()) / window.width()).clamp(0.0, 1.0);
    let down = |y: f32| ((y - window.top()) / window.height()).clamp(0.0, 1.0);
    FreeArea {
        left: across(free.left()),
        top: down(free.top()),
        right: across(free.right()),
        bottom: down(free.bottom()),
    }
}

/// On the board Tab, arrows and Enter are for the board, unless something is open that needs them.
fn keys_are_for_board(app: &App) -> bool {
    let needs_keys = [Panel::MoveEntry, Panel::Buttons].iter().any(|panel| app.panels.contains(panel));
    matches!(app.screen, Screen::Board | Screen::Editor) && !needs_keys && !is_covered(app)
}

/// Lets no key press a button in this frame: Tab may have given one the keyboard by the time that
/// Enter comes.
fn turn_keys_away(ctx: &Context) {
    ctx.input_mut(|input| {
        for key in [egui::Key::Enter, egui::Key::Space] {
            input.consume_key(egui::Modifiers::NONE, key);
        }
    });
}

/// Whether something lies over the screen that the keyboard belongs to.
fn is_covered(app: &App) -> bool {
    SHEETS.iter().chain(&QUESTIONS).any(|panel| app.panels.contains(panel))
}

fn give_up_keyboard(ctx: &Context) {
    ctx.memory_mut(|memory| {
        if let Some(focused) = memory.focused() {
            memory.surrender_focus(focused);
        }
    });
}
