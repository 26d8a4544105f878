//! What the results of games come to: of a match, of a tournament, and while they are still played.

mod game_line;
mod match_report;
mod progress;
mod ratings;
mod results;
mod standings;
mod tally;

pub use self::game_line::GameLine;
pub use self::match_report::{Ended, Report, SprtReport};
pub use self::progress::{Progress, Status};
pub(super) use self::results::Results;
pub use self::standings::{Row, Standings};
pub use self::tally::{Counts, Tally};
