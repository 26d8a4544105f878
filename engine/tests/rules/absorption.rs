use serde_json::json;
use tabuleiro_engine::games::absorption::Absorption;

use crate::{options, properties, vectors};

#[test]
fn published_positions_hold() {
    vectors::hold::<Absorption>(include_str!("vectors/absorption.json"));
}

#[test]
fn random_games_keep_the_rules() {
    for options_json in
        [json!({}), json!({"captors": 2}), json!({"turn_limit": 0}), json!({"captors": 2, "turn_limit": 7})]
    {
        properties::hold_in_random_games::<Absorption>(&options::<Absorption>(&options_json), 20, 2000);
    }
}
