use serde_json::json;
use tabuleiro_engine::games::fabrik::Fabrik;

use crate::{options, properties, vectors};

#[test]
fn vectors() {
    vectors::hold::<Fabrik>(include_str!("vectors/fabrik.json"));
}

#[test]
fn properties_hold_in_random_games() {
    for rules in ["official", "report"] {
        for (size, goal, games) in
            [(5, 3, 40), (5, 6, 40), (6, 4, 40), (8, 6, 10), (11, 5, 4), (15, 5, 1), (15, 6, 1)]
        {
            let options = options::<Fabrik>(&json!({"size": size, "goal": goal, "rules": rules}));
            properties::hold_in_random_games::<Fabrik>(&options, games, 500);
        }
    }
}
