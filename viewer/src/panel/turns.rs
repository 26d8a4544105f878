//! The list of turns: the game as a tree, of which only the rows in sight are drawn.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use egui_macroquad::egui::{
    self, Align2, Color32, CornerRadius, Frame, Galley, Id, Pos2, Rect, ScrollArea, Sense, Stroke, TextStyle,
    Ui, Vec2, WidgetInfo, WidgetType, pos2, vec2,
};
use tabuleiro_protocol::{Mark, Verdict};

use super::look::{self, ACCENT, DIM, Explain, FAINT, GRID, LINE, TEXT, WARM, note};
use super::review::paint_verdict;
use super::seat::{paint_mark, paint_turn_bar};
use super::words::turn_in_signs;
use crate::command::{Command, Panel, TreeCommand};
use crate::state::TableView;
use crate::text;
use crate::tree::Row;

/// Variations that lie deeper than this are not moved further to the right.
const DEEPEST: usize = 5;
/// How far each is moved.
const INDENT: f32 = GRID * 1.25;
/// The room before the words of a turn, in steps: its number and its side.
const BEFORE: f32 = 7.4;

/// How the list stands, and what is known of its rows.
#[derive(Debug, Default)]
pub(super) struct TurnList {
    /// How high rows are, by their last node or number, with a digest of what makes them so high.
    heights: HashMap<u64, (u64, f32)>,
    /// Where every row begins; the last is the end.
    tops: Vec<f32>,
    /// What the rows were measured for.
    measured: Option<Measure>,
    /// What was shown and how the list lay, to notice that it has to follow.
    shown: Option<Shown>,
    /// How far the list was scrolled in the last frame.
    offset: f32,
    /// How many rows were measured and drawn in the last frame.
    pub(super) work: Work,
}

/// What is shown, and how the list lies: in windows of another form its rows are elsewhere, and so is
/// what egui knows of how far it is scrolled.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shown {
    table: u64,
    row: Option<usize>,
    rows: usize,
    /// Where the row ends: it grows with every action of its turn.
    bottom: f32,
    size: Vec2,
    list: Id,
}

/// What a frame has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) measured: usize,
    pub(super) drawn: usize,
}

/// Rows have to be measured anew if one of these changes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measure {
    table: u64,
    version: u64,
    rows: usize,
    undone: usize,
    begun: usize,
    width: f32,
    line: f32,
}

