//! Games on disk, to be resumed or merged with others: a folder or a file for every match.

mod file;
mod folder;
mod game;
mod head;
mod lock;
mod merge;
mod records;
mod tournament;

pub use self::merge::{Merged, merge};
pub use self::records::Records;
