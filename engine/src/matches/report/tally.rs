//! Results of games added up.

use std::collections::BTreeMap;

use crate::matches::{Contender, Effort, GameResult, PerContender};
use crate::statistics::Sample;

/// How often each of a few words came up.
pub type Counts = BTreeMap<String, u32>;

/// Results of games added up, from where a sits.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Openings of which both games were played, by the half points that a got for them: none, one,
    /// … four.
    pub pairs: [u32; 5],
    pub sample: Sample,
    pub turns: usize,
    pub effort: PerContender<Effort>,
    pub reasons: Counts,
    /// By the contender that broke down.
    pub failures: PerContender<Counts>,
}

impl Tally {
    /// Adds the games that were played of an opening: one or both.
    pub fn add_opening(&mut self, games: &[GameResult]) {
        games.iter().for_each(|result| self.count(result));
        let half_points: u32 = games.iter().map(GameResult::half_points).sum();
        self.sample.add(f64::from(half_points) / 2.0, games.len() as u32);
        if games.len() == 2 {
            self.pairs[half_points as usize] += 1;
        }
    }

    fn count(&mut self, result: &GameResult) {
        match result.winner() {
            Some(Contender::A) => self.wins += 1,
            None => self.draws += 1,
            Some(Contender::B) => self.losses += 1,
        }
        self.turns += result.turns;
        self.effort.a.add(&result.effort.a);
        self.effort.b.add(&result.effort.b);
        *self.reasons.entry(result.outcome.reason.clone()).or_default() += 1;
        if let Some(contender) = result.failed() {
            *self.failures[contender].entry(result.outcome.reason.clone()).or_default() += 1;
        }
    }

    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// In turns, those of the openings included.
    pub fn average_length(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.turns as f64 / f64::from(self.games()))
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::{Outcome, Seat};

    use super::*;
    use crate::matches::plan::{pair_of, seat_of_a};

    fn result(number: u32, winner: Option<Seat>, reason: &str) -> GameResult {
        let effort = Effort { turns: 10, nodes: 1000, time_us: 5000 };
        GameResult {
            number,
            seat_of_a: seat_of_a(number),
            outcome: Outcome { winner, reason: reason.into() },
            turns: 20,
            effort: PerContender { a: effort, b: Effort::default() },
        }
    }

    #[test]
    fn games_are_added_up_from_where_a_sits() {
        let (one, two) = (Some(Seat::One), Some(Seat::Two));
        let results = [
            result(1, one, "five"),    // a wins with seat 1
            result(2, two, "five"),    // and with seat 2
            result(3, one, "five"),    // each wins once:
            result(4, one, "illegal"), // a fails with seat 2
            result(5, None, "no_moves"),
            result(8, two, "five"), // its pair was not finished
        ];
        let mut tally = Tally::default();
        results
            .chunk_by(|one, other| pair_of(one.number) == pair_of(other.number))
            .for_each(|opening| tally.add_opening(opening));
        assert_eq!((tally.wins, tally.draws, tally.losses), (4, 1, 1));
        assert_eq!(tally.pairs, [0, 0, 1, 0, 1]);
        assert_eq!(tally.sample.score(), Some(4.5 / 6.0));
        assert_eq!(tally.average_length(), Some(20.0));
        assert_eq!(
            tally.reasons,
            Counts::from([("five".into(), 4), ("illegal".into(), 1), ("no_moves".into(), 1)])
        );
        assert_eq!(
            tally.failures,
            PerContender { a: Counts::from([("illegal".into(), 1)]), b: Counts::new() }
        );
        assert_eq!((tally.effort.a.time_ms(), tally.effort.a.nodes_per_s()), (Some(0.5), Some(200_000.0)));
        assert_eq!((tally.effort.b.time_ms(), tally.effort.b.nodes_per_s()), (None, None));
    }

    #[test]
    fn nothing_played_is_a_tally_too() {
        let tally = Tally::default();
        assert_eq!((tally.games(), tally.average_length(), tally.sample.score()), (0, None, None));
    }
}
