//! The panel beside the board: who plays, how it stands, what has been played and what can be asked
//! of the computer.

use egui_macroquad::egui::{
    self, Align, Context, Frame, Label, Layout, Margin, Rect, RichText, ScrollArea, Sense, SidePanel,
    TextStyle, TopBottomPanel, Ui, Vec2, vec2,
};
use serde_json::Value;
use tabuleiro_protocol::{Fact, Player, Seat};

use super::look::{self, ACCENT, DIM, Explain, GRID, TEXT, ask_wide, note, one_of, section, switch};
use super::seat::{choose_player, mark, paint_turn_bar, player_name, score_against};
use super::words::{Count, large_number, name_in_words, score_in_words, turn_in_signs};
use super::{LEAST_TURNS_HEIGHT, Panels, turns};
use super::{analysis, chances, settings};
use crate::aids::FORMS;
use crate::app::App;
use crate::command::{Command, Panel};
use crate::settings::Settings;
use crate::state::{TableView, is_free};

const WIDTH: f32 = 272.0;
/// Where there is less room than this, what is nice to have is left out.
const LOW: f32 = 520.0;
/// In a window that is less high the list of turns needs the room more than the computer's thoughts.
const SHORT: f32 = 840.0;
/// Where there is more room across than this, both seats share a line.
const BROAD: f32 = 330.0;
/// So many turns are worth being seen.
const FEW_TURNS_HEIGHT: f32 = 48.0;
/// More aids are not listed: what they have in common is said above.
const MOST_AIDS: usize = 6;
/// A window that is higher than this, compared with its width, has more room below the board than
/// beside it.
const HIGH: f32 = 1.2;
/// In high and narrow windows the panel has this part of the height.
const BELOW: f32 = 0.34;
/// Where it takes the board's room it has this part of the width at most.
const OVER: f32 = 0.56;

/// Where the panel has room.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Beside,
    Below,
    /// Nowhere: it takes the board's.
    Over,
}

impl Place {
    pub(super) fn in_window(ctx: &Context, text_size: f32) -> Place {
        let window = ctx.screen_rect().size() / text_size;
        match () {
            () if window.x < 600.0 && window.y > (window.x * 1.3).max(560.0) => Place::Below,
            () if window.x < 600.0 => Place::Over,
            () => Place::Beside,
        }
    }

    /// Whether it takes room below the board. Beside it, the board of a high window would be a
    /// stamp, and below it that of a low one.
    pub(super) fn is_below(self, ctx: &Context) -> bool {
        let window = ctx.screen_rect().size();
        self == Place::Below || self == Place::Over && window.y > window.x * HIGH
    }
}

/// What was going on when the panel was shown last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occasion {
    visits: u32,
    is_over: bool,
    is_reviewed: bool,
}

impl Occasion {
    /// Whether by now another game is played, or this one has ended or was reviewed.
    fn is_past(self, now: Occasion) -> bool {
        let has_ended = now.is_over && !self.is_over || self.is_reviewed;
        !now.is_reviewed && (self.visits != now.visits || has_ended)
    }
}

