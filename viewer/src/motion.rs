//! From events to movement: what the engine says has happened, shown one thing after the other.

use std::collections::VecDeque;
use std::f32::consts::PI;

use macroquad::math::{Vec3, vec3};
use tabuleiro_protocol::{Event, Happening, Part};

use crate::board::{Cell, EMPTY, Edge, Tokens};
use crate::scene::{Figure, Ripple, doorstep, middle};
use crate::sets::{self, GameSet, Set};

/// How long the rings on the water can be seen, in seconds.
const RIPPLE_SECONDS: f32 = 2.5;

/// What can be seen on the board now, and what is still going to happen there.
#[derive(Clone, Debug)]
pub struct Motion {
    set: Set,
    resting: Tokens,
    movements: VecDeque<Movement>,
    /// Seconds since the first of the movements began.
    clock: f32,
    ripples: Vec<Ripple>,
}

/// Figures that move at the same time.
#[derive(Clone, Debug)]
struct Movement {
    /// What rests meanwhile.
    still: Tokens,
    after: Tokens,
    tracks: Vec<Track>,
    /// Where rings spread on the water when it begins.
    splash: Option<Vec3>,
    seconds: f32,
}

/// The way of one figure.
#[derive(Clone, Debug)]
struct Track {
    begins: Figure,
    ends: Figure,
    /// Where it goes through, from beginning to end.
    way: Vec<Vec3>,
    /// Seconds after the beginning of the movement.
    delay: f32,
    seconds: f32,
    /// The part of the time that passes before it begins to move, because something else has to
    /// reach it first.
    waits: f32,
    /// How high it is lifted in the middle of its way.
    lift: f32,
    /// How high it hops from cell to cell.
    hop: f32,
}

/// An empty table.
impl Default for Motion {
    fn default() -> Motion {
        Motion {
            set: sets::find("", None),
            resting: Tokens::default(),
            movements: VecDeque::new(),
            clock: 0.0,
            ripples: Vec::new(),
        }
    }
}

impl Motion {
    /// Clears the table for a game that is played with this set.
    pub fn lay_out(&mut self, set: Set, tokens: Tokens) {
        *self = Motion { set, resting: tokens, ..Motion::default() };
    }

    /// Shows a board of the same game as it is, at once.
    pub fn jump(&mut self, tokens: Tokens) {
        self.resting = tokens;
        self.movements.clear();
        self.clock = 0.0;
    }

    /// What the game on the board is played with.
    pub fn set(&self) -> &Set {
        &self.set
    }

    /// Shows what has happened, after whatever is still moving. At its end the board is as `tokens`
    /// say.
    pub fn follow(&mut self, events: &[Event], tokens: Tokens) {
        let mut before = self.final_tokens().clone();
        let mut pushed: Vec<&Event> = Vec::new();
        for event in events {
            if let Happening::Pushed { .. } = event.what {
                // Shown together with what pushes it, which is told next.
                pushed.push(event);
                continue;
            }
            let Some(movement) = Movement::new(&*self.set, &before, event, &pushed) else { continue };
            pushed.clear();
            before = movement.after.clone();
            self.movements.push_back(movement);
        }
        if let Some(last) = pushed.pop() {
            self.movements.extend(Movement::new(&*self.set, &before, last, &pushed));
        }
        match self.movements.back_mut() {
            Some(last) => last.after = tokens,
            None => self.resting = tokens,
        }
    }

    /// Lets time pass.
    pub fn advance(&mut self, seconds: f32) {
        for ripple in &mut self.ripples {
            ripple.age += seconds;
        }
        self.ripples.retain(|ripple| ripple.age < RIPPLE_SECONDS);
        if self.movements.is_empty() {
            return;
        }
        if self.clock == 0.0 {
            self.splash();
        }
        self.clock += seconds;
        while let Some(movement) = self.movements.front() {
            if self.clock < movement.seconds {
                return;
            }
            self.clock -= movement.seconds;
            self.resting = movement.after.clone();
            self.movements.pop_front();
            self.splash();
        }
        self.clock = 0.0;
    }