impl TurnList {
    pub(super) fn show(&mut self, ui: &mut Ui, table: &TableView, height: f32, commands: &mut Vec<Command>) {
        let of_turns: Vec<Row>;
        let rows = match &table.tree {
            Some(tree) => tree.rows(),
            None => {
                of_turns =
                    table.turns.iter().enumerate().map(|(index, turn)| Row::of_turn(index, turn)).collect();
                &of_turns
            }
        };
        self.work = Work::default();
        let frame = Frame::new().fill(Color32::from_black_alpha(60)).corner_radius(7).inner_margin(4);
        frame.show(ui, |ui| {
            let mut list = ScrollArea::vertical()
                .id_salt("turns")
                .max_height(height - GRID)
                .min_scrolled_height(height - GRID)
                .auto_shrink(false);
            let id = ui.id();
            // A turn that has come is in sight in the frame in which it comes, unless the list has
            // another form by now, which is known only once it is shown.
            if let Some(before) = self.measured.filter(|_| !rows.is_empty()) {
                self.measure(ui, table, rows, before.width);
                let room = vec2(before.width, height - GRID);
                let sight = Rect::from_min_size(pos2(0.0, self.offset), room);
                if let Some(top) = self.follow(table, rows, sight, height, id) {
                    list = list.vertical_scroll_offset(top);
                }
            }
            let mut wanted = None;
            let mut output = list.show_viewport(ui, |ui, sight| {
                ui.spacing_mut().item_spacing.y = 0.0;
                if rows.is_empty() {
                    note(ui, "None yet.");
                    return;
                }
                self.measure(ui, table, rows, ui.available_width());
                let whole = self.tops.last().copied().unwrap_or_default();
                let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), whole), Sense::hover());
                wanted = self.follow(table, rows, sight, height, id);
                let first = self.tops.partition_point(|&top| top <= sight.top()).saturating_sub(1);
                for (index, row) in rows.iter().enumerate().skip(first) {
                    let (top, bottom) = (self.tops[index], self.tops[index + 1]);
                    if top > sight.bottom() {
                        break;
                    }
                    let rect = Rect::from_x_y_ranges(area.x_range(), area.top() + top..=area.top() + bottom);
                    self.work.drawn += 1;
                    show_row(ui, table, row, rect, commands);
                }
            });
            self.offset = output.state.offset.y;
            if let Some(top) = wanted {
                self.offset = top;
                output.state.offset.y = top;
                output.state.store(ui.ctx(), output.id);
                ui.ctx().request_repaint();
            }
        });
    }

    /// Finds out where every row begins. A row that was measured before is not measured again.
    fn measure(&mut self, ui: &Ui, table: &TableView, rows: &[Row], width: f32) {
        let mut digest = DefaultHasher::new();
        table.state.table.hash(&mut digest);
        let now = Measure {
            table: digest.finish(),
            version: table.tree.as_ref().map_or(0, |tree| tree.version()),
            rows: rows.len(),
            undone: table.state.ply,
            begun: table.begun().len(),
            width,
            line: ui.text_style_height(&TextStyle::Body),
        };
        if self.measured == Some(now) {
            return;
        }
        let is_other_room = self.measured.is_none_or(|before| {
            (before.table, before.width, before.line) != (now.table, now.width, now.line)
        });
        if is_other_room {
            self.heights.clear();
        }
        self.measured = Some(now);
        self.tops.clear();
        let mut top = 0.0;
        for row in rows {
            self.tops.push(top);
            let words = Words::of(table, row);
            let key = row.last().map_or(row.number as u64, u64::from);
            let mut digest = DefaultHasher::new();
            words.hash(&mut digest);
            let digest = digest.finish();
            let known = self.heights.get(&key).filter(|(of, _)| *of == digest).map(|(_, height)| *height);
            let height = known.unwrap_or_else(|| {
                self.work.measured += 1;
                Laid::out(ui, &words, now.width, TEXT).height(now.line)
            });
            self.heights.insert(key, (digest, height));
            top += height;
        }
        self.tops.push(top);
    }

    /// How far the list has to be scrolled for the row that is shown to be in sight, if it is another
    /// one than before.
    fn follow(&mut self, table: &TableView, rows: &[Row], sight: Rect, height: f32, list: Id) -> Option<f32> {
        let current = current_row(table, rows);
        let (table, width) = self.measured.map_or((0, 0.0), |measured| (measured.table, measured.width));
        let size = vec2(width, height);
        let bottom = current.map_or(0.0, |row| self.tops[row + 1]);
        let now = Some(Shown { table, row: current, rows: rows.len(), bottom, size, list });
        if self.shown == now {
            return None;
        }
        self.shown = now;
        let (top, bottom) = current.map(|row| (self.tops[row], self.tops[row + 1]))?;
        match () {
            () if top < sight.top() => Some(top),
            // A row that is higher than the list is read from its top.
            () if bottom > sight.bottom() => Some(top.min(bottom - sight.height())),
            () => None,
        }
    }
}

/// Which row is shown: the one that the position is the end of, or lies in.
fn current_row(table: &TableView, rows: &[Row]) -> Option<usize> {
    let shown = table.shown();
    match &table.tree {
        Some(tree) => tree.row_of(table.listed_node()),
        None => rows.iter().position(|row| row.ply >= shown.ply).filter(|_| shown.ply > 0),
    }
}

/// What is written in a row.
#[derive(Debug, Hash)]
struct Words {
    turn: String,
    comment: Option<String>,
    depth: usize,
}

