//! Marks on cells: each kind has a form of its own, so that none is told by colour alone.

use macroquad::math::{Vec3, vec2, vec3};

use super::solid::{Batch, QuadLook};
use super::theme::{Colour, MarkPalette};
use crate::board::Target;
use crate::scene::{FULL_STRENGTH, Figure, Mark, MarkKind, place};
use crate::sets::GameSet;

/// Half the side of the square that a mark is drawn in; rings are a little smaller.
const HALF: f32 = 0.62;
/// The form of a letter or number, and that of a plate for one to stand on.
pub(super) const GLYPH: Vec3 = vec3(20.0, 0.0, 1.0);
pub(super) const PLATE: Vec3 = vec3(21.0, 0.0, 1.0);
/// The forms of an arrow and of a ring of points.
const ARROW: f32 = 10.0;
const POINTS: f32 = 11.0;
/// What was played in a review, and what would have been better.
const DASHED_ARROW: f32 = 12.0;
const CROSS: f32 = 13.0;
const BROAD_ARROW: f32 = 14.0;
const TWO_RINGS: f32 = 15.0;
/// The last form of an aid.
const BACK_STROKES: f32 = 16.0;
/// Half as wide as an arrow's square.
const ARROW_HALF: f32 = 0.2;
/// The same for the arrow of the best line of play.
const LINE_HALF: f32 = 0.34;
/// How large the mark of the weakest line is, compared with that of the best.
const WEAKEST: f32 = 0.45;
/// Added to the form of a mark of which only the glow is seen.
const GLOW: f32 = 40.0;
/// Figures that reach no farther to the side leave a mark on their cell visible.
pub(super) const SLENDER: f32 = 0.3;
/// Figures that are no higher hide little of what is around them.
const LOW: f32 = 0.45;
/// How far above a surface a mark lies.
const LIFT: f32 = 0.012;

/// Puts the marks on the board. Where a broad figure hides the cell, the mark lies on top of it and
/// only its glow on the board.
pub(super) fn put(
    batch: &mut Batch,
    set: &dyn GameSet,
    palette: MarkPalette,
    marks: &[Mark],
    figures: &[Figure],
) {
    for mark in marks {
        let [red, green, blue] = colour(palette, mark.kind).0;
        if let Some((to, _)) = way(mark.kind) {
            let look = (form(mark.kind), [red, green, blue, 255]);
            trail(batch, set, look, [mark.target, to], ARROW_HALF, figures);
            continue;
        }
        let size = size(mark.kind);
        if let MarkKind::Line { to: Some(to), .. } = mark.kind {
            let look = (ARROW, [red, green, blue, 255]);
            trail(batch, set, look, [mark.target, to], LINE_HALF * size, figures);
            continue;
        }
        let middle = place(mark.target);
        let mut ground = ground_before(set, mark.target);
        let mut top: Option<(f32, f32)> = None;
        for figure in standing(figures, mark.target) {
            let build = set.build(figure.shape.kind);
            let height = figure.at.y + build.body.height();
            if build.is_ground {
                ground = ground.max(height + 0.03);
            } else if top.is_none_or(|(highest, _)| height > highest) {
                top = Some((height, build.body.reach()));
            }
        }
        let mut lay = |middle: Vec3, height: f32, half: f32, form: f32| {
            let look = QuadLook {
                uv: [vec2(-1.0, -1.0), vec2(1.0, 1.0)],
                colour: [red, green, blue, 255],
                extra: vec3(form, half, 1.0),
            };
            batch.quad(middle.with_y(height + LIFT), Vec3::X * half, Vec3::Z * half, look);
        };
        let form = form(mark.kind);
        match top {
            Some((height, reach)) if reach > SLENDER => {
                // The corners of a cell are seen around whatever is round and low.
                let is_around = mark.kind == MarkKind::Last && height - ground < LOW;
                lay(middle, ground, HALF, if is_around { form } else { GLOW + form });
                // Brackets around a piece are enough, and a dot on it would look like an eye: a ring
                // of points leaves what is written there alone.
                let form = if mark.kind == MarkKind::Open { POINTS } else { form };
                if mark.kind != MarkKind::Last {
                    lay(middle, height, reach * 1.05 * set.layout().crown * size, form);
                }
            }
            // A dot would be hidden under what stands on it.
            Some(_) if mark.kind == MarkKind::Open => lay(middle, ground, HALF * 0.75, POINTS),
            _ => lay(middle, ground, HALF * size, form),
        }
    }
}

