//! The computer players: what they may never do, and what they must always see.

#[macro_use]
#[path = "../../tests/support/every_game.rs"]
mod every_game;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabuleiro_engine::game::{Describe, Game, GameOptions, Outcome};
use tabuleiro_engine::games::absorption::Absorption;
use tabuleiro_engine::games::fabrik::Fabrik;
use tabuleiro_engine::games::syrtis::Syrtis;
use tabuleiro_engine::games::zurero::Zurero;
use tabuleiro_engine::playout::playout;
use tabuleiro_engine::random::Random;
use tabuleiro_engine::search::{Breadth, Control, Evaluate, Level, SearchRequest, SearchSpace, choose};
use tabuleiro_protocol::{Choice, Limits, Proof, Seat, Start, Stopped};

const SEARCH_LEVELS: [Level; 4] = [Level::Novice, Level::Club, Level::Expert, Level::Master];

fn options<G: Describe>(json: Value) -> GameOptions {
    GameOptions::check(&G::options(), json.as_object().expect("options")).expect("options of the game")
}

/// The position after so many random actions, or `None` if the game is over by then.
fn position<G: Describe>(options: &GameOptions, seed: u64, actions: usize) -> Option<G> {
    let mut game = G::start(options, seed);
    playout(&mut game, &mut Random::new(seed), actions, &mut Vec::new());
    game.outcome().is_none().then_some(game)
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn ask<G: Describe + Evaluate>(game: &G, level: Level, limits: Limits, seed: u64) -> Choice {
    let request = SearchRequest { level, limits, seed, multi_pv: 1 };
    choose(game, &request, &mut Control::silent())
}

/// Plays a turn, every action of which must be legal, and which must be whole.
fn play_turn<G: Describe>(game: &G, actions: &[String]) -> G {
    let seat = game.to_move();
    let mut after = game.clone();
    for text in actions {
        assert!(after.outcome().is_none() && after.to_move() == seat, "{actions:?} goes beyond the turn");
        let action = after.read(text).unwrap_or_else(|refusal| panic!("{text} of {actions:?}: {refusal}"));
        after.play(action);
    }
    assert!(
        after.outcome().is_some() || after.to_move() != seat,
        "{actions:?} is not a whole turn\n{game:?}"
    );
    after
}

/// Tests of all games with a function, on boards small enough to look at many positions.
macro_rules! in_every_game {
    ($test:ident) => {
        test_every_game!($test::<G>, {
            zurero: [(json!({"size": 7}))],
            fabrik: [(json!({"size": 7, "goal": 4})), (json!({"size": 6, "goal": 4, "rules": "report"}))],
            absorption: [(json!({})), (json!({"captors": 2, "turn_limit": 0}))],
            syrtis: [(json!({"layout": "minor"})), (json!({"passes": 1}))],
        });
    };
}

mod a_choice_is_a_whole_legal_turn_whatever_the_limits {
    use super::*;

    fn test<G: Describe + Evaluate>(json: Value) {
        let options = options::<G>(json);
        for seed in 0..12 {
            let Some(game) = position::<G>(&options, seed, 5 * seed as usize) else { continue };
            for level in Level::ALL {
                for most in [1, 2, 7, 60, 500] {
                    let choice = ask(&game, level, nodes(most), seed);
                    play_turn(&game, &choice.actions);
                    assert!((0.0..=1.0).contains(&choice.score.win), "{choice:?}");
                    assert!(choice.pv.starts_with(&choice.actions), "{choice:?}");
                    let bounded = !matches!(level, Level::Random);
                    assert!(!bounded || choice.nodes <= most, "{level:?} {most}: {choice:?}");
                }
            }
        }
    }

    in_every_game!(test);
}

mod the_same_seed_and_limits_give_the_same_choice {
    use super::*;

    fn test<G: Describe + Evaluate>(json: Value) {
        let options = options::<G>(json);
        for seed in 0..4 {
            let Some(game) = position::<G>(&options, seed, 6 + seed as usize) else { continue };
            for level in Level::ALL {
                for limits in [nodes(400), Limits { nodes: Some(1_500), ..depth(2) }] {
                    let mut choices = [(); 2].map(|()| ask(&game, level, limits.clone(), seed));
                    choices.iter_mut().for_each(|choice| choice.time_ms = 0);
                    assert_eq!(choices[0], choices[1], "{level:?}");
                }
            }
        }
    }

    in_every_game!(test);
}

const WON: i32 = 1_000_000;
const PROVED: i32 = 900_000;

/// What the outcome is worth to a seat so many actions from the root.
fn worth(outcome: Outcome, seat: Seat, ply: i32) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == seat => WON - ply,
        Some(_) => ply - WON,
    }
}

