//! A position of any game in numbers, behind one interface.

use tabuleiro_protocol::{Planes, Seat, Space};

use super::position::legal;
use crate::game::{Describe, Encode, space};

/// A position in numbers, whatever game it is. Actions are text here.
pub trait Numbers {
    /// What the numbers are. Depends on the game's options and on nothing else.
    fn space(&self) -> Space;

    /// The codes of the legal actions, in the order in which a position lists these.
    fn codes(&self) -> Vec<Vec<u32>>;

    /// The board, as a seat sees it.
    fn planes(&self, seat: Seat) -> Planes;

    /// The code of an action, legal or not, and how the action is spelt.
    fn code(&self, text: &str) -> Result<(String, Vec<u32>), NoCode>;

    /// The action that has a code, legal or not.
    fn action(&self, code: &[u32]) -> Result<String, NoCode>;
}

/// A game without numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game} has no codes and no planes")]
pub struct NoNumbers {
    /// The id of the game.
    pub game: &'static str,
}

/// Why something is no action, or no code of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCode {
    #[error("no action of this game is spelt so")]
    NoSpelling,
    #[error("{number} is no number of this game with these options: they go from 0 to {last}")]
    NoNumber { number: u32, last: u32 },
    #[error("no action of this game has this code")]
    NoAction,
}

/// A game and its encoding.
pub(super) struct Encoded<'a, G: Describe> {
    pub(super) game: &'a G,
    pub(super) encoding: &'a dyn Encode<G::Action>,
}

impl<G: Describe> Numbers for Encoded<'_, G> {
    fn space(&self) -> Space {
        space(self.encoding)
    }

    fn codes(&self) -> Vec<Vec<u32>> {
        legal(self.game).into_iter().map(|(_, action)| self.encoding.code(action)).collect()
    }

    fn planes(&self, seat: Seat) -> Planes {
        self.encoding.planes(seat).into()
    }

    fn code(&self, text: &str) -> Result<(String, Vec<u32>), NoCode> {
        let action = self.encoding.spelt(&text.to_ascii_lowercase()).ok_or(NoCode::NoSpelling)?;
        let (spelling, code) = (self.game.write(action), self.encoding.code(action));
        let exists = self.encoding.decode(&code) == Some(action);
        if exists && spelling.eq_ignore_ascii_case(text) {
            Ok((spelling, code))
        } else {
            Err(NoCode::NoSpelling)
        }
    }

    fn action(&self, code: &[u32]) -> Result<String, NoCode> {
        let size: u32 = self.encoding.numbers().iter().map(|range| range.count).sum();
        if let Some(&number) = code.iter().find(|&&number| number >= size) {
            return Err(NoCode::NoNumber { number, last: size - 1 });
        }
        self.encoding.decode(code).map(|action| self.game.write(action)).ok_or(NoCode::NoAction)
    }
}
