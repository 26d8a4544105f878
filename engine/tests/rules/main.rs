//! The rules of every game, tried in five ways: published positions (`vectors`), counts of the ways to play (`perft`), what must
//! hold in any game (`tabuleiro_engine::testing`), a slow and plain second statement of the rules (`reference`), and for each game a file of
//! hand-made positions for every rule.

mod absorption;
mod fabrik;
mod perft;
mod reference;
mod syrtis;
mod vectors;
mod zurero;
