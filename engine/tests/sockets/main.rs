//! Many clients at one engine: real processes, real sockets.

mod coming_and_going;
mod crowd;
mod sharing;
mod visitor;
