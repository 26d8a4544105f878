//! PROTOCOL.md's table of nodes: what levels really have.

use std::path::Path;

use serde_json::json;
use tabuleiro_engine::game::{Describe, Game};
use tabuleiro_engine::games::absorption::Absorption;
use tabuleiro_engine::games::fabrik::Fabrik;
use tabuleiro_engine::games::syrtis::Syrtis;
use tabuleiro_engine::games::zurero::Zurero;
use tabuleiro_engine::search::{Evaluate, NodesOfLevels};
use tabuleiro_engine::testing::options;

#[test]
fn levels_have_the_nodes_that_the_protocol_says() {
    let nodes = [
        of_start::<Zurero>(),
        of_start::<Fabrik>(),
        of_start::<Absorption>(),
        of_start::<Syrtis>(),
        of_small_island(),
        NodesOfLevels::USUAL,
    ];
    for (level, of_level) in [
        ("gentle", nodes.map(|nodes| nodes.gentle)),
        ("novice", nodes.map(|nodes| nodes.novice)),
        ("club", nodes.map(|nodes| nodes.club)),
        ("expert", nodes.map(|nodes| nodes.expert)),
    ] {
        assert_eq!(said(level), of_level, "{level}");
    }
}

fn of_start<G: Describe + Evaluate>() -> NodesOfLevels {
    G::start(&options::<G>(&json!({})), 0).nodes_of_levels()
}

fn of_small_island() -> NodesOfLevels {
    let mut game = Syrtis::start(&options::<Syrtis>(&json!({"layout": "minor"})), 0);
    let mut actions = Vec::new();
    while ["swap", "towers"].contains(&game.phase()) {
        actions.clear();
        game.actions(&mut actions);
        game.play(actions[0]);
    }
    game.nodes_of_levels()
}

/// The row of a level, below the names of the games.
fn said(level: &str) -> Vec<u64> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../PROTOCOL.md");
    let page = std::fs::read_to_string(page).expect("the page of the protocol");
    let table = page.lines().skip_while(|line| !line.starts_with("| `nodes` of | Zurero | Fabrik |"));
    let beginning = format!("| `{level}` | ");
    let row = table.take_while(|line| line.starts_with('|')).find_map(|line| line.strip_prefix(&beginning));
    let row = row.unwrap_or_else(|| panic!("no row of {level}"));
    let number = |cell: &str| cell.trim().replace(',', "").parse().expect("a number of nodes");
    row.trim_end_matches('|').split('|').map(number).collect()
}
