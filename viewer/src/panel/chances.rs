//! Both sides' chances: a bar for now, and a line over the whole game.

use egui_macroquad::egui::{
    Color32, CornerRadius, Mesh, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};
use tabuleiro_protocol::Seat;

use super::look::{self, ACCENT, DIM, Explain, FAINT, GRID, LINE, note};
use super::seat::mark;
use super::words::per_cent;
use crate::command::Command;
use crate::state::{Chance, TableView, chance_of_first};

/// A search that has looked at fewer positions is rough.
const ENOUGH_NODES: u64 = 20_000;

/// Before so many turns nobody is ahead.
const EARLY: usize = 4;

const FIRST: Color32 = Color32::from_rgb(70, 66, 62);
const SECOND: Color32 = Color32::from_rgb(214, 206, 192);

/// Under the line of the graph.
const SHADE: Color32 = Color32::from_rgba_premultiplied(32, 24, 13, 36);

/// Seat 1's chance in the position that is shown: what is being found out about it, or what was, or
/// else the last that is known of what led to it.
fn chance_now(table: &TableView) -> Option<Chance> {
    // How it has ended is known.
    if let Some(outcome) = &table.in_sight().outcome {
        let first = outcome.winner.map_or(0.5, |winner| if winner == Seat::One { 1.0 } else { 0.0 });
        return Some(Chance { first, is_rough: false });
    }
    let thought = table.thinking.as_ref().filter(|_| table.looked_at.is_none() && table.moving.is_none());
    let thought = thought.and_then(|thought| {
        let info = thought.info.as_ref()?;
        let is_rough = info.score.proved.is_none() && info.nodes < ENOUGH_NODES;
        Some(Chance { first: chance_of_first(&info.score, thought.seat), is_rough })
    });
    let known = || {
        if !table.is_shown_in_line() {
            return chance_at_node(table);
        }
        let (ply, chances) = (table.in_sight().ply, table.chances_in_sight());
        let known = chances.iter().take(ply + 1).enumerate().rev();
        let (at, chance) = known.filter_map(|(at, chance)| Some((at, (*chance)?))).next()?;
        Some(Chance { is_rough: chance.is_rough || at < ply, ..chance })
    };
    thought.or_else(known)
}

/// What is noted about a node that is not in the line.
fn chance_at_node(table: &TableView) -> Option<Chance> {
    let state = table.shown();
    let evaluation = table.tree.as_ref()?.get(state.node)?.evaluation.as_ref()?;
    Some(Chance { first: chance_of_first(&evaluation.choice.score, state.to_move?), is_rough: false })
}

pub(super) fn show(ui: &mut Ui, table: &TableView, bar_only: bool, commands: &mut Vec<Command>) {
    let Some(chance) = chance_now(table) else {
        let words = match () {
            () if table.in_sight().turn < EARLY => "It is too early to say who is ahead.",
            () if !table.is_shown_in_line() => "Nobody has looked into this variation so far.",
            () => "Not worked out yet.",
        };
        note(ui, words);
        return;
    };
    bar(ui, table, chance);
    if !bar_only {
        graph(ui, table, commands);
    }
}

/// Which side has which colour: the first seat's part of the bar is dark unless its side is the
/// light one.
fn colours(table: &TableView) -> [Color32; 2] {
    match table.state.sides[Seat::One].as_deref() {
        Some("light" | "white") => [SECOND, FIRST],
        _ => [FIRST, SECOND],
    }
}