impl Panels {
    pub(super) fn show_game(
        &mut self,
        ctx: &Context,
        app: &App,
        table: &TableView,
        commands: &mut Vec<Command>,
    ) {
        let place = Place::in_window(ctx, look::text_size(ctx));
        self.fold_for_room(app, table, place, commands);
        self.fold_for_analysis(ctx, app, commands);
        let has_game = app.panels.contains(&Panel::Game);
        // Where there is room for one panel only, the game's comes before the analysis.
        let has_analysis = app.analysis.is_on && !has_game && analysis::is_alone(ctx);
        if !has_game && !has_analysis {
            return;
        }
        let window = ctx.screen_rect().size();
        let mut contents = |ui: &mut Ui| match has_analysis {
            true => analysis::surface(ui, ui.available_height(), app, table, commands),
            false => self.game_surface(ui, app, table, commands),
        };
        let shown = if place.is_below(ctx) {
            let margin = Margin { left: 12, right: 12, top: 6, bottom: 0 };
            let below = TopBottomPanel::bottom("game below").resizable(false).show_separator_line(false);
            let below = below.exact_height(window.y * BELOW).frame(Frame::new().inner_margin(margin));
            below.show(ctx, |ui| contents(ui)).response
        } else {
            let margin = Margin { left: 6, right: 12, top: 12, bottom: 0 };
            let (wide, most) = match (has_analysis, place == Place::Over) {
                (true, _) => (analysis::WIDTH, 0.5),
                (false, true) => (WIDTH, OVER),
                (false, false) => (WIDTH, 0.4),
            };
            let wide = (wide * look::text_size(ctx)).min(window.x * most) + 18.0;
            let side = SidePanel::right("game").exact_width(wide).resizable(false).show_separator_line(false);
            side.frame(Frame::new().inner_margin(margin)).show(ctx, |ui| contents(ui)).response
        };
        if has_analysis {
            analysis::note_leaving(app, &shown, commands);
        }
    }

