use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tabuleiro_protocol::Choice;

use super::results::Results;
use super::{Folder, GameResult, Report, Schedule, Settings, game};
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::search::{Control, SearchRequest};
use crate::session::Session;

/// A match that can be played.
#[derive(Debug)]
pub struct Match {
    pub catalog: Catalog,
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
        let mut results = Results::new(self.schedule.sprt);
        let mut there_already = BTreeSet::new();
        for (number, result) in self.there_already()? {
            there_already.insert(number);
            results.add(result);
        }
        let games = self.schedule.numbers().count() as u32;
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
                    let is_ours = self.schedule.has(number) && !there_already.contains(&number);
                    if is_ours && sender.send(self.play_game(number)).is_err() {
                        break;
                    }
                }
            };
            let mut look = |results: &Results| {
                if results.is_decided() {
                    enough.store(true, Ordering::Relaxed);
                }
                watch(Standing {
                    done: results.games(),
                    games,
                    played: results.games() - there_already.len() as u32,
                    score: results.score(),
                    log_likelihood_ratio: results.log_likelihood_ratio(),
                    took: began.elapsed(),
                });
            };
            look(&results);
            for _ in 0..self.concurrency {
                let sender = sender.clone();
                scope.spawn(move || worker(sender));
            }
            drop(sender);
            for played in receiver {
                match played {
                    Ok(result) => {
                        results.add(result);
                        look(&results);
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
            Some(folder) => folder.results(&self.catalog, self.schedule.numbers()),
            None => Ok(BTreeMap::new()),
        }
    }

    fn play_game(&self, number: u32) -> Result<GameResult, String> {
        let (table, result) = game::play(&self.catalog, &self.settings, number, &self.bots, &ask)
            .map_err(|error| format!("game {number}: {error}"))?;
        if let Some(folder) = &self.records {
            folder.write(&table, &result)?;
        }
        Ok(result)
    }
}

fn ask(game: &dyn Session, question: &SearchRequest) -> Choice {
    let never = AtomicBool::new(false);
    game.choose(question, &mut Control { stop: &never, report: &mut |_| {} })
}