fn bar(ui: &mut Ui, table: &TableView, chance: Chance) {
    let first = chance.first;
    // What only a short search says is said with a tilde.
    let words = |part: f64| if chance.is_rough { format!("~{}", per_cent(part)) } else { per_cent(part) };
    let state = &table.state;
    let size = look::step(ui) * 2.0;
    look::line(
        ui,
        |ui| {
            mark(ui, &state.game, state.sides[Seat::One].as_deref(), Seat::One, size);
            ui.label(words(first));
        },
        |ui| {
            mark(ui, &state.game, state.sides[Seat::Two].as_deref(), Seat::Two, size);
            ui.label(words(1.0 - first));
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), GRID), Sense::hover());
            paint_bar(ui.painter(), rect, colours(table), first);
            let how = if chance.is_rough {
                "at a quick glance: a hint looks closer"
            } else {
                "as the computer sees it"
            };
            response.explain(format!("{}'s chance to win, {how}", table.name(Seat::One)));
        },
    );
}

fn paint_bar(painter: &Painter, rect: Rect, [one, two]: [Color32; 2], first: f64) {
    let radius = CornerRadius::same(4);
    let split = rect.left() + rect.width() * first as f32;
    painter.rect_filled(rect, radius, two);
    painter.with_clip_rect(rect.with_max_x(split)).rect_filled(rect, radius, one);
    painter.rect_stroke(rect, radius, Stroke::new(1.0, FAINT), StrokeKind::Outside);
    painter.vline(rect.center().x, rect.y_range().expand(3.0), Stroke::new(1.0, DIM));
    painter.vline(split, rect.y_range().expand(2.0), Stroke::new(2.0, ACCENT));
}

/// Seat 1's chance after every action, high is good for it. A click looks at the position.
fn graph(ui: &mut Ui, table: &TableView, commands: &mut Vec<Command>) {
    let chances = table.chances_in_sight();
    let plies = chances.len().max(2) - 1;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), GRID * 6.0), Sense::click());
    let x = |ply: usize| rect.left() + rect.width() * ply as f32 / plies as f32;
    let y = |chance: f64| rect.bottom() - rect.height() * chance.clamp(0.0, 1.0) as f32;
    let painter = ui.painter_at(rect.expand(2.0));
    painter.rect(rect, 4.0, Color32::from_black_alpha(70), Stroke::new(1.0, LINE), StrokeKind::Inside);
    painter.hline(rect.x_range(), y(0.5), Stroke::new(1.0, LINE));
    let known = chances.iter().enumerate();
    let points: Vec<Pos2> =
        known.filter_map(|(ply, chance)| chance.map(|chance| pos2(x(ply), y(chance.first)))).collect();
    painter.add(shade(&points, y(0.5)));
    painter.line(points, Stroke::new(1.5, ACCENT));
    painter.vline(x(table.in_sight().ply.min(plies)), rect.y_range(), Stroke::new(1.0, DIM));

    let ply_at = |at: Pos2| {
        ((at.x - rect.left()) / rect.width() * plies as f32).round().clamp(0.0, plies as f32) as usize
    };
    if response.clicked() {
        commands.extend(response.interact_pointer_pos().map(|at| Command::LookAt(ply_at(at))));
    }
    let under_pointer = response.pointed_at().map(ply_at);
    if let Some((ply, chance)) = under_pointer.and_then(|ply| Some((ply, (*chances.get(ply)?)?))) {
        let words = format!("{}: {} {}", table.moment(ply), table.name(Seat::One), per_cent(chance.first));
        response.explain(words);
    }
}