impl Words {
    fn of(table: &TableView, row: &Row) -> Words {
        let (actions, comment, mark, is_undone) = match &table.tree {
            Some(tree) => {
                let said = row.nodes.iter().filter_map(|node| tree.get(*node)?.comment.as_deref());
                let mark = row.nodes.iter().rev().find_map(|node| tree.get(*node)?.mark);
                let is_in_line = row.last().is_some_and(|last| tree.is_in_line(last));
                let comment = said.collect::<Vec<&str>>().join("\n");
                let actions = tree.actions(row);
                let actions = match table.in_motion().filter(|_| row.last() == Some(table.state.node)) {
                    Some(_) => turn_in_signs(table.begun()),
                    None => text::turn(actions),
                };
                (actions, comment, mark, is_in_line && row.ply > table.state.ply)
            }
            None => {
                let turn = table.turns.get(row.number - 1);
                let actions = match table.in_motion().filter(|_| row.ply == table.state.ply) {
                    Some(_) => turn_in_signs(table.begun()),
                    None => turn.map(|turn| turn_in_signs(&turn.actions)).unwrap_or_default(),
                };
                (actions, String::new(), None, row.ply > table.state.ply)
            }
        };
        let mut turn = match row.seat {
            Some(_) if row.goes_on => format!("…  {actions}"),
            Some(_) => actions,
            None => "Start".into(),
        };
        if let Some(mark) = mark {
            turn = format!("{turn}  {}", mark.sign());
        }
        if is_undone {
            turn.push_str("  (undone)");
        }
        if row.hidden > 0 {
            turn = format!("{turn}  + {} more", row.hidden);
        }
        Words { turn, comment: (!comment.is_empty()).then_some(comment), depth: row.depth }
    }
}

/// The words of a row with every line in its place.
struct Laid {
    turn: Arc<Galley>,
    comment: Option<Arc<Galley>>,
    before: f32,
}

impl Laid {
    fn out(ui: &Ui, words: &Words, width: f32, colour: Color32) -> Laid {
        let before = look::step(ui) * BEFORE + words.depth.min(DEEPEST) as f32 * INDENT;
        // At the right there is room for a verdict.
        let room = (width - before - look::step(ui) * 2.5).max(GRID * 4.0);
        let (body, small) = (TextStyle::Body.resolve(ui.style()), TextStyle::Small.resolve(ui.style()));
        let turn = ui.fonts(|fonts| fonts.layout(words.turn.clone(), body, colour, room));
        let comment = words.comment.as_ref();
        let comment = comment.map(|text| ui.fonts(|fonts| fonts.layout(text.clone(), small, DIM, room)));
        Laid { turn, comment, before }
    }

    fn height(&self, line: f32) -> f32 {
        let comment = self.comment.as_ref().map_or(0.0, |comment| comment.size().y + GRID * 0.5);
        (self.turn.size().y.max(line) + comment + GRID * 0.75).ceil()
    }
}