/// What the position is worth to the seat to move: every move to the given depth, and then what the
/// game says.
fn minimax<S: SearchSpace>(space: &S, depth: u32, ply: i32) -> i32 {
    let seat = space.to_move();
    let mut moves = Vec::new();
    if depth > 0 {
        space.moves(&mut moves);
    } else {
        if space.wins_at_once() {
            return WON - ply - 1;
        }
        space.quiescence_moves(&mut moves);
    }
    let values = moves.into_iter().map(|played| {
        let mut after = space.clone();
        after.play(played);
        match after.outcome() {
            Some(outcome) => worth(outcome, seat, ply + 1),
            None if after.to_move() == seat => minimax(&after, depth.saturating_sub(1), ply + 1),
            None => -minimax(&after, depth.saturating_sub(1), ply + 1),
        }
    });
    values.max().unwrap_or_else(|| space.evaluate(seat))
}

mod shallow_searches_agree_with_plain_minimax {
    use super::*;

    fn test<G: Describe + Evaluate>(json: Value) {
        let options = options::<G>(json);
        let mut compared = 0;
        for seed in 0..10 {
            let Some(game) = position::<G>(&options, seed, 4 * seed as usize) else { continue };
            let weights = game.shipped_weights();
            let scale = G::scale(&weights);
            let space = G::Space::new(game.clone(), weights, Breadth::Wide);
            for plies in [1, 2] {
                let choice = ask(&game, Level::Master, depth(plies), seed);
                let value = minimax(&space, plies, 0);
                let expected = match value {
                    _ if value > PROVED => 1.0,
                    _ if value < -PROVED => 0.0,
                    _ => {
                        let odds = f64::from(value) / f64::from(scale) * 3f64.ln();
                        1.0 / (1.0 + (-odds).exp())
                    }
                };
                // A forced win may have been found that lies deeper.
                if choice.score.proved != Some(Proof::Win) || value > PROVED {
                    compared += 1;
                    assert!(
                        (choice.score.win - expected).abs() < 1e-9,
                        "depth {plies}: {choice:?}, not {expected}\n{game:?}"
                    );
                }
            }
        }
        assert!(compared >= 10, "only {compared}");
    }

    in_every_game!(test);
}

/// All positions that a turn can lead to, each once.
fn turns<G: Describe>(game: &G) -> Vec<G> {
    let seat = game.to_move();
    let (mut whole, mut begun) = (Vec::new(), vec![game.clone()]);
    let mut seen = HashSet::new();
    let mut actions = Vec::new();
    while let Some(start) = begun.pop() {
        actions.clear();
        start.actions(&mut actions);
        for &action in &actions {
            let mut after = start.clone();
            after.play(action);
            if seen.insert(after.hash()) {
                let over = after.outcome().is_some() || after.to_move() != seat;
                if over { whole.push(after) } else { begun.push(after) }
            }
        }
    }
    whole
}

fn is_won<G: Describe>(game: &G, seat: Seat) -> bool {
    game.outcome().is_some_and(|outcome| outcome.winner == Some(seat))
}

/// Whether the set-up, which has far too many turns to try all of them, is done.
fn decided_by_play<G: Describe>(game: &G) -> bool {
    ["play", "place", "main", "moves", "absorb"].contains(&game.phase())
}

/// In positions of random games with a win in one turn, or the danger of one. Absorption has too
/// many turns for this: its tests begin with few piles.
fn sees_what_is_next<G: Describe + Evaluate>(json: Value, games: u64, wanted: usize) {
    let options = options::<G>(json);
    let (mut wins, mut dangers) = (0, 0);
    for seed in 0..games {
        let mut game = G::start(&options, seed);
        let mut random = Random::new(seed);
        let mut scratch = Vec::new();
        while game.outcome().is_none() {
            let seat = game.to_move();
            if !decided_by_play(&game) {
                let action = game.random_action(&mut random, &mut scratch).expect("not over");
                game.play(action);
                continue;
            }
            let after = turns(&game);
            let can_win = after.iter().any(|after| is_won(after, seat));
            let loses = |after: &G| {
                is_won(after, !seat)
                    || after.outcome().is_none() && turns(after).iter().any(|next| is_won(next, !seat))
            };
            if can_win && wins < wanted {
                wins += 1;
                for level in SEARCH_LEVELS.into_iter().chain([Level::Gentle]) {
                    let choice = ask(&game, level, nodes(20_000), seed);
                    assert!(
                        is_won(&play_turn(&game, &choice.actions), seat),
                        "{level:?}: {choice:?}\n{game:?}"
                    );
                    assert_eq!(choice.score.proved, Some(Proof::Win));
                }
            } else if !can_win && dangers < wanted {
                let lost = after.iter().filter(|after| loses(after)).count();
                if lost > 0 && lost < after.len() {
                    dangers += 1;
                    for level in SEARCH_LEVELS {
                        let choice = ask(&game, level, nodes(20_000), seed);
                        assert!(
                            !loses(&play_turn(&game, &choice.actions)),
                            "{level:?}: {choice:?}\n{game:?}"
                        );
                    }
                }
            }
            match game.random_action(&mut random, &mut scratch) {
                Some(action) => drop(game.play(action)),
                None => break,
            }
        }
    }
    assert!(wins >= wanted && dangers >= wanted, "only {wins} wins and {dangers} dangers came up");
}

