//! What the results of many pairings say about the strength of the players.

use std::f64::consts::LN_10;

use crate::statistics::{NORMAL_95, Sample};

/// What is believed of a player before it has played: it has drawn so many games against an average
/// player. That keeps the ratings of players who won or lost everything finite, is forgotten after
/// a few dozen games, and places a player without games at the average with all the doubt that
/// there is.
const IMAGINARY_DRAWS: f64 = 1.0;

/// Ratings are reckoned in units in which the odds of a game grow by a factor of e.
const ELO: f64 = 400.0 / LN_10;

/// Two players, by number, and the results of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairingScore {
    pub(super) players: [usize; 2],
    pub(super) sample: Sample,
}

/// A player's strength, and where it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rating {
    pub(super) elo: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// What has rating 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zero {
    Average,
    Player(usize),
}

/// The ratings of greatest likelihood, with a draw as half a win, under the logistic model: of two
/// players that are 400 apart one gets ten times the points of the other.
///
/// The errors are those of the sandwich estimator with openings as its clusters. The curvature of
/// the likelihood alone would take every game for an independent one; so between two curvatures
/// stands what the results of whole openings were seen to vary. (A bootstrap over the openings
/// would tell the same, but from a handful of openings it draws the same few results again and
/// again and ends up too sure.) As in a match, two imaginary openings keep a few equal results from
/// looking like certainty, and as there they move the interval and not the rating: so much for its
/// end on the side of an even result. Its other end is as far from the likeliest rating as the
/// error there, which is very far for who hardly ever lost: such a player may be as strong as you
/// like.
pub(super) fn ratings(players: usize, results: &[PairingScore], zero: Zero) -> Vec<Rating> {
    let careful = with_doubt(players, results);
    let likeliest = Estimate::of(likeliest_strengths(players, results), &careful);
    let cautious = Estimate::of(likeliest_strengths(players, &careful), &careful);
    let rating = |player: usize| {
        // A rating is a sum of strengths with these weights.
        let mut weights = vec![0.0; players];
        weights[player] += 1.0;
        match zero {
            Zero::Average => weights.iter_mut().for_each(|weight| *weight -= 1.0 / players as f64),
            Zero::Player(zero) => weights[zero] -= 1.0,
        }
        let (elo, reach) = likeliest.elo_and_reach(&weights);
        let (centre, reach_of_centre) = cautious.elo_and_reach(&weights);
        let (low, high) = if elo > centre {
            (centre - reach_of_centre, elo + reach)
        } else {
            (elo - reach, centre + reach_of_centre)
        };
        Rating { elo, low: low.min(elo), high: high.max(elo) }
    };
    (0..players).map(rating).collect()
}

/// Two imaginary openings for a player, divided among its pairings: with two for each, players with
/// many opponents and few games against any of them would be made of imagination.
fn with_doubt(players: usize, results: &[PairingScore]) -> Vec<PairingScore> {
    let met: Vec<&PairingScore> = results.iter().filter(|results| results.sample.games() > 0.0).collect();
    let mut opponents = vec![0.0_f64; players];
    met.iter().flat_map(|results| results.players).for_each(|player| opponents[player] += 1.0);
    let careful = |results: &PairingScore| {
        let [one, other] = results.players.map(|player| opponents[player]);
        let sample = results.sample.with_share_of_doubt(1.0 / one.min(other));
        PairingScore { sample, ..*results }
    };
    met.into_iter().map(careful).collect()
}

/// By Newton's method. A step is cut short where the curvature could double on the way, so that
/// every step goes up.
fn likeliest_strengths(players: usize, results: &[PairingScore]) -> Vec<f64> {
    const LONGEST_STEP: f64 = 0.3;
    const MOST_STEPS: usize = 1000;
    let mut strengths = vec![0.0; players];
    for _ in 0..MOST_STEPS {
        let mut slope: Vec<f64> =
            strengths.iter().map(|&strength| IMAGINARY_DRAWS * (0.5 - expected(strength))).collect();
        for PairingScore { players: [one, other], sample } in results {
            let gained = sample.points() - sample.games() * expected(strengths[*one] - strengths[*other]);
            slope[*one] += gained;
            slope[*other] -= gained;
        }
        let mut step = times(&inverse(curvature(&strengths, results)), &slope);
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        if longest > LONGEST_STEP {
            step.iter_mut().for_each(|part| *part *= LONGEST_STEP / longest);
        }
        strengths.iter_mut().zip(&step).for_each(|(strength, part)| *strength += part);
        if longest < 1e-12 {
            break;
        }
    }
    strengths
}

