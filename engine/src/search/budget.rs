//! Watches the limits of a search: time, nodes, and the flag that stops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tabuleiro_protocol::{Limits, Stopped};

/// Watches the limits of a search.
pub(super) struct Budget<'a> {
    pub(super) deadline: Option<Instant>,
    pub(super) most_nodes: u64,
    stop: &'a AtomicBool,
    pub(super) nodes: u64,
    /// How many nodes go by between looks at the clock and the flag.
    pub(super) look_every: u64,
    /// How many nodes there must be before the next look.
    next_look: u64,
    uncounted: u64,
    pub(super) stopped: Option<Stopped>,
    /// Hears how many nodes there are at every look.
    goes_on: Option<&'a dyn Fn(u64)>,
}

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &Limits, began: Instant, stop: &'a AtomicBool) -> Budget<'a> {
        Budget {
            deadline: limits.time_for_turn().and_then(|time| began.checked_add(time)),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            ..Budget::until(stop)
        }
    }

    /// No limit but the flag.
    pub(super) fn until(stop: &'a AtomicBool) -> Budget<'a> {
        Budget {
            deadline: None,
            most_nodes: u64::MAX,
            stop,
            nodes: 0,
            look_every: 64,
            next_look: 0,
            uncounted: 0,
            stopped: None,
            goes_on: None,
        }
    }

    pub(super) fn with_nodes(self, most_nodes: u64) -> Budget<'a> {
        Budget { most_nodes, ..self }
    }

    /// From now on.
    pub(super) fn with_time(self, time: Duration) -> Budget<'a> {
        Budget { deadline: Instant::now().checked_add(time), ..self }
    }

    /// Lets somebody hear how many nodes there are at every look.
    pub(super) fn telling(self, goes_on: &'a dyn Fn(u64)) -> Budget<'a> {
        Budget { goes_on: Some(goes_on), ..self }
    }

    /// Whether there is time for one step more of work that is not counted, because it has to be
    /// done with however few nodes.
    pub(super) fn has_time(&mut self) -> bool {
        self.uncounted += 1;
        if self.uncounted.is_multiple_of(self.look_every) {
            self.look();
        }
        !matches!(self.stopped, Some(Stopped::Cancelled | Stopped::Time))
    }

    /// Looks at the flag and the clock.
    fn look(&mut self) {
        if self.stop.load(Ordering::Relaxed) {
            self.stopped = Some(Stopped::Cancelled);
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stopped = Some(Stopped::Time);
        } else if let Some(goes_on) = self.goes_on {
            goes_on(self.nodes);
        }
    }

    /// Counts a node. `false` once the search has to end.
    pub(super) fn spend(&mut self) -> bool {
        self.spend_on(1)
    }

    /// Counts what is as much work as so many nodes. `false` once the search has to end.
    pub(super) fn spend_on(&mut self, nodes: u64) -> bool {
        if self.stopped.is_none() {
            if self.nodes >= self.most_nodes {
                self.stopped = Some(Stopped::Nodes);
            } else if self.nodes >= self.next_look {
                self.next_look = self.nodes + self.look_every;
                self.look();
            }
        }
        if self.stopped.is_some() {
            return false;
        }
        self.nodes = self.nodes.saturating_add(nodes).min(self.most_nodes);
        true
    }
}
