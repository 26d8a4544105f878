//! One turn of a bot: asks until the turn is whole, and plays on a copy to see that it is legal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tabuleiro_protocol::method::Choose;
use tabuleiro_protocol::notice::BotFailure;
use tabuleiro_protocol::{Choice, Limits, Score, Seat, Stopped};

use super::answer::BotAnswer;
use super::pool::Pool;
use super::process::Unanswered;
use super::{BotRequest, Failed, LONGEST_TURN, TakenTurn};
use crate::table::Table;

/// How long a bot may go on with a thought that nobody wants any more.
const UNWANTED_THOUGHT: Duration = Duration::from_millis(500);

/// Asks a bot until the turn is whole.
pub(super) fn take(
    pool: &Arc<Pool>,
    table: &Table,
    request: &BotRequest,
    stop: &AtomicBool,
) -> Result<Option<TakenTurn>, Failed> {
    let Some(seat) = table.to_move() else { return Err(illegal("the game is over")) };
    let mut loan = match pool.borrow(stop) {
        Ok(loan) => loan,
        Err(Unanswered::Failed(failed)) => return Err(failed),
        Err(Unanswered::Stopped) => return Ok(None),
    };
    let Some(process) = loan.process() else { return Ok(None) };
    let began = Instant::now();
    let deadline = began + longest(&request.limits, pool.margin());
    // On a copy: the table sees whole turns only.
    match whole_turn(table.clone(), seat, request, &mut |asked| process.ask(asked, deadline, stop)) {
        Ok(choice) => {
            loan.give_back();
            let took = began.elapsed();
            Ok(Some(TakenTurn { choice: Choice { time_ms: took.as_millis() as u64, ..choice }, took }))
        }
        Err(Unanswered::Failed(failed)) => {
            if !failed.is_of_process() {
                loan.give_back();
            }
            Err(failed)
        }
        Err(Unanswered::Stopped) => {
            // Who is asked and interrupted again and again must not fill the machine with thoughts
            // that nobody wants.
            loan.give_back_later(deadline.min(Instant::now() + UNWANTED_THOUGHT));
            Ok(None)
        }
    }
}

/// How a bot is asked.
pub(super) type Ask<'a> = &'a mut dyn FnMut(&Choose) -> Result<Value, Unanswered>;

/// Asks until the turn is whole.
pub(super) fn whole_turn(
    mut table: Table,
    seat: Seat,
    request: &BotRequest,
    ask: Ask<'_>,
) -> Result<Choice, Unanswered> {
    let began = Instant::now();
    let mut whole = Choice {
        actions: Vec::new(),
        score: Score { win: 0.5, proved: None },
        pv: Vec::new(),
        depth: 0,
        nodes: 0,
        time_ms: 0,
        stopped: Stopped::Depth,
        lines: Vec::new(),
    };
    while table.to_move() == Some(seat) {
        let limits = left_of(&request.limits, began.elapsed().as_millis() as u64);
        let result = ask(&choose(&table, limits, request.seed))?;
        let answer = BotAnswer::read(result)?;
        if answer.actions.is_empty() {
            return Err(illegal("it gave an empty list of actions").into());
        }
        for action in &answer.actions {
            play(&mut table, seat, action)?;
        }
        whole.pv = whole.actions.clone();
        whole.pv.extend(answer.pv.unwrap_or_else(|| answer.actions.clone()));
        whole.actions.extend(answer.actions);
        whole.score = answer.score.unwrap_or(whole.score);
        whole.depth = whole.depth.max(answer.depth);
        whole.nodes = whole.nodes.saturating_add(answer.nodes);
        whole.stopped = answer.stopped.unwrap_or(whole.stopped);
    }
    Ok(whole)
}

fn play(table: &mut Table, seat: Seat, action: &str) -> Result<(), Failed> {
    if table.to_move() != Some(seat) {
        return Err(illegal(format!("its turn was over before {:?}", super::answer::shown(action))));
    }
    table.play_own(&[action.into()]).map(drop).map_err(|refusal| illegal(refusal.to_string()))
}

fn illegal(detail: impl Into<String>) -> Failed {
    Failed::new(BotFailure::Illegal, detail)
}

/// What a bot is asked at a table.
fn choose(table: &Table, limits: Limits, seed: u64) -> Choose {
    let setup = table.session().setup();
    let options: Map<String, Value> =
        setup.options.values().iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    Choose {
        game: setup.game.into(),
        options: Some(options),
        start: Some(setup.start.clone()),
        played: table.session().history().played(),
        limits: Some(limits),
        level: None,
        seed: Some(seed),
        state: Some(table.state()),
        legal: Some(table.actions()),
    }
}

/// How long a turn may take, the margin included.
pub(super) fn longest(limits: &Limits, margin: Duration) -> Duration {
    /// As good as for ever, and still a time that clocks can show.
    const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

    let time = [limits.time_ms, limits.clock.map(|clock| clock.left_ms)].into_iter().flatten().min();
    time.map_or(LONGEST_TURN, |time| Duration::from_millis(time).saturating_add(margin).min(FOR_EVER))
}

/// The limits once a part of the turn has been played.
fn left_of(limits: &Limits, took_ms: u64) -> Limits {
    let left = |time: u64| time.saturating_sub(took_ms).max(1);
    let mut limits = limits.clone();
    limits.time_ms = limits.time_ms.map(left);
    if let Some(clock) = &mut limits.clock {
        clock.left_ms = left(clock.left_ms);
    }
    limits
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::Clock;

    use super::*;

    #[test]
    fn the_smaller_of_time_and_clock_counts_and_a_turn_without_them_ends_too() {
        let limits = |time_ms, left_ms: Option<u64>| Limits {
            time_ms,
            clock: left_ms.map(|left_ms| Clock { left_ms, increment_ms: 7 }),
            ..Limits::default()
        };
        let milliseconds = |limits| longest(&limits, Duration::from_millis(500)).as_millis();
        assert_eq!(milliseconds(limits(Some(100), None)), 600);
        assert_eq!(milliseconds(limits(Some(100), Some(40))), 540);
        assert_eq!(milliseconds(limits(None, Some(2_000))), 2_500);
        assert_eq!(milliseconds(limits(None, None)), 60_000);
        let strict = |limits| longest(&limits, Duration::ZERO).as_millis();
        assert_eq!(strict(limits(Some(100), Some(40))), 40);
        assert_eq!(strict(limits(None, None)), 60_000);
        let endless = longest(&limits(Some(u64::MAX), None), Duration::MAX);
        assert!(Instant::now().checked_add(endless).is_some());
        assert_eq!(left_of(&limits(Some(100), Some(40)), 30), limits(Some(70), Some(10)));
        assert_eq!(left_of(&limits(Some(100), Some(40)), 300), limits(Some(1), Some(1)));
        assert_eq!(left_of(&limits(None, None), 300), limits(None, None));
    }
}