/// What lies between the line and the middle. One mesh: polygons beside each other have soft edges,
/// which would be seen as stripes.
fn shade(points: &[Pos2], middle: f32) -> Mesh {
    let mut mesh = Mesh::default();
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (above, below) = (from.y - middle, to.y - middle);
        // One slope, or two where it crosses.
        let crossing = pos2(from.x + (to.x - from.x) * above / (above - below), middle);
        let slopes = match above * below >= 0.0 {
            true => vec![(from, to)],
            false => vec![(from, crossing), (crossing, to)],
        };
        for (from, to) in slopes {
            let first = mesh.vertices.len() as u32;
            for corner in [from, to, pos2(to.x, middle), pos2(from.x, middle)] {
                mesh.colored_vertex(corner, SHADE);
            }
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first, first + 2, first + 3);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tabuleiro_protocol::{Score, Turn};

    use super::*;
    use crate::state::Thought;

    /// A shade in steps would show a game that was never played, and one with soft edges stripes.
    #[test]
    fn the_shade_follows_the_line_without_a_seam() {
        let corners = |points: &[Pos2]| -> Vec<Pos2> {
            shade(points, 50.0).vertices.iter().map(|vertex| vertex.pos).collect()
        };
        let (from, to) = (pos2(0.0, 10.0), pos2(20.0, 30.0));
        assert_eq!(corners(&[from, to]), [from, to, pos2(20.0, 50.0), pos2(0.0, 50.0)]);
        let across = corners(&[pos2(0.0, 40.0), pos2(20.0, 60.0)]);
        assert_eq!(across.len(), 8, "two slopes that meet in the middle");
        assert_eq!(across[1], pos2(10.0, 50.0));
        let long: Vec<Pos2> = (0..400).map(|ply| pos2(ply as f32 * 0.6, 20.0)).collect();
        assert_eq!(shade(&long, 50.0).indices.len(), 399 * 6, "one mesh for the whole game");
    }

    /// What was thought of the turn before the last says nothing about a game that is over.
    #[test]
    fn a_game_that_is_over_has_no_chances_but_a_result() {
        let state = json!({
            "table": "t1", "game": "zurero", "options": {}, "seed": 1,
            "seats": {"1": {"kind": "client"}, "2": {"kind": "client"}},
            "sides": {"1": "black", "2": "white"}, "ply": 1, "turn": 1, "to_move": null, "phase": "play",
            "prompt": "", "rows": [], "counters": {}, "last": null, "undone": 0, "held": false,
            "outcome": {"winner": 2, "reason": "five", "text": "White wins."}
        });
        let mut table = TableView::new(serde_json::from_value(state).expect("a state"));
        table.turns = vec![Turn { seat: Seat::One, actions: vec!["a".into()], ply: 1 }];
        table.note_chance(table.key(0).unwrap(), Chance { first: 0.01, is_rough: true });
        assert_eq!(chance_now(&table), Some(Chance { first: 0.0, is_rough: false }));
    }

    #[test]
    fn the_newest_knowledge_counts() {
        let state = json!({
            "table": "t1", "game": "zurero", "options": {}, "seed": 1,
            "seats": {"1": {"kind": "client"}, "2": {"kind": "client"}},
            "sides": {"1": "black", "2": "white"}, "ply": 3, "turn": 3, "to_move": 2, "phase": "play",
            "prompt": "", "rows": [], "counters": {}, "last": null, "outcome": null, "undone": 0, "held": false
        });
        let mut table = TableView::new(serde_json::from_value(state).expect("a state"));
        assert_eq!(chance_now(&table), None);
        let turn = |seat, action: &str, ply| Turn { seat, actions: vec![action.into()], ply };
        table.turns = vec![turn(Seat::One, "a", 1), turn(Seat::Two, "b", 2), turn(Seat::One, "c", 3)];
        let chance = |first| Chance { first, is_rough: false };
        table.note_chance(table.key(1).unwrap(), chance(0.7));
        assert_eq!(chance_now(&table), Some(Chance { first: 0.7, is_rough: true }), "of the turn before");
        table.note_chance(table.key(3).unwrap(), chance(0.4));
        assert_eq!(chance_now(&table), Some(chance(0.4)));
        table.turns[2].actions = vec!["d".into()];
        assert_eq!(chance_now(&table).unwrap().first, 0.7, "another position of the same length");
        let info = tabuleiro_protocol::Info {
            depth: 1,
            nodes: 50_000,
            time_ms: 1,
            score: Score { win: 0.75, proved: None },
            pv: Vec::new(),
            lines: Vec::new(),
        };
        table.thinking = Some(Thought { seat: Seat::Two, info: Some(info), seconds: 0.0 });
        assert_eq!(chance_now(&table), Some(chance(0.25)));
    }
}
