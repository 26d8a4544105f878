//! What every turn was worth: a graph with verdicts on it, how each side has played, one turn in
//! words, and the tries at a better one.

use egui_macroquad::egui::{
    self, Align, Align2, Color32, Label, Layout, Painter, Pos2, ProgressBar, Rect, RichText, Sense, Shape,
    Stroke, StrokeKind, TextStyle, Ui, Vec2, pos2, vec2,
};
use tabuleiro_protocol::{ReviewSummary, ReviewedTurn, Score, Seat, Verdict};

use super::look::{self, ACCENT, DIM, Explain, GRID, LINE, PROBLEM, TEXT, ask_wide, note, section};
use super::seat::{mark, paint_mark};
use super::turns;
use super::words::{per_cent, score_in_words, turn_in_signs};
use super::{LEAST_TURNS_HEIGHT, Panels};
use crate::app::App;
use crate::command::{Command, ReviewCommand};
use crate::keys::keys_for;
use crate::review::{GameReview, Trial, better, judgement};
use crate::stage::theme::Colour;
use crate::state::TableView;
use crate::text::capitalised;

const INACCURACY: Color32 = Color32::from_rgb(236, 214, 120);
const MISTAKE: Color32 = Color32::from_rgb(240, 160, 80);
const MISSED: Color32 = Color32::from_rgb(206, 160, 250);

const EFFORT: &str = "How long every turn is looked at: quick, usual or thorough";

/// The graph where there is room, and where there is little.
const GRAPH_HEIGHT: f32 = GRID * 9.0;
const LOW_GRAPH_HEIGHT: f32 = GRID * 6.0;
const LOW: f32 = 520.0;

/// The sign of a verdict: a form of its own for each, so that none is told by colour alone. What is
/// as it should be has none.
pub(super) fn paint_verdict(painter: &Painter, at: Pos2, size: f32, verdict: Verdict) {
    let polygon = |corners: &[(f32, f32)], colour: Color32| {
        let corners = corners.iter().map(|&(x, y)| at + vec2(x, y) * size).collect();
        painter.add(Shape::convex_polygon(corners, colour, Stroke::new(1.0, Color32::BLACK)));
    };
    match verdict {
        Verdict::Only | Verdict::Best | Verdict::Good => {}
        Verdict::Forced => drop(painter.circle_stroke(at, size * 0.75, Stroke::new(1.5, DIM))),
        Verdict::Inaccuracy => polygon(&[(-1.0, -0.8), (1.0, -0.8), (0.0, 1.0)], INACCURACY),
        Verdict::Mistake => polygon(&[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)], MISTAKE),
        Verdict::Blunder => polygon(&[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)], PROBLEM),
        Verdict::MissedWin => {
            for (colour, width) in [(Color32::BLACK, 4.5), (MISSED, 2.5)] {
                for slope in [-1.0, 1.0] {
                    let end = vec2(1.0, slope) * size;
                    painter.line_segment([at - end, at + end], Stroke::new(width, colour));
                }
            }
        }
    }
}

impl Panels {
    /// What is in the column beside the board while a game is reviewed.
    pub(super) fn review_column(
        &mut self,
        ui: &mut Ui,
        app: &App,
        table: &TableView,
        commands: &mut Vec<Command>,
    ) {
        let top = ui.cursor().top();
        let room = ui.available_height();
        let turns_height = (room - self.rest_of_review).max(LEAST_TURNS_HEIGHT);
        // Where not all of it has room, the turns come before what is said about them.
        // Once it was so it stays so, or the column would turn about with every turn that is looked at.
        let place = Some((app.visits, room.to_bits()));
        let is_crowded = room - self.rest_of_review < LEAST_TURNS_HEIGHT || self.crowded_review == place;
        self.crowded_review = place.filter(|_| is_crowded);
        match &app.trial {
            Some(trial) => ui.scope(|ui| tries(ui, trial, commands)),
            None => ui.scope(|ui| survey(ui, app, table, room < LOW, commands)),
        };
        if !is_crowded {
            ui.scope(|ui| self.findings(ui, app, table, room < LOW, commands));
        }
        // What is tried has a table of its own, where the rest of the game is taken back.
        let listed = app.trial.as_ref().map_or(table, |trial| &trial.home);
        ui.push_id("reviewed turns", |ui| {
            turns::heading(ui, listed, false, commands);
            self.turn_list.show(ui, listed, turns_height, commands);
        });
        if is_crowded {
            ui.scope(|ui| self.findings(ui, app, table, room < LOW, commands));
        }
        self.rest_of_review = ui.cursor().top() - top - turns_height;
    }

