//! Fits the weights of an evaluation to games that the computer plays against itself, and shows by
//! a match whether they are better.

mod calibration;
mod fit;
mod self_play;

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

pub use self::calibration::Calibration;
pub use self::fit::Fitted;
pub(super) use self::fit::fit_scale;
use self::self_play::TrainingSample;
pub(super) use self::self_play::{Contest, Judgement, compare, opening};
use crate::game::GameOptions;
use crate::search::{Effort, Evaluate};
use crate::statistics::{Sample, elo_of};
use crate::tools::{hand_made, position_in_play};

/// How to go about it.
#[derive(Clone, Copy, Debug)]
pub struct TuningSettings {
    /// Games to learn from.
    pub games: u32,
    /// Nodes a turn in all games.
    pub nodes: u64,
    pub seed: u64,
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub weights: Map<String, Value>,
    pub positions: usize,
    pub before: Calibration,
    pub fitted: Fitted,
    pub after: Calibration,
    /// The new weights against the old ones.
    pub sample: Sample,
}

/// Tunes a game, and lets the new weights play so many games against the old ones. `say` hears how
/// it is getting on.
pub fn tune<G: Evaluate>(
    options: &GameOptions,
    settings: &TuningSettings,
    match_games: u32,
    say: &mut dyn FnMut(&str),
) -> Tuned {
    say(&format!("playing {} games of {} nodes a turn", settings.games, settings.nodes));
    // A net is not tuned, and what it corrects is tuned for those who have none.
    let old = Arc::new(hand_made::<G>(&position_in_play::<G>(options).shipped_weights()));
    let mut samples = self_play::game_samples::<G>(options, settings, &old);
    say("trying what is beside them");
    samples.extend(self_play::perturbed_samples(settings, &old, &samples));
    say(&format!("fitting to {} positions", samples.len()));
    let before = Calibration::of(&judgements(&samples), G::scale(&old));
    let (new, fitted) = fit::fit(&samples, &old);
    let new = Arc::new(new);
    say(&format!("playing {match_games} games between new and old"));
    let &TuningSettings { nodes, seed, threads, .. } = settings;
    let contest = Contest::<G> { options, effort: Effort::Nodes(nodes), seed, threads, new: &new, old: &old };
    let (mut sample, mut judgements) = (Sample::default(), Vec::new());
    compare(&contest, 0..match_games.div_ceil(2), &mut sample, &mut judgements);
    // Chances are for what searches find, not for what positions look like.
    let scale = fit_scale(&judgements, G::scale(&new));
    let mut weights = fit::to_map(&*new);
    weights.insert(fit::SCALE.into(), scale.into());
    let after = Calibration::of(&judgements, scale);
    Tuned { weights, positions: samples.len(), before, fitted, after, sample }
}

/// How well the chances that searches give come true.
#[derive(Clone, Copy, Debug)]
pub struct Calibrated {
    pub calibration: Calibration,
    /// The scale of the weights.
    pub scale: i32,
    /// The scale with which the chances would come closest to the results.
    pub best_scale: i32,
}

/// Lets a game's shipped weights play themselves, and compares the chances that they gave with the
/// results.
pub fn calibrate<G: Evaluate>(options: &GameOptions, settings: &TuningSettings) -> Calibrated {
    let weights = position_in_play::<G>(options).shipped_weights();
    let judgements = judgements(&self_play::game_samples::<G>(options, settings, &weights));
    let scale = G::scale(&weights);
    let best_scale = fit_scale(&judgements, scale);
    Calibrated { calibration: Calibration::of(&judgements, scale), scale, best_scale }
}

fn judgements<G>(samples: &[TrainingSample<G>]) -> Vec<Judgement> {
    samples.iter().filter_map(TrainingSample::judgement).collect()
}

impl fmt::Display for Calibrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Calibrated { calibration, scale, best_scale } = self;
        writeln!(f, "{calibration}the scale is {scale}; {best_scale} would come closest")
    }
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} positions, error {:.5} before and {:.5} after",
            self.positions, self.fitted.before, self.fitted.after
        )?;
        writeln!(f, "\nchance given by the search and chance had, with the old weights:\n{}", self.before)?;
        writeln!(f, "with the new weights, against the old ones:\n{}", self.after)?;
        let score = self.sample.score().unwrap_or(0.5);
        let interval = self.sample.interval();
        writeln!(
            f,
            "new against old: {:.1} % (95 %: {:.1} to {:.1}), Elo {:+.0} ({:+.0} to {:+.0})",
            100.0 * score,
            100.0 * interval.low,
            100.0 * interval.high,
            elo_of(score),
            elo_of(interval.low),
            elo_of(interval.high),
        )?;
        let verdict = match interval {
            _ if interval.low > 0.5 => "The new weights are better.",
            _ if interval.high < 0.5 => "The new weights are worse: keep the old ones.",
            _ => "The match does not tell which are better: keep the old ones, or let them play more games.",
        };
        writeln!(f, "{verdict}")
    }
}
