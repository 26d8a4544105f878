//! The line under the board: what is expected now, and buttons for what cannot be pointed at.

use egui_macroquad::egui::text::{CCursor, CCursorRange};
use egui_macroquad::egui::{
    Align, Button, Context, Frame, Id, Key, Layout, Margin, RichText, TextEdit, TextStyle, TopBottomPanel,
    Ui, Vec2, vec2,
};

use super::bots::failure_in_words;
use super::lesson;
use super::look::{self, ACCENT, DIM, Explain, GRID, TEXT, ask, ask_first, note};
use super::review::{line_in_words, name_of_line, trial_in_words, turn_in_words};
use super::seat::mark;
use super::words::turn_in_signs;
use super::{Panels, is_covered};
use crate::app::App;
use crate::command::{Command, Panel, ReviewCommand};
use crate::review::{GameReview, Trial, better};
use crate::state::{TableView, is_free};
use crate::text::capitalised;

/// With more than these the line would be longer than anyone reads.
const MOST_BUTTONS: usize = 8;
/// In a line that is less wide than this, a move is typed below.
const NARROW: f32 = 560.0;

/// A window that is less high has little room for what is beside a bar of several lines.
const LOW: f32 = 560.0;
/// In one that is even less high, only what is wanted most is offered at the end; the rest is in the
/// menu.
const TINY: f32 = 400.0;

/// How high the bar is, and how high it has been in this game.
#[derive(Debug, Default)]
pub(super) struct BarHeight {
    /// The game, the size of the window and that of text.
    place: Option<(String, Vec2, f32)>,
    now: f32,
    highest: f32,
}

impl BarHeight {
    fn note(&mut self, place: (String, Vec2, f32), height: f32, is_in_play: bool) {
        if self.place.as_ref() != Some(&place) {
            *self = BarHeight { place: Some(place), ..BarHeight::default() };
        }
        // What lasts for one frame only was still finding its place.
        let has_lasted = self.now == height;
        self.now = height;
        if is_in_play && has_lasted {
            self.highest = self.highest.max(height);
        }
    }

    /// What the board leaves for the bar to grow: it would else move under the pointer of somebody
    /// who is about to choose the next place.
    pub(super) fn room(&self) -> f32 {
        (self.highest - self.now).max(0.0)
    }
}

