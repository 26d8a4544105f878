//! What the stage has to show now.

use tabuleiro_protocol::{Detail, Overlay, Trace};

use super::Director;
use crate::app::Screen;
use crate::board::{Cell, EMPTY, Target, Tokens};
use crate::editor::{Editor, Hand, Verdict};
use crate::ghosts::{GhostLine, LineTurn};
use crate::scene::{FULL_STRENGTH, Figure, Mark, MarkKind};

/// How much of a ghost can be seen.
const GHOST: f32 = 0.5;
/// How much can be seen of what would be gone.
const FADED: f32 = 0.3;

/// So many aids of one kind are lit at once.
const MOST_OF_A_KIND: usize = 4;

impl Director {
    /// Everything on the board, with a ghost of what the action under the pointer would do, or of the
    /// line that is shown.
    pub fn figures(&self) -> Vec<Figure> {
        if let Some(editor) = self.edited() {
            return self.edited_figures(editor);
        }
        let figures = self.app.motion.figures();
        let begun = self.app.preview_begun();
        let (tokens, places) = match (self.ghost_tokens(), &begun) {
            (Some(tokens), _) => (tokens, None),
            (None, Some((preview, places))) => (&preview.tokens, Some(places)),
            (None, None) => return figures,
        };
        let (set, now) = (self.app.motion.set(), self.app.motion.final_tokens());
        let mut shown = Vec::with_capacity(figures.len() + 4);
        for cell in now.cells() {
            // Of what is only begun no more is told than where it was pointed at.
            let is_told = places.is_none_or(|places| places.contains(&cell));
            let then = if is_told { tokens } else { now };
            let (before, after) = (set.on_cell(now.get(cell), cell), set.on_cell(then.get(cell), cell));
            let is_same = |(before, after): &(&Figure, &Figure)| before.shape.kind == after.shape.kind;
            let same = before.iter().zip(&after).take_while(is_same).count();
            shown.extend_from_slice(&before[..same]);
            // Where something else would be, the ghost stands in its place.
            if after.len() == same {
                shown.extend(before[same..].iter().map(|figure| Figure { presence: FADED, ..*figure }));
            }
            shown.extend(after[same..].iter().map(|figure| Figure { presence: GHOST, ..*figure }));
        }
        shown
    }

    /// The board of which ghosts are to be seen.
    fn ghost_tokens(&self) -> Option<&Tokens> {
        let ghosts = || Some(&self.ghost_turns().last()?.tokens);
        self.app.preview().map(|preview| &preview.tokens).or_else(ghosts)
    }

    /// The turns that are shown as ghosts.
    fn ghost_turns(&self) -> &[LineTurn] {
        let ghosts = self.app.ghosts.as_ref().filter(|_| self.app.motion.is_still());
        ghosts.map_or(&[], GhostLine::shown)
    }

    /// Marks a line of play: with a number what is how manieth, and larger what is stronger.
    fn mark_turn(turn: &LineTurn, number: u8, strength: u8, mark: &mut impl FnMut(Target, MarkKind)) {
        // What comes in from outside says more than what it pushes.
        let comes_in = |trace: &Trace| matches!(trace, Trace::Way(Target::Edge(..), _));
        let numbered = turn.traces.iter().position(comes_in).unwrap_or(0);
        for (index, trace) in turn.traces.iter().enumerate() {
            match *trace {
                Trace::Way(from, to) => {
                    let number = (index == numbered).then_some(number);
                    mark(from, MarkKind::Line { to: Some(to), number, strength });
                }
                // Rings say nothing of what belongs together.
                Trace::Place(cell) => {
                    mark(Target::Cell(cell), MarkKind::Line { to: None, number: Some(number), strength });
                }
            }
        }
    }