/// The figures that are whole and stand in a place.
fn standing(figures: &[Figure], target: Target) -> impl Iterator<Item = &Figure> {
    let middle = place(target);
    figures.iter().filter(move |figure| {
        let off = (figure.at - middle).abs();
        figure.presence >= 1.0 && off.x < 0.5 && off.z < 0.5
    })
}

/// Where a mark lies if nothing stands there: before the edges where letters do, on the frame if
/// there is one.
fn ground_before(set: &dyn GameSet, target: Target) -> f32 {
    match target {
        Target::Cell(_) => 0.0,
        Target::Edge(..) => set.layout().label_height,
    }
}

/// An arrow from one place to another, over whatever is ground there.
fn trail(
    batch: &mut Batch,
    set: &dyn GameSet,
    (form, colour): (f32, [u8; 4]),
    ends: [Target; 2],
    wide: f32,
    figures: &[Figure],
) {
    let [from, to] = ends.map(place);
    let way = (to - from).with_y(0.0);
    let length = way.length();
    if length < 0.1 {
        return;
    }
    let height = |target: Target| {
        let tops = standing(figures, target).filter_map(|figure| {
            let build = set.build(figure.shape.kind);
            build.is_ground.then(|| figure.at.y + build.body.height() + 0.03)
        });
        tops.fold(ground_before(set, target), f32::max)
    };
    let along = way / length;
    let (level, end) = match trail_top(set, ends, figures) {
        Some(top) => (top + LIFT * 1.5, to - along * 0.1),
        // Both ends stop short of what stands there.
        None => (height(ends[0]).max(height(ends[1])) + LIFT * 1.5, to - along * 0.3),
    };
    let begin = from + along * 0.2;
    let across = vec3(-along.z, 0.0, along.x);
    let half = (end - begin).length() / 2.0;
    let look = QuadLook { uv: [vec2(-1.0, -1.0), vec2(1.0, 1.0)], colour, extra: vec3(form, half, 1.0) };
    batch.quad(((begin + end) / 2.0).with_y(level), along * half, across * wide, look);
}

/// Between neighbours a way on the ground would lie under what is broad: it leads over it, as high
/// as this.
pub(super) fn trail_top(set: &dyn GameSet, ends: [Target; 2], figures: &[Figure]) -> Option<f32> {
    let [from, to] = ends.map(place);
    let is_short = (to - from).with_y(0.0).length() < NEIGHBOUR;
    let tops = ends.into_iter().filter_map(|end| broad_top(set, end, figures));
    tops.filter(|_| is_short).reduce(f32::max)
}

/// How high the highest trail is that begins or ends near a place.
pub(super) fn trails_over(set: &dyn GameSet, marks: &[Mark], at: Vec3, figures: &[Figure]) -> Option<f32> {
    let is_near = |target: &Target| (place(*target) - at).with_y(0.0).length() < 0.5;
    let ends = marks.iter().filter_map(|mark| match mark.kind {
        MarkKind::Line { to: Some(to), .. } => Some([mark.target, to]),
        kind => way(kind).map(|(to, _)| [mark.target, to]),
    });
    let near = ends.filter(|ends| ends.iter().any(is_near));
    near.filter_map(|ends| trail_top(set, ends, figures)).reduce(f32::max)
}

/// From a cell to the next one, also across a corner.
const NEIGHBOUR: f32 = 1.5;

/// The top of what stands in a place and hides most of it.
fn broad_top(set: &dyn GameSet, target: Target, figures: &[Figure]) -> Option<f32> {
    let tops = standing(figures, target).filter_map(|figure| {
        let build = set.build(figure.shape.kind);
        let is_broad = !build.is_ground && build.body.reach() > SLENDER;
        is_broad.then(|| figure.at.y + build.body.height())
    });
    tops.reduce(f32::max)
}