impl Panels {
    pub(super) fn show_prompt(
        &mut self,
        ctx: &Context,
        app: &App,
        table: &TableView,
        commands: &mut Vec<Command>,
    ) {
        let margin = Margin { left: 12, right: 12, top: 6, bottom: 12 };
        let bar = TopBottomPanel::bottom("prompt")
            .show_separator_line(false)
            .frame(Frame::new().inner_margin(margin));
        let bar = bar.show(ctx, |ui| {
            look::surface().inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
                ui.set_min_size(vec2(ui.available_width(), ui.spacing().interact_size.y));
                let is_said =
                    app.exercise.as_ref().is_some_and(|exercise| lesson::verdict(ui, exercise, commands));
                if is_said {
                } else if let Some(trial) = &app.trial {
                    ui.horizontal_wrapped(|ui| trying(ui, app, table, trial, commands));
                    if app.panels.contains(&Panel::MoveEntry) {
                        ui.horizontal_wrapped(|ui| self.move_entry(ui, app, table, commands));
                    }
                } else if reviewing(ui, app, table, commands) {
                } else if table.state.outcome.is_some() && table.looked_at.is_none() && app.motion.is_still()
                {
                    end(ui, app, table, commands);
                } else if table.looked_at.is_some() {
                    ui.horizontal_wrapped(|ui| looking_back(ui, table, commands));
                } else if ui.available_width() < NARROW * look::text_size(ui.ctx()) {
                    let is_typing = app.panels.contains(&Panel::MoveEntry);
                    ui.horizontal_wrapped(|ui| {
                        expected(ui, app, table, commands);
                        if !is_typing {
                            self.move_entry(ui, app, table, commands);
                        }
                    });
                    if is_typing {
                        ui.horizontal_wrapped(|ui| self.move_entry(ui, app, table, commands));
                    }
                } else {
                    // What is at the right takes its room first, and the sentence wraps before it.
                    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                        ui.set_max_height(ui.spacing().interact_size.y);
                        self.move_entry(ui, app, table, commands);
                        let words = Layout::left_to_right(Align::Center).with_main_wrap(true);
                        ui.with_layout(words, |ui| expected(ui, app, table, commands));
                    });
                }
            });
        });
        let is_in_play = table.state.outcome.is_none() && table.review.is_none() && app.trial.is_none();
        let place = (table.state.game.clone(), ctx.screen_rect().size(), look::text_size(ctx));
        self.bar.note(place, bar.response.rect.height(), is_in_play);
    }

    fn move_entry(&mut self, ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
        let just_opened = !std::mem::replace(&mut self.was_typing, app.panels.contains(&Panel::MoveEntry));
        if !app.panels.contains(&Panel::MoveEntry) {
            if table.is_ours_to_move() {
                ask(ui, "Type a move", Command::Show(Panel::MoveEntry), commands);
            }
            return;
        }
        if self.typed_at_ply.take_if(|ply| *ply != table.state.ply).is_some() {
            self.typed_move.clear();
        }
        let mut played = false;
        let mut buttons = |ui: &mut Ui, from_the_right: bool| {
            let mut close = |ui: &mut Ui| ask(ui, "Close", Command::Hide(Panel::MoveEntry), commands);
            if from_the_right {
                close(ui);
            }
            played = ui.add_enabled(table.is_ours_to_move(), Button::new("Play")).clicked();
            if !from_the_right {
                close(ui);
            }
        };
        // The line comes first from left to right, and the way to close it last.
        let from_the_right = ui.layout().prefer_right_to_left();
        if from_the_right {
            buttons(ui, true);
        }
        let hint = table.details.first().map(|detail| format!("for example {}", detail.action));
        let id = Id::new("typed move");
        if just_opened {
            // What is typed next takes the place of a text that was refused.
            let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
            let all = CCursorRange::two(CCursor::new(0), CCursor::new(self.typed_move.chars().count()));
            state.cursor.set_char_range(Some(all));
            state.store(ui.ctx(), id);
        }
        if just_opened && !is_covered(app) {
            // A button may have the keyboard, of the menu for one.
            ui.memory_mut(|memory| memory.request_focus(id));
        } else if !is_covered(app) {
            look::give_keyboard(ui.ctx(), id);
        }
        let field = TextEdit::singleline(&mut self.typed_move)
            .id(id)
            .hint_text(look::hint(hint.unwrap_or_default()))
            .margin(Margin::symmetric(10, 6))
            .desired_width(GRID * 24.0);
        let response = field.show(ui).response;
        if !from_the_right {
            buttons(ui, false);
        }
        // What was typed ahead may have its Enter with it.
        let entered =
            (response.lost_focus() || just_opened) && ui.input(|input| input.key_pressed(Key::Enter));
        if (entered || played) && !self.typed_move.trim().is_empty() {
            self.typed_at_ply = Some(table.state.ply);
            commands.push(Command::TypeMove(self.typed_move.trim().to_string()));
        }
    }
}

fn expected(ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
    let moving = table.in_motion();
    if let Some(seat) = moving.map(|moving| moving.seat).or(table.state.to_move) {
        let side = table.state.sides[seat].as_deref();
        mark(ui, &table.state.game, side, seat, ui.text_style_height(&TextStyle::Body) * 1.1);
    }
    ui.label(RichText::new(expectation(app, table)).color(TEXT));
    if let Some(wanted) = table.asked_of_us() {
        ui.label(RichText::new(table.request(wanted)).color(ACCENT));
        ask_first(ui, "Agree", Command::Agree, commands);
    } else if table.asked_by_us().is_some() {
        note(ui, "You have asked; the other player may agree.");
    }
    if table.is_watched() {
        for seat in table.free_seats().into_iter().filter(|_| table.state.outcome.is_none()) {
            let take = Command::TakeSeat(table.state.table.clone(), seat);
            ask_first(ui, &format!("Play {}", table.name(seat)), take, commands);
        }
        return;
    }
    if !table.is_ours_to_move() {
        if table.failed.is_some() {
            ask_first(ui, "What now?", Command::Show(Panel::BotFailed), commands);
        } else if app.is_paused() {
            ask_first(ui, "Continue", Command::Resume, commands);
            ask(ui, "One turn", Command::MoveNow, commands);
        } else {
            if table.is_paced() {
                ask(ui, "Pause", Command::Pause, commands);
            }
            if table.thinking.is_some() && moving.is_none() {
                ask(ui, "Move now", Command::MoveNow, commands);
            }
        }
        return;
    }
    if moving.is_some() {
        return;
    }
    let is_left_open = table.state.to_move.is_some_and(|seat| is_free(&table.state.seats[seat]));
    if is_left_open && app.socket.is_some() {
        note(ui, "Nobody has joined yet: wait, or play this side yourself.");
    }
    ways(ui, app, commands);
    let words = match (app.pick.alternatives().len() > 1, app.pick.chosen().is_empty()) {
        (true, true) => "or Tab and Enter",
        (true, false) => "or Tab and Enter; Escape takes it back",
        (false, true) => return,
        (false, false) => "Escape takes it back",
    };
    ui.label(RichText::new(words).small().color(DIM));
}

