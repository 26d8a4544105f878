//! Fits a net to games: stochastic gradient descent (Adam) on the chance to win.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};
use tabuleiro_protocol::Seat;
use thiserror::Error;

use super::data::{DataError, Head, each_game};
use super::progress::Progress;
use crate::game::{Describe, GameOptions};
use crate::random::Random;
use crate::search::{
    ANSWER_ONE, Evaluate, FeatureList, FeatureSet, HAND_MADE_ONE, HIDDEN, Inputs, LARGEST_ANSWER, Net,
    NetError, ONE, Sums, win_chance,
};
use crate::tools::{hand_made, position_in_play};

/// How to go about it.
#[derive(Clone, Debug)]
pub struct FitPlan {
    /// Files of games.
    pub data: Vec<PathBuf>,
    /// How often to go through all positions.
    pub epochs: u32,
    /// How much the result of a game counts beside what a search thought, from 0 to 1.
    pub result: f64,
    pub seed: u64,
    /// The text of a net's file to go on with, instead of beginning with a new one.
    pub from: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct FittedNet {
    /// The text of its file.
    pub net: String,
    pub positions: usize,
    /// Mean squared errors in positions that it was not fitted to: by the hand-made evaluation and
    /// by the net.
    pub before: f64,
    pub after: f64,
}

#[derive(Debug, Error)]
pub enum FitError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("no net can be taught {0} with these options")]
    NoInputs(&'static str),
    #[error("{0} holds games of another game or with other options")]
    OtherGame(String),
    #[error("there is too little to learn from: {0} positions")]
    TooLittle(usize),
    #[error("the net to go on with: {0}")]
    From(NetError),
    #[error("ended before the first pass was done")]
    Stopped,
}

/// One game in so many is not learned from but shows what was learned.
const HELD_OUT: u32 = 16;
const BATCH: usize = 2048;
/// The learning rate at the beginning and at the end.
const RATES: (f32, f32) = (2e-3, 5e-5);
/// How much weights shrink, as a share of the learning rate.
const DECAY: f32 = 0.01;
/// Weights of the first layer stay within this.
const LARGEST: f32 = 100.0;

/// Positions, each as its features and what is known of it.
#[derive(Default)]
struct Samples {
    features: Vec<u16>,
    /// Where the features of each end.
    samples: Vec<Sample>,
}

#[derive(Clone, Copy)]
struct Sample {
    end: usize,
    hand_made: i32,
    aim: f32,
}

impl Samples {
    fn features(&self, index: usize) -> &[u16] {
        let start = if index == 0 { 0 } else { self.samples[index - 1].end };
        &self.features[start..self.samples[index].end]
    }
}

