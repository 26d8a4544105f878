//! The program without its window, with the real engine at the other end.

mod bots;
mod playing;
mod room;
mod sharing;