fn show_row(ui: &mut Ui, table: &TableView, row: &Row, rect: Rect, commands: &mut Vec<Command>) {
    let shown = table.shown();
    let tree = table.tree.as_ref();
    let is_current = match tree {
        Some(_) => row.nodes.contains(&table.listed_node()),
        None => row.ply >= shown.ply && shown.ply > 0 && row.ply < shown.ply + turn_length(table, row),
    };
    let is_in_line = tree.is_none_or(|tree| row.last().is_some_and(|last| tree.is_in_line(last)));
    let is_played = is_in_line && row.ply <= table.state.ply;
    let colour = match (is_current, is_played) {
        (true, _) => ACCENT,
        (false, true) => TEXT,
        (false, false) => FAINT,
    };
    let words = Words::of(table, row);
    let id = Id::new(("turn", row.last().unwrap_or(row.number as u32), tree.is_some()));
    let response = ui.interact(rect, ui.id().with(id), Sense::click());
    let verdict = tree.and(table.review.as_ref()).and_then(|review| review.verdict(row.last()?));
    response.widget_info(|| {
        let judged = verdict.map(|verdict| format!(", {}", verdict.words())).unwrap_or_default();
        let text = format!("turn {}: {}{judged}", row.number, words.turn);
        WidgetInfo::labeled(WidgetType::Button, true, text)
    });
    if is_current || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, CornerRadius::same(5), WARM);
    }
    if is_current {
        paint_turn_bar(ui, rect);
    }
    let laid = Laid::out(ui, &words, rect.width(), colour);
    let line = ui.text_style_height(&TextStyle::Body);
    let top = rect.top() + GRID * 0.375;
    let indent = row.depth.min(DEEPEST) as f32 * INDENT;
    // A stroke for every variation that it lies in.
    for depth in 1..=row.depth.min(DEEPEST) {
        let x = rect.left() + depth as f32 * INDENT - GRID * 0.5;
        ui.painter().vline(x, rect.y_range(), Stroke::new(1.0, LINE));
    }
    let step = look::step(ui);
    let number = pos2(rect.left() + indent + step * 4.0, top + line * 0.5);
    let small = TextStyle::Small.resolve(ui.style());
    if let Some(seat) = row.seat {
        let faint = if is_played { DIM } else { FAINT };
        ui.painter().text(number, Align2::RIGHT_CENTER, row.number, small, faint);
        let sign = Rect::from_center_size(number + vec2(step * 1.75, 0.0), Vec2::splat(step * 1.6));
        paint_mark(ui.painter(), sign, &table.state.game, table.state.sides[seat].as_deref(), seat);
    }
    if let Some(verdict) = verdict {
        let at = pos2(rect.right() - step * 1.25, number.y);
        paint_verdict(ui.painter(), at, step * 0.6, verdict);
    }
    let at = pos2(rect.left() + laid.before, top);
    let below = at + vec2(0.0, laid.turn.size().y.max(line) + GRID * 0.25);
    ui.painter().galley(at, laid.turn, colour);
    if let Some(comment) = laid.comment {
        ui.painter().galley(below, comment, DIM);
    }
    if let Some(first) = row.nodes.first().copied().filter(|_| row.opens) {
        fold_sign(ui, pos2(rect.left() + indent + GRID * 0.75, number.y), first, row.hidden > 0, commands);
    }
    let response = match verdict.filter(is_said) {
        Some(verdict) => response.explain(verdict.words()),
        None => response,
    };
    if response.clicked() {
        commands.push(match row.last() {
            Some(node) => Command::Tree(TreeCommand::LookAt(node)),
            None => Command::LookAt(row.ply),
        });
    }
}

/// Without a tree: how many actions a turn has.
fn turn_length(table: &TableView, row: &Row) -> usize {
    table.turns.get(row.number - 1).map_or(1, |turn| turn.actions.len())
}

/// A triangle that points down at what is open and to the right at what is folded away.
fn fold_sign(ui: &mut Ui, at: Pos2, first: u32, is_folded: bool, commands: &mut Vec<Command>) {
    let rect = Rect::from_center_size(at, vec2(GRID * 2.0, GRID * 2.0));
    let response = ui.interact(rect, ui.id().with(("fold", first)), Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, true, !is_folded, "variation"));
    let colour = if response.hovered() || response.has_focus() { ACCENT } else { DIM };
    let size = GRID * 0.5;
    let corners = match is_folded {
        true => [vec2(-size, -size), vec2(size, 0.0), vec2(-size, size)],
        false => [vec2(-size, -size * 0.8), vec2(size, -size * 0.8), vec2(0.0, size)],
    };
    let corners = corners.map(|corner| at + corner * 0.8).to_vec();
    ui.painter().add(egui::Shape::convex_polygon(corners, colour, Stroke::NONE));
    let words = if is_folded { "Show the variation" } else { "Fold the variation away" };
    look::asked(response.explain(words), Command::Tree(TreeCommand::Fold(Some(first))), commands);
}

/// Which turn is shown, or how many there were. Who looks back sees the end of a turn, and who plays
/// is about to play the next one.
pub(super) fn turn_shown(table: &TableView) -> String {
    if let Some(looked_at) = &table.looked_at {
        return match table.turn_at(looked_at) {
            0 => "start".into(),
            turn if !table.is_shown_in_line() => format!("turn {turn}"),
            turn => format!("turn {turn} of {}", table.turns.len()),
        };
    }
    let turn = table.in_sight().turn;
    match table.in_sight().to_move {
        Some(_) => format!("turn {}", turn + 1),
        None => format!("{turn} turns"),
    }
}