    /// What has been found in the position: all best turns, or the one line that is shown.
    fn mark_lines(&self, mark: &mut impl FnMut(Target, MarkKind)) {
        let turns = self.ghost_turns();
        for (index, turn) in turns.iter().enumerate() {
            Director::mark_turn(turn, (index + 1).min(26) as u8, FULL_STRENGTH, mark);
        }
        let Some(found) = self.app.analysis.found.as_ref().filter(|_| turns.is_empty()) else { return };
        // The best one last, so that it lies above the others.
        for (index, line) in found.lines.iter().enumerate().rev() {
            if let Some(turn) = line.line.as_ref().and_then(|line| line.turns.first()) {
                let strength = (found.strength(index) * f64::from(FULL_STRENGTH)) as u8;
                Director::mark_turn(turn, (index + 1).min(26) as u8, strength, mark);
            }
        }
    }

    fn edited(&self) -> Option<&Editor> {
        self.app.editor.as_deref().filter(|_| self.app.screen == Screen::Editor)
    }

    /// What is set up, with a ghost of what a click would put there.
    fn edited_figures(&self, editor: &Editor) -> Vec<Figure> {
        let mut figures = editor.motion.figures();
        if let (Some(Target::Cell(cell)), Hand::Piece(token)) = (self.app.pointed, &editor.hand)
            && editor.tokens().get(cell) == EMPTY
            && editor.tokens().has(cell)
        {
            let ghosts = editor.motion.set().on_cell(token, cell);
            figures.extend(ghosts.into_iter().map(|figure| Figure { presence: GHOST, ..figure }));
        }
        figures
    }

    /// The cursor, and the cell that the engine finds wrong.
    fn edited_marks(&self, editor: &Editor) -> Vec<Mark> {
        let wrong = match &editor.verdict {
            Verdict::Wrong(problem) => problem.cell.as_ref().and_then(|cell| cell.parse().ok()),
            _ => None,
        };
        let wrong = wrong.map(|cell| Mark { target: Target::Cell(cell), kind: MarkKind::Chosen });
        let pointed = self.app.pointed.map(|target| Mark { target, kind: MarkKind::Pointed });
        wrong.into_iter().chain(pointed).collect()
    }

