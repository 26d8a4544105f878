//! What the engine finds out about the position that is looked at, as long as somebody wants to know.

use tabuleiro_protocol::{Seat, Variation};

use crate::ghosts::{GhostLine, Line};

/// What a line costs, compared with the best one, before it is drawn as small as there is.
const WEAK: f64 = 0.25;

/// An analysis, and what has come of it. It is off until somebody asks for it.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    pub is_on: bool,
    /// Whether it is about what the other seat would do if it were its turn.
    pub threat: bool,
    /// What is being looked into; nothing between two positions.
    pub subject: Option<Subject>,
    pub found: Option<Found>,
    /// Why there is nothing to be found, in words.
    pub problem: Option<String>,
    /// Whether the engine is at it.
    pub is_searching: bool,
    /// The line under the pointer.
    pub pointed: Option<usize>,
    /// The line that was chosen by key or by a click.
    pub chosen: Option<usize>,
}

/// A position that is looked into.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    pub table: String,
    pub node: u32,
    pub threat: bool,
    /// Whose turn is looked for.
    pub seat: Seat,
    /// How many of the best turns.
    pub lines: usize,
}

/// What is known by now.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub depth: u32,
    pub nodes: u64,
    pub lines: Vec<FoundLine>,
}

/// One of the best turns, with what may follow.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundLine {
    pub variation: Variation,
    /// What it does on the board, once the engine has said so.
    pub line: Option<Line>,
    /// Whether that is how it went on a moment ago, after the same turn.
    pub is_past: bool,
}

impl FoundLine {
    /// With what is known of its turn by now: arrows and ghosts that came and went with everything
    /// that is found would flicker.
    pub fn among(known: &[FoundLine], variation: Variation) -> FoundLine {
        let first = |line: &FoundLine| line.variation.whole_turns().next().map(<[String]>::to_vec);
        let mut found = FoundLine { variation, line: None, is_past: false };
        let same = known.iter().find(|line| line.whole() == found.whole());
        let turn = first(&found);
        let known = same.or_else(|| known.iter().find(|line| turn.is_some() && first(line) == turn));
        found.line = known.and_then(|line| line.line.clone());
        found.is_past = found.line.is_some() && same.is_none_or(|line| line.is_past);
        found
    }

    /// The actions of its whole turns.
    pub fn whole(&self) -> Vec<String> {
        self.variation.whole_turns().flatten().cloned().collect()
    }

    pub fn is_known(&self) -> bool {
        self.line.is_some() && !self.is_past
    }
}

impl Analysis {
    /// The line that is to be played as ghosts.
    pub fn shown_line(&self) -> Option<usize> {
        let count = self.found.as_ref().map_or(0, |found| found.lines.len());
        self.pointed.or(self.chosen).filter(|&index| index < count)
    }

    /// Whether it has come so far, and it is known what its lines do on the board; or whether nothing
    /// more is going to be found.
    pub fn has_come_to(&self, depth: u32) -> bool {
        let is_drawn = |found: &Found| found.lines.iter().all(FoundLine::is_known);
        let is_deep = |found: &Found| found.depth >= depth || !self.is_searching;
        let is_done = self.found.as_ref().is_some_and(|found| is_deep(found) && is_drawn(found));
        // Who has just asked for something else waits for that.
        let is_asked_for = self.subject.as_ref().is_some_and(|subject| subject.threat == self.threat);
        self.problem.is_some() || (is_asked_for && is_done)
    }

    /// What it is about and what it shows, for scripts.
    pub fn in_words(&self, ghosts: Option<&GhostLine>) -> String {
        if !self.is_on {
            return "off".into();
        }
        let what = if self.threat { "threat" } else { "best" };
        let lines = self.found.as_ref().map_or(0, |found| found.lines.len());
        let ghosts = ghosts.map_or(0, |ghosts| ghosts.shown().len());
        let problem = self.problem.as_deref().unwrap_or("no problem");
        format!("on, {what}, {lines} lines, {ghosts} turns as ghosts, {problem}")
    }
}

impl Found {
    /// How good a line is, compared with the best one: 1 is as good, 0 is as weak as is told apart.
    pub fn strength(&self, index: usize) -> f64 {
        let win = |index: usize| self.lines.get(index).map_or(0.0, |line| line.variation.score.win);
        (1.0 - (win(0) - win(index)) / WEAK).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::Score;

    use super::*;

    #[test]
    fn what_was_found_before_threats_were_asked_for_is_not_waited_for() {
        let subject = Subject { table: "t1".into(), node: 3, threat: false, seat: Seat::One, lines: 3 };
        let found = Found { depth: 5, nodes: 9, lines: Vec::new() };
        let mut analysis =
            Analysis { is_on: true, subject: Some(subject), found: Some(found), ..Analysis::default() };
        assert!(analysis.has_come_to(2));
        analysis.threat = true;
        assert!(!analysis.has_come_to(2));
    }

    #[test]
    fn a_turn_keeps_its_arrow_while_it_is_asked_how_it_goes_on_now() {
        let variation = |pv: &[&str]| Variation {
            actions: Vec::new(),
            score: Score { win: 0.5, proved: None },
            pv: pv.iter().map(|action| action.to_string()).collect(),
            turns: vec![1; pv.len()],
        };
        let line = Line { turns: Vec::new() };
        let of = |pv: &[&str]| FoundLine { line: Some(line.clone()), ..FoundLine::among(&[], variation(pv)) };
        let known = [of(&["e5", "w4"]), of(&["se", "w4"])];
        let same = FoundLine::among(&known, variation(&["se", "w4"]));
        assert!(same.is_known(), "nothing has changed");
        let other = FoundLine::among(&known, variation(&["se", "nf"]));
        assert_eq!(other.line, Some(line), "the turn is the same");
        assert!(!other.is_known(), "it is to be asked for");
        let again = FoundLine::among(&[other], variation(&["se", "nf"]));
        assert!(again.line.is_some() && !again.is_known(), "nobody has answered yet");
        assert_eq!(FoundLine::among(&known, variation(&["nf", "w4"])).line, None);
    }

    #[test]
    fn lines_are_as_strong_as_their_chances_are_near_to_the_best() {
        let line = |win| FoundLine {
            variation: Variation {
                actions: Vec::new(),
                score: Score { win, proved: None },
                pv: Vec::new(),
                turns: Vec::new(),
            },
            line: None,
            is_past: false,
        };
        let found = Found { depth: 3, nodes: 9, lines: [0.7, 0.7, 0.575, 0.1].map(line).to_vec() };
        let strengths: Vec<f64> = (0..4).map(|index| found.strength(index)).collect();
        assert!((strengths[2] - 0.5).abs() < 1e-9);
        assert_eq!([strengths[0], strengths[1], strengths[3]], [1.0, 1.0, 0.0]);
        let mut analysis = Analysis { found: Some(found), chosen: Some(7), ..Analysis::default() };
        assert_eq!(analysis.shown_line(), None, "there are not so many");
        analysis.pointed = Some(1);
        assert_eq!(analysis.shown_line(), Some(1), "the pointer comes first");
    }
}
