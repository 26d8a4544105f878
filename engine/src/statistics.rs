//! What the results of games say about two players.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How far a normal variable strays in 95 cases of 100, in standard deviations.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The results of one side, opening by opening.
///
/// The two games of an opening are not independent: an opening that favours a seat gives each side
/// one win. So the unit is the opening, whether one or two games of it were played, and the
/// variance of the score is that of a mean over clusters. With two games each this is what is known
/// as the pentanomial variance, with one each the trinomial one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    openings: f64,
    games: f64,
    points: f64,
    // Sums over the openings: points², points · games, games².
    points_points: f64,
    points_games: f64,
    games_games: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Sample {
    /// Adds an opening: how many games were played of it, and the points that the side got for
    /// them.
    pub fn add(&mut self, points: f64, games: u32) {
        let games = f64::from(games);
        self.openings += 1.0;
        self.games += games;
        self.points += points;
        self.points_points += points * points;
        self.points_games += points * games;
        self.games_games += games * games;
    }

    /// The share of the points; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games > 0.0).then(|| self.points / self.games)
    }

    /// Where the true score lies with 95 % confidence.
    pub fn interval(&self) -> Interval {
        let careful = self.with_doubt();
        let centre = careful.points / careful.games;
        let reach = NORMAL_95 * careful.variance_of_score().sqrt();
        Interval { low: (centre - reach).max(0.0), high: (centre + reach).min(1.0) }
    }

    /// With two more openings, both games won and both lost, so that a few equal results don't look
    /// like certainty (Agresti and Coull's "two successes and two failures", by openings).
    fn with_doubt(self) -> Sample {
        self.with_share_of_doubt(1.0)
    }

    /// With so much of these two openings.
    pub(super) fn with_share_of_doubt(mut self, share: f64) -> Sample {
        self.openings += 2.0 * share;
        self.games += 4.0 * share;
        self.points += 2.0 * share;
        self.points_points += 4.0 * share;
        self.points_games += 4.0 * share;
        self.games_games += 8.0 * share;
        self
    }

    /// Of at least two openings.
    fn variance_of_score(&self) -> f64 {
        let squares = self.squares_about(self.points / self.games);
        squares * self.openings / (self.openings - 1.0) / (self.games * self.games)
    }

    /// The sum over the openings of how far, squared, their points were from those to be expected
    /// with this score.
    pub(super) fn squares_about(&self, score: f64) -> f64 {
        self.points_points - 2.0 * score * self.points_games + score * score * self.games_games
    }

    pub(super) fn openings(&self) -> f64 {
        self.openings
    }

    pub(super) fn points(&self) -> f64 {
        self.points
    }

    pub(super) fn games(&self) -> f64 {
        self.games
    }
}

/// The difference in Elo at which a score is to be expected; infinite for all or nothing.
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score to be expected at a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential test of two hypotheses about the difference in Elo, each wrongly taken in at most
/// one case of twenty. Written `0,20`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hypothesis {
    Elo0,
    Elo1,
}

impl Sprt {
    const ERROR: f64 = 0.05;

    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// From here up and from its negative down the test is decided.
    pub fn bound() -> f64 {
        ((1.0 - Self::ERROR) / Self::ERROR).ln()
    }

    /// How much more likely (as a logarithm) the results are under the second hypothesis than under
    /// the first, with the score taken to be normal about either and the variance that was seen.
    pub fn log_likelihood_ratio(&self, sample: &Sample) -> f64 {
        let Some(score) = sample.score() else { return 0.0 };
        let (score0, score1) = (expected_score(self.elo0), expected_score(self.elo1));
        (score1 - score0) * (2.0 * score - score0 - score1) / (2.0 * sample.with_doubt().variance_of_score())
    }

