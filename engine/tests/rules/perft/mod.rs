//! How many ways there are to play from many positions, with many options, as counted by the plain
//! statement of the rules.
//!
//! The counts are in a file per game. `INSTA_UPDATE=always cargo test -p tabuleiro-engine --test
//! rules perft` counts anew and rewrites the files (it takes some minutes); without it the tests
//! only read them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Options, Start};

use crate::reference::{Reference, Restated};
use crate::vectors;

/// No count goes beyond this, so that all of a game's are made in a minute or two.
const MOST_NODES: u64 = 500_000;

const DEEPEST: usize = 7;

/// Compares a game with its file, which is made first if someone asks for it.
fn hold<G: Restated>(options: Vec<Value>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/rules/perft/{}.json", G::ID));
    if std::env::var("INSTA_UPDATE").is_ok_and(|mode| mode == "always") {
        fs::write(&path, count_all::<G::Plain>(G::NAME, &options)).expect("the file can be written");
    }
    vectors::hold::<G>(&fs::read_to_string(&path).expect("the file is there"));
}

/// A file of cases: with each of the options the start, positions some way into a random game, and
/// an odd one.
fn count_all<R: Reference>(name: &str, options: &[Value]) -> String {
    let mut cases = Vec::new();
    for (seed, given) in (1..).zip(options) {
        let mut random = Random::new(seed);
        let options: Options = serde_json::from_value(given.clone()).expect("options");
        let start = R::beginning(&options, &mut random);
        cases.push(case::<R>(format!("{name}, the start"), given, &options, &start));
        for actions in [8, 25, 60] {
            if let Some(later) = later::<R>(&options, &start, actions, &mut random) {
                let note = format!("{name}, after {actions} random actions or a few more");
                cases.push(case::<R>(note, given, &options, &later));
            }
        }
        let odd = (0..100).map(|_| R::odd_position(&options, &mut random));
        if let Some(odd) = odd.into_iter().find(|odd| R::set_up(&options, odd).outcome().is_none()) {
            cases.push(case::<R>(format!("{name}, an odd position"), given, &options, &odd));
        }
    }
    format!("[\n{}\n]\n", cases.join(",\n"))
}

/// The first position that can be set up after so many random actions, in the first game that goes
/// on so long.
fn later<R: Reference>(
    options: &Options,
    start: &Start,
    actions: usize,
    random: &mut Random,
) -> Option<Start> {
    for _ in 0..20 {
        let mut game = R::set_up(options, start);
        for played in 0.. {
            if game.outcome().is_some() {
                break;
            }
            match game.as_start() {
                Some(later) if played >= actions => return Some(later),
                _ => {}
            }
            let legal = game.legal();
            game.play(&legal[random.below(legal.len() as u32) as usize]);
        }
    }
    None
}

/// Written by hand so that the rows stand one below the other.
fn case<R: Reference>(note: String, given: &Value, options: &Options, start: &Start) -> String {
    let counts = counts(&R::set_up(options, start));
    let rows: Vec<String> = start.rows.iter().map(|row| format!("        {}", json!(row))).collect();
    let others = Start { rows: Vec::new(), ..start.clone() };
    let Value::Object(mut others) = json!(others) else { unreachable!("a position is an object") };
    others.remove("rows");
    let mut text = format!("  {{\n    \"note\": {},\n    \"options\": {given},\n", json!(note));
    write!(text, "    \"start\": {{\n      \"rows\": [\n{}\n      ]", rows.join(",\n")).expect("a string");
    for (name, value) in others {
        write!(text, ",\n      {}: {value}", json!(name)).expect("a string");
    }
    write!(text, "\n    }},\n    \"perft\": {}\n  }}", json!(counts)).expect("a string");
    text
}

fn counts<R: Reference>(game: &R) -> Vec<u64> {
    let mut counts: Vec<u64> = vec![game.perft(1)];
    while counts.len() < DEEPEST {
        let last = counts[counts.len() - 1];
        let before = if counts.len() > 1 { counts[counts.len() - 2] } else { 1 };
        // The next count is larger by about as much as the last one was. (Nothing comes after 0.)
        let next = last * last / before;
        if last == 0 || next > MOST_NODES {
            break;
        }
        counts.push(game.perft(counts.len() + 1));
    }
    counts
}

fn zurero() -> Vec<Value> {
    (5..=19).map(|size| json!({ "size": size })).collect()
}

fn fabrik() -> Vec<Value> {
    let sizes = [(5, 3), (5, 4), (5, 6), (6, 4), (7, 5), (11, 4), (11, 5), (15, 6)];
    let official = sizes.map(|(size, goal)| json!({ "size": size, "goal": goal, "rules": "official" }));
    let report = sizes.map(|(size, goal)| json!({ "size": size, "goal": goal, "rules": "report" }));
    [official, report].concat()
}

fn absorption() -> Vec<Value> {
    let options = [(1, 200), (2, 200), (1, 0), (2, 0), (1, 1), (2, 2)];
    options.map(|(captors, limit)| json!({ "captors": captors, "turn_limit": limit })).into()
}

fn syrtis() -> Vec<Value> {
    let options = [
        ("major", 2, 300),
        ("major", 1, 300),
        ("major", 2, 3),
        ("minor", 2, 300),
        ("minor", 1, 300),
        ("minor", 1, 2),
    ];
    options
        .map(|(layout, passes, limit)| json!({ "layout": layout, "passes": passes, "turn_limit": limit }))
        .into()
}

mod counts_hold {
    use super::*;

    test_every_game!(hold::<G>, {
        zurero: [(super::zurero())],
        fabrik: [(super::fabrik())],
        absorption: [(super::absorption())],
        syrtis: [(super::syrtis())],
    });
}
