//! Lessons: a game taught in small steps, each with something to do.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Event, Happening, Proof, Seat, Start};

/// A game taught step by step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    pub game: String,
    pub title: String,
    /// The options of every step that has none of its own.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    pub steps: Vec<Step>,
}

/// A position, a few sentences and something to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub title: String,
    pub text: String,
    /// The position; the start of a game if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
    /// Cells to look at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    pub goal: Goal,
    /// For those who ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What to say when it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub well: Option<String>,
    /// What to say to a turn that is legal and not what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<String>,
    /// The same for turns with one of these actions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, String>,
}

impl Step {
    /// What to say to a turn that missed the goal.
    pub fn answer(&self, actions: &[String]) -> &str {
        let known = actions.iter().find_map(|action| self.answers.get(action));
        known.or(self.otherwise.as_ref()).map_or(NOT_MEANT, String::as_str)
    }
}

const NOT_MEANT: &str = "That can be played, but something else was meant. Try again.";

/// What is to be done in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Any turn.
    Any,
    /// One of these turns.
    Turns(Vec<Vec<String>>),
    /// A turn with one of these actions in it.
    Action(Vec<String>),
    /// A turn in which this happens.
    Event(WantedEvent),
    /// Win with at most so many turns of one's own.
    Win(u32),
    /// A turn after which the enemy has no forced win.
    Hold,
    /// A whole game against this level.
    Game(String),
}

/// Something that shall happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedEvent {
    /// As of an event.
    pub kind: String,
    /// How often at least.
    #[serde(default = "once")]
    pub times: usize,
    /// How many parts the event has, if that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
}

fn once() -> usize {
    1
}

impl WantedEvent {
    fn is_in(&self, events: &[Event]) -> bool {
        let is_wanted = |event: &&Event| {
            let parts = match &event.what {
                Happening::Split { parts, .. }
                | Happening::Merged { parts, .. }
                | Happening::Absorbed { parts, .. } => Some(parts.len()),
                _ => None,
            };
            is_kind(event, &self.kind) && (self.parts.is_none() || self.parts == parts)
        };
        events.iter().filter(is_wanted).count() >= self.times
    }
}

fn is_kind(event: &Event, kind: &str) -> bool {
    serde_json::to_value(&event.what).is_ok_and(|what| what["kind"] == kind)
}

/// What was done in a step so far.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    /// Who learns.
    pub seat: Seat,
    /// The actions of this turn, and what happened in it.
    pub actions: &'a [String],
    pub events: &'a [Event],
    /// Whether the turn is finished.
    pub is_turn_over: bool,
    /// The turns of the learner's that are finished.
    pub turns: u32,
    /// Who has won, if the game is over.
    pub outcome: Option<Option<Seat>>,
}

/// What an attempt is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The turn, or the line, is not finished yet.
    GoesOn,
    Done,
    Missed,
    /// It depends on what a search proves for the seat that is to move now: see [`Goal::proved`].
    Unproved,
}

impl Goal {
    /// Looks at what was played since the step began.
    pub fn judge(&self, attempt: &Attempt<'_>) -> Progress {
        let when = |done: bool| match (done, attempt.is_turn_over) {
            (true, true) => Progress::Done,
            (false, true) => Progress::Missed,
            (_, false) => Progress::GoesOn,
        };
        let has_won = attempt.outcome.map(|winner| winner == Some(attempt.seat));
        match self {
            Goal::Any => when(true),
            Goal::Turns(turns) if turns.iter().all(|turn| !turn.starts_with(attempt.actions)) => {
                Progress::Missed
            }
            Goal::Turns(turns) => when(turns.iter().any(|turn| turn == attempt.actions)),
            Goal::Action(wanted) => when(attempt.actions.iter().any(|action| wanted.contains(action))),
            Goal::Event(wanted) => when(wanted.is_in(attempt.events)),
            Goal::Win(_) | Goal::Hold | Goal::Game(_) if has_won == Some(true) => Progress::Done,
            Goal::Win(_) if has_won.is_some() => Progress::Missed,
            Goal::Win(most) if attempt.turns >= *most => Progress::Missed,
            Goal::Hold if has_won.is_some() => Progress::Missed,
            Goal::Win(_) | Goal::Hold if attempt.is_turn_over => Progress::Unproved,
            Goal::Game(_) if has_won.is_some() => Progress::Done,
            Goal::Win(_) | Goal::Hold | Goal::Game(_) => Progress::GoesOn,
        }
    }

