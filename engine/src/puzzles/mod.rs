//! Puzzles: found in games, proved, graded, and judged as somebody tries them.

mod compose;
mod grade;
mod hint;
mod judge;
mod mine;
mod mistakes;
mod verify;

use std::sync::atomic::{AtomicBool, Ordering};

use tabuleiro_protocol::Day;
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleFile, PuzzleKind, of_the_day};

pub use self::grade::regraded;
pub use self::hint::hint;
use self::judge::Standing;
pub use self::judge::judge;
pub use self::mine::{Miner, Plan};
pub use self::mistakes::mistake;
pub use self::verify::verify;
use crate::catalog::{Catalog, OpenError};
use crate::session::{PlayError, Session};

/// About how many positions may be looked at while somebody waits.
pub const BRIEF_EFFORT: u64 = 5_000_000;

/// Counts positions, and says no when there were enough or somebody wants it to stop.
pub fn within(effort: u64, stop: &AtomicBool) -> impl FnMut() -> bool {
    let mut left = effort;
    move || {
        left = left.saturating_sub(1);
        left > 0 && (!left.is_multiple_of(64) || !stop.load(Ordering::Relaxed))
    }
}

/// Why something cannot be tried in a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    NoPosition(#[from] OpenError),
    #[error("the game is over where the puzzle begins")]
    Over,
    #[error("turns: must be 2 to 5, not {0}")]
    Turns(u32),
    #[error(transparent)]
    NotPlayed(#[from] PlayError),
}

/// The game of a puzzle, where it begins.
pub fn open(catalog: &Catalog, puzzle: &Puzzle) -> Result<Session, Error> {
    if !(Puzzle::FEWEST_TURNS..=Puzzle::MOST_TURNS).contains(&puzzle.turns) {
        return Err(Error::Turns(puzzle.turns));
    }
    let session = catalog.open(&puzzle.game, Some(&puzzle.options), 0, Some(puzzle.start.clone()))?;
    if session.position().to_move().is_none() {
        return Err(Error::Over);
    }
    Ok(session)
}

/// What is wrong with a puzzle or with what was played in it, without a proof.
pub fn check(catalog: &Catalog, puzzle: &Puzzle, played: &[String]) -> Result<(), Error> {
    Standing::new(catalog, puzzle, played).map(drop)
}

/// The puzzles that the games of a catalog come with, in an order that does not change as long as
/// they do not.
pub fn shipped(catalog: &Catalog) -> Vec<Puzzle> {
    let of_game = |text: &str| PuzzleFile::read(text).0.puzzles;
    catalog.games().iter().filter_map(|game| game.puzzles).flat_map(of_game).collect()
}

/// Which puzzles somebody wants.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub game: Option<String>,
    pub grade: Option<u32>,
    pub kind: Option<PuzzleKind>,
}

impl Wanted {
    pub fn takes(&self, puzzle: &Puzzle) -> bool {
        self.game.as_ref().is_none_or(|game| *game == puzzle.game)
            && self.grade.is_none_or(|grade| grade == puzzle.grade)
            && self.kind.is_none_or(|kind| kind == puzzle.kind)
    }
}

/// The puzzle of a day.
pub fn puzzle_of_the_day(puzzles: &[Puzzle], day: Day) -> Option<&Puzzle> {
    of_the_day(puzzles, day)
}
