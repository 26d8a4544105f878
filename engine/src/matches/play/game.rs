//! One game of a match.

use tabuleiro_protocol::Outcome;
use tabuleiro_protocol::notice::BotFailure;
use tracing::error;

use super::CannotPlay;
use super::opening::balanced;
use crate::catalog::Catalog;
use crate::matches::game_result::{MOST_TURNS, OUT_OF_TIME, TOO_LONG};
use crate::matches::plan::{pair_of, seat_of_a};
use crate::matches::{Contender, Effort, GameResult, PerContender, Settings};
use crate::players::{self, ComputerPlayer, NoTurn, TakenTurn};
use crate::table::Table;

/// How a player is asked for the rest of its turn.
pub(super) type TakeTurn<'a> = &'a dyn Fn(&ComputerPlayer, &Table, u64) -> Result<TakenTurn, NoTurn>;

/// Plays a game of a match from its opening to its end.
pub(super) fn play(
    catalog: &Catalog,
    settings: &Settings,
    number: u32,
    take_turn: TakeTurn<'_>,
) -> Result<(Table, GameResult), CannotPlay> {
    play_at_most(catalog, MOST_TURNS, settings, number, take_turn)
}

fn play_at_most(
    catalog: &Catalog,
    most_turns: usize,
    settings: &Settings,
    number: u32,
    take_turn: TakeTurn<'_>,
) -> Result<(Table, GameResult), CannotPlay> {
    let mut opening = balanced(catalog, settings, pair_of(number))?;
    // The two games of a pair share their first position, but not the luck of their players.
    opening.reseed(settings.seed_of_game(number));
    let seat_of_a = seat_of_a(number);
    let mut table = Table::new(String::new(), opening, settings.seats(seat_of_a))?;
    let mut turns = table.session().turn();
    let mut effort = PerContender::<Effort>::default();
    let mut clocks = PerContender { a: settings.a.clock(), b: settings.b.clock() };
    let outcome = loop {
        if let Some(outcome) = table.outcome() {
            break outcome;
        }
        let Some((seat, player, seed)) = players::to_act(&table).filter(|_| turns < most_turns) else {
            break Outcome { winner: None, reason: TOO_LONG.into() };
        };
        let contender = Contender::of(seat, seat_of_a);
        let lost = |why: BotFailure, detail: String| {
            error!("game {number}: seat {seat} {detail}");
            Outcome { winner: Some(!seat), reason: why.word().into() }
        };
        let turn = match take_turn(&player.with_clock(clocks[contender]), &table, seed) {
            Ok(turn) => turn,
            Err(failure) => break lost(failure.why(), failure.to_string()),
        };
        if let Err(refusal) = table.play_own(&turn.choice.actions) {
            break lost(BotFailure::Illegal, refusal.to_string());
        }
        let turn_is_over = table.to_move() != Some(seat);
        if let Some(clock) = &mut clocks[contender] {
            match clock.left_ms.checked_sub(turn.took.as_millis() as u64) {
                None => break Outcome { winner: Some(!seat), reason: OUT_OF_TIME.into() },
                Some(left) => {
                    clock.left_ms = left.saturating_add(if turn_is_over { clock.increment_ms } else { 0 })
                }
            }
        }
        turns += usize::from(turn_is_over);
        effort[contender].add(&Effort {
            turns: u64::from(turn_is_over),
            nodes: turn.choice.nodes,
            time_us: turn.took.as_micros() as u64,
        });
    };
    Ok((table, GameResult { number, seat_of_a, outcome, turns, effort }))
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::time::Duration;

    use serde_json::{Map, Value, json};
    use tabuleiro_protocol::Seat;

    use super::*;
    use crate::bots::{Bots, Failed};
    use crate::search::Control;
    use crate::table::record::Record;

    fn settings(game: &str, options: Value) -> Settings {
        let options: Map<String, Value> = options.as_object().expect("options").clone();
        let random: crate::players::ComputerPlayer = "random".parse().expect("a level");
        Settings {
            game: game.into(),
            options,
            a: random.clone(),
            b: random,
            seed: 1,
            opening: 4,
            bot_margin_ms: None,
        }
    }

    fn really(player: &ComputerPlayer, table: &Table, seed: u64) -> Result<TakenTurn, NoTurn> {
        let control = &mut Control::silent();
        player.take_turn(table, seed, &Bots::default(), control)
    }

    fn opening_of(table: &Table, plies: usize) -> Vec<String> {
        table.session().history().played()[..plies].to_vec()
    }

    #[test]
    fn a_pair_shares_its_opening_and_nothing_else() {
        let settings = settings("syrtis", json!({"layout": "minor"}));
        let games: Vec<_> = (1..=3)
            .map(|number| play(&Catalog::standard(), &settings, number, &really).expect("a game"))
            .collect();
        let tiles = |index: usize| games[index].0.session().setup().start.rows.clone();
        assert_eq!(tiles(0), tiles(1));
        assert_ne!(tiles(0), tiles(2));
        let plies = balanced(&Catalog::standard(), &settings, 1).expect("an opening").history().ply();
        assert_eq!(opening_of(&games[0].0, plies), opening_of(&games[1].0, plies));
        assert_ne!(games[0].0.session().history(), games[1].0.session().history());
        assert_eq!((games[0].1.seat_of_a, games[1].1.seat_of_a), (Seat::One, Seat::Two));
    }

    #[test]
    fn a_game_that_goes_on_for_too_long_is_a_draw() {
        let settings = settings("zurero", json!({}));
        let (table, result) = play_at_most(&Catalog::standard(), 7, &settings, 1, &really).expect("a game");
        assert_eq!(result.outcome, Outcome { winner: None, reason: TOO_LONG.into() });
        assert_eq!((result.turns, table.session().turn(), result.half_points()), (7, 7, 1));
        assert!(table.outcome().is_none());
    }

    #[test]
    fn a_clock_runs_down_and_whoever_has_none_left_loses() {
        let mut settings = settings("zurero", json!({"size": 9}));
        settings.a = "random@clock=1000000+50000".parse().expect("a level");
        let clocks = RefCell::new(Vec::new());
        // A turn takes 5 ms more than it does.
        let watch = |player: &ComputerPlayer, table: &Table, seed| {
            clocks.borrow_mut().extend(player.clock());
            let turn = really(player, table, seed)?;
            Ok(TakenTurn { took: turn.took + Duration::from_millis(5), ..turn })
        };
        let (_, result) = play_at_most(&Catalog::standard(), 10, &settings, 1, &watch).expect("a game");
        assert_eq!(result.failed(), None);
        let left: Vec<u64> = clocks.borrow().iter().map(|clock| clock.left_ms).collect();
        assert_eq!((left.len(), left[0]), (3, 1_000_000), "only a has a clock: {left:?}");
        for (turns, &left) in (0..).zip(&left).skip(1) {
            assert!(left <= 1_000_000 + turns * (50_000 - 5), "{left}");
        }

        settings.a = "random@clock=3".parse().expect("a level");
        let (table, result) = play(&Catalog::standard(), &settings, 1, &watch).expect("a game");
        assert_eq!((result.outcome.reason.as_str(), result.failed()), (OUT_OF_TIME, Some(Contender::A)));
        assert_eq!(table.outcome(), None);
    }

    #[test]
    fn a_player_that_breaks_down_loses_and_the_game_is_still_a_record() {
        let settings = settings("zurero", json!({"size": 9}));
        let asked = Cell::new(0);
        let illegal = |player: &ComputerPlayer, table: &Table, seed| {
            let mut turn = really(player, table, seed)?;
            if asked.replace(asked.get() + 1) == 1 {
                turn.choice.actions = vec!["nowhere".into()];
            }
            Ok(turn)
        };
        // After four turns seat 1 is asked first and seat 2 second; a has seat 1 in the first game.
        let (table, result) = play(&Catalog::standard(), &settings, 1, &illegal).expect("a game");
        assert_eq!((result.winner(), result.failed()), (Some(Contender::A), Some(Contender::B)));
        assert_eq!(result.outcome.reason, BotFailure::Illegal.word());
        let text = Record::of(&table).to_text();
        assert!(crate::table::record::load_text(&Catalog::standard(), String::new(), &text).is_ok());

        let crash = |_: &ComputerPlayer, _: &Table, _| {
            Err(NoTurn::LevelFailed(Failed { why: BotFailure::Crashed, detail: "it broke down".into() }))
        };
        let (_, result) = play(&Catalog::standard(), &settings, 2, &crash).expect("a game");
        assert_eq!((result.winner(), result.failed()), (Some(Contender::A), Some(Contender::B)));
        assert_eq!(result.outcome.reason, BotFailure::Crashed.word());
    }
}
