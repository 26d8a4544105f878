use std::process::ExitCode;

fn main() -> ExitCode {
    tabuleiro_engine::command::run(&[], std::env::args_os())
}