    fn game_surface(&mut self, ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
        look::surface().inner_margin(Margin::same(14)).show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = GRID * 0.75;
                match app.panels.contains(&Panel::Review) || app.trial.is_some() {
                    true => self.review_column(ui, app, table, commands),
                    false => self.game_column(ui, app, table, commands),
                }
                look::follow_keyboard(ui);
            });
        });
    }

    /// Where there is no room for it the panel is folded away, until there is or somebody wants it;
    /// and it was wanted for what was going on then.
    fn fold_for_room(&mut self, app: &App, table: &TableView, place: Place, commands: &mut Vec<Command>) {
        let has_room = place != Place::Over;
        let occasion = Occasion {
            visits: app.visits,
            is_over: table.state.outcome.is_some(),
            is_reviewed: app.panels.contains(&Panel::Review),
        };
        let is_past = self.occasion.replace(occasion).is_some_and(|before| before.is_past(occasion));
        if has_room == self.had_room {
            if !has_room && is_past && app.panels.contains(&Panel::Game) {
                commands.push(Command::Hide(Panel::Game));
            }
            return;
        }
        self.had_room = has_room;
        if !has_room && app.panels.contains(&Panel::Game) {
            self.is_folded_for_room = true;
            commands.push(Command::Hide(Panel::Game));
        } else if std::mem::take(&mut self.is_folded_for_room) && has_room {
            commands.push(Command::Show(Panel::Game));
        }
    }

    /// Where there is no room for both, an analysis that begins takes the place of the panel, until
    /// it ends or somebody wants the panel.
    fn fold_for_analysis(&mut self, ctx: &Context, app: &App, commands: &mut Vec<Command>) {
        let takes_place = app.analysis.is_on && analysis::is_alone(ctx);
        if takes_place == self.was_analysis_alone {
            return;
        }
        self.was_analysis_alone = takes_place;
        if takes_place && app.panels.contains(&Panel::Game) {
            self.is_folded_for_analysis = true;
            commands.push(Command::Hide(Panel::Game));
        } else if !takes_place && std::mem::take(&mut self.is_folded_for_analysis) {
            commands.push(Command::Show(Panel::Game));
        }
    }

    fn game_column(&mut self, ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
        let top = ui.cursor().top();
        let room = ui.available_height();
        // Each part in a scope of its own: so a button keeps the keyboard when something above it
        // comes or goes.
        self.is_turn_below = ui.scope(|ui| heading(ui, app, table, commands)).inner;
        // Where little is seen at once, what is pressed most often comes first.
        let is_low = room < LOW;
        if is_low {
            ui.scope(|ui| requests(ui, table, commands));
        }
        // Below the board there is more width than height.
        let is_broad = ui.available_width() > BROAD * look::text_size(ui.ctx());
        if is_low && is_broad && self.seat_to_change.is_none() {
            ui.columns(2, |columns| {
                for (seat, column) in Seat::BOTH.into_iter().zip(columns) {
                    self.seat(column, app, table, seat, commands);
                }
            });
        } else {
            for seat in Seat::BOTH {
                ui.scope(|ui| self.seat(ui, app, table, seat, commands));
            }
        }
        // A few rows that are seen at once are more than a list that has to be scrolled to: without
        // room for them the list comes before what is about the turns.
        let sooner = room - (ui.cursor().top() - top) - self.turns_heading;
        let later = sooner - self.before_turns;
        // A row that comes and goes must not turn the column about: once crowded, it stays so for
        // this game in this room.
        let column = Some((app.visits, room.to_bits(), app.settings.evaluation));
        let is_measured = self.column == column;
        let is_crowded = later < FEW_TURNS_HEIGHT || is_measured && self.is_crowded;
        (self.column, self.is_crowded) = (column, is_crowded && is_measured);
        let turns_height = match is_crowded {
            true => sooner.clamp(FEW_TURNS_HEIGHT, LEAST_TURNS_HEIGHT),
            // A shorter list is better than something below it that is cut off.
            false => match room - self.rest_of_column {
                rest if rest >= FEW_TURNS_HEIGHT => rest,
                _ => later.min(LEAST_TURNS_HEIGHT),
            },
        };
        if is_crowded {
            self.turns(ui, table, turns_height, commands);
        }
        let below = ui.cursor().top();
        if is_crowded {
            if !is_low {
                ui.scope(|ui| requests(ui, table, commands));
            }
            ui.scope(|ui| self.computer(ui, app, table, is_low, commands));
        }
        ui.scope(|ui| counters(ui, table));
        ui.scope(|ui| {
            if app.settings.evaluation {
                section(ui, "Chances");
                chances::show(ui, table, is_low, commands);
            }
        });
        if !is_crowded {
            ui.scope(|ui| self.computer(ui, app, table, is_low, commands));
            if !is_low {
                ui.scope(|ui| requests(ui, table, commands));
            }
        }
        self.before_turns = ui.cursor().top() - below;
        if !is_crowded {
            self.turns(ui, table, turns_height, commands);
        }
        ui.scope(|ui| self.overlays(ui, app, table, commands));
        self.rest_of_column = ui.cursor().top() - top - turns_height;
    }

    fn turns(&mut self, ui: &mut Ui, table: &TableView, height: f32, commands: &mut Vec<Command>) {
        // By a name: its place in the column is not always the same.
        ui.push_id("turns", |ui| {
            let top = ui.cursor().top();
            turns::heading(ui, table, self.is_turn_below, commands);
            self.turns_heading = ui.cursor().top() - top;
            self.turn_list.show(ui, table, height, commands);
        });
    }

    fn seat(&mut self, ui: &mut Ui, app: &App, table: &TableView, seat: Seat, commands: &mut Vec<Command>) {
        let state = table.in_sight();
        let is_to_move = state.to_move == Some(seat);
        let player = &table.state.seats[seat];
        let height =
            ui.text_style_height(&TextStyle::Body) + ui.text_style_height(&TextStyle::Small) + GRID * 0.5;
        let size = vec2(ui.available_width(), height);
        let row = ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            let is_open = self.seat_to_change == Some(seat);
            if table.free_seats().contains(&seat) {
                let take = Command::TakeSeat(table.state.table.clone(), seat);
                look::asked(look::small_button(ui, "Take"), take, commands);
            } else if table.may_change(seat)
                && look::small_button(ui, if is_open { "Done" } else { "Change" }).clicked()
            {
                self.seat_to_change = if is_open { None } else { Some(seat) };
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add_space(GRID);
                mark(ui, &state.game, state.sides[seat].as_deref(), seat, look::step(ui) * 3.0);
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 1.0;
                    look::dense(ui);
                    ui.horizontal(|ui| {
                        let colour = if is_to_move { ACCENT } else { TEXT };
                        ui.add(Label::new(RichText::new(table.name(seat)).color(colour)).truncate());
                        let font = TextStyle::Small.resolve(ui.style());
                        let words = ui.fonts(|fonts| fonts.layout_no_wrap("to move".into(), font, DIM));
                        // Colour and bar say it as well.
                        if is_to_move && words.size().x <= ui.available_width() {
                            ui.label(words);
                        }
                    });
                    // Who plays both sides is one person, and then another.
                    let is_shared = app.socket.is_some();
                    let is_mine = table.is_ours(seat) && !is_free(player);
                    let who = match is_mine && (is_shared || !table.is_ours(!seat)) {
                        true => "You".into(),
                        false => player_name(player, app.hello.as_ref()),
                    };
                    let who = in_short(ui, who);
                    ui.add(Label::new(RichText::new(who).small().color(DIM)).truncate());
                });
            });
        });
        if is_to_move {
            paint_turn_bar(ui, row.response.rect);
        }
        if self.seat_to_change == Some(seat)
            && table.may_change(seat)
            && let Some(hello) = &app.hello
        {
            let score = |level: &str| score_against(app, &table.state.game, level);
            let may_be_open = app.socket.is_some() && table.is_maker;
            let chosen = ui
                .push_id(("player", seat.number()), |ui| {
                    choose_player(ui, player, hello, may_be_open, &score)
                })
                .inner;
            commands.extend(chosen.map(|player| Command::SetSeat(seat, player)));
        }
    }

    fn computer(
        &mut self,
        ui: &mut Ui,
        app: &App,
        table: &TableView,
        is_low: bool,
        commands: &mut Vec<Command>,
    ) {
        let has_computer =
            Seat::BOTH.into_iter().any(|seat| !matches!(table.state.seats[seat], Player::Client { .. }));
        let plays = has_computer && table.state.outcome.is_none();
        if !plays && table.hint.is_none() && !table.hint_wanted {
            return;
        }
        look::line(
            ui,
            |ui| drop(ui.label(RichText::new("Computer").small().color(ACCENT))),
            |ui| {
                if !plays || table.is_watched() {
                    return;
                }
                if app.is_paused() {
                    look::asked(look::small_button(ui, "Continue"), Command::Resume, commands);
                    look::asked(look::small_button(ui, "One turn"), Command::MoveNow, commands);
                } else if !table.is_ours_to_move() {
                    look::asked(look::small_button(ui, "Pause"), Command::Pause, commands);
                    if table.thinking.is_some() && table.in_motion().is_none() {
                        look::asked(look::small_button(ui, "Move now"), Command::MoveNow, commands);
                    }
                }
            },
        );
        thoughts(ui, app, table, is_low);
        if table.is_computer_only() && table.state.outcome.is_none() {
            note(ui, "Speed of the game");
            ui.spacing_mut().button_padding.x = GRID * 0.75;
            if let Some(speed) = one_of(ui, &app.settings.speed, &settings::SPEEDS) {
                commands.push(Command::Change(Box::new(Settings { speed, ..app.settings.clone() })));
            }
        }
    }

    fn overlays(&mut self, ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
        let set = app.set_of(&table.state.game);
        let has_aids = !table.overlays.is_empty() || set.reach().is_some();
        // Behind the end nothing is lit any more.
        if !has_aids || table.in_sight().to_move.is_none() {
            return;
        }
        ui.add_space(GRID * 0.5);
        if let Some(overlays) = switch(ui, app.settings.overlays, "Aids on the board") {
            commands.push(Command::Change(Box::new(Settings { overlays, ..app.settings.clone() })));
        }
        if !app.settings.overlays {
            return;
        }
        if let Some(words) = set.reach()
            && switch(ui, app.settings.reach, words).is_some()
        {
            commands.push(Command::ToggleReach);
        }
        match app.analysis.found {
            Some(_) => drop(note(ui, "Hidden while the best turns are shown.")),
            None => legend(ui, app, table),
        }
    }
}

