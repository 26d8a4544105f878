//! A bot that takes any legal action. Chance comes from the seed that it is given, so that a game
//! can be repeated.

use std::hash::{DefaultHasher, Hash, Hasher};

use tabuleiro_protocol::bot;

fn main() -> std::io::Result<()> {
    bot::run("random", |request| {
        let mut chance = DefaultHasher::new();
        (request.seed, &request.played).hash(&mut chance);
        let any = chance.finish() as usize % request.legal.len();
        Ok(vec![request.legal[any].clone()])
    })
}
