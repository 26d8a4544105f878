//! The parts of a match put together again.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;

use super::Records;
use super::head::{Head, MATCH, TOURNAMENT};
use crate::catalog::Catalog;
use crate::matches::plan::pair_of;
use crate::matches::report::Results;
use crate::matches::{Ended, GameResult, Report, Schedule, Settings, Shard, Standings, Tournament};

/// What the parts come to: the same as if all had been played at one place.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Merged {
    Match(Box<Report>),
    Tournament(Box<Standings>),
}

impl Merged {
    pub fn ended(&self) -> Ended {
        match self {
            Merged::Match(report) => report.ended,
            Merged::Tournament(standings) => standings.ended,
        }
    }
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Merged::Match(report) => report.fmt(f),
            Merged::Tournament(standings) => standings.fmt(f),
        }
    }
}

/// Reads records of one match or one tournament. What somebody should know besides is told.
pub fn merge(catalog: &Catalog, paths: &[PathBuf], tell: &mut dyn FnMut(String)) -> Result<Merged, String> {
    let Some(first) = paths.first() else { return Err("there is nothing to merge".into()) };
    let is_tournament = |path: &Path| TOURNAMENT.is_in(path);
    for path in paths {
        if !path.exists() {
            return Err(format!("there is no file or folder {}", path.display()));
        }
        if !is_tournament(path) && !MATCH.is_in(path) && !path.is_file() {
            return Err(format!("{} holds neither a match nor a tournament", path.display()));
        }
        if is_tournament(path) != is_tournament(first) {
            let (path, first) = (path.display(), first.display());
            return Err(format!("{path} and {first}: one holds a match and the other a tournament"));
        }
    }
    if is_tournament(first) {
        merge_tournament(catalog, paths, tell).map(|standings| Merged::Tournament(Box::new(standings)))
    } else {
        let (_, head) = Records::read(first)?;
        let report = merge_match(catalog, &head.contents.settings, None, paths, "", tell)?;
        Ok(Merged::Match(Box::new(report)))
    }
}

fn merge_tournament(
    catalog: &Catalog,
    folders: &[PathBuf],
    tell: &mut dyn FnMut(String),
) -> Result<Standings, String> {
    let heads = folders.iter().map(|folder| TOURNAMENT.read(folder));
    let heads: Vec<Head<Tournament>> = heads.collect::<Result<_, _>>()?;
    heads.iter().try_for_each(|head| TOURNAMENT.check_same(&heads[0], head))?;
    let games = heads.iter().filter_map(|head| head.contents.games).max();
    let tournament = &heads[0].contents.settings;
    tournament.check().map_err(|reason| format!("{}: {reason}", folders[0].display()))?;
    let mut reports = Vec::new();
    for pairing in tournament.pairings() {
        // Whoever was interrupted early has not come to all of them.
        let parts: Vec<PathBuf> = folders
            .iter()
            .map(|folder| pairing.folder_in(folder))
            .filter(|folder| MATCH.is_in(folder))
            .collect();
        let Settings { a, b, .. } = &pairing.settings;
        let about = format!("{a} against {b}: ");
        reports.push(merge_match(catalog, &pairing.settings, games, &parts, &about, tell)?);
    }
    Ok(Standings::new(tournament, reports, None))
}