/// What the aids on the board mean: each with its form as it is seen there.
fn legend(ui: &mut Ui, app: &App, table: &TableView) {
    // What the action under the pointer would change is lit already, and named as it is lit.
    let overlays = app.preview().map_or(&table.overlays, |preview| &preview.overlays);
    let forms = table.forms.with(overlays);
    let mut aids: Vec<(&str, Option<Seat>, u8)> = Vec::new();
    for overlay in overlays {
        let form = app.motion.set().aid_form(forms.of(overlay));
        let aid = (overlay.text.as_str(), overlay.seat, form);
        if !aids.contains(&aid) {
            aids.push(aid);
        }
    }
    if aids.len() > MOST_AIDS {
        note(ui, "Point at a cell to see what joins it.");
        return;
    }
    for (text, seat, form) in aids {
        ui.horizontal_top(|ui| {
            aid_sign(ui, form, app.settings.aid_colour);
            if let Some(seat) = seat {
                mark(ui, &table.state.game, table.state.sides[seat].as_deref(), seat, look::step(ui) * 1.75);
            }
            ui.add(Label::new(RichText::new(text).small().color(DIM)).wrap());
        });
    }
}

/// The form of an aid: the same as on the board.
fn aid_sign(ui: &mut Ui, form: u8, [red, green, blue]: [u8; 3]) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(look::step(ui) * 1.75), Sense::hover());
    let (middle, half) = (rect.center(), rect.width() * 0.5 - 1.0);
    let light = egui::Color32::from_rgb(red, green, blue);
    let around = |across: f32, down: f32| middle + vec2(across, down) * half;
    let square = Rect::from_center_size(middle, vec2(half, half) * 1.7);
    let painter = ui.painter();
    match form % FORMS {
        0 => drop(painter.circle_filled(middle, half * 0.9, light)),
        1 => {
            let corners = vec![around(0.0, -1.0), around(1.0, 0.0), around(0.0, 1.0), around(-1.0, 0.0)];
            painter.add(egui::Shape::convex_polygon(corners, light, egui::Stroke::NONE));
        }
        2 => drop(painter.rect_stroke(square, 1.0, egui::Stroke::new(2.0, light), egui::StrokeKind::Inside)),
        strokes => {
            // The same way as on a board that is seen from its first seat.
            let slope = if strokes == 3 { 0.4 } else { -0.4 };
            for step in [-0.6, 0.0, 0.6] {
                let ends = [around(step - slope, 0.85), around(step + slope, -0.85)];
                painter.line_segment(ends, egui::Stroke::new(2.0, light));
            }
        }
    }
}

