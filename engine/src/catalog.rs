//! The games that the engine knows: the one list of them.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value};
use tabuleiro_protocol::{GameInfo, OptionSpec, Start};

use crate::game::{BadOption, Describe, Evaluate, GameOptions, SetupError};
use crate::games::absorption::Absorption;
use crate::games::fabrik::Fabrik;
use crate::games::syrtis::Syrtis;
use crate::games::zurero::Zurero;
use crate::session::{History, Session};
use crate::tools::bench::{self, Speed};
use crate::tools::tune::{self, Calibrated, Effort, Tuned};

/// A game that was opened, or why there is no such position.
type Opened = Result<Box<dyn Session>, SetupError>;

type Tune = fn(&GameOptions, &Effort, u32, &mut dyn FnMut(&str)) -> Tuned;

pub static GAMES: [GameKind; 4] = [
    GameKind::of::<Zurero>(),
    GameKind::of::<Fabrik>(),
    GameKind::of::<Absorption>(),
    GameKind::of::<Syrtis>(),
];

/// One of the games.
pub struct GameKind {
    pub id: &'static str,
    pub name: &'static str,
    /// The rules for people, in Markdown.
    pub rules: &'static str,
    options: fn() -> Vec<OptionSpec>,
    open: fn(&GameOptions, u64, Option<&Start>) -> Opened,
    measure: fn(&GameOptions, Duration) -> Speed,
    tune: Tune,
    calibrate: fn(&GameOptions, &Effort) -> Calibrated,
}

impl GameKind {
    const fn of<G: Describe + Evaluate>() -> GameKind {
        GameKind {
            id: G::ID,
            name: G::NAME,
            rules: G::RULES,
            options: G::options,
            open: open::<G>,
            measure: |options, time| bench::measure(&G::start(options, 1), time),
            tune: tune::tune::<G>,
            calibrate: tune::calibrate::<G>,
        }
    }

    pub fn by_id(id: &str) -> Option<&'static GameKind> {
        GAMES.iter().find(|game| game.id == id)
    }

    pub fn info(&self) -> GameInfo {
        GameInfo { id: self.id.into(), name: self.name.into(), options: (self.options)() }
    }

    pub fn check_options(&self, given: &Map<String, Value>) -> Result<GameOptions, BadOption> {
        GameOptions::check(&(self.options)(), given)
    }

    /// A game at its start, or from a position given from outside.
    pub fn open(&self, options: &GameOptions, seed: u64, start: Option<&Start>) -> Opened {
        (self.open)(options, seed, start)
    }

    /// Fits the weights of its evaluation and tries them in a match of so many games. `say` hears how it is getting on.
    pub fn tune(
        &self,
        options: &GameOptions,
        effort: &Effort,
        match_games: u32,
        say: &mut dyn FnMut(&str),
    ) -> Tuned {
        (self.tune)(options, effort, match_games, say)
    }

    /// How well the chances that searches give come true.
    pub fn calibrate(&self, options: &GameOptions, effort: &Effort) -> Calibrated {
        (self.calibrate)(options, effort)
    }

    /// A game at its start, with its default options.
    pub fn at_start(&self, seed: u64) -> Box<dyn Session> {
        (self.open)(&GameOptions::default_of(&(self.options)()), seed, None).expect("a game has a start")
    }

    /// How fast it goes, with its default options.
    pub fn measure(&self, time: Duration) -> Speed {
        (self.measure)(&GameOptions::default_of(&(self.options)()), time)
    }
}

impl fmt::Debug for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GameKind").field(&self.id).finish()
    }
}

fn open<G: Describe + Evaluate>(options: &GameOptions, seed: u64, start: Option<&Start>) -> Opened {
    let game = match start {
        None => G::start(options, seed),
        Some(start) => G::set_up(options, start)?,
    };
    Ok(Box::new(History::new(game)))
}
