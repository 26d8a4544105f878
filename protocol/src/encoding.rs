//! A game in numbers: what its actions and its board are to a program that learns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The numbers of a game with certain options. They never depend on the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Space {
    /// Codes are made of the numbers below this one.
    pub size: u32,
    /// Whether every code has one number.
    pub one_step: bool,
    /// How many numbers the longest code has.
    pub longest: usize,
    /// What the numbers mean, in their order.
    pub numbers: Vec<NumberRange>,
    pub planes: PlaneSpace,
}

/// Some numbers in a row, and what they mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NumberRange {
    pub from: u32,
    pub count: u32,
    /// For people.
    pub meaning: String,
}

/// What the planes of a game are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaneSpace {
    /// Planes, rows, columns.
    pub shape: [usize; 3],
    /// By plane.
    pub names: Vec<String>,
    /// The largest number that a plane can have, by plane. The smallest is 0.
    pub high: Vec<u16>,
}

/// A position as planes of numbers, as one of the seats sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Planes {
    /// Planes, rows, columns.
    pub shape: [usize; 3],
    /// Plane after plane, row after row.
    pub data: Vec<u16>,
}
