//! Small nets that correct static evaluations by what they learned from games.
//!
//! A position is a list of features, small numbers that each say one thing about it as the seat to
//! move sees it: an own stone on this cell, a worker on that one. Every feature has a row of
//! weights. The rows are added up, one sum for each hidden unit; what a unit says is its sum,
//! clipped and squared, and the answer is a weighted sum of that. All of it is whole numbers, so
//! that every machine comes to the same answer. Positions that are judged one after the other differ
//! by few features: the sums go on from those of the last one with the same seat to move.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tabuleiro_protocol::{Options, Seat};
use thiserror::Error;

/// Hidden units of every net.
pub const HIDDEN: usize = 32;

/// What stands for 1 in the sum of a hidden unit: sums are clipped there.
pub(crate) const ONE: i32 = 255;
/// What the square of [`ONE`] is, in 256ths: so it fits into fewer bits.
const SQUARE_ONE: i32 = (ONE * ONE) >> 8;
/// What stands for 1 in a weight of the answer, beside that.
pub(crate) const ANSWER_ONE: i32 = 8;
/// What stands for 1 in the weight of the hand-made evaluation.
pub(crate) const HAND_MADE_ONE: i32 = 256;

/// A net's file is no longer.
const LONGEST_FILE: usize = 1 << 20;
/// No weight of the answer is larger: 32 of them cannot get out of a sum's range.
pub(crate) const LARGEST_ANSWER: i32 = 1 << 17;

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
    /// position. `sums` are those of this net in another position, or new ones.
    #[inline]
    pub fn judge(
        &self,
        hand_made: i32,
        seat: Seat,
        sums: &mut Sums,
        list: impl FnOnce(&mut FeatureSet),
    ) -> i32 {
        sums.listed.words[..self.words()].fill(0);
        list(&mut sums.listed);
        self.answer(hand_made, sums.bring_up_to_date(self, seat))
    }

    /// The same where so few features hold that it is quicker to add them up anew.
    #[inline]
    pub fn judge_few(&self, hand_made: i32, list: impl FnOnce(&mut FewFeatures<'_>)) -> i32 {
        let mut few = FewFeatures { weights: &self.weights, sums: self.bias };
        list(&mut few);
        self.answer(hand_made, &few.sums)
    }

    #[inline]
    fn answer(&self, hand_made: i32, sums: &[i16; HIDDEN]) -> i32 {
        let mut answer = 0;
        for (&sum, &weight) in sums.iter().zip(&self.answer) {
            let sum = sum.clamp(0, ONE as i16) as u16;
            answer += i32::from((sum * sum) >> 8) * weight;
        }
        let answer = answer / SQUARE_ONE + self.answer_bias;
        let hand_made = i64::from(hand_made) * i64::from(self.hand_made) / i64::from(HAND_MADE_ONE);
        hand_made as i32 + answer / ANSWER_ONE
    }

    /// How many words the set of all its features takes.
    fn words(&self) -> usize {
        self.weights.len().div_ceil(64)
    }
}

/// Whoever wants to know the features of a position.
pub trait FeatureList {
    fn add(&mut self, feature: usize);
}

/// The features of a position, added up as they come.
#[derive(Debug)]
pub struct FewFeatures<'a> {
    weights: &'a [[i16; HIDDEN]],
    sums: [i16; HIDDEN],
}

impl FeatureList for FewFeatures<'_> {
    #[inline]
    fn add(&mut self, feature: usize) {
        let row = &self.weights[feature];
        self.sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
    }
}

/// No game has more features than fit into so many words.
const MOST_WORDS: usize = 64;

/// The features of a position: a bit for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureSet {
    words: [u64; MOST_WORDS],
}

impl FeatureSet {
    pub const EMPTY: FeatureSet = FeatureSet { words: [0; MOST_WORDS] };

    /// Adds 64 features that begin with a multiple of 64: those with a bit.
    #[inline]
    pub fn add_word(&mut self, first: usize, bits: u64) {
        self.words[first / 64] |= bits;
    }

    /// The numbers of the features.
    pub(crate) fn members(&self) -> impl Iterator<Item = u16> {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| (word * 64 + bit) as u16)
        })
    }
}

impl FeatureList for FeatureSet {
    #[inline]
    fn add(&mut self, feature: usize) {
        self.words[feature / 64] |= 1 << (feature % 64);
    }
}

