//! One whole game of each kind as a readable text: the board, what was legal, what was played and
//! what happened. They are reviewed like code; `INSTA_UPDATE=always cargo test -p tabuleiro-engine
//! --test playthroughs` writes them anew.

#[macro_use]
#[path = "../../tests/support/every_game.rs"]
mod every_game;

use serde_json::json;
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::game::Charset;
use tabuleiro_engine::search::{Control, Level, SearchRequest};

/// Two random players, who play the same whatever the others learn; options that keep the text
/// short enough to read.
fn playthrough(game: &str, options: serde_json::Value, seed: u64) -> String {
    let options = options.as_object().expect("options");
    let mut session = Catalog::standard().open(game, Some(options), seed, None).expect("a game");
    let mut text = String::new();
    while let Some(seat) = session.position().to_move() {
        let position = session.position();
        let (snapshot, legal) = (position.snapshot(), position.actions());
        let shown = if legal.len() > 12 {
            format!("{} … and {} more", legal[..12].join("  "), legal.len() - 12)
        } else {
            legal.join("  ")
        };
        text += &format!(
            "{}\n\nturn {}, seat {seat}, {}: {}\nlegal: {shown}\n",
            position.render(Charset::Unicode.into()).trim_end(),
            session.turn() + 1,
            snapshot.phase,
            snapshot.prompt
        );
        let request = SearchRequest::new(Level::Random, session.history().ply() as u64);
        let choice = position.choose(&request, &mut Control::silent());
        for action in &choice.actions {
            text += &format!("\nplays {action}\n");
            for event in session.play(action).expect("a legal action") {
                text += &format!("    {}\n", json!(event));
            }
        }
        text += "\n";
    }
    let outcome = session.position().outcome().expect("it is over");
    text + &format!(
        "{}\n\n{}\n",
        session.position().render(Charset::Unicode.into()).trim_end(),
        json!(tabuleiro_protocol::Outcome::from(outcome))
    )
}

fn check(game: &str, options: serde_json::Value, seed: u64) {
    insta::with_settings!({ snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(game, playthrough(game, options, seed));
    });
}

test_every_game!(check, {
    zurero: [(json!({"size": 9}), 1)],
    fabrik: [(json!({"size": 7, "goal": 4}), 1)],
    absorption: [(json!({"turn_limit": 12}), 1)],
    syrtis: [(json!({"layout": "minor", "turn_limit": 20}), 3)],
});
