use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let programme = arguments.next().unwrap_or_default();
    let mut arguments: Vec<_> = arguments.collect();
    if arguments.is_empty() {
        // There is no window yet: the game in the terminal is the programme.
        arguments.push("play".into());
    } else if arguments[0] == "engine" {
        arguments.remove(0);
    }
    run_engine(std::iter::once(programme).chain(arguments).collect())
}

#[cfg(feature = "engine")]
fn run_engine(arguments: Vec<std::ffi::OsString>) -> ExitCode {
    tabuleiro_engine::command::run(arguments)
}

#[cfg(not(feature = "engine"))]
fn run_engine(_: Vec<std::ffi::OsString>) -> ExitCode {
    eprintln!("This tabuleiro was built without its engine.");
    ExitCode::FAILURE
}