/// Fits a net. `stop` ends it early with what there is by then.
pub fn fit<G: Describe + Evaluate>(
    options: &GameOptions,
    plan: &FitPlan,
    stop: &AtomicBool,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<FittedNet, FitError> {
    let position = position_in_play::<G>(options);
    let inputs = position.inputs().ok_or(FitError::NoInputs(G::NAME))?;
    let weights = hand_made::<G>(&position.shipped_weights());
    let scale = G::scale(&weights);
    let from =
        plan.from.as_deref().map(|text| Net::read(text, &inputs)).transpose().map_err(FitError::From)?;
    let mut progress = Progress::new(say);
    let [mut learned, mut held_out] = [Samples::default(), Samples::default()];
    let mut heads = Vec::new();
    for file in &plan.data {
        let mut games = 0;
        let head = each_game(file, |played| {
            games += 1;
            let samples = if played.number % HELD_OUT == 0 { &mut held_out } else { &mut learned };
            played.lessons::<G>(options, |lesson| {
                let mut features = FeatureSet::EMPTY;
                lesson.game.features(&mut features);
                if features == FeatureSet::EMPTY {
                    return;
                }
                samples.features.extend(features.members());
                let aim = match lesson.result {
                    None => lesson.win,
                    Some(result) => plan.result * result + (1.0 - plan.result) * lesson.win,
                };
                let hand_made = lesson.game.evaluate(lesson.game.to_move(), &weights);
                let end = samples.features.len();
                samples.samples.push(Sample { end, hand_made, aim: aim as f32 });
            });
        })?;
        if !head.is_of::<G>(options) {
            return Err(FitError::OtherGame(file.display().to_string()));
        }
        progress.say(&format!("read {games} games of {}", file.display()));
        heads.push(head.in_a_net(games));
    }
    let positions = learned.samples.len();
    if positions < BATCH || held_out.samples.is_empty() {
        return Err(FitError::TooLittle(positions));
    }
    let error_of = |judge: &dyn Fn(usize) -> f64| {
        let errors = (0..held_out.samples.len())
            .map(|index| (judge(index) - f64::from(held_out.samples[index].aim)).powi(2));
        errors.sum::<f64>() / held_out.samples.len() as f64
    };
    let before = error_of(&|index| win_chance(held_out.samples[index].hand_made, scale));
    progress.say(&format!("{positions} positions; the hand-made evaluation is off by {before:.5}"));
    let mut model = Model::new(inputs, scale, plan.seed);
    if let Some(net) = &from {
        model.go_on_with(net);
    }
    let mut random = Random::new(plan.seed);
    let symmetries = inputs.symmetries();
    model.forget_all_but(learned.features.iter().flat_map(|&feature| {
        symmetries.iter().map(move |symmetry| usize::from(symmetry[usize::from(feature)]))
    }));
    let mut order: Vec<u32> = (0..positions as u32).collect();
    let steps = (positions / BATCH * plan.epochs as usize).max(1);
    let (mut step, mut best): (usize, Option<(f64, Net)>) = (0, None);
    for epoch in 1..=plan.epochs {
        random.shuffle(&mut order);
        for batch in order.chunks_exact(BATCH) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            for &index in batch {
                let symmetry = &symmetries[random.below(symmetries.len() as u32) as usize];
                model.learn(&learned, index as usize, symmetry);
            }
            let done = step as f32 / steps as f32;
            model.step(RATES.0 * (RATES.1 / RATES.0).powf(done));
            step += 1;
        }
        let net = model.net(G::ID, options);
        let sums = RefCell::new(Sums::default());
        let after = error_of(&|index| {
            let list = |set: &mut FeatureSet| {
                held_out.features(index).iter().for_each(|&feature| set.add(usize::from(feature)));
            };
            let value = net.judge(held_out.samples[index].hand_made, Seat::One, &mut sums.borrow_mut(), list);
            win_chance(value, scale)
        });
        progress.say(&format!("pass {epoch} of {}: off by {after:.5}", plan.epochs));
        if best.as_ref().is_none_or(|(least, _)| after < *least) {
            best = Some((after, net));
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let (after, mut net) = best.ok_or(FitError::Stopped)?;
    net.made = Map::from_iter([
        ("version".into(), json!(env!("CARGO_PKG_VERSION"))),
        ("games".into(), Value::Array(heads)),
        ("positions".into(), json!(positions)),
        ("passes".into(), json!(plan.epochs)),
        ("result".into(), json!(plan.result)),
        ("seed".into(), json!(plan.seed)),
        ("from".into(), from.map_or(Value::Null, |net| Value::Object(net.made))),
        ("error_hand_made".into(), json!(rounded(before))),
        ("error".into(), json!(rounded(after))),
    ]);
    Ok(FittedNet { net: net.write(), positions, before, after })
}

fn rounded(error: f64) -> f64 {
    (error * 1e5).round() / 1e5
}

impl Head {
    /// What a net says of the games that it was taught with.
    fn in_a_net(&self, games: usize) -> Value {
        json!({"games": games, "nodes": self.nodes, "seed": self.seed, "version": self.version})
    }
}

/// A net with real numbers, on its way to be one with whole numbers.
struct Model {
    inputs: Inputs,
    scale: i32,
    /// The rows, the biases, the weights of the answer, its bias, and what the hand-made evaluation
    /// counts.
    weights: Vec<f32>,
    gradient: Vec<f32>,
    /// Adam: means of gradients and of their squares.
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Model {
    fn new(inputs: Inputs, scale: i32, seed: u64) -> Model {
        let mut random = Random::new(seed);
        let mut noise = |size: f32| (random.below(1 << 16) as f32 / 32768.0 - 1.0) * size;
        let rows = inputs.count() * HIDDEN;
        let mut weights: Vec<f32> = (0..rows).map(|_| noise(0.03)).collect();
        weights.extend((0..HIDDEN).map(|_| 0.4 + noise(0.3)));
        weights.extend((0..HIDDEN).map(|_| noise(0.3)));
        weights.extend([0.0, 1.0]);
        let zeros = vec![0.0; weights.len()];
        Model {
            inputs,
            scale,
            weights,
            gradient: zeros.clone(),
            mean: zeros.clone(),
            square: zeros,
            steps: 0,
        }
    }

    fn bias(&self) -> usize {
        self.inputs.count() * HIDDEN
    }

    fn answer(&self) -> usize {
        self.bias() + HIDDEN
    }

    fn answer_bias(&self) -> usize {
        self.answer() + HIDDEN
    }

    fn of_hand_made(&self) -> usize {
        self.answer_bias() + 1
    }

    /// Sets the rows of all other features to nothing: they are on no board, or nothing was learned
    /// of them.
    fn forget_all_but(&mut self, seen: impl Iterator<Item = usize>) {
        let mut is_seen = vec![false; self.inputs.count()];
        seen.for_each(|feature| is_seen[feature] = true);
        for (row, _) in self.weights.chunks_exact_mut(HIDDEN).zip(is_seen).filter(|(_, is_seen)| !is_seen) {
            row.fill(0.0);
        }
    }

    /// Takes the weights of a net, as closely as whole numbers say them.
    fn go_on_with(&mut self, net: &Net) {
        let of_value = |value: i32| (f64::from(value) / self.units_of_answer()) as f32;
        let of_unit = |weight: &i16| f32::from(*weight) / ONE as f32;
        let mut weights: Vec<f32> = net.weights.iter().flatten().chain(&net.bias).map(of_unit).collect();
        weights.extend(net.answer.iter().chain([&net.answer_bias]).map(|&weight| of_value(weight)));
        weights.push(net.hand_made as f32 / HAND_MADE_ONE as f32);
        self.weights = weights;
    }

    /// What stands for 1 in a weight of the answer of a net with whole numbers.
    fn units_of_answer(&self) -> f64 {
        f64::from(self.scale) / 3f64.ln() * f64::from(ANSWER_ONE)
    }

    /// Adds what a position says to the gradient.
    fn learn(&mut self, samples: &Samples, index: usize, symmetry: &[u16]) {
        let sample = samples.samples[index];
        let row = |feature: &u16| usize::from(symmetry[usize::from(*feature)]) * HIDDEN;
        let (bias, answer) = (self.bias(), self.answer());
        let mut sums = [0.0; HIDDEN];
        sums.copy_from_slice(&self.weights[bias..bias + HIDDEN]);
        for start in samples.features(index).iter().map(row) {
            for (sum, weight) in sums.iter_mut().zip(&self.weights[start..start + HIDDEN]) {
                *sum += weight;
            }
        }
        let sums = sums.map(|sum: f32| sum.clamp(0.0, 1.0));
        let hand_made = (sample.hand_made as f32 / self.scale as f32 * 3f32.ln()).clamp(-8.0, 8.0);
        let mut logit = self.weights[self.answer_bias()] + self.weights[self.of_hand_made()] * hand_made;
        for (sum, weight) in sums.iter().zip(&self.weights[answer..answer + HIDDEN]) {
            logit += sum * sum * weight;
        }
        let slope = 1.0 / (1.0 + (-logit).exp()) - sample.aim;
        let (of_bias, of_hand_made) = (self.answer_bias(), self.of_hand_made());
        self.gradient[of_bias] += slope;
        self.gradient[of_hand_made] += slope * hand_made;
        let mut slopes = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let sum = sums[unit];
            self.gradient[answer + unit] += slope * sum * sum;
            if sum > 0.0 && sum < 1.0 {
                slopes[unit] = slope * self.weights[answer + unit] * 2.0 * sum;
            }
        }
        let starts = samples.features(index).iter().map(row).chain([bias]);
        for start in starts {
            for (gradient, slope) in self.gradient[start..start + HIDDEN].iter_mut().zip(slopes) {
                *gradient += slope;
            }
        }
    }

    /// Takes a step against the gradient.
    fn step(&mut self, rate: f32) {
        const KEPT: (f32, f32) = (0.9, 0.999);
        self.steps += 1;
        let (first, second) = (1.0 - KEPT.0.powi(self.steps), 1.0 - KEPT.1.powi(self.steps));
        let rows = self.bias();
        for index in 0..self.weights.len() {
            let gradient = self.gradient[index] / BATCH as f32;
            self.gradient[index] = 0.0;
            let (mean, square) = (&mut self.mean[index], &mut self.square[index]);
            *mean = KEPT.0 * *mean + (1.0 - KEPT.0) * gradient;
            *square = KEPT.1 * *square + (1.0 - KEPT.1) * gradient * gradient;
            let weight = &mut self.weights[index];
            *weight -= rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
            if index < rows {
                *weight = (*weight * (1.0 - rate * DECAY)).clamp(-LARGEST, LARGEST);
            }
        }
    }

    /// The same with whole numbers.
    fn net(&self, game: &str, options: &GameOptions) -> Net {
        let units = self.units_of_answer();
        let value =
            |weight: f32| ((f64::from(weight) * units).round() as i32).clamp(-LARGEST_ANSWER, LARGEST_ANSWER);
        let unit = |weight: f32| (weight * ONE as f32).round() as i16;
        let row = |start: usize| std::array::from_fn(|index| unit(self.weights[start + index]));
        let mut net = Net::blank(game, options.values(), &self.inputs);
        net.scale = self.scale;
        net.hand_made = (self.weights[self.of_hand_made()] * HAND_MADE_ONE as f32).round() as i32;
        net.answer_bias = value(self.weights[self.answer_bias()]);
        net.answer = std::array::from_fn(|index| value(self.weights[self.answer() + index]));
        net.bias = row(self.bias());
        net.weights = (0..self.inputs.count()).map(|feature| row(feature * HIDDEN)).collect();
        net
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Describe;
    use crate::games::zurero::Zurero;

    #[test]
    fn a_model_that_goes_on_with_a_net_is_that_net() {
        let inputs = Inputs { name: "test-1", side: 3, row: 4, boards: 2, others: 4 };
        let options = GameOptions::default_of(&Zurero::options());
        let net = Model::new(inputs, 90, 1).net("test", &options);
        let mut model = Model::new(inputs, 90, 2);
        assert_ne!(model.net("test", &options), net);
        model.go_on_with(&net);
        assert_eq!(model.net("test", &options), net);
    }
}
