//! A bot that takes any legal action. Chance comes from the seed that it is given, so that a game
//! can be repeated.

use std::hash::{DefaultHasher, Hash, Hasher};

use tabuleiro_protocol::bot;

fn main() -> std::io::Result<()> {
    bot::run("random", |question| {
        let mut chance = DefaultHasher::new();
        (question.seed, &question.played).hash(&mut chance);
        let any = chance.finish() as usize % question.legal.len();
        Ok(vec![question.legal[any].clone()])
    })
}
