use tabuleiro_protocol::{Proof, Score};

use super::*;
use crate::catalog::Catalog;

const EVERYONE: PerSeat<bool> = PerSeat { one: true, two: true };

fn table(game: &str, actions: &[&str]) -> Table {
    let options = if game == "zurero" { json!({"size": 5}) } else { json!({}) };
    let session = Catalog::standard().open(game, options.as_object(), 1, None).expect("a game");
    let mut table = Table::new("t1".into(), session, PerSeat::default()).expect("a table");
    for action in actions {
        table.play(&[(*action).into()], None, EVERYONE).expect("a legal action");
    }
    table
}

#[test]
fn whoever_resigns_loses() {
    for seat in Seat::BOTH {
        let mut table = table("zurero", &["@c3"]);
        table.resign(seat).expect("the game is not over");
        assert_eq!(table.outcome().and_then(|outcome| outcome.winner), Some(!seat));
    }
}

#[test]
fn a_ply_that_was_not_played_is_refused_with_those_that_were() {
    let mut table = table("zurero", &["@c3", "w3", "e3"]);
    table.undo(Steps::Actions(1)).expect("three were played");
    assert_eq!(table.at(Some(3)).expect("it can be played again").ply(), 3);
    let error = table.at(Some(4)).expect_err("there is none");
    assert_eq!(error, Error::field("ply", "must be from 0 to 3"));
    let error = table.at_either(Some(1), Some(1)).expect_err("both");
    assert_eq!(error, Error::field("node", "give ply or node, not both"));
}

#[test]
fn steps_are_counted_from_one() {
    for (turns, actions, field) in
        [(Some(0), None, "turns"), (None, Some(0), "actions"), (Some(1), Some(1), "actions")]
    {
        let error = Steps::new(turns, actions).expect_err(field);
        assert!(matches!(&error, Error::BadField { field: named, .. } if named == field), "{error:?}");
    }
    assert_eq!(Steps::new(None, None), Ok(Steps::Turns(1)));
    assert_eq!(Steps::new(None, Some(2)), Ok(Steps::Actions(2)));
}

#[test]
fn what_cannot_be_taken_back_is_said() {
    let mut nothing = table("zurero", &[]);
    assert_eq!(nothing.undo(Steps::Actions(1)), Err(TooFar::NothingPlayed.into()));
    assert_eq!(nothing.undo(Steps::Turns(1)), Err(TooFar::NothingPlayed.into()));
    nothing.resign(Seat::One).expect("the game is not over");
    let error = TooFar::ActionsBack { played: 0, wanted: 2 };
    assert_eq!(nothing.undo(Steps::Actions(2)), Err(error.into()), "a resignation is one step");
    nothing.undo(Steps::Actions(1)).expect("the resignation");
    assert_eq!(nothing.outcome(), None);

    let mut some = table("zurero", &["@c3", "w3"]);
    let error = TooFar::ActionsBack { played: 2, wanted: 3 };
    assert_eq!(some.undo(Steps::Actions(3)), Err(error.into()));
    assert_eq!(some.undo(Steps::Turns(3)), Err(TooFar::TurnsBack { wanted: 3 }.into()));
    some.undo(Steps::Turns(2)).expect("two were played");
    let error = TooFar::TurnsAgain { undone: 2, wanted: 3 };
    assert_eq!(some.redo(Steps::Turns(3)), Err(error.into()));
    assert_eq!(some.ply(), 0, "nothing was played again");
    some.redo(Steps::Turns(2)).expect("two were taken back");
    assert_eq!(some.redo(Steps::Turns(1)), Err(TooFar::NothingUndone.into()));
}

#[test]
fn a_resignation_is_touched_by_whoever_goes_elsewhere() {
    let mut table = table("zurero", &["@c3", "w3"]);
    table.resign(Seat::One).expect("the game is not over");
    let reach = |way| table.reach(way).expect("a way").actions;
    assert_eq!(reach(Way::To(2)), 0, "where the game stands");
    assert_eq!(reach(Way::Undo(Steps::Actions(1))), 1);
    assert_eq!(reach(Way::To(0)), 3);
}

#[test]
fn a_position_as_a_start_keeps_what_counts() {
    let mut table = table("syrtis", &[]);
    let sink = loop {
        let actions = table.actions();
        if let Some(sink) = actions.iter().find(|action| action.starts_with('x')) {
            break sink.clone();
        }
        table.play(&[actions[0].clone()], None, EVERYONE).expect("a legal action");
    };
    let sinker = table.to_move().expect("the game is not over");
    table.play(&[sink], None, EVERYONE).expect("a legal action");
    let start = table.position_as_start().expect("a turn begins");
    assert_eq!(start.last_sinker, Some(sinker));
    let sinks = start.sinks.expect("they count");
    assert_eq!((sinks[sinker.index()], sinks[(!sinker).index()]), (1, 0));
}

#[test]
fn what_a_search_has_proved_or_looked_at_for_long_is_not_forgotten() {
    let found = |nodes, stopped, proved| {
        let score = Score { win: 0.5, proved };
        Choice { actions: vec![], score, pv: vec![], depth: 1, nodes, time_ms: 0, stopped, lines: vec![] }
    };
    let (ended, cancelled) = (Stopped::Nodes, Stopped::Cancelled);
    let brief = found(10, ended, None);
    assert!(says_more(&found(11, cancelled, None), &brief));
    assert!(!says_more(&found(10, cancelled, None), &brief), "no longer than the new one");
    assert!(!says_more(&found(11, ended, None), &brief), "ended by itself");
    assert!(says_more(&found(1, ended, Some(Proof::Win)), &brief));
    assert!(!says_more(&found(11, cancelled, Some(Proof::Win)), &found(10, ended, Some(Proof::Loss))));
    assert!(!says_more(&found(11, cancelled, None), &found(10, ended, Some(Proof::Win))));
}

#[test]
fn a_table_shrinks_by_forgetting_what_is_not_noted() {
    let mut table = table("zurero", &["@c3", "w3"]);
    for action in ["nc", "sc", "e3"] {
        table.undo(Steps::Actions(1)).expect("one was played");
        table.play(&[action.into()], None, EVERYONE).expect("a legal action");
    }
    let (bytes, per_action) = (table.session.bytes(), table.session.bytes_per_action());
    let nodes = |table: &Table| table.session.history().nodes();
    assert_eq!(nodes(&table), 5);
    table.shrink_to(bytes);
    assert_eq!(nodes(&table), 5, "it is as small as it should be");
    table.shrink_to(bytes - 1);
    assert_eq!(nodes(&table), 4);
    assert_eq!(table.session.bytes(), bytes - per_action);
    table.shrink_to(bytes - per_action - per_action - 1);
    assert_eq!(nodes(&table), 2, "both of the others");
    table.shrink_to(0);
    assert_eq!(nodes(&table), 2, "the line itself is never forgotten");
}