#[test]
fn zurero_players_see_what_wins_and_loses_at_once() {
    sees_what_is_next::<Zurero>(json!({"size": 7}), 40, 20);
    sees_what_is_next::<Zurero>(json!({"size": 19}), 20, 10);
}

#[test]
fn fabrik_players_see_what_wins_and_loses_at_once() {
    sees_what_is_next::<Fabrik>(json!({"size": 5, "goal": 4}), 20, 6);
}

#[test]
fn syrtis_players_see_what_wins_and_loses_at_once() {
    sees_what_is_next::<Syrtis>(json!({"layout": "minor"}), 30, 15);
    sees_what_is_next::<Syrtis>(json!({}), 30, 10);
}

/// Where some slides let the enemy win at once, and others do not.
#[test]
fn gentle_overlooks_some_dangers_and_not_most() {
    let options = options::<Zurero>(json!({"size": 9}));
    let (mut overlooked, mut dangers) = (0, 0);
    for seed in 0..200 {
        let Some(game) = position::<Zurero>(&options, seed, 25) else { continue };
        let lets_win = |after: &Zurero| {
            is_won(after, !game.to_move())
                || after.outcome().is_none() && turns(after).iter().any(|next| is_won(next, !game.to_move()))
        };
        let after = turns(&game);
        let lost = after.iter().filter(|after| lets_win(after)).count();
        if after.iter().any(|after| is_won(after, game.to_move()))
            || lost * 2 < after.len()
            || lost == after.len()
        {
            continue;
        }
        for turn in 0..10 {
            let choice = ask(&game, Level::Gentle, Limits::default(), turn);
            assert_ne!(choice.score.proved, Some(Proof::Loss), "it cannot know");
            dangers += 1;
            overlooked += usize::from(lets_win(&play_turn(&game, &choice.actions)));
        }
    }
    assert!(dangers >= 100, "only {dangers}");
    let share = overlooked as f64 / dangers as f64;
    assert!((0.02..0.4).contains(&share), "{overlooked} of {dangers}");
}

/// Ten games from the same start, of which only the seeds of the players differ.
mod games_with_other_seeds_differ_early {
    use super::*;

    fn test<G: Describe + Evaluate>(json: Value) {
        let options = options::<G>(json);
        for level in [Level::Gentle, Level::Novice] {
            let mut positions = HashSet::new();
            for seed in 0..10 {
                let mut game = G::start(&options, 7);
                for turn in 0..5 {
                    if game.outcome().is_none() {
                        let choice = ask(&game, level, nodes(1_500), 100 * seed + turn);
                        game = play_turn(&game, &choice.actions);
                    }
                }
                positions.insert(game.hash());
            }
            assert!(positions.len() >= 6, "{level:?}: only {} in ten games", positions.len());
        }
    }

    test_every_game!(test::<G>, {
        zurero: [(json!({}))],
        fabrik: [(json!({}))],
        absorption: [(json!({}))],
        syrtis: [(json!({})), (json!({"layout": "minor"}))],
    });
}

/// What the position is worth to the seat to move if both play perfectly: 1, 0 or -1.
fn solved<G: Describe>(game: &G) -> i32 {
    let seat = game.to_move();
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let values = actions.into_iter().map(|action| {
        let mut after = game.clone();
        after.play(action);
        match after.outcome() {
            Some(outcome) => outcome.winner.map_or(0, |winner| if winner == seat { 1 } else { -1 }),
            None if after.to_move() == seat => solved(&after),
            None => -solved(&after),
        }
    });
    values.max().expect("the game is not over")
}

