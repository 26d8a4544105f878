//! The parts of a match put together again.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::json;

use super::Folder;
use super::head::{Contents, MATCH, TOURNAMENT};
use crate::catalog::Catalog;
use crate::matches::report::Results;
use crate::matches::{Ended, GameResult, Report, Schedule, Settings, Standings, Tournament};

/// What the parts come to: the same as if all had been played at one place.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Merged {
    Match(Box<Report>),
    Tournament(Box<Standings>),
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Merged::Match(report) => report.fmt(f),
            Merged::Tournament(standings) => standings.fmt(f),
        }
    }
}

/// Reads folders of one match or one tournament. What somebody should know besides is told.
pub fn merge(catalog: &Catalog, folders: &[PathBuf], tell: &mut dyn FnMut(String)) -> Result<Merged, String> {
    let Some(first) = folders.first() else { return Err("there is no folder to merge".into()) };
    let head = if TOURNAMENT.is_in(first) { TOURNAMENT } else { MATCH };
    for folder in folders {
        if !TOURNAMENT.is_in(folder) && !MATCH.is_in(folder) {
            return Err(format!("{} holds neither a match nor a tournament", folder.display()));
        }
        if !head.is_in(folder) {
            let (folder, first) = (folder.display(), first.display());
            return Err(format!("{folder} and {first}: one holds a match and the other a tournament"));
        }
    }
    if TOURNAMENT.is_in(first) {
        merge_tournament(catalog, folders, tell).map(|standings| Merged::Tournament(Box::new(standings)))
    } else {
        let contents: Contents<Settings> = MATCH.read(first)?;
        let report = merge_match(catalog, &contents.settings, None, folders, "", tell)?;
        Ok(Merged::Match(Box::new(report)))
    }
}

fn merge_tournament(
    catalog: &Catalog,
    folders: &[PathBuf],
    tell: &mut dyn FnMut(String),
) -> Result<Standings, String> {
    let mut games = None;
    for folder in folders {
        let contents: Contents<Tournament> = TOURNAMENT.read(folder)?;
        TOURNAMENT.check_same(&folders[0], folder)?;
        games = games.max(contents.games);
    }
    let tournament = TOURNAMENT.read::<Tournament>(&folders[0])?.settings;
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
    Ok(Standings::new(&tournament, reports, None))
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
    for path in paths {
        let (folder, contents) = Folder::read(path)?;
        MATCH.check_same(&paths[0], path)?;
        if json!(contents.settings) != json!(settings) {
            return Err(format!("{} is not a match of the tournament around it", path.display()));
        }
        games = games.max(contents.games);
        sprt = contents.sprt;
        parts.add(catalog, folder)?;
    }
    if parts.twice > 0 {
        let games = if parts.twice == 1 { "game is" } else { "games are" };
        tell(format!("{about}{} {games} there more than once, always the same: counted once", parts.twice));
    }
    let results: BTreeMap<u32, GameResult> =
        parts.games.into_iter().map(|(number, (_, result))| (number, result)).collect();
    // What an old folder does not say is at least what it holds.
    let highest = results.keys().next_back().copied().unwrap_or(0);
    let schedule = Schedule { games: games.unwrap_or(0).max(highest), shard: None, sprt };
    let missing: Vec<u32> = schedule.numbers().filter(|number| !results.contains_key(number)).collect();
    let mut added_up = Results::new(sprt);
    results.into_values().for_each(|result| added_up.add(result));
    let report = Report::new(settings, &schedule, added_up, false, None);
    if report.ended == Ended::Interrupted {
        let (found, games) = (report.games, schedule.games);
        tell(format!("{about}{found} of {games} games; missing {}", shortened(&missing)));
    }
    Ok(report)
}

/// Games gathered from folders.
#[derive(Default)]
struct Parts {
    folders: Vec<Folder>,
    /// With the folder that they were found in first.
    games: BTreeMap<u32, (usize, GameResult)>,
    twice: usize,
}

impl Parts {
    fn add(&mut self, catalog: &Catalog, folder: Folder) -> Result<(), String> {
        for (number, result) in folder.results(catalog, folder.numbers()?)? {
            match self.games.entry(number) {
                Entry::Vacant(place) => {
                    place.insert((self.folders.len(), result));
                }
                Entry::Occupied(found) => {
                    let first = &self.folders[found.get().0];
                    if !first.agrees_with(&folder, number)? {
                        let (one, other) = (first.path().display(), folder.path().display());
                        return Err(format!("game {number} is in {one} and in {other}, and not the same"));
                    }
                    self.twice += 1;
                }
            }
        }
        self.folders.push(folder);
        Ok(())
    }
}

fn shortened(numbers: &[u32]) -> String {
    const MOST: usize = 10;
    let shown: Vec<String> = numbers.iter().take(MOST).map(u32::to_string).collect();
    let rest = if numbers.len() > MOST { ", …" } else { "" };
    shown.join(", ") + rest
}
