//! Opening books at the board: which position of a book this is, and what it says to play.
//!
//! A position is known by words, not by a hash: whose turn it is, the part of the game, and the
//! rows. Where a game is played alike on a board that is turned or mirrored, the book has one of up
//! to eight such positions; an action is therefore written as the cells that it is about, which can
//! be turned as well.

mod make;
mod show;
mod symmetry;

use tabuleiro_protocol::Detail;

pub use self::make::{CannotGoOn, Plan, begin, go_on};
pub use self::show::show;
use self::symmetry::Symmetry;
use crate::game::Book;
use crate::random::Random;
use crate::session::{Position, Session};

/// What a book says to play.
#[derive(Clone, Debug, PartialEq)]
pub struct BookMove {
    pub actions: Vec<String>,
    /// How likely the seat to move wins by it.
    pub win: f64,
}

/// What the book that the game comes with says here, if it knows the position. The seed decides
/// between turns that are equally good.
pub fn look_up(session: &Session, seed: u64) -> Option<BookMove> {
    let book = session.position().book()?;
    if !is_for(book, session) {
        return None;
    }
    let place = Place::of(session.position())?;
    let playable = book.playable(&place.at);
    let turn = Random::new(seed).pick(&playable)?;
    let actions = place.actions(session, &turn.turn)?;
    Some(BookMove { actions, win: f64::from(turn.win) / 1000.0 })
}

/// Whether a book is for the game and the options of a session.
pub fn is_for(book: &Book, session: &Session) -> bool {
    let setup = session.setup();
    book.head.game == setup.game && book.head.options == options_of(session)
}

/// All options of a session's game.
fn options_of(session: &Session) -> serde_json::Map<String, serde_json::Value> {
    let options = session.setup().options.values();
    options.iter().map(|(name, value)| (name.clone(), serde_json::json!(value))).collect()
}

/// A position as books know it: in words, and how it has to be turned for that.
struct Place {
    at: String,
    symmetry: Symmetry,
}

impl Place {
    /// `None` once the game is over.
    fn of(position: &dyn Position) -> Option<Place> {
        let to_move = position.to_move()?;
        let snapshot = position.snapshot();
        let rows: Vec<Vec<&str>> = snapshot.rows.iter().map(|row| row.split(' ').collect()).collect();
        let symmetries = Symmetry::all(&rows, position.is_symmetric());
        let (board, symmetry) =
            symmetries.into_iter().map(|symmetry| (short(&symmetry.turned(&rows)), symmetry)).min()?;
        Some(Place { at: format!("{to_move} {} {board}", snapshot.phase), symmetry })
    }

    /// A turn of the book as actions of this position, if it can be played here.
    fn actions(&self, session: &Session, turn: &[String]) -> Option<Vec<String>> {
        let seat = session.position().to_move();
        let mut session = session.alone();
        let mut actions = Vec::new();
        for cells in turn {
            if session.position().to_move() != seat {
                return None;
            }
            let details = session.position().details();
            let detail = details.iter().find(|detail| self.cells(detail) == *cells)?;
            actions.push(detail.action.clone());
            session.play_unseen(&detail.action).ok()?;
        }
        (session.position().to_move() != seat).then_some(actions)
    }

    /// Actions of this position as a turn of the book. `None` if they cannot be played.
    fn turn(&self, session: &Session, actions: &[String]) -> Option<Vec<String>> {
        let mut session = session.alone();
        let mut turn = Vec::new();
        for action in actions {
            let details = session.position().details();
            turn.push(self.cells(details.iter().find(|detail| detail.action == *action)?));
            session.play_unseen(action).ok()?;
        }
        Some(turn)
    }

    /// An action as the cells that it is about, on the board as the book has it: the first one
    /// first, the others sorted, and the edge from which something comes. One without cells is
    /// itself.
    fn cells(&self, detail: &Detail) -> String {
        let cells = detail.cells.iter().map(|cell| self.symmetry.cell(cell));
        let Some(mut cells) = cells.collect::<Option<Vec<String>>>().filter(|cells| !cells.is_empty()) else {
            return detail.action.clone();
        };
        cells[1..].sort();
        if let Some(edge) = &detail.edge {
            cells.push(self.symmetry.edge(edge).into());
        }
        cells.join(" ")
    }
}

