//! Fits weights to samples.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use super::judgements;
use super::self_play::{Judgement, TrainingSample};
use crate::search::{Evaluate, Value, win_chance};

/// The weight that is no weight: it turns evaluations into chances, and is fitted to whatever the
/// others are.
pub(super) const SCALE: &str = "scale";

/// How far the chances given were from those aimed at, as a mean of squares.
#[derive(Clone, Copy, Debug)]
pub struct Fitted {
    pub before: f64,
    pub after: f64,
}

pub(super) fn to_map<W: Serialize>(weights: &W) -> Map<String, Json> {
    match serde_json::to_value(weights) {
        Ok(Json::Object(map)) => map,
        _ => Map::new(),
    }
}

fn from_map<W: DeserializeOwned>(map: &Map<String, Json>) -> Option<W> {
    serde_json::from_value(Json::Object(map.clone())).ok()
}

/// Changes one weight after the other, by ever smaller steps, as long as the chances come closer to
/// those aimed at.
pub(super) fn fit<G: Evaluate>(samples: &[TrainingSample<G>], old: &G::Weights) -> (G::Weights, Fitted) {
    let scale = fit_scale(&judgements(samples), G::scale(old));
    let aims: Vec<f64> = samples.iter().map(|sample| aim(sample, scale)).collect();
    let mut best = to_map(old);
    let before = error(samples, &aims, old);
    let mut least = before;
    let mut try_map = |map: &Map<String, Json>| {
        let weights: G::Weights = from_map(map)?;
        let error = error(samples, &aims, &weights);
        (error < least - 1e-7).then(|| least = error)
    };
    for part in [4, 8, 16, 32, 64] {
        loop {
            let mut improved = false;
            // The scale first, so that no weight is bent to make up for it.
            let names = || best.keys().cloned().collect::<Vec<_>>();
            let order: Vec<String> = [SCALE.to_string()]
                .into_iter()
                .chain(names().into_iter().filter(|name| name != SCALE))
                .collect();
            for name in order {
                let Some(value) = best.get(&name).and_then(Json::as_i64) else { continue };
                let step = (value.abs() / part).max(1);
                for tried in [value + step, value - step] {
                    if name == SCALE && tried < 1 {
                        continue;
                    }
                    let mut map = best.clone();
                    map.insert(name.clone(), tried.into());
                    if try_map(&map).is_some() {
                        best = map;
                        improved = true;
                        break;
                    }
                }
            }
            if !improved {
                break;
            }
        }
    }
    let weights = from_map(&best).unwrap_or_else(|| old.clone());
    (weights, Fitted { before, after: least })
}

/// The chance that an evaluation should give a position: halfway between what a search thought and
/// the result. A result alone says little about a position that many turns came after; a search
/// alone knows nothing but the old weights.
fn aim<G>(sample: &TrainingSample<G>, scale: i32) -> f64 {
    match (sample.value, sample.result) {
        (Value::Won, _) => 1.0,
        (Value::Lost, _) => 0.0,
        (Value::Drawn, _) => 0.5,
        (Value::Estimate(value), None) => win_chance(value, scale),
        (Value::Estimate(value), Some(result)) => (win_chance(value, scale) + result) / 2.0,
    }
}

/// Where evaluations say nothing about results no scale is too large, but some number has to do.
const LARGEST_SCALE: i32 = 1_000_000;

/// The scale at which chances come closest to results, for what searches thought.
pub(in crate::tools) fn fit_scale(judgements: &[Judgement], start: i32) -> i32 {
    let error = |scale: i32| -> f64 {
        judgements.iter().map(|judged| (win_chance(judged.value, scale) - judged.result).powi(2)).sum()
    };
    let mut best = (error(start), start);
    for part in [2, 4, 8, 16, 32, 64] {
        loop {
            let step = (best.1 / part).max(1);
            let near = [(best.1 + step).min(LARGEST_SCALE), (best.1 - step).max(1)];
            let near = near.map(|scale| (error(scale), scale));
            let Some(better) = near.into_iter().find(|tried| tried.0 < best.0 - 1e-9) else { break };
            best = better;
        }
    }
    best.1
}

fn error<G: Evaluate>(samples: &[TrainingSample<G>], aims: &[f64], weights: &G::Weights) -> f64 {
    let error = |(sample, aim): (&TrainingSample<G>, &f64)| {
        let value = sample.game.evaluate(sample.game.to_move(), weights);
        (win_chance(value, G::scale(weights)) - aim).powi(2)
    };
    samples.iter().zip(aims).map(error).sum::<f64>() / samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(value: i32, won: u32, of: u32) -> impl Iterator<Item = Judgement> {
        (0..of).map(move |game| Judgement { value, result: f64::from(u8::from(game < won)) })
    }

    #[test]
    fn the_scale_is_where_three_in_four_are_won() {
        let judgements: Vec<Judgement> = judged(120, 75, 100).chain(judged(-120, 25, 100)).collect();
        for start in [30, 100, 5_000] {
            assert!((119..=121).contains(&fit_scale(&judgements, start)), "from {start}");
        }
    }

    #[test]
    fn aims_are_halfway_between_search_and_result_unless_something_is_proved() {
        let aim = |value, result| aim(&TrainingSample { game: (), value, result }, 100);
        assert_eq!(aim(Value::Estimate(0), None), 0.5);
        assert_eq!(aim(Value::Estimate(0), Some(1.0)), 0.75);
        assert!((aim(Value::Estimate(100), Some(0.0)) - 0.375).abs() < 1e-9);
        assert_eq!(aim(Value::Won, Some(0.0)), 1.0);
        assert_eq!(aim(Value::Lost, None), 0.0);
        assert_eq!(aim(Value::Drawn, Some(1.0)), 0.5);
    }

    #[test]
    fn the_scale_stays_a_number_where_the_better_lose() {
        let judgements: Vec<Judgement> = judged(120, 25, 100).chain(judged(-120, 75, 100)).collect();
        assert!((1_000..=LARGEST_SCALE).contains(&fit_scale(&judgements, 100)));
    }
}
