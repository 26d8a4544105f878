//! The games that are compared: with every kind of option, and so many that every end comes up many
//! times.

use serde_json::{Value, json};

use super::compare::{Trial, compare};

fn zurero() -> Vec<Trial> {
    let trial = |size: u32, games| Trial { options: json!({ "size": size }), games, most: 500 };
    vec![
        trial(5, [600, 900]),
        trial(6, [300, 300]),
        trial(7, [100, 100]),
        trial(8, [60, 60]),
        trial(9, [60, 60]),
        trial(12, [20, 20]),
        trial(13, [20, 20]),
        trial(18, [30, 60]),
        trial(19, [60, 120]),
    ]
}

fn fabrik() -> Vec<Trial> {
    let mut trials = Vec::new();
    for rules in ["official", "report"] {
        for goal in 3..=6 {
            for (size, games) in [(5, [40, 150]), (6, [20, 60]), (7, [10, 20]), (11, [2, 6]), (15, [1, 1])] {
                let options = json!({ "size": size, "goal": goal, "rules": rules });
                trials.push(Trial { options, games, most: 120 });
            }
        }
    }
    trials
}

fn absorption() -> Vec<Trial> {
    let mut trials = Vec::new();
    for captors in [1, 2] {
        // Those who go to and fro are back for the third time just when sixteen turns are over.
        let games_by_limit =
            [(0, [4, 120]), (1, [5, 20]), (7, [20, 60]), (16, [0, 150]), (40, [10, 60]), (200, [4, 30])];
        for (turn_limit, games) in games_by_limit {
            let options = json!({ "captors": captors, "turn_limit": turn_limit });
            trials.push(Trial { options, games, most: 200 });
        }
    }
    trials
}

fn syrtis() -> Vec<Trial> {
    let mut trials = Vec::new();
    for passes in [1, 2] {
        for (layout, games) in [("major", [60, 80]), ("minor", [100, 150])] {
            // Eight turns are the fewest in which a position can come up for the third time.
            for turn_limit in [0, 1, 8, 60, 300] {
                let options: Value = json!({ "layout": layout, "passes": passes, "turn_limit": turn_limit });
                trials.push(Trial { options, games, most: 250 });
            }
        }
    }
    trials
}

mod both_are_the_same {
    use super::*;

    test_every_game!(compare::<G>, {
        zurero: [(super::zurero())],
        fabrik: [(super::fabrik())],
        absorption: [(super::absorption())],
        syrtis: [(super::syrtis())],
    });
}
