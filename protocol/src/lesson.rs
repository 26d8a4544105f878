//! Lessons: a game taught in small steps, each with something to do.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Event, Happening, Overlay, Proof, Score, Seat, Start};

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
    /// What to say in a game, and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
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

/// Something to say to the learner while a game is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Comment {
    pub when: When,
    /// `{aid}` stands for what the engine says about the aid, `{chance}` for the learner's chance.
    pub text: String,
    /// Whether it is said only the first time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
}

/// When something is said: whenever the learner is to move, and at the end, it is looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// The learner has finished so many turns.
    Turns(u32),
    /// This happened since the learner's last turn began.
    Event(EventBy),
    /// There is an aid on the board that was not there before.
    Aid(AidOf),
    /// The learner's chance has become less by so much, from 0 to 1, since the turn before.
    ChanceFalls(f64),
    /// The same if it has become more.
    ChanceRises(f64),
    /// A search proves from now on that the learner wins or loses.
    Proved(Proof),
    /// The game is over.
    Over(GameEnd),
}

/// How a game ended for the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    Won,
    Lost,
    Drawn,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventBy {
    /// As of an event.
    pub kind: String,
    pub by: Whose,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AidOf {
    /// As of an overlay.
    pub name: String,
    /// Whose it is; anybody's if that is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Whose>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    You,
    Enemy,
}

impl Whose {
    fn is(self, seat: Seat, learner: Seat) -> bool {
        (self == Whose::You) == (seat == learner)
    }
}

/// What is known of a game when the learner is to move, or when it is over.
#[derive(Clone, Debug)]
pub struct Sight<'a> {
    /// Who learns.
    pub seat: Seat,
    /// Turns of the learner's that are finished.
    pub turns: u32,
    /// What happened since this was looked at last, and who did it.
    pub events: &'a [(Seat, Event)],
    pub overlays: &'a [Overlay],
    /// What a search says for the learner.
    pub score: Option<Score>,
    /// Who has won, if the game is over.
    pub outcome: Option<Option<Seat>>,
}

/// Who says the comments of a game.
#[derive(Clone, Debug, Default)]
pub struct Commentator {
    said: BTreeSet<usize>,
    /// The aids that were on the board: their names and cells.
    aids: BTreeSet<(String, Vec<String>)>,
    score: Option<Score>,
}

impl Commentator {
    /// What is to be said now, in the order of the file.
    pub fn look(&mut self, comments: &[Comment], sight: &Sight<'_>) -> Vec<String> {
        let mut said = Vec::new();
        for (index, comment) in comments.iter().enumerate() {
            if comment.once && self.said.contains(&index) {
                continue;
            }
            if let Some(aid) = self.applies(&comment.when, sight) {
                self.said.insert(index);
                said.push(filled(&comment.text, &aid, sight.score));
            }
        }
        self.aids = sight.overlays.iter().map(key).collect();
        self.score = sight.score.or(self.score);
        said
    }

    /// What the engine says about it, if this is the moment. That may be nothing.
    fn applies(&self, when: &When, sight: &Sight<'_>) -> Option<String> {
        let silent = |holds: bool| holds.then(String::new);
        let before = self.score.map(|score| score.win);
        let change = before.zip(sight.score).map(|(before, now)| now.win - before);
        let is_over = sight.outcome.is_some();
        match when {
            When::Turns(turns) => silent(sight.turns == *turns && !sight.events.is_empty() && !is_over),
            When::Event(EventBy { kind, by }) => {
                let fits = |(seat, event): &(Seat, Event)| by.is(*seat, sight.seat) && is_kind(event, kind);
                silent(sight.events.iter().any(fits))
            }
            When::Aid(AidOf { name, of }) => {
                let fits = |overlay: &&Overlay| {
                    let whose = of.is_none_or(|of| overlay.seat.is_some_and(|seat| of.is(seat, sight.seat)));
                    overlay.name == *name && whose && !self.aids.contains(&key(overlay))
                };
                let found = sight.overlays.iter().find(fits).filter(|_| !is_over);
                found.map(|overlay| overlay.text.clone())
            }
            When::ChanceFalls(least) => silent(!is_over && change.is_some_and(|change| -change >= *least)),
            When::ChanceRises(least) => silent(!is_over && change.is_some_and(|change| change >= *least)),
            When::Proved(proof) => {
                let is_new = self.score.is_none_or(|score| score.proved != Some(*proof));
                silent(!is_over && is_new && sight.score.is_some_and(|score| score.proved == Some(*proof)))
            }
            When::Over(result) => silent(sight.outcome.is_some_and(|winner| {
                *result
                    == match winner {
                        Some(winner) if winner == sight.seat => GameEnd::Won,
                        Some(_) => GameEnd::Lost,
                        None => GameEnd::Drawn,
                    }
            })),
        }
    }
}

/// What tells one aid from another.
fn key(overlay: &Overlay) -> (String, Vec<String>) {
    (overlay.name.clone(), overlay.cells.clone())
}