/// A button for each action that needs no more pointing. The board shows what the one under the
/// pointer would do, or the one that keys have come to.
fn ways(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) {
    let considered = app.pick.considered().map(|detail| detail.action.as_str());
    let mut in_view = None;
    for detail in app.pick.complete().iter().take(MOST_BUTTONS) {
        let is_considered = considered == Some(detail.action.as_str());
        let button = look::chip(ui, is_considered, detail.words());
        if button.pointed_at().is_some() || button.has_focus() {
            in_view = Some(detail.action.as_str());
        }
        let button = button.explain(format!("{} ({})", detail.text, detail.action));
        look::asked(button, Command::Play(detail.action.clone()), commands);
    }
    // Of alternatives one stays in view: it is the one that a key takes.
    let stays = in_view.is_none() && !app.pick.alternatives().is_empty();
    if in_view != considered && !stays {
        commands.push(Command::Consider(in_view.map(str::to_string)));
    }
}

/// Whether the end has one line only: in a low window the review beside it needs the room.
fn is_short_of_room(ui: &Ui, app: &App) -> bool {
    let height = ui.ctx().screen_rect().height() / look::text_size(ui.ctx());
    app.panels.contains(&Panel::Review) && app.panels.contains(&Panel::Game) && height < LOW
}

/// How the game ended, and what one may want then. It lies under the board, so that what won is
/// seen.
fn end(ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
    let Some(outcome) = &table.state.outcome else { return };
    let is_short = is_short_of_room(ui, app);
    ui.horizontal_wrapped(|ui| {
        if let Some(winner) = outcome.winner {
            let side = table.state.sides[winner].as_deref();
            let size = if is_short { ui.text_style_height(&TextStyle::Body) } else { GRID * 4.0 };
            mark(ui, &table.state.game, side, winner, size);
        }
        let verdict = verdict(table);
        if is_short {
            ui.label(RichText::new(verdict).color(ACCENT));
            if !table.is_watched() {
                ask_first(ui, "Rematch", Command::Rematch { seats_changed: false }, commands);
            }
            ask(ui, "New game", Command::PrepareAnother, commands);
            ask(ui, "Home", Command::ShowHome, commands);
            return;
        }
        // What was said already is not said again.
        let winner = outcome.winner.map(|winner| format!("{} wins", table.name(winner)));
        let said = winner.as_ref().unwrap_or(&verdict);
        let why = outcome.text.strip_prefix(&format!("{said}: "));
        let why = why.or_else(|| outcome.text.strip_prefix(&format!("{verdict} "))).map(capitalised);
        ui.label(RichText::new(verdict).heading().color(ACCENT));
        ui.label(RichText::new(why.unwrap_or_else(|| outcome.text.clone())).color(TEXT));
    });
    if is_short {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if app.exercise.is_some() {
            ask_first(ui, "Finish the lesson", Command::NextStep, commands);
            ask(ui, "Rematch", Command::Rematch { seats_changed: false }, commands);
        } else if !table.is_watched() {
            let again = ask_first(ui, "Rematch", Command::Rematch { seats_changed: false }, commands);
            if app.panels.contains(&Panel::Buttons) && !is_covered(app) {
                look::take_keyboard(&again);
            }
            ask(ui, "Rematch, swapped sides", Command::Rematch { seats_changed: true }, commands);
        }
        review_or_mistake(ui, table, commands);
        ask(ui, "Look back", Command::LookBack, commands);
        let is_tiny = ui.ctx().screen_rect().height() < TINY * look::text_size(ui.ctx());
        if !table.is_watched() && !table.is_computer_only() && !is_tiny {
            ask(ui, "Puzzles of my mistakes", Command::MakePuzzles, commands)
                .explain("Blunders and missed wins that can be proved become puzzles");
        }
        ask(ui, "New game", Command::PrepareAnother, commands);
        ask(ui, "Home", Command::ShowHome, commands);
    });
}