/// Where there is no room for "Computer, Novice", the last word says the most.
fn in_short(ui: &Ui, words: String) -> String {
    let font = TextStyle::Small.resolve(ui.style());
    let width = ui.fonts(|fonts| fonts.layout_no_wrap(words.clone(), font, DIM)).size().x;
    match words.rsplit_once(", ").filter(|_| width > ui.available_width()) {
        Some((_, last)) => last.into(),
        None => words,
    }
}

/// The name of the game, and the turn that is shown. Gives whether there was no room for the turn.
fn heading(ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) -> bool {
    let mut is_turn_below = false;
    // Buttons take their room first, and words what is left.
    look::line(
        ui,
        |_| {},
        |ui| {
            look::asked(look::small_button(ui, "Fold"), Command::Hide(Panel::Game), commands);
            // What ends it is in its own panel.
            if !app.analysis.is_on {
                look::asked(look::small_button(ui, "Analyse"), Command::ToggleAnalysis, commands);
            } else if analysis::is_alone(ui.ctx()) {
                // It has this one's place.
                look::asked(look::small_button(ui, "Analysis"), Command::Hide(Panel::Game), commands);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = super::home::game_name(app, &table.state.game);
                ui.add(Label::new(RichText::new(name).color(TEXT)).truncate());
                let font = TextStyle::Small.resolve(ui.style());
                let words = turns::turn_shown(table);
                let words = ui.fonts(|fonts| fonts.layout_no_wrap(words, font, DIM));
                // Where it has no room the list of turns has it.
                is_turn_below = words.size().x > ui.available_width();
                if !is_turn_below {
                    ui.label(words);
                }
            });
        },
    );
    look::rule(ui);
    is_turn_below
}

