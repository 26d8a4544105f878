//! Small nets that correct static evaluations by what they learned from games.
//!
//! A position is a list of features, small numbers that each say one thing about it as the seat to
//! move sees it: an own stone on this cell, a worker on that one. Every feature has a row of
//! weights. The rows are added up, one sum for each hidden unit; what a unit says is its sum,
//! clipped and squared, and the answer is a weighted sum of that. All of it is whole numbers, so
//! that every machine comes to the same answer. Few features hold at a time, so that adding them up
//! anew for every position is quick enough.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tabuleiro_protocol::Options;
use thiserror::Error;

/// Hidden units of every net.
pub const HIDDEN: usize = 32;

/// What stands for 1 in the sum of a hidden unit: sums are clipped there.
pub(crate) const ONE: i32 = 255;
/// What stands for 1 in a weight of the answer, beside the square of [`ONE`].
pub(crate) const ANSWER_ONE: i32 = 64;
/// What stands for 1 in the weight of the hand-made evaluation.
pub(crate) const HAND_MADE_ONE: i32 = 256;

/// A net's file is no longer.
const LONGEST_FILE: usize = 1 << 20;
/// No weight of the answer is larger: 32 of them cannot get out of a sum's range.
const LARGEST_ANSWER: i32 = 1 << 22;

/// A net: see the documentation of the module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Net {
    format: String,
    pub game: String,
    /// Those that it was taught with.
    pub options: Options,
    /// What its features are called, and thereby what they mean.
    pub inputs: String,
    /// Where it comes from: for people.
    pub made: Map<String, Value>,
    /// The evaluation at which a seat wins about three games in four.
    pub scale: i32,
    /// What the hand-made evaluation counts, in 256ths.
    pub hand_made: i32,
    pub answer_bias: i32,
    pub answer: [i32; HIDDEN],
    pub bias: [i16; HIDDEN],
    /// A row for each feature.
    pub weights: Vec<[i16; HIDDEN]>,
}

/// Why something is no net of a game.
#[derive(Debug, Error)]
pub enum NetError {
    #[error("this is no net: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error("this has {0} bytes, and a net has {LONGEST_FILE} at most")]
    TooLong(usize),
    #[error("this is not of the format {FORMAT:?}")]
    OtherFormat,
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
    #[error(
        "this is a net of {there:?} with {features} features; wanted is {wanted:?} with {wanted_features}"
    )]
    OtherInputs { there: String, features: usize, wanted: &'static str, wanted_features: usize },
}

const FORMAT: &str = "tabuleiro-net-1";

impl Net {
    /// A net that says nothing, for one to be made of.
    pub(crate) fn blank(game: &str, options: &Options, inputs: &Inputs) -> Net {
        Net {
            format: FORMAT.into(),
            game: game.into(),
            options: options.clone(),
            inputs: inputs.name.into(),
            made: Map::new(),
            scale: 1,
            hand_made: HAND_MADE_ONE,
            answer_bias: 0,
            answer: [0; HIDDEN],
            bias: [0; HIDDEN],
            weights: vec![[0; HIDDEN]; inputs.count()],
        }
    }

    /// Reads the text of a net's file, which must have these inputs.
    pub fn read(text: &str, inputs: &Inputs) -> Result<Net, NetError> {
        if text.len() > LONGEST_FILE {
            return Err(NetError::TooLong(text.len()));
        }
        let net: Net = serde_json::from_str(text)?;
        if net.format != FORMAT {
            return Err(NetError::OtherFormat);
        }
        if net.inputs != inputs.name || net.weights.len() != inputs.count() {
            return Err(NetError::OtherInputs {
                there: net.inputs,
                features: net.weights.len(),
                wanted: inputs.name,
                wanted_features: inputs.count(),
            });
        }
        let answers = net.answer.iter().chain([&net.answer_bias]);
        if answers.map(|weight| weight.unsigned_abs()).max() > Some(LARGEST_ANSWER as u32) {
            return Err(NetError::OutOfRange("a weight of the answer"));
        }
        if !(1..=1_000_000).contains(&net.scale) {
            return Err(NetError::OutOfRange("\"scale\""));
        }
        if !(-16 * HAND_MADE_ONE..=16 * HAND_MADE_ONE).contains(&net.hand_made) {
            return Err(NetError::OutOfRange("\"hand_made\""));
        }
        Ok(net)
    }