    /// What was found about one turn, or about all of them.
    fn findings(&self, ui: &mut Ui, app: &App, table: &TableView, is_low: bool, commands: &mut Vec<Command>) {
        let Some(review) = table.review.as_ref().filter(|_| app.trial.is_none()) else { return };
        match review.looked_at() {
            Some(turn) => one_turn(ui, app, table, turn, commands),
            None => summary(ui, table, review, is_low),
        }
    }
}

/// How far the review is, the graph, and the way from mistake to mistake.
fn survey(ui: &mut Ui, app: &App, table: &TableView, is_low: bool, commands: &mut Vec<Command>) {
    look::line(
        ui,
        |ui| drop(ui.label(RichText::new("Review").color(TEXT))),
        |ui| {
            let close = Command::Review(ReviewCommand::Close);
            look::asked(look::small_button(ui, "Close"), close, commands);
            let effort = app.settings.review_effort.words();
            let next = Command::Review(ReviewCommand::NextEffort);
            let button = look::small_button(ui, &capitalised(effort));
            look::asked(button.explain(EFFORT), next, commands);
        },
    );
    look::rule(ui);
    let Some(review) = &table.review else {
        note(ui, "The game was not looked through yet.");
        ask_wide(ui, true, "Look through the game", Command::Review(ReviewCommand::Start), commands);
        return;
    };
    ui.scope(|ui| progress(ui, table, review, commands));
    ui.scope(|ui| graph(ui, table, review, if is_low { LOW_GRAPH_HEIGHT } else { GRAPH_HEIGHT }, commands));
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = GRID * 0.5;
        ui.spacing_mut().button_padding.x = 2.0;
        let go = |backwards| Command::Review(ReviewCommand::Mistake { backwards });
        let has_mistakes = review.mistake(0, false).is_some();
        let name = capitalised(review.slip());
        ui.columns(2, |columns| {
            ask_wide(&mut columns[0], has_mistakes, &format!("< {name}"), go(true), commands);
            ask_wide(&mut columns[1], has_mistakes, &format!("{name} >"), go(false), commands);
        });
    });
}

/// How far it has come, and what can be done about it.
fn progress(ui: &mut Ui, table: &TableView, review: &GameReview, commands: &mut Vec<Command>) {
    let done = review.turns.len();
    let start = Command::Review(ReviewCommand::Start);
    if review.is_running {
        let total = review.total.unwrap_or(0);
        let part = if total == 0 { 0.0 } else { done as f32 / total as f32 };
        look::line(
            ui,
            |ui| {
                drop(note(
                    ui,
                    if total == 0 {
                        "Looking through the game".into()
                    } else {
                        format!("{done} of {total} turns")
                    },
                ))
            },
            |ui| {
                let cancel = Command::Review(ReviewCommand::Cancel);
                look::asked(look::small_button(ui, "Stop"), cancel, commands);
            },
        );
        let bar = ProgressBar::new(part).desired_height(GRID).fill(ACCENT);
        ui.add(bar);
    } else if !review.is_whole() {
        let total = review.total.unwrap_or(0);
        look::line(
            ui,
            |ui| drop(note(ui, format!("Stopped: {done} of {total} turns"))),
            |ui| drop(look::asked(look::small_button(ui, "Continue"), start, commands)),
        );
    } else if table.tree.as_ref().is_some_and(|tree| tree.end_after(table.shown().node) != review.end) {
        look::line(
            ui,
            |ui| drop(note(ui, "This review is of another line")),
            |ui| drop(look::asked(look::small_button(ui, "Review this"), start, commands)),
        );
    }
}

