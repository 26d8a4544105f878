//! An engine with the games that Tabuleiro comes with, and Breakthrough.

use std::process::ExitCode;

use breakthrough::Breakthrough;
use tabuleiro_engine::catalog::{Catalog, DuplicateGame};
use tabuleiro_engine::command;

fn main() -> Result<ExitCode, DuplicateGame> {
    let games = Catalog::standard().with::<Breakthrough>()?;
    Ok(command::run(&games, &[], std::env::args_os()))
}
