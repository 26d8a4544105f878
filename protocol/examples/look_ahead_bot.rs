//! A bot that knows the rules of no game and looks one turn ahead: it takes a win, and avoids what
//! lets the other seat win at once. Of the rest it takes what leaves the other seat the fewest
//! actions. Where a turn has several actions it tries as many ways to go on as it has time for. In
//! Zurero, Fabrik and Syrtis that beats chance; in Absorption few actions of the other's mean
//! nothing, and one would count pieces instead.
//!
//! It looks by means of an engine of its own: the command in `TABULEIRO_ENGINE`, or else
//! `tabuleiro-engine`.

use std::env;
use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;
use std::time::{Duration, Instant};

use tabuleiro_protocol::bot::{self, ChooseRequest};
use tabuleiro_protocol::client::{CallError, Conversation};
use tabuleiro_protocol::method::{Close, GetActions, New, Play, Preview, Undo};
use tabuleiro_protocol::{Seat, State};

/// How long it looks if nobody limits it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The part of the time that it looks in; the rest is for the way to the engine and back.
const SHARE: f64 = 0.8;

fn main() -> Result<(), Box<dyn Error>> {
    let engine = env::var("TABULEIRO_ENGINE").unwrap_or_else(|_| "tabuleiro-engine".into());
    let mut engine = Conversation::start(&mut Command::new(engine))?;
    bot::run("look ahead", |request| best_turn(&mut engine, request))?;
    Ok(())
}

fn best_turn(engine: &mut Conversation, request: &ChooseRequest) -> Result<Vec<String>, Box<dyn Error>> {
    let deadline = Instant::now() + request.time_left().unwrap_or(PATIENCE).mul_f64(SHARE);
    let new = New {
        game: request.game.clone(),
        options: Some(request.options.clone()),
        start: request.start.clone(),
        ..New::default()
    };
    let table = engine.call(&new)?.table;
    if !request.played.is_empty() {
        engine.call(&Play { table: table.clone(), actions: request.played.clone(), ply: None })?;
    }
    let mut look = Look {
        engine,
        table: table.clone(),
        seat: request.to_move,
        deadline,
        chance: request.seed.unwrap_or_default(),
    };
    let best = look.for_turns(&request.legal)?;
    look.engine.call(&Close { table })?;
    Ok(best)
}

/// A look at what may come of a position.
struct Look<'a> {
    engine: &'a mut Conversation,
    table: String,
    seat: Seat,
    deadline: Instant,
    chance: u64,
}

impl Look<'_> {
    /// Goes through the actions again and again, each time with another end of the turn, until the
    /// time is over or there is no other end.
    fn for_turns(&mut self, actions: &[String]) -> Result<Vec<String>, Box<dyn Error>> {
        let mut actions = actions.to_vec();
        // What is equally good is taken by chance; and if the time is short, chance says what is
        // looked at.
        actions.sort_by_cached_key(|action| self.draw(action));
        let mut best = (i64::MIN, vec![actions.first().ok_or("there is no legal action")?.clone()]);
        let mut there_is_more = true;
        while there_is_more {
            there_is_more = false;
            for action in &actions {
                if self.is_over() || best.0 == i64::MAX {
                    return Ok(best.1);
                }
                let (turn, state) = self.play_turn(action)?;
                there_is_more |= turn.len() > 1;
                let worth = self.worth(&state)?;
                let undo =
                    Undo { table: self.table.clone(), turns: None, actions: Some(turn.len()), ask: false };
                self.engine.call(&undo)?;
                if worth > best.0 {
                    best = (worth, turn);
                }
            }
        }
        Ok(best.1)
    }

    /// Plays an action and ends the turn by chance.
    fn play_turn(&mut self, action: &str) -> Result<(Vec<String>, State), Box<dyn Error>> {
        let mut turn = vec![action.to_string()];
        let mut state = self.play(action)?;
        while state.to_move == Some(self.seat) {
            let actions = self.actions()?;
            let index = self.draw(&turn) as usize % actions.len().max(1);
            let action = actions.get(index).ok_or("the turn does not go on")?;
            state = self.play(action)?;
            turn.push(action.clone());
        }
        Ok((turn, state))
    }

    /// What a position at the end of a turn is worth to the seat that has played it: the more, the
    /// better.
    fn worth(&mut self, state: &State) -> Result<i64, CallError> {
        Ok(match &state.outcome {
            Some(outcome) if outcome.winner == Some(self.seat) => i64::MAX,
            Some(outcome) if outcome.winner.is_none() => -1_000_000,
            Some(_) => i64::MIN,
            None => {
                let replies = self.actions()?;
                if self.can_win(&replies, !self.seat)? { i64::MIN + 1 } else { -(replies.len() as i64) }
            }
        })
    }

    /// Whether one of the actions wins at once, as far as there is time to see it.
    fn can_win(&mut self, actions: &[String], seat: Seat) -> Result<bool, CallError> {
        for action in actions {
            if self.is_over() {
                break;
            }
            let preview =
                Preview { table: self.table.clone(), actions: vec![action.clone()], ..Preview::default() };
            let outcome = self.engine.call(&preview)?.state.outcome;
            if outcome.is_some_and(|outcome| outcome.winner == Some(seat)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn play(&mut self, action: &str) -> Result<State, CallError> {
        let play = Play { table: self.table.clone(), actions: vec![action.into()], ply: None };
        Ok(self.engine.call(&play)?.state)
    }

    fn actions(&mut self) -> Result<Vec<String>, CallError> {
        let ask = GetActions { table: self.table.clone(), ..GetActions::default() };
        Ok(self.engine.call(&ask)?.actions)
    }

    fn is_over(&self) -> bool {
        Instant::now() > self.deadline
    }

    /// Another number every time, and the same ones for the same seed.
    fn draw(&mut self, thing: impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.chance, thing).hash(&mut hasher);
        self.chance = hasher.finish();
        self.chance
    }
}
