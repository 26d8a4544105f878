use tabuleiro_engine::games::zurero::Zurero;

use crate::{properties, vectors};

#[test]
fn vectors_hold() {
    vectors::hold::<Zurero>(include_str!("vectors/zurero.json"));
}
#[test]
fn properties_hold_in_random_games() {
    for size in 5..=19 {
        let options = crate::options::<Zurero>(&serde_json::json!({"size": size}));
        properties::hold_in_random_games::<Zurero>(&options, 20, usize::MAX);
    }
}
