//! What is proved is true, however much is pruned.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use serde_json::{Value as Json, json};

use super::SearchPlan;
use super::root::RootSearch;
use super::search::NodeSearch;
use super::table::TranspositionTable;
use crate::game::{Describe, GameOptions};
use crate::games::{fabrik::Fabrik, zurero::Zurero};
use crate::playout::playout;
use crate::random::Random;
use crate::search::Evaluate;
use crate::search::budget::Budget;
use crate::search::space::{Breadth, SearchSpace};
use crate::search::tuning::Tuning;
use crate::search::value::Value;

/// Each prunes nearly everything in its own way.
fn harsh(tuning: Tuning) -> [Tuning; 2] {
    [
        Tuning { reverse_futility_depth: 100, reverse_futility_margin: -1_000, ..tuning },
        Tuning { move_count_depth: 100, move_count_base: 1, move_count_growth: 0, ..tuning },
    ]
}

fn game<G: Describe>(options: Json, seed: u64, stones: usize) -> Option<G> {
    let options = GameOptions::check(&G::options(), options.as_object().expect("options")).expect("options");
    let mut game = G::start(&options, seed);
    let mut random = Random::new(seed);
    while game.outcome().is_none() && game.rows().concat().matches(['b', 'w']).count() < stones {
        playout(&mut game, &mut random, 1, &mut Vec::new());
    }
    game.outcome().is_none().then_some(game)
}

/// What the position is worth to the seat to move if both play perfectly. `known` are positions that
/// were solved before.
fn solved<G: Describe>(game: &G, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(&value) = known.get(&game.hash()) {
        return value;
    }
    let seat = game.to_move();
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let values = actions.into_iter().map(|action| {
        let mut after = game.clone();
        after.play(action);
        match after.outcome() {
            Some(outcome) => outcome.winner.map_or(0, |winner| if winner == seat { 1 } else { -1 }),
            None if after.to_move() == seat => solved(&after, known),
            None => -solved(&after, known),
        }
    });
    let value = values.max().expect("the game is not over");
    known.insert(game.hash(), value);
    value
}

/// What a search with this tuning has proved, if anything.
fn proved<G: Describe + Evaluate>(game: &G, tuning: Tuning, max_depth: u32) -> Option<i32> {
    let space = G::Space::new(game.clone(), game.shipped_weights(), Breadth::Usual);
    let table = TranspositionTable::for_nodes(1 << 14);
    let stop = AtomicBool::new(false);
    let plan = SearchPlan { max_depth, threads: 1, crew: None, seed: 1, multi_pv: 1, taste: 0 };
    let mut search = RootSearch::new(&space, Budget::until(&stop), &table, &plan, 0);
    search.nodes.tuning = tuning;
    search.deepen(1, &mut |_| {});
    match search.answer(&space, 0).turns[0].value {
        Value::Won => Some(1),
        Value::Lost => Some(-1),
        Value::Drawn => Some(0),
        Value::Estimate(_) => None,
    }
}

#[test]
fn what_is_pruned_proves_nothing() {
    fn test<G: Describe + Evaluate>(options: &Json, stones: usize) {
        let (mut pruned, mut proofs, mut draws) = (0, 0, 0);
        for seed in 0..200 {
            let Some(game) = game::<G>(options.clone(), seed, stones) else { continue };
            let expected = solved(&game, &mut HashMap::new());
            for depth in [1, 2, 3, 4, 6, 9] {
                let plain = proved(&game, G::Space::TUNING, depth);
                assert!(plain.is_none_or(|proved| proved == expected), "{expected}, not {plain:?}\n{game:?}");
                let whole = proved(&game, Tuning::CAUTIOUS, depth);
                for (way, tuning) in harsh(G::Space::TUNING).into_iter().enumerate() {
                    let found = proved(&game, tuning, depth);
                    assert!(
                        found.is_none_or(|proved| proved == expected),
                        "{expected}, not {found:?}\n{game:?}"
                    );
                    proofs += usize::from(found.is_some());
                    draws += usize::from(way == 0 && found == Some(0));
                    pruned += usize::from(whole.is_some() && found.is_none());
                }
            }
        }
        // Where every other move is judged by an evaluation, a draw is hardly ever certain.
        assert!(draws < 20, "{draws} draws");
        assert!(proofs >= 50, "only {proofs} proofs");
        assert!(pruned >= 10, "it matters only {pruned} times that something was pruned");
    }
    test::<Zurero>(&json!({"size": 5}), 18);
    test::<Fabrik>(&json!({"size": 5, "goal": 5, "rules": "report"}), 17);
}

/// Where every move but those that stop a threat loses at once.
#[test]
fn forced_replies_are_all_that_do_not_lose_at_once() {
    let mut compared = 0;
    for seed in 0..600 {
        let Some(game) = game::<Zurero>(json!({"size": 9}), seed, 20 + seed as usize % 20) else { continue };
        let space = <Zurero as Evaluate>::Space::new(game.clone(), game.shipped_weights(), Breadth::Usual);
        if space.wins_at_once() {
            continue;
        }
        let (mut replies, mut all) = (Vec::new(), Vec::new());
        space.forced_replies(&mut replies);
        space.moves(&mut all);
        let loses = |&played: &_| {
            let mut after = space.clone();
            after.play(played);
            match after.outcome() {
                Some(outcome) => outcome.winner == Some(after.to_move()),
                None => after.wins_at_once(),
            }
        };
        let saving: Vec<_> = all.iter().copied().filter(|played| !loses(played)).collect();
        match &replies[..] {
            [] => assert!(space.is_quiet(), "{game:?}"),
            [one] if saving.is_empty() => assert!(all.contains(one), "{game:?}"),
            _ => {
                compared += 1;
                assert_eq!(replies, saving, "{game:?}");
            }
        }
    }
    assert!(compared >= 20, "only {compared}");
}

/// A search that prunes gets deeper with the same nodes than one that does not.
#[test]
fn pruning_saves_nodes() {
    fn nodes(tuning: Tuning) -> u64 {
        let game = game::<Zurero>(json!({"size": 9}), 3, 8).expect("not over");
        let space = <Zurero as Evaluate>::Space::new(game.clone(), game.shipped_weights(), Breadth::Usual);
        let table = TranspositionTable::for_nodes(1 << 16);
        let stop = AtomicBool::new(false);
        let plan = SearchPlan { max_depth: 4, threads: 1, crew: None, seed: 1, multi_pv: 1, taste: 0 };
        let mut search = RootSearch::new(&space, Budget::until(&stop), &table, &plan, 0);
        let NodeSearch { tuning: own, .. } = &mut search.nodes;
        *own = tuning;
        search.deepen(1, &mut |_| {});
        search.nodes()
    }
    let plain = nodes(Tuning::CAUTIOUS);
    let futility = Tuning { reverse_futility_depth: 4, ..Tuning::CAUTIOUS };
    let counted = Tuning { move_count_depth: 4, ..Tuning::CAUTIOUS };
    for pruning in [futility, counted] {
        assert!(nodes(pruning) * 10 < plain * 9, "{} of {plain}: {pruning:?}", nodes(pruning));
    }
}
