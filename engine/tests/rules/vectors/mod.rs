//! Positions with their legal actions, outcomes and counts of the ways to play.

use std::fs;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use serde_json::Value;
use tabuleiro_engine::game::Describe;
use tabuleiro_engine::perft::perft;
use tabuleiro_engine::testing::{legal, options};
use tabuleiro_protocol::{Outcome, Start};

#[derive(Deserialize)]
struct Case {
    note: String,
    options: Value,
    start: Option<Start>,
    legal: Option<Vec<String>>,
    outcome: Option<Outcome>,
    #[serde(default)]
    perft: Vec<u64>,
}

/// Tries every case in a file of them.
pub(crate) fn hold<G: Describe>(json: &str) {
    let cases: Vec<Case> = serde_json::from_str(json).expect("a list of cases");
    assert!(!cases.is_empty());
    for case in cases {
        let note = &case.note;
        let options = options::<G>(&case.options);
        let mut game = match &case.start {
            None => G::start(&options, 0),
            Some(start) => G::set_up(&options, start).unwrap_or_else(|error| panic!("{note}: {error}")),
        };
        assert_eq!(game.outcome().map(Outcome::from), case.outcome, "{note}");
        if let Some(expected) = case.legal {
            assert_eq!(legal(&game), expected, "{note}");
        }
        for (depth, expected) in (1..).zip(case.perft) {
            let nodes = perft(&mut game, depth, &AtomicBool::new(false));
            assert_eq!(nodes, Some(expected), "{note}, depth {depth}");
        }
    }
}

fn published_positions_hold<G: Describe>() {
    let path = format!("{}/tests/rules/vectors/{}.json", env!("CARGO_MANIFEST_DIR"), G::ID);
    hold::<G>(&fs::read_to_string(path).expect("a file of positions"));
}

test_every_game!(published_positions_hold::<G>);
