//! One event as movement: which figures move, and what rests meanwhile.

use std::f32::consts::PI;

use macroquad::math::{Vec3, vec3};
use tabuleiro_protocol::{Event, Happening, Part};

use super::track::Track;
use crate::board::{Cell, EMPTY, Edge, Tokens};
use crate::scene::{Figure, doorstep, middle};
use crate::sets::GameSet;
use crate::sound::{Material, Noise};

/// Figures that move at the same time.
#[derive(Clone, Debug)]
pub(super) struct Movement {
    /// What rests meanwhile.
    pub(super) still: Tokens,
    pub(super) after: Tokens,
    pub(super) tracks: Vec<Track>,
    /// Where rings spread on the water when it begins.
    pub(super) splash: Option<Vec3>,
    /// What is heard, and how many seconds after the beginning.
    pub(super) noises: Vec<(f32, Noise)>,
    pub(super) seconds: f32,
    /// How many events were told together with it that come later.
    pub(super) to_come: usize,
}

impl Movement {
    /// What an event looks like, with what is pushed at the same time; `None` if nothing changes.
    pub(super) fn new(
        set: &dyn GameSet,
        before: &Tokens,
        event: &Event,
        pushed: &[&Event],
    ) -> Option<Movement> {
        let scribe = Scribe::new(set, before, event, pushed);
        // What cannot be read is shown by its changes alone.
        let mut scene = scribe.scene(&event.what, pushed).unwrap_or_else(|| Scene::still(before));
        scribe.add_leftovers(&mut scene);
        if scene.tracks.is_empty() && scribe.after == *before {
            return None;
        }
        let Scene { still, tracks, splash } = scene;
        let seconds = tracks.iter().map(|track| track.delay + track.seconds).fold(0.0, f32::max);
        let noises = noises(set, &tracks, splash.is_some());
        Some(Movement { still, after: scribe.after, tracks, splash, noises, seconds, to_come: 0 })
    }
}

/// What is heard of figures on their way: those that are hit, those that are put down, and water.
fn noises(set: &dyn GameSet, tracks: &[Track], splashes: bool) -> Vec<(f32, Noise)> {
    let water = splashes.then_some((0.0, Noise { material: Material::Water, strength: 1.0 }));
    let noise = |track: &Track, strength| Noise { material: set.material(track.ends.shape.kind), strength };
    let hit = tracks.iter().filter(|track| track.waits > 0.0);
    let hit = hit.map(|track| (track.hit_after(), noise(track, 0.7)));
    let stays = tracks.iter().filter(|track| track.ends.presence >= 1.0 && track.waits == 0.0);
    let put_down = stays.map(|track| (track.delay + track.seconds * 0.96, noise(track, 1.0)));
    water.into_iter().chain(hit).chain(put_down).collect()
}

/// What rests and what moves while an event is shown.
struct Scene {
    still: Tokens,
    tracks: Vec<Track>,
    splash: Option<Vec3>,
}

impl Scene {
    fn still(tokens: &Tokens) -> Scene {
        Scene { still: tokens.clone(), tracks: Vec::new(), splash: None }
    }
}

/// Knows the board before and after an event.
struct Scribe<'a> {
    set: &'a dyn GameSet,
    before: &'a Tokens,
    after: Tokens,
}