    /// The text of its file: a line for every row of weights.
    pub(crate) fn write(&self) -> String {
        let mut head = serde_json::to_value(Net { weights: Vec::new(), ..self.clone() }).expect("numbers");
        let mut text = String::from("{\n");
        if let Some(members) = head.as_object_mut() {
            members.remove("weights");
            members.iter().for_each(|(name, value)| text.push_str(&format!("\"{name}\": {value},\n")));
        }
        let row = |row: &[i16; HIDDEN]| serde_json::to_string(row).expect("numbers");
        let rows: Vec<String> = self.weights.iter().map(row).collect();
        text.push_str(&format!("\"weights\": [\n{}\n]\n}}\n", rows.join(",\n")));
        text
    }

    /// The evaluation for the seat to move, from the hand-made one and the features of the
    /// position.
    #[inline]
    pub fn judge(&self, hand_made: i32, list: impl FnOnce(&mut Sums<'_>)) -> i32 {
        let mut sums = Sums { weights: &self.weights, sums: self.bias };
        list(&mut sums);
        let mut answer = 0;
        for (&sum, &weight) in sums.sums.iter().zip(&self.answer) {
            let sum = i32::from(sum).clamp(0, ONE);
            answer += i64::from(sum * sum) * i64::from(weight);
        }
        let answer = answer / i64::from(ONE * ONE) + i64::from(self.answer_bias);
        let hand_made = i64::from(hand_made) * i64::from(self.hand_made) / i64::from(HAND_MADE_ONE);
        (hand_made + answer / i64::from(ANSWER_ONE)) as i32
    }
}

/// What the hidden units have come to so far.
#[derive(Clone, Debug)]
pub struct Sums<'a> {
    weights: &'a [[i16; HIDDEN]],
    sums: [i16; HIDDEN],
}

/// Whoever wants to know the features of a position.
pub trait FeatureList {
    fn add(&mut self, feature: usize);
}

impl FeatureList for Sums<'_> {
    #[inline(always)]
    fn add(&mut self, feature: usize) {
        for (sum, &weight) in self.sums.iter_mut().zip(&self.weights[feature]) {
            *sum = sum.saturating_add(weight);
        }
    }
}

impl FeatureList for Vec<u16> {
    fn add(&mut self, feature: usize) {
        self.push(feature as u16);
    }
}

/// What the features of a game mean, as far as a trainer has to know: first boards with a feature
/// for each of their cells, then others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// Another one if anything about them changes.
    pub name: &'static str,
    /// Cells in a row and in a column.
    pub side: usize,
    /// How many boards.
    pub boards: usize,
    /// How many features after those of the boards.
    pub others: usize,
}

impl Inputs {
    const fn cells(&self) -> usize {
        self.side * self.side
    }

    pub const fn count(&self) -> usize {
        self.boards * self.cells() + self.others
    }

    /// Of a cell of one of the boards; cells are counted row by row.
    #[inline]
    pub const fn cell(&self, board: usize, column: usize, row: usize) -> usize {
        board * self.cells() + row * self.side + column
    }

    #[inline]
    pub const fn other(&self, number: usize) -> usize {
        self.boards * self.cells() + number
    }

    /// What becomes of each feature if the board is turned or turned over: all eight ways.
    pub(crate) fn symmetries(&self) -> Vec<Vec<u16>> {
        let last = self.side.saturating_sub(1);
        let turned = |symmetry: usize| {
            let cell = |column: usize, row: usize| {
                let (column, row) = if symmetry & 4 != 0 { (row, column) } else { (column, row) };
                let column = if symmetry & 1 != 0 { last - column } else { column };
                let row = if symmetry & 2 != 0 { last - row } else { row };
                (column, row)
            };
            let mut features: Vec<u16> = Vec::with_capacity(self.count());
            for board in 0..self.boards {
                for index in 0..self.cells() {
                    let (column, row) = cell(index % self.side, index / self.side);
                    features.push(self.cell(board, column, row) as u16);
                }
            }
            features.extend((features.len()..self.count()).map(|other| other as u16));
            features
        };
        (0..8).map(turned).collect()
    }
}

