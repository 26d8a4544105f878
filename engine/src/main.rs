//! The engine with the games that it comes with.

use std::process::ExitCode;

use tabuleiro_engine::{catalog::Catalog, command};

fn main() -> ExitCode {
    command::run(&Catalog::standard(), &[], std::env::args_os())
}
