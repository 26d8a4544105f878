//! Lets a net play what the engine plays with now.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::game::{Describe, GameOptions};
use crate::search::{Effort, Evaluate, Net, NetError};
use crate::statistics::{Sample, elo_of};
use crate::tools::position_in_play;
use crate::tools::tune::{self, Calibration, compare, fit_scale};

/// How to go about it.
#[derive(Clone, Copy, Debug)]
pub struct ContestPlan {
    pub games: u32,
    /// For every turn.
    pub effort: Effort,
    pub seed: u64,
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The net against what the engine plays with now.
    pub sample: Sample,
    pub calibration: Calibration,
    pub scale: i32,
    /// The scale with which the net's chances would come closest to the results.
    pub best_scale: i32,
}

#[derive(Debug, Error)]
pub enum ContestError {
    #[error("no net can be taught {0} with these options")]
    NoInputs(&'static str),
    #[error(transparent)]
    Net(#[from] NetError),
}

/// Lets a net, given as the text of its file, play the weights that a game comes with.
pub fn contest<G: Describe + Evaluate>(
    options: &GameOptions,
    net: &str,
    plan: &ContestPlan,
    stop: &AtomicBool,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<Contest, ContestError> {
    let position = position_in_play::<G>(options);
    let inputs = position.inputs().ok_or(ContestError::NoInputs(G::NAME))?;
    let old = position.shipped_weights();
    let net = Arc::new(Net::read(net, &inputs)?);
    let new = G::with_net(&old, net).map(Arc::new).ok_or(ContestError::NoInputs(G::NAME))?;
    let scale = G::scale(&new);
    let (mut sample, mut judgements) = (Sample::default(), Vec::new());
    // A few at a time, so that something can be said on the way and it can be ended.
    const AT_ONCE: u32 = 32;
    let &ContestPlan { effort, seed, threads, .. } = plan;
    let games = tune::Contest::<G> { options, effort, seed, threads, new: &new, old: &old };
    let mut pairs = 0..plan.games.div_ceil(2);
    while !pairs.is_empty() && !stop.load(Ordering::Relaxed) {
        let some = pairs.start..pairs.end.min(pairs.start + AT_ONCE);
        pairs.start = some.end;
        compare(&games, some, &mut sample, &mut judgements);
        say(&format!("{} of {} games: {}", 2 * pairs.start, plan.games, shown(&sample)));
    }
    let best_scale = fit_scale(&judgements, scale);
    Ok(Contest { sample, calibration: Calibration::of(&judgements, scale), scale, best_scale })
}

fn shown(sample: &Sample) -> String {
    let score = sample.score().unwrap_or(0.5);
    let interval = sample.interval();
    format!(
        "{:.1} % (95 %: {:.1} to {:.1}), Elo {:+.0}",
        100.0 * score,
        100.0 * interval.low,
        100.0 * interval.high,
        elo_of(score)
    )
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contest { sample, calibration, scale, best_scale } = self;
        writeln!(f, "{calibration}the scale is {scale}; {best_scale} would come closest")?;
        writeln!(f, "the net against what the engine plays with: {}", shown(sample))
    }
}