/// Of the likelihood, downwards.
fn curvature(strengths: &[f64], results: &[PairingScore]) -> Matrix {
    let mut curvature = of_imaginary_draws(strengths);
    for PairingScore { players: [one, other], sample } in results {
        let score = expected(strengths[*one] - strengths[*other]);
        add_difference(&mut curvature, *one, *other, sample.games() * score * (1.0 - score));
    }
    curvature
}

/// Strengths, and what tells how far they are from the true ones: their covariance is the variance
/// of the slope between two inverse curvatures.
struct Estimate {
    strengths: Vec<f64>,
    inverse_curvature: Matrix,
    variance_of_slope: Matrix,
}

impl Estimate {
    fn of(strengths: Vec<f64>, results: &[PairingScore]) -> Estimate {
        // As many openings as there are strengths to find tell nothing about errors: what the
        // others tell is taken for all.
        let openings: f64 = results.iter().map(|results| results.sample.openings()).sum();
        let found = strengths.len() as f64 - 1.0;
        let correction = openings / (openings - found).max(1.0);
        let mut variance_of_slope = of_imaginary_draws(&strengths);
        for PairingScore { players: [one, other], sample } in results {
            let squares = sample.squares_about(expected(strengths[*one] - strengths[*other]));
            add_difference(&mut variance_of_slope, *one, *other, correction * squares);
        }
        let inverse_curvature = inverse(curvature(&strengths, results));
        Estimate { strengths, inverse_curvature, variance_of_slope }
    }

    /// A weighted sum of the strengths, and how far to both sides it may be wrong.
    fn elo_and_reach(&self, weights: &[f64]) -> (f64, f64) {
        let effects = times(&self.inverse_curvature, weights);
        let variance = dot(&effects, &times(&self.variance_of_slope, &effects));
        (ELO * dot(weights, &self.strengths), ELO * NORMAL_95 * variance.max(0.0).sqrt())
    }
}

fn of_imaginary_draws(strengths: &[f64]) -> Matrix {
    let mut matrix = vec![vec![0.0; strengths.len()]; strengths.len()];
    for (player, &strength) in strengths.iter().enumerate() {
        let score = expected(strength);
        matrix[player][player] = IMAGINARY_DRAWS * score * (1.0 - score);
    }
    matrix
}

