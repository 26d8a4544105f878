//! The rules of every game, tried in five ways: published positions (`vectors`), counts of the ways to play (`perft`), what must
//! hold in any game (`properties`), a slow and plain second statement of the rules (`reference`), and for each game a file of
//! hand-made positions for every rule.

mod absorption;
mod fabrik;
mod perft;
mod properties;
mod reference;
mod syrtis;
mod vectors;
mod zurero;

use serde_json::{Map, Value};
use tabuleiro_engine::game::{Describe, GameOptions};

/// A game's options from JSON such as `{"size":9}`.
fn options<G: Describe>(json: &Value) -> GameOptions {
    let given: Map<String, Value> = json.as_object().expect("options are an object").clone();
    GameOptions::check(&G::options(), &given).expect("options of the game")
}

/// The legal actions as text, sorted.
fn legal<G: Describe>(game: &G) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let mut texts: Vec<String> = actions.into_iter().map(|action| game.write(action)).collect();
    texts.sort();
    texts
}
