//! What a review has found out about a game, and what is being looked at of it.

use std::collections::BTreeMap;

use tabuleiro_protocol::method::{Replayed, Review};
use tabuleiro_protocol::{
    Limits, PerSeat, ReviewSummary, Reviewed, ReviewedTurn, Seat, State, Trace, Variation, Verdict,
};

use crate::settings::Effort;
use crate::state::{TableView, chance_of_first};

/// A review of the game on the table: all of it, or as far as it has come.
#[derive(Clone, Debug, Default)]
pub struct GameReview {
    /// The turns that were judged, by their numbers.
    pub turns: BTreeMap<usize, ReviewedTurn>,
    /// How many turns there are, once that is known.
    pub total: Option<usize>,
    /// How each side has played, once everything was judged.
    pub summary: Option<PerSeat<ReviewSummary>>,
    pub is_running: bool,
    /// How long every turn is looked at.
    pub effort: Effort,
    /// The last node of what is looked through.
    pub end: u32,
    /// The turn that is being looked at, by its number.
    pub at: Option<usize>,
    /// What that turn did, and what a better one would have done.
    pub comparison: Option<Comparison>,
    /// The better line, as far as it has been played through.
    pub line: Option<ShownLine>,
}

/// What was played and what would have been better, as traces on the board. With each, which action
/// of the turn it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    pub turn: usize,
    pub played: Vec<(usize, Trace)>,
    pub better: Vec<(usize, Trace)>,
}

/// A line that is played through and was never played.
#[derive(Clone, Debug)]
pub struct ShownLine {
    /// The node from which it goes on.
    pub node: u32,
    pub actions: Vec<String>,
    /// How many of the actions have been shown.
    pub step: usize,
    /// The position after so many actions, with what led to it, as far as they are known. The first
    /// is the one before the line.
    pub known: Vec<LineStep>,
}

#[derive(Clone, Debug)]
pub struct LineStep {
    pub state: State,
    /// What the last action has done.
    pub done: Option<Replayed>,
    /// How many events have led here since the line began.
    pub events: usize,
}

/// Another try at a turn, at a table of its own: the game stays as it is.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The table of the game.
    pub home: Box<TableView>,
    /// The turn that is to be done better.
    pub turn: ReviewedTurn,
    /// What was tried, and what the engine says of it, the last one last.
    pub tried: Vec<ReviewedTurn>,
    /// Where the whole turn that is on the board now has led, once there is one.
    pub end: Option<u32>,
}

impl GameReview {
    /// How a review is asked for. What it finds is kept with the game by these very limits.
    pub fn request(table: String, node: Option<u32>, effort: Effort) -> Review {
        let limits = Limits { nodes: Some(effort.nodes()), ..Limits::default() };
        Review { table, node, limits: Some(limits), ..Review::default() }
    }

    /// Takes in what has come of it.
    pub fn finish(&mut self, reviewed: Reviewed) {
        self.is_running = false;
        self.total = Some(reviewed.total);
        self.turns = reviewed.turns.into_iter().map(|turn| (turn.turn, turn)).collect();
        self.summary = Some(reviewed.summary);
    }

    pub fn is_whole(&self) -> bool {
        !self.is_running && self.total.is_some_and(|total| self.turns.len() == total)
    }

    /// Something else is looked at.
    pub fn leave_turn(&mut self) {
        (self.at, self.comparison, self.line) = (None, None, None);
    }

    /// The turn that is being looked at.
    pub fn looked_at(&self) -> Option<&ReviewedTurn> {
        self.turns.get(&self.at?)
    }

    /// The verdict about the turn that led to a node.
    pub fn verdict(&self, end: u32) -> Option<Verdict> {
        self.turns.values().find(|turn| turn.end == end).map(|turn| turn.verdict)
    }

    /// Whether there are mistakes or worse. Without any, inaccuracies are gone through instead.
    pub fn has_mistakes(&self) -> bool {
        self.turns.values().any(|turn| turn.verdict.is_bad())
    }

    /// What can be gone through in the review, as a person calls one of them.
    pub fn slip(&self) -> &'static str {
        if self.has_mistakes() || self.mistake(0, false).is_none() { "mistake" } else { "inaccuracy" }
    }

    /// The next turn that was a mistake or worse after the one of this number, or the last before.
    pub fn mistake(&self, from: usize, backwards: bool) -> Option<&ReviewedTurn> {
        let least = if self.has_mistakes() { Verdict::Mistake } else { Verdict::Inaccuracy };
        let mut mistakes = self.turns.values().filter(|turn| turn.verdict >= least);
        match backwards {
            true => mistakes.rfind(|turn| turn.turn < from),
            false => mistakes.find(|turn| turn.turn > from),
        }
    }

    /// Seat 1's chance before every turn and after the last, by the number of turns played, as far
    /// as turns were judged.
    pub fn chances(&self) -> Vec<(usize, f64)> {
        let mut chances: BTreeMap<usize, f64> = BTreeMap::new();
        for turn in self.turns.values() {
            chances.insert(turn.turn, chance_of_first(&turn.after, turn.seat));
        }
        // What was found out before a turn is known better than what was thought after the one
        // before.
        for turn in self.turns.values() {
            chances.insert(turn.turn - 1, chance_of_first(&turn.before, turn.seat));
        }
        chances.into_iter().collect()
    }
}