/// Of the games in which a full board is a draw.
#[test]
fn a_draw_is_proved_where_it_is_one_and_nowhere_else() {
    fn test<G: Describe + Evaluate>(json: Value, stones: usize, wanted: usize) {
        let options = options::<G>(json);
        let mut draws = 0;
        for seed in 0..200 {
            let mut game = G::start(&options, seed);
            let mut random = Random::new(seed);
            let on_board = |game: &G| game.rows().concat().matches(['b', 'w']).count();
            while game.outcome().is_none() && on_board(&game) < stones {
                playout(&mut game, &mut random, 1, &mut Vec::new());
            }
            if game.outcome().is_some() {
                continue;
            }
            let expected = match solved(&game) {
                0 => Proof::Draw,
                1 => Proof::Win,
                _ => Proof::Loss,
            };
            draws += usize::from(expected == Proof::Draw);
            let choice = ask(&game, Level::Master, depth(100), seed);
            assert_eq!(choice.score.proved, Some(expected), "{game:?}");
            assert!(matches!(choice.stopped, Stopped::Proved | Stopped::Only), "{choice:?}");
            let shallow = ask(&game, Level::Master, depth(1), seed).score.proved;
            assert!(shallow.is_none_or(|proof| proof == expected), "{shallow:?} {game:?}");
        }
        assert!(draws >= wanted, "only {draws} draws");
    }
    test::<Zurero>(json!({"size": 5}), 22, 20);
    test::<Fabrik>(json!({"size": 5, "goal": 5, "rules": "report"}), 20, 5);
}

/// Piles of these heights, which the seats get in turns, somewhere on a part of the board that is
/// five cells wide and high. Seat 1 begins.
fn scattered_piles(random: &mut Random, heights: &[u32]) -> Option<Absorption> {
    let (left, top) = (random.below(4), random.below(4));
    let mut rows = vec![vec![".".to_string(); 8]; 8];
    for (index, height) in heights.iter().enumerate() {
        let cell = &mut rows[(top + random.below(5)) as usize][(left + random.below(5)) as usize];
        *cell = format!("{}{height}", if index % 2 == 0 { "x" } else { "o" });
    }
    let rows = rows.into_iter().map(|row| row.join(" ")).collect();
    let start = Start { rows, to_move: Some(Seat::One), ..Start::default() };
    let game = Absorption::set_up(&options::<Absorption>(json!({})), &start).ok()?;
    game.outcome().is_none().then_some(game)
}

#[test]
fn absorption_players_find_every_win_in_one_turn() {
    let mut random = Random::new(1);
    let (mut wins, mut others) = (0, 0);
    while wins < 40 || others < 10 {
        let large = 1 + random.below(3);
        let Some(game) = scattered_piles(&mut random, &[large, 2, 1, 1, 1, 3, 1, 1, 1, 2]) else { continue };
        if !turns(&game).iter().any(|after| is_won(after, Seat::One)) {
            others += 1;
            continue;
        }
        wins += 1;
        let choice = ask(&game, Level::Novice, nodes(10), wins);
        assert!(is_won(&play_turn(&game, &choice.actions), Seat::One), "{choice:?}\n{:?}", game.rows());
        assert_eq!(choice.score.proved, Some(Proof::Win));
    }
}

#[test]
fn absorption_players_never_let_the_enemy_win_in_one_turn_if_they_need_not() {
    let mut random = Random::new(2);
    let mut dangers = 0;
    while dangers < 25 {
        let medium = 1 + random.below(2);
        let Some(game) = scattered_piles(&mut random, &[1, 1, 1, 1, 1, medium, 1, 1, 1, 1]) else { continue };
        let after = turns(&game);
        let loses = |after: &Absorption| {
            is_won(after, Seat::Two)
                || after.outcome().is_none() && turns(after).iter().any(|next| is_won(next, Seat::Two))
        };
        if after.len() > 150 || after.iter().any(|after| is_won(after, Seat::One)) {
            continue;
        }
        let lost = after.iter().filter(|after| loses(after)).count();
        if lost == 0 || lost == after.len() {
            continue;
        }
        dangers += 1;
        for limits in [Limits::default(), nodes(10)] {
            let choice = ask(&game, Level::Novice, limits, dangers);
            assert!(!loses(&play_turn(&game, &choice.actions)), "{choice:?}\n{:?}", game.rows());
        }
    }
}

mod a_search_stops_when_it_is_told_to {
    use super::*;

