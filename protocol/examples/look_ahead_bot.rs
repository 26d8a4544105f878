//! A bot that knows the rules of no game and looks one turn ahead: it takes a win, and avoids what lets the other seat win
//! at once. Of the rest it takes what leaves the other seat the fewest actions. In Zurero and Syrtis, where a turn is one
//! action, that beats chance; Fabrik and Absorption have longer turns, and it would have to look through them.
//!
//! It looks by means of an engine of its own: the command in `TABULEIRO_ENGINE`, or else `tabuleiro-engine`.

use std::env;
use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;
use std::time::{Duration, Instant};

use tabuleiro_protocol::Seat;
use tabuleiro_protocol::bot::{self, Question};
use tabuleiro_protocol::client::{CallError, Conversation};
use tabuleiro_protocol::method::{Close, GetActions, New, Play, Preview, Undo};

/// How long it looks if nobody limits it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The part of the time that it looks in; the rest is for the way to the engine and back.
const SHARE: f64 = 0.8;

fn main() -> Result<(), Box<dyn Error>> {
    let engine = env::var("TABULEIRO_ENGINE").unwrap_or_else(|_| "tabuleiro-engine".into());
    let mut engine = Conversation::start(&mut Command::new(engine))?;
    bot::run("look ahead", |question| Ok(vec![best(&mut engine, question)?]))?;
    Ok(())
}

fn best(engine: &mut Conversation, question: &Question) -> Result<String, Box<dyn Error>> {
    let new = New {
        game: question.game.clone(),
        options: Some(question.options.clone()),
        start: question.start.clone(),
        ..New::default()
    };
    let table = engine.call(&new)?.table;
    if !question.played.is_empty() {
        engine.call(&Play { table: table.clone(), actions: question.played.clone(), ply: None })?;
    }
    let deadline = Instant::now() + question.time_left().unwrap_or(PATIENCE).mul_f64(SHARE);
    // What is equally good is taken by chance; and if the time is short, chance says what is looked at.
    let mut actions = question.legal.clone();
    actions.sort_by_cached_key(|action| {
        let mut chance = DefaultHasher::new();
        (question.seed, action).hash(&mut chance);
        chance.finish()
    });
    let mut best = (i64::MIN, actions.first().ok_or("there is no legal action")?);
    for action in &actions {
        if Instant::now() > deadline || best.0 == i64::MAX {
            break;
        }
        let worth = worth(engine, &table, action, question.to_move, deadline)?;
        if worth > best.0 {
            best = (worth, action);
        }
    }
    engine.call(&Close { table })?;
    Ok(best.1.clone())
}

/// What an action is worth to the seat that takes it: the more, the better.
fn worth(
    engine: &mut Conversation,
    table: &str,
    action: &str,
    seat: Seat,
    deadline: Instant,
) -> Result<i64, CallError> {
    let table = table.to_string();
    let state = engine.call(&Play { table: table.clone(), actions: vec![action.into()], ply: None })?.state;
    let worth = match state.outcome {
        Some(outcome) if outcome.winner == Some(seat) => i64::MAX,
        Some(outcome) if outcome.winner.is_none() => -1_000_000,
        Some(_) => i64::MIN,
        // The turn goes on: what follows is looked at when it is asked for.
        None if state.to_move == Some(seat) => -1_000,
        None => {
            let replies =
                engine.call(&GetActions { table: table.clone(), detail: false, ply: None })?.actions;
            match can_win(engine, &table, &replies, !seat, deadline)? {
                true => i64::MIN + 1,
                false => -(replies.len() as i64),
            }
        }
    };
    engine.call(&Undo { table, turns: None, actions: Some(1) })?;
    Ok(worth)
}

/// Whether one of the actions wins at once, as far as there is time to see it.
fn can_win(
    engine: &mut Conversation,
    table: &str,
    actions: &[String],
    seat: Seat,
    deadline: Instant,
) -> Result<bool, CallError> {
    for action in actions.iter().take_while(|_| Instant::now() < deadline) {
        let preview = Preview { table: table.into(), actions: vec![action.clone()], ply: None };
        if engine.call(&preview)?.state.outcome.is_some_and(|outcome| outcome.winner == Some(seat)) {
            return Ok(true);
        }
    }
    Ok(false)
}