    pub fn marks(&self) -> Vec<Mark> {
        if let Some(editor) = self.edited() {
            return self.edited_marks(editor);
        }
        let Some(table) = &self.app.table else { return Vec::new() };
        let mut marks = Vec::new();
        let mut mark = |target: Target, kind: MarkKind| marks.push(Mark { target, kind });
        let still = self.app.motion.is_still();
        // Where turns are shown to be compared, aids would only be in their way.
        let is_compared = table.review.as_ref().is_some_and(|review| review.at.is_some());
        let are_turns_shown = is_compared || self.app.analysis.found.is_some();
        if self.app.settings.overlays && still && !are_turns_shown {
            // What the action under the pointer would change is seen before it is done.
            let overlays = self.app.preview().map_or(table.known_overlays(), |preview| &preview.overlays);
            // Where there are many of a kind, all of them would be too much light: one sees those
            // that the pointer is on.
            let of_kind = |name: &str| overlays.iter().filter(|overlay| overlay.name == name).count();
            let pointed = self.app.pointed.map(|target| target.cell().to_string());
            let is_shown = |overlay: &&Overlay| {
                of_kind(&overlay.name) <= MOST_OF_A_KIND
                    || pointed.as_ref().is_some_and(|cell| overlay.cells.contains(cell))
            };
            let goes_on = table.shown().to_move.is_some();
            let forms = table.forms.with(overlays);
            for (number, overlay) in overlays.iter().filter(is_shown).filter(|_| goes_on).enumerate() {
                let form = match of_kind(&overlay.name) <= MOST_OF_A_KIND {
                    true => forms.of(overlay),
                    false => number.min(255) as u8,
                };
                let form = self.app.motion.set().aid_form(form);
                // What an aid of another name says about a cell later on says it all.
                let is_said_later = |cell: &&String| {
                    let others = overlays.iter().skip_while(|other| *other != overlay);
                    others
                        .filter(is_shown)
                        .any(|other| other.name != overlay.name && other.cells.contains(cell))
                };
                let cells = overlay.cells.iter().filter(|cell| !is_said_later(cell));
                for cell in cells.filter_map(|cell| cell.parse().ok()) {
                    mark(Target::Cell(cell), MarkKind::Overlay(form));
                }
            }
        }
        if still {
            for cell in table.won() {
                mark(Target::Cell(cell), MarkKind::Won);
            }
            if let Some(comparison) = table.review.as_ref().and_then(|review| review.comparison.as_ref())
                && !table.is_line_shown()
            {
                compared(&comparison.played, |to, number| MarkKind::Played { to, number }, &mut mark);
                compared(&comparison.better, |to, number| MarkKind::Better { to, number }, &mut mark);
            }
            // What led here is not told from what might follow.
            let is_hidden = is_compared && !table.is_line_shown() || self.app.ghosts.is_some();
            let traces = if is_hidden { Vec::new() } else { table.traces() };
            for (number, trace) in numbered(&traces) {
                match trace {
                    Trace::Way(from, to) => mark(from, MarkKind::Trail { to, number }),
                    Trace::Place(cell) => mark(Target::Cell(cell), MarkKind::Last),
                }
            }
        }
        let is_tried = self.app.trial.as_ref().is_some_and(|trial| trial.is_done());
        if table.is_ours_to_move() && still && !is_tried {
            for target in self.app.pick.open() {
                mark(target, MarkKind::Open);
            }
            for &target in self.app.pick.chosen() {
                mark(target, MarkKind::Chosen);
            }
        }
        if still {
            self.mark_lines(&mut mark);
        }
        if let Some(exercise) = self.app.exercise.as_ref().filter(|_| table.state.ply == 0 && still) {
            for cell in exercise.task.marks().into_iter().filter_map(|cell| cell.parse().ok()) {
                mark(Target::Cell(cell), MarkKind::Hint);
            }
        }
        if let Some(hint) = table.hint.as_ref().filter(|_| still).and_then(|hint| hint.actions.first()) {
            let details = if table.looked_at.is_some() { &table.looked_details } else { &table.details };
            let of_action = details.iter().filter(|detail| detail.action == *hint).flat_map(targets);
            let mut places: Vec<Target> = of_action.collect();
            // It may begin with what has no place, such as who goes first: what follows has one.
            if places.is_empty() {
                places = first_places(&table.hint_traces);
            }
            for target in places {
                mark(target, MarkKind::Hint);
            }
            mark_hint(&table.hint_traces, &mut mark);
        }
        // After the end a click means nothing any more.
        if let Some(target) = self.app.pointed.filter(|_| table.shown().to_move.is_some()) {
            mark(target, MarkKind::Pointed);
        }
        // Two marks in one place would look like neither.
        let hinted: Vec<Target> =
            marks.iter().filter(|mark| mark.kind == MarkKind::Hint).map(|mark| mark.target).collect();
        marks.retain(|mark| mark.kind != MarkKind::Open || !hinted.contains(&mark.target));
        marks
    }
}

/// Marks what a turn of a review did on the board. Its actions have numbers if there are several. Its
/// sign is there in any case: where something was put, or where the last way ends.
fn compared(
    traces: &[(usize, Trace)],
    kind: impl Fn(Option<Target>, Option<u8>) -> MarkKind,
    mark: &mut impl FnMut(Target, MarkKind),
) {
    let mut end = None;
    for (number, trace) in numbered(traces) {
        match trace {
            Trace::Way(from, to) => mark(from, kind(Some(to), number)),
            Trace::Place(cell) => mark(Target::Cell(cell), kind(None, None)),
        }
        end = match trace {
            Trace::Way(_, to) => Some(to),
            Trace::Place(_) => None,
        };
    }
    if let Some(end) = end {
        mark(end, kind(None, None));
    }
}