/// Rows, with a number for so many empty cells.
fn short(rows: &[Vec<&str>]) -> String {
    let rows = rows.iter().map(|row| {
        let mut words: Vec<String> = Vec::new();
        let mut empty = 0;
        for token in row.iter().copied().chain([""]) {
            if token == "." {
                empty += 1;
                continue;
            }
            if empty > 0 {
                words.push(std::mem::take(&mut empty).to_string());
            }
            words.extend((!token.is_empty()).then(|| token.into()));
        }
        words.join(" ")
    });
    rows.collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};
    use tabuleiro_protocol::Start;

    use super::*;
    use crate::catalog::Catalog;
    use crate::search::{Control, Level, SearchRequest};

    fn open(game: &str, options: &Value, start: Option<Start>) -> Session {
        let options: Map<String, Value> = options.as_object().expect("options").clone();
        Catalog::standard().open(game, Some(&options), 1, start).expect("a game")
    }

    fn random_turn(session: &mut Session, seed: u64) {
        let request = SearchRequest::new(Level::Random, seed);
        let turn = session.position().choose(&request, &mut Control::silent()).actions;
        session.play_all(&turn).expect("a turn");
    }

    /// A turned board is the same place, and every action there is one here, with the same effect.
    #[test]
    fn games_that_say_so_are_played_alike_on_a_turned_board() {
        for (game, options) in
            [("zurero", json!({"size": 7})), ("fabrik", json!({"size": 7})), ("absorption", json!({}))]
        {
            for seed in 0..4 {
                let mut session = open(game, &options, None);
                for turn in 0..5 + seed {
                    if session.position().to_move().is_some() {
                        random_turn(&mut session, 100 * seed + turn);
                    }
                }
                let Some(place) = Place::of(session.position()) else { continue };
                let rows = session.position().snapshot().rows;
                let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split(' ').collect()).collect();
                let mut here: Vec<String> =
                    session.position().details().iter().map(|detail| place.cells(detail)).collect();
                here.sort();
                assert!(here.windows(2).all(|pair| pair[0] != pair[1]), "{game}: {here:?}");
                for symmetry in Symmetry::all(&rows, true) {
                    let start = Start {
                        rows: symmetry.turned(&rows).iter().map(|row| row.join(" ")).collect(),
                        to_move: session.position().to_move(),
                        ..Start::default()
                    };
                    let turned = open(game, &options, Some(start));
                    let there = Place::of(turned.position()).expect("a place");
                    assert_eq!(there.at, place.at, "{game}");
                    // Where a board is its own mirror image, actions have several names.
                    let images = Symmetry::all(&rows, true);
                    let own = short(&there.symmetry.turned(&rows));
                    let is_plain =
                        images.iter().filter(|image| short(&image.turned(&rows)) == own).count() == 1;
                    let mut cells: Vec<String> =
                        turned.position().details().iter().map(|detail| there.cells(detail)).collect();
                    cells.sort();
                    if is_plain {
                        assert_eq!(cells, here, "{game}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_turn_of_the_book_is_found_on_a_turned_board() {
        let options = json!({"size": 7});
        let mut one = open("zurero", &options, None);
        one.play_all(&["@d4".into(), "w4".into(), "nd".into()]).expect("legal");
        let place = Place::of(one.position()).expect("a place");
        let turn = place.turn(&one, &["sd".into()]).expect("legal");
        let mut other = open("zurero", &options, None);
        // The same from the other sides.
        other.play_all(&["@d4".into(), "e4".into(), "sd".into()]).expect("legal");
        let there = Place::of(other.position()).expect("a place");
        assert_eq!(there.at, place.at);
        assert_eq!(there.actions(&other, &turn), Some(vec!["nd".into()]));
        assert_eq!(there.actions(&other, &["nowhere".into()]), None);
    }

    #[test]
    fn empty_cells_are_counted() {
        assert_eq!(short(&[vec![".", ".", "b"], vec!["x3", ".", "."], vec![".", ".", "."]]), "2 b/x3 2/3");
    }
}