fn counters(ui: &mut Ui, table: &TableView) {
    let state = table.in_sight();
    if state.counters.is_empty() && table.facts_in_sight().is_empty() {
        return;
    }
    ui.add_space(GRID * 0.5);
    ui.scope(|ui| {
        look::dense(ui);
        if !table.facts_in_sight().is_empty() {
            return facts(ui, table);
        }
        state.counters.iter().for_each(|(name, value)| counter(ui, table, name, value));
    });
}

/// What counts beside the board: what is short in one line for both, the rest below its name.
fn facts(ui: &mut Ui, table: &TableView) {
    let state = table.in_sight();
    let seat_mark = |ui: &mut Ui, seat: Option<Seat>| {
        if let Some(seat) = seat {
            let size = look::step(ui) * 1.75;
            mark(ui, &state.game, state.sides[seat].as_deref(), seat, size);
        }
    };
    let all = table.facts_in_sight();
    for (index, name) in all.iter().map(|fact| fact.name.as_str()).enumerate() {
        // One line has what is said of both, wherever it is said.
        if all[..index].iter().any(|before| before.name == name) {
            continue;
        }
        let facts: Vec<&Fact> = all.iter().filter(|fact| fact.name == name).collect();
        if facts.iter().any(|fact| fact.text.len() > 12) {
            for fact in facts {
                ui.horizontal_top(|ui| {
                    seat_mark(ui, fact.seat);
                    let words = RichText::new(format!("{name}: {}", fact.text)).small().color(DIM);
                    ui.add(Label::new(words).wrap());
                });
            }
            continue;
        }
        look::line(
            ui,
            |ui| drop(note(ui, name)),
            |ui| {
                for fact in facts.iter().rev() {
                    ui.label(&fact.text);
                    seat_mark(ui, fact.seat);
                }
            },
        );
    }
}

fn counter(ui: &mut Ui, table: &TableView, name: &str, value: &Value) {
    let state = table.in_sight();
    look::line(
        ui,
        |ui| drop(note(ui, name_in_words(name))),
        |ui| match Count::read(value) {
            Count::Shared(words) => drop(ui.label(words)),
            Count::PerSeat(words) => {
                for (seat, words) in Seat::BOTH.into_iter().zip(words).rev() {
                    ui.label(words);
                    mark(ui, &state.game, state.sides[seat].as_deref(), seat, look::step(ui) * 1.75);
                }
            }
        },
    );
}

