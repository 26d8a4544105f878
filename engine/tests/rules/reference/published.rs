//! The plain statement of the rules held against the published positions: it is compared with them
//! before anything is compared with it.

use std::fs;

use serde::Deserialize;
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Options, Outcome, Start};

use super::{Reference, Restated};

#[derive(Deserialize)]
struct Case {
    note: String,
    options: Options,
    start: Option<Start>,
    legal: Option<Vec<String>>,
    outcome: Option<Outcome>,
    #[serde(default)]
    perft: Vec<u64>,
}

/// What it counts in a moment.
const MOST_NODES: u64 = 30_000;

fn hold<G: Restated>() {
    let path = format!("{}/tests/rules/vectors/{}.json", env!("CARGO_MANIFEST_DIR"), G::ID);
    let json = fs::read_to_string(path).expect("a file of positions");
    let cases: Vec<Case> = serde_json::from_str(&json).expect("a list of cases");
    assert!(!cases.is_empty());
    for case in cases {
        let note = &case.note;
        let start = case.start.unwrap_or_else(|| G::Plain::beginning(&case.options, &mut Random::new(0)));
        let game = G::Plain::set_up(&case.options, &start);
        assert_eq!(game.outcome(), case.outcome, "{note}");
        if let Some(legal) = case.legal {
            assert_eq!(game.legal(), legal, "{note}");
        }
        for (depth, &nodes) in (1..).zip(&case.perft) {
            if nodes <= MOST_NODES {
                assert_eq!(game.perft(depth), nodes, "{note}, depth {depth}");
            }
        }
    }
}

test_every_game!(hold::<G>);
