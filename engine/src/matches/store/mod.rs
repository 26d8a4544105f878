//! Games on disk: a folder for every match, to be resumed or merged with others.

mod folder;
mod head;
mod merge;
mod tournament;

pub use self::folder::Folder;
pub use self::merge::{Merged, merge};
