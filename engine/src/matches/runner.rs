use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tabuleiro_protocol::Choice;

use super::report::SprtReport;
use super::{Folder, GameResult, Hypothesis, Report, Sample, Schedule, Settings, Sprt, game};
use crate::bot::Bots;
use crate::history::GameUnderWay;
use crate::player::{Control, Question};

/// A match that can be played.
#[derive(Debug)]
pub struct Match {
    pub settings: Settings,
    pub schedule: Schedule,
    /// How many games are played at the same time.
    pub concurrency: usize,
    pub records: Option<Folder>,
    /// Those that play, and perhaps others; matches may share them.
    pub bots: Arc<Bots>,
}

/// How a match is getting on.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Games of which the result is known, of how many.
    pub done: u32,
    pub games: u32,
    /// Those of them that were played just now.
    pub played: u32,
    pub score: Option<f64>,
    pub log_likelihood_ratio: Option<f64>,
    pub took: Duration,
}

impl Match {
    /// Plays what is not played yet, until `ending` is set. Only a folder that cannot be read back keeps it from being begun;
    /// what goes wrong later is told beside the report.
    pub fn play(
        &self,
        ending: &AtomicBool,
        watch: &mut dyn FnMut(Standing),
    ) -> Result<(Report, Option<String>), String> {
        let began = Instant::now();
        let mut results = self.there_already()?;
        let there_already = results.clone();
        let games = self.schedule.numbers().count() as u32;
        let mut half_points: u32 = results.values().map(GameResult::half_points).sum();
        let mut test = self.schedule.sprt.map(SequentialTest::new);
        let mut trouble = None;
        let next_game = AtomicU32::new(1);
        let enough = AtomicBool::new(false);
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = |sender: Sender<_>| {
                while !ending.load(Ordering::Relaxed) && !enough.load(Ordering::Relaxed) {
                    let number = next_game.fetch_add(1, Ordering::Relaxed);
                    if number > self.schedule.games {
                        break;
                    }
                    let is_ours = self.schedule.has(number) && !there_already.contains_key(&number);
                    if is_ours && sender.send(self.play_game(number)).is_err() {
                        break;
                    }
                }
            };
            let mut look = |results: &BTreeMap<u32, GameResult>, half_points: u32| {
                let decided = test.as_mut().is_some_and(|test| test.look_at(results));
                if decided {
                    enough.store(true, Ordering::Relaxed);
                }
                watch(Standing {
                    done: results.len() as u32,
                    games,
                    played: (results.len() - there_already.len()) as u32,
                    score: (!results.is_empty()).then(|| f64::from(half_points) / 2.0 / results.len() as f64),
                    log_likelihood_ratio: test.as_ref().map(SequentialTest::log_likelihood_ratio),
                    took: began.elapsed(),
                });
            };
            look(&results, half_points);
            for _ in 0..self.concurrency {
                let sender = sender.clone();
                scope.spawn(move || worker(sender));
            }
            drop(sender);
            for played in receiver {
                match played {
                    Ok(result) => {
                        half_points += result.half_points();
                        results.insert(result.number, result);
                        look(&results, half_points);
                    }
                    Err(reason) => {
                        enough.store(true, Ordering::Relaxed);
                        trouble.get_or_insert(reason);
                    }
                }
            }
        });
        let took = Some(began.elapsed());
        Ok((Report::new(&self.settings, &self.schedule, results, trouble.is_some(), took), trouble))
    }

    /// The games that need not be played again.
    pub(super) fn there_already(&self) -> Result<BTreeMap<u32, GameResult>, String> {
        match &self.records {
            Some(folder) => folder.results(self.schedule.numbers()),
            None => Ok(BTreeMap::new()),
        }
    }

    fn play_game(&self, number: u32) -> Result<GameResult, String> {
        let (table, result) = game::play(&self.settings, number, &self.bots, &ask)
            .map_err(|error| format!("game {number}: {error}"))?;
        if let Some(folder) = &self.records {
            folder.write(&table, &result)?;
        }
        Ok(result)
    }
}

fn ask(game: &dyn GameUnderWay, question: &Question) -> Choice {
    let never = AtomicBool::new(false);
    game.choose(question, &mut Control { stop: &never, report: &mut |_| {} })
}

/// Follows a match pair by pair, in the order of the games' numbers and not in the one in which they end.
pub(super) struct SequentialTest {
    test: Sprt,
    sample: Sample,
    games: u32,
    decision: Option<Hypothesis>,
}

impl SequentialTest {
    pub(super) fn new(test: Sprt) -> SequentialTest {
        SequentialTest { test, sample: Sample::default(), games: 0, decision: None }
    }

    /// Goes as far as there are whole pairs. `true` once it is decided.
    pub(super) fn look_at(&mut self, results: &BTreeMap<u32, GameResult>) -> bool {
        while self.decision.is_none()
            && let (Some(one), Some(other)) = (results.get(&(self.games + 1)), results.get(&(self.games + 2)))
        {
            self.sample.add(f64::from(one.half_points() + other.half_points()) / 2.0, 2);
            self.games += 2;
            self.decision = self.test.decide(&self.sample);
        }
        self.decision.is_some()
    }

    fn log_likelihood_ratio(&self) -> f64 {
        self.test.log_likelihood_ratio(&self.sample)
    }

    /// How many games were looked at.
    pub(super) fn games(&self) -> u32 {
        self.games
    }

    pub(super) fn report(&self) -> SprtReport {
        SprtReport::new(&self.test, self.log_likelihood_ratio(), self.decision)
    }
}