    fn splash(&mut self) {
        if let Some(at) = self.movements.front().and_then(|movement| movement.splash) {
            self.ripples.push(Ripple { at, age: 0.0 });
        }
    }

    /// Shows the end of all movement at once.
    pub fn skip(&mut self) {
        self.resting = self.final_tokens().clone();
        self.movements.clear();
        self.clock = 0.0;
    }

    /// How long everything takes that is still going to happen.
    pub fn seconds_left(&self) -> f32 {
        self.movements.iter().map(|movement| movement.seconds).sum::<f32>() - self.clock
    }

    /// Whether nothing moves but water.
    pub fn is_still(&self) -> bool {
        self.movements.is_empty()
    }

    pub fn ripples(&self) -> &[Ripple] {
        &self.ripples
    }

    /// The board as it will be when nothing moves any more.
    pub fn final_tokens(&self) -> &Tokens {
        self.movements.back().map_or(&self.resting, |movement| &movement.after)
    }

    /// Everything on the board, where it is now.
    pub fn figures(&self) -> Vec<Figure> {
        let Some(movement) = self.movements.front() else { return self.set.at_rest(&self.resting) };
        let mut figures = self.set.at_rest(&movement.still);
        figures.extend(movement.tracks.iter().map(|track| track.at(self.clock)));
        figures
    }
}

impl Movement {
    /// What an event looks like, with what is pushed at the same time; `None` if nothing changes.
    fn new(set: &dyn GameSet, before: &Tokens, event: &Event, pushed: &[&Event]) -> Option<Movement> {
        let scribe = Scribe::new(set, before, event, pushed);
        // What cannot be read is shown by its changes alone.
        let mut scene = scribe.scene(&event.what, pushed).unwrap_or_else(|| Scene::still(before));
        scribe.add_leftovers(&mut scene);
        if scene.tracks.is_empty() && scribe.after == *before {
            return None;
        }
        let Scene { still, tracks, splash } = scene;
        let seconds = tracks.iter().map(|track| track.delay + track.seconds).fold(0.0, f32::max);
        Some(Movement { still, after: scribe.after, tracks, splash, seconds })
    }
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

impl Track {
    fn straight(begins: Figure, ends: Figure, seconds: f32) -> Track {
        Track {
            begins,
            ends,
            way: vec![begins.at, ends.at],
            delay: 0.0,
            seconds,
            waits: 0.0,
            lift: 0.0,
            hop: 0.0,
        }
    }

    /// A figure is lifted off the board and is gone.
    fn away(begins: Figure) -> Track {
        let ends = Figure { at: begins.at + vec3(0.0, 0.7, 0.0), presence: 0.0, ..begins };
        Track::straight(begins, ends, 0.5)
    }

    /// A figure comes to lie where another was, turning over.
    fn turned_up(ends: Figure) -> Track {
        let begins = Figure { presence: 0.0, roll: PI, ..ends };
        Track { lift: 0.4, ..Track::straight(begins, ends, 0.5) }
    }

    /// The figure so many seconds after the beginning of the movement.
    fn at(&self, clock: f32) -> Figure {
        let passed = ((clock - self.delay) / self.seconds).clamp(0.0, 1.0);
        let eased = passed * passed * (3.0 - 2.0 * passed);
        let way = ((eased - self.waits) / (1.0 - self.waits)).max(0.0);
        let between = |from: f32, to: f32| from + (to - from) * way;
        let mut at = self.point(way);
        at.y +=
            self.lift * (PI * way).sin() + self.hop * (PI * way * (self.way.len() - 1) as f32).sin().abs();
        // What comes is there soon; what goes stays long.
        let presence = match self.begins.presence < self.ends.presence {
            true => {
                self.begins.presence + (self.ends.presence - self.begins.presence) * (passed * 4.0).min(1.0)
            }
            false => {
                self.begins.presence
                    + (self.ends.presence - self.begins.presence) * ((passed - 0.6) / 0.4).max(0.0)
            }
        };
        Figure {
            shape: self.ends.shape,
            at,
            yaw: between(self.begins.yaw, self.ends.yaw),
            roll: between(self.begins.roll, self.ends.roll),
            presence,
        }
    }

