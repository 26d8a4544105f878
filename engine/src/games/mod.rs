//! The games. Each has a folder of its own and knows nothing of the others.

pub mod absorption;
pub mod fabrik;
pub mod syrtis;
pub mod zurero;
