//! Bots: programs of other people's that play, each at the end of two pipes.

mod answer;
mod check;
mod log;
mod plain_text;
mod pool;
mod process;
mod process_tree;
mod spec;
mod supervisor;
mod turn;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tabuleiro_protocol::notice::BotFailure;
use tabuleiro_protocol::{Choice, Limits};

pub use self::check::{CheckStep, Need, check};
use self::plain_text::plain_text;
use self::pool::Pool;
use self::process::Unanswered;
pub use self::process_tree::exec_bot;
pub use self::spec::Spec;
pub(crate) use self::spec::split;
pub(crate) use self::supervisor::SUPERVISOR;
pub use self::supervisor::{Supervisor, supervise};
use crate::table::Table;

/// How much longer than its time a bot may take, if nobody says: pipes and other programs cost some.
pub const MARGIN: Duration = Duration::from_millis(500);

/// How long a turn may take for which nobody has set a time.
pub const LONGEST_TURN: Duration = Duration::from_secs(60);

/// How long a bot may take to start and to answer `hello`. No turn pays for it.
pub const STARTING_TIME: Duration = Duration::from_secs(30);

/// How many processes of one bot there may be; who asks when all of them are busy waits.
pub const MOST_PROCESSES: usize = 16;

/// What a bot is asked besides the position.
#[derive(Clone, Debug)]
pub struct BotRequest {
    pub name: String,
    pub limits: Limits,
    pub seed: u64,
}

/// The rest of a turn, as a bot wants to play it. All of it is legal.
#[derive(Clone, Debug)]
pub struct TakenTurn {
    pub choice: Choice,
    /// From the first request to the last answer.
    pub took: Duration,
}

/// A bot has not played its turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", .why.word())]
pub struct Failed {
    pub why: BotFailure,
    /// One sentence for people.
    pub detail: String,
}

impl Failed {
    fn new(why: BotFailure, detail: impl Into<String>) -> Failed {
        // It may hold words of the bot's.
        Failed { why, detail: plain_text(&detail.into()) }
    }

    /// The process has failed as well as the turn, and is not asked again.
    fn is_of_process(&self) -> bool {
        self.why != BotFailure::Illegal
    }
}

/// All bots that an engine was started with. Dropping them ends their processes.
#[derive(Debug, Default)]
pub struct Bots {
    /// In the order in which they were named.
    pools: Vec<Arc<Pool>>,
}

impl Bots {
    /// `margin` is how much longer than its time a bot may take.
    pub fn new(specs: Vec<Spec>, supervisor: &Supervisor, margin: Duration) -> Result<Bots, String> {
        let mut bots = Bots::default();
        for spec in specs {
            if bots.contains(&spec.name) {
                return Err(format!(
                    "there are two bots of the name {:?}: give one of them another",
                    spec.name
                ));
            }
            bots.pools.push(Arc::new(Pool::new(spec, supervisor.clone(), margin)));
        }
        Ok(bots)
    }

    pub fn names(&self) -> Vec<String> {
        self.pools.iter().map(|pool| pool.name().into()).collect()
    }

    pub fn contains(&self, name: &str) -> bool {
        self.pool(name).is_some()
    }

    /// Why there is no such bot, for people.
    pub fn unknown(&self, name: &str) -> String {
        match self.names().as_slice() {
            [] => format!("there is no bot {name:?}; this engine was started without bots"),
            names => format!("there is no bot {name:?}; there is {}", names.join(", ")),
        }
    }

    /// Starts a bot that is there, and hears its hello. Whoever asks for its first turn finds it
    /// ready.
    pub fn start(&self, name: &str) -> Result<(), Failed> {
        let Some(pool) = self.pool(name) else {
            return Err(Failed::new(BotFailure::Crashed, self.unknown(name)));
        };
        match pool.borrow(&AtomicBool::new(false)) {
            Ok(loan) => {
                loan.give_back();
                Ok(())
            }
            Err(Unanswered::Failed(failed)) => Err(failed),
            // Nobody tells it to.
            Err(Unanswered::Stopped) => Ok(()),
        }
    }

    /// The last lines that a bot wrote to its standard error; none of a bot that is not there.
    pub fn log(&self, name: &str) -> Vec<String> {
        self.pool(name).map(|pool| pool.log().lines()).unwrap_or_default()
    }

    /// Asks a bot for the rest of the turn of the seat to move, which must be a bot's; the game
    /// must not be over. `None` if it was told to stop: the bot may think its thought to the end,
    /// but nobody hears of it.
    pub fn take_turn(
        &self,
        table: &Table,
        request: &BotRequest,
        stop: &AtomicBool,
    ) -> Result<Option<TakenTurn>, Failed> {
        match self.pool(&request.name) {
            Some(pool) => turn::take(pool, table, request, stop),
            None => Err(Failed::new(BotFailure::Crashed, self.unknown(&request.name))),
        }
    }

    fn pool(&self, name: &str) -> Option<&Arc<Pool>> {
        self.pools.iter().find(|pool| pool.name() == name)
    }
}

impl Drop for Bots {
    fn drop(&mut self) {
        self.pools.iter().for_each(|pool| pool.close());
        self.pools.iter().for_each(|pool| pool.wait_until_gone());
    }
}
