//! Matches: two computer players, many games, and what can be said about who is better. Tournaments
//! are matches of every pairing.
//!
//! - `plan`: what is to be played
//! - `play`: the games themselves
//! - `store`: games on disk, to be resumed or merged
//! - `report`: what the results come to

mod game_result;
mod plan;
mod play;
mod report;
mod store;

pub use self::game_result::{Effort, GameResult};
pub use self::plan::{Contender, Pairing, PerContender, Schedule, Settings, Shard, Tournament};
pub use self::play::Match;
pub use self::report::{
    Counts, Ended, GameLine, Progress, Report, Row, SprtReport, Standings, Status, Tally,
};
pub use self::store::{Merged, Records, merge};
