//! Teaches nets to judge positions: makes games to learn from, fits nets to them, and lets a net
//! play what the engine plays with now.

mod contest;
mod data;
mod fit;
mod progress;

pub use self::contest::{Contest, ContestError, ContestPlan, contest};
pub use self::data::{DataError, DataPlan, Made, make_data};
pub use self::fit::{FitError, FitPlan, FittedNet, fit};
