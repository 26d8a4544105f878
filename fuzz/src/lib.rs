//! What must hold whatever comes from outside, one function a property: each takes the bytes that a
//! fuzzer came up with, and panics if the property does not hold for them.
//!
//! Fuzzers call them (`fuzz_targets/`), and so does a test that replays `corpus/`, the inputs found
//! so far. docs/fuzzing.md says how to run the fuzzers.

mod bytes;
mod damage;
mod games;
mod lines;
mod positions;
mod records;

use tabuleiro_engine::games::absorption::Absorption;
use tabuleiro_engine::games::fabrik::Fabrik;
use tabuleiro_engine::games::syrtis::Syrtis;
use tabuleiro_engine::games::zurero::Zurero;

pub use self::games::legal_is_accepted_and_undone;
pub use self::lines::line_gets_one_answer;
pub use self::positions::position_sets_up_or_says_why;
pub use self::records::record_loads_or_says_where;

/// A property, by the bytes that it has to hold for.
pub type Property = fn(&[u8]);

/// All properties, by the names of their fuzz targets and of the folders of their inputs.
pub const TARGETS: [(&str, Property); 7] = [
    ("line_gets_one_answer", line_gets_one_answer),
    ("record_loads_or_says_where", record_loads_or_says_where),
    ("position_sets_up_or_says_why", position_sets_up_or_says_why),
    ("zurero_legal_is_accepted_and_undone", legal_is_accepted_and_undone::<Zurero>),
    ("fabrik_legal_is_accepted_and_undone", legal_is_accepted_and_undone::<Fabrik>),
    ("absorption_legal_is_accepted_and_undone", legal_is_accepted_and_undone::<Absorption>),
    ("syrtis_legal_is_accepted_and_undone", legal_is_accepted_and_undone::<Syrtis>),
];
