//! The rules of every game, tried in five ways: published positions (`vectors`), counts of the ways
//! to play (`perft`), what must hold in any game (`random_games`), a slow and plain second
//! statement of the rules (`reference`), and for each game a file of hand-made positions for every
//! rule.

#[macro_use]
#[path = "../../../tests/support/every_game.rs"]
mod every_game;

mod absorption;
mod fabrik;
mod fuzzed;
mod numbers;
mod perft;
mod random_games;
mod reference;
mod syrtis;
mod vectors;
mod zurero;