/// What depends on the difference of two players only.
fn add_difference(matrix: &mut Matrix, one: usize, other: usize, weight: f64) {
    matrix[one][one] += weight;
    matrix[other][other] += weight;
    matrix[one][other] -= weight;
    matrix[other][one] -= weight;
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

type Matrix = Vec<Vec<f64>>;

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

/// Of a matrix that is symmetric and positive definite, so that no pivot has to be looked for
/// (Gauss and Jordan).
fn inverse(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == index))));
    }
    for pivot in 0..size {
        let divisor = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|value| *value /= divisor);
        let row_of_pivot = matrix[pivot].clone();
        for (index, row) in matrix.iter_mut().enumerate() {
            if index != pivot {
                let factor = row[pivot];
                row.iter_mut().zip(&row_of_pivot).for_each(|(value, above)| *value -= factor * above);
            }
        }
    }
    matrix.into_iter().map(|mut row| row.split_off(size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::statistics::{elo_of, expected_score};

    /// So many openings for each number of points out of two games.
    fn results(players: [usize; 2], openings: &[(f64, usize)]) -> PairingScore {
        let mut sample = Sample::default();
        for &(points, count) in openings {
            (0..count).for_each(|_| sample.add(points, 2));
        }
        PairingScore { players, sample }
    }

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }

    #[test]
    fn an_inverse_by_hand() {
        let inverse = inverse(vec![vec![2.0, 1.0], vec![1.0, 3.0]]);
        for (found, expected) in inverse.concat().into_iter().zip([0.6, -0.2, -0.2, 0.4]) {
            near(found, expected, 1e-12);
        }
    }

    #[test]
    fn two_players_are_as_far_apart_as_in_a_match() {
        // 70 % of many games: what is believed beforehand no longer counts.
        let pairing = results([0, 1], &[(2.0, 3000), (1.0, 4000), (0.5, 2000), (1.5, 2000), (0.0, 600)]);
        let score = pairing.sample.score().expect("games");
        let found = ratings(2, &[pairing], Zero::Average);
        near(found[0].elo - found[1].elo, elo_of(score), 0.02);
        near(found[0].elo + found[1].elo, 0.0, 1e-9);
        // From where the second sits, the bars of the first are those of the difference: the ones
        // of a match.
        let found = ratings(2, &[pairing], Zero::Player(1));
        let interval = pairing.sample.interval();
        near(found[0].low, elo_of(interval.low), 0.2);
        near(found[0].high, elo_of(interval.high), 0.2);
        assert_eq!(found[1], Rating { elo: 0.0, low: 0.0, high: 0.0 });
    }

    #[test]
    fn a_few_games_have_the_bars_of_a_match() {
        // The two reckon with scores and with ratings, which is the same near an even score only.
        let pairing = results([0, 1], &[(2.0, 6), (1.0, 10), (0.0, 4)]);
        let found = ratings(2, &[pairing], Zero::Player(1));
        let interval = pairing.sample.interval();
        near(found[0].low, elo_of(interval.low), 10.0);
        near(found[0].high, elo_of(interval.high), 10.0);
    }

    #[test]
    fn who_beats_each_other_in_a_circle_is_equally_strong() {
        let won = [(2.0, 20), (1.0, 20), (0.0, 5)];
        let circle = [results([0, 1], &won), results([1, 2], &won), results([2, 0], &won)];
        let found = ratings(3, &circle, Zero::Average);
        for rating in &found {
            near(rating.elo, 0.0, 1e-9);
            near(rating.high, found[0].high, 1e-9);
            near(rating.low, -rating.high, 1e-9);
        }
        assert!(found[0].high > 20.0 && found[0].high < 80.0, "{found:?}");
    }

    #[test]
    fn ratings_add_up_over_players_that_never_met() {
        // Scores of 10 in 11 are 400 Elo.
        let far = [(2.0, 8000), (1.0, 4000), (0.0, 0), (1.5, 0)];
        let score = results([0, 1], &far).sample.score().expect("games");
        let chain = [results([0, 1], &far), results([1, 2], &far)];
        let found = ratings(3, &chain, Zero::Player(2));
        near(found[1].elo, elo_of(score), 0.1);
        near(found[0].elo, 2.0 * elo_of(score), 0.2);
        // Two steps are less sure than one.
        assert!(found[0].high - found[0].low > found[1].high - found[1].low);
    }

    #[test]
    fn in_a_gauntlet_the_other_pairings_hardly_matter() {
        let lost = results([0, 1], &[(2.0, 170), (1.0, 30)]);
        let alone = ratings(2, &[lost], Zero::Player(0))[1];
        for other in
            [results([0, 2], &[(1.0, 300)]), results([0, 2], &[(2.0, 5)]), results([0, 2], &[(0.5, 5)])]
        {
            let found = ratings(3, &[lost, other], Zero::Player(0))[1];
            near(found.elo, alone.elo, 5.0);
            near(found.low, alone.low, 10.0);
            near(found.high, alone.high, 10.0);
        }
        // And they are those of a match.
        let interval = lost.sample.interval();
        near(-alone.high, elo_of(interval.low), 40.0);
        near(-alone.low, elo_of(interval.high), 40.0);
    }

    #[test]
    fn more_games_are_surer() {
        let bars = |times: usize| {
            let pairing = |players| results(players, &[(2.0, 5 * times), (1.0, 4 * times), (0.0, times)]);
            let found = ratings(3, &[pairing([0, 1]), pairing([0, 2]), pairing([1, 2])], Zero::Average);
            found[0].high - found[0].low
        };
        assert!(bars(1) > bars(2) && bars(2) > bars(10));
        // A hundred times the games, a tenth of the bars.
        near(bars(100) / bars(10_000), 10.0, 0.2);
    }

    #[test]
    fn openings_that_are_split_say_more_than_games_that_are() {
        // Each opening gives each side a point: about the players this is surer than as many games
        // won and lost at random.
        let split = ratings(2, &[results([0, 1], &[(1.0, 100)])], Zero::Average)[0];
        let random = ratings(2, &[results([0, 1], &[(2.0, 25), (1.0, 50), (0.0, 25)])], Zero::Average)[0];
        assert!(split.high < random.high / 3.0, "{split:?} {random:?}");
    }

    #[test]
    fn whoever_won_everything_has_a_finite_rating_and_little_certainty() {
        let all = [results([0, 1], &[(2.0, 50)]), results([0, 2], &[(2.0, 50)])];
        let found = ratings(3, &all, Zero::Average);
        assert!(found.iter().all(|rating| rating.low.is_finite() && rating.high.is_finite()));
        assert!(found[0].elo > 300.0 && found[0].elo < 2000.0, "{found:?}");
        assert!(found[0].high - found[0].elo > 300.0, "{found:?}");
        near(found[1].elo, found[2].elo, 1e-9);
        // However many games that are.
        let many = ratings(2, &[results([0, 1], &[(2.0, 500_000)])], Zero::Average);
        assert!(many[0].elo.is_finite() && many[0].elo > found[0].elo, "{many:?}");
    }

    #[test]
    fn a_player_without_games_is_average_and_anything() {
        let found = ratings(3, &[results([0, 1], &[(1.0, 50)]), results([0, 2], &[])], Zero::Average);
        near(found[2].elo, 0.0, 1e-9);
        assert!(found[2].high > 400.0, "{found:?}");
        let nobody = ratings(2, &[results([0, 1], &[])], Zero::Average);
        assert!(nobody[0].elo == 0.0 && nobody[0].high > 400.0, "{nobody:?}");
    }

    #[test]
    fn the_bars_cover_the_truth_about_nineteen_times_in_twenty() {
        let mut random = Random::new(3);
        // Players this far apart, so many openings a pairing, and how much an opening favours one
        // of the seats: then its two games depend on each other. From few openings the bars are
        // rather too careful than too sure.
        for (truth, openings, favour, share_to_be_covered) in [
            (vec![50.0, -50.0], 10, 300.0, 0.94..=1.0),
            (vec![150.0, 50.0, -40.0, -160.0], 40, 300.0, 0.93..=0.97),
            (vec![150.0, 50.0, -40.0, -160.0], 5, 0.0, 0.94..=1.0),
            (vec![300.0, 200.0, 100.0, -100.0, -200.0, -300.0], 1, 0.0, 0.94..=1.0),
            (vec![300.0, 200.0, 100.0, -100.0, -200.0, -300.0], 4, 200.0, 0.94..=1.0),
            (vec![500.0, 0.0, -500.0], 4, 0.0, 0.94..=1.0),
        ] {
            let mut wins =
                |elo| f64::from(u8::from(f64::from(random.below(1_000_000)) < expected_score(elo) * 1e6));
            let seen = after_endless_games(&truth, favour);
            let runs = 200;
            let mut covered = 0;
            for _ in 0..runs {
                let all = everybody_meets(&truth, |difference, sample| {
                    for _ in 0..openings {
                        sample.add(wins(difference + favour) + wins(difference - favour), 2);
                    }
                });
                let found = ratings(truth.len(), &all, Zero::Average);
                covered +=
                    found.iter().zip(&seen).filter(|(r, seen)| r.low <= **seen && **seen <= r.high).count();
            }
            let share = covered as f64 / (runs * truth.len()) as f64;
            assert!(share_to_be_covered.contains(&share), "{truth:?}, {openings} openings: {share}");
        }
    }

    /// Favours make scores less extreme than the strengths alone would, and so the ratings.
    fn after_endless_games(truth: &[f64], favour: f64) -> Vec<f64> {
        let all = everybody_meets(truth, |difference, sample| {
            let score = expected_score(difference + favour) + expected_score(difference - favour);
            sample.add(score * 5e8, 1_000_000_000);
        });
        ratings(truth.len(), &all, Zero::Average).iter().map(|rating| rating.elo).collect()
    }

    fn everybody_meets(truth: &[f64], mut play: impl FnMut(f64, &mut Sample)) -> Vec<PairingScore> {
        let mut all = Vec::new();
        for one in 0..truth.len() {
            for other in one + 1..truth.len() {
                let mut sample = Sample::default();
                play(truth[one] - truth[other], &mut sample);
                all.push(PairingScore { players: [one, other], sample });
            }
        }
        all
    }
}
