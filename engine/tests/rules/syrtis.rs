use serde_json::json;
use tabuleiro_engine::games::syrtis::Syrtis;

use crate::{options, properties, vectors};

#[test]
fn published_positions() {
    vectors::hold::<Syrtis>(include_str!("vectors/syrtis.json"));
}

#[test]
fn what_must_hold_in_any_game() {
    for layout in ["major", "minor"] {
        for passes in [1, 2] {
            for turn_limit in [0, 1, 12, 300] {
                let given = json!({"layout": layout, "passes": passes, "turn_limit": turn_limit});
                properties::hold_in_random_games::<Syrtis>(&options::<Syrtis>(&given), 25, 2000);
            }
        }
    }
}
