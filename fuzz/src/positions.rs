//! Positions given from outside.

use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::game::{Describe, GameOptions, SetupError};
use tabuleiro_engine::games::absorption::Absorption;
use tabuleiro_engine::games::fabrik::Fabrik;
use tabuleiro_engine::games::syrtis::Syrtis;
use tabuleiro_engine::games::zurero::Zurero;
use tabuleiro_engine::search::Evaluate;
use tabuleiro_engine::session::Session;
use tabuleiro_engine::table::Table;
use tabuleiro_engine::table::record::{Record, load};
use tabuleiro_engine::testing::position_holds;
use tabuleiro_protocol::shape::Unknown;
use tabuleiro_protocol::{Cell, PerSeat, Start};

use crate::bytes::Decisions;
use crate::damage::misspelt;
use crate::games::{after, is_chosen};

/// How many actions a position is played on.
const ACTIONS: usize = 4;

/// A position from outside is either one that a game can go on from, and be recorded with, or it is
/// refused with a reason and the cell or the member to blame.
pub fn position_sets_up_or_says_why(bytes: &[u8]) {
    let mut decisions = Decisions::new(bytes);
    let of_game: [fn(&mut Decisions<'_>); 4] =
        [check::<Zurero>, check::<Fabrik>, check::<Absorption>, check::<Syrtis>];
    decisions.pick(&of_game)(&mut decisions);
}

fn check<G: Describe + Evaluate>(decisions: &mut Decisions<'_>) {
    let options = decisions.options(&G::options());
    let start = start::<G>(&options, decisions);
    let mut game = match G::set_up(&options, &start) {
        Ok(game) => game,
        Err(error) => return says_why(&error, &start),
    };
    let again = G::set_up(&options, &start).expect("it was one before");
    assert_eq!(again, game, "the same position is set up in two ways");
    assert_eq!(game.rows(), start.rows, "the board is not as it was given");
    if is_chosen(&game, 2) {
        can_be_recorded::<G>(options, start);
    }
    for _ in 0..ACTIONS {
        if is_chosen(&game, 4) {
            position_holds(&game);
        }
        let mut actions = Vec::new();
        game.actions(&mut actions);
        if actions.is_empty() {
            break;
        }
        game = after(&game, *decisions.pick(&actions));
    }
}

fn says_why(error: &SetupError, start: &Start) {
    let sentence = error.to_string();
    assert!(sentence.len() > 10 && sentence.len() < 1000, "{sentence:?}");
    match error {
        SetupError::BadPosition { cell: Some(cell), .. } => {
            let Ok(Cell { column, row }) = cell.parse() else { panic!("{cell:?} is no cell: {sentence}") };
            let tokens = start.rows.get(usize::from(row)).map(|row| row.split(' ').count());
            assert!(tokens.is_some_and(|count| usize::from(column) < count), "{cell} is not on the board");
        }
        SetupError::BadPosition { cell: None, .. } => {}
        SetupError::BadField { field, .. } => assert!(field.starts_with("start."), "{field}"),
    }
}

fn can_be_recorded<G: Describe + Evaluate>(options: GameOptions, start: Start) {
    let session = Session::open::<G>(options, 1, Some(start)).expect("it was a position before");
    let table = Table::new("t1".into(), session, PerSeat::default()).expect("people can play");
    let record = Record::of(&table).to_json();
    let again = load(&Catalog::standard(), "t2".into(), record.clone(), Unknown::Refused)
        .unwrap_or_else(|error| panic!("{error}: {record}"));
    assert_eq!(Record::of(&again).to_json(), record);
}

/// A position that came about by play, and was then tampered with.
fn start<G: Describe>(options: &GameOptions, decisions: &mut Decisions<'_>) -> Start {
    let mut game = G::start(options, decisions.byte().into());
    for _ in 0..decisions.below(32) {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        if actions.is_empty() {
            break;
        }
        game.play(*decisions.pick(&actions));
    }
    let mut rows: Vec<Vec<String>> =
        game.rows().iter().map(|row| row.split(' ').map(String::from).collect()).collect();
    let known: Vec<String> = G::look().into_iter().map(|look| look.token).chain(rows.concat()).collect();
    for _ in 0..decisions.below(8) {
        let row = decisions.below(rows.len());
        let column = decisions.below(rows[row].len());
        let token = match decisions.below(8) {
            0 => decisions.text(4),
            1 => misspelt(decisions.pick::<String>(&known), decisions),
            _ => decisions.pick(&known).clone(),
        };
        rows[row][column] = token;
    }
    let mut rows: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
    match decisions.below(32) {
        1 => drop(rows.pop()),
        2 => rows.extend(rows.first().cloned()),
        3 => rows.reverse(),
        4 => rows[0].push(' '),
        _ => {}
    }
    let mut start = Start { rows, to_move: Some(game.to_move()), ..Start::default() };
    if decisions.one_in(4) {
        start.to_move = decisions.seat();
    }
    // What only some games have.
    if decisions.one_in(2) {
        start.light = decisions.seat();
        start.last_sinker = decisions.seat();
        start.streak = decisions.one_in(2).then(|| decisions.byte() % 8);
        start.sinks = decisions.one_in(2).then(|| [decisions.byte() % 5, decisions.byte() % 5]);
        start.passes = decisions.one_in(2).then(|| [decisions.byte() % 5, decisions.byte() % 5]);
    }
    if decisions.one_in(16) {
        start.extra.insert(decisions.text(8), decisions.byte().into());
    }
    start
}