/// Who has won, as one says it to whoever sits here.
fn verdict(table: &TableView) -> String {
    let Some(winner) = table.state.outcome.as_ref().and_then(|outcome| outcome.winner) else {
        return "A draw".into();
    };
    match (table.is_ours(winner), table.is_ours(!winner)) {
        (true, false) => "You win".into(),
        (false, true) => "You lose".into(),
        _ => format!("{} wins", table.name(winner)),
    }
}

fn looking_back(ui: &mut Ui, table: &TableView, commands: &mut Vec<Command>) {
    let words = looked_at_in_words(table);
    ui.label(RichText::new(words).color(ACCENT));
    ask_first(ui, "Back to now", Command::LookAtNow, commands);
    let is_elsewhere = table.shown_spot() != table.spot(&table.state);
    if is_elsewhere && !table.is_watched() {
        ask(ui, "Play on from here", Command::PlayOnFromHere, commands)
            .explain("What was played from here stays in the game, as a variation.");
    }
    review_or_mistake(ui, table, commands);
}

/// Looks through the game; once that is done, goes to where it went wrong.
fn review_or_mistake(ui: &mut Ui, table: &TableView, commands: &mut Vec<Command>) {
    let review = table.review.as_ref().filter(|review| review.is_whole());
    match review.filter(|review| review.mistake(0, false).is_some()) {
        Some(review) => next_mistake(ui, review, commands),
        None => drop(ask(ui, "Review", Command::Review(ReviewCommand::Start), commands)),
    }
}

fn next_mistake(ui: &mut Ui, review: &GameReview, commands: &mut Vec<Command>) {
    let next = Command::Review(ReviewCommand::Mistake { backwards: false });
    ask(ui, &format!("Next {}", review.slip()), next, commands);
}

/// Another try at a turn: what the board expects, and what came of it.
fn trying(ui: &mut Ui, app: &App, table: &TableView, trial: &Trial, commands: &mut Vec<Command>) {
    let seat = trial.seat();
    let side = table.state.sides[seat].as_deref();
    mark(ui, &table.state.game, side, seat, ui.text_style_height(&TextStyle::Body) * 1.1);
    ui.label(RichText::new(trial_in_words(trial)).color(ACCENT));
    if trial.is_done() {
        ask_first(ui, "Try another", Command::Review(ReviewCommand::Try), commands);
    } else {
        let next = app.next_step.as_ref().unwrap_or(&table.state.prompt);
        ui.label(RichText::new(next).color(TEXT));
        ways(ui, app, commands);
    }
    ask(ui, "Back to the review", Command::Review(ReviewCommand::Leave), commands);
}

/// What is said about the turn or the line of a review, if one is looked at.
fn reviewing(ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) -> bool {
    let Some(review) = &table.review else { return false };
    let Some(turn) = review.looked_at() else { return false };
    ui.horizontal_wrapped(|ui| {
        if let Some(words) = line_in_words(review) {
            ui.label(RichText::new(words).color(ACCENT));
            let step = |backwards| Command::Review(ReviewCommand::Step { backwards });
            ask(ui, "Back", step(true), commands);
            ask_first(ui, "Next", step(false), commands);
            ask(ui, "Hide the line", Command::Review(ReviewCommand::Line), commands);
            return;
        }
        let side = table.state.sides[turn.seat].as_deref();
        mark(ui, &table.state.game, side, turn.seat, ui.text_style_height(&TextStyle::Body) * 1.1);
        ui.label(RichText::new(turn_in_words(table, turn)).color(TEXT));
        // The panel beside it has the others, too.
        if !is_short_of_room(ui, app) {
            if turn.best.iter().any(|best| !best.pv.is_empty()) {
                ask(ui, name_of_line(turn), Command::Review(ReviewCommand::Line), commands);
            }
            if better(turn).is_some() {
                ask_first(ui, "Try again", Command::Review(ReviewCommand::Try), commands);
            }
            next_mistake(ui, review, commands);
        }
        ask(ui, "Back to now", Command::LookAtNow, commands);
    });
    true
}