impl Trial {
    pub fn seat(&self) -> Seat {
        self.turn.seat
    }

    /// Whether a whole turn was tried that is on the board now.
    pub fn is_done(&self) -> bool {
        self.end.is_some()
    }

    /// What the engine says of the turn on the board, once it has.
    pub fn verdict(&self) -> Option<&ReviewedTurn> {
        self.tried.iter().find(|tried| Some(tried.end) == self.end)
    }

    /// Whether the turn on the board is the one that was to be done better.
    pub fn is_as_played(&self) -> bool {
        self.verdict().is_some_and(|tried| tried.actions == self.turn.actions)
    }
}

/// What would have been better than a turn. As good as the best is good enough.
pub fn better(turn: &ReviewedTurn) -> Option<&Variation> {
    turn.best.first().filter(|best| turn.verdict > Verdict::Best && best.actions != turn.actions)
}

/// What to think of a turn, in a sentence: `Mistake: 63 % before, 41 % after.`
pub fn judgement(turn: &ReviewedTurn) -> String {
    use tabuleiro_protocol::{Proof, Score};
    let words = |score: &Score| match score.proved {
        Some(Proof::Win) => "a sure win".to_string(),
        Some(Proof::Loss) => "a sure loss".to_string(),
        Some(Proof::Draw) => "a sure draw".to_string(),
        None => format!("{:.0} %", score.win.clamp(0.0, 1.0) * 100.0),
    };
    let verdict = crate::text::capitalised(turn.verdict.words());
    // A best turn gives nothing away: what else was thought of it before says nothing.
    if turn.verdict <= Verdict::Best {
        return format!("{verdict}: {}", words(&turn.after));
    }
    format!("{verdict}: {} before, {} after", words(&turn.before), words(&turn.after))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn turn(number: usize, seat: u8, verdict: &str, before: f64, after: f64) -> ReviewedTurn {
        serde_json::from_value(json!({
            "turn": number, "seat": seat, "node": number - 1, "end": number, "actions": ["a"],
            "before": {"win": before}, "after": {"win": after}, "cost": before - after, "verdict": verdict,
            "best": [{"actions": ["b"], "score": {"win": before}, "pv": ["b", "c"]}]
        }))
        .expect("a turn")
    }

    fn review() -> GameReview {
        let turns = [
            turn(1, 1, "best", 0.5, 0.5),
            turn(2, 2, "mistake", 0.5, 0.35),
            turn(3, 1, "good", 0.7, 0.68),
            turn(4, 2, "blunder", 0.4, 0.1),
        ];
        GameReview {
            turns: turns.into_iter().map(|turn| (turn.turn, turn)).collect(),
            total: Some(4),
            ..GameReview::default()
        }
    }

    #[test]
    fn mistakes_are_found_one_after_the_other() {
        let review = review();
        let number = |turn: Option<&ReviewedTurn>| turn.map(|turn| turn.turn);
        assert_eq!(number(review.mistake(0, false)), Some(2));
        assert_eq!(number(review.mistake(2, false)), Some(4));
        assert_eq!(number(review.mistake(4, false)), None);
        assert_eq!(number(review.mistake(4, true)), Some(2));
        assert_eq!(number(review.mistake(2, true)), None);
        assert_eq!((review.verdict(4), review.verdict(9)), (Some(Verdict::Blunder), None));
    }

    #[test]
    fn chances_are_the_first_seats_and_what_was_searched_counts() {
        let chances = review().chances();
        assert_eq!(chances.len(), 5);
        for ((turns, chance), expected) in
            chances.into_iter().zip([(0, 0.5), (1, 0.5), (2, 0.7), (3, 0.6), (4, 0.9)])
        {
            assert_eq!(turns, expected.0);
            assert!((chance - expected.1).abs() < 1e-9, "{turns}: {chance}");
        }
    }

    #[test]
    fn a_turn_is_judged_in_words() {
        let mut turn = turn(2, 2, "missed_win", 1.0, 0.41);
        turn.before.proved = Some(tabuleiro_protocol::Proof::Win);
        assert_eq!(judgement(&turn), "Missed win: a sure win before, 41 % after");
    }
}