/// Seat 1's chance after every turn, high is good for it, with a sign where a turn was not good. A
/// click looks at the turn.
fn graph(ui: &mut Ui, table: &TableView, review: &GameReview, height: f32, commands: &mut Vec<Command>) {
    let total = review.total.unwrap_or(1).max(1);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let inner = rect.shrink2(vec2(GRID, GRID * 0.75));
    let x = |turns: usize| inner.left() + inner.width() * turns as f32 / total as f32;
    let y = |chance: f64| inner.bottom() - inner.height() * chance.clamp(0.0, 1.0) as f32;
    let painter = ui.painter_at(rect.expand(1.0));
    painter.rect(rect, 4.0, Color32::from_black_alpha(70), Stroke::new(1.0, LINE), StrokeKind::Inside);
    painter.hline(rect.x_range(), y(0.5), Stroke::new(1.0, LINE));
    if let Some(turn) = review.at {
        let band = Rect::from_x_y_ranges(x(turn - 1)..=x(turn), rect.y_range());
        painter.rect_filled(band, 0.0, ACCENT.gamma_multiply(0.22));
    } else if let Some(turns) = turns_played(table, review) {
        painter.vline(x(turns), rect.y_range(), Stroke::new(1.0, DIM));
    }
    let chances = review.chances();
    for pair in chances.windows(2).filter(|pair| pair[0].0 + 1 == pair[1].0) {
        let ends = [0, 1].map(|end| pos2(x(pair[end].0), y(pair[end].1)));
        painter.line_segment(ends, Stroke::new(1.5, ACCENT));
    }
    for turn in review.turns.values().filter(|turn| turn.verdict >= Verdict::Inaccuracy) {
        let chance = crate::state::chance_of_first(&turn.after, turn.seat);
        paint_verdict(&painter, pos2(x(turn.turn), y(chance)), GRID * 0.55, turn.verdict);
    }
    let turn_at = |at: Pos2| {
        let turns = (at.x - inner.left()) / inner.width() * total as f32;
        (turns.ceil().max(1.0) as usize).min(total)
    };
    if response.clicked() {
        let turn = response.interact_pointer_pos().map(turn_at);
        commands.extend(turn.map(|turn| Command::Review(ReviewCommand::Turn(turn))));
    }
    let under = response.pointed_at().map(turn_at).and_then(|turn| review.turns.get(&turn));
    if let Some(turn) = under {
        response.explain(format!("Turn {}, {}. {}", turn.turn, table.name(turn.seat), judgement(turn)));
    }
}

/// How many turns lead to the position that is shown, if it is one of those that were judged.
fn turns_played(table: &TableView, review: &GameReview) -> Option<usize> {
    let node = table.shown().node;
    let of = |turn: &ReviewedTurn| match node {
        node if node == turn.end => Some(turn.turn),
        node if node == turn.node => Some(turn.turn - 1),
        _ => None,
    };
    review.turns.values().find_map(of)
}

/// How each side has played. Where there is little room, good turns are not told from the best.
fn summary(ui: &mut Ui, table: &TableView, review: &GameReview, is_low: bool) {
    let Some(summary) = &review.summary else {
        let first = table.name(Seat::One);
        note(ui, format!("Each turn is judged as it is found out. The graph shows {first}'s chance."));
        return;
    };
    look::dense(ui);
    ui.spacing_mut().item_spacing.y = GRID * 0.4;
    let font = TextStyle::Body.resolve(ui.style());
    let widest = per_cent_finely(0.888);
    let width = ui.fonts(|fonts| fonts.layout_no_wrap(widest, font, TEXT).size().x) + GRID;
    let cell = |ui: &mut Ui, text: String| {
        let size = vec2(width, ui.text_style_height(&TextStyle::Body));
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let font = TextStyle::Body.resolve(ui.style());
        ui.painter().text(rect.right_center(), Align2::RIGHT_CENTER, text, font, TEXT);
    };
    let row = |ui: &mut Ui, sign: Option<Verdict>, name: &str, value: &dyn Fn(&ReviewSummary) -> String| {
        look::line(
            ui,
            |_| {},
            |ui| {
                for seat in [Seat::Two, Seat::One] {
                    cell(ui, value(&summary[seat]));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    if let Some(verdict) = sign {
                        let (rect, _) =
                            ui.allocate_exact_size(Vec2::splat(look::step(ui) * 1.6), Sense::hover());
                        paint_verdict(ui.painter(), rect.center(), look::step(ui) * 0.55, verdict);
                    }
                    ui.add(Label::new(RichText::new(name).small().color(DIM)).truncate());
                });
            },
        );
    };
    look::line(
        ui,
        |ui| drop(note(ui, "How they played")),
        |ui| {
            for seat in [Seat::Two, Seat::One] {
                let (step, side) = (look::step(ui), table.state.sides[seat].as_deref());
                let (rect, _) = ui.allocate_exact_size(vec2(width, step * 2.0), Sense::hover());
                let middle = rect.right_center() - vec2(step * 0.875, 0.0);
                let sign = Rect::from_center_size(middle, Vec2::splat(step * 1.75));
                paint_mark(ui.painter(), sign, &table.state.game, side, seat);
            }
        },
    );
    row(ui, None, "Lost per turn", &|side| per_cent_finely(side.mean_cost));
    let best = |side: &ReviewSummary| side.best + side.forced + side.only;
    if is_low {
        row(ui, None, "Best and good", &|side| (best(side) + side.good).to_string());
    } else {
        row(ui, None, "Best turns", &|side| best(side).to_string());
        row(ui, None, "Good turns", &|side| side.good.to_string());
    }
    row(ui, Some(Verdict::Inaccuracy), "Inaccuracies", &|side| side.inaccuracies.to_string());
    row(ui, Some(Verdict::Mistake), "Mistakes", &|side| side.mistakes.to_string());
    row(ui, Some(Verdict::Blunder), "Blunders", &|side| side.blunders.to_string());
    row(ui, Some(Verdict::MissedWin), "Missed wins", &|side| side.missed_wins.to_string());
}

