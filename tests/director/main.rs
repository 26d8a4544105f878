//! The program without its window, with the real engine at the other end.

#[macro_use]
#[path = "../support/every_game.rs"]
mod every_game;

mod aids;
mod analysing;
mod bots;
mod editing;
mod first_start;
mod games;
mod in_and_out;
mod learning;
mod long_game;
mod marking;
mod picking;
mod playing;
mod puzzles;
mod reading;
mod review;
mod room;
mod saving;
mod sharing;
mod tree;
mod watching;
