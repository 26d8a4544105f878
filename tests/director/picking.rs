//! Whatever the engine says is legal can be done by pointing: the window's picking, in random
//! positions of every game.

use std::collections::HashSet;

use serde_json::{Value, json};
use tabuleiro::board::{Cell, Target};
use tabuleiro::pick::{Pick, Pointed};
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::Detail;

/// So many of each game.
const POSITIONS: usize = 10_000;

/// More buttons than these are never needed.
const MOST_BUTTONS: usize = 2;

fn every_action_can_be_reached(game: &str, options: Vec<Value>) {
    let catalog = Catalog::standard();
    let mut positions = 0;
    for (seed, options) in (0..).zip(options.iter().cycle()) {
        let mut session = catalog.open(game, options.as_object(), seed, None).expect("a game");
        let mut random = Random::new(seed);
        loop {
            let details = session.position().details();
            let Some(chosen) = random.pick(&(0..details.len()).collect::<Vec<_>>()) else { break };
            let action = details[chosen].action.clone();
            reach_all(details);
            positions += 1;
            if positions == POSITIONS {
                return;
            }
            session.play(&action).expect("a legal action");
        }
    }
}

/// Does each of the actions as a person would: points at one place after the other, and presses a
/// button where the last one leaves a choice.
fn reach_all(details: Vec<Detail>) {
    let mut actions: Vec<(Vec<Target>, &Detail)> =
        details.iter().map(|detail| (places(detail), detail)).collect();
    // So that what has been pointed at for one is good for the next.
    actions.sort_by(|one, other| one.0.cmp(&other.0));
    let mut pick = Pick::new(details.clone());
    for (places, detail) in actions {
        while !places.starts_with(pick.chosen()) {
            pick.back();
        }
        let is_played = places[pick.chosen().len()..].iter().any(|&place| match pick.point(place) {
            Pointed::Nothing => panic!("{place:?} is not open for {}", detail.action),
            Pointed::Unclear => false,
            Pointed::Action(action) => {
                assert_eq!(action, detail.action);
                true
            }
        });
        if !is_played {
            let buttons = pick.complete();
            let words: HashSet<&str> = buttons.iter().map(|button| button.words()).collect();
            assert!(buttons.contains(&detail), "no button for {}", detail.action);
            assert!(words.len() == buttons.len() && words.len() <= MOST_BUTTONS, "{words:?}");
        }
    }
}

/// What a person points at for an action.
fn places(detail: &Detail) -> Vec<Target> {
    let cells = detail.cells.iter().map(|cell| cell.parse::<Cell>().expect("a cell"));
    match &detail.edge {
        Some(edge) => cells.take(1).map(|cell| Target::Edge(edge.parse().expect("an edge"), cell)).collect(),
        None => cells.map(Target::Cell).collect(),
    }
}

fn zurero() -> Vec<Value> {
    (5..=19).map(|size| json!({ "size": size })).collect()
}

fn fabrik() -> Vec<Value> {
    let mut options = Vec::new();
    for rules in ["official", "report"] {
        for goal in 3..=6 {
            options.extend((5..=15).map(|size| json!({"size": size, "goal": goal, "rules": rules})));
        }
    }
    options
}

fn absorption() -> Vec<Value> {
    let limits = [0, 1, 200].into_iter();
    limits.flat_map(|limit| [1, 2].map(|captors| json!({"captors": captors, "turn_limit": limit}))).collect()
}

fn syrtis() -> Vec<Value> {
    let mut options = Vec::new();
    for layout in ["major", "minor"] {
        for passes in [1, 2] {
            options.extend(
                [0, 1, 300].map(|limit| json!({"layout": layout, "passes": passes, "turn_limit": limit})),
            );
        }
    }
    options
}

mod every_action_can_be_reached {
    use super::*;

    test_every_game!(every_action_can_be_reached, {
        zurero: [(super::zurero())],
        fabrik: [(super::fabrik())],
        absorption: [(super::absorption())],
        syrtis: [(super::syrtis())],
    });
}
