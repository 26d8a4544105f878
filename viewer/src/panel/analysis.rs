//! What the engine finds out about the position: the best turns, best first, each with its chance and
//! how the game may go on.

use egui_macroquad::egui::{
    self, Align2, Context, CornerRadius, Frame, Label, Margin, Rect, Response, RichText, ScrollArea, Sense,
    SidePanel, TextStyle, TopBottomPanel, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use tabuleiro_protocol::Proof;

use super::look::{self, ACCENT, DIM, Explain, GRID, INK, LINE, PROBLEM, TEXT, WARM, note};
use super::words::{large_number, per_cent, turn_in_signs};
use crate::analysis::{Analysis, Found, FoundLine};
use crate::app::App;
use crate::command::Command;
use crate::settings::ANALYSIS_LINES;
use crate::state::TableView;

pub(super) const WIDTH: f32 = 232.0;
/// Where what is free is less wide than this, compared with its height, there is no room beside the
/// board.
const NARROW: f32 = 0.95;
/// Above the board it takes this part of the height at most.
const ABOVE: f32 = 0.3;
/// A window that is less wide than this, with text of its usual size, has room for one panel only.
const ROOM_FOR_TWO: f32 = 900.0;
/// In a line that is wider than this, what may follow stands behind the turn, else below it.
const WIDE: f32 = 440.0;
/// How much of it the turn itself has then.
const FIRST: f32 = 0.3;
/// How large the plate of the weakest line is, in steps: its number has to have room on it.
const LEAST_PLATE: f32 = 0.85;
/// Further turns of a line are not written out.
const MOST_TURNS: usize = 8;

pub(super) fn show(ctx: &Context, app: &App, table: &TableView, commands: &mut Vec<Command>) {
    // Where there is room for one panel only, it is in the place of the game's.
    if !app.analysis.is_on || is_alone(ctx) {
        return;
    }
    let free = ctx.available_rect();
    let width = WIDTH * look::text_size(ctx);
    let is_beside = free.width() - width > NARROW * free.height();
    let shown = if is_beside {
        let margin = Margin { left: 6, right: 0, top: 12, bottom: 0 };
        let side = SidePanel::right("analysis").exact_width(width).resizable(false);
        side.show_separator_line(false)
            .frame(Frame::new().inner_margin(margin))
            .show(ctx, |ui| surface(ui, free.height() - GRID * 4.0, app, table, commands))
            .response
    } else {
        let margin = Margin { left: 12, right: 12, top: 12, bottom: 6 };
        let above = TopBottomPanel::top("analysis above").resizable(false).show_separator_line(false);
        let above = above.frame(Frame::new().inner_margin(margin));
        above.show(ctx, |ui| surface(ui, free.height() * ABOVE, app, table, commands)).response
    };
    note_leaving(app, &shown, commands);
}

/// Whether there is no room for what is found and for the panel of the game at once: the board
/// between the two would be a stamp.
pub(super) fn is_alone(ctx: &Context) -> bool {
    ctx.screen_rect().width() < ROOM_FOR_TWO * look::text_size(ctx)
}

/// Whoever leaves the panel points at no line any more.
pub(super) fn note_leaving(app: &App, shown: &Response, commands: &mut Vec<Command>) {
    if app.analysis.pointed.is_some() && !shown.contains_pointer() {
        commands.push(Command::PointAtLine(None));
    }
}

pub(super) fn surface(ui: &mut Ui, highest: f32, app: &App, table: &TableView, commands: &mut Vec<Command>) {
    let top = ui.cursor().top();
    look::surface().inner_margin(Margin::same(10)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = GRID * 0.5;
        heading(ui, app, table, commands);
        let left = (top + highest - ui.cursor().top() - GRID).max(GRID * 4.0);
        ScrollArea::vertical().max_height(left).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = GRID * 0.25;
            lines(ui, app, commands);
        });
    });
}

fn heading(ui: &mut Ui, app: &App, table: &TableView, commands: &mut Vec<Command>) {
    let Analysis { threat, found, is_searching, subject, .. } = &app.analysis;
    let is_wide = ui.available_width() > WIDE;
    let depth = |ui: &mut Ui| {
        if let Some(found) = found {
            let words = format!("{} positions", large_number(found.nodes));
            note(ui, format!("depth {}", found.depth)).explain(words);
        }
    };
    let lines = app.settings.analysis_lines;
    let count = |ui: &mut Ui, commands: &mut Vec<Command>| {
        let mut step = |ui: &mut Ui, sign: &str, more: bool, is_possible: bool| {
            let button = ui.add_enabled_ui(is_possible, |ui| look::small_button(ui, sign)).inner;
            look::asked(button, Command::ChangeLines { more }, commands);
        };
        step(ui, "+", true, lines < *ANALYSIS_LINES.end());
        note(ui, lines.to_string()).explain("How many of the best turns are looked for");
        step(ui, "−", false, lines > *ANALYSIS_LINES.start());
    };
    look::line(
        ui,
        |ui| {
            let title = if *threat { "Threat" } else { "Analysis" };
            ui.label(RichText::new(title).small().color(ACCENT));
            if *is_searching {
                ui.add(egui::Spinner::new().size(GRID * 1.5).color(ACCENT));
            }
            if is_wide {
                depth(ui);
            }
        },
        |ui| {
            look::asked(look::small_button(ui, "End"), Command::ToggleAnalysis, commands);
            let words = if *threat { "Best" } else { "Threat" };
            look::asked(look::small_button(ui, words), Command::ToggleThreat, commands);
            if is_wide {
                count(ui, commands);
            }
        },
    );
    if !is_wide {
        look::line(ui, depth, |ui| count(ui, commands));
    }
    if let Some(subject) = subject.as_ref().filter(|subject| subject.threat) {
        note(ui, format!("If it were the turn of {}:", table.name(subject.seat)));
    }
}