    pub fn decide(&self, sample: &Sample) -> Option<Hypothesis> {
        let ratio = self.log_likelihood_ratio(sample);
        if ratio >= Self::bound() {
            Some(Hypothesis::Elo1)
        } else if ratio <= -Self::bound() {
            Some(Hypothesis::Elo0)
        } else {
            None
        }
    }
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers = text.split_once(',').and_then(|(elo0, elo1)| {
            let elo = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= 2000.0);
            Some((elo(elo0)?, elo(elo1)?))
        });
        match numbers {
            Some((elo0, elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
            Some(_) => Err("the first number must be less than the second, as in 0,20".into()),
            None => Err("must be two differences in Elo of at most 2000, as in 0,20".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(openings: &[(f64, u32)]) -> Sample {
        let mut sample = Sample::default();
        openings.iter().for_each(|&(points, games)| sample.add(points, games));
        sample
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }

    #[test]
    fn the_variance_of_single_games_is_the_trinomial_one() {
        // 4 wins, 2 draws, 2 losses: score 5/8, mean square 4.5/8, so 8/7 · (0.5625 - 0.390625) /
        // 8.
        let openings: Vec<_> = [1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.0, 0.0].map(|points| (points, 1)).into();
        near(sample(&openings).variance_of_score(), 8.0 / 7.0 * 0.171_875 / 8.0);
    }

    #[test]
    fn the_variance_of_pairs_is_the_pentanomial_one() {
        // Halves of pairs 1, 1, 0.75, 0.5, 0.25: mean 0.7, squares about it 0.09 + 0.09 + 0.0025 +
        // 0.04 + 0.2025 = 0.425.
        let pairs = [(2.0, 2), (2.0, 2), (1.5, 2), (1.0, 2), (0.5, 2)];
        near(sample(&pairs).variance_of_score(), 0.425 / 4.0 / 5.0);
        // Openings that are won by whoever has the better seat say little about seats, and
        // everything about the players.
        near(sample(&[(1.0, 2); 10]).variance_of_score(), 0.0);
    }

    #[test]
    fn an_interval_by_hand() {
        // With the two openings of doubt: 7 pairs, 9 of 14 points, mean 9/14 = 0.642857. Halves of
        // pairs: 1, 1, 0.75, 0.5, 0.25, 1, 0: squares about the mean 3 · 0.127551 + 0.011480 +
        // 0.020408 + 0.154337 + 0.413265 = 0.982143; / 6 / 7 = 0.0233844, root 0.152920.
        let found = sample(&[(2.0, 2), (2.0, 2), (1.5, 2), (1.0, 2), (0.5, 2)]).interval();
        near(found.low, 0.642_857 - 1.959_964 * 0.152_920);
        near(found.high, 0.642_857 + 1.959_964 * 0.152_920);
    }

    #[test]
    fn equal_results_are_no_certainty() {
        let all_won = sample(&[(2.0, 2); 50]);
        assert_eq!(all_won.score(), Some(1.0));
        // 102 of 104 points; squares 51 · (2/104·2)² + (2 - 4/104)², · 52/51 / 104², root 0.019231.
        near(all_won.interval().low, 0.980_769 - 1.959_964 * 0.019_231);
        near(all_won.interval().high, 1.0);
        let all_split = sample(&[(1.0, 2); 10]).interval();
        assert!(all_split.low < 0.45 && all_split.high > 0.55, "{all_split:?}");
        assert_eq!(sample(&[]).interval(), Interval { low: 0.0, high: 1.0 });
        assert_eq!(sample(&[]).score(), None);
    }

    #[test]
    fn the_interval_always_holds_the_score() {
        for won in 0..=40 {
            let mut openings = vec![(2.0, 2); won];
            openings.resize(40, (0.0, 2));
            openings.push((1.0, 1));
            let sample = sample(&openings);
            let (score, Interval { low, high }) = (sample.score().expect("games"), sample.interval());
            assert!(low < score && score < high || score == high, "{low} {score} {high}");
        }
    }

    #[test]
    fn the_interval_covers_the_truth_about_nineteen_times_in_twenty() {
        let mut random = crate::random::Random::new(1);
        for true_score in [0.5, 0.7, 0.9] {
            let mut covered = 0;
            for _ in 0..1000 {
                let mut sample = Sample::default();
                for _ in 0..50 {
                    let mut game =
                        || f64::from(u8::from(f64::from(random.below(1000)) < true_score * 1000.0));
                    let points = game() + game();
                    sample.add(points, 2);
                }
                let Interval { low, high } = sample.interval();
                covered += i32::from((low..=high).contains(&true_score));
            }
            assert!((930..=980).contains(&covered), "{true_score}: {covered}");
        }
    }

    #[test]
    fn elo_is_logistic() {
        near(elo_of(0.5), 0.0);
        near(elo_of(0.75), 190.8485);
        near(elo_of(10.0 / 11.0), 400.0);
        assert_eq!(elo_of(1.0), f64::INFINITY);
        assert_eq!(elo_of(0.0), f64::NEG_INFINITY);
        near(expected_score(400.0), 10.0 / 11.0);
        near(expected_score(elo_of(0.3)), 0.3);
    }

    #[test]
    fn a_sequential_test_by_hand() {
        near(Sprt::bound(), 2.944_44);
        let test: Sprt = "0,100".parse().expect("a test");
        // Expected scores 0.5 and 0.640065. 20 pairs of which 12 give 1.5 and 8 give 1 point: score
        // 26/40 = 0.65; with doubt 28 of 44 points, mean 0.636364, squares of the halves about it
        // 12 · 0.012913 + 8 · 0.018595 + 0.132231 + 0.404959 = 0.840909, / 21 / 22.
        let mut pairs = vec![(1.5, 2); 12];
        pairs.extend([(1.0, 2); 8]);
        let by_hand = 0.140_065 * (1.3 - 1.140_065) / (2.0 * 0.840_909 / 21.0 / 22.0);
        near(test.log_likelihood_ratio(&sample(&pairs)), by_hand);
        assert_eq!(test.decide(&sample(&pairs)), Some(Hypothesis::Elo1));
        assert_eq!(test.decide(&sample(&[(1.0, 2); 3])), None);
        assert_eq!(test.decide(&sample(&[(1.0, 2); 60])), Some(Hypothesis::Elo0));
        assert_eq!(test.log_likelihood_ratio(&sample(&[])), 0.0);
    }

    #[test]
    fn what_is_no_test_is_refused() {
        for text in ["", "5", "5,0", "0,0", "0,nan", "a,b", "0,1,2", "0,inf"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
        assert_eq!("-5, 0".parse(), Ok(Sprt { elo0: -5.0, elo1: 0.0 }));
    }
}
