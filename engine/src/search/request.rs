//! What a search is asked, what it takes, and how it is stopped and listened to meanwhile.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tabuleiro_protocol::{Info, Limits};

use super::level::Level;
use super::memory::Memory;

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

/// What a search takes of a machine that it shares with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Whether it is over soon: others may wait for it.
    pub brief: bool,
    /// Bytes, at most.
    pub memory: usize,
}

/// What is still brief: a turn that somebody waits for.
const BRIEF_TIME: Duration = Duration::from_secs(10);
const BRIEF_NODES: u64 = 1_000_000;
/// A node of UCT is a whole game.
const BRIEF_GAMES: u64 = 10_000;

impl Cost {
    /// `limits` are those that count.
    pub(super) fn new(level: Level, limits: &Limits, memory: usize) -> Cost {
        let in_time = limits.time_for_turn().is_some_and(|time| time <= BRIEF_TIME);
        let nodes = if level == Level::Uct { BRIEF_GAMES } else { BRIEF_NODES };
        let in_nodes = limits.nodes.is_some_and(|wanted| wanted <= nodes);
        let looks_one_turn_ahead = matches!(level, Level::Random | Level::Greedy);
        Cost { brief: in_time || in_nodes || looks_one_turn_ahead, memory }
    }
}

/// Decides whether more threads may work on something, where threads are shared with others.
pub trait Crew: Sync {
    /// Lets one more thread work, with so many bytes of its own, until `stop` is raised by either
    /// side. The thread keeps what it is given as long as it works. `None` if no thread is free.
    fn join(&self, stop: &Arc<AtomicBool>, memory: usize) -> Option<Membership>;
}

/// A thread's place among others: free again when this is dropped.
pub type Membership = Box<dyn Send>;

/// How a search is stopped from outside, where it says how it is getting on, and who may help it.
pub struct Control<'a> {
    pub stop: &'a AtomicBool,
    report: Option<&'a mut dyn FnMut(Info)>,
    /// As many threads as are wanted may help if there is none.
    pub(super) crew: Option<&'a dyn Crew>,
    /// What earlier searches without end have found.
    pub(super) memory: Option<&'a mut Memory>,
}

impl<'a> Control<'a> {
    pub fn new(stop: &'a AtomicBool, report: &'a mut dyn FnMut(Info)) -> Control<'a> {
        Control { stop, report: Some(report), crew: None, memory: None }
    }

    /// Reports nothing.
    pub fn until(stop: &'a AtomicBool) -> Control<'a> {
        Control { stop, report: None, crew: None, memory: None }
    }

    /// Threads that help have to join this crew first.
    pub fn with_crew(self, crew: Option<&'a dyn Crew>) -> Control<'a> {
        Control { crew, ..self }
    }

    /// Searches without end, but for limits that are asked for: a level's own do not count. It goes
    /// on where the last one with this memory was, and leaves there what it finds.
    pub fn without_end(self, memory: &'a mut Memory) -> Control<'a> {
        Control { memory: Some(memory), ..self }
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