    fn test<G: Describe + Evaluate>(json: Value) {
        let options = options::<G>(json);
        let Some(game) = position::<G>(&options, 1, 8) else { return };
        for level in [Level::Master, Level::Uct] {
            let stop = AtomicBool::new(false);
            let limits = Limits { time_ms: Some(600_000), ..Limits::default() };
            let request = SearchRequest { level, limits, seed: 1, multi_pv: 1 };
            let choice = thread::scope(|scope| {
                scope.spawn(|| {
                    thread::sleep(Duration::from_millis(30));
                    stop.store(true, Ordering::Relaxed);
                });
                choose(&game, &request, &mut Control::until(&stop))
            });
            assert!(
                matches!(choice.stopped, Stopped::Cancelled | Stopped::Proved | Stopped::Only),
                "{choice:?}"
            );
            play_turn(&game, &choice.actions);
        }
    }

    in_every_game!(test);
}

#[test]
fn time_ends_a_search() {
    let game = Zurero::start(&options::<Zurero>(json!({})), 1);
    let game = play_turn(&game, &["@j10".into()]);
    for level in [Level::Master, Level::Uct] {
        let began = Instant::now();
        let choice = ask(&game, level, Limits { time_ms: Some(50), ..Limits::default() }, 1);
        assert_eq!(choice.stopped, Stopped::Time);
        // Generous, for machines that do other things; how well time is kept is measured by a
        // benchmark.
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn a_depth_alone_ends_every_player() {
    let game = Zurero::start(&options::<Zurero>(json!({"size": 9})), 1);
    let game = play_turn(&game, &["@e5".into()]);
    for level in Level::ALL {
        let mut choices = [(); 2].map(|()| ask(&game, level, depth(2), 1));
        choices.iter_mut().for_each(|choice| choice.time_ms = 0);
        assert_eq!(choices[0], choices[1], "{level:?}");
    }
}

/// In random games: whether there is one turn only, and what a search says to it.
#[test]
fn where_there_is_one_turn_only_nobody_thinks_about_it() {
    fn test<G: Describe + Evaluate>(json: Value, wanted: usize) {
        let options = options::<G>(json);
        let (mut forced, mut free) = (0, 0);
        for seed in 0..100 {
            let mut game = G::start(&options, seed);
            let mut random = Random::new(seed);
            while game.outcome().is_none() && (forced < wanted || free < wanted) {
                let only = only_turn(&game);
                for level in Level::ALL {
                    if only.is_some() && forced < wanted {
                        let hour = Limits { time_ms: Some(3_600_000), ..Limits::default() };
                        let choice = ask(&game, level, hour, seed);
                        assert_eq!(Some(&choice.actions), only.as_ref(), "{level:?}");
                        assert_eq!(choice.stopped, Stopped::Only, "{level:?}");
                        assert!(choice.nodes <= 1_000, "{level:?}: {choice:?}");
                    } else if only.is_none() && free < wanted {
                        assert_ne!(ask(&game, level, nodes(5), seed).stopped, Stopped::Only, "{level:?}");
                    }
                }
                *(if only.is_some() { &mut forced } else { &mut free }) += 1;
                playout(&mut game, &mut random, 1, &mut Vec::new());
            }
        }
        assert!(forced >= wanted && free >= wanted, "only {forced} forced turns");
    }
    test::<Zurero>(json!({"size": 5}), 6);
    test::<Fabrik>(json!({"size": 5, "goal": 4}), 6);
    test::<Absorption>(json!({}), 6);
    test::<Syrtis>(json!({"layout": "minor"}), 6);
}

/// The rest of the turn, if there is no choice in it.
fn only_turn<G: Describe>(game: &G) -> Option<Vec<String>> {
    let (seat, mut game, mut turn) = (game.to_move(), game.clone(), Vec::new());
    while game.outcome().is_none() && game.to_move() == seat {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let [only] = actions[..] else { return None };
        turn.push(game.write(only));
        game.play(only);
    }
    Some(turn)
}

mod the_best_turns_are_listed_in_order {
    use super::*;

    fn test<G: Describe + Evaluate>(json: Value) {
        let options = options::<G>(json);
        for seed in 0..5 {
            let Some(game) = position::<G>(&options, seed, 9) else { continue };
            for level in [Level::Greedy, Level::Club] {
                let request = SearchRequest { level, limits: nodes(3_000), seed, multi_pv: 4 };
                let choice = choose(&game, &request, &mut Control::silent());
                assert_eq!(choice.lines[0].actions, choice.actions);
                assert!(choice.lines.is_sorted_by(|a, b| a.score.win >= b.score.win), "{:?}", choice.lines);
                for (index, line) in choice.lines.iter().enumerate() {
                    play_turn(&game, &line.actions);
                    assert!(choice.lines[..index].iter().all(|other| other.actions != line.actions));
                }
            }
        }
    }

    in_every_game!(test);
}
