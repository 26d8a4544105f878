//! A second statement of the rules, made from the text of the rules alone: plain and slow, with
//! whole boards that are looked at anew every time, so that it can be held beside the rules and
//! seen to say the same. The engine's games are compared with it.
//!
//! Every game here lists all the actions that could be written down on its board, legal or not
//! ([`Reference::every_action`]), and says of any one of them whether the rules allow it now
//! ([`Reference::allowed`]). What is legal follows from the two.

mod absorption;
mod board;
mod compare;
mod fabrik;
mod published;
mod syrtis;
mod trials;
mod zurero;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tabuleiro_engine::game::Describe;
use tabuleiro_engine::games;
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{OptionValue, Options, Outcome, Seat, Start};

/// A game by its rules, and nothing else.
pub(crate) trait Reference: Clone {
    type Action: Clone;

    /// Every reason for which the game can end.
    const REASONS: &'static [&'static str];

    /// The position at the start of a game, with what is drawn by lot drawn from `random`.
    fn beginning(options: &Options, random: &mut Random) -> Start;

    /// Some position or other that could be set up, crowded or odd, to come by what is rare in
    /// games from the start.
    fn odd_position(options: &Options, random: &mut Random) -> Start;

    /// The position is taken to be one that the rules let someone set up.
    fn set_up(options: &Options, start: &Start) -> Self;

    /// Nobody once the game is over.
    fn to_move(&self) -> Option<Seat>;

    fn phase(&self) -> &'static str;

    fn sides(&self) -> [Option<&'static str>; 2];

    fn rows(&self) -> Vec<String>;

    fn counters(&self) -> Map<String, Value>;

    fn outcome(&self) -> Option<Outcome>;

    /// Every action that could be written down on this board, by its one spelling, whether it makes
    /// sense now or not.
    fn every_action(&self) -> &BTreeMap<String, Self::Action>;

    /// Whether the rules allow this now. The game is not over.
    fn allowed(&self, action: &Self::Action) -> bool;

    fn act(&mut self, action: &Self::Action);

    /// This position as one that can be set up, if it is the start of a turn or otherwise one of
    /// those.
    fn as_start(&self) -> Option<Start>;

    /// Ways to choose that lead to ends which random games seldom reach.
    fn whims() -> Vec<Whim<Self>>;

    /// The legal actions, sorted.
    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let legal = self.every_action().iter().filter(|(_, action)| self.allowed(action));
        legal.map(|(text, _)| text.clone()).collect()
    }

    fn play(&mut self, text: &str) {
        let action = self.every_action()[text].clone();
        assert!(self.outcome().is_none() && self.allowed(&action), "{text} is not legal");
        self.act(&action);
    }

    /// How many ways there are to play this many actions, at least one.
    fn perft(&self, depth: usize) -> u64 {
        let legal = self.legal();
        if depth == 1 {
            return legal.len() as u64;
        }
        let after = |text: &String| {
            let mut after = self.clone();
            after.play(text);
            after.perft(depth - 1)
        };
        legal.iter().map(after).sum()
    }
}

/// A game of the engine, and the plain statement of its rules.
pub(crate) trait Restated: Describe {
    type Plain: Reference;
}

impl Restated for games::zurero::Zurero {
    type Plain = zurero::Zurero;
}

impl Restated for games::fabrik::Fabrik {
    type Plain = fabrik::Fabrik;
}

impl Restated for games::absorption::Absorption {
    type Plain = absorption::Absorption;
}

impl Restated for games::syrtis::Syrtis {
    type Plain = syrtis::Syrtis;
}

/// How to choose among the legal actions.
pub(crate) enum Whim<R> {
    /// All alike.
    None,
    /// Mostly one of those that are liked.
    Likes(fn(&R, &str) -> bool),
    /// Mostly one that leads back to a board that was there before.
    Homesick,
}

fn integer(options: &Options, name: &str, default: i64) -> i64 {
    match options.get(name) {
        None => default,
        Some(OptionValue::Integer(number)) => *number,
        Some(OptionValue::Choice(word)) => panic!("{name} is a number, not {word}"),
    }
}

fn choice(options: &Options, name: &str, default: &str) -> String {
    match options.get(name) {
        None => default.into(),
        Some(OptionValue::Choice(word)) => word.clone(),
        Some(OptionValue::Integer(number)) => panic!("{name} is a word, not {number}"),
    }
}

fn won(winner: Seat, reason: &str) -> Option<Outcome> {
    Some(Outcome { winner: Some(winner), reason: reason.into() })
}

fn drawn(reason: &str) -> Option<Outcome> {
    Some(Outcome { winner: None, reason: reason.into() })
}
