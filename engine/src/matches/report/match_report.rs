//! What a match came to, for people and for programs.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::results::Results;
use super::tally::Counts;
use crate::matches::{PerContender, Schedule, Settings, Shard};
use crate::statistics::{Hypothesis, Interval, Sample, Sprt, elo_of};

/// Why a match was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// All games were played.
    Finished,
    /// The sequential test was decided before that.
    Decided,
    /// Somebody wanted it to end.
    Interrupted,
    /// A game could not be played or written down.
    Failed,
}

/// What a match came to. As JSON it is the last line that `match --json` writes; all is from where
/// a sits.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub settings: Settings,
    /// The part of a match that this is, if it is not all of it.
    pub shard: Option<Shard>,
    pub ended: Ended,
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Openings of which both games were played, by the half points that a got for them: none, one,
    /// … four.
    pub pairs: [u32; 5],
    /// Null without games.
    pub score: Option<f64>,
    pub low: f64,
    pub high: f64,
    /// Null where the score is all or nothing; so are the bounds.
    pub elo: Option<f64>,
    pub elo_low: Option<f64>,
    pub elo_high: Option<f64>,
    pub sprt: Option<SprtReport>,
    /// Turns of both in an average game, those of the opening included.
    pub turns: Option<f64>,
    /// Average thinking time a turn.
    pub time_ms: PerContender<Option<f64>>,
    pub nodes_per_s: PerContender<Option<f64>>,
    pub reasons: Counts,
    pub failures: PerContender<Counts>,
    /// How long this run took; null where the games were played by others.
    pub seconds: Option<f64>,
    #[serde(skip)]
    pub(super) sample: Sample,
}

#[derive(Clone, Debug, Serialize)]
pub struct SprtReport {
    pub elo0: f64,
    pub elo1: f64,
    /// The logarithm of the likelihood ratio, and where it decides.
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    pub decision: Option<Hypothesis>,
}

impl SprtReport {
    pub(in crate::matches) fn new(test: &Sprt, llr: f64, decision: Option<Hypothesis>) -> SprtReport {
        let bound = Sprt::bound();
        SprtReport { elo0: test.elo0(), elo1: test.elo1(), llr, lower: -bound, upper: bound, decision }
    }
}

impl Report {
    /// Of the games that were played, and whether something went wrong with the next.
    pub(in crate::matches) fn new(
        settings: &Settings,
        schedule: &Schedule,
        results: Results,
        has_failed: bool,
        took: Option<Duration>,
    ) -> Report {
        let games = results.games();
        let (tally, sprt) = results.tally();
        let ended = match sprt.as_ref().and_then(|sprt| sprt.decision) {
            _ if has_failed => Ended::Failed,
            Some(_) => Ended::Decided,
            None if games as usize == schedule.numbers().count() => Ended::Finished,
            None => Ended::Interrupted,
        };
        let finite_elo = |score| Some(elo_of(score)).filter(|elo| elo.is_finite());
        let score = tally.sample.score();
        let Interval { low, high } = tally.sample.interval();
        Report {
            settings: settings.clone(),
            shard: schedule.shard,
            ended,
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pairs: tally.pairs,
            score,
            low,
            high,
            elo: score.and_then(finite_elo),
            elo_low: finite_elo(low),
            elo_high: finite_elo(high),
            sprt,
            turns: tally.average_length(),
            time_ms: tally.effort.map(|effort| effort.time_ms()),
            nodes_per_s: tally.effort.map(|effort| effort.nodes_per_s()),
            reasons: tally.reasons,
            failures: tally.failures,
            seconds: took.map(|took| took.as_secs_f64()),
            sample: tally.sample,
        }
    }
}

/// For people.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { game, a, b, seed, opening, .. } = &self.settings;
        writeln!(f, "{game}: {a} (a) against {b} (b), seed {seed}, openings of {opening} random turns")?;
        writeln!(f, "games      {}", played(self.games, self.seconds, self.ended))?;
        if let Some(shard) = self.shard {
            writeln!(f, "shard      {shard}, a part of the match: match merge adds the parts up")?;
        }
        writeln!(f, "results    {} won, {} drawn, {} lost by a", self.wins, self.draws, self.losses)?;
        let Some(score) = self.score else { return Ok(()) };
        let shares = [score, self.low, self.high];
        let [score, low, high] = shares.map(|share| share * 100.0);
        writeln!(f, "score      {score:.1} % (95 %: {low:.1} to {high:.1})")?;
        let [elo, elo_low, elo_high] = shares.map(elo_of);
        writeln!(f, "Elo        {elo:+.0} (95 %: {elo_low:+.0} to {elo_high:+.0})")?;
        let [pairs_0, pairs_1, pairs_2, pairs_3, pairs_4] = self.pairs;
        writeln!(
            f,
            "pairs      {pairs_0} of 0 points for a, {pairs_1} of ½, {pairs_2} of 1, {pairs_3} of 1½, {pairs_4} of 2"
        )?;
        if let Some(sprt) = &self.sprt {
            writeln!(f, "test       {sprt}")?;
        }
        writeln!(f, "length     {:.1} turns", self.turns.unwrap_or_default())?;
        for (name, time, nodes) in
            [("a", self.time_ms.a, self.nodes_per_s.a), ("b", self.time_ms.b, self.nodes_per_s.b)]
        {
            let (time, nodes) = (time.unwrap_or_default(), nodes.unwrap_or_default());
            writeln!(f, "{name}          {time:.2} ms a turn, {nodes:.0} nodes a second")?;
        }
        writeln!(f, "ends       {}", listed(&self.reasons))?;
        for (name, failures) in [("a", &self.failures.a), ("b", &self.failures.b)] {
            if !failures.is_empty() {
                writeln!(f, "failures   of {name}: {}", listed(failures))?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, llr, lower, upper, .. } = self;
        let decision = match self.decision {
            None => "undecided".into(),
            Some(Hypothesis::Elo0) => format!("a is no more than {elo0:+} Elo better"),
            Some(Hypothesis::Elo1) => format!("a is at least {elo1:+} Elo better"),
        };
        write!(
            f,
            "{decision} (Elo {elo0:+} or {elo1:+}; log likelihood ratio {llr:.2}, decided at {lower:.2} and {upper:.2})"
        )
    }
}

/// How many games there were, and what became of them.
pub(super) fn played(games: u32, seconds: Option<f64>, ended: Ended) -> String {
    let time = seconds.map(|seconds| format!(" in {seconds:.1} s")).unwrap_or_default();
    let ended = match ended {
        Ended::Finished => "",
        Ended::Decided => ", enough for the test to be decided",
        Ended::Interrupted if seconds.is_none() => "; the others are missing",
        Ended::Interrupted => ", then it was interrupted",
        Ended::Failed => ", then something went wrong",
    };
    format!("{games}{time}{ended}")
}

pub(super) fn listed(counts: &Counts) -> String {
    let listed: Vec<String> = counts.iter().map(|(word, count)| format!("{word} {count}")).collect();
    listed.join(", ")
}
