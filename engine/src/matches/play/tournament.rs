//! The matches of a tournament, one after the other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Match;
use crate::matches::{GameLine, Standings, Status, Tournament};

impl Tournament {
    /// Plays the matches of the pairings, one after the other, until `ending` is set. What goes
    /// wrong ends it, and is told beside the standings.
    pub fn play(
        &self,
        matches: &[Match],
        ending: &AtomicBool,
        watch: &mut dyn FnMut(usize, Status, Option<GameLine>),
    ) -> Result<(Standings, Option<String>), String> {
        let began = Instant::now();
        // Records that cannot be read back are better known before hours of play than after them.
        for the_match in matches {
            the_match.there_already()?;
        }
        let mut reports = Vec::new();
        let mut trouble = None;
        for (index, the_match) in matches.iter().enumerate() {
            let (report, reason) = the_match.play(ending, &mut |status, game| {
                let pairing = Some(index + 1);
                watch(index, status, game.map(|game| GameLine { pairing, ..game }));
            })?;
            reports.push(report);
            if reason.is_some() {
                trouble = trouble.or(reason);
                // The matches that remain only tell what is there already.
                ending.store(true, Ordering::Relaxed);
            }
        }
        Ok((Standings::new(self, reports, Some(began.elapsed())), trouble))
    }
}
