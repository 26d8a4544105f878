//! Results of the games of a match as they come in, in any order, with the sequential test.

use std::collections::BTreeMap;

use super::match_report::SprtReport;
use super::tally::Tally;
use crate::matches::GameResult;
use crate::matches::plan::pair_of;
use crate::statistics::{Hypothesis, Sample, Sprt};

/// What is known of the games of a match. Openings that are settled are only added up, so that a
/// long match takes no more memory than a short one.
#[derive(Debug, Default)]
pub(in crate::matches) struct Results {
    settled: Tally,
    /// Games whose opening still lacks a game or, with a sequential test, has to wait for others.
    waiting: BTreeMap<u32, GameResult>,
    test: Option<SequentialTest>,
    half_points: u32,
}

impl Results {
    pub(in crate::matches) fn new(sprt: Option<Sprt>) -> Results {
        Results { test: sprt.map(SequentialTest::new), ..Results::default() }
    }

    /// Every game is added once.
    pub(in crate::matches) fn add(&mut self, result: GameResult) {
        let mut pair = pair_of(result.number);
        self.half_points += result.half_points();
        self.waiting.insert(result.number, result);
        match &self.test {
            None => drop(self.settle(pair)),
            // The test goes through a match in the order of the games' numbers and not in the one
            // in which they end.
            Some(test) => {
                pair = test.next_pair;
                while !self.is_decided() && self.settle(pair) {
                    pair += 1;
                }
            }
        }
    }

    /// Adds up an opening if both of its games are there.
    fn settle(&mut self, pair: u32) -> bool {
        let (first, second) = (2 * pair - 1, 2 * pair);
        if !self.waiting.contains_key(&first) || !self.waiting.contains_key(&second) {
            return false;
        }
        let games: Vec<GameResult> =
            [first, second].iter().filter_map(|number| self.waiting.remove(number)).collect();
        self.settled.add_opening(&games);
        if let Some(test) = &mut self.test {
            test.look_at(&games);
        }
        true
    }

    pub(in crate::matches) fn games(&self) -> u32 {
        self.settled.games() + self.waiting.len() as u32
    }

    /// The score of a so far; `None` without games.
    pub(in crate::matches) fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| f64::from(self.half_points) / 2.0 / f64::from(self.games()))
    }

    /// The sequential test has seen enough.
    pub(in crate::matches) fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.decision.is_some())
    }

    pub(in crate::matches) fn log_likelihood_ratio(&self) -> Option<f64> {
        self.test.as_ref().map(SequentialTest::log_likelihood_ratio)
    }

    /// All that is to be reported. Games beyond a decision are not: they would make the report
    /// depend on how many are played at a time.
    pub(in crate::matches) fn tally(mut self) -> (Tally, Option<SprtReport>) {
        if !self.is_decided() {
            let waiting: Vec<GameResult> = self.waiting.into_values().collect();
            for opening in waiting.chunk_by(|one, other| pair_of(one.number) == pair_of(other.number)) {
                self.settled.add_opening(opening);
            }
        }
        (self.settled, self.test.map(|test| test.report()))
    }
}

#[derive(Debug)]
struct SequentialTest {
    test: Sprt,
    sample: Sample,
    next_pair: u32,
    decision: Option<Hypothesis>,
}

impl SequentialTest {
    fn new(test: Sprt) -> SequentialTest {
        SequentialTest { test, sample: Sample::default(), next_pair: 1, decision: None }
    }

    fn look_at(&mut self, pair: &[GameResult]) {
        let half_points: u32 = pair.iter().map(GameResult::half_points).sum();
        self.sample.add(f64::from(half_points) / 2.0, pair.len() as u32);
        self.next_pair += 1;
        self.decision = self.test.decide(&self.sample);
    }

    fn log_likelihood_ratio(&self) -> f64 {
        self.test.log_likelihood_ratio(&self.sample)
    }

    fn report(&self) -> SprtReport {
        SprtReport::new(&self.test, self.log_likelihood_ratio(), self.decision)
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::{Outcome, Seat};

    use super::*;
    use crate::matches::PerContender;
    use crate::matches::plan::seat_of_a;

    fn won_by_a(number: u32) -> GameResult {
        let seat_of_a = seat_of_a(number);
        let outcome = Outcome { winner: Some(seat_of_a), reason: "five".into() };
        GameResult { number, seat_of_a, outcome, turns: 9, effort: PerContender::default() }
    }

    fn lost_by_a(number: u32) -> GameResult {
        let game = won_by_a(number);
        let winner = game.outcome.winner.map(|seat: Seat| !seat);
        GameResult { outcome: Outcome { winner, ..game.outcome }, ..game }
    }

    #[test]
    fn results_do_not_depend_on_the_order_and_whole_openings_are_not_kept() {
        let mut in_order = Results::new(None);
        let mut out_of_order = Results::new(None);
        for number in 1..=101 {
            in_order.add(if number % 3 == 0 { lost_by_a(number) } else { won_by_a(number) });
            assert!(in_order.waiting.len() <= 1);
        }
        for number in (1..=101).rev() {
            out_of_order.add(if number % 3 == 0 { lost_by_a(number) } else { won_by_a(number) });
            assert!(out_of_order.waiting.len() <= 2, "the last game has no partner");
        }
        assert_eq!((in_order.games(), in_order.score()), (101, out_of_order.score()));
        let (one, other) = (in_order.tally().0, out_of_order.tally().0);
        assert_eq!((one.games(), one.pairs, one.sample), (101, other.pairs, other.sample));
    }

    #[test]
    fn what_comes_after_a_decision_is_not_reported() {
        let test: Sprt = "0,200".parse().expect("a test");
        let mut results = Results::new(Some(test));
        // Later games are there before the earlier ones.
        (21..=200).for_each(|number| results.add(won_by_a(number)));
        assert!(!results.is_decided());
        (1..=20).for_each(|number| results.add(won_by_a(number)));
        assert!(results.is_decided());
        let (tally, report) = results.tally();
        assert!(tally.games() < 200 && tally.games() % 2 == 0, "{}", tally.games());
        assert!(report.is_some_and(|report| report.decision.is_some()));
    }
}