    /// The point after this part of the way, from 0 to 1, every leg as long as the others.
    fn point(&self, part: f32) -> Vec3 {
        let legs = (self.way.len() - 1) as f32;
        let leg = ((part * legs).floor() as usize).min(self.way.len() - 2);
        self.way[leg].lerp(self.way[leg + 1], part * legs - leg as f32)
    }
}

/// A way from one cell to another; what does not lead anywhere is none.
fn way(path: &[String]) -> Option<Vec<Cell>> {
    cells(path).filter(|cells| cells.len() > 1)
}

fn cells(path: &[String]) -> Option<Vec<Cell>> {
    path.iter().map(|cell| cell.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Shape;

    fn events(json: serde_json::Value) -> Vec<Event> {
        serde_json::from_value(json).expect("events as the engine writes them")
    }

    fn tokens(rows: &[&str]) -> Tokens {
        Tokens::read(&rows.iter().map(|row| row.to_string()).collect::<Vec<_>>())
    }

    /// A board on which something has just happened.
    fn moving(game: &str, before: &[&str], what: serde_json::Value, after: &[&str]) -> Motion {
        let mut motion = Motion::default();
        motion.lay_out(sets::find(game, None), tokens(before));
        motion.follow(&events(what), tokens(after));
        motion
    }

    /// Lets everything happen. Gives the figures of every frame, and checks that nothing jumps and
    /// that it ends at rest.
    fn watch(mut motion: Motion) -> Vec<Vec<Figure>> {
        let after = motion.final_tokens().clone();
        let mut frames = vec![motion.figures()];
        while !motion.is_still() {
            motion.advance(1.0 / 60.0);
            frames.push(motion.figures());
            assert!(frames.len() < 1000, "it never comes to rest");
        }
        for (frame, next) in frames.iter().zip(&frames[1..]) {
            for figure in next.iter().filter(|figure| figure.presence > 0.5) {
                let nearest = frame.iter().map(|old| old.at.distance(figure.at)).fold(f32::MAX, f32::min);
                assert!(nearest < 0.6, "a figure comes out of nowhere at {}", figure.at);
            }
        }
        assert_eq!(motion.figures(), motion.set.at_rest(&after));
        frames
    }

    #[test]
    fn a_stone_comes_in_and_pushes_when_it_gets_there() {
        let motion = moving(
            "zurero",
            &[". . b . ."],
            serde_json::json!([
                {"kind": "pushed", "piece": "b", "path": ["c1", "d1"], "set": {"c1": ".", "d1": "b"}},
                {"kind": "entered", "piece": "w", "edge": "west", "path": ["a1", "b1", "c1"], "set": {"c1": "w"}},
                {"kind": "turn", "seat": 1}
            ]),
            &[". . w b ."],
        );
        let (dark, light) = (motion.set.shapes("b")[0], motion.set.shapes("w")[0]);
        let frames = watch(motion);
        let x = |frame: &Vec<Figure>, shape: Shape| {
            frame.iter().find(|figure| figure.shape == shape).map(|figure| figure.at.x)
        };
        for frame in &frames {
            let (pushing, pushed) = (x(frame, light).unwrap(), x(frame, dark).unwrap());
            assert!(pushed - pushing > 0.85, "the stones run into each other: {pushing} and {pushed}");
        }
        assert!(x(&frames[1], light).unwrap() < -0.5, "it begins outside the board");
    }

    #[test]
    fn absorbed_pieces_turn_over_as_they_join() {
        let motion = moving(
            "absorption",
            &["x2 . o1"],
            serde_json::json!([{"kind": "absorbed", "piece": "x2", "from": "a1", "parts": [{"cell": "c1", "piece": "o3", "count": 2}], "set": {"a1": ".", "c1": "o3"}}]),
            &[". . o3"],
        );
        let frames = watch(motion);
        assert!(frames.iter().all(|frame| frame.len() == 3), "no piece is lost or made");
        let turned = |frame: &Vec<Figure>| frame.iter().filter(|figure| figure.roll > 1.0).count();
        assert_eq!(turned(&frames[0]), 2, "at first they show their old face");
        assert_eq!(turned(frames.last().unwrap()), 0);
        let highest = frames.iter().flatten().map(|figure| figure.at.y).fold(0.0, f32::max);
        assert!(highest > 0.51, "they are lifted");
    }

    #[test]
    fn piles_split_and_merge_piece_by_piece() {
        let split = moving(
            "absorption",
            &["x3 . ."],
            serde_json::json!([{"kind": "split", "piece": "x3", "from": "a1", "parts": [{"cell": "b1", "piece": "x2", "count": 2}, {"cell": "c1", "piece": "x1", "count": 1}], "set": {"a1": ".", "b1": "x2", "c1": "x1"}}]),
            &[". x2 x1"],
        );
        assert!(watch(split).iter().all(|frame| frame.len() == 3));
        let merge = moving(
            "absorption",
            &["x1 x1 x1"],
            serde_json::json!([{"kind": "merged", "piece": "x3", "cell": "b1", "parts": [{"cell": "a1", "piece": "x1", "count": 1}, {"cell": "c1", "piece": "x1", "count": 1}], "set": {"a1": ".", "b1": "x3", "c1": "."}}]),
            &[". x3 ."],
        );
        assert!(watch(merge).iter().all(|frame| frame.len() == 3));
    }

    #[test]
    fn a_tile_sinks_with_rings_and_a_tower_drifts_with_its_tile() {
        let mut sinking = moving(
            "syrtis",
            &["ls lcL"],
            serde_json::json!([{"kind": "sunk", "piece": "ls", "cell": "a1", "set": {"a1": "."}}]),
            &[". lcL"],
        );
        sinking.advance(0.01);
        assert_eq!(sinking.ripples().len(), 1);
        watch(sinking);
        let drifting = moving(
            "syrtis",
            &["lcL . ."],
            serde_json::json!([{"kind": "drifted", "piece": "lcL", "path": ["a1", "b1", "c1"], "set": {"a1": ".", "c1": "lcL"}}]),
            &[". . lcL"],
        );
        for frame in watch(drifting) {
            let [tile, tower] = frame.as_slice() else { panic!("a tile and a tower") };
            assert_eq!((tile.at.x, tile.at.z), (tower.at.x, tower.at.z));
        }
    }

    #[test]
    fn a_tower_walks_on_tiles() {
        let walking = moving(
            "syrtis",
            &["lcL lc lc"],
            serde_json::json!([{"kind": "moved", "piece": "L", "path": ["a1", "b1", "c1"], "set": {"a1": "lc", "c1": "lcL"}}]),
            &["lc lc lcL"],
        );
        let tower = walking.set.shapes("L")[0];
        let tile_height = walking.set.build(walking.set.shapes("lc")[0].kind).body.height();
        for frame in watch(walking) {
            let towers: Vec<_> = frame.iter().filter(|figure| figure.shape == tower).collect();
            assert_eq!(towers.len(), 1);
            assert!(towers[0].at.y >= tile_height - 0.001);
        }
    }

    #[test]
    fn what_comes_meanwhile_waits_its_turn_and_can_be_skipped() {
        let mut motion = moving(
            "fabrik",
            &[". . ."],
            serde_json::json!([{"kind": "placed", "piece": "*", "cell": "a1", "set": {"a1": "*"}}]),
            &["* . ."],
        );
        motion.follow(
            &events(serde_json::json!([{"kind": "placed", "piece": "b", "cell": "b1", "set": {"b1": "b"}}])),
            tokens(&["* b ."]),
        );
        motion.advance(0.1);
        let stone = motion.set.shapes("b")[0];
        assert!(!motion.figures().iter().any(|figure| figure.shape == stone), "the second has not begun");
        let mut skipped = motion.clone();
        skipped.skip();
        assert!(skipped.is_still());
        assert_eq!(skipped.figures().len(), 2);
        watch(motion);
    }

    /// All kinds of events in a game that nobody has heard of.
    #[test]
    fn pieces_of_an_unknown_game_move_take_turn_over_and_vanish() {
        let taken = watch(moving(
            "chess",
            &["R . p"],
            serde_json::json!([{"kind": "moved", "piece": "R", "path": ["a1", "b1", "c1"], "set": {"a1": ".", "c1": "R"}}]),
            &[". . R"],
        ));
        let early = taken[3].iter().find(|figure| figure.at.x > 1.5).expect("the pawn is still there");
        assert!(early.at.y > 0.0, "and is being lifted");
        assert_eq!(taken.last().unwrap().len(), 1);

        for (before, event, after) in [
            (
                "p .",
                serde_json::json!({"kind": "taken", "piece": "p", "cell": "a1", "set": {"a1": "."}}),
                ". .",
            ),
            (
                "x .",
                serde_json::json!({"kind": "turned", "piece": "o", "cell": "a1", "set": {"a1": "o"}}),
                "o .",
            ),
            (
                "x .",
                serde_json::json!({"kind": "sunk", "piece": "x", "cell": "a1", "set": {"a1": "."}}),
                ". .",
            ),
            ("x .", serde_json::json!({"kind": "teleported", "set": {"a1": ".", "b1": "x"}}), ". x"),
            (
                "x3 .",
                serde_json::json!({"kind": "split", "piece": "x3", "from": "a1", "parts": [{"cell": "b1", "piece": "x2", "count": 2}], "set": {"a1": "x1", "b1": "x2"}}),
                "x1 x2",
            ),
            (
                "x o",
                serde_json::json!({"kind": "swapped", "cells": ["a1", "b1"], "pieces": ["x", "o"], "set": {"a1": "o", "b1": "x"}}),
                "o x",
            ),
            (
                ". .",
                serde_json::json!({"kind": "entered", "piece": "x", "edge": "west", "path": ["a1", "b1"], "set": {"b1": "x"}}),
                ". x",
            ),
            (
                "x .",
                serde_json::json!({"kind": "drifted", "piece": "x", "path": ["a1", "b1"], "set": {"a1": ".", "b1": "x"}}),
                ". x",
            ),
        ] {
            let mut motion = moving("chess", &[before], serde_json::json!([event]), &[after]);
            assert!(!motion.is_still(), "nothing moves: {event}");
            motion.advance(0.1);
            assert!(motion.ripples().is_empty(), "there is no water");
            while !motion.is_still() {
                motion.advance(1.0 / 60.0);
            }
            assert_eq!(motion.figures(), motion.set.at_rest(&tokens(&[after])), "{event}");
        }
    }

    #[test]
    fn events_that_make_no_sense_still_end_as_the_engine_says() {
        let mut motion = moving(
            "zurero",
            &[". ."],
            serde_json::json!([{"kind": "moved", "piece": "b", "path": [], "set": {"zz": "b"}},
                {"kind": "moved", "piece": "b", "path": ["a1"], "set": {}},
                {"kind": "pushed", "piece": "b", "path": ["a1"], "set": {}},
                {"kind": "entered", "piece": "b", "edge": "west", "path": ["a1"], "set": {"a1": "b"}}, {"kind": "placed", "piece": "b", "cell": "q99", "set": {}}]),
            &["b w"],
        );
        while !motion.is_still() {
            motion.advance(0.1);
            motion.figures();
        }
        assert_eq!(motion.figures().len(), 2);
    }
}
