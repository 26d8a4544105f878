//! What must hold in any game, held in random games with every kind of option.

use serde_json::{Value, json};
use tabuleiro_engine::game::Describe;
use tabuleiro_engine::search::Evaluate;
use tabuleiro_engine::testing;

/// Plays so many games with each of the options, none of them longer than so many actions.
fn hold<G: Describe + Evaluate>(boards: Vec<(Value, u64)>, most: usize) {
    for (options, games) in boards {
        testing::random_games_hold::<G>(&testing::options::<G>(&options), games, most);
    }
}

fn zurero() -> Vec<(Value, u64)> {
    (5..=19).map(|size| (json!({ "size": size }), 20)).collect()
}

fn fabrik() -> Vec<(Value, u64)> {
    let mut boards = Vec::new();
    for rules in ["official", "report"] {
        for (size, goal, games) in [
            (5, 3, 40),
            (5, 4, 40),
            (5, 6, 60),
            (6, 4, 30),
            (7, 5, 15),
            (8, 6, 10),
            (11, 5, 4),
            (14, 3, 4),
            (15, 5, 1),
            (15, 6, 1),
        ] {
            boards.push((json!({"size": size, "goal": goal, "rules": rules}), games));
        }
    }
    boards
}

fn absorption() -> Vec<(Value, u64)> {
    let mut boards = Vec::new();
    for captors in [1, 2] {
        for (turn_limit, games) in [(0, 3), (1, 5), (7, 10), (200, 12), (1000, 3)] {
            boards.push((json!({"captors": captors, "turn_limit": turn_limit}), games));
        }
    }
    boards
}

fn syrtis() -> Vec<(Value, u64)> {
    let mut boards = Vec::new();
    for layout in ["major", "minor"] {
        for passes in [1, 2] {
            for turn_limit in [0, 1, 12, 300] {
                boards.push((json!({"layout": layout, "passes": passes, "turn_limit": turn_limit}), 25));
            }
        }
    }
    boards
}

mod properties_hold {
    use super::*;

    test_every_game!(hold::<G>, {
        zurero: [(super::zurero(), usize::MAX)],
        fabrik: [(super::fabrik(), 500)],
        absorption: [(super::absorption(), 1500)],
        syrtis: [(super::syrtis(), 2000)],
    });
}
