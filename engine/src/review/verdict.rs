//! What to think of a turn, by what it began with and what it led to.

use tabuleiro_protocol::{Choice, Proof, Score, Stopped, Verdict};

/// A turn that costs no more than this is as good as the best.
const BEST: f64 = 0.01;
/// From this cost on a turn is an inaccuracy.
const INACCURACY: f64 = 0.05;
/// From this cost on it is a mistake.
const MISTAKE: f64 = 0.10;
/// From this cost on it is a blunder.
const BLUNDER: f64 = 0.20;

/// What a position is worth to the seat that is not to move.
pub(super) fn seen_by_other(score: Score) -> Score {
    let proved = score.proved.map(|proof| match proof {
        Proof::Win => Proof::Loss,
        Proof::Loss => Proof::Win,
        Proof::Draw => Proof::Draw,
    });
    Score { win: 1.0 - score.win, proved }
}

/// What a turn cost, and what to think of it: `before` is what a search found where it began, and
/// `after` what the seat has once it is played.
pub(super) fn judge(before: &Choice, actions: &[String], after: Score) -> (f64, Verdict) {
    if before.stopped == Stopped::Only {
        return (0.0, Verdict::Only);
    }
    if before.actions == actions {
        let second = before.lines.get(1).map(|second| before.score.win - second.score.win);
        let is_forced = second.is_some_and(|gap| gap >= BLUNDER);
        return (0.0, if is_forced { Verdict::Forced } else { Verdict::Best });
    }
    let is = |score: Score, proof| score.proved == Some(proof);
    // What cannot be better, and what is lost anyway.
    if is(after, Proof::Win) || is(before.score, Proof::Loss) {
        return (0.0, Verdict::Best);
    }
    // The benefit of the doubt: the search before may have looked at the turn as well.
    let listed = before.lines.iter().find(|line| line.actions == actions).map(|line| line.score.win);
    let worth = listed.filter(|_| after.proved.is_none()).map_or(after.win, |listed| listed.max(after.win));
    let cost = (before.score.win - worth).max(0.0);
    let verdict = match cost {
        _ if is(before.score, Proof::Win) && !is(after, Proof::Loss) => Verdict::MissedWin,
        _ if is(before.score, Proof::Draw) && is(after, Proof::Draw) => Verdict::Best,
        cost if cost >= BLUNDER => Verdict::Blunder,
        cost if cost >= MISTAKE => Verdict::Mistake,
        cost if cost >= INACCURACY => Verdict::Inaccuracy,
        cost if cost > BEST => Verdict::Good,
        _ => Verdict::Best,
    };
    (cost, verdict)
}

/// Whether a turn seems to be bad, and something that it depends on is only an estimate.
pub(super) fn is_doubtful(before: &Choice, actions: &[String], after: Score) -> bool {
    let is_certain = before.score.proved.is_some() && after.proved.is_some();
    !is_certain && judge(before, actions, after).1.is_bad()
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::Variation;

    use super::*;

    fn score(win: f64, proved: Option<Proof>) -> Score {
        Score { win, proved }
    }

    fn choice(score: Score, second: f64) -> Choice {
        let line = |action: &str, score| Variation {
            actions: vec![action.into()],
            score,
            pv: Vec::new(),
            turns: Vec::new(),
        };
        Choice {
            actions: vec!["a".into()],
            score,
            pv: Vec::new(),
            depth: 1,
            nodes: 1,
            time_ms: 0,
            stopped: Stopped::Nodes,
            lines: vec![line("a", score), line("b", Score { win: second, proved: None })],
        }
    }

    #[test]
    fn every_verdict_has_its_threshold() {
        let before = |win| choice(score(win, None), 0.0);
        let played = |before: &Choice, action: &str, after| judge(before, &[action.to_string()], after).1;
        let estimate = |win| score(win, None);
        assert_eq!(played(&choice(estimate(0.6), 0.5), "a", estimate(0.1)), Verdict::Best);
        assert_eq!(played(&choice(estimate(0.6), 0.39), "a", estimate(0.1)), Verdict::Forced);
        for (after, verdict) in [
            (0.7, Verdict::Best),
            (0.595, Verdict::Best),
            (0.57, Verdict::Good),
            (0.54, Verdict::Inaccuracy),
            (0.49, Verdict::Mistake),
            (0.39, Verdict::Blunder),
        ] {
            assert_eq!(played(&before(0.6), "c", estimate(after)), verdict, "{after}");
        }
        // What the search before thought of the turn counts if it is more.
        assert_eq!(played(&choice(estimate(0.6), 0.58), "b", estimate(0.3)), Verdict::Good);
        assert_eq!(
            played(&choice(estimate(0.6), 0.58), "b", score(0.0, Some(Proof::Loss))),
            Verdict::Blunder
        );
        let won = choice(score(1.0, Some(Proof::Win)), 0.9);
        assert_eq!(played(&won, "c", score(1.0, Some(Proof::Win))), Verdict::Best);
        assert_eq!(played(&won, "c", estimate(0.99)), Verdict::MissedWin);
        assert_eq!(played(&won, "c", score(0.0, Some(Proof::Loss))), Verdict::Blunder);
        let lost = choice(score(0.0, Some(Proof::Loss)), 0.0);
        assert_eq!(played(&lost, "c", score(0.0, Some(Proof::Loss))), Verdict::Best);
        let only = Choice { stopped: Stopped::Only, ..choice(estimate(0.6), 0.0) };
        assert_eq!(played(&only, "a", estimate(0.1)), Verdict::Only);
    }
}