/// A comment with what the engine says in its place.
fn filled(text: &str, aid: &str, score: Option<Score>) -> String {
    let chance = score.map_or("unknown".into(), |score| format!("{:.0} %", score.win * 100.0));
    text.replace("{aid}", aid).replace("{chance}", &chance)
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

    const GUIDE: &str = include_str!("../../docs/write-a-lesson.md");

    /// Every name that a lesson can have in it, as its schema says.
    fn names(schema: &Value, names: &mut BTreeSet<String>) {
        match schema {
            Value::Object(members) => {
                for (member, value) in members {
                    match (member.as_str(), value) {
                        ("properties", Value::Object(properties)) => names.extend(properties.keys().cloned()),
                        ("const", Value::String(word)) => drop(names.insert(word.clone())),
                        ("enum", Value::Array(words)) => {
                            names.extend(words.iter().filter_map(Value::as_str).map(String::from));
                        }
                        _ => {}
                    }
                    self::names(value, names);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| self::names(value, names)),
            _ => {}
        }
    }

    #[test]
    fn the_guide_names_all_that_a_lesson_can_have() {
        let mut schema = schemars::schema_for!(Lesson).to_value();
        // Positions are described elsewhere.
        schema["$defs"].as_object_mut().expect("parts").remove("Start");
        let mut all = BTreeSet::new();
        names(&schema, &mut all);
        assert!(all.len() > 30, "{all:?}");
        for name in all {
            let is_named = GUIDE.contains(&format!("`{name}`")) || GUIDE.contains(&format!("`\"{name}\""));
            let is_in_goal = GUIDE.contains(&format!("{{\"{name}\""));
            assert!(is_named || is_in_goal, "docs/write-a-lesson.md does not say what {name} is");
        }
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

    fn sight<'a>(overlays: &'a [Overlay], win: f64, proved: Option<Proof>) -> Sight<'a> {
        let score = Some(Score { win, proved });
        Sight { seat: Seat::Two, turns: 1, events: &[], overlays, score, outcome: None }
    }

    fn comment(when: When, text: &str) -> Comment {
        Comment { when, text: text.into(), once: false }
    }

    #[test]
    fn a_threat_is_told_when_it_arises_and_again_after_it_was_gone() {
        let four = |seat| Overlay {
            name: "four".into(),
            text: "Four black stones in a row.".into(),
            seat: Some(seat),
            cells: Vec::new(),
        };
        let aid = AidOf { name: "four".into(), of: Some(Whose::Enemy) };
        let comments = [comment(When::Aid(aid), "{aid} Break it.")];
        let mut teacher = Commentator::default();
        let mut look = |overlays: &[Overlay]| teacher.look(&comments, &sight(overlays, 0.5, None));
        assert_eq!(look(&[four(Seat::Two)]), [""; 0], "the learner's own");
        assert_eq!(look(&[]), [""; 0]);
        assert_eq!(look(&[four(Seat::One)]), ["Four black stones in a row. Break it."]);
        assert_eq!(look(&[four(Seat::One)]), [""; 0], "it is not new");
        assert_eq!(look(&[]), [""; 0]);
        assert_eq!(look(&[four(Seat::One)]).len(), 1);
    }

    #[test]
    fn chances_and_proofs_are_told_as_they_change() {
        let comments = [
            comment(When::ChanceFalls(0.2), "down to {chance}"),
            comment(When::ChanceRises(0.2), "up"),
            comment(When::Proved(Proof::Win), "won"),
        ];
        let mut teacher = Commentator::default();
        let mut look = |win, proved| teacher.look(&comments, &sight(&[], win, proved));
        assert_eq!(look(0.5, None), [""; 0], "nothing to compare it with");
        assert_eq!(look(0.4, None), [""; 0]);
        assert_eq!(look(0.15, None), ["down to 15 %"]);
        assert_eq!(look(0.9, Some(Proof::Win)), ["up", "won"]);
        assert_eq!(look(0.9, Some(Proof::Win)), [""; 0], "it is known");
    }

    #[test]
    fn what_happened_and_how_it_ended_is_told_and_some_of_it_once() {
        let event = |by| When::Event(EventBy { kind: "said".into(), by });
        let over = |result| comment(When::Over(result), "over");
        let comments = [
            Comment { once: true, ..comment(event(Whose::You), "you") },
            comment(event(Whose::Enemy), "they"),
            comment(When::Turns(1), "one turn"),
            over(GameEnd::Lost),
            Comment { text: "well done".into(), ..over(GameEnd::Won) },
        ];
        let mut teacher = Commentator::default();
        let passed = |seat| {
            let said = Happening::Said { seat, word: "pass".into(), text: String::new() };
            (seat, Event::from(said))
        };
        let both = [passed(Seat::Two), passed(Seat::One)];
        let now = Sight { events: &both, ..sight(&[], 0.5, None) };
        assert_eq!(teacher.look(&comments, &now), ["you", "they", "one turn"]);
        let later = Sight { turns: 2, ..now.clone() };
        assert_eq!(teacher.look(&comments, &later), ["they"]);
        let end = Sight { events: &[], outcome: Some(Some(Seat::Two)), ..later };
        assert_eq!(teacher.look(&comments, &end), ["well done"]);
    }
}
