//! The games that an engine offers: the four of Tabuleiro, and whatever others add to them.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Map, Value};
use tabuleiro_protocol::lesson::Lesson;
use tabuleiro_protocol::{GameInfo, OptionSpec, Piece, Start, StartMember, TokenLook};
use thiserror::Error;

use crate::game::{BadOption, Describe, GameOptions, SetupError};
use crate::games::absorption::Absorption;
use crate::games::fabrik::Fabrik;
use crate::games::syrtis::Syrtis;
use crate::games::zurero::Zurero;
use crate::random::Random;
use crate::search::Evaluate;
use crate::session::Session;
use crate::tools::bench::{self, Speed};
use crate::tools::train::{
    self, Contest, ContestError, ContestPlan, DataError, DataPlan, FitError, FitPlan, FittedNet, Made,
};
use crate::tools::tune::{self, Calibrated, Tuned, TuningSettings};

/// The games that an engine offers, in the order in which people see them.
///
/// ```
/// use tabuleiro_engine::catalog::Catalog;
///
/// let catalog = Catalog::standard();
/// assert_eq!(catalog.game("fabrik").unwrap().name, "Fabrik");
/// assert!(catalog.game("chess").is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Catalog {
    games: Vec<GameKind>,
}

/// Two games cannot have the same id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is a game {id:?} in the catalog already ({there}): {added} needs another id")]
pub struct DuplicateGame {
    pub id: &'static str,
    there: &'static str,
    added: &'static str,
}

/// No game has this id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no game {id:?}; there is {}", known.join(", "))]
pub struct UnknownGame {
    pub id: String,
    pub known: Vec<&'static str>,
}

