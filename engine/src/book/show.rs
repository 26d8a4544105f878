//! A book as an opening table, for people.

use std::fmt::Write;

use super::Place;
use crate::game::{Book, BookTurn};
use crate::session::Session;

/// The table of a book from the start of a game on, so many turns deep: a line for every turn,
/// below those that lead to it.
pub fn show(book: &Book, start: &Session, depth: usize) -> String {
    let head = &book.head;
    let mut table = format!(
        "{}, {}: {} positions of {} games, {} nodes each\n",
        head.game,
        serde_json::Value::Object(head.options.clone()),
        book.positions.len(),
        head.games,
        head.nodes,
    );
    add(book, start, depth, 0, &mut table);
    table
}

fn add(book: &Book, session: &Session, depth: usize, indent: usize, table: &mut String) {
    let Some(place) = Place::of(session.position()).filter(|_| depth > 0) else { return };
    let playable = book.playable(&place.at).len();
    for (number, turn) in book.within(&place.at, 1000).into_iter().enumerate() {
        let Some(actions) = place.actions(session, &turn.turn) else { continue };
        let mark = if number < playable { "" } else { " ?" };
        let turns = session.turn() + 1;
        let line = format!("{:indent$}{turns}. {}{mark}", "", actions.join(" "));
        let _ = writeln!(table, "{line:<44} {}", worth(turn));
        let mut after = session.alone();
        if after.play_all(&actions).is_ok() {
            add(book, &after, depth - 1, indent + 2, table);
        }
    }
}

fn worth(turn: &BookTurn) -> String {
    let win = f64::from(turn.win) / 10.0;
    match turn.games {
        0 => format!("{win:5.1} %"),
        games => {
            let share = 50.0 * f64::from(turn.half_points) / f64::from(games);
            format!("{win:5.1} %   {share:3.0} % of {games} games")
        }
    }
}
