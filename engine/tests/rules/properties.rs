//! What must hold at every step of every game.

use std::collections::HashSet;

use tabuleiro_engine::cell::Cell;
use tabuleiro_engine::game::{Charset, Describe, Evaluate, GameOptions};
use tabuleiro_engine::random::Random;
use tabuleiro_protocol::{Event, Seat};

/// Plays random games and looks at everything on the way.
pub(crate) fn hold_in_random_games<G: Describe + Evaluate>(options: &GameOptions, games: u64, most: usize) {
    for seed in 0..games {
        let mut game = G::start(options, seed);
        let mut random = Random::new(seed);
        for _ in 0..most {
            if game.outcome().is_some() {
                break;
            }
            game = step(game, &mut random);
        }
        look_at(&game);
    }
}

fn step<G: Describe + Evaluate>(game: G, random: &mut Random) -> G {
    look_at(&game);
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let mut chosen = None;
    // Every action would be too slow on the larger boards; over many games every kind comes up.
    for _ in 0..3 {
        let action = random.pick(&actions).expect("a game that is not over has an action");
        let mut after = game.clone();
        let undo = after.play(action);
        assert_eq!(after.hash(), after.hash_from_scratch(), "hash after {} in\n{game:?}", game.write(action));
        let events = game.events(action, &after);
        assert_eq!(apply(game.rows(), &events), after.rows(), "events of {}: {events:?}", game.write(action));
        let mut back = after.clone();
        back.undo(action, undo);
        assert_eq!(back, game, "{} played and undone", game.write(action));
        let detail = game.detail(action);
        assert_eq!(detail.action, game.write(action));
        assert!(!detail.text.is_empty() && !detail.kind.is_empty());
        assert!(detail.cells.iter().all(|cell| Cell::read(cell).is_some()), "{detail:?}");
        assert_eq!(detail.label.is_some(), detail.cells.is_empty(), "{detail:?}");
        chosen = Some(after);
    }
    chosen.expect("three were tried")
}

fn look_at<G: Describe + Evaluate>(game: &G) {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    assert_eq!(
        game.outcome().is_some(),
        actions.is_empty(),
        "over or able to act, and never both:\n{game:?}"
    );
    let texts: HashSet<String> = actions.iter().map(|&action| game.write(action)).collect();
    assert_eq!(texts.len(), actions.len(), "an action twice, or two with one spelling:\n{game:?}");
    for &action in &actions {
        let text = game.write(action);
        for spelling in [text.clone(), text.to_uppercase(), text.to_lowercase()] {
            match game.read(&spelling) {
                Ok(read) => assert_eq!(read, action, "{spelling}"),
                Err(refusal) => panic!("{spelling} is legal but was refused: {refusal}\n{game:?}"),
            }
        }
    }
    assert_eq!(game.hash(), game.hash_from_scratch());
    assert_eq!(game.prompt().is_empty(), game.outcome().is_some());
    assert_eq!(game.phase() == "over", game.outcome().is_some());
    if let Some(outcome) = game.outcome() {
        let ending = game.ending(outcome);
        assert!(ending.starts_with(char::is_uppercase) && ending.ends_with('.'), "{ending}");
    }
    let is_cell =
        |cell: &String| Cell::read(cell).is_some_and(|cell| usize::from(cell.row) < game.rows().len());
    for overlay in game.overlays() {
        assert!(
            !overlay.cells.is_empty() || overlay.name == "sight" || overlay.name == "both",
            "{overlay:?}"
        );
        assert!(overlay.cells.iter().all(is_cell) && overlay.text.ends_with('.'), "{overlay:?}");
    }
    assert!(game.render(Charset::Ascii).is_ascii());
    assert!(!game.render(Charset::Unicode).is_empty());
    if game.outcome().is_none() {
        let worth = |seat| game.evaluate(seat, G::weights());
        assert_eq!(worth(Seat::One), -worth(Seat::Two), "{game:?}");
    }
}

/// The rows after some events, by someone who knows no rules.
pub(crate) fn apply(rows: Vec<String>, events: &[Event]) -> Vec<String> {
    let mut cells: Vec<Vec<String>> =
        rows.iter().map(|row| row.split(' ').map(String::from).collect()).collect();
    for (cell, token) in events.iter().flat_map(|event| &event.set) {
        let cell = Cell::read(cell).expect("a cell");
        cells[cell.row as usize][cell.column as usize].clone_from(token);
    }
    cells.into_iter().map(|row| row.join(" ")).collect()
}

/// Draws actions at random in one position and compares how often each came up (chi square, far out in the tail).
pub(crate) fn random_actions_are_uniform<G: Describe>(game: &G, seed: u64) {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let draws = 400 * actions.len();
    let mut counts = vec![0usize; actions.len()];
    let mut random = Random::new(seed);
    let mut scratch = Vec::new();
    for _ in 0..draws {
        let drawn = game.random_action(&mut random, &mut scratch).expect("the game is not over");
        let index = actions.iter().position(|&action| action == drawn);
        counts[index.unwrap_or_else(|| panic!("{} is not legal", game.write(drawn)))] += 1;
    }
    let chi_square: f64 = counts.iter().map(|&count| (count as f64 - 400.0).powi(2) / 400.0).sum();
    let freedom = (actions.len() - 1) as f64;
    let far_out = freedom + 6.0 * (2.0 * freedom).sqrt() + 1.0;
    assert!(chi_square <= far_out, "chi square {chi_square:.1}, expected about {freedom}\n{game:?}");
}