/// Why a game cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    #[error(transparent)]
    UnknownGame(#[from] UnknownGame),
    #[error(transparent)]
    BadOption(#[from] BadOption),
    #[error(transparent)]
    BadStart(#[from] SetupError),
}

impl Catalog {
    /// The four games that Tabuleiro comes with.
    pub fn standard() -> Catalog {
        Catalog {
            games: vec![
                GameKind::of::<Zurero>(),
                GameKind::of::<Fabrik>(),
                GameKind::of::<Absorption>(),
                GameKind::of::<Syrtis>(),
            ],
        }
    }

    /// The same games and one more.
    pub fn with<G: Describe + Evaluate>(mut self) -> Result<Catalog, DuplicateGame> {
        if let Some(there) = self.games.iter().find(|game| game.id == G::ID) {
            return Err(DuplicateGame { id: G::ID, there: there.name, added: G::NAME });
        }
        self.games.push(GameKind::of::<G>());
        Ok(self)
    }

    pub fn games(&self) -> &[GameKind] {
        &self.games
    }

    /// A game by its id.
    pub fn game(&self, id: &str) -> Result<GameKind, UnknownGame> {
        let found = self.games.iter().find(|game| game.id == id).copied();
        found.ok_or_else(|| UnknownGame {
            id: id.into(),
            known: self.games.iter().map(|game| game.id).collect(),
        })
    }

    /// A game by its id, opened; see [`GameKind::open`].
    pub fn open(
        &self,
        game: &str,
        options: Option<&Map<String, Value>>,
        seed: u64,
        start: Option<Start>,
    ) -> Result<Session, OpenError> {
        self.game(game)?.open(options, seed, start)
    }
}

/// Hears how something long is getting on.
type Say<'a> = &'a mut (dyn FnMut(&str) + Send);
type MakeData = fn(&GameOptions, &DataPlan, &Path, &AtomicBool, Say<'_>) -> Result<Made, DataError>;
type Fit = fn(&GameOptions, &FitPlan, &AtomicBool, Say<'_>) -> Result<FittedNet, FitError>;
type LetPlay = fn(&GameOptions, &str, &ContestPlan, &AtomicBool, Say<'_>) -> Result<Contest, ContestError>;
type Tune = fn(&GameOptions, &TuningSettings, u32, &mut dyn FnMut(&str)) -> Tuned;

/// One of the games, with its type forgotten.
#[derive(Clone, Copy)]
pub struct GameKind {
    pub id: &'static str,
    pub name: &'static str,
    /// The rules for people, in Markdown.
    pub rules: &'static str,
    /// The text of its lesson.
    lesson: Option<&'static str>,
    /// The text of its file of puzzles.
    pub puzzles: Option<&'static str>,
    options: fn() -> Vec<OptionSpec>,
    pitch: fn() -> Option<&'static str>,
    look: fn() -> Vec<TokenLook>,
    /// What tokens look like on a page.
    pub drawn: fn() -> Vec<TokenLook>,
    pieces: fn() -> Vec<Piece>,
    start_members: fn() -> Vec<StartMember>,
    endgame: fn(&GameOptions, &mut Random) -> Option<Start>,
    open: fn(GameOptions, u64, Option<Start>) -> Result<Session, SetupError>,
    measure: fn(&GameOptions, Duration) -> Speed,
    tune: Tune,
    calibrate: fn(&GameOptions, &TuningSettings) -> Calibrated,
    make_data: MakeData,
    fit: Fit,
    contest: LetPlay,
}

impl GameKind {
    fn of<G: Describe + Evaluate>() -> GameKind {
        GameKind {
            id: G::ID,
            name: G::NAME,
            rules: G::RULES,
            lesson: G::LESSON,
            puzzles: G::PUZZLES,
            options: G::options,
            pitch: G::pitch,
            look: G::look,
            drawn: G::drawn,
            pieces: pieces::<G>,
            start_members: G::start_members,
            endgame: G::endgame,
            open: Session::open::<G>,
            measure: |options, time| bench::measure(&G::start(options, 1), time),
            tune: tune::tune::<G>,
            calibrate: tune::calibrate::<G>,
            make_data: train::make_data::<G>,
            fit: train::fit::<G>,
            contest: train::contest::<G>,
        }
    }

    pub fn info(&self) -> GameInfo {
        GameInfo {
            pitch: (self.pitch)().map(String::from),
            look: (self.look)(),
            pieces: (self.pieces)(),
            start: (self.start_members)(),
            ..GameInfo::new(self.id, self.name, (self.options)())
        }
    }

    pub fn lesson(&self) -> Option<Lesson> {
        self.lesson.map(|text| serde_json::from_str(text).expect("the lesson that a game is built with"))
    }

    pub fn check_options(&self, given: &Map<String, Value>) -> Result<GameOptions, BadOption> {
        GameOptions::check(&(self.options)(), given)
    }

    /// See [`Describe::endgame`].
    pub fn endgame(&self, options: &Map<String, Value>, random: &mut Random) -> Option<Start> {
        (self.endgame)(&self.check_options(options).ok()?, random)
    }

    /// A game at its start, or from a position given from outside. Options that are not given are
    /// at their defaults.
    pub fn open(
        &self,
        options: Option<&Map<String, Value>>,
        seed: u64,
        start: Option<Start>,
    ) -> Result<Session, OpenError> {
        let options = self.check_options(options.unwrap_or(&Map::new()))?;
        Ok((self.open)(options, seed, start)?)
    }

    /// Fits the weights of its evaluation and tries them in a match of so many games. `say` hears
    /// how it is getting on.
    pub fn tune(
        &self,
        options: &GameOptions,
        settings: &TuningSettings,
        match_games: u32,
        say: &mut dyn FnMut(&str),
    ) -> Tuned {
        (self.tune)(options, settings, match_games, say)
    }

    /// How well the chances that searches give come true.
    pub fn calibrate(&self, options: &GameOptions, settings: &TuningSettings) -> Calibrated {
        (self.calibrate)(options, settings)
    }

    /// Plays games for nets to learn from and adds them to a file, until `stop` is set. `say` hears
    /// how it is getting on.
    pub fn make_data(
        &self,
        options: &GameOptions,
        plan: &DataPlan,
        file: &Path,
        stop: &AtomicBool,
        say: Say<'_>,
    ) -> Result<Made, DataError> {
        (self.make_data)(options, plan, file, stop, say)
    }

    /// Fits a net to such games, until `stop` is set.
    pub fn fit(
        &self,
        options: &GameOptions,
        plan: &FitPlan,
        stop: &AtomicBool,
        say: Say<'_>,
    ) -> Result<FittedNet, FitError> {
        (self.fit)(options, plan, stop, say)
    }

    /// Lets a net, given as the text of its file, play what the engine plays with, until `stop` is
    /// set.
    pub fn contest(
        &self,
        options: &GameOptions,
        net: &str,
        plan: &ContestPlan,
        stop: &AtomicBool,
        say: Say<'_>,
    ) -> Result<Contest, ContestError> {
        (self.contest)(options, net, plan, stop, say)
    }

    /// A game at its start, with its default options.
    pub fn at_start(&self, seed: u64) -> Session {
        (self.open)(GameOptions::default_of(&(self.options)()), seed, None).expect("a game has a start")
    }

    /// How fast it goes, with its default options.
    pub fn measure(&self, time: Duration) -> Speed {
        (self.measure)(&GameOptions::default_of(&(self.options)()), time)
    }
}

/// What a cell of a position may hold. A game that does not say so is played at random for a while.
fn pieces<G: Describe>() -> Vec<Piece> {
    let told = G::pieces();
    if !told.is_empty() {
        return told;
    }
    let options = GameOptions::default_of(&G::options());
    let mut seen = BTreeSet::new();
    let mut scratch = Vec::new();
    for seed in 0..RANDOM_GAMES {
        let (mut game, mut random) = (G::start(&options, seed), Random::new(seed));
        for _ in 0..RANDOM_ACTIONS {
            seen.extend(game.rows().iter().flat_map(|row| row.split(' ')).map(String::from));
            let Some(action) = game.random_action(&mut random, &mut scratch) else { break };
            game.play(action);
        }
    }
    seen.remove(".");
    seen.into_iter().map(|token| Piece { text: token.clone(), token }).collect()
}

/// So much is played at random to see which tokens a game has.
const RANDOM_GAMES: u64 = 4;
const RANDOM_ACTIONS: usize = 200;

impl fmt::Debug for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GameKind").field(&self.id).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every token of random games is among the pieces, in words that are not the token itself.
    #[test]
    fn every_piece_is_told() {
        fn check<G: Describe>() {
            let told: BTreeSet<String> = G::pieces().into_iter().map(|piece| piece.token).collect();
            let options = GameOptions::default_of(&G::options());
            let mut scratch = Vec::new();
            for seed in 0..20 {
                let (mut game, mut random) = (G::start(&options, seed), Random::new(seed));
                while let Some(action) = game.random_action(&mut random, &mut scratch) {
                    game.play(action);
                    for token in
                        game.rows().iter().flat_map(|row| row.split(' ')).filter(|token| *token != ".")
                    {
                        assert!(told.contains(token), "{}: {token}", G::ID);
                    }
                }
            }
            assert!(G::pieces().iter().all(|piece| piece.text != piece.token));
            assert_eq!(G::start_members()[0], StartMember::to_move());
        }
        check::<Zurero>();
        check::<Fabrik>();
        check::<Absorption>();
        check::<Syrtis>();
    }

    #[test]
    fn two_games_cannot_share_an_id() {
        let refused = Catalog::standard().with::<Fabrik>().expect_err("Fabrik is there");
        assert_eq!(
            refused.to_string(),
            "there is a game \"fabrik\" in the catalog already (Fabrik): Fabrik needs another id"
        );
    }

    #[test]
    fn an_unknown_game_is_told_what_there_is() {
        let refused = Catalog::standard().game("chess").expect_err("no such game");
        assert_eq!(
            refused.to_string(),
            "there is no game \"chess\"; there is zurero, fabrik, absorption, syrtis"
        );
    }
}
