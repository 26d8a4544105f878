//! The plain statement of the rules held against the published positions: it is compared with them before anything is compared with it.

use serde::Deserialize;
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Options, Outcome, Start};

use super::{Absorption, Fabrik, Reference, Syrtis, Zurero};

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

fn hold<R: Reference>(json: &str) {
    let cases: Vec<Case> = serde_json::from_str(json).expect("a list of cases");
    assert!(!cases.is_empty());
    for case in cases {
        let note = &case.note;
        let start = case.start.unwrap_or_else(|| R::beginning(&case.options, &mut Random::new(0)));
        let game = R::set_up(&case.options, &start);
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

#[test]
fn zurero() {
    hold::<Zurero>(include_str!("../vectors/zurero.json"));
}

#[test]
fn fabrik() {
    hold::<Fabrik>(include_str!("../vectors/fabrik.json"));
}

#[test]
fn absorption() {
    hold::<Absorption>(include_str!("../vectors/absorption.json"));
}

#[test]
fn syrtis() {
    hold::<Syrtis>(include_str!("../vectors/syrtis.json"));
}