/// Where something goes, if a mark is about that, and the number of the action.
pub(super) fn way(kind: MarkKind) -> Option<(Target, Option<u8>)> {
    match kind {
        MarkKind::Trail { to, number } => Some((to, number)),
        MarkKind::Played { to, number } | MarkKind::Better { to, number } => Some((to?, number)),
        _ => None,
    }
}

/// The beginning of a trail, for its number.
pub(super) fn trail_begin(from: Target, to: Target) -> Vec3 {
    let (from, to) = (place(from), place(to));
    from + (to - from).normalize_or_zero() * 0.12
}

/// How large a mark is, compared with the largest of its kind.
fn size(kind: MarkKind) -> f32 {
    match kind {
        MarkKind::Line { strength, .. } => {
            let strength = f32::from(strength.min(FULL_STRENGTH)) / f32::from(FULL_STRENGTH);
            WEAKEST + (1.0 - WEAKEST) * strength
        }
        _ => 1.0,
    }
}

pub(super) fn colour(palette: MarkPalette, kind: MarkKind) -> Colour {
    match kind {
        MarkKind::Open | MarkKind::Chosen | MarkKind::Pointed => palette.open,
        MarkKind::Last | MarkKind::Trail { .. } | MarkKind::Played { .. } | MarkKind::Won => palette.last,
        MarkKind::Hint | MarkKind::Line { .. } | MarkKind::Better { .. } => palette.hint,
        MarkKind::Overlay(_) => palette.aid,
    }
}

fn form(kind: MarkKind) -> f32 {
    match kind {
        MarkKind::Open => 0.0,
        MarkKind::Pointed => 1.0,
        MarkKind::Chosen => 2.0,
        MarkKind::Last => 3.0,
        MarkKind::Trail { .. } => ARROW,
        MarkKind::Line { to: Some(_), .. } => ARROW,
        MarkKind::Hint | MarkKind::Line { to: None, .. } => 4.0,
        MarkKind::Played { to: Some(_), .. } => DASHED_ARROW,
        MarkKind::Played { to: None, .. } => CROSS,
        MarkKind::Better { to: Some(_), .. } => BROAD_ARROW,
        MarkKind::Better { to: None, .. } => TWO_RINGS,
        MarkKind::Won => 5.0,
        MarkKind::Overlay(4) => BACK_STROKES,
        MarkKind::Overlay(number) => 6.0 + f32::from(number % 4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::sets::find;

    #[test]
    fn every_mark_has_a_form_of_its_own() {
        let to = Target::Cell(Cell { column: 0, row: 0 });
        let kinds = [
            MarkKind::Open,
            MarkKind::Pointed,
            MarkKind::Chosen,
            MarkKind::Last,
            MarkKind::Trail { to, number: None },
            MarkKind::Hint,
            MarkKind::Won,
            MarkKind::Overlay(0),
            MarkKind::Overlay(1),
            MarkKind::Overlay(2),
            MarkKind::Overlay(3),
            MarkKind::Overlay(4),
        ];
        let mut forms: Vec<u32> = kinds.iter().map(|&kind| form(kind) as u32).collect();
        // What may be chosen has another form on a piece.
        forms.push(POINTS as u32);
        let all = forms.len();
        forms.sort();
        forms.dedup();
        assert_eq!(forms.len(), all, "{forms:?}");
    }

    /// A pile is as broad as the way to it from the next cell: on the ground nobody would see it.
    #[test]
    fn a_trail_of_one_step_leads_over_the_pile_at_its_end() {
        let set = find("absorption", None);
        let cell = |column| Cell { column, row: 0 };
        let pile = set.on_cell("x3", cell(1));
        let top = pile.iter().map(|disc| disc.at.y).fold(0.0, f32::max);
        let level = |from: u8| {
            let ends = [Target::Cell(cell(from)), Target::Cell(cell(1))];
            trail_top(&*set, ends, &pile)
        };
        assert!(level(0).is_some_and(|level| level > top), "{:?}", level(0));
        assert_eq!(level(4), None, "a long one is seen on the ground");
    }
}