impl<'a> Scribe<'a> {
    fn new(set: &'a dyn GameSet, before: &'a Tokens, event: &Event, pushed: &[&Event]) -> Scribe<'a> {
        let mut after = before.clone();
        for (cell, token) in pushed.iter().flat_map(|event| &event.set).chain(&event.set) {
            if let Ok(cell) = cell.parse() {
                after.set(cell, token);
            }
        }
        Scribe { set, before, after }
    }

    /// The figures that an event speaks of, on their way. `None` if it makes no sense.
    fn scene(&self, what: &Happening, pushed: &[&Event]) -> Option<Scene> {
        let has_water = self.set.layout().has_water;
        let mut scene = Scene::still(self.before);
        let Scene { still, tracks, splash } = &mut scene;
        // How many cells long the way is on which something may be pushed.
        let mut length = 1;
        let leave = |still: &mut Tokens, cell: Cell| still.set(cell, self.token_after(cell));
        match what {
            Happening::Placed { piece, cell } => {
                for ends in self.after(piece, cell.parse().ok()?) {
                    let begins = Figure { at: ends.at + vec3(0.0, 1.1, 0.0), presence: 0.0, ..ends };
                    tracks.push(Track::straight(begins, ends, 0.4));
                }
            }
            Happening::Entered { piece, edge, path } => {
                let edge: Edge = edge.parse().ok()?;
                let path = cells(path)?;
                let (first, last) = (*path.first()?, *path.last()?);
                length = path.len();
                for ends in self.after(piece, last) {
                    let at = doorstep(edge, first) - vec3(0.0, 0.1, 0.0);
                    let begins = Figure { at, presence: 0.0, ..ends };
                    tracks.push(Track::straight(begins, ends, 0.3 + 0.055 * length as f32));
                }
                // What comes in may end where a pushed piece was.
                if !pushed.is_empty() {
                    still.set(last, EMPTY);
                }
            }
            Happening::Moved { piece, path } => {
                let path = way(path)?;
                length = path.len();
                leave(still, *path.first()?);
                *tracks = self.along(piece, &path, 0.25 + 0.16 * (path.len() - 1) as f32, 0.16)?;
            }
            Happening::Pushed { piece, path } => {
                let path = way(path)?;
                leave(still, *path.first()?);
                *tracks = self.along(piece, &path, 0.25 + 0.16 * (path.len() - 1) as f32, 0.0)?;
            }
            Happening::Drifted { piece, path } => {
                let path = way(path)?;
                leave(still, *path.first()?);
                *splash = has_water.then_some(middle(*path.first()?));
                *tracks = self.along(piece, &path, 0.5 + 0.4 * (path.len() - 1) as f32, 0.0)?;
            }
            Happening::Split { piece, from, parts } => {
                let from = from.parse().ok()?;
                leave(still, from);
                let mut begins = self.before(piece, from);
                *tracks = self.thrown(parts, || begins.pop(), 0.0)?;
            }
            Happening::Absorbed { piece, from, parts } => {
                let from = from.parse().ok()?;
                leave(still, from);
                let mut begins = self.before(piece, from);
                *tracks = self.thrown(parts, || begins.pop(), PI)?;
            }
            Happening::Merged { piece, cell, parts } => {
                let cell: Cell = cell.parse().ok()?;
                let mut ends = self.after(piece, cell).into_iter().skip(self.height_before(cell));
                for part in parts {
                    let from = part.cell.parse().ok()?;
                    leave(still, from);
                    for begins in self.before(&part.piece, from) {
                        let Some(ends) = ends.next() else { continue };
                        let delay = 0.08 * tracks.len() as f32;
                        tracks.push(Track { delay, lift: 0.5, ..Track::straight(begins, ends, 0.5) });
                    }
                }
            }
            Happening::Swapped { cells: [one, two], pieces: [piece_one, piece_two] } => {
                let (one, two): (Cell, Cell) = (one.parse().ok()?, two.parse().ok()?);
                still.set(one, EMPTY);
                still.set(two, EMPTY);
                for (piece, from, to, lift) in [(piece_one, one, two, 0.5), (piece_two, two, one, 1.0)] {
                    let begins = self.before(piece, from).into_iter();
                    for (begins, ends) in begins.zip(self.after(piece, to)) {
                        tracks.push(Track { lift, ..Track::straight(begins, ends, 0.8) });
                    }
                }
            }
            Happening::Sunk { piece, cell } if has_water => {
                let cell = cell.parse().ok()?;
                leave(still, cell);
                *splash = Some(middle(cell));
                for begins in self.before(piece, cell) {
                    let ends = Figure {
                        at: begins.at - vec3(0.0, 0.9, 0.0),
                        yaw: begins.yaw + 0.35,
                        roll: 0.12,
                        presence: 0.0,
                        ..begins
                    };
                    tracks.push(Track::straight(begins, ends, 1.1));
                }
            }
            Happening::Sunk { piece, cell } | Happening::Taken { piece, cell } => {
                let cell = cell.parse().ok()?;
                leave(still, cell);
                tracks.extend(self.before(piece, cell).into_iter().map(Track::away));
            }
            // All there is to see are the tokens that change.
            Happening::Turned { .. } | Happening::Other => {}
            Happening::Said { .. }
            | Happening::Line { .. }
            | Happening::Island { .. }
            | Happening::Turn { .. }
            | Happening::Over { .. } => {}
        }
        let seconds = tracks.iter().map(|track| track.seconds).reduce(f32::max).unwrap_or(0.4);
        for event in pushed {
            let Happening::Pushed { piece, path } = &event.what else { continue };
            let route = way(path)?;
            let (first, last) = (*route.first()?, *route.last()?);
            let is_filled = pushed.iter().any(|other| matches!(&other.what, Happening::Pushed { path: other, .. } if other.last() == path.first()));
            match is_filled {
                true => still.set(first, EMPTY),
                false if still.get(first) == self.before.get(first) => leave(still, first),
                false => {}
            }
            for (begins, ends) in self.before(piece, first).into_iter().zip(self.after(piece, last)) {
                // It begins to move when what pushes it has come so far.
                let waits = (1.0 - (route.len() - 1) as f32 / length as f32).max(0.0);
                tracks.push(Track { waits, ..Track::straight(begins, ends, seconds) });
            }
        }
        Some(scene)
    }

    fn token_after(&self, cell: Cell) -> &str {
        self.after.get(cell)
    }

    fn height_before(&self, cell: Cell) -> usize {
        self.set.on_cell(self.before.get(cell), cell).len()
    }

    /// The figures of a piece that is on top of what is on a cell before the event.
    fn before(&self, piece: &str, cell: Cell) -> Vec<Figure> {
        self.top(piece, self.before.get(cell), cell)
    }

    /// The figures of a piece that is on top of what is on a cell after the event.
    fn after(&self, piece: &str, cell: Cell) -> Vec<Figure> {
        self.top(piece, self.after.get(cell), cell)
    }

    fn top(&self, piece: &str, token: &str, cell: Cell) -> Vec<Figure> {
        let mut all = self.set.on_cell(token, cell);
        let count = self.set.shapes(piece).len();
        all.split_off(all.len().saturating_sub(count))
    }

    /// Shows what changes without the event having spoken of it, as when a piece lands on one that
    /// it takes: figures that nothing moves are lifted off the board, and others come.
    fn add_leftovers(&self, scene: &mut Scene) {
        let is_at = |figure: &Figure, cell: Cell| (figure.at - middle(cell)).with_y(0.0).length() < 0.5;
        for cell in self.before.cells() {
            let (before, after) = (self.before.get(cell), self.after.get(cell));
            if before == after || scene.tracks.iter().any(|track| is_at(&track.begins, cell)) {
                continue;
            }
            let comes = scene.tracks.iter().any(|track| is_at(&track.ends, cell));
            let (old, new) = (self.set.on_cell(before, cell), self.set.on_cell(after, cell));
            let same = old.iter().zip(&new).take_while(|(old, new)| old.shape.kind == new.shape.kind).count();
            // Tokens can only be taken away whole.
            if same == 0 && !old.is_empty() {
                scene.still.set(cell, EMPTY);
                scene.tracks.extend(old.into_iter().map(Track::away));
            }
            if !comes {
                scene.tracks.extend(new.into_iter().skip(same).map(Track::turned_up));
            }
        }
    }

    /// A piece goes along a path.
    fn along(&self, piece: &str, path: &[Cell], seconds: f32, hop: f32) -> Option<Vec<Track>> {
        let begins = self.before(piece, *path.first()?);
        let ends = self.after(piece, *path.last()?);
        let tracks = begins.into_iter().zip(ends).map(|(begins, ends)| {
            let height = vec3(0.0, begins.at.y, 0.0);
            let mut way: Vec<Vec3> = path.iter().map(|&cell| middle(cell) + height).collect();
            way[0] = begins.at;
            *way.last_mut().expect("a path has an end") = ends.at;
            Track { way, hop, ..Track::straight(begins, ends, seconds) }
        });
        Some(tracks.collect())
    }

    /// Pieces fly to the parts of a pile that was taken apart, turning over if they are told to.
    fn thrown(
        &self,
        parts: &[Part],
        mut next: impl FnMut() -> Option<Figure>,
        roll: f32,
    ) -> Option<Vec<Track>> {
        let mut tracks = Vec::new();
        for part in parts {
            let mut ends = self.after(&part.piece, part.cell.parse().ok()?);
            let count = usize::from(part.count).min(ends.len());
            for ends in ends.split_off(ends.len() - count) {
                let Some(begins) = next() else { continue };
                let begins = Figure { shape: ends.shape, roll, ..begins };
                let delay = 0.1 * tracks.len() as f32;
                tracks.push(Track { delay, lift: 0.6, ..Track::straight(begins, ends, 0.55) });
            }
        }
        Some(tracks)
    }
}

/// A way from one cell to another; what does not lead anywhere is none.
fn way(path: &[String]) -> Option<Vec<Cell>> {
    cells(path).filter(|cells| cells.len() > 1)
}

fn cells(path: &[String]) -> Option<Vec<Cell>> {
    path.iter().map(|cell| cell.parse().ok()).collect()
}