/// The name of the list, or the turn if that has no other place, and what can be done with the turn
/// that is shown.
pub(super) fn heading(ui: &mut Ui, table: &TableView, says_turn: bool, commands: &mut Vec<Command>) {
    let name = if says_turn { text::capitalised(&turn_shown(table)) } else { "Turns".into() };
    let Some(tree) = table.tree.as_ref().filter(|tree| !table.is_watched() && tree.len() > 1) else {
        return look::section(ui, &name);
    };
    ui.add_space(GRID * 0.5);
    look::line(
        ui,
        |ui| drop(ui.label(egui::RichText::new(name).small().color(ACCENT))),
        |ui| {
            ui.spacing_mut().item_spacing.x = GRID * 0.5;
            // Without room beside the name, one more entry is in the menu.
            let width = |words: &str| {
                let font = TextStyle::Small.resolve(ui.style());
                let text = ui.fonts(|fonts| fonts.layout_no_wrap(words.into(), font, DIM)).size().x;
                text + ui.spacing().button_padding.x * 1.2 + GRID * 0.5
            };
            let node = tree.get(table.shown().node);
            let mark = node.and_then(|node| node.mark);
            let sign = mark.map_or("Mark".into(), |mark| format!("Mark {}", mark.sign()));
            let is_short = ["More", &sign, COMMENT].map(width).iter().sum::<f32>() > ui.available_width();
            ui.scope(|ui| {
                ui.spacing_mut().button_padding *= 0.6;
                let words = |text: &str| egui::RichText::new(text.to_string()).small().color(DIM);
                ui.menu_button(words("More"), |ui| more(ui, table, is_short, commands));
                ui.menu_button(words(&sign), |ui| marks(ui, mark, commands));
            });
            if !is_short {
                look::asked(look::small_button(ui, COMMENT), Command::Show(Panel::Comment), commands);
            }
        },
    );
}

/// What says something about the turn that is shown.
const COMMENT: &str = "Comment";

fn marks(ui: &mut Ui, current: Option<Mark>, commands: &mut Vec<Command>) {
    let words = |mark: Mark| match mark {
        Mark::Good => "good",
        Mark::Bad => "bad",
        Mark::Brilliant => "brilliant",
        Mark::Blunder => "a blunder",
        Mark::Interesting => "interesting",
        Mark::Dubious => "dubious",
    };
    ui.set_min_width(GRID * 18.0);
    for mark in Mark::ALL.into_iter().map(Some).chain([None]) {
        let text = mark.map_or("no mark".into(), |mark| format!("{}   {}", mark.sign(), words(mark)));
        if ui.selectable_label(mark == current, text).clicked() {
            commands.push(Command::Tree(TreeCommand::Mark(mark)));
            ui.close_menu();
        }
    }
}

fn more(ui: &mut Ui, table: &TableView, has_comment: bool, commands: &mut Vec<Command>) {
    let comment = has_comment.then_some((COMMENT, Command::Show(Panel::Comment)));
    let entries = [
        ("Play on from here", Command::PlayOnFromHere),
        ("Other variation", Command::Tree(TreeCommand::Variation { backwards: false })),
        ("Fold the variation", Command::Tree(TreeCommand::Fold(None))),
        ("Move the variation up", Command::Tree(TreeCommand::Promote)),
        ("Delete from here on", Command::Tree(TreeCommand::Delete)),
        ("Put back what was deleted", Command::Tree(TreeCommand::Restore)),
    ];
    let has_deleted = table.tree.as_ref().is_some_and(|tree| tree.deleted() > 0);
    let named = comment
        .into_iter()
        .chain(entries)
        .filter(|(_, command)| has_deleted || *command != Command::Tree(TreeCommand::Restore))
        .map(|(name, command)| (name.to_string(), command));
    ui.set_min_width(GRID * 30.0);
    super::corner::entries(ui, &named.collect::<Vec<_>>(), commands);
}

/// Verdicts that say something are told; that a turn was good goes without saying.
fn is_said(verdict: &Verdict) -> bool {
    *verdict >= Verdict::Inaccuracy || *verdict == Verdict::Forced
}