/// At least three lines, so that nothing jumps when the computer begins to think; fewer where little
/// is seen at once.
fn thoughts(ui: &mut Ui, app: &App, table: &TableView, is_low: bool) {
    let height = ui.text_style_height(&TextStyle::Small) + GRID * 0.5;
    let is_short = ui.ctx().screen_rect().height() < SHORT * look::text_size(ui.ctx());
    let lines = match (is_low, is_short) {
        (true, _) => 1.0,
        (false, true) => 2.0,
        (false, false) => 3.0,
    };
    let room = vec2(ui.available_width(), height * lines);
    ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(room);
        ui.spacing_mut().item_spacing.y = GRID * 0.5;
        look::dense(ui);
        if let Some(thought) = table.thinking.as_ref().filter(|_| table.in_motion().is_none()) {
            let side = table.name(thought.seat);
            let time = format!("{:.0} s", thought.seconds);
            let Some(info) = &thought.info else {
                at_work(ui, format!("{side} thinks, {time}"));
                return;
            };
            at_work(ui, format!("{}, {time}", score_in_words(&info.score, &side)));
            if is_low {
                return;
            }
            if !is_short {
                note(ui, format!("{} actions ahead, {} positions", info.depth, large_number(info.nodes)));
            }
            line_of_play(ui, &info.pv);
        } else if table.hint_wanted {
            at_work(ui, "Looking for a hint".into());
        } else if let Some(hint) = &table.hint {
            let side = table.shown().to_move.map(|seat| table.name(seat)).unwrap_or_default();
            let words = RichText::new(format!("Hint: {}", turn_in_signs(&hint.actions))).color(ACCENT);
            ui.add(Label::new(words).wrap());
            note(ui, format!("{}, {} actions ahead", score_in_words(&hint.score, &side), hint.depth));
            line_of_play(ui, &hint.pv);
        } else {
            let words = match () {
                () if app.is_paused() => "Paused.",
                () if table.in_motion().is_some() || table.is_paced() => "The last turn is being shown.",
                () if table.is_ours_to_move() => "It is your turn.",
                () => "The computer is not thinking.",
            };
            note(ui, words);
        }
    });
}

fn at_work(ui: &mut Ui, words: String) {
    ui.horizontal(|ui| {
        ui.add(egui::Spinner::new().size(look::step(ui) * 1.75).color(ACCENT));
        note(ui, words);
    });
}

/// What the computer expects to be played.
fn line_of_play(ui: &mut Ui, actions: &[String]) {
    let line = turn_in_signs(actions);
    ui.add(Label::new(RichText::new(&line).small().color(TEXT)).truncate()).explain(line);
}

/// What can be asked for at the table.
fn requests(ui: &mut Ui, table: &TableView, commands: &mut Vec<Command>) {
    if !table.is_watched() {
        actions(ui, table, commands);
    }
    if !table.is_maker {
        ui.add_space(GRID * 0.5);
        ask_wide(ui, true, "Leave the table", Command::LeaveTable, commands);
    }
}

fn actions(ui: &mut Ui, table: &TableView, commands: &mut Vec<Command>) {
    ui.add_space(GRID * 0.5);
    let state = &table.state;

    let can_hint = (table.is_ours_to_move() || table.looked_at.is_some())
        && table.shown().to_move.is_some()
        && !table.hint_wanted;
    let can_resign = state.outcome.is_none() && table.resigning().is_some();
    ui.spacing_mut().item_spacing.x = GRID * 0.5;
    ui.spacing_mut().button_padding.x = 2.0;
    let buttons = [
        (state.ply > 0, "Undo", Command::Undo),
        (state.undone > 0, "Redo", Command::Redo),
        (can_hint, "Hint", Command::Hint),
        (can_resign, "Resign", Command::Show(Panel::ConfirmResign)),
    ];
    let font = TextStyle::Button.resolve(ui.style());
    let width = |text: &str| ui.fonts(|fonts| fonts.layout_no_wrap(text.into(), font.clone(), TEXT).size().x);
    let widest = buttons.iter().map(|(_, text, _)| width(text)).fold(0.0, f32::max);
    let spacing = ui.spacing().button_padding.x * 2.0 + ui.spacing().item_spacing.x;
    let in_a_row = if ui.available_width() < (widest + spacing) * 4.0 { 2 } else { 4 };
    for row in buttons.chunks(in_a_row) {
        ui.columns(in_a_row, |columns| {
            for (column, (is_possible, text, command)) in columns.iter_mut().zip(row) {
                ask_wide(column, *is_possible, text, command.clone(), commands);
            }
        });
    }
}