    /// What comes of it if a search has proved this, or nothing, for the enemy who is to move.
    pub fn proved(&self, proof: Option<Proof>) -> Progress {
        match self {
            Goal::Hold if proof == Some(Proof::Win) => Progress::Missed,
            Goal::Hold => Progress::Done,
            _ if proof == Some(Proof::Loss) => Progress::GoesOn,
            _ => Progress::Missed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt<'a>(actions: &'a [String], events: &'a [Event], is_turn_over: bool) -> Attempt<'a> {
        Attempt {
            seat: Seat::One,
            actions,
            events,
            is_turn_over,
            turns: u32::from(is_turn_over),
            outcome: None,
        }
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| word.to_string()).collect()
    }

    #[test]
    fn a_turn_is_judged_when_it_cannot_become_what_was_meant_or_is_finished() {
        let goal = Goal::Turns(vec![words(&["a", "b"]), words(&["a", "c"])]);
        assert_eq!(goal.judge(&attempt(&words(&["a"]), &[], false)), Progress::GoesOn);
        assert_eq!(goal.judge(&attempt(&words(&["b"]), &[], false)), Progress::Missed);
        assert_eq!(goal.judge(&attempt(&words(&["a", "c"]), &[], true)), Progress::Done);
        assert_eq!(goal.judge(&attempt(&words(&["a"]), &[], true)), Progress::Missed);
    }

    #[test]
    fn what_has_to_happen_is_counted() {
        let part = |cell: &str| crate::Part { cell: cell.into(), piece: "x1".into(), count: 1 };
        let split =
            Happening::Split { piece: "x2".into(), from: "a1".into(), parts: vec![part("b1"), part("b2")] };
        let events = [Event::from(split)];
        let wanted = |times, parts| Goal::Event(WantedEvent { kind: "split".into(), times, parts });
        let judged = |goal: Goal| goal.judge(&attempt(&[], &events, true));
        assert_eq!(judged(wanted(1, None)), Progress::Done);
        assert_eq!(judged(wanted(1, Some(2))), Progress::Done);
        assert_eq!(judged(wanted(1, Some(3))), Progress::Missed);
        assert_eq!(judged(wanted(2, None)), Progress::Missed);
    }

    #[test]
    fn a_win_needs_a_proof_until_it_is_there() {
        let goal = Goal::Win(2);
        let mut tried = attempt(&[], &[], true);
        assert_eq!(goal.judge(&tried), Progress::Unproved);
        assert_eq!(goal.proved(Some(Proof::Loss)), Progress::GoesOn);
        assert_eq!(goal.proved(None), Progress::Missed);
        tried.turns = 2;
        assert_eq!(goal.judge(&tried), Progress::Missed);
        tried.outcome = Some(Some(Seat::One));
        assert_eq!(goal.judge(&tried), Progress::Done);
        tried.outcome = Some(Some(Seat::Two));
        assert_eq!(goal.judge(&tried), Progress::Missed);
    }

    #[test]
    fn only_a_proved_win_of_the_enemys_fails_to_hold() {
        assert_eq!(Goal::Hold.judge(&attempt(&[], &[], true)), Progress::Unproved);
        assert_eq!(Goal::Hold.proved(Some(Proof::Win)), Progress::Missed);
        assert_eq!(Goal::Hold.proved(None), Progress::Done);
    }
}