/// What the hidden units of a net came to in the positions that were judged last, by the seat that
/// was to move.
#[derive(Clone, Debug)]
pub struct Sums {
    latest: [Option<Latest>; 2],
    listed: FeatureSet,
}

#[derive(Clone, Debug)]
struct Latest {
    features: FeatureSet,
    sums: [i16; HIDDEN],
}

impl Default for Sums {
    fn default() -> Sums {
        Sums { latest: [None, None], listed: FeatureSet::EMPTY }
    }
}

impl Sums {
    /// The sums for the features that are listed.
    #[inline]
    fn bring_up_to_date(&mut self, net: &Net, seat: Seat) -> &[i16; HIDDEN] {
        let fresh = || Latest { features: FeatureSet::EMPTY, sums: net.bias };
        let Latest { features, sums } = self.latest[seat.index()].get_or_insert_with(fresh);
        let words = features.words.iter_mut().zip(&self.listed.words).take(net.words());
        for (word, (before, &now)) in words.enumerate() {
            let mut changed = *before ^ now;
            *before = now;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let row = &net.weights[word * 64 + bit as usize];
                // Sums that wrap around come back when the feature is taken away again.
                if now >> bit & 1 != 0 {
                    sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
                } else {
                    sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_sub(weight));
                }
            }
        }
        sums
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
    /// From the feature of a cell to that of the cell below it.
    pub row: usize,
    /// How many boards.
    pub boards: usize,
    /// How many features after those of the boards.
    pub others: usize,
}

impl Inputs {
    /// From the features of a board to those of the next one: whole words.
    const fn board_size(&self) -> usize {
        (self.side * self.row).next_multiple_of(64)
    }

    pub const fn count(&self) -> usize {
        self.boards * self.board_size() + self.others
    }

    /// Of a cell of one of the boards.
    #[inline]
    pub const fn cell(&self, board: usize, column: usize, row: usize) -> usize {
        board * self.board_size() + row * self.row + column
    }

    #[inline]
    pub const fn other(&self, number: usize) -> usize {
        self.boards * self.board_size() + number
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
            let mut features: Vec<u16> = (0..self.count() as u16).collect();
            for board in 0..self.boards {
                for (column, row) in
                    (0..self.side).flat_map(|column| (0..self.side).map(move |row| (column, row)))
                {
                    let (to_column, to_row) = cell(column, row);
                    features[self.cell(board, column, row)] = self.cell(board, to_column, to_row) as u16;
                }
            }
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

    const INPUTS: Inputs = Inputs { name: "test-1", side: 3, row: 4, boards: 1, others: 2 };

    fn net() -> Net {
        let mut net = Net::blank("test", &Options::new(), &INPUTS);
        net.weights[INPUTS.cell(0, 1, 0)][0] = 100;
        net.weights[INPUTS.cell(0, 2, 2)][0] = 400;
        net.weights[INPUTS.other(1)][0] = -50;
        net.bias[0] = 50;
        net.answer[0] = 3 * ANSWER_ONE * SQUARE_ONE;
        net.answer_bias = -7 * ANSWER_ONE;
        net.hand_made = HAND_MADE_ONE / 2;
        net
    }

    #[test]
    fn sums_are_clipped_and_squared() {
        let net = net();
        let mut sums = Sums::default();
        let mut judge = |features: &[usize]| {
            let list = |set: &mut FeatureSet| features.iter().for_each(|&feature| set.add(feature));
            let value = net.judge(20, Seat::One, &mut sums, list);
            assert_eq!(value, net.judge(20, Seat::One, &mut Sums::default(), list), "as from scratch");
            value
        };
        // Half of 20, 7 less, and three times the square of the sum in 255ths.
        assert_eq!(judge(&[]), 3 + 3 * ((50 * 50) >> 8));
        assert_eq!(judge(&[INPUTS.cell(0, 1, 0)]), 3 + 3 * ((150 * 150) >> 8));
        assert_eq!(judge(&[INPUTS.cell(0, 2, 2)]), 3 + 3 * SQUARE_ONE);
        assert_eq!(judge(&[INPUTS.other(1)]), 3);
        assert_eq!(judge(&[]), 3 + 3 * ((50 * 50) >> 8));
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
            "this is a net of \"test-1\" with 66 features; wanted is \"test-2\" with 67"
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
        assert_eq!(places(INPUTS.cell(0, 0, 0)), [0, 0, 2, 2, 8, 8, 10, 10]);
        assert_eq!(places(INPUTS.other(1)), [INPUTS.other(1) as u16; 8]);
    }
}
