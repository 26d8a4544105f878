//! A search goes by the weights that it was given, and by no others.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use tabuleiro_protocol::{Limits, Options};

use super::evaluate::lookups;
use super::{Control, Effort, Evaluate, Level, Net, SearchRequest, Sums, best_turn, choose_by};
use crate::catalog::Catalog;
use crate::game::{Describe, GameOptions};
use crate::games::{absorption::Absorption, fabrik::Fabrik, syrtis::Syrtis, zurero::Zurero};
use crate::random::Random;

/// Positions of random games, from the first to the last turns.
fn positions<G: Describe>(options: Json) -> Vec<G> {
    let options = GameOptions::check(&G::options(), options.as_object().expect("options")).expect("options");
    let mut found = Vec::new();
    for seed in 0..3 {
        let mut game = G::start(&options, seed);
        let mut random = Random::new(seed);
        let mut positions = Vec::new();
        while let Some(action) = game.random_action(&mut random, &mut Vec::new()) {
            positions.push(game.clone());
            game.play(action);
        }
        let step = positions.len().div_ceil(6);
        found.extend(positions.into_iter().rev().step_by(step));
    }
    found
}

fn request(level: Level, seed: u64) -> SearchRequest {
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    SearchRequest { level, limits, seed, multi_pv: 1 }
}

/// Calls a function with every game that the engine offers, and options of it.
macro_rules! in_every_game {
    ($test:ident) => {
        in_every_game!($test:
            Zurero {"size": 7},
            Fabrik {"size": 7, "goal": 4},
            Absorption {},
            Syrtis {},
            Syrtis {"layout": "minor"},
        )
    };
    ($test:ident: $($game:ident $options:tt,)+) => {
        let tested = HashSet::from([$($game::ID),+]);
        let offered = Catalog::standard().games().iter().map(|game| game.id).collect();
        assert_eq!(tested, offered, "the table above has every game");
        $($test::<$game>(json!($options));)+
    };
}

/// A net of which every feature counts, whether or not the game is shipped with one.
fn some_net<G: Describe + Evaluate>(game: &G) -> Option<G::Weights> {
    let inputs = game.inputs()?;
    let mut net = Net::blank(G::ID, &Options::new(), &inputs);
    let mut random = Random::new(7);
    let mut weight = |most: u32| random.below(2 * most + 1) as i32 - most as i32;
    net.weights.iter_mut().flatten().for_each(|of_unit| *of_unit = weight(900) as i16);
    net.answer.iter_mut().for_each(|of_unit| *of_unit = weight(20_000));
    G::with_net(&game.shipped_weights(), Arc::new(net))
}

#[test]
fn sums_that_go_on_are_those_from_scratch() {
    fn test<G: Describe + Evaluate>(options: Json) {
        let positions = positions::<G>(options);
        let weights = some_net(&positions[0]).expect("all have features");
        let (mut sums, mut values) = (Sums::default(), HashSet::new());
        for game in &positions {
            let value = game.evaluate_next(game.to_move(), &weights, &mut sums);
            assert_eq!(value, game.evaluate(game.to_move(), &weights), "{game:?}");
            values.insert(value);
        }
        assert!(values.len() > positions.len() / 2, "{} says too little: {values:?}", G::ID);
    }
    in_every_game!(test);
}

#[test]
fn nobody_asks_for_shipped_weights_below_the_root() {
    fn test<G: Describe + Evaluate>(options: Json) {
        for (seed, game) in (0..).zip(positions::<G>(options)) {
            let weights = game.shipped_weights();
            let before = lookups::so_far();
            assert!(before > 0);
            for level in Level::ALL {
                choose_by(Arc::clone(&weights), &game, &request(level, seed), &mut Control::silent());
            }
            best_turn(weights, &game, Effort::Nodes(2_000), seed);
            assert_eq!(lookups::so_far(), before, "{game:?}");
        }
    }
    in_every_game!(test);
}

#[test]
fn what_counts_nothing_changes_nothing() {
    fn test<G: Describe + Evaluate>(options: Json) {
        let mut even = 0;
        // Syrtis' set-up is judged by the scale.
        let in_play = |game: &G| !["swap", "towers", "choose"].contains(&game.phase());
        for (seed, game) in (0..).zip(positions::<G>(options).into_iter().filter(in_play)) {
            let mut weights = serde_json::to_value(&*game.shipped_weights()).expect("numbers");
            for (name, weight) in weights.as_object_mut().expect("named ones") {
                *weight = if name == "scale" { 1_000 } else { 0 }.into();
            }
            let weights: Arc<G::Weights> = Arc::new(serde_json::from_value(weights).expect("weights"));
            for level in Level::ALL.into_iter().filter(|&level| level != Level::Uct) {
                let control = &mut Control::silent();
                let choice = choose_by(Arc::clone(&weights), &game, &request(level, seed), control);
                // What looks lost or won, but is not proved, is at one of the ends.
                assert!([0.0, 0.5, 1.0].contains(&choice.score.win), "{choice:?}\n{game:?}");
                even += usize::from(choice.score.win == 0.5);
            }
        }
        assert!(even >= 10, "only {even}");
    }
    in_every_game!(test);
}
