//! How long a review looks at a position: at first, and once more where a turn seems to be bad.

use std::time::Duration;

use tabuleiro_protocol::Limits;

/// How much longer a second look is than the first one may be, if there are two; one alone has the
/// effort of both.
const LONGER: u32 = 4;

/// Of a limit of time, one part in so many is saved for second looks: all looks together take no
/// longer than the first ones may.
const SAVED: u32 = 4;

/// The limits of all looks.
#[derive(Debug)]
pub(super) struct Looks {
    /// As asked for.
    asked: Limits,
    /// How long a position may be looked at, if that is limited.
    time: Option<Duration>,
}

impl Looks {
    pub(super) fn new(asked: &Limits) -> Looks {
        Looks { asked: asked.clone(), time: asked.time_ms.map(Duration::from_millis) }
    }

    /// Whether all looks together have to be done in time.
    pub(super) fn are_timed(&self) -> bool {
        self.time.is_some()
    }

    pub(super) fn first(&self) -> Limits {
        let time = self.time.map(|time| time - time / SAVED);
        Limits { time_ms: time.map(milliseconds), ..self.asked.clone() }
    }

    /// What a first look that took so long leaves for others.
    pub(super) fn saved(&self, used: Duration) -> Duration {
        self.time.map_or(Duration::ZERO, |time| time.saturating_sub(used))
    }

    /// How long the second looks of a turn may take together.
    pub(super) fn most_time(&self) -> Duration {
        self.time.map_or(Duration::ZERO, |time| time.saturating_mul(2 * LONGER))
    }

    /// In less time they would see no more than the first.
    pub(super) fn least_time(&self) -> Duration {
        self.time.map_or(Duration::ZERO, |time| time.saturating_mul(2))
    }

    /// A second look, one of so many that share this time, or the most that they may have. None if
    /// the time is too short.
    pub(super) fn second(&self, shared: Option<Duration>, looks: u32) -> Option<Limits> {
        let shared = shared.unwrap_or(self.most_time());
        if shared < self.least_time() {
            return None;
        }
        let looks = looks.max(1);
        let time = self.time.map(|_| shared / looks);
        let longer = u64::from(2 * LONGER / looks);
        Some(Limits {
            time_ms: time.map(milliseconds),
            nodes: self.asked.nodes.map(|nodes| nodes.saturating_mul(longer)),
            depth: self.asked.depth.map(|depth| depth.saturating_add(2)),
            ..self.asked.clone()
        })
    }
}

/// At least one: none would be no limit.
fn milliseconds(time: Duration) -> u64 {
    (time.as_millis() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_look_is_longer_in_every_way() {
        let asked = Limits { nodes: Some(1000), depth: Some(3), ..Limits::default() };
        let looks = Looks::new(&asked);
        assert_eq!(looks.first(), asked);
        let longer = Limits { nodes: Some(4000), depth: Some(5), ..Limits::default() };
        assert_eq!(looks.second(None, 2), Some(longer.clone()));
        assert_eq!(looks.second(None, 1), Some(Limits { nodes: Some(8000), ..longer }));
        assert!(!looks.are_timed());
    }

    #[test]
    fn all_looks_together_take_no_longer_than_the_first_ones_may() {
        let time = Duration::from_millis(200);
        let looks = Looks::new(&Limits { time_ms: Some(200), ..Limits::default() });
        let first = Duration::from_millis(looks.first().time_ms.expect("a limit"));
        assert_eq!(first + looks.saved(first), time);
        assert_eq!(looks.saved(Duration::ZERO), time, "what was known or proved at once");
        assert_eq!(looks.saved(time * 3), Duration::ZERO);
        // Two looks share what there is; one has it for itself.
        let second =
            |shared, looks_of_turn| looks.second(shared, looks_of_turn).and_then(|look| look.time_ms);
        assert_eq!(second(None, 2), Some(800));
        assert_eq!(second(Some(Duration::from_millis(600)), 2), Some(300));
        assert_eq!(second(Some(Duration::from_millis(600)), 1), Some(600));
        assert_eq!(second(Some(looks.least_time() - Duration::from_millis(1)), 1), None);
    }
}