/// Marks a whole turn that is suggested: with several actions on the board each has its number.
fn mark_hint(traces: &[(usize, Trace)], mark: &mut impl FnMut(Target, MarkKind)) {
    let mut actions: Vec<usize> = traces.iter().map(|(action, _)| *action).collect();
    actions.dedup();
    if actions.len() < 2 {
        return;
    }
    let strength = FULL_STRENGTH;
    for (number, action) in (1..).zip(actions) {
        let of_action = traces.iter().filter(|(of, _)| *of == action).map(|(_, trace)| *trace);
        for (index, trace) in of_action.enumerate() {
            let number = (index == 0).then_some(number);
            match trace {
                Trace::Way(from, to) => mark(from, MarkKind::Line { to: Some(to), number, strength }),
                Trace::Place(cell) => {
                    mark(Target::Cell(cell), MarkKind::Line { to: None, number, strength });
                }
            }
        }
    }
}

/// Where an action does something first.
fn first_places(traces: &[(usize, Trace)]) -> Vec<Target> {
    let first = traces.first().map(|(action, _)| *action);
    let of_first = traces.iter().filter(|(action, _)| Some(*action) == first);
    let places = of_first.flat_map(|(_, trace)| match *trace {
        Trace::Way(from, to) => vec![from, to],
        Trace::Place(cell) => vec![Target::Cell(cell)],
    });
    places.collect()
}

/// Traces with the number of their action among those that went somewhere, if there are several: each
/// number once, for a stack that goes three ways would be covered by its own.
fn numbered(traces: &[(usize, Trace)]) -> Vec<(Option<u8>, Trace)> {
    let is_way = |trace: &Trace| matches!(trace, Trace::Way(..));
    let mut ways = traces.iter().filter(|(_, trace)| is_way(trace)).map(|(action, _)| *action);
    let first = ways.next();
    let is_long = ways.any(|action| Some(action) != first);
    let (mut last, mut count) = (None, 0_u8);
    let number = |&(action, trace): &(usize, Trace)| {
        let is_first = is_way(&trace) && last != Some(action);
        last = if is_first { Some(action) } else { last };
        count = if is_first { (count + 1).min(26) } else { count };
        ((is_long && is_first).then_some(count), trace)
    };
    traces.iter().map(number).collect()
}

/// What a person would point at for an action.
fn targets(detail: &Detail) -> Vec<Target> {
    let edge = detail.edge.as_ref().and_then(|edge| edge.parse().ok());
    let cells = detail.cells.iter().filter_map(|cell| cell.parse::<Cell>().ok());
    cells
        .enumerate()
        .map(|(index, cell)| match edge {
            Some(edge) if index == 0 => Target::Edge(edge, cell),
            _ => Target::Cell(cell),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_its_number_once() {
        let cell = |name: &str| name.parse::<Cell>().expect("a cell");
        let way = |from: &str, to: &str| Trace::Way(Target::Cell(cell(from)), Target::Cell(cell(to)));
        let ways =
            [(0, way("a1", "a2")), (0, way("a1", "b1")), (1, Trace::Place(cell("c3"))), (1, way("c3", "d4"))];
        let numbers = |traces: &[(usize, Trace)]| -> Vec<Option<u8>> {
            numbered(traces).into_iter().map(|(number, _)| number).collect()
        };
        assert_eq!(numbers(&ways), [Some(1), None, None, Some(2)]);
        assert_eq!(numbers(&ways[..2]), [None, None], "one action needs none");
        let worker_and_stone = [(0, way("a1", "a2")), (1, Trace::Place(cell("c3")))];
        assert_eq!(numbers(&worker_and_stone), [None, None], "nor does the only way");
        let with_pause = [(0, way("a1", "a2")), (3, way("b1", "b2"))];
        assert_eq!(numbers(&with_pause), [Some(1), Some(2)], "what went nowhere is not counted");
    }
}
