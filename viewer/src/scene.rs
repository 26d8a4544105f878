//! What is to be seen, as plain values: the seam between what moves and what draws.
//!
//! Board units: a cell is 1 wide, `x` goes east by columns, `z` goes south by rows and `y` goes up.
//! The middle of cell `a1` on the board's surface is the origin.

use macroquad::math::{Vec3, vec3};

use crate::board::{Cell, Edge, Target};

/// What a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The number that the game's set knows it by.
    pub kind: u8,
    pub label: Label,
}

impl Shape {
    /// A shape with nothing written on it.
    pub const fn plain(kind: u8) -> Shape {
        Shape { kind, label: Label::NONE }
    }
}

/// What is written on a piece: two characters at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label([Option<char>; 2]);

impl Label {
    pub const NONE: Label = Label([None; 2]);

    /// The beginning of a text.
    pub fn new(text: &str) -> Label {
        let mut characters = text.chars().filter(|character| !character.is_whitespace());
        Label([characters.next(), characters.next()])
    }

    pub fn is_empty(self) -> bool {
        self == Label::NONE
    }

    pub fn characters(self) -> impl Iterator<Item = char> {
        self.0.into_iter().flatten()
    }
}

/// One thing on the board, where it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    pub shape: Shape,
    /// The middle of its underside.
    pub at: Vec3,
    /// Turned about the upright axis, in radians.
    pub yaw: f32,
    /// Turned over about a level axis through its middle, in radians: half a turn puts the other
    /// face up.
    pub roll: f32,
    /// 1 is there; less is a ghost of what would be there, or what is going.
    pub presence: f32,
}

/// The middle of a cell on the board's surface.
pub fn middle(cell: Cell) -> Vec3 {
    vec3(f32::from(cell.column), 0.0, f32::from(cell.row))
}

/// The place outside the board before a cell of its edge.
pub fn doorstep(edge: Edge, cell: Cell) -> Vec3 {
    let (x, z) = edge.outward();
    middle(cell) + vec3(x as f32, 0.0, z as f32)
}

/// Where a target is.
pub fn place(target: Target) -> Vec3 {
    match target {
        Target::Cell(cell) => middle(cell),
        Target::Edge(edge, cell) => doorstep(edge, cell),
    }
}

/// Something that is said about a place without a word: a thin ring, an outline, a glow.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub target: Target,
    pub kind: MarkKind,
}

/// The strength of the best line.
pub const FULL_STRENGTH: u8 = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// May be pointed at now.
    Open,
    /// Under the pointer or the cursor.
    Pointed,
    /// Pointed at already, as the beginning of an action.
    Chosen,
    /// Was put there, or went away, in the last turn.
    Last,
    /// Something went from here to there in the last turn. With a number it is that of the action,
    /// where the turn had several.
    Trail { to: Target, number: Option<u8> },
    /// Has a part in a line of play: something goes from here to there, or comes or goes here. With a
    /// number it is that of the line, or of the turn in it. The stronger, the larger.
    Line { to: Option<Target>, number: Option<u8>, strength: u8 },
    /// Has a part in what the engine suggests.
    Hint,
    /// Was put there, or went away, in the turn that a review looks at; or something went from here
    /// to there.
    Played { to: Option<Target>, number: Option<u8> },
    /// The same of the turn that would have been better.
    Better { to: Option<Target>, number: Option<u8> },
    /// Part of what won the game.
    Won,
    /// Part of an overlay that the engine gave; the number tells overlays of one position apart.
    Overlay(u8),
}

/// Rings that spread on the water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ripple {
    pub at: Vec3,
    /// Seconds since it began.
    pub age: f32,
}
