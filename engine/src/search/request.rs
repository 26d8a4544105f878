//! What a search is asked, and how it is stopped and listened to meanwhile.

use std::fmt;
use std::sync::atomic::AtomicBool;

use tabuleiro_protocol::{Info, Limits};

use super::level::Level;

/// What a player is asked besides the position.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    pub level: Level,
    /// What was asked for. The level's own hold if nothing in it ends a search.
    pub limits: Limits,
    pub seed: u64,
    /// How many of the best turns to list.
    pub multi_pv: usize,
}

impl SearchRequest {
    /// Only the best turn, within the level's own limits.
    pub fn new(level: Level, seed: u64) -> SearchRequest {
        SearchRequest { level, limits: Limits::default(), seed, multi_pv: 1 }
    }
}

/// How a search is stopped from outside, and where it says how it is getting on.
pub struct Control<'a> {
    pub stop: &'a AtomicBool,
    report: Option<&'a mut dyn FnMut(Info)>,
}

impl<'a> Control<'a> {
    pub fn new(stop: &'a AtomicBool, report: &'a mut dyn FnMut(Info)) -> Control<'a> {
        Control { stop, report: Some(report) }
    }

    /// Reports nothing.
    pub fn until(stop: &'a AtomicBool) -> Control<'a> {
        Control { stop, report: None }
    }

    pub(super) fn report(&mut self) -> Option<&mut dyn FnMut(Info)> {
        match &mut self.report {
            Some(report) => Some(&mut **report),
            None => None,
        }
    }
}

impl Control<'static> {
    /// Never stops a search, and reports nothing.
    pub fn silent() -> Control<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Control::until(&NEVER)
    }
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").field("stop", self.stop).finish_non_exhaustive()
    }
}
