//! From events to movement: what the engine says has happened, shown one thing after the other.

mod movement;
mod track;

use std::collections::VecDeque;

use tabuleiro_protocol::{Event, Happening};

use self::movement::Movement;
use crate::board::Tokens;
use crate::scene::{Figure, Ripple};
use crate::sets::{self, Set};
use crate::sound::Noise;

/// How long the rings on the water can be seen, in seconds.
const RIPPLE_SECONDS: f32 = 2.5;
/// More noises than these are not kept for whoever does not listen.
const MOST_HEARD: usize = 16;

/// What can be seen on the board now, and what is still going to happen there.
#[derive(Clone, Debug)]
pub struct Motion {
    set: Set,
    resting: Tokens,
    movements: VecDeque<Movement>,
    /// Seconds since the first of the movements began.
    clock: f32,
    ripples: Vec<Ripple>,
    /// What was to be heard since somebody last listened.
    heard: Vec<Noise>,
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
            heard: Vec::new(),
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
        for (index, event) in events.iter().enumerate() {
            if let Happening::Pushed { .. } = event.what {
                // Shown together with what pushes it, which is told next.
                pushed.push(event);
                continue;
            }
            let Some(mut movement) = Movement::new(&*self.set, &before, event, &pushed) else { continue };
            pushed.clear();
            movement.to_come = events.len() - index - 1;
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
        let mut heard_until = self.clock;
        self.clock += seconds;
        while let Some(movement) = self.movements.front() {
            let is_due = |after: f32| heard_until <= after && after < self.clock;
            self.heard
                .extend(movement.noises.iter().filter(|(after, _)| is_due(*after)).map(|(_, noise)| *noise));
            self.heard.truncate(MOST_HEARD);
            if self.clock < movement.seconds {
                return;
            }
            heard_until = 0.0;
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
        // Who sees no movement hears that something has happened.
        let last = self.movements.back().and_then(|movement| movement.noises.last());
        self.heard.extend(last.map(|(_, noise)| *noise));
        self.heard.truncate(MOST_HEARD);
        self.resting = self.final_tokens().clone();
        self.movements.clear();
        self.clock = 0.0;
    }

    /// What was to be heard since this was last called.
    pub fn take_heard(&mut self) -> Vec<Noise> {
        std::mem::take(&mut self.heard)
    }

    /// How long everything takes that is still going to happen.
    pub fn seconds_left(&self) -> f32 {
        self.movements.iter().map(|movement| movement.seconds).sum::<f32>() - self.clock
    }

    /// How many of the events that were told together with what moves now come after it.
    pub fn events_to_come(&self) -> usize {
        self.movements.front().map_or(0, |movement| movement.to_come)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Shape;
    use crate::sound::Material;

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

    /// What is heard, and after how many seconds.
    fn listen(mut motion: Motion) -> Vec<(f32, Noise)> {
        let (mut heard, mut seconds) = (Vec::new(), 0.0);
        while !motion.is_still() {
            motion.advance(0.01);
            seconds += 0.01;
            heard.extend(motion.take_heard().into_iter().map(|noise| (seconds, noise)));
        }
        heard
    }

    #[test]
    fn noises_come_with_what_moves() {
        let pushes = moving(
            "zurero",
            &[". . b . ."],
            serde_json::json!([
                {"kind": "pushed", "piece": "b", "path": ["c1", "d1"], "set": {"c1": ".", "d1": "b"}},
                {"kind": "entered", "piece": "w", "edge": "west", "path": ["a1", "b1", "c1"], "set": {"c1": "w"}},
            ]),
            &[". . w b ."],
        );
        let whole = pushes.seconds_left();
        let heard = listen(pushes);
        let [(hit, click), (end, stop)] = heard[..] else { panic!("a hit and a stop: {heard:?}") };
        assert!((click.material, stop.material) == (Material::Stone, Material::Stone));
        assert!(0.2 * whole < hit && hit < 0.8 * whole, "it is hit on the way: {hit} of {whole}");
        assert!((end - whole).abs() < 0.1, "it stops at the end: {end} of {whole}");
        let sinks = moving(
            "syrtis",
            &["ls lc"],
            serde_json::json!([{"kind": "sunk", "piece": "ls", "cell": "a1", "set": {"a1": "."}}]),
            &[". lc"],
        );
        let heard = listen(sinks);
        assert!(matches!(heard[..], [(0.0..0.05, Noise { material: Material::Water, .. })]), "{heard:?}");
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