/// Which position is looked at.
fn looked_at_in_words(table: &TableView) -> String {
    let shown = table.shown();
    if shown.ply == 0 {
        return "You are looking at the start of the game.".into();
    }
    if !table.is_shown_in_line() {
        return format!("You are looking at a variation, turn {}.", table.turn_at(shown));
    }
    format!("You are looking back at turn {} of {}.", table.turn_at(shown), table.turns.len())
}

/// What the table waits for, in a sentence, and that we only watch it.
fn expectation(app: &App, table: &TableView) -> String {
    match table.is_watched() {
        true => format!("You are watching. {}", expected_of_players(app, table)),
        false => expected_of_players(app, table),
    }
}

fn expected_of_players(app: &App, table: &TableView) -> String {
    let state = &table.state;
    // Nobody has won, and nobody is to move, before one sees it.
    if let Some(moving) = table.in_motion() {
        return format!("{} plays {}.", table.name(moving.seat), turn_in_signs(table.begun()));
    }
    if let Some(outcome) = &state.outcome {
        return outcome.text.clone();
    }
    if let Some(failed) = &table.failed {
        return failure_in_words(failed);
    }
    match (&table.thinking, state.to_move) {
        (Some(thought), _) => format!("{} is thinking…", table.name(thought.seat)),
        (None, Some(seat)) if app.is_paused() && !table.is_watched() => {
            format!("Paused. {} is to move.", table.name(seat))
        }
        (None, Some(seat)) if !table.is_ours_to_move() => format!("{} is to move.", table.name(seat)),
        _ => app.next_step.clone().unwrap_or_else(|| state.prompt.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn expectation(table: &TableView) -> String {
        let app = App { table: Some(table.clone()), ..App::new(crate::settings::Settings::default()) };
        super::expectation(&app, table)
    }

    fn table(changes: serde_json::Value) -> TableView {
        let mut state = json!({
            "table": "t1", "game": "zurero", "options": {"size": 5}, "seed": 1,
            "seats": {"1": {"kind": "client"}, "2": {"kind": "ai", "level": "club"}},
            "sides": {"1": "black", "2": "white"}, "ply": 0, "turn": 0, "to_move": 1, "phase": "opening",
            "prompt": "Place the first stone.", "rows": [], "counters": {}, "last": null, "outcome": null,
            "undone": 0, "held": false
        });
        for (name, value) in changes.as_object().expect("an object") {
            state[name] = value.clone();
        }
        TableView::new(serde_json::from_value(state).expect("a state"))
    }

    #[test]
    fn the_line_says_whom_the_table_waits_for() {
        assert_eq!(expectation(&table(json!({}))), "Place the first stone.");
        assert_eq!(expectation(&table(json!({"to_move": 2}))), "White is to move.");
        assert_eq!(expectation(&table(json!({"to_move": 2, "held": true}))), "Paused. White is to move.");
        let mut thinking = table(json!({"to_move": 2}));
        thinking.thinking =
            Some(crate::state::Thought { seat: tabuleiro_protocol::Seat::Two, info: None, seconds: 0.5 });
        assert_eq!(expectation(&thinking), "White is thinking…");
        let over =
            json!({"to_move": null, "outcome": {"winner": 1, "reason": "five", "text": "Black has five."}});
        let over = table(over);
        assert_eq!((expectation(&over).as_str(), verdict(&over).as_str()), ("Black has five.", "You win"));
        let lost = table(json!({"to_move": null, "outcome": {"winner": 2, "reason": "five", "text": ""}}));
        assert_eq!(verdict(&lost), "You lose");
        let drawn =
            table(json!({"to_move": null, "outcome": {"winner": null, "reason": "full", "text": ""}}));
        assert_eq!(verdict(&drawn), "A draw");
    }
}