/// `games` is how many there should be at least, if that is known already.
fn merge_match(
    catalog: &Catalog,
    settings: &Settings,
    mut games: Option<u32>,
    paths: &[PathBuf],
    about: &str,
    tell: &mut dyn FnMut(String),
) -> Result<Report, String> {
    let mut sprt = None;
    let mut parts = Parts::default();
    let mut first: Option<Head<Settings>> = None;
    for path in paths {
        let (records, head) = Records::read(path)?;
        MATCH.check_same(first.as_ref().unwrap_or(&head), &head)?;
        if json!(head.contents.settings) != json!(settings) {
            return Err(format!("{} is not a match of the tournament around it", path.display()));
        }
        games = games.max(head.contents.games);
        sprt = head.contents.sprt;
        parts.add(catalog, records, head.contents.shard, tell)?;
        first.get_or_insert(head);
    }
    if parts.twice > 0 {
        let games = if parts.twice == 1 { "game is" } else { "games are" };
        tell(format!("{about}{} {games} there more than once, always the same: counted once", parts.twice));
    }
    // What an old folder does not say is at least what it holds.
    let highest = parts.games.keys().next_back().copied().unwrap_or(0);
    let schedule = Schedule { games: games.unwrap_or(0).max(highest), shard: None, sprt };
    let missing: Vec<u32> = schedule.numbers().filter(|number| !parts.games.contains_key(number)).collect();
    let mut added_up = Results::new(sprt);
    parts.games.values().for_each(|(_, result)| added_up.add(result.clone()));
    let report = Report::new(settings, &schedule, added_up, false, None);
    if report.ended == Ended::Interrupted {
        let (found, games) = (report.games, schedule.games);
        let advice = parts.advice(&missing);
        tell(format!("{about}{found} of {games} games; missing {}: {advice}", shortened(&missing)));
    }
    Ok(report)
}

/// Games gathered from several places.
#[derive(Default)]
struct Parts {
    records: Vec<Records>,
    /// What of the match each of them should hold; all of it if nothing is said.
    shards: Vec<Option<Shard>>,
    /// With the place that they were found in first.
    games: BTreeMap<u32, (usize, GameResult)>,
    twice: usize,
}

impl Parts {
    fn add(
        &mut self,
        catalog: &Catalog,
        records: Records,
        shard: Option<Shard>,
        tell: &mut dyn FnMut(String),
    ) -> Result<(), String> {
        let found = records.find_all(catalog)?;
        self.twice += found.twice;
        for damage in &found.damaged {
            tell(format!("{}; not counted", records.describe(damage)));
        }
        for (number, result) in found.results {
            match self.games.entry(number) {
                Entry::Vacant(place) => {
                    place.insert((self.records.len(), result));
                }
                Entry::Occupied(found) => {
                    let first = &self.records[found.get().0];
                    if !first.agree(&records, number)? {
                        let (one, other) = (first.path().display(), records.path().display());
                        return Err(format!("game {number} is in {one} and in {other}, and not the same"));
                    }
                    self.twice += 1;
                }
            }
        }
        self.records.push(records);
        self.shards.push(shard);
        Ok(())
    }

    /// How to come by the games that are missing.
    fn advice(&self, missing: &[u32]) -> String {
        let lacks = |shard: Option<Shard>| {
            missing.iter().any(|&number| shard.is_none_or(|shard| shard.has(pair_of(number))))
        };
        let unfinished = self.records.iter().zip(&self.shards).filter(|(_, shard)| lacks(**shard));
        let unfinished: Vec<String> =
            unfinished.map(|(records, _)| records.path().display().to_string()).collect();
        // Parts of other sizes would do as well, but these are the ones that somebody has planned.
        let planned = self.shards.iter().flatten().next().into_iter().flat_map(Shard::all);
        let unseen = planned.filter(|&shard| lacks(Some(shard)) && !self.shards.contains(&Some(shard)));
        let unseen: Vec<String> = unseen.map(|shard| shard.to_string()).collect();
        let mut advice = Vec::new();
        if !unfinished.is_empty() {
            advice.push(format!("go on with {} (--resume)", listed(&unfinished)));
        }
        if !unseen.is_empty() {
            advice.push(format!("play --shard {}", listed(&unseen)));
        }
        if advice.is_empty() {
            advice.push("play the match".into());
        }
        advice.join(", ") + ", then merge all of it"
    }
}

fn shortened(numbers: &[u32]) -> String {
    listed(&numbers.iter().map(u32::to_string).collect::<Vec<_>>())
}

/// The first few.
fn listed(all: &[String]) -> String {
    const MOST: usize = 10;
    let rest = if all.len() > MOST { ", …" } else { "" };
    all[..all.len().min(MOST)].join(", ") + rest
}