fn lines(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) {
    if let Some(problem) = &app.analysis.problem {
        ui.add(Label::new(RichText::new(problem).small().color(PROBLEM)).wrap());
        return;
    }
    let Some(found) = &app.analysis.found else {
        note(ui, "Looking…");
        return;
    };
    let mut pointed = None;
    for (index, line) in found.lines.iter().enumerate() {
        let is_shown = app.analysis.shown_line() == Some(index);
        let response = row(ui, found, index, line, is_shown);
        if response.pointed_at().is_some() {
            pointed = Some(index);
        }
        if response.clicked() {
            let chosen = (app.analysis.chosen != Some(index)).then_some(index);
            commands.push(Command::ChooseLine(chosen));
        }
    }
    if pointed != app.analysis.pointed && (pointed.is_some() || ui.ui_contains_pointer()) {
        commands.push(Command::PointAtLine(pointed));
    }
}

/// A line: its number on a plate that is as large as the line is strong, its chance, the turn, and
/// below it what may follow.
fn row(ui: &mut Ui, found: &Found, index: usize, line: &FoundLine, is_shown: bool) -> egui::Response {
    let turns: Vec<String> = line.variation.whole_turns().take(MOST_TURNS).map(turn_in_signs).collect();
    let first = turns.first().cloned().unwrap_or_else(|| turn_in_signs(&line.variation.actions));
    let rest = turns.get(1..).unwrap_or_default().join("  ·  ");
    let chance = chance_in_words(line);
    let (body, small) = (TextStyle::Body.resolve(ui.style()), TextStyle::Small.resolve(ui.style()));
    let step = look::step(ui);
    let before = step * 3.5;
    let wide = ui.available_width();
    let chance_galley = ui.fonts(|fonts| fonts.layout_no_wrap(chance.clone(), body.clone(), ACCENT));
    let is_wide = wide > WIDE;
    let room = (wide - before - chance_galley.size().x - GRID).max(GRID * 4.0);
    let first_room = if is_wide { room * FIRST } else { room };
    let rest_room = if is_wide { room * (1.0 - FIRST) - GRID } else { wide - before };
    let first_galley = ui.fonts(|fonts| fonts.layout(first.clone(), body, TEXT, first_room));
    let rest_galley = ui.fonts(|fonts| fonts.layout(rest.clone(), small.clone(), DIM, rest_room));
    let heights = [first_galley.size().y, rest_galley.size().y];
    let height = if is_wide { heights[0].max(heights[1]) } else { heights[0] + heights[1] } + GRID * 0.75;
    let (rect, response) = ui.allocate_exact_size(vec2(wide, height), Sense::click());
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Button, true, format!("line {}: {chance}, {first}", index + 1))
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let painter = ui.painter();
    if is_shown || response.hovered() || response.has_focus() {
        painter.rect_filled(rect, CornerRadius::same(5), WARM);
    }
    let top = rect.top() + GRID * 0.375;
    let strength = found.strength(index) as f32;
    let middle = pos2(rect.left() + step * 1.5, top + first_galley.size().y * 0.5);
    painter.circle_filled(middle, step * (LEAST_PLATE + (1.25 - LEAST_PLATE) * strength), ACCENT);
    painter.text(middle, Align2::CENTER_CENTER, index + 1, small, INK);
    let left = rect.left() + before;
    let after = match is_wide {
        true => pos2(left + first_room + GRID, top + GRID * 0.25),
        false => pos2(left, top + first_galley.size().y),
    };
    painter.galley(pos2(rect.right() - chance_galley.size().x - 2.0, top), chance_galley, ACCENT);
    painter.galley(pos2(left, top), first_galley, TEXT);
    painter.galley(after, rest_galley, DIM);
    painter.hline(
        Rect::from_min_max(rect.left_bottom(), rect.right_bottom()).x_range(),
        rect.bottom(),
        (1.0, LINE),
    );
    response
}

fn chance_in_words(line: &FoundLine) -> String {
    match line.variation.score.proved {
        Some(Proof::Win) => "wins".into(),
        Some(Proof::Loss) => "loses".into(),
        Some(Proof::Draw) => "draws".into(),
        None => per_cent(line.variation.score.win),
    }
}
