//! A display of its own for every test, and the program on it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// An X server without a screen. It ends with the test.
#[derive(Debug)]
pub(crate) struct Display {
    server: Child,
    name: String,
}

impl Display {
    pub(crate) fn new() -> Display {
        let mut server = Command::new("Xvfb")
            // Else it begins anew when its last window goes, and refuses who comes meanwhile.
            .args(["-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("Xvfb cannot be started ({error}). On Debian: apt-get install xvfb libxi6 libxkbcommon0 libgl1 libx11-6")
            });
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("its output"))
            .read_line(&mut number)
            .expect("the number of the display");
        assert!(!number.trim().is_empty(), "Xvfb has found no free display");
        Display { server, name: format!(":{}", number.trim()) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The program, as a person would start it on this display.
    pub(crate) fn tabuleiro(&self, data: &Path) -> Command {
        let mut command = tabuleiro(data);
        command.env("DISPLAY", &self.name);
        command
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The program with a folder of its own, and with pictures that do not depend on the graphics card.
pub(crate) fn tabuleiro(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabuleiro"));
    command
        .arg("--data")
        .arg(data)
        .stdin(Stdio::null())
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env_remove("RUST_BACKTRACE");
    command
}

/// Runs a script to its end. Its pictures go to the folder.
pub(crate) fn run_script(display: &Display, data: &Path, name: &str) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/window/scripts").join(name);
    display.tabuleiro(data).arg("--script").arg(script).current_dir(data).output().unwrap()
}