/// A net in a file that a game is built with.
#[derive(Clone, Copy, Debug)]
pub struct ShippedNet {
    pub json: &'static str,
    pub inputs: Inputs,
}

impl ShippedNet {
    pub(super) fn read(&self) -> Arc<Net> {
        Arc::new(Net::read(self.json, &self.inputs).expect("the net that a game is built with"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: Inputs = Inputs { name: "test-1", side: 3, boards: 1, others: 2 };

    fn net() -> Net {
        let mut net = Net::blank("test", &Options::new(), &INPUTS);
        net.weights[INPUTS.cell(0, 1, 0)][0] = 100;
        net.weights[INPUTS.cell(0, 2, 2)][0] = 400;
        net.weights[INPUTS.other(1)][0] = -50;
        net.bias[0] = 50;
        net.answer[0] = 3 * ANSWER_ONE * ONE;
        net.answer_bias = -7 * ANSWER_ONE;
        net.hand_made = HAND_MADE_ONE / 2;
        net
    }

    #[test]
    fn sums_are_clipped_and_squared() {
        let net = net();
        let judge =
            |features: &[usize]| net.judge(20, |sums| features.iter().for_each(|&feature| sums.add(feature)));
        // Half of 20, 7 less, and three times the square of the sum in 255ths.
        assert_eq!(judge(&[]), 3 + 3 * 50 * 50 / ONE);
        assert_eq!(judge(&[INPUTS.cell(0, 1, 0)]), 3 + 3 * 150 * 150 / ONE);
        assert_eq!(judge(&[INPUTS.cell(0, 2, 2)]), 3 + 3 * ONE);
        assert_eq!(judge(&[INPUTS.other(1), INPUTS.other(1)]), 3);
    }

    #[test]
    fn a_net_is_read_as_it_was_written() {
        let net = Net { scale: 90, ..net() };
        assert_eq!(Net::read(&net.write(), &INPUTS).expect("a net"), net);
    }

    #[test]
    fn what_is_no_net_of_the_game_is_refused() {
        let refusal = |net: &Net, inputs: &Inputs| {
            Net::read(&net.write(), inputs).expect_err("no net of this game").to_string()
        };
        let other = Inputs { name: "test-2", others: 3, ..INPUTS };
        assert_eq!(
            refusal(&net(), &other),
            "this is a net of \"test-1\" with 11 features; wanted is \"test-2\" with 12"
        );
        type Spoil = fn(&mut Net);
        let cases: [(Spoil, &str); 5] = [
            (|net| net.format = "tabuleiro-net-0".into(), "this is not of the format"),
            (|net| net.answer[3] = i32::MIN, "a weight of the answer is out of range"),
            (|net| net.scale = 0, "\"scale\" is out of range"),
            (|net| net.hand_made = 5_000, "\"hand_made\" is out of range"),
            (|net| net.game = "x".repeat(LONGEST_FILE), "this has "),
        ];
        for (spoil, reason) in cases {
            let mut net = net();
            spoil(&mut net);
            let refusal = refusal(&net, &INPUTS);
            assert!(refusal.starts_with(reason), "{refusal}");
        }
        assert!(Net::read("{}", &INPUTS).is_err());
    }

    #[test]
    fn features_move_with_the_board() {
        let symmetries = INPUTS.symmetries();
        for symmetry in &symmetries {
            let mut all = symmetry.clone();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..INPUTS.count() as u16), "each has a place of its own");
        }
        let places = |feature: usize| {
            let mut places: Vec<u16> = symmetries.iter().map(|symmetry| symmetry[feature]).collect();
            places.sort_unstable();
            places
        };
        // A corner goes to each corner twice.
        assert_eq!(places(INPUTS.cell(0, 0, 0)), [0, 0, 2, 2, 6, 6, 8, 8]);
        assert_eq!(places(INPUTS.other(1)), [INPUTS.other(1) as u16; 8]);
    }
}
