//! Puzzles: the solver that proves them, those that the engine comes with, and how they are played.

mod command;
mod judging;
mod shipped;
mod solver;
