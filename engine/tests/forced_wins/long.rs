//! Forced wins of five turns and more, in `long/`, which `tabuleiro-engine forced-wins find` has
//! found; docs/measurements.md has the commands. There are none of Absorption.
//!
//! A sample is proved again here, `tabuleiro-engine forced-wins prove` proves all.

use std::fs;

use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::forced_wins::{ForcedWinPosition, prove};

/// How many replies a turn of the winner's may leave; as in the command.
const REPLIES: usize = 12;

/// What takes every turn to be tried is proved again for so few turns only: more take long.
const NOT_WITHIN: u32 = 2;

/// How many positions of a file are proved again.
const SAMPLE: usize = 4;

#[test]
fn long_wins_are_forced() {
    let catalog = Catalog::standard();
    for game in ["zurero", "fabrik", "syrtis"] {
        let path = format!("{}/tests/forced_wins/long/{game}.json", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(path).expect("a file of forced wins");
        let positions: Vec<ForcedWinPosition> = serde_json::from_str(&text).expect("forced wins");
        assert!(!positions.is_empty(), "{game}");
        for (index, ForcedWinPosition { turns, not_within, .. }) in positions.iter().enumerate() {
            assert!((5..=8).contains(turns) && (3..*turns).contains(not_within), "{game}, {index}");
        }
        for (index, position) in positions.iter().enumerate().step_by(positions.len().div_ceil(SAMPLE)) {
            let not_within = position.not_within.min(NOT_WITHIN);
            let claimed = ForcedWinPosition { not_within, ..position.clone() };
            let proved = |claimed: &ForcedWinPosition| prove(&catalog, game, claimed, REPLIES, &mut || true);
            assert_eq!(proved(&claimed), Ok(()), "{game}, {index}");
            // A first turn that does not win is noticed, and so is a win that is too short.
            let wrong = ForcedWinPosition { solution: vec![vec!["nowhere".into()]], ..claimed.clone() };
            assert!(proved(&wrong).is_err(), "{game}, {index}");
            let short = ForcedWinPosition { turns: 1, ..claimed };
            assert!(proved(&short).is_err(), "{game}, {index}");
        }
    }
}