fn per_cent_finely(cost: f64) -> String {
    format!("{:.1} %", cost * 100.0)
}

/// What was played, what would have been better, and how that goes on.
fn one_turn(ui: &mut Ui, app: &App, table: &TableView, turn: &ReviewedTurn, commands: &mut Vec<Command>) {
    look::dense(ui);
    ui.spacing_mut().item_spacing.y = GRID * 0.5;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(look::step(ui) * 1.8), Sense::hover());
        paint_verdict(ui.painter(), rect.center(), look::step(ui) * 0.65, turn.verdict);
        mark(
            ui,
            &table.state.game,
            table.state.sides[turn.seat].as_deref(),
            turn.seat,
            look::step(ui) * 1.75,
        );
        let words = format!("Turn {}: {}", turn.turn, turn.verdict.words());
        ui.label(RichText::new(words).color(TEXT));
    });
    let side = table.name(turn.seat);
    let told = |ui: &mut Ui, sign: &dyn Fn(&Painter, Rect), name: &str, actions: &[String], score: &Score| {
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(look::step(ui) * 1.8), Sense::hover());
            sign(ui.painter(), rect);
            let words = format!("{name}: {}  ({})", turn_in_signs(actions), score_in_words(score, &side));
            ui.add(Label::new(RichText::new(words).small().color(DIM)).wrap());
        });
    };
    let palette = app.settings.mark_palette();
    let colour = |Colour([red, green, blue]): Colour| Color32::from_rgb(red, green, blue);
    let (last, hint) = (colour(palette.last), colour(palette.hint));
    told(ui, &|painter, rect| played_sign(painter, rect, last), "Played", &turn.actions, &turn.after);
    let best = turn.best.first();
    match better(turn) {
        Some(best) => {
            told(ui, &|painter, rect| better_sign(painter, rect, hint), "Better", &best.actions, &best.score)
        }
        None => drop(note(ui, "Nothing better is known.")),
    }
    let line = table.review.as_ref().and_then(|review| review.line.as_ref());
    let step = line.map(|line| line.step);
    if let (Some(best), Some(step)) = (best, step) {
        line_of_play(ui, &best.pv, step);
    }
    ui.spacing_mut().interact_size.y = GRID * 4.0;
    ui.spacing_mut().item_spacing.x = GRID * 0.5;
    ui.spacing_mut().button_padding.x = 2.0;
    if step.is_some() {
        let go = |backwards| Command::Review(ReviewCommand::Step { backwards });
        ui.columns(3, |columns| {
            ask_wide(&mut columns[0], true, "< Step", go(true), commands);
            ask_wide(&mut columns[1], true, "Step >", go(false), commands);
            ask_wide(&mut columns[2], true, "Hide", Command::Review(ReviewCommand::Line), commands);
        });
        return;
    }
    let has_line = best.is_some_and(|best| !best.pv.is_empty());
    ui.columns(2, |columns| {
        let (name, has_better) = (name_of_line(turn), better(turn).is_some());
        ask_wide(&mut columns[0], has_line, name, Command::Review(ReviewCommand::Line), commands);
        ask_wide(&mut columns[1], has_better, "Try again", Command::Review(ReviewCommand::Try), commands);
    });
}

/// The sign on the board for what was played: a cross.
fn played_sign(painter: &Painter, rect: Rect, colour: Color32) {
    let rect = Rect::from_center_size(rect.center(), vec2(GRID * 1.3, GRID * 1.3));
    for (one, other) in [(rect.left_top(), rect.right_bottom()), (rect.left_bottom(), rect.right_top())] {
        painter.line_segment([one, other], Stroke::new(2.0, colour));
    }
}

