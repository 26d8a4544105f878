//! A whole match: several games at a time, until enough is known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use std::{mem, thread};

use super::game;
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::matches::report::Results;
use crate::matches::{GameLine, GameResult, Records, Report, Schedule, Settings, Status};
use crate::players::ComputerPlayer;
use crate::search::Control;
use crate::table::Table;
use crate::threads;

/// A match that can be played.
#[derive(Debug)]
pub struct Match {
    pub catalog: Catalog,
    pub settings: Settings,
    pub schedule: Schedule,
    /// How many games are played at the same time.
    pub concurrency: usize,
    pub records: Option<Records>,
    /// Those that play, and perhaps others; matches may share them.
    pub bots: Arc<Bots>,
}

impl Match {
    /// Plays what is not played yet, until `ending` is set. Whoever watches hears how it is getting
    /// on, and of every game that has ended. Only records that cannot be read back keep it from
    /// being begun; what goes wrong later is told beside the report.
    pub fn play(
        &self,
        ending: &AtomicBool,
        watch: &mut dyn FnMut(Status, Option<GameLine>),
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
            let mut look = |results: &Results, game: Option<GameLine>| {
                if results.is_decided() {
                    enough.store(true, Ordering::Relaxed);
                }
                let status = Status {
                    done: results.games(),
                    games,
                    played: results.games() - there_already.len() as u32,
                    score: results.score(),
                    log_likelihood_ratio: results.log_likelihood_ratio(),
                    took: began.elapsed(),
                };
                watch(status, game);
            };
            look(&results, None);
            for playing in 0..self.concurrency {
                let sender = sender.clone();
                if let Err(error) = threads::spawn_scoped(scope, move || worker(sender)) {
                    tracing::warn!("only {playing} games are played at once: {error}");
                    if playing == 0 {
                        trouble = Some(format!("no thread can be made to play a game: {error}"));
                    }
                    break;
                }
            }
            drop(sender);
            let mut checkpoint = Checkpoint::new(self.records.as_ref());
            while let Some(played) = checkpoint.receive(&receiver) {
                match played {
                    Ok(Played { result, plies }) => {
                        let line = GameLine::new(&self.settings, &result, plies);
                        results.add(result);
                        look(&results, Some(line));
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
            Some(records) => records.there_already(&self.catalog, &self.schedule),
            None => Ok(BTreeMap::new()),
        }
    }

    fn play_game(&self, number: u32) -> Result<Played, String> {
        let take_turn = |player: &ComputerPlayer, table: &Table, seed| {
            player.take_turn(table, seed, &self.bots, &mut Control::silent())
        };
        let (table, result) = game::play(&self.catalog, &self.settings, number, &take_turn)
            .map_err(|error| format!("game {number}: {error}"))?;
        if let Some(records) = &self.records {
            records.write(&table, &result)?;
        }
        Ok(Played { result, plies: table.session().history().ply() })
    }
}

/// A game that has ended.
struct Played {
    result: GameResult,
    plies: usize,
}

/// Sees to it that games reach the disk: after a crash of the machine all of them are there but
/// those of the last moment, and at the end of a match all. Whoever plays never waits for it, so
/// that a fast match stays fast.
struct Checkpoint<'a> {
    records: Option<&'a Records>,
    /// Games that may not be on disk yet.
    unsynced: Vec<u32>,
    /// When the first of them ended.
    since: Instant,
}

impl Checkpoint<'_> {
    /// No game stays unsynced for longer.
    const EVERY: Duration = Duration::from_secs(1);

    fn new(records: Option<&Records>) -> Checkpoint<'_> {
        Checkpoint { records, unsynced: Vec::new(), since: Instant::now() }
    }

    /// The next game that has ended, or what went wrong; `None` when there will be no more.
    fn receive(&mut self, played: &Receiver<Result<Played, String>>) -> Option<Result<Played, String>> {
        loop {
            let left = Self::EVERY.saturating_sub(self.since.elapsed());
            let received = match self.unsynced.is_empty() {
                true => played.recv().map_err(|_| RecvTimeoutError::Disconnected),
                false if left.is_zero() => Err(RecvTimeoutError::Timeout),
                false => played.recv_timeout(left),
            };
            match received {
                Ok(played) => {
                    if let (Ok(Played { result, .. }), Some(_)) = (&played, self.records) {
                        if self.unsynced.is_empty() {
                            self.since = Instant::now();
                        }
                        self.unsynced.push(result.number);
                    }
                    return Some(played);
                }
                Err(reason) => match self.sync() {
                    Err(trouble) => return Some(Err(trouble)),
                    Ok(()) if reason == RecvTimeoutError::Disconnected => return None,
                    Ok(()) => {}
                },
            }
        }
    }

    fn sync(&mut self) -> Result<(), String> {
        let unsynced = mem::take(&mut self.unsynced);
        match self.records {
            Some(records) if !unsynced.is_empty() => records.sync(&unsynced),
            _ => Ok(()),
        }
    }
}
