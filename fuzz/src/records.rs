//! Games as documents.

use serde_json::Value;
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::game::Charset;
use tabuleiro_engine::table::record::{Error, Record, load, load_readable, load_text};
use tabuleiro_engine::table::{Steps, Table, text};
use tabuleiro_protocol::shape::Unknown;
use tabuleiro_protocol::{PerSeat, Seat};

use crate::bytes::Decisions;
use crate::damage::damage;

/// A document is loaded as the game that it tells, or refused with the place and the reason.
///
/// Bytes that begin as a JSON object does are the document. Others decide about a game and what
/// happens to its record afterwards.
pub fn record_loads_or_says_where(bytes: &[u8]) {
    let catalog = Catalog::standard();
    if let Some(text) = str::from_utf8(bytes).ok().filter(|text| text.trim_start().starts_with('{')) {
        return holds(&catalog, load_text(&catalog, "t1".into(), text));
    }
    let mut decisions = Decisions::new(bytes);
    let table = table(&catalog, &mut decisions);
    let mut document = Record::of(&table).to_json();
    let damages = decisions.below(4);
    for _ in 0..damages {
        damage(&mut document, &mut decisions);
    }
    let from_text = load_text(&catalog, "t1".into(), &document.to_string());
    let loaded = load(&catalog, "t1".into(), document.clone(), Unknown::Ignored);
    if let Ok((readable, damage)) = load_readable(&catalog, "t1".into(), document.clone(), Unknown::Ignored) {
        assert_eq!(damage.is_empty(), loaded.is_ok(), "{damage:?}: {document}");
        damage.iter().for_each(says_where);
        match &loaded {
            Ok(loaded) => assert_eq!(Record::of(&readable).to_json(), Record::of(loaded).to_json()),
            Err(_) => holds(&catalog, Ok(readable)),
        }
    }
    assert_eq!(from_text.err(), loaded.as_ref().err().cloned(), "read as text it is something else");
    assert!(damages > 0 || loaded.is_ok(), "it was not damaged: {document}");
    holds(&catalog, loaded);
}

fn holds(catalog: &Catalog, loaded: Result<Table, Error>) {
    let table = match loaded {
        Ok(table) => table,
        Err(error) => return says_where(&error),
    };
    let record = Record::of(&table).to_json();
    let again = load(catalog, "t1".into(), record.clone(), Unknown::Refused)
        .unwrap_or_else(|error| panic!("it was written by us: {error}: {record}"));
    assert_eq!(Record::of(&again).to_json(), record);
    assert_eq!(again.state(), table.state());
    assert_eq!(again.actions(), table.actions());
    assert_eq!(table.outcome().is_some(), table.actions().is_empty());
    // What follows takes most of the time. It is looked at in some of the games, whichever they are.
    if !record.to_string().len().is_multiple_of(4) {
        return;
    }
    assert!(!table.render(Charset::Unicode.into()).is_empty());
    for ply in 0..=table.ply() + table.session().history().undone_count() {
        table.at(Some(ply)).expect("every position of the game can be looked at");
    }
    let nodes = table.session().history().describe_from(0);
    assert_eq!(again.session().history().describe_from(0), nodes);
    for node in nodes {
        table.at_node(node.node).expect("every node can be looked at");
    }
    let line = text::of_game(catalog, &table);
    let read = text::load(catalog, "t1".into(), &line).unwrap_or_else(|error| panic!("{error}: {line}"));
    assert_eq!(read.state().rows, table.state().rows, "{line}");
    assert_eq!(text::of_game(catalog, &read), line);
}

fn says_where(error: &Error) {
    let members = [
        "format",
        "version",
        "game",
        "options",
        "seed",
        "start",
        "seats",
        "played",
        "undone",
        "resigned",
        "held",
        "outcome",
        "match",
        "nodes",
        "variations",
        "notes",
        "the top",
        "line ",
        "word ",
        "the text",
    ];
    assert!(members.iter().any(|member| error.place.starts_with(member)), "{error}");
    assert!(!error.reason.is_empty() && error.reason.len() < 4000, "{error}");
}

/// A table at which something was played.
fn table(catalog: &Catalog, decisions: &mut Decisions<'_>) -> Table {
    let game = decisions.pick(catalog.games());
    let options = decisions.options(&game.info().options);
    let options: serde_json::Map<String, Value> =
        options.values().iter().map(|(name, value)| (name.clone(), serde_json::json!(value))).collect();
    let session = game.open(Some(&options), decisions.byte().into(), None).expect("a game has a start");
    let mut table = Table::new("t1".into(), session, PerSeat::default()).expect("people can play");
    let most = if decisions.one_in(4) { 32 } else { 8 };
    for _ in 0..decisions.below(most) {
        let actions = table.actions();
        if actions.is_empty() {
            break;
        }
        let action = decisions.pick(&actions).clone();
        table.play(&[action], None, PerSeat { one: true, two: true }).expect("a legal action");
    }
    // Refused if that is too far.
    let _ = table.undo(Steps::Actions(decisions.below(8) + 1));
    for _ in 0..decisions.below(8) {
        let nodes = table.session().history().describe_from(0);
        let node = decisions.pick(&nodes).node;
        // Refused where there is nothing to be done so.
        let _ = match decisions.below(6) {
            0 => table.annotate(Some(node), &[], Some(&decisions.text(12)), Some("?!")),
            1 => table.promote(node, true),
            2 => table.delete(node),
            3 => table.restore(),
            _ => table.go_to(node),
        };
        let actions = table.actions();
        if !actions.is_empty() {
            let action = decisions.pick(&actions).clone();
            table.play(&[action], None, PerSeat { one: true, two: true }).expect("a legal action");
        }
    }
    if decisions.one_in(4) {
        let _ = table.resign(*decisions.pick(&Seat::BOTH));
    }
    table
}