/// The sign for what would have been better: two rings, one in the other.
fn better_sign(painter: &Painter, rect: Rect, colour: Color32) {
    for radius in [GRID * 0.75, GRID * 0.4] {
        painter.circle_stroke(rect.center(), radius, Stroke::new(1.8, colour));
    }
}

/// The actions of a line; those that were shown stand out.
fn line_of_play(ui: &mut Ui, actions: &[String], step: usize) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(GRID * 0.75, GRID * 0.25);
        for (index, action) in actions.iter().enumerate() {
            let text = RichText::new(action).small();
            let text = match index + 1 {
                number if number == step => text.color(ACCENT).underline(),
                number if number < step => text.color(TEXT),
                _ => text.color(DIM),
            };
            ui.label(text);
        }
    });
}

/// Another try at a turn: what is wanted, what was tried and what came of it.
fn tries(ui: &mut Ui, trial: &Trial, commands: &mut Vec<Command>) {
    look::line(
        ui,
        |ui| drop(ui.label(RichText::new("Another try").color(TEXT))),
        |ui| {
            let leave = Command::Review(ReviewCommand::Leave);
            look::asked(look::small_button(ui, "Back to the review"), leave, commands);
        },
    );
    look::rule(ui);
    let side = trial.home.name(trial.seat());
    let words = format!(
        "Find something better for {side} than {}. The game stays as it is.",
        turn_in_signs(&trial.turn.actions)
    );
    ui.add(Label::new(RichText::new(words).small().color(DIM)).wrap());
    if !trial.tried.is_empty() {
        section(ui, "Tried");
    }
    for tried in &trial.tried {
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(look::step(ui) * 1.8), Sense::hover());
            paint_verdict(ui.painter(), rect.center(), look::step(ui) * 0.6, tried.verdict);
            let words = format!("{}.  {}.", turn_in_signs(&tried.actions), judgement(tried));
            ui.add(Label::new(RichText::new(words).small().color(TEXT)).wrap());
        });
    }
    if trial.is_done() && trial.verdict().is_none() {
        ui.horizontal(|ui| {
            ui.add(egui::Spinner::new().size(look::step(ui) * 1.75).color(ACCENT));
            note(ui, "The engine looks at it");
        });
    }
    if trial.is_done() {
        let can_keep = trial.verdict().is_some() && !trial.is_as_played();
        ui.columns(2, |columns| {
            ask_wide(&mut columns[0], true, "Try another", Command::Review(ReviewCommand::Try), commands);
            ask_wide(&mut columns[1], can_keep, "Keep it", Command::Review(ReviewCommand::Keep), commands);
        });
    }
}

/// What the line under the board says about a try.
pub(super) fn trial_in_words(trial: &Trial) -> String {
    let side = trial.home.name(trial.seat());
    match (trial.is_done(), trial.verdict()) {
        (false, _) => format!("Find a better turn for {side} than {}.", turn_in_signs(&trial.turn.actions)),
        (true, None) => "The engine looks at it…".into(),
        (true, Some(_)) if trial.is_as_played() => "That is the turn of the game.".into(),
        (true, Some(tried)) if tried.verdict < Verdict::Inaccuracy => {
            format!("Well done! {}.", judgement(tried))
        }
        (true, Some(tried)) => format!("{}.", judgement(tried)),
    }
}

/// What the line under the board says about the turn that is looked at.
pub(super) fn turn_in_words(table: &TableView, turn: &ReviewedTurn) -> String {
    let side = table.name(turn.seat);
    let played = turn_in_signs(&turn.actions);
    let better = better(turn).map(|best| {
        let chance = per_cent(best.score.win);
        format!(" Better: {} ({chance}).", turn_in_signs(&best.actions))
    });
    format!("{side} played {played}. {}.{}", judgement(turn), better.unwrap_or_default())
}

/// What the line is called that the engine found instead of a turn.
pub(super) fn name_of_line(turn: &ReviewedTurn) -> &'static str {
    if better(turn).is_some() { "Better line" } else { "Best line" }
}

/// What the line under the board says while a line is played through.
pub(super) fn line_in_words(review: &GameReview) -> Option<String> {
    let line = review.line.as_ref()?;
    let keys = keys_for(&Command::Review(ReviewCommand::Line)).unwrap_or_default();
    let name = review.looked_at().map_or("Better line", name_of_line);
    let (step, length) = (line.step, line.actions.len());
    Some(format!("{name}, {step} of {length} actions. Arrows go along it, {keys} ends it."))
}
